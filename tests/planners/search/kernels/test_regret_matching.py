"""Regret matching against its formula, and against a game whose equilibrium is mixed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

import sleuth
from sleuth import HIDDEN, Budget, Decision, Game, Play, Search, kernel
from sleuth.agents import search_agent
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker, payoff, tree_game, turn
from sleuth.kit import generator
from sleuth.planners.search.kernels.selection import no_prior, selection_settings, uct
from sleuth.planners.search.runs.running import Run
from sleuth.planners.viewing.tree_walk import edges_of
from sleuth.search import regret_matching

VISITS = np.array([10.0, 20.0, 5.0, 0.0, 60.0])
MEANS = np.array([0.30, 0.45, 0.90, 0.0, 0.50])
#: What each action would have brought on average.
WOULD = np.array([0.40, 0.60, 0.90, 0.0, 0.52])
AVAILABLE = np.array([96.0, 96.0, 31.0, 96.0, 96.0])
DRAWS = 20_000


def counts(gamma: float, would: NDArray[np.float64]) -> NDArray[np.float64]:
    """How often each action is taken; the chances it says are always the same."""
    settings = selection_settings(0.0, 0.0, True, uniform_share=gamma)
    random, taken, said = generator(7), np.zeros(5), set[bytes]()
    for _ in range(DRAWS):
        bias = would.copy()
        taken[regret_matching(VISITS, MEANS, AVAILABLE, bias, 5, 96, settings, random)] += 1
        said.add(bias.tobytes())
    (chances,) = said
    assert np.frombuffer(chances).sum() == pytest.approx(1)
    assert (taken[np.frombuffer(chances) == 0] == 0).all()
    drawn = np.frombuffer(chances) > 0
    assert chisquare(taken[drawn], DRAWS * np.frombuffer(chances)[drawn]).pvalue > 1e-4
    return np.frombuffer(chances)


@pytest.mark.parametrize("gamma", [0.0, 0.2, 1.0])
def test_it_draws_by_positive_regrets_and_says_the_chances(gamma: float) -> None:
    usual = (VISITS * MEANS).sum() / VISITS.sum()
    regrets = np.maximum(0, (AVAILABLE - 1) * (WOULD - usual))
    wanted = gamma / 5 + (1 - gamma) * regrets / regrets.sum()
    assert counts(gamma, WOULD) == pytest.approx(wanted)
    assert not np.allclose(counts(0.5, WOULD), wanted)


def test_without_regret_all_are_alike() -> None:
    assert counts(0.0, np.zeros(5)) == pytest.approx(np.full(5, 0.2))


@kernel(allocates=False)
def unseen(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action + 1 if viewer == mover else HIDDEN


#: Both show a coin at once; the first player wins where they are alike.
WINS = np.array([[1.0, 0.0], [0.0, 0.25]])
#: How often the first player, and the second, shows heads in the equilibrium.
HEADS = 0.2


@cache
def pennies() -> Game:
    after = [turn(1, *(payoff(won, -won) for won in row)) for row in WINS.tolist()]
    return replace(tree_game(turn(0, *after), name="pennies"), observe=unseen)


def run_of(simulations: int, seed: int, **options: Any) -> Run:
    options = {"selection": regret_matching, "mixed": True, "uniform_share": 0.05, **options}
    search = Search(pennies(), information="players", widening=None, **options)
    run = search.start(Play.new(pennies(), seed=0).view(0), seed=seed)
    run.extend(Budget(simulations=simulations))
    return run


def policy(decision: Decision) -> NDArray[np.float64]:
    assert decision.policy is not None
    return np.array([decision.policy.get(action, 0.0) for action in (0, 1)])


def lost(decision: Decision) -> float:
    """What the first player's policy gives up against a best response."""
    return 0.2 - float((policy(decision) @ WINS).min())


def test_it_comes_to_a_mixed_equilibrium_and_uct_does_not() -> None:
    short, long, other = (
        np.mean([lost(run_of(count, seed, **options).decision()) for seed in range(8)])
        for count, options in ((300, {}), (30_000, {}), (30_000, {"selection": uct}))
    )
    assert long < 0.02 < short
    assert long < other
    assert policy(run_of(30_000, 1).decision())[0] == pytest.approx(HEADS, abs=0.05)


