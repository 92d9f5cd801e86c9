"""A game's file that is checked in a process of its own, which runs its code."""

from __future__ import annotations

import contextlib
import io
from functools import partial
from typing import Final

from ...data.version import version
from ...planners.checking.fault_report import report_of
from ..kit.answers.forms import GameCheck, game_check
from ..kit.matches.asked import asked_game
from ..table.sitting import Job
from ..table.web.workers import Workers

#: Seconds more than the check itself has, for the process to start and to end.
MORE: Final = 10.0


async def checked(game: str, plays: int, belief_plays: int, seconds: float) -> GameCheck:
    """The check of a game's file.

    The process begins anew each time, so that a file that was mended meanwhile is read again, and
    nothing that its code does is left behind here.

    Args:
        game: ``FILE.py:NAME``.
        plays: Random games.
        belief_plays: Those that the belief is compared with.
        seconds: How long all may take.

    Raises:
        WorkerError: It took longer and could not be interrupted, or it ended its process.
    """
    workers = Workers(1)
    try:
        job = Job(_check, (game, plays, belief_plays, seconds))
        return await workers.run(job, seconds=seconds + MORE)
    finally:
        workers.close()


def _check(game: str, plays: int, belief_plays: int, seconds: float) -> GameCheck:
    # What the file prints is nobody's answer.
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        report = report_of(
            partial(asked_game, game),
            game,
            plays=plays,
            belief_plays=belief_plays,
            seconds=seconds,
        )
    return game_check(report, version())
