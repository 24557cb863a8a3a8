"""Self-attention in PyTorch: the names and rules of ``helpers.numpy_attention``, on tensors.

Masks are boolean everywhere and **True = may attend**, as in F.scaled_dot_product_attention
(nn.MultiheadAttention means the opposite). Weight matrices are used as ``X @ W``. The dtype that
goes in comes out (float16 and bfloat16 are computed in float32), mixed dtypes become the wider
one, integers become torch's default dtype. Autograd does the backward pass; gradients stay finite
where a query may attend to nothing. Finite numbers never give infinity or NaN in silence, except
where no number can be looked at: while tracing or compiling, under vmap, on the meta device.

The formulas themselves are in ``plain``, on one page.
"""

from helpers.torch_attention.attention import (
    scaled_dot_product_attention,
    self_attention,
    softmax,
)
from helpers.torch_attention.blocked import blocked_attention
from helpers.torch_attention.cache import KVCache
from helpers.torch_attention.heads import merge_heads, multi_head_attention, split_heads
from helpers.torch_attention.masks import causal_mask, padding_mask
from helpers.torch_attention.modules import MultiHeadAttention, SelfAttention
from helpers.torch_attention.positions import sinusoidal_positions

__all__ = [
    "KVCache",
    "MultiHeadAttention",
    "SelfAttention",
    "blocked_attention",
    "causal_mask",
    "merge_heads",
    "multi_head_attention",
    "padding_mask",
    "scaled_dot_product_attention",
    "self_attention",
    "sinusoidal_positions",
    "softmax",
    "split_heads",
]
