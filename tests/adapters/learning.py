"""What the tests of environments share: judges that are quiet, and games they look at."""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium

import sleuth

#: Games that the libraries' own tests look at in moments.
QUICK = (
    *("kuhn_poker", "leduc_poker", "phantom_tic_tac_toe", "tic_tac_toe", "clue_table", "clue"),
    *("goofspiel", "hanabi", "love_letter", "mini_stratego", "cheat"),
)
#: With ``SLEUTH_JUDGES=1`` they look at all games.
JUDGED = sleuth.games.names() if os.environ.get("SLEUTH_JUDGES", "0") != "0" else QUICK
#: A reader's own game, with a belief of theirs.
OWN = "examples/your_own_game.py:GAME"


def hides(name: str) -> bool:
    return sleuth.game(name).hides


def judged(judge: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    """Have a library's own test look at something; what it prints and advises is not wanted."""
    level = gymnasium.logger.min_level
    gymnasium.logger.min_level = gymnasium.logger.ERROR
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            judge(*arguments, **options)
    finally:
        gymnasium.logger.min_level = level
