"""What is given 30 % is true 30 % of the time, and what is not so is found out."""

from __future__ import annotations

import itertools
import math
import re
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy.stats import binomtest

from sleuth import (
    Choice,
    Deal,
    Evidence,
    Model,
    Question,
    calibrate,
    infer,
    reliability,
    together,
)
from sleuth.beliefs.judging.calibrate import hidden_features
from sleuth.beliefs.judging.reliability import ReliabilityCells, plot_reliability
from sleuth.errors import CostError, EvidenceError, SettingsError

SUSPECTS = [f"suspect {number}" for number in range(4)]
WEAPONS = [f"weapon {number}" for number in range(4)]


def mystery() -> tuple[Model, Deal, list[Question]]:
    """Asked for some cards, everybody shows a card at random."""
    deal = Deal(
        [*SUSPECTS, *WEAPONS],
        holders={"ann": 3, "bob": 3, "file": 2},
        categories={"suspects": SUSPECTS, "weapons": WEAPONS},
        counts={"file": {"suspects": 1, "weapons": 1}},
    )
    asked = [
        ("ann", ["suspect 0", "weapon 0", "weapon 1"]),
        ("bob", ["suspect 1", "weapon 1", "weapon 2"]),
        ("ann", ["suspect 2", "weapon 0", "weapon 2"]),
        ("bob", ["suspect 0", "weapon 2", "weapon 3"]),
    ]
    questions = [
        Question(deal.which(who, cards), shows, name=f"{who}: {', '.join(cards)}")
        for who, cards in asked
    ]
    return Model(deal), deal, questions


def shows(held: tuple[str, ...]) -> dict[Any, float]:
    return {card: 1.0 / len(held) for card in held} if held else {None: 1.0}


def plainly(question: Question, outcome: Any) -> Evidence:
    """Plain counting: he has the card, and nothing is learned from his choice."""
    column = question.table[:, question.outcomes.index(outcome)]
    return Evidence(question.feature, (column > 0.0).astype(np.float64))


def boldly(question: Question, outcome: Any) -> Evidence:
    """Taking the card that is shown for the only one he has."""
    column = question.table[:, question.outcomes.index(outcome)]
    return Evidence(question.feature, np.where(column == 1.0, 1.0, 0.1 * (column > 0.0)))


def test_exact_inference_is_calibrated_and_a_wrong_idea_of_the_answers_is_not(
    tmp_path: Path,
) -> None:
    model, _, questions = mystery()
    judge = partial(calibrate, model, questions, games=500, seed=1)
    right, plain, bold = judge(), judge(evidence=plainly), judge(evidence=boldly)
    assert (right.games, right.failed, right.reliability.refuted) == (500, 0, 0)
    assert right.p_value is not None
    assert right.p_value > 0.01
    assert right.reliability.slope == pytest.approx(1.0, abs=0.15)
    assert abs(right.reliability.z or 9.0) < 3.0
    assert bold.p_value is not None
    assert bold.p_value < 1e-4
    assert (bold.reliability.z or 0.0) < -4.0
    # Nobody who draws other conclusions from the same answers scores better.
    for wrong in (plain, bold):
        assert wrong.log_score_bits > right.log_score_bits
        assert wrong.brier > right.brier
    picture = plot_reliability(
        {"weighed": right.reliability, "too bold": bold.reliability}, tmp_path / "curves.svg"
    )
    assert picture.read_text().count("<path") > 20


def test_every_value_of_every_hidden_variable_is_judged_by_default() -> None:
    deal = Deal({"ace": 2, "king": 1, "queen": 1}, holders={"me": 2, "you": 2})
    mood = Choice("mood", {"bold": 0.2, "shy": 0.8})
    model = Model(deal, mood)
    assert [feature.describe() for feature in hidden_features(model)] == [
        deal.count("me", "ace").describe(),
        deal.count("you", "ace").describe(),
        deal.holder_of("king").describe(),
        deal.holder_of("queen").describe(),
        mood.value().describe(),
    ]
    question = Question(mood.value(), [[0.9, 0.1], [0.3, 0.7]], ["raise", "fold"])
    result = calibrate(model, [question], games=300, seed=1, about=[mood.value()])
    assert result.features == ("value(mood)",)
    assert result.reliability.cells == 600
    # Bayes by hand: after a raise bold is 0.18 / 0.42, after a fold 0.02 / 0.58.
    predicted = {round(entry.predicted, 6) for entry in result.reliability.bins}
    assert predicted == {round(x, 6) for x in (18 / 42, 24 / 42, 2 / 58, 56 / 58)}


