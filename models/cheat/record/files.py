"""Files of recorded games of Cheat: JSON Lines, one game on each line, or CSV, one turn on each.

In a CSV file the columns ``match`` and ``number`` say which game a turn is of, in the order in
which turns stand; what belongs to a whole game stands in the row of its first turn. Cards are
written as words with spaces between them, and what is not known as nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from ....data.errors import RecordError
from ...records.game_files import MOST_GAMES, Columns, FileProblem, GameFiles, TableForm, TableRow
from ...records.reading import parse_json
from ..state import MOST_TURNS
from .record import CheatRecord

#: Columns that say something of a game, and of a turn.
GAME_COLUMNS: Final = (
    "match", "number", "first_player", "second_player", "settings", "first", "first_hand",
    "second_hand", "winner", "source", "note",
)  # fmt: skip
TURN_COLUMNS: Final = ("by", "type", "rank", "count", "cards", "card", "caught", "seconds")
COLUMNS: Final[Sequence[str]] = (*GAME_COLUMNS, *TURN_COLUMNS)
NEEDED: Final = ("match", "number", "by", "type")


def read_records(
    path: str | Path | Traversable, *, most: int = MOST_GAMES, columns: Columns | None = None
) -> tuple[CheatRecord, ...]:
    """All games of a file.

    Args:
        path: The file; CSV if its name ends with ``.csv``, else JSON Lines.
        most: How many games it may have.
        columns: Names of columns in the CSV file by those that they have here, where they are
            others.

    Raises:
        RecordError: It cannot be read, has more games, or one of them does not follow the schema
            or the rules; with the line, the place in the game, and a hint.

    >>> from sleuth.games.cheat import mini_cheat, read_records, simulate, write_records
    >>> records = simulate(2, seed=1, games=2, game=mini_cheat())
    >>> write_records(records, "games.csv")
    >>> read_records("games.csv") == records
    True
    """
    return FILES.read(path, most=most, columns=columns)


def check_records(
    path: str | Path | Traversable, columns: Columns | None = None
) -> tuple[tuple[CheatRecord, ...], tuple[FileProblem, ...]]:
    """All games of a file that can be used, and what is wrong with the others.

    Raises:
        RecordError: The file itself cannot be read, or more than 10,000 of its games cannot be
            used.

    >>> import pathlib
    >>> from sleuth.games.cheat import check_records
    >>> _ = pathlib.Path("wrong.jsonl").write_text('{"game": "cheat"}')
    >>> good, (problem,) = check_records("wrong.jsonl")
    >>> len(good), problem.line, problem.error.message
    (0, 1, "the field 'players' is missing")
    """
    return FILES.check(path, columns)


def write_records(records: Iterable[CheatRecord], path: str | Path) -> None:
    """Write games to a file, whole or not at all: CSV if its name ends with ``.csv``.

    Raises:
        SettingsError: It cannot be written.

    >>> import pathlib
    >>> from sleuth.games.cheat import mini_cheat, simulate, write_records
    >>> write_records(simulate(2, seed=1, games=3, game=mini_cheat()), "games.jsonl")
    >>> len(pathlib.Path("games.jsonl").read_text().splitlines())
    3
    """
    FILES.write(records, path)


def _together() -> Callable[[CheatRecord, int], None]:
    """The check of the games of a match: each number once, and the same two players."""
    seen: dict[tuple[str, int], int] = {}
    couples: dict[str, frozenset[str]] = {}

    def fits(record: CheatRecord, line: int) -> None:
        place = (record.match, record.number)
        couple = couples.setdefault(record.match, frozenset(record.players))
        if place in seen:
            raise RecordError(
                f"this game of the match stands in line {seen[place]} already",
                where="field 'number'",
                value=record.number,
                hint="number the games of a match from 1",
            )
        if couple != frozenset(record.players):
            raise RecordError(
                "the games of a match are between the same two players",
                where="field 'players'",
                value=list(record.players),
                hint=f"in this match they are {' and '.join(sorted(couple))}",
            )
        seen[place] = line

    return fits


def _game(row: TableRow) -> dict[str, Any]:
    players = [row["first_player"], row["second_player"]]
    made: dict[str, Any] = {
        "game": "cheat",
        "schema": 1,
        "players": players,
        "match": row["match"],
        "number": row.number("number"),
        "turns": [],
    }
    for name in ("first", "winner", "source", "note"):
        if row[name]:
            made[name] = row[name]
    if row["settings"]:
        made["settings"] = parse_json(row["settings"])
    hands = {
        player: row[column].split()
        for player, column in zip(players, ("first_hand", "second_hand"), strict=True)
        if row[column]
    }
    if hands:
        made["hands"] = hands
    return made


def _turns(row: TableRow) -> list[dict[str, Any]]:
    if not row["type"] and not row["by"]:
        return []
    made: dict[str, Any] = {"by": row["by"], "type": row["type"]}
    for name in ("rank", "card"):
        if row[name]:
            made[name] = row[name]
    if row["count"]:
        made["count"] = row.number("count")
    if row["seconds"]:
        made["seconds"] = row.number("seconds", float)
    if row["cards"]:
        made["cards"] = row["cards"].split()
    if row["caught"]:
        made["caught"] = {"true": True, "false": False}.get(row["caught"].lower(), row["caught"])
    return [made]


def _rows(record: CheatRecord) -> list[dict[str, Any]]:
    value = record.to_json()
    hands: dict[str, Sequence[str]] = value.get("hands", {})
    head = {name: value[name] for name in ("first", "winner", "source", "note") if name in value}
    head |= {"first_player": record.players[0], "second_player": record.players[1]}
    for player, column in zip(record.players, ("first_hand", "second_hand"), strict=True):
        head[column] = " ".join(hands.get(player, ()))
    if record.settings:
        head["settings"] = json.dumps(value["settings"])
    rows: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = value["turns"] or [{}]
    for turn in turns:
        row: dict[str, Any] = {"match": record.match, "number": record.number, **head, **turn}
        if "cards" in row:
            row["cards"] = " ".join(turn["cards"])
        if "caught" in row:
            row["caught"] = str(turn["caught"]).lower()
        rows.append(row)
        head = {}
    return rows


FILES: Final = GameFiles(
    record=CheatRecord.from_json,
    table=TableForm(
        columns=COLUMNS,
        needed=NEEDED,
        key=("match", "number"),
        game=_game,
        turns=_turns,
        rows=_rows,
        most=MOST_TURNS,
    ),
    together=_together,
)
