"""Games of Saboteur that are played by rules of thumb and by chance."""

from __future__ import annotations

import numpy as np

from sleuth import Game, Play
from sleuth.kit import generator

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon")


def played(game: Game, seed: int, *, chance: float = 0.3) -> Play:
    """A whole game; so many actions are any."""
    play, rng, random = Play.new(game, seed=seed), np.random.default_rng(seed), generator(seed)
    while not play.over:
        legal = play.legal()
        place = int(rng.integers(len(legal)))
        if rng.random() >= chance:
            state = play.truth()[0]
            place = int(game.policy(state, legal, len(legal), game.tables, random))
        play.apply(int(legal[place]))
    return play
