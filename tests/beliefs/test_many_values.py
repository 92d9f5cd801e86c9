"""Features with thousands of values: few deals are listed, too many are refused in words."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Feature, Model, Posterior, Question, infer, together
from sleuth.errors import CostError

from .by_hand import entropy

SQUARES = [f"{row}{column}" for row in "abcdef" for column in range(1, 7)]
SHIPS = ("one", "two", "three")


def as_choices(left: int, method: str = "auto") -> tuple[Posterior, list[Question], Feature]:
    """Three ships on three of the first squares: the belief, shots, and where they are."""
    ships = [Choice(name, SQUARES) for name in SHIPS]
    where = together(*(ship.value() for ship in ships))
    given: list[Any] = [where.satisfies(lambda places: len(set(places)) == 3)]
    given += [~ship.value().equals(square) for square in SQUARES[left:] for ship in ships]
    shots = []
    for square in SQUARES:
        one, two, three = (ship.value().equals(square) for ship in ships)
        shots.append(Question(one | two | three, lambda hit: {hit: 1.0}, name=square))
    return infer(Model(*ships), given, method=method), shots, where


def as_deal(left: int, method: str = "auto") -> tuple[Posterior, list[Question], Feature]:
    """The same as squares that belong to a ship or to the sea."""
    sea = Deal(
        SQUARES,
        holders={"one": 1, "two": 1, "three": 1, "sea": 33},
        categories={"square": SQUARES},
        counts={ship: {"square": 1} for ship in SHIPS},
    )
    given = [sea.holder_of(square).equals("sea") for square in SQUARES[left:]]
    shots = [
        Question(sea.holder_of(square), lambda holder: {holder != "sea": 1.0}, name=square)
        for square in SQUARES
    ]
    where = together(*(sea.single(ship, "square") for ship in SHIPS))
    return infer(Model(sea), given, method=method), shots, where


def by_hand(left: int) -> list[float]:
    """Bits of each shot; a shot is answered truly, so it tells as much as the answer is open."""
    worlds = list(itertools.permutations(SQUARES[:left], 3))
    hits = [sum(square in world for world in worlds) / len(worlds) for square in SQUARES]
    return [entropy(np.array([hit, 1.0 - hit])) for hit in hits]


@pytest.mark.parametrize(
    "declared, method",
    [
        (as_choices, "auto"),
        (as_choices, "enumeration"),
        (as_deal, "auto"),
        (as_deal, "card_by_card"),
        (as_deal, "enumeration"),
    ],
)
def test_the_best_shot_at_three_ships_is_found_at_once(declared: Any, method: str) -> None:
    belief, shots, where = declared(9, method)
    assert where.size == 46_656
    belief.best_questions(shots, about=where, n=3)  # kernels compile the first time
    began = time.process_time()
    best = belief.best_questions(shots, about=where, n=3)
    assert time.process_time() - began < 2.0  # it is a tenth of a second, and was minutes
    assert [question.name for question, _ in best] == ["a1", "a2", "a3"]
    gains = belief.information_gain(shots, about=where)
    assert gains == pytest.approx(by_hand(9), abs=1e-9)
    assert [gain for _, gain in best] == pytest.approx(gains[:3].tolist())


@pytest.mark.parametrize("method", ["auto", "card_by_card"])
def test_with_all_squares_open_the_deals_are_listed_too(method: str) -> None:
    belief, shots, where = as_deal(36, method)
    gains = belief.information_gain(shots[:4], about=where)
    assert gains == pytest.approx(by_hand(36)[:4], abs=1e-9)


def test_a_list_and_labels_give_the_same_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [*"abcdefgh"]
    hands = Deal(items, holders={"me": 2, "you": 3, "they": 3})
    given = [
        hands.count("you", [*"abcd"]).weigh([1.0, 0.3, 0.7, 0.1]),
        hands.holder_of("a").weigh([0.2, 0.5, 0.9]),
    ]
    belief = infer(Model(hands), given, method="card_by_card")
    about = hands.which("you", items)
    asked = [
        Question(hands.count("they", [*"abc"]), lambda n: {"many": n / 3, "few": 1 - n / 3}),
        Question(hands.holder_of("b"), lambda holder: {holder: 1.0}),
    ]
    module = "sleuth.beliefs.engines.partial_deals.graph"
    monkeypatch.setattr(f"{module}.STEPS_PER_DEAL", 1e-9)
    listed = belief.information_gain(asked, about=about)
    monkeypatch.setattr(f"{module}.STEPS_PER_DEAL", 1e300)
    labelled = belief.information_gain(asked, about=about)
    assert listed == pytest.approx(labelled, abs=1e-12)
    assert listed.min() > 0.01
    # The list is what the distribution says of the deals.
    deals = belief.solution.listed(10_000)  # type: ignore[attr-defined]
    index = deals.index_of(about.additive(belief.problem.layout))
    shares = np.bincount(index, weights=deals.weights, minlength=about.size)
    assert shares / shares.sum() == pytest.approx(belief.distribution(about), abs=1e-12)
    assert belief.solution.listed(deals.weights.shape[0] - 1) is None  # type: ignore[attr-defined]


def test_too_many_values_among_too_many_deals_are_refused_in_words() -> None:
    items = [f"card {number}" for number in range(32)]
    hands = Deal(items, holders={"me": 10, "you": 11, "they": 11})
    belief = infer(Model(hands), method="card_by_card")
    about = together(hands.which("you", items[:12]), hands.which("you", items[12:20]))
    asked = Question(
        hands.which("they", items[20:32]), lambda held: {"some" if held else "none": 1.0}
    )
    with pytest.raises(CostError, match=r"too many values together.*fewer values"):
        belief.information_gain(asked, about=about)
    with pytest.raises(CostError, match="too many values together"):
        belief.best_questions([asked], about=about, n=1)


def test_labels_that_take_too_long_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    belief, shots, where = as_deal(36, "card_by_card")
    monkeypatch.setattr("sleuth.beliefs.engines.partial_deals.graph.MOST_STEPS", 1000.0)
    monkeypatch.setattr("sleuth.beliefs.engines.partial_deals.graph.MOST_LISTED", 1000)
    with pytest.raises(CostError, match="too many values together"):
        belief.information_gain(shots, about=where)


def test_memory_that_is_not_there_is_a_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    belief, shots, where = as_deal(9, "card_by_card")

    def nothing_left(*_: object) -> None:
        raise MemoryError

    module = "sleuth.beliefs.engines.partial_deals.graph"
    monkeypatch.setattr(f"{module}.joint", nothing_left)
    monkeypatch.setattr(f"{module}.best_boundary", nothing_left)
    with pytest.raises(CostError, match="more memory than there is"):
        belief.entropy(where)
    with pytest.raises(CostError, match="more memory than there is"):
        belief.information_gain(shots, about=where)


def test_gains_of_a_list_do_not_depend_on_how_many_cells_a_table_may_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    belief, _, where = as_deal(9, "enumeration")
    asked = Question(
        where, lambda places: {f"low {min(places)}": 0.75, f"high {max(places)}": 0.25}
    )
    dense = belief.information_gain(asked, about=where)
    monkeypatch.setattr("sleuth.beliefs.engines.listed.MOST_CELLS", 0)
    assert belief.information_gain(asked, about=where) == pytest.approx(dense, abs=1e-12)
    assert dense > 1.0


def test_choices_beside_many_deals_are_drawn_as_they_depend_on_each_other() -> None:
    hands = [
        Deal({"a": 2, "b": 1}, holders={"me": 1, "you": 2}, name=f"hand {number}")
        for number in range(20)
    ]
    ace = hands[3].count("me", "a").equals(1)
    die = Choice("die", range(130))
    half = Choice("half", {n: ["x", "y"] if n < 65 else ["x"] for n in range(130)}, given=die)
    # What has one value depends on nothing, though it stands beside what does.
    only = Choice("only", {value: {"one": 1.0} for value in "xy"}, given=half)
    said = Choice("said", {False: {"p": 1.0}, True: {"p": 0.25, "q": 0.75}}, given=ace)
    model = Model(*hands, die, half, only, said)
    drawn = model.simulate(2_000, np.random.default_rng(0))
    for choice, value, share in ((half, "x", 0.75), (said, "q", 0.5)):
        found = np.mean([each == value for each in drawn.value(choice.value())])
        assert abs(found - share) < 0.05
        assert infer(model).probability(choice.equals(value)) == pytest.approx(share)
    after = infer(model, said.equals("q"))
    assert after.log_evidence == pytest.approx(math.log(0.5))
    assert after.probability(ace) == 1.0
