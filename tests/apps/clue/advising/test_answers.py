"""What to suggest and when to accuse beside a table of Clue."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sleuth.answers import Paragraph
from sleuth.apps.clue.advising import answers
from sleuth.apps.clue.advising.accusing import Waiting, waiting
from sleuth.apps.clue.advising.lines import Reader
from sleuth.apps.clue.advising.table import ClueSetup
from sleuth.beliefs.games.clue.waiting import Outlook

NAMES = ("Ada", "Bob", "Cleo")


def _table(*entries: Mapping[str, object]) -> ClueSetup:
    settings = {
        "players": list(NAMES), "sizes": [6, 6, 6], "me": "Ada", "faceup": [],
        "hand": ["green", "rope", "hall", "study", "lounge", "library"], "dice": 1,
    }  # fmt: skip
    return ClueSetup.of(settings, entries)


def _nobody(by: str, *cards: str) -> dict[str, object]:
    return {"type": "suggest", "by": by, "cards": [*cards], "refuter": None}


def test_a_rival_who_asked_for_the_case_file_is_feared() -> None:
    """Nobody refutes Cleo: either she holds one of the three, or she knows the case file now.

    Then she passed, so it is less likely that she knew. What Bob shows her next tells her anew.
    """
    calm, asked = _table(), _table(_nobody("Cleo", "plum", "knife", "kitchen"))
    before, after = waiting(calm), waiting(asked)
    assert before.know == {"Bob": 0.0, "Cleo": 0.0}
    assert 0.0 < after.know["Cleo"] < waiting_without_passing(asked)
    assert after.outlook.right < after.seems
    # Who accused wrongly is feared no more.
    out = {"type": "accuse", "by": "Bob", "cards": ["plum", "knife", "hall"], "correct": False}
    assert set(waiting(_table(out)).know) == {"Cleo"}


def waiting_without_passing(table: ClueSetup) -> float:
    """How likely it is by the cards alone that Cleo knows: nobody holds the three, or she does."""
    chances = table.posterior.distribution(table.belief.case_file)
    return float(chances.max())


def test_who_is_out_is_told_so() -> None:
    out = {"type": "accuse", "by": "Ada", "cards": ["plum", "knife", "kitchen"], "correct": False}
    over = {**out, "by": "Bob", "correct": True}
    reader = Reader(NAMES, "Ada", ())
    for entry, said in ((out, "You are out: you only refute."), (over, "The game is over.")):
        assert answers.ready(_table(entry)) == [Paragraph(said)]
        assert answers.best(_table(entry), reader, "") == [Paragraph(said)]


def test_waiting_is_given_up_where_it_wins_less(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(right: float, wins: float, seems: float = 0.6) -> str:
        found = Waiting(seems, Outlook(right, 0.9, 0.8, wins), {"Bob": 0.5})
        monkeypatch.setattr(answers, "waiting", lambda _: found)
        return str(answers.ready(_table()))

    assert "Accuse: waiting wins much less often." in said(0.6, 0.2)
    assert "Do not accuse yet: it looks better" in said(0.6, 0.5)
    assert "Do not accuse yet." in said(0.2, 0.5)
    assert "by now: Bob 50 %." in said(0.2, 0.5)
    assert "Accuse" not in said(0.19, 0.1, seems=0.19).split("by now")[1]  # as daring


def test_a_secret_passage_to_a_room_on_the_way_says_whereto() -> None:
    """From the lounge to the ballroom it is a short cut."""
    known = (
        {"type": "has", "player": "Bob", "card": card} for card in ("conservatory", "dining room")
    )
    stands = {"type": "move", "by": "Ada", "to": "lounge"}
    said = answers.best(_table(*known, stands), Reader(NAMES, "Ada", ()), "")[-1]
    assert isinstance(said, Paragraph)
    first, why = said.text.splitlines()
    assert first == "Take the secret passage to the conservatory; do not roll:"
    assert why.startswith("  it is on the way to the ballroom, ")
