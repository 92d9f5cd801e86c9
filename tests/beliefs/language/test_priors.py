"""A prior may depend on another variable: P(value | the other's value), one row for each."""

from __future__ import annotations

import itertools
import json
import math
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Model, Posterior, Walk, infer, together
from sleuth.beliefs.engines import EXACT, NAMES, engine
from sleuth.beliefs.engines.base import Unsupported
from sleuth.beliefs.language.variables import choice_of
from sleuth.beliefs.nested.drawn_worlds import uniform
from sleuth.errors import DeclarationError, RecordError
from sleuth.networks import read_bif, to_bif

from ..by_hand import by_hand
from ..strategies import Case, copied_deals, distinct_deals, evidence, features

STYLE = Choice("style", {"honest": 0.75, "bluffer": 0.25})
CARD = Choice(
    "card",
    {"honest": {"high": 0.9, "low": 0.1}, "bluffer": {"low": 0.5, "high": 0.5}},
    given=STYLE.value(),
)
WORD = Choice(
    "word",
    lambda known: ["strong"] if known == ("bluffer", "low") else {"strong": 0.2, "weak": 0.8},
    given=(STYLE.value(), CARD.value()),
)
PACK = Deal({"ace": 2, "king": 2}, holders={"you": 2, "table": 2}, name="pack")
MOOD = Choice(
    "mood",
    {0: {"calm": 1}, 1: {"calm": 1, "merry": 1}, 2: {"merry": 3, "calm": 1}},
    given=PACK.count("you", "ace"),
)


def test_a_choice_follows_the_other_by_its_row() -> None:
    belief = infer(Model(STYLE, CARD))
    assert belief.marginal(CARD.value()) == pytest.approx({"high": 0.8, "low": 0.2})
    assert belief.log_evidence == pytest.approx(0.0, abs=1e-14)
    low = belief.observe(CARD.equals("low"))
    assert low.log_evidence == pytest.approx(math.log(0.2))
    assert low.probability(STYLE.equals("bluffer")) == pytest.approx(0.125 / 0.2)


def test_the_order_in_which_they_are_declared_does_not_matter() -> None:
    one, other = infer(Model(STYLE, CARD, WORD)), infer(Model(WORD, CARD, STYLE))
    asked = (STYLE.value(), CARD.value(), WORD.value())
    assert one.joint(*asked) == pytest.approx(other.joint(*asked))


def test_a_chain_is_multiplied_out() -> None:
    belief = infer(Model(STYLE, CARD, WORD), [WORD.equals("strong")])
    bluffs, others = 0.25 * 0.5, 0.2 * (1 - 0.25 * 0.5)
    assert belief.log_evidence == pytest.approx(math.log(bluffs + others))
    both = together(STYLE.value(), CARD.value()).equals(("bluffer", "low"))
    assert belief.probability(both) == pytest.approx(bluffs / (bluffs + others))


def test_how_many_cards_somebody_has_may_be_what_it_depends_on() -> None:
    belief = infer(Model(PACK, MOOD))
    # Of the six hands one has no ace, four have one, one has both.
    assert belief.probability(MOOD.equals("merry")) == pytest.approx(4 / 6 / 2 + 1 / 6 * 3 / 4)
    assert belief.probability(PACK.count("you", "ace").equals(0)) == pytest.approx(1 / 6)
    merry = belief.observe(MOOD.equals("merry"), PACK.split("you", "played", 1))
    assert merry.probability(PACK.all_of("played", "ace")) == pytest.approx(
        (4 / 6 / 2 / 2 + 1 / 8) / (4 / 6 / 2 + 1 / 8)
    )


def test_a_condition_may_be_what_it_depends_on() -> None:
    honest = STYLE.equals("honest")
    told = Choice("told", {True: {"yes": 1}, False: {"yes": 0.5, "no": 0.5}}, given=honest)
    assert infer(Model(STYLE, told)).probability(told.equals("no")) == pytest.approx(0.125)


