"""Methods side by side on one record: how far off, how long, and with how much memory."""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

from sleuth import Choice, Deal, Evidence, Model, compare, infer, together
from sleuth.beliefs.judging import measuring
from sleuth.beliefs.judging.compare import Comparison, MethodResult, divergence_bits, most_uncertain
from sleuth.beliefs.modelling.history import History
from sleuth.errors import ContradictionError, CostError, SettingsError
from sleuth.networks import example_network

SUSPECTS = [f"suspect {number}" for number in range(4)]
WEAPONS = [f"weapon {number}" for number in range(5)]
KEYS = {"kl_bits", "tv", "max_marginal_error", "ess", "rhat", "seconds", "peak_mb"}


def mystery() -> tuple[Model, Deal, Sequence[Evidence]]:
    deal = Deal(
        [*SUSPECTS, *WEAPONS],
        holders={"ann": 4, "bob": 3, "file": 2},
        categories={"suspects": SUSPECTS, "weapons": WEAPONS},
        counts={"file": {"suspects": 1, "weapons": 1}},
    )
    given = [
        deal.holds_any("ann", ["suspect 0", "weapon 0"], because="ann showed"),
        deal.lacks("bob", ["suspect 1", "weapon 2"], because="bob passed"),
        deal.which("bob", ["suspect 2", "weapon 1"]).weigh(
            lambda held: 1.0 / len(held) if "weapon 1" in held else 0.0, exact=True
        ),
    ]
    return Model(deal), deal, given


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    model, deal, given = mystery()
    return compare(
        model,
        given,
        methods=["enumeration", "card-by-card", "type_counting", "rejection", "particles"],
        about=[deal.single("file", "suspects"), deal.single("file", "weapons")],
        about_name="the case file",
        samples=4_000,
        seed=3,
        curves=True,
        isolate=False,
    )


def test_exact_methods_agree_and_sampling_ones_are_off_as_far_as_their_samples_say(
    comparison: Comparison,
) -> None:
    for name in ("enumeration", "card_by_card"):
        result = comparison[name]
        assert result.exact
        assert result.tv == pytest.approx(0.0, abs=1e-12)
        assert result.max_marginal_error == pytest.approx(0.0, abs=1e-12)
        assert result.kl_bits == pytest.approx(0.0, abs=1e-12)
    for name in ("rejection", "particles"):
        result = comparison[name]
        assert result.tv is not None
        assert result.ess is not None
        # The expected total variation of n samples over k values is about sqrt(k / 2 pi n).
        scale = math.sqrt(20 / (2 * math.pi * result.ess))
        assert 0.1 * scale < result.tv < 3.0 * scale
        assert result.kl_bits is not None
        assert 0.0 < result.kl_bits < 10 * 20 / result.ess


def test_a_method_that_cannot_do_it_is_listed_with_its_reason(comparison: Comparison) -> None:
    result = comparison["type_counting"]
    assert "unsupported" in result.reason
    assert set(result.to_json().values()) == {None}
    assert "type_counting: unsupported" in comparison.to_text()


def test_its_json_has_the_agreed_form(comparison: Comparison) -> None:
    answer = json.loads(json.dumps(comparison.to_json(), allow_nan=False))
    assert set(answer) == {"exact", "methods"}
    assert answer["exact"] in ("card_by_card", "enumeration")
    assert list(answer["methods"]) == [result.name for result in comparison.results]
    assert all(set(numbers) == KEYS for numbers in answer["methods"].values())
    assert answer["methods"]["rejection"]["rhat"] is None


def test_more_samples_take_longer_and_are_closer(comparison: Comparison, tmp_path: Path) -> None:
    points = [point for point in comparison.curves if point.name == "rejection"]
    fewest = min(points, key=lambda point: point.samples or 0)
    most = max(points, key=lambda point: point.samples or 0)
    assert (most.samples, fewest.samples) == (16_000, 62)
    assert (most.tv or 1.0) < (fewest.tv or 0.0)
    assert (most.seconds or 0.0) > (fewest.seconds or 1.0)
    picture = comparison.plot(tmp_path / "picture.svg").read_text()
    assert picture.startswith("<?xml")
    assert picture.count("<path") > 10


def test_seconds_are_what_a_caller_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    extend = History.extend

    def slowly(self: History, *given: Any) -> History:
        time.sleep(0.02)
        return extend(self, *given)

    model, _, given = mystery()
    monkeypatch.setattr(History, "extend", slowly)
    answer = compare(model, given, methods=["card_by_card"], isolate=False)
    assert (answer["card_by_card"].seconds or 0.0) > 0.02


@pytest.mark.parametrize("errors, places", [((0.0, 0.02), 1), ((1e-16, 0.0), 1), ((0.03, 0.02), 0)])
def test_a_picture_calls_only_exact_methods_exact(
    errors: tuple[float, float], places: int, tmp_path: Path
) -> None:
    results = tuple(
        MethodResult(name=name, exact=name == "enumeration", tv=tv, seconds=seconds)
        for name, tv, seconds in zip(
            ("enumeration", "loopy_bp", "particles"),
            (0.0, *errors),
            (1e-3, 2e-3, 3e-3),
            strict=True,
        )
    )
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        Comparison("enumeration", "a die", results).plot(tmp_path / "picture.svg")
    said = (tmp_path / "picture.svg").read_text()
    # Who is not off in what is drawn may be off elsewhere.
    assert said.count(">exact<") == 1
    assert said.count(">not off here<") == places


