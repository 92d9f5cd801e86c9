"""Networks in BIF: what pgmpy says of them every engine says, and what is written is read back."""

from __future__ import annotations

import gzip
import math
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, compare, infer, together
from sleuth.beliefs.engines import NAMES
from sleuth.beliefs.networks import files
from sleuth.beliefs.networks.export import BifExport
from sleuth.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    RecordError,
    SettingsError,
    UnsupportedError,
)
from sleuth.networks import Network, example_network, read_bif, to_bif

SPRINKLER = """network sprinkler {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable sprinkler {
  type discrete [ 2 ] { on, off };
}
variable grass {
  type discrete [ 3 ] { wet, damp, dry };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( sprinkler | rain ) {
  (yes) 0.01, 0.99;
  (no) 0.4, 0.6;
}
probability ( grass | sprinkler, rain ) {
  (on, yes) 0.99, 0.01, 0.0;
  (on, no) 0.6, 0.3, 0.1;
  (off, yes) 0.5, 0.3, 0.2;
  (off, no) 0.0, 0.0, 1.0;
}
"""


def pgmpy_model(*, path: str | None = None, text: str | None = None) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module("pgmpy.readwrite").BIFReader(path=path, string=text).get_model()


def pgmpy_answer(model: Any, names: list[str], values: dict[str, str]) -> Any:
    """pgmpy's own variable elimination on its own network: nothing of ours in between."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inference = import_module("pgmpy.inference").VariableElimination(model)
        return inference.query(names, evidence=values, show_progress=False)


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


def test_an_impossible_observation_is_traced_to_the_table_that_forbids_it(
    sprinkler: Network,
) -> None:
    with pytest.raises(ContradictionError) as caught:
        sprinkler.infer({"grass": "wet", "sprinkler": "off", "rain": "no"})
    assert set(caught.value.evidence) == {
        "P(grass | sprinkler, rain)",
        "grass = wet",
        "sprinkler = off",
        "rain = no",
    }


CASES = [
    ("asia", {"xray": "yes", "dysp": "yes"}, ["lung", "bronc"]),
    ("child", {"LowerBodyO2": "<5", "XrayReport": "Oligaemic"}, ["Disease", "Age"]),
    ("insurance", {"Age": "Adolescent", "PropCost": "HundredThou"}, ["RiskAversion", "Theft"]),
]
REFUSING = {
    "asia": {"forward_filter", "symmetry", "type_counting"},
    "child": {"forward_filter", "enumeration", "symmetry", "type_counting"},
    "insurance": {"forward_filter", "enumeration", "symmetry", "type_counting"},
}


def theirs(name: str, values: dict[str, str], names: list[str], network: Network) -> np.ndarray:
    """pgmpy's own answer, in the order of our feature's values."""
    folder = Path(import_module("pgmpy").__file__ or "").parent / "utils" / "example_models"
    text = gzip.decompress((folder / f"{name}.bif.gz").read_bytes()).decode()
    answer = pgmpy_answer(pgmpy_model(text=text), names, values)
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


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("table 0.2, 0.8", "table 0.2, 0.7", "add up to one"),
        ("table 0.2, 0.8", "table -0.2, 1.2", "from 0 to 1"),
        ("table 0.2, 0.8", "table 0.2, much", "cannot read"),
        ("  (no) 0.4, 0.6;\n", "", "add up to one"),
        ("| rain )", "| train )", "cannot read"),
        ("[ 2 ] { on, off }", "[ 2 ] { on, on }", "cannot read"),
        ("variable grass", "variable rain", "cannot read"),
        ("probability ( rain )", "chance ( rain )", "no probabilities"),
        ("probability ( rain ) {\n  table 0.2, 0.8;", "probability ( rain | grass ) {", "circle"),
        (SPRINKLER, "once upon a time", "no variable"),
    ],
)
def test_broken_files_are_refused_with_a_message(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = SPRINKLER.replace(old, new)
    if message == "circle":
        rows = "  (wet) 0.2, 0.8;\n  (damp) 0.2, 0.8;\n  (dry) 0.2, 0.8;\n"
        text = text.replace("rain | grass ) {\n", "rain | grass ) {\n" + rows)
    file = tmp_path / "broken.bif"
    file.write_text(text)
    with pytest.raises(RecordError, match=message) as caught:
        read_bif(file)
    assert "broken.bif" in str(caught.value)


def test_files_that_are_no_text_or_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nowhere\.bif"):
        read_bif(tmp_path / "nowhere.bif")
    file = tmp_path / "picture.bif"
    file.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    with pytest.raises(RecordError, match="cannot read"):
        read_bif(file)
    file.write_bytes(b"\x1f\x8b\x08\x00 not really compressed")
    with pytest.raises(RecordError, match="cannot read"):
        read_bif(file)


def test_line_ends_and_a_missing_last_one_change_nothing(tmp_path: Path) -> None:
    file = tmp_path / "dos.bif"
    file.write_bytes(SPRINKLER.rstrip().replace("\n", "\r\n").encode())
    assert read_bif(file).query("rain", {"grass": "wet"}) == pytest.approx(
        {"yes": 0.3447, "no": 0.6553}, abs=5e-5
    )
    with gzip.open(tmp_path / "packed.bif.gz", "wb") as packed:
        packed.write(SPRINKLER.encode())
    assert read_bif(tmp_path / "packed.bif.gz").name == "sprinkler"


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


def pyagrum_answer(export: BifExport, name: str) -> dict[Any, float]:
    """pyAgrum's own answer on what was written, by what the states stand for."""
    gum = pytest.importorskip("pyagrum", reason="pyAgrum is not installed: see the extra 'dev'")
    network = gum.loadBN(str(export.path))
    inference = gum.LazyPropagation(network)
    inference.setEvidence(dict(export.observed))
    answer = inference.posterior(name)
    return {meaning: answer[{name: state}] for state, meaning in export.states[name].items()}


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


def test_moves_and_contradictions_are_not_written(tmp_path: Path) -> None:
    deal = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 2})
    with pytest.raises(UnsupportedError, match="present holders"):
        to_bif(Model(deal), [deal.split("you", "claim", 1)], tmp_path / "moves.bif")
    deal = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    with pytest.raises(ContradictionError):
        to_bif(Model(deal), [deal.lacks(["me", "you"], "ace")], tmp_path / "none.bif")
    assert not [*tmp_path.iterdir()]


def test_the_grammar_of_the_format_is_made_once_for_all_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader: Any = import_module("pgmpy.readwrite").BIFReader
    made: list[str] = []
    for name in ("get_variable_grammar", "get_probability_grammar"):
        whole: Any = getattr(reader, name)

        def counted(self: Any, name: str = name, whole: Any = whole) -> Any:
            made.append(name)
            return whole(self)

        monkeypatch.setattr(reader, name, counted)
    files._reader.cache_clear()  # pyright: ignore[reportPrivateUsage]
    first, second = example_network("asia"), example_network("cancer")
    files._reader.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert made == ["get_variable_grammar", "get_probability_grammar"]
    assert len(first.choices) == 8
    assert len(second.choices) == 5
