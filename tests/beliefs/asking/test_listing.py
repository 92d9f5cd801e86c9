"""Where few worlds are left, anything can be asked of their list, whatever engine found them."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import (
    Choice,
    Deal,
    Feature,
    Model,
    Posterior,
    Question,
    Questions,
    Walk,
    any_of,
    infer,
    together,
)
from sleuth.beliefs.engines import APPROXIMATE
from sleuth.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    SettingsError,
    UnsupportedError,
)

from ..by_hand import by_hand, entropy, value_in
from ..strategies import Case, Stream, cases, streams

ITEMS = [*"abcdefghij"]
HANDS = Deal(ITEMS, holders={"me": 3, "you": 3, "they": 4})
GIVEN = [
    HANDS.count("you", [*"abcd"]).weigh([1.0, 0.3, 0.7, 0.1]),
    HANDS.holder_of("a").weigh([0.2, 0.5, 0.9]),
]
#: Where everything is: 59,049 values alone, and too many with the two sets beside it.
EVERYTHING = together(
    *(HANDS.holder_of(item) for item in ITEMS), HANDS.which("you", ITEMS), HANDS.which("me", ITEMS)
)
METHODS = ["enumeration", "card_by_card", "auto"]


@pytest.mark.parametrize("method", METHODS)
def test_where_everything_is_can_be_asked_together(method: str) -> None:
    oracle = by_hand(Model(HANDS), GIVEN)
    belief = infer(Model(HANDS), GIVEN, method=method)
    assert EVERYTHING.large
    wanted = {
        value_in(EVERYTHING, world): weight
        for world, weight in zip(oracle.worlds, oracle.weights, strict=True)
    }
    found = belief.marginal(EVERYTHING)
    assert found == pytest.approx(wanted, abs=1e-12)
    bits = entropy(np.array(oracle.weights))
    assert belief.entropy(EVERYTHING) == pytest.approx(bits, abs=1e-9)
    # A question that is answered truly tells as much as its answer is open.
    asked = [
        Question(HANDS.holder_of("b"), lambda holder: {holder: 1.0}),
        Question(any_of(*(part.equals(part.values[0]) for part in EVERYTHING.parts)),
                 lambda true: {true: 1.0}),
    ]  # fmt: skip
    assert asked[1].feature.large
    gains = belief.information_gain(asked, about=EVERYTHING)
    open_bits = [entropy(belief.distribution(question.feature)) for question in asked]
    assert gains == pytest.approx(open_bits, abs=1e-9)
    best = belief.best_questions(asked, about=EVERYTHING, n=2)
    assert [gain for _, gain in best] == pytest.approx(sorted(open_bits)[::-1], abs=1e-9)
    many = Questions(HANDS.holder_of("b"), np.array([[0, 1, 2]]), HANDS.holder_of("b").values, "?")
    assert belief.information_gain(many, about=EVERYTHING) == pytest.approx(gains[:1], abs=1e-12)


@given(case=cases())
def test_a_list_says_what_a_table_says(case: Case) -> None:
    """Of any feature, also by the way on which only large ones go."""
    from sleuth.beliefs.asking.listing import listed_marginal

    try:
        belief = infer(case.model, case.given, method="card_by_card")
    except ContradictionError:
        return
    for feature in case.features:
        present = feature.on(belief.problem.layout)
        found = listed_marginal(belief.problem, belief.solution, present)
        assert found == pytest.approx(belief.marginal(feature), abs=1e-12)
        assert [*found] == [*belief.marginal(feature)]  # in the order of its values
        wide = together(feature, *[feature] * 40)
        if not wide.large:
            continue
        assert {value[0]: p for value, p in belief.marginal(wide).items()} == pytest.approx(found)


def test_drawn_worlds_answer_approximately() -> None:
    exact = infer(Model(HANDS), GIVEN)
    drawn = infer(Model(HANDS), GIVEN, method="rejection", samples=20_000)
    gap = exact.entropy(EVERYTHING) - drawn.entropy(EVERYTHING)
    assert 0.0 < gap < 0.2  # a plug-in estimate, known to be too small


def test_a_walk_and_all_its_positions() -> None:
    walk = Walk("walk", range(12), start=[0])
    step = walk.step(lambda place: {place: 0.5, (place + 1) % 12: 0.5})
    belief = infer(Model(walk), [step] * 9)
    path = together(*(walk.at(step=number) for number in range(10)))
    found = belief.marginal(path)
    assert path.large
    assert len(found) == 2**9
    assert set(found.values()) == {0.5**9}


def test_what_is_too_large_for_both_is_refused() -> None:
    items = [f"card {number}" for number in range(30)]
    deal = Deal(items, holders={"me": 10, "you": 10, "they": 10})
    belief = infer(Model(deal))
    where = together(*(deal.holder_of(item) for item in items))
    for ask in (belief.marginal, belief.entropy):
        with pytest.raises(CostError, match=r"too many values.*at most 1,000,000 worlds"):
            ask(where)
    first = Question(deal.holder_of(items[0]), lambda holder: {holder: 1.0})
    with pytest.raises(CostError, match="too many values"):
        belief.information_gain(
            first, about=together(*(deal.holder_of(each) for each in items[1:]))
        )
    assert belief.information_gain(first, about=where) == pytest.approx(math.log2(3))
    with pytest.raises(CostError, match="no list of at most 10 worlds"):
        belief.worlds(most=10)


def test_no_table_is_made_of_a_large_feature() -> None:
    belief = infer(Model(HANDS))
    for ask in (
        lambda: belief.distribution(EVERYTHING),
        lambda: EVERYTHING.values,
        lambda: EVERYTHING.weigh(lambda value: 1.0),
        lambda: EVERYTHING.satisfies(bool),
        lambda: Question(EVERYTHING, lambda value: {"yes": 1.0}),
        lambda: Questions(EVERYTHING, lambda number, places: places, "ab", "ab"),
        lambda: belief.observe(any_of(*(p.equals(p.values[0]) for p in EVERYTHING.parts))),
    ):
        with pytest.raises(EvidenceError, match="too many values"):
            ask()


@given(stream=streams(most=4))
@settings(max_examples=60)
def test_after_moves_each_world_is_listed_once(stream: Stream) -> None:
    try:
        belief = infer(Model(stream.deal), stream.steps)
    except (UnsupportedError, CostError):
        return
    rows, shares = belief.worlds()
    items, holders = [item for _, item in belief.columns()], belief.holders("deal")
    found = [tuple(sorted((i, holders[n]) for i, n in zip(items, r, strict=True))) for r in rows]
    assert len(set(found)) == len(found)
    wanted: defaultdict[tuple[tuple[str, str], ...], float] = defaultdict(float)
    for world, weight in stream.worlds:
        wanted[tuple(sorted(world.held["deal"]))] += weight
    whole = math.fsum(wanted.values())
    assert dict(zip(found, shares.tolist(), strict=True)) == pytest.approx(
        {world: weight / whole for world, weight in wanted.items()}, abs=1e-12
    )


@pytest.mark.parametrize("method", [*METHODS, "rejection"])
def test_all_worlds_are_listed_with_their_probabilities(method: str) -> None:
    belief = infer(Model(HANDS), GIVEN, method=method)
    rows, shares = belief.worlds()
    oracle = by_hand(Model(HANDS), GIVEN)
    numbers = {holder: number for number, holder in enumerate(belief.holders("deal"))}
    wanted = {
        tuple(numbers[who] for _, who in world.held["deal"]): weight
        for world, weight in zip(oracle.worlds, oracle.weights, strict=True)
    }
    assert rows.dtype == np.int8
    assert {tuple(r): p for r, p in zip(rows.tolist(), shares.tolist(), strict=True)} == (
        pytest.approx(wanted, abs=1e-12)
    )
    assert len(rows) == len(wanted) == math.factorial(10) // (6 * 6 * 24)
    with pytest.raises(SettingsError, match="most"):
        belief.worlds(most=0)


# -- choices of thousands of values

WORD = Choice("word", (f"word {number}" for number in range(2_000)))
TONE = Choice("tone", {"high": 0.75, "low": 0.25})
CARDS = Deal({"ace": 2, "king": 1}, holders={"me": 1, "you": 2})
CLASSES = np.arange(2_000) % 7


def wide() -> tuple[Posterior, dict[tuple[Any, ...], float]]:
    """A wide model after evidence, and each world (word, tone, my card) by hand."""
    given = [
        WORD.value().weigh((1.0 + CLASSES).tolist(), because="a hint"),
        together(TONE.value(), CARDS.item_of("me")).weigh([1.0, 2.0, 3.0, 4.0], id="tie"),
        Question(WORD.value(), CLASSES, range(7)).observed(3, id="class"),
    ]
    worlds = {
        (f"word {number}", tone, card): p * copies * weight
        for number in range(3, 2_000, 7)
        for (tone, p), weights in zip(
            {"high": 0.75, "low": 0.25}.items(), ((1.0, 2.0), (3.0, 4.0)), strict=True
        )
        for (card, copies), weight in zip({"ace": 2, "king": 1}.items(), weights, strict=True)
    }
    total = sum(worlds.values())
    model = Model(WORD, TONE, CARDS)
    return infer(model, given), {world: w / total for world, w in worlds.items()}


def test_a_choice_of_thousands_is_as_exact_as_any() -> None:
    belief, worlds = wide()
    features: list[Feature] = [WORD.value(), TONE.value(), CARDS.item_of("me")]
    assert belief.joint(*features) == pytest.approx(worlds, abs=1e-12)
    rows, shares = belief.worlds()
    assert rows.dtype == np.int16
    assert len(rows) == len(worlds)
    assert sum(shares) == pytest.approx(1.0)
    rng = np.random.default_rng(3)
    drawn = belief.sample_array(20_000, rng)
    column = belief.columns().index(("tone", "tone"))
    high = sum(p for (_, tone, _), p in worlds.items() if tone == "high")
    assert (drawn[:, column] == 0).mean() == pytest.approx(high, abs=0.02)
    assert (drawn[:, belief.columns().index(("word", "word"))] % 7 == 3).all()
    assert all(CLASSES[int(w["word"][5:])] == 3 for w in belief.sample(20, rng))
    assert belief.table(CARDS)["king"]["me"] == pytest.approx(
        sum(p for (_, _, card), p in worlds.items() if card == "king")
    )
    frame = belief.to_frame()
    assert len(frame) == 2_000 + 2 + 4
    assert frame[frame.item == "word"].probability.sum() == pytest.approx(1.0)


def test_a_wide_model_explains_retracts_and_is_saved(tmp_path: Any) -> None:
    belief, _ = wide()
    assert belief.explain(WORD.value().among(["word 3", "word 4"]) & WORD.equals("word 4")) == [
        "class"
    ]
    freed = belief.retract("class")
    assert len(freed.marginal(WORD.value())) == 2_000
    with pytest.raises(ContradictionError) as found:
        belief.observe(WORD.equals("word 4").observed(id="no"))
    assert found.value.evidence == ("class", "no")
    belief.save(tmp_path / "wide.json")
    again = Posterior.load(tmp_path / "wide.json")
    assert again == belief
    assert again.digest == belief.digest
    assert again.distribution(WORD.value()).tolist() == belief.distribution(WORD.value()).tolist()


def test_worlds_of_a_wide_model_are_drawn_as_declared() -> None:
    question = Question(TONE.value(), lambda tone: {tone: 1.0})
    simulation = Model(WORD, TONE, CARDS).simulate(4_000, np.random.default_rng(5), [question])
    tones, cards = simulation.value(TONE.value()), simulation.value(CARDS.item_of("me"))
    assert tones.count("high") / 4_000 == pytest.approx(0.75, abs=0.03)
    assert cards.count("ace") / 4_000 == pytest.approx(2 / 3, abs=0.03)
    assert len(set(simulation.value(WORD.value()))) > 1_500
    assert [question.outcomes[place] for place in simulation.answers[:, 0]] == tones


def test_other_engines_say_how_wide_a_model_may_be() -> None:
    from sleuth import calibrate, compare

    model = Model(WORD, TONE)
    given = [WORD.value().weigh((1.0 + CLASSES).tolist())]
    report = compare(model, given, about=TONE.value(), isolate=False)
    answers = {result.name: result.reason for result in report.results}
    assert not answers["enumeration"]
    assert not answers["junction_tree"]
    for name in ("card_by_card", "type_counting", "forward_filter"):
        assert "at most 127" in (answers[name] or "")
        assert "enumeration" in (answers[name] or "")
    assert {name for name in APPROXIMATE if answers[name]} == set()
    judged = calibrate(
        Model(WORD, TONE),
        [Question(TONE.value(), lambda tone: {tone: 0.2, "?": 0.8})],
        about=[TONE.value()],
        games=60,
    )
    assert judged.passes()


def test_a_model_of_thousands_of_places_does_not_take_memory_by_its_width() -> None:
    one, other = (Choice(name, range(1_000)) for name in ("one", "other"))
    belief = infer(Model(one, other), [one.value().among(range(5))])
    assert belief.entropy((one.value(), other.value())) == pytest.approx(math.log2(5_000))
    third = Choice("third", range(1_000))
    with pytest.raises(CostError, match=r"more than 2,000,000 worlds"):
        infer(Model(one, other, third), method="enumeration")
    belief = infer(Model(one, other, third))
    assert belief.method == "junction_tree"
    with pytest.raises(CostError, match="too many worlds"):
        belief.entropy((one.value(), other.value(), third.value()))


def test_many_questions_are_those_of_a_list() -> None:
    feature = together(WORD.value(), TONE.value())
    rng = np.random.default_rng(2)
    table = rng.integers(0, 4, size=(12, feature.value_count))
    names = [f"question {number}" for number in range(12)]
    belief = infer(Model(WORD, TONE), [WORD.value().weigh((1.0 + CLASSES).tolist())])
    by_array = Questions(feature, table, "abcd", names)
    by_function = Questions(feature, lambda number, places: table[number, places], "abcd", names)
    listed = [
        Question(feature, row, "abcd", name=name) for row, name in zip(table, names, strict=True)
    ]
    for about in (feature, TONE.value(), WORD.value()):
        wanted = belief.information_gain(listed, about=about)
        for questions in (by_array, by_function):
            assert belief.information_gain(questions, about=about) == pytest.approx(
                wanted, abs=1e-9
            )
        ranked = [q.name for q, _ in belief.best_questions(by_array, about=about, n=3)]
        order = sorted(range(12), key=lambda place: -round(float(wanted[place]), 12))
        assert ranked == [names[place] for place in order[:3]]
    after = belief.observe(by_array[4].observed("c"))
    assert after.entropy(feature) == pytest.approx(
        belief.observe(listed[4].observed("c")).entropy(feature), abs=1e-12
    )
    assert [each.name for each in by_array[3:5]] == names[3:5]
    some = np.array([9, 2, 4])
    for questions in (by_array, by_function):
        few = questions.some(some)
        assert [each.name for each in few] == [names[place] for place in some]
        told = belief.information_gain(listed, about=feature)[some]
        assert belief.information_gain(few, about=feature) == pytest.approx(told, abs=1e-9)
    assert by_array[-1].name == "question 11"
    assert len([*by_array]) == len(by_array) == 12


def test_an_answer_by_numbers_is_one_by_chances() -> None:
    codes = np.array([0, 2, 1, 2])
    items = Choice("item", [*"abcd"])
    coded = Question(items.value(), codes, ("x", "y", "z"))
    plain = Question(items.value(), lambda item: {"xyz"[codes["abcd".index(item)]]: 1.0}, "xyz")
    assert (coded.table == plain.table).all()
    belief = infer(Model(items))
    for outcome in "xyz":
        one, other = (belief.observe(each.observed(outcome)) for each in (coded, plain))
        assert one.marginal(items.value()) == other.marginal(items.value())
    about = items.value().among(["a", "b"])
    assert belief.information_gain(coded, about=about) == pytest.approx(
        belief.information_gain(plain, about=about)
    )


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda v: Question(v, np.array([0, 1, 2]), "ab"), r"numbered from 0 to 1.*2"),
        (lambda v: Question(v, np.array([0, -1, 1]), "ab"), r"numbered from 0 to 1.*-1"),
        (lambda v: Question(v, np.array([0, 1]), "ab"), "one row for each of 3 values"),
        (lambda v: Question(v, np.array([0, 1, 1])), "name the outcomes"),
        (lambda v: Questions(v, np.zeros((2, 4), dtype=int), "ab", "pq"), "for each of 3 values"),
        (lambda v: Questions(v, cast(Any, [[*"abc"]]), "abc", "p"), "whole numbers"),
        (lambda v: Questions(v, np.array([[0.5, 1, 1]]), "ab", "p"), "whole numbers"),
        (lambda v: Questions(v, lambda n, p: p[:1], "abc", "p")[0], "one whole number for each"),
        (lambda v: Questions(v, cast(Any, lambda n, p: p / 2), "abc", "p")[0], "one whole number"),
        (lambda v: Questions(v, lambda n, p: p + 1, "abc", "p")[0], r"numbered from 0 to 2.*3"),
        (lambda v: Questions(v, lambda n, p: p - 1, "abc", "p")[0], r"numbered from 0 to 2.*-1"),
        (lambda v: Questions(v, lambda n, p: p, "aab", "p"), "named twice"),
    ],
)  # fmt: skip
def test_wrong_answers_are_refused(wrong: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        wrong(Choice("choice", [*"xyz"]).value())


def test_later_holders_are_asked_about_by_many_questions() -> None:
    deal = Deal({"ace": 2, "king": 3}, holders={"you": 4, "table": 1})
    belief = infer(Model(deal)).observe(deal.split("you", "one", 1))
    feature = deal.count("one", "ace")
    assert feature.late
    questions = Questions(feature, np.array([[0, 1, 1]]), ("no", "yes"), ["an ace?"])
    gain = belief.information_gain(questions, about=deal.item_of("one"))
    assert gain == pytest.approx([entropy(np.array([0.4, 0.6]))], abs=1e-9)


def test_permutations_of_a_list_are_worlds_too() -> None:
    seats = Deal([*"abcdefg"], holders={f"seat {number}": 1 for number in range(7)})
    belief = infer(Model(seats), [seats.item_of("seat 0").equals("c")])
    order = together(*(seats.item_of(f"seat {number}") for number in range(7)))
    found = belief.marginal(together(order, order))
    wanted = {p for p in itertools.permutations("abcdefg") if p[0] == "c"}
    assert {one for one, _ in found} == wanted
    assert [*found.values()] == pytest.approx([1 / 720] * 720)
