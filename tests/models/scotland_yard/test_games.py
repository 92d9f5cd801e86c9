"""Whole games of Scotland Yard: against the rules written a second time, and a million moves."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, SPECTATOR, Game, Play, below, kernel
from sleuth.games.scotland_yard import TICKETS, scotland_yard, stations_of
from sleuth.kit import PlayRecord, generator
from sleuth.models.scotland_yard.possible_stations import count_possible, is_possible
from sleuth.models.scotland_yard.rules import SHOWN, apply, legal, spent, start
from sleuth.models.scotland_yard.state import BLACK, THE_SEEKERS

from .plain_rules import CARDS, Move, PlainGame
from .situations import GAME, all_tickets

LATER = scotland_yard(edition="later")
COMPILED = hasattr(apply, "py_func")


def move_of(code: int, game: Game = GAME) -> Move:
    board = game.tables.board[0]
    move = code % board.moves
    return TICKETS[board.ticket[move]], int(board.target[move]), bool(code >= board.moves)


def shown(plain: PlainGame, play: Play) -> object:
    """What a spectator was told of the last move, as the plain rules say it."""
    event = play.seen_by(SPECTATOR).events[-1].event
    station, seen = divmod(event.observation, SHOWN)
    if event.mover == 0:
        return TICKETS[seen % 4], seen >= 4, station or None
    return move_of(seen, play.game)[:2]


def compared(game: Game, seed: int, *, greedy: bool) -> str:
    """How a game ended that went the same way by both rules at every move."""
    rng = np.random.default_rng(seed)
    play = Play.new(game, seed=seed)
    start = play.truth()[0]
    rows: list[list[int]] = start.tickets.tolist()
    held: list[dict[str, int]] = [dict(zip(TICKETS, row, strict=True)) for row in rows]
    edition = game.settings["edition"]
    plain = PlainGame(start.stations.tolist(), held, edition=edition)
    hiders, seekers = CARDS[edition]
    assert plain.stations[0] in hiders
    assert {*plain.stations[1:]} <= seekers
    total = all_tickets(start)
    while not play.over:
        state = play.truth()[0]
        codes = play.legal()
        assert state.player == plain.player
        assert {move_of(int(code), game) for code in codes} == plain.legal()
        assert state.stations.tolist() == plain.stations
        held = [dict(zip(TICKETS, row, strict=True)) for row in state.tickets.tolist()]
        assert held == plain.tickets
        assert set(stations_of(state.possible)) == plain.possible
        assert [TICKETS[ticket] for ticket in state.log if ticket >= 0] == plain.log
        assert all_tickets(state) == total
        by_policy = game.policy(
            state, codes, len(codes), game.tables, generator(seed, plain.player)
        )
        code = int(codes[by_policy] if greedy else rng.choice(codes))
        play.apply(code)
        plain.move(*move_of(code, game))
        if not play.over:
            assert shown(plain, play) == plain.told
    assert plain.winner == ("seekers" if play.truth()[0].won == THE_SEEKERS else "hider")
    assert play.truth()[0].captor == plain.captor
    won = 1.0 if plain.winner == "seekers" else -1.0
    assert play.returns().tolist() == [-won] + [won] * 5
    if plain.captor:
        return "caught"
    if plain.winner == "seekers":
        return "shut in"
    return "last move" if len(plain.log) == 24 else "no detective can move"


#: Games that are played by both; 1,000 of random moves in the fuzz run.
GAMES = 40 if "SLEUTH_FUZZ" not in os.environ else 1_500


@pytest.mark.parametrize("seed", range(GAMES))
def test_games_go_as_the_rules_say_written_a_second_time(seed: int) -> None:
    assert all_tickets(GAME.initial(seed)[0]) == 120
    compared(GAME, seed, greedy=seed % 3 == 0)


@pytest.mark.parametrize("seed", range(GAMES // 4 if GAMES < 1_000 else 1_000))
def test_so_do_games_of_the_newer_box(seed: int) -> None:
    assert all_tickets(LATER.initial(seed)[0]) == 10 + 5 * (11 + 8 + 4)
    compared(LATER, seed, greedy=seed % 3 == 0)


def test_so_do_games_with_few_tickets_which_end_in_every_way() -> None:
    few = scotland_yard(seeker_tickets=[3, 1, 1], hider_tickets=[1, 1, 0], black_fares=1)
    no_taxi = scotland_yard(seeker_tickets=[0, 4, 4], hider_tickets=[2, 1, 0], black_fares=0)
    ends = {compared(game, seed, greedy=False) for game in (few, no_taxi) for seed in range(30)}
    ends |= {compared(GAME, seed, greedy=False) for seed in range(40, 60)}
    assert ends == {"caught", "shut in", "last move", "no detective can move"}


def test_nobody_but_himself_sees_the_hider_until_the_end() -> None:
    play, rng = Play.new(GAME, seed=3), np.random.default_rng(3)
    while not play.over:
        for viewer in range(-1, 6):
            station = play.view(viewer).states[0].stations[0]
            assert station == (play.truth()[0].stations[0] if viewer == 0 else HIDDEN)
        play.apply(int(rng.choice(play.legal())))


def test_a_record_holds_the_whole_game() -> None:
    play, rng = Play.new(GAME, seed=4), np.random.default_rng(4)
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    record = PlayRecord.from_json(play.record().to_json())
    again = record.replay(scotland_yard(**record.settings))
    assert again.truth().tobytes() == play.truth().tobytes()
    for viewer in range(-1, 6):
        assert again.seen_by(viewer).digest == play.seen_by(viewer).digest


# A million moves

FAULTS = (
    "none", "number of actions", "tickets", "stations", "possible stations", "log", "length",
    "double move", "players", "captor",
)  # fmt: skip


@kernel(allocates=False)
def fault_of(state: Any, tables: Any, moves: int, most: int) -> int:
    """The place in FAULTS of what is wrong with a state; 0 for nothing."""
    held = 0
    for player in range(6):
        for ticket in range(4):
            if state.tickets[player, ticket] < 0:
                return 2
            if ticket != BLACK:
                held += state.tickets[player, ticket]
    if held + spent(state) != 120:
        return 2
    for player in range(6):
        if state.stations[player] < 1 or state.stations[player] > 199:
            return 3
        for other in range(player):
            caught = state.captor == player and other == 0
            if state.stations[player] == state.stations[other] and not caught:
                return 3
    if state.captor == 0 and not is_possible(state, state.stations[0]):
        return 4
    shown = state.captor == 0 and state.surfaced_turn == state.turn and state.turn > 0
    if shown and (state.surfaced != state.stations[0] or count_possible(state) != 1):
        return 4
    for turn in range(24):
        if (state.log[turn] >= 0) != (turn < state.turn):
            return 5
    if state.turn > 24 or moves > most:
        return 6
    if state.doubles < 0 or (state.doubling == 1 and state.player > 0):
        return 7
    if state.player > 5 or (state.player == OVER) != (state.won != 0):
        return 8
    if state.captor > 0 and state.stations[state.captor] != state.stations[0]:
        return 9
    return 0


@kernel
def play_many(states: Any, blank: Any, tables: Any, sizes: Any, random: Any, wanted: int) -> Any:
    """Random games of ``wanted`` moves in all: moves made, games, longest, the first fault."""
    actions = np.zeros(sizes[0], dtype=np.int32)
    state = states[0]
    made = 0
    games = 0
    longest = 0
    while made < wanted:
        states[0] = blank[0]
        start(state, tables, random)
        games += 1
        moves = 0
        fault = 0
        while fault == 0 and state.player != OVER:
            count = legal(state, tables, actions)
            if count < 1 or count > sizes[0]:
                return made, games, longest, 1
            apply(state, actions[below(random, count)], tables, random)
            moves += 1
            fault = fault_of(state, tables, moves, sizes[1])
        made += moves
        longest = max(longest, moves)
        if fault > 0:
            return made, games, longest, fault
    return made, games, longest, 0


def many(game: Any, wanted: int) -> tuple[int, int, int, str]:
    sizes = np.array([game.max_actions, game.max_depth])
    made, games, longest, fault = play_many(
        game.states(1), game.states(1), game.tables, sizes, generator(7), wanted
    )
    return made, games, longest, FAULTS[fault]


def test_a_million_random_moves_keep_every_invariant() -> None:
    made, games, longest, fault = many(GAME, 1_000_000 if COMPILED else 2_000)
    assert fault == "none"
    assert made >= 2_000
    assert games > 20
    assert longest <= GAME.max_depth


def test_a_broken_invariant_would_be_found() -> None:
    for change, fault in (
        (lambda state: state.tickets.__setitem__((2, 0), 9), "tickets"),
        (lambda state: state.stations.__setitem__(2, state.stations[1]), "stations"),
        (lambda state: state.possible.__setitem__(slice(None), 0), "possible stations"),
        (lambda state: state.log.__setitem__(5, 0), "tickets"),
        (lambda state: state.log.__setitem__(5, 3), "log"),
        (lambda state: setattr(state, "doubles", -1), "double move"),
        (lambda state: setattr(state, "won", 1), "players"),
        (lambda state: setattr(state, "turn", 25), "log"),
    ):
        states = GAME.initial(1)
        assert FAULTS[fault_of(states[0], GAME.tables, 0, 134)] == "none"
        change(states[0])
        assert FAULTS[fault_of(states[0], GAME.tables, 0, 134)] == fault
    assert FAULTS[fault_of(GAME.initial(1)[0], GAME.tables, 135, 134)] == "length"
