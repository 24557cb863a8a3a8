"""Lesson 09: claims on other seeds, what its text says, its pictures, and answers it accepts."""

import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from helpers import numpy_attention as attention
from helpers import torch_attention
from helpers.lessons import lesson09
from helpers.lessons.lesson09.figures import mask_maps
from helpers.sentences import TOKENS, toy_embeddings, toy_matrices

# --------------------------------------------------------------- what the text says is so


def test_one_mask_a_sentence_meets_the_heads_and_is_an_error_with_three_sentences():
    scores = np.zeros((2, 2, 7, 7))
    mask = np.zeros((2, 7, 7), dtype=bool)
    mask[0] = True
    kept = np.broadcast_to(mask, scores.shape)
    assert kept[:, 0].all()
    assert not kept[:, 1].any()
    with pytest.raises(ValueError, match="broadcast"):
        np.broadcast_to(np.ones((3, 7, 7), dtype=bool), (3, 2, 7, 7))


def test_rows_that_see_nothing_come_from_the_settings_the_text_names():
    for n in range(2, 7):
        left = np.arange(n) >= 1
        assert not (attention.causal_mask(n) & left)[0].any()
        assert not attention.causal_mask(n + 1, n)[0].any()
        assert (attention.causal_mask(n) & left[::-1]).any(axis=1).all()


def test_padding_of_zeros_takes_more_than_a_quarter_and_less_than_the_doer():
    short = np.vstack([toy_embeddings()[[0, 9]], np.zeros((8, 6))])
    row = attention.self_attention(short, *toy_matrices())[1][1]
    assert 0.25 < row[2:].sum() < row[0]


def test_the_table_of_mask_conventions_is_right_for_pytorch():
    rng = torch.Generator().manual_seed(0)
    Q, K, V = torch.randn(3, 1, 4, 8, generator=rng)
    past = torch.ones(4, 4, dtype=torch.bool).tril()
    same = F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    torch.testing.assert_close(F.scaled_dot_product_attention(Q, K, V, attn_mask=past), same)
    new = F.scaled_dot_product_attention(Q[:, :1], K, V, is_causal=True)
    torch.testing.assert_close(new, V[:, :1])  # top left: one query sees key 0 alone
    floats = F.scaled_dot_product_attention(Q, K, V, attn_mask=past.float())
    weights = torch_attention.scaled_dot_product_attention(Q, K, V)[1]
    assert (floats - same).abs().max() > 0.01
    biased = torch.softmax(weights.log() + past.float(), -1) @ V
    torch.testing.assert_close(floats, biased)  # added to the scores: nothing is hidden
    nothing = torch.zeros(4, 4, dtype=torch.bool)
    assert (F.scaled_dot_product_attention(Q, K, V, attn_mask=nothing) == 0).all()


def test_query_padding_needs_no_mask_as_real_rows_do_not_change():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 6, 4))
    real = np.arange(6) < 4
    keys_only = attention.scaled_dot_product_attention(Q, K, V, real[None, :])[0]
    both = attention.scaled_dot_product_attention(Q, K, V, real[:, None] & real)[0]
    np.testing.assert_allclose(keys_only[:4], both[:4])
    assert (both[4:] == 0).all()


# ------------------------------------------------------------------------- the pictures


def test_mask_maps_count_what_is_open_and_frame_empty_rows():
    causal = np.tri(3, 2, -1, dtype=bool)
    figure = mask_maps({"causal": causal, "all": np.ones((3, 2), dtype=bool)})
    assert "causal: 3 of 6 cells may be looked at." in figure.caption
    assert "causal: rows that may look at nothing: 1." in figure.caption
    assert "all: 6 of 6 cells may be looked at." in figure.caption
    frames = [[p for p in ax.patches if not p.get_fill()] for ax in figure.axes]
    assert [len(found) for found in frames] == [1, 0]


