"""Sums of hidden numbers, and counts of very many conditions, are convolutions."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Feature, Model, Posterior, Walk, count_of, infer, sum_of, together
from sleuth.beliefs.language.features import CountEach
from sleuth.beliefs.saving.files import from_json, to_json
from sleuth.errors import EvidenceError, UnsupportedError

from ..by_hand import by_hand, value_in

DECK = Deal({"ace": 2, "king": 1, "two": 3}, holders={"me": 2, "slot": 1, "rest": 3}, name="deck")
LOW = Choice("low", [-1, 0, 2])
HALF = Choice("half", {0.5: 0.2, 2: 0.3, 0.1: 0.5})
PARTS: list[Any] = [
    LOW,
    HALF,
    DECK.count("me", "ace"),
    DECK.count(["me", "slot"], ["two", "king"]),
    DECK.item_of("slot").among(["ace", "two"]),
    DECK.holder_of("king").equals("rest"),
    LOW.equals(2),
    count_of(DECK.item_of("slot").equals("king"), LOW.at_least(0)),
    sum_of({DECK.count("rest", "two"): 2, LOW: 1}),
]


def fair(number: int, sides: int = 6) -> list[Choice]:
    return [Choice(f"die {each}", range(1, sides + 1)) for each in range(number)]


def convolved(*parts: list[float]) -> np.ndarray:
    return functools.reduce(np.convolve, parts, np.ones(1))


@st.composite
def sums(draw: st.DrawFn) -> Feature:
    """Some of the parts, each with a factor that it may have."""
    some = draw(st.lists(st.integers(0, len(PARTS) - 1), min_size=1, max_size=4, unique=True))
    single = {0, 1, 4, 5, 6}
    return sum_of(
        {
            PARTS[place]: draw(st.sampled_from([1, 2, 0.5, *([-3] if place in single else [])]))
            for place in some
        }
    )


@settings(max_examples=12, deadline=None, phases=[Phase.generate])
@given(sums(), sums(), st.sampled_from(["enumeration", "card_by_card", "symmetry"]), st.booleans())
def test_sums_are_as_by_hand(asked: Feature, seen: Feature, method: str, observe: bool) -> None:
    model = Model(DECK, LOW, HALF)
    least = min(seen.values)
    given = [seen.weigh(lambda value: 0.25 + (value - least) % 2)] if observe else []
    oracle = by_hand(model, given)
    try:
        belief = infer(model, given, method=method)
    except UnsupportedError:
        assert method == "symmetry"
        return
    wanted: defaultdict[float, float] = defaultdict(float)
    for world, weight in zip(oracle.worlds, oracle.weights, strict=True):
        wanted[round(value_in(asked, world), 9)] += weight
    found = {round(value, 9): share for value, share in belief.marginal(asked).items()}
    assert found == pytest.approx({value: p for value, p in wanted.items() if p}, abs=1e-12)
    assert math.exp(belief.log_evidence) == pytest.approx(oracle.total, rel=1e-9)
    again = Posterior.restored(from_json(to_json(belief.pieces())))
    assert again.marginal(asked) == pytest.approx(belief.marginal(asked), abs=1e-12)


@pytest.mark.parametrize("number", [22, 30, 60])
def test_the_sum_of_many_dice(number: int) -> None:
    dice = fair(number)
    belief = infer(Model(*dice))
    assert belief.exact
    total = sum_of(dice)
    assert total.values == tuple(range(number, 6 * number + 1))
    wanted = convolved(*[[1 / 6] * 6] * number)
    assert belief.distribution(total) == pytest.approx(wanted, abs=1e-14)
    # What is known of some of them, and of the sum, says what the others are.
    after = belief.observe([die.equals(6) for die in dice[:10]], total.at_least(5 * number))
    rest = convolved(*[[1 / 6] * 6] * (number - 10))
    likely = np.concatenate([np.zeros(50), rest]) * (np.arange(5 * number + 1) >= 4 * number)
    assert after.distribution(total) == pytest.approx(likely / likely.sum(), abs=1e-12)
    assert after.log_evidence == pytest.approx(math.log(likely.sum()) - 10 * math.log(6))


@pytest.mark.parametrize("number", [22, 40, 60])
def test_liars_dice(number: int) -> None:
    """At least so many fives, given my own and what others bid."""
    dice = fair(number)
    fives = count_of(die.equals(5) for die in dice)
    mine = [die.equals(5 if place < 2 else 3) for place, die in enumerate(dice[:5])]
    belief = infer(Model(*dice), mine)
    others = convolved(*[[5 / 6, 1 / 6]] * (number - 5))
    assert belief.probability(fives.at_least(9)) == pytest.approx(others[7:].sum(), abs=1e-13)
    # Somebody with five other dice bids nine; they do so more often with fives of their own.
    theirs = count_of(die.equals(5) for die in dice[5:10])
    bid = theirs.weigh(lambda count: 0.1 + 0.2 * count, because="they bid nine fives")
    after = belief.observe(bid)
    held = convolved(*[[5 / 6, 1 / 6]] * 5) * (0.1 + 0.2 * np.arange(6))
    both = convolved(list(held / held.sum()), *[[5 / 6, 1 / 6]] * (number - 10))
    assert after.probability(fives.at_least(9)) == pytest.approx(both[7:].sum(), abs=1e-13)
    assert after.retract("they bid nine fives").distribution(fives) == pytest.approx(
        belief.distribution(fives), abs=1e-13
    )


def test_forty_nine_cells_and_two_hundred_coins() -> None:
    cells = [Choice(f"cell {number}", {"mine": 0.2, "free": 0.8}) for number in range(49)]
    mines = count_of(cell.equals("mine") for cell in cells)
    around = count_of(cell.equals("mine") for cell in cells[:8]).equals(3)
    belief = infer(Model(*cells), [mines.equals(10), around])
    ways = math.comb(8, 3) * math.comb(41, 7)
    assert belief.log_evidence == pytest.approx(math.log(ways * 0.2**10 * 0.8**39))
    assert belief.probability(cells[0].equals("mine")) == pytest.approx(3 / 8)
    assert belief.probability(cells[20].equals("mine")) == pytest.approx(7 / 41)
    chances = [0.5 + 0.4 * math.sin(number) for number in range(200)]
    coins = [
        Choice(f"coin {number}", {"heads": chance, "tails": 1 - chance})
        for number, chance in enumerate(chances)
    ]
    heads = count_of(coin.equals("heads") for coin in coins)
    wanted = convolved(*([1 - chance, chance] for chance in chances))
    assert infer(Model(*coins)).distribution(heads) == pytest.approx(wanted, abs=1e-14)


def test_conditions_on_the_items_of_places_add_up() -> None:
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    pack = Deal(cards, holders={f"place {number}": 1 for number in range(52)})
    hearts = [card for card in cards if card.endswith("h")]
    places = [pack.item_of(f"place {number}") for number in range(52)]
    red = count_of(place.among(hearts) for place in places[:20])
    assert isinstance(red, CountEach)
    belief = infer(Model(pack), places[0].equals("2h"))
    wanted = [math.comb(12, n) * math.comb(39, 19 - n) / math.comb(51, 19) for n in range(13)]
    assert belief.distribution(red)[1:14] == pytest.approx(wanted, abs=1e-14)


def test_points_of_a_hand() -> None:
    """High cards count 4, 3, 2 and 1 at bridge."""
    ranks = "23456789TJQKA"
    cards = [rank + suit for rank in ranks for suit in "cdhs"]
    pack = Deal(cards, holders=dict.fromkeys("nesw", 13))
    of_rank = {rank: [card for card in cards if card[0] == rank] for rank in "AKQJ"}
    points = sum_of({pack.count("n", group): 4 - n for n, group in enumerate(of_rank.values())})
    belief = infer(Model(pack))
    mean = sum(value * share for value, share in belief.marginal(points).items())
    assert mean == pytest.approx(10.0)
    assert belief.probability(points.equals(37)) == pytest.approx(4 / math.comb(52, 13))


def test_positions_of_a_walk_add_to_a_choice() -> None:
    walk, die = Walk("pawn", [0, 1, 2]), Choice("die", [1, 2])
    belief = infer(Model(walk, die), walk.step({0: [1], 1: [2], 2: [0]}))
    total = sum_of(walk.at(), {die: 2})
    assert belief.marginal(total) == pytest.approx(
        {2: 1 / 6, 3: 1 / 6, 4: 1 / 3, 5: 1 / 6, 6: 1 / 6}, abs=1e-12
    )


def test_what_cannot_be_added_is_said() -> None:
    with pytest.raises(EvidenceError, match=r"no numbers.*'bold'"):
        sum_of(Choice("style", ["bold", "shy"]))
    with pytest.raises(EvidenceError, match="name at least one number"):
        sum_of([])
    with pytest.raises(EvidenceError, match=r"does not add up by itself.*count\(me, ace\)"):
        sum_of(DECK.count("me", "ace").at_least(1))
    with pytest.raises(EvidenceError, match="cannot be taken away"):
        sum_of({DECK.count("me", "ace"): -1})
    with pytest.raises(EvidenceError, match="a factor is a number"):
        sum_of({LOW: "twice"})  # pyright: ignore[reportArgumentType]
    with pytest.raises(EvidenceError, match="too many values"):
        sum_of(Choice("far", [0, 0.001, 1e6]))
    with pytest.raises(EvidenceError, match="not a feature"):
        sum_of(3)  # pyright: ignore[reportArgumentType]
    assert sum_of(LOW, {HALF: 3}, DECK.count("me", "ace")).describe() == (
        "sum_of(value(low), 3 value(half), count(me, ace))"
    )


@pytest.mark.parametrize("method", ["auto", "enumeration", "deal_filter", "card_by_card"])
def test_tuples_and_sums_of_counts_grow_with_their_holders(method: str) -> None:
    cards = Deal({"guard": 2, "priest": 2, "king": 2}, holders={"me": 1, "you": 1, "deck": 4})
    style = Choice("style", ["bold", "shy"])
    mine = cards.count("me", "guard")
    both, total = together(style, mine), sum_of({mine: 2, cards.count("you", "priest"): 5})
    drew = infer(Model(cards, style), method=method)
    drew = drew.observe(cards.split("deck", "new", 1), cards.merge(["me", "new"], "me"))
    # I have both guards with 1 in 15; then you have a priest with 2 in 4.
    assert drew.probability(both.satisfies(lambda two: two[1] == 2)) == pytest.approx(1 / 15)
    assert drew.probability(both.equals(("bold", 2))) == pytest.approx(1 / 30)
    assert drew.probability(total.at_least(9)) == pytest.approx(1 / 30)
    assert drew.marginal(total)[9] == pytest.approx(1 / 30)
    heard = both.weigh(lambda two: 0.9 if two == ("bold", 2) else 0.1, because="a laugh")
    bold = drew.observe(heard).probability(style.equals("bold"))
    assert bold == pytest.approx((0.1 * 14 / 15 + 0.9 / 15) / (0.1 * 29 / 15 + 0.9 / 15))
    points = drew.observe(total.weigh(lambda points: 0.1 + points / 10))
    assert math.exp(points.log_evidence) == pytest.approx(0.1 + 0.2 * 2 / 3 + 0.5 / 3)
    with pytest.raises(EvidenceError, match="does not say it for this value"):
        drew.observe(both.weigh([0.1, 0.2, 0.3, 0.4]))
