"""Liar's dice and Goofspiel by OpenSpiel's rules: both play the same games, and look the same."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, game
from sleuth.equilibria import GameTree, exploitability

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms import exploitability as theirs  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

#: With ``SLEUTH_FUZZ`` thousands of games of each are played.
MANY = 40 if os.environ.get("SLEUTH_FUZZ") else 1
DICE = [(1, 6, 60), (2, 6, 40), (2, 2, 60), (3, 4, 20)]
CARDS = [(4, 40), (5, 20), (6, 10), (13, 5)]


def liars_dice(dice: int, sides: int) -> tuple[Game, Any]:
    made = game("liars_dice_for_many", players=2, dice=dice, sides=sides, wild=True)
    return made, pyspiel.load_game("liars_dice", {"numdice": dice, "dice_sides": sides})


def goofspiel(cards: int, **settings: Any) -> tuple[Game, Any]:
    made = game("goofspiel", cards=cards, **settings)
    names = {"order": "points_order", "payoff": "returns_type"}
    chosen = {"points_order": "random", "returns_type": "point_difference"}
    chosen |= {names[name]: value for name, value in settings.items() if name in names}
    chosen |= {name: value for name, value in settings.items() if name not in names}
    their = pyspiel.load_game("goofspiel", {"imp_info": True, "num_cards": cards, **chosen})
    return made, pyspiel.convert_to_turn_based(their)


class Alike:
    """What a player saw in both: the same here exactly where it is the same there."""

    def __init__(self) -> None:
        self.pairs: dict[Any, Any] = {}
        self.back: dict[Any, Any] = {}

    def see(self, play: Play, other: Any) -> None:
        player = other.current_player()
        ours = (player, play.view(player).data, play.seen_by(player).digest)
        their = (player, other.information_state_string(player))
        assert self.pairs.setdefault(ours, their) == their
        assert self.back.setdefault(their, ours) == ours


def moved(play: Play, other: Any, rng: np.random.Generator) -> None:
    assert play.player == other.current_player()
    assert play.legal().tolist() == other.legal_actions()
    action = int(rng.choice(other.legal_actions()))
    play.apply(action)
    other.apply_action(action)


@pytest.mark.parametrize("dice, sides, games", DICE)
def test_openspiel_plays_the_same_liars_dice(dice: int, sides: int, games: int) -> None:
    rng, alike = np.random.default_rng(1), Alike()
    made, their = liars_dice(dice, sides)
    for _ in range(MANY * games):
        other, start = their.new_initial_state(), made.states(1)
        start[0].bid = start[0].loser = -1
        for place in range(2 * dice):
            face = int(rng.integers(sides))
            start[0].hands[place // dice, face] += 1
            other.apply_action(face)
        play = Play.new(made, seed=0, start=start)
        while not other.is_terminal():
            alike.see(play, other)
            moved(play, other, rng)
        assert play.over
        assert play.returns().tolist() == other.returns()


@pytest.mark.parametrize("settings", [
    {"order": "descending", "payoff": "win_loss"},
    {"order": "ascending"},
    {"payoff": "win_loss"},
])  # fmt: skip
@pytest.mark.parametrize("cards, games", CARDS)
def test_openspiel_plays_the_same_goofspiel(
    settings: dict[str, Any], cards: int, games: int
) -> None:
    rng = np.random.default_rng(1)
    for players in (2, 3) if cards < 6 else (2,):
        alike = Alike()
        made, their = goofspiel(cards, players=players, **settings)
        for seed in range(MANY * games):
            play, other = Play.new(made, seed=seed), their.new_initial_state()
            while not other.is_terminal():
                if other.is_chance_node():
                    other.apply_action(int(play.truth()[0].prize))
                    continue
                alike.see(play, other)
                moved(play, other, rng)
            for _ in range(players):  # there the last cards are bid without being asked for
                play.apply(int(*play.legal()))
            assert play.over
            assert play.returns() == pytest.approx(other.returns())
            assert made.lowest <= play.returns().min() <= play.returns().max() <= made.highest


@pytest.mark.parametrize("pair", [
    liars_dice(1, 3),
    liars_dice(2, 2),
    goofspiel(4, order="descending", payoff="win_loss"),
    goofspiel(3),
])  # fmt: skip
def test_a_best_response_to_chance_wins_as_much_as_in_openspiel(pair: tuple[Game, Any]) -> None:
    made, their = pair
    tree = GameTree(made)
    number = theirs.exploitability(their, UniformRandomPolicy(their))
    assert exploitability(tree, tree.uniform_policy()).exploitability == pytest.approx(number)
