"""What makes something certain, and what cannot all be true: sets of which every member counts."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sleuth import Choice, Condition, Deal, Evidence, Model, Posterior, infer, together
from sleuth.beliefs import Reveal
from sleuth.beliefs.engines.enumeration import Enumeration, _none_left
from sleuth.errors import ContradictionError, EvidenceError, UnsupportedError

from ..by_hand import follow, value_in
from ..strategies import Case, Stream, cases, distinct_deals, streams

CARDS = Deal(["a", "b", "c", "d"], holders={"me": 1, "you": 2, "table": 1}, name="cards")


def test_an_engine_that_loses_soft_evidence_is_told_apart_from_evidence_that_contradicts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Enumeration, "solve", lambda _, problem, __: _none_left(problem))
    soft = CARDS.count("you", ["a"]).weigh([1.0, 0.5])
    hard = CARDS.holder_of("b").equals("me").observed()
    for said in ([], [soft], [soft, hard]):
        with pytest.raises(UnsupportedError, match="enumeration found nothing possible"):
            infer(Model(CARDS), said, method="enumeration")
    other = CARDS.holder_of("b").equals("you").observed()
    with pytest.raises(ContradictionError, match="cannot all be true: 'evidence 2', 'evidence 3'"):
        infer(Model(CARDS), [soft, hard, other], method="enumeration")


@pytest.mark.parametrize("wrong", ["bert", CARDS.holder_of("a"), None, Choice("who", ["ann"])])
def test_what_is_no_condition_is_not_explained(wrong: Any) -> None:
    with pytest.raises(EvidenceError, match=r"^explain: .*a condition \(got .*feature\.equals"):
        infer(Model(CARDS)).explain(wrong)


def possible(case: Case, given_: list[Evidence]) -> bool:
    try:
        infer(case.model, given_, method="enumeration")
    except ContradictionError:
        return False
    return True


def named(case: Case) -> list[Evidence]:
    return [evidence.named(f"fact {n}") for n, evidence in enumerate(case.given)]


@st.composite
def tight_cases(draw: st.DrawFn) -> Case:
    """Much hard evidence about few cards, so that it often decides or contradicts."""
    deal = draw(distinct_deals(most=5))
    model = Model(deal)
    facts: list[Evidence] = []
    for _ in range(draw(st.integers(2, 7))):
        item = draw(st.sampled_from([*deal.items]))
        holder = draw(st.sampled_from([*deal.holders]))
        pair = draw(st.lists(st.sampled_from([*deal.items]), min_size=2, max_size=2, unique=True))
        kind = draw(st.sampled_from(["lacks", "lacks", "any", "any", "not both"]))
        if deal.holders[holder] == 0:
            kind = "lacks"
        if kind == "lacks":
            facts.append(deal.lacks(holder, item))
        elif kind == "any":
            facts.append(deal.holds_any(holder, pair))
        else:
            facts.append(deal.which(holder, pair).weigh([1.0, 1.0, 0.5, 0.0], exact=True))
    return Case(model, tuple(facts), (deal.holder_of(draw(st.sampled_from([*deal.items]))),))


@given(case=st.one_of(tight_cases(), cases(most=5)))
@settings(max_examples=120)
def test_a_contradiction_is_irreducible(case: Case) -> None:
    facts = named(case)
    if possible(case, facts):
        return
    with pytest.raises(ContradictionError) as caught:
        infer(case.model, facts)
    members = [fact for fact in facts if fact.id in caught.value.evidence]
    assert len(members) == len(caught.value.evidence) > 0
    assert not possible(case, members)
    for left_out in range(len(members)):
        assert possible(case, members[:left_out] + members[left_out + 1 :])


@given(case=st.one_of(tight_cases(), cases(most=4)))
@settings(max_examples=120)
def test_an_explanation_suffices_and_needs_every_member(case: Case) -> None:
    facts = named(case)
    if not possible(case, facts):
        return
    belief = infer(case.model, facts)
    feature = case.features[0]
    for value in feature.values[:6]:
        condition = feature.equals(value)
        chance = belief.probability(condition)
        if 1e-12 < chance < 1.0 - 1e-12:
            with pytest.raises(EvidenceError, match="neither certain nor impossible"):
                belief.explain(condition)
            continue
        because = belief.explain(condition)
        # What is certain is that the contrary leaves nothing.
        contrary = ~condition if chance > 0.5 else condition
        if not any(contrary.truth):
            assert because == []
            continue
        against = contrary.observed(id="contrary")
        members = [fact for fact in facts if fact.id in because]
        assert len(members) == len(because)
        assert not possible(case, [*members, against])
        for left_out in range(len(members)):
            rest = members[:left_out] + members[left_out + 1 :]
            assert possible(case, [*rest, against])


def test_events_are_named_where_there_are_any() -> None:
    facts = [
        CARDS.lacks("me", ["a", "b"], event=3),
        CARDS.lacks("table", "a", event=5, because="he passed"),
        CARDS.lacks("me", "d", because="a note"),
        CARDS.lacks("table", "b", event=3),
    ]
    belief = infer(Model(CARDS), facts)
    assert belief.explain(CARDS.holder_of("a").equals("you")) == [3, 5]
    # All that event 3 says is one unit, and the note is called by its words.
    assert belief.explain(CARDS.holder_of("c").equals("me")) == [3, "a note"]
    assert belief.explain(CARDS.holder_of("b").equals("table")) == [3]


def test_what_was_certain_from_the_start_needs_no_reason() -> None:
    deal = Deal(["a", "b", "c"], holders={"me": 1, "you": 2}, known={"me": ["a"]})
    belief = infer(Model(deal), [deal.lacks("me", "b", because="a note")])
    assert belief.explain(deal.holder_of("a").equals("me")) == []
    assert belief.explain(deal.holder_of("b").equals("you")) == []
    always = deal.count("me", "a").among([0, 1])
    assert belief.explain(always) == []
    assert belief.explain(~always) == []


def test_soft_evidence_explains_nothing() -> None:
    belief = infer(
        Model(CARDS),
        [
            CARDS.count("me", "a").weigh([1e-6, 1.0], because="a strong hint"),
            CARDS.holds("me", "a", because="seen"),
        ],
    )
    assert belief.explain(CARDS.holder_of("a").equals("me")) == ["seen"]


def test_an_open_condition_says_how_open() -> None:
    belief = infer(Model(CARDS))
    with pytest.raises(EvidenceError, match=r"holder_of\(a\) in me is neither certain.*0\.25"):
        belief.explain(CARDS.holder_of("a").equals("me"))


def test_early_observations_are_preferred() -> None:
    facts = [CARDS.holds("me", "a", id=f"{n}") for n in range(4)]
    belief = infer(Model(CARDS), facts)
    assert belief.explain(CARDS.holder_of("a").equals("me")) == ["0"]


def test_a_choice_that_cannot_be_is_explained_too() -> None:
    habit = Choice("habit", ["hoards", "throws"])
    linked = (habit.value(), CARDS.holder_of("a"))
    model = Model(CARDS, habit)

    def rule(value: tuple[str, str]) -> float:
        return 0.0 if value == ("hoards", "table") else 1.0

    belief = infer(
        model,
        [
            together(*linked).weigh(rule, exact=True, because="the rules"),
            CARDS.holds("table", "a", because="seen"),
        ],
    )
    assert belief.explain(habit.equals("throws")) == ["the rules", "seen"]
    with pytest.raises(ContradictionError) as caught:
        belief.observe(habit.equals("hoards").observed(because="he said so"))
    assert caught.value.evidence == ("the rules", "seen", "he said so")


def test_predictions_never_contradict() -> None:
    mine = CARDS.holder_of("a").equals("me")
    belief = infer(Model(CARDS), [mine, (~mine).predicted(1.0), mine.predicted(0.0)])
    assert belief.probability(mine) == 1.0


def moved() -> tuple[Deal, Posterior]:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    belief = infer(
        Model(deal),
        [
            deal.lacks("pile", "ace", because="the pile"),
            deal.reveal("pile", {"king": 2}, because="turned up"),
            deal.merge(["me", "pile"], into="me"),
            deal.split("you", "claim", 1),
            deal.lacks("me", "ace", because="my hand"),
        ],
    )
    return deal, belief


def test_explanations_reach_back_over_moves() -> None:
    deal, belief = moved()
    both: Condition = deal.count(["you", "claim"], "ace").equals(2)
    assert belief.probability(both) == pytest.approx(1.0)
    assert belief.explain(both) == ["my hand"]
    # Four cards, and there are but two aces.
    assert belief.explain(deal.count("me", "king").at_least(2)) == []


@pytest.mark.parametrize("ids", [True, False])
def test_reveals_are_observations_too(ids: bool) -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    notes: dict[str, Any] = {"id": "one"} if ids else {"because": "one"}
    belief = infer(Model(deal), [deal.reveal("pile", {"ace": 2}, **notes)])
    assert belief.explain(deal.count("me", "ace").equals(0)) == ["one"]


def test_a_reveal_that_later_moves_rest_on_is_explained_like_any_other() -> None:
    # Without what was turned up, evidence tells the parts of the merged hand apart.
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    belief = infer(
        Model(deal),
        [
            deal.holds_any("pile", "ace", because="he said"),
            deal.reveal("pile", {"ace": 2}, because="turned up"),
            deal.merge(["you", "pile"], into="you"),
            deal.split("you", "claim", 1),
            deal.holds("claim", "king", because="shown"),
        ],
    )
    assert belief.explain(deal.count("you", "ace").equals(2)) == ["turned up", "shown"]


@given(stream=streams(), data=st.data())
@settings(max_examples=100)
def test_explanations_over_moves_suffice_and_need_every_member(
    stream: Stream, data: st.DataObject
) -> None:
    steps = [
        replace(step, id=f"fact {n}") if isinstance(step, (Evidence, Reveal)) else step
        for n, step in enumerate(stream.steps)
    ]
    try:
        belief = infer(Model(stream.deal), steps, method="card_by_card")
    except UnsupportedError:
        assume(False)
        return
    holder = data.draw(st.sampled_from(stream.holders))
    feature = stream.deal.count(holder, data.draw(st.sampled_from([*stream.deal.items])))

    def left(names: list[str], contrary: Condition) -> bool:
        """Whether some world has these facts and the contrary, by hand."""
        kept = [
            step for step in steps if not isinstance(step, (Evidence, Reveal)) or step.id in names
        ]
        worlds, _ = follow(Model(stream.deal), kept)
        return any(value_in(contrary, world) for world, _ in worlds)

    for value in feature.values:
        condition = feature.equals(value)
        chance = belief.probability(condition)
        if 1e-12 < chance < 1.0 - 1e-12:
            continue
        contrary = ~condition if chance > 0.5 else condition
        because = [str(unit) for unit in belief.explain(condition)]
        assert not left(because, contrary)
        for name in because:
            assert left([other for other in because if other != name], contrary)


@given(case=tight_cases())
@settings(max_examples=60)
def test_an_explanation_is_the_earliest_of_the_shortest(case: Case) -> None:
    facts = named(case)
    if not possible(case, facts):
        return
    belief, feature = infer(case.model, facts), case.features[0]
    for value, share in belief.marginal(feature).items():
        if share < 1.0 - 1e-12:
            continue
        because = belief.explain(feature.equals(value))
        against = (~feature.equals(value)).observed(id="contrary")
        shorter = itertools.chain.from_iterable(
            itertools.combinations(facts, size) for size in range(len(because) + 1)
        )
        proof = next(some for some in shorter if not possible(case, [*some, against]))
        assert because == [fact.id for fact in proof]
        assert because.shortest
        since = next(
            count
            for count in range(len(facts) + 1)
            if not possible(case, [*facts[:count], against])
        )
        first = facts[since - 1].id if since else None
        assert belief.first_certain(feature.equals(value)) == because.since == first


def test_one_observation_is_named_where_many_before_it_said_the_same() -> None:
    others = [CARDS.lacks(who, "a", because=f"{who} passed") for who in ("me", "table")]
    belief = infer(Model(CARDS), [*others, CARDS.holds("you", "a", because="you showed it")])
    because = belief.explain(CARDS.holder_of("a").equals("you"))
    assert because == ["you showed it"]
    assert because.shortest
    assert because.since == "table passed"
    assert belief.first_certain(CARDS.holder_of("a").equals("you")) == "table passed"
    with pytest.raises(ContradictionError, match="cannot all be true: 'me passed', 'I have it'"):
        belief.observe(CARDS.holds("me", "a", because="I have it"))


def test_what_is_open_was_never_certain() -> None:
    with pytest.raises(EvidenceError, match="neither certain nor impossible"):
        infer(Model(CARDS)).first_certain(CARDS.holder_of("a").equals("me"))
    known = Deal(["a", "b"], holders={"me": 1, "you": 1}, known={"me": ["a"]})
    assert infer(Model(known)).first_certain(known.holder_of("a").equals("me")) is None


def test_a_search_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [
        CARDS.holds_any(["you", who], "a", because=f"not {who}") for who in ("me", "table")
    ] + [CARDS.lacks("table", "b", because="neither b"), CARDS.lacks("table", "a", because="nor a")]
    fact = CARDS.holder_of("a").equals("you")
    monkeypatch.setattr("sleuth.beliefs.explaining.explain.MOST_STEPS", 1.0)
    because = infer(Model(CARDS), others).explain(fact)
    assert (because, because.shortest) == (["not me", "not table"], False)


def test_what_many_choices_say_is_explained_through_all_of_them() -> None:
    # A message is handed on by 150 people; each may forget it, but nobody invents one.
    told = [Choice("told 0", ["yes", "no"])]
    forgets = {"yes": ["yes", "no"], "no": ["no"]}
    for person in range(1, 150):
        told.append(Choice(f"told {person}", forgets, given=told[-1]))
    facts = [
        told[80].equals("yes").observed(because="80 knew it"),
        (told[60].equals("yes") | told[20].equals("yes")).observed(because="one of two"),
        told[20].equals("yes").observed(because="20 knew it"),
    ]
    belief = infer(Model(*told), facts)
    assert belief.method == "junction_tree"
    because = belief.explain(told[0].equals("yes"))
    assert (because, because.shortest, because.since) == (["80 knew it"], True, "80 knew it")
    with pytest.raises(ContradictionError) as caught:
        belief.observe(told[10].equals("no").observed(because="10 did not"))
    assert caught.value.evidence == ("80 knew it", "10 did not")
    assert belief.first_certain(told[15].equals("yes")) == "80 knew it"


PACK = Deal(
    {"ace": 1, "king": 1, "ten": 2},
    holders={"me": 1, "turn": 1, "deck": 2},
    known={"me": ["ace"]},
)
TURNED = PACK.reveal("turn", ["king"], because="the turn")


@pytest.mark.parametrize(
    "given, words",
    [
        (PACK.reveal("turn", ["ace"]), "'ace' is with 'me', as known= of 'deal' declares"),
        (PACK.holds("deck", "ace"), "'ace' is with 'me', as known= of 'deal' declares"),
        (PACK.holder_of("ace").equals("turn"), "'ace' is with 'me'"),
        ([TURNED, PACK.holds("deck", "king")], "'the turn'.*'king' was revealed with 'turn'"),
        ([TURNED, PACK.lacks("deck", "ten")], "cannot all be true: [^;]*$"),
        (PACK.count("me", ["king", "ten"]).equals(1), "cannot all be true: [^;]*$"),
        (
            [PACK.split("me", "card", 1), PACK.reveal("card", ["king"])],
            "cannot all be true: [^;]*$",
        ),
    ],
)
def test_who_says_where_an_item_is_not_is_told_who_has_it(given: Any, words: str) -> None:
    with pytest.raises(ContradictionError, match=words):
        infer(Model(PACK), given)