def test_a_sampling_method_is_judged_by_what_it_drew() -> None:
    model, deal, questions = mystery()
    about = [deal.single("file", "suspects"), deal.single("file", "weapons")]
    result = calibrate(
        model, questions, "likelihood_weighting", games=200, seed=2, samples=2_000, about=about
    )
    exact = calibrate(model, questions, games=200, seed=2, about=about)
    assert result.method == "likelihood_weighting"
    assert result.log_score_bits == pytest.approx(exact.log_score_bits, abs=0.05)
    assert (result.p_value or 0.0) > 1e-3


def test_a_method_without_answers_is_refused() -> None:
    model, deal, questions = mystery()

    def contradictory(question: Question, outcome: Any) -> Evidence:
        del question, outcome
        return deal.lacks(["ann", "bob", "file"], "weapon 0")

    with pytest.raises(CostError, match="no answer in any game"):
        calibrate(model, questions, games=3, evidence=contradictory)
    with pytest.raises(SettingsError, match="at least one game"):
        calibrate(model, questions, games=0)
    with pytest.raises(SettingsError, match="at least one feature"):
        calibrate(model, questions, about=[])


def outcomes(games: int, *, shift: float, copies: int, draws: int) -> ReliabilityCells:
    """Three values a game, predicted rightly or too boldly, each told several times over."""
    rng = np.random.default_rng(games)
    cells = ReliabilityCells()
    for game in range(games):
        truth = rng.dirichlet([1.0, 1.0, 1.0])
        happened = int(rng.choice(3, p=truth))
        told = truth**shift / (truth**shift).sum()
        drawn = rng.choice(3, p=told, size=draws) if draws else None
        for _ in range(copies):
            cells.add(told, happened=happened, game=game, drawn=drawn)
    return cells


@pytest.mark.parametrize("draws", [0, 20])
def test_telling_the_same_thing_many_times_is_no_more_evidence(draws: int) -> None:
    once = outcomes(400, shift=1.0, copies=1, draws=draws).reliability()
    often = outcomes(400, shift=1.0, copies=8, draws=draws).reliability()
    assert once.p_value is not None
    assert once.p_value > 0.01
    assert often.p_value == pytest.approx(once.p_value, rel=1e-6)
    assert often.z == pytest.approx(once.z)
    assert often.slope_error == pytest.approx(once.slope_error)
    for alone, repeated in zip(once.bins, often.bins, strict=True):
        ratio = (repeated.upper - repeated.lower) / (alone.upper - alone.lower)
        # Not the 1 / sqrt(8) of independent cells.
        assert 0.7 < ratio < 1.05


@pytest.mark.parametrize("draws", [0, 20])
def test_too_bold_predictions_are_found_out(draws: int) -> None:
    bold = outcomes(400, shift=2.0, copies=2, draws=draws).reliability()
    assert bold.p_value is not None
    assert bold.p_value < 1e-4
    assert bold.slope is not None
    assert bold.slope == pytest.approx(0.5, abs=0.12)
    assert (bold.z or 0.0) < -4.0
    timid = outcomes(400, shift=0.5, copies=2, draws=draws).reliability()
    assert timid.slope == pytest.approx(2.0, abs=0.4)
    assert (timid.z or 0.0) > 4.0


def test_calibrated_predictions_are_rejected_about_as_often_as_the_test_says() -> None:
    rng = np.random.default_rng(7)
    rejected = 0
    for _ in range(120):
        truth = rng.dirichlet([0.7, 0.7, 0.7, 0.7], size=100)
        cells = ReliabilityCells()
        for game, shares in enumerate(truth):
            drawn = rng.choice(4, p=shares, size=10)
            happened = int(rng.choice(4, p=shares))
            cells.add(shares, happened=happened, game=game, drawn=drawn)
        rejected += (cells.reliability().p_value or 0.0) < 0.1
    # 12 are expected; more than 24 would happen in fewer than one of a thousand runs.
    assert 2 <= rejected <= 24


