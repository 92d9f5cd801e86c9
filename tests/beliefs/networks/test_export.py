"""Declarations and their evidence as networks in BIF, which others read as the same posterior."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Feature, Model, Walk, any_of, count_of, infer, together
from sleuth.beliefs.networks.export import BifExport
from sleuth.errors import (
    ContradictionError,
    UnsupportedError,
)
from sleuth.networks import Network, example_network, read_bif, read_network, to_bif, write_network

from .peers import pgmpy_answer, pgmpy_model, pyagrum


def pyagrum_answer(export: BifExport, name: str) -> dict[Any, float]:
    """pyAgrum's own answer on what was written, by what the states stand for."""
    gum = pyagrum()
    network = gum.loadBN(str(export.path))
    inference = gum.LazyPropagation(network)
    inference.setEvidence(dict(export.observed))
    answer = inference.posterior(name)
    return {meaning: answer[{name: state}] for state, meaning in export.states[name].items()}


def test_a_written_deal_is_read_by_pgmpy_as_the_same_posterior(tmp_path: Path) -> None:
    rooms, weapons = [f"room {n}" for n in range(4)], [f"weapon {n}" for n in range(4)]
    deal = Deal(
        [*rooms, *weapons],
        holders={"ann": 3, "bob": 3, "case file": 2},
        categories={"rooms": rooms, "weapons": weapons},
        counts={"case file": {"rooms": 1, "weapons": 1}},
        known={"ann": ["room 2"]},
    )
    mood = Choice("mood", {"bold": 0.3, "shy": 0.7})
    model = Model(deal, mood)
    cards = ["room 0", "weapon 1"]
    given = [
        deal.lacks("bob", ["room 1", "weapon 0"], because="bob passed"),
        deal.holds_any("bob", cards, because="bob showed"),
        together(mood.value(), deal.count("bob", rooms)).weigh(
            lambda pair: 0.8 if (pair[0] == "bold") == (pair[1] > 1) else 0.25,
            because="bob's taste",
        ),
    ]
    export = to_bif(model, given, tmp_path / "mystery.bif")
    posterior = infer(model, given)
    theirs = pgmpy_model(path=str(export.path))
    for item in ("room 0", "weapon 3"):
        (name,) = export.cards[("deal", item)]
        answer = pgmpy_answer(theirs, [name], dict(export.observed))
        shares = posterior.marginal(deal.holder_of(item))
        for state, holder in export.states[name].items():
            assert answer.get_value(**{name: state}) == pytest.approx(
                shares.get(str(holder), 0.0), abs=1e-12
            )
    answer = pgmpy_answer(theirs, ["mood"], dict(export.observed))
    assert answer.get_value(mood="bold") == pytest.approx(posterior.marginal(mood.value())["bold"])


#: What BIF means something by, what it takes for numbers, and what it cannot spell.
AWKWARD = (
    *("table", "default", "network", "variable", "probability", "property", "type", "discrete"),
    *("Table", "table_", "_table", "a variable", "probability of rain"),
    *("1", "007", "1e5", "2E", "1.5", "-3", "", "|", "{x}", "été", "yes", "state_0", "evidence"),
)


@pytest.mark.parametrize("reader", ["sleuth", "pgmpy", "pyagrum"])
@pytest.mark.parametrize("as_what", ["items", "holders", "values", "variables", "evidence"])
def test_names_that_bif_takes_for_its_own_are_written_so_that_all_can_read_them(
    reader: str, as_what: str, tmp_path: Path
) -> None:
    given: list[Any] = []
    words = [word for word in AWKWARD if word]
    if as_what in ("items", "holders"):
        names = words[:8] if as_what == "items" else ["a", "b", "c", "d"]
        holders = {"me": 4, "you": 4} if as_what == "items" else dict.fromkeys(words[:4], 1)
        deal = Deal(names, holders=holders)
        given = [deal.lacks(next(iter(holders)), names[0], because="it is elsewhere")]
        variables, asked = [deal], [(deal.name, name, deal.holder_of(name)) for name in names[:2]]
    elif as_what == "values":
        choice = Choice("style", {word: 1.0 + place for place, word in enumerate(AWKWARD)})
        given = [~choice.equals("table")]
        variables, asked = [choice], [("style", "style", choice.value())]
    else:
        titles = ["table", "a variable", "007", "1e5"] if as_what == "variables" else ["mood"]
        variables = [Choice(word, {"on": 0.2, "off": 0.8}) for word in titles]
        values = [choice.value() for choice in variables]
        given = [
            value.weigh([0.9, 0.4], because=word)
            for value, word in zip(values * len(words), words[:9], strict=False)
        ]
        asked = [(name, name, value) for name, value in zip(titles, values, strict=True)]
    export = to_bif(Model(*variables), given, tmp_path / "awkward.bif")
    posterior = infer(Model(*variables), given)
    # A file is read once, whatever is asked.
    read: Any = {"sleuth": read_bif, "pgmpy": lambda path: pgmpy_model(path=str(path))}.get(reader)
    network: Any = read(export.path) if read is not None else None
    for owner, item, feature in asked:
        (name,) = export.cards[(owner, item)]
        if reader == "pyagrum":
            answer = pyagrum_answer(export, name)
        else:
            states = export.states[name]
            if reader == "sleuth":
                shares: Any = network.query(name)
            else:
                found = pgmpy_answer(network, [name], {**export.observed})
                shares = {state: found.get_value(**{name: state}) for state in states}
            answer = {meaning: shares.get(state, 0.0) for state, meaning in states.items()}
        expected = posterior.marginal(feature)
        for meaning, share in answer.items():
            # pyAgrum reads numbers in single precision.
            close = 1e-6 if reader == "pyagrum" else 1e-12
            assert share == pytest.approx(expected.get(meaning, 0.0), abs=close)


