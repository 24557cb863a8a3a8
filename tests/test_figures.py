"""Figures: readable Chinese, readable numbers, labelled axes, shown exactly once."""

import itertools
import logging
import warnings
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import nbformat
import numpy as np
import pytest
from matplotlib.ft2font import FT2Font
from matplotlib.image import imread
from nbclient import NotebookClient
from PIL import Image

from helpers.figures import (
    SIGNED_MAP,
    WEIGHT_MAP,
    attention_map,
    bars,
    curves,
    grid_of_numbers,
    head_maps,
    matrices,
    new_figure,
    style,
    text_colour_on,
)
from helpers.figures.base import FONT_FILE
from helpers.sentences import GLOSSES, TOKENS

ROOT = Path(__file__).parent.parent


def softmax_rows(scores):
    return np.array([[np.exp(s) / np.exp(row).sum() for s in row] for row in scores])


@pytest.fixture
def scores():
    return np.random.default_rng(0).normal(size=(10, 10)) * 2


def every_kind(scores):
    """One figure of every shared kind, with Chinese text and the signs of the formulas."""
    weights, lower = softmax_rows(scores), np.tri(10, dtype=bool)
    x, seeds = 2.0 ** np.arange(2, 10), np.random.default_rng(1).random((5, 8))
    formula = "Q·Kᵀ/√d − ∞ ≤ ε, 他 (he)"
    return {
        "map": attention_map(weights, TOKENS, glosses=GLOSSES, mark_row=8, title=formula),
        "scores": attention_map(scores, TOKENS, mask=lower, title=formula),
        "heads": head_maps(np.stack([weights] * 4), TOKENS, mark_row=8, mask=lower, title=formula),
        "bars": bars(
            weights[8], TOKENS, glosses=GLOSSES, mark=0, reference=(0.1, "等分"), title="他"
        ),
        "sets": bars({"他": -scores[8], "走了": scores[9]}, TOKENS),
        "curves": curves(x, {"他": seeds, "1/√d": seeds[0]}, xlabel="d", ylabel="小明", log_x=True),
        "grid": grid_of_numbers(scores[:3], TOKENS[:3], TOKENS, title=formula, mark_column=1),
        "matrices": matrices(
            [("X", scores[:, :3], TOKENS), "·", ("W_Q", scores[:3, :2]), "=", ("Q", scores[:, :2])]
        ),
    }


def test_no_character_is_missing_from_the_fonts(scores, caplog):
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        for figure in every_kind(scores).values():
            figure.png_bytes()
    assert not caplog.records  # matplotlib logs a font or a weight that it did not find


def test_the_missing_character_check_can_fail():
    figure, axes = new_figure(2, 1)
    axes.set_title("\U00020000")
    with pytest.warns(UserWarning, match="missing from font"):
        figure.png_bytes()


def test_the_font_holds_every_chinese_character_of_the_course():
    font = FT2Font(str(FONT_FILE))
    known = set(map(chr, font.get_charmap()))
    files = [*ROOT.glob("helpers/**/*.py"), *ROOT.glob("notebooks/*.ipynb"), Path(__file__)]
    used = {c for f in files for c in f.read_text(encoding="utf-8") if "\u3000" <= c <= "\uffef"}
    assert len(used) > 20
    assert used <= known, f"missing: {''.join(sorted(used - known))}"
    assert font.family_name == "Course CJK"


def test_text_added_without_the_style_still_has_the_chinese_font():
    figure, axes = new_figure(2, 1)
    axes.text(0.5, 0.5, "小明")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure.png_bytes()


def test_background_is_opaque_white_whatever_the_users_settings(scores):
    with mpl.rc_context({"savefig.transparent": True, "figure.facecolor": "black"}):
        for name, figure in every_kind(scores).items():
            picture = imread(BytesIO(figure.png_bytes()))
            corners = picture[[0, 0, -1, -1], [0, -1, 0, -1]]
            assert (corners == 1).all(), name
            assert abs(picture.shape[1] - 2 * figure.css_size[0]) <= 2, name
            assert figure.css_size[0] <= 721, name


