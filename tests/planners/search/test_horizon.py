"""Simulations that are broken off: what is credited is what the evaluation says there."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth import Budget, Decision, Play, Search, game, kernel
from sleuth.agents import parse_agent, search_agent
from sleuth.errors import SettingsError
from sleuth.games.small import payoff, tree_game, turn

#: After one action of the first player, one of the second; or the game is over at once.
LATER = tree_game(turn(0, turn(1, payoff(1, -1), payoff(-1, 1)), payoff(0.25, -0.25)))


@kernel
def by_player(state: Any, player: int, tables: Any) -> float:
    return 0.5 if player == 0 else -0.75


def searched(**options: Any) -> Decision:
    view = Play.new(LATER, seed=0).view(0)
    return Search(LATER, **options).decide(view, budget=Budget(simulations=100))


def test_what_is_broken_off_counts_as_evaluated_and_what_ends_as_it_ended() -> None:
    decision = searched(horizon=1, evaluate=by_player)
    assert {report.action: report.value for report in decision.actions} == pytest.approx(
        {0: 0.5, 1: 0.25}
    )


def test_with_a_horizon_beyond_the_end_nothing_is_evaluated() -> None:
    assert searched(horizon=2, evaluate=by_player).actions == searched().actions


def test_those_who_share_in_it_are_evaluated_and_others_are_not_asked() -> None:
    shared = searched(horizon=1, evaluate=by_player, credits=[[0.5, 0.5], [0.5, 0.5]])
    # Mapped to [0, 1]: 0.75 and 0.125, half of each.
    assert shared[0].value == pytest.approx(2 * (0.75 + 0.125) / 2 - 1)
    alone = searched(horizon=1, evaluate=by_player, searched=(True, False))
    assert alone[0].value == pytest.approx(0.5)


@pytest.mark.parametrize("options", [{"horizon": 2}, {"evaluate": by_player}])
def test_a_horizon_and_an_evaluation_need_each_other(options: Any) -> None:
    with pytest.raises(SettingsError, match="needs an evaluation"):
        Search(LATER, **options)
    with pytest.raises(SettingsError, match="horizon"):
        Search(LATER, horizon=0, evaluate=by_player)


def test_an_agent_takes_an_evaluation_of_the_games_advice() -> None:
    saboteur = game("saboteur", rules="tight", hand=2, stock=0)
    play = Play.new(saboteur, seed=1)
    agent = search_agent("mcts:simulations=50,evaluation=prospects", saboteur, seed=1)
    decision = agent.decision(play.view(0), play.seen_by(0))
    assert decision.action in play.legal()
    for text, what in (
        ("evaluation=prospect", "did you mean 'prospects'"),
        ("horizon=0", "horizon"),
    ):
        with pytest.raises(SettingsError, match=what):
            parse_agent(f"mcts:{text}").prepare(saboteur)
    with pytest.raises(SettingsError, match="offers none"):
        parse_agent("mcts:horizon=3").prepare(game("kuhn_poker"))
