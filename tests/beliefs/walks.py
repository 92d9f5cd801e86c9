"""Small random walks with their evidence, and all their paths listed by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sleuth import Choice, Model, Walk, together
from sleuth.beliefs.modelling.history import Observation

POSITIONS = ("a", "b", "c", "d")

#: A weight for every (value of the choice, path up to now) that the piece was observed after.
World = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Stream:
    """A walk, a choice, and what was observed of them one after the other.

    Attributes:
        walk, kind, model: What was declared.
        given: What was observed.
        weighing: For each piece how to weigh it by hand: a word, the number of steps it is
            about, and its weights.
        steps: Steps taken in all.
    """

    walk: Walk
    kind: Choice
    model: Model
    given: list[Observation]
    weighing: list[tuple[str, int, Any]]
    steps: int

    def worlds(self) -> Iterator[tuple[World, float]]:
        """Every world and its weight, straight from the definition."""
        start = dict(zip(self.walk.positions, self.walk.start, strict=True))
        prior = dict(zip(self.kind.options, self.kind.prior, strict=True))
        for kind in self.kind.options:
            for path in itertools.product(self.walk.positions, repeat=self.steps + 1):
                weight = prior[kind] * start[path[0]]
                for word, step, weights in self.weighing:
                    if word == "step":
                        weight *= weights[kind][path[step], path[step + 1]]
                    elif word == "position":
                        weight *= weights[path[step]]
                    elif word == "kind":
                        weight *= weights[kind]
                    elif word == "both":
                        weight *= weights[path[step], kind]
                    else:
                        weight *= weights[path[step], path[step + 1]]
                if weight > 0.0:
                    yield (kind, path), weight


@st.composite
def weights_of(draw: st.DrawFn, values: list[Any]) -> dict[Any, float]:
    """A weight for every value, some zero, not all."""
    numbers = st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.5])
    table = [draw(numbers) for _ in values]
    table[draw(st.integers(0, len(values) - 1))] = 1.0
    return dict(zip(values, table, strict=True))


def _nested(weights: dict[Any, float]) -> dict[str, dict[str, float]]:
    result: dict[str, dict[str, float]] = {}
    for (before, after), weight in weights.items():
        result.setdefault(before, {})[after] = weight
    return result


@st.composite
def streams(draw: st.DrawFn, *, most: int = 7, most_steps: int = 3) -> Stream:
    """A stream that may contradict itself."""
    positions = list(POSITIONS[: draw(st.integers(1, 4))])
    walk = Walk("walk", positions, draw(weights_of(positions)))
    kind = Choice("kind", draw(st.sampled_from([{"x": 1.0}, {"x": 0.3, "y": 0.7}])))
    kinds, pairs = list(kind.options), list(itertools.product(positions, repeat=2))
    given: list[Observation] = []
    weighing: list[tuple[str, int, Any]] = []
    now = 0
    for _ in range(draw(st.integers(0, most))):
        words = ["position", "kind", "both"]
        words += ["step", "step by kind"] if now < most_steps else []
        words += ["pair"] if now else []
        word = draw(st.sampled_from(words))
        step = draw(st.integers(0, now))
        if word.startswith("step"):
            tables = {name: draw(weights_of(pairs)) for name in kinds}
            if word == "step":
                tables = dict.fromkeys(kinds, tables[kinds[0]])
                given.append(walk.step(_nested(tables[kinds[0]])))
            else:
                nested = {name: _nested(table) for name, table in tables.items()}
                given.append(walk.step(nested, by=kind))
            weighing.append(("step", now, tables))
            now += 1
            continue
        # The present position is asked for by itself, or by its number.
        where = walk.at() if step == now and draw(st.booleans()) else walk.at(step=step)
        if word == "position":
            table = draw(weights_of(positions))
            given.append(where.weigh(table, exact=True))
        elif word == "kind":
            table = draw(weights_of(kinds))
            given.append(kind.value().weigh(table, exact=True))
        elif word == "both":
            table = draw(weights_of(list(itertools.product(positions, kinds))))
            given.append(together(where, kind.value()).weigh(table, exact=True))
        else:
            step = draw(st.integers(0, now - 1))
            table = draw(weights_of(pairs))
            neighbours = together(walk.at(step=step), walk.at(step=step + 1))
            given.append(neighbours.weigh(table, exact=True))
        weighing.append((word, step, table))
    return Stream(walk, kind, Model(walk, kind), given, weighing, now)
