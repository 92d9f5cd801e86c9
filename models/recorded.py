"""The game of a record, by the record's own word for it, and the record played again."""

from __future__ import annotations

from ..data.errors import RecordError, SettingsError
from .game import Game
from .games import GameEntry, entry
from .play import Play, PlayRecord
from .records.play_start import state_to_json
from .records.reading import refused


def game_of_record(record: PlayRecord, found: GameEntry | None = None) -> Game:
    """The game of a record, with its settings.

    Args:
        record: The record.
        found: The entry of its game, where the record's own word for it is not to be looked up.

    Raises:
        RecordError: The game cannot be played with these settings, or is another one.
    """
    try:
        known = found or entry(record.game)
        made = known.game_of_version(record.version, dict(record.settings))
    except SettingsError as error:
        raise RecordError(f"this game cannot be played: {error}") from None
    except (TypeError, ValueError, OverflowError, LookupError, AttributeError):
        raise refused(
            "these are no settings of this game",
            where="field 'settings'",
            value=dict(record.settings),
        ) from None
    record.check_game(made)
    return made


def played_again(record: PlayRecord) -> Play:
    """A recorded game, played again to its last action.

    Raises:
        RecordError: Its game cannot be played, is of another version, begins as no game with this
            seed does, or breaks its rules; with the place.
    """
    made = game_of_record(record)
    check_start(record, made)
    return record.replay(made)


def check_start(record: PlayRecord, game: Game) -> None:
    """Refuse a record that begins otherwise than games with its seed do.

    Whatever else stood there could be a state that the rules never make.

    Raises:
        RecordError: The record begins with another state.
    """
    if state_to_json(game.initial(record.seed)) != dict(record.start):
        raise RecordError("this is not how a game with this seed begins", where="field 'start'")
