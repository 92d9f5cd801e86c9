"""How many bits each observation moved a belief: in the order seen, and left out alone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Condition, Deal, Evidence, Model, Posterior, Walk, infer
from sleuth.beliefs.explaining.measure import log_odds
from sleuth.beliefs.explaining.shift import moved, probability
from sleuth.beliefs.explaining.table import Influence
from sleuth.errors import ContradictionError, EvidenceError, UnsupportedError

from ..strategies import Case, Stream, cases, streams

GOLD = Choice("gold", {"left": 0.2, "right": 0.8})
LEFT = GOLD.equals("left")
CARDS = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
TWO_ACES = CARDS.count("table", "ace").equals(2)


def conditions_of(case: Case) -> list[Condition]:
    return [feature.equals(feature.values[-1]) for feature in case.features]


def solved(case: Case) -> Posterior | None:
    try:
        return infer(case.model, case.given)
    except ContradictionError:
        return None


def adds_up(found: Influence) -> bool:
    """Whether the movements in order lead from the prior to the end, without a gap."""
    ends = [found.prior, *(row.after for row in found.rows)]
    if [row.before for row in found.rows] != ends[:-1]:
        return False
    total = math.fsum(row.in_order for row in found.rows)
    return ends[-1] == pytest.approx(found.end, abs=1e-9) and total == pytest.approx(
        moved(found.prior, found.end), abs=1e-9
    )


# -- laws


@given(case=cases(most=4))
@settings(max_examples=60)
def test_the_movements_in_order_add_up_to_the_way_from_the_prior_to_the_end(case: Case) -> None:
    belief = solved(case)
    if belief is None:
        return
    wanted = conditions_of(case)
    for condition, found in zip(wanted, belief.influence(wanted), strict=True):
        assert [row.observation for row in found.rows] == [step.id for step in belief.evidence]
        assert [found.prior] == log_odds(infer(case.model), [condition])
        assert adds_up(found)


@given(case=cases(most=3))
@settings(max_examples=40)
def test_what_is_left_out_is_what_retract_leaves_out(case: Case) -> None:
    belief = solved(case)
    if belief is None:
        return
    (condition, _) = conditions_of(case)
    for row in belief.influence(condition).rows:
        (expected,) = log_odds(belief.retract(row.observation), [condition])
        assert row.without == pytest.approx(expected, abs=1e-9)
        assert row.left_out == pytest.approx(moved(expected, row.end), abs=1e-9)


@given(stream=streams())
@settings(max_examples=25)
def test_they_add_up_where_holders_come_and_go(stream: Stream) -> None:
    try:
        belief = infer(Model(stream.deal), stream.steps)
    except UnsupportedError:
        return
    item = next(iter(stream.deal.items))
    condition = stream.deal.count(stream.holders[0], item).equals(0)
    try:
        assert adds_up(belief.influence(condition))
    except UnsupportedError:
        return  # without a reveal, later splits may be too entangled


def test_the_last_observation_is_worth_as_much_in_order_as_left_out() -> None:
    belief = infer(Model(GOLD), [GOLD.value().weigh([0.9, 0.3]), GOLD.value().weigh([0.1, 0.4])])
    last = belief.influence(LEFT).rows[-1]
    assert last.in_order == pytest.approx(last.left_out)


# -- by hand


def test_a_likelihood_moves_the_log_odds_by_its_ratio() -> None:
    seen = [
        GOLD.value().weigh([0.8, 0.1], because="footprints"),
        GOLD.value().weigh([0.5, 1.0], because="a rumour"),
    ]
    found = infer(Model(GOLD), seen).influence(LEFT)
    assert found.prior == pytest.approx(-2.0)
    assert [row.in_order for row in found.rows] == pytest.approx([3.0, -1.0])
    assert [row.left_out for row in found.rows] == pytest.approx([3.0, -1.0])
    assert found.end == pytest.approx(0.0)
    assert found["a rumour"].after == pytest.approx(0.0)


def test_what_two_say_together_neither_says_alone() -> None:
    coin, die = Choice("coin", [0, 1]), Choice("die", [0, 1])
    odd = (coin.equals(0) & die.equals(1)) | (coin.equals(1) & die.equals(0))
    seen = [odd.observed(because="they differ"), coin.equals(0).observed(because="the coin")]
    found = infer(Model(coin, die), seen).influence(die.equals(1))
    assert [row.in_order for row in found.rows] == [0.0, math.inf]
    assert [row.left_out for row in found.rows] == [math.inf, math.inf]


def test_what_others_prove_as_well_can_be_left_out() -> None:
    seen = [LEFT.observed(because="seen"), LEFT.observed(because="seen again")]
    found = infer(Model(GOLD), seen).influence(LEFT)
    assert [row.in_order for row in found.rows] == [math.inf, 0.0]
    assert [row.left_out for row in found.rows] == [0.0, 0.0]
    assert found.end == math.inf


def test_what_is_ruled_out_has_moved_by_minus_infinity() -> None:
    found = infer(Model(GOLD), [(~LEFT).observed(because="empty")]).influence(LEFT)
    assert (found["empty"].in_order, found["empty"].left_out) == (-math.inf, -math.inf)


def test_what_can_never_be_moves_nowhere() -> None:
    never = GOLD.value().among([])
    found = infer(Model(GOLD), [LEFT.observed(reliability=0.9)]).influence(never)
    assert (found.prior, found.end) == (-math.inf, -math.inf)
    assert [(row.in_order, row.left_out) for row in found.rows] == [(0.0, 0.0)]
    assert found.ranked == ()


def test_all_evidence_of_one_event_is_one_observation() -> None:
    seen = [
        CARDS.lacks("you", "ace", event=3, because="you passed"),
        CARDS.holds("me", "king", event=3, because="event 3: my king"),
        CARDS.holds_any("table", "ace", event=5),
    ]
    found = infer(Model(CARDS), seen).influence(TWO_ACES)
    assert [row.observation for row in found.rows] == [3, 5]
    assert found.rows[0].words == "event 3: you passed; my king"


def test_a_prediction_is_set_against_what_counting_says_without_the_others() -> None:
    seen = [
        CARDS.holds("me", "king", 2, because="my hand"),
        TWO_ACES.predicted(0.4, because="a hunch"),
    ]
    found = infer(Model(CARDS), seen).influence(TWO_ACES)
    assert found.end == pytest.approx(math.log2(0.4 / 0.6))
    # Whatever the hand is, the hunch already knows it.
    assert found["my hand"].left_out == pytest.approx(0.0)


def test_moves_stay_and_what_a_reveal_showed_is_left_out() -> None:
    pack = Deal({"ace": 2, "king": 2}, holders={"you": 2, "table": 2})
    belief = infer(
        Model(pack),
        [pack.split("you", "claim", 1), pack.reveal("claim", {"ace": 1}, because="turned up")],
    )
    found = belief.influence(pack.count("you", "ace").equals(1))
    assert found.prior == pytest.approx(0.0)  # one card of four, half of them aces
    assert found["turned up"].in_order == pytest.approx(-1.0)  # one ace among three cards
    assert found["turned up"].left_out == pytest.approx(-1.0)


def test_a_step_that_was_not_seen_leads_anywhere() -> None:
    streets = {"dock": ["inn"], "inn": ["dock", "church"], "church": ["inn"]}
    thief = Walk("thief", [*streets], start=["dock"])
    belief = infer(
        Model(thief),
        [thief.step(streets, because="walked"), thief.step(streets, because="walked on")],
    )
    found = belief.influence(thief.at().equals("inn"))
    assert found.prior == pytest.approx(-1.0)
    assert found["walked on"].in_order == -math.inf
    assert found["walked"].left_out == -math.inf  # then the inn could be reached in one step


def test_an_approximation_says_that_it_is_one() -> None:
    belief = infer(Model(GOLD), [GOLD.value().weigh([0.8, 0.2])], method="metropolis", samples=400)
    assert belief.influence(LEFT).to_text().splitlines()[0].endswith("an estimate")


# -- shown


def belief() -> Posterior:
    return infer(
        Model(CARDS),
        [
            CARDS.holds("me", "king", 2, because="my hand"),
            CARDS.count("you", "ace").weigh([0.9, 0.5, 0.1], because="you <b>smiled</b>"),
            CARDS.lacks("you", "ace", because="you passed"),
        ],
    )


def test_as_text() -> None:
    assert str(belief().influence(TWO_ACES)).splitlines() == [
        "count(table, ace) in 2: 6.7 % -> 100.0 % (−3.81 -> +∞ bits)",
        "observation        in order  left out",
        "my hand               +1.49        +∞",
        "you <b>smiled</b>     +1.10      0.00",
        "you passed               +∞        +∞",
    ]


def test_as_a_frame() -> None:
    frame = belief().influence(TWO_ACES).to_frame()
    assert list(frame.observation) == ["my hand", "you <b>smiled</b>", "you passed"]
    assert list(frame.left_out) == [math.inf, 0.0, math.inf]
    assert {str(frame.dtypes[name]) for name in ("in_order", "without")} == {"float64"}


def test_for_a_notebook_everything_is_text_and_nothing_runs() -> None:
    shown = belief().influence(TWO_ACES)._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "you &lt;b&gt;smiled&lt;/b&gt;" in shown
    assert "<script" not in shown


def test_of_many_observations_those_that_moved_most_are_shown() -> None:
    seen = [GOLD.value().weigh([1.0, 1.0 + n / 50], because=f"hint {n}") for n in range(60)]
    text = infer(Model(GOLD), seen).influence(LEFT).to_text()
    assert "hint 59" in text
    assert "hint 39" not in text
    assert text.endswith("and 40 more that moved it less")


@pytest.mark.parametrize("condition", [TWO_ACES, CARDS.count("table", "ace").equals(0)])
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_as_a_picture(tmp_path: Path, condition: Condition, ending: str) -> None:
    path = belief().influence(condition).plot(tmp_path / f"influence.{ending}")
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG" if ending == "png" else b"<?xml")
    assert len(content) > 5_000


def test_a_picture_of_nothing_seen(tmp_path: Path) -> None:
    found = infer(Model(GOLD)).influence(LEFT)
    assert found.rows == ()
    assert found.plot(tmp_path / "nothing.png").exists()


# -- errors


def test_explain_points_to_it_where_nothing_is_certain() -> None:
    with pytest.raises(EvidenceError, match=r"neither certain.*posterior\.influence\(condition\)"):
        infer(Model(GOLD)).explain(LEFT)


@pytest.mark.parametrize("wrong", [GOLD.value(), "left", [GOLD.value()]])
def test_what_is_no_condition_is_refused(wrong: Any) -> None:
    shown = wrong[0] if isinstance(wrong, list) else wrong
    with pytest.raises(
        EvidenceError, match=r"influence on a condition.*equals\(value\)"
    ) as refused:
        infer(Model(GOLD), [LEFT]).influence(wrong)
    assert refused.value.value == shown


@given(bits=st.floats(-1e6, 1e6))
def test_probabilities_of_log_odds(bits: float) -> None:
    p = probability(bits)
    assert 0.0 <= p <= 1.0
    if abs(bits) < 20.0:
        assert math.log2(p / (1.0 - p)) == pytest.approx(bits, abs=1e-6)
    assert (probability(math.inf), probability(-math.inf)) == (1.0, 0.0)


# -- misheard


@pytest.mark.parametrize("reliability", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_what_may_be_misheard_is_weighed_by_how_often_it_is_right(reliability: float) -> None:
    heard = infer(Model(GOLD), [LEFT.observed(reliability=reliability)])
    said = 0.2 * reliability + 0.8 * (1.0 - reliability)
    assert heard.log_evidence == pytest.approx(math.log(said))
    assert heard.probability(LEFT) == pytest.approx(0.2 * reliability / said)


def test_a_reliability_of_one_is_hard() -> None:
    assert LEFT.observed(reliability=1.0) == LEFT.observed()
    assert not LEFT.observed(reliability=0.999).hard


def test_what_can_never_be_true_may_still_be_misheard() -> None:
    never = GOLD.value().among([])
    assert isinstance(never.observed(reliability=0.9), Evidence)
    with pytest.raises(EvidenceError, match="never be true"):
        never.observed()


@pytest.mark.parametrize("wrong", [90, -0.1, math.nan, "0.9", True, None])
def test_what_is_no_reliability_is_refused(wrong: Any) -> None:
    with pytest.raises(EvidenceError, match=r"a reliability is a probability.*0\.9"):
        LEFT.observed(reliability=wrong)
