"""The page without a server: what it is made of, and the same answers as a server's."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sleuth.apps.table import lobby
from sleuth.apps.table.static.within import BrowserSitting
from sleuth.apps.table.static.writing import packed, write_static
from sleuth.data.errors import SettingsError
from sleuth.kit import GAMES

from ..conftest import Sleuth

pytestmark = pytest.mark.usefixtures("counters")


def said(line: str, touch: str, **blanks: str) -> str:
    return json.dumps({"line": line, "blanks": blanks, "touch": touch})


def test_a_sitting_in_a_browser_goes_on_from_what_the_browser_kept() -> None:
    kept: list[str] = []
    sitting = BrowserSitting("counter", "{}", [], kept.append)
    assert json.loads(sitting.say(said("add 5", "one"))) == {"refused": "", "hint": ""}
    sitting.say(said("add 5", "one"))
    assert "the sum is 5" in json.loads(sitting.shown())["panels"]["sum"]
    again = BrowserSitting("counter", "{}", kept, kept.append)
    again.say(said("add 5", "one"))
    again.say(said("add 2", "two"))
    assert "the sum is 7" in json.loads(again.shown())["panels"]["sum"]
    assert len(kept) == 2


def test_a_line_that_the_browser_cannot_keep_does_not_count() -> None:
    def full(line: str) -> None:
        raise SettingsError("the browser is full")

    sitting = BrowserSitting("counter", "{}", [], full)
    assert "full" in json.loads(sitting.say(said("add 5", "one")))["refused"]
    assert "the sum is 0" in json.loads(sitting.shown())["panels"]["sum"]


def test_what_takes_long_is_worked_out_between_touches() -> None:
    sitting = BrowserSitting("counter", "{}", [], lambda _: None)
    sitting.say(said("add 5", "one"))
    assert 'aria-busy="true"' in json.loads(sitting.shown())["panels"]["square"]
    assert sitting.work()
    assert not sitting.work()
    assert "its square is 25" in json.loads(sitting.shown())["panels"]["square"]


def test_a_file_is_handed_to_the_page() -> None:
    sitting = BrowserSitting("counter", "{}", [], lambda _: None)
    assert json.loads(sitting.download("sum.txt"))["content"] == "MA=="
    assert json.loads(sitting.download("key"))["refused"]


def test_the_page_has_all_that_it_names(tmp_path: Path) -> None:
    missing = write_static(tmp_path / "page", "x", kind="counter")
    assert missing[0] == "pyodide.mjs"
    html = (tmp_path / "page" / "index.html").read_text("utf-8")
    for name in ("table.js", "table.css", "report.css", "icon.svg"):
        assert f'="{name}"' in html
        assert (tmp_path / "page" / name).stat().st_size
    # Again, over itself; but over nothing else.
    write_static(tmp_path / "page", "x", kind="counter")
    (tmp_path / "page" / "sleuth.json").unlink()
    with pytest.raises(SettingsError, match="has something else"):
        write_static(tmp_path / "page", "x", kind="counter")


def test_a_folder_that_is_no_pyodide_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"there is no pyodide\.mjs"):
        write_static(tmp_path / "page", "x", tmp_path, kind="counter")
    assert not (tmp_path / "page").exists()


def test_the_command_asks_for_which_game(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth("table", "--static", tmp_path / "page")
    assert ran.code == 2
    assert ran.err.endswith("name it first, such as sleuth table clue --static DIR\n")
    assert not (tmp_path / "page").exists()


def test_the_same_files_are_packed_the_same() -> None:
    content = packed()
    assert content == packed()
    names = set(zipfile.ZipFile(io.BytesIO(content)).namelist())
    assert {"sleuth/__init__.py", "sleuth/apps/table/static/within.py"} <= names
    assert {"sleuth/data/clue/editions/classic.json", "sleuth/apps/kit/pages/style.css"} <= names
    data = {name.removeprefix("sleuth/data/") for name in names if name.startswith("sleuth/data/")}
    assert {"saboteur/path_cards.csv", "scotland_yard/stations.csv", "cheat/truth.npz"} <= data
    assert not any(name.endswith(".jsonl") or "/games/" in name for name in data)


#: What a browser's Python has: NumPy, pydantic and rich.
BROWSER = """
import sys, json
sys.path.insert(0, sys.argv[1])
ABSENT = {
    "numba", "llvmlite", "scipy", "pandas", "sklearn", "joblib", "pgmpy", "matplotlib", "typer",
    "starlette", "uvicorn", "sse_starlette", "segno", "anyio", "threadpoolctl", "opt_einsum",
}
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(name, name=name)
sys.meta_path = [each for each in sys.meta_path if "editable" not in type(each).__module__
                 and "editable" not in getattr(each, "__module__", "")]
