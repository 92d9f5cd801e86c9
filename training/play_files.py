"""Records of plays to learn from: read from files and folders, or played by programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from ..data.errors import RecordError, SettingsError, UnsupportedError
from ..data.progress import Tell, silent
from ..models.game import Game
from ..models.games import GameEntry
from ..models.play import PLAYED_BY, PlayRecord, kept_record, person_of
from ..models.recorded import check_start, game_of_record
from ..models.records.reading import parse_record, read_bytes
from ..models.records.replay import CompletedPlay
from ..models.records.written import WrittenRecord

if TYPE_CHECKING:
    from ..planners.agents import Contestant

#: Who plays games that are simulated.
AGENT: Final = "mcts:simulations=300"


@dataclass(frozen=True)
class Played:
    """A recorded game, and who played it.

    Attributes:
        record: The record.
        game: Its game, with its settings.
        players: The name of the player of each role; None for nobody in particular, such as a
            program; None if nothing is known of anybody.
        known: The numbers of the actions, from 1, of which the record says what they were; None for
            all. See `KnownPlay`.
        source: The file that it is from; empty where it is from none.

    >>> import sleuth
    >>> from sleuth.kit import Played
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> Played(play.record(), play.game, players=("ann", None)).players  # the other is a program
    ('ann', None)
    """

    record: PlayRecord | CompletedPlay
    game: Game
    players: tuple[str | None, ...] | None = None
    known: frozenset[int] | None = None
    source: str = ""


def read_plays(files: Sequence[Path], entry: GameEntry) -> Iterator[Played]:
    """The records in files: of plays, and those that people write, if they can be played again.

    Args:
        files: Each holds one record, as ``sleuth match --records``, ``sleuth play --save`` and
            ``sleuth advise`` write them.
        entry: Their game.

    Raises:
        RecordError: A file cannot be read, or is no record of this game; with its name.
    """
    for record, path in read_records(files, entry):
        if isinstance(record, Played):
            yield record
            continue
        try:
            found = record.known_play()
        except (RecordError, UnsupportedError) as error:
            raise RecordError(str(error), where=str(path)) from None
        yield Played(found.record, found.game, known=found.known, source=str(path))


def read_records(
    files: Sequence[Path], entry: GameEntry
) -> Iterator[tuple[Played | WrittenRecord, Path]]:
    """The records in files, as they are: of plays, and those that people write.

    Args:
        files: Each holds one record.
        entry: Their game.

    Raises:
        RecordError: A file cannot be read, or is no record of this game; with its name.
    """
    for path in files:
        try:
            value = parse_record(read_bytes(path))
            written = entry.part("written")
            if written is not None and not _is_play(value):
                yield written.from_json(value), path
                continue
            record = kept_record(value)
            made = game_of_record(record, entry)
            check_start(record, made)
            people = _people(cast("dict[str, object]", value), made)
            yield Played(record, made, people, source=str(path)), path
        except RecordError as error:
            if str(path) in str(error):
                raise
            record = path.with_suffix(".json")
            # What was typed beside a table is kept beside its record.
            kept = path.suffix == ".jsonl" and record.is_file()
            hint = f"did you mean the record, {record}?" if kept else ""
            raise RecordError(str(error), where=str(path), hint=hint) from None


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """Games that programs play, to be learned from.

    Attributes:
        count: How many; or how many people are simulated, where people are.
        seed: Of all chance.
        agents: Who plays, one for each role; None for those that usually do.
        workers: Processes.
        keep: A file for finished games: what was interrupted goes on from there.
        tell: Told how far it is.

    >>> import sleuth
    >>> from sleuth.kit import SelfPlay
    >>> wanted = SelfPlay(count=10, seed=1, agents=("random", "random"))
    >>> wanted.tell("playing", 3, wanted.count)  # nobody is told, unless tell= names somebody
    >>> try:
    ...     wanted.refuse_agents()
    ... except sleuth.SleuthError as error:
    ...     print(error.message)
    this game draws who plays
    """

    count: int
    seed: int = 0
    agents: tuple[Contestant | str, ...] | None = None
    workers: int = 1
    keep: Path | None = None
    tell: Tell = silent

    def refuse_agents(self) -> None:
        """Refuse agents where it is drawn by chance who plays.

        Raises:
            SettingsError: Some are named.
        """
        if self.agents is not None:
            raise SettingsError("this game draws who plays", where="agents", hint="leave them out")


def self_play(game: Game, wanted: SelfPlay, usual: str) -> Iterator[Played]:
    """So many games of the agents that are wanted, or of the usual one against itself."""
    from ..planners.matches.match import play_match

    result = play_match(
        game,
        wanted.agents or [usual] * game.players,
        games=wanted.count,
        seed=wanted.seed,
        workers=wanted.workers,
        swap=False,
        out=wanted.keep,
        progress=wanted.tell,
    )
    for one in result.games:
        yield Played(one.replay(game).record(), game)


def mixed_play(games: Sequence[Game], agents: Sequence[str], wanted: SelfPlay) -> Iterator[Played]:
    """So many games, by turns; each player is one of these agents, drawn anew for every game."""
    from ..planners.matches.match import play_match

    wanted.refuse_agents()
    rng = np.random.default_rng([wanted.seed, 6])
    seeds: list[int] = rng.integers(2**31, size=wanted.count).tolist()
    for number in range(wanted.count):
        wanted.tell("playing", number, wanted.count)
        game = games[number % len(games)]
        drawn: list[int] = rng.integers(len(agents), size=game.players).tolist()
        players = [agents[each] for each in drawn]
        result = play_match(game, players, games=1, seed=seeds[number], swap=False)
        yield Played(result.games[0].replay(game).record(), game)


def _is_play(value: object) -> bool:
    """True for what has the actions of a play, as no record has that a person writes."""
    return isinstance(value, dict) and "actions" in value


def _people(value: dict[str, object], game: Game) -> tuple[str | None, ...] | None:
    """The people of a record by roles: a program is nobody whom one could get to know."""
    listed = value.get(PLAYED_BY)
    if not isinstance(listed, dict):
        return None
    played = cast("dict[str, object]", listed)
    return tuple(person_of(played.get(role)) for role in game.roles)
