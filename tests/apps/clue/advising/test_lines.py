"""What somebody types at a table of Clue means, and what it does not."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import SleuthError
from sleuth.apps.clue.advising.lines import Reader
from sleuth.apps.clue.words import describe
from sleuth.errors import RecordError
from sleuth.games.clue import Suggestion, simulate

PLAYERS = ("Ada", "Bob", "Cleo", "Dan Brown")
READER = Reader(PLAYERS, "Ada", ("plum", "rope", "hall", "study"))


def suggestion(by: str, cards: list[str], refuter: str | None, shown: str | None) -> dict[str, Any]:
    return {"type": "suggest", "by": by, "cards": cards, "refuter": refuter, "shown": shown}


WHITE = ["white", "knife", "kitchen"]


@pytest.mark.parametrize(
    "line, meant",
    [
        ("white knife kitchen bob white", suggestion("Ada", WHITE, "Bob", "white")),
        ("kitchen, white, knife. bob white", suggestion("Ada", WHITE, "Bob", "white")),
        ("wh kn kit b wh", suggestion("Ada", WHITE, "Bob", "white")),
        ("i mrs. white the dagger kitchen bob ?", suggestion("Ada", WHITE, "Bob", None)),
        ("bob wh kn kit cl", suggestion("Bob", WHITE, "Cleo", None)),
        ("bob wh kn kit cleo passes dan", suggestion("Bob", WHITE, "Dan Brown", None)),
        ("bob wh kn kit -", suggestion("Bob", WHITE, None, None)),
        ("bob wh kn kit cleo pass dan pass ada pass", suggestion("Bob", WHITE, None, None)),
        ("bob wh rope kit ada", suggestion("Bob", ["white", "rope", "kitchen"], "Ada", "rope")),
        ("Bob suggests wh, kn and kit: Cleo shows a card", suggestion("Bob", WHITE, "Cleo", None)),
        (
            "bob acc wh kn kit wrong",
            {"type": "accuse", "by": "Bob", "cards": WHITE, "correct": False},
        ),
        ("! wh kn kit right", {"type": "accuse", "by": "Ada", "cards": WHITE, "correct": True}),
        ("at kitchen", {"type": "move", "by": "Ada", "to": "kitchen"}),
        ("at i18", {"type": "move", "by": "Ada", "to": "17 8"}),
        ("bob moves to hall", {"type": "move", "by": "Bob", "to": "hall"}),
        ("bob has white", {"type": "has", "player": "Bob", "card": "white"}),
        ("cf hasn't white", {"type": "nothas", "player": "cf", "card": "white"}),
        ("bob oneof white knife", {"type": "oneof", "player": "Bob", "cards": ["white", "knife"]}),
    ],
)  # fmt: skip
def test_lines_mean_events(line: str, meant: dict[str, Any]) -> None:
    assert READER.event(line, "Ada") == meant


def test_a_suggestion_without_answer_is_open_and_the_next_line_answers_it() -> None:
    asked = READER.event("bob mustard rope hall", "Ada")
    assert asked["refuter"] == "not recorded"
    cards = ["mustard", "rope", "hall"]
    for line, answer in (
        ("cleo", suggestion("Bob", cards, "Cleo", None)),
        ("nobody", suggestion("Bob", cards, None, None)),
        ("me hall", suggestion("Bob", cards, "Ada", "hall")),
        ("cleo passes, ada hall", suggestion("Bob", cards, "Ada", "hall")),
    ):
        meant = READER.meaning(line, "Cleo", asked)
        assert (meant.event, meant.completes) == (answer, True)
    with pytest.raises(RecordError, match="add one of mustard, rope or hall"):
        READER.meaning("me", "Cleo", asked)
    for line in ("cleo wh kn kit dan", "bob mustard rope hall cleo", "bob has white", "at hall"):
        assert not READER.meaning(line, "Cleo", asked).completes


@pytest.mark.parametrize(
    "line, said",
    [
        ("", "nothing was written"),
        ("wh kn", "three cards of three kinds were expected, not white, knife"),
        ("wh kn rope bob", "three cards of three kinds"),
        ("wh kn kitchin bob", "'kitchin'.* did you mean 'kitchen'"),
        ("wh kn kit bob", "you saw which card was shown; add one of white, knife or kitchen"),
        ("wh kn kit bob rope", "this card was not suggested .*write one of white, knife, kitchen"),
        ("wh kn kit ada white", "no player refutes their own suggestion"),
        ("wh kn kit cleo passes bob white", "Cleo is not asked before Bob"),
        ("bob wh kn kit cleo white", "shows the card to Bob alone.*cleo has white"),
        ("bob wh kn kit nobody cleo", "nobody showed a card, yet more is written"),
        ("bob cleo wh kn kit", "before the three cards stands who suggested"),
        ("bob acc wh kn kit", "was the accusation right.*Add 'right' or 'wrong'"),
        ("wh kn kit wrong", "Write 'accuse' and three cards"),
        ("at rope", "a move leads to a room"),
        ("has rope", "a note says who has what"),
        ("b plum rope", "three cards|several things.*Ada plum rope ballroom"),
    ],
)
def test_what_is_mistyped_is_explained(line: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        READER.event(line, "Ada")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(3, 6))
def test_a_sentence_of_the_log_can_be_typed_again(seed: int, players: int) -> None:
    """What a viewer saw, in the words in which it is shown."""
    names = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")[:players]
    record = simulate(names, np.random.default_rng(seed), turns=3)
    game = record.seen_by("Bob")
    reader = Reader(names, "Bob", game.own_hand)
    for seen in game.events:
        event = seen.event
        assert isinstance(event, Suggestion)
        assert reader.event(describe(event), "Fay") == event.to_json()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=40))
def test_any_line_is_an_event_or_explained(line: str) -> None:
    with contextlib.suppress(SleuthError):
        event = READER.event(line, "Bob")
        assert event["type"] in ("suggest", "accuse", "move", "has", "nothas", "oneof")


def test_a_player_may_be_called_like_a_card() -> None:
    reader = Reader(("Plum", "Scarlet", "White"), "Plum", ())
    event = reader.event("scarlet plum rope hall white", "Scarlet")
    assert (event["by"], event["cards"], event["refuter"]) == (
        "Scarlet",
        ["plum", "rope", "hall"],
        "White",
    )
