"""Saboteur as a game: its settings."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, Literal, get_args

import numpy as np

from ...data.checks import place_of, whole_number
from ..game import Game, States
from ..settings import one_record, rules_of
from . import rules as kernels
from .advice import advice, sensible
from .cards import (
    TOOLS,
    counts_of,
    gold_cards,
    pieces,
    role_cards,
    saboteur_gold,
    tools_of,
    turned,
    weights,
)
from .fields import fields
from .state import (
    ACTIONS,
    CARDS,
    FACE_DOWN,
    GOALS,
    KINDS,
    MAP,
    MOST_CELLS,
    MOST_HAND,
    MOST_PLAYERS,
    RULES,
    STATE,
    SaboteurTables,
)
from .words import ActionName

NAME: Final = "saboteur"
#: The sides, in the order of the numbers of roles.
SIDES: Final = ("miners", "saboteurs")

Preset = Literal["official", "paper", "tight"]
Placing = Literal["joined", "extends", "touches"]
Claims = Literal["none", "map"]
Ends = Literal["hands", "passes"]
Pay = Literal["sides", "equal", "gold"]

#: The settings that have a few values.
WORDS: Final[Mapping[str, Any]] = {
    "spare": Literal[False, True],
    "tools": Literal[1, 3],
    "placing": Placing,
    "claims": Claims,
    "ends": Ends,
    "pay": Pay,
}

#: What holds where neither the settings nor the preset say anything else.
USUAL: Final[Mapping[str, Any]] = {
    "players": 5,
    "spare": True,
    "tools": len(TOOLS),
    "placing": "joined",
    "beyond": 2,
    "aside": 4,
    "claims": "map",
    "ends": "hands",
    "pay": "sides",
    "rounds": 1,
}
_FIVE: Final = {"players": 5, "saboteurs": 2, "spare": False, "hand": 6}
PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "official": {},
    "paper": {**_FIVE, "tools": 1, "placing": "extends", "ends": "passes", "pay": "equal"},
    "tight": {**_FIVE, "beyond": 0, "aside": 0},
}


def saboteur(
    rules: Preset = "official",
    players: int | None = None,
    saboteurs: int | None = None,
    spare: bool | None = None,
    hand: int | None = None,
    stock: int | None = None,
    tools: int | None = None,
    placing: Placing | None = None,
    beyond: int | None = None,
    aside: int | None = None,
    claims: Claims | None = None,
    ends: Ends | None = None,
    pay: Pay | None = None,
    rounds: int = 1,
) -> Game:
    """The game. Rules: `docs/saboteur/index.md`.

    Args:
        rules: Where settings that are None come from: the card game; the simplified rules of
            Veldhuis, Jansen and Broers (2012); or the card game on a tight board.
        players: 3 to 10.
        saboteurs: How many of the role cards are saboteurs, 1 to 4.
        spare: Whether there is one role card more than players, which nobody sees.
        hand: How many cards a hand has, 1 to 6.
        stock: How many cards can be drawn after the deal; the others stay in the box, unseen. By
            default all.
        tools: 3 kinds of tools; or 1, and all broken tools and repairs are of that kind.
        placing: Whether a path card has to be joined to the start, to extend any way, or only to
            touch another card.
        beyond: How many columns the board has beyond the start and beyond the goals, 0 to 2.
        aside: How many rows it has on each side of the goals, 0 to 4.
        claims: Whether a player says what a goal is after a map, or nobody ever does.
        ends: Whether saboteurs win when nobody has cards left, or also as soon as the deck is empty
            and everybody in turn has discarded.
        pay: 1 for the side that wins and -1 for the other; 1 and 0; or the nuggets of the rules.
        rounds: 1 to 3; what they pay is added up.

    Raises:
        SettingsError: A number is out of range, or a word is not known.

    >>> from sleuth.games.saboteur import saboteur
    >>> game = saboteur(players=4, saboteurs=2)
    >>> game.roles, game.secret_sides
    (('player 1', 'player 2', 'player 3', 'player 4'), ('miners', 'saboteurs'))
    """
    asked = {name: value for name, value in locals().items() if value is not None}
    place_of(rules, Preset, f"{NAME}, rules")
    given: dict[str, Any] = {**USUAL, **PRESETS[rules], **asked}
    count = _number(given, "players", 3, MOST_PLAYERS)
    chosen = dict(zip(("saboteurs", "hand"), role_cards(count), strict=True)) | given
    most_stock = CARDS - count * _number(chosen, "hand", 1, MOST_HAND)
    chosen = {"stock": most_stock} | chosen
    for name, least, most in (
        ("saboteurs", 1, min(4, count - 1)),
        ("stock", 0, most_stock),
        ("beyond", 0, 2),
        ("aside", 0, 4),
        ("rounds", 1, 3),
    ):
        chosen[name] = _number(chosen, name, least, most)
    for name, words in WORDS.items():
        chosen[name] = get_args(words)[place_of(chosen[name], words, f"{NAME}, {name}")]
    tables = _tables(chosen)
    row = tables.rules[0]
    lowest, highest = _bounds(chosen)
    return Game(
        name=NAME,
        version=1,
        roles=tuple(f"player {number}" for number in range(1, count + 1)),
        state=STATE,
        tables=tables,
        settings=chosen,
        action_space=ACTIONS,
        # A path card can be laid in two ways on each cell; no other card can do as much.
        max_actions=int(row.hand * (2 * row.cells + 1)),
        # Every card takes one action, and a map words as well.
        max_depth=int(row.rounds * (row.turns + row.counts[MAP])),
        lowest=lowest,
        highest=highest,
        **rules_of(kernels),
        columns=int(row.role_cards) + 1,
        # With every round the roles are dealt anew.
        secret_sides=SIDES if rounds == 1 else (),
        sides_dealt=partial(sides_of, players=count) if rounds == 1 else None,
        policy=sensible,
        advice=advice(count),
        action_name=ActionName(tables, chosen["tools"]),
        fields=fields(lowest, highest),
    )


def sides_of(states: States, *, players: int) -> list[int]:
    """The side of each player, when all roles are known."""
    return states[0].roles[:players].tolist()


def _tables(chosen: Mapping[str, Any]) -> SaboteurTables:
    """The settings, the board and the cards, as kernels read them."""
    settings = one_record(RULES)
    row = settings[0]
    for name in ("players", "saboteurs", "hand", "rounds"):
        row[name] = chosen[name]
    for name in ("placing", "claims", "ends", "pay"):
        row[name] = get_args(WORDS[name]).index(chosen[name])
    row.turns = chosen["players"] * chosen["hand"] + chosen["stock"]
    row.role_cards = chosen["players"] + chosen["spare"]
    # The start is eight columns before the goals, which have a row between them.
    beyond, aside = chosen["beyond"], chosen["aside"]
    row.width, height = 9 + 2 * beyond, 5 + 2 * aside
    row.cells = row.width * height
    row.start = (aside + 2) * row.width + beyond
    row.goals = [(aside + 2 * goal) * row.width + beyond + 8 for goal in range(GOALS)]
    row.neighbours[:] = -1
    for cell in range(row.cells):
        down, across = divmod(cell, int(row.width))
        for side, (south, east) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
            if 0 <= down + south < height and 0 <= across + east < row.width:
                row.neighbours[cell, side] = cell + south * row.width + east
    for number, piece in enumerate(pieces()):
        laid = 1 + 2 * number
        row.sides[laid : laid + 2] = piece.openings, turned(piece.openings)
        row.through[laid : laid + 2] = piece.through
    assert FACE_DOWN == 1 + 2 * len(pieces())
    assert row.cells <= MOST_CELLS
    row.counts = counts_of(chosen["tools"])
    for kind in range(KINDS):
        row.mends[kind] = sum(1 << tool for tool in tools_of(kind, chosen["tools"]))
    row.gold, row.saboteur_gold = gold_cards(), saboteur_gold()
    return SaboteurTables(settings, np.array(weights()))


def _bounds(chosen: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the most that anybody can win."""
    rounds = chosen["rounds"]
    if chosen["pay"] != "gold":
        return (-rounds if chosen["pay"] == "sides" else 0), rounds
    fewest = chosen["players"] - min(chosen["saboteurs"], chosen["players"] - 1)
    most_cards = -(-min(chosen["players"], 9) // fewest)
    return 0, rounds * max(3 * most_cards, *saboteur_gold())


def _number(chosen: Mapping[str, Any], name: str, least: int, most: int) -> int:
    return whole_number(chosen[name], f"{NAME}, {name}", least=least, most=most)
