"""Poker among more than two, by OpenSpiel's rules: both play the same games, and look the same."""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, check_game, game
from sleuth.equilibria import GameTree, exploitability
from sleuth.kit import Sight, display

pyspiel = pytest.importorskip("pyspiel")

#: With ``SLEUTH_FUZZ`` thousands of games of each are played, and a larger game is written out.
FUZZ = bool(os.environ.get("SLEUTH_FUZZ"))
#: Games of each, times the number of players.
SEATS = 6_000 if FUZZ else 120

pytestmark = pytest.mark.usefixtures("plain_python")


def kuhn_deal(made: Game, rng: np.random.Generator) -> tuple[list[int], Any]:
    chance, start = rng.permutation(made.players + 1).tolist(), made.initial(0)
    start[0].cards[:] = chance[: made.players]
    return chance, start


def leduc_deal(made: Game, rng: np.random.Generator) -> tuple[list[int], Any]:
    # Two suits: a card's number there is twice its rank, and one more in the second suit.
    chance, start = rng.permutation(2 * made.players + 2).tolist(), made.initial(0)
    start[0].cards[:] = [card // 2 for card in chance[: made.players]]
    start[0].table = chance[made.players] // 2
    return chance, start


def told(other: Any, player: int) -> str:
    """What a player knows there, without the suits, which mean nothing here."""
    text = other.information_state_string(player)
    return re.sub(r"(Private|Public): (\d+)", lambda card: f"{int(card[2]) // 2}", text)


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
@pytest.mark.parametrize("name, deal", [("kuhn_poker", kuhn_deal), ("leduc_poker", leduc_deal)])
def test_openspiel_plays_the_same_poker(name: str, deal: Any, players: int) -> None:
    rng = np.random.default_rng(players)
    made, their = game(name, players=players), f"{name}(players={players})"
    pairs: dict[Any, Any] = {}
    back: dict[Any, Any] = {}
    for _ in range(SEATS // players):
        other = pyspiel.load_game(their).new_initial_state()
        chance, start = deal(made, rng)
        play = Play.new(made, seed=0, start=start)
        while not other.is_terminal():
            if other.is_chance_node():
                other.apply_action(chance.pop(0))
                continue
            player = other.current_player()
            ours = (player, play.view(player).data, play.seen_by(player).digest)
            seen = (player, told(other, player))
            assert pairs.setdefault(ours, seen) == seen
            assert back.setdefault(seen, ours) == ours
            assert play.player == player
            assert play.legal().tolist() == other.legal_actions()
            action = int(rng.choice(other.legal_actions()))
            play.apply(action)
            other.apply_action(action)
        assert play.over
        assert play.returns() == pytest.approx(other.returns())
        assert made.lowest <= play.returns().min() <= play.returns().max() <= made.highest


@pytest.mark.parametrize("name", ["kuhn_poker", *["leduc_poker"] * FUZZ])
def test_best_responses_to_chance_win_as_much_as_in_openspiel(name: str) -> None:
    tree = GameTree(game(name, players=3))
    their = pyspiel.load_game(name, {"players": 3})
    number = pyspiel.nash_conv(their, pyspiel.UniformRandomPolicy(their))
    assert exploitability(tree, tree.uniform_policy()).nash_conv == pytest.approx(number)


@pytest.mark.parametrize("name, moves, returns, chances", [
    ("kuhn_poker", (1, 0, 1), [-2, -1, 3], {"ten": 0.5, "jack": 0.5}),
    ("leduc_poker", (1, 1, 1, 2, 0, 1), [-5, -1, 6],
     {"ten": 0.4, "jack": 0.2, "queen": 0.2, "king": 0.2}),
])  # fmt: skip
def test_who_folds_shows_nothing_and_all_others_show(
    name: str, moves: tuple[int, ...], returns: list[int], chances: dict[str, float]
) -> None:
    made = game(name, players=3)
    start = made.initial(0)
    start[0].cards[:] = 2, 0, 3
    if name == "leduc_poker":
        start[0].table = 1
    play = Play.new(made, seed=0, start=start)
    for action in moves:
        play.apply(action)
    assert play.returns().tolist() == returns
    asked, words = belief(made), display(made)
    hand = asked.hidden(play.view(0))["card of second"]
    found = asked.infer(play.view(0), play.seen_by(0)).marginal(hand)
    assert {words.value_name(hand, value): found[value] for value in found} == pytest.approx(
        chances
    )
    said = words.sentence(Sight.of(play, 0, (0,)), len(moves) - 1)
    assert [rank in said for rank in ("ten", "jack", "queen", "king")] == [False, False, True, True]


def test_equal_cards_share_an_odd_pot() -> None:
    made = game("leduc_poker", players=3)
    start = made.initial(0)
    start[0].cards[:], start[0].table = (2, 2, 1), 3
    play = Play.new(made, seed=0, start=start)
    for action in (1, 1, 1, 1, 1, 2, 1, 1):
        play.apply(action)
    assert play.returns().tolist() == [2.5, 2.5, -5]


def test_the_cards_are_said_by_their_names() -> None:
    said = [display(game(name, players=9)).rules for name in ("kuhn_poker", "leduc_poker")]
    assert said[0].startswith("The cards are four, five, six, seven, eight, nine, ten, jack, queen")
    assert said[1].startswith("There are two fours, two fives, two sixes, two sevens,")


@pytest.mark.parametrize("name, players", [
    ("kuhn_poker", 2),
    ("kuhn_poker", 3),
    ("leduc_poker", 3),
    ("kuhn_poker", 5),
    ("leduc_poker", 5),
])  # fmt: skip
def test_the_contract_is_kept_and_nothing_leaks(name: str, players: int) -> None:
    check_game(game(name, players=players), plays=1)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
@pytest.mark.parametrize("players", [1, 11])
def test_tables_that_cannot_be_are_refused(name: str, players: int) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game(name, players=players)
