"""The number of independent draws that is claimed for a question is what many seeds show."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer
from sleuth.beliefs.language.features import Condition

SAMPLERS = ("likelihood_weighting", "metropolis", "particles")


def claimed_and_shown(
    model: Model, given: Any, condition: Condition, method: str, *, runs: int, samples: int
) -> tuple[float, float]:
    """What answers claim for a condition, and what their spread over seeds shows."""
    right = infer(model, given).probability(condition)
    found = [infer(model, given, method=method, samples=samples, seed=seed) for seed in range(runs)]
    errors = np.array([belief.probability(condition) - right for belief in found])
    claims = [belief.effective_samples(condition) for belief in found]
    # The mean of variances, as that of errors is.
    variances = [1.0 / claim for claim in claims if claim is not None]
    return 1.0 / float(np.mean(variances)), right * (1.0 - right) / float((errors**2).mean())


def rare_disease() -> tuple[Model, list[Any], Condition]:
    """A disease that one in a thousand has, and two positive tests."""
    disease = Choice("disease", {"yes": 0.001, "no": 0.999})
    tests = [
        Choice(
            f"test {number}",
            {"yes": {"+": 0.99, "-": 0.01}, "no": {"+": 0.05, "-": 0.95}},
            given=disease.value(),
        )
        for number in (1, 2)
    ]
    given = [test.equals("+").observed() for test in tests]
    return Model(disease, *tests), given, disease.equals("yes")


@pytest.mark.parametrize("method", SAMPLERS)
def test_two_positive_tests_for_a_rare_disease(method: str) -> None:
    model, given, has = rare_disease()
    claimed, shown = claimed_and_shown(model, given, has, method, runs=60, samples=2_000)
    assert shown / 1.6 < claimed < 1.6 * shown


@pytest.mark.parametrize("method", SAMPLERS)
def test_questions_differ_in_how_well_they_are_known(method: str) -> None:
    """A pair that weighs much is known worse than where a card lies that it says nothing of."""
    cards = Deal([f"card {number}" for number in range(8)], holders={"me": 2, "you": 6})
    said = cards.all_of("me", ["card 0", "card 1"]).weigh([1.0, 15.0])
    for name in ("card 0", "card 7"):
        condition = cards.holder_of(name).equals("me")
        claimed, shown = claimed_and_shown(
            Model(cards), [said], condition, method, runs=60, samples=1_000
        )
        assert shown / 1.7 < claimed < 1.7 * shown, name


def test_the_worst_known_place_is_named() -> None:
    model, given, has = rare_disease()
    found = infer(model, given, method="likelihood_weighting", samples=2_000)
    assert found.diagnostics.effective_for == "disease"
    assert found.effective_samples(has) == pytest.approx(found.diagnostics.effective_samples)


def test_what_was_never_drawn_has_no_number() -> None:
    model, given, has = rare_disease()
    found = infer(model, given[:0], method="rejection", samples=20, seed=1)
    assert found.probability(has) == 0.0
    assert found.effective_samples(has) is None
    assert infer(model, given).effective_samples(has) is None
    assert infer(model, given, method="loopy_bp").effective_samples(has) is None