def test_the_declaration_of_the_front_page_is_read_by_pyagrum(tmp_path: Path) -> None:
    cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    given = [cards.holds("me", "king", 2, because="my hand"), cards.lacks("you", "ace")]
    export = to_bif(Model(cards), given, tmp_path / "cards.bif")
    assert export.states["ace"] == {"me": "me", "you": "you", "_table": "table"}
    assert pyagrum_answer(export, "ace") == pytest.approx({"me": 0, "you": 0, "table": 1}, abs=1e-6)


def test_what_is_written_is_read_back_with_what_is_observed(tmp_path: Path) -> None:
    deal = Deal({"ace": 2, "king": 3}, holders={"me": 2, "you": 2, "table": 1})
    given = [deal.holds("me", "king", 1, because="I saw one")]
    export = to_bif(Model(deal), given, tmp_path / "cards.bif")
    network = read_bif(export.path)
    assert network.observed == export.observed
    first_ace = export.cards[("deal", "ace")][0]
    share = infer(Model(deal), given).table(deal)["ace"]["table"] / 2
    assert export.states[first_ace]["_table"] == "table"
    assert network.query(first_ace)["_table"] == pytest.approx(share, abs=1e-12)


def test_a_network_survives_being_written_and_read(tmp_path: Path) -> None:
    asia = example_network("asia")
    export = to_bif(asia.model, asia.observe(xray="yes"), tmp_path / "asia.bif")
    again = read_bif(export.path)
    np.testing.assert_allclose(
        list(again.query(["lung", "smoke"]).values()),
        list(asia.query(["lung", "smoke"], {"xray": "yes"}).values()),
        atol=1e-12,
    )


#: A declaration whose priors depend on plain values, on a condition and on a walk.
SKY = Choice("sky", {"red": 0.3, "grey": 0.6, "blue": 0.1})
WIND = Choice("wind", ["calm", "storm"])
SHIP = Walk("ship", ["port", "sea"], start={"port": 0.75, "sea": 0.25})
SAILS = Choice(
    "sails",
    lambda pair: {"up": 0.9, "down": 0.1} if pair == ("calm", "red") else {"up": 0.2, "down": 0.8},
    given=together(WIND, SKY),
)
WRECK = Choice(
    "wreck",
    {True: {"yes": 0.4, "no": 0.6}, False: ["no"]},
    given=any_of([WIND.equals("storm"), SAILS.equals("up") & SKY.equals("grey")]),
)
NEWS = Choice("news", {"port": ["none"], "sea": ["none", "some"]}, given=SHIP)
VOYAGE = (WRECK, NEWS, SAILS, SKY, SHIP, WIND)


def test_priors_that_depend_on_choices_are_tables_that_every_reader_understands(
    tmp_path: Path,
) -> None:
    """Readers that pass over marks of what is observed answer right, for nothing is marked."""
    export = to_bif(Model(*VOYAGE), [], tmp_path / "voyage.bif")
    assert not export.observed
    theirs, posterior = pgmpy_model(path=str(export.path)), infer(Model(*VOYAGE))
    assert set(theirs.edges) == {
        *(("wind", "sails"), ("sky", "sails"), ("ship_0", "news")),
        *(("sails", "wreck"), ("sky", "wreck"), ("wind", "wreck")),
    }
    names = ["wreck", "sky"]
    answer = pgmpy_answer(theirs, names, {})
    shares = posterior.marginal(together(WRECK, SKY))
    for values in itertools.product(WRECK.options, SKY.options):
        found = answer.get_value(**dict(zip(names, values, strict=True)))
        assert found == pytest.approx(shares.get(values, 0.0), abs=1e-12)
    gum = pyagrum()
    for choice in (WRECK, NEWS):
        (name,) = export.cards[(choice.name, choice.name)]
        found = gum.getPosterior(gum.loadBN(str(export.path)), target=name, evs={})
        for value, share in posterior.marginal(choice).items():
            assert found[{name: value}] == pytest.approx(share, abs=1e-6)


