"""The learner's own PyTorch layer in the loop of lesson 10: it is what is trained, and agrees."""

import contextlib
import json
from functools import cache

import numpy as np
import torch
from reading import ROOT

from helpers import numpy_attention, torch_attention
from helpers.lessons.lesson10 import rivals

NOTEBOOK = ROOT / "notebooks" / "deeper" / "10_your_module_in_pytorch.ipynb"


class OfLinears(torch.nn.Module):
    """A right layer made otherwise than the course's: nn.Linear with biases, PyTorch's product."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.dropout = num_heads, dropout
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            setattr(self, name, torch.nn.Linear(d_model, d_model))

    def forward(self, X, mask=None):
        parts = (layer(X) for layer in (self.W_Q, self.W_K, self.W_V))
        Q, K, V = (torch_attention.split_heads(part, self.num_heads) for part in parts)
        _, weights = torch_attention.scaled_dot_product_attention(Q, K, V, mask)
        weights = torch.nn.functional.dropout(weights, self.dropout, self.training)
        return self.W_O(torch_attention.merge_heads(weights @ V)), weights


class Unscaled(OfLinears):
    """A wrong layer: it lacks the division by the root of d_head."""

    def forward(self, X, mask=None):
        parts = (layer(X) for layer in (self.W_Q, self.W_K, self.W_V))
        Q, K, V = (torch_attention.split_heads(part, self.num_heads) for part in parts)
        _, weights = torch_attention.scaled_dot_product_attention(4 * Q, K, V, mask)
        return self.W_O(torch_attention.merge_heads(weights @ V)), weights


@cache
def cells():
    """The code cells of the notebook, by their ids."""
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return {c["id"]: "".join(c["source"]) for c in found if c["cell_type"] == "code"}


def run(layer, *ids):
    """Run the notebook's first cells and these, with a layer in place of the stub."""
    names = {"MultiHeadAttention": layer}
    for cell in ("imports", "use-layer", *ids):
        with contextlib.redirect_stdout(None):
            exec(cells()[f"py-{cell}"], names)
    return names


def test_pytorchs_losses_with_the_learners_layer_are_those_of_the_loop_by_hand():
    names = run(OfLinears, "model", "start", "train", "by-hand")
    start, batches = names["start"], names["batches"][:12]
    model, losses = names["train"](start, batches)
    assert type(model.layer) is OfLinears
    assert not any(part.bias.any() for part in model.layer.children())
    backward = numpy_attention.scaled_dot_product_attention_backward
    by_hand = names["losses_by_hand"](start, batches[:6], backward)
    np.testing.assert_allclose(losses[:6], by_hand, atol=1e-9)
    assert losses[0] - losses[5] > 0.5
    faulty = names["losses_by_hand"](start, batches[:6], rivals.no_average)
    assert np.abs(np.subtract(losses[:6], faulty)).max() > 1e-4


def test_a_wrong_layer_is_not_the_one_that_is_trained():
    assert type(run(Unscaled)["Layer"](64, 1)).__module__.startswith("helpers.")
