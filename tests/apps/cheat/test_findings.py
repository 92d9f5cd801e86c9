"""Players of recorded matches of Cheat get to be known, by what was turned up and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given as given_by
from hypothesis import settings
from hypothesis import strategies as st

from sleuth.apps.cheat.findings import CheatAnalysis, CheatFindings, Lesson
from sleuth.beliefs.games.cheat.judges import AcquaintedTruth
from sleuth.beliefs.games.cheat.play import may_call
from sleuth.errors import RecordError
from sleuth.games.cheat import CheatRecord, Offset, analyse, rows_of, seen_in, simulate, summary
from sleuth.predictors import Predictor
from sleuth.training.cheat.adapting import adapted

from .games import page, predictor


@cache
def match() -> tuple[CheatRecord, ...]:
    return simulate(2, seed=33, games=4)


SPREAD = 0.9


def differing(spread: float = SPREAD) -> Predictor:
    """The predictor made by hand, of players who differ."""
    made = predictor()
    return replace(made, card={**made.card, "spread": spread})


@cache
def analysed(number: int) -> CheatAnalysis:
    return analyse(seen_in(match(), number, None), predictor=differing())


def findings(number: int) -> CheatFindings:
    return analysed(number).findings


def heard(
    records: Sequence[CheatRecord], number: int, observer: str
) -> tuple[list[float], tuple[int, float]]:
    """All that one player predicts in a game, and what they have learned in the end."""
    recorded = seen_in(records, number, observer)
    truth = recorded.belief(recorded.viewers[0], differing()).truth
    assert isinstance(truth, AcquaintedTruth)
    moments = [*recorded.observed(recorded.viewers[0])]
    found = [truth(each.view, each.seen) for each in moments if may_call(each.view)]
    knows = truth.learned(moments[-1].view, moments[-1].seen)
    return found, (knows.seen, knows.offset.mean)


def test_an_analysis_predicts_what_training_was_judged_by() -> None:
    rows = rows_of(match())
    anybody = differing()(rows.features)
    known = adapted(rows, rows.labels["true"], anybody, SPREAD)
    for number in range(1, len(match()) + 1):
        claims = {each.turn: each for each in findings(number).claims}
        own = np.flatnonzero(rows.game == number)
        assert len(own) > 5
        for place in own.tolist():
            claim = claims[int(rows.turn[place])]
            assert claim.anybody == pytest.approx(anybody[place], abs=1e-12)
            assert claim.predicted == pytest.approx(known[place], abs=1e-12)
        unasked = claims.keys() - {int(turn) for turn in rows.turn[own]}
        assert all(claims[turn].predicted is None for turn in unasked)
    assert np.abs(known - anybody).max() > 0.1


def test_somebody_unknown_is_predicted_as_anybody_until_a_claim_of_his_is_turned_up() -> None:
    found = findings(1)
    first_call = next(turn for turn, each in enumerate(match()[0].turns, 1) if each.kind == "call")
    before = [claim for claim in found.claims if claim.turn < first_call]
    assert before
    assert all(claim.predicted == claim.anybody for claim in before)
    assert any(claim.predicted != claim.anybody for claim in findings(2).claims[:2])


def test_a_prediction_is_set_against_counting_in_the_place_of_the_plain_one() -> None:
    """After a call the pile has one claim, so the prediction of it is what is said in the end."""
    turns = match()[2].turns
    alone = [
        claim
        for claim in findings(3).claims
        if claim.certain is None and claim.turn > 1 and turns[claim.turn - 2].kind == "call"
    ]
    assert alone
    for claim in alone:
        assert claim.predicted != claim.anybody
        assert claim.joined == pytest.approx(claim.predicted)


@settings(max_examples=25, deadline=None)
@given_by(st.integers(1, 4), st.data())
def test_nothing_later_changes_what_was_said(number: int, data: st.DataObject) -> None:
    record = match()[number - 1]
    cut = data.draw(st.integers(0, len(record.turns)))
    name = data.draw(st.sampled_from(record.players))
    begun = replace(record, turns=record.turns[:cut], winner=None)
    short = [CheatRecord.from_json(begun.to_json()) if each is record else each for each in match()]
    early, late = heard(short, number, name)[0], heard(match(), number, name)[0]
    assert early == late[: len(early)]
    # Nor does it matter what comes after the game in the file.
    assert heard(match()[:number], number, name) == heard(match(), number, name)


def otherwise(record: CheatRecord, by: int) -> Iterator[CheatRecord]:
    """The game with another card in a claim that was never turned up."""
    last = max(turn for turn, each in enumerate(record.turns) if each.kind == "call")
    for turn, each in enumerate(record.turns):
        if turn < last or each.by != by or each.kind != "claim":
            continue
        for rank in range(13):
            cards = (rank,) * each.count
            if cards == each.cards:
                continue
            turns = [*record.turns[:turn], replace(each, cards=cards), *record.turns[turn + 1 :]]
            try:
                yield CheatRecord.from_json(replace(record, turns=tuple(turns)).to_json())
            except RecordError:
                continue


def test_what_was_never_turned_up_in_an_earlier_game_says_nothing() -> None:
    tried = 0
    for place, record in enumerate(match()[:-1]):
        for name in record.players:
            for changed in otherwise(record, 1 - record.players.index(name)):
                tried += 1
                games = [*match()[:place], changed, *match()[place + 1 :]]
                assert heard(games, 4, name) == heard(match(), 4, name)
                one, two = (seen_in(each, 4, name) for each in (games, match()))
                assert one.digest == two.digest
    assert tried > 3


def test_only_games_against_him_that_one_has_seen_are_learned_from() -> None:
    first, second = match()[0], match()[1]
    name = first.players[0]
    assert len(seen_in(match(), 4, name).earlier) == 3
    stranger = json.loads(json.dumps(first.to_json()).replace(f'"{first.players[1]}"', '"Zoe"'))
    met = seen_in([CheatRecord.from_json(stranger), second], 2, name)
    assert met.earlier == ()
    hidden = replace(first, hands=(None, first.hands[1]))
    assert seen_in([hidden, second], 2, name).before.sum() > 0
    other_match = replace(first, match="another")
    assert seen_in([other_match, second], 2, name).earlier == ()
    alone = heard([other_match, second], 2, name)
    assert heard([hidden, second], 2, name) == alone != heard([first, second], 2, name)
    # The order in which games stand in the file is none of theirs.
    assert heard(match()[::-1], 1, name) == heard(match(), 4, name)


def test_the_digest_covers_what_was_learned_from() -> None:
    digests = {seen_in(match()[start:], 4 - start, None).digest for start in range(4)}
    assert len(digests) == 4
    one, two = seen_in(match(), 2, None), replace(seen_in(match(), 2, None), earlier=())
    assert one.digest != two.digest


def test_players_who_do_not_differ_are_predicted_as_anybody() -> None:
    for made in (predictor(), differing(0.0)):
        found = analyse(seen_in(match(), 3, None), predictor=made).findings
        assert found.learned == ()
        assert all(claim.predicted == claim.anybody for claim in found.claims)
    assert analyse(seen_in(match(), 3, None)).findings.learned == ()


def test_nothing_is_predicted_for_a_spectator_so_he_learns_nothing() -> None:
    begun = replace(match()[3], turns=match()[3].turns[:4], winner=None)
    short = [*match()[:3], CheatRecord.from_json(begun.to_json())]
    found = analyse(seen_in(short, 4, "spectator"), predictor=differing()).findings
    assert found.learned == ()
    assert all(claim.predicted is None for claim in found.claims)


def test_what_was_learned_in_the_end_is_said() -> None:
    found = findings(4)
    assert {each.viewer for each in found.learned} == {0, 1}
    for each in found.learned:
        assert each.of == 1 - each.viewer
        assert 0 < each.deviation < SPREAD
        turned_up = 0
        for record in match():
            by = record.players.index(found.recorded.name_of(each.of))
            last = max(turn for turn, made in enumerate(record.turns) if made.kind == "call")
            turned_up += sum(made.by == by and made.kind == "claim" for made in record.turns[:last])
        assert each.claims == turned_up
    said = summary(found)[-2:]
    assert all("that were turned up" in line for line in said)
    assert all(line in page(analysed(4)) for line in said)
    value = json.loads(json.dumps(analysed(4).to_json()))["learned"]
    assert [each["claims"] for each in value] == [each.claims for each in found.learned]
    assert {each["of"] for each in value} == set(match()[3].players)


@pytest.mark.parametrize(
    "log_odds, words",
    [
        (0.74, "Claims of NAME are truer than predicted of anybody: +0.7 log odds (± 0.3)"),
        (-0.74, "falser than predicted of anybody: \N{MINUS SIGN}0.7 log odds"),
        (-0.04, "about as true as predicted of anybody: +0.0 log odds (± 0.3), by 9 that"),
    ],
)
def test_what_was_learned_is_put_in_words(log_odds: float, words: str) -> None:
    learned = Lesson(of=0, viewer=1, claims=9, log_odds=log_odds, deviation=0.3)
    found = replace(findings(1), learned=(learned,))
    assert words.replace("NAME", match()[0].players[0]) in summary(found)[-1]


def test_who_lies_more_is_believed_less() -> None:
    """In the direction of what was learned, claim by claim."""
    for number in range(1, 5):
        for claim in findings(number).claims:
            if claim.predicted is None or claim.anybody is None:
                continue
            assert 0 < claim.predicted < 1
    for each in findings(4).learned:
        at_last = Offset(each.log_odds, each.deviation**2)
        moved = at_last.relative_to(Offset.unknown(SPREAD), 0.5)
        assert (moved > 0.5) == (each.log_odds > 0)