def test_a_palette_keeps_the_colour_of_every_area_and_loses_no_more_than_edges(scores):
    for name, figure in every_kind(scores).items():
        with Image.open(BytesIO(figure.png_bytes())) as picture:
            assert picture.mode == "P", name
            stored = np.asarray(picture.convert("RGB"), dtype=int)
        drawn = np.asarray(figure.canvas.buffer_rgba(), dtype=int)[..., :3]
        off = np.abs(stored - drawn).max(axis=2)
        assert (off == 0).mean() > 0.96, name
        assert (off > 24).mean() < 0.004, name


def test_a_picture_of_very_many_colours_is_stored_as_it_was_drawn():
    figure, axes = new_figure(2, 2)
    axes.imshow(np.random.default_rng(0).integers(0, 256, (90, 90, 3), dtype=np.uint8))
    with Image.open(BytesIO(figure.png_bytes())) as picture:
        drawn = np.asarray(figure.canvas.buffer_rgba())[..., :3]
        np.testing.assert_array_equal(np.asarray(picture), drawn)


def test_no_kind_of_picture_takes_many_bytes_of_a_notebook(scores):
    sizes = {name: len(figure.png_bytes()) for name, figure in every_kind(scores).items()}
    assert max(sizes.values()) < 100_000, sizes
    assert sum(sizes.values()) < 60_000 * len(sizes), sizes


def test_the_users_settings_are_untouched(scores):
    before = dict(mpl.rcParams)
    for figure in every_kind(scores).values():
        figure.png_bytes()
    with pytest.raises(RuntimeError), style():
        raise RuntimeError
    assert dict(mpl.rcParams) == before


def luminance(rgb):
    """Relative luminance, written out channel by channel as WCAG 2.2 defines it."""
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "signed"), [(WEIGHT_MAP, False), (SIGNED_MAP, True)])
def test_numbers_in_cells_are_readable_on_every_colour(colours, signed):
    values = np.linspace(-1 if signed else 0.01, 1, 100).reshape(10, 10)
    figure = attention_map(values, TOKENS, signed=signed, vmax=1)
    texts = figure.axes[0].texts
    assert len(texts) == 100
    for text in texts:
        column, row = (int(v) for v in text.get_position())
        share = (values[row, column] + 1) / 2 if signed else values[row, column]
        assert contrast(mpl.colors.to_rgb(text.get_color()), colours(share)) >= 4.5
        assert float(text.get_text().replace("−", "-")) == pytest.approx(
            values[row, column], abs=5e-3
        )


def test_black_or_white_is_readable_on_every_grey():
    for grey in np.linspace(0, 1, 256):
        ink = mpl.colors.to_rgb(text_colour_on((grey,) * 3))
        assert contrast(ink, (grey,) * 3) >= 4.5


def test_the_weight_map_gets_darker_all_the_way():
    lights = [luminance(WEIGHT_MAP(v)) for v in np.linspace(0, 1, 200)]
    assert (np.diff(lights) < 0).all()


def all_labels(figure):
    return " ".join(f"{ax.get_xlabel()} {ax.get_ylabel()}" for ax in figure.axes)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 16, 24])
def test_a_map_of_any_length_says_who_looks_and_who_is_looked_at(n):
    weights = softmax_rows(np.random.default_rng(n).normal(size=(n, n)))
    figure = attention_map(weights, (TOKENS * 3)[:n], glosses=(GLOSSES * 3)[:n])
    assert "query i: who looks" in all_labels(figure)
    assert "key j: who is looked at" in all_labels(figure)
    assert "weight" in all_labels(figure)
    width, height = figure.css_size
    assert width <= 721
    assert height <= 760
    figure.draw_without_rendering()
    box = figure.bbox
    for ax in figure.axes:
        for label in (ax.xaxis.label, ax.yaxis.label):
            place = label.get_window_extent()
            assert place.x0 >= box.x0 - 1, label
            assert place.y0 >= box.y0 - 1, label
            assert place.y1 <= box.y1 + 1, label


