"""The analysis that every game gets from its rules, its belief and its words alone."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play, game
from sleuth.answers import as_text
from sleuth.apps.kit.analysis.analyst import ALL, NO_AGENT, viewers
from sleuth.apps.kit.analysis.any_game import AnyGame
from sleuth.apps.kit.analysis.moments import ActionValue, ViewerTurn
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import Analyst, PlayRecord, display
from sleuth.models.records.play_start import state_to_json
from sleuth.models.records.replay import observed

SMALL = ("kuhn_poker", "leduc_poker", "phantom_tic_tac_toe", "tic_tac_toe")
QUIET = AnalysisRequest(agent=NO_AGENT)


def silent(what: str, done: int, total: int) -> None:
    """No progress wanted."""


def any_game(of: Game) -> AnyGame:
    return AnyGame(of, belief_or_none(of), display(of))


def random_play(of: Game, seed: int) -> Play:
    play, rng = Play.new(of, seed=seed), np.random.default_rng(seed)
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    return play


def analysed(of: Game, record: PlayRecord, observer: str, **more: Any) -> dict[str, Any]:
    asked = AnalysisRequest(**{"agent": NO_AGENT, "observer": observer, **more})
    return dict(any_game(of).analysed(record.to_json(), asked, silent).to_json())


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_times(each) for name, each in value.items() if name != "seconds"}
    return [without_times(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", SMALL)
def test_every_viewer_of_every_game_gets_every_moment(name: str) -> None:
    of = game(name)
    play = random_play(of, 3)
    found = analysed(of, play.record(), ALL)
    assert [each["viewer"] for each in found["viewers"]] == [*of.roles, "spectator"]
    for each, viewer in zip(found["viewers"], (*range(of.players), SPECTATOR), strict=True):
        assert each["events"] == len(play.seen_by(viewer).events)
        assert [moment["event"] for moment in each["timeline"]] == list(range(each["events"] + 1))
        assert each["record_sha256"] == play.seen_by(viewer).digest
        for moment in each["timeline"]:
            for hidden in moment["hidden"]:
                if hidden["possible_values"] == len(hidden["marginal"]):
                    assert sum(hidden["marginal"].values()) == pytest.approx(1.0)
                bits = -sum(p * math.log2(p) for p in hidden["marginal"].values())
                assert hidden["entropy_bits"] == pytest.approx(bits, abs=1e-9)
    json.dumps(found, allow_nan=False)


def kuhn(cards: tuple[int, int], *actions: int) -> PlayRecord:
    of = game("kuhn_poker")
    start = of.initial(0)
    start[0].cards[:] = cards
    return PlayRecord("kuhn_poker", of.version, start=state_to_json(start), actions=actions)


def test_a_card_of_kuhn_poker_is_one_bit_until_it_is_shown() -> None:
    of = game("kuhn_poker")
    found = analysed(of, kuhn((0, 2), 1, 1), "first")  # bet, call
    assert [moment["entropy_bits"] for moment in found["timeline"]] == [1.0, 1.0, 0.0]
    (hidden,) = found["timeline"][0]["hidden"]
    assert hidden["marginal"] == {"queen": 0.5, "king": 0.5}
    assert found["certain"][0]["value"] == "king"
    assert found["timeline"][1]["turn"]["made"] == "bet"
    assert found["timeline"][2]["turn"] is None


def test_entropies_of_a_timeline_can_be_compared() -> None:
    """All of them are joint, or all are sums over the parts: else what was told would be wrong."""
    of = game("phantom_tic_tac_toe")
    found = analysed(of, random_play(of, 3).record(), "second")
    assert not all(moment["entropy_is_joint"] for moment in found["timeline"])
    for moment in found["timeline"]:
        parts = [hidden["entropy_bits"] for hidden in moment["hidden"]]
        assert moment["entropy_bits"] == pytest.approx(sum(parts))
        assert moment["entropy_is_joint"] == (sum(part > 0.0 for part in parts) < 2)


def test_what_a_viewer_cannot_see_changes_nothing() -> None:
    of = game("kuhn_poker")
    folded = [kuhn((0, other), 1, 0) for other in (1, 2)]  # bet, fold: no card is shown
    for viewer in ("first", "spectator"):
        asked: dict[str, Any] = {"agent": "mcts:simulations=50"} if viewer == "first" else {}
        one, two = (without_times(analysed(of, each, viewer, **asked)) for each in folded)
        assert one == two
    # The planted fault: from the other side the two games are different ones.
    one, two = (without_times(analysed(of, each, "second")) for each in folded)
    assert one != two


def test_a_move_that_a_viewer_does_not_notice_makes_no_moment() -> None:
    of = game("phantom_tic_tac_toe")
    # b2 is taken; the second player bumps into it, which the first does not learn.
    record = PlayRecord(of.name, of.version, start=state_to_json(of.initial(0)), actions=(4, 4, 0))
    first = list(observed(record, of, 0))
    second = list(observed(record, of, 1))
    assert (len(first), len(second)) == (3, 4)


def test_a_search_values_the_viewers_own_moves_only() -> None:
    of = game("kuhn_poker")
    found = analysed(of, kuhn((2, 0), 1, 0), "first", agent="mcts:simulations=200")
    (turn,) = [moment["turn"] for moment in found["timeline"] if moment["turn"]]
    assert turn["legal_actions"] == 2
    low, high = turn["value"]["interval"]
    assert low <= turn["value"]["value"] <= high
    assert turn["loss"] >= 0.0
    with pytest.raises(SettingsError, match="does not say what its actions are worth"):
        analysed(of, kuhn((2, 0), 1, 0), "first", agent="random")


def test_what_a_search_cannot_tell_apart_is_called_so() -> None:
    def said(made: tuple[float, float], best: tuple[float, float], name: str = "raise") -> str:
        one, other = (
            ActionValue(action, sum(ends) / 2, ends, 100)
            for action, ends in (("call", made), (name, best))
        )
        return ViewerTurn(
            made="call", gain_bits=None, best_questions=(), value=one, best=other, alternatives=2
        ).best_words

    assert said((0.1, 0.3), (0.2, 0.5)) == "raise, 0.35: not told apart"
    # What it visited most may have returned less.
    assert said((0.3, 0.5), (0.2, 0.4)) == "raise, 0.30: not told apart"
    assert said((0.1, 0.2), (0.3, 0.5)) == "raise, 0.40"
    assert said((0.1, 0.2), (0.1, 0.2), "call") == "the same"


def test_rows_of_a_folder_are_distributions() -> None:
    of = game("leduc_poker")
    record = random_play(of, 5).record()
    rows = any_game(of).rows(record.to_json(), AnalysisRequest(observer="second"))
    assert rows.viewer == "second"
    sums: dict[tuple[int, str], float] = {}
    for event, name, _, share in rows.rows:
        sums[event, name] = sums.get((event, name), 0.0) + share
    assert sums
    assert all(total == pytest.approx(1.0) for total in sums.values())


def test_methods_are_compared_where_most_is_open() -> None:
    of = game("leduc_poker")
    record = random_play(of, 5).record()
    name, found = any_game(of).compared(
        record.to_json(), QUIET, ["enumeration", "rejection"], curves=False, tell=silent
    )
    timeline = analysed(of, record, "first")["timeline"]
    open_ = [round(moment["entropy_bits"], 9) for moment in timeline]
    latest = max(range(len(open_)), key=lambda event: (open_[event], event))
    assert name == "Leduc poker, first"
    assert found.about.endswith(f" after event {latest}")
    assert found["enumeration"].tv == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < (found["rejection"].tv or 0.0) < 0.1


def test_another_method_gives_the_same_answers() -> None:
    of = game("phantom_tic_tac_toe")
    record = random_play(of, 3).record()
    usual = analysed(of, record, "first")
    other = analysed(of, record, "first", method="enumeration")
    assert (usual["method"], other["method"]) == ("card_by_card", "enumeration")
    for one, two in zip(usual["timeline"], other["timeline"], strict=True):
        assert one["entropy_bits"] == pytest.approx(two["entropy_bits"], abs=1e-9)


def test_a_viewer_that_there_is_not_is_refused_with_a_near_name() -> None:
    of = game("kuhn_poker")
    assert viewers(of, None) == (0,)
    assert viewers(of, "Second") == (1,)
    with pytest.raises(SettingsError, match="did you mean 'first'"):
        viewers(of, "frist")


def test_a_record_that_breaks_the_rules_is_refused_with_its_place() -> None:
    of = game("kuhn_poker")
    analyst = Analyst(of, belief_or_none(of), display(of), agent=NO_AGENT)
    with pytest.raises(RecordError, match="item 2"):
        analyst.analyse(kuhn((0, 1), 1, 7), 0)


def test_what_a_move_tells_is_said_of_the_parts_where_there_is_too_much_together() -> None:
    of = game("cheat", suits=3)
    play = Play.new(of, seed=21)
    for place in (-1, -1, -1, 0):  # three claims, of which the last one is called
        play.apply(int(play.legal()[place]))
    analyst = Analyst(of, belief_or_none(of), display(of), agent=NO_AGENT)
    *_, last = analyst.analyse(play.record(), 1).timeline
    assert last.turn is not None
    ((action, bits),) = [(each.action, each.gain_bits) for each in last.turn.best_questions]
    assert action == last.turn.made == "call"
    assert bits == last.turn.gain_bits
    assert bits > 0.0


def test_the_page_runs_nothing_and_loads_nothing() -> None:
    of = game("kuhn_poker")
    page = (
        any_game(of)
        .analysed(
            kuhn((0, 1), 1, 1).to_json(), AnalysisRequest(agent=NO_AGENT, observer=ALL), silent
        )
        .html()
    )
    assert "<script" not in page
    assert "http://" not in page
    assert page.count('class="chart wide"') == 3


def moved_in_phantom(seed: int) -> tuple[Any, str, str]:
    """JSON, text and page of a random game, from the first player's eyes."""
    of = game("phantom_tic_tac_toe")
    shown = any_game(of).analysed(random_play(of, seed).record().to_json(), QUIET, silent)
    return shown.to_json(), as_text(*shown.body, width=100), shown.html()


