"""What fits where, what is joined to the start, and how far the goals are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, Game
from sleuth.games.saboteur import saboteur
from sleuth.kit import generator
from sleuth.models.saboteur.cards import counts_of
from sleuth.models.saboteur.mine import FAR, completion, placements
from sleuth.models.saboteur.state import DISCARD, FACE_DOWN, PATHS

from .plain_rules import GOAL_PLACES, PATH_ROWS, PlainMine, openings
from .situations import TIGHT, code_of, drawn, legal_names

#: All path cards, how many there are, and their openings upright and turned; by hand.
CARDS = {
    "NESW": (5, "NESW"),
    "NES": (5, "NSW"),
    "NEW": (5, "ESW"),
    "NS": (4, "NS"),
    "EW": (3, "EW"),
    "NE": (5, "SW"),
    "NW": (4, "ES"),
    "dead NESW": (1, "NESW"),
    "dead NES": (1, "NSW"),
    "dead NEW": (1, "ESW"),
    "dead NS": (1, "NS"),
    "dead EW": (1, "EW"),
    "dead NE": (1, "SW"),
    "dead NW": (1, "ES"),
    "dead N": (1, "S"),
    "dead E": (1, "W"),
}
EMPTY = """
    . . . . . . . . ?
    . . . . . . . . .
    S . . . . . . . ?
    . . . . . . . . .
    . . . . . . . . ?
"""


def ways(name: str) -> list[str]:
    """A card's names upright and turned."""
    dead = "dead " if name.startswith("dead") else ""
    return list(dict.fromkeys([name, dead + CARDS[name][1]]))


def test_these_are_all_forty_path_cards() -> None:
    assert sum(count for count, _ in CARDS.values()) == 40
    assert counts_of(3)[:PATHS] == [count for count, _ in CARDS.values()]
    assert [len(openings(row, turned=False)) for row in PATH_ROWS[:PATHS]] == [
        len(name.removeprefix("dead ")) for name in CARDS
    ]


def test_the_lists_agree_with_themselves() -> None:
    for row in PATH_ROWS:
        assert openings(row, turned=True) == set(row["rotated_180_open"])
        if row["kind"] != "dead_end":
            assert openings(row, turned=False) == set(row["connections"])


@pytest.mark.parametrize("name", CARDS)
def test_a_card_lies_beside_the_start_with_an_opening_to_it(name: str) -> None:
    game = saboteur()  # wide: the start is at c7
    states = game.initial(0)
    states[0].hands[0] = [list(CARDS).index(name), *[-1] * 5]
    beside = {"c6": "S", "d7": "W", "c8": "N", "b7": "E"}
    expected = {
        f"{way} {cell}"
        for way in ways(name)
        for cell, side in beside.items()
        if side in way.removeprefix("dead ")
    }
    assert legal_names(states, game) == expected | {f"discard {name}"}


@pytest.mark.parametrize("name", CARDS)
def test_a_passage_leads_on_and_a_dead_end_does_not(name: str) -> None:
    for way in ways(name):
        opens = way.removeprefix("dead ")
        if "W" not in opens:
            continue
        states = drawn(EMPTY.replace("S .", f"S {way.replace('dead ', 'x')}"), ["NESW"])
        names = legal_names(states)
        cells = {each.split()[-1] for each in names if not each.startswith("discard")}
        behind = {"N": "b2", "E": "c3", "S": "b4"}
        start = {"a2", "a4"}
        dead = way.startswith("dead")
        joined = set() if dead else {cell for side, cell in behind.items() if side in opens}
        assert cells == start | joined


def fitting(picture: str, cell: str, game: Game = TIGHT) -> set[str]:
    """All cards that can be laid on a cell, as they lie."""
    found = (legal_names(drawn(picture, [name], game=game), game) for name in CARDS)
    return {name.removesuffix(f" {cell}") for names in found for name in names if cell in name}


WALL_TO_THE_NORTH = """
    . .  .  . . . . . ?
    . .  EW . . . . . .
    S EW .  . . . . . ?
    . .  .  . . . . . .
    . .  .  . . . . . ?
"""
WALL_TO_THE_EAST = """
    . .  .  .  . . . . ?
    . .  NS .  . . . . .
    S EW .  NS . . . . ?
    . .  .  .  . . . . .
    . .  .  .  . . . . ?
"""
ROUND_A_CORNER = """
    . .  .  . . . . . ?
    . ES SW . . . . . .
    S NW .  . . . . . ?
    . .  .  . . . . . .
    . .  .  . . . . . ?
"""
FOUR_WAYS = """
    . .  .   .  . . . . ?
    . .  xNS .  . . . . .
    S EW .   EW . . . . ?
    . .  NS  .  . . . . .
    . .  .   .  . . . . ?
"""


