"""What a holder has of many items: by test, by value, and from samples, as listing them says."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Deal, Model, any_of, infer, together
from sleuth.errors import CostError, EvidenceError

from ..by_hand import by_hand, value_in

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
SMALL = [rank + suit for rank in "23456" for suit in "cdh"][:14]
CARDS = Deal(SMALL, holders={"me": 2, "you": 1, "deck": 11}, categories={"clubs": SMALL[::3]})


def suited(hand: tuple[str, ...]) -> bool:
    """All of one suit."""
    return len({card[1] for card in hand}) == 1


@st.composite
def seen(draw: st.DrawFn) -> list[Any]:
    """Some evidence on single cards, single places and counts; it leaves something possible."""
    given: list[Any] = []
    if draw(st.booleans()):
        given.append(CARDS.holder_of(draw(st.sampled_from(SMALL))).weigh([0.2, 1.0, 0.5]))
    if draw(st.booleans()):
        suit = draw(st.sampled_from("cdh"))
        of_suit = [card for card in SMALL if card[1] == suit]
        given.append(CARDS.count(["me", "you"], of_suit).weigh([1.0, 0.3, 0.3, 0.7]))
    if draw(st.booleans()):
        given.append(CARDS.holds("me", draw(st.sampled_from(SMALL[:4]))))
    if draw(st.booleans()):
        given.append(CARDS.lacks("deck", draw(st.sampled_from(SMALL[4:]))))
    return given


@settings(max_examples=5, deadline=None)
@given(seen(), st.sampled_from(["card_by_card", "enumeration", "symmetry"]))
def test_hands_are_as_likely_as_by_hand(given: list[Any], method: str) -> None:
    oracle = by_hand(Model(CARDS), given)
    belief = infer(Model(CARDS), given, method=method)
    for holders in ("me", ["me", "you"], "deck"):
        hand = CARDS.which(holders, SMALL)
        wanted: defaultdict[Any, float] = defaultdict(float)
        for world, weight in zip(oracle.worlds, oracle.weights, strict=True):
            if weight:
                wanted[value_in(hand, world)] += weight
        found = belief.marginal(hand)
        assert found == pytest.approx(dict(wanted), abs=1e-12)
        share = sum(weight for cards, weight in wanted.items() if suited(cards))
        assert belief.probability(hand.satisfies(suited)) == pytest.approx(share, abs=1e-12)
        suits = np.array(["cdh".index(card[1]) for card in SMALL])
        fast = hand.satisfies(lambda rows: np.ptp(suits[rows], axis=1) == 0, at_once=True)  # noqa: B023
        assert belief.probability(fast) == pytest.approx(share, abs=1e-12)
        assert belief.probability(~fast) == pytest.approx(1.0 - share, abs=1e-12)
        likely = max(wanted, key=lambda cards: wanted[cards])
        assert belief.probability(hand.equals(likely)) == pytest.approx(wanted[likely], abs=1e-12)
        both = together(hand, CARDS.holder_of(SMALL[0]))
        assert math.fsum(belief.marginal(both).values()) == pytest.approx(1.0)


def test_a_hand_of_five_among_48_cards() -> None:
    rest = [card for card in DECK if card not in ("Ah", "As", "Kd", "Kc")]
    table = Deal(rest, holders={"board": 5, "stub": 43})
    board, belief = table.which("board", rest), infer(Model(table))
    total = math.comb(48, 5)
    assert belief.probability(board.equals(tuple(rest[3:8]))) == pytest.approx(1 / total, rel=1e-9)
    suits = np.array([SUITS.index(card[1]) for card in rest])
    of_suit = [table.count("board", [card for card in rest if card[1] == suit]) for suit in SUITS]
    flush = board.satisfies(lambda rows: np.ptp(suits[rows], axis=1) == 0, at_once=True)
    wanted = 4 * math.comb(12, 5) / total
    assert belief.probability(flush) == pytest.approx(wanted, rel=1e-9)
    assert belief.probability(any_of(each.equals(5) for each in of_suit)) == pytest.approx(wanted)
    # No two of a rank: of eleven ranks there are four, of two there are two.
    unlike = sum(math.comb(11, k) * 4**k * math.comb(2, 5 - k) * 2 ** (5 - k) for k in range(3, 6))
    by_rank = [table.count("board", [card for card in rest if card[0] == rank]) for rank in RANKS]
    pair = any_of(each.at_least(2) for each in by_rank)
    assert belief.probability(pair) == pytest.approx(1 - unlike / total, rel=1e-9)
    # After the flop few boards are left, and each is named.
    flop = belief.observe(table.holds("board", rest[:3]))
    assert len(flop.marginal(board)) == math.comb(45, 2)
    with pytest.raises(CostError, match=r"too many values.*1712304.*satisfies"):
        belief.marginal(board)
    drawn = belief.sample_array(2_000, np.random.default_rng(3))
    assert (drawn == 0).sum(axis=1).tolist() == [5] * 2_000
    clubs = [place for place, card in enumerate(rest) if card[1] == "c"]
    seen = np.bincount((drawn[:, clubs] == 0).sum(axis=1), minlength=6)[:6] / 2_000
    assert seen == pytest.approx(belief.distribution(of_suit[0]), abs=0.05)


def test_samples_tell_of_hands_too() -> None:
    belief = infer(Model(CARDS), method="rejection", samples=4_000)
    hand = CARDS.which("me", SMALL)
    exact = infer(Model(CARDS)).probability(hand.satisfies(suited))
    assert belief.probability(hand.satisfies(suited)) == pytest.approx(exact, abs=0.04)
    assert len(belief.marginal(hand)) > 80


def test_what_a_test_must_give_and_cannot_be() -> None:
    hand, belief = CARDS.which("me", SMALL), infer(Model(CARDS))
    with pytest.raises(EvidenceError, match=r"true or false for each.*bools of shape"):
        belief.probability(hand.satisfies(lambda rows: rows, at_once=True))
    with pytest.raises(EvidenceError, match=r"not be evidence.*at_least"):
        infer(Model(CARDS), hand.satisfies(suited))
    with pytest.raises(EvidenceError, match="too many values to be written down"):
        print(hand.values)
    with pytest.raises(EvidenceError, match=r"cannot have this value.*in their order"):
        hand.equals(("3c", "2c"))
    # Few items are tested at once, as ever.
    few = CARDS.which("me", SMALL[:3])
    assert few.satisfies(len).truth == (False, *[True] * 7)
    assert few.satisfies(lambda rows: rows.sum(axis=1) == 2, at_once=True).truth == (
        *(False,) * 4,
        *(True, True),
        *(False, False),
    )