def test_heads_are_labelled_and_share_one_scale():
    weights = softmax_rows(np.random.default_rng(0).normal(size=(10, 10)))
    figure = attention_map(np.stack([weights, weights / 2]), TOKENS)
    assert "query i: who looks" in all_labels(figure)
    assert "key j: who is looked at" in all_labels(figure)
    assert figure.axes[-1].get_ylabel() == "weight, 0 to 1"
    meshes = [ax.collections[0] for ax in figure.axes[:2]]
    assert meshes[0].norm.vmax == meshes[1].norm.vmax == 1
    assert [ax.get_title(loc="left") for ax in figure.axes[:2]] == ["head 0", "head 1"]


def test_rows_and_columns_are_not_exchanged():
    weights = np.array([[0.0, 1.0], [0.25, 0.75]])
    axes = attention_map(weights, ["你", "我"]).axes[0]
    assert {t.get_text(): t.get_position() for t in axes.texts} == {
        "1.00": (1, 0),
        "0.25": (0, 1),
        "0.75": (1, 1),
    }
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # row 0 at the top


def test_hidden_cells_are_hatched_empty_and_explained():
    weights = np.array([[1.0, 0.0], [0.5, 0.5]])
    figure = attention_map(weights, ["你", "我"], mask=np.tri(2, dtype=bool))
    axes = figure.axes[0]
    assert sorted(t.get_text() for t in axes.texts) == ["0.50", "0.50", "1.00"]
    (hatched,) = [c for c in axes.collections if c.get_hatch()]
    assert len(hatched.get_paths()) == 1
    np.testing.assert_allclose(hatched.get_paths()[0].get_extents().get_points().mean(0), (1, 0))
    assert "hidden by the mask" in figure.legends[0].get_texts()[0].get_text()
    assert "Hatched" in figure.caption


def test_scores_may_be_minus_infinity():
    figure = attention_map([[1.0, -np.inf], [2.0, 3.0]], ["你", "我"])
    assert "−∞" in {t.get_text() for t in figure.axes[0].texts}
    figure.png_bytes()


def test_the_caption_names_the_marked_token_and_what_it_looks_at():
    weights = np.array([[0.1, 0.9], [0.5, 0.5]])
    caption = attention_map(weights, ["他", "小明"], mark_row=0).caption
    assert "他" in caption
    assert "0.90, on 小明" in caption


def test_bands_span_the_seeds_and_gaps_are_allowed():
    data = np.array([[1.0, 2.0, np.nan], [3.0, 6.0, np.nan]])
    figure = curves([1, 2, 3], {"a": data}, xlabel="x", ylabel="y")
    axes = figure.axes[0]
    np.testing.assert_allclose(axes.lines[0].get_ydata(), [2, 4, np.nan])
    heights = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert (np.nanmin(heights), np.nanmax(heights)) == (1, 6)
    assert "2 seeds" in figure.caption


def test_a_caption_given_to_the_figure_is_not_lost_when_curves_are_drawn_into_it():
    figure, axes = new_figure(caption="What to see.")
    curves([1, 2], {"a": [0.5, 0.25]}, xlabel="n", ylabel="share", axes=axes)
    assert figure.caption == "What to see."


def test_pictures_without_a_caption_are_still_read_out(scores):
    line = curves([1, 2], {"a": [0.5, 0.25]}, xlabel="n", ylabel="share")
    assert "a goes from 0.5 at 1 to 0.25 at 2" in line.to_html()
    assert "他 he 0.90" in bars([0.9, 0.1], ["他", "小明"]).to_html()
    assert "X (2 × 3)" in matrices([("X", np.ones((2, 3)))]).to_html()
    for figure in every_kind(scores).values():
        assert 'alt=""' not in figure.to_html()


