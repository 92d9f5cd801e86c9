"""Files of recorded games of Cheat for many: JSON Lines, a game on each line, or CSV.

A row of a table is a claim, a call or a pass; where it says no ``type`` it is a claim. Who called
a claim may stand in its own row, under ``caller``, with the cards that were ``shown``. Rows of one
``game`` stand together. What belongs to a whole game stands in its first row; players that are not
listed there are those who act, in that order. Cards are words with spaces between them: ``7``,
``seven``, ``7s``, ``k`` or ``King``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, cast

from .....data.errors import RecordError
from ....records.game_files import MOST_GAMES, Columns, GameFiles, TableForm, TableRow
from ....records.reading import parse_json
from .record import ManyCheatRecord
from .schema import MOST_ENTRIES, NAME, RANK_NAMES

GAME_COLUMNS: Final = (
    "match", "game", "players", "settings", "hands", "winner", "source", "note",
)  # fmt: skip
TURN_COLUMNS: Final = (
    "player", "type", "rank", "count", "cards", "caller", "caught", "shown", "pile", "seconds",
)  # fmt: skip
COLUMNS: Final[Sequence[str]] = (*GAME_COLUMNS, *TURN_COLUMNS)
NEEDED: Final = ("player", "rank", "count")
#: Other words for ranks, in tables and at the table.
RANK_WORDS: Final = {
    "a": "ace", "1": "ace", "t": "10", "j": "jack", "11": "jack", "q": "queen", "12": "queen",
    "k": "king", "13": "king", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip
_TRUTH: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def rank_named(word: str) -> str | None:
    """The name of a rank that a word says, such as ``7s``, ``sevens`` or ``K``; None for none.

    >>> from sleuth.games.cheat import rank_named
    >>> [rank_named(word) for word in ("7s", "Sixes", "K", "aces", "knave")]
    ['7', '6', 'king', 'ace', None]
    """
    said = word.strip().lower()
    for each in (said, said.removesuffix("s"), said.removesuffix("es")):
        if each in RANK_NAMES:
            return each
        if each in RANK_WORDS:
            return RANK_WORDS[each]
    return None


def read_many_records(
    path: str | Path | Traversable, *, most: int = MOST_GAMES, columns: Columns | None = None
) -> tuple[ManyCheatRecord, ...]:
    """All games of a file.

    Args:
        path: The file; CSV if its name ends with ``.csv``, else JSON Lines.
        most: How many games it may have.
        columns: Names of columns in the CSV file by those that they have here, where they are
            others.

    Raises:
        RecordError: It cannot be read, has more games, or one of them does not follow the schema
            or the rules; with the line, the place in the game, and a hint.

    >>> import pathlib
    >>> from sleuth.games.cheat import read_many_records
    >>> rows = "who,said,n,accuser,were", "ann,A,2,bob,A K", "bob,twos,1,,", "cid,3,1,,"
    >>> _ = pathlib.Path("evening.csv").write_text("\\n".join(rows))
    >>> names = dict(player="who", rank="said", count="n", caller="accuser", shown="were")
    >>> (record,) = read_many_records("evening.csv", columns=names)
    >>> record.players, [turn.kind for turn in record.turns], record.turns[0].true
    (('ann', 'bob', 'cid'), ['claim', 'call', 'claim', 'claim'], False)
    """
    return FILES.read(path, most=most, columns=columns)


def write_many_records(records: Iterable[ManyCheatRecord], path: str | Path) -> None:
    """Write games to a file, whole or not at all: CSV if its name ends with ``.csv``.

    Raises:
        SettingsError: It cannot be written.

    >>> from sleuth.games.cheat import read_many_records, simulate_many
    >>> from sleuth.games.cheat import write_many_records
    >>> records = simulate_many(4, seed=1, games=2)
    >>> write_many_records(records, "games.csv")
    >>> read_many_records("games.csv") == records
    True
    """
    FILES.write(records, path)


def _together() -> Callable[[ManyCheatRecord, int], None]:
    """The check of the games of a match: each number stands once."""
    seen: dict[tuple[str, int], int] = {}

    def fits(record: ManyCheatRecord, line: int) -> None:
        key = record.match, record.number
        if key in seen:
            raise RecordError(
                f"this game of the match stands in line {seen[key]} already",
                where="field 'number'",
                value=record.number,
                hint="number the games of a match from 1",
            )
        seen[key] = line

    return fits


def _game(row: TableRow) -> dict[str, Any]:
    made: dict[str, Any] = {"game": NAME, "schema": 1, "players": [], "turns": []}
    if row["match"]:
        made["match"] = row["match"]
    if row["game"]:
        # A game that has a name and no number is a match of its own.
        named = "match" if "match" not in made and not row["game"].isdecimal() else "number"
        made[named] = row["game"] if named == "match" else row.number("game")
    for name in ("winner", "source", "note"):
        if row[name]:
            made[name] = row[name]
    for name in ("settings", "hands"):
        if row[name]:
            made[name] = parse_json(row[name])
    if row["players"]:
        made["players"] = _listed(row["players"])
        made[_ALL] = True
    return made


#: Marks a game whose players are listed; it never leaves this file.
_ALL: Final = "all players are listed"


def _listed(text: str) -> list[str]:
    return [name.strip() for name in re.split(r"[;,|]", text)]


def _turns(row: TableRow) -> list[dict[str, Any]]:
    if not row["player"]:
        return []
    kind = row["type"] or "claim"
    made: dict[str, Any] = {"by": row["player"], "type": kind}
    if kind == "claim":
        made["rank"] = _rank(row, "rank", row["rank"])
        made["count"] = row.number("count")
        if row["cards"]:
            made["cards"] = _cards(row, "cards")
    if row["seconds"]:
        made["seconds"] = row.number("seconds", float)
    if kind == "call":
        return [made | _call(row)]
    if kind == "claim" and row["caller"]:
        return [made, {"by": row["caller"], "type": "call"} | _call(row)]
    return [made]


def _call(row: TableRow) -> dict[str, Any]:
    made: dict[str, Any] = {name: _cards(row, name) for name in ("shown", "pile") if row[name]}
    if row["caught"]:
        made["caught"] = _TRUTH.get(row["caught"].lower(), row["caught"])
    return made


def _cards(row: TableRow, name: str) -> list[str]:
    return [_rank(row, name, word) for word in re.split(r"[\s;,|]+", row[name])]


def _rank(row: TableRow, name: str, word: str) -> str:
    found = rank_named(word)
    if found is None:
        raise RecordError(
            "no such rank",
            where=row.place(name),
            value=word,
            hint=f"write one of {', '.join(RANK_NAMES)}; cards have spaces between them",
        )
    return found


def _record(value: object) -> ManyCheatRecord:
    """A record of what stands in JSON, or in a table whose players may not be listed."""
    if not isinstance(value, dict):
        return ManyCheatRecord.from_json(value)
    made = {**cast("dict[str, Any]", value)}
    if made.get("game") == NAME and made.get("players") == [] and not made.pop(_ALL, False):
        made["players"] = [*dict.fromkeys(turn["by"] for turn in made["turns"])]
    made.pop(_ALL, None)
    return ManyCheatRecord.from_json(made)


def _rows(record: ManyCheatRecord) -> list[dict[str, Any]]:
    value = record.to_json()
    head = {name: value[name] for name in ("winner", "source", "note") if name in value}
    head["players"] = "; ".join(record.players)
    for name in ("settings", "hands"):
        if name in value:
            head[name] = json.dumps(value[name])
    rows: list[dict[str, Any]] = []
    turns: list[dict[str, Any]] = value["turns"] or [{}]
    for turn in turns:
        row: dict[str, Any] = {"match": record.match, "game": record.number, **head, **turn}
        row["player"] = row.pop("by", "")
        if "cards" in row:
            row["cards"] = " ".join(turn["cards"])
        if "caught" in row:
            row["caught"] = str(turn["caught"]).lower()
        rows.append(row)
        head = {}
    return rows


FILES: Final = GameFiles(
    record=_record,
    table=TableForm(
        columns=COLUMNS,
        needed=NEEDED,
        key=("match", "game"),
        game=_game,
        turns=_turns,
        rows=_rows,
        most=MOST_ENTRIES,
    ),
    together=_together,
)
