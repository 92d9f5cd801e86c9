"""The first rung of the oracle ladder: every deal of the physical cards, one by one.

Nothing here goes through the package's arrays. A world is who holds each physical card and what
every choice is; features are read off it by their meaning, and every weight is multiplied out.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth import Choice, Condition, Deal, Evidence, Model
from sleuth.beliefs import Merge, Split
from sleuth.beliefs.language.deal_features import (
    AllOf,
    Count,
    HolderOf,
    ItemOf,
    Single,
    Value,
    Which,
)
from sleuth.beliefs.language.features import Counted, TupleOf
from sleuth.beliefs.language.quantities import Quantity
from sleuth.beliefs.language.sums import SumOf


@dataclass(frozen=True)
class World:
    """``held``: per deal the item and the holder of every physical card; ``values``: of choices."""

    held: Mapping[str, tuple[tuple[str, str], ...]]
    values: Mapping[str, Any]


def arrangements(labels: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Every order of labels that come several times."""
    if not any(labels.values()):
        yield ()
    for label, number in labels.items():
        if number:
            for rest in arrangements({**labels, label: number - 1}):
                yield (label, *rest)


def deals(deal: Deal) -> Iterator[tuple[tuple[str, str], ...]]:
    """Every way to give the physical cards to the holders, as declared."""
    cards = [item for item, copies in deal.items.items() for _ in range(copies)]
    # Which of several copies are the known ones does not matter: the first ones are.
    known: dict[int, str] = {}
    for holder, contents in deal.known.items():
        for item, copies in contents.items():
            free = [card for card, name in enumerate(cards) if name == item and card not in known]
            known.update(dict.fromkeys(free[:copies], holder))
    left = Counter(deal.holders)
    left.subtract(Counter(known.values()))
    unknown = [card for card in range(len(cards)) if card not in known]
    for holders in arrangements(left):
        who = {**known, **dict(zip(unknown, holders, strict=True))}
        held = tuple((item, who[card]) for card, item in enumerate(cards))
        if all(
            sum(name == holder and item in deal.categories[group] for item, name in held) == number
            for holder, wanted in deal.counts.items()
            for group, number in wanted.items()
        ):
            yield held


def worlds(*variables: Deal | Choice) -> list[tuple[World, float]]:
    """Every world of a declaration with its prior weight; deals are equally likely."""
    held = [[*deals(variable)] for variable in variables if isinstance(variable, Deal)]
    choices = [variable for variable in variables if isinstance(variable, Choice)]
    names = [variable.name for variable in variables if isinstance(variable, Deal)]
    result: list[tuple[World, float]] = []
    for dealt in itertools.product(*held):
        for values in itertools.product(*(choice.options for choice in choices)):
            world = World(
                dict(zip(names, dealt, strict=True)),
                {choice.name: value for choice, value in zip(choices, values, strict=True)},
            )
            result.append((world, math.prod(prior_in(choice, world) for choice in choices)))
    return result


def prior_in(choice: Choice, world: World) -> float:
    """How likely a choice is to have the value that it has in a world, given what it depends on."""
    row = 0
    if choice.given is not None:
        row = choice.given.values.index(value_in(choice.given, world))
    size = len(choice.options)
    return choice.prior[row * size + choice.options.index(world.values[choice.name])]


def value_in(feature: Quantity, world: World) -> Any:
    """The value of a feature in a world, by what the feature means."""
    if isinstance(feature, Condition):
        return feature.truth[feature.of.values.index(value_in(feature.of, world))]
    if isinstance(feature, TupleOf):
        return tuple(value_in(part, world) for part in feature.parts)
    if isinstance(feature, Counted):
        return sum(value_in(condition, world) for condition in feature.conditions)
    if isinstance(feature, SumOf):
        return sum(
            factor * value_in(part, world)
            for part, factor in zip(feature.parts, feature.factors, strict=True)
        )
    if isinstance(feature, Value):
        return world.values[feature.choice]
    assert isinstance(feature, (AllOf, Count, Which, HolderOf, ItemOf, Single))
    held = world.held[feature.deal]
    if isinstance(feature, AllOf):
        return all(item == feature.item for item, who in held if who == feature.holder)
    if isinstance(feature, Count):
        return sum(item in feature.items and who in feature.holders for item, who in held)
    if isinstance(feature, Which):
        return tuple(item for item in feature.items if dict(held)[item] in feature.holders)
    if isinstance(feature, HolderOf):
        return dict(held)[feature.item]
    return next(item for item, who in held if item in feature.items and who == feature.holder)