def test_values_that_were_seen_are_marked_on_the_choices_themselves(tmp_path: Path) -> None:
    both = WIND.equals("calm") & ~SKY.among(["red", "blue"])
    given = [
        WRECK.equals("no").observed(because="she is back"),
        both.observed(because="the weather"),
        (SAILS.equals("up") | SHIP.equals("sea")).observed(because="seen from the cliff"),
        NEWS.weigh({"none": 0.5, "some": 0.25}, because="rumours"),
    ]
    export = to_bif(Model(*VOYAGE), given, tmp_path / "voyage.bif")
    assert export.observed == {
        "wreck": "no",
        "sky": "grey",
        "wind": "calm",
        "evidence_seen_from_the_cliff": "yes",
        "evidence_rumours": "yes",
    }
    posterior, network = infer(Model(*VOYAGE), given), read_bif(export.path)
    assert network.observed == export.observed
    for choice in (SAILS, NEWS):
        assert network.query(choice.name) == pytest.approx(posterior.marginal(choice), abs=1e-12)
        answer = pgmpy_answer(pgmpy_model(path=str(export.path)), [choice.name], network.observed)  # type: ignore[arg-type]
        for value, share in posterior.marginal(choice).items():
            assert answer.get_value(**{choice.name: value}) == pytest.approx(share, abs=1e-12)


@pytest.mark.parametrize("seed", range(15))
def test_random_choices_are_the_same_as_a_network_and_in_files(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    choices: list[Choice] = []
    for number in range(6):
        values = [f"v{place}" for place in range(int(rng.integers(1, 4)))]
        tables = rng.dirichlet(np.ones(len(values)), size=64).round(1) + 0.01
        rows = iter([dict(zip(values, row, strict=True)) for row in tables.tolist()])
        if choices and rng.random() < 0.8:
            feature = some_feature(choices, rng)
            above = {value: next(rows) for value in feature.values}
            choices.append(Choice(f"c{number}", above, given=feature))
        else:
            choices.append(Choice(f"c{number}", next(rows)))
    model, given = Model(*rng.permutation(np.array(choices, dtype=object))), []
    for _ in range(2):
        feature = some_feature(choices, rng)
        value = feature.values[int(rng.integers(feature.value_count))]
        given.append(feature.weigh(rng.uniform(0.1, 1.0, size=feature.value_count).tolist()))
        given += [feature.equals(value).observed()] if rng.random() < 0.5 else []
    try:
        expected = infer(model, given, method="enumeration")
    except ContradictionError:
        return
    write_network(model, tmp_path / "prior.xml")
    prior, written = infer(model), read_network(tmp_path / "prior.xml")
    observed = read_bif(to_bif(model, given, tmp_path / "all.bif").path)
    posterior = infer(Network.of(model).model, given)
    for choice in choices:
        shares = expected.marginal(choice)
        assert observed.query(choice.name) == pytest.approx(shares, abs=1e-12)
        assert posterior.marginal(choice) == pytest.approx(shares, abs=1e-12)
        assert written.query(choice.name) == pytest.approx(prior.marginal(choice), abs=1e-12)


def some_feature(choices: list[Choice], rng: np.random.Generator) -> Feature:
    first, second, third = (choices[int(rng.integers(len(choices)))] for _ in range(3))
    ends = [first.equals(first.options[0]), second.equals(second.options[-1])]
    kinds = (
        first.value(),
        together(first, second),
        ends[0] & ends[1],
        count_of([*ends, third.equals(third.options[-1])]),
        together(ends[0], second, third),
    )
    return kinds[int(rng.integers(len(kinds)))]


def test_a_prior_that_depends_on_a_deal_stays_evidence_about_both(tmp_path: Path) -> None:
    deal = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    rows = {"me": ["smile"], "you": ["smile", "frown"]}
    face = Choice("face", rows, given=deal.holder_of("ace"))
    given = [face.equals("smile").observed(because="a smile")]
    export = to_bif(Model(deal, face), given, tmp_path / "face.bif")
    assert [*export.observed.items()] == [
        ("size_1", "yes"),
        ("evidence_prior_of_face", "yes"),
        ("face", "smile"),
    ]
    assert read_bif(export.path).query("ace") == pytest.approx({"me": 2 / 3, "you": 1 / 3})


def test_moves_and_contradictions_are_not_written(tmp_path: Path) -> None:
    deal = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 2})
    with pytest.raises(UnsupportedError, match="present holders"):
        to_bif(Model(deal), [deal.split("you", "claim", 1)], tmp_path / "moves.bif")
    deal = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    with pytest.raises(ContradictionError):
        to_bif(Model(deal), [deal.lacks(["me", "you"], "ace")], tmp_path / "none.bif")
    assert not [*tmp_path.iterdir()]
