"""Of which kind an opponent in Cheat is, is found out from the claims that are turned up."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Model, Play, infer
from sleuth.beliefs.games.cheat.judges import (
    LEARNED,
    TRUST,
    KindAcquaintance,
    KindsTruth,
    PredictedTruth,
    judge,
    shipped_kinds,
)
from sleuth.beliefs.kinds import SLIP, KindWeights
from sleuth.errors import EvidenceError, SettingsError
from sleuth.games.cheat import cheat, seen_game
from sleuth.predictors import NONE, Kinds

GAME = cheat()
KINDS = Kinds({"liars": 1, "honest": 3}, none=0.2)


def test_it_is_the_posterior_of_a_kind_that_is_declared() -> None:
    rng = np.random.default_rng(2)
    knows, belief = KindAcquaintance(KINDS), infer(Model(KINDS.of("them")))
    knows.begin()
    for number in range(12):
        liars, honest, random = rng.random(3)
        chances = KINDS.chances({"liars": liars, "honest": honest}, at_random=random)
        kind = belief.distribution(KINDS.of("them").value())
        assert knows.hear(number, chances) == pytest.approx(float(kind @ chances), abs=1e-12)
        true = bool(rng.random() < 0.4)
        said = {"liars": liars, "honest": honest}
        if not true:
            said, random = {name: 1.0 - share for name, share in said.items()}, 1.0 - random
        belief = belief.observe(KINDS.evidence("them", None, said, at_random=random))
        knows.turn_up({number: true, 99: True})
    found = belief.marginal(KINDS.of("them").value())
    assert knows.known.marginal() == pytest.approx(found, abs=1e-12)
    knows.hear(50, np.ones(3))
    knows.begin()
    knows.turn_up({50: False})  # What was left over of an earlier game was never seen.
    assert knows.known.marginal() == pytest.approx(found, abs=1e-12)


def test_what_no_kind_does_is_refused() -> None:
    with pytest.raises(EvidenceError, match="no kind"):
        KindWeights.nothing(KINDS).after(np.zeros(3))


def test_claims_that_were_turned_up_move_what_is_said_of_the_next() -> None:
    play, rng = Play.new(GAME, seed=8), np.random.default_rng(8)
    predictors = shipped_kinds()
    truth = KindsTruth(predictors)
    hidden: list[tuple[int, list[float]]] = []
    asked = moved = 0
    while not play.over and asked < 12:
        if play.player == 0:
            play.apply(int(rng.choice(play.legal())))
            continue
        view, seen = play.view(1), play.seen_by(1)
        turns = seen_game(view)
        if turns.turns and turns.turns[-1].kind == "claim":
            each = [float(PredictedTruth(one)(view, seen)) for one in predictors.values()]
            slips = [(1 - SLIP) * p + SLIP * each[-1] for p in each]
            slips[-1] = each[-1]
            weights = np.array(truth.kinds.prior)
            for place, before in hidden:
                shown = turns.turns[place].true if place < turns.since else None
                if shown is not None:
                    likely = np.array(before) if shown else 1.0 - np.array(before)
                    weights = weights * likely**TRUST
            weights /= weights.sum()
            assert truth(view, seen) == pytest.approx(float(weights @ slips), abs=1e-9)
            assert [*truth.kinds_of(view, seen).values()] == pytest.approx(weights, abs=1e-9)
            hidden.append((len(turns.turns) - 1, slips))
            asked += 1
            moved += bool(np.abs(weights - truth.kinds.prior).max() > 0.05)
        legal = play.legal()
        play.apply(int(legal[0] if 0 in legal and rng.random() < 0.5 else rng.choice(legal)))
    assert asked >= 8
    assert moved


def test_kinds_are_asked_for_by_name() -> None:
    made = judge("kinds")
    assert isinstance(made, KindsTruth)
    assert [*made.predictors] == [LEARNED, "steady people", "searches", NONE]
    assert made.predictor is made.predictors[LEARNED]
    with pytest.raises(SettingsError, match="known"):
        judge("kinds", known=True)
