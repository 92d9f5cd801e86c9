"""Models of pgmpy and pyAgrum are taken over as they are, answer the same, and are given back."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.beliefs.networks import pgmpy_models, pyagrum_models
from sleuth.data.errors import DeclarationError, SettingsError, UnsupportedError
from sleuth.networks import Network, example_network, from_pyagrum

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyagrum
    from pgmpy.factors.discrete import DiscreteFactor, TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import (
        DiscreteBayesianNetwork,
        DiscreteMarkovNetwork,
        DynamicBayesianNetwork,
        FactorGraph,
        LinearGaussianBayesianNetwork,
    )


def wet_grass() -> Any:
    """A network of pgmpy with values of several kinds, and the parents' in another order."""
    rng = np.random.default_rng(5)
    model = DiscreteBayesianNetwork([("rain", "grass"), ("hose", "grass"), ("grass", "shoes")])
    model.latents = {"grass"}
    model.add_cpds(
        TabularCPD("rain", 2, [[0.2], [0.8]], state_names={"rain": [True, False]}),
        TabularCPD("hose", 3, [[0.5], [0.3], [0.2]]),
        TabularCPD(
            "grass",
            2,
            rng.dirichlet([1, 1], size=6).T,
            ["hose", "rain"],
            [3, 2],
            state_names={"grass": ["wet", "dry"], "hose": [0, 1, 2], "rain": [True, False]},
        ),
        TabularCPD(
            "shoes",
            2,
            [[0.9, 0.2], [0.1, 0.8]],
            ["grass"],
            [2],
            state_names={"shoes": [("l", 1), ("r", 2)], "grass": ["wet", "dry"]},
        ),
    )
    return model


def answers(network: Network, seen: Mapping[str, Any]) -> dict[str, list[float]]:
    posterior = network.infer(seen)
    return {
        name: posterior.distribution(choice).tolist()
        for name, choice in network.choices.items()
        if name not in seen
    }


def of_pgmpy(model: Any, network: Network, seen: Mapping[str, Any]) -> dict[str, list[float]]:
    elimination: Any = VariableElimination(model)
    found: dict[str, list[float]] = {}
    for name, choice in network.choices.items():
        if name not in seen:
            factor = elimination.query([name], evidence={**seen}, show_progress=False)
            found[name] = [float(factor.get_value(**{name: value})) for value in choice.options]
    return found


def same(found: dict[str, list[float]], wanted: dict[str, list[float]]) -> None:
    assert found.keys() == wanted.keys()
    for name, shares in wanted.items():
        assert found[name] == pytest.approx(shares, abs=1e-12)


def test_a_network_of_pgmpy_answers_as_pgmpy_does() -> None:
    model = wet_grass()
    network = sleuth.from_pgmpy(model)
    assert network.choices["rain"].options == (True, False)
    assert network.choices["hose"].options == (0, 1, 2)
    assert network.choices["shoes"].options == (("l", 1), ("r", 2))
    assert network.parents["grass"] == ("hose", "rain")
    for seen in ({}, {"shoes": ("r", 2)}, {"hose": 1, "grass": "wet"}):
        same(answers(network, seen), of_pgmpy(model, network, seen))


def test_values_are_told_apart_by_name_not_by_place() -> None:
    model = DiscreteBayesianNetwork([("rain", "wet")])
    model.add_cpds(
        TabularCPD("rain", 2, [[0.2], [0.8]], state_names={"rain": ["yes", "no"]}),
        TabularCPD(
            "wet",
            2,
            [[0.3, 0.9], [0.7, 0.1]],
            ["rain"],
            [2],
            state_names={"wet": ["yes", "no"], "rain": ["no", "yes"]},
        ),
    )
    # P(wet) = 0.2 * 0.9 + 0.8 * 0.3
    assert sleuth.from_pgmpy(model).query("wet")["yes"] == pytest.approx(0.42)


def test_what_is_given_back_to_pgmpy_is_what_came() -> None:
    model = wet_grass()
    network = sleuth.from_pgmpy(model)
    back = network.to_pgmpy()
    assert back.check_model()
    assert {*back.edges()} == {*model.edges()}
    for name in model.nodes():
        assert back.get_cpds(name) == model.get_cpds(name)
    again = sleuth.from_pgmpy(back)
    assert again.choices == network.choices
    assert again.parents == network.parents


def test_a_network_of_a_file_goes_through_both_libraries_and_stays_what_it_is() -> None:
    network = example_network("asia")
    there = from_pyagrum(sleuth.from_pgmpy(network.to_pgmpy()).to_pyagrum())
    assert [*there.choices] == [*network.choices]
    assert there.parents == network.parents
    seen = {"xray": "yes", "smoke": "no"}
    same(answers(there, seen), answers(network, seen))


