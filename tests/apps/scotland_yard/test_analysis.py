"""What an analysed game of Scotland Yard says, against the engine, the rules and plain counting."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Play, Question
from sleuth.answers import as_text
from sleuth.apps.kit.analysis.text import heading
from sleuth.apps.scotland_yard.chances import shares, valued_move
from sleuth.apps.scotland_yard.report.text import HuntText
from sleuth.apps.scotland_yard.transcript import HuntTranscript, read
from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import ScotlandYardRecord, stations_of
from sleuth.models.game import legal_actions
from sleuth.models.scotland_yard import HIDER

from .hunts import analyse, analysed, hunt, played


def without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    found = copy.deepcopy(found)
    for moment in found["timeline"]:
        del moment["seconds"]
    return found


def replayed(seed: int, moves: int) -> list[Play]:
    """The game before the first move and after every one."""
    play = played(seed, moves)
    again = Play.new(play.game, seed=play.seed)
    found = [again.supposing(again.truth())]
    for action in play.actions:
        again.apply(action)
        found.append(again.supposing(again.truth()))
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_moments_are_those_of_the_game(seed: int) -> None:
    found = analysed(seed)
    for moment, play in zip(found.timeline, replayed(seed, 40), strict=True):
        state = play.truth()[0]
        assert moment.detail.truth == state.stations[HIDER]
        assert moment.detail.seekers == tuple(state.stations[1:].tolist())
        assert moment.detail.turn == state.turn
        assert moment.detail.stations.sum() == pytest.approx(1.0)
        assert moment.detail.stations[moment.detail.truth] > 0.0
        possible = set(stations_of(play.view(SPECTATOR).states[0].possible))
        listed = {station for station, _ in moment.detail.ranked}
        assert listed <= possible
        if state.player != HIDER:
            assert listed == possible
        entropy = -sum(share * math.log2(share) for _, share in moment.detail.ranked)
        assert moment.entropy_bits == pytest.approx(entropy, abs=1e-9)
        if moment.detail.shown is not None:
            assert moment.detail.ranked == ((moment.detail.shown, 1.0),)


def test_a_detective_s_moves_are_judged_as_the_engine_and_the_rules_would() -> None:
    found = analysed(2)
    plays = replayed(2, 40)
    hunted = HuntTranscript(hunt(2), None, "steps")
    posteriors: list[Any] = [each.posterior for each in hunted.standpoints()]
    assert found.findings.turns
    for turn in found.findings.turns:
        play, posterior = plays[turn.event - 1], posteriors[turn.event - 1]
        legal = legal_actions(play.game, play.truth()).tolist()
        names = [play.game.action_name(code) for code in legal]
        assert names == [f"{each.ticket} {turn.station} to {each.to}" for each in turn.moves]
        assert turn.made == turn.moves[legal.index(played(2, 40).actions[turn.event - 1])]
        at = hunted.belief.hidden(play.view(SPECTATOR))["hider"]
        for code, each in zip(legal, turn.moves, strict=True):
            there = Question(
                at, lambda station, each=each: {station == each.to: 1.0}, [False, True]
            )
            gain = posterior.information_gain(there, about=at)
            assert each.gain_bits == pytest.approx(gain, abs=1e-9)
            assert each.capture == posterior.marginal(at).get(each.to, 0.0)
            assert 0.0 <= each.threat <= 1.0
            # Where he would have to be, so that this detective could catch him with his next move.
            after = play.truth()
            state = after[0]
            state.stations[turn.seeker] = each.to
            state.tickets[turn.seeker, play.game.tables.board[0].ticket[code]] -= 1
            state.player = turn.seeker
            board = play.game.tables.board[0]
            near = {int(board.target[move]) for move in legal_actions(play.game, after)}
            beside = sum(posterior.marginal(at).get(station, 0.0) for station in near - {each.to})
            if each.capture < 1.0:
                assert each.threat == pytest.approx(beside / (1.0 - each.capture), abs=1e-9)


def test_a_move_to_where_he_must_be_tells_nothing_and_threatens_nothing_more() -> None:
    stations = np.zeros(200)
    stations[7] = 1.0
    sure = valued_move(stations, "taxi", 7, [6, 8])
    assert (sure.capture, sure.gain_bits, sure.threat, sure.possible) == (1.0, 0.0, 0.0, 0)
    stations[7], stations[8] = 0.5, 0.5
    even = valued_move(stations, "taxi", 7, [6, 8])
    assert (even.capture, even.gain_bits, even.threat, even.possible) == (0.5, 1.0, 1.0, 1)
    far = valued_move(stations, "bus", 100, [99])
    assert (far.capture, far.gain_bits, far.threat, far.possible) == (0.0, 0.0, 0.0, 2)


def test_the_best_moves_are_the_best_and_one_s_own_where_none_is_better() -> None:
    for turn in analysed(1).findings.turns:
        assert turn.telling.gain_bits == pytest.approx(max(s.gain_bits for s in turn.moves))
        assert turn.catching.capture == pytest.approx(max(s.capture for s in turn.moves))
        near = max(s.pressure for s in turn.moves)
        assert turn.threatening.pressure == pytest.approx(near)
        if turn.made.gain_bits == turn.telling.gain_bits:
            assert turn.telling == turn.made


@pytest.mark.parametrize("observer", ["seekers", "seeker 3", "spectator"])
def test_who_does_not_see_him_is_told_what_a_public_record_tells(observer: str) -> None:
    record = hunt(3)
    full: Any = analyse(record, observer).to_json()
    public = analyse(record.without_truth(), observer).to_json()
    assert without_seconds(full) == without_seconds(public)
    assert full["truth_log_loss_bits"] is None
    assert all(moment["truth"] is None for moment in full["timeline"])


def test_the_hider_is_told_the_same_and_where_he_was() -> None:
    own: Any = analysed(3).to_json()
    other: Any = analysed(3, observer="spectator").to_json()
    assert analysed(3).viewer == "hider"
    losses = []
    for mine, theirs in zip(own["timeline"], other["timeline"], strict=True):
        assert mine["stations"] == theirs["stations"]
        truth = mine["truth"]
        assert truth["probability"] == mine["stations"][str(truth["station"])]
        if mine["by"] == "hider":
            losses.append(-math.log2(truth["probability"]))
    assert own["truth_log_loss_bits"] == pytest.approx(sum(losses) / len(losses))
    assert own["turns"] == other["turns"]


def test_the_uniform_list_has_the_same_stations_each_equally_likely() -> None:
    for even, steps in zip(
        analysed(1, likelihood="uniform").timeline, analysed(1).timeline, strict=True
    ):
        assert set(even.detail.stations.nonzero()[0]) == set(steps.detail.stations.nonzero()[0])
        assert len({round(share, 12) for _, share in even.detail.ranked}) == 1


def test_where_kinds_of_mr_x_are_declared_the_stations_are_the_same_ones() -> None:
    for kinds, moves in zip(
        analysed(1, likelihood="kinds").timeline, analysed(1).timeline, strict=True
    ):
        assert set(kinds.detail.stations.nonzero()[0]) == set(moves.detail.stations.nonzero()[0])
        assert kinds.detail.stations.sum() == pytest.approx(1.0)


def test_who_is_nobody_of_the_record_is_refused() -> None:
    with pytest.raises(SettingsError, match="did you mean 'seekers'"):
        HuntTranscript(hunt(1), "seeker")
    with pytest.raises(RecordError, match=r"does not say where Mr\. X went"):
        HuntTranscript(hunt(1).without_truth(), "hider")
    with pytest.raises(SettingsError, match="no such likelihood"):
        analyse(hunt(1), None, "guessing")


def test_a_game_that_is_over_says_who_has_won() -> None:
    assert analysed(1).findings.won is None
    ended = analysed(5, moves=1_000)
    state = played(5, 1_000).truth()[0]
    assert ended.findings.won == ("seekers" if state.won == 2 else "hider")
    assert ended.timeline[-1].detail.shown == state.stations[HIDER]


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("observer", [None, "spectator"])
def test_the_text_fits_its_terminal(width: int, observer: str | None) -> None:
    found = analysed(2, observer=observer)
    said = as_text(*heading(found), *HuntText().body(found), width=width)
    lines = said.splitlines()
    assert max(map(len, lines)) <= width
    assert "A <hunt> & more" in lines[0]
    assert ("truly at" in said) == (observer is None)


def test_the_likeliest_stations_are_those_of_the_posterior() -> None:
    found = analysed(1)
    last = [*HuntTranscript(hunt(1), None, "steps").standpoints()][-1].posterior
    assert last is not None
    assert found.timeline[-1].detail.stations == pytest.approx(shares(last))


def test_records_of_both_forms_say_the_same() -> None:
    play = played(1, 40)
    one, other = read(play.record().to_json()), read(ScotlandYardRecord.from_play(play).to_json())
    first, second = analyse(one, None), analyse(other, None)
    assert without_seconds(first.to_json()) == without_seconds(second.to_json())
