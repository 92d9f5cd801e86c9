"""The notebooks as they stand in the repository; `make notebooks` executes them.

Their exercises have a gap, a check and a solution, they import from the face alone, and no output
is kept.
"""

import ast
import importlib.util
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
#: Other libraries that a lesson may use.
OTHERS = {"itertools", "math", "matplotlib.pyplot", "numpy"}


def _read(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def _code(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _by_role(notebook: Any, role: str) -> list[Any]:
    return [cell for cell in notebook.cells if role in cell.metadata.get("tags", ())]


def test_there_are_six_lessons_and_the_page_of_the_course_has_each() -> None:
    page = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
    named = re.findall(r"\]\(notebooks/([\w.]+\.ipynb)\)", page)
    assert len(NOTEBOOKS) == 6
    assert sorted(set(named)) == [path.name for path in NOTEBOOKS]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_output_is_kept(path: Path) -> None:
    for cell in _code(_read(path)):
        assert not cell.outputs
        assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_lesson_imports_from_the_face_alone(path: Path) -> None:
    import sleuth

    pages = {"sleuth"} | {f"sleuth.{name}" for name in dir(sleuth)}
    pages |= {f"sleuth.games.{name}" for name in dir(sleuth.games)}
    for cell in _code(_read(path)):
        for line in ast.walk(ast.parse(cell.source)):
            if isinstance(line, ast.ImportFrom):
                assert line.module in pages | OTHERS
            elif isinstance(line, ast.Import):
                assert {each.name for each in line.names} <= {"sleuth"} | OTHERS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_exercise_has_a_gap_a_check_and_a_hidden_solution(path: Path) -> None:
    notebook = _read(path)
    gaps, checks, solutions = (
        _by_role(notebook, role) for role in ("exercise", "check", "solution")
    )
    numbers = [str(number) for number in range(1, len(gaps) + 1)]
    assert len(numbers) >= 5
    for cells in (gaps, checks, solutions):
        assert [cell.metadata.exercise for cell in cells] == numbers
    for number, gap, check, solution in zip(numbers, gaps, checks, solutions, strict=True):
        where = [notebook.cells.index(cell) for cell in (gap, check, solution)]
        assert where == [where[0], where[0] + 1, where[0] + 2]
        assert f"### Exercise {number}\n" in notebook.cells[where[0] - 1].source
        assert "..." in gap.source
        assert solution.metadata.jupyter.source_hidden
        # A notebook shows the first line of what is hidden.
        assert solution.source.startswith(f"# Solution to exercise {number}\n")
        # The check does not give it away: what is right stands there as digests alone.
        (call,) = (
            each.value for each in ast.parse(check.source).body if isinstance(each, ast.Expr)
        )
        assert isinstance(call, ast.Call)
        assert re.fullmatch(r"[0-9a-f]{4}( [0-9a-f]{4})*", ast.literal_eval(call.args[1]))
        assert check.metadata.wrong


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_a_lesson_lead_to_pages_that_are_there(path: Path) -> None:
    said = "\n".join(each.source for each in _read(path).cells if each.cell_type == "markdown")
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", said)
    assert links
    for link in links:
        assert (FOLDER / link).is_file(), link


def _tool() -> Any:
    path = ROOT / "docs" / "tools" / "make_notebooks.py"
    spec = importlib.util.spec_from_file_location("make_notebooks", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def test_a_page_folds_solutions_and_shows_no_verdict(tmp_path: Path) -> None:
    cell, output = nbformat.v4.new_code_cell, nbformat.v4.new_output
    said = [output("stream", name="stdout", text="Right.\n")]
    check = cell("check(a, '1234')", metadata={"tags": ["check"], "exercise": "1"}, outputs=said)
    solution = cell(
        "# Solution to exercise 1\na = 1\na", metadata={"tags": ["solution"], "exercise": "1"},
        outputs=[
            output("stream", name="stderr", text="compiling\n"),
            output("execute_result", {"text/plain": "1"}, execution_count=1),
        ],
    )  # fmt: skip
    picture = cell(
        "plot()", metadata={"tags": ["figure"]},
        outputs=[output("display_data", {"image/png": "aGk=", "text/plain": "<Figure>"})],
    )  # fmt: skip
    shown = cell("b", outputs=[output("display_data", {"text/html": "<p>b</p>", "text/plain": ""})])
    heading = nbformat.v4.new_markdown_cell("# Lesson\n\n[Next](2_next.ipynb), [more](../more.md)")
    notebook = nbformat.v4.new_notebook(cells=[heading, check, solution, picture, shown])
    page = _tool().page_of(notebook, "1_lesson", tmp_path)
    assert page.startswith("# Lesson\n\n[Save the notebook](1_lesson.ipynb)")
    assert "[Next](2_next.md), [more](../more.md)" in page
    assert "Right." not in page
    assert "compiling" not in page
    folded = page.split("<details")[1].split("</details>")[0]
    assert folded.count("Solution to exercise 1") == 1
    assert "a = 1" in folded
    assert "```text\n1\n```" in folded
    assert (tmp_path / "1_lesson_3_0.png").read_bytes() == b"hi"
    assert "](1_lesson_3_0.png)" in page
    assert page.rstrip().endswith("<p>b</p>")


def test_a_page_is_current_until_its_notebook_is_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, path, built = _tool(), tmp_path / "1_lesson.ipynb", tmp_path / "built"
    built.mkdir()
    monkeypatch.setattr(tool, "BUILT", built)
    cell = nbformat.v4.new_code_cell("1 + 1")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert not tool.is_current(path)
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"})]
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), built / path.name)
    (built / "1_lesson.md").write_text("2", "utf-8")
    assert tool.is_current(path)
    cell.source = "1 + 2"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    assert not tool.is_current(path)
