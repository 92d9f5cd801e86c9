"""Semi-determinization: each way of the last action is searched, and weighed by its chance."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Budget, Decision, Play, Search
from sleuth.agents import parse_agent
from sleuth.errors import SettingsError
from sleuth.games.small import by_world, kuhn_poker, payoff, tree_game, turn
from sleuth.kit import View, generator
from sleuth.planners.search.kernels.tree import NODES
from sleuth.planners.viewing.tree_walk import edges_of
from sleuth.search import ActionReport, DeterminedWay, Options, Widening, from_list

from .plain_search import PlainSearch, Xorshift

# Somebody claims something, and it is so in world 0 and not so in world 1. To call wins 1 if it is
# not so and loses 1 if it is; to let it pass wins 0.2; a third way wins 0.6 or loses 0.6.
GAME = tree_game(
    turn(0, by_world((-1, 1), (1, -1)), payoff(0.2, -0.2), by_world((0.6, -0.6), (-0.6, 0.6))),
    worlds=[1, 1],
)
CALL, PASS, THIRD = range(3)


def view() -> View:
    return Play.new(GAME, seed=0).view(0)


def ways(so: float) -> list[DeterminedWay]:
    return [DeterminedWay(from_list([[0]]), so), DeterminedWay(from_list([[1]]), 1 - so)]


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
    one = [DeterminedWay(from_list([[0], [1]], [0.9, 0.1]), 1.0)]
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
        Search(GAME).start(view(), ways=[DeterminedWay(from_list([[0]]), 0.4)])
    with pytest.raises(SettingsError, match="a tree of its own"):
        Search(GAME, trees=3).start(view(), ways=ways(0.5))
    with pytest.raises(SettingsError, match="least_share"):
        Search(GAME, least_share=0.0)
    with pytest.raises(SettingsError, match="nothing to lay open"):
        parse_agent("semi:simulations=10").prepare(kuhn_poker())


@pytest.mark.parametrize("so", [0.1, 0.5, 1.0])
def test_in_one_tree_values_are_the_same_averages(so: float) -> None:
    search = Search(GAME, one_tree=True)
    run = search.start(view(), ways=ways(so), seed=1, simulations=301)
    decision = run.extend(Budget(simulations=301)).decision()
    for action, value in {CALL: 1 - 2 * so, PASS: 0.2, THIRD: 1.2 * so - 0.6}.items():
        assert decision[action].value == pytest.approx(value, abs=1e-9)
    (branch,) = run.branches
    assert branch.worlds.states.world.tolist() == [0, 1] * 150
    assert [int(visits) for visits in branch.tree.visits[:2]] == [151, 150]
    assert decision.simulations == 301
    assert decision.lines[0][0] == f"{GAME.roles[0]}: {decision.name}"


def test_more_simulations_go_on_in_both_ways() -> None:
    run = Search(GAME, one_tree=True, worlds=6).start(view(), ways=ways(0.5), simulations=3)
    run.extend(Budget(simulations=3)).extend(Budget(simulations=100))
    (branch,) = run.branches
    assert branch.worlds.states.world.tolist() == [0, 1] * 3
    assert sum(branch.tree.visits[:2].tolist()) == 103
    assert abs(int(branch.tree.visits[0]) - int(branch.tree.visits[1])) <= 3


# The other answers without knowing the way.
ANSWERED = turn(0, turn(1, by_world((1, -1), (-1, 1)), payoff(0.5, -0.5)), payoff(0.2, -0.2))
REPLY = tree_game(ANSWERED, worlds=[1, 1])


@pytest.mark.parametrize("counts_from", [2, 1])
@pytest.mark.parametrize("each_leaves", [False, True])
def test_ways_that_meet_share_a_node(each_leaves: bool, counts_from: int) -> None:
    leaving = np.eye(2) if each_leaves else None
    options = Options(one_tree=True, leaving=leaving, counts_from=counts_from)
    search = Search(REPLY, options)
    reply = Play.new(REPLY, seed=0).view(0)
    run = search.start(reply, ways=ways(0.5), seed=3, simulations=100)
    run.extend(Budget(simulations=100))
    (branch,) = run.branches
    plain = PlainSearch(
        root=ANSWERED,
        lowest=REPLY.lowest,
        highest=REPLY.highest,
        random=Xorshift(int(generator(3, 2, 0)[0])),
        worlds=branch.worlds.states.world.tolist(),
        knows=[False, False],
        roots=2,
        each_leaves=each_leaves,
        counts_from=counts_from,
    )
    plain.run(100)
    tree = branch.tree
    assert int(tree.used[NODES]) == 3  # a root for each way, and one node after it
    for node, key in enumerate([(0, 0, ()), (0, 1, ()), (1, None, (0,))]):
        expected = plain.nodes[key]
        assert int(tree.visits[node]) == expected.visits
        found = [
            (int(tree.edge_visits[edge]), int(tree.available[edge]), float(tree.values[edge]))
            for edge in edges_of(tree, node)
        ]
        assert found == [
            (edge.visits, edge.available, edge.value) for edge in expected.edges.values()
        ]


def test_a_tree_with_several_roots_is_widened_at_each() -> None:
    options = Options(one_tree=True, widening=Widening(factor=0.1, least_actions=2))
    run = Search(GAME, options).start(view(), ways=ways(0.5), seed=1, simulations=12)
    run.extend(Budget(simulations=12))
    tree = run.branches[0].tree
    first, second = ([int(tree.actions[e]) for e in edges_of(tree, root)] for root in (0, 1))
    assert first == second
    assert sorted(first) == [CALL, PASS, THIRD]
    total = sum(int(tree.edge_visits[edge]) for root in (0, 1) for edge in edges_of(tree, root))
    assert total == 12


def test_one_tree_gives_each_way_the_same() -> None:
    with pytest.raises(SettingsError, match="as many simulations as any other"):
        Search(GAME, one_tree=True, least_share=0.1).start(view(), ways=ways(0.5))


def test_an_action_that_a_way_has_not_tried_is_not_taken() -> None:
    decision = Search(GAME).decide(view(), budget=Budget(simulations=4), ways=ways(0.5), seed=3)
    untried = [each for each in decision.actions if np.isnan(each.value)]
    assert untried
    assert decision.action not in {each.action for each in untried}