def test_the_numbers_are_those_one_computes_by_hand() -> None:
    result = reliability([0.2, 0.2, 0.2, 0.2, 0.2, 0.9, 0.9, 1.0, 0.0], [1, 0, 0, 0, 0, 1, 1, 1, 0])
    low, high = result.bins
    assert (low.count, low.predicted, low.happened) == (5, pytest.approx(0.2), pytest.approx(0.2))
    assert (high.count, high.happened) == (2, 1.0)
    assert result.certain == 2
    assert result.refuted == 0
    assert result.expected_error == pytest.approx(2 * 0.1 / 7)
    assert result.brier == pytest.approx((0.64 + 4 * 0.04 + 2 * 0.01) / 9)
    bits = -(math.log2(0.2) + 4 * math.log2(0.8) + 2 * math.log2(0.9)) / 9
    assert result.log_score_bits == pytest.approx(bits)
    assert result.p_value is None
    # Five independent cells, of which one happened: what SciPy's binomtest(1, 5) says.
    theirs = binomtest(1, 5).proportion_ci(method="wilson")
    assert (low.lower, low.upper) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


# -- what is the same in every game, whatever happens


@pytest.mark.parametrize("games", [20, 500])
@pytest.mark.parametrize(
    "model",
    [
        # Three of the four cells with 0.75 happen in each game, and one of those with 0.25.
        Model(Deal([*"abcd"], holders={"me": 3, "you": 1})),
        Model(Choice("coin", ["heads", "tails"])),
        Model(Choice("thirds", [*"abc"])),
        Model(Choice("sure", {"yes": 1.0, "no": 0.0})),
    ],
)
def test_what_cannot_be_off_is_not_rejected(model: Model, games: int) -> None:
    result = calibrate(model, [], games=games)
    assert result.p_value == 1.0
    assert result.passes()
    found = result.reliability
    assert (found.slope, found.slope_error, found.z) == (None, None, None)
    assert found.expected_error == pytest.approx(0.0, abs=1e-12)


def seldom(chance: float) -> tuple[Model, list[Question]]:
    """Something rare, and a question about it."""
    rare = Choice("rare", {"yes": chance, "no": 1.0 - chance})
    asked = Question(rare.value(), [[0.9, 0.1], [0.1, 0.9]], ["high", "low"])
    return Model(rare), [asked]


def test_what_is_nearly_certain_tells_nothing() -> None:
    for games in (20, 500):
        rare = calibrate(Model(Choice("rare", {"no": 1 - 1e-8, "yes": 1e-8})), [], games=games)
        assert (rare.p_value, rare.reliability.z) == (None, None)
        with pytest.raises(
            SettingsError, match=r"too few games.*about [1-9],[0-9]00,000,000 games"
        ):
            rare.passes()


@pytest.mark.parametrize("chance", [0.02, 0.004])
def test_as_many_games_as_are_asked_for_do(chance: float) -> None:
    model, questions = seldom(chance)
    with pytest.raises(SettingsError, match="too few games") as refused:
        calibrate(model, questions, games=200, seed=1).passes()
    (asked,) = re.findall(r"simulate more: games=(\d+)", str(refused.value))
    # About ten rare values are needed, not hundreds.
    assert 10 / chance <= int(asked) <= 50 / chance
    found = calibrate(model, questions, games=int(asked), seed=1)
    assert found.passes()
    assert found.reliability.games_needed is None


def test_what_would_take_too_many_games_is_said_to_be_out_of_reach() -> None:
    model, questions = seldom(1e-6)
    with pytest.raises(
        SettingsError, match=r"about [12]\d,000,000 games, and at most 1,000,000 are"
    ):
        calibrate(model, questions, games=400, seed=1).passes()


def test_what_is_called_nearly_impossible_and_happens_is_found_out() -> None:
    model, _ = seldom(0.05)
    rare = cast("Choice", model.variables[0])
    asked = Question(rare.value(), [[0.5, 0.5], [0.5, 0.5]], ["high", "low"])

    def unlikely(question: Question, outcome: Any) -> Evidence:
        del outcome
        return Evidence(question.feature, np.array([1e-5, 1.0]))

    found = calibrate(model, [asked], games=100, seed=1, evidence=unlikely)
    assert found.p_value is not None
    assert not found.passes(level=1e-6)


def test_what_can_be_judged_is_judged_beside_what_is_too_rare() -> None:
    deal = Deal([*"abcd"], holders={"me": 3, "you": 1})
    rare = Choice("rare", {"yes": 1e-4, "no": 1.0 - 1e-4})
    found = calibrate(Model(deal, rare), [], games=100)
    assert found.passes()
    assert (found.reliability.left_out, found.reliability.cells) == (200, 1000)


def test_surprises_are_said_of_calibrated_predictions_no_more_often_than_the_test_says() -> None:
    model, questions = seldom(0.01)
    values = [calibrate(model, questions, games=40, seed=n).p_value for n in range(40)]
    assert sum(value is not None and value < 0.05 for value in values) <= 5


