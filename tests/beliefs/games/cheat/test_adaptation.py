"""Players get to be known by their claims that are turned up."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth.errors import EvidenceError
from sleuth.games.cheat import Acquaintance, Offset

GRID = np.linspace(-8, 8, 16_001)


def on_a_grid(spread: float, seen: list[tuple[float, bool]]) -> tuple[float, float]:
    """Mode and mean of the exact posterior."""
    log = -(GRID**2) / (2 * spread**2)
    for predicted, true in seen:
        logit = np.log(predicted / (1 - predicted)) + GRID
        log -= np.logaddexp(0, -logit if true else logit)
    weights = np.exp(log - log.max())
    return float(GRID[np.argmax(log)]), float(np.sum(GRID * weights) / weights.sum())


def test_somebody_unknown_is_predicted_as_anybody() -> None:
    for spread in (0.0, 0.3, 1.2, 20.0, 100.0):
        unknown = Offset.unknown(spread)
        for predicted in (0.01, 0.3, 0.5, 0.97):
            assert unknown.relative_to(unknown, predicted) == pytest.approx(predicted)


@pytest.mark.parametrize("spread", [0.2, 0.7, 1.5])
def test_one_claim_moves_the_offset_to_the_mode_of_the_posterior(spread: float) -> None:
    for predicted in (0.05, 0.5, 0.8):
        for true in (True, False):
            found = Offset.unknown(spread).after(predicted, true)
            assert found.mean == pytest.approx(on_a_grid(spread, [(predicted, true)])[0], abs=2e-3)
            assert (found.mean > 0) == true
            assert found.variance < spread**2


def test_many_claims_find_the_offset() -> None:
    rng = np.random.default_rng(1)
    for truth in (-1.0, 0.0, 0.8):
        found, seen = Offset.unknown(0.8), []
        for _ in range(150):
            predicted = float(rng.uniform(0.1, 0.9))
            odds = np.log(predicted / (1 - predicted)) + truth
            true = bool(rng.random() < 1 / (1 + np.exp(-odds)))
            seen.append((predicted, true))
            found = found.after(predicted, true)
        assert found.mean == pytest.approx(truth, abs=3.5 * found.variance**0.5)
        assert found.mean == pytest.approx(on_a_grid(0.8, seen)[1], abs=0.08)


def test_where_players_do_not_differ_nothing_is_learned() -> None:
    same = Offset.unknown(0.0)
    assert same.after(0.9, False) == same


def test_what_was_certain_and_wrong_does_no_harm() -> None:
    found = Offset.unknown(1.0).after(1.0, False).after(0.0, True)
    assert np.isfinite(found.mean)
    assert 0 < found.relative_to(Offset.unknown(1.0), 0.5) < 1


def test_what_is_no_probability_is_refused() -> None:
    with pytest.raises(EvidenceError):
        Offset.unknown(-1)
    with pytest.raises(EvidenceError):
        Offset.unknown(0.5).after(1.2, True)


Event = tuple[str, float, bool]
EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["claim", "claim", "claim", "call", "game"]),
        st.floats(0.02, 0.98),
        st.booleans(),
    ),
    max_size=40,
)


def said_of(events: list[Event], spread: float = 0.8) -> tuple[list[float], Acquaintance]:
    """What is said of every claim of a match; a call turns up all that lies face down."""
    known = Acquaintance(spread)
    said: list[float] = []
    pile: dict[int, bool] = {}
    for place, (what, predicted, true) in enumerate(events):
        if what == "claim":
            said.append(known.hear(place, predicted))
            pile[place] = true
        elif what == "call":
            known.turn_up(pile)
            pile = {}
        else:
            known.begin()
            pile = {}
    return said, known


@settings(max_examples=200, deadline=None)
@given(EVENTS, EVENTS, EVENTS)
def test_nothing_later_changes_what_was_said(
    before: list[Event], one: list[Event], other: list[Event]
) -> None:
    count = sum(what == "claim" for what, _, _ in before)
    assert said_of([*before, *one])[0][:count] == said_of([*before, *other])[0][:count]


@settings(max_examples=200, deadline=None)
@given(EVENTS)
def test_a_claim_counts_from_the_call_that_turns_it_up_and_once(events: list[Event]) -> None:
    said, _ = said_of(events)
    unknown = Offset.unknown(0.8)
    offset = unknown
    pile: list[tuple[float, bool]] = []
    wanted: list[float] = []
    for what, predicted, true in events:
        if what == "claim":
            wanted.append(offset.relative_to(unknown, predicted))
            pile.append((predicted, true))
            continue
        for seen in pile if what == "call" else []:
            offset = offset.after(*seen)
        pile = []
    assert said == pytest.approx(wanted, abs=1e-12)


def test_a_pile_that_is_left_over_is_never_seen() -> None:
    known = Acquaintance(0.8)
    known.hear(1, 0.6)
    known.begin()
    known.turn_up({1: False})
    assert (known.seen, known.offset) == (0, known.unknown)
    assert known.hear(2, 0.6) == 0.6
    known.turn_up({2: False, 9: False})
    known.turn_up({2: False})
    assert known.seen == 1
    assert known.offset == known.unknown.after(0.6, False)
    assert known.hear(3, 0.6) < 0.6


def test_where_players_do_not_differ_an_acquaintance_stays_a_stranger() -> None:
    known = Acquaintance(0.0)
    known.hear(1, 0.6)
    known.turn_up({1: False})
    assert (known.seen, known.hear(2, 1e-9)) == (0, 1e-9)
