"""Seconds that beliefs of games take; `belief_speed` compares two checkouts.

    python benchmarks/whole/belief_times.py

Games of Clue (three and six players), Cheat, Scotland Yard and Saboteur are played with any action.
The seconds of the processor are those of all moments of a game: to infer what a player believes, by
a belief that knows nothing yet; to tell the marginals of all that is hidden; and, where actions
are questions, to value them.
"""

from __future__ import annotations

import json
import time
from typing import Any, Final

import numpy as np

import sleuth
from sleuth.kit import Asking

GAMES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "clue, 3 players": ("clue", {"players": 3}),
    "clue, 6 players": ("clue", {"players": 6}),
    "cheat": ("cheat", {}),
    "scotland_yard": ("scotland_yard", {}),
    "saboteur": ("saboteur", {"players": 5}),
}
#: Actions of a game.
ACTIONS: Final = 80
#: The player who is asked, whenever it is their turn.
PLAYER: Final = 1
#: Least seconds that are measured at once.
LEAST: Final = 0.3


def moments(name: str, options: dict[str, Any]) -> list[tuple[Any, Any]]:
    """What a player sees whenever it is their turn."""
    play, rng = sleuth.Play.new(sleuth.game(name, **options), seed=7), np.random.default_rng(7)
    found: list[tuple[Any, Any]] = []
    for _ in range(ACTIONS):
        if play.over:
            break
        if play.player == PLAYER:
            found.append((play.view(PLAYER), play.seen_by(PLAYER)))
        play.apply(int(rng.choice(play.legal())))
    return found


def once(name: str, seen: list[tuple[Any, Any]]) -> dict[str, float]:
    """Seconds of one game, by what is asked."""
    belief = sleuth.belief(name)
    began = time.process_time()
    posteriors = [belief.infer(view, events) for view, events in seen]
    inferred = time.process_time()
    for posterior, (view, _) in zip(posteriors, seen, strict=True):
        for feature in belief.hidden(view).values():
            posterior.distribution(feature)
    told = time.process_time()
    found = {"infer": inferred - began, "marginals": told - inferred}
    for posterior, (view, _) in zip(posteriors, seen, strict=True):
        hidden = [*belief.hidden(view).values()]
        questions = belief.questions(view) if isinstance(belief, Asking) else {}
        if questions and hidden:
            posterior.information_gain(questions, about=hidden[0])
    if isinstance(belief, Asking):
        found["questions"] = time.process_time() - told
    return found


def times() -> dict[str, float]:
    """Seconds by game and by what is asked, each the mean of a few games."""
    found: dict[str, float] = {}
    for name, (game, options) in GAMES.items():
        seen = moments(game, options)
        once(game, seen)  # kernels are loaded
        total: dict[str, float] = {}
        runs = 0
        while runs < 2 or sum(total.values()) < LEAST:
            for asked, seconds in once(game, seen).items():
                total[asked] = total.get(asked, 0.0) + seconds
            runs += 1
        found |= {f"{name}: {asked}": seconds / runs for asked, seconds in total.items()}
    return found


if __name__ == "__main__":
    print(json.dumps(times()))
