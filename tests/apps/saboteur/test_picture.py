"""The last moment of Saboteur as a report shows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, SPECTATOR, Play
from sleuth.answers import shown
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.apps.kit.records.opening import analysis_of, check_own
from sleuth.apps.saboteur.picture import ending
from sleuth.errors import SettingsError
from sleuth.games.saboteur import card_name, saboteur
from sleuth.kit import display, generator
from sleuth.models.saboteur.state import FACE_DOWN, NO_CARD

TIGHT = saboteur("tight")


def played(seed: int, moves: int = 1_000) -> Play:
    """A game of sensible players, so far."""
    play, random = Play.new(TIGHT, seed=seed), generator(seed)
    while not play.over and len(play.actions) < moves:
        legal = play.legal()
        choice = TIGHT.policy(play.truth()[0], legal, len(legal), TIGHT.tables, random)
        play.apply(int(legal[choice]))
    return play


def cells(page: str) -> list[list[str]]:
    """The cells of the table of players."""
    rows = page.partition("<table")[2].split("<tr>")[2:]
    return [
        [cell.partition(">")[2].partition("</td>")[0] for cell in row.split("<td")[1:]]
        for row in rows
    ]


def test_each_player_of_the_report_is_shown_with_their_own_hand_and_goals() -> None:
    play = played(3, 30)
    state: Any = play.truth()[0]
    page = shown(ending([play.view(1), play.view(4)]))
    assert "How it stands" in page
    for player, row in enumerate(cells(page)):
        held = [kind for kind in state.hands[player].tolist() if kind != NO_CARD]
        names = ", ".join(card_name(kind) for kind in held)
        assert row[5] == (names if player in (1, 4) else f"{len(held)} cards")
        role = ("miner", "saboteur")[int(state.roles[player])]
        assert row[1] == (role if player in (1, 4) else "–")
    assert page.count('class="piece down"') == int((state.board == FACE_DOWN).sum())
    assert page.count("<rect") == int((state.board != 0).sum())


def test_what_is_hidden_from_the_viewers_changes_nothing() -> None:
    play = played(3, 30)
    known, truth = play.view(2), play.truth()
    page = shown(ending([known]))
    # The view holds no hand, role or goal but the viewer's: nothing of them can be on the page.
    others = np.delete(known.states[0].roles[:5], 2)
    assert (others == HIDDEN).all()
    held = {card_name(kind) for kind in truth[0].hands[2].tolist() if kind != NO_CARD}
    rest = {card_name(kind) for kind in truth[0].hands[[0, 1, 3, 4]].ravel() if kind != NO_CARD}
    assert all(name not in "".join(row[5] for row in cells(page)) for name in rest - held if name)


@pytest.mark.parametrize("seed", [3, 4])
def test_the_end_says_who_won_and_all_roles(seed: int) -> None:
    play = played(seed)
    page = shown(*display(TIGHT).last_moment([play.view(SPECTATOR)]))
    winners = ("miners", "saboteurs")[int(play.truth()[0].winner) - 1]
    assert f"The end: the {winners} win" in page
    assert [row[1] for row in cells(page)].count("saboteur") == 2


def test_a_record_is_analysed_with_any_likelihood() -> None:
    value = played(3).record().to_json()
    found = analysis_of(value)
    for own in ({}, {"likelihood": "learned"}, {"predictor": "usual"}, {"likelihood": "uniform"}):
        asked = AnalysisRequest(observer="player 2", agent="none", own=own)
        check_own(asked)
        found.check(asked)
    sums = [
        sum(
            row[3]
            for row in found.rows(value, AnalysisRequest(own=own)).rows
            if row[2] == "saboteur"
        )
        for own in ({}, {"likelihood": "learned"}, {"predictor": "usual"})
    ]
    assert sums[1] == sums[2] != sums[0]
    # A word of Scotland Yard's alone is one that some game has; this game refuses it itself.
    check_own(AnalysisRequest(own={"likelihood": "steps"}))
    with pytest.raises(SettingsError, match="no such likelihood"):
        found.check(AnalysisRequest(own={"likelihood": "steps"}))
    with pytest.raises(SettingsError, match="no such likelihood"):
        check_own(AnalysisRequest(own={"likelihood": "nonsense"}))