@pytest.mark.parametrize(
    "picture, expected",
    [
        (WALL_TO_THE_NORTH, {"EW", "ESW", "SW", "dead EW", "dead ESW", "dead SW", "dead W"}),
        (WALL_TO_THE_EAST, {"NSW", "NW", "dead NSW", "dead NW"}),
        (ROUND_A_CORNER, {"NES", "NS", "NE", "dead NES", "dead NS", "dead NE", "dead N"}),
        (FOUR_WAYS, {"NESW", "dead NESW"}),
    ],
)
def test_a_card_fits_all_its_neighbours(picture: str, expected: set[str]) -> None:
    assert fitting(picture, "c3") == expected


CUT_OFF = """
    . . .  . . . . . ?
    . . .  . . . . . .
    S . .  . . . . . ?
    . . NS . . . . . .
    . . .  . . . . . ?
"""
TO_THE_SOUTH = {"NESW", "NES", "NSW", "ESW", "NS", "SW", "ES"}
NOT_TO_THE_SOUTH = {"NEW", "EW", "NE", "NW"}


@pytest.mark.parametrize(
    "placing, card, expected",
    [
        ("joined", "NS", set()),
        ("extends", "NS", TO_THE_SOUTH),
        ("touches", "NS", TO_THE_SOUTH),
        ("joined", "EW", set()),
        ("extends", "EW", set()),
        ("touches", "EW", NOT_TO_THE_SOUTH),
        # A dead end's opening is one, too; but it leads to no start.
        ("extends", "xNS", TO_THE_SOUTH),
    ],
)
def test_what_a_card_must_touch_is_a_setting(placing: Any, card: str, expected: set[str]) -> None:
    game = saboteur("tight", placing=placing)
    found = fitting(CUT_OFF.replace("NS", card), "c3", game)
    assert {name for name in found if not name.startswith("dead")} == expected


def test_nothing_is_laid_beyond_the_board_or_on_goals() -> None:
    states = drawn(EMPTY.replace("S . . . . . . .", "S EW EW EW EW EW EW EW"), ["NESW"])
    assert legal_names(states) == {"NESW a2", "NESW a4", "discard NESW"}


# Goals

FROM_THE_WEST = EMPTY.replace("S . . . . . . .", "S EW EW EW EW EW EW .")
FROM_THE_NORTH = """
    .  .  .  .  .  .  .  .  ?
    .  .  .  .  .  .  .  .  .
    S  .  .  .  .  .  .  .  ?
    NE EW EW EW EW EW EW EW .
    .  .  .  .  .  .  .  .  ?
"""
FROM_THE_SOUTH = """
    .  .  .  .  .  .  .  .  ?
    ES EW EW EW EW EW EW EW .
    S  .  .  .  .  .  .  .  ?
    .  .  .  .  .  .  .  .  .
    .  .  .  .  .  .  .  .  ?
"""


@pytest.mark.parametrize(
    "picture, move, goal, card, lies",
    [
        (FROM_THE_WEST, "EW h3", 1, 1, "SW"),
        (FROM_THE_WEST, "EW h3", 1, 2, "NW"),
        (FROM_THE_NORTH, "SW i4", 2, 1, "NE"),
        (FROM_THE_NORTH, "SW i4", 2, 2, "NW"),
        (FROM_THE_SOUTH, "NW i2", 0, 1, "SW"),
        (FROM_THE_SOUTH, "NW i2", 0, 2, "ES"),
    ],
)
def test_a_goal_that_is_reached_is_turned_so_that_it_fits(
    picture: str, move: str, goal: int, card: int, lies: str
) -> None:
    others = [each for each in (0, 1, 2) if each != card]
    goals = [*others[:goal], card, *others[goal:]]
    states = drawn(picture, ["EW", "NE", "NW"], goals)
    TIGHT.apply(states[0], code_of(move, states), TIGHT.tables, generator(1))
    mine = PlainMine(states[0], TIGHT.tables.rules[0])
    assert mine.open[GOAL_PLACES[goal]] == set(lies)
    assert GOAL_PLACES[goal] in mine.joined()
    assert len(mine.face_down) == 2
    assert states[0].player == 1


def test_a_stone_that_leads_on_turns_up_the_next_goal() -> None:
    picture = FROM_THE_WEST.replace(". . . . . . . . .", ". . . . . . . . NS", 1)
    states = drawn(picture, ["EW"], [0, 2, 1])
    TIGHT.apply(states[0], code_of("EW h3", states), TIGHT.tables, generator(1))
    assert states[0].board[[8, 26]].tolist() == [1 + 2 * 17, 1 + 2 * 19]
    assert states[0].board[44] == FACE_DOWN
    assert states[0].player == OVER


