"""Random declarations, features, evidence and questions, small enough to be listed by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from sleuth import Choice, Condition, Deal, Evidence, Feature, Model, Question, count_of, together

from .by_hand import World, step, value_in, worlds

WORDS = ("ant", "bee", "cow", "dog", "elk", "fox", "gnu")
HOLDERS = ("north", "east", "south", "west")


Value = TypeVar("Value")


def sampled(values: Iterable[Value]) -> st.SearchStrategy[Value]:
    """One of some values: of a tuple, of which hypothesis keeps what it has found out."""
    return st.sampled_from(tuple(values))


@dataclass(frozen=True)
class Case:
    """A declaration, evidence that leaves at least one world possible, and things to ask."""

    model: Model
    given: tuple[Evidence, ...]
    features: tuple[Feature, ...]

    @property
    def deals(self) -> list[Deal]:
        return [variable for variable in self.model.variables if isinstance(variable, Deal)]


@st.composite
def distinct_deals(draw: st.DrawFn, *, most: int = 7, name: str = "deal") -> Deal:
    """Distinct items, sometimes with a counted category or known items."""
    count = draw(st.integers(3, most))
    items = WORDS[:count]
    holders = HOLDERS[: draw(st.integers(2, min(4, count)))]
    # A real deal is drawn first, so that counts and known items can be taken from it.
    who = [draw(sampled(holders)) for _ in items]
    sizes = {holder: who.count(holder) for holder in holders}
    categories: dict[str, tuple[str, ...]] = {}
    counts: dict[str, dict[str, int]] = {}
    if draw(st.booleans()):
        cut = draw(st.integers(1, count - 1))
        categories = {"first": items[:cut], "second": items[cut:]}
        holder = draw(sampled(holders))
        groups = draw(sampled([("first",), ("second",), ("first", "second")]))
        counts[holder] = {
            group: sum(
                at == holder and item in categories[group]
                for item, at in zip(items, who, strict=True)
            )
            for group in groups
        }
    known: dict[str, list[str]] = {}
    for item, holder in zip(items, who, strict=True):
        if draw(st.integers(0, 4)) == 0:
            known.setdefault(holder, []).append(item)
    return Deal(items, holders=sizes, categories=categories, counts=counts, known=known, name=name)


@st.composite
def copied_deals(draw: st.DrawFn, *, most: int = 8, name: str = "deal") -> Deal:
    """Identical copies of a few items, sometimes with known ones."""
    kinds = draw(st.integers(2, 3))
    copies: dict[str, int] = {}
    left = most
    for place in range(kinds):
        copies[WORDS[place]] = draw(st.integers(1, min(3, left - (kinds - place - 1))))
        left -= copies[WORDS[place]]
    holders = HOLDERS[: draw(st.integers(2, 3))]
    who = {item: [draw(sampled(holders)) for _ in range(copies[item])] for item in copies}
    sizes = {holder: sum(row.count(holder) for row in who.values()) for holder in holders}
    known: dict[str, dict[str, int]] = {}
    for item, row in who.items():
        if draw(st.integers(0, 3)) == 0:
            contents = known.setdefault(row[0], {})
            contents[item] = draw(st.integers(1, row.count(row[0])))
    return Deal(copies, holders=sizes, known=known, name=name)


@st.composite
def choices(draw: st.DrawFn, *, name: str = "choice") -> Choice:
    """A choice, uniform or not, sometimes with a value of prior zero."""
    options = ("low", "middle", "high")[: draw(st.integers(1, 3))]
    if draw(st.booleans()):
        return Choice(name, options)
    weights = [draw(sampled([0.0, 0.25, 1.0, 3.0])) for _ in options]
    if not any(weights):
        weights[0] = 1.0
    return Choice(name, dict(zip(options, weights, strict=True)))


@cache
def subsets(words: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    """Some of the words, in their order."""
    return st.lists(sampled(words), min_size=1, max_size=len(words), unique=True).map(tuple)


@st.composite
def deal_features(draw: st.DrawFn, deal: Deal) -> Feature:
    """A feature of one deal."""
    holders, items = tuple(deal.holders), tuple(deal.items)
    kinds = ["count", "count", "all_of"]
    distinct = [item for item in items if deal.items[item] == 1]
    if distinct:
        kinds += ["which", "holder_of"]
    single = [
        (holder, group)
        for holder, wanted in deal.counts.items()
        for group, number in wanted.items()
        if number == 1
    ]
    if single:
        kinds.append("single")
    alone = [holder for holder, size in deal.holders.items() if size == 1]
    if alone:
        kinds.append("item_of")
    kind = draw(sampled(kinds))
    if kind == "item_of":
        return deal.item_of(draw(sampled(alone)))
    if kind == "which":
        return deal.which(draw(subsets(holders)), draw(subsets(tuple(distinct))))
    if kind == "holder_of":
        return deal.holder_of(draw(sampled(distinct)))
    if kind == "single":
        return deal.single(*draw(sampled(single)))
    if kind == "all_of":
        return deal.all_of(draw(sampled(holders)), draw(sampled(items)))
    return deal.count(draw(subsets(holders)), draw(subsets(items)))


@st.composite
def features(draw: st.DrawFn, model: Model) -> Feature:
    """A feature, a condition on one, or a pair of features."""

    def one() -> Feature:
        variable = draw(sampled(model.variables))
        if isinstance(variable, Choice):
            return variable.value()
        assert isinstance(variable, Deal)
        return draw(deal_features(variable))

    def condition() -> Condition:
        feature = one()
        truth = [draw(st.booleans()) for _ in feature.values]
        return feature.among([v for v, true in zip(feature.values, truth, strict=True) if true])

    kind = draw(sampled(["one", "one", "one", "condition", "pair", "count_of"]))
    if kind == "one":
        return one()
    if kind == "pair":
        return together(one(), one())
    if kind == "count_of":
        return count_of(condition() for _ in range(draw(st.integers(1, 4))))
    said = condition()
    return said & one().satisfies(bool) if draw(st.integers(0, 3)) == 0 else said


#: Weights of very different sizes, and zeros.
WEIGHTS = sampled([0.0, 0.0, 1e-6, 0.1, 1.0 / 3.0, 0.5, 1.0, 1.0, 2.0, 7.25])


@st.composite
def evidence(draw: st.DrawFn, model: Model, feature: Feature | None = None) -> Evidence:
    """Soft evidence, rules, or a plain fact."""
    about = draw(features(model)) if feature is None else feature
    weights = [draw(WEIGHTS) for _ in about.values]
    if not any(weights):
        weights[draw(st.integers(0, len(weights) - 1))] = 1.0
    return about.weigh(weights, exact=True)


@st.composite
def models(draw: st.DrawFn) -> Model:
    """One or two variables."""
    kind = draw(sampled(["distinct", "copies", "choice", "two"]))
    if kind == "distinct":
        return Model(draw(distinct_deals()))
    if kind == "copies":
        return Model(draw(copied_deals()))
    if kind == "choice":
        return Model(draw(st.one_of(distinct_deals(most=5), copied_deals(most=6))), draw(choices()))
    return Model(
        draw(distinct_deals(most=4, name="one")),
        draw(copied_deals(most=4, name="two")),
    )


@st.composite
def cases(draw: st.DrawFn, *, model: Model | None = None, most: int = 4) -> Case:
    """A model with evidence and features to ask about; the evidence may contradict itself."""
    of = draw(models()) if model is None else model
    given = tuple(draw(evidence(of)) for _ in range(draw(st.integers(0, most))))
    return Case(of, given, tuple(draw(features(of)) for _ in range(2)))


@st.composite
def questions(draw: st.DrawFn, model: Model) -> Question:
    """A question with up to three outcomes."""
    feature = draw(features(model))
    outcomes = ("yes", "no", "perhaps")[: draw(st.integers(1, 3))]
    parts = sampled([0, 0, 1, 2, 5])
    table: list[list[float]] = []
    for _ in feature.values:
        row = [draw(parts) for _ in outcomes]
        if not any(row):
            row[0] = 1
        table.append([part / sum(row) for part in row])
    return Question(feature, np.array(table), outcomes)


@st.composite
def claims(draw: st.DrawFn, *, most: int = 4) -> tuple[Deal, list[Any]]:
    """A deal of copies, splits of its holders, and weights on single counts, as in Cheat."""
    deal = draw(copied_deals(most=9))
    given: list[Any] = []
    room = dict(deal.holders)
    made: list[str] = []
    for number in range(draw(st.integers(0, most))):
        sources = [holder for holder, size in room.items() if size > 0]
        source = draw(sampled(sources))
        size = draw(st.integers(1, room[source]))
        name = f"claim {number}"
        given.append(deal.split(source, name, size))
        room[source] -= size
        room[name] = size
        made.append(name)
    for _ in range(draw(st.integers(0, 4))):
        holder = draw(sampled([*deal.holders, *made, *made]))
        feature = deal.count(holder, draw(sampled(tuple(deal.items))))
        weights = [draw(WEIGHTS) for _ in feature.values]
        if not any(weights):
            weights[0] = 1.0
        given.append(feature.weigh(weights, exact=True))
    return deal, given


@dataclass(frozen=True)
class Stream:
    """Observations and moves in order, and the worlds they leave, by hand.

    Attributes:
        holders: Present holders at the end.
    """

    deal: Deal
    steps: tuple[Any, ...]
    worlds: tuple[tuple[World, float], ...]
    holders: tuple[str, ...]


@st.composite
def streams(draw: st.DrawFn, *, most: int = 5, worlds_at_most: int = 4_000) -> Stream:
    """Evidence between splits, merges and reveals, never contradictory."""
    deal = draw(st.one_of(distinct_deals(most=6), copied_deals(most=6)))
    listed = worlds(deal)
    room = dict(deal.holders)
    steps: list[Any] = []

    def about() -> Any:
        holders = draw(subsets(tuple(room)))
        feature = deal.count(holders, draw(subsets(tuple(deal.items))))
        # A merge may have made a declared holder larger.
        weights = {value: draw(WEIGHTS) for value in (*feature.values, *feature.further)}
        if not draw(st.booleans()):
            return feature.weigh({value: weight or 0.2 for value, weight in weights.items()})
        # A fact that holds in some world.
        weights[value_in(feature, draw(sampled(listed))[0])] = 1.0
        return feature.weigh(weights, exact=True)

    for number in range(draw(st.integers(1, most))):
        kind = draw(sampled(["evidence", "split", "split", "merge", "reveal"]))
        move = None
        if kind == "split":
            source = draw(sampled([holder for holder, size in room.items() if size]))
            size = draw(st.integers(1, room[source]))
            move = deal.split(source, f"part {number}", size)
            room[source] -= size
            room[f"part {number}"] = size
        elif kind == "merge" and len(room) > 2:
            parts = draw(st.lists(sampled([*room]), min_size=2, max_size=2, unique=True))
            into = draw(sampled([parts[0], f"whole {number}"]))
            move = deal.merge(parts, into=into)
            total = sum(room.pop(part) for part in parts)
            room[into] = total
        elif kind == "reveal":
            holder = draw(sampled([holder for holder, size in room.items() if size]))
            world = draw(sampled(listed))[0]
            contents: dict[str, int] = {}
            for item, who in world.held[deal.name]:
                if who == holder:
                    contents[item] = contents.get(item, 0) + 1
            move = deal.reveal(holder, contents)
        if move is None:
            move = about()
        listed = step(listed, move)
        steps.append(move)
        if len(listed) > worlds_at_most:
            break
    return Stream(deal, tuple(steps), tuple(listed), tuple(room))
