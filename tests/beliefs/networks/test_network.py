"""Networks as declarations: what pgmpy says of them every engine says."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, compare, infer, together
from sleuth.beliefs.arrays.problem import Problem
from sleuth.beliefs.engines import NAMES, cost_of, engine
from sleuth.beliefs.engines.base import Cost
from sleuth.beliefs.engines.partial_deals import card_by_card, graph
from sleuth.beliefs.engines.partial_deals.graph import Graph
from sleuth.beliefs.judging import measuring
from sleuth.errors import (
    ContradictionError,
    CostError,
    DeclarationError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
)
from sleuth.networks import (
    Network,
    example_network,
    read_bif,
    read_network,
    to_bif,
    write_network,
)

from .peers import SPRINKLER, pgmpy_answer, pgmpy_model, quietly, shipped


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
    name: str, values: dict[str, str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On networks that nobody here wrote."""
    monkeypatch.setattr(measuring, "SHORT", 0.0)  # nothing is run several times for its seconds
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


# -- networks that are declared


COIN = Choice("coin", {"fair": 0.75, "bent": 0.25})
DIE = Choice("die", range(1, 5))
SIDE = Choice(
    "side", {"fair": ["heads", "tails"], "bent": {"heads": 0.9, "tails": 0.1}}, given=COIN
)
PRIZE = Choice(
    "prize",
    {True: ["gold"], False: ["gold", "goat"]},
    given=together(SIDE, DIE).satisfies(lambda pair: pair == ("heads", 4)),
)


def test_a_declaration_of_choices_is_a_network(tmp_path: Path) -> None:
    model = Model(PRIZE, COIN, DIE, SIDE)
    network = Network.of(model, name="fair")
    assert repr(network) == "<Network fair of 4 variables>"
    assert repr(Network.of([COIN])) == "<Network network of 1 variable>"
    assert network.parents == {"prize": ("die", "side"), "coin": (), "die": (), "side": ("coin",)}
    expected = infer(model, [PRIZE.equals("gold")]).marginal(together(COIN, DIE))
    assert network.query(["coin", "die"], prize="gold") == pytest.approx(expected, abs=1e-12)
    with quietly():
        theirs = network.to_pgmpy()
    answer = pgmpy_answer(theirs, ["coin", "die"], {"prize": "gold"})
    for coin, die in itertools.product(COIN.options, DIE.options):
        found = answer.get_value(coin=coin, die=die)
        assert found == pytest.approx(expected[coin, die], abs=1e-12)
    for name in ("fair.bif", "fair.xml.gz", "fair.net", "fair.uai"):
        write_network(model, tmp_path / name)
        read = read_network(tmp_path / name)
        prize, coin, *_ = read.choices
        again = read.query(coin, {prize: read.choices[prize].options[0]})
        expected = network.query("coin", prize="gold")
        assert [*again.values()] == pytest.approx([*expected.values()], abs=1e-12)


