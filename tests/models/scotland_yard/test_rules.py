"""The rules of Scotland Yard, move by move on situations made by hand."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, SPECTATOR, Play
from sleuth import game as game_of
from sleuth.errors import SettingsError
from sleuth.games.scotland_yard import own_returns, scotland_yard, stations_of
from sleuth.models.scotland_yard.rules import SHOWN

from .plain_rules import STARTS
from .situations import CODES, GAME, all_tickets, codes, do, held, names, situation, state_of

FAR = [103, 112, 34, 117, 29]  # detectives nowhere near the corner of stations 1, 8 and 9
AWAY = ["taxi 103 to 85", "taxi 112 to 99", "taxi 34 to 22", "taxi 117 to 116", "taxi 29 to 16"]
NONE = [0, 0, 0, 0]


def returns(play: Play) -> list[float]:
    return play.returns().tolist()


def credits_of(play: Play) -> list[float]:
    values = np.zeros(play.game.players)
    own_returns(state_of(play), play.game.tables, values)
    return values.tolist()


# The start


def test_everybody_starts_on_another_start_with_the_tickets_of_the_rules() -> None:
    seen: set[int] = set()
    for seed in range(40):
        state = GAME.initial(seed)[0]
        stations = state.stations.tolist()
        assert len(set(stations)) == 6
        assert set(stations) <= {*STARTS}
        assert state.tickets.tolist() == [[4, 3, 3, 5]] + [[10, 8, 4, 0]] * 5
        assert (state.player, state.doubles, state.turn, state.surfaced) == (0, 2, 0, 0)
        assert set(state.log.tolist()) == {-1}
        assert all_tickets(state) == 120
        seen |= set(stations[:1])
    assert len(seen) > 14  # of 18


def test_he_can_be_at_every_start_without_a_detective() -> None:
    state = GAME.initial(5)[0]
    assert set(stations_of(state.possible)) == {*STARTS} - set(state.stations[1:].tolist())


# Moves and tickets


def test_the_hider_moves_by_what_he_has_tickets_for() -> None:
    play = situation(1, FAR, doubles=0)
    taxis = {"taxi 1 to 8", "taxi 1 to 9"}
    buses = {"bus 1 to 46", "bus 1 to 58"}
    blacks = {f"black 1 to {to}" for to in (8, 9, 46, 58)}
    assert names(play) == taxis | buses | {"underground 1 to 46"} | blacks
    assert names(situation(1, FAR, doubles=0, tickets={0: [0, 2, 0, 0]})) == buses
    assert names(situation(1, FAR, doubles=0, tickets={0: [0, 0, 0, 1]})) == blacks


def test_a_detective_has_no_black_fare_and_no_double_move() -> None:
    play = situation(150, [1, 103, 112, 34, 117], player=1)
    assert names(play) == {
        "taxi 1 to 8", "taxi 1 to 9", "bus 1 to 46", "bus 1 to 58", "underground 1 to 46"
    }  # fmt: skip


def test_only_a_black_fare_takes_the_ferry() -> None:
    ways = {name for name in names(situation(194, FAR, doubles=0)) if name.endswith("to 157")}
    assert ways == {"black 194 to 157"}
    as_detective = situation(1, [194, 103, 112, 34, 117], player=1)
    assert not [name for name in names(as_detective) if name.endswith("to 157")]


def test_nobody_moves_to_where_a_detective_stands() -> None:
    play = situation(1, [9, 46, 103, 112, 34], doubles=0)
    assert names(play) == {"taxi 1 to 8", "bus 1 to 58", "black 1 to 8", "black 1 to 58"}
    play = situation(150, [1, 9, 46, 103, 112], player=1)
    assert names(play) == {"taxi 1 to 8", "bus 1 to 58"}


def test_the_hiders_ticket_leaves_the_game_and_a_detectives_goes_to_the_hider() -> None:
    play = do(situation(1, [67, *FAR[1:]]), "taxi 1 to 8")
    assert held(play, 0) == {"taxi": 3, "bus": 3, "underground": 3, "black": 5}
    assert all_tickets(state_of(play)) == 120
    do(play, "bus 67 to 102")
    assert held(play, 0) == {"taxi": 3, "bus": 4, "underground": 3, "black": 5}
    assert held(play, 1) == {"taxi": 10, "bus": 7, "underground": 4, "black": 0}
    assert all_tickets(state_of(play)) == 120
    assert state_of(play).stations.tolist() == [8, 102, *FAR[1:]]


def test_a_black_fare_is_paid_with_a_black_fare() -> None:
    play = do(situation(1, FAR), "black 1 to 46")
    assert held(play, 0) == {"taxi": 4, "bus": 3, "underground": 3, "black": 4}
    assert state_of(play).log[0] == 3


# Turns


def test_detectives_move_in_order_and_then_the_hider() -> None:
    play = situation(1, FAR)
    movers: list[int] = []
    for name in ("taxi 1 to 8", *AWAY):
        movers.append(play.player)
        do(play, name)
    assert movers == [0, 1, 2, 3, 4, 5]
    assert play.player == 0
    assert state_of(play).turn == 1


def test_a_detective_who_cannot_move_is_skipped() -> None:
    play = do(situation(1, FAR, tickets={1: NONE, 3: NONE}), "taxi 1 to 8")
    assert play.player == 2
    do(play, "taxi 112 to 99")
    assert play.player == 4
    play = do(situation(1, FAR, tickets={4: NONE, 5: NONE}), "taxi 1 to 8")
    do(play, "taxi 103 to 85", "taxi 112 to 99", "taxi 34 to 22")
    assert play.player == 0


def test_a_detective_without_the_right_ticket_cannot_move() -> None:
    assert GAME.tables.board[0].kind[103] == 0  # nothing but taxis
    stuck = situation(1, FAR, tickets={1: [0, 8, 4, 0]})
    assert do(stuck, "taxi 1 to 8").player == 2


def test_a_detective_hemmed_in_by_others_is_skipped_until_they_are_gone() -> None:
    # From 8 taxis lead to 1, 18 and 19, and nothing else leaves from there.
    play = situation(150, [8, 1, 18, 19, 112])
    assert names(situation(150, [8, 103, 112, 34, 117], player=1)) == {
        "taxi 8 to 1", "taxi 8 to 18", "taxi 8 to 19"
    }  # fmt: skip
    do(play, "taxi 150 to 149")
    assert play.player == 2
    do(play, "taxi 1 to 9", "taxi 18 to 43", "taxi 19 to 32", "taxi 112 to 99", "taxi 149 to 150")
    assert play.player == 1


def test_the_hider_wins_when_no_detective_can_move() -> None:
    play = do(situation(1, FAR, tickets=dict.fromkeys(range(1, 6), NONE)), "taxi 1 to 8")
    assert play.over
    assert returns(play) == [1, -1, -1, -1, -1, -1]
    assert credits_of(play) == [1, -1, -1, -1, -1, -1]


def test_the_detectives_win_when_the_hider_cannot_move() -> None:
    play = situation(8, [1, 18, 32, 103, 112], player=3)
    do(play, "taxi 32 to 19", "taxi 103 to 85")
    assert not play.over
    do(play, "taxi 112 to 99")
    assert play.over
    assert returns(play) == [-1, 1, 1, 1, 1, 1]
    assert state_of(play).captor == 0
    assert credits_of(play) == [-1] + [pytest.approx(2 / 5 - 1)] * 5
    # All saw that he was shut in, and so where.
    assert play.view(SPECTATOR).states[0].stations[0] == 8
    assert play.seen_by(SPECTATOR).events[-1].event.observation // SHOWN == 8


def test_the_hider_without_a_ticket_for_where_he_is_has_lost() -> None:
    # Only taxis leave from 8, and the detective pays with a bus ticket.
    play = situation(8, [67], game=scotland_yard(seekers=1), player=1, tickets={0: [0, 3, 3, 0]})
    play.apply(CODES["bus 67 to 102"])
    assert returns(play) == [-1, 1]


# Catching him


def test_who_moves_to_the_hiders_station_catches_him() -> None:
    play = do(situation(1, [103, 18, *FAR[1:4]]), "taxi 1 to 8", "taxi 103 to 85", "taxi 18 to 8")
    assert play.over
    assert returns(play) == [-1, 1, 1, 1, 1, 1]
    assert state_of(play).captor == 2
    assert credits_of(play) == [-1, -1, 1, -1, -1, -1]


def test_the_detectives_still_move_after_the_hiders_last_move() -> None:
    play = do(situation(1, FAR, turn=23), "taxi 1 to 8")
    assert play.player == 1
    do(play, *AWAY[:4])
    assert not play.over
    do(play, AWAY[4])
    assert play.over
    assert returns(play) == [1, -1, -1, -1, -1, -1]
    caught = do(situation(1, [18, *FAR[1:]], turn=23), "taxi 1 to 8", "taxi 18 to 8")
    assert returns(caught) == [-1, 1, 1, 1, 1, 1]


# Double moves


def test_a_double_move_is_two_moves_without_a_detective_between() -> None:
    play = do(situation(1, FAR), "taxi 1 to 8, first of two")
    state = state_of(play)
    assert (state.player, state.turn, state.doubles, state.doubling) == (0, 1, 1, 1)
    assert not [name for name in names(play) if "first" in name]
    do(play, "black 8 to 18")
    state = state_of(play)
    assert (state.player, state.turn, state.doubles, state.doubling) == (1, 2, 1, 0)
    assert state.log[:3].tolist() == [0, 3, -1]
    assert held(play, 0) == {"taxi": 3, "bus": 3, "underground": 3, "black": 4}


def test_every_move_can_be_the_first_of_two() -> None:
    listed = names(situation(1, FAR))
    singles = {name for name in listed if "first" not in name}
    assert len(singles) == 9
    assert listed == singles | {f"{name}, first of two" for name in singles}


@pytest.mark.parametrize("turn, doubles", [(23, 2), (5, 0)])
def test_no_double_move_without_a_ticket_or_as_the_last_move(turn: int, doubles: int) -> None:
    play = situation(1, FAR, turn=turn, doubles=doubles)
    assert not [name for name in names(play) if "first" in name]


def test_the_last_double_move_ends_with_the_last_move() -> None:
    play = do(situation(1, FAR, turn=22), "taxi 1 to 8, first of two", "taxi 8 to 19")
    assert state_of(play).turn == 24
    assert play.player == 1


def test_after_the_detectives_he_may_double_again() -> None:
    play = do(situation(1, FAR), "taxi 1 to 8, first of two", "taxi 8 to 19")
    for name in AWAY:
        do(play, name)
    assert "taxi 19 to 8, first of two" in names(play)


def test_the_hider_has_lost_if_the_second_half_cannot_be_made() -> None:
    play = situation(1, FAR, tickets={0: [1, 0, 0, 0]})
    do(play, "taxi 1 to 8, first of two")
    assert returns(play) == [-1, 1, 1, 1, 1, 1]


# What is seen


@pytest.mark.parametrize("number", range(1, 25))
def test_he_shows_himself_after_moves_3_8_13_18_and_24(number: int) -> None:
    play = do(situation(1, FAR, turn=number - 1), "taxi 1 to 8")
    shows = number in (3, 8, 13, 18, 24)
    for viewer in (*range(1, 6), SPECTATOR):
        (seen,) = play.seen_by(viewer).events
        assert seen.event.observation == (8 * SHOWN if shows else 0)
        state = play.view(viewer).states[0]
        assert state.stations[0] == HIDDEN
        assert (state.surfaced, state.surfaced_turn) == ((8, number) if shows else (0, 0))
        assert stations_of(state.possible) == ((8,) if shows else (8, 9))
    assert play.seen_by(0).events[0].event.observation == CODES["taxi 1 to 8"]
    assert play.view(0).states[0].stations[0] == 8


@pytest.mark.parametrize("first", [True, False])
def test_a_reveal_applies_to_each_half_of_a_double_move(first: bool) -> None:
    play = situation(1, FAR, turn=2 if first else 1)
    do(play, "taxi 1 to 8, first of two", "taxi 8 to 19")
    one, two = (seen.event.observation for seen in play.seen_by(1).events)
    assert (one, two) == ((4 + 8 * SHOWN, 0) if first else (4, 19 * SHOWN))


def test_his_ticket_is_always_seen_and_a_black_one_hides_the_transport() -> None:
    for name, number in (("taxi 1 to 8", 0), ("bus 1 to 46", 1), ("underground 1 to 46", 2),
                         ("black 1 to 46", 3)):  # fmt: skip
        play = do(situation(1, FAR), name)
        assert play.seen_by(3).events[0].event.observation == number


def test_moves_of_detectives_are_seen_by_all() -> None:
    play = do(situation(1, [67, *FAR[1:]]), "taxi 1 to 8", "bus 67 to 102")
    for viewer in range(-1, 6):
        assert play.seen_by(viewer).events[1].event.observation == CODES["bus 67 to 102"]


def test_where_he_was_is_seen_when_the_game_is_over() -> None:
    play = do(situation(1, [18, *FAR[1:]]), "taxi 1 to 8", "taxi 18 to 8")
    assert play.seen_by(4).events[-1].event.observation == CODES["taxi 18 to 8"] + 8 * SHOWN
    assert play.view(4).states[0].stations[0] == 8


# Settings


def test_the_sizes_are_those_of_the_map_and_the_tickets() -> None:
    # No detective has more than 22 tickets.
    assert GAME.max_depth == 24 + 5 * 22
    assert GAME.action_space == 2 * 1802
    assert scotland_yard(rounds=3).max_depth == 3 * 6
    assert scotland_yard(double_moves=0).max_actions * 2 == GAME.max_actions
    most = 0
    for station in range(1, 200):
        play = situation(station, [0] * 5, tickets={0: [9, 9, 9, 9]})
        most = max(most, len(play.legal()))
    assert GAME.max_actions == most


def test_the_later_edition_has_no_taxi_from_13_to_14() -> None:
    later = game_of("scotland-yard", edition="later")
    assert set(codes()) - set(codes(later)) == {
        f"taxi {a} to {b}{end}"
        for (a, b), end in itertools.product([(13, 14), (14, 13)], ["", ", first of two"])
    }


def test_settings_change_the_game() -> None:
    made = scotland_yard(
        seekers=2, rounds=5, reveals=[2], seeker_tickets=[1, 2, 3], hider_tickets=[7, 8, 9],
        black_fares=6, double_moves=4,
    )  # fmt: skip
    state = made.initial(0)[0]
    assert state.tickets.tolist() == [[7, 8, 9, 6], [1, 2, 3, 0], [1, 2, 3, 0]] + [NONE] * 3
    assert state.stations[3:].tolist() == [0, 0, 0]
    assert state.doubles == 4
    assert made.roles == ("hider", "seeker 1", "seeker 2")
    assert made.max_depth == 5 + 2 * 5


@pytest.mark.parametrize(
    "settings",
    [
        {"edition": "first"}, {"seekers": 0}, {"seekers": 6}, {"rounds": 25}, {"reveals": [25]},
        {"rounds": 5, "reveals": [6]}, {"seeker_tickets": [1, 2]}, {"hider_tickets": [-1, 0, 0]},
        {"hider_tickets": [0, 3, 3], "black_fares": 0}, {"double_moves": 1.5},
    ],
)  # fmt: skip
def test_settings_without_a_game_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        scotland_yard(**settings)


def test_the_game_is_over_for_everybody_at_once() -> None:
    play = do(situation(1, [18, *FAR[1:]]), "taxi 1 to 8", "taxi 18 to 8")
    assert play.player == OVER
    assert len(play.legal()) == 0
