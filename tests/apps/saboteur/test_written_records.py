"""Records of Saboteur that people write: analysed, compared, learned from, by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth.games.saboteur import SaboteurRecord, saboteur
from sleuth.models.games import entry
from sleuth.training.saboteur.rows import DealSubject

from ...models.saboteur.games import NAMES, played
from ..conftest import Sleuth


@pytest.fixture(scope="module")
def full() -> SaboteurRecord:
    """Two rounds with gold, of which all is known."""
    game = saboteur("tight", players=4, rounds=2, pay="gold", hand=3, stock=6)
    return SaboteurRecord.from_play(played(game, 4), players=NAMES[:4], name="an evening")


@pytest.fixture
def notes(full: SaboteurRecord, tmp_path: Path) -> Path:
    """What Bob wrote down of it, in lines."""
    path = tmp_path / "evening.txt"
    path.write_text(full.seen_by("Bob").text, encoding="utf-8")
    return path


def test_lines_are_analysed_as_the_play_is(
    full: SaboteurRecord, notes: Path, tmp_path: Path, sleuth: Sleuth
) -> None:
    full.dump(tmp_path / "full.json")
    found = [
        sleuth("analyse", str(path), "--json", "--agent", "none", *more).json()
        for path, more in ((notes, ()), (tmp_path / "full.json", ("--observer", "bob")))
    ]
    assert [each["viewer"] for each in found] == ["Bob", "Bob"]
    assert found[0]["roles"] == list(NAMES[:4])
    for one, other in zip(found[0]["timeline"], found[1]["timeline"], strict=True):
        assert one["text"] == other["text"]
        assert one["hidden"] == other["hidden"]
    assert any(moment["hidden"] for moment in found[0]["timeline"])


def test_the_page_and_the_text_name_people(notes: Path, tmp_path: Path, sleuth: Sleuth) -> None:
    page = tmp_path / "page.html"
    ran = sleuth("analyse", str(notes), "--agent", "none", "--html", str(page))
    assert ran.code == 0
    assert "Players: Ann, Bob, Cid, Dan" in ran.out
    html = page.read_text(encoding="utf-8")
    assert "Cid" in html
    assert "player 3" not in html
    assert "gold so far" in html
    # Where the gold is, is not hidden from who has seen it.
    assert "or not hidden then" in html
    assert "<svg" in html


def test_methods_are_compared_at_a_moment(notes: Path, sleuth: Sleuth) -> None:
    ran = sleuth("compare", str(notes), "--methods", "enumeration,card_by_card", "--event", "6")
    assert ran.code == 0
    assert "after event 6" in " ".join(ran.out.split())


def test_a_viewer_of_whom_it_says_nothing_is_refused(notes: Path, sleuth: Sleuth) -> None:
    ran = sleuth("analyse", str(notes), "--observer", "ann")
    assert (ran.code, ran.out) == (2, "")
    assert "does not say what this viewer saw" in ran.err


def test_what_people_wrote_is_learned_from_as_far_as_it_tells(
    full: SaboteurRecord, notes: Path, tmp_path: Path, sleuth: Sleuth
) -> None:
    made = entry("saboteur")
    whole = tmp_path / "full.json"
    full.dump(whole)
    subject = DealSubject()
    ours, theirs = (subject.read([path], made) for path in (whole, notes))
    # Everybody's turns are public, and their roles were shown at the end of each round.
    assert len(ours) == len(theirs)
    assert ours.turn.tolist() == theirs.turn.tolist()
    lines = notes.read_text().splitlines()
    cut = tmp_path / "cut.txt"
    cut.write_text("\n".join(lines[: lines.index(next(x for x in lines if x[:4] == "end:"))]))
    ran = sleuth("train", "saboteur", str(cut))
    assert ran.code == 2
    assert "does not say who was a saboteur" in ran.err


def test_a_folder_of_lines_and_json_is_one_table(
    full: SaboteurRecord, notes: Path, sleuth: Sleuth
) -> None:
    full.seen_by("spectator").dump(notes.with_name("public.json"))
    notes.with_name("remarks.txt").write_text("what to buy: bread\n")
    table = notes.parent / "table.csv"
    ran = sleuth("analyse", str(notes.parent), "--out", str(table))
    assert ran.code == 0, ran.err
    rows = table.read_text().splitlines()
    assert {row.split(",")[0] for row in rows[1:]} == {"evening.txt", "public.json"}