def test_a_fresh_process_measures_memory_that_enumeration_needs_and_its_rival_does_not() -> None:
    cards = Deal([f"card {number}" for number in range(13)], holders={"x": 5, "y": 4, "z": 4})
    answer = compare(
        Model(cards), methods=["enumeration", "card_by_card"], about=cards.holder_of("card 0")
    )
    listed, counted = answer["enumeration"], answer["card_by_card"]
    assert not listed.reason
    assert not counted.reason
    assert listed.peak_mb is not None
    assert counted.peak_mb is not None
    worlds = math.factorial(13) / (math.factorial(5) * math.factorial(4) ** 2)
    # Every deal is kept as 13 numbers of 8 bytes.
    assert listed.peak_mb > 13 * 8 * worlds / 1e6
    assert counted.peak_mb < listed.peak_mb / 10
    assert (counted.seconds or 1.0) < (listed.seconds or 0.0)


def test_methods_that_are_too_costly_or_too_slow_do_not_end_the_comparison() -> None:
    choices = [Choice(f"choice {number}", ["a", "b", "c"]) for number in range(30)]
    same = [
        together(first.value(), second.value()).satisfies(lambda pair: pair[0] == pair[1])
        for first, second in itertools.pairwise(choices)
    ]
    answer = compare(Model(*choices), same, methods=["enumeration", "card_by_card"], isolate=False)
    assert answer["enumeration"].reason == "too costly: it lists at most 2,000,000 worlds"
    assert answer["card_by_card"].tv == pytest.approx(0.0, abs=1e-12)
    answer = compare(Model(*choices), same, methods=["rejection"], timeout=0.01)
    assert answer["rejection"].reason == "no answer within 0.01 seconds"
    assert "rejection: no answer" in answer.to_text()


def test_no_process_is_started_for_a_method_that_does_not_even_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measuring, "subprocess", None)
    first, second = Choice("first", [0, 1]), Choice("second", [0, 1])
    methods = ["symmetry", "card_by_card"]
    answer = compare(Model(first, second), methods=methods[:1])
    assert answer["symmetry"].reason.startswith("unsupported: it counts kinds of items")
    with pytest.raises(AttributeError):
        compare(Model(first, second), methods=methods)


def test_a_comparison_without_an_exact_answer_is_refused() -> None:
    cards = Deal([f"card {number}" for number in range(21)], holders={"x": 7, "y": 7, "z": 7})
    with pytest.raises(CostError):
        compare(Model(cards), methods=["rejection"], reference="enumeration", isolate=False)
    with pytest.raises(SettingsError, match="exact"):
        compare(Model(cards), reference="particles")
    with pytest.raises(SettingsError, match="did you mean 'rejection'"):
        compare(Model(cards), methods=["rejektion"])
    with pytest.raises(ContradictionError):
        compare(Model(cards), [cards.lacks(["x", "y", "z"], "card 0")])


def test_divergence_is_infinite_where_a_possible_value_is_ruled_out() -> None:
    exact = np.array([0.5, 0.25, 0.25, 0.0])
    assert divergence_bits(exact, exact) == 0.0
    assert divergence_bits(exact, np.full(4, 0.25)) == pytest.approx(0.5)
    assert divergence_bits(exact, np.array([0.5, 0.5, 0.0, 0.0])) == math.inf
    row = MethodResult(name="loopy_bp", exact=False, kl_bits=math.inf, tv=0.2)
    assert row.to_json()["kl_bits"] is None
    assert row.to_json()["tv"] == 0.2


def test_of_copies_the_most_uncertain_count_is_compared() -> None:
    deal = Deal(
        {"ace": 3, "king": 3},
        holders={"you": 2, "deck": 2, "me": 2},
        known={"me": {"ace": 1, "king": 1}},
    )
    posterior = infer(Model(deal))
    feature = most_uncertain(posterior, count=1)
    assert posterior.entropy(feature) > 1.0
    assert "me" not in feature.describe()


def test_by_default_the_most_uncertain_things_are_compared() -> None:
    deal = Deal({"ace": 1, "king": 3}, holders={"me": 1, "you": 2, "table": 1})
    mood = Choice("mood", {"calm": 0.999, "wild": 0.001})
    feature = most_uncertain(infer(Model(deal, mood)), count=2)
    # You have the ace one time in two; of the kings of the others more is known.
    assert (
        feature.describe() == together(deal.holder_of("ace"), deal.count("you", "king")).describe()
    )


@pytest.mark.parametrize("name, names", [("asia", ["lung", "bronc"]), ("child", ["Disease"])])
def test_on_known_networks_every_method_agrees_or_shows_its_error(
    name: str, names: list[str]
) -> None:
    network = example_network(name)
    answer = compare(
        network.model,
        network.observe({"asia": {"dysp": "yes"}, "child": {"XrayReport": "Oligaemic"}}[name]),
        methods=["card_by_card", "pgmpy", "likelihood_weighting", "loopy_bp"],
        about=network.feature(names),
        samples=5_000,
        isolate=False,
    )
    for method in ("card_by_card", "pgmpy"):
        assert (answer[method].tv or 0.0) < 1e-9
    for method in ("likelihood_weighting", "loopy_bp"):
        result = answer[method]
        assert result.reason or 0.0 < (result.tv or 0.0) < 1.0
