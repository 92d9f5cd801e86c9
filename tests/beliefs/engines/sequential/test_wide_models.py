"""Engines that sample answer models of any number of choices, and agree with exact numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, Posterior, infer, together
from sleuth.beliefs.engines import APPROXIMATE, engine
from sleuth.beliefs.engines.base import EngineOptions
from sleuth.beliefs.engines.sampling import likelihood_weighting, particles, rejection
from sleuth.beliefs.engines.sequential import filtering
from sleuth.beliefs.modelling.history import History
from sleuth.errors import CostError
from sleuth.networks import example_network

from ..games import assert_close, p_value

CHAINS = ("metropolis", "gibbs")
SAMPLING = tuple(name for name in APPROXIMATE if name != "loopy_bp")
WEIGHED = ("likelihood_weighting", "particles")


def chain(length: int) -> list[Choice]:
    """Weather that is likely to stay as it was the day before."""
    days = [Choice("day 0", {"sun": 0.3, "rain": 0.7})]
    rows = {"sun": {"sun": 0.9, "rain": 0.1}, "rain": {"sun": 0.2, "rain": 0.8}}
    for number in range(1, length):
        days.append(Choice(f"day {number}", rows, given=days[-1].value()))
    return days


def matrices(length: int, seen: dict[int, int]) -> tuple[Any, float]:
    """Marginals of a chain by hand, forwards and backwards, and the log evidence."""
    step = np.array([[0.9, 0.1], [0.2, 0.8]])
    forward, backward = np.zeros((length, 2)), np.ones((length, 2))
    log_total, now = 0.0, np.array([0.3, 0.7])
    for number in range(length):
        now = now @ step if number else now
        if number in seen:
            now = now * np.eye(2)[seen[number]]
        log_total += math.log(now.sum())
        forward[number] = now = now / now.sum()
    for number in range(length - 2, -1, -1):
        after = backward[number + 1]
        if number + 1 in seen:
            after = after * np.eye(2)[seen[number + 1]]
        backward[number] = step @ after
        backward[number] /= backward[number].sum()
    both = forward * backward
    return both / both.sum(axis=1, keepdims=True), log_total


@pytest.mark.parametrize("method", APPROXIMATE)
def test_sixty_four_coins(method: str) -> None:
    coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(64)]
    seen = coins[0].equals("heads").observed()
    found = infer(Model(*coins), [seen], method=method, samples=2_000, seed=1)
    assert found.probability(coins[0].equals("heads")) == 1.0
    assert found.probability(coins[1].equals("heads")) == pytest.approx(0.5, abs=0.05)
    if method not in CHAINS:
        assert found.log_evidence == pytest.approx(math.log(0.5), abs=1e-9)


@pytest.mark.parametrize("method", APPROXIMATE)
def test_a_long_chain_agrees_with_matrices(method: str) -> None:
    length, seen = 300, {150: 1, 299: 0}
    days = chain(length)
    given = [days[day].equals(["sun", "rain"][value]).observed() for day, value in seen.items()]
    found = infer(Model(*days), given, method=method, samples=1_000, seed=2)
    wanted, log_evidence = matrices(length, seen)
    if method == "loopy_bp":
        assert found.solution.expected() == pytest.approx(wanted, abs=1e-9)
        assert found.diagnostics.converged
    else:
        worth = found.diagnostics.effective_samples
        assert worth is not None
        assert worth > 50
        spread = np.sqrt(wanted * (1.0 - wanted) / worth)
        assert (np.abs(found.solution.expected() - wanted) <= 5.0 * spread + 3.0 / worth).all()
    if method == "rejection":
        assert found.log_evidence == pytest.approx(log_evidence, abs=0.2)
    elif method not in CHAINS:
        # What comes later is known when a day is drawn, so all worlds weigh the same.
        assert found.log_evidence == pytest.approx(log_evidence, abs=1e-8)


def test_a_chain_of_ten_thousand_is_solved_by_two_rounds_of_messages() -> None:
    length, seen = 10_000, {5_000: 1, 9_999: 0}
    days = chain(length)
    given = [days[day].equals(["sun", "rain"][value]).observed() for day, value in seen.items()]
    found = infer(Model(*days), given, method="loopy_bp")
    wanted, log_evidence = matrices(length, seen)
    assert found.solution.expected() == pytest.approx(wanted, abs=1e-9)
    assert found.log_evidence == pytest.approx(log_evidence, abs=1e-6)
    assert found.diagnostics.converged


@pytest.mark.parametrize("method", APPROXIMATE)
def test_a_network_that_pgmpy_knows(method: str) -> None:
    """By pyAgrum the answer is 0.082225673."""
    network = example_network("hailfinder")
    found = network.infer({"R5Fcst": "SVR"}, method=method, samples=2_000, seed=2)
    chance = found.probability(network.feature("Scenario").equals("A"))
    if method == "metropolis":
        # One variable at a time cannot leave where it began, and R-hat says so.
        assert not found.diagnostics.converged
    else:
        assert chance == pytest.approx(0.082225673, abs=0.02)


def small() -> tuple[Model, list[Any]]:
    """A network with a choice that is a function of two others, a soft and a hard sign."""
    cloud = Choice("cloud", {"yes": 0.3, "no": 0.7})
    rain = Choice("rain", {"yes": {1: 0.7, 0: 0.3}, "no": {1: 0.05, 0: 0.95}}, given=cloud.value())
    hose = Choice("hose", {"yes": {1: 0.1, 0: 0.9}, "no": {1: 0.4, 0: 0.6}}, given=cloud.value())
    wet = Choice(
        "wet", lambda both: {int(any(both)): 1.0}, given=together(rain.value(), hose.value())
    )
    mud = Choice("mud", {1: {"a": 0.6, "b": 0.3, "c": 0.1}, 0: {"c": 1.0}}, given=wet.value())
    tied = together(rain.value(), mud.value()).weigh(
        lambda pair: 0.2 + 0.5 * (pair == (1, "b")), because="a print"
    )
    model = Model(cloud, rain, hose, wet, mud)
    return model, [tied, mud.value().weigh({"a": 0.5, "b": 0.9, "c": 0.4})]


def drawn_wide(monkeypatch: pytest.MonkeyPatch, method: str, **options: Any) -> Posterior:
    """The answer to a small model as if it were a wide one."""
    for module in (rejection, likelihood_weighting, particles):
        monkeypatch.setattr(module, "is_wide", lambda _: True)
    model, given = small()
    return infer(model, given, method=method, **options)


@pytest.mark.parametrize("method", ["rejection", "likelihood_weighting", "particles", "gibbs"])
def test_one_world_from_each_of_many_runs_passes_a_chi_square_test(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, given = small()
    exact = infer(model, given, method="enumeration")
    everything = together(*(each.value() for each in model.variables if isinstance(each, Choice)))
    counts: dict[Any, int] = {}
    runs, samples = 150, 40
    for seed in range(runs):
        found = drawn_wide(monkeypatch, method, samples=samples, seed=seed)
        rows = found.solution.draw(1, np.random.default_rng(seed))
        (value,) = model.value_of(everything, rows)
        counts[value] = counts.get(value, 0) + 1
    shares = np.array([counts.get(value, 0) for value in everything.values]) / runs
    assert p_value(shares, exact.distribution(everything), runs) > 1e-3


@pytest.mark.parametrize("method", ["rejection", "likelihood_weighting", "particles", "gibbs"])
def test_all_marginals_and_the_log_evidence(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = drawn_wide(monkeypatch, method, samples=20_000, seed=3)
    model, given = small()
    exact = infer(model, given, method="enumeration")
    if method != "gibbs":
        assert_close(found, exact)
        assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.03)
    else:
        assert found.solution.expected() == pytest.approx(exact.solution.expected(), abs=0.02)
        assert found.diagnostics.rhat is not None
        assert found.diagnostics.rhat < 1.01


@pytest.mark.parametrize("method", APPROXIMATE)
def test_a_deal_beside_many_choices(method: str) -> None:
    cards = Deal([*"abcd"], holders={"me": 2, "you": 2})
    coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(70)]
    both = together(cards.holder_of("a"), coins[3].value())
    weights = [0.9, 0.1, 0.3, 0.3]
    given = [both.weigh(weights), cards.all_of("me", ["b", "c"]).weigh([1.0, 5.0])]
    found = infer(Model(cards, *coins), given, method=method, samples=3_000, seed=4)
    exact = infer(Model(cards, coins[3]), given, method="enumeration")
    assert found.distribution(both) == pytest.approx(exact.distribution(both), abs=0.05)


def test_choices_of_more_values_than_a_byte_holds() -> None:
    numbers = [Choice(f"number {place}", range(200)) for place in range(3)]
    same = together(numbers[0].value(), numbers[1].value())
    near = same.weigh(lambda pair: 1.0 if abs(pair[0] - pair[1]) < 3 else 0.0, exact=True)
    seen = numbers[1].equals(190).observed()
    for method in SAMPLING:
        found = infer(Model(*numbers), [near, seen], method=method, samples=400, seed=5)
        assert set(found.marginal(numbers[0])) <= {188, 189, 190, 191, 192}, method
        rows = found.sample_array(10, np.random.default_rng(0))
        assert rows.dtype.itemsize > 1
        assert (rows[:, 1] == 190).all()


@pytest.mark.parametrize("method", APPROXIMATE)
def test_evidence_that_cannot_be_leaves_nothing(method: str) -> None:
    days = chain(80)
    given = [days[3].equals("sun").observed(), days[3].equals("rain").observed()]
    history = History.empty(Model(*days)).extend([given], lambda _past, _condition: 0.5)
    found = engine(method).solve(history.problem, EngineOptions(samples=100))
    assert found.log_weight == -math.inf


@pytest.mark.parametrize("method", SAMPLING)
def test_a_seed_decides_everything(method: str) -> None:
    days = chain(80)
    first, again, other = (
        infer(Model(*days), days[79].equals("sun"), method=method, samples=100, seed=seed)
        for seed in (1, 1, 2)
    )
    assert (first.solution.expected() == again.solution.expected()).all()
    assert (first.solution.expected() != other.solution.expected()).any()


def hidden_chain(length: int) -> tuple[Model, list[Any], list[Choice]]:
    """Weather that is seen through a thermometer, whose evidence no draw looks ahead to."""
    days = chain(length)
    signs = ["warm" if number % 7 < 3 else "cold" for number in range(length)]
    chances = {"warm": {"sun": 0.9, "rain": 0.4}, "cold": {"sun": 0.1, "rain": 0.6}}
    given = [day.value().weigh(chances[sign]) for day, sign in zip(days, signs, strict=True)]
    return Model(*days), given, days


def test_effective_samples_of_particles_that_descend_from_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without looking ahead particles are resampled often: families tell what they are worth."""

    def nothing(*_: object) -> None:
        """No message is passed back."""

    monkeypatch.setattr("sleuth.beliefs.engines.sequential.order.look_ahead", nothing)
    model, given, days = hidden_chain(100)
    small_model, small_given, _ = hidden_chain(60)
    exact = infer(small_model, small_given, method="card_by_card")
    found = [
        infer(model, given[:60], method="particles", samples=300, seed=seed) for seed in range(40)
    ]
    assert min(each.diagnostics.rejuvenated or 0 for each in found) > 5
    for day in (2, 30, 58):
        sun = days[day].equals("sun")
        right = exact.probability(sun)
        errors = np.array([each.probability(sun) - right for each in found])
        shown = right * (1.0 - right) / float((errors**2).mean())
        variances = [1.0 / (each.effective_samples(sun) or 1.0) for each in found]
        assert shown / 2.0 < 1.0 / float(np.mean(variances)) < 2.0 * shown, day


def test_lost_particles_are_said_to_be_lost() -> None:
    """Of an odd number of coins in a ring two neighbours are alike; no table alone knows that."""
    coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(81)]
    pairs = [together(coins[place].value(), coins[place - 1].value()) for place in range(81)]
    said = [pair.weigh(lambda two: float(two[0] != two[1]), exact=True) for pair in pairs]
    with pytest.raises(CostError, match="particles were lost at 'coin"):
        infer(Model(*coins), said, method="particles", samples=50)


def test_families_are_told_apart_by_their_ancestors() -> None:
    parents = [np.array([0, 0, 2, 2]), np.array([1, 1, 1, 3])]
    descent = filtering.Genealogy(4, parents, np.array([0, 1, 2]))
    assert descent.since(0).tolist() == [0, 0, 0, 2]
    assert descent.since(1).tolist() == [1, 1, 1, 3]
    assert descent.since(2).tolist() == [0, 1, 2, 3]