sys.meta_path.insert(0, Absent())
import sleuth
assert sleuth.__file__.startswith(sys.argv[1]), sleuth.__file__
"""
#: The lines said to a sitting.
ALONE = """
from sleuth.apps.table import lobby
from sleuth.apps.table.static.within import BrowserSitting
kept = []
sitting = BrowserSitting(sys.argv[2], sys.argv[3], [], kept.append)
for line in json.load(sys.stdin):
    assert json.loads(sitting.say(json.dumps(line)))["refused"] == "", line
print(sitting.shown())
"""


def alone_with(folder: Path, script: str, *given: str, text: str = "") -> str:
    """What a script prints that has the packed parts and no other packages than a browser has."""
    with zipfile.ZipFile(io.BytesIO(packed())) as archive:
        archive.extractall(folder)
    found = subprocess.run(
        [sys.executable, "-I", "-c", BROWSER + script, str(folder), *given],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def alone(folder: Path, kind: str, made: str, lines: list[str]) -> dict[str, str]:
    """What a page shows after some lines, by the packed parts alone, without compiled code."""
    shown = alone_with(folder, ALONE, kind, made, text=f"[{','.join(lines)}]")
    return json.loads(shown)["panels"]


#: Every game, and a belief where something is hidden.
EVERY_GAME = """
from sleuth.kit import GAMES
for name, entry in GAMES.items():
    game = entry.game()
    if entry.belief is not None:
        sleuth.belief(game)
    print(name)
"""


def test_every_game_finds_its_data_without_a_server(tmp_path: Path) -> None:
    assert alone_with(tmp_path, EVERY_GAME).split() == list(GAMES)


#: A short game of Clue as the page of advice says it, a line a touch.
HAND = ("green", "plum", "rope", "wrench", "kitchen", "hall")
CLUE = [
    said("0 set players", "players", value="Ada Bob Cleo"),
    said("1 set me Ada", "me"),
    *(said(f"2 pick {card}", f"pick {card}") for card in HAND),
    said(f"2 set hand {', '.join(HAND)}", "hand"),
    *(said(f"3 do card {card}", f"first {card}") for card in ("white", "knife", "study")),
    said("3 do shows Cleo", "first shows"),
    said("3 do sees knife", "first shown"),
    *(said(f"4 do card {card}", f"second {card}") for card in ("mustard", "revolver", "lounge")),
    said("4 do shows nobody", "second shows"),
]


def test_advice_beside_clue_is_the_same_without_compiled_code(tmp_path: Path) -> None:
    made = json.dumps(lobby.kind_of("advice").made({"game": "clue"})[0])
    here = BrowserSitting("advice", made, [], lambda _: None)
    for line in CLUE:
        assert json.loads(here.say(line))["refused"] == "", line
    panels = json.loads(here.shown())["panels"]
    assert "Bob suggests" in "".join(panels.values())
    assert "bits are open" in "".join(panels.values())
    assert alone(tmp_path, "advice", made, CLUE) == panels
