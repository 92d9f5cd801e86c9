"""Games of Saboteur, in which every state is held against what must be so.

    python -m benchmarks.saboteur.invariants [--actions N] [--seed N] [--json]

Every other game takes any legal action, the others mostly sensible ones, which reach the goals. The
actions are shared out among all numbers of players and all presets, and games of three rounds
with gold. After every action: 67 cards, each somewhere; hands in order; tools broken as often as
cards say; roles, goals; what lies in the mine fits and is what was played; what is joined to the
start, found by sweeps over the board instead of the rules' flood; the length of the game.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from sleuth import OVER, Game, below, kernel
from sleuth.games.saboteur import REPAIRS, saboteur
from sleuth.kit import generator
from sleuth.models.saboteur.advice import sensible
from sleuth.models.saboteur.rules import apply, drawable, legal, start
from sleuth.models.saboteur.state import (
    BREAKS,
    CARDS,
    FACE_DOWN,
    GOALS,
    KINDS,
    MOST_HAND,
    MOST_PLAYERS,
    NO_CARD,
    PATHS,
    ROCKFALL,
    START,
)

FAULTS = (
    "none", "number of actions", "cards", "order of a hand", "size of a hand", "tools", "roles",
    "goals", "board", "fit", "reach", "a goal reached but not turned up", "length",
)  # fmt: skip
SETTINGS: tuple[dict[str, Any], ...] = (
    *({"players": players} for players in range(3, 11)),
    {"rules": "paper"},
    {"rules": "tight"},
    {"placing": "touches", "claims": "none", "players": 4},
    {"rounds": 3, "pay": "gold", "players": 7},
    {"players": 3, "hand": 2, "stock": 9, "spare": False},
)


@kernel
def cards_fault(state: Any, tables: Any) -> int:
    """What is wrong with the cards; 0 for nothing."""
    rules = tables.rules[0]
    found = np.zeros(KINDS, dtype=np.int64)
    held = 0
    for player in range(MOST_PLAYERS):
        before = -1
        for slot in range(MOST_HAND):
            kind = state.hands[player, slot]
            if kind == NO_CARD:
                before = KINDS
                continue
            if kind < before or kind < 0 or kind >= KINDS or player >= rules.players:
                return 3
            before = kind
            held += 1
            found[kind] += 1
    thrown = 0
    for place in range(CARDS):
        if (state.deck[place] != NO_CARD) != (place < state.left):
            return 2
        if state.deck[place] != NO_CARD:
            found[state.deck[place]] += 1
        if state.thrown[place] != NO_CARD:
            found[state.thrown[place]] += 1
            thrown += 1
    played = 0
    for kind in range(KINDS):
        played += state.used[kind]
        if found[kind] + state.used[kind] != rules.counts[kind]:
            return 2
    saying = 1 if state.saying > 0 else 0
    if held + drawable(state, tables) + played + thrown != rules.turns:
        return 4
    return 0 if state.turn == played + thrown - saying else 12


@kernel
def people_fault(state: Any, tables: Any) -> int:
    """What is wrong with tools, roles and goals; 0 for nothing."""
    rules = tables.rules[0]
    broken = 0
    for player in range(MOST_PLAYERS):
        for tool in range(32):
            if state.broken[player] >> tool & 1 == 1:
                if player >= rules.players or tool >= 3:
                    return 5
                broken += 1
    for kind in range(BREAKS, ROCKFALL):
        broken += -state.used[kind] if kind < REPAIRS else state.used[kind]
    if broken != 0:
        return 5
    saboteurs = 0
    for card in range(MOST_PLAYERS + 1):
        if state.roles[card] < 0 or state.roles[card] > (1 if card < rules.role_cards else 0):
            return 6
        saboteurs += state.roles[card]
    if saboteurs != rules.saboteurs:
        return 6
    goals = 0
    for goal in range(GOALS):
        if state.goals[goal] < 0 or state.goals[goal] > 2:
            return 7
        goals |= 1 << state.goals[goal]
        laid = state.board[rules.goals[goal]]
        if laid != FACE_DOWN and (laid - 1) // 2 != START + 1 + state.goals[goal]:
            return 7
    return 0 if goals == 7 else 7


@kernel
def mine_fault(state: Any, tables: Any) -> int:
    """What is wrong with the mine; 0 for nothing."""
    rules = tables.rules[0]
    lying = np.zeros(KINDS, dtype=np.int64)
    joined = np.zeros(len(state.board), dtype=np.int64)
    joined[rules.start] = 1
    for cell in range(len(state.board)):
        piece = (state.board[cell] - 1) // 2
        if state.board[cell] < 0 or (cell >= rules.cells and state.board[cell] != 0):
            return 8
        if state.board[cell] > 0 and piece < PATHS:
            lying[piece] += 1
    more = 0
    for kind in range(PATHS):
        if lying[kind] > state.used[kind]:
            return 8
        more += state.used[kind] - lying[kind]
    if more != state.used[ROCKFALL]:
        return 8
    changed = True
    while changed:
        changed = False
        for cell in range(rules.cells):
            for side in range(4):
                other = rules.neighbours[cell, side]
                if other < 0 or state.board[cell] == 0 or state.board[other] == 0:
                    continue
                one, two = state.board[cell], state.board[other]
                if one == FACE_DOWN or two == FACE_DOWN:
                    continue
                here = rules.sides[one] >> side & 1
                there = rules.sides[two] >> ((side + 2) % 4) & 1
                # Only goals that were turned up may lie as they do not fit.
                if here != there and (one - 1) // 2 <= START and (two - 1) // 2 <= START:
                    return 9
                through = rules.through[one] == 1 and rules.through[two] == 1
                if here == 1 and there == 1 and through and joined[cell] > joined[other]:
                    joined[other] = 1
                    changed = True
    for cell in range(len(state.board)):
        if state.reached[cell] != joined[cell]:
            return 10
    for goal in range(GOALS):
        if state.board[rules.goals[goal]] != FACE_DOWN:
            continue
        for side in range(4):
            other = rules.neighbours[rules.goals[goal], side]
            if other < 0 or joined[other] == 0:
                continue
            if rules.sides[state.board[other]] >> ((side + 2) % 4) & 1 == 1:
                return 11
    return 0


@kernel
def fault_of(state: Any, tables: Any) -> int:
    """The place in FAULTS of what is wrong with a state; 0 for nothing."""
    fault = cards_fault(state, tables)
    if fault == 0:
        fault = people_fault(state, tables)
    return mine_fault(state, tables) if fault == 0 else fault


@kernel
def play_many(states: Any, blank: Any, tables: Any, sizes: Any, random: Any, wanted: int) -> Any:
    """Games of ``wanted`` actions in all: actions, games, longest, miners' wins, fault."""
    actions = np.zeros(sizes[0], dtype=np.int32)
    state = states[0]
    made = 0
    games = 0
    longest = 0
    wins = 0
    fault = 0
    while made < wanted and fault == 0:
        states[0] = blank[0]
        start(state, tables, random)
        games += 1
        moves = 0
        fault = fault_of(state, tables)
        while fault == 0 and state.player != OVER:
            count = legal(state, tables, actions)
            if count < 1 or count > sizes[0]:
                return made, games, longest, wins, 1
            place = below(random, count)
            if games % 2 == 0 and below(random, 10) > 0:
                place = sensible(state, actions, count, tables, random)
            apply(state, actions[place], tables, random)
            moves += 1
            fault = fault_of(state, tables)
        made += moves
        longest = max(longest, moves)
        wins += 1 if state.winner == 1 else 0
        if longest > sizes[1]:
            fault = 12
    return made, games, longest, wins, fault


