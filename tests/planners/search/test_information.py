"""Information as a reward: what is learned later counts where it is decided that it can be."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Decision, Play, Search, SearchAgent, game
from sleuth.agents import parse_agent
from sleuth.planners.agents.agent import Valuing
from sleuth.planners.search.runs.asking import until_asking
from sleuth.search import Learning

NAMES = ("following", "asking_games", "decision_problems", "toy_questions")


@pytest.fixture(scope="module")
def games() -> ModuleType:
    return importlib.import_module("benchmarks.information.toy_questions")


@pytest.fixture(scope="module")
def problems(games: ModuleType) -> ModuleType:
    return importlib.import_module("benchmarks.information.decision_problems")


def decided(games: ModuleType, simulations: int = 1_500, **learning: Any) -> Decision:
    game, belief = games.toy()
    agent = SearchAgent(
        search=Search(game),
        belief=belief,
        budget=Budget(simulations=simulations),
        learning=Learning(gain_weight=1.0, **learning),
        seed=1,
    )
    play = Play.new(game, seed=1)
    return agent.decision(play.view(0), play.seen_by(0))


@pytest.mark.parametrize("asks", [True, False])
def test_a_question_that_makes_another_one_telling_is_found_two_decisions_ahead(
    games: ModuleType, asks: bool
) -> None:
    one, two = (decided(games, depth=depth, asks=asks) for depth in (1, 2))
    # By hand: the third question tells the bit in one case of four. Either of the first two tells
    # nothing, and with the other all of it.
    assert one.action == 2
    assert one[2].gain == pytest.approx(0.25)
    assert one[2].later == 0.0
    assert two.action in (0, 1)
    assert two[two.action].gain == pytest.approx(0.0, abs=1e-9)
    assert 0.9 < two[two.action].later <= 1.0 + 1e-9
    assert two[two.action].score == pytest.approx(
        two[two.action].value + two[two.action].later, abs=1e-9
    )


def test_what_is_learned_later_can_count_for_less(games: ModuleType) -> None:
    half = decided(games, depth=2, discount=0.5)
    assert half.action in (0, 1)
    assert half[half.action].later == pytest.approx(0.5, abs=0.05)
    assert decided(games, depth=2, discount=0.1).action == 2


def test_the_same_seed_gives_the_same_decision_with_questions_in_between(
    games: ModuleType,
) -> None:
    first, second = (decided(games, depth=2).to_json() for _ in range(2))
    for found in (first, second):
        found["seconds"] = found["learning"]["seconds"] = 0.0
    assert first == second
    assert first["learning"]["asked"] > 0


def test_the_values_of_the_toy_are_those_of_enumeration(games: ModuleType) -> None:
    assert games.toy_values(1_000) == {"depth1": 0.25, "depth2": 1.0, "exact": 1.0}


@pytest.mark.usefixtures("plain_python")
def test_in_small_decision_problems_a_search_decides_nearly_as_well_as_can_be(
    problems: ModuleType,
) -> None:
    shares = list(problems.pomdp_shares(3, 500, seed=7))
    assert max(shares) <= 1.0 + 1e-9
    assert np.mean(shares) > 0.97


def test_the_best_value_of_a_problem_is_that_of_its_best_action(problems: ModuleType) -> None:
    problem = problems.Problem.random(np.random.default_rng(3))
    best = problem.value(problem.start, problem.horizon, 0.5)
    by_action = [
        problem.action_value(problem.start, action, problem.horizon, 0.5)
        for action in range(problem.actions)
    ]
    assert best == max(by_action)
    # Of one decision: its reward and the drop of entropy, by hand.
    belief, action = problem.start, 0
    after = sum(share * problems.bits(then) for share, then in problem.after(belief, action))
    by_hand = float(belief @ problem.rewards[action]) + 0.5 * (problems.bits(belief) - after)
    assert problem.action_value(belief, action, 1, 0.5) == pytest.approx(by_hand)


def test_a_decision_says_what_each_part_of_a_score_is(games: ModuleType) -> None:
    exact, estimated = (decided(games, depth=2, asks=asks) for asks in (True, False))
    for decision in (exact, estimated):
        assert decision.gain_weight == 1.0
        for report in decision.actions:
            assert report.information == (report.gain or 0.0) + report.later
            assert report.score == report.value + report.information
        said = decision.to_json()
        assert said["gain_weight"] == 1.0
        assert [each["information"] for each in said["actions"]] == [
            each.information for each in decision.actions
        ]
        assert list(decision.to_frame().information) == [
            each.information for each in decision.actions
        ]
    told, counted = exact.learning, estimated.learning
    assert told is not None
    assert counted is not None
    # Without asking only the questions of the root are known exactly.
    assert told.asked > 0
    assert (counted.asked, counted.exact) == (0, len(estimated.actions))
    assert told.exact > counted.exact
    assert counted.estimated > 3
    lines = exact.summary().splitlines()
    assert lines[0].split()[-3:] == ["bits", "later", "score"]
    assert f"a bit counts 1; of what actions tell, {told.exact} are exact" in lines[-1]


def test_gains_that_are_kept_are_those_that_would_be_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call of the kernel looks all gains at the root up, and keeps those that do not change."""

    def told() -> list[tuple[int, int, float, float | None]]:
        found = []
        for name, text in (
            ("leduc_poker", "mcts:simulations=400,gain=0.5,depth=3"),
            ("saboteur", "mcts:simulations=128,gain=0.1,depth=2"),
        ):
            rules = game(name)
            play = Play.new(rules, seed=5)
            agent = parse_agent(text).prepare(rules)(7)
            assert isinstance(agent, Valuing)
            decision = agent.decision(play.view(play.player), play.seen_by(play.player))
            found += [
                (each.action, each.visits, each.value, each.gain) for each in decision.actions
            ]
        return found

    kept = told()
    monkeypatch.setattr(
        "sleuth.planners.search.runs.running.until_asking", lambda made, timed: made + 1
    )
    assert told() == kept


def test_rows_are_asked_about_more_seldom_as_time_goes_on() -> None:
    assert [until_asking(made, timed=False) for made in (0, 63, 64, 10_000)] == [
        64,
        64,
        128,
        10_048,
    ]
    assert [until_asking(made, timed=True) for made in (0, 63, 64)] == [64, 64, 128]
    assert until_asking(64_000, timed=True) == 64_000 + 64_000 // 32 // 64 * 64
