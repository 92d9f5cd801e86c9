"""Features of a claim at a table of many, and the predictor that is told them."""

from __future__ import annotations

import itertools
from functools import cache
from math import comb

import numpy as np
import pytest

from sleuth.beliefs.games.cheat.for_many.features import NAMES, counted, write_features
from sleuth.beliefs.games.cheat.for_many.judges import ManyTruth
from sleuth.beliefs.predictors.predictor import LINEAR, NODE, Predictor, PredictorTables
from sleuth.data.errors import EvidenceError
from sleuth.games.cheat import (
    ManyChallenge,
    ManyCheatBelief,
    ManyCheatRecord,
    many_features,
    no_many_counts,
    simulate_many,
)
from sleuth.models.cheat.for_many.people.chances import drawn_at_least
from sleuth.models.cheat.for_many.people.tallies import tally
from sleuth.models.records.replay import Observed


@cache
def games() -> tuple[ManyCheatRecord, ...]:
    return simulate_many(4, seed=11, games=2)


@cache
def moments(viewer: int) -> list[Observed]:
    return [*games()[0].observed(viewer)]


def named(now: Observed, **more: object) -> dict[str, float]:
    row = many_features(ManyChallenge(now.view, no_many_counts(), **more))  # type: ignore[arg-type]
    return dict(zip(NAMES, row.tolist(), strict=True))


@pytest.mark.parametrize("every", [(6, 4), (9, 2), (7, 7), (5, 0)])
def test_the_chance_to_hold_cards_is_that_of_all_draws(every: tuple[int, int]) -> None:
    total, good = every
    for drawn, wanted in itertools.product(range(total + 1), range(5)):
        draws = itertools.combinations(range(total), drawn)
        hits = sum(sum(card < good for card in draw) >= wanted for draw in draws)
        expected = hits / comb(total, drawn)
        assert drawn_at_least(wanted, drawn, good, total) == pytest.approx(expected, abs=1e-12)


def test_features_say_what_lies_open() -> None:
    now = moments(2)[1]  # the first player has claimed, and two others are asked before this one
    seen = named(now, seconds=3.5)
    state = now.view.states[0]
    claim = int(state.turn)
    assert claim == 1
    assert (seen["turn"], seen["since call"], seen["rank"], seen["choices"]) == (1, 1, 0, 1)
    assert (seen["before"], seen["after"], seen["pile"]) == (1, 1, seen["count"])
    assert seen["unseen"] == 4 - state.hands[2, 0]
    assert (seen["own hand"], seen["other hand"]) == (13, 13 - seen["count"])
    assert seen["lie rate"] == seen["caught rate"] == 0.5  # nothing was seen yet
    assert seen["seconds"] == 3.5


def test_features_need_nothing_that_the_viewer_does_not_know() -> None:
    record, rng = games()[0], np.random.default_rng(1)
    checked = 0
    for viewer in range(4):
        for step, now in zip([None, *record.steps()], moments(viewer), strict=True):
            if step is None or step.code < 2 or step.by == viewer or rng.random() > 0.3:
                continue
            masked = many_features(ManyChallenge(now.view, no_many_counts()))
            # The truth, with the others' cards exchanged, gives the same.
            state = step.states.copy()
            for other in range(4):
                if other != viewer:
                    state["hands"][0][other] = rng.permutation(state["hands"][0][other])
            row = np.empty(len(NAMES))
            tables = record.game.tables
            write_features(state, viewer, no_many_counts(), np.nan, tables, row)
            assert row.tobytes() == masked.tobytes()
            checked += 1
    assert checked > 20


def test_habits_of_earlier_games_count_at_the_seats_of_now() -> None:
    first, second = games()
    ends = [*first.observed(0)][-1].view
    mine = no_many_counts()
    tally(ends.states[0], first.game.tables, mine)
    seat = second.players.index(first.players[0])
    moved = counted((ends,), seat)
    for place, name in enumerate(first.players):
        assert moved[second.players.index(name)].tolist() == mine[place].tolist()
    assert mine[:, 0].sum() == sum(turn.kind == "claim" for turn in first.turns)


def test_only_who_can_call_judges_a_claim() -> None:
    for viewer, at in ((0, 1), (-1, 1), (1, 0)):
        with pytest.raises(EvidenceError):
            ManyChallenge([*games()[0].observed(viewer)][at].view, no_many_counts())


def fixed(chance: float) -> Predictor:
    """A predictor that says the same of every claim."""
    weights = np.zeros(len(NAMES))
    tables = PredictorTables(
        np.zeros(0, dtype=NODE).view(np.recarray),
        np.zeros(0, dtype=np.int32),
        np.zeros(len(NAMES)),
        np.array([LINEAR, 1.0, 0.0, np.log(chance / (1.0 - chance))]),
        weights,
    )
    return Predictor({"kind": "linear", "features": list(NAMES)}, tables)


def test_the_belief_says_of_the_last_claim_what_the_predictor_says() -> None:
    belief = ManyCheatBelief(ManyTruth(fixed(0.35)))
    alone = ManyCheatBelief(honest=None)
    said = 0
    for now in moments(1)[1:40]:
        game = belief.declared(now.view)
        if now.view.over or not game.game.asked or game.game.claims[-1].by == 1:
            continue
        true = game.is_true(game.claims[-1])
        counted_alone = alone.infer(now.view, now.seen).probability(true)
        chance = belief.infer(now.view, now.seen).probability(true)
        if 1e-9 < counted_alone < 1.0 - 1e-9:
            # Where other claims lie below it, these say something of its cards as well.
            alone_there = len(game.claims) == 1
            assert chance == pytest.approx(0.35, abs=1e-6 if alone_there else 0.1)
            said += alone_there
        elif counted_alone < 1e-9:
            assert chance < 1e-9  # an impossible claim is a lie, whatever a predictor says
    assert said > 3
