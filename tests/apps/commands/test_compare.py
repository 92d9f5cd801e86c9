"""`sleuth compare`: methods side by side, on games and on networks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sleuth import Choice, Model, infer
from sleuth.answers import as_text
from sleuth.apps.kit import console
from sleuth.apps.kit.analysis.transcript import Standpoint, Transcript
from sleuth.apps.kit.records.comparing import comparison_summary, method_names, most_open, observed
from sleuth.beliefs.engines import NAMES
from sleuth.beliefs.judging.compare import Comparison, MethodResult
from sleuth.errors import SettingsError

from ..conftest import Sleuth
from ..games import small
from .test_analyse import assert_refused

Write = Callable[..., Path]

FLAGSHIP = "data/clue/games/plum_game2.json"
MEASURES = ["kl_bits", "tv", "max_marginal_error", "ess", "rhat", "seconds", "peak_mb"]

RAIN = """network rain {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable wet {
  type discrete [ 2 ] { yes, no };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( wet | rain ) {
  (yes) 0.9, 0.1;
  (no) 0.1, 0.9;
}
"""


@pytest.mark.slow
def test_methods_on_a_three_player_game(sleuth: Sleuth, write: Write, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    ran = sleuth(
        *("compare", write(small()), "--json", "--samples", 500, "--plot", picture),
        *("--methods", "card-by-card,enumeration,likelihood_weighting"),
    )
    found = ran.json()
    assert (ran.code, ran.err) == (0, "")
    assert list(found) == ["exact", "methods"]
    assert list(found["methods"]) == ["card_by_card", "enumeration", "likelihood_weighting"]
    assert all(list(numbers) == MEASURES for numbers in found["methods"].values())
    assert found["methods"]["enumeration"]["tv"] < 1e-12
    assert 0.0 < found["methods"]["likelihood_weighting"]["tv"] < 0.2
    assert found["methods"]["likelihood_weighting"]["ess"] > 1.0
    assert found["methods"]["enumeration"]["ess"] is None
    assert "</svg>" in picture.read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "picture.svg"]


@pytest.mark.usefixtures("measured_here")
def test_a_game_of_clue_is_compared_where_most_is_open_or_after_any_event(sleuth: Sleuth) -> None:
    methods = ("--methods", "card_by_card,likelihood_weighting", "--samples", 500)
    ran = sleuth("compare", FLAGSHIP, *methods)
    assert (ran.code, "the case file after event 1." in ran.out) == (0, True)
    for event, open_then in ((None, True), (0, True), (3, True), (5, False)):
        asked = () if event is None else ("--event", event)
        found = sleuth("compare", FLAGSHIP, *methods, *asked, "--json").json()["methods"]
        assert (found["likelihood_weighting"]["tv"] > 0.0) is open_then
    assert_refused(sleuth("compare", FLAGSHIP, "--event", 6), "no such event", "write 0 to 5")


def test_of_equally_open_moments_the_last_is_taken() -> None:
    coin = Choice("coin", ["heads", "tails"])
    model = Model(coin)
    bits = {"a": 1.0, "b": 2.0, "c": 2.0 - 1e-12, "d": 1.5}

    class Coins(Transcript[None, None]):
        def standpoints(self) -> Iterator[Standpoint[None]]:
            for text in bits:
                yield Standpoint(text=text, posterior=infer(model), hidden={text: coin.value()})

        def openness(self, now: Standpoint[None]) -> float:
            return bits[now.text]

    for asked, event, name in ((None, 2, "c"), (0, 0, "a")):
        found, _, hidden = most_open(Coins(), asked)
        assert (found, [*hidden]) == (event, [name])
    with pytest.raises(SettingsError, match="write 0 to 3"):
        most_open(Coins(), 4)


@pytest.mark.usefixtures("measured_here")
def test_methods_on_a_network(sleuth: Sleuth, write: Write) -> None:
    path = write(RAIN, "rain.bif")
    ran = sleuth(
        *("compare", path, "--evidence", "wet=yes", "--query", "rain"),
        *("--methods", "enumeration,likelihood_weighting", "--samples", 2000),
    )
    assert ran.code == 0
    assert "about rain" in ran.out
    assert "likelihood weighting" in ran.out


@pytest.mark.usefixtures("measured_here")
def test_a_network_of_another_format_with_what_its_file_says_is_observed(
    sleuth: Sleuth, write: Write
) -> None:
    net = """node rain { states = (yes no); observed = "yes"; }
potential (rain) { data = (0.2 0.8); }"""
    asked = ("--methods", "rejection", "--query", "rain", "--json")
    wrong = [
        json.loads(sleuth("compare", write(net, "rain.net"), *asked, *observed).out)
        for observed in ([], ["--observed"])
    ]
    # Samples are off as long as it may rain or not.
    apart = [each["methods"]["rejection"]["tv"] for each in wrong]
    assert apart[0] > 0.0 == apart[1]


@pytest.mark.usefixtures("measured_here")
@pytest.mark.parametrize("as_json", [False, True])
def test_methods_are_named_as_they_run_wherever_the_output_goes(
    sleuth: Sleuth, write: Write, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    ran = sleuth(
        *("compare", write(RAIN, "rain.bif"), "--methods", "enumeration,rejection"),
        *(["--json"] if as_json else []),
    )
    lines = ["sleuth: enumeration (1 of 2)", "sleuth: rejection (2 of 2)"]
    assert ran.err.splitlines() == ([] if as_json else lines)


REFUSED: list[tuple[list[str], str]] = [
    (["missing.json"], "no such file"),
    (["missing.bif"], "missing.bif"),
    (["broken.bif"], "broken.bif"),
    (["."], "this is a folder (got '.'); name one record in it\n"),
    (["contradiction.json"], "contradiction.json: "),
    (["game.json", "--methods", "card_by_cart"], "did you mean 'card_by_card'?"),
    (["game.json", "--methods", ","], "at least one method"),
    (["game.json", "--samples", "0"], "--samples"),
    (["game.json", "--plot", "picture.txt"], ".png"),
    (["game.json", "--plot", "nowhere/picture.png"], "no such folder"),
    (["game.json", "--evidence", "rain=yes"], "--evidence"),
    (["game.json", "--query", "rain"], "--query"),
    (["game.json", "--observer", "dora"], "available: ann, spectator"),
    (["game.json", "--choice", "rondom"], "did you mean 'random'?"),
    (["rain.bif", "--observer", "ann"], "--observer"),
    (["rain.bif", "--choice", "random"], "--choice"),
    (["game.json", "--observed"], "--observed is for a network"),
    (["rain.bif", "--evidence", "rain"], "VARIABLE=VALUE"),
    (["rain.bif", "--evidence", ""], "VARIABLE=VALUE"),
    (["rain.bif", "--evidence", "rain=yes,rain=no"], "twice"),
    (["rain.bif", "--evidence", "rein=yes"], "did you mean 'rain'?"),
    (["rain.bif", "--evidence", "rain=yess"], "did you mean 'yes'?"),
    (["rain.bif", "--query", "wett"], "did you mean 'wet'?"),
]


@pytest.mark.parametrize(
    "arguments, expected", REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_bad_input_is_refused_and_nothing_is_written(
    sleuth: Sleuth,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    write(small())
    write(RAIN, "rain.bif")
    write("network {", "broken.bif")
    impossible = small()
    impossible["events"].append({"type": "has", "player": "ben", "card": "mustard"})
    write(impossible, "contradiction.json")
    monkeypatch.chdir(tmp_path)
    assert_refused(sleuth("compare", *arguments), expected)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["broken.bif", "contradiction.json", "game.json", "rain.bif"]


def test_without_a_list_all_methods_are_compared_and_none_twice() -> None:
    assert method_names(None) == list(NAMES)
    assert method_names("metropolis, card-by-card,metropolis") == ["metropolis", "card_by_card"]


def test_observed_values_may_hold_signs_of_their_own() -> None:
    assert observed(None) == {}
    assert observed("CO2=>=7.5, age = 0-3") == {"CO2": ">=7.5", "age": "0-3"}
    with pytest.raises(SettingsError):
        observed("CO2")


@pytest.mark.parametrize("width", [56, 60, 80, 120])
def test_the_table_fits_its_terminal(width: int) -> None:
    results = (
        MethodResult(name="card_by_card", exact=True, kl_bits=0.0, tv=1e-16, seconds=0.00123),
        MethodResult(
            name="likelihood_weighting",
            exact=False,
            samples=10_000,
            kl_bits=0.000456,
            tv=0.00123,
            max_marginal_error=0.0123,
            ess=1_234_567.0,
            rhat=1.001,
            seconds=12.3,
            peak_mb=123.4,
            notes=("a note",),
        ),
        MethodResult(name="rejection", exact=False, reason="no world fitted"),
        MethodResult(name="particles", exact=False, reason="no world fitted"),
        MethodResult(name="loopy_bp", exact=False, kl_bits=float("inf"), tv=0.5),
    )
    comparison = Comparison("card_by_card", "the case file", results)
    said = as_text(*comparison_summary(comparison, "A"), width=width).splitlines()
    assert max(map(len, said)) <= width
    text = "\n".join(said)
    assert "…" not in text
    assert "rejection, particles: no world fitted" in text
    assert "1,234,567" in text
    assert "∞" in text
    assert "R-hat" in said[3] if width >= 80 else "R-hat" not in said[3]


def test_the_methods_that_are_known_are_listed_once(sleuth: Sleuth, write: Write) -> None:
    ran = sleuth("compare", write(small()), "--methods", "foo")
    assert_refused(ran, "unknown method")
    listed = ran.err.partition("known: ")[2].strip().split(", ")
    assert listed == list(NAMES)
