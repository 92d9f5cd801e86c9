"""Poker among more than two, by OpenSpiel's rules: both play the same games, and look the same."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, check_game, game
from sleuth.equilibria import GameTree, exploitability
from sleuth.kit import Sight, display

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import exploitability as theirs  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

#: With ``SLEUTH_FUZZ`` thousands of games of each are played.
GAMES = 3_000 if os.environ.get("SLEUTH_FUZZ") else 60

pytestmark = pytest.mark.usefixtures("plain_python")


def kuhn_deal(made: Game, rng: np.random.Generator) -> tuple[list[int], Any]:
    chance, start = rng.permutation(made.players + 1).tolist(), made.initial(0)
    start[0].cards[:] = chance[: made.players]
    return chance, start


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
def test_openspiel_plays_the_same_kuhn_poker(players: int) -> None:
    rng = np.random.default_rng(players)
    made, their = game("kuhn_poker", players=players), f"kuhn_poker(players={players})"
    pairs: dict[Any, Any] = {}
    back: dict[Any, Any] = {}
    for _ in range(GAMES):
        other = pyspiel.load_game(their).new_initial_state()
        chance, start = kuhn_deal(made, rng)
        play = Play.new(made, seed=0, start=start)
        while not other.is_terminal():
            if other.is_chance_node():
                other.apply_action(chance.pop(0))
                continue
            player = other.current_player()
            ours = (player, play.view(player).data, play.seen_by(player).digest)
            seen = (player, other.information_state_string(player))
            assert pairs.setdefault(ours, seen) == seen
            assert back.setdefault(seen, ours) == ours
            assert play.player == player
            assert play.legal().tolist() == other.legal_actions()
            action = int(rng.choice(other.legal_actions()))
            play.apply(action)
            other.apply_action(action)
        assert play.over
        assert play.returns().tolist() == other.returns()


def test_best_responses_to_chance_win_as_much_as_in_openspiel() -> None:
    tree = GameTree(game("kuhn_poker", players=3))
    their = pyspiel.load_game("kuhn_poker(players=3)")
    number = theirs.nash_conv(their, UniformRandomPolicy(their))
    assert exploitability(tree, tree.uniform_policy()).nash_conv == pytest.approx(number)


def test_who_folds_shows_nothing_and_all_others_show() -> None:
    made = game("kuhn_poker", players=3)
    start = made.initial(0)
    start[0].cards[:] = 2, 0, 3
    play = Play.new(made, seed=0, start=start)
    for action in (1, 0, 1):
        play.apply(action)
    assert play.returns().tolist() == [-2, -1, 3]
    asked, hand = belief(made), "card of second"
    known = asked.infer(play.view(0), play.seen_by(0))
    assert known.marginal(asked.hidden(play.view(0))[hand]) == {"ten": 0.5, "jack": 0.5}
    said = display(made).sentence(Sight.of(play, 0, (0,)), 2)
    assert [rank in said for rank in ("ten", "jack", "queen", "king")] == [False, False, True, True]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_contract_is_kept_and_nothing_leaks(players: int) -> None:
    check_game(game("kuhn_poker", players=players), plays=2)


@pytest.mark.parametrize("players", [1, 11])
def test_tables_that_cannot_be_are_refused(players: int) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("kuhn_poker", players=players)
