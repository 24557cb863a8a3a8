"""S9: the marks as tables, for spreadsheets, for Moodle and for Canvas."""

import csv
import io

import pytest

from helpers.homework.assignment import Assignment, lesson_part, rubric_of
from helpers.homework.command import main
from helpers.homework.grading import Graded, Result
from helpers.homework.reading import RefusedError
from helpers.homework.students import Student, decoded
from helpers.homework.tables import canvas_csv, harmless, marks_csv, moodle_csv, raw_rows

PART = lesson_part("04")
ASSIGNMENT = Assignment((PART,), 1)
MOST = sum(exercise.points for exercise in PART.exercises)
SHEET = (
    'Identifier,"Full name","ID number",Status,Grade,"Maximum Grade","Last modified (grade)",'
    '"Feedback comments"\r\n'
    'Participant 11,"O\'Neil, A",,"Submitted, late",,"100.00",-,""\r\n'
    'Participant 12,王小明,20231234,Submitted,,"100.00","Monday, 1 June ""x""",\r\n'
    "Participant 13,Anna Berg,,No submission,,100.00,-,keep\r\n"
)


def results(right):
    """Results of a student whose first `right` exercises are right."""
    found = {}
    for place, exercise in enumerate(PART.exercises):
        good = place < right
        state = "correct" if good else "wrong"
        points = float(exercise.points) if good else 0.0
        found[exercise.name] = Result(
            exercise, points, state, "" if good else '=HYPERLINK("x"), it says', named=False
        )
    return found


def a_class():
    return [
        Graded(Student("O'Neil, A", "", "11"), results(len(PART.exercises))),
        Graded(Student("王小明", "20231234"), results(0)),
        Graded(Student("Anna Berg", "", "13"), problem="The file is empty."),
        Graded(Student("=cmd|' /C calc'!A0", "-7"), results(1)),
    ]


def test_s9_marks_are_utf8_with_a_mark_and_safe_against_formulas():
    data = marks_csv(ASSIGNMENT, a_class())
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert [row[0] for row in rows[1:3]] == ["O'Neil, A", "王小明"]
    for row in rows[1:]:
        assert not [cell for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert rows[1][-3:-1] == [f"{MOST:g}", f"{MOST:g}"]
    assert rows[2][-3] == "0"
    assert rows[3][-3] == "", "a refusal is no zero"
    assert harmless("\t=1") == "'\t=1"
    assert harmless("a=1") == "a=1"


@pytest.mark.parametrize("kind", ["utf-8", "utf-8-sig", "gb18030"])
def test_s9_moodle_gets_its_worksheet_back_with_two_columns_filled(tmp_path, kind):
    file = tmp_path / "sheet.csv"
    file.write_bytes(SHEET.encode(kind))
    filled = moodle_csv(file, ASSIGNMENT, a_class())
    rows, old = raw_rows(filled.decode(kind), ","), raw_rows(SHEET, ",")
    for before, after in zip(old, rows, strict=True):
        kept = [i for i in range(len(before)) if i not in (4, 7)]
        assert [after[i] for i in kept] == [before[i] for i in kept]
    assert [row[4] for row in rows[1:]] == ["100", "0", ""], "in the worksheet's own maximum"
    assert rows[3] == old[3], "who was refused keeps the line as it is"
    assert "'=" not in rows[1][7]
    comments = [row[7] for row in csv.reader(io.StringIO(filled.decode(kind).lstrip("\ufeff")))]
    assert PART.exercises[0].name.rpartition(".")[2] in comments[2]


def test_s9_moodle_in_chinese_with_semicolons_and_decimal_commas(tmp_path):
    file = tmp_path / "sheet.csv"
    text = "标识符;全名;成绩;最高分;反馈评论\n参与者12;王小明;;10,50;\n"
    file.write_text(text, encoding="utf-8", newline="")
    one = [Graded(Student("王小明", "", "12"), results(len(PART.exercises)))]
    line = moodle_csv(file, ASSIGNMENT, one).decode().splitlines()[1].split(";")
    assert line[:4] == ["参与者12", "王小明", "10,5", "10,50"]


def test_s9_raw_rows_put_together_are_the_text():
    text = 'a,"b ""c"", d\r\ne",f\r\n\n,"",\nlast,x'
    rows = raw_rows(text, ",")
    assert "".join(",".join(row[:-1]) + row[-1] for row in rows) == text
    assert rows[0][1] == '"b ""c"", d\r\ne"'


def test_s9_canvas_keeps_its_columns_of_names_and_numbers(tmp_path):
    file = tmp_path / "export.csv"
    file.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,HW1 (77),Final Score\n"
        "    Points Possible,,,,,10,\n"
        '"O\'Neil, A",11,,oneil,"Group, 1",,\n'
        "王小明,12,20231234,wxm,Group 2,,3\n"
        '"Berg, Anna",13,,berg,Group 2,,\n',
        encoding="utf-8",
    )
    data = canvas_csv(file, "HW1", ASSIGNMENT, a_class())
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    old = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert [row[:5] for row in rows] == [row[:5] for row in old]
    assert [row[5] for row in rows] == ["HW1 (77)", "10", "10", "0", ""]


