"""Every notebook keeps the house rules, and runs with every exercise solved, in any folder."""

import ast
import inspect
import re
import statistics
import subprocess
import sys
from importlib import import_module

import nbclient
import nbformat
import pytest
from gloss_watch import without_gloss
from reading import (
    CHECK,
    CORE,
    DEEPER,
    ROOT,
    calls,
    code_lines,
    each_lesson,
    each_notebook,
    read,
    sources,
)

ASKED = re.compile(r"^lesson\d\d\.(?:predict|quiz)\(\"([^\"]+)\"", re.MULTILINE)
WITHOUT_TORCH = ("01", "02", "03", "04", "05", "06", "07", "08", "10")


@each_notebook
def test_notebook_is_committed_clean(path):
    notebook = read(path)
    nbformat.validate(nbformat.from_dict(notebook))
    assert notebook["nbformat"] == 4
    assert notebook["nbformat_minor"] == 5
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert notebook["metadata"]["language_info"] == {"name": "python"}
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    first = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    for cell in notebook["cells"]:
        folded = {"jupyter": {"source_hidden": True}} if cell is first else {}
        assert cell["metadata"] == folded, f"cell {cell['id']}"
        assert not cell.get("outputs"), f"cell {cell['id']} is committed with its output"
        assert cell.get("execution_count") is None


@each_notebook
def test_cells_are_short_enough_to_read(path):
    lengths = [code_lines(source) for source in sources(path, "code")]
    assert max(lengths) <= 25
    assert statistics.median(lengths) <= 5
    assert sum(length < 15 for length in lengths) >= 0.9 * len(lengths)


@each_notebook
def test_first_code_cell_is_imports_and_nothing_else(path):
    first = ast.parse(sources(path, "code")[0])
    assert all(isinstance(node, ast.Import | ast.ImportFrom) for node in first.body)
    for source in sources(path, "code")[1:]:
        assert not any(isinstance(n, ast.Import | ast.ImportFrom) for n in ast.parse(source).body)


