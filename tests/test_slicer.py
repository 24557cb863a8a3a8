"""The slicer: a slice computes what the whole notebook computes, and leaves out what it can."""

import random
import types

import numpy as np
import pytest

from helpers.course.slicer import Program


def run_all(cells):
    """Run every statement, as a notebook does."""
    names = {"__name__": "__main__"}
    for cell in cells:
        exec(cell, names)
    return names


def kept(cells, *targets):
    """Return the sources of the statements of a slice."""
    return [statement.source for statement in Program(cells).slice(*targets).statements]


def same_as_whole(cells, name="y"):
    """Say whether the slice for a name gives the value of the whole program."""
    return Program(cells).slice(name).run()[name] == run_all(cells)[name]


# ------------------------------------------------------------------ what a slice must hold

NEEDED = {
    "a function's globals as they are when it is called": [
        "a = 1", "def f():\n    return a", "a = 2", "y = f()",
    ],
    "a function called by a function": [
        "def g(x):\n    return x + a", "def f(x):\n    return g(x)", "a = 5", "y = f(1)",
    ],
    "a function that is replaced after its caller": [
        "def g(x):\n    return x", "def f(x):\n    return g(x)", "def g(x):\n    return -x",
        "y = f(1)",
    ],
    "a function kept in a dict": [
        "k = 1", "fs = {'a': lambda x: x + k}", "k = 10", "y = fs['a'](1)",
    ],
    "a function made by a function": [
        "k = 1", "def make():\n    return lambda: k", "f = make()", "k = 2", "y = f()",
    ],
    "a generator that is used up later": [
        "k = 1", "g = (i * k for i in range(3))", "k = 2", "y = sum(g)",
    ],
    "augmented assignment": ["y = 1", "y += 2", "y *= 3"],
    "subscript": ["y = [1, 2]", "y[0] = 7"],
    "augmented subscript": ["y = [1, 2]", "y[0] += 7"],
    "attribute": ["import types", "y = types.SimpleNamespace()", "y.a = 3"],
    "a method called for its effect": ["y = [1]", "y.append(2)", "y.extend([3])", "y.reverse()"],
    "a loop that fills a list": ["xs = [1, 2]", "y = []", "for x in xs:\n    y.append(x)"],
    "a loop that may not bind": ["y = 0", "for i in range(0):\n    y = i"],
    "a branch that is not taken": ["y = 0", "if y:\n    y = 1"],
    "try": ["y = 1", "try:\n    y = 1 / 0\nexcept ZeroDivisionError as error:\n    pass"],
    "with": ["import contextlib", "with contextlib.nullcontext(3) as x:\n    y = x"],
    "del": ["y = [1, 2, 3]", "del y[0]"],
    "another name for the same list": ["a = [1]", "y = a", "a.append(2)"],
    "the list under its other name": ["y = [1]", "a = y", "a.append(2)"],
    "a row of a list": ["y = [[1], [2]]", "row = y[0]", "row.append(5)"],
    "elements changed in a loop": ["y = [[1], [2]]", "for row in y:\n    row.append(0)"],
    "a view": [
        "import numpy as np", "a = np.zeros(4)", "b = a.reshape(2, 2)", "b[0, 0] = 1",
        "y = a.sum()",
    ],
    "numpy in place": [
        "import numpy as np", "a = np.eye(2)", "np.fill_diagonal(a, 5)", "y = a.sum()",
    ],
    "out": ["import numpy as np", "a = np.ones(3)", "_ = np.exp(a, out=a)", "y = a.sum()"],
    "a function that changes its argument": [
        "def f(x):\n    x.append(1)", "y = []", "f(y)",
    ],
    "a value beside a changed argument": [
        "def f(x):\n    x[0] += 1\n    return x[0]", "x = [0]", "first = f(x)", "y = f(x)",
    ],
    "a function that changes a global": [
        "y = []", "def f():\n    y.append(1)", "f()", "f()",
    ],
    "a function that binds a global": ["y = 1", "def f():\n    global y\n    y = 2", "f()"],
    "an object with a state of its own": [
        "class Counter:\n    def __init__(self):\n        self.n = 0\n"
        "    def step(self):\n        self.n += 1\n        return self.n",
        "c = Counter()", "first = c.step()", "y = c.step()",
    ],
    "numpy's own seed": [
        "import numpy as np", "np.random.seed(3)", "y = np.random.rand()",
    ],
    "star import": ["from math import *", "y = sqrt(4)"],
    "decorator": [
        "def twice(f):\n    return lambda x: f(f(x))", "@twice\ndef f(x):\n    return x + 1",
        "y = f(0)",
    ],
    "default argument": ["a = 1", "def f(x=a):\n    return x", "a = 2", "y = f()"],
    "a class body": ["a = 1", "class C:\n    b = a", "a = 2", "y = C.b"],
    "walrus": ["_ = (y := 3)"],
    "two targets": ["a = y = [1]", "a.append(2)"],
    "starred targets": ["x, *y = 1, 2, 3"],
    "semicolons": ["a = 1; y = a + 1; a = 3"],
}  # fmt: skip


