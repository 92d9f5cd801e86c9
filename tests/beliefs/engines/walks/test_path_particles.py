"""Particles that follow a walk come close to the exact filter, and say how close."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import Choice, Model, Walk, infer
from sleuth.beliefs.arrays.problem import Floats
from sleuth.errors import ContradictionError, UnsupportedError

from ...walks import Stream, streams


def distance(one: Floats, other: Floats) -> float:
    """Total variation."""
    return 0.5 * float(np.abs(one - other).sum())


@settings(deadline=None, max_examples=60)
@given(stream=streams())
def test_on_any_stream_they_come_close_to_the_exact_filter(stream: Stream) -> None:
    if sum(weight for _, weight in stream.worlds()) == 0.0:
        with pytest.raises(ContradictionError):
            infer(stream.model, stream.given, method="particles")
        return
    exact = infer(stream.model, stream.given)
    rough = infer(stream.model, stream.given, method="particles", samples=4_000, seed=5)
    assert not rough.exact
    assert rough.diagnostics.effective_samples is not None
    # Ten deviations of a share of one half.
    bound = 10.0 * 0.5 / math.sqrt(rough.diagnostics.effective_samples / 4.0)
    for feature in (stream.walk.at(), stream.walk.at(step=0), stream.kind.value()):
        off = distance(rough.distribution(feature), exact.distribution(feature))
        assert off < min(bound, 0.2)
    assert rough.log_evidence == pytest.approx(exact.log_evidence, abs=0.4)


def long_walk(observed: bool) -> tuple[Walk, Choice, list[Any]]:
    """A walk of 20 steps on a ring of 30, glimpsed through fog, seen exactly at two times."""
    places = list(range(30))
    walk = Walk("walker", places, start=places[:6])
    kind = Choice("kind", {"drifter": 0.5, "lingerer": 0.5})
    drift = walk.transition(lambda at: {(at + 1) % 30: 0.8, (at - 1) % 30: 0.2})
    linger = walk.transition(lambda at: {(at + 1) % 30: 0.4, (at - 1) % 30: 0.6})
    given: list[Any] = []
    for step in range(20):
        given.append(walk.step({"drifter": drift, "lingerer": linger}, by=kind))
        near = (step // 2) % 30
        given.append(
            walk.at().weigh(
                lambda at, near=near: math.exp(-0.3 * min((at - near) % 30, (near - at) % 30))
            )
        )
        if observed and step in (9, 19):
            given.append(walk.seen_at(2 * (step // 3)))
    return walk, kind, given


def test_they_are_moved_when_few_count_and_never_lose_what_is_seen_later() -> None:
    walk, kind, given = long_walk(observed=True)
    exact = infer(Model(walk, kind), given)
    rough = infer(Model(walk, kind), given, method="particles", samples=20_000, seed=1)
    assert (rough.diagnostics.rejuvenated or 0) > 0
    for feature in (kind.value(), walk.at(step=3), walk.at(step=8), walk.at(step=15)):
        assert distance(rough.distribution(feature), exact.distribution(feature)) < 0.05
    assert rough.log_evidence == pytest.approx(exact.log_evidence, abs=0.1)


def test_their_answer_is_right_on_average_and_not_only_consistent() -> None:
    walk, kind, given = long_walk(observed=False)
    exact = infer(Model(walk, kind), given).distribution(walk.at())
    runs = np.array(
        [
            infer(
                Model(walk, kind), given, method="particles", samples=500, seed=seed
            ).distribution(walk.at())
            for seed in range(40)
        ]
    )
    common = exact > 0.01
    error = runs.std(axis=0, ddof=1)[common] / math.sqrt(len(runs))
    assert (np.abs(runs.mean(axis=0)[common] - exact[common]) < 5.0 * error + 1e-4).all()


def test_their_worlds_are_paths_that_are_possible() -> None:
    walk, kind, given = long_walk(observed=True)
    rough = infer(Model(walk, kind), given, method="particles", samples=300, seed=2)
    for world in rough.sample(20, np.random.default_rng(0)):
        path = world["walker"]
        assert (path[10], path[20]) == (6, 12)
        assert {(b - a) % 30 for a, b in pairwise(path)} <= {1, 29}


def test_swaps_of_single_positions_are_refused_and_particles_recommended() -> None:
    walk, kind, given = long_walk(observed=False)
    with pytest.raises(UnsupportedError, match="take particles"):
        infer(Model(walk, kind), given, method="metropolis")
