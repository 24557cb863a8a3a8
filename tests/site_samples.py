"""A small course, made up for the tests of its pages: three notebooks with their results."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="


def result(**data):
    """A result of a cell: text_html="…" and so on."""
    return new_output("execute_result", {k.replace("_", "/", 1): v for k, v in data.items()})


def picture(alt):
    """A figure as the course's figures show themselves."""
    size = {"image/png": {"width": 720, "height": 360, "alt": alt}}
    data = {"image/png": PNG, "text/plain": "[Figure]"}
    return new_output("display_data", data, metadata=size)


def code(source, *outputs, **metadata):
    """A code cell with its results."""
    return new_code_cell(source, outputs=list(outputs), metadata=metadata)


def first_lesson():
    """Text, formulas, a picture, a prediction with its answer, an exercise, a quiz, the count."""
    asked = [result(text_html="<p>closed</p>", text_plain="closed")]
    return new_notebook(
        cells=[
            new_markdown_cell(
                "# 01 · One\n\n**Who is 他 (he)?**\n\n"
                "About 45 minutes · next: [02 · Two](02_two.ipynb)"
            ),
            code("import numpy as np", jupyter={"source_hidden": True}),
            new_markdown_cell(
                "## Step\n\nThe row of 他, not `他`. A share $\\frac{a_1}{\\sqrt{d_k}}$ of it.\n\n"
                "$$\\text{softmax}(s)$$\n\n| 0 | 1 |\n|---|---|\n| 小明 | 书 |"
            ),
            code("show()  # (n, d_k)", picture("Bars of <shares> of 他")),
            code("{1: 2 < 3}", result(text_plain="{1: 2 < 3}")),
            new_markdown_cell(
                "## Step\n\n> **Predict.** More?\n>\n> **A** no · **B** yes · **C** both"
            ),
            code('lesson04.predict("4.1", "?")', *asked),
            new_markdown_cell("Held text."),
            code("held()", result(text_html="<table><tr><td>held cell</td></tr></table>")),
            code('lesson04.reveal("4.1")', *asked),
            new_markdown_cell("Held comment."),
            new_markdown_cell("Open again."),
            code("def softmax(x):\n    raise NotImplementedError"),
            code("lesson04.softmax.check(softmax)", result(text_html="<p>○ not attempted</p>")),
            code('lesson04.quiz("4.q1")', result(text_html="<p>the quiz</p>")),
            code("lesson04.predictions()", result(text_html="<p>counted by the kernel</p>")),
        ]
    )


def short_lesson(title, *links):
    """A lesson of one cell that links to others."""
    text = " · ".join(f"[there]({link})" for link in links)
    return new_notebook(
        cells=[new_markdown_cell(f"# {title}\n\n**Why?**\n\nAbout 20 minutes\n\n{text}")]
    )


def machine():
    """What is kept of the run that makes the machine of the index."""
    source = 'from helpers.course.machine import sentence_machine\nsentence_machine("names")'
    return new_notebook(cells=[code(source, result(text_html="<div>the machine</div>"))])


def made_up_course(folder):
    """Write the notebooks and their executed twins.

    Args:
        folder: an empty one.

    Returns:
        The folder of the notebooks and that of the executed ones.
    """
    notebooks, kept = folder / "notebooks", folder / "executed"
    found = {
        "01_one": first_lesson(),
        "02_two": short_lesson("02 · Two", "01_one.ipynb#step", "deeper/01_more.ipynb"),
        "deeper/01_more": short_lesson("01 deeper · More", "../01_one.ipynb"),
    }
    for place, notebook in found.items():
        for root in (notebooks, kept):
            file = root / f"{place}.ipynb"
            file.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, file)
    nbformat.write(machine(), kept / "sentence_machine.ipynb")
    return notebooks, kept
