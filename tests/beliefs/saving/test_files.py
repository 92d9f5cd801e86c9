"""A saved posterior comes back the same; a damaged, foreign or newer file is refused."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import (
    Choice,
    Deal,
    Evidence,
    Model,
    Posterior,
    Question,
    any_of,
    count_of,
    infer,
    together,
)
from sleuth.beliefs.saving.files import from_json, to_json
from sleuth.beliefs.saving.forms import FORMAT_VERSION
from sleuth.beliefs.saving.json_form import (
    evidence_from_json,
    evidence_to_json,
    model_from_json,
    model_to_json,
)
from sleuth.errors import (
    ContradictionError,
    CostError,
    RecordError,
    SettingsError,
    UnsupportedError,
)

from ..strategies import Case, Stream, cases, streams

CARDS = Deal(
    {"ace": 2, "king": 3, "queen": 1},
    holders={"me": 2, "you": 2, "table": 2},
    known={"me": {"king": 1}},
    name="cards",
)
HABIT = Choice("habit", {"bold": 0.3, 1: 0.2, 2.5: 0.1, None: 0.3, ("deep", (1, "x")): 0.1})


def everything() -> Posterior:
    """A posterior with every kind of variable, feature, evidence and move."""
    cards = CARDS
    file = Deal(
        ["a", "b", "x", "y"],
        holders={"file": 2, "rest": 2},
        categories={"letters": ["a", "b"], "others": ["x", "y"]},
        counts={"file": {"letters": 1, "others": 1}},
        name="file",
    )
    steps: list[Any] = [
        cards.count(["you", "table"], "ace").weigh([0.1, 1 / 3, 0.7], because="ein Wink: ½"),
        cards.holder_of("queen").among(["you", "table"]).observed(event=3),
        file.which("file", ["a", "x"]).weigh([0.3, 1.0, 0.0, 2.0], exact=True, id="w"),
        file.single("file", "others").weigh([1e-300, 0.5]),
        together(HABIT.value(), cards.count("me", "ace")).weigh(lambda v: 1.0 + v[1]),
        (HABIT.equals("bold") | HABIT.equals(None)).predicted(0.8, trust=0.5),
        cards.split("you", "claim", 1),
        cards.all_of("claim", "ace").predicted(0.4),
        cards.reveal("claim", {"ace": 1}, because="turned up", event=9),
        cards.merge(["claim", "table"], into="table"),
        cards.count("table", "ace").weigh([1.0, 2.0, 3.0]),
        count_of(HABIT.equals("bold"), file.holder_of("a").equals("file")).weigh([1.0, 2.0, 3.0]),
        any_of(HABIT.equals(1), cards.count("me", "king").at_least(2)).weigh([1.0, 2.0]),
        cards.split("you", "last", 1),
        cards.item_of("last").weigh([3.0, 2.0, 1.0]),
    ]
    return infer(Model(cards, file, HABIT), steps, method="card_by_card", seed=7)


def test_everything_comes_back_the_same(tmp_path: Path) -> None:
    saved = everything()
    path = tmp_path / "belief.json"
    saved.save(path)
    loaded = Posterior.load(path)
    assert loaded == saved
    assert loaded.digest == saved.digest
    assert loaded.history == saved.history
    assert loaded.model.variables == saved.model.variables
    assert loaded.options == saved.options
    assert (loaded.method, loaded.automatic) == (saved.method, saved.automatic)
    assert loaded.log_evidence == saved.log_evidence
    assert loaded.marginal(HABIT.value()) == saved.marginal(HABIT.value())
    assert loaded.table("cards") == saved.table("cards")
    # Predictions are still predictions: without the hint their baseline is another.
    hint = str(saved.history[0].id)  # pyright: ignore[reportAttributeAccessIssue]
    assert loaded.retract(hint) == saved.retract(hint)
    assert loaded.retract(hint).table("cards") == saved.retract(hint).table("cards")
    # The loaded declaration knows the holders that were made on the way.
    deal = loaded.model.variable("cards")
    assert isinstance(deal, Deal)
    assert loaded.marginal(deal.count("table", "ace")) == saved.marginal(
        CARDS.count("table", "ace")
    )


@given(case=cases(), method=st.sampled_from(["auto", "card_by_card", "enumeration"]))
@settings(max_examples=60)
def test_any_posterior_comes_back_the_same(case: Case, method: str) -> None:
    try:
        saved = infer(case.model, case.given, method=method)
    except ContradictionError:
        return
    loaded = Posterior.restored(from_json(json.loads(json.dumps(to_json(saved.pieces())))))
    assert loaded.history == saved.history
    assert loaded.automatic == saved.automatic
    assert loaded.log_evidence == pytest.approx(saved.log_evidence, abs=1e-13)
    for feature in case.features:
        np.testing.assert_allclose(
            loaded.distribution(feature), saved.distribution(feature), rtol=0, atol=1e-14
        )


@given(stream=streams(most=4))
@settings(max_examples=40)
def test_moves_come_back_too(stream: Stream) -> None:
    try:
        saved = infer(Model(stream.deal), stream.steps, method="card_by_card")
    except UnsupportedError:
        return
    loaded = Posterior.restored(from_json(json.loads(json.dumps(to_json(saved.pieces())))))
    assert loaded.history == saved.history
    assert loaded.table(stream.deal) == saved.table(stream.deal)


@given(weights=st.lists(st.floats(min_value=5e-324, max_value=1e300), min_size=3, max_size=3))
def test_weights_come_back_bit_by_bit(weights: list[float]) -> None:
    deal = Deal({"a": 2, "b": 2}, holders={"x": 2, "y": 2})
    evidence = deal.count("x", "a").weigh(weights)
    again = evidence_from_json(json.loads(json.dumps(evidence_to_json(evidence))), Model(deal))
    assert again == evidence
    assert again.table.tobytes() == evidence.table.tobytes()


@given(
    parts=st.lists(st.floats(min_value=1e-9, max_value=1e9), min_size=1, max_size=6),
)
def test_priors_come_back_bit_by_bit(parts: list[float]) -> None:
    choice = Choice("c", dict(enumerate(parts)))
    (again,) = model_from_json(json.loads(json.dumps(model_to_json(Model(choice))))).variables
    assert again == choice


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=6,
)


@given(values=st.lists(VALUES, min_size=1, max_size=5, unique=True))
def test_values_of_choices_come_back_as_what_they_were(values: list[Any]) -> None:
    choice = Choice("c", values)
    (again,) = model_from_json(json.loads(json.dumps(model_to_json(Model(choice))))).variables
    assert isinstance(again, Choice)
    assert repr(again.options) == repr(choice.options)


def test_values_that_json_cannot_hold_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    choice = Choice("c", [frozenset({1}), frozenset()])
    belief = infer(Model(choice))
    with pytest.raises(UnsupportedError, match=r"cannot be saved.*text, numbers, None, or tuples"):
        belief.save(tmp_path / "belief.json")
    assert list(tmp_path.iterdir()) == []
    # It can be compared all the same.
    assert belief == infer(Model(choice))


def test_a_file_can_be_loaded_with_another_method(tmp_path: Path) -> None:
    deal = Deal({"a": 2, "b": 2}, holders={"x": 2, "y": 2})
    hint = deal.count("x", "a").weigh([1.0, 2.0, 3.0])
    infer(Model(deal), [hint], method="enumeration").save(tmp_path / "b.json")
    assert Posterior.load(tmp_path / "b.json").method == "enumeration"
    for method in ("card_by_card", "type_counting"):
        assert Posterior.load(tmp_path / "b.json", method=method).method == method
    automatic = Posterior.load(tmp_path / "b.json", method="auto")
    assert automatic.automatic
    with pytest.raises(SettingsError, match="unknown method"):
        Posterior.load(tmp_path / "b.json", method="magic")


def test_a_file_by_a_method_that_is_gone_is_answered_by_another(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    infer(Model(CARDS), method="card_by_card").save(path)
    path.write_text(path.read_text().replace('"card_by_card"', '"hand_families"'))
    assert Posterior.load(path).method == "card_by_card"


def test_what_a_method_cannot_do_is_no_damage(tmp_path: Path) -> None:
    everything().save(tmp_path / "b.json")
    with pytest.raises(UnsupportedError, match="type_counting"):
        Posterior.load(tmp_path / "b.json", method="type_counting")
    big = Deal([f"c{n}" for n in range(40)], holders={"x": 20, "y": 20})
    infer(Model(big), method="card_by_card").save(tmp_path / "big.json")
    with pytest.raises(CostError):
        Posterior.load(tmp_path / "big.json", method="enumeration")


# -- the file


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "belief.json"
    deal = Deal({"a": 2, "b": 2}, holders={"x": 2, "y": 2})
    first, second = infer(Model(deal)), infer(Model(deal), [deal.holds("x", "a")])
    first.save(path)
    before = path.read_bytes()

    def broken(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(KeyboardInterrupt):
        second.save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["belief.json"]
    second.save(path)
    assert Posterior.load(path) == second
    with pytest.raises(SettingsError, match=r"cannot be written: no such file.*missing.*name a"):
        first.save(tmp_path / "missing" / "belief.json")


def written(tmp_path: Path, data: Any) -> Path:
    path = tmp_path / "belief.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return path


@pytest.mark.parametrize(
    "data, words",
    [
        ("", "this is not JSON"),
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ("[1, 2]", "this is not a saved posterior"),
        ("{}", "this is not a saved posterior"),
        ('{"format": "another program"}', "this is not a saved posterior"),
        ('"text"', "this is not a saved posterior"),
    ],
)
def test_a_foreign_file_is_refused(tmp_path: Path, data: str, words: str) -> None:
    with pytest.raises(RecordError, match=rf"file '.*belief\.json': {words}"):
        Posterior.load(written(tmp_path, data))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "belief.json"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(RecordError, match="this is not JSON"):
        Posterior.load(path)


def test_a_missing_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"nothing\.json.*no such file.*posterior\.save"):
        Posterior.load(tmp_path / "nothing.json")
    with pytest.raises(RecordError, match="cannot be read"):
        Posterior.load(tmp_path)


def test_without_a_limit_a_posterior_is_saved_too(tmp_path: Path) -> None:
    cards = Deal({"a": 2, "b": 2}, holders={"x": 2, "y": 2})
    infer(Model(cards), limit=math.inf).save(tmp_path / "belief.json")
    assert Posterior.load(tmp_path / "belief.json").options.limit == math.inf


def test_a_newer_file_is_refused_by_its_version(tmp_path: Path) -> None:
    data = {**to_json(everything().pieces()), "version": FORMAT_VERSION + 1, "sleuth": "9.1.0"}
    data["history"] = "in a form nobody knows yet"
    with pytest.raises(RecordError, match=r"newer version of sleuth.*'9\.1\.0'.*install a newer"):
        Posterior.load(written(tmp_path, data))


@pytest.mark.parametrize("version", [0, -1, "1", None, 1.5, True])
def test_a_version_that_never_was_is_refused(tmp_path: Path, version: Any) -> None:
    data = {**to_json(everything().pieces()), "version": version}
    with pytest.raises(RecordError, match="unknown version"):
        Posterior.load(written(tmp_path, data))


def change(data: Any, path: str, value: Any) -> Any:
    """A copy with one entry replaced, such as ``history.0.table.1``."""
    copy = json.loads(json.dumps(data))
    at = copy
    *steps, last = path.split(".")
    for step in steps:
        at = at[int(step)] if isinstance(at, list) else at[step]
    if isinstance(at, list):
        at[int(last)] = value
    else:
        at[last] = value
    return copy


@pytest.mark.parametrize(
    "path, value, words",
    [
        ("method", "magic", "unknown method"),
        ("method", None, "method: .*must be text"),
        ("approximate", 1, "approximate: .*true or false"),
        ("options", [], "options: .*JSON object|options: "),
        ("options.samples", 0, "options.samples: .*greater than or equal to 1"),
        ("options.seed", 0.5, "options.seed: .*whole number"),
        ("model", None, "model: "),
        ("model.variables", [], "needs a hidden variable"),
        ("model.variables.0.kind", "dael", "variables.0: .*unknown kind.*'dael'"),
        ("model.variables.0.items", {"ace": 2.0}, "items.ace: .*whole number"),
        ("model.variables.0.items", {"ace": -2}, "items.ace: .*greater than or equal to 0"),
        ("model.variables.0.holders.me", 3, r"model, variables\.0: .*sizes do not add up"),
        ("model.variables.0.known.me", {"ice": 1}, "unknown item"),
        ("model.variables.0.categories", {"g": ["ace", "ace"]}, "different names"),
        ("model.variables.2.options", ["a", "a", 1, 2, 3], "different values"),
        ("model.variables.2.options.0", {"call": "it"}, "unknown kind of value"),
        ("model.variables.2.options.0", ["list"], "unknown kind of value"),
        ("model.variables.2.prior.0", -1.0, "finite and not negative"),
        ("model.variables.2.prior.0", "x", "variables.2.prior.0: .*must be a number"),
        ("model.variables.2.prior", [1.0], "each with a prior"),
        ("history", {}, "history: .*list"),
        ("history.0", None, "history.0: .*unknown kind"),
        ("history.0.kind", "rumour", "history.0: .*unknown kind.*'rumour'"),
        ("history.0.table", [1.0], "wrong shape"),
        ("history.0.table.1", -1.0, "finite and not negative"),
        ("history.0.table.1", None, "history.0.table.1: .*must be a number"),
        ("history.0.table.1", True, "history.0.table.1: .*must be a number"),
        ("history.0.table.1", 10**400, "history.0.table.1: "),
        ("history.0.id", 7, "history.0.id: .*must be text"),
        ("history.0.event", "7", "history.0.event: .*whole number"),
        ("history.0.because", None, "history.0.because: .*must be text"),
        ("history.0.id", "w", "two pieces of evidence have one id"),
        ("history.0.feature.kind", "sum", "history.0.feature: .*unknown kind.*'sum'"),
        ("history.0.feature.deal", "habit", r"history\.0: .*this is no deal"),
        ("history.0.feature.deal", "carts", "unknown variable"),
        ("history.0.feature.holders", [], "history.0.feature.holders: "),
        ("history.0.feature.holders.0", "her", "no such holder now"),
        ("history.0.feature.items", ["ice"], "'ice'"),
        ("history.0.feature.total", 10**9, "not that many copies"),
        ("history.0.feature.total", -1, "history.0.feature.total: .*equal to 0"),
        ("history.0.feature", {"kind": "value", "choice": "cards"}, "this is no choice"),
        ("history.1.feature.item", "ace", "identical copies"),
        ("history.1.feature.holders", ["me"], "wrong shape|made before"),
        ("history.2.feature.items", ["a", "a"], "different names"),
        ("history.3.feature.holder", "rest", "no counted category"),
        ("history.4.feature.parts", [], "not a feature|wrong shape|too many|damaged"),
        ("history.5.feature.truth", [True], "True or False|true or false"),
        ("history.5.feature.truth.0", 1, "true or false"),
        ("history.5.prediction.p", 1.5, "a prediction is a probability"),
        ("history.5.prediction.given", "tea leaves", "unknown baseline"),
        ("history.5.prediction.given", None, "history.5.prediction.given: "),
        (
            "history.0.prediction",
            {"p": 0.5, "given": 0.5, "trust": 1.0, "floor": 0.0},
            "a prediction is about a condition",
        ),
        ("history.6.count", 0, "history.6.count: .*equal to 1"),
        ("history.6.count", 5, "has only 2 items"),
        ("history.6.source", "nobody", "unknown holder"),
        ("history.8.contents", {"ace": -1, "king": 2}, "contents.ace: .*equal to 0"),
        ("history.8.contents", {"ace": 2}, "all of them must be revealed"),
        ("history.9.into", "me", "not among those merged"),
    ],
)
def test_damage_is_found_and_named(tmp_path: Path, path: str, value: Any, words: str) -> None:
    data = change(to_json(everything().pieces()), path, value)
    with pytest.raises(RecordError, match=words) as caught:
        Posterior.load(written(tmp_path, data))
    assert "belief.json" in str(caught.value)


@pytest.mark.parametrize(
    "path, value, place",
    [
        ("model.variables.2.prior.0", "x", "model.variables.2.prior.0: "),
        ("model.variables.0.holders.me", 3, "model, variables.0: "),
        ("history.4.feature.parts.1.holders", ["me", "me"], "history.4.feature.parts.1.holders: "),
        ("history.0.feature.deal", 3, "history.0.feature.deal: "),
        ("history.5.prediction.trust", "much", "history.5.prediction.trust: "),
        ("history.6.source", "nobody", "history.6: "),
    ],
)
def test_the_place_of_a_damage_is_named(tmp_path: Path, path: str, value: Any, place: str) -> None:
    data = change(to_json(everything().pieces()), path, value)
    with pytest.raises(RecordError) as caught:
        Posterior.load(written(tmp_path, data))
    assert f"belief.json', {place}this is damaged: " in str(caught.value)


def test_missing_entries_are_named(tmp_path: Path) -> None:
    whole = to_json(everything().pieces())
    for key in ("method", "approximate", "options", "model", "history"):
        data = {name: value for name, value in whole.items() if name != key}
        with pytest.raises(RecordError, match=key):
            Posterior.load(written(tmp_path, data))


def test_evidence_that_contradicts_itself_is_damage(tmp_path: Path) -> None:
    data = to_json(everything().pieces())
    data["history"].append(
        evidence_to_json(CARDS.lacks("table", "ace", because="tampered", id="t"))
    )
    with pytest.raises(RecordError, match=r"damaged.*cannot all be true"):
        Posterior.load(written(tmp_path, data))


def test_a_file_with_any_byte_changed_loads_or_is_refused_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "belief.json"
    everything().save(path)
    text = path.read_text("utf-8")
    rng = random.Random(5)
    alphabet = '{}[]",:0123456789.-truefalsn aceking'
    loaded = 0
    for _ in range(150):
        at = rng.randrange(len(text))
        cut = rng.choice([0, 1, 1, 2, 30])
        path.write_text(text[:at] + rng.choice(["", *alphabet]) + text[at + cut :], "utf-8")
        # Besides being refused, a change may ask for more than the method can do.
        with contextlib.suppress(RecordError, CostError, UnsupportedError):
            Posterior.load(path)
            loaded += 1
    assert loaded < 150


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    trap = f"__import__('pathlib').Path({str(witness)!r}).touch()"
    whole = to_json(everything().pieces())
    for path in ("history.0.because", "history.0.id", "model.variables.0.name", "method"):
        data = change(whole, path, trap)
        with contextlib.suppress(RecordError):
            Posterior.load(written(tmp_path, data))
    assert not witness.exists()


# -- pieces


def test_a_model_comes_back_from_json() -> None:
    model = everything().model
    again = model_from_json(json.loads(json.dumps(model_to_json(model))))
    assert again.variables == model.variables
    with pytest.raises(RecordError, match="model"):
        model_from_json({"variables": "none"})


def test_a_long_chain_comes_back_in_any_order() -> None:
    chain = [Choice("0", [0, 1])]
    for number in range(1, 500):
        chain.append(Choice(f"{number}", {0: [0, 1], 1: [1]}, given=chain[-1]))
    for variables in (chain, chain[::-1]):
        assert model_from_json(model_to_json(Model(*variables))).variables == tuple(variables)
    data: Any = model_to_json(Model(*chain[:4]))
    data["variables"][1]["given"]["choice"] = "3"
    with pytest.raises(RecordError, match="unknown variable, or it depends on this one"):
        model_from_json(data)


def test_evidence_is_read_for_a_model() -> None:
    deal = Deal(["a", "b"], holders={"x": 1, "y": 1})
    asked = Question(deal.holder_of("a"), lambda who: {who: 0.9, "?": 0.1}, name="who?")
    evidence = asked.observed("x", event=2)
    again = evidence_from_json(evidence_to_json(evidence), Model(deal))
    assert isinstance(again, Evidence)
    assert again == evidence
    other = Deal(["a", "b"], holders={"x": 1, "y": 1}, name="other")
    with pytest.raises(RecordError, match="unknown variable"):
        evidence_from_json(evidence_to_json(evidence), Model(other))
    with pytest.raises(RecordError, match="a move, not evidence"):
        evidence_from_json(
            {"kind": "split", "deal": "deal", "source": "x", "holder": "z", "count": 1},
            Model(deal),
        )


def test_infinity_is_a_value_but_no_weight(tmp_path: Path) -> None:
    choice = Choice("c", [math.inf, -math.inf, 0.0])
    infer(Model(choice)).save(tmp_path / "b.json")
    assert "Infinity" not in (tmp_path / "b.json").read_text("utf-8")
    assert Posterior.load(tmp_path / "b.json").model.variables == (choice,)
