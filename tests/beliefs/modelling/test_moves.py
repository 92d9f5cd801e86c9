"""Holders come and go: splits, merges and reveals, against worlds moved card by card by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Model, Posterior, Question, infer, together
from sleuth.beliefs.saving.files import from_json, to_json
from sleuth.errors import ContradictionError, EvidenceError, UnsupportedError

from ..by_hand import ByHand, follow
from ..strategies import Stream, evidence, streams


def solved(stream: Stream, method: str) -> Posterior:
    try:
        return infer(Model(stream.deal), stream.steps, method=method)
    except UnsupportedError:
        # Refused, never answered wrongly: some evidence is not for every engine.
        assert method == "type_counting"
        assume(False)
        raise


@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "type_counting", "deal_filter"])
@given(stream=streams(), data=st.data())
@settings(max_examples=60)
def test_moves_are_what_they_do_to_every_world(
    method: str, stream: Stream, data: st.DataObject
) -> None:
    posterior = solved(stream, method)
    truth = ByHand(stream.worlds, [])
    assert sorted(posterior.holders(stream.deal)) == sorted(stream.holders)
    table, wanted = posterior.table(stream.deal), truth.table(stream.deal)
    for item, shares in table.items():
        for holder, share in shares.items():
            assert share == pytest.approx(wanted[item].get(holder, 0.0), abs=1e-12)
    for _ in range(2):
        holders = data.draw(
            st.lists(st.sampled_from(stream.holders), min_size=1, max_size=3, unique=True)
        )
        items = data.draw(
            st.lists(st.sampled_from([*stream.deal.items]), min_size=1, max_size=3, unique=True)
        )
        feature = stream.deal.count(holders, items).on(posterior.problem.layout)
        np.testing.assert_allclose(
            posterior.distribution(feature), truth.distribution(feature), rtol=0, atol=1e-12
        )


@given(stream=streams())
@settings(max_examples=100)
def test_log_evidence_is_the_weight_that_is_left(stream: Stream) -> None:
    posterior = solved(stream, "card_by_card")
    _, left = follow(Model(stream.deal), stream.steps)
    assert posterior.log_evidence == pytest.approx(math.log(left), abs=1e-11)


@given(stream=streams(most=4))
@settings(max_examples=60)
def test_one_step_at_a_time_is_all_steps_at_once(stream: Stream) -> None:
    batch = solved(stream, "card_by_card")
    current = infer(Model(stream.deal), method="card_by_card")
    earlier: list[tuple[Posterior, float]] = []
    for step in stream.steps:
        earlier.append((current, current.log_evidence))
        current = current.observe(step)
    assert current.log_evidence == pytest.approx(batch.log_evidence, abs=1e-12)
    for item, shares in current.table(stream.deal).items():
        assert shares == pytest.approx(batch.table(stream.deal)[item], abs=1e-13)
    # The old posteriors still answer, about the holders there were.
    for posterior, log_evidence in earlier:
        assert posterior.log_evidence == log_evidence
        assert sum(posterior.table(stream.deal)[next(iter(stream.deal.items))].values()) > 0


@given(data=st.data())
@settings(max_examples=60)
def test_a_split_is_the_new_holder_declared_from_the_start(
    data: st.DataObject,
) -> None:
    copies = data.draw(st.dictionaries(st.sampled_from("abc"), st.integers(1, 3), min_size=2))
    total = sum(copies.values())
    assume(total >= 3)
    hand = data.draw(st.integers(2, total - 1))
    part = data.draw(st.integers(1, hand - 1))
    late = Deal(copies, holders={"you": hand, "table": total - hand})
    early = Deal(copies, holders={"you": hand - part, "table": total - hand, "claim": part})
    move = late.split("you", "claim", part)
    given_late = [data.draw(evidence(Model(early))) for _ in range(2)]
    try:
        split = infer(Model(late), [move, *given_late])
        declared = infer(Model(early), given_late)
    except ContradictionError:
        return
    assert split.log_evidence == pytest.approx(declared.log_evidence, abs=1e-12)
    for item, shares in declared.table(early).items():
        assert split.table(late)[item] == pytest.approx(shares, abs=1e-13)


def test_a_split_and_merge_changes_nothing() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 3, "you": 3})
    before = infer(Model(deal), [deal.count("you", "ace").weigh([1.0, 2.0, 4.0])])
    after = before.observe(deal.split("you", "claim", 2), deal.merge(["you", "claim"], into="you"))
    assert after.holders(deal) == before.holders(deal)
    for item, shares in before.table(deal).items():
        assert after.table(deal)[item] == pytest.approx(shares, abs=1e-14)
    assert after.log_evidence == pytest.approx(before.log_evidence, abs=1e-14)


def test_a_merged_holder_that_evidence_does_not_tell_apart_can_be_split_again() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    pile = infer(Model(deal), [deal.merge(["you", "pile"], into="you")])
    belief = pile.observe(deal.split("you", "claim", 3))
    assert belief.table(deal)["ace"] == pytest.approx({"me": 2 / 3, "you": 1 / 3, "claim": 1.0})


def test_cards_that_were_seen_stay_known_wherever_they_go() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"you": 2, "pile": 2, "table": 2})
    belief = infer(
        Model(deal),
        [deal.reveal("pile", {"ace": 2}), deal.merge(["you", "pile"], into="you")],
    )
    assert belief.table(deal)["ace"]["you"] == pytest.approx(2.0)
    belief = belief.observe(deal.split("you", "claim", 1))
    # One of four cards, two of which are aces.
    assert belief.table(deal)["ace"] == pytest.approx({"you": 1.5, "table": 0.0, "claim": 0.5})
    assert belief.log_evidence == pytest.approx(math.log(1 / 15))


def test_evidence_about_a_past_holder_is_refused_with_those_there_are() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    past = deal.count("pile", "ace")
    belief = infer(Model(deal), [deal.merge(["me", "pile"], into="me")])
    for ask in (
        lambda: belief.marginal(past),
        lambda: belief.observe(past.weigh([1.0, 2.0, 3.0])),
        lambda: belief.observe(deal.lacks("pile", "ace")),
        lambda: belief.observe(deal.split("pile", "claim", 1)),
        lambda: belief.observe(deal.reveal("pile", {"ace": 2})),
    ):
        with pytest.raises(EvidenceError, match=r"no such holder now.*'pile'.*me, you"):
            ask()


def test_the_old_posterior_stays_valid() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    old = infer(Model(deal), [deal.holds("me", "ace")])
    before = (old.table(deal), old.log_evidence, old.holders(deal))
    new = old.observe(deal.merge(["me", "pile"], into="me"), deal.split("you", "claim", 1))
    assert (old.table(deal), old.log_evidence, old.holders(deal)) == before
    assert old.marginal(deal.count("pile", "ace"))[0] > 0.0
    assert new.holders(deal) == ["me", "you", "claim"]


@pytest.mark.parametrize(
    "steps, words",
    [
        (lambda d: [d.split("you", "claim", 3)], "'you' has only 2 items.*3"),
        (
            lambda d: [d.split("you", "claim", 1), d.split("me", "claim", 1)],
            "a new holder needs a new name.*'claim'",
        ),
        (lambda d: [d.merge(["you", "me"], into="pile")], "exists and is not among those merged"),
        (lambda d: [d.reveal("you", {"ace": 1})], "'you' has 2 items; all of them.*'ace': 1"),
    ],
)
def test_moves_that_cannot_be_made_are_refused(steps: Any, words: str) -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    with pytest.raises(EvidenceError, match=words):
        infer(Model(deal), steps(deal))


def test_a_second_reveal_cannot_show_what_the_first_has() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    steps = [
        deal.reveal("me", {"ace": 2}, because="mine"),
        deal.reveal("you", {"ace": 1, "king": 1}, because="yours"),
    ]
    with pytest.raises(EvidenceError, match="'you' cannot have 1 of 'ace'"):
        infer(Model(deal), steps, method="card_by_card")
    with pytest.raises(ContradictionError, match="'mine', 'yours'"):
        infer(Model(deal), steps)


def test_a_merged_holder_whose_parts_differ_is_split_from_all_of_them() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    steps = [
        deal.count("pile", "ace").weigh([1.0, 2.0, 3.0]),
        deal.merge(["you", "pile"], into="you"),
    ]
    belief = infer(Model(deal), steps)
    before = belief.marginal(deal.count("you", "ace"))
    belief = belief.observe(deal.split("you", "claim", 1))
    assert belief.marginal(deal.count(["you", "claim"], "ace")) == pytest.approx(before)
    expected = sum(count * share for count, share in before.items())
    assert belief.table(deal)["ace"]["claim"] == pytest.approx(expected / 4)


def test_parts_that_differ_in_too_many_ways_are_refused() -> None:
    deal = Deal(dict.fromkeys("abcdefghijk", 4), holders={"you": 22, "pile": 22})
    steps = [
        *(deal.count("pile", word).weigh([1.0, 2.0, 3.0, 4.0, 5.0]) for word in deal.items),
        deal.merge(["you", "pile"], into="you"),
        deal.split("you", "claim", 2),
    ]
    words = r"the parts of 'you' apart in too many ways"
    with pytest.raises(UnsupportedError, match=rf"{words}.*reveal.*more than 131,072 states"):
        infer(Model(deal), steps)
    with pytest.raises(UnsupportedError, match=rf"{words}.*take method='deal_filter'"):
        infer(Model(deal), steps, method="card_by_card")


def test_more_holders_than_there_are_places_for_are_refused() -> None:
    deal = Deal({"card": 140}, holders={"deck": 140})
    moves = [deal.split("deck", f"pile {n}", 1) for n in range(126)]
    belief = infer(Model(deal), moves, method="type_counting")
    with pytest.raises(UnsupportedError, match="too many holders"):
        belief.observe(deal.split("deck", "one more", 1))


def test_what_is_revealed_contradicts_what_was_certain() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    belief = infer(Model(deal), [deal.lacks("you", "ace", because="you passed")])
    with pytest.raises(ContradictionError) as caught:
        belief.observe(deal.reveal("you", {"ace": 1, "king": 1}, because="you showed"))
    assert caught.value.evidence == ("you passed", "you showed")


@pytest.mark.parametrize("nothing", [{}, []])
def test_an_empty_hand_can_be_revealed(nothing: Any) -> None:
    deal = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2, "nobody": 0})
    before = infer(Model(deal))
    after = before.observe(deal.reveal("nobody", nothing, because="an empty hand"))
    assert after.table(deal) == before.table(deal)
    assert Posterior.restored(from_json(to_json(after.pieces()))).history == after.history
    with pytest.raises(EvidenceError, match="'me' has 2 items; all of them"):
        before.observe(deal.reveal("me", nothing))


def test_a_revealed_hand_can_be_taken_back() -> None:
    deal = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "pile": 2})
    hint = deal.count("you", "ace").weigh([1.0, 2.0, 3.0])
    before = infer(Model(deal), [hint])
    after = before.observe(deal.reveal("me", {"ace": 2}, because="my hand"))
    assert after.retract("my hand").table(deal) == before.table(deal)


def test_sites_of_revealed_copies_stand_in_a_fixed_order() -> None:
    deal = Deal(dict.fromkeys("abcdefg", 3), holders={"me": 7, "deck": 14})
    seen = deal.reveal("me", dict.fromkeys("gfedcba", 1))
    belief = infer(Model(deal), [seen], method="card_by_card")
    names = [item for _, item in belief.problem.layout.site_names]
    assert names == [*"abcdefg", *"abcdefg"]


def test_holders_that_moves_made_are_weighed_and_asked_by_name() -> None:
    cards = Deal(list("abc"), holders={"me": 2, "you": 1})
    belief = infer(Model(cards), cards.split("me", "part", 1))
    one, both = cards.holder_of("a"), together(cards.holder_of("a"), cards.holder_of("b"))
    chances = {"me": {"no": 1.0}, "you": {"no": 1.0}, "part": {"no": 0.5, "yes": 0.5}}
    for ask in (
        lambda: belief.observe(one.weigh(lambda who: 1.0 + (who == "part"))),
        lambda: belief.observe(both.weigh(lambda two: 1.0 + (two[0] == "part"))),
        lambda: belief.probability(one.satisfies(lambda who: who == "part")),
        lambda: belief.information_gain(Question(one, lambda who: {who: 1.0}), about=one),
    ):
        with pytest.raises(EvidenceError, match=r"holder_of\('[ab]', also=\['part'\]\)"):
            ask()
    for made in (lambda: one.weigh(dict.fromkeys(chances, 1.0)), lambda: Question(one, chances)):
        with pytest.raises(EvidenceError, match=r"no such value.*also=\['part'\]"):
            made()
    named = cards.holder_of("a", also=["part"])
    assert named.values == ("me", "you", "part")
    third = {who: pytest.approx(1 / 3) for who in named.values}
    assert belief.marginal(named) == belief.marginal(one) == third
    assert belief.probability(named.satisfies(lambda who: who == "part")) == third["part"]
    for seen in (
        named.weigh(dict.fromkeys(["me", "you"], 1.0) | {"part": 2.0}),
        named.weigh([1.0, 1.0, 2.0]),
        together(named, cards.holder_of("b", also="part")).weigh(
            lambda two: 1.0 + (two[0] == "part")
        ),
    ):
        after = belief.observe(seen)
        assert after.marginal(one) == pytest.approx({"me": 0.25, "you": 0.25, "part": 0.5})
        assert after.log_evidence == pytest.approx(math.log(4 / 3))
    said = belief.observe(Question(named, chances).observed("no"))
    assert said.marginal(one) == pytest.approx({"me": 0.4, "you": 0.4, "part": 0.2})
    with pytest.raises(EvidenceError, match=r"no such holder now \(got 'prt'\); did you mean"):
        belief.observe(cards.holder_of("a", also=["part", "prt"]).weigh([1.0, 1.0, 2.0, 2.0]))


def test_a_weight_may_need_a_holder_that_has_grown() -> None:
    cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2, "table": 0})
    both = cards.count("table", "ace").weigh(lambda aces: float(aces == 2), exact=True)
    with pytest.raises(EvidenceError, match="never be true as the holders are now"):
        infer(Model(cards), both)
    belief = infer(Model(cards), [cards.merge(["me", "table"], "table"), both])
    assert belief.log_evidence == pytest.approx(math.log(1 / 6))
    with pytest.raises(EvidenceError, match="zero everywhere"):
        cards.count("table", "ace").weigh(lambda aces: 0.0, exact=True)


def test_a_holder_is_split_beside_a_choice_of_many_values() -> None:
    number = Choice("number", range(300))
    cards = Deal(["a", "b", "c"], holders={"you": 3})
    said = together(number.value(), cards.holder_of("a")).weigh(
        lambda value: 3.0 if value == (7, "you") else 1.0
    )
    belief = infer(Model(number, cards), [said, cards.split("you", "part", 1)])
    assert belief.probability(cards.holder_of("a").equals("part")) == pytest.approx(
        1 / 3, rel=1e-12
    )
    assert belief.probability(number.equals(7)) == pytest.approx(3 / 302, rel=1e-12)
