"""Opponents who follow a policy in a share of the simulations, and are searched in the rest."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth import Budget, Decision, Play, Search, kernel
from sleuth.agents import parse_agent
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker, payoff, tree_game, turn

# Action 0 wins 0.3. After action 1 the other can answer so that one wins 1, or loses 1.
TRAP = tree_game(turn(0, payoff(0.3, -0.3), turn(1, payoff(1, -1), payoff(-1, 1))))


@kernel(allocates=False)
def careless(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    return 0


def decided(share: float, trust: float = 1.0) -> Decision:
    """What a search finds whose opponent is searched in so many simulations."""
    search = Search(TRAP, policy=careless, searched=(1.0, share), exploration=0.3)
    budget = Budget(simulations=1_500)
    return search.decide(Play.new(TRAP, seed=0).view(0), budget=budget, seed=1, trust=trust)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("share, action", [(0.0, 1), (0.15, 1), (0.6, 0), (1.0, 0)])
def test_the_trap_is_worth_what_the_opponent_lets_it(share: float, action: int) -> None:
    # It wins 1 from a careless opponent and -1 from one who plays well: 1 - 2 share, and it is
    # taken where that is more than 0.3.
    found = decided(share)
    assert found.action == action
    if action == 1:  # else it is hardly tried, and the opponent learns little
        assert found[1].value == pytest.approx(1 - 2 * share, abs=0.1)


@pytest.mark.usefixtures("plain_python")
def test_without_trust_opponents_are_searched() -> None:
    assert decided(0.0, trust=0.0).actions == decided(1.0).actions
    assert decided(0.0, trust=0.6).actions == decided(0.4).actions


def test_trust_is_in_what_opponents_do_alone() -> None:
    with pytest.raises(SettingsError, match="alone=yes"):
        parse_agent("mcts:trust=0.5").prepare(kuhn_poker())
    with pytest.raises(SettingsError, match="trust must be"):
        parse_agent("mcts:alone=yes,trust=2").prepare(kuhn_poker())
