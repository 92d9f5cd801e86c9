"""Brings J. Ledford's simulated games into the record schema.

The collection is one JSON object, ``{"source": text, "games": [...]}``. A game has ``game`` (its
number), ``envelope`` ([room, suspect, weapon]), ``face_up``, ``hands`` ({player: cards}, in turn
order) and ``events``: suggestions with their refuter (or null), and accusations, most of them
without the cards accused. The log does not say which card was shown.

``python -m sleuth.models.clue.ledford COLLECTION FOLDER`` writes one record per game.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from ...data.errors import RecordError, SleuthError
from ..reading import parse_json, read_bytes, refused
from .record import Record

NOTE = (
    "Four players hold four cards each and two cards lie face up. Refuters follow from the hands; "
    "which card was shown is not in the log."
)


def convert(collection: object) -> dict[int, Record]:
    """The games of the collection as full records without an observer, by number.

    Accusations without cards are left out, and so is ``could_show``, which follows from the hands.

    Raises:
        RecordError: If the collection has another form, or a game cannot have been.
    """
    fields = _object(collection, "the collection")
    source = fields.get("source")
    games = fields.get("games")
    if not isinstance(games, list):
        raise refused("a collection has a list of games", where="field 'games'", value=games)
    made: dict[int, Record] = {}
    for place, game in enumerate(cast("list[object]", games), start=1):
        where = f"game {place} of the collection"
        number, value = _record(_object(game, where), source, where)
        try:
            made[number] = Record.from_json(value)
        except RecordError as problem:
            raise RecordError(problem.args[0], where=where) from None
    return made


def _record(
    game: Mapping[str, object], source: object, where: str
) -> tuple[int, dict[str, object]]:
    number = game.get("game")
    if type(number) is not int:
        raise refused("a game has a number", where=f"{where}, field 'game'", value=number)
    hands = _object(game.get("hands"), f"{where}, field 'hands'")
    events = game.get("events")
    if not isinstance(events, list):
        raise refused("a game has a list of events", where=f"{where}, field 'events'", value=events)
    return number, {
        "game": "clue",
        "name": f"Ledford, game {number}",
        "source": source,
        "note": NOTE,
        "players": list(hands),
        "hand_sizes": [_size(hand) for hand in hands.values()],
        "face_up": game.get("face_up"),
        "hands": dict(hands),
        "case_file": game.get("envelope"),
        "events": [event for event in cast("list[object]", events) if not _empty(event)],
    }


def _size(hand: object) -> int:
    return len(cast("list[object]", hand)) if isinstance(hand, list) else 0


def _empty(event: object) -> bool:
    """Whether it is an accusation of which the log does not say the cards."""
    if not isinstance(event, dict):
        return False
    fields = cast("dict[str, object]", event)
    return fields.get("type") == "accuse" and "cards" not in fields


def _object(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise refused("this must be a JSON object", where=where, value=value)
    return cast("dict[str, object]", value)


def main(arguments: list[str]) -> int:
    """Writes the records of a collection; returns the process's exit code."""
    if len(arguments) != 2:
        print("usage: python -m sleuth.models.clue.ledford COLLECTION FOLDER", file=sys.stderr)
        return 2
    try:
        records = convert(parse_json(read_bytes(arguments[0])))
        folder = Path(arguments[1])
        folder.mkdir(parents=True, exist_ok=True)
        for number, record in records.items():
            record.dump(folder / f"ledford_{number:02}.json")
    except (SleuthError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
