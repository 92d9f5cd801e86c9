"""Many continuations of one past say what each says alone, by whichever way they are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Feature, Model, Posterior, Walk, count_of, infer, together
from sleuth.beliefs.asking import weighing
from sleuth.beliefs.asking.continuations import Continuations
from sleuth.errors import ContradictionError, EvidenceError

from ..by_hand import by_hand, entropy
from ..engines.games import cheat, clue_game, mixed, mystery
from ..strategies import Case, Stream, cases, evidence, features, streams
from ..walks import streams as paths

CARDS = Deal(["ace", "king", "queen", "jack"], holders={"me": 1, "you": 1, "table": 2})
MINE = CARDS.holds("me", "ace", because="my hand")

#: Worlds are weighed, joints are read off, and each is observed by itself.
WAYS = {"worlds": (2_000, 1 << 22), "joints": (0, 1 << 22), "alone": (0, 0)}


@pytest.fixture(params=[*WAYS])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    worlds, cells = WAYS[request.param]
    monkeypatch.setattr(weighing, "MOST_WORLDS", worlds)
    monkeypatch.setattr(weighing, "MOST_CELLS", cells)
    return request.param


def solved(case: Case, **options: Any) -> Posterior | None:
    try:
        return infer(case.model, case.given, **options)
    except ContradictionError:
        return None


def observed(belief: Posterior, given: Any, about: Feature) -> tuple[float, Any]:
    """The same of one continuation, by observing it."""
    try:
        after = belief.observe(given)
    except ContradictionError:
        return 0.0, np.full(about.value_count, np.nan)
    return math.exp(after.log_evidence - belief.log_evidence), after.distribution(about)


def agree(found: Continuations, wanted: Sequence[tuple[float, Any]]) -> None:
    assert len(found) == len(wanted)
    for place, (chance, shares) in enumerate(wanted):
        assert found.probabilities[place] == pytest.approx(chance, rel=1e-9, abs=1e-12)
        np.testing.assert_allclose(found.distributions[place], shares, rtol=0, atol=1e-9)
        assert found.possible[place] == (chance > 0.0)
        if chance > 0.0:
            assert found.entropies[place] == pytest.approx(entropy(shares), abs=1e-8)
        else:
            assert math.isnan(found.entropies[place])


# -- by hand


def test_what_each_would_leave(way: str) -> None:
    belief = infer(Model(CARDS), [MINE])
    king = CARDS.holder_of("king")
    found = belief.after_each(
        [
            [],
            CARDS.lacks("you", "king"),
            [CARDS.lacks("you", "king"), CARDS.lacks("you", "queen")],
            CARDS.holder_of("jack").equals("table"),
            CARDS.holds("me", "king"),
            king.weigh({"me": 0.5, "you": 0.8, "table": 0.2}),
        ],
        about=king,
    )
    assert found.values == ("me", "you", "table")
    assert found.probabilities.tolist() == pytest.approx([1, 2 / 3, 1 / 3, 2 / 3, 0, 0.4])
    np.testing.assert_allclose(
        found.distributions,
        [
            [0, 1 / 3, 2 / 3],
            [0, 0, 1],
            [0, 0, 1],
            [0, 1 / 2, 1 / 2],
            [np.nan] * 3,
            [0, 2 / 3, 1 / 3],
        ],
        atol=1e-12,
    )
    third = math.log2(3.0) - 2 / 3
    assert found.entropies.tolist() == pytest.approx([third, 0, 0, 1, math.nan, third], nan_ok=True)
    assert found.possible.tolist() == [True] * 4 + [False, True]


@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "auto"])
@given(case=cases(most=3), data=st.data())
@settings(max_examples=12)
def test_each_leaves_what_is_left_of_all_worlds_by_hand(
    method: str, case: Case, data: st.DataObject
) -> None:
    belief = solved(case, method=method)
    if belief is None:
        return
    said = st.one_of(evidence(case.model), st.lists(evidence(case.model), max_size=3))
    several = data.draw(st.lists(said, min_size=1, max_size=4))
    # Some weigh the same.
    several += data.draw(st.lists(evidence(case.model, case.features[1]), max_size=3))
    about = data.draw(features(case.model))
    before = by_hand(case.model, case.given)
    wanted: list[tuple[float, Any]] = []
    for each in several:
        after = by_hand(case.model, [*case.given, *(each if isinstance(each, list) else [each])])
        shares = after.distribution(about) if after.total else np.full(about.value_count, np.nan)
        wanted.append((after.total / before.total, shares))
    for worlds, cells in WAYS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(weighing, "MOST_WORLDS", worlds)
            patch.setattr(weighing, "MOST_CELLS", cells)
            agree(belief.after_each(several, about=about), wanted)


# -- engines


@given(stream=streams(), data=st.data())
@settings(max_examples=15)
def test_moves_are_observed(stream: Stream, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(stream.steps)))
    belief = infer(Model(stream.deal), stream.steps[:cut])
    stay = [holder for holder in stream.deal.holders if holder in stream.holders]
    if not stay:
        return
    about = stream.deal.count(stay[0], [*stream.deal.items][:2])
    several = [stream.steps[cut:], stream.steps[cut : cut + 1], []]
    agree(
        belief.after_each(several, about=about),
        [observed(belief, each, about) for each in several],
    )


@pytest.mark.parametrize("method", ["forward_filter", "enumeration"])
@given(stream=paths(), data=st.data())
@settings(max_examples=10)
def test_walks(method: str, stream: Any, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(stream.given)))
    try:
        belief = infer(stream.model, stream.given[:cut], method=method)
    except ContradictionError:
        return
    several = [
        *([place] for place in stream.given[cut:]),
        stream.given[cut:],
        together(stream.walk.at(), stream.kind.value()).equals(("a", stream.kind.options[0])),
    ]
    several = [each for each in several if _fits(belief, each)]
    about = stream.walk.at()
    agree(
        belief.after_each(several, about=about),
        [observed(belief, each, about) for each in several],
    )


def _fits(belief: Posterior, given: Any) -> bool:
    try:
        belief.observe(given)
    except ContradictionError:
        return True
    except EvidenceError:
        return False
    return True


@pytest.mark.parametrize("method", ["card_by_card", "enumeration"])
def test_a_game_of_clue(method: str, way: str) -> None:
    deal, given_ = clue_game(3, 8)
    belief = infer(Model(deal), given_, method=method)
    case_file = together(*(deal.single("case file", kind) for kind in deal.categories))
    _, more = clue_game(3, 14)
    rooms = [*deal.items][12:]
    several: list[Any] = [*more[8:], more[8:11], deal.count("bob", rooms).equals(3)]
    several += [deal.lacks(["bob", "cem"], rooms[place : place + 3]) for place in range(4)]
    several += [deal.holder_of(room).equals("case file") for room in rooms]
    agree(
        belief.after_each(several, about=case_file),
        [observed(belief, each, case_file) for each in several],
    )


def test_many_answers_where_many_deals_are_left() -> None:
    deal, given_ = clue_game(5, 1, own_hand=False)
    belief = infer(Model(deal), given_, method="card_by_card")
    case_file = together(*(deal.single("case file", kind) for kind in deal.categories))
    cards = [*deal.items]
    several: list[Any] = []
    for place in range(5):
        lies = together(*(deal.holder_of(card) for card in cards[place : place + 13 : 6]))
        several += [lies.equals(lies.values[number]) for number in (7, 21, 42, 63)]
        several.append(lies.weigh(np.linspace(0.1, 1.0, lies.value_count).tolist()))
    agree(
        belief.after_each(several, about=case_file),
        [observed(belief, each, case_file) for each in several],
    )


@pytest.mark.parametrize("method", ["type_counting", "card_by_card"])
def test_identical_copies_and_claims(method: str) -> None:
    model, given_ = cheat()
    (deal,) = model.variables
    assert isinstance(deal, Deal)
    belief = infer(model, given_[:3], method=method)
    about = deal.count("you", "king")
    several = [
        given_[3:5],
        deal.all_of("claim", "ace"),
        deal.all_of("claim", "ace").predicted(0.7),
        deal.all_of("claim", "ace").predicted(0.7, given=0.4),
        [deal.all_of("claim", "ace"), deal.count("you", "ace").equals(2)],
        deal.count("claim", "two").weigh([0.5, 0.2, 0.3]),
        deal.reveal("claim", {"king": 2}),
    ]
    agree(
        belief.after_each(several, about=about),
        [observed(belief, each, about) for each in several],
    )


def test_several_variables_together(way: str) -> None:
    model, given_ = mixed()
    red, _, kind, mood = model.variables
    assert isinstance(red, Deal)
    assert isinstance(kind, Choice)
    assert isinstance(mood, Choice)
    belief = infer(model, given_)
    about = together(mood.value(), red.holder_of("a"))
    several = [
        kind.value().weigh([0.1, 0.7, 0.4]),
        count_of([red.holder_of("b").equals("x"), kind.value().equals("shy")]).equals(1),
        [mood.value().equals("bad"), red.all_of("x", "c")],
        red.which("y", ["a", "d"]).equals(("a",)),
    ]
    agree(
        belief.after_each(several, about=about),
        [observed(belief, each, about) for each in several],
    )


def test_weights_that_are_too_far_apart_for_floats_are_not_lost() -> None:
    belief = infer(Model(CARDS), [MINE])
    queen = CARDS.holder_of("queen")
    tiny = [queen.weigh([1.0, 1e-180, 1e-200]), CARDS.which("you", ["queen"]).weigh([1e-150, 1.0])]
    kept = CARDS.holder_of("king").equals("you")
    found = belief.after_each([[*tiny, kept]], about=queen)
    assert found.entropies[0] == pytest.approx(0.0, abs=1e-12)
    assert found.distributions[0].tolist() == pytest.approx([0.0, 0.0, 1.0])


# -- approximate methods


@pytest.mark.parametrize("method", ["rejection", "likelihood_weighting", "metropolis", "particles"])
def test_a_method_that_samples_weighs_the_worlds_that_it_has(method: str, way: str) -> None:
    deal, given_ = mystery()
    if way == "alone":
        pytest.skip("other worlds are drawn where each is observed")
    belief = infer(Model(deal), given_, method=method, samples=400, seed=3)
    about = deal.holder_of("room 2")
    likes = deal.holder_of("weapon 2").weigh([0.1, 0.2, 0.4, 0.8])
    found = belief.after_each([likes, deal.holds("ann", "room 2")], about=about)
    joint = belief.joint(deal.holder_of("weapon 2"), about)
    weighed = np.zeros(about.value_count)
    for (weapon, room), share in joint.items():
        weight = float(likes.table[likes.feature.places[weapon]])
        weighed[about.places[room]] += share * weight
    assert found.probabilities.tolist() == pytest.approx([weighed.sum(), 0.0])
    assert found.distributions[0].tolist() == pytest.approx((weighed / weighed.sum()).tolist())


# -- the answer, and what is refused


def test_a_frame_has_a_row_for_each_value_that_is_left() -> None:
    belief = infer(Model(CARDS), [MINE])
    king = CARDS.holder_of("king")
    frame = belief.after_each(
        [CARDS.holder_of("jack").equals("table"), CARDS.holds("me", "king")], about=king
    ).to_frame()
    assert [*frame.columns] == ["continuation", "probability", "entropy", "value", "share"]
    assert frame["continuation"].tolist() == [0, 0, 1]
    assert frame["value"].tolist()[:2] == ["you", "table"]
    assert frame["value"].isna().tolist() == [False, False, True]
    assert frame["share"].tolist() == pytest.approx([0.5, 0.5, math.nan], nan_ok=True)
    assert frame["probability"].tolist() == pytest.approx([2 / 3, 2 / 3, 0.0])


def test_no_continuations_are_no_rows() -> None:
    found = infer(Model(CARDS), [MINE]).after_each([], about=CARDS.holder_of("king"))
    assert len(found) == 0
    assert found.distributions.shape == (0, 3)
    assert len(found.to_frame()) == 0


def test_the_belief_stays_as_it_is() -> None:
    belief = infer(Model(CARDS), [MINE])
    before = belief.marginal(CARDS.holder_of("king"))
    table = CARDS.holder_of("king").weigh([1.0, 0.5, 0.25])
    belief.after_each([table, [table, table.named("again")]], about=CARDS.holder_of("king"))
    assert belief.marginal(CARDS.holder_of("king")) == before
    assert table.table.tolist() == [1.0, 0.5, 0.25]


@pytest.mark.parametrize(
    "given_, words",
    [
        (CARDS.holds("you", "king"), "list of continuations"),
        ("king", "list of continuations"),
        ([3], "not evidence"),
        ([[CARDS.holds("you", "king"), "king"]], "not evidence"),
        ([CARDS.holds("you", "king", id="my hand")], "one id"),
        ([Choice("gold", ["left", "right"]).value().equals("left")], "gold"),
    ],
)
def test_what_is_no_list_of_evidence_is_refused(given_: Any, words: str) -> None:
    belief = infer(Model(CARDS), [MINE])
    with pytest.raises(EvidenceError, match=words):
        belief.after_each(given_, about=CARDS.holder_of("king"))


def test_what_has_too_many_values_is_refused() -> None:
    deal = Deal([*"abcdefghijklm"], holders={"me": 4, "you": 4, "they": 5})
    every = together(
        *(deal.holder_of(item) for item in deal.items), deal.which("me", [*"abcdefgh"])
    )
    with pytest.raises(EvidenceError, match="values"):
        infer(Model(deal)).after_each([deal.holds("me", "a")], about=every)


def test_a_walk_is_asked_where_it_will_be() -> None:
    streets = {1: [2, 3], 2: [1], 3: [1]}
    thief = Walk("thief", positions=streets, start=[1])
    belief = infer(Model(thief))
    found = belief.after_each(
        [thief.step(streets), thief.seen_at(1), [thief.step(streets), thief.not_at(3)]],
        about=thief.at(),
    )
    np.testing.assert_allclose(
        found.distributions, [[0, 0.5, 0.5], [1, 0, 0], [0, 1, 0]], atol=1e-12
    )
