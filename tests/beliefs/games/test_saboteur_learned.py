"""What was learned of Saboteur's players, as a model of behaviour."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Play, belief
from sleuth.beliefs.games.saboteur.events import MOST_MISSING, Following
from sleuth.beliefs.games.saboteur.learned import ABOUT, NAMES, LearnedActions, learned
from sleuth.beliefs.games.saboteur.likelihoods import AdditiveModel, GoalClaim, Sign, TableModel
from sleuth.beliefs.predictors.predictor import LINEAR, PredictorTables, forest_nodes
from sleuth.errors import RecordError
from sleuth.games.saboteur import SaboteurBelief, saboteur
from sleuth.kit import generator
from sleuth.models.saboteur import signs
from sleuth.models.saboteur.mine import completion
from sleuth.models.saboteur.state import BREAK, DISCARD, FACE_DOWN, MINER, REPAIR, SABOTEUR, SAY
from sleuth.predictors import Predictor

PAPER = saboteur("paper")
PLACE = {name: place for place, name in enumerate(NAMES)}


def linear(trust: float, **weights: float) -> LearnedActions:
    """A model whose log odds are a sum over features; what is not known counts as 0."""
    nodes, roots = forest_nodes(())
    row = np.zeros(len(NAMES))
    for name, weight in weights.items():
        row[PLACE[name.replace("_", " ")]] = weight
    tables = PredictorTables(
        nodes, roots, np.zeros(len(NAMES)), np.array([LINEAR, 1.0, 0.0, 0.0]), row
    )
    return LearnedActions(Predictor({"features": list(NAMES), "trust": trust}, tables))


def test_evidence_is_the_log_odds_under_each_assumption_as_far_as_it_is_trusted() -> None:
    model = linear(0.5, assumed_role=1.2, assumed_role_of_the_other=-0.4, nearer=0.3)
    about = (0.0, 7.0, 2.0, 5.0, 0.0, 1.0)
    alone = model.of_action(Sign(signs.NEARER, False, 3, -1, about))
    assert alone.players == (3,)
    assert alone.logs == pytest.approx([0.5 * 0.6, 0.5 * (1.2 + 0.6)])
    pair = model.of_action(Sign(signs.BLOCKED, False, 3, 1, about))
    assert pair.players == (3, 1)
    for mine, theirs in itertools.product((MINER, SABOTEUR), repeat=2):
        assert pair.logs[mine, theirs] == pytest.approx(0.5 * (1.2 * mine - 0.4 * theirs + 0.6))
    # Only the first sign of an action has it in numbers, and speaks for all of them.
    assert not model.of_action(Sign(signs.LEFT_WAITING, False, 3, 2)).logs.any()


def test_words_weigh_the_role_of_the_speaker_and_the_place_of_the_gold() -> None:
    model = linear(1.0, assumed_role=-0.5, words_assumed_true=2.0, said_gold=0.25)
    (stone,) = model.of_words([GoalClaim(2, 1, False)], (), 0)
    assert stone.players == (2,)
    assert stone.of_gold
    # "The middle one is a stone" is true where the gold is at the top or at the bottom.
    assert stone.logs == pytest.approx(np.array([[2.0, 0.0, 2.0], [1.5, -0.5, 1.5]]))
    (gold,) = model.of_words([GoalClaim(2, 1, True)], (), 0)
    assert gold.logs[MINER] == pytest.approx([0.25, 2.25, 0.25])


def test_other_models_say_nothing_of_what_has_no_row_in_the_table() -> None:
    for model in (TableModel(), AdditiveModel(), AdditiveModel(reading="apart")):
        assert not model.of_action(Sign(signs.NOTHING, False, 1)).logs.any()


def played(seed: int, moves: int) -> tuple[Play, list[Any]]:
    """A game of sensible players, and the true states before its actions."""
    play, random, states = Play.new(PAPER, seed=seed), generator(seed), []
    while not play.over and len(play.actions) < moves:
        legal = play.legal()
        choice = PAPER.policy(play.truth()[0], legal, len(legal), PAPER.tables, random)
        states.append(play.truth())
        play.apply(int(legal[choice]))
    return play, [*states, play.truth()]


@pytest.mark.parametrize("viewer", [SPECTATOR, 2])
def test_an_action_in_numbers_is_what_everybody_could_count(viewer: int) -> None:
    play, states = played(5, 60)
    steps = Following(PAPER).read(play.seen_by(viewer))
    kinds: set[float] = set()
    for number, (step, action) in enumerate(zip(steps, play.actions, strict=True)):
        if action >= SAY:
            assert not step.signs
            continue
        missing: list[int] = []
        for state in (states[number][0], states[number + 1][0]):
            down = sum(
                1 << goal
                for goal, cell in enumerate(PAPER.tables.rules[0].goals)
                if state.board[cell] == FACE_DOWN
            )
            missing.append(min(MOST_MISSING, completion(state, down, PAPER.tables)))
        broken = states[number][0].broken[:5] > 0
        about = dict(zip(ABOUT, step.signs[0].about, strict=True))
        assert about["missing"] == missing[0]
        assert about["nearer"] == missing[0] - missing[1]
        assert about["events"] == number
        assert about["own tools broken"] == broken[step.mover]
        assert about["players blocked"] == broken.sum()
        kinds.add(about["kind"])
        if action < REPAIR:
            assert about["kind"] == (0 if action < DISCARD else 1 if action < BREAK else 2)
        assert all(not sign.about for sign in step.signs[1:])
    assert len(kinds) > 3


def test_the_predictor_of_the_package_and_one_of_a_file_are_beliefs(tmp_path: Any) -> None:
    play, _ = played(8, 40)
    view, seen = play.view(1), play.seen_by(1)
    usual = belief(PAPER, likelihood="learned")
    named = belief(PAPER, predictor="usual")
    assert isinstance(usual, SaboteurBelief)
    assert usual.model is learned()
    shares = [
        [each.infer(view, seen).probability(feature.equals(1)) for feature in hidden.values()]
        for each in (usual, named, SaboteurBelief())
        for hidden in ({k: v for k, v in each.hidden(view).items() if "role" in k},)
    ]
    assert shares[0] == shares[1]
    assert shares[0] != pytest.approx(shares[2], abs=0.001)
    assert sum(shares[0]) == pytest.approx(2 - view.states[0].roles[1])
    with pytest.raises(RecordError):
        belief(PAPER, predictor=str(tmp_path / "none"))
