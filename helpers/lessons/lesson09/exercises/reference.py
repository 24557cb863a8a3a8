"""The right answer to exercise 4 of lesson 09, in PyTorch: imported when it is first needed."""

import torch


class MultiHeadAttention(torch.nn.Module):
    """Several heads side by side, and W_O to mix them."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.dropout = num_heads, dropout
        self.W_Q, self.W_K, self.W_V, self.W_O = (
            torch.nn.Parameter(torch.randn(d_model, d_model) / d_model**0.5) for _ in range(4)
        )

    def forward(self, X, mask=None):
        batch, n, d_model = X.shape
        Q, K, V = (
            (X @ W).reshape(batch, n, self.num_heads, -1).transpose(1, 2)
            for W in (self.W_Q, self.W_K, self.W_V)
        )  # (batch, num_heads, n, d_head)
        scores = (Q / Q.shape[-1] ** 0.5) @ K.transpose(-1, -2)
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        empty = (scores == -torch.inf).all(dim=-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(empty, 0.0), dim=-1).masked_fill(empty, 0.0)
        weights = torch.nn.functional.dropout(weights, self.dropout, self.training)
        heads = (weights @ V).transpose(1, 2).reshape(batch, n, d_model)
        return heads @ self.W_O, weights
