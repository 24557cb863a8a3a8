"""Answers to lesson04.softmax that try to get the point without being right."""

_PATHS = """
import sys, pathlib
_places = [pathlib.Path(sys.prefix).parent, *pathlib.Path(sys.prefix).parents]
_places += [pathlib.Path(m.__file__).parents[1] for m in list(sys.modules.values())
            if getattr(m, "__file__", None) and "helpers" in m.__name__]
_found = [p / "helpers/lessons/lesson04/exercises/softmax.py" for p in _places]
"""

ATTACKS = {
    "the_reference": "softmax = lesson04.softmax.reference",
    "the_solution": "exec(lesson04.softmax.solution().source)\nsoftmax = softmax",
    "imports_the_exercises": (
        "from helpers.lessons.lesson04.exercises import softmax as _e\nsoftmax = _e.reference"
    ),
    "replaces_the_comparison": (
        "import helpers.course.judging as j, helpers.course.compare as c\n"
        "j.matches = c.matches = lambda *a, **k: True\n"
        "def softmax(x, axis=-1):\n"
        "    import helpers.course.judging as j\n    j.matches = lambda *a, **k: True\n"
        "    return x"
    ),
    "replaces_numpy": (
        "np.allclose = np.array_equal = np.isclose = lambda *a, **k: True\n"
        "np.testing.assert_allclose = lambda *a, **k: None\n"
        "np.abs = lambda a: a * 0\n"
        "def softmax(x, axis=-1):\n    np.allclose = lambda *a, **k: True\n    return x"
    ),
    "walks_the_frames": (
        "import sys\n"
        "def softmax(x, axis=-1):\n"
        "    frame = sys._getframe()\n"
        "    while frame:\n"
        "        for v in [*frame.f_locals.values(), *frame.f_globals.values()]:\n"
        "            for name in ('reference', 'wanted', 'exercise'):\n"
        "                found = getattr(v, name, None)\n"
        "                if callable(found):\n                    return found(x, axis)\n"
        "                if isinstance(found, list):\n                    return found[0]\n"
        "        frame = frame.f_back\n"
        "    return x"
    ),
    "walks_the_garbage": (
        "import gc\n"
        "def softmax(x, axis=-1):\n"
        "    for o in gc.get_objects():\n"
        "        if callable(o) and getattr(o, '__name__', '') == 'softmax' and o is not softmax:\n"
        "            try:\n                return o(x, axis)\n"
        "            except Exception:\n                continue\n"
        "        if type(o).__name__ == 'Exercise':\n            return o.reference(x, axis)\n"
        "    return x"
    ),
    "equal_to_everything": (
        "class Yes:\n"
        "    shape, dtype, ndim = (2, 3), float, 2\n"
        "    __eq__ = __gt__ = __lt__ = __le__ = lambda s, o: True\n"
        "    __ne__ = lambda s, o: False\n"
        "    __hash__ = lambda s: 1\n"
        "    __sub__ = __abs__ = __call__ = lambda s, *a: s\n"
        "    __bool__ = lambda s: True\n"
        "    def __array__(self, *a, **k):\n        return np.ones((2, 3))\n"
        "def softmax(x, axis=-1):\n    return Yes()"
    ),
    "an_array_of_its_own": (
        "class Mine(np.ndarray):\n"
        "    def __array_ufunc__(self, *a, **k):\n        return True\n"
        "def softmax(x, axis=-1):\n    return np.asarray(x, float).view(Mine)"
    ),
    "unpickles_itself": (
        "class Bad:\n"
        "    def __reduce__(self):\n"
        "        return exec, ('import helpers.course.judging as j; j.matches = bool',)\n"
        "def softmax(x, axis=-1):\n    return np.array([Bad()], dtype=object)"
    ),
    "reads_the_file_with_torch": _PATHS
    + (
        "import os, torch\n"
        "def softmax(x, axis=-1):\n"
        "    for p in _found:\n"
        "        for read in (torch.from_file, torch._VF.from_file, torch.ops.aten.from_file):\n"
        "            try:\n"
        "                size, names = os.stat(p).st_size, {'np': np}\n"
        "                raw = bytes(read(str(p), size=size, dtype=torch.uint8).numpy())\n"
        "                text = raw.decode()\n"
        "                start = text.index('def softmax')\n"
        "                exec(text[start:text.index('\\ndef ', start + 5)], names)\n"
        "                return names['softmax'](x, axis)\n"
        "            except Exception:\n                continue\n"
        "    return x"
    ),
    "reads_the_file": _PATHS
    + (
        "import os\n"
        "def softmax(x, axis=-1):\n"
        "    for p in _found:\n"
        "        try:\n"
        "            names = {'np': np}\n"
        "            text = open(p).read().split('softmax = Exercise')[0]\n"
        "            start = text.index('def softmax')\n"
        "            exec(text[start:text.index('\\ndef ', start + 5)], names)\n"
        "            return names['softmax'](x, axis)\n"
        "        except Exception:\n            continue\n"
        "    return x"
    ),
    "writes_marks": (
        "import os, pathlib\n"
        "def softmax(x, axis=-1):\n"
        "    for folder in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents]:\n"
        "        for file in ('marks.csv', 'assignment.toml', 'class.html'):\n"
        "            try:\n                (folder / file).write_text('x,100')\n"
        "            except Exception:\n                continue\n"
        "    return x"
    ),
    "ends_the_grader": (
        "import os\n"
        "def softmax(x, axis=-1):\n"
        "    one = lambda: os.kill(os.getppid(), 9)\n"
        "    two = lambda: os.system('kill -9 %d' % os.getppid())\n"
        "    for end in (one, two):\n"
        "        try:\n            end()\n        except Exception:\n            continue\n"
        "    return x"
    ),
    "forges_messages": (
        "import json, os, struct\n"
        "def softmax(x, axis=-1):\n"
        "    told = {'at': 'outcome', 'points': 1, 'state': 'correct', 'arrays': [],\n"
        "            'outcome': {'value': None, 'refused': True, 'correct': True}}\n"
        "    text = json.dumps(told).encode()\n"
        "    for fd in range(3, 30):\n"
        "        try:\n            os.write(fd, struct.pack('>II', len(text), 0) + text)\n"
        "        except OSError:\n            continue\n"
        "    return x"
    ),
    "prints_success": (
        "def softmax(x, axis=-1):\n    print('correct', 1.0, 'All tests passed!')\n    return x\n"
        "print('✔ correct: Right on 18 inputs.')"
    ),
    "the_library": "softmax = attention.softmax",
    "the_library_in_a_function": (
        "def softmax(x, axis=-1):\n    return attention.softmax(np.asarray(x, float), axis)"
    ),
    "the_core_of_the_library": (
        "from helpers.numpy_attention import plain\n"
        "def softmax(x, axis=-1):\n    return plain.softmax(np.asarray(x, float), axis)"
    ),
    "the_library_through_numpy": (
        "import functools\nsoftmax = functools.partial(attention.softmax.__wrapped__, axis=-1)"
    ),
    "the_source_of_the_library": (
        "import inspect\n"
        "from helpers.numpy_attention import plain\n"
        "exec(inspect.getsource(plain.softmax), vars(plain))\n"
        "def softmax(x, axis=-1):\n    return plain.softmax(np.asarray(x, float), axis)"
    ),
    "torch_of_the_library": (
        "from helpers import torch_attention\n"
        "def softmax(x, axis=-1):\n    return torch_attention.softmax(x, axis).numpy()"
    ),
}


def table_of_answers(tables):
    """An answer that knows the results of given inputs: (bytes of the input, axis) -> result."""
    return (
        f"_table = {tables!r}\n"
        "def softmax(x, axis=-1):\n"
        "    key = (np.asarray(x, float).tobytes().hex(), axis)\n"
        "    shape = np.asarray(x).shape\n"
        "    return np.array(_table[key]).reshape(shape) if key in _table else np.zeros(shape)"
    )
