"""What holds for every approximate engine, on every kind of declaration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, Posterior, infer, together
from sleuth.beliefs.engines import APPROXIMATE, engine
from sleuth.beliefs.engines.base import Cost, EngineOptions
from sleuth.errors import ContradictionError, UnsupportedError

from ..games import assert_close, cheat, clue_game, everything, exact, mixed, mystery, p_value

#: Without an estimate of the log evidence.
CHAINS = ("metropolis", "gibbs")
SAMPLING = tuple(name for name in APPROXIMATE if name != "loopy_bp")


def same(one: Posterior, other: Posterior) -> bool:
    return bool((one.solution.expected() == other.solution.expected()).all())


@pytest.mark.parametrize("name", APPROXIMATE)
def test_an_engine_says_what_it_is(name: str) -> None:
    found = engine(name)
    assert (found.name, found.exact) == (name, False)
    assert found.summary
    assert isinstance(found.cost(Model(mystery()[0]).problem), Cost)


@pytest.mark.parametrize("name", SAMPLING)
def test_marginals_of_a_small_mystery_are_within_sampling_error(name: str) -> None:
    deal, given = mystery()
    answer = infer(Model(deal), given, method=name, samples=4_000, seed=3)
    assert answer.method == name
    assert not answer.exact
    assert_close(answer, exact(Model(deal), given))


@pytest.mark.parametrize("name", SAMPLING)
def test_identical_copies_after_split_merge_and_reveal(name: str) -> None:
    model, given = cheat()
    answer = infer(model, given, method=name, samples=4_000, seed=5)
    oracle = exact(model, given)
    assert_close(answer, oracle)
    if name not in CHAINS:
        assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.15)


@pytest.mark.parametrize("name", SAMPLING)
def test_several_deals_and_choices_at_once(name: str) -> None:
    model, given = mixed()
    answer = infer(model, given, method=name, samples=4_000, seed=7)
    oracle = exact(model, given)
    assert_close(answer, oracle)
    if name not in CHAINS:
        assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.15)


@pytest.mark.parametrize("name", APPROXIMATE)
def test_a_seed_decides_everything(name: str) -> None:
    deal, given = clue_game(2, 4)
    model = Model(deal)
    first, again = (infer(model, given, method=name, samples=500, seed=11) for _ in range(2))
    assert same(first, again)
    draws = [p.sample_array(50, np.random.default_rng(0)) for p in (first, again)]
    assert (draws[0] == draws[1]).all()
    if name != "loopy_bp":
        assert not same(first, infer(model, given, method=name, samples=500, seed=12))


@pytest.mark.parametrize("name", APPROXIMATE)
def test_what_propagation_finds_contradictory_is_a_contradiction(name: str) -> None:
    deal, _ = mystery()
    with pytest.raises(ContradictionError) as caught:
        infer(
            Model(deal),
            [
                deal.holds("bob", "room 2", id="seen"),
                deal.lacks("bob", "room 2", id="passed"),
            ],
            method=name,
            samples=100,
        )
    assert set(caught.value.evidence) == {"seen", "passed"}


@pytest.mark.parametrize("name", ["metropolis", "particles"])
def test_a_contradiction_that_only_search_can_find(name: str) -> None:
    # Of every two of three cards ann has exactly one: each pair is fine, all three are not.
    deal = Deal([*"abcdef"], holders={"ann": 3, "bob": 3})
    pairs = [deal.count("ann", [*pair]).equals(1) for pair in ("ab", "bc", "ac")]
    assert infer(Model(deal), pairs[:2], method=name, samples=100).probability(pairs[2]) == 0.0
    with pytest.raises(ContradictionError):
        infer(Model(deal), pairs, method=name, samples=100)


@pytest.mark.parametrize("name", APPROXIMATE)
def test_every_sampled_world_is_possible(name: str) -> None:
    deal, given = clue_game(4, 5)
    model = Model(deal)
    answer = infer(model, given, method=name, samples=400)
    worlds = answer.solution.draw(200, np.random.default_rng(1))
    slots = np.arange(model.layout.slot_count)
    assert ((worlds[:, :, None] == slots).sum(axis=1) == model.layout.capacity).all()
    for evidence in given:
        weights = dict(zip(evidence.feature.values, evidence.table, strict=True))
        assert all(weights[value] > 0.0 for value in model.value_of(evidence.feature, worlds))


@pytest.mark.parametrize("name", APPROXIMATE)
def test_no_evidence_is_no_evidence(name: str) -> None:
    model = Model(Deal([*"abcd"], holders={"x": 1, "y": 3}), Choice("kind", {"p": 0.25, "q": 0.75}))
    answer = infer(model, method=name, samples=4_000)
    if name in CHAINS:
        assert math.isnan(answer.log_evidence)
    else:
        assert answer.log_evidence == pytest.approx(0.0, abs=0.05)
    assert answer.solution.expected() == pytest.approx(
        exact(model, []).solution.expected(), abs=0.05
    )


@pytest.mark.parametrize("name", APPROXIMATE)
def test_a_world_that_is_certain(name: str) -> None:
    deal = Deal([*"abc"], holders={"x": 1, "y": 2})
    answer = infer(Model(deal), [deal.holds("x", "b")], method=name, samples=100)
    assert answer.marginal(deal.holder_of("b")) == {"x": 1.0}
    assert answer.marginal(deal.holder_of("a")) == {"y": 1.0}


@pytest.mark.parametrize("name", APPROXIMATE)
def test_questions_and_gains_are_answered(name: str) -> None:
    deal, given = mystery()
    answer = infer(Model(deal), given, method=name, samples=4_000)
    oracle = exact(Model(deal), given)
    about = deal.single("file", "rooms")
    question = deal.holder_of("room 2")
    both = together(about, question)
    assert answer.distribution(both).sum() == pytest.approx(1.0)
    assert answer.distribution(both) == pytest.approx(oracle.distribution(both), abs=0.1)
    assert answer.entropy(about) == pytest.approx(oracle.entropy(about), abs=0.1)


@pytest.mark.parametrize("name", ["rejection", "metropolis"])
def test_worlds_of_equal_weight_pass_a_chi_square_test(name: str) -> None:
    deal, given = mystery()
    answer = infer(Model(deal), given, method=name, samples=20_000, seed=1)
    wanted = exact(Model(deal), given).distribution(everything(deal))
    # Chains remember a little; every fifth of their worlds is as good as independent.
    step = 5 if name == "metropolis" else 1
    worlds = answer.solution.worlds[::step]  # pyright: ignore[reportAttributeAccessIssue]
    values = answer.model.value_of(everything(deal), worlds)
    place = {value: number for number, value in enumerate(everything(deal).values)}
    counts = np.bincount([place[value] for value in values], minlength=len(place))
    assert p_value(counts / counts.sum(), wanted, len(worlds)) > 1e-3


@pytest.mark.parametrize("name", ["likelihood_weighting", "particles"])
def test_one_world_from_each_of_many_runs_passes_a_chi_square_test(name: str) -> None:
    deal, given = mystery()
    model, feature = Model(deal), everything(deal)
    wanted = exact(model, given).distribution(feature)
    counts = np.zeros(len(feature.values))
    rng = np.random.default_rng(0)
    problem = infer(model, given, method="card_by_card").problem
    for seed in range(500):
        solution = engine(name).solve(problem, EngineOptions(samples=300, seed=seed))
        (value,) = model.value_of(feature, solution.draw(1, rng))
        counts[feature.values.index(value)] += 1
    assert p_value(counts / counts.sum(), wanted, counts.sum()) > 1e-3


def test_loopy_bp_says_where_it_cannot_sample() -> None:
    # Every card is as likely with either, but all four must be together.
    deal = Deal([f"card {n}" for n in range(24)], holders={"x": 12, "y": 12})
    cards = [*deal.items]
    tied = [deal.count("x", cards[k : k + 4]).among([0, 4]) for k in range(0, 24, 4)]
    answer = infer(Model(deal), tied, method="loopy_bp")
    with pytest.raises(UnsupportedError, match="cannot sample"):
        answer.sample(200, np.random.default_rng(0))
