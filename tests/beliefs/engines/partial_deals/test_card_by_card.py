"""Card by card agrees with enumeration to the last digits, and goes where enumeration cannot."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sleuth import Choice, Deal, Model, Posterior, Question, infer, together
from sleuth.beliefs.engines.base import feature_index
from sleuth.beliefs.engines.partial_deals.options import site_options
from sleuth.errors import ContradictionError

from ...by_hand import by_hand, value_in, worlds
from ...strategies import Case, cases, questions


def solved(case: Case, method: str) -> Posterior | None:
    try:
        return infer(case.model, case.given, method=method)
    except ContradictionError:
        return None


@given(case=cases(most=6))
@settings(max_examples=100)
def test_it_agrees_with_enumeration(case: Case) -> None:
    oracle, posterior = solved(case, "enumeration"), solved(case, "card_by_card")
    assert (oracle is None) == (posterior is None)
    if oracle is None or posterior is None:
        return
    assert posterior.method == "card_by_card"
    assert posterior.log_evidence == pytest.approx(oracle.log_evidence, rel=1e-12, abs=1e-12)
    for feature in (*case.features, together(*case.features)):
        np.testing.assert_allclose(
            posterior.distribution(feature), oracle.distribution(feature), rtol=0, atol=1e-12
        )
    np.testing.assert_allclose(
        posterior.solution.expected(), oracle.solution.expected(), rtol=0, atol=1e-12
    )


@given(data=st.data(), case=cases(most=3))
@settings(max_examples=60)
def test_many_questions_at_once_gain_what_each_gains_alone(data: st.DataObject, case: Case) -> None:
    oracle, posterior = solved(case, "enumeration"), solved(case, "card_by_card")
    if oracle is None or posterior is None:
        return
    asked = [data.draw(questions(case.model)) for _ in range(3)]
    about = case.features[0]
    gains = posterior.information_gain(asked, about=about)
    assert gains.shape == (3,)
    for question, gain in zip(asked, gains, strict=True):
        assert gain == pytest.approx(posterior.information_gain(question, about=about), abs=1e-12)
        assert gain == pytest.approx(oracle.information_gain(question, about=about), abs=1e-11)


def test_a_six_player_spectator_has_every_deal_open_exactly() -> None:
    suspects = [f"suspect {n}" for n in range(6)]
    weapons = [f"weapon {n}" for n in range(6)]
    rooms = [f"room {n}" for n in range(9)]
    cards = Deal(
        [*suspects, *weapons, *rooms],
        holders={**{f"player {n}": 3 for n in range(6)}, "case file": 3},
        categories={"suspects": suspects, "weapons": weapons, "rooms": rooms},
        counts={"case file": {"suspects": 1, "weapons": 1, "rooms": 1}},
    )
    posterior = infer(Model(cards), method="card_by_card")
    deals = 44_460_928_512_000
    assert deals == 6 * 6 * 9 * math.factorial(18) // math.factorial(3) ** 6
    assert round(math.exp(posterior.solution.log_weight)) == deals
    assert posterior.log_evidence == 0.0
    # With one deal fixed, the log evidence is that of one deal among all.
    whole = [
        cards.holds("case file", [suspects[0], weapons[0], rooms[0]]),
        *(
            cards.holds(f"player {n}", [*suspects[1:], *weapons[1:], *rooms[1:]][3 * n : 3 * n + 3])
            for n in range(6)
        ),
    ]
    assert posterior.observe(whole).log_evidence == pytest.approx(-math.log(deals), abs=1e-9)


def test_hidden_choices_and_deals_depend_on_each_other_through_evidence() -> None:
    # A thief hides one card of two; which one depends on a habit. By hand: 0.5 * 0.8 and so on.
    cards = Deal(["key", "coin"], holders={"thief": 1, "table": 1})
    habit = Choice("habit", {"greedy": 0.5, "odd": 0.5})
    model = Model(cards, habit)
    seen = together(habit.value(), cards.holder_of("coin")).weigh(
        {
            ("greedy", "thief"): 0.8,
            ("greedy", "table"): 0.2,
            ("odd", "thief"): 0.4,
            ("odd", "table"): 0.6,
        }
    )
    posterior = infer(model, [seen, cards.holds("thief", "coin")], method="card_by_card")
    assert posterior.marginal(habit.value()) == pytest.approx({"greedy": 2 / 3, "odd": 1 / 3})
    assert posterior.log_evidence == pytest.approx(math.log(0.25 * (0.8 + 0.4)))


@given(data=st.data(), case=cases(most=3))
@settings(max_examples=12)
def test_drawn_worlds_follow_the_posterior(data: st.DataObject, case: Case) -> None:
    posterior = solved(case, "card_by_card")
    if posterior is None:
        return
    seed = data.draw(st.integers(0, 2**32))
    worlds = posterior.solution.draw(4_000, np.random.default_rng(seed))
    about = together(*case.features).on(posterior.problem.layout)
    counted = np.zeros(len(about.values))
    base = about.base.additive(posterior.problem.layout)
    index = about.project[feature_index(posterior.problem, base, worlds)]
    np.add.at(counted, index, 1.0)
    expected = posterior.distribution(about) * worlds.shape[0]
    assert (counted[expected == 0.0] == 0.0).all()
    common = expected > 5.0
    pooled = np.append(counted[common], counted[~common].sum())
    wanted = np.append(expected[common], expected[~common].sum())
    pooled, wanted = pooled[wanted > 0.5], wanted[wanted > 0.5]
    if wanted.shape[0] > 1:
        wanted *= pooled.sum() / wanted.sum()
        assert chisquare(pooled, wanted).pvalue > 1e-6


def test_evidence_about_one_feature_piles_up_without_running_out_of_numbers() -> None:
    cards = Deal(["a", "b", "c", "d"], holders={"me": 2, "you": 2})
    doubtful = [cards.count("me", "a").weigh([1e-3, 2e-3], because=f"hint {n}") for n in range(300)]
    posterior = infer(Model(cards), doubtful, method="card_by_card")
    expected = 300 * math.log(1e-3) + math.log(0.5) + math.log1p(2.0**300)
    assert posterior.log_evidence == pytest.approx(expected, abs=1e-9)
    assert posterior.probability(cards.count("me", "a").equals(1)) == pytest.approx(1.0)
    against = [cards.count("me", "a").weigh([2e-3, 1e-3]) for _ in range(300)]
    posterior = posterior.observe(against)
    assert posterior.probability(cards.count("me", "a").equals(1)) == pytest.approx(0.5)


@pytest.mark.parametrize("method", ["card_by_card", "enumeration"])
def test_many_small_weights_on_different_features_do_not_run_out_of_numbers(method: str) -> None:
    names = ("a", "b", "c", "d", "e")
    cards = Deal(names, holders={"me": 2, "you": 2, "table": 1})
    groups = [group for size in (2, 3, 4, 5) for group in itertools.combinations(names, size)]
    places = [("me",), ("you",), ("table",), ("me", "you"), ("me", "table"), ("you", "table")]
    hints = [
        cards.which(place, group).weigh(lambda held: 1e-3 * (1 + len(held)))
        for group in groups
        for place in places
    ]
    hints += [
        cards.count(place, group).weigh(lambda n: 1e-3 * (2 - n % 2))
        for group in groups
        for place in places
    ]
    assert len(hints) > 300
    posterior = infer(Model(cards), hints, method=method, limit=math.inf)
    logs = [
        math.fsum(
            math.log(hint.table[hint.feature.values.index(value_in(hint.feature, world))])
            for hint in hints
        )
        for world, _ in worlds(cards)
    ]
    most = max(logs)
    expected = most + math.log(math.fsum(math.exp(log - most) for log in logs) / len(logs))
    assert posterior.log_evidence == pytest.approx(expected, abs=1e-9)


def test_a_hint_of_overwhelming_weight_leaves_the_other_value_possible() -> None:
    cards = Deal(["a", "b"], holders={"me": 1, "you": 1})
    hints = [cards.count("me", "a").weigh([1e-3, 1.0]) for _ in range(300)]
    posterior = infer(Model(cards), hints, method="card_by_card")
    assert posterior.observe(cards.lacks("me", "a")).probability(cards.count("you", "a").equals(1))


def test_a_question_that_is_never_answered_otherwise_gains_nothing() -> None:
    cards = Deal(["a", "b", "c"], holders={"me": 1, "you": 2})
    posterior = infer(Model(cards), [cards.holds("me", "a")], method="card_by_card")
    certain = Question(cards.holder_of("a"), lambda who: {who: 1.0})
    assert posterior.information_gain(certain, about=cards.holder_of("b")) == 0.0


def test_the_oracle_by_hand_and_the_engine_meet_on_a_deal_with_everything() -> None:
    cards = Deal(
        ["a", "b", "c", "d", "e", "f"],
        holders={"me": 2, "you": 2, "file": 2},
        categories={"low": ["a", "b", "c"], "high": ["d", "e", "f"]},
        counts={"file": {"low": 1, "high": 1}},
        known={"me": ["a"]},
    )
    given = [
        cards.which("you", ["b", "d", "e"]).weigh(lambda held: 1 / (1 + len(held))),
        (~cards.all_of("file", ["b", "d"])).observed(),
    ]
    truth = by_hand(Model(cards), given)
    posterior = infer(Model(cards), given, method="card_by_card")
    about = together(cards.single("file", "low"), cards.single("file", "high"))
    np.testing.assert_allclose(
        posterior.distribution(about), truth.distribution(about), rtol=0, atol=1e-14
    )
    assert posterior.log_evidence == pytest.approx(math.log(truth.total), abs=1e-13)


@given(
    copies=st.lists(st.integers(1, 5), min_size=1, max_size=3),
    capacity=st.lists(st.integers(-1, 4), min_size=1, max_size=4),
    data=st.data(),
)
@settings(max_examples=100)
def test_the_placements_of_an_item_are_those_that_fit(
    copies: list[int], capacity: list[int], data: st.DataObject
) -> None:
    flags = st.lists(st.integers(0, 1), min_size=len(capacity), max_size=len(capacity))
    allowed = np.array([data.draw(flags) for _ in copies], dtype=np.int8)
    order = np.arange(len(copies))
    sizes = np.array(capacity, dtype=np.int64)
    start, placed, ways = site_options(order, np.array(copies, dtype=np.int64), sizes, allowed)
    for site, number in enumerate(copies):
        limits = [
            0 if not open else number if size < 0 else min(size, number)
            for open, size in zip(allowed[site], capacity, strict=True)
        ]
        fitting = [
            parts
            for parts in itertools.product(*(range(limit + 1) for limit in limits))
            if sum(parts) == number
        ]
        listed = placed[start[site] : start[site + 1]]
        assert sorted(tuple(int(part) for part in row) for row in listed) == fitting
        for row, count in zip(listed, ways[start[site] : start[site + 1]], strict=True):
            physical = math.factorial(number) / math.prod(math.factorial(part) for part in row)
            assert count == physical
