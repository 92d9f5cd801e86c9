"""Greedy players of playouts go where the paper's heuristics say, and ties are broken evenly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Play, below
from sleuth.games.scotland_yard import epsilons, searching, stations_of
from sleuth.kit import generator
from sleuth.models.scotland_yard import freeze
from sleuth.models.scotland_yard.advice.playouts import (
    AWAY,
    NEAR,
    TOTAL,
    TOTAL_NOW,
    capture,
    greedy_chase,
    greedy_total,
    greedy_total_capture,
    greedy_total_leaf,
    greedy_total_leaf_capture,
    greedy_total_now,
    greedy_total_now_capture,
    least,
)
from sleuth.models.scotland_yard.possible_stations import count_possible, only_taxis, total_distance
from sleuth.models.scotland_yard.state import bits_of

from ..situations import GAME, do, situation, state_of

BOARD = GAME.tables.board[0]
#: What detectives do in each policy when they are greedy.
POLICIES = {
    greedy_chase: NEAR,
    greedy_total: TOTAL,
    greedy_total_now: TOTAL_NOW,
    greedy_total_leaf: TOTAL_NOW,
}


def positions(count: int, player: int | None = None) -> list[Play]:
    """Positions of random games, in which a player is to move."""
    found: list[Play] = []
    rng = np.random.default_rng(5)
    seed = 0
    while len(found) < count:
        seed += 1
        play = Play.new(GAME, seed=seed)
        for _ in range(int(rng.integers(40))):
            if not play.over:
                play.apply(int(rng.choice(play.legal())))
        if not play.over and (player is None or (play.player == 0) == (player == 0)):
            found.append(play)
    return found


def target(code: int) -> int:
    return int(BOARD.target[code % BOARD.moves])


def best(play: Play, value: Callable[[int], float]) -> set[int]:
    """The legal codes with the highest value of where they lead."""
    codes = [int(code) for code in play.legal()]
    highest = max(value(target(code)) for code in codes)
    return {code for code in codes if value(target(code)) == highest}


def greedy(aim: int) -> Any:
    """A player with one aim."""
    return lambda state, actions, count, tables, random: least(
        state, actions, count, aim, tables, random
    )


def chosen(policy: Any, play: Play, tables: Any, draws: int = 200) -> Counter[int]:
    codes, random, state = play.legal(), generator(1), state_of(play)
    picks = (policy(state, codes, len(codes), tables, random) for _ in range(draws))
    return Counter(int(codes[pick]) for pick in picks)


def test_the_hider_goes_where_the_closest_detective_is_farthest() -> None:
    for play in positions(25, player=0):
        seekers = state_of(play).stations[1:].tolist()
        expected = best(play, lambda to, s=seekers: min(BOARD.distance[to, s]))
        picks = chosen(greedy(AWAY), play, GAME.tables)
        assert set(picks) <= expected
        assert len(picks) > len(expected) / 2


def test_detectives_chase_where_the_hider_is_supposed_to_be() -> None:
    for play in positions(25, player=1):
        hider = int(state_of(play).stations[0])
        expected = best(play, lambda to, h=hider: -BOARD.distance[to, h])
        picks = chosen(greedy(NEAR), play, GAME.tables)
        assert set(picks) <= expected


def test_detectives_go_where_all_possible_stations_are_near() -> None:
    game = searching(GAME)
    for play in positions(25, player=1):
        state = state_of(play)
        listed = stations_of(state.possible)

        def total(to: int, listed: tuple[int, ...] = listed) -> int:
            return int(BOARD.distance[to, listed].sum(dtype=int))

        expected = best(play, lambda to: -total(to))
        assert set(chosen(greedy(TOTAL_NOW), play, GAME.tables)) <= expected
        freeze(game, state.possible)
        assert set(chosen(greedy(TOTAL), play, game.tables)) <= expected
        assert all(total_distance(state, s, GAME.tables) == total(s) for s in (1, 77, 199))
        assert only_taxis(state, GAME.tables) == all(BOARD.kind[s] == 0 for s in listed)


@pytest.mark.parametrize("listed", [[], [199], list(range(31, 64)), list(range(1, 200))])
def test_sums_over_any_list_are_those_of_the_distances(listed: list[int]) -> None:
    state = state_of(situation(1, [103]))
    state.possible = bits_of(listed)
    expected = BOARD.distance[:, listed].sum(axis=1, dtype=int)
    found = [total_distance(state, station, GAME.tables) for station in range(1, 200)]
    assert found == expected[1:].tolist()
    assert count_possible(state) == len(listed)


@pytest.mark.parametrize(
    "policy, otherwise",
    [
        (capture, None),
        (greedy_total_capture, greedy_total),
        (greedy_total_now_capture, greedy_total_now),
        (greedy_total_leaf_capture, greedy_total_leaf),
    ],
)
def test_a_detective_captures_where_they_can_and_else_plays_as_without(
    policy: Any, otherwise: Any
) -> None:
    for number, play in enumerate(positions(40)):
        states = play.truth()
        codes = [int(code) for code in play.legal()]
        if number % 2 and play.player > 0:
            states[0].stations[0] = target(codes[-1])
            play = Play.new(GAME, seed=0, start=states)
        hider = int(states[0].stations[0])
        catching = {code for code in codes if play.player > 0 and target(code) == hider}
        assert catching or not number % 2 or play.player == 0
        picks = chosen(policy, play, GAME.tables)
        if catching:
            assert set(picks) <= catching
        elif otherwise is None:
            assert len(picks) > len(codes) / 2
        else:
            assert picks == chosen(otherwise, play, GAME.tables)


def test_freezing_a_search_leaves_the_game_alone() -> None:
    game, other = searching(GAME), searching(GAME)
    freeze(game, state_of(situation(1, [103])).possible)
    assert game.tables.rules[0].total_distance.any()
    assert not other.tables.rules[0].total_distance.any()
    assert not GAME.tables.rules[0].total_distance.any()


@pytest.mark.parametrize("policy", [greedy_total_leaf, greedy_total_leaf_capture])
def test_from_its_first_greedy_move_a_playout_leaves_the_list_alone(policy: Any) -> None:
    changed = 0
    for number, play in enumerate(positions(20)):
        tables, random = GAME.tables, generator(number)
        followed, frozen = play.truth(), play.truth()
        listed = frozen[0].possible.tolist()
        actions = np.zeros(GAME.max_actions, dtype=np.int32)
        while frozen[0].player >= 0:
            count = GAME.legal(frozen[0], tables, actions)
            assert policy(frozen[0], actions, count, tables, random) < count
            # At random, so that the game goes on for a while.
            action = int(actions[int(below(random, count))])
            for states in (followed, frozen):
                GAME.apply(states[0], action, tables, random)
            assert frozen[0].possible.tolist() == listed
            for name in set(frozen.dtype.names or ()) - {"possible", "won"}:
                assert np.array_equal(frozen[name], followed[name])
        assert frozen[0].won == followed[0].won
        changed += followed[0].possible.tolist() != listed
    assert changed == 20


@pytest.mark.parametrize("aim, player", [(AWAY, 0), (NEAR, 1)])
def test_ties_are_broken_evenly(aim: int, player: int) -> None:
    for play in positions(10, player=player):
        counts = chosen(greedy(aim), play, GAME.tables, draws=3000)
        if len(counts) > 1:
            assert chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("policy", POLICIES)
def test_a_policy_lets_each_side_play_by_its_own_heuristic(policy: Any) -> None:
    game = searching(GAME, tracks=True)
    for play in positions(20):
        freeze(game, state_of(play).possible)
        alone = greedy(AWAY if play.player == 0 else POLICIES[policy])
        assert chosen(policy, play, game.tables) == chosen(alone, play, game.tables)


def test_the_papers_epsilons_are_one_for_each_player() -> None:
    assert epsilons(GAME.players) == (0.1, 0.2, 0.2, 0.2, 0.2, 0.2)


# What a search changes of the game


def test_below_the_root_there_are_no_double_moves_unless_wanted() -> None:
    play = situation(1, [103, 112, 34, 117, 29])
    for doubles, expected in ((False, 9), (True, 18)):
        game = searching(GAME, doubles=doubles)
        actions = np.zeros(game.max_actions, dtype=np.int32)
        assert game.legal(state_of(play), game.tables, actions) == expected


def test_a_search_leaves_the_list_of_possible_stations_as_it_was() -> None:
    play = situation(1, [103, 112, 34, 117, 29], possible=[1, 20])
    for tracks, expected in ((False, (1, 20)), (True, (2, 8, 9, 33))):
        game = searching(GAME, tracks=tracks)
        copy = Play.new(game, seed=0, start=play.truth())
        do(copy, "taxi 1 to 8")
        assert stations_of(state_of(copy).possible) == expected
    assert GAME.tables.rules[0].tracks == 1
