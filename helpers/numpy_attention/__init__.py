"""Self-attention in NumPy: every step of the course, for arrays with any leading batch axes.

Masks are boolean everywhere and **True = may attend**. Weight matrices are used as ``X @ W``.
float16, float32 and float64 come back as they went in (float16 is computed in float32), mixed
dtypes become the wider one, integers become float64. Arrays that are passed in never change,
and no result shares memory with them. Finite numbers never give infinity or NaN in silence.

The formulas themselves are in ``plain``, on one page.
"""

from helpers.numpy_attention.attention import (
    scaled_dot_product_attention,
    self_attention,
    softmax,
)
from helpers.numpy_attention.backward import (
    AttentionGradients,
    attention_backward,
    scaled_dot_product_attention_backward,
    softmax_backward,
)
from helpers.numpy_attention.blocked import blocked_attention
from helpers.numpy_attention.cache import KVCache
from helpers.numpy_attention.heads import merge_heads, multi_head_attention, split_heads
from helpers.numpy_attention.masks import causal_mask, padding_mask
from helpers.numpy_attention.positions import sinusoidal_positions

__all__ = [
    "AttentionGradients",
    "KVCache",
    "attention_backward",
    "blocked_attention",
    "causal_mask",
    "merge_heads",
    "multi_head_attention",
    "padding_mask",
    "scaled_dot_product_attention",
    "scaled_dot_product_attention_backward",
    "self_attention",
    "sinusoidal_positions",
    "softmax",
    "softmax_backward",
    "split_heads",
]
