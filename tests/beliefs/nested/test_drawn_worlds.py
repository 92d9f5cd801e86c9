"""Worlds as rows: what they say about features, and those that are all equally likely."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer
from sleuth.beliefs.nested.drawn_worlds import places, uniform
from sleuth.errors import EvidenceError

CARDS = Deal(
    {"ace": 2, "king": 1, "queen": 3},
    holders={"me": 2, "you": 2, "table": 2},
    name="cards",
)
COIN = Choice("coin", {"heads": 0.9, "tails": 0.1, "edge": 0.0})
PARTED = Deal(
    ["a1", "a2", "b1", "b2", "b3"],
    holders={"file": 2, "you": 3},
    categories={"a": ["a1", "a2"], "b": ["b1", "b2", "b3"]},
    counts={"file": {"a": 1, "b": 1}},
    name="parted",
)


def test_rows_say_of_a_feature_what_the_worlds_say() -> None:
    model = Model(CARDS, COIN, PARTED)
    posterior = infer(model, [CARDS.lacks("me", "king")])
    rows = posterior.sample_array(200, np.random.default_rng(3))
    worlds = posterior.sample(200, np.random.default_rng(3))
    aces = CARDS.count("you", "ace")
    assert [aces.values[place] for place in places(posterior, aces, rows)] == [
        world["cards"]["you"].count("ace") for world in worlds
    ]
    coin = COIN.value()
    assert [coin.values[place] for place in places(posterior, coin, rows)] == [
        world["coin"] for world in worlds
    ]
    both = (PARTED.single("file", "a"), PARTED.single("file", "b"))
    joint = posterior.joint(*both)
    found = places(posterior, both, rows)
    values = [(a, b) for a in ("a1", "a2") for b in ("b1", "b2", "b3")]
    assert [sorted(values[place]) for place in found] == [
        sorted(world["parted"]["file"]) for world in worlds
    ]
    assert set(joint) == set(values)


def test_rows_of_another_model_are_refused() -> None:
    posterior = infer(Model(CARDS))
    with pytest.raises(EvidenceError, match="6 columns"):
        places(posterior, CARDS.count("me", "ace"), np.zeros((3, 5), dtype=np.int8))


def test_uniform_keeps_what_is_possible_and_forgets_what_is_likely() -> None:
    aces = CARDS.count("you", "ace")
    given = [aces.weigh({0: 1.0, 1: 100.0, 2: 0.0}, exact=True), COIN.value().weigh([1, 9, 9])]
    posterior = infer(Model(CARDS, COIN), given)
    flat = uniform(posterior)
    # Of 15 pairs of cards for you, 6 have no ace and 8 have one.
    assert flat.marginal(aces) == pytest.approx({0: 6 / 14, 1: 8 / 14})
    assert flat.marginal(COIN.value()) == pytest.approx({"heads": 0.5, "tails": 0.5})
    assert posterior.marginal(aces)[1] > 0.98