def test_names_of_lines_that_end_together_do_not_overlap():
    same = {name: [0.0, 1.0] for name in ("one", "two", "three", "four")}
    figure = curves([1, 2], same, xlabel="x", ylabel="y")
    figure.draw_without_rendering()
    boxes = sorted((t.get_window_extent() for t in figure.axes[0].texts), key=lambda box: box.y0)
    for below, above in itertools.pairwise(boxes):
        assert above.y0 >= below.y1 - 3


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: attention_map(np.ones(3), TOKENS[:3]),
            r"weights must have.*dimensions: 2/3.*\(3,\)",
        ),
        (lambda: attention_map(np.ones((0, 0)), []), "at least one number"),
        (lambda: attention_map(np.ones((2, 3)), TOKENS[:2]), "give key_tokens"),
        (lambda: attention_map(np.ones((2, 2)), TOKENS[:3]), "tokens must hold 2 labels.*got 3"),
        (lambda: attention_map(np.ones((2, 2)), TOKENS[:2], glosses=["a"]), "glosses must hold 2"),
        (lambda: attention_map(np.ones((2, 2)), TOKENS[:2], mark_row=2), "mark_row.*below 2"),
        (lambda: attention_map(np.ones((2, 2)), TOKENS[:2], mask=np.ones((3, 3), bool)), "mask.*3"),
        (lambda: bars([1, 2], ["a"]), "labels must hold 2"),
        (lambda: bars({"a": [1, 2], "b": [1]}, ["x", "y"]), "'b' must be 2 numbers"),
        (lambda: bars([1, 2], ["a", "b"], mark=5), "mark must be an index below 2"),
        (lambda: curves([1, 2], {"a": [1]}, xlabel="", ylabel=""), "one number for each of the 2"),
        (lambda: curves([1, 2], {}, xlabel="", ylabel=""), "at least one entry"),
        (lambda: curves([-1], {"a": [1]}, xlabel="", ylabel="", log_x=True), "x must hold.*zero"),
        (lambda: matrices(["="]), "at least one matrix"),
        (lambda: matrices([("X",)]), "tuple"),
        (lambda: grid_of_numbers(np.ones((2, 2)), ["a"]), "must hold 2 labels"),
    ],
)
def test_wrong_shapes_are_refused_with_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_wrong_kinds_are_refused_with_a_sentence():
    with pytest.raises(TypeError, match="weights must be an array of numbers"):
        attention_map([["a"]], ["他"])
    with pytest.raises(TypeError, match="True = may attend"):
        attention_map(np.ones((2, 2)), TOKENS[:2], mask=np.ones((2, 2)))


def test_the_callers_array_is_unchanged(scores):
    copy = scores.copy()
    every_kind(scores)
    np.testing.assert_array_equal(scores, copy)


def test_a_figure_is_stored_once_and_carries_its_alt_text_and_its_caption():
    cell = (
        "import matplotlib.pyplot as plt\n"
        "plt.close(plt.figure())\n"  # now the inline back end is loaded
        "from helpers.figures import attention_map\n"
        "attention_map([[1.0]], ['他'], caption='He looks at \"himself\" <only>.')"
    )
    pyplot = "print(plt.get_fignums())"
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell), nbformat.v4.new_code_cell(pyplot)]
    )
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    picture, below = notebook.cells[0].outputs
    assert "text/html" not in picture["data"], "the picture is stored a second time"
    assert picture["metadata"]["image/png"]["alt"] == 'He looks at "himself" <only>.'
    assert picture["metadata"]["image/png"]["width"] < 700  # ours, not the inline back end's own
    assert picture["data"]["text/plain"].startswith("[Figure] He looks")
    html = below["data"]["text/html"]
    assert "He looks at &quot;himself&quot; &lt;only&gt;." in html
    assert r'image.alt = "He looks at \"himself\" <only>."' in html
    assert "<img" not in html
    assert notebook.cells[1].outputs[0]["text"] == "[]\n"