def test_sums_that_should_never_vary_are_missed_by_no_one() -> None:
    # Worlds drawn from the predictions always have one of the two, and the truth never has.
    draws = np.tile([[1, 0], [0, 1]], (40, 5))
    games = np.repeat(np.arange(40), 2)
    right = reliability([0.5, 0.5] * 40, [1, 0] * 40, games=games, draws=draws)
    assert right.p_value == 1.0
    wrong = reliability([0.5, 0.5] * 40, [1, 1] * 40, games=games, draws=draws)
    assert wrong.p_value == 0.0
    # Without draws nobody knows whether they vary.
    assert reliability([0.5, 0.5] * 40, [1, 1] * 40, games=games).p_value is None
    assert reliability([0.5, 0.5] * 40, [1, 0] * 40, games=games).p_value == 1.0


def test_exact_answers_are_rejected_as_seldom_as_the_test_says() -> None:
    deal = Deal([*"abcd"], holders={"me": 2, "you": 2})
    asked = Question(deal.holder_of("a"), [[0.8, 0.2], [0.3, 0.7]], ["yes", "no"])
    values = [calibrate(Model(deal), [asked], games=60, seed=n).p_value for n in range(12)]
    assert sum(p is not None and p < 0.05 for p in values) <= 3


def test_a_refuted_certainty_cannot_be_excused() -> None:
    result = reliability([0.0, 0.5, 0.5], [1, 0, 1])
    assert result.refuted == 1
    assert result.p_value == 0.0
    assert result.log_score_bits == math.inf
    assert reliability([0.0, 0.5, 0.5], [1, 0, 1], certainty=False).p_value is None


@pytest.mark.parametrize(
    "predicted, happened, options",
    [
        ([0.5, 1.2], [0, 1], {}),
        ([0.5, math.nan], [0, 1], {}),
        ([0.5], [0.5], {}),
        ([0.5, 0.5], [1], {}),
        ([], [], {}),
        ([0.5], [1], {"games": [1, 2]}),
        ([0.5], [1], {"bins": 0}),
        ([0.5], [1], {"draws": [1, 0]}),
    ],
)
def test_what_are_no_probabilities_or_outcomes_is_refused(
    predicted: list[float], happened: list[float], options: dict[str, Any]
) -> None:
    with pytest.raises(SettingsError):
        reliability(predicted, happened, **options)
    with pytest.raises(SettingsError, match="nothing to judge"):
        ReliabilityCells().reliability()


def test_games_that_an_engine_cannot_sample_count_as_failed() -> None:
    values = [Choice(f"value {number}", [0, 1]) for number in range(12)]
    questions = [
        Question(together(one.value(), other.value()), lambda pair: {pair[0] == pair[1]: 1.0})
        for one, other in itertools.pairwise(values)
    ]
    told: list[tuple[int, int]] = []
    with pytest.raises(CostError, match="loopy_bp had no answer in any game"):
        calibrate(
            Model(*values),
            questions,
            method="loopy_bp",
            games=3,
            progress=lambda what, done, total: told.append((done, total)),
        )
    assert told == [(0, 3), (1, 3), (2, 3)]


def test_one_feature_can_be_judged_alone_and_questions_be_the_values_of_a_mapping() -> None:
    who = Choice("who", ["ann", "bert"])
    asked = Question(who, lambda name: {name == "ann": 0.8, name != "ann": 0.2})
    wanted = calibrate(Model(who), [asked], games=20, about=[who.value()])
    for about in (who, who.value()):
        assert calibrate(Model(who), {5: asked}, games=20, about=about) == wanted


@pytest.mark.parametrize(
    "what, words",
    [
        ({"model": infer(Model(Choice("who", ["a", "b"])))}, r"from a model.*posterior\.model"),
        ({"questions": "bert"}, r"calibrate: several questions.*'bert'"),
        ({"questions": ["bert"]}, r"calibrate: not a question.*'bert'"),
        ({"about": "bert"}, r"not a feature \(got 'bert'\)"),
        ({"about": 3}, r"not a feature \(got 3\)"),
        ({"about": ["bert"]}, r"not a feature \(got 'bert'\)"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_what_to_write(
    what: dict[str, Any], words: str
) -> None:
    given: dict[str, Any] = {"model": mystery()[0], "questions": [], **what}
    with pytest.raises((SettingsError, EvidenceError), match=words):
        calibrate(**given)