def test_mask_maps_draw_chinese_labels_tensors_and_all_sizes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n_q, n_k in ((1, 1), (1, 8), (8, 1), (10, 10)):
            masks = {"a": np.tri(n_q, n_k, dtype=bool), "b": torch.ones(n_q, n_k).bool()}
            figure = mask_maps(masks, TOKENS[:n_q], TOKENS[:n_k])
            assert figure.png_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("masks", "labels", "error"),
    [
        ({"a": np.ones((2, 2))}, None, TypeError),
        ({"a": np.ones(2, dtype=bool)}, None, ValueError),
        ({}, None, ValueError),
        ({"a": np.tri(2, dtype=bool), "b": np.tri(3, dtype=bool)}, None, ValueError),
        ({"a": np.tri(2, dtype=bool)}, "abc", ValueError),
    ],
)
def test_mask_maps_refuse_what_is_no_mask(masks, labels, error):
    with pytest.raises(error, match=r"mask|row"):
        mask_maps(masks, labels)


# ---------------------------------------------------------------------------- exercises


class WithLinear(nn.Module):
    """The layer out of PyTorch's own parts: nn.Linear, nn.Dropout, a loop over heads, einsum."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.W_Q, self.W_K, self.W_V, self.W_O = (nn.Linear(d_model, d_model) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, X, mask=None):
        parts = (part(X).chunk(self.num_heads, -1) for part in (self.W_Q, self.W_K, self.W_V))
        found, maps = [], []
        for head, (Q, K, V) in enumerate(zip(*parts, strict=True)):
            scores = torch.einsum("bid,bjd->bij", Q, K) / Q.shape[-1] ** 0.5
            if mask is not None:
                own = mask.expand(len(X), self.num_heads, *scores.shape[1:])[:, head]
                scores = torch.where(own, scores, -1e9)
            weights = torch.softmax(scores, dim=-1)
            if mask is not None:
                weights = weights * own.any(dim=-1, keepdim=True)
            maps.append(self.drop(weights))
            found.append(maps[-1] @ V)
        return self.W_O(torch.cat(found, dim=-1)), torch.stack(maps, dim=1)


@pytest.mark.parametrize("layer", [torch_attention.MultiHeadAttention, WithLinear])
def test_other_right_layers_pass_the_check_of_exercise_4(layer):
    verdict = lesson09.MultiHeadAttention.check(layer)
    assert verdict.correct, verdict
    assert lesson09.MultiHeadAttention.grade(layer) == 3


def test_exercise_4_leaves_the_learners_random_numbers_alone():
    before = torch.random.get_rng_state()
    assert lesson09.MultiHeadAttention.check(torch_attention.MultiHeadAttention).correct
    assert torch.equal(torch.random.get_rng_state(), before)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda d_model, num_heads, dropout=0.0: nn.Identity(), "no parameter W_Q"),
        (lambda d_model, num_heads, dropout=0.0: 3, "An nn.Module is wanted"),
        (nn.MultiheadAttention, "no parameter W_Q"),
    ],
)
def test_exercise_4_says_what_is_missing(answer, sentence):
    verdict = lesson09.MultiHeadAttention.check(answer)
    assert verdict.state == "wrong"
    assert sentence in verdict.summary


def test_exercise_4_needs_two_results():
    class OneResult(torch_attention.MultiHeadAttention):
        def forward(self, X, mask=None):
            return super().forward(X, mask)[0]

    assert "two things" in lesson09.MultiHeadAttention.check(OneResult).summary


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda ids, pad_id: (ids != pad_id)[:, None, None, :].astype(int), "dtype bool"),
        (lambda ids, pad_id: (ids != pad_id)[:, None, None, None, :], "does not fit scores"),
    ],
)
def test_exercise_2_says_what_kind_of_mask_is_wanted(answer, sentence):
    assert sentence in lesson09.padding_mask.check(answer).summary


def test_exercise_3_accepts_float16_computed_in_float32_and_the_library():
    def widened(Q, K, V, mask=None):
        Q, K, V = (np.float64(part) for part in (Q, K, V))
        return attention.scaled_dot_product_attention(Q, K, V, mask)

    for answer in (widened, attention.scaled_dot_product_attention):
        assert lesson09.batched_attention.check(answer).correct