def test_it_says_which_observations_moved_the_belief_most() -> None:
    found, text, page = moved_in_phantom(3)
    assert {each["name"] for each in found["influence"]} == {"a1", "a2", "c2", "c3"}
    for each in found["influence"]:
        # Six ways to place two marks on four squares; one of them would have been a line.
        assert (each["prior"], each["probability"]) == (pytest.approx(0.5), pytest.approx(0.6))
        (line,) = each["observations"]
        assert line["text"] == "second has no line"
        assert line["in_order_bits"] == line["left_out_bits"] == pytest.approx(math.log2(1.5))
    for shown in (text, page):
        assert "What moved the belief most" in shown
        assert "+0.58" in shown
        assert "50 % at first, 60 % in the end" in shown


def test_what_an_observation_makes_certain_has_no_number() -> None:
    lines = [
        (by, text, page)
        for found, text, page in map(moved_in_phantom, range(12))
        for each in found["influence"]
        for by in each["observations"]
        if by["text"] == "second has a line" and each["probability"] == 1.0
    ]
    assert lines
    for by, text, page in lines:
        assert (by["in_order_bits"], by["left_out_bits"]) == (None, None)
        assert "+\N{INFINITY}" in text
        assert "+\N{INFINITY}" in page


def test_an_approximation_says_nothing_of_what_moved_it() -> None:
    of = game("phantom_tic_tac_toe")
    record = random_play(of, 3).record()
    assert analysed(of, record, "first", method="metropolis", samples=200)["influence"] == []