def test_a_network_of_pyagrum_answers_as_pyagrum_does() -> None:
    pyagrum.initRandom(4)
    model = pyagrum.fastBN("a[3]->b{x|y}<-c[2]; c->d; b->d; e[1,4]->d")
    network = from_pyagrum(model)
    assert network.choices["b"].options == ("x", "y")
    assert network.choices["e"].options == ("1", "2", "3", "4")
    for seen in ({}, {"d": "1"}, {"b": "x", "e": "3"}):
        lazy = pyagrum.LazyPropagation(model)
        lazy.setEvidence(seen)
        lazy.makeInference()
        wanted = {name: lazy.posterior(name).tolist() for name in model.names() if name not in seen}
        found = answers(network, seen)
        same({name: found[name] for name in wanted}, wanted)
    back = network.to_pyagrum()
    for name in model.names():
        assert back.cpt(name).names == model.cpt(name).names
        assert back.cpt(name).tolist() == model.cpt(name).tolist()
    again = from_pyagrum(back)
    assert again.choices == network.choices


def loop_of_factors() -> list[Any]:
    rng = np.random.default_rng(2)
    pairs = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    factors = [DiscreteFactor(pair, [2, 2], rng.gamma(1.0, size=4)) for pair in pairs]
    factors[0].values[1, 0] = 0.0
    turned = {"b": ["low", "high"], "c": ["low", "high"]}
    factors[1] = DiscreteFactor(("b", "c"), [2, 2], [3.0, 1.0, 0.5, 2.0], turned)
    for number, name in ((0, "b"), (2, "c")):
        names = {each: [0, 1] for each in factors[number].variables} | {name: ["high", "low"]}
        values, about = factors[number].values, factors[number].variables
        factors[number] = DiscreteFactor(about, [2, 2], values, names)
    return factors