class ByHand:
    """The posterior of some evidence over listed worlds.

    Attributes:
        total: Share of the prior weight that is left; its log is the log evidence.
    """

    def __init__(self, listed: Sequence[tuple[World, float]], given: Iterable[Evidence]) -> None:
        evidence = list(given)
        self.worlds = [world for world, _ in listed]
        weights = [
            prior
            * math.prod(
                float(piece.table[piece.feature.values.index(value_in(piece.feature, world))])
                for piece in evidence
            )
            for world, prior in listed
        ]
        whole = math.fsum(weights)
        self.total = whole / math.fsum(prior for _, prior in listed)
        self.weights = [weight / whole if whole else 0.0 for weight in weights]

    def distribution(self, feature: Quantity) -> np.ndarray:
        """Probability of every value, in the order of the feature's values."""
        shares: dict[Any, list[float]] = {value: [] for value in feature.values}
        for world, weight in zip(self.worlds, self.weights, strict=True):
            shares[value_in(feature, world)].append(weight)
        return np.array([math.fsum(shares[value]) for value in feature.values])

    def table(self, deal: Deal) -> dict[str, dict[str, float]]:
        """Expected copies of every item with every holder."""
        holders = {who for world in self.worlds[:1] for _, who in world.held[deal.name]}
        result = {
            item: dict.fromkeys([*deal.holders, *sorted(holders)], 0.0) for item in deal.items
        }
        for world, weight in zip(self.worlds, self.weights, strict=True):
            for item, who in world.held[deal.name]:
                result[item][who] += weight
        return result


def by_hand(model: Model, given: Iterable[Evidence] = ()) -> ByHand:
    """The posterior of a model, all worlds listed."""
    return ByHand(worlds(*model.variables), given)  # pyright: ignore[reportArgumentType]


def step(listed: Sequence[tuple[World, float]], move: Any) -> list[tuple[World, float]]:
    """Worlds and weights after one observation or move, card by physical card.

    A split takes any of the source's cards, all choices alike; a merge changes names; what is
    revealed leaves the worlds in which the holder has just that.
    """
    result: list[tuple[World, float]] = []
    for world, weight in listed:
        if isinstance(move, Evidence):
            at = move.feature.values.index(value_in(move.feature, world))
            if move.table[at] > 0.0:
                result.append((world, weight * float(move.table[at])))
            continue
        held = world.held[move.deal]
        if isinstance(move, Merge):
            outcomes = [
                tuple((item, move.into if who in move.holders else who) for item, who in held)
            ]
        elif isinstance(move, Split):
            source = [card for card, (_, who) in enumerate(held) if who == move.source]
            outcomes = [
                tuple(
                    (item, move.holder if card in taken else who)
                    for card, (item, who) in enumerate(held)
                )
                for taken in itertools.combinations(source, move.count)
            ]
        else:
            there = Counter(item for item, who in held if who == move.holder)
            wanted = Counter({item: n for item, n in move.contents.items() if n})
            outcomes = [held] if there == wanted else []
        result += [
            (World({**world.held, move.deal: after}, world.values), weight / len(outcomes))
            for after in outcomes
        ]
    return result


def follow(model: Model, steps: Iterable[Any]) -> tuple[list[tuple[World, float]], float]:
    """Worlds after a whole history, and the share of the weight that is left."""
    listed = worlds(*model.variables)  # pyright: ignore[reportArgumentType]
    whole = math.fsum(weight for _, weight in listed)
    for move in steps:
        listed = step(listed, move)
    return listed, math.fsum(weight for _, weight in listed) / whole


def entropy(shares: np.ndarray) -> float:
    """Entropy in bits."""
    return -math.fsum(float(p) * math.log2(float(p)) for p in shares if p > 0.0)
