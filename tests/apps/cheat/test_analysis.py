"""A recorded game of Cheat, analysed: what could be known of claims and hands, and no more."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import pytest

from sleuth import Play
from sleuth.apps.cheat.advice import CheatValuer
from sleuth.apps.cheat.findings import CallDecision, CheatDetail, ProbabilityScore
from sleuth.apps.cheat.match_game import records_of
from sleuth.apps.cheat.report.summary import dear, judged_on, missed_lies
from sleuth.apps.cheat.transcript import CheatTranscript
from sleuth.apps.kit.analysis import ActionValue
from sleuth.apps.kit.analysis.transcript import Standpoint, Transcript
from sleuth.errors import RecordError, SettingsError, UnsupportedError
from sleuth.games.cheat import (
    CheatDeclaration,
    CheatRecord,
    analyse,
    cheat,
    mini_cheat,
    seen_in,
    summary,
)
from sleuth.models.cheat.state import CALL, CLAIM, TAKE

from .games import analysed, findings, games, given, page, predictor, short


def test_the_first_claim_is_counted_by_hand() -> None:
    """The first claims one 2 with eight cards; the other holds one 2, and an ace was turned up."""
    record, first = short(), findings().claims[0]
    assert record.hands[1] is not None
    assert record.hands[1].count(1) == 1
    hidden, twos = 52 - 8 - 1, 3
    assert first.counting == pytest.approx(twos / hidden)
    assert first.held == pytest.approx(1 - comb(hidden - twos, 8) / comb(hidden, 8))
    assert (first.true, first.called, first.pile, first.judge) == (True, False, 2, 1)


def test_both_players_judge_each_others_claims_and_hands() -> None:
    found = findings()
    turns = [turn for turn, each in enumerate(short().turns, 1) if each.kind == "claim"]
    assert [claim.turn for claim in found.claims] == turns
    assert all(claim.judge == 1 - claim.by for claim in found.claims)
    assert [hand.turn for hand in found.hands] == list(range(13))
    for hand in found.hands:
        assert hand.of == 1 - hand.viewer
        assert hand.truth is not None
        assert np.allclose(hand.counts.sum(axis=1), 1)
        assert hand.expected.sum() == pytest.approx(hand.size) == sum(hand.truth)
        assert all(hand.counts[rank, count] > 0 for rank, count in enumerate(hand.truth))


def test_a_hand_that_cannot_be_counted_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, marginals = analysed(), Transcript.marginals
    moments: list[object] = []

    def counted(self: CheatTranscript, now: Standpoint[CheatDetail]) -> Mapping[str, Any]:
        moments.extend([now] if now.hidden else [])
        if now.hidden and len(moments) == 4:
            raise UnsupportedError("type_counting would need too many steps for this")
        return marginals(self, now)

    monkeypatch.setattr(Transcript, "marginals", counted)
    found = analyse(seen_in([short()], None, None))
    assert len(moments) == 13
    assert [hand.turn for hand in found.findings.hands] == [0, 1, 2, *range(4, 13)]
    assert found.findings.counting == whole.findings.counting
    assert [math.isnan(bits) for bits in found.entropies] == [turn == 3 for turn in range(13)]


def test_an_observer_judges_what_he_can_call() -> None:
    found = findings(observer="p1")
    assert {claim.by for claim in found.claims} == {0}
    assert {hand.viewer for hand in found.hands} == {1}
    assert len(found.hands) == 13
    looking_on = findings(observer="spectator", turns=4)
    assert {claim.judge for claim in looking_on.claims} == {-1}
    assert {hand.of for hand in looking_on.hands} == {0, 1}
    assert {hand.turn for hand in looking_on.hands} == {4}
    digests = {analysed(observer=name, turns=4).record_sha256 for name in ("p1", "p2")}
    assert len(digests | {looking_on.recorded.digest, findings(turns=4).recorded.digest}) == 4


def test_what_nobody_recorded_is_judged_by_what_everybody_knew() -> None:
    record = short(turns=6)
    partly = CheatRecord.from_json(replace(record, hands=(record.hands[0], None)).to_json())
    found = analyse(seen_in([partly], None, None)).findings
    assert found.recorded.viewer_names == ("p2",)
    assert {(claim.by, claim.judge) for claim in found.claims} == {(0, -1), (1, 0)}


def test_nothing_that_was_hidden_changes_what_is_said() -> None:
    """The claimant lays down another card than they did, which was never turned up."""
    record = short(turns=3)
    assert record.turns[2].by == 0
    assert record.hands[0] is not None
    other = [
        replace(turn, cards=(12, 11)) if place == 2 else turn
        for place, turn in enumerate(record.turns)
    ]
    changed = CheatRecord.from_json(replace(record, turns=tuple(other)).to_json())
    one, two = (analyse(seen_in([each], None, "p1")).findings for each in (record, changed))
    assert one.recorded.digest == two.recorded.digest
    assert [each.counting for each in one.claims] == [each.counting for each in two.claims]
    assert all(
        np.array_equal(a.counts, b.counts) for a, b in zip(one.hands, two.hands, strict=True)
    )


def test_later_turns_change_nothing_that_was_said_before() -> None:
    early, late = findings(turns=5), findings(turns=12)
    assert [(each.turn, each.counting) for each in early.claims] == [
        (each.turn, each.counting) for each in late.claims[: len(early.claims)]
    ]


def test_a_certain_lie_that_nobody_called_was_missed() -> None:
    found = findings(turns=52)
    certain = [each for each in found.claims if each.certain is False]
    assert certain
    assert all(each.true is False and each.probability == 0 for each in certain)
    assert [each.turn for each in missed_lies(found)] == [
        each.turn for each in certain if not each.called
    ]
    assert any("could not be true" in line for line in summary(found))


def test_a_first_claim_has_what_the_predictor_says_and_nothing_twice() -> None:
    found = analyse(seen_in([short()], None, None), predictor=predictor()).findings
    first = found.claims[0]
    assert first.predicted == pytest.approx(given(1))
    assert first.joined == pytest.approx(given(1)) == first.probability
    assert first.counting == findings().claims[0].counting
    assert found.joined is not None
    assert found.counting is not None
    assert found.joined.claims == found.counting.claims == len(found.claims)
    assert set(found.left_out.values()) == {0}


def test_rivals_are_judged_on_the_claims_of_which_both_say_something() -> None:
    analysis = analyse(seen_in([games()[1]], None, None), predictor=predictor())
    whole = analysis.findings
    silent = [replace(each, predicted=None, joined=each.counting) for each in whole.claims[::2]]
    unknown = [replace(each, true=None) for each in whole.claims[1::4]]
    kept = [each for each in whole.claims[3::4] if each.predicted is not None]
    found = replace(whole, claims=(*silent, *unknown, *kept))
    assert found.scored == tuple(kept)
    for score, given_ in ((found.counting, "counting"), (found.joined, "joined")):
        assert score is not None
        assert score.claims == len(kept)
        assert score == ProbabilityScore.of((getattr(each, given_), each.true) for each in kept)
    assert found.left_out == {"truth_not_known": len(unknown), "not_predicted": len(silent)}
    said = f"left out: {len(unknown)} (truth not known), {len(silent)} (nothing predicted)"
    assert said in (judged_on(found) or "")
    assert said in page(replace(analysis, findings=found))
    alone = replace(found, claims=tuple(silent))
    assert alone.joined is None
    assert alone.counting is not None
    assert alone.counting.claims == len(silent)


def test_a_predictor_cannot_make_the_impossible_possible() -> None:
    found = analyse(
        seen_in([short(turns=51)], None, "p1"), predictor=predictor(weight=1.0)
    ).findings
    certain = [each for each in found.claims if each.certain is False]
    assert certain
    assert all(each.joined == 0 for each in certain)
    assert all((each.predicted or 0) > 0.9 for each in certain)


def test_earlier_games_of_the_match_are_counted() -> None:
    first, second = seen_in(games(), 1, None), seen_in(games(), 2, None)
    assert first.before.sum() == 0
    assert second.before.sum() > 0
    acted = {name: int(second.before[place][0]) for place, name in enumerate(second.record.players)}
    assert acted == {
        name: sum(first.record.players[turn.by] == name for turn in first.record.turns)
        for name in first.record.players
    }


@pytest.mark.parametrize("observer", ["p1", "spectator"])
def test_every_rank_of_a_hand_is_what_the_belief_says_of_it(observer: str) -> None:
    turns = 9 if observer == "spectator" else 14
    found = analyse(seen_in([short(turns=turns)], None, observer), predictor=predictor()).findings
    for hand in found.hands[-3:]:
        game = short(turns=turns).seen_by(observer, hand.turn)
        spoken = {
            claim.turn - 1: (claim.predicted, claim.counting)
            for claim in found.claims
            if claim.predicted is not None and game.since < claim.turn <= hand.turn
        }
        belief = CheatDeclaration(game, dealt=8)
        posterior = belief.infer(spoken)
        for rank in range(13):
            holding = belief.holding(posterior, hand.of, rank)
            said = {count: share for count, share in enumerate(hand.counts[rank]) if share}
            assert said == pytest.approx({c: share for c, share in holding.items() if share})


def test_scores_are_those_of_the_book() -> None:
    score = ProbabilityScore.of([(0.5, True), (0.25, False)])
    assert score is not None
    assert score.log_loss == pytest.approx((1 + np.log2(4 / 3)) / 2)
    assert score.brier == pytest.approx((0.25 + 0.0625) / 2)
    assert ProbabilityScore.of([]) is None


def test_decisions_have_values_and_what_was_done() -> None:
    record = short(turns=11)
    adviser = CheatValuer(record.game, "players:simulations=60", seed=3)
    found = analyse(seen_in([record], None, None), adviser=adviser).findings
    assert [each.number for each in found.choices] == list(range(1, 13))
    assert found.choices[-1].done is None
    assert found.choices[-1].loss is None
    for choice, turn in zip(found.choices, record.turns, strict=False):
        values = choice.options.values()
        assert choice.chosen in choice.options
        assert choice.done in choice.options
        assert (choice.claim is None) == (CALL not in choice.options)
        assert sum(each.visits for each in values) == 60
        assert all(each.interval is None for each in values if each.visits < 2)
        assert any(each.interval is not None for each in values)
        if turn.kind == "take":
            assert choice.done == TAKE
        elif turn.kind == "claim":
            assert choice.done is not None
            lie = (choice.done - CLAIM) // 4 % 2
            assert (bool(lie), (choice.done - CLAIM) % 4 + 1) == (not turn.true, turn.count)
        else:
            assert choice.done == CALL
            assert choice.call is not None


def test_a_loss_within_the_doubt_of_the_search_is_not_clear() -> None:
    def choice(low: float, high: float) -> CallDecision:
        options = {
            CALL: ActionValue("call", 0.5, (0.4, 0.6), 90),
            TAKE: ActionValue("take", 0.1, (low, high), 10),
        }
        call, take = options.values()
        return CallDecision(
            made="take",
            gain_bits=None,
            best_questions=(),
            value=take,
            best=call,
            alternatives=2,
            number=3,
            by=0,
            rank=4,
            claim=2,
            done=TAKE,
            chosen=CALL,
            options=options,
        )

    assert choice(-0.3, 0.5).loss == pytest.approx(0.4)
    assert choice(-0.3, 0.5).within_chance
    assert not choice(0.0, 0.2).within_chance
    found = replace(findings(), choices=(choice(-0.3, 0.5), choice(0.0, 0.2)))
    assert [each.within_chance for each in dear(found)] == [False]


def test_an_adviser_must_say_what_it_thinks() -> None:
    with pytest.raises(SettingsError, match="does not say what its actions are worth"):
        CheatValuer(cheat(), "random")


def test_a_kept_play_is_a_record() -> None:
    game = mini_cheat()
    play = Play.new(game, seed=4)
    while not play.over:
        play.apply(int(play.legal()[0]))
    (record,) = records_of(json.loads(json.dumps(play.record().to_json())))
    found = analyse(seen_in([record], None, None)).findings
    assert len(record.turns) == len(play.actions)
    assert all(0 <= claim.counting <= 1 for claim in found.claims)
    spoilt = play.record().to_json()
    spoilt["start"]["left"] = 7
    with pytest.raises(RecordError, match="not how a game with this seed begins"):
        records_of(spoilt)
