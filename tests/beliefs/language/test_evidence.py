"""Evidence is a weight table on a feature: checked when it is made, equal when it says the same."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Evidence, Model, infer
from sleuth.beliefs import Prediction
from sleuth.errors import EvidenceError

from ..strategies import Case, cases

CARDS = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
ACES = CARDS.count("you", "ace")


# -- tables


@pytest.mark.parametrize(
    "table, words",
    [
        ([1.0, -0.5, 1.0], "finite and not negative; that of 1"),
        ([1.0, math.nan, 1.0], "finite and not negative; that of 1"),
        ([1.0, math.inf, 1.0], "finite and not negative; that of 1"),
        ([0.0, 0.0, 0.0], "zero everywhere"),
        ([1.0, 1.0], "one weight for each of its 3 values.*got 2"),
        ({0: 1.0, 1: 1.0}, "lacks a value.*2"),
        ({0: 1.0, 1: 1.0, 2: 1.0, 3: 1.0}, "no such value.*3.*its values are 0, 1, 2"),
        (["x", "y", "z"], "are not numbers"),
        (lambda n: None, "finite and not negative"),
        (lambda n: -n, "finite and not negative"),
        ([1.0, 0.0, 1.0], "zeros that were not declared exact.*1.*exact=True.*floor=0.01"),
    ],
)
def test_a_wrong_table_is_refused_when_it_is_made(table: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        ACES.weigh(table)


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("over", ["raise", "warn"])
def test_weights_that_cannot_be_added_up_are_refused(over: Any) -> None:
    with (
        np.errstate(over=over),
        pytest.raises(EvidenceError, match="add up to more than any number"),
    ):
        ACES.weigh([1e307, 1.0, 1.79e308])


def test_a_table_of_the_wrong_shape_is_refused_as_plain_evidence_too() -> None:
    with pytest.raises(EvidenceError, match="wrong shape"):
        Evidence(ACES, np.ones(4))


@pytest.mark.parametrize("other", [Choice("who", ["ann", "bob"]), "who", None])
def test_plain_evidence_is_about_a_feature(other: Any) -> None:
    with pytest.raises(EvidenceError, match=r"about a feature \(got .*; write choice\.value\(\)"):
        Evidence(other, np.array([0.2, 0.8]))


def test_plain_evidence_has_a_table_of_numbers() -> None:
    table: Any = ["x", "y", "z"]
    with pytest.raises(EvidenceError, match=r"count\(you, ace\) are not numbers \(got .*0\.2"):
        Evidence(ACES, table)


def test_functions_mappings_and_sequences_make_the_same_table() -> None:
    function = ACES.weigh(lambda n: 1 / (1 + n))
    assert function == ACES.weigh({2: 1 / 3, 0: 1.0, 1: 1 / 2}) == ACES.weigh([1.0, 1 / 2, 1 / 3])


def test_a_function_is_called_once_per_value_and_never_again() -> None:
    calls: list[int] = []

    def likelihood(n: int) -> float:
        calls.append(n)
        return 1.0 + n

    evidence = ACES.weigh(likelihood)
    belief = infer(Model(CARDS), [evidence])
    belief.observe(CARDS.holds("me", "king")).marginal(ACES)
    assert calls == [0, 1, 2]


def test_a_table_cannot_be_changed_afterwards() -> None:
    weights = np.array([1.0, 2.0, 3.0])
    evidence = Evidence(ACES, weights)
    weights[0] = 0.0
    assert evidence.table[0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        evidence.table[0] = 5.0


# -- zeros, floors and trust


def test_zeros_that_are_meant_rule_a_value_out() -> None:
    belief = infer(Model(CARDS), [ACES.weigh([1.0, 0.0, 1.0], exact=True)])
    assert belief.probability(ACES.equals(1)) == 0.0


def test_a_floor_keeps_every_value_possible() -> None:
    evidence = ACES.weigh([1.0, 0.0, 0.001], floor=0.01)
    assert evidence.table.tolist() == [1.0, 0.01, 0.01]
    assert not evidence.hard


@pytest.mark.parametrize("floor", [0.0, -0.1, math.nan, math.inf])
def test_a_floor_is_a_positive_number(floor: float) -> None:
    with pytest.raises(EvidenceError, match="a floor is a positive number"):
        ACES.weigh([1.0, 1.0, 1.0], floor=floor)


def test_zeros_that_are_meant_and_a_floor_contradict_each_other() -> None:
    with pytest.raises(
        EvidenceError, match=r"contradict each other \(got 0\.01\); leave out floor"
    ):
        ACES.weigh([1.0, 0.0, 0.0], exact=True, floor=0.01)


@pytest.mark.parametrize("weights", [3, None, 0.5])
def test_one_number_is_no_likelihood(weights: Any) -> None:
    with pytest.raises(EvidenceError, match=r"one weight is needed .*; give a function"):
        ACES.weigh(weights)


def test_trust_is_an_exponent() -> None:
    half = ACES.weigh([1.0, 4.0, 9.0], trust=0.5)
    assert half.table == pytest.approx([1.0, 2.0, 3.0])
    nothing = ACES.weigh([1.0, 4.0, 9.0], trust=0.0)
    assert nothing.table.tolist() == [1.0, 1.0, 1.0]
    # What the rules forbid stays forbidden, however little the rest is trusted.
    assert ACES.weigh([0.0, 4.0, 9.0], exact=True, trust=0.0).table.tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("trust", [-0.1, 1.1, math.nan])
def test_trust_outside_its_range_is_refused(trust: float) -> None:
    with pytest.raises(EvidenceError, match=r"trust is an exponent in \[0, 1\]"):
        ACES.weigh([1.0, 1.0, 1.0], trust=trust)
    with pytest.raises(EvidenceError, match=r"trust is an exponent in \[0, 1\]"):
        ACES.equals(1).predicted(0.5, trust=trust)


@given(case=cases(most=1), trust=st.floats(0.0, 1.0))
@settings(max_examples=50)
def test_trust_moves_the_odds_by_its_share(case: Case, trust: float) -> None:
    feature = case.features[0]
    weights = [1.0 + place % 3 for place in range(feature.value_count)]
    before = infer(case.model)
    after = before.observe(feature.weigh(weights, trust=trust))
    expected = before.distribution(feature) * np.array(weights) ** trust
    np.testing.assert_allclose(
        after.distribution(feature), expected / expected.sum(), rtol=0, atol=1e-12
    )


# -- predictions


def test_a_prediction_enters_as_odds_over_the_odds_of_its_baseline() -> None:
    claim = ACES.at_least(1)
    belief = infer(Model(CARDS))
    prior = belief.probability(claim)
    assert prior == pytest.approx(1 - 6 / 15)
    # A predictor that had seen the counting itself is taken at its word.
    assert belief.observe(claim.predicted(0.9)).probability(claim) == pytest.approx(0.9)
    # Against another baseline only what it adds counts.
    odds = prior / (1 - prior) * (0.9 / 0.1) / (0.3 / 0.7)
    against = belief.observe(claim.predicted(0.9, given=0.3))
    assert against.probability(claim) == pytest.approx(odds / (1 + odds))
    # One that says what its baseline says adds nothing.
    same = belief.observe(claim.predicted(0.3, given=0.3))
    assert same.probability(claim) == pytest.approx(prior)


@pytest.mark.parametrize("p", [0.0, 0.3, 1.0])
def test_a_predictor_is_ignored_where_counting_knows(p: float) -> None:
    mine = CARDS.holds("me", "ace", 2)
    claim = ACES.at_least(1)
    belief = infer(Model(CARDS), [mine])
    assert belief.probability(claim) == 0.0
    for condition, certain in ((claim, 0.0), (~claim, 1.0)):
        after = belief.observe(condition.predicted(p))
        assert after.probability(condition) == certain
        assert after.log_evidence == pytest.approx(belief.log_evidence)
    for baseline in (0, 1, 0.0, 1.0):
        fresh = infer(Model(CARDS))
        assert fresh.observe(claim.predicted(p, given=baseline)).probability(claim) == (
            pytest.approx(fresh.probability(claim))
        )


def test_counting_means_the_hard_evidence_alone() -> None:
    # Soft evidence before it is no part of the baseline: the predictor did not contain it.
    hint = ACES.weigh([1.0, 3.0, 5.0])
    fact = CARDS.holds("me", "ace", 1)
    claim = ACES.at_least(1)
    counted = infer(Model(CARDS), [fact]).probability(claim)
    weighed = infer(Model(CARDS), [fact, hint]).probability(claim)
    belief = infer(Model(CARDS), [fact, hint, claim.predicted(0.8)])
    odds = weighed / (1 - weighed) * (0.8 / 0.2) / (counted / (1 - counted))
    assert belief.probability(claim) == pytest.approx(odds / (1 + odds))


def test_a_prediction_counts_what_was_known_at_that_moment() -> None:
    claim = ACES.at_least(1)
    early = infer(Model(CARDS), [claim.predicted(0.8), CARDS.holds("me", "ace")])
    late = infer(Model(CARDS), [CARDS.holds("me", "ace"), claim.predicted(0.8)])
    assert late.probability(claim) == pytest.approx(0.8)
    assert early.probability(claim) != pytest.approx(0.8, abs=1e-3)


def test_a_certain_predictor_is_kept_from_certainty_by_its_floor() -> None:
    claim = ACES.at_least(1)
    belief = infer(Model(CARDS))
    assert belief.observe(claim.predicted(1.0)).probability(claim) == pytest.approx(1 - 1e-6)
    sure = belief.observe(claim.predicted(0.0, floor=0.1))
    assert sure.probability(claim) == pytest.approx(0.1)
    # A wrong one does not kill the true world.
    wrong = belief.observe([claim.predicted(0.0)] * 5)
    assert wrong.observe(claim).probability(claim) == 1.0


def test_half_a_trusted_prediction_moves_the_log_odds_half_the_way() -> None:
    claim = ACES.at_least(1)
    belief = infer(Model(CARDS))
    prior = belief.probability(claim)
    after = belief.observe(claim.predicted(0.9, trust=0.5)).probability(claim)

    def log_odds(p: float) -> float:
        return math.log(p / (1 - p))

    assert log_odds(after) == pytest.approx((log_odds(prior) + log_odds(0.9)) / 2)


@pytest.mark.parametrize(
    "wrong, words",
    [
        ({"p": 1.5}, "a prediction is a probability"),
        ({"p": -0.1}, "a prediction is a probability"),
        ({"p": math.nan}, "a prediction is a probability"),
        ({"p": "0.5"}, "a prediction is a probability"),
        ({"p": None}, "a prediction is a probability"),
        ({"p": True}, "a prediction is a probability"),
        ({"p": 0.5, "trust": "1"}, "trust is an exponent"),
        ({"p": 0.5, "given": None}, "a baseline is a probability"),
        ({"p": 0.5, "given": math.nan}, "a baseline is a probability"),
        ({"p": 0.5, "floor": "0.1"}, "floor of a prediction"),
        ({"p": 0.5, "given": 1.5}, "a baseline is a probability"),
        ({"p": 0.5, "given": "conting"}, "unknown baseline.*'counting', or a probability"),
        ({"p": 0.5, "floor": 0.0}, "floor of a prediction"),
        ({"p": 0.5, "floor": 0.5}, "floor of a prediction"),
    ],
)
def test_a_wrong_prediction_is_refused(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        ACES.equals(1).predicted(**wrong)


# -- sugar


def test_readable_evidence_is_a_table() -> None:
    cards = Deal(["a", "b", "c", "d"], holders={"me": 2, "you": 2})
    assert cards.lacks("you", ["a", "b"]).table.tolist() == [1.0, 0.0, 0.0]
    assert cards.holds("you", ["a", "b"]).table.tolist() == [0.0, 0.0, 1.0]
    assert cards.holds_any("you", ["a", "b"]).table.tolist() == [0.0, 1.0, 1.0]
    between = cards.count("you", ["a", "b"]).between(1, 1).observed()
    assert between.table.tolist() == [0.0, 1.0, 0.0]
    among = cards.holder_of("a").among(["me"]).observed()
    assert dict(zip(among.feature.values, among.table, strict=True)) == {"me": 1.0, "you": 0.0}
    not_among = (~cards.holder_of("a").equals("me")).observed()
    assert dict(zip(not_among.feature.values, not_among.table, strict=True)) == {
        "me": 0.0,
        "you": 1.0,
    }
    assert all(e.hard for e in (between, among, not_among))
    assert CARDS.holds("you", "ace", 2).table.tolist() == [0.0, 0.0, 1.0]


def test_notes_come_along() -> None:
    notes: dict[str, Any] = {"because": "he passed", "id": "seven", "event": 7}
    for made in (
        CARDS.lacks("you", "ace", **notes),
        CARDS.holds_any("you", "ace", **notes),
        ACES.at_least(1).observed(**notes),
        ACES.weigh([1.0, 2.0, 3.0], **notes),
        ACES.at_least(1).predicted(0.5, **notes),
        CARDS.reveal("you", {"ace": 2}, **notes),
    ):
        assert (made.because, made.id, made.event) == ("he passed", "seven", 7)


# -- equality


def test_evidence_that_says_the_same_is_equal() -> None:
    made = ACES.weigh([1.0, 2.0, 3.0], because="hint", id="x", event=3)
    again = ACES.weigh([1.0, 2.0, 3.0], because="hint", id="x", event=3)
    assert made == again
    assert hash(made) == hash(again)
    assert len({made, again}) == 1
    for other in (
        ACES.weigh([1.0, 2.0, 4.0], because="hint", id="x", event=3),
        ACES.weigh([1.0, 2.0, 3.0], because="hint", id="y", event=3),
        ACES.weigh([1.0, 2.0, 3.0], because="hint", id="x", event=4),
        ACES.weigh([1.0, 2.0, 3.0], because="other", id="x", event=3),
        CARDS.count("me", "ace").weigh([1.0, 2.0, 3.0], because="hint", id="x", event=3),
    ):
        assert made != other
    assert made != "hint"


@given(case=cases(most=4))
@settings(max_examples=40)
def test_evidence_can_be_sent_away_and_comes_back_the_same(case: Case) -> None:
    infer(case.model)
    for evidence in case.given:
        again = pickle.loads(pickle.dumps(evidence))
        assert again == evidence
        assert hash(again) == hash(evidence)


def test_used_evidence_can_be_sent_away() -> None:
    belief = infer(Model(CARDS, Choice("habit", ["p", "q"])), [ACES.weigh([1.0, 2.0, 3.0])])
    belief.marginal(ACES)
    assert pickle.loads(pickle.dumps(belief.history)) == belief.history


def test_a_prediction_knows_its_evidence() -> None:
    prediction = ACES.at_least(1).predicted(0.75)
    assert isinstance(prediction, Prediction)
    table = prediction.against(0.5).table
    assert table[1] / table[0] == pytest.approx(3.0)
    assert prediction.against(0.0).table.tolist() == [1.0, 1.0]
    assert prediction.against(1.0).table.tolist() == [1.0, 1.0]
