"""Advice on a page beside Scotland Yard, and beside a game that nobody here knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.whole.table_phone import Phone
from sleuth.apps.kit.advising.contract import Adviser
from sleuth.apps.kit.answers.values import Map, Paragraph
from sleuth.apps.table.advice.addressing import touches_of
from sleuth.apps.table.home import Home
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.sitting import Line
from sleuth.data.errors import SleuthError

#: The example in the docstring of an adviser, as somebody's own file.
OWN = re.sub(
    r"^(?:>>>|\.\.\.) ?", "",
    "\n".join(
        line for line in re.findall(r"^ *((?:>>>|\.\.\.).*)$", str(Adviser.__doc__), re.M)
        if "adviser" not in line and "entries = [" not in line and "draft = " not in line
    ),
    flags=re.M,
)  # fmt: skip

BEFORE = "import sleuth\nfrom sleuth.games.small import kuhn_poker\n"
AFTER = "\nGAME = sleuth.GameEntry('own', rules=kuhn_poker, adviser=HigherLower)\n"


@pytest.fixture
def hunt(tmp_path: Path) -> Iterator[Phone]:
    phone = Phone(tmp_path, "scotland_yard")
    phone.touch("set edition classic")
    phone.fill("set seekers", {"line": "13 26 29"})
    yield phone
    phone.close()


def board(phone: Phone) -> Map:
    (found,) = phone.panel("board").parts
    assert isinstance(found, Map)
    return found


def test_a_hunt_is_set_up_in_two_forms_and_moves_are_one_touch_each(hunt: Phone) -> None:
    assert hunt.touches == 2
    hunt.touch("do ticket taxi")
    hunt.touch("do go taxi 14")
    spots = board(hunt).spots
    assert spots[13].piece == "1"
    share = sum(spot.share or 0.0 for spot in spots)
    assert share == pytest.approx(1.0)
    (line,) = [spot.line for spot in spots if spot.name == "15"]
    hunt.say(line)
    hunt.touch("do go taxi 41")
    assert hunt.touches == 6
    assert [entry.get("to") for entry in hunt.sitting.log.entries] == [None, 14, 15, 41]


def test_a_hunt_of_the_newer_box_is_begun_by_a_touch(tmp_path: Path) -> None:
    phone = Phone(tmp_path, "scotland_yard")
    phone.touch("set edition later")
    phone.fill("set seekers", {"line": "29 50"})
    starts = [int(spot.name) for spot in board(phone).spots if spot.share]
    assert starts == [35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172]
    for touch in ("taxi", "go taxi 16", "go taxi 37", "taxi", "go taxi 28", "go taxi 23", "taxi"):
        phone.touch(f"do {'ticket ' if touch == 'taxi' else ''}{touch}")
    (line,) = [spot.line for spot in board(phone).spots if spot.name == "9"]
    phone.say(line)
    assert [spot.name for spot in board(phone).spots if spot.share] == ["9"]
    phone.touch("setup edition")
    assert phone.presses("set edition later")
    phone.close()


def test_where_mr_x_surfaces_is_touched_on_the_board(hunt: Phone) -> None:
    for to in ((14, 15, 41), (13, 26, 29)):
        hunt.touch("do ticket taxi")
        for station in to:
            hunt.touch(f"do go taxi {station}")
    hunt.touch("do ticket taxi")
    assert len(hunt.sitting.log.entries) == 8
    drawn = board(hunt)
    taxi = [track.name for track in drawn.tracks].index("taxi")
    near = {
        two: drawn.spots[two]
        for pair in drawn.lines if pair[2] == taxi
        for one, two in (pair[:2], pair[1::-1])
        if drawn.spots[one].share and not drawn.spots[two].piece
    }  # fmt: skip
    first, other, *_ = near.values()
    hunt.say(first.line)
    assert len(hunt.sitting.log.entries) == 9
    assert [spot.name for spot in board(hunt).spots if spot.share] == [first.name]
    hunt.touch("entry 9")
    hunt.fill("do station", {"to": other.name})
    hunt.touch("done")
    hunt.killed()
    assert [spot.name for spot in board(hunt).spots if spot.share] == [other.name]


def test_a_correction_that_makes_later_moves_impossible_is_a_contradiction_to_be_mended(
    hunt: Phone,
) -> None:
    hunt.touch("do ticket taxi")
    for station in (14, 15, 41):
        hunt.touch(f"do go taxi {station}")
    hunt.touch("do ticket bus")
    hunt.touch("do go taxi 25")
    hunt.touch("entry 2")
    hunt.touch("do go bus 23")
    hunt.touch("done")
    assert "Entry 6 cannot be true" in str(hunt.panel("conflict").parts[0])
    hunt.touch("entry 6", panel="conflict")
    hunt.touch("leave")
    hunt.touch("remove 6", panel="conflict")
    assert board(hunt).spots[22].piece == "1"


def test_a_game_of_somebodys_own_is_entered_by_words_and_by_lines(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(f"{BEFORE}{OWN}{AFTER}")
    home = Home(Lobby(tmp_path / "lobby"), game=f"{path}:GAME")
    lines = [touch.line for panel in home.panels(0) for touch in touches_of(panel.parts)]
    assert f"new advice {path}:GAME" in lines
    phone = Phone(tmp_path, f"{path}:GAME")
    phone.touch("set most")
    phone.touch("do word lower")
    phone.fill("do write", {"line": "lower 7"})
    phone.fill("do write", {"line": "higher 3"})
    with pytest.raises(SleuthError, match="no such number"):
        phone.fill("do write", {"line": "lower 70"})
    job, *_ = phone.sitting.jobs(0)
    assert job.make(*job.arguments) == (Paragraph("4 5 6"),)
    phone.touch("entry 2")
    phone.fill("do write", {"line": "higher 4"})
    phone.touch("show left")
    job, *_ = phone.sitting.jobs(0)
    assert job.make(*job.arguments)[0] == Paragraph("5 6")
    phone.killed()
    assert [entry["number"] for entry in phone.sitting.log.entries] == [7, 4]
    phone.close()


@pytest.mark.parametrize("kind", ["advice", "game", "replay"])
def test_no_page_makes_the_server_run_a_file(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "other.py"
    path.write_text("raise SystemExit('it was run')\n")
    lobby = Lobby(tmp_path / "lobby")
    for text in (f"{path}:GAME", "other.py:GAME", f"{path}", "moon"):
        with pytest.raises(SleuthError):
            Home(lobby).take(0, Line(f"new {kind} {text}", {}, text))