@pytest.mark.parametrize("cells", NEEDED.values(), ids=NEEDED)
def test_a_slice_holds_all_it_needs(cells):
    assert same_as_whole(cells)


def test_gradients_are_a_change_of_what_they_flow_back_to():
    cells = [
        "import torch",
        "a = torch.ones(2, requires_grad=True)",
        "b = a * 3",
        "loss = b.sum()",
        "loss.backward()",
        "y = a.grad.sum().item()",
    ]
    assert same_as_whole(cells)
    assert len(kept(cells, "y")) == 6


def random_program(rng):
    """Make some twenty statements over five names that hold lists of numbers."""
    names = "abcde"

    def name():
        return rng.choice(names)

    made = [f"{n} = [{i}]" for i, n in enumerate(names)]
    made += ["def f(x):\n    return [sum(a) + sum(x)]", "def g(x):\n    x.append(len(b))"]
    for number in range(rng.randint(8, 20)):
        made.append(
            rng.choice(
                [
                    f"{name()} = {name()} + [{number}]",
                    f"{name()} = {name()}",
                    f"{name()} += {name()}[:2]",
                    f"{name()}.append({number})",
                    f"{name()}[0] = {number}",
                    f"{name()} = f({name()})",
                    f"g({name()})",
                    f"{name()} = [i + sum({name()}[:2]) for i in {name()}[:3]]",
                    f"if len({name()}) > 2:\n    {name()} = [{number}]",
                    f"for i in {name()}[:2]:\n    {name()}.append(i)",
                    f"def f(x):\n    return [{number}] + x[:2] + {name()}[:1]",
                    f"def g(x):\n    {name()}.append({number})",
                    f"len({name()})",
                    f"h = lambda: sum({name()}[:3])",
                    f"{name()} = [h()] if 'h' in globals() else [0]",
                    f"{name()}, {name()} = {name()}, {name()}",
                    f"pair = [{name()}, {name()}]\npair[0].append(1)",
                ]
            )
        )
    return made


@pytest.mark.parametrize("seed", range(100))
def test_any_slice_of_a_random_program_gives_its_value(seed):
    cells = random_program(random.Random(seed))
    program, whole = Program(cells), run_all(cells)
    for name in "abcde":
        assert program.slice(name).run()[name] == whole[name], "\n".join(cells)


# ------------------------------------------------------------------ what it must leave out


def test_pictures_and_shown_values_stay_out():
    cells = [
        "from helpers.lessons import lesson02",
        "from helpers.figures import bars",
        "import numpy as np",
        "x = np.arange(3.0)",
        "lesson02.predict('2.1', '?')",
        "bars(x, ['a', 'b', 'c'])",
        "bars(x, ['a', 'b', 'c']).show()",
        "lesson02.reveal('2.1')",
        "x.round(2)",
        "x",
        "x.sum(), x.max()",
        "y = x + 1",
        "y.tolist()",
    ]
    assert kept(cells, "y") == ["import numpy as np", "x = np.arange(3.0)", "y = x + 1"]


def test_locals_are_not_taken_for_globals():
    cells = ["x = 1", "total = 2", "def f(x):\n    total = x\n    return total", "y = f(3)"]
    assert kept(cells, "y") == cells[2:]
    assert kept(["i = 9", "y = [i for i in range(3)]"], "y") == ["y = [i for i in range(3)]"]
    cells = ["i = 9", "k = [1]", "y = [i for i in k] + [i + j for j in k]"]
    assert kept(cells, "y") == cells
    assert kept([*cells, "i = 5"], "i") == ["i = 5"]
    assert kept(["i = 5", "y = [[j for j in i] for i in [[1]]]"], "i") == ["i = 5"]


def test_what_is_overwritten_stays_out():
    assert kept(["y = 1", "y = [2]", "z = y", "y = 3"], "y") == ["y = 3"]
    assert kept(["a = [1]", "a.append(2)", "a = [3]", "y = a"], "y") == ["a = [3]", "y = a"]


def test_a_call_of_a_module_does_not_change_it():
    assert kept(["import math", "math.sqrt(4)", "y = math.pi"], "y") == [
        "import math",
        "y = math.pi",
    ]


def test_a_target_that_only_shows_something_can_be_asked_for():
    program = Program(["x = 1", "z = 2", "print(x)"])
    (number,) = [i for i, s in enumerate(program.statements) if s.source == "print(x)"]
    assert [s.source for s in program.slice(number).statements] == ["x = 1", "print(x)"]


def test_the_statements_of_a_cell_are_taken_one_by_one():
    assert kept(["import math\na = 1\nb = 2  # (n,)\ny = b"], "y") == ["b = 2", "y = b"]


def test_calls_are_found_by_function_and_first_argument():
    program = Program(["claim('4.1', 1)", "x = lesson04.claim('4.2', 1)", "claim(name, '4.2')"])
    found = [program.statements[i].source for i in program.calls("claim", "4.2")]
    assert found == ["x = lesson04.claim('4.2', 1)"]


# ------------------------------------------------------------------ cells of all kinds


