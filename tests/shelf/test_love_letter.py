"""Love Letter: what cards do, and what a play tells of the card that was kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, game
from sleuth.kit import NO_CARD

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

SMALL = ({"players": 2},)
#: Moves after which all worlds can be written out, and games in which they are.
MOVES, ASKED = 1, 1
CARDS = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
COPIES: tuple[int, ...] = (5, 2, 2, 2, 2, 1, 1, 1)
ROLES = ("first", "second", "third", "fourth")
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(8)


def keeps(play: Play) -> None:
    """No kind has more cards than the pack; whoever is in has a card, and whoever is out none."""
    state = play.truth()[0]
    there = [*state.deck[: state.left], *state.hands, state.drawn]
    found = np.bincount([card for card in there if card != NO_CARD], minlength=8)
    assert (found <= COPIES).all()
    assert [card == NO_CARD for card in state.hands] == state.out.astype(bool).tolist()
    assert (state.drawn == NO_CARD) == (play.over or state.card != NO_CARD)
    if play.over:
        best = max(state.hands)
        shares = (state.hands == best).sum()
        won = np.where(state.hands == best, 1.0 if shares == 1 else 0.0, -1.0)
        assert play.returns().tolist() == won.tolist()


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """Hands, the card drawn and the next one, each as likely as the pack makes it."""
    players, first = made.players, made.initial(0)
    for kinds in product(range(8), repeat=players + 2):
        left, weight = list(COPIES), 1.0
        for kind in kinds:
            weight *= left[kind]
            left[kind] -= 1
        if weight > 0 and min(left) >= 0:
            states = first.copy()
            state = states[0]
            state.hands[:], state.drawn = kinds[:players], kinds[players]
            rest = [kind for kind, number in enumerate(left) for _ in range(number)]
            state.deck[: state.left] = [*rest, *kinds[players + 1 :]]
            yield weight, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """Everybody's card."""
    hands = zip(ROLES, world.state.hands, strict=False)
    return {f"card of {role}": CARDS[card] for role, card in hands if card >= 0}


def table(first: int, second: int, drawn: int) -> Play:
    """A game of two with these cards, and guards on top of the deck."""
    states = game("love_letter").initial(1)
    counts = np.array(COPIES) - np.bincount([first, second, drawn], minlength=8)
    states[0].hands[:], states[0].drawn = (first, second), drawn
    states[0].deck[: states[0].left] = np.repeat(np.arange(8), counts)[::-1]
    return Play.new("love_letter", seed=1, start=states)


def ask(player: int, guess: int = 0) -> int:
    return 8 + 8 * player + guess


def test_a_guard_that_is_right_ends_a_game_of_two() -> None:
    play = table(GUARD, BARON, PRIEST)
    play.apply(GUARD)
    play.apply(ask(1, BARON))
    assert play.returns().tolist() == [1.0, -1.0]


@pytest.mark.parametrize("mine, theirs, won", [(KING, BARON, 1.0), (PRIEST, KING, -1.0)])
def test_the_baron_takes_the_lower_card_out(mine: int, theirs: int, won: float) -> None:
    play = table(mine, theirs, BARON)
    play.apply(BARON)
    play.apply(ask(1))
    assert play.returns().tolist() == [won, -won]


def test_the_princess_who_is_laid_down_is_out_and_others_draw_again() -> None:
    play = table(PRINCE, PRINCESS, GUARD)
    play.apply(PRINCE)
    play.apply(ask(1))
    assert play.returns().tolist() == [1.0, -1.0]
    other = table(PRINCE, KING, PRIEST)
    other.apply(PRINCE)
    other.apply(ask(1))
    assert other.truth()[0].hands[1] == GUARD


def test_the_countess_must_be_played_with_a_king_and_the_handmaid_protects() -> None:
    assert table(COUNTESS, GUARD, KING).legal().tolist() == [COUNTESS]
    assert table(PRINCESS, GUARD, KING).legal().tolist() == [KING]
    play = table(HANDMAID, KING, GUARD)
    play.apply(HANDMAID)
    play.apply(GUARD)  # nobody can be asked, so it is played for nothing
    assert play.player == 0


def test_the_king_swaps_and_both_know_it() -> None:
    play = table(KING, BARON, PRIEST)
    play.apply(KING)
    play.apply(ask(1))
    known = belief(play.game).infer(play.view(0), play.seen_by(0))
    card = belief(play.game).hidden(play.view(0))["card of second"]
    assert known.marginal(card) == {"priest": 1.0}


def test_whoever_plays_the_countess_has_a_prince_or_a_king_more_often() -> None:
    play = table(GUARD, COUNTESS, HANDMAID)
    play.apply(HANDMAID)
    play.apply(COUNTESS)
    known = belief(play.game).infer(play.view(0), play.seen_by(0))
    card = belief(play.game).hidden(play.view(0))["card of second"]
    shares = known.marginal(card)
    # Of guards 3 are left: the first player has one, and has drawn another.
    weights = {"guard": 3.0, "priest": 2.0, "baron": 2.0, "handmaid": 1.0}
    weights |= {"prince": 4.0, "king": 2.0, "princess": 2.0}
    total = sum(weights.values())
    assert shares == pytest.approx({name: weight / total for name, weight in weights.items()})


def test_four_players_keep_the_same() -> None:
    rng = np.random.default_rng(1)
    for seed in range(4):
        play = Play.new(game("love_letter", players=4), seed=seed)
        while not play.over:
            play.apply(int(rng.choice(play.legal())))
            keeps(play)


def test_more_than_four_cannot_play() -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("love_letter", players=5)