def test_factors_of_pgmpy_are_those_of_a_markov_network() -> None:
    factors = loop_of_factors()
    weights = np.einsum(
        "ab,bc,cd,da->abcd",
        factors[0].values,
        factors[1].values[::-1],
        factors[2].values[::-1],
        factors[3].values,
    )
    total = weights[:, :, :, 1]
    model = DiscreteMarkovNetwork([("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    model.add_factors(*factors)
    graph = FactorGraph()
    graph.add_nodes_from("abcd")
    graph.add_nodes_from(factors)
    graph.add_edges_from((name, factor) for factor in factors for name in factor.variables)
    graph.add_factors(*factors)
    for given in (model, graph):
        network = sleuth.from_pgmpy(given)
        # The first factor that names a variable says in which order its values are.
        assert network.choices["b"].options == ("high", "low")
        seen: Any = {"d": 1}
        posterior = network.infer(seen)
        found = posterior.distribution(network.feature(["a", "b", "c"])).reshape(2, 2, 2)
        assert found == pytest.approx(total / total.sum(), abs=1e-12)
        assert network.log_probability(posterior) == pytest.approx(np.log(total.sum()))
        back = network.to_pgmpy()
        assert back.check_model()
        agrum = from_pyagrum(network.to_pyagrum())
        for other, seen in ((sleuth.from_pgmpy(back), {"d": 1}), (agrum, {"d": "1"})):
            same(answers(other, seen), answers(network, {"d": 1}))


def test_a_variable_without_factors_is_open() -> None:
    network = Network(
        "n", {"a": sleuth.Choice("a", [1, 2]), "b": sleuth.Choice("b", [3])}, {}, (), {}
    )
    weighed = network.choices["a"].value()
    heavy = sleuth.together(weighed).weigh([1.0, 3.0], because="a")
    network = Network("n", network.choices, {"a": (), "b": ()}, (heavy,), {})
    back = network.to_pgmpy()
    assert back.check_model()
    assert sleuth.from_pgmpy(back).query("a") == pytest.approx({1: 0.25, 2: 0.75})
    assert from_pyagrum(network.to_pyagrum()).query("a") == pytest.approx({"1": 0.25, "2": 0.75})


def unfinished() -> dict[str, tuple[Any, str]]:
    """Models that cannot be taken over, and what is said of them."""
    coin = TabularCPD("coin", 2, [[0.5], [0.5]])
    lone = DiscreteBayesianNetwork()
    lone.add_node("coin")
    unfit = DiscreteBayesianNetwork([("coin", "shows")])
    unfit.add_cpds(coin, TabularCPD("shows", 2, [[0.5], [0.5]]))
    off = DiscreteBayesianNetwork([("coin", "shows")])
    off.add_cpds(coin, TabularCPD("shows", 2, [[0.5, 0.9], [0.5, 0.2]], ["coin"], [2]))
    broken = DiscreteBayesianNetwork()
    broken.add_node("coin")
    broken.add_cpds(TabularCPD("coin", 2, [[0.5], [0.5]]))
    table: Any = broken.get_cpds("coin")
    table.values[0] = np.nan
    numbers = DiscreteBayesianNetwork()
    numbers.add_node(7)
    numbers.add_cpds(TabularCPD(7, 2, [[0.5], [0.5]]))
    other = DiscreteBayesianNetwork([("coin", "shows")])
    other.add_cpds(
        TabularCPD("coin", 2, [[0.5], [0.5]], state_names={"coin": ["h", "t"]}),
        TabularCPD("shows", 2, [[1, 0], [0, 1]], ["coin"], [2]),
    )
    factors = DiscreteMarkovNetwork([("a", "b")])
    factors.add_node("c")
    factors.add_factors(DiscreteFactor(("a", "b"), [2, 2], [1, 2, 3, 4]))
    minus = DiscreteMarkovNetwork([("a", "b")])
    minus.add_factors(DiscreteFactor(("a", "b"), [2, 2], [1, 2, 3, 4]))
    minus.factors[0].values[0, 0] = -1.0
    return {
        "empty": (DiscreteBayesianNetwork(), "the model has no variables"),
        "no factors": (DiscreteMarkovNetwork(), "the model has no variables"),
        "without a table": (lone, "a variable has no table.*coin"),
        "other parents": (unfit, "table of 'shows' has other parents than the graph.*has coin"),
        "a wrong sum": (off, "must add up to one; those for coin = 1 do not.*1.1"),
        "not a number": (broken, "probabilities are numbers from 0 to 1"),
        "numbered": (numbers, "every variable is named by a string.*7"),
        "other values": (other, "'coin' has other values here than in its own table.*they are h"),
        "in no factor": (factors, "a variable is in no factor.*'c'"),
        "negative": (minus, "weights must be finite and not negative"),
        "of numbers": (LinearGaussianBayesianNetwork(), "no discrete network of pgmpy"),
        "dynamic": (DynamicBayesianNetwork(), "DynamicNetwork.from_pgmpy takes it over"),
        "of pyAgrum": (pyagrum.BayesNet(), "no discrete network of pgmpy"),
    }


@pytest.mark.parametrize("name", [*unfinished()])
def test_what_is_not_finished_is_refused_in_a_sentence(name: str) -> None:
    model, words = unfinished()[name]
    with pytest.raises(sleuth.SleuthError, match=words) as caught:
        sleuth.from_pgmpy(model)
    assert "\n" not in str(caught.value)


def test_what_pyagrum_cannot_mean_is_refused() -> None:
    with pytest.raises(DeclarationError, match="no discrete network of pyAgrum"):
        from_pyagrum(DiscreteBayesianNetwork())
    with pytest.raises(DeclarationError, match="the model has no variables"):
        from_pyagrum(pyagrum.BayesNet())
    empty = pyagrum.BayesNet()
    empty.add(pyagrum.LabelizedVariable("coin", "", ["h", "t"]))
    with pytest.raises(DeclarationError, match=r"table of 'coin'.*must add up to one.*0\.0"):
        from_pyagrum(empty)
    twins = Network("n", {"a": sleuth.Choice("a", [1, "1"])}, {"a": ()}, (), {})
    with pytest.raises(UnsupportedError, match="same label in pyAgrum"):
        twins.to_pyagrum()
    strange = sleuth.Choice("b", lambda high: ["x", "y"], given=twins.choices["a"].equals(1))
    network = Network("n", {**twins.choices, "b": strange}, {"a": (), "b": ("a",)}, (), {})
    with pytest.raises(UnsupportedError, match="tables of variables only"):
        network.to_pgmpy()


@pytest.mark.parametrize("module", [pgmpy_models, pyagrum_models])
def test_a_library_that_is_missing_is_named(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    network = sleuth.from_pgmpy(wet_grass())
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    name = module.__name__.rpartition(".")[2].removesuffix("_models")
    with pytest.raises(SettingsError, match=f"{name} is not installed"):
        getattr(network, f"to_{name}")()
    take = {"pgmpy": sleuth.from_pgmpy, "pyagrum": from_pyagrum}[name]
    with pytest.raises(DeclarationError, match="this is no discrete network"):
        take(network)
