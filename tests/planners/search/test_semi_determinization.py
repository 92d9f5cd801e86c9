"""Semi-determinization: each way of the last action is searched, and weighed by its chance."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.data.errors import SettingsError
from sleuth.models.play import Play, View
from sleuth.models.small.kuhn_poker import kuhn_poker
from sleuth.models.small.tree_game import by_world, payoff, tree_game, turn
from sleuth.planners import Budget, Search
from sleuth.planners.agents.names import parse_agent
from sleuth.planners.search.decision import ActionReport, Decision
from sleuth.planners.search.determinization import from_list
from sleuth.planners.search.semi_determinization import Determined

# Somebody claims something, and it is so in world 0 and not so in world 1. To call wins 1 if it is
# not so and loses 1 if it is; to let it pass wins 0.2; a third way wins 0.6 or loses 0.6.
GAME = tree_game(
    turn(0, by_world((-1, 1), (1, -1)), payoff(0.2, -0.2), by_world((0.6, -0.6), (-0.6, 0.6))),
    worlds=[1, 1],
)
CALL, PASS, THIRD = range(3)


def view() -> View:
    return Play.new(GAME, seed=0).view(0)


def ways(so: float) -> list[Determined]:
    return [Determined(from_list([[0]]), so), Determined(from_list([[1]]), 1 - so)]


@pytest.mark.parametrize("so", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_values_are_the_averages_over_ways_by_their_chances(so: float) -> None:
    decision = Search(GAME).decide(view(), budget=Budget(simulations=300), ways=ways(so), seed=1)
    values = {CALL: 1 - 2 * so, PASS: 0.2, THIRD: 1.2 * so - 0.6}
    for action, value in values.items():
        assert decision[action].value == pytest.approx(value, abs=1e-9)
        low, high = decision[action].interval
        assert low == pytest.approx(high, abs=1e-6)  # payoffs of a way do not differ
    assert decision.action == max(values, key=lambda action: values[action])
    assert decision.simulations == 300


def test_what_is_tried_most_is_not_taken_where_another_is_worth_more() -> None:
    # Where it is so the third way is best, where not to call; over both it is best to pass.
    decision = Search(GAME).decide(view(), budget=Budget(simulations=400), ways=ways(0.45), seed=1)
    assert decision.action == PASS
    assert decision[CALL].visits + decision[THIRD].visits > decision[PASS].visits


def test_one_way_is_a_search_over_its_worlds() -> None:
    one = [Determined(from_list([[0], [1]], [0.9, 0.1]), 1.0)]
    budget = Budget(simulations=200)
    whole = Search(GAME).decide(view(), budget=budget, ways=one, seed=1)
    plain = Search(GAME).decide(view(), from_list([[0], [1]], [0.9, 0.1]), budget, seed=1)
    assert [(each.action, each.visits) for each in sorted_reports(whole)] == [
        (each.action, each.visits) for each in sorted_reports(plain)
    ]


def sorted_reports(decision: Decision) -> list[ActionReport]:
    return sorted(decision.actions, key=lambda each: each.action)


def made(so: float, least_share: float | None) -> list[int]:
    """Simulations of each way."""
    run = Search(GAME, least_share=least_share).start(view(), ways=ways(so), simulations=200)
    run.extend(Budget(simulations=200))
    return [branch.simulations for branch in run.branches]


def test_simulations_go_evenly_or_by_chances_but_for_a_least_share() -> None:
    assert made(0.9, None) == [100, 100]
    assert made(0.75, 0.1) == [150, 50]
    few = made(1.0, 0.25)
    assert few == [160, 40]  # 1 and 0.25, in proportion


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SettingsError, match="add up to 1"):
        Search(GAME).start(view(), ways=[Determined(from_list([[0]]), 0.4)])
    with pytest.raises(SettingsError, match="a tree of its own"):
        Search(GAME, trees=3).start(view(), ways=ways(0.5))
    with pytest.raises(SettingsError, match="least_share"):
        Search(GAME, least_share=0.0)
    with pytest.raises(SettingsError, match="nothing to lay open"):
        parse_agent("semi:simulations=10").prepare(kuhn_poker())


def test_an_action_that_a_way_has_not_tried_is_not_taken() -> None:
    decision = Search(GAME).decide(view(), budget=Budget(simulations=4), ways=ways(0.5), seed=3)
    untried = [each for each in decision.actions if np.isnan(each.value)]
    assert untried
    assert decision.action not in {each.action for each in untried}
