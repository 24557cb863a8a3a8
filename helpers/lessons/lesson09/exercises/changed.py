"""Multi-head attention in PyTorch with one step exchanged, for the wrong answers of exercise 4."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from helpers.lessons.lesson09.exercises.runners import MATRICES


def split(X, num_heads):
    """Cut columns into heads: (batch, num_heads, n, d_head)."""
    batch, n, _ = X.shape
    return X.reshape(batch, n, num_heads, -1).transpose(1, 2)


def merge(heads):
    """Join the heads: (batch, n, d_model)."""
    batch, _, n, _ = heads.shape
    return heads.transpose(1, 2).reshape(batch, n, -1)


def hide(scores, mask):
    """Hide what the mask does not allow."""
    return scores.masked_fill(~mask, -math.inf)


def normalise(scores):
    """Softmax of the rows; a row of nothing but -inf gives zeros."""
    empty = (scores == -math.inf).all(dim=-1, keepdim=True)
    return torch.softmax(scores.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)


class Changed(nn.Module):
    """The layer with the steps that it is given in place of its own."""

    def __init__(self, d_model, num_heads, dropout=0.0, **steps):
        super().__init__()
        self.num_heads, self.dropout = num_heads, dropout
        for name in MATRICES:
            setattr(self, name, nn.Parameter(torch.randn(d_model, d_model)))
        self.steps = {
            "use": torch.matmul,
            "split": split,
            "width": d_model // num_heads,
            "hide": hide,
            "normalise": normalise,
            "drop": F.dropout,
            "clean": lambda heads: heads,
            "merge": merge,
            "mix": torch.matmul,
            "finish": lambda output, p, training: output,
        } | steps

    def forward(self, X, mask=None):
        """Return output and weights."""
        do, rate = self.steps, (self.dropout, self.training)
        W = self.W_Q, self.W_K, self.W_V
        Q, K, V = (do["split"](do["use"](X, matrix), self.num_heads) for matrix in W)
        scores = Q @ K.transpose(-1, -2) / math.sqrt(do["width"])
        scores = scores if mask is None else do["hide"](scores, mask)
        weights = do["drop"](do["normalise"](scores), *rate)
        heads = do["clean"](weights @ V)
        return do["finish"](do["mix"](do["merge"](heads), self.W_O), *rate), weights