@pytest.mark.parametrize(
    "cell",
    [
        "%matplotlib inline",
        "%%time\nz = 1",
        "!pip install this",
        "np.mean?",
        "files = !ls",
        "t = %timeit -o 1",
        "def f(:",
        "z = (1,",
        "",
        "await something()",
        "x = '\0'",
    ],
)
def test_a_cell_that_is_not_python_stops_nothing(cell):
    assert Program([cell, "y = 1", cell]).slice("y").run()["y"] == 1


def test_python_beside_a_magic_line_is_read():
    assert Program(["%matplotlib inline\ny = 1\nif y:\n    !ls\n"]).slice("y").run()["y"] == 1


def test_a_remainder_at_the_start_of_a_line_is_no_magic():
    assert Program(["y = (7\n% 4)"]).slice("y").run()["y"] == 3


def test_a_stub_stops_nothing_and_takes_its_place():
    stub = "def softmax(x):\n    raise NotImplementedError"
    cells = ["from helpers.numpy_attention import softmax", "w = softmax([0.0, 0.0])", stub]
    assert Program(cells).slice("w").run()["w"].tolist() == [0.5, 0.5]
    assert kept(cells, "softmax") == [stub]


def test_names_that_nothing_binds_are_reported():
    found = Program(["def f(:", "y = broken + len('a')", "for i in range(2):\n    t = i"])
    assert found.slice("y").missing == ("broken",)
    assert found.slice("t").missing == ()
    assert found.slice("y").run({"broken": 1})["y"] == 2
    with pytest.raises(NameError, match="broken"):
        found.slice("y").run()


# ------------------------------------------------------------------ running with something put in


def test_a_replacement_is_put_in_wherever_the_name_is_bound():
    cells = ["def f(x):\n    return x", "a = f(1)", "def f(x):\n    return 2 * x", "y = (a, f(1))"]
    assert Program(cells).slice("y").run(replace={"f": lambda x: -x})["y"] == (-1, -1)


def test_a_dotted_replacement_leaves_the_module_and_its_other_names_alone():
    from helpers import numpy_attention

    before = dict(vars(numpy_attention))
    cells = [
        "from helpers import numpy_attention as attention",
        "y = attention.softmax([0.0]), attention.causal_mask(2).sum()",
    ]
    replaced = Program(cells).slice("y").run(replace={"attention.softmax": lambda x: "put in"})
    assert replaced["y"] == ("put in", 3)
    assert dict(vars(numpy_attention)) == before


def test_dotted_replacements_of_one_module_go_together_and_deep():
    inner = types.SimpleNamespace(a=1, b=2)
    space = {"outer": types.SimpleNamespace(inner=inner, c=3)}
    cells = ["m = outer", "y = m.inner.a, m.inner.b, m.c"]
    found = Program(cells).slice("y")
    assert found.run(space, replace={"m.inner.a": 10, "m.c": 30})["y"] == (10, 2, 30)
    assert found.run(space)["y"] == (1, 2, 3)


def test_a_replacement_of_a_name_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"nothing in this slice binds 'sofmax'"):
        Program(["y = 1"]).slice("y").run(replace={"sofmax": len})


@pytest.mark.parametrize(
    ("source", "by_ten"),
    [
        ("y = default_rng(3)", 13),
        ("y = random.default_rng(3)", 13),
        ("y = default_rng([3, 4])", [13, 14]),
        ("y = keyword(seed=1)", {"seed": 11}),
        ("y = keyword(seeds=(1, 2), steps=5)", {"seeds": (11, 12), "steps": 5}),
        ("y = keyword(seeds=range(2))", {"seeds": range(10, 12)}),
        ("seed = 4\ny = default_rng(seed)", 14),
        ("seeds = range(5)\ny = seeds", range(10, 15)),
        ("seeds = range(10) if 0 else range(1, 6)\ny = seeds", range(11, 16)),
        ("seed = 4\ny = default_rng(seed + 1)", 15),
        ("y = [seed for seed in range(2)]", [10, 11]),
        ("y = [i for i in range(2)]", [0, 1]),
        ("y = []\nfor seed in 1, 2:\n    y.append(seed)", [11, 12]),
        ("def f(a, seed=1):\n    return seed\ny = f(0)", 11),
        ("def f(a, b=1):\n    return b\ny = f(0)", 1),
        ("y = keyword(size=3)", {"size": 3}),
    ],
)
def test_seeds_that_are_written_as_numbers_are_shifted(source, by_ten):
    space = {
        "default_rng": lambda seed: seed,
        "random": types.SimpleNamespace(default_rng=lambda seed: seed),
        "keyword": lambda **given: given,
    }
    assert Program([source]).slice("y").run(space, seed_shift=10)["y"] == by_ten


def test_a_shift_does_not_stay_in_the_slice():
    found = Program(["import numpy as np", "y = np.random.default_rng(0).normal()"]).slice("y")
    first = found.run()["y"]
    assert found.run(seed_shift=1)["y"] != first
    assert found.run()["y"] == first == np.random.default_rng(0).normal()