def test_a_walk_counts_where_it_starts() -> None:
    thief = Walk("thief", ["dock", "inn"], start={"dock": 0.2, "inn": 0.8})
    boat = Choice("boat", {"dock": {"gone": 0.5, "here": 0.5}, "inn": ["here"]}, given=thief.at())
    street = thief.transition({"dock": ["inn"], "inn": ["dock"]})
    belief = infer(Model(thief, boat), [thief.step(street), boat.equals("here")])
    assert belief.method == "forward_filter"
    assert belief.log_evidence == pytest.approx(math.log(0.9))
    assert belief.marginal(thief.at()) == pytest.approx({"inn": 1 / 9, "dock": 8 / 9})
    assert belief.marginal(thief.at(step=0)) == pytest.approx({"dock": 1 / 9, "inn": 8 / 9})


def test_what_no_row_allows_is_certain_and_explained() -> None:
    belief = infer(
        Model(STYLE, CARD, WORD),
        [
            STYLE.equals("bluffer").observed(because="caught once"),
            CARD.equals("high").observed(because="turned up", reliability=0.7),
            CARD.equals("low").observed(because="shown"),
        ],
    )
    assert belief.explain(WORD.equals("strong")) == ["caught once", "shown"]


# -- against enumeration by hand


@st.composite
def dependent_cases(draw: st.DrawFn) -> Case:
    """A deal, a choice that depends on it, and one that depends on both; with evidence."""
    deal = draw(st.one_of(distinct_deals(most=4), copied_deals(most=5)))
    rows = st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0]), min_size=2, max_size=2).filter(any)

    def dependent(name: str, parent: Any) -> Choice:
        table = {value: dict(zip("xy", draw(rows), strict=True)) for value in parent.values}
        return Choice(name, table, given=parent)

    first = dependent("first", draw(features(Model(deal))).on(Model(deal).layout))
    second = dependent("second", together(first.value(), draw(features(Model(deal, first)))))
    model = Model(second, deal, first)
    given_ = tuple(draw(evidence(model)) for _ in range(draw(st.integers(0, 3))))
    return Case(model, given_, tuple(draw(features(model)) for _ in range(2)))


@pytest.mark.parametrize("method", EXACT)
@given(case=dependent_cases())
@settings(max_examples=25)
def test_exact_engines_agree_with_enumeration_by_hand(method: str, case: Case) -> None:
    expected = by_hand(case.model, case.given)
    if expected.total == 0.0:
        return
    plain = infer(case.model, case.given)
    if isinstance(engine(method).cost(plain.problem), Unsupported):
        return
    belief = infer(case.model, case.given, method=method)
    assert belief.log_evidence == pytest.approx(math.log(expected.total), abs=1e-9)
    for feature in case.features:
        assert belief.distribution(feature) == pytest.approx(
            expected.distribution(feature), abs=1e-9
        )


@pytest.mark.parametrize("method", [name for name in NAMES if name not in EXACT])
def test_approximations_come_near(method: str) -> None:
    model, seen = Model(STYLE, CARD, WORD), [WORD.equals("strong")]
    exact = infer(model, seen)
    if isinstance(engine(method).cost(exact.problem), Unsupported):
        return
    belief = infer(model, seen, method=method, samples=20_000, seed=3)
    for choice in (STYLE, CARD, WORD):
        found, expected = (each.distribution(choice.value()) for each in (belief, exact))
        # Loopy belief propagation is known to be off where variables form a circle.
        assert found == pytest.approx(expected, abs=0.1 if method == "loopy_bp" else 0.03)


def test_simulated_worlds_follow_the_rows() -> None:
    model, count = Model(STYLE, PACK, MOOD, CARD, WORD), 40_000
    drawn = model.simulate(count, np.random.default_rng(5))
    about = (CARD.value(), WORD.value(), MOOD.value())
    found = Counter(drawn.value(about))
    expected = infer(model).joint(*about)
    assert set(found) <= set(expected)
    chi_square = sum(
        (found[value] - count * share) ** 2 / (count * share) for value, share in expected.items()
    )
    assert chi_square < 30.0  # 7 degrees of freedom: above it once in ten thousand times


def test_worlds_that_are_all_equally_likely_are_the_possible_ones() -> None:
    belief = infer(Model(STYLE, CARD, WORD))
    even = uniform(belief).joint(STYLE.value(), CARD.value(), WORD.value())
    assert len(even) == 7
    assert even == pytest.approx(dict.fromkeys(even, 1 / 7))


# -- files