def test_what_is_taken_at_random_moves_a_mixed_equilibrium() -> None:
    """The visits are in balance. So the policy without its random part is off by a part of it."""
    gamma, shares = 0.2, np.zeros((2, 2))
    for seed in range(8):
        decision = run_of(30_000, seed, uniform_share=gamma).decision()
        visits = np.array([decision[code].visits / 30_000 for code in (0, 1)])
        shares += np.stack([policy(decision), visits]) / 8
    without, with_it = shares[:, 0]
    assert with_it == pytest.approx(HEADS, abs=0.025)
    assert without == pytest.approx((HEADS - gamma / 2) / (1 - gamma), abs=0.03)


def test_regrets_go_down() -> None:
    """On average over the plays, at both players' nodes: what the best action would have won."""

    def regret(simulations: int) -> float:
        worst = 0.0
        for seed in range(4):
            tree = run_of(simulations, seed).branches[0].tree
            for node in range(2):
                edges = [int(edge) for edge in edges_of(tree, node)]
                passed = tree.available[edges[0]]
                would = 0.5 + tree.weighted[edges].max() / passed
                worst = max(worst, would - tree.values[edges].sum() / passed)
        return worst

    assert regret(40_000) < 0.03 < regret(100)


@pytest.mark.parametrize("discount", [1.0, 0.8])
def test_a_credit_is_divided_by_the_chance_that_it_was_taken_with(discount: float) -> None:
    """Each of two actions has chance 1/2 here, so credits less a half count twice."""
    tree = run_of(500, 3, uniform_share=1.0, discount=discount).branches[0].tree
    edges = [int(edge) for node in range(2) for edge in edges_of(tree, node)]
    assert (tree.edge_visits[edges] > 50).all()
    usual = 0.5 * tree.edge_visits[edges]
    assert tree.weighted[edges] == pytest.approx(2 * (tree.values[edges] - usual))
    assert not np.allclose(tree.weighted[edges], tree.values[edges] - usual)


def test_a_mixed_answer_is_drawn_from_what_was_taken() -> None:
    drawn = np.zeros(2)
    for seed in range(200):
        decision = run_of(60, seed, uniform_share=1.0).decision()
        drawn[decision.action] += 1
        assert decision.rivals == ()
        assert decision.action in (decision.policy or {})
    assert 60 < drawn[0] < 140
    # With UCT it is just the visits.
    decision = run_of(500, 3, selection=uct).decision()
    assert policy(decision) == pytest.approx([decision[code].visits / 500 for code in (0, 1)])
    # The same run gives the same answer, however often it is asked.
    run = run_of(500, 3)
    assert run.decision().action == run.decision().action == run_of(500, 3).decision().action


@pytest.mark.parametrize("name", ["mcts", "players", "search", "vote", "average", "uniform"])
def test_every_agent_that_searches_has_it(name: str) -> None:
    text = f"{name}:selection=regret_matching,simulations=40,uniform_share=0.1"
    player = sleuth.agent(text, "kuhn_poker", seed=1)
    play = Play.new("kuhn_poker", seed=1)
    assert player.decide(play.view(0), play.seen_by(0)) in (0, 1)


def test_it_learns_too() -> None:
    text = "mcts:selection=regret_matching,simulations=400,gain=100,mixed=yes"
    player = search_agent(text, "kuhn_poker", seed=1)
    play = Play.new("kuhn_poker", seed=1)
    decision = player.decision(play.view(0), play.seen_by(0))
    assert decision.policy is not None
    # A bet tells more than a pass, and that is all that counts here.
    assert max(decision.policy, key=decision.policy.__getitem__) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"prior": no_prior},
        {"history": True},
        {"backup": "best"},
        {"counts_from": 1},
        {"mixed": True, "trees": 4},
        {"uniform_share": 1.5},
    ],
)
def test_what_does_not_fit_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Search(kuhn_poker(), selection=regret_matching, **wrong)


def test_ways_have_no_mixed_policy() -> None:
    with pytest.raises(SettingsError, match="mixed"):
        sleuth.agent("semi:mixed=yes,simulations=20", "cheat", seed=1)
