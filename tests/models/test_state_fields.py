"""Observations for learners: a fixed size, within bounds, and nothing that a viewer cannot see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sleuth
from sleuth.data.errors import SettingsError
from sleuth.models.game import HIDDEN, SPECTATOR
from sleuth.models.games import GAMES
from sleuth.models.play import Play
from sleuth.models.state_fields import StateField, words_of

LEDUC = sleuth.game("leduc_poker")


@pytest.mark.parametrize("name", sorted(GAMES))
def test_observations_keep_size_and_bounds_to_the_end_of_a_game(name: str) -> None:
    game, rng = sleuth.game(name), np.random.default_rng(1)
    space, play = game.observation_space, Play.new(sleuth.game(name), seed=3)
    for _ in range(60):
        for viewer in (SPECTATOR, *range(game.players)):
            seen = game.observation(play.view(viewer))
            assert seen.dtype == np.float32
            assert seen.shape == (space.size,)
            assert ((space.low <= seen) & (seen <= space.high)).all()
        if play.over:
            return
        play.apply(int(rng.choice(play.legal())))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_every_shipped_game_says_what_its_fields_and_settings_mean(name: str) -> None:
    made = GAMES[name].game()
    assert {*made.fields, "player"} == {*(made.state.names or ())}
    assert {*GAMES[name].setting_meanings} == {*GAMES[name].settings}


#: Settings at which numbers of a game are larger than usual.
LARGE = [
    ("cheat_for_many", {"players": 6, "packs": 3, "ranks": 3, "limit": 12}),
    ("clue_table", {"players": 10, "edition": "master_detective", "turns": 12}),
    ("saboteur", {"players": 10, "rounds": 2, "pay": "gold", "stock": 0}),
    ("scotland_yard", {"edition": "later", "seekers": 2, "rounds": 8}),
    ("goofspiel", {"players": 3}),
    ("hanabi", {"players": 5, "colours": 5, "hints": 8, "lives": 8}),
    ("battleship", {"side": 4, "ships": "32"}),
    *[("the_resistance", {"players": players}) for players in (6, 8)],
    ("love_letter", {"players": 4}),
    ("liars_dice_for_many", {"players": 2, "dice": 2}),
    ("mini_stratego", {"columns": 2, "army": "FMMGG3"}),
    ("cockroach_poker", {"players": 2, "kinds": 2, "loses": 8, "aside": 3}),
]


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("name, settings", LARGE)
def test_bounds_hold_for_other_settings(name: str, settings: dict[str, object]) -> None:
    game, rng = sleuth.game(name, **settings), np.random.default_rng(2)
    play = Play.new(game, seed=3)
    while not play.over and len(play.actions) < 60:
        for field, known in game.fields.items():
            held = play.truth()[field]
            assert ((known.lowest <= held) & (held <= known.highest)).all(), field
        legal = play.legal()
        assert len(legal) <= game.max_actions
        play.apply(int(rng.choice(legal)))
    if play.over:
        returns = play.returns()
        assert game.lowest <= returns.min() <= returns.max() <= game.highest


def test_what_is_hidden_stands_below_everything_that_can_be_seen() -> None:
    view = Play.new(LEDUC, seed=1).view(0)
    seen, space = LEDUC.observation(view), LEDUC.observation_space
    hidden = [space.names[place] for place in np.flatnonzero(seen == space.low)]
    assert hidden == ["cards[1]", "table"]
    assert LEDUC.observation(view).tolist()[0] == 0


def test_a_game_that_declares_no_bounds_still_has_observations() -> None:
    bare = replace(LEDUC, fields={})
    space = bare.observation_space
    assert np.isinf(space.high).sum() == space.size - 2
    assert HIDDEN in bare.observation(Play.new(bare, seed=1).view(0))


@pytest.mark.parametrize(
    "fields, message",
    [
        ({"card": StateField("the cards", 0, 2)}, "no such field"),
        ({"cards": "the cards"}, "a StateField is needed"),
    ],
)
def test_meanings_of_what_is_not_there_are_refused(fields: object, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        replace(LEDUC, fields=fields)  # pyright: ignore[reportArgumentType]


def test_a_field_needs_a_meaning_and_bounds() -> None:
    for arguments in (("", 0, 1), ("cards", 2, 1)):
        with pytest.raises(SettingsError):
            StateField(*arguments)


def test_a_copy_goes_on_by_itself_with_the_same_dice() -> None:
    play = Play.new("clue", seed=4)
    play.apply(int(play.legal()[0]))
    other = play.copy()
    for each in (play, other):
        while not each.over and len(each.actions) < 12:
            each.apply(int(each.legal()[-1]))
    assert play.truth().tobytes() == other.truth().tobytes()
    assert play.record() == other.record()
    assert play.seen_by(0) == other.seen_by(0)


def test_what_is_written_in_words_stands_in_the_states() -> None:
    states = LEDUC.states(3)
    words = words_of(states)
    assert (words.dtype, len(words)) == (np.int32, 3)
    words[1] = words_of(LEDUC.initial(7))[0]
    assert states[1:2].tobytes() == LEDUC.initial(7).tobytes()
    assert not words[0].any()