NAMES = ['O\'Neil, "Al"', "=1+1", "王小明", 'Li;"Wei', "@home, +1"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_s9_names_with_commas_quotes_formulas_and_chinese_come_back(tmp_path, separator):
    whole = len(PART.exercises)
    a_class = [
        Graded(Student(name, "", str(50 + place)), results(whole * (place % 2)))
        for place, name in enumerate(NAMES)
    ]

    def sheet(heads, rows):
        file = tmp_path / "sheet.csv"
        with file.open("w", encoding="utf-8-sig", newline="") as opened:
            csv.writer(opened, delimiter=separator).writerows([heads, *rows])
        return file

    def read(data, between=","):
        text = io.StringIO(data.decode("utf-8-sig"), newline="")
        return list(csv.reader(text, delimiter=between))[1:]

    wanted = [f"{MOST * (place % 2):g}" for place in range(len(NAMES))]
    marks = read(marks_csv(ASSIGNMENT, a_class))
    assert [row[0].removeprefix("'") for row in marks] == NAMES
    assert [row[-3] for row in marks] == wanted
    heads = ["Identifier", "Full name", "Grade", "Maximum Grade", "Feedback comments"]
    rows = [[f"Participant {50 + i}", name, "", MOST, ""] for i, name in enumerate(NAMES)]
    filled = read(moodle_csv(sheet(heads, rows), ASSIGNMENT, a_class), separator)
    assert [(row[1], row[2]) for row in filled] == list(zip(NAMES, wanted, strict=True))
    assert not [row for row in filled if len(row) != 5 or row[4].startswith("=")]
    rows = [[name, 50 + i, "Group, 1", ""] for i, name in enumerate(NAMES)]
    file = sheet(["Student", "ID", "Section", "HW1 (7)"], rows)
    filled = read(canvas_csv(file, "HW1", ASSIGNMENT, a_class))
    assert [(row[0], row[2], row[3]) for row in filled] == [
        (name, "Group, 1", points) for name, points in zip(NAMES, wanted, strict=True)
    ]


def test_tables_of_another_kind_are_refused(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("a,b\n1,2\n")
    with pytest.raises(RefusedError, match="worksheet"):
        moodle_csv(file, ASSIGNMENT, [])
    with pytest.raises(RefusedError, match="Canvas"):
        canvas_csv(file, "HW1", ASSIGNMENT, [])
    with pytest.raises(RefusedError, match="cannot be read"):
        moodle_csv(tmp_path / "none.csv", ASSIGNMENT, [])
    assert decoded("学号".encode("gb18030")) == "学号"


def test_a_rubric_gives_shares_for_misconceptions_by_name_or_sentence(tmp_path):
    exercise = PART.exercises[0]
    wrong = exercise.wrong[0]
    sentence = wrong.__doc__.splitlines()[0]
    file = tmp_path / "rubric.csv"
    for named in (wrong.__name__, f'"{sentence}"'):
        file.write_text(f"exercise,misconception,share\n{exercise.name},{named},50%\n")
        assert rubric_of(file, PART.exercises) == {(exercise.name, sentence): 0.5}
    for line in (f"{exercise.name},nothing like it,1", "x,y,1", f"{exercise.name},a"):
        file.write_text(line)
        with pytest.raises(RefusedError):
            rubric_of(file, PART.exercises)
    file.write_text(f"{exercise.name},{wrong.__name__},1.5")
    with pytest.raises(RefusedError, match="from 0 to 1"):
        rubric_of(file, PART.exercises)


def test_a_missing_option_file_ends_with_a_sentence(tmp_path, capsys):
    (tmp_path / "Anna.ipynb").write_text("{}")
    options = [str(tmp_path / "Anna.ipynb"), "--lessons", "04", "--roster", "none.csv"]
    assert main(options) == 2
    assert "none.csv" in capsys.readouterr().err
