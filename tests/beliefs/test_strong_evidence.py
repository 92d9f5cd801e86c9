"""However strong evidence is and in whatever order it comes, answers are those of exact fractions.

Weights reach from 1e-60 to 1, and many of them come together, so that products of them leave the
floats. The oracle lists all worlds and multiplies fractions. ``SLEUTH_FUZZ`` asks for more
declarations: a twenty-fifth of it, 2,000 of 50,000.
"""

from __future__ import annotations

import itertools
import math
import os
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sleuth import (
    Choice,
    Deal,
    Model,
    Posterior,
    Question,
    SleuthError,
    Walk,
    count_of,
    disjoint,
    infer,
    together,
)
from sleuth.beliefs.engines import EXACT
from sleuth.errors import ContradictionError, CostError, UnsupportedError

DECLARATIONS = max(24, int(os.environ.get("SLEUTH_FUZZ", "0")) // 25)

#: A world: the value of each choice, the holder of each card, and the positions of the walk.
World = dict[str, Any]


@dataclass
class Case:
    """A declaration with evidence, and what each world weighs."""

    model: Model
    given: list[Any]
    worlds: list[World]
    weights: list[Fraction]
    features: list[tuple[Any, Callable[[World], Any]]]

    @property
    def log_evidence(self) -> float:
        total = sum(self.weights)
        return math.log(total.numerator) - math.log(total.denominator)

    def marginal(self, value: Callable[[World], Any]) -> dict[Any, Fraction]:
        found: dict[Any, Fraction] = {}
        for world, weight in zip(self.worlds, self.weights, strict=True):
            found[value(world)] = found.get(value(world), Fraction(0)) + weight
        total = sum(self.weights)
        return {value: weight / total for value, weight in found.items() if weight}


@dataclass
class Maker:
    """Makes a case from a seed."""

    rng: random.Random
    variables: list[Any] = field(default_factory=list[Any])
    features: list[tuple[Any, Callable[[World], Any]]] = field(
        default_factory=list[tuple[Any, Callable[[World], Any]]]
    )
    worlds: list[tuple[World, Fraction]] = field(default_factory=lambda: [({}, Fraction(1))])

    def weight(self) -> float:
        return 10.0 ** -self.rng.uniform(0.0, 60.0)

    def choice(self, number: int) -> None:
        name = f"choice {number}"
        options = ["a", "b", "c"][: self.rng.randint(2, 3)]
        strong = self.rng.random() < 0.3
        prior = {option: self.weight() if strong else 1.0 for option in options}
        choice = Choice(name, prior)
        self.variables.append(choice)
        self.features.append((choice.value(), lambda world: world[name]))
        self.worlds = [
            ({**world, name: option}, weight * Fraction(share))
            for world, weight in self.worlds
            for option, share in zip(choice.options, choice.prior, strict=True)
        ]

    def pieces(self) -> list[Any]:
        """Three pieces on five squares, of which no two lie on one; what says so is handed back."""
        squares = range(5)
        made: list[Choice] = []
        for number, length in enumerate((1, 2, 2)):
            name = f"piece {number}"
            places = [tuple(squares[at : at + length]) for at in range(6 - length)]
            made.append(Choice(name, places))
            self.features.append((made[-1].value(), lambda world, name=name: world[name]))
            self.worlds = [
                ({**world, name: place}, weight / len(places))
                for world, weight in self.worlds
                for place in places
            ]
        self.variables += made
        self.worlds = [
            (world, weight * (len({*itertools.chain(*world.values())}) == 5))
            for world, weight in self.worlds
        ]
        return disjoint(made)

    def deal(self, *, copies: bool, most: bool = False) -> None:
        items = {"ace": 2, "king": 2, "ten": 1} if copies else dict.fromkeys("vwxyz", 1)
        cards = [item for item, number in items.items() for _ in range(number)]
        sizes = {"me": 2, "you": 2, "table": 1}
        deal = Deal(items, holders=sizes)
        self.variables.append(deal)
        kinds = [["ace"], ["king"], ["ace", "king"]] if copies else [["v"], ["v", "w", "x"]]
        if most:  # a hand of two has at least one of four of the five
            kinds = [["v", "w", "x", "y"], ["w", "x", "y", "z"]]
        for holder in sizes:
            for some in kinds:
                self.features.append((deal.count(holder, some), _counted(cards, holder, some)))
        places = [holder for holder, size in sizes.items() for _ in range(size)]
        dealt = sorted(set(itertools.permutations(places)))
        each = Fraction(1, len(dealt))
        self.worlds = [
            ({**world, "cards": holders}, weight * each)
            for world, weight in self.worlds
            for holders in dealt
        ]

    def possible(self, value: Callable[[World], Any], weights: list[Fraction]) -> set[Any]:
        """Values that a world still has."""
        return {value(world) for (world, _), left in zip(self.worlds, weights, strict=True) if left}

    def case(
        self, given: list[Any] | None = None, *, pairs: bool = True, remote: bool = False
    ) -> Case:
        """Evidence about single features and pairs of them, many pieces about the same.

        Where it is remote, what is impossible weighs the most by far.
        """
        given = [] if given is None else given
        weights = [weight for _, weight in self.worlds]
        features = [*self.features]
        for _ in range(self.rng.randint(0, 2) if pairs else 0):
            (one, first), (other, second) = self.rng.sample(self.features, 2)
            features.append(((one, other), _both(first, second)))
        pieces: list[Any] = []
        for _ in range(self.rng.randint(2, 6)):
            feature, value = self.rng.choice(features)
            feature = together(*feature) if isinstance(feature, tuple) else feature
            table = {each: self.weight() for each in feature.values}
            if remote:
                possible = self.possible(value, weights)
                table = {
                    each: 10.0 ** -self.rng.uniform(50.0, 53.0) if each in possible else 1.0
                    for each in feature.values
                }
            if self.rng.random() < 0.2:
                table[self.rng.choice(feature.values)] = 0.0
            times = self.rng.choice([1, 1, 3, 12])
            pieces += [feature.weigh(table, exact=True) for _ in range(times)]
            for place, (world, _) in enumerate(self.worlds):
                if weights[place]:
                    weights[place] *= Fraction(table[value(world)]) ** times
        if self.rng.random() < 0.5:
            self.rng.shuffle(pieces)
        worlds = [world for world, _ in self.worlds]
        return Case(Model(*self.variables), [*given, *pieces], worlds, weights, features)


def _counted(cards: Sequence[str], holder: str, some: Sequence[str]) -> Callable[[World], int]:
    return lambda world: sum(
        card in some and where == holder for card, where in zip(cards, world["cards"], strict=True)
    )


def _both(
    first: Callable[[World], Any], second: Callable[[World], Any]
) -> Callable[[World], tuple[Any, Any]]:
    return lambda world: (first(world), second(world))


def drawn(seed: int) -> Case:
    """A random declaration with choices, a deal, both, or pieces that exclude each other."""
    maker = Maker(random.Random(seed))
    kind = seed % 6
    if kind == 5:
        return maker.case(maker.pieces())
    for number in range((3, 0, 0, 0, 2)[kind]):
        maker.choice(number)
    if kind:
        maker.deal(copies=kind in (2, 3))
    if kind == 3:
        # Evidence for `type_counting`: on copies of one item in one place.
        maker.features = [each for each in maker.features if len(each[0].items) == 1]
    return maker.case(pairs=kind != 3)


def remote(seed: int) -> Case:
    """A deal of which all that is possible is far less likely than what is impossible."""
    maker = Maker(random.Random(seed))
    maker.deal(copies=False, most=True)
    return maker.case(pairs=seed % 2 == 0, remote=True)


def walked(seed: int) -> Case:
    """A random walk of a few steps, with a choice on which they depend or none."""
    rng = random.Random(seed)
    maker = Maker(rng)
    places = ["north", "east", "south"]
    walk = Walk("walk", places, start={place: maker.weight() for place in places})
    if seed % 2:
        maker.choice(0)
    maker.variables.append(walk)
    start = dict(zip(places, map(Fraction, walk.start), strict=True))
    maker.worlds = [
        ({**world, "path": (place,)}, weight * start[place])
        for world, weight in maker.worlds
        for place in places
    ]
    given: list[Any] = []
    for _ in range(rng.randint(1, 4)):
        table = {
            place: {to: maker.weight() for to in places if rng.random() < 0.8} or {place: 1.0}
            for place in places
        }
        given.append(walk.step(table))
        maker.worlds = [
            ({**world, "path": (*world["path"], to)}, weight * Fraction(share))
            for world, weight in maker.worlds
            for to, share in table[world["path"][-1]].items()
        ]
    for step in range(len(given) + 1):
        maker.features.append((walk.at(step=step), lambda world, step=step: world["path"][step]))
    return maker.case(given)


#: What an engine says it rounds.
ROUNDED = {"pgmpy": 1e-100}


def same(belief: Posterior, case: Case) -> None:
    """What is believed agrees with the fractions, and nothing impossible is believed."""
    assert belief.log_evidence == pytest.approx(case.log_evidence, rel=1e-12, abs=1e-9)
    least = ROUNDED.get(belief.method, 1e-290)
    for feature, value in case.features:
        right = case.marginal(value)
        found = belief.marginal(feature)
        assert set(found) <= set(right)
        for each, share in right.items():
            assert found.get(each, 0.0) == pytest.approx(float(share), rel=1e-9, abs=least)


#: Whoever answers without a walk; the slow cross-check is the last.
ENGINES = tuple(name for name in EXACT if name != "forward_filter")


def agree(case: Case, engines: Iterable[str]) -> set[str]:
    """Compare every engine that can answer; which did."""
    able: set[str] = set()
    for method in ("auto", *engines):
        try:
            belief = infer(case.model, case.given, method=method)
        except ContradictionError:
            assert not any(case.weights)
        except (CostError, UnsupportedError):
            continue
        else:
            same(belief, case)
        able.add(method)
    return able


def test_random_declarations_agree_with_fractions_in_every_engine() -> None:
    able: set[str] = set()
    for seed in range(DECLARATIONS):
        able |= agree(drawn(seed), ENGINES if seed % 10 == 0 else ENGINES[:-1])
    assert able == {"auto", *ENGINES}


def test_what_is_impossible_may_weigh_the_most() -> None:
    able: set[str] = set()
    for seed in range(10, 10 + DECLARATIONS // 3):
        able |= agree(remote(seed), ["card_by_card"])
    assert able == {"auto", "card_by_card"}
    deal = Deal(["p", "q", "r", "s"], holders={"me": 2, "you": 2})
    holder = deal.holder_of("r")
    for times in (6, 7, 9, 40):
        # One of three is at least in a hand of two: none of them is impossible.
        said = [deal.count("me", ["p", "q", "s"]).weigh([1.0, 1e-58, 1e-50], exact=True)] * times
        for method in ("auto", "card_by_card", "enumeration"):
            belief = infer(Model(deal), said, method=method)
            right = math.log(0.5) + times * math.log(1e-50)
            assert belief.log_evidence == pytest.approx(right, rel=1e-12)
            share = belief.probability(holder.equals("me"))
            assert share == pytest.approx(max(1e-8**times, 1e-300), rel=1e-9)
            mine = infer(Model(deal), [holder.equals("me").observed(), *said], method=method)
            right = math.log(0.5) + times * math.log(1e-58)
            assert mine.log_evidence == pytest.approx(right, rel=1e-12)


def test_random_walks_agree_with_fractions() -> None:
    able: set[str] = set()
    for seed in range(DECLARATIONS // 2):
        able |= agree(walked(seed), ("forward_filter", "enumeration", "card_by_card"))
    assert able == {"auto", "forward_filter", "enumeration", "card_by_card"}


def test_evidence_one_by_one_is_evidence_at_once() -> None:
    for seed in range(0, DECLARATIONS, 3):
        case = drawn(seed)
        if not any(case.weights):
            continue
        for method in ("card_by_card", "enumeration"):
            belief = infer(case.model, method=method)
            for piece in case.given:
                belief = belief.observe(piece)
            same(belief, case)


STYLE = Choice("style", ["a", "b"])
FOR_A = {"a": 1.0, "b": 1e-6}
FOR_B = {"a": 1e-6, "b": 1.0}


@pytest.mark.parametrize(
    "method", ["auto", "enumeration", "card_by_card", "junction_tree", "pgmpy"]
)
@pytest.mark.parametrize("times", [51, 100])
def test_a_belief_that_went_far_one_way_comes_back(method: str, times: int) -> None:
    one = [STYLE.value().weigh(FOR_A) for _ in range(times)]
    two = [STYLE.value().weigh(FOR_B) for _ in range(times)]
    even = {"a": pytest.approx(0.5, rel=1e-12), "b": pytest.approx(0.5, rel=1e-12)}
    far = infer(Model(STYLE), one, method=method) if method != "pgmpy" else infer(Model(STYLE), one)
    back = far.observe(two) if method != "pgmpy" else infer(Model(STYLE), one + two, method=method)
    assert back.marginal(STYLE.value()) == even
    assert back.log_evidence == pytest.approx(times * math.log(1e-6), rel=1e-12)
    mixed = [piece for pair in zip(one, two, strict=True) for piece in pair]
    assert infer(Model(STYLE), mixed, method=method).marginal(STYLE.value()) == even
    # One piece fewer against it, and b is what one piece makes it.
    assert back.retract(back.evidence[0].id or "").probability(STYLE.equals("a")) == pytest.approx(
        1e-6 / (1.0 + 1e-6), rel=1e-9
    )


def test_influence_tells_every_step_of_a_way_that_is_longer_than_floats() -> None:
    strong = {"a": [1.0, 1e-40], "b": [1e-40, 1.0]}
    said = [
        STYLE.value().weigh(strong[side], because=f"{side} {n}") for side in "ab" for n in range(9)
    ]
    found = infer(Model(STYLE), said).influence(STYLE.equals("a"))
    step = math.log2(1e40)
    for number, row in enumerate(found.rows):
        assert row.in_order == pytest.approx(step if number < 9 else -step, rel=1e-9)
        assert row.left_out == pytest.approx(step if number < 9 else -step, rel=1e-9)


@pytest.mark.parametrize("doors", [54, 60, 100])
def test_what_is_possible_never_becomes_impossible(doors: int) -> None:
    every = [Choice(f"door {number}", ["prize", "nothing"]) for number in range(doors)]
    said = [door.equals("prize").observed(reliability=1.0 - 1e-9) for door in every]
    none = count_of(door.equals("prize") for door in every).equals(0)
    right = doors * math.log(1e-9 / 2.0)
    able: set[str] = set()
    for method in ("auto", "card_by_card", "junction_tree"):
        try:
            far = infer(Model(*every), said, method=method)
            after = far.observe(none)
            together = infer(Model(*every), [*said, none], method=method)
        except (CostError, UnsupportedError):
            continue
        able.add(method)
        for belief in (after, together):
            assert belief.log_evidence == pytest.approx(right, rel=1e-8)
            assert belief.probability(every[0].equals("nothing")) == 1.0
    assert able >= {"auto", "junction_tree"}


def test_worlds_and_questions_of_strong_evidence() -> None:
    """Where it leaves two worlds alike, they are drawn alike and a question is worth one bit."""
    cards = Deal(["v", "w", "x", "y"], holders={"me": 2, "you": 2})
    said = [
        cards.count("me", pair).weigh([1e-50, 1e-50, 1.0][::side])
        for _ in range(8)
        for pair, side in ((["v", "w"], 1), (["x", "y"], 1))
    ]
    for method in ("card_by_card", "enumeration"):
        belief = infer(Model(cards), said, method=method)
        assert belief.probability(cards.all_of("me", ["v", "w"])) == pytest.approx(0.5, rel=1e-12)
        worlds = belief.sample_array(2_000, np.random.default_rng(1))
        assert (worlds[:, 0] == worlds[:, 1]).all()
        assert abs(worlds[:, 0].mean() - 0.5) < 0.05
        question = Question(cards.holder_of("v"), lambda holder: {holder: 1.0})
        assert belief.information_gain(question, about=cards.holder_of("y")) == pytest.approx(1.0)


def test_moves_keep_what_strong_evidence_told_apart() -> None:
    cards = Deal(["v", "w", "x", "y", "z"], holders={"me": 2, "you": 2, "table": 1})
    given = [cards.count("me", ["v"]).weigh([1e-60, 1.0]) for _ in range(9)]
    given += [cards.count("you", ["v"]).weigh([1e-60, 1.0]) for _ in range(9)]
    given += [cards.count("table", ["v"]).weigh([1e-60, 3.0]) for _ in range(9)]
    # v is as likely with me as with you, and 3 ** 9 times as likely on the table's one place.
    pile = 4.0 / (4.0 + 3.0**9)
    moved = [*given, cards.merge(["me", "you"], into="pile"), cards.split("pile", "drawn", 1)]
    for method in ("card_by_card", "enumeration"):
        belief = infer(Model(cards), moved, method=method)
        drawn = cards.holder_of("v").equals("drawn")
        assert belief.probability(drawn) == pytest.approx(pile / 4.0, rel=1e-9)
        before = infer(Model(cards), given, method=method)
        assert belief.log_evidence == pytest.approx(before.log_evidence, rel=1e-12)


def test_what_multiplies_plain_floats_says_so() -> None:
    said = [STYLE.value().weigh(table) for table in (FOR_A, FOR_B) for _ in range(100)]
    other = Choice("other", ["a", "b"])
    tied = [
        together(STYLE.value(), other.value()).weigh([1.0, 1e-60, 1e-60, 1.0]) for _ in range(4)
    ]
    tied += [together(other.value(), STYLE.value()).weigh([1e-60, 1.0, 1.0, 1e-60])] * 4
    with pytest.raises(SleuthError, match="double precision"):
        infer(Model(STYLE, other), [*said, *tied], method="loopy_bp")
    with pytest.raises(SleuthError, match="double precision"):
        infer(Model(STYLE, other), [*said, *tied], method="pgmpy")


def test_priors_that_lie_far_apart_are_drawn_from_and_refused_where_floats_end() -> None:
    parent = Choice("parent", {number: 1e-200 if number % 2 else 1.0 for number in range(200)})
    rows = [{"x": 1e-150, "y": 1.0}, {"x": 1.0, "y": 1e-150}]
    child = Choice("child", lambda number: rows[number % 2 == 0], given=parent.value())
    model = Model(parent, child)
    drawn = model.simulate(500, np.random.default_rng(0))
    assert not any(number % 2 for number in drawn.value(parent.value()))
    assert set(drawn.value(child.value())) == {"x"}
    odd = infer(model, parent.value().among([1, 3]).observed())
    assert odd.probability(child.equals("x")) == pytest.approx(1e-150, rel=1e-9)
    assert odd.log_evidence == pytest.approx(math.log(2e-200 / 100.0), rel=1e-12)
    with pytest.raises(SleuthError, match="further apart than floats"):
        Choice("none", {"a": 1e-300, "b": 1e100})
