"""Brings J. Ledford's simulated games into the record schema.

The collection is one JSON object, ``{"source": text, "games": [...]}``. A game has ``game`` (its
number), ``envelope`` ([room, suspect, weapon]), ``face_up``, ``hands`` ({player: cards}, in turn
order) and ``events``: suggestions with their refuter (or null), and accusations, most of them
without the cards accused. The log does not say which card was shown.

``python -m sleuth.models.clue.record.ledford COLLECTION FOLDER`` writes one record per game.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from ....data.disk.writing import refuse_others
from ....data.errors import RecordError, SleuthError
from ...records.forms import RecordPart
from ...records.reading import WRONG_TYPE, parse_json, read_bytes, refused
from .record import ClueRecord

NOTE = (
    "Four players hold four cards each and two cards lie face up. Refuters follow from the hands; "
    "which card was shown is not in the log."
)


def convert(collection: object) -> dict[int, ClueRecord]:
    """The games of the collection as full records without an observer, by number.

    Accusations without cards are left out, and so is ``could_show``, which follows from the hands.

    Raises:
        RecordError: If the collection has another form, or a game cannot have been.
    """
    fields = _read(_Collection, collection, "the collection")
    made: dict[int, ClueRecord] = {}
    for place, value in enumerate(fields.games, start=1):
        where = f"game {place} of the collection"
        game = _read(_Game, value, where)
        try:
            made[game.game] = ClueRecord.from_json(_record(game, fields.source))
        except RecordError as problem:
            raise RecordError(problem.args[0], where=where) from None
    return made


class _Collection(RecordPart):
    source: Any = None
    games: list[object]


class _Game(RecordPart):
    game: int
    hands: dict[str, list[Any]]
    events: list[object]
    face_up: Any = None
    envelope: Any = None


_Read = TypeVar("_Read", bound=RecordPart)


def _read(form: type[_Read], value: object, where: str) -> _Read:
    try:
        return form.model_validate(value)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False)[0]
        message = WRONG_TYPE.get(error["type"]) or "the field is missing"
        field = f", field {error['loc'][0]!r}" if error["loc"] else ""
        raise refused(message, where=where + field, value=error["input"]) from None


def _record(game: _Game, source: object) -> dict[str, object]:
    return {
        "game": "clue",
        "name": f"Ledford, game {game.game}",
        "source": source,
        "note": NOTE,
        "players": [*game.hands],
        "hand_sizes": [len(hand) for hand in game.hands.values()],
        "face_up": game.face_up,
        "hands": game.hands,
        "case_file": game.envelope,
        "events": [event for event in game.events if not _empty(event)],
    }


def _empty(event: object) -> bool:
    """True if it is an accusation of which the log does not say the cards."""
    if not isinstance(event, dict):
        return False
    fields = cast("dict[str, object]", event)
    return fields.get("type") == "accuse" and "cards" not in fields


def main(arguments: list[str]) -> int:
    """Writes the records of a collection; returns the process's exit code."""
    if len(arguments) != 2:
        usage = "usage: python -m sleuth.models.clue.record.ledford COLLECTION FOLDER"
        print(usage, file=sys.stderr)
        return 2
    try:
        records = convert(parse_json(read_bytes(arguments[0])))
        folder = Path(arguments[1])
        folder.mkdir(parents=True, exist_ok=True)
        for number, record in records.items():
            path = folder / f"ledford_{number:02}.json"
            refuse_others(path, NOTE.encode(), where="FOLDER")
            record.dump(path)
    except (SleuthError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
