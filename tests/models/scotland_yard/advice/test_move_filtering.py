"""The hider wastes no black fare and no double move: the four rules, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Play
from sleuth.games.scotland_yard import considered, made
from sleuth.models.scotland_yard.advice.move_filtering import filtered, threatened, with_double

from ..situations import CODES, GAME, situation, state_of

FAR = [103, 112, 34, 117, 29]
#: A bus stops at 46, so a black fare can tell less than its ticket.
UNCLEAR = [1, 46]


def kept(play: Play) -> set[str]:
    codes = np.zeros(GAME.max_actions, dtype=np.int32)
    legal = play.legal()
    codes[: len(legal)] = legal
    count = filtered(state_of(play), codes, len(legal), GAME.tables)
    return {GAME.action_name(int(code)) for code in codes[:count]}


def blacks(play: Play) -> set[str]:
    return {name for name in kept(play) if name.startswith("black")}


def doubles(play: Play) -> set[str]:
    return {name for name in kept(play) if name.endswith("first of two")}


@pytest.mark.parametrize("number", range(1, 25))
def test_no_black_fare_in_the_first_two_rounds_or_when_he_shows_himself(number: int) -> None:
    play = situation(1, FAR, turn=number - 1, possible=UNCLEAR)
    assert bool(blacks(play)) == (number > 2 and number not in (3, 8, 13, 18, 24))
    assert {"taxi 1 to 8", "bus 1 to 58", "underground 1 to 46"} <= kept(play)


def test_no_black_fare_when_only_taxis_leave_from_all_possible_stations() -> None:
    assert not blacks(situation(8, FAR, turn=4, possible=[8, 18, 19]))
    assert blacks(situation(8, FAR, turn=4, possible=[8, 18, 1]))


@pytest.mark.parametrize("station", [108, 115, 157, 194])
@pytest.mark.parametrize("turn", [0, 2, 4])
def test_a_black_fare_is_always_allowed_at_a_ferry(station: int, turn: int) -> None:
    seekers = [1, 8, 9, 18, 2]
    play = situation(station, seekers, turn=turn, possible=[station])
    assert len({name for name in blacks(play) if "first" not in name}) > 1
    if station in (108, 157):
        assert f"black {station} to 115" in kept(play)


def test_with_nothing_but_black_fares_he_may_use_them() -> None:
    play = situation(8, FAR, tickets={0: [0, 0, 0, 2]}, possible=[8])
    assert kept(play) == {"black 8 to 1", "black 8 to 18", "black 8 to 19"}


def test_no_double_move_while_a_safe_move_is_left() -> None:
    # From 8 taxis lead to 1, 18 and 19: detectives near two of them.
    play = situation(8, [46, 43, 103, 112, 34], turn=4, possible=[8])
    assert threatened(state_of(play), 1, GAME.tables)
    assert threatened(state_of(play), 18, GAME.tables)
    assert not threatened(state_of(play), 19, GAME.tables)
    assert not doubles(play)


def test_double_moves_when_every_move_leads_to_a_detective() -> None:
    play = situation(8, [46, 43, 32, 112, 34], turn=4, possible=[8])
    assert threatened(state_of(play), 19, GAME.tables)
    assert doubles(play) == {f"taxi 8 to {to}, first of two" for to in (1, 18, 19)}
    assert len(kept(play)) == 6
    assert not doubles(situation(8, [46, 43, 32, 112, 34], turn=4, possible=[8], doubles=0))


def test_a_detective_without_the_ticket_is_no_threat() -> None:
    seekers = [46, 43, 32, 112, 34]
    play = situation(8, seekers, turn=4, possible=[8], tickets={3: [0, 8, 4, 0]})
    assert not threatened(state_of(play), 19, GAME.tables)
    assert not doubles(play)


def test_a_dropped_black_fare_is_no_safe_move() -> None:
    # He would be safe at 58 and 46, but has no bus or underground ticket.
    held = {0: [4, 0, 0, 5]}
    near = [18, 20, 103, 112, 34]
    early = situation(1, near, turn=0, tickets=held, possible=UNCLEAR)
    assert threatened(state_of(early), 8, GAME.tables)
    assert threatened(state_of(early), 9, GAME.tables)
    assert not blacks(early)
    assert len(doubles(early)) == 2
    later = situation(1, near, turn=3, tickets=held, possible=UNCLEAR)
    assert "black 1 to 58" in kept(later)
    assert not doubles(later)


def test_a_move_to_where_he_can_be_caught_is_made_double() -> None:
    play = situation(8, [46, 43, 103, 112, 34], turn=4)
    state = state_of(play)
    unsafe, safe = CODES["taxi 8 to 18"], CODES["taxi 8 to 19"]
    double = CODES["taxi 8 to 18, first of two"]
    assert with_double(state, unsafe, GAME.tables) == double
    assert with_double(state, safe, GAME.tables) == safe
    assert with_double(state, double, GAME.tables) == double


@pytest.mark.parametrize("turn, held", [(23, 2), (4, 0)])
def test_no_double_move_is_added_that_he_may_not_make(turn: int, held: int) -> None:
    state = state_of(situation(8, [46, 43, 103, 112, 34], turn=turn, doubles=held))
    unsafe = CODES["taxi 8 to 18"]
    assert with_double(state, unsafe, GAME.tables) == unsafe


def test_nor_to_the_second_half_of_one() -> None:
    state = state_of(situation(8, [46, 43, 103, 112, 34], turn=4))
    state.doubling = 1
    unsafe = CODES["taxi 8 to 18"]
    assert with_double(state, unsafe, GAME.tables) == unsafe


def test_nor_where_the_second_half_could_not_be_made() -> None:
    state = state_of(situation(8, [46, 43, 103, 112, 34], turn=4))
    unsafe = CODES["taxi 8 to 18"]
    double = CODES["taxi 8 to 18, first of two"]
    state.tickets[0] = (1, 3, 3, 0)  # nothing but taxis leaves from 18
    assert with_double(state, unsafe, GAME.tables) == unsafe
    state.tickets[0] = (2, 0, 0, 0)
    assert with_double(state, unsafe, GAME.tables) == double


def test_agents_ask_by_view() -> None:
    play = situation(8, [46, 43, 32, 112, 34], turn=4, possible=[8])
    view = play.view(0)
    assert {GAME.action_name(int(code)) for code in considered(view)} == kept(play)
    assert made(view, CODES["taxi 8 to 18"]) == CODES["taxi 8 to 18, first of two"]
    detective = situation(8, [46, 43, 32, 112, 34], player=1).view(1)
    assert considered(detective).tolist() == detective.legal().tolist()
    assert made(detective, 7) == 7


def test_something_is_always_left_and_it_is_legal() -> None:
    rng = np.random.default_rng(2)
    for seed in range(40):
        play = Play.new(GAME, seed=seed)
        while not play.over:
            if play.player == 0:
                left = kept(play)
                legal = {GAME.action_name(int(code)) for code in play.legal()}
                assert left
                assert left <= legal
            play.apply(int(rng.choice(play.legal())))