def checked(game: Game, actions: int, seed: int) -> dict[str, Any]:
    """What games with at least so many actions came to."""
    made, games, longest, wins, fault = play_many(
        game.states(1),
        game.states(1),
        game.tables,
        np.array([game.max_actions, game.max_depth]),
        generator(seed),
        actions,
    )
    return {
        "actions": int(made),
        "games": int(games),
        "longest": int(longest),
        "miners_win": int(wins),
        "fault": FAULTS[fault],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="A million states of Saboteur.")
    parser.add_argument("--actions", type=int, default=1_000_000, help="at least, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    asked = parser.parse_args()
    begun = time.perf_counter()
    rows: list[dict[str, Any]] = []
    for number, settings in enumerate(SETTINGS):
        share = -(-asked.actions // len(SETTINGS))
        found = checked(saboteur(**settings), share, asked.seed + number)
        rows.append({"settings": settings, **found})
    total = sum(row["actions"] for row in rows)
    faults = [row["fault"] for row in rows if row["fault"] != "none"]
    seconds = round(time.perf_counter() - begun, 1)
    if asked.json:
        result = {"actions": total, "faults": faults, "seconds": seconds, "rows": rows}
        print(json.dumps(result))
    else:
        for row in rows:
            words = ", ".join(f"{name}={value}" for name, value in row["settings"].items())
            print(
                f"{words:50} {row['actions']:>9,} actions {row['games']:>7,} games {row['fault']}"
            )
        print(f"{total:,} actions in {seconds} s; faults: {', '.join(faults) or 'none'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
