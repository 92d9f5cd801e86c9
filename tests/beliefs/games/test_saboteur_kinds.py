"""Which program plays Saboteur so, beside who has which role: as if all of it were listed."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from sleuth import Choice, Play, play_match, together
from sleuth.beliefs.games.saboteur.kinds import Habits, KindsModel, action_key, shipped_kinds
from sleuth.beliefs.games.saboteur.likelihoods import GoalClaim, Sign, role_worlds
from sleuth.games.saboteur import GOAL_NAMES, SaboteurBelief, saboteur
from sleuth.kit import Played
from sleuth.models.saboteur import signs
from sleuth.models.saboteur.state import MINER
from sleuth.predictors import NONE, Kinds
from sleuth.training.saboteur.kinds import DeedCounts, habits_of

PAPER = saboteur("paper")
ABOUT = (0.0, 7.0, 2.0, 5.0, 0.0, 1.0)
ALONE = Sign(signs.NEARER, False, 1, -1, ABOUT)
PAIR = Sign(signs.BLOCKED, False, 3, 1, (2.0, *ABOUT[1:]))


def _model() -> KindsModel:
    rng = np.random.default_rng(3)
    habits = {
        name: Habits(
            {action_key(ALONE): rng.random(2), action_key(PAIR): rng.random((2, 2))},
            rng.dirichlet([1, 1], size=(2, 2)),
        )
        for name in ("plain", "sly", NONE)
    }
    return KindsModel(Kinds({"plain": 2, "sly": 1}, none=0.2), habits, 0.8)


DONE = (ALONE, PAIR, ALONE._replace(player=3), PAIR._replace(player=1, other=4), ALONE)
SAID = (GoalClaim(3, 1, True), GoalClaim(1, 1, False), GoalClaim(1, 0, True))


def test_roles_gold_and_kinds_are_those_of_all_worlds_weighed_by_hand() -> None:
    model = _model()
    belief = SaboteurBelief("kinds", model=model)
    play = Play.new(PAPER, seed=3)
    view, seen = play.view(0), play.seen_by(0)
    known = belief.known(view, seen)._replace(signs=DONE, claims=SAID)
    posterior = belief.posterior(known)
    worlds = role_worlds(5, known.saboteurs, spare=len(known.roles) > 5)
    worlds = worlds[worlds[:, 0] == known.roles[0]]
    weights = np.zeros((len(worlds), 3, 3, 3))
    kinds = [*model.habits]
    for (place, roles), gold in itertools.product(enumerate(worlds), range(3)):
        for one, three in itertools.product(range(3), repeat=2):
            weight = model.kinds.prior[one] * model.kinds.prior[three]
            for said in (*DONE, *SAID):
                kind = kinds[{1: one, 3: three}[said.player]]
                both: list[float] = []
                for name in (kind, NONE):
                    habits = model.habits[name]
                    if isinstance(said, GoalClaim):
                        true = (gold == said.goal) == said.gold
                        both.append(
                            habits.words[roles[said.player], int(gold == said.goal), int(true)]
                        )
                    elif said.other < 0:
                        rates = habits.actions[action_key(said)]
                        both.append(float(rates[roles[said.player]]))
                    else:
                        rates = habits.actions[action_key(said)]
                        both.append(float(rates[roles[said.player], roles[said.other]]))
                weight *= (0.98 * both[0] + 0.02 * both[1]) ** 0.8
            weights[place, gold, one, three] = weight
    weights /= weights.sum()
    hidden = belief.hidden(view)
    roles_of = together(*(hidden[f"role of {PAPER.roles[seat]}"] for seat in (1, 2, 3, 4)))
    found = posterior.marginal(roles_of)
    for place, roles in enumerate(worlds):
        key = tuple(int(role != MINER) for role in roles[1:])
        same = [all(other == roles) for other in worlds]
        assert found[key] == pytest.approx(weights[same].sum(), abs=1e-9), place
    assert posterior.distribution(hidden["gold"]) == pytest.approx(
        weights.sum(axis=(0, 2, 3)), abs=1e-9
    )
    said = belief.kinds_of(known)
    assert [*said[PAPER.roles[1]].values()] == pytest.approx(weights.sum(axis=(0, 1, 3)), abs=1e-9)
    assert [*said[PAPER.roles[3]].values()] == pytest.approx(weights.sum(axis=(0, 1, 2)), abs=1e-9)
    # Who did nothing may be anybody.
    assert [*said[PAPER.roles[2]].values()] == pytest.approx(model.kinds.prior)


def test_what_one_does_oneself_says_nothing_and_worlds_are_as_usual() -> None:
    belief = SaboteurBelief("kinds", model=_model())
    play = Play.new(PAPER, seed=3)
    view, seen = play.view(1), play.seen_by(1)
    known = belief.known(view, seen)._replace(signs=(ALONE, ALONE), claims=(GoalClaim(1, 0, True),))
    assert belief.posterior(known).log_evidence == pytest.approx(0.0, abs=1e-9)
    rng = np.random.default_rng(1)
    rows = belief.worlds(belief.posterior(known), 4, rng)
    usual = SaboteurBelief("uniform")
    assert rows.shape == usual.worlds(usual.infer(view, seen), 4, rng).shape
    kinds = [each for each in belief.posterior(known).model.variables if isinstance(each, Choice)]
    assert [each.name for each in kinds][1] == f"kind of {PAPER.roles[0]}"


def test_for_anybody_it_is_a_mixture_of_the_kinds() -> None:
    model = _model()
    rates = [model.habits[name].actions[action_key(ALONE)] for name in model.habits]
    mixed = np.array([(0.98 * each + 0.02 * rates[-1]) ** 0.8 for each in rates])
    expected = np.array(model.kinds.prior) @ mixed
    assert np.exp(model.of_action(ALONE).logs) == pytest.approx(expected)
    (words,) = model.of_words([GoalClaim(2, 1, True)], (), 0)
    assert words.of_gold
    assert words.logs.shape == (2, len(GOAL_NAMES))


def test_what_is_shipped_are_rates_of_actions() -> None:
    model = shipped_kinds()
    assert model.kinds.names[-1] == NONE
    for habits in model.habits.values():
        alone = np.sum([rate for rate in habits.actions.values() if rate.ndim == 1], axis=0)
        assert ((alone > 0.5) & (alone < 1.01)).all()
        assert habits.words.sum(axis=2) == pytest.approx(1.0, abs=1e-3)


def test_actions_are_counted_by_roles() -> None:
    counts = DeedCounts()
    games = play_match(PAPER, ["random"] * 5, games=2, seed=4).games
    counts.add(Played(one.replay(PAPER).record(), PAPER) for one in games)
    alone = np.sum(list(counts.alone.values()), axis=0)
    about = np.sum(list(counts.about.values()), axis=0).sum(axis=1)
    assert alone + about == pytest.approx(counts.done)
    assert counts.others.sum(axis=1) == pytest.approx(4 * counts.done)
    (found,) = habits_of({"random": counts}).values()
    assert math.isclose(sum(found["words"][0][0]), 1.0, abs_tol=1e-3)
    key, rate = max(found["actions"].items(), key=lambda each: np.max(each[1]))
    assert key in counts.alone
    assert np.max(rate) <= 1.0
