"""Games of Scotland Yard for tests: played at random, as records."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sleuth import Play, game
from sleuth.apps.kit.analysis.following import follow
from sleuth.apps.scotland_yard.transcript import HuntAnalysis, HuntTranscript
from sleuth.games.scotland_yard import ScotlandYardRecord


@lru_cache(maxsize=32)
def played(seed: int, moves: int = 1_000, **settings: Any) -> Play:
    """A game in which everybody moves at random, to its end or so far."""
    play = Play.new(game("scotland_yard", **settings), seed=seed)
    rng = np.random.default_rng(seed)
    while not play.over and len(play.actions) < moves:
        play.apply(int(rng.choice(play.legal())))
    return play


def hunt(seed: int = 1, moves: int = 40, **settings: Any) -> ScotlandYardRecord:
    """The full record of such a game."""
    return ScotlandYardRecord.from_play(played(seed, moves, **settings), name="A <hunt> & more")


def analyse(
    record: ScotlandYardRecord, observer: str | None = None, likelihood: str = "moves"
) -> HuntAnalysis:
    return follow(HuntTranscript(record, observer, likelihood))


@lru_cache(maxsize=32)
def analysed(
    seed: int = 1, moves: int = 40, observer: str | None = None, likelihood: str = "steps"
) -> HuntAnalysis:
    return analyse(hunt(seed, moves), observer, likelihood)
