"""Sampling engines find what is rare but likely in the end, or say that it may be missing."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, Posterior, Walk, infer, together

SAMPLERS = ("likelihood_weighting", "particles")


def unsure(belief: Posterior) -> bool:
    """Whether it says that something was never drawn."""
    return any("never drawn is not ruled out" in note for note in belief.diagnostics.notes)


@pytest.mark.parametrize("method", SAMPLERS)
@pytest.mark.parametrize("rare", [1e-3, 1e-6, 1e-12])
def test_a_rare_cause_that_later_evidence_picks_is_found(method: str, rare: float) -> None:
    disease = Choice("disease", {"yes": rare, "no": 1.0 - rare})
    rows = {"yes": {1: 0.99, 0: 0.01}, "no": {1: rare / 50.0, 0: 1.0 - rare / 50.0}}
    test = Choice("test", rows, given=disease.value())
    model, given = Model(disease, test), test.equals(1).observed()
    right = infer(model, given)
    found = infer(model, given, method=method, samples=2_000)
    assert found.probability(disease.equals("yes")) == pytest.approx(
        right.probability(disease.equals("yes")), abs=0.02
    )
    assert found.log_evidence == pytest.approx(right.log_evidence, abs=0.2)
    assert not unsure(found)


def test_what_is_rare_for_two_reasons_is_said_to_be_missing() -> None:
    causes = [Choice(name, {"yes": 1e-4, "no": 1.0 - 1e-4}) for name in ("one", "other")]
    hint = [1e-9, 1e-9, 1e-9, 1.0]
    model, both = Model(*causes), together(*(cause.value() for cause in causes))
    given = both.weigh(hint[::-1])  # the first value is ("yes", "yes")
    right = infer(model, given).probability(causes[0].equals("yes"))
    assert right > 0.9
    found = infer(model, given, method="likelihood_weighting", samples=1_000)
    assert found.probability(causes[0].equals("yes")) < 0.5
    assert found.diagnostics.effective_samples == pytest.approx(1_000, rel=0.3)
    assert unsure(found)
    # Particles are moved once more, and tell that too.
    moved = infer(model, given, method="particles", samples=1_000)
    assert unsure(moved)
    assert moved.diagnostics.rejuvenated


@pytest.mark.parametrize("method", SAMPLERS)
def test_a_hand_that_was_never_dealt_is_said_to_be_missing(method: str) -> None:
    cards = Deal([f"card {n}" for n in range(16)], holders={"me": 8, "you": 8})
    mine = [f"card {n}" for n in range(8)]
    said = cards.count("me", mine).weigh([1e-7] * 8 + [1.0])
    right = infer(Model(cards), said).probability(cards.all_of("me", mine))
    found = infer(Model(cards), said, method=method, samples=300)
    assert right > 0.99
    assert unsure(found) or found.probability(cards.all_of("me", mine)) > 0.9


@pytest.mark.parametrize("method", SAMPLERS)
def test_ordinary_evidence_is_answered_without_a_warning(method: str) -> None:
    cards = Deal([f"card {n}" for n in range(12)], holders={"me": 4, "you": 4, "table": 4})
    said = [
        cards.count("me", [f"card {n}", f"card {n + 1}"]).weigh([0.5, 0.8, 1.0]) for n in range(4)
    ]
    assert not unsure(infer(Model(cards), said, method=method, samples=1_000))


def test_a_walk_that_began_at_a_rare_place_is_found() -> None:
    walk = Walk("walk", ["near", "far"], start={"near": 1.0 - 1e-6, "far": 1e-6})
    stay = {"near": ["near"], "far": ["far"]}
    given = [walk.step(stay), walk.at(step=1).weigh({"near": 2e-8, "far": 1.0})]
    found = infer(Model(walk), given, method="particles", samples=2_000)
    right = infer(Model(walk), given)
    far = walk.at(step=0).equals("far")
    assert found.probability(far) == pytest.approx(right.probability(far), abs=0.02)
    assert found.log_evidence == pytest.approx(right.log_evidence, abs=0.2)


def test_a_walk_that_took_a_rare_step_is_said_to_be_missing() -> None:
    walk = Walk("walk", ["near", "far"], start=["near"])
    strays = {"near": {"near": 1.0 - 1e-6, "far": 1e-6}, "far": ["far"]}
    stay = {"near": ["near"], "far": ["far"]}
    given = [walk.step(strays), walk.step(stay), walk.at(step=2).weigh({"near": 2e-8, "far": 1.0})]
    found = infer(Model(walk), given, method="particles", samples=1_000)
    assert infer(Model(walk), given).probability(walk.at(step=1).equals("far")) > 0.97
    assert unsure(found)


@pytest.mark.parametrize("method, runs, most", [(SAMPLERS[0], 60, 1.5), (SAMPLERS[1], 20, 2.0)])
def test_as_many_effective_samples_are_claimed_as_the_spread_shows(
    method: str, runs: int, most: float
) -> None:
    """A pair that few draws have and that weighs much: those few decide how well it is known."""
    cards = Deal([f"card {n}" for n in range(12)], holders={"me": 2, "you": 10})
    said = cards.all_of("me", ["card 0", "card 1"]).weigh([1.0, 15.0])
    wanted = cards.holder_of("card 0").equals("me")
    right = infer(Model(cards), said).probability(wanted)
    found = [
        infer(Model(cards), said, method=method, samples=2_000, seed=seed) for seed in range(runs)
    ]
    errors = np.array([belief.probability(wanted) - right for belief in found])
    shown = right * (1.0 - right) / float((errors**2).mean())
    # The mean of variances, as that of errors is.
    variances = [1.0 / (belief.diagnostics.effective_samples or 1.0) for belief in found]
    claimed = 1.0 / float(np.mean(variances))
    assert shown / 2.0 < claimed < most * shown


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("method", SAMPLERS)
def test_a_value_that_is_as_good_as_impossible_is_no_warning(method: str) -> None:
    sides = Choice("sides", ["u", "v"])
    belief = infer(Model(sides), method=method)
    for _ in range(100):
        belief = belief.observe(sides.value().weigh({"u": 1.0, "v": 1e-6}, exact=True))
        assert belief.probability(sides.equals("u")) > 0.99
    assert belief.log_evidence == pytest.approx(np.log(0.5), abs=0.1)
