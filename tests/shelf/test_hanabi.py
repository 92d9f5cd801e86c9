"""Hanabi: what is built, what hints tell, and cards that only their owner does not see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, game
from sleuth.apps.play.verdict import verdict
from sleuth.kit import display
from sleuth.shelf.hanabi import named

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL = ({"colours": 1, "ranks": 2, "hand": 1, "lives": 2},)


def keeps(play: Play) -> None:
    """Every copy of a card is in a hand, in the deck, or was shown."""
    state, sizes = play.truth()[0], play.game.tables
    there = [*state.deck[: state.left], *state.hands[state.hands >= 0]]
    assert (np.bincount(there, minlength=len(sizes.copies)) + state.gone == sizes.copies).all()
    assert (state.deck[state.left :] == -1).all()
    assert 0 <= state.hints <= sizes.hints
    assert 0 <= state.lives <= sizes.lives
    assert state.built.sum() == state.points
    for place, card in enumerate(state.hands.tolist()):
        assert card < 0 or named(sizes)[card] in named(sizes, int(state.facts[place]))
    if play.over:
        assert (play.returns() == (state.points if state.lives else 0)).all()


def orders(counts: list[int]) -> Iterator[list[int]]:
    """Every order of so many copies of each card, once."""
    if not any(counts):
        yield []
    for card, count in enumerate(counts):
        if count:
            for rest in orders([each - (card == at) for at, each in enumerate(counts)]):
                yield [card, *rest]


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """The cards in any order, the last ones in the hands."""
    first, copies = made.initial(0), made.tables.copies.tolist()
    left = int(first[0].left)
    for order in orders(copies):
        states = first.copy()
        states[0].deck[:left] = order[:left]
        states[0].hands[:] = order[left:][::-1]
        yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The card in each place of a hand."""
    cards = enumerate(world.state.hands.tolist())
    return {f"card 1 of p{1 + player}": f"red {1 + card}" for player, card in cards if card >= 0}


def by_name(play: Play, name: str) -> int:
    return next(code for code in play.legal().tolist() if play.game.action_name(code) == name)


def test_a_hint_says_of_every_card_whether_it_fits() -> None:
    play = Play.new(game("hanabi"), seed=1)
    cards = [named(play.game.tables)[card] for card in play.truth()[0].hands[2:]]
    play.apply(by_name(play, "tell p2 red"))
    known = belief(play.game).infer(play.view(1), play.seen_by(1))
    for place, card in enumerate(cards):
        found = known.marginal(belief(play.game).hidden(play.view(1))[f"card {1 + place} of p2"])
        assert {each.split()[0] for each, chance in found.items() if chance} == {card.split()[0]}
    assert play.truth()[0].hints == 2


def test_without_lives_nothing_counts_and_what_fits_is_built() -> None:
    play = Play.new(game("hanabi", colours=1, lives=1), seed=1)
    while not play.over:
        state = play.truth()[0]
        built, points = int(state.built[0]), int(state.points)
        card = int(state.hands[2 * state.player])
        play.apply(by_name(play, "play 1"))
        fits = card == built
        assert play.truth()[0].points == points + fits
        assert play.over == (not fits)
    assert play.returns().tolist() == [0, 0]


def test_the_game_ends_a_turn_each_after_the_last_card_is_drawn() -> None:
    play = Play.new(game("hanabi", colours=1, hints=1), seed=3)
    turns = 0
    while not play.over:
        turns += play.truth()[0].left == 0
        name = "discard 1" if play.truth()[0].hints == 0 else f"tell p{2 - play.player} red"
        play.apply(by_name(play, name))
    assert turns == 2


def test_all_win_together_and_there_is_no_draw() -> None:
    play = Play.new(game("hanabi", colours=1, ranks=2, hand=1), seed=1)
    said = set[str]()
    for seed in range(12):
        play = Play.new(play.game, seed=seed)
        while not play.over:
            play.apply(by_name(play, "play 1"))
        points = int(play.returns()[0])
        said.add(verdict(display(play.game), play, (0,)))
        won = f"{points} point{'' if points == 1 else 's'}" if points else "nothing"
        assert verdict(display(play.game), play, (0,)) == f"Together you have won {won}."
    assert len(said) > 1


@pytest.mark.parametrize("settings", [{"players": 6}, {"ranks": 1}, {"lives": 0}, {"hints": 9}])
def test_sizes_that_cannot_be_are_refused(settings: Mapping[str, int]) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("hanabi", **settings)


def test_everything_can_be_built_and_its_numbers_are_in_their_bounds() -> None:
    """By players who see all cards: they play what fits, and else discard or tell something."""
    play = Play.new(game("hanabi", lives=8, hints=8), seed=2)
    sizes = play.game.tables
    while not play.over:
        state, hand = play.truth()[0], sizes.hand
        own = state.hands[state.player * hand :][:hand].tolist()
        fitting = [
            at for at, c in enumerate(own) if c % sizes.ranks == state.built[c // sizes.ranks]
        ]
        play.apply(fitting[0] if fitting else int(play.legal()[-1]))
        for name, field in play.game.fields.items():
            held = np.asarray(play.truth()[name])
            assert ((field.lowest <= held) & (held <= field.highest)).all(), name
    assert play.truth()[0].built.max() == 5


def test_hands_for_which_there_are_too_few_cards_are_refused() -> None:
    with pytest.raises(SleuthError, match=r"players \* hand.*from 2 to 12"):
        game("hanabi", players=4, ranks=3, hand=4)
