"""Clue without a board: what was played is analysed and compared on, from any viewer's eyes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Play, game
from sleuth.apps.clue.recorded import recorded
from sleuth.apps.play.saved import save
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import RecordError
from sleuth.games.clue import CARDS, Accusation, Suggestion
from sleuth.kit import generator
from sleuth.models.clue.game import ACCUSE, SHOW

from ..conftest import Sleuth

TABLE = game("clue_table", players=3, turns=8)
BOARD = game("clue", players=3, turns=40, summons=True, hand=5)
VIEWERS = (*TABLE.roles, "spectator")


def played(seed: int, moves: int = 60) -> Play:
    """A game by its own policy, in which somebody also accuses wrongly."""
    play = Play.new(TABLE, seed=seed)
    rng = np.random.default_rng(seed)
    while not play.over and len(play.actions) < moves:
        legal = play.legal().tolist()
        accusing = legal[0] >= ACCUSE
        wrong = accusing and len(play.actions) > 6 and rng.random() < 0.3
        play.apply(int(rng.choice(legal)) if wrong or not accusing else legal[-1])
    return play


def walked(seed: int) -> Play:
    """A game on the board by its own policy."""
    play, random = Play.new(BOARD, seed=seed), generator(seed)
    while not play.over:
        legal = play.legal()
        actions = np.zeros(BOARD.max_actions, dtype=np.int32)
        actions[: len(legal)] = legal
        place = BOARD.policy(play.truth()[0], actions, len(legal), BOARD.tables, random)
        play.apply(int(legal[place]))
    return play


def kept(play: Play, path: Path, seats: tuple[str, ...] = ("you", "mcts", "mcts")) -> Path:
    save(path, play, seats)
    return path


def test_what_a_person_has_played_is_analysed_as_it_stands(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    lines = "suggest green, rope, study\npass\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    ran = sleuth("play", "clue-table", "--seed", 3, "--against", "random", "--save", path)
    assert ran.code == 0
    found = sleuth("analyse", path, "--json")
    assert found.code == 0, found.err
    assert found.json()["events"] >= 1
    text = sleuth("analyse", path, "--html", tmp_path / "report.html")
    assert text.code == 0
    assert "p1" in text.out
    page = (tmp_path / "report.html").read_text("utf-8")
    assert all(f">{card}<" in page for card in ("green", "rope", "study"))


def test_a_game_on_the_board_is_analysed_by_what_was_said_in_it(
    sleuth: Sleuth, tmp_path: Path
) -> None:
    """Under the key ``game`` stands `clue`, as in a record that people write."""
    play = walked(seed=4)
    ran = sleuth("analyse", kept(play, tmp_path / "game.json"), "--json")
    assert ran.code == 0, ran.err
    known = recorded(play.record().to_json(), "p1").game
    assert len(known.face_up) == 3
    assert sum(size or 0 for _, size in known.hand_sizes) == 15
    suggestions = [each.event for each in known.events if isinstance(each.event, Suggestion)]
    assert len(suggestions) == sum(action < SHOW for action in play.actions) > 8
    assert ran.json()["events"] == len(known.events)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_analysis_says_what_the_belief_of_the_player_says(
    sleuth: Sleuth, tmp_path: Path, viewer: str
) -> None:
    play = played(seed=2)
    ran = sleuth("analyse", kept(play, tmp_path / "game.json"), "--observer", viewer, "--json")
    assert ran.code == 0, ran.err
    number = SPECTATOR if viewer == "spectator" else TABLE.roles.index(viewer)
    known = belief_or_none(TABLE)
    assert known is not None
    view = play.view(number)
    posterior = known.infer(view, play.seen_by(number))
    (case_file,) = known.hidden(view).values()
    said = {
        (each["suspect"], each["weapon"], each["room"]): each["probability"]
        for each in ran.json()["case_file"]
    }
    expected = {triple: p for triple, p in posterior.marginal(case_file).items() if p > 0.0}
    assert said == pytest.approx(expected, abs=1e-9)


def test_the_only_person_looks_on_if_nobody_is_named_and_else_the_spectator(
    tmp_path: Path,
) -> None:
    play = played(seed=1)
    for seats, viewer in (
        (("random", "you", "random"), "p2"),
        (("you", "you", "random"), "spectator"),
        (("random", "random", "random"), "spectator"),
    ):
        path = kept(play, tmp_path / "game.json", seats)
        assert recorded(json.loads(path.read_text()), None).game.viewer == viewer
    assert recorded(play.record().to_json(), None).game.viewer == "spectator"


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_is_told_what_they_did_not_see(viewer: str) -> None:
    play = played(seed=2)
    value = play.record().to_json()
    seen = recorded(value, viewer).game
    hands = [np.flatnonzero(play.truth()[0].holder == seat).tolist() for seat in range(3)]
    own = hands[TABLE.roles.index(viewer)] if viewer in TABLE.roles else []
    assert list(seen.own_hand) == [CARDS[card] for card in own]
    shown = [action - SHOW for action in play.actions if SHOW <= action < ACCUSE]
    suggestions = [each.event for each in seen.events if isinstance(each.event, Suggestion)]
    refuted = [each for each in suggestions if each.refuter is not None]
    assert len(refuted) == len(shown) > 3
    for event, card in zip(refuted, shown, strict=True):
        assert event.shown == (CARDS[card] if viewer in (event.by, event.refuter) else None)
    accusations = [each.event for each in seen.events if isinstance(each.event, Accusation)]
    assert accusations
    for event in accusations:
        assert (event.seen is not None) == (viewer == event.by and not event.correct)


def test_which_card_was_shown_is_told_to_the_two_who_saw_it() -> None:
    def after(*actions: int) -> Play:
        play = Play.new(TABLE, seed=5)
        for action in actions:
            play.apply(action)
        return play

    suggestion = next(triple for triple in range(SHOW) if len(after(triple).legal()) > 1)
    asked = after(suggestion)
    others = [after(suggestion, int(card)).record().to_json() for card in asked.legal()]
    for viewer in VIEWERS:
        told = {recorded(value, viewer).game.digest for value in others}
        assert len(told) == (len(others) if viewer in _in_it(asked) else 1)


def _in_it(play: Play) -> tuple[str, str]:
    state = play.truth()[0]
    return TABLE.roles[int(state.suggester)], TABLE.roles[int(state.refuter)]


@pytest.mark.usefixtures("measured_here")
def test_methods_are_compared_on_it(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth(
        *("compare", kept(played(seed=2), tmp_path / "game.json"), "--observer", "p3"),
        *("--methods", "card_by_card,enumeration", "--json"),
    )
    assert ran.code == 0, ran.err
    assert ran.json()["methods"]["enumeration"]["tv"] < 1e-9


def test_a_folder_takes_it_beside_other_records(sleuth: Sleuth, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    kept(played(seed=2, moves=6), tmp_path / "games" / "table.json")
    table = tmp_path / "table.csv"
    ran = sleuth("analyse", tmp_path / "games", "--out", table, "--workers", 1)
    assert ran.code == 0, ran.err
    assert "table.json,0,p1," in table.read_text("utf-8")


@pytest.mark.parametrize(
    "changed, observer, said",
    [
        ({}, "p9", r"no player has this name.*available: p1, p2, p3, spectator"),
        ({"settings": {"players": 11}}, None, "cannot be played.*2 to 10 players"),
        ({"settings": {"players": "3"}}, None, "cannot be played"),
        ({"seed": 9}, None, "not how a game with this seed begins"),
        ({"actions": [5000]}, None, "actions, item 1: this action is not legal"),
        ({"version": 99}, None, "field 'version'"),
    ],
)
def test_what_is_no_play_of_it_is_refused_with_the_place(
    changed: dict[str, Any], observer: str | None, said: str
) -> None:
    value = played(seed=2, moves=6).record().to_json() | changed
    with pytest.raises(RecordError, match=said):
        recorded(value, observer)