def test_two_goals_at_once() -> None:
    states = drawn(FROM_THE_NORTH, ["NES"], [0, 1, 2])
    TIGHT.apply(states[0], code_of("NSW i4", states), TIGHT.tables, generator(1))
    mine = PlainMine(states[0], TIGHT.tables.rules[0])
    assert mine.open[8, 0] == {"S", "W"}
    assert mine.open[8, 2] == {"N", "W"}


def test_a_dead_end_reaches_no_goal() -> None:
    states = drawn(FROM_THE_WEST, ["dead EW"], [1, 0, 2])
    TIGHT.apply(states[0], code_of("dead EW h3", states), TIGHT.tables, generator(1))
    assert states[0].board[26] == FACE_DOWN
    assert states[0].player == 1


# How far

GOALS_IN_ORDER = (1, 2, 4)


def far(picture: str) -> list[int]:
    states = drawn(picture)
    return [int(completion(states[0], goal, TIGHT.tables)) for goal in GOALS_IN_ORDER]


@pytest.mark.parametrize(
    "picture, expected",
    [
        (EMPTY, [9, 7, 9]),
        (FROM_THE_WEST, [3, 1, 3]),
        (EMPTY.replace("S .", "S xEW"), [9, 9, 9]),
        # Cards without a branch end there: the way begins anew at the start.
        (FROM_THE_WEST.replace("EW .", "EW xEW"), [9, 9, 9]),
        (FROM_THE_WEST.replace("EW .", "NEW xEW"), [3, 3, 9]),
        # A piece that was cut off helps as soon as a way leads to it.
        (EMPTY.replace("S . . .", "S . EW EW"), [7, 5, 7]),
        # The wall of a card is no way.
        (EMPTY.replace("S . .", "S . NS"), [9, 9, 9]),
    ],
)
def test_how_many_cards_are_missing_to_each_goal(picture: str, expected: list[int]) -> None:
    assert far(picture) == expected
    mine = PlainMine(drawn(picture)[0], TIGHT.tables.rules[0])
    assert [mine.missing(goal) for goal in GOAL_PLACES] == expected


def test_no_way_is_far() -> None:
    rows = EMPTY.replace("S .", "S xEW").strip().splitlines()
    rows[1] = "xNS . . . . . . . ."
    rows[3] = "xNS . . . . . . . ."
    assert far("\n".join(rows)) == [FAR] * 3


# Beside the slow rules


@pytest.mark.parametrize(
    "settings",
    [
        *({"players": players} for players in range(3, 11)),
        {"rules": "paper"},
        {"rules": "tight", "placing": "touches"},
    ],
)
def test_in_play_the_mine_is_as_the_slow_rules_say(settings: dict[str, Any]) -> None:
    game, rng = saboteur(**settings), np.random.default_rng(7)
    rules, every = game.tables.rules[0], np.arange(PATHS, dtype=np.int32)
    actions = np.zeros(2 * PATHS * rules.cells, dtype=np.int32)
    wide = 0
    for seed in range(3):
        states, random = game.initial(seed), generator(seed)
        state: Any = states[0]
        for move in range(game.max_depth):
            if state.player == OVER:
                break
            count = int(game.legal(state, game.tables, actions))
            place = rng.integers(count)
            if rng.random() < 0.8:
                place = game.policy(state, actions, count, game.tables, random)
            game.apply(state, int(actions[place]), game.tables, random)
            if move % 6 and state.player != OVER:
                continue
            mine = PlainMine(state, rules)
            joined = {mine.cells[cell] for cell in np.flatnonzero(state.reached)}
            assert joined == mine.joined()
            assert [completion(state, goal, game.tables) for goal in GOALS_IN_ORDER] == [
                mine.missing(goal) for goal in GOAL_PLACES
            ]
            for kind in range(PATHS):
                count = int(placements(state, every[kind:], 1, game.tables, actions))
                found = {
                    (mine.cells[int(code) // (2 * PATHS)], kind_of(int(code), kind))
                    for code in actions[:count]
                }
                assert len(found) == count
                assert found == mine.placements(kind, game.settings["placing"])
            wide = max(wide, len(joined))
    assert wide > 8


def kind_of(code: int, kind: int) -> frozenset[str]:
    """The openings of a card that an action lays."""
    assert code < DISCARD
    assert code // 2 % PATHS == kind
    return openings(PATH_ROWS[kind], turned=code % 2 == 1)


def test_a_goal_that_nobody_knows_stays_face_down_where_only_that_is_followed() -> None:
    states = drawn(FROM_THE_WEST, ["EW"], [HIDDEN] * 3)
    TIGHT.apply(states[0], code_of("EW h3", states), TIGHT.tables, generator(1))
    assert states[0].board[26] == FACE_DOWN
    assert states[0].player == 1
