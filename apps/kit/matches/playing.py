"""`sleuth match`: games between agents, here or on a cluster, and their records."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ....data.disk.writing import make_folder, numbered, write_new
from ....models.game import Game
from ....planners.agents import NamedAgent
from ....planners.matches.match import play_match
from ....planners.matches.match_result import MatchResult
from ....planners.matches.match_statistics import Stop
from ..console import Tell
from ..number_words import counted
from ..writing import refuse_unwritable


def match(
    game: Game,
    agents: Sequence[NamedAgent],
    *,
    games: int,
    first: int = 0,
    seed: int,
    workers: int,
    swap: bool | None,
    series: int = 1,
    stop: Stop | None,
    out: Path | None,
    progress: Tell,
) -> MatchResult:
    """Plays a match.

    Raises:
        KeyboardInterrupt: Ctrl-C, with a sentence on what is kept.
    """
    if out is not None:
        refuse_unwritable(out, where="out")
    finished = 0

    def tell(what: str, done: int, total: int) -> None:
        nonlocal finished
        finished = done
        progress(what, done, total)

    try:
        return play_match(
            game,
            agents,
            games=games,
            first=first,
            seed=seed,
            workers=workers,
            swap=swap,
            series=series,
            stop=stop,
            out=out,
            progress=tell,
        )
    except KeyboardInterrupt:
        if out is None:
            kept = "nothing is kept; with --out FILE a match that is interrupted can go on"
        elif finished == 0:
            kept = "no game had ended, nothing is kept"
        else:
            are = "is" if finished == 1 else "are"
            kept = f"{counted(finished, 'finished game')} {are} in {out}; the same command resumes"
        raise KeyboardInterrupt(kept) from None


def write_records(result: MatchResult, game: Game, folder: Path) -> list[Path]:
    """Writes every game of a match as a record that ``sleuth analyse`` reads.

    A record of another match that has the name stays; this one gets a number more then.

    Args:
        result: The match.
        game: Its game.
        folder: Where the files go; it is made if there is none.

    Returns:
        Those that got a number more.

    Raises:
        SettingsError: The folder cannot be written.
    """
    make_folder(folder, where="records")
    renamed: list[Path] = []
    for played in result.games:
        record = played.replay(game).record()
        text = json.dumps(record.to_json()) + "\n"
        name = folder / f"{game.name}-{played.number + 1:05d}.json"
        written = write_new(numbered(name), text, where="records")
        renamed += [written] if written != name else []
    return renamed