@each_notebook
def test_code_cells_hold_no_sentences_so_that_translations_can_keep_them(path):
    for source in sources(path, "code"):
        tree = ast.parse(source)
        docstrings = {
            node.body[0].value.value
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            and isinstance(node.body[0], ast.Expr)
            and isinstance(node.body[0].value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node.value in docstrings:
                    assert re.search(r"\(|->|scalar|float|int|bool", node.value), node.value
                else:
                    assert len(node.value.split()) <= 3 or not node.value.isascii(), node.value
        for line in source.splitlines():
            if "#" in line and not re.search(r"[\"'].*#.*[\"']", line):
                comment = line[line.index("#") :]
                assert len(re.findall(r"[A-Za-z]{2,}", comment)) <= 8, line


@each_notebook
def test_formulas_and_strings_survive_every_viewer(path):
    for source in sources(path, "markdown"):
        for block in re.findall(r"<(details|div|table)\b(.*?)</\1>", source, re.DOTALL):
            assert "$" not in block[1], "a formula inside HTML is not drawn by every editor"
    for source in sources(path, "code") + sources(path, "markdown"):
        assert not re.search(r"[\x07\x08\x0b\x0c]", source)


@each_lesson
def test_lesson_has_the_shape_of_all_lessons(path):
    text = "\n".join(sources(path, "markdown"))
    for heading in ("## What goes wrong", "## Keep", "## Further reading"):
        assert re.search(rf"^{heading}$", text, re.MULTILINE), heading
    predicted, revealed = calls(path, "predict"), calls(path, "reveal")
    assert predicted == revealed
    assert 2 <= len(predicted) <= 5
    assert 3 <= len(calls(path, "quiz")) <= 12
    assert calls(path, "claim")
    assert len(CHECK.findall("\n".join(sources(path, "code")))) >= 3


@each_notebook
def test_predictions_are_asked_before_they_are_revealed(path):
    events = [
        (kind, question)
        for source in sources(path, "code")
        for kind, question in re.findall(r"\.(predict|reveal)\(\"([^\"]+)\"", source)
    ]
    for kind, question in events:
        if kind == "reveal":
            assert events.index(("predict", question)) < events.index(("reveal", question))


@each_notebook
def test_relative_links_lead_somewhere(path):
    text = "\n".join(sources(path, "markdown"))
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


@each_notebook
def test_every_check_follows_its_stub(path):
    code = sources(path, "code")
    for index, source in enumerate(code):
        for lesson, name, given in CHECK.findall(source):
            assert lesson[-2:] == path.stem[:2]
            assert given == name, "the stub carries the name of the exercise"
            stub = code[index - 1]
            assert "raise NotImplementedError" in stub
            assert re.search(rf"\b(def|class) {name}\(", stub)


@each_notebook
def test_no_lesson_cell_depends_on_a_name_that_a_stub_redefines(path):
    code = sources(path, "code")
    stubs = {name for source in code for _, name, _ in CHECK.findall(source)}
    for source in code:
        if "raise NotImplementedError" in source or CHECK.search(source):
            continue
        nodes = list(ast.walk(ast.parse(source)))
        inner = {arg.arg for node in nodes if isinstance(node, ast.arguments) for arg in node.args}
        inner |= {
            name.id
            for node in nodes
            if isinstance(node, ast.FunctionDef)
            for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        used |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
        assert not (used & stubs) - inner, f"after its stub has run, this cell breaks:\n{source}"


def reference_source(lesson, name):
    """The reference of an exercise, under the name of its stub."""
    reference = getattr(import_module(f"helpers.lessons.{lesson}"), name).reference
    source = inspect.getsource(reference)
    alias = "" if reference.__name__ == name else f"\n{name} = {reference.__name__}\n"
    return source + alias


def solved_and_doubled(path):
    """The notebook with each stub filled in, each check a test, and each cell twice in a row."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for index, cell in enumerate(cells):
        for lesson, name, _ in CHECK.findall(cell.source):
            cells[index - 1].source = reference_source(lesson, name)
            judged = (
                f"verdict = {lesson}.{name}.check({name})\nassert verdict.correct, str(verdict)"
            )
            cell.source = CHECK.sub(judged, cell.source)
    last = []
    if sys.platform.startswith("linux"):
        limit = 600 if path in CORE and path.stem[:2] in WITHOUT_TORCH else 1000
        last += [
            "import pathlib, re",
            "status = pathlib.Path('/proc/self/status').read_text(encoding='utf-8')",
            r"peak = int(re.search(r'VmHWM:\s+(\d+)', status)[1]) / 1024",
            f"assert peak < {limit}, peak",
        ]
    if path in CORE and path.stem[:2] in WITHOUT_TORCH:
        last += ["import sys", "assert 'torch' not in sys.modules"]
    twice = [nbformat.v4.new_code_cell(c.source) for c in cells for _ in range(2)]
    watch = [
        "import sys",
        f"sys.path.append({str(ROOT / 'tests')!r})",
        "import gloss_watch",
        "gloss_watch.watch()",
    ]
    watching = nbformat.v4.new_code_cell("\n".join(watch))
    notebook.cells = [watching, *twice, nbformat.v4.new_code_cell("\n".join(last))]
    return notebook


@each_lesson
def test_filled_in_each_cell_runs_twice_in_a_row_with_alt_texts_and_glosses(path, tmp_path):
    folder = tmp_path / "my course 自注意力"
    folder.mkdir()
    client = nbclient.NotebookClient(
        solved_and_doubled(path),
        timeout=180,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    for cell in client.nb.cells:
        for output in cell.get("outputs", ()):
            assert 'alt=""' not in str(output.get("data", {}).get("text/html", "")), cell.source
            if "image/png" in output.get("data", {}):
                assert output["metadata"]["image/png"]["alt"], cell.source
            printed = output.get("text", "") + str(output.get("data", {}).get("text/plain", ""))
            assert not without_gloss([printed]), cell.source


def as_read(text):
    """A text as it is read: without marks of quotation, line breaks and doubled blanks."""
    return " ".join(re.sub(r"^> ?", "", text, flags=re.MULTILINE).split())


@each_notebook
def test_each_question_stands_in_the_text_in_the_declared_words(path):
    lesson = f"helpers.lessons.lesson{path.stem[:2]}"
    declared = import_module(f"{lesson}.questions").QUESTIONS
    above, asked = "", set()
    for cell in read(path)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            above = as_read(source)
            continue
        for name in re.findall(
            r"^lesson\d\d\.(?:predict|quiz)\(\"([^\"]+)\"", source, re.MULTILINE
        ):
            asked.add(name)
            assert as_read(declared[name].ask) in above, name
            for letter, option in declared[name].options.items():
                assert f"**{letter}** {as_read(option)}" in above, (name, letter)
    if path in CORE:
        assert asked == set(declared), "a declared question is not asked, or the other way round"


@pytest.mark.parametrize("place", ["root", "notebooks", "elsewhere"])
def test_imports_of_every_lesson_work_from_any_folder(place, tmp_path):
    pytest.importorskip("torch")
    folder = {"root": ROOT, "notebooks": ROOT / "notebooks", "elsewhere": tmp_path / "一 folder"}
    folder["elsewhere"].mkdir()
    code = "\n".join(sources(path, "code")[0] for path in CORE + DEEPER)
    run = [sys.executable, "-c", code]
    result = subprocess.run(run, cwd=folder[place], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
