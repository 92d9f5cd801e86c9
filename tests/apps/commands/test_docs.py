"""`sleuth docs`, and records by the names that they came along with."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

import sleuth as face
from sleuth.apps.kit import reading
from sleuth.data import manual
from sleuth.data.files import examples, records

from ..conftest import Sleuth

ROOT = Path(__file__).resolve().parents[3]


def test_all_pages_are_listed_with_their_titles(sleuth: Sleuth) -> None:
    listed = sleuth("docs", "--json").json()
    named = {each["name"]: each for each in listed}
    assert {Path(each["path"]) for each in listed} == set((ROOT / "docs").rglob("*.md"))
    assert named["analysing"]["title"] == "Analysing a recorded game"
    assert named["clue"]["path"].endswith("index.md")
    assert all(each["title"] for each in listed)
    said = sleuth("docs").out
    assert all(name in said for name in named)


@pytest.mark.parametrize(
    "written",
    ["beliefs/declaring", "declaring", "docs/beliefs/declaring.md", "./declaring.md#walks"],
)
def test_a_page_is_found_by_its_name_its_file_or_its_last_part(
    sleuth: Sleuth, written: str
) -> None:
    path = ROOT / "docs" / "beliefs" / "declaring.md"
    assert sleuth("docs", written, "--path").out == f"{path}\n"
    assert sleuth("docs", written).out == path.read_text("utf-8")
    assert sleuth("docs", written, "--json").json()["text"] == path.read_text("utf-8")


def test_the_list_for_language_models_can_be_read_and_leads_to_pages(sleuth: Sleuth) -> None:
    text = (ROOT / "docs" / "llms.txt").read_text("utf-8")
    for written in ("llms", "llms.txt", "docs/llms.txt"):
        assert sleuth("docs", written).out == text
    for link in re.findall(r"^- \[[^]]+\]\(([^)]+)\)", text, re.MULTILINE)[::9]:
        assert manual.page(link).path == ROOT / "docs" / link


@pytest.mark.parametrize(
    "written, said",
    [
        ("anlysing", "did you mean 'analysing'?"),
        ("xyzzy", "'sleuth docs' lists them"),
        ("agents", "name one of cheat/agents, saboteur/agents"),
    ],
)
def test_a_page_that_there_is_not_is_told_with_those_that_may_be_meant(
    sleuth: Sleuth, written: str, said: str
) -> None:
    ran = sleuth("docs", written)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_terminal_shows_a_page_without_its_marks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written = io.StringIO()
    narrow = Console(file=written, width=40, force_terminal=True, color_system=None)
    monkeypatch.setattr(reading, "out", lambda: narrow)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("PAGER", "cat")
    reading.show_page(manual.page("matches"))
    lines = written.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert not any(line.startswith(("# ", "```")) for line in lines)


def test_examples_are_copied_into_a_new_folder_and_run(sleuth: Sleuth, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    ran = sleuth("docs", "--copy-examples", folder)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert ran.out.startswith(f"{len(files)} files are in ")
    assert {path.name for path in (folder / "programs").glob("*.py")} == {
        path.name for path in (ROOT / "examples").glob("*.py")
    }
    assert len(list((folder / "shelf").iterdir())) >= 8
    assert len(list((folder / "records").rglob("*.*"))) == len(records())
    program = [sys.executable, str(folder / "programs" / "number_cards.py")]
    assert subprocess.run(program, capture_output=True, check=True).stdout
    again = sleuth("docs", "--copy-examples", folder)
    assert (again.code, again.out) == (2, "")
    assert "there is something already" in again.err
    below = sleuth("docs", "--copy-examples", folder / "README.md" / "more")
    assert (below.code, below.out) == (2, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


def test_every_record_has_a_name_with_its_folder() -> None:
    known = examples()
    for name in records():
        word = name.rpartition(".")[0]
        assert face.example(word).name == known[word].name == Path(name).name
    assert face.example("neller_main").value == face.example("clue/neller-main").value
    with pytest.raises(face.SleuthError, match="'clue/neller_main'"):
        face.example("clue/neller_mane")
    with pytest.raises(face.SleuthError, match="example_network"):
        face.example("networks/asia")


def test_commands_take_what_came_along_by_its_name(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = sleuth("analyse", "clue/gregstoll_simple_suggest", "--json").json()
    path = ROOT / "data" / "clue" / "games" / "gregstoll_simple_suggest.json"
    whole = sleuth("analyse", path, "--json").json()
    assert found["case_file"]
    assert found["case_file"] == whole["case_file"]
    assert found.keys() == whole.keys()
    wrong = sleuth("analyse", "clue/gregstoll_simple_sugest")
    assert (wrong.code, wrong.out) == (2, "")
    assert "did you mean 'clue/gregstoll_simple_suggest'" in wrong.err
    # What is there under such a name is what is meant.
    (tmp_path / "clue").mkdir()
    (tmp_path / "clue" / "plum_game2").write_text(json.dumps({"game": "no such"}))
    assert "no such" in sleuth("analyse", "clue/plum_game2").err
    assert "no such file" in sleuth("analyse", "clue/neller_main").err
