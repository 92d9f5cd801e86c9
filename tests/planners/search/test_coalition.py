"""Who gets what of a win, backed up through trees small enough to compute by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Decision, Game, Play, Search
from sleuth.errors import SettingsError
from sleuth.games.small import payoff, tree_game, turn
from sleuth.search import coalition_reduction

HIDER, FIRST, SECOND = range(3)
TEAMS = ["hider", "seekers", "seekers"]
CAUGHT_BY_FIRST, CAUGHT_BY_SECOND, FREE = payoff(0, 1, 0), payoff(0, 0, 1), payoff(1, 0, 0)

#: The first chooses who wins.
CHASE = tree_game(turn(FIRST, CAUGHT_BY_FIRST, CAUGHT_BY_SECOND, FREE))
#: All three move before the second catches the hider.
LINE = tree_game(turn(HIDER, turn(FIRST, turn(SECOND, CAUGHT_BY_SECOND))))


def searched(game: Game, mover: int, **options: Any) -> Decision:
    view = Play.new(game, seed=0).view(mover)
    return Search(game, **options).decide(view, budget=Budget(simulations=300), seed=1)


def values(decision: Decision) -> list[float]:
    return [decision[action].value for action in range(len(decision.actions))]


def test_the_matrix_is_that_of_the_equation() -> None:
    assert coalition_reduction(TEAMS, 0.25).tolist() == [[1, 0, 0], [0, 1, 0.75], [0, 0.75, 1]]
    assert coalition_reduction([0, 0, 1, 1], 0.5).tolist() == [
        [1, 0.5, 0, 0],
        [0.5, 1, 0, 0],
        [0, 0, 1, 0.5],
        [0, 0, 0.5, 1],
    ]
    assert np.array_equal(coalition_reduction(["a", "b", "c"], 0.5), np.eye(3))
    assert np.array_equal(coalition_reduction(TEAMS, 1), np.eye(3))


def test_as_in_the_paper_a_team_can_be_credited_from_the_side_of_who_searches() -> None:
    found = coalition_reduction(TEAMS, 0.1, searcher=SECOND).tolist()
    assert found == [[1, 0, 0], [0, 0.9, 1], [0, 0.9, 1]]


def test_opponents_can_get_what_the_searcher_does_not() -> None:
    found = coalition_reduction(TEAMS, 0.1, searcher=SECOND, zero_sum=True)
    assert found == pytest.approx(np.array([[1, 0.1, 0], [0, 0.9, 1], [0, 0.9, 1]]))
    # Of all that is won, he gets a part and they the rest.
    assert found[HIDER] + found[SECOND] == pytest.approx([1, 1, 1])
    with pytest.raises(SettingsError, match="name the searcher"):
        coalition_reduction(TEAMS, 0.1, zero_sum=True)


@pytest.mark.parametrize("r", [0.0, 0.5, 1.0])
def test_a_win_of_the_other_seeker_is_worth_1_minus_r(r: float) -> None:
    decision = searched(CHASE, FIRST, credits=coalition_reduction(TEAMS, r))
    assert values(decision) == pytest.approx([1.0, 1.0 - r, 0.0])


def test_in_a_plain_team_all_share_and_it_does_not_matter_who_wins() -> None:
    shares = [[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]]
    assert values(searched(CHASE, FIRST, credits=shares)) == pytest.approx([0.5, 0.5, 0.0])
    assert values(searched(CHASE, FIRST)) == pytest.approx([1.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "credits, expected",
    [
        # What "the second catches" is worth to the hider, the first and the second.
        (coalition_reduction(TEAMS, 0.0), (0.0, 1.0, 1.0)),
        (coalition_reduction(TEAMS, 0.5), (0.0, 0.5, 1.0)),
        (coalition_reduction(TEAMS, 1.0), (0.0, 0.0, 1.0)),
        (coalition_reduction(TEAMS, 0.5, searcher=FIRST), (0.0, 0.5, 0.5)),
        ([[1, 0, 0], [0, 0.5, 0.5], [0, 0.5, 0.5]], (0.0, 0.5, 0.5)),
    ],
)
@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_every_node_is_credited_from_its_own_players_side(
    credits: Any, expected: tuple[float, ...], discount: float
) -> None:
    # One way through, so every average is one number: a return counts discount ** plies.
    node = searched(LINE, HIDER, credits=credits, discount=discount).tree.root
    for plies, worth in zip((3, 2, 1), expected, strict=True):
        [edge] = node.edges
        assert edge.value == pytest.approx(worth * discount**plies)
        node = edge.children[0] if edge.children else node


def test_discount_shrinks_returns_before_they_are_shared() -> None:
    # Returns from -1 to 1, mapped by (r + 1) / 2. Two plies before the end with discount 0.9 they
    # are 0.81 of (-1, 1, -1): mapped (0.095, 0.905, 0.095). The first has 0.905 + 0.5 * 0.095 =
    # 0.9525; one ply before the end the second has 0.05 + 0.5 * 0.95 = 0.525.
    game = tree_game(turn(FIRST, turn(SECOND, payoff(-1, 1, -1))))
    decision = searched(game, FIRST, credits=coalition_reduction(TEAMS, 0.5), discount=0.9)
    [edge] = decision.tree.root.edges
    assert edge.value == pytest.approx(2 * 0.9525 - 1)
    [after] = edge.children[0].edges
    assert after.value == pytest.approx(2 * 0.525 - 1)
    assert decision[0].value == pytest.approx(2 * 0.9525 - 1)


@pytest.mark.parametrize("r, who", [(0.0, 1), (0.1, 1), (0.5, 0), (1.0, 0)])
def test_the_less_a_win_is_shared_the_rather_a_seeker_tries_herself(r: float, who: int) -> None:
    # The first may catch the hider herself in two ways of three (someone goes at random), or leave
    # it to the second who surely does: 2/3 against 1 - r.
    at_random = turn(HIDER, CAUGHT_BY_FIRST, CAUGHT_BY_FIRST, FREE)
    game = tree_game(turn(FIRST, at_random, CAUGHT_BY_SECOND))
    decision = searched(
        game, FIRST, credits=coalition_reduction(TEAMS, r), searched=(False, True, True)
    )
    assert decision.action == who
