"""Cockroach Poker: who takes a card, who has seen it, and what words say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play, SleuthError, belief, game
from sleuth.kit import NO_CARD

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL = (
    {"players": 3, "kinds": 2, "copies": 3, "loses": 3},
    {"players": 2, "kinds": 3, "copies": 2, "loses": 2, "aside": 1},
)
#: Moves after which all worlds can be written out.
MOVES = 9
KINDS = ("bat", "cockroach", "fly", "rat", "scorpion", "spider", "stink bug", "toad")
ROLES = ("first", "second", "third", "fourth", "fifth", "sixth")
LIES = 0.5


def keeps(play: Play) -> None:
    """No card is lost, nobody has seen less than they say, and the loser is the first that has to.

    Of those who were asked, everybody said what the card is but the one who has to answer or say.
    """
    state, sizes = play.truth()[0], play.game.tables
    there = state.hands.sum(axis=0) + state.table.sum(axis=0)
    if state.card != NO_CARD:
        there[state.card] += 1
    assert (there <= sizes.copies).all()
    assert there.sum() == sizes.kinds * sizes.copies - sizes.aside
    assert state.left.tolist() == state.hands.sum(axis=1).tolist()
    assert (state.card == NO_CARD) == (play.over or state.stage == 0)
    assert (state.card != NO_CARD) or (state.said == NO_CARD).all()
    full = (state.table >= sizes.loses).any(axis=1)
    assert full.sum() == (play.over and full[state.loser])
    if play.over:
        assert full[state.loser] or state.left[state.loser] == 0
        lost = [
            -1.0 if player == state.loser else 1 / (sizes.players - 1)
            for player in range(sizes.players)
        ]
        assert play.returns().tolist() == lost
    else:
        assert state.said[play.player] == NO_CARD
        assert state.stage != 0 or state.left[play.player] > 0


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """Every hand of everybody, as likely as there are cards that make it."""
    first, sizes = made.initial(0), made.tables
    held = first[0].left.tolist()
    hands = [
        [each for each in product(range(sizes.copies + 1), repeat=sizes.kinds) if sum(each) == size]
        for size in held
    ]
    for each in product(*hands):
        left, weight = [sizes.copies] * sizes.kinds, 1.0
        for hand in each:
            weight *= prod(map(comb, left, hand))
            left = [there - took for there, took in zip(left, hand, strict=True)]
            if min(left) < 0:
                break
        if weight and min(left) >= 0:
            states = first.copy()
            states[0].hands[:] = each
            yield weight, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The card on offer, and how many of each kind are in each hand."""
    state = world.state
    found: dict[str, Any] = {"card on offer": KINDS[state.card]} if state.card != NO_CARD else {}
    for player, hand in enumerate(state.hands.tolist()):
        found |= {f"{KINDS[kind]} of {ROLES[player]}": number for kind, number in enumerate(hand)}
    return found


def choosing(state: Any, actions: Sequence[int]) -> Sequence[float]:
    """Any card of the hand, a lie as often as the belief says, and any answer."""
    kinds = len(state.hands[0])
    if state.stage == 1:
        lie = LIES / (kinds - 1)
        asked = len(actions) / kinds
        return [(1 - LIES if code % kinds == state.card else lie) / asked for code in actions]
    return [1 / len(actions)] * len(actions)


def by_name(play: Play, *names: str) -> Play:
    for name in names:
        play.apply(next(code for code in play.legal() if play.game.action_name(code) == name))
    return play


def offered(say: str = "bat", **settings: int) -> Play:
    """A game in which the first player offers the second a bat."""
    play = Play.new(game("cockroach_poker", **settings), seed=1)
    return by_name(play, "bat", f"second {say}")


@pytest.mark.parametrize(
    "say, answer, taker",
    [("bat", "believe", 0), ("bat", "doubt", 1), ("rat", "believe", 1), ("rat", "doubt", 0)],
)
def test_who_was_wrong_takes_the_card_and_offers_the_next(
    say: str, answer: str, taker: int
) -> None:
    play = by_name(offered(say), answer)
    assert play.truth()[0].table[taker].tolist() == [1, *[0] * 7]
    assert play.truth()[0].table.sum() == 1
    assert play.player == taker


def test_who_looks_hands_on_to_somebody_who_has_not_seen_the_card() -> None:
    play = by_name(offered(players=3), "peek")
    names = {play.game.action_name(code).split()[0] for code in play.legal()}
    assert names == {"third"}
    assert play.view(1).states[0].card == 0
    by_name(play, "third toad")
    assert [play.game.action_name(code) for code in play.legal()] == ["believe", "doubt"]
    by_name(play, "doubt")
    assert play.player == 1  # whoever looked answers for what they say, not who offered first


def test_with_two_nobody_looks() -> None:
    play = offered(players=2, aside=10, loses=5)
    assert [play.game.action_name(code) for code in play.legal()] == ["believe", "doubt"]
    assert play.truth()[0].left.tolist() == [26, 27]


def test_the_truth_is_said_half_the_time_so_it_counts_seven_times_as_much() -> None:
    play = offered("rat")
    counts = 8 - play.truth()[0].hands[1]
    weights = [7.0 if kind == "rat" else 1.0 for kind in KINDS] * counts
    right = dict(zip(KINDS, weights / weights.sum(), strict=True))
    known = belief(play.game).infer(play.view(1), play.seen_by(1))
    card = belief(play.game).hidden(play.view(1))["card on offer"]
    assert known.marginal(card) == pytest.approx(right)


def test_who_has_seen_the_card_knows_it_and_others_hear_all_words() -> None:
    play = by_name(offered("rat"), "peek", "third rat")
    for viewer, knows in ((0, True), (1, True), (2, False), (3, False), (SPECTATOR, False)):
        hidden = belief(play.game).hidden(play.view(viewer))
        assert ("card on offer" not in hidden) == knows
    known = belief(play.game).infer(play.view(3), play.seen_by(3))
    card = belief(play.game).hidden(play.view(3))["card on offer"]
    counts = 8 - play.truth()[0].hands[3]
    weights = [49.0 if kind == "rat" else 1.0 for kind in KINDS] * counts
    assert known.marginal(card)["rat"] == pytest.approx(weights[3] / weights.sum())


def test_six_players_keep_the_same_in_the_box() -> None:
    rng, play = np.random.default_rng(1), Play.new(game("cockroach_poker", players=6), seed=1)
    assert play.truth()[0].left.tolist() == [11, 11, 11, 11, 10, 10]
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
        keeps(play)


@pytest.mark.parametrize(
    "settings",
    [{"players": 7}, {"kinds": 9}, {"copies": 3, "loses": 4}, {"aside": 61}, {"loses": 1}],
)
def test_sizes_that_cannot_be_are_refused(settings: Mapping[str, int]) -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("cockroach_poker", **settings)