@pytest.mark.parametrize(
    "choices, error, words",
    [
        ([SIDE], DeclarationError, "does not have.*'coin'"),
        (COIN, DeclarationError, "list of choices"),
        (["coin"], DeclarationError, "made of hidden variables"),
        ([COIN, Deal(["a"], holders={"me": 1})], UnsupportedError, "choices alone.*'deal'.*to_bif"),
    ],
)
def test_what_is_no_network_is_refused(choices: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        Network.of(choices)


def test_a_prior_that_depends_on_too_much_is_refused_with_its_name(tmp_path: Path) -> None:
    coins = [Choice(f"coin {number}", [0, 1]) for number in range(20)]
    odd = together(*coins[:2]).satisfies(lambda pair: sum(pair) == 1)
    for coin in coins[2:]:
        odd = together(odd, coin).satisfies(lambda pair: pair[0] != (pair[1] == 1))
    parity = Choice("parity", {True: ["odd"], False: ["even"]}, given=odd)
    with pytest.raises(CostError, match=r"'parity' given all that it depends on.*100,000"):
        Network.of([*coins, parity])
    with pytest.raises(DeclarationError, match=r"no network to write.*Network\.of"):
        write_network([*coins], tmp_path / "coins.bif")  # type: ignore[arg-type]
    assert not [*tmp_path.iterdir()]


def test_a_model_of_another_library_does_not_hide_what_is_observed(tmp_path: Path) -> None:
    seen = SIDE.equals("heads").observed(because="heads")
    network = read_bif(to_bif(Model(COIN, SIDE), [seen], tmp_path / "coin.bif").path)
    for made in (network.to_pgmpy, network.to_pyagrum):
        with pytest.warns(UserWarning, match=r"\{'side': 'heads'\} as evidence, or all answers"):
            made()


# -- seeing and doing


def test_a_drug_that_helps_everybody_is_seen_with_those_who_die() -> None:
    """Pearl, "Causality", section 6.1 (Simpson's paradox): by hand, by the adjustment formula."""
    sex = Choice("sex", {"man": 0.5, "woman": 0.5})
    drug = Choice(
        "drug", {"man": {"yes": 0.75, "no": 0.25}, "woman": {"yes": 0.25, "no": 0.75}}, given=sex
    )
    share = {("man", "yes"): 0.6, ("man", "no"): 0.7, ("woman", "yes"): 0.2, ("woman", "no"): 0.3}
    well = Choice(
        "well", lambda of: {"yes": share[of], "no": 1 - share[of]}, given=together(sex, drug)
    )
    network = Network.of([sex, drug, well])
    for dose in ("yes", "no"):
        weights = {
            who: drug.table[place][drug.options.index(dose)]
            for place, who in enumerate(sex.options)
        }
        seen = sum(weights[who] * share[who, dose] for who in weights) / sum(weights.values())
        done = 0.5 * share["man", dose] + 0.5 * share["woman", dose]
        assert network.query("well", drug=dose)["yes"] == pytest.approx(seen, abs=1e-12)
        assert network.do(drug=dose).query("well")["yes"] == pytest.approx(done, abs=1e-12)
    after = network.do({"drug": "yes"})
    assert after.parents["drug"] == ()
    assert after.query("sex") == network.query("sex")
    assert network.parents["drug"] == ("sex",)
    assert after.query("sex", well="yes") != network.query("sex", drug="yes", well="yes")
    # Whoever sees the drug after setting it learns nothing; it cannot have been another.
    assert after.query("sex", drug="yes") == pytest.approx(network.query("sex"))
    with pytest.raises(ContradictionError):
        after.query("sex", drug="no")


def test_what_is_set_or_replaced_must_be_there(sprinkler: Network) -> None:
    with pytest.raises(EvidenceError, match="did you mean 'rain'"):
        sprinkler.do(rian="yes")
    with pytest.raises(EvidenceError, match="no such value"):
        sprinkler.do(rain="maybe")
    with pytest.raises(EvidenceError, match="name a variable"):
        sprinkler.do()
    with pytest.raises(EvidenceError, match="mapping, or keywords"):
        sprinkler.do("rain")  # type: ignore[arg-type]
    with pytest.raises(DeclarationError, match=r"other values.*order.*they are yes, no"):
        sprinkler.replace(Choice("rain", ["no", "yes"]))
    with pytest.raises(DeclarationError, match="by a choice of its name"):
        sprinkler.replace("rain")  # type: ignore[arg-type]
    rain = Choice("rain", lambda _: ["yes", "no"], given=sprinkler.choices["grass"])
    with pytest.raises(DeclarationError, match="circle"):
        sprinkler.replace(rain)
    free = sprinkler.replace(Choice("sprinkler", {"on": 0.5, "off": 0.5}))
    assert free.parents == {**sprinkler.parents, "sprinkler": ()}
    assert free.query("rain", sprinkler="on") == pytest.approx({"yes": 0.2, "no": 0.8})


def test_values_are_taken_by_keyword_beside_options(sprinkler: Network) -> None:
    expected = sprinkler.query("rain", {"grass": "wet"})
    assert sprinkler.query("rain", grass="wet", method="enumeration") == pytest.approx(expected)
    assert sprinkler.infer(grass="wet").marginal(sprinkler.feature("rain")) == expected
    with pytest.raises(EvidenceError, match=r"no such option.*'metod'.*did you mean 'method'"):
        sprinkler.infer(metod="enumeration")
    # A name that is an option's is a variable's in the mapping.
    seeds = Network.of([Choice("seed", ["corn", "rye"])])
    assert seeds.query("seed", {"seed": "rye"}, seed=3) == {"rye": 1.0}
