"""A play keeps the truth to itself; its record gives the same play again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, SPECTATOR, Game, Play, game, kernel
from sleuth.errors import RecordError, SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import GAMES, MoveEvent, PlayRecord, View
from sleuth.models.play import event_numbers
from sleuth.models.records.events import Seen
from sleuth.models.small.kuhn_poker import BET, PASS

KUHN = kuhn_poker()


def start(first: int, second: int) -> Any:
    states = KUHN.states(1)
    states[0].cards[:] = first, second
    states[0].bets[:] = 1
    return states


def played(*actions: int, cards: tuple[int, int] = (2, 0)) -> Play:
    play = Play.new(KUHN, seed=0, start=start(*cards))
    for action in actions:
        play.apply(action)
    return play


@pytest.mark.parametrize(
    "actions, cards, won",
    [
        ((PASS, PASS), (2, 0), 1),
        ((PASS, PASS), (0, 1), -1),
        ((BET, PASS), (0, 1), 1),
        ((BET, BET), (0, 1), -2),
        ((PASS, BET, PASS), (2, 0), -1),
        ((PASS, BET, BET), (2, 0), 2),
    ],
)
def test_kuhn_pays_what_the_rules_say(
    actions: tuple[int, ...], cards: tuple[int, int], won: int
) -> None:
    play = played(*actions, cards=cards)
    assert play.over
    assert play.legal().tolist() == []
    assert play.returns().tolist() == [won, -won]


def test_a_name_and_an_entry_stand_for_their_game() -> None:
    for given in ("kuhn-poker", GAMES["kuhn_poker"]):
        play = Play.new(given, seed=3)
        assert play.record() == Play.new(KUHN, seed=3).record()
    with pytest.raises(SettingsError, match="did you mean 'kuhn_poker'"):
        Play.new("kuhn_pokr", seed=3)


def test_a_view_has_the_own_card_and_nothing_of_the_others() -> None:
    view = played(PASS).view(1)
    assert view.player == view.viewer == 1
    assert view.states[0].cards.tolist() == [HIDDEN, 0]
    assert view.states[0].bets.tolist() == [1, 1]
    assert view.legal().tolist() == [PASS, BET]
    assert played().view(SPECTATOR).states[0].cards.tolist() == [HIDDEN, HIDDEN]


def test_views_of_deals_that_differ_in_what_is_hidden_are_equal() -> None:
    one, other = played(PASS, cards=(2, 0)), played(PASS, cards=(1, 0))
    assert one.view(1) == other.view(1)
    assert hash(one.view(1)) == hash(other.view(1))
    assert one.seen_by(1) == other.seen_by(1)
    assert one.seen_by(1).digest == other.seen_by(1).digest
    assert one.view(0) != other.view(0)
    assert one.seen_by(0).digest != other.seen_by(0).digest


def test_only_a_play_makes_views_and_nobody_changes_them() -> None:
    play = played()
    with pytest.raises(TypeError, match=r"play\.view"):
        View(KUHN, 0, play.truth())
    view = play.view(0)
    with pytest.raises(AttributeError):
        view.viewer = 1
    view.states[0].cards[0] = 1
    assert view.states[0].cards[0] == 2
    assert view == play.view(0)


def test_legal_actions_are_told_to_the_player_to_move_only() -> None:
    with pytest.raises(SettingsError, match="move of first"):
        played().view(1).legal()
    with pytest.raises(SettingsError, match="over"):
        played(PASS, PASS).view(0).legal()


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    play = played(PASS)
    with pytest.raises(SettingsError, match=r"not legal for second.*legal are 0, 1"):
        play.apply(2)
    assert play.actions == [PASS]
    play.apply(PASS)
    with pytest.raises(SettingsError, match="over"):
        play.apply(PASS)
    with pytest.raises(SettingsError, match="not over"):
        played().returns()
    with pytest.raises(SettingsError, match="no such viewer"):
        play.view(2)


def test_everybody_sees_the_actions_of_kuhn_in_order() -> None:
    play = played(PASS)
    assert play.seen_by(0).events == (
        play.seen_by(0).events[0],
    )  # asking twice gives the same events, not more
    play.apply(BET)
    seen = play.seen_by(0)
    assert [event.event for event in seen.events] == [MoveEvent(0, PASS, PASS), MoveEvent(1, BET)]
    assert [(event.number, event.viewer) for event in seen.events] == [(1, "first"), (2, "first")]
    assert all(isinstance(event, Seen) for event in seen.events)
    assert seen.events[1].event.to_json() == {"type": "move", "mover": 1, "observation": BET}


@kernel
def observe_own(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action if viewer == mover else HIDDEN


def test_a_move_of_which_one_notices_nothing_leaves_no_trace() -> None:
    silent = replace(KUHN, observe=observe_own)
    play = Play.new(silent, seed=0)
    play.apply(PASS)
    play.apply(BET)
    assert [seen.event.mover for seen in play.seen_by(0).events] == [0]
    assert [(seen.number, seen.event.mover) for seen in play.seen_by(1).events] == [(1, 1)]
    assert play.seen_by(SPECTATOR).events == ()


# Dice


@kernel
def roll(state: Any, action: int, tables: Any, random: Any) -> None:
    state.bets[0] = np.int64(random[0] >> np.uint64(40))
    state.bets[1] = np.int64(random[0] >> np.uint64(20)) & 0xFFFF
    state.moves += 1
    if state.moves == 3:
        state.player = -1


def dicey() -> Game:
    return replace(KUHN, name="dicey", apply=roll)


def test_every_move_has_dice_of_its_own_and_a_record_rolls_the_same() -> None:
    play = Play.new(dicey(), seed=5)
    rolls = []
    for _ in range(3):
        play.apply(PASS)
        rolls.append(tuple(play.truth()[0].bets.tolist()))
    assert len(set(rolls)) == 3
    again = play.record().replay(dicey())
    assert again.truth().tobytes() == play.truth().tobytes()
    other = Play.new(dicey(), seed=6, start=Play.new(dicey(), seed=5).truth())
    other.apply(PASS)
    assert tuple(other.truth()[0].bets.tolist()) != rolls[0]


# Records


def test_a_record_gives_the_same_play_again(tmp_path: Path) -> None:
    play = Play.new(KUHN, seed=2**64 - 1)
    play.apply(PASS)
    play.apply(BET)
    record = play.record()
    record.save(tmp_path / "game.json")
    loaded = PlayRecord.load(tmp_path / "game.json")
    assert loaded == record
    assert loaded.digest == record.digest
    again = loaded.replay(KUHN)
    assert again.truth().tobytes() == play.truth().tobytes()
    assert again.record() == record
    for viewer in (0, 1, SPECTATOR):
        assert again.view(viewer) == play.view(viewer)
        assert again.seen_by(viewer) == play.seen_by(viewer)


@pytest.mark.parametrize(
    "change, place",
    [
        ({"game": "leduc"}, "field 'game'"),
        ({"game": 3}, "field 'game'"),
        ({"version": 2}, "field 'version'"),
        ({"version": None}, "field 'version'"),
        ({"settings": {"cards": 4}}, "field 'settings'"),
        ({"settings": []}, "field 'settings'"),
        ({"seed": -1}, "field 'seed'"),
        ({"seed": 2**64}, "field 'seed'"),
        ({"actions": [0, 2]}, "item 2"),
        ({"actions": [0, 0, 0]}, "item 3"),
        ({"actions": [0, True]}, "item 2"),
        ({"actions": "00"}, "field 'actions'"),
        ({"start": {}}, "start"),
        ({"start": 1}, "field 'start'"),
        ({"start": {"player": 2, "cards": [0, 1], "bets": [1, 1], "moves": 0}}, "player"),
        ({"start": {"player": 0, "cards": [0], "bets": [1, 1], "moves": 0}}, "'cards'"),
        ({"start": {"player": 0, "cards": [0, 0.5], "bets": [1, 1], "moves": 0}}, "item 2"),
        ({"start": {"player": 0, "cards": [0, 1], "bets": [1, 1], "moves": 2**31}}, "'moves'"),
        ({"start": {"player": 0, "cards": 3, "bets": [1, 1], "moves": 0}}, "'cards'"),
        ({"start": {"player": 0, "hands": [0, 1], "bets": [1, 1], "moves": 0}}, "start"),
        ({"action": [0]}, "record"),
    ],
)
def test_a_wrong_record_is_refused_with_its_place(
    change: dict[str, Any], place: str, tmp_path: Path
) -> None:
    value = played(PASS, BET).record().to_json() | change
    with pytest.raises(RecordError, match=place):
        PlayRecord.from_json(value).replay(KUHN)


def test_text_that_is_no_record_is_refused(tmp_path: Path) -> None:
    for text in ("", "[]", "{}", '{"game": NaN}', json.dumps({"game": "kuhn_poker"})):
        (tmp_path / "game.json").write_text(text)
        with pytest.raises(RecordError):
            PlayRecord.load(tmp_path / "game.json")


@pytest.mark.parametrize("seed", [-1, 2**64, 0.5, True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(SettingsError, match="seed"):
        Play.new(KUHN, seed=seed)


# The registry


def test_games_are_found_by_name() -> None:
    for name in GAMES:
        assert game(name).name == name
        assert game(name.replace("_", "-")).name == name


def test_unknown_games_and_settings_are_refused_with_the_nearest() -> None:
    with pytest.raises(SettingsError, match="'kuhn_poker'"):
        game("kun-poker")
    with pytest.raises(SettingsError, match="no such setting"):
        game("kuhn_poker", cards=4)


def test_events_in_numbers_say_of_others_actions_what_was_seen() -> None:
    play = Play.new("phantom_tic_tac_toe", seed=1)
    for square in (0, 0, 4):  # the second bumps into the first, which the first does not notice
        play.apply(square)
    for viewer in (0, 1):
        numbers = event_numbers(play.seen_by(viewer)).tolist()
        own = [action for mover, _, action in numbers if mover == viewer]
        assert own == ([0], [0, 4])[viewer]
        assert [row[2] for row in numbers if row[0] != viewer] == [HIDDEN]
    assert event_numbers(Play.new("kuhn_poker", seed=1).seen_by(0)).shape == (0, 3)
