"""A belief that listens is the exact one, weighed by what the others ask."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.beliefs.games.clue.hearing import COMMON, MISSED, HearingBelief, asking_chances
from sleuth.beliefs.games.clue.play import declared
from sleuth.games.clue import ClueRecord, SeenClue
from sleuth.models.clue.editions import CLASSIC

OWN = ["green", "rope", "hall", "study", "lounge", "library"]


def _seen(*events: dict[str, object]) -> SeenClue:
    record = {
        "game": "clue",
        "players": ["Ada", "Bob", "Cleo"],
        "hand_sizes": [6, 6, 6],
        "observer": "Ada",
        "own_hand": OWN,
        "events": [*events],
    }
    return ClueRecord.from_json(record).seen_by("Ada")


def _asks(refuter: str | None) -> dict[str, object]:
    cards = ["plum", "knife", "kitchen"]
    return {"type": "suggest", "by": "Bob", "cards": cards, "refuter": refuter}


def test_what_is_heard_weighs_the_deals() -> None:
    game = _seen(_asks(None))
    belief = HearingBelief()
    heard, before = belief.posterior(game), belief.posterior(game.until(0))
    cards = declared(game.until(0)).cards
    held = cards.which("Bob", ("plum", "knife", "kitchen"))
    plain = declared(game.until(0)).infer(game).distribution(held)
    weights = np.array([*COMMON.values()]) @ asking_chances(6, False, CLASSIC)
    weights[0] *= MISSED
    expected = plain * weights
    assert heard.distribution(held) == pytest.approx(expected / expected.sum(), rel=1e-6)
    assert before.distribution(held)[0] < 1.0


def test_a_player_who_does_not_accuse_most_likely_holds_a_card() -> None:
    game = _seen(_asks(None))
    held = HearingBelief().posterior(game)
    asked = declared(game.until(0)).cards.which("Bob", ("plum", "knife", "kitchen"))
    plain = declared(game.until(0)).infer(game)
    assert held.distribution(asked)[0] < 0.5 * plain.distribution(asked)[0]


def test_on_the_board_rooms_say_nothing() -> None:
    chances = asking_chances(6, True, CLASSIC)
    assert chances[:, :4] == pytest.approx(chances[:, 4:])


def test_what_a_viewer_did_not_hear_changes_nothing() -> None:
    events = [_asks("Cleo") | {"shown": card} for card in ("plum", "knife")]
    first, second = (HearingBelief().posterior(_seen(event | {"shown": None})) for event in events)
    assert first.log_evidence == second.log_evidence
