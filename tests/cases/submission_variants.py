"""Submissions of lesson 04 as they come in: changed by editors, systems, mistakes and cheats.

VARIANTS[name] is (change, wanted): `change` takes a notebook with the right softmax and returns
the files that the student hands in; `wanted` is "full" or "nothing" (the points of softmax), or
the words that the refusal holds. Seen in public: jupyter/nbgrader#70, #77, #92, #108, #424, #1083,
#1302, #1374, #1682, #1941; ucbds-infra/otter-grader#340, #433, #443, #469; jupyter/help#171;
TU-Wien-dataLAB/grader-service#51, #213; cssh-rwth/autograde#25; datacamp/pythonwhat#206;
apluslms/mooc-grader#140, #146; jbn/nbmerge#9; jsboige/CoursIA#8325.
"""

import copy
import json

GOOD = """def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
WRONG = "def softmax(x, axis=-1):\n    return np.asarray(x, dtype=float) + 0.5\n"
VARIANTS = {}


def dump(nb):
    return json.dumps(nb, ensure_ascii=False, indent=1).encode("utf-8")


def variant(wanted):
    def register(change):
        VARIANTS[change.__name__] = (change, wanted)
        return change

    return register


def place(nb, start):
    return next(i for i, c in enumerate(nb["cells"]) if "".join(c["source"]).startswith(start))


def answer(nb, source):
    nb["cells"][place(nb, "def softmax")]["source"] = source
    return {"hw.ipynb": dump(nb)}


def cell(source):
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": []}


# ------------------------------------------------------------------ cells and metadata


@variant("full")
def check_cell_twice(nb):
    i = place(nb, "lesson04.softmax.check")
    nb["cells"].insert(i, copy.deepcopy(nb["cells"][i]))
    return {"hw.ipynb": dump(nb)}


@variant("full")
def answer_twice_and_the_stub_below(nb):
    i = place(nb, "def softmax")
    stub = "def softmax(x, axis=-1):\n    raise NotImplementedError"
    nb["cells"][i + 1 : i + 1] = [copy.deepcopy(nb["cells"][i]), cell(stub)]
    return {"hw.ipynb": dump(nb)}


@variant("full")
def answer_cell_split(nb):
    nb["cells"].insert(place(nb, "def softmax"), cell("import numpy as np\nnote = 1"))
    return {"hw.ipynb": dump(nb)}


@variant("full")
def check_cell_deleted(nb):
    del nb["cells"][place(nb, "lesson04.softmax.check")]
    return {"hw.ipynb": dump(nb)}


@variant("nothing")
def check_cell_emptied(nb):
    nb["cells"][place(nb, "lesson04.softmax.check")]["source"] = "pass"
    return answer(nb, WRONG)


@variant("nothing")
def answer_became_text(nb):
    nb["cells"][place(nb, "def softmax")]["cell_type"] = "markdown"
    return {"hw.ipynb": dump(nb)}


@variant("full")
def metadata_gone(nb):
    for c in nb["cells"]:
        c["metadata"] = {}
    nb["metadata"] = {}
    return {"hw.ipynb": dump(nb)}


@variant("full")
def from_colab(nb):
    nb["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    for c in nb["cells"]:
        c["metadata"] = {"id": "AbC123", "colab": {"base_uri": "https://localhost:8080/"}}
    nb["cells"].insert(0, cell("!pip install -q numpy\n%cd /content\nfiles = !ls"))
    return {"hw.ipynb": dump(nb)}


@variant("full")
def magics_around_the_answer(nb):
    return answer(nb, "%%time\n%matplotlib inline\n" + GOOD + "softmax?\n%timeit softmax([1., 2.])")


# ------------------------------------------------------------------ code that does not end


@variant("nothing")
def endless_loop(nb):
    return answer(nb, "def softmax(x, axis=-1):\n    while True:\n        pass\n")


@variant("nothing")
def asks_for_input(nb):
    return answer(nb, "def softmax(x, axis=-1):\n    return float(input('x = '))\n")


@variant("full")
def flood_beside_the_answer(nb):
    return answer(nb, GOOD + "\nfor i in range(3_000_000):\n    print('debug', i, 'x' * 60)\n")


@variant("full")
def prints_at_every_call(nb):
    printing = "    for i in range(20):\n        print('debug', i, x)\n    e ="
    return answer(nb, GOOD.replace("    e =", printing))


@variant("nothing")
def leaves_the_process(nb):
    return answer(nb, "import os\ndef softmax(x, axis=-1):\n    os._exit(0)\n")


@variant("nothing")
def eats_all_memory(nb):
    return answer(nb, "def softmax(x, axis=-1):\n    return np.ones(3 << 28).cumsum()\n")


# ------------------------------------------------------------------ files


@variant("full")
def renamed_by_the_browser(nb):
    return {"hw (1).ipynb": dump(nb)}


@variant("full")
def checkpoint_and_untitled_beside_it(nb):
    old = copy.deepcopy(nb)
    old["cells"][place(old, "def softmax")]["source"] = WRONG
    checkpoint = ".ipynb_checkpoints/hw-checkpoint.ipynb"
    return {"hw.ipynb": dump(nb), checkpoint: dump(old), "Untitled.ipynb": dump(old)}


@variant("cut off")
def half_an_upload(nb):
    return {"hw.ipynb": dump(nb)[: len(dump(nb)) // 2]}


@variant("empty")
def empty_file(nb):
    return {"hw.ipynb": b""}


@variant("encoding")
def saved_as_gbk(nb):
    return {"hw.ipynb": json.dumps(nb, ensure_ascii=False, indent=1).encode("gb18030")}


@variant("conflict marks")
def merge_conflict(nb):
    text = dump(nb).replace(b'"cells": [', b'<<<<<<< HEAD\n"cells": [', 1)
    return {"hw.ipynb": text + b"\n=======\n>>>>>>> theirs\n"}


@variant("conflict marks")
def merge_conflict_in_a_cell(nb):
    return answer(nb, f"<<<<<<< local\n{GOOD}=======\n{WRONG}>>>>>>> remote\n")


@variant("full")
def byte_order_mark_and_windows_lines(nb):
    return {"hw.ipynb": b"\xef\xbb\xbf" + dump(nb).replace(b"\n", b"\r\n")}


@variant("full")
def ids_in_an_old_minor_version(nb):
    nb["nbformat_minor"] = 2
    return {"hw.ipynb": dump(nb)}


@variant("full")
def ids_missing_or_null(nb):
    for c in nb["cells"]:
        c.pop("id", None)
    nb["cells"][0]["id"] = None
    return {"hw.ipynb": dump(nb)}


@variant("full")
def another_kernel(nb):
    nb["metadata"]["kernelspec"] = {"display_name": "mine", "name": "conda-env-att-py"}
    return {"hw.ipynb": dump(nb)}


# ------------------------------------------------------------------ right and wrong


@variant("full")
def float32_and_another_order(nb):
    return answer(
        nb,
        "def softmax(x, axis=-1):\n    x = np.asarray(x, np.float32)\n"
        "    m = x.max(axis=axis, keepdims=True)\n"
        "    total = np.exp(x - m).sum(axis=axis, keepdims=True)\n"
        "    return np.exp(x - m - np.log(total))\n",
    )


@variant("full")
def plots_and_prints_beside_it(nb):
    plots = (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()\nprint(softmax([1., 2.]))"
    )
    return answer(nb, GOOD + plots)


@variant("full")
def as_a_lambda(nb):
    return answer(
        nb,
        "def _exps(x, axis):\n    x = np.asarray(x, dtype=float)\n"
        "    return np.exp(x - x.max(axis=axis, keepdims=True))\n"
        "softmax = lambda x, axis=-1: _exps(x, axis) / _exps(x, axis).sum(axis, keepdims=True)",
    )


@variant("nothing")
def returns_none(nb):
    return answer(nb, "def softmax(x, axis=-1):\n    x = np.exp(x)\n")


@variant("nothing")
def off_by_a_thousandth(nb):
    return answer(nb, GOOD.replace("return e", "return 1.001 * e"))


@variant("nothing")
def not_python(nb):
    return answer(nb, "def softmax(x, axis=-1)\n    return x\n")
