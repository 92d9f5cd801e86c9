"""Records of plays to learn from: read from files and folders, or played by programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ..data.errors import RecordError, SettingsError, UnsupportedError
from ..data.jobs.sharing import run_jobs
from ..data.progress import Tell, silent
from ..models.game import Game
from ..models.games import GameEntry
from ..models.games import game as game_by_name
from ..models.play import PLAYED_BY, PlayRecord, kept_record, person_of
from ..models.recorded import check_start, game_of_record
from ..models.records.reading import parse_record, read_bytes
from ..models.records.replay import CompletedPlay
from ..models.records.written import WrittenRecord

if TYPE_CHECKING:
    from ..planners.agents import Contestant
    from ..planners.matches.match_games import PlayedGame

#: Who plays games that are simulated.
AGENT: Final = "mcts:simulations=300"
#: Games of several kinds that a worker plays at a time: it makes their rules once.
TOGETHER: Final = 10


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
    """So many games, by turns; each player is one of these agents, drawn anew for every game.

    The games are those that come with sleuth: workers make them anew from their names.
    """
    wanted.refuse_agents()
    rng = np.random.default_rng([wanted.seed, 6])
    seeds: list[int] = rng.integers(2**31, size=wanted.count).tolist()
    drawn: list[MixedGame] = []
    for number, seed in enumerate(seeds):
        place = number % len(games)
        named: list[int] = rng.integers(len(agents), size=games[place].players).tolist()
        drawn.append(MixedGame(place, tuple(agents[each] for each in named), seed))
    calls = [(drawn[first : first + TOGETHER],) for first in range(0, wanted.count, TOGETHER)]
    common = ([(each.name, dict(each.settings)) for each in games],)
    played = run_jobs(
        _play_mixed, calls, workers=wanted.workers, common=common, things="games to be played"
    )
    found = chain.from_iterable(played)
    for number, one in enumerate(drawn):
        wanted.tell("playing", number, wanted.count)
        game = games[one.place]
        yield Played(next(found).replay(game).record(), game)


@dataclass(frozen=True)
class MixedGame:
    """A game to be played: the place of its rules in a list, who plays, and its seed."""

    place: int
    players: tuple[str, ...]
    seed: int


def _play_mixed(
    rules: Sequence[tuple[str, Mapping[str, Any]]], drawn: Sequence[MixedGame]
) -> list[PlayedGame]:
    from ..planners.matches.match import play_match

    places = {each.place for each in drawn}
    made = {place: game_by_name(rules[place][0], **rules[place][1]) for place in places}
    return [
        play_match(made[one.place], one.players, games=1, seed=one.seed, swap=False).games[0]
        for one in drawn
    ]


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
