"""The forward filter answers what paths listed by hand answer, and what other engines answer."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import stats

from sleuth import Choice, Deal, Model, Posterior, Walk, infer, together
from sleuth.beliefs.language.features import FeatureLike
from sleuth.errors import ContradictionError, CostError, UnsupportedError

from ...walks import Stream, streams


def asked(stream: Stream) -> list[tuple[FeatureLike, Any]]:
    """Features of a stream, each with the same by hand."""
    walk, kind = stream.walk, stream.kind
    questions: list[tuple[FeatureLike, Any]] = [
        (walk.at(), lambda kind, path: path[-1]),
        (kind.value(), lambda kind, path: kind),
        ((walk.at(), kind.value()), lambda kind, path: (path[-1], kind)),
        (
            tuple(walk.at(step=step) for step in range(stream.steps + 1)),
            lambda kind, path: path,
        ),
    ]
    for step in range(stream.steps + 1):
        questions.append((walk.at(step=step), lambda kind, path, step=step: path[step]))
        questions.append(
            (
                (walk.at(step=step), kind.value(), walk.at()),
                lambda kind, path, step=step: (path[step], kind, path[-1]),
            )
        )
    return questions


def by_hand(stream: Stream, answer: Any) -> dict[Any, float]:
    shares: defaultdict[Any, float] = defaultdict(float)
    for (kind, path), weight in stream.worlds():
        shares[answer(kind, path)] += weight
    total = sum(shares.values())
    return {value: weight / total for value, weight in shares.items()}


@settings(deadline=None, max_examples=80)
@given(stream=streams())
def test_it_answers_what_all_paths_answer(stream: Stream) -> None:
    total = math.fsum(weight for _, weight in stream.worlds())
    if total == 0.0:
        with pytest.raises(ContradictionError):
            infer(stream.model, stream.given)
        return
    belief = infer(stream.model, stream.given)
    assert (belief.method, belief.exact) == ("forward_filter", True)
    assert belief.log_evidence == pytest.approx(math.log(total), abs=1e-10)
    for feature, answer in asked(stream):
        assert belief.marginal(feature) == pytest.approx(by_hand(stream, answer), abs=1e-12)
    shares = by_hand(stream, lambda kind, path: path[0])
    bits = -sum(share * math.log2(share) for share in shares.values())
    assert belief.entropy(stream.walk.at(step=0)) == pytest.approx(bits, abs=1e-10)


@settings(deadline=None, max_examples=60)
@given(stream=streams())
def test_observing_piece_by_piece_equals_inferring_anew(stream: Stream) -> None:
    assume(sum(weight for _, weight in stream.worlds()) > 0.0)
    at_once = infer(stream.model, stream.given)
    belief = infer(stream.model)
    for piece in stream.given:
        belief = belief.observe(piece)
    assert belief == at_once
    assert belief.log_evidence == pytest.approx(at_once.log_evidence, abs=1e-12)
    for feature, _ in asked(stream):
        assert belief.distribution(feature) == pytest.approx(
            at_once.distribution(feature), abs=1e-12
        )


@settings(deadline=None, max_examples=40)
@given(stream=streams(most=5, most_steps=2))
@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "pgmpy"])
def test_the_general_engines_agree(method: str, stream: Stream) -> None:
    assume(sum(weight for _, weight in stream.worlds()) > 0.0)
    belief = infer(stream.model, stream.given)
    other = infer(stream.model, stream.given, method=method)
    assert other.log_evidence == pytest.approx(belief.log_evidence, abs=1e-10)
    for feature, _ in asked(stream):
        assert other.distribution(feature) == pytest.approx(belief.distribution(feature), abs=1e-10)


def ring(size: int, steps: int) -> tuple[Walk, Choice, Posterior]:
    """A walker on a ring who drifts or lingers, seen now and then."""
    places = list(range(size))
    walk = Walk("walker", places, start=[0, 1])
    kind = Choice("kind", {"drifter": 0.5, "lingerer": 0.5})
    drift = walk.transition(lambda at: {(at + 1) % size: 0.8, (at - 1) % size: 0.2})
    linger = walk.transition(lambda at: {at: 0.6, (at + 1) % size: 0.2, (at - 1) % size: 0.2})
    belief = infer(Model(walk, kind))
    for step in range(steps):
        belief = belief.observe(walk.step({"drifter": drift, "lingerer": linger}, by=kind))
        if step % 3 == 2:
            belief = belief.observe(walk.not_at(step % size))
    return walk, kind, belief


def test_whole_paths_are_drawn_from_the_posterior() -> None:
    walk, kind, belief = ring(4, 3)
    worlds = belief.sample(20_000, np.random.default_rng(3))
    drawn = Counter((world["kind"], *world["walker"]) for world in worlds)
    steps = tuple(walk.at(step=step) for step in range(4))
    shares = belief.joint(kind.value(), *steps)
    assert set(drawn) <= set(shares)
    common = [value for value, share in shares.items() if share > 5e-4]
    rest = sum(share for value, share in shares.items() if value not in common)
    counts = [drawn[value] for value in common]
    expected = [20_000 * shares[value] for value in common]
    if rest > 0.0:
        counts.append(20_000 - sum(counts))
        expected.append(20_000 * rest)
    assert stats.chisquare(counts, np.array(expected) * (sum(counts) / sum(expected))).pvalue > 1e-4


def test_a_long_walk_with_hundreds_of_faint_weights_neither_vanishes_nor_drifts() -> None:
    walk = Walk("walker", ["in", "out"], start={"in": 0.5, "out": 0.5})
    stay = walk.transition([[0.9, 0.1], [0.1, 0.9]])
    faint = walk.at().weigh({"in": 2e-8, "out": 1e-8})
    belief = infer(Model(walk), [faint] * 60)
    for _ in range(300):
        belief = belief.observe(walk.step(stay), walk.at().weigh({"in": 2e-8, "out": 1e-8}))
    again = infer(belief.model, belief.history)
    assert belief.log_evidence == pytest.approx(again.log_evidence, rel=1e-12)
    assert -360 * 18.5 < belief.log_evidence < -360 * 17.0
    assert sum(belief.marginal(walk.at(step=150)).values()) == pytest.approx(1.0)
    earlier = belief.observe(walk.at(step=0).weigh({"in": 1.0, "out": 3.0}))
    assert earlier.log_evidence == pytest.approx(
        belief.log_evidence + math.log(3.0 - 2.0 * belief.probability(walk.at(step=0).equals("in")))
    )


def test_large_graphs_are_followed_by_the_filter_alone() -> None:
    places = list(range(300))
    walk = Walk("walker", places, start=[0])
    step = walk.transition(lambda at: [other for other in (at - 1, at + 1) if 0 <= other < 300])
    belief = infer(Model(walk), [walk.step(step)] * 5)
    assert set(belief.marginal(walk.at())) == {1, 3, 5}
    drawn = belief.sample(50, np.random.default_rng(1))
    assert {abs(a - b) for world in drawn for a, b in pairwise(world["walker"])} == {1}
    with pytest.raises(UnsupportedError, match="at most 127 positions"):
        infer(belief.model, belief.history, method="card_by_card")


def test_evidence_that_ties_distant_positions_goes_to_a_general_engine() -> None:
    walk = Walk("walker", ["a", "b", "c"], start=["a"])
    anywhere = walk.transition(np.ones((3, 3)))
    model = Model(walk)
    back = together(walk.at(step=0), walk.at(step=2)).satisfies(lambda pair: pair[0] == pair[1])
    given = [walk.step(anywhere), walk.step(anywhere), back]
    with pytest.raises(UnsupportedError, match="more than one step apart"):
        infer(model, given, method="forward_filter")
    belief = infer(model, given)
    assert belief.method != "forward_filter"
    assert belief.marginal(walk.at()) == {"a": 1.0}
    followed = infer(model, given[:2])
    assert followed.method == "forward_filter"
    assert followed.observe(back).marginal(walk.at()) == {"a": 1.0}


def test_a_walk_beside_a_deal_is_left_to_the_general_engines() -> None:
    walk = Walk("walker", ["a", "b", "c"], start=["a"])
    cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    both = together(walk.at(), cards.holder_of("ace"))
    given = [
        walk.step({"a": ["b", "c"]}),
        both.weigh(lambda pair: 1.0 + 2.0 * (pair == ("b", "me"))),
    ]
    belief = infer(Model(walk, cards), given)
    assert belief.marginal(walk.at()) == pytest.approx({"b": 4 / 6, "c": 2 / 6})
    assert belief.marginal(cards.holder_of("ace")) == pytest.approx({"me": 4 / 6, "you": 2 / 6})
    with pytest.raises(UnsupportedError, match="one Walk, alone or with Choices"):
        infer(belief.model, given, method="forward_filter")


def test_two_walks_are_left_to_the_general_engines() -> None:
    cat, mouse = Walk("cat", ["a", "b"], start=["a"]), Walk("mouse", ["a", "b"])
    swap = {"a": ["a", "b"], "b": ["a"]}
    apart = together(cat.at(), mouse.at()).satisfies(lambda pair: pair[0] != pair[1])
    belief = infer(Model(cat, mouse), [cat.step(swap), mouse.step(swap), apart])
    # Cat: a, b evenly. Mouse: a 3/4, b 1/4.
    assert belief.marginal(cat.at()) == pytest.approx({"a": 0.25, "b": 0.75})
    assert belief.sample(1, np.random.default_rng(0))[0]["mouse"][0] in ("a", "b")


def test_a_joint_of_too_many_steps_says_what_to_do() -> None:
    walk, kind = Walk("walker", list(range(140))), Choice("kind", list(range(10)))
    step = walk.transition(np.ones((140, 140)))
    weights = kind.value().weigh(lambda value: 1.0 + value)
    belief = infer(Model(walk, kind), [walk.step(step), walk.step(step), weights])
    with pytest.raises(CostError, match="sample whole paths"):
        belief.distribution(tuple(walk.at(step=step) for step in range(3)))