def test_it_comes_back_from_a_file_in_any_order(tmp_path: Path) -> None:
    saved = infer(Model(WORD, MOOD, CARD, PACK, STYLE), [WORD.equals("strong")])
    path = tmp_path / "belief.json"
    saved.save(path)
    loaded = Posterior.load(path)
    assert loaded == saved
    assert loaded.digest == saved.digest
    assert loaded.model.variables == saved.model.variables
    assert json.loads(path.read_text())["version"] == 2


def test_other_files_stay_files_of_the_first_version(tmp_path: Path) -> None:
    path = tmp_path / "belief.json"
    infer(Model(STYLE)).save(path)
    assert json.loads(path.read_text())["version"] == 1


@pytest.mark.parametrize(
    "damage, words",
    [
        (lambda choice: choice["prior"].pop(), "a prior for each value of another"),
        (lambda choice: choice["given"].update(choice="nobody"), "unknown variable"),
        (lambda choice: choice["given"].update(choice="card"), "depends on this one"),
        (lambda choice: choice.pop("given"), "the field is missing"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, damage: Any, words: str) -> None:
    path = tmp_path / "belief.json"
    infer(Model(CARD, STYLE)).save(path)
    data = json.loads(path.read_text())
    damage(data["model"]["variables"][0])
    path.write_text(json.dumps(data))
    with pytest.raises(RecordError, match=words):
        Posterior.load(path)


def test_a_network_in_bif_says_the_same(tmp_path: Path) -> None:
    model, seen = Model(STYLE, CARD, WORD), [WORD.equals("strong").observed(because="said")]
    written = to_bif(model, seen, tmp_path / "net.bif")
    network = read_bif(written.path)
    expected = infer(model, seen).marginal(CARD.value())
    assert network.query("card") == pytest.approx(expected)


# -- what is refused


def rows_of(**rows: Any) -> Any:
    return lambda: Choice("card", rows, given=STYLE.value())


@pytest.mark.parametrize(
    "wrong, words",
    [
        (rows_of(honest=["high"]), r"lacks a row.*'bluffer'"),
        (rows_of(honest=["high"], bluffer=["high"], liar=["low"]), r"no such value.*'liar'"),
        (rows_of(honest=["high"], bluffer={"high": -1}), "not a finite and not negative"),
        (rows_of(honest=["high"], bluffer={"high": 0}), "zero everywhere"),
        (rows_of(honest=["high"], bluffer="high"), r"style\) = bluffer.*a row is a mapping"),
        (rows_of(honest=["high"], bluffer=["high", "high"]), "given twice"),
        (rows_of(honest=["high"], bluffer=[["high"]]), "hashable"),
        (lambda: Choice("card", ["high"], given=STYLE.value()), r"a row for each.*write"),
        (lambda: Model(CARD), r"does not have.*'style'"),
        (lambda: Model(CARD, Choice("style", ["shy"])), "other values"),
        (lambda: Model(PACK, *loop()), r"in a circle.*one -> two -> one"),
        (
            lambda: Model(PACK, Choice("x", lambda _: "ab", given=open_claim())),
            r"a row is a mapping",
        ),
        (
            lambda: Model(PACK, Choice("x", lambda _: ["a"], given=open_claim())),
            "cannot depend on this: .*no such holder now",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        wrong()


def open_claim() -> Any:
    pack = Deal({"ace": 2, "king": 2}, holders={"you": 2, "table": 2}, name="pack")
    pack.split("you", "claim", 1)
    return pack.count("claim", "ace")


def loop() -> list[Choice]:
    one, two = Choice("one", [1, 2]), Choice("two", [1, 2])
    return [
        Choice("one", lambda _: [1, 2], given=two.value()),
        Choice("two", lambda _: [1, 2], given=one.value()),
    ]


@pytest.mark.parametrize("wide", [False, True])
def test_worlds_are_drawn_after_what_their_priors_depend_on(wide: bool) -> None:
    """With very many values the worlds come from another solution, and are distributed alike."""
    place = Choice("place", range(150)) if wide else Choice("place", range(2))
    half = len(place.options) // 2
    alarm = Choice(
        "alarm",
        lambda known: {"on": 0.9, "off": 0.1} if known < half else {"on": 0.2, "off": 0.8},
        given=place.value(),
    )
    aces = PACK.count("you", "ace")
    dog = Choice(
        "dog",
        lambda known: (
            {"barks": 0.1 + 0.3 * known[0], "sleeps": 0.9 - 0.3 * known[0]}
            if known[1] == "on"
            else {"barks": 0.05, "sleeps": 0.95}
        ),
        given=(aces, alarm.value()),
    )
    model = Model(dog, alarm, PACK, place)
    drawn = model.simulate(20_000, np.random.default_rng(1))
    counted = Counter(
        zip(
            [known < half for known in drawn.value(place.value())],
            drawn.value(aces),
            drawn.value(alarm.value()),
            drawn.value(dog.value()),
            strict=True,
        )
    )
    chi_square = 0.0
    for low, number, on, barks in itertools.product(
        (True, False), range(3), ("on", "off"), ("barks", "sleeps")
    ):
        share = 0.5 * (1 / 6, 4 / 6, 1 / 6)[number]
        share *= (0.9 if low else 0.2) if on == "on" else (0.1 if low else 0.8)
        loud = 0.1 + 0.3 * number if on == "on" else 0.05
        expected = 20_000 * share * (loud if barks == "barks" else 1 - loud)
        chi_square += (counted[low, number, on, barks] - expected) ** 2 / expected
    assert chi_square < 49.7  # 23 degrees of freedom, one time in a thousand


@pytest.mark.parametrize("shares", [[0.3, 0.7], [0.1, 0.2, 0.7], (1.0, 0.0)])
def test_a_list_of_probabilities_is_no_list_of_values(shares: list[float]) -> None:
    message = r"equally likely values; for probabilities write \{value: p\}"
    for declare in (
        lambda: Choice("coin", shares),
        lambda: Choice("coin", {"honest": shares, "bluffer": shares}, given=STYLE),
        lambda: Choice("coin", lambda _: shares, given=STYLE),
    ):
        with pytest.raises(DeclarationError, match=message):
            declare()


def test_other_numbers_are_values() -> None:
    assert Choice("sign", [-1.0, 2.0]).prior == (0.5, 0.5)
    assert Choice("place", [0, 1]).prior == (0.5, 0.5)
    assert Choice("share", [0.1, 0.5]).prior == (0.5, 0.5)
    assert Choice("sure", [1.0]).prior == (1.0,)
    assert Choice("share", {0.3: 1, 0.7: 1}).prior == (0.5, 0.5)


def test_rows_without_given_are_told_from_a_bad_weight() -> None:
    rows: Any = {"honest": {"high": 0.9}, "bluffer": {"high": 0.5}}
    with pytest.raises(DeclarationError, match="needs given=, that variable"):
        Choice("card", rows)
    with pytest.raises(DeclarationError) as found:
        Choice("card", {"high": -1.0})
    assert "given" not in str(found.value)


def test_a_prior_of_an_array_is_the_prior_of_its_rows() -> None:
    rows = np.array([[0.9, 0.1], [0.5, 0.5], [3.0, 1.0], [0.0, 1.0]])
    above = together(STYLE, Choice("sky", ["clear", "grey"]))
    written = {
        value: {"high": high, "low": low}
        for value, (high, low) in zip(above.values, rows.tolist(), strict=True)
    }
    made = choice_of("card", ["high", "low"], rows, above)
    assert made == Choice("card", written, given=above)
    assert hash(made) == hash(Choice("card", written, given=above))
    assert made.prior == (0.9, 0.1, 0.5, 0.5, 0.75, 0.25, 0.0, 1.0)
    assert made.table.shape == (4, 2)
    assert rows[2, 0] == 3.0
    assert made != choice_of("card", ["high", "low"], rows[::-1], above)
    assert pickle.loads(pickle.dumps(made)) == made


@pytest.mark.parametrize(
    "row, message",
    [
        ([0.5, -0.5], "not negative"),
        ([0.5, math.nan], "finite"),
        ([0.0, 0.0], "zero everywhere"),
        ([1e308, 1e-10], "further apart"),
    ],
)
def test_a_prior_of_an_array_is_checked_as_one_of_rows(row: list[float], message: str) -> None:
    with pytest.raises(DeclarationError, match=message):
        choice_of("card", ["high", "low"], np.array([[0.5, 0.5], row]), STYLE.value())
    assert choice_of("coin", ["high", "low"], np.array([1e308, 1e308])).prior == (0.5, 0.5)
