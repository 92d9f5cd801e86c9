"""Questions: P(outcome | value), what an answer teaches, and how much asking would."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Model, Posterior, Question, infer, together
from sleuth.beliefs.asking.information import Columns, screen
from sleuth.errors import ContradictionError, EvidenceError

from ..by_hand import entropy
from ..strategies import Case, cases, questions

CARDS = Deal(["a", "b", "c", "d"], holders={"me": 1, "you": 2, "table": 1}, name="cards")


def solved(case: Case, **options: Any) -> Posterior | None:
    try:
        return infer(case.model, case.given, **options)
    except ContradictionError:
        return None


@given(case=cases(most=3), data=st.data())
@settings(max_examples=60)
def test_a_gain_is_the_entropy_that_the_answer_takes_away_on_average(
    case: Case, data: st.DataObject
) -> None:
    belief = solved(case)
    if belief is None:
        return
    asked, about = data.draw(questions(case.model)), case.features[0]
    chances = belief.distribution(asked.feature) @ asked.table
    after = 0.0
    for outcome, chance in zip(asked.outcomes, chances, strict=True):
        if chance > 0.0:
            left = belief.observe(asked.observed(outcome)).distribution(about)
            after += chance * entropy(left)
    gain = belief.information_gain(asked, about=about)
    assert gain >= 0.0
    assert gain == pytest.approx(belief.entropy(about) - after, abs=1e-9)


@given(case=cases(most=2), data=st.data())
@settings(max_examples=40)
def test_no_question_tells_more_than_there_is_to_know(case: Case, data: st.DataObject) -> None:
    belief = solved(case)
    if belief is None:
        return
    asked, about = data.draw(questions(case.model)), case.features[0]
    gain = belief.information_gain(asked, about=about)
    chances = belief.distribution(asked.feature) @ asked.table
    assert gain <= belief.entropy(about) + 1e-9
    assert gain <= entropy(chances) + 1e-9
    # Asking for the thing itself tells all of it; for nothing, nothing.
    itself = Question(about, lambda value: {value: 1.0})
    assert belief.information_gain(itself, about=about) == pytest.approx(
        belief.entropy(about), abs=1e-9
    )
    nothing = Question(about, lambda value: {"well": 1.0})
    assert belief.information_gain(nothing, about=about) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("method", ["enumeration", "card_by_card"])
@given(case=cases(most=2), data=st.data())
@settings(max_examples=25)
def test_many_questions_at_once_gain_what_each_gains(
    method: str, case: Case, data: st.DataObject
) -> None:
    belief = solved(case, method=method)
    if belief is None:
        return
    asked = data.draw(st.lists(questions(case.model), min_size=0, max_size=7))
    gains = belief.information_gain(asked, about=case.features[0])
    alone = [belief.information_gain(one, about=case.features[0]) for one in asked]
    assert list(gains) == pytest.approx(alone, abs=1e-12)


@given(case=cases(most=2), data=st.data())
@settings(max_examples=25)
def test_the_best_questions_are_the_best_of_all(case: Case, data: st.DataObject) -> None:
    belief = solved(case)
    if belief is None:
        return
    asked = data.draw(st.lists(questions(case.model), min_size=1, max_size=8))
    about = case.features[0]
    gains = sorted((belief.information_gain(one, about=about) for one in asked), reverse=True)
    best = belief.best_questions(asked, about=about, n=3)
    assert [gain for _, gain in best] == pytest.approx(gains[:3], abs=1e-12)
    for question, gain in best:
        assert belief.information_gain(question, about=about) == pytest.approx(gain, abs=1e-12)


def test_screening_hundreds_of_questions_finds_the_best_ones() -> None:
    names = [f"card {n}" for n in range(12)]
    cards = Deal(names, holders={"me": 4, "you": 4, "table": 4})
    belief = infer(Model(cards), [cards.holds("me", names[:4])])
    asked = [
        Question(cards.count("you", pair), lambda n: {n > 0: 1.0}, name=" or ".join(pair))
        for pair in ((a, b) for a in names for b in names if a < b)
    ]
    about = together(*(cards.holder_of(name) for name in names[4:9]))
    every = belief.information_gain(asked, about=about)
    best = belief.best_questions(asked, about=about, n=5, seed=3)
    assert [gain for _, gain in best] == pytest.approx(sorted(every, reverse=True)[:5], abs=1e-12)
    again = belief.best_questions(asked, about=about, n=5, seed=3)
    assert [question.name for question, _ in best] == [question.name for question, _ in again]


def test_screening_ranks_by_the_gain_on_the_drawn_worlds_and_looks_at_each_card_once() -> None:
    names = [f"card {n}" for n in range(9)]
    cards = Deal(names, holders={"me": 3, "you": 3, "table": 3})
    belief = infer(Model(cards), [cards.holds("me", names[:1])])
    triples = [names[place : place + 3] for place in range(7)]
    asked = [
        Question(
            together(*(cards.holder_of(name) for name in triple)),
            lambda held: {held.count("you"): 0.75, "nothing": 0.25},
            name=triple[0],
        )
        for triple in triples
    ]
    about = together(cards.holder_of(names[2]), cards.holder_of(names[6]))
    found = screen(belief.problem, belief.solution, asked, about, samples=300, seed=5)

    # The same draw, world by world.
    worlds = belief.sample(300, np.random.default_rng(5))
    holders = [
        {name: holder for holder, held in world[cards.name].items() for name in held}
        for world in worlds
    ]
    gains: list[float] = []
    for triple in triples:
        joint: dict[Any, float] = {}
        for held in holders:
            value = (held[names[2]], held[names[6]])
            yours = sum(held[name] == "you" for name in triple)
            for outcome, chance in ((yours, 0.75), (None, 0.25)):
                place = (value, outcome)
                joint[place] = joint.get(place, 0.0) + chance / len(holders)
        parts: list[dict[Any, float]] = [{}, {}]
        for place, share in joint.items():
            for part, key in zip(parts, place, strict=True):
                part[key] = part.get(key, 0.0) + share
        about_bits, answer_bits, both = (
            entropy(np.array([*each.values()])) for each in (*parts, joint)
        )
        gains.append(about_bits + answer_bits - both)
    assert found == sorted(range(7), key=lambda place: -gains[place])

    # A card is looked at once in each place of a triple, however many questions name it there.
    layout = belief.problem.layout
    columns = Columns(belief.problem, belief.solution.draw(10, np.random.default_rng(0)))
    for question in (*asked, *asked):
        columns.index(question.feature.base.additive(layout))
    assert len(columns.kept) == 3 * len(triples)
    columns.index(about.base.additive(layout))
    assert len(columns.kept) == 3 * len(triples), "both its cards stand so in a triple"


def test_a_refuter_who_shows_one_of_his_cards_at_random() -> None:
    # You hold two of a, b, c, d less mine; asked for a or b you show one of them, if you can.
    def shows(held: tuple[str, ...]) -> dict[str, float]:
        return {card: 1 / len(held) for card in held} or {"nothing": 1.0}

    asked = Question(CARDS.which("you", ["a", "b"]), shows, name="a or b?")
    assert asked.outcomes == ("nothing", "a", "b")
    belief = infer(Model(CARDS), [CARDS.holds("me", "d")])
    # Equally likely: {a, b}, {a, c}, {b, c}.
    assert belief.observe(asked.observed("a")).marginal(
        CARDS.which("you", ["a", "b", "c"])
    ) == pytest.approx({("a", "b"): 1 / 3, ("a", "c"): 2 / 3})
    about = CARDS.holder_of("c")
    left = entropy(np.array([1 / 3, 2 / 3]))
    assert belief.information_gain(asked, about=about) == pytest.approx(
        entropy(np.array([1 / 3, 2 / 3])) - left
    )


def test_an_answer_names_its_question() -> None:
    asked = Question(CARDS.holder_of("a"), lambda who: {who == "me": 1.0}, name="is it yours?")
    evidence = asked.observed(True, id="x", event=4)
    assert (evidence.because, evidence.id, evidence.event) == ("is it yours?: True", "x", 4)
    assert asked.observed(False, because="no").because == "no"
    with pytest.raises(EvidenceError, match=r"'is it yours\?' has no such outcome.*perhaps"):
        asked.observed("perhaps")


def test_an_outcome_that_nothing_leads_to_cannot_be_observed() -> None:
    asked = Question(CARDS.holder_of("a"), lambda who: {"yes": 1.0}, ["yes", "no"])
    with pytest.raises(EvidenceError, match="zero everywhere"):
        asked.observed("no")


@pytest.mark.parametrize(
    "answers, outcomes, words",
    [
        (lambda who: {"yes": 0.5, "no": 0.4}, None, r"must sum to one; for the value 'me'.*0\.9"),
        (lambda who: {"yes": -0.5, "no": 1.5}, None, "finite and not negative"),
        (lambda who: {"yes": math.nan}, None, "finite and not negative"),
        (lambda who: {"yes": "often"}, None, "a probability was expected.*'often'"),
        (lambda who: {"yes": None}, None, "a probability was expected"),
        (lambda who: {}, None, "must sum to one"),
        (lambda who: {"yes": 1.0}, ["no"], "not among those named.*'yes'"),
        (lambda who: {"yes": 1.0}, ["yes", "yes"], "named twice"),
        ([[1.0, 0.0]] * 3, None, r"^answers of holder.*name the outcomes.*outcomes=\[\.\.\.\]"),
        ([[1.0, 0.0]] * 2, ["yes", "no"], "one row for each of 3 values"),
        ([[1.0, 0.0]] * 3, ["yes"], "one column for each of 1 outcomes"),
        ([["x", "y"]] * 3, ["yes", "no"], "table of probabilities"),
        (None, None, r"^answers of holder.*table of probabilities.*got None\); write"),
        (0.5, ["yes"], r"^answers of holder.*table of probabilities.*got 0\.5\); write"),
        ("yes", None, r"^answers of holder.*got 'yes'\); write \{value: \{outcome: chance"),
        (
            {"me": {"yes": 1.0}, "you": {"yes": 1.0}},
            None,
            r"^answers of holder.*no answer is given for a value.*'table'.*each of me, you, table",
        ),
        (
            {who: {"yes": 1.0} for who in ("me", "you", "table", "us")},
            None,
            r"^answers of holder.*has no such value.*'us'.*me, you, table; write \{value: ",
        ),
        ({"yes": 0.5, "no": 0.5}, None, r"^answers of holder.*has no such value.*'yes'"),
        (
            dict.fromkeys(["me", "you", "table"], "yes"),
            None,
            r"^answers of holder.*, 'me': .*mapping from outcomes.*'yes'.*\{outcome: 1\.0\}",
        ),
        (lambda who: "yes", None, r", 'me': .*mapping from outcomes.*'yes'.*function of the value"),
        (lambda who: ["yes"], ["yes"], "mapping from outcomes"),
        ({}, None, "no answer is given for a value.*'me'"),
    ],
)
def test_a_wrong_question_is_refused(answers: Any, outcomes: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        Question(CARDS.holder_of("a"), answers, outcomes)


def test_answers_may_be_a_mapping_from_values() -> None:
    style = Choice("style", ["honest", "bluffer"])
    rows = {"bluffer": {"low": 0.4, "high": 0.6}, "honest": {"high": 1.0}}
    for outcomes in (None, ["low", "high"]):
        by_mapping, by_function = (
            Question(style, answers, outcomes) for answers in (rows, rows.__getitem__)
        )
        assert by_mapping.outcomes == by_function.outcomes
        assert by_mapping.table.tolist() == by_function.table.tolist()
    belief = infer(Model(style), by_mapping.observed("high"))
    assert belief.marginal(style) == pytest.approx({"honest": 1 / 1.6, "bluffer": 0.6 / 1.6})
    both = {False: {"no": 1.0}, True: {"yes": 1.0}}
    assert Question(style.equals("honest"), both).outcomes == ("no", "yes")


def test_one_table_can_serve_many_features() -> None:
    pattern = Question(CARDS.holder_of("a"), lambda who: {who == "me": 1.0})
    twin = pattern.about(CARDS.holder_of("b"), pattern.outcomes, name="b?")
    fresh = Question(CARDS.holder_of("b"), lambda who: {who == "me": 1.0})
    belief = infer(Model(CARDS))
    about = CARDS.which("you", ["a", "b"])
    assert belief.information_gain(twin, about=about) == pytest.approx(
        belief.information_gain(fresh, about=about)
    )
    with pytest.raises(EvidenceError, match="another number of values"):
        pattern.about(CARDS.count("me", "a"), pattern.outcomes, name="wrong")


def test_questions_may_be_the_values_of_a_mapping() -> None:
    belief, about = infer(Model(CARDS)), CARDS.holder_of("a")
    asked = [Question(CARDS.holder_of(item), lambda who: {who == "me": 1.0}) for item in "abc"]
    by_action = dict(zip((7, 3, 5), asked, strict=True))
    best = belief.best_questions(asked, about=about, n=2)
    gains = belief.information_gain(asked, about=about).tolist()
    for given_ in (by_action, by_action.values(), iter(asked)):
        assert belief.best_questions(given_, about=about, n=2) == best
    for given_ in (by_action, by_action.values(), iter(asked)):
        assert belief.information_gain(given_, about=about).tolist() == gains


@pytest.mark.parametrize(
    "wrong, words",
    [
        ("bert", "given as a list.*'bert'"),
        (3, "given as a list.*got 3"),
        (CARDS.holder_of("a"), "given as a list.*HolderOf"),
        (["bert"], "not a question.*'bert'"),
        ({0: "bert"}, "not a question.*'bert'"),
    ],
)
def test_what_is_no_question_is_refused(wrong: Any, words: str) -> None:
    belief, about = infer(Model(CARDS)), CARDS.holder_of("a")
    for ask in (belief.best_questions, belief.information_gain):
        with pytest.raises(EvidenceError, match=rf"^{ask.__name__}: .*{words}.*Question\(feature"):
            ask(wrong, about=about)


def test_one_question_is_no_list_of_the_best() -> None:
    alone: Any = Question(CARDS.holder_of("a"), lambda who: {who == "me": 1.0})
    with pytest.raises(EvidenceError, match="given as a list"):
        infer(Model(CARDS)).best_questions(alone, about=CARDS.holder_of("a"))


def test_at_least_one_question_is_asked_for() -> None:
    belief = infer(Model(CARDS))
    with pytest.raises(EvidenceError, match="at least one question"):
        belief.best_questions([], about=CARDS.holder_of("a"), n=0)
    assert belief.best_questions([], about=CARDS.holder_of("a")) == []


def test_a_question_about_a_count_that_grew_is_asked_of_what_there_is_now() -> None:
    cards = Deal({"ace": 2, "king": 2}, holders={"me": 1, "deck": 3})
    aces = cards.count("me", "ace")
    asked = Question(aces, lambda count: {count: 1.0}, name="how many aces?")
    belief = infer(
        Model(cards), [cards.split("deck", "drawn", 1), cards.merge(["me", "drawn"], "me")]
    )
    assert belief.information_gain(asked, about=aces) == pytest.approx(belief.entropy(aces))
    assert [question.name for question, _ in belief.best_questions([asked], about=aces)] == [
        "how many aces?"
    ]
    by_table = Question(aces, [[1.0, 0.0], [0.0, 1.0]], outcomes=["none", "one"])
    with pytest.raises(EvidenceError, match="a function of the value, which says all answers"):
        belief.information_gain(by_table, about=aces)
