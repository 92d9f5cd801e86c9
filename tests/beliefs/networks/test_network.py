"""Networks as declarations: what pgmpy says of them every engine says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sleuth import compare, infer
from sleuth.beliefs.arrays.problem import Problem
from sleuth.beliefs.engines import NAMES, cost_of, engine
from sleuth.beliefs.engines.base import Cost
from sleuth.beliefs.engines.partial_deals import card_by_card, graph
from sleuth.beliefs.engines.partial_deals.graph import Graph
from sleuth.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
)
from sleuth.networks import Network, example_network, read_bif

from .peers import SPRINKLER, pgmpy_answer, pgmpy_model, shipped


@pytest.fixture(scope="module")
def sprinkler(tmp_path_factory: pytest.TempPathFactory) -> Network:
    file = tmp_path_factory.mktemp("network") / "sprinkler.bif"
    file.write_text(SPRINKLER)
    return read_bif(file)


def test_a_network_of_three_variables_is_what_one_computes_by_hand(sprinkler: Network) -> None:
    on_and_rain, on_and_dry = 0.2 * 0.01, 0.8 * 0.4
    off_and_rain = 0.2 * 0.99
    wet = on_and_rain * 0.99 + on_and_dry * 0.6 + off_and_rain * 0.5
    rain = (on_and_rain * 0.99 + off_and_rain * 0.5) / wet
    posterior = sprinkler.infer({"grass": "wet"})
    assert posterior.marginal(sprinkler.feature("rain"))["yes"] == pytest.approx(rain, abs=1e-12)
    assert sprinkler.log_probability(posterior) == pytest.approx(math.log(wet), abs=1e-12)
    both = sprinkler.query(["rain", "sprinkler"], {"grass": "wet"}, method="enumeration")
    assert both[("no", "on")] == pytest.approx(on_and_dry * 0.6 / wet, abs=1e-12)
    assert ("no", "off") not in both


def test_values_that_cannot_be_observed_together_are_named(sprinkler: Network) -> None:
    with pytest.raises(ContradictionError) as caught:
        sprinkler.infer({"grass": "wet", "sprinkler": "off", "rain": "no"})
    assert set(caught.value.evidence) == {"grass = wet", "sprinkler = off", "rain = no"}


CASES = [
    ("asia", {"xray": "yes", "dysp": "yes"}, ["lung", "bronc"]),
    ("child", {"LowerBodyO2": "<5", "XrayReport": "Oligaemic"}, ["Disease", "Age"]),
    ("insurance", {"Age": "Adolescent", "PropCost": "HundredThou"}, ["RiskAversion", "Theft"]),
]
#: Engines for deals or walks alone.
OTHERS = {"deal_filter", "exact_cover", "forward_filter", "symmetry", "type_counting"}
REFUSING = {
    "asia": OTHERS,
    "child": {*OTHERS, "enumeration"},
    "insurance": {*OTHERS, "enumeration"},
}


def theirs(name: str, values: dict[str, str], names: list[str], network: Network) -> np.ndarray:
    """pgmpy's own answer, in the order of our feature's values."""
    answer = pgmpy_answer(pgmpy_model(text=shipped(name)), names, values)
    ours = network.feature(names).values
    return np.array([answer.get_value(**dict(zip(names, value, strict=True))) for value in ours])


@pytest.mark.parametrize("name, values, names", CASES)
def test_every_engine_agrees_with_pgmpy_or_shows_its_error(
    name: str, values: dict[str, str], names: list[str]
) -> None:
    """On networks that nobody here wrote."""
    network = example_network(name)
    expected = theirs(name, values, names, network)
    about = network.feature(names)
    given = network.observe(values)
    settings: dict[str, Any] = {"samples": 4_000, "seed": 1}
    compared = compare(network.model, given, about=about, isolate=False, **settings)
    assert [result.name for result in compared.results] == list(NAMES)
    refusing = {result.name for result in compared.results if result.reason}
    assert refusing == REFUSING[name]
    for result in compared.results:
        if result.name in refusing:
            with pytest.raises((CostError, UnsupportedError)):
                infer(network.model, given, method=result.name, **settings)
            continue
        posterior = infer(network.model, given, method=result.name, **settings)
        off = np.abs(posterior.distribution(about) - expected)
        # What is reported is the error against an answer that nothing here computed.
        assert result.tv == pytest.approx(0.5 * off.sum(), abs=1e-9), result.name
        if posterior.exact:
            assert off.max() < 1e-9, result.name
            continue
        assert 1e-9 < 0.5 * off.sum() < 0.1, result.name
        worth = posterior.diagnostics.effective_samples
        assert (worth is None) == (result.name == "loopy_bp")
        if worth is not None:
            assert result.ess == worth
            # Five standard errors of a share, by the samples the method itself says it is worth.
            assert (off <= 5.0 * np.sqrt(expected * (1.0 - expected) / worth) + 1e-9).all()


def test_unknown_names_are_refused_with_the_nearest_known_one(sprinkler: Network) -> None:
    with pytest.raises(EvidenceError, match="did you mean 'grass'"):
        sprinkler.observe(gras="wet")
    with pytest.raises(EvidenceError, match="did you mean 'damp'"):
        sprinkler.observe(grass="dump")
    with pytest.raises(EvidenceError, match="did you mean 'sprinkler'"):
        sprinkler.feature(["rain", "sprinklr"])
    with pytest.raises(EvidenceError, match="at least one"):
        sprinkler.feature([])
    with pytest.raises(SettingsError, match="did you mean 'asia'"):
        example_network("asai")


def test_no_engine_is_tried_for_long_where_a_junction_tree_is_quick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[int] = []

    def build(problem: Problem, *, most_edges: int) -> Graph | None:
        tried.append(most_edges)
        return graph.build(problem, most_edges=most_edges)

    monkeypatch.setattr(card_by_card, "build", build)
    # A graph of partial deals would have a million edges and more, which takes long to find out.
    insurance = example_network("insurance")
    cost = cost_of(engine("card_by_card"), insurance.model.problem)
    assert isinstance(cost, Cost)
    assert cost.bound
    assert insurance.infer().method == "junction_tree"
    assert {*tried} == {card_by_card.FIRST_EDGES}
    # With 23,963 edges it is worth its time.
    child = example_network("child").infer({"XrayReport": "Normal"})
    assert child.method == "card_by_card"
    assert tried[-1] == card_by_card.TRIAL_EDGES_OF_CHOICES


def test_a_junction_tree_is_not_planned_where_another_answer_takes_less() -> None:
    belief = example_network("asia").infer({"xray": "yes"})
    assert belief.method == "card_by_card"
    assert "junction" not in belief.problem.cache
    assert isinstance(cost_of(engine("junction_tree"), belief.problem), Cost)
    assert "junction" in belief.problem.cache
