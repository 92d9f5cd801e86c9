"""What going on is worth to a player of Clue without a board who could accuse.

Worlds are drawn from their belief, and in each the game is played on by people who ask well and
accuse when certain. Games are played until it is clear whether going on or accusing is worth more,
with looks at 20, 60, 180 and 540 games; a p-value pays for all four. Games that were played are
kept in a file, a line each, so that an interrupted judgement goes on. They do not depend on what
anybody's hint was: hints of several agents are judged by the same games.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy.stats import beta, binomtest

from sleuth import Play
from sleuth.data.disk.growing import GrowingFile, same_values
from sleuth.errors import SettingsError
from sleuth.games.clue import PASS, ClueBelief, clue_table
from sleuth.models.clue.game import ACCUSING, SHOWING

from .race import CERTAIN, Asker

#: Games after which it is asked whether it is clear.
LOOKS = (20, 60, 180, 540)
#: Games that are played on at once, from one seed.
AT_ONCE = 10
#: Questions that people choose among who play on.
QUESTIONS = 20
#: As likely as this has to be what is worth playing on for.
UNLIKELY = 0.05
#: No more games where the p-value is below this.
CLEAR = 0.0005


@dataclass(frozen=True, kw_only=True)
class Worth:
    """What going on is worth at a position, as far as it was played on.

    Attributes:
        likeliest: The probability of the likeliest case file: what accusing is worth.
        won: For each game whether the player to move won who passed; none where what accusing is
            worth is known to be 1, or at most `UNLIKELY`.
    """

    likeliest: float
    won: tuple[int, ...] = ()

    @property
    def mean(self) -> float:
        """An estimate; 0 where accusing is right for sure, and 0.1 where it is hopeless."""
        if self.won:
            return float(np.mean(self.won))
        return 0.0 if self.likeliest == 1.0 else 2 * UNLIKELY

    @property
    def interval(self) -> tuple[float, float]:
        """95 %, whichever of the looks was the last (Clopper-Pearson)."""
        if not self.won:
            return self.mean, self.mean
        won, count = sum(self.won), len(self.won)
        tail = 0.025 / len(LOOKS)
        low = float(beta.ppf(tail, won, count - won + 1)) if won else 0.0
        high = float(beta.ppf(1 - tail, won + 1, count - won)) if won < count else 1.0
        return low, high

    @cached_property
    def p_value(self) -> float:
        """Of going on being worth what accusing is, two-sided; 0 where that is known."""
        if not self.won:
            return 0.0
        looks = {min(look, len(self.won)) for look in LOOKS}
        least = min(
            float(binomtest(sum(self.won[:look]), look, self.likeliest).pvalue) for look in looks
        )
        return min(1.0, len(LOOKS) * least)

    def halves(self, accuses: bool, accused: float) -> float:
        """What a hint loses, where one half of the games says which answer is better.

        The other half says by how much, so it is not overstated by looking for the larger.
        """
        if len(self.won) < 2:
            return self.loss(accuses, accused)
        found: list[float] = []
        for one, other in ((0, 1), (1, 0)):
            chosen, judged = (float(np.mean(self.won[half::2])) for half in (one, other))
            best = judged if chosen > self.likeliest else self.likeliest
            found.append(best - (accused if accuses else judged))
        return sum(found) / 2

    def loss(self, accuses: bool, accused: float) -> float:
        """How much less a hint is worth than the better answer, by the estimate.

        Args:
            accuses: Whether the hint is to accuse; else it is to pass.
            accused: How likely the accused case file is.
        """
        return max(self.likeliest, self.mean) - (accused if accuses else self.mean)


def holm(p_values: Sequence[float], level: float = 0.05) -> list[bool]:
    """Which of several hypotheses are rejected, with all of them in view (Holm 1979)."""
    rejected = [False] * len(p_values)
    for rank, place in enumerate(np.argsort(p_values, kind="stable").tolist()):
        if p_values[place] > level / (len(p_values) - rank):
            break
        rejected[place] = True
    return rejected


class _File(GrowingFile):
    """Positions and games, a line each."""

    def __init__(self, path: Path) -> None:
        self.lines: list[dict[str, Any]] = []
        super().__init__(path, {"results": "clue_judge", "version": 1}, where="--keep")

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Refuses a file of something else."""
        if not same_values(found, header):
            raise SettingsError("this file has other results", where="--keep", value=str(self.path))

    def take(self, value: object) -> None:
        """Keeps a line."""
        self.lines.append(cast(dict[str, Any], value))

    def refusal(self) -> tuple[str, str]:
        """What to say of a line that is no result."""
        return "this is no position and no games", "remove the file, or the line"


class Kept:
    """Positions and games that were played, in a file if there is one.

    Args:
        path: The file; None to keep them for this run alone.

    Attributes:
        positions: (players, seed, actions) of positions, in their order.
        games: By (players, seed, turn) what was won.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.positions: list[tuple[int, int, list[int]]] = []
        self.games: dict[tuple[int, int, int], list[int]] = {}
        self._file = _File(path) if path else None
        for line in self._file.lines if self._file else []:
            if "actions" in line:
                self.positions.append((line["players"], line["seed"], line["actions"]))
            else:
                key = line["players"], line["seed"], line["turn"]
                self.games.setdefault(key, []).extend(line["won"])

    def add_position(self, play: Play) -> None:
        """Keep one more position."""
        found = play.game.players, play.seed, list(play.actions)
        self._write(dict(zip(("players", "seed", "actions"), found, strict=True)))
        self.positions.append(found)

    def add_games(self, key: tuple[int, int, int], won: list[int]) -> None:
        """Keep more games from a position."""
        self._write(dict(zip(("players", "seed", "turn"), key, strict=True)) | {"won": won})
        self.games.setdefault(key, []).extend(won)

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is not None:
            self._file.write(line)


def replayed(players: int, seed: int, actions: Sequence[int]) -> Play:
    """The position after these actions."""
    play = Play.new(clue_table(players), seed=seed)
    for action in actions:
        play.apply(action)
    return play


def key_of(play: Play) -> tuple[int, int, int]:
    """What a position's games are kept by."""
    return play.game.players, play.seed, int(play.view(play.player).states[0].turn)


def judged(plays: Sequence[Play], kept: Kept, most: int = LOOKS[-1]) -> list[Worth | None]:
    """What going on is worth at positions; None where it is no turn to accuse.

    Args:
        plays: The positions.
        kept: What was played already; more is added.
        most: Games from one position, at most.
    """
    found = [_known(play, kept) for play in plays]
    for look in (each for each in LOOKS if each <= most):
        for number, play in enumerate(plays):
            worth = found[number]
            if worth is None or not UNLIKELY < worth.likeliest < 1.0:
                continue
            played = len(worth.won)
            if played >= look or (worth.p_value <= CLEAR and played >= LOOKS[0]):
                continue
            for first in range(played, look, AT_ONCE):
                kept.add_games(key_of(play), played_on(play, first))
            worth = found[number] = _known(play, kept)
            assert worth is not None
            print(
                f"position {number}: {len(worth.won)} games, {worth.mean:.3f} going on, "
                f"{worth.likeliest:.3f} accusing, p = {worth.p_value:.2g}",
                file=sys.stderr,
            )
    return found


def _known(play: Play, kept: Kept) -> Worth | None:
    view = play.view(play.player)
    if view.states[0].stage != ACCUSING:
        return None
    belief = ClueBelief()
    (file,) = belief.hidden(view).values()
    shares = belief.infer(view, play.seen_by(play.player)).distribution(file)
    likeliest = float(shares.max())
    if likeliest >= CERTAIN:
        return Worth(likeliest=1.0)
    won = kept.games.get(key_of(play), []) if likeliest > UNLIKELY else []
    return Worth(likeliest=likeliest, won=tuple(won))


def played_on(play: Play, first: int) -> list[int]:
    """Whether the player to move wins who passes now, in `AT_ONCE` games from this number on."""
    rng, me, belief = np.random.default_rng((4, play.seed, first)), play.player, ClueBelief()
    posterior = belief.infer(play.view(me), play.seen_by(me))
    won: list[int] = []
    for world in belief.worlds(posterior, AT_ONCE, rng):
        other = in_world(play, me, world, rng)
        other.apply(PASS)
        everybody = Asker(ClueBelief(), rng, QUESTIONS)
        while not other.over:
            other.apply(everybody.decide(other))
        won.append(int(other.returns()[me]))
    return won


def in_world(play: Play, viewer: int, world: Any, rng: np.random.Generator) -> Play:
    """The game as it may have been for a viewer: with these cards, and others' cards shown anew."""
    start = play.game.initial(play.seed)
    start[0].holder[:] = world
    other = Play.new(play.game, seed=play.seed, start=start)
    for action in play.actions:
        state = other.truth()[0]
        hidden = state.stage == SHOWING and viewer not in (state.player, state.suggester)
        other.apply(int(rng.choice(other.legal())) if hidden else action)
    assert other.seen_by(viewer) == play.seen_by(viewer)
    return other


def resampled(values: Sequence[float], draws: int = 2_000) -> tuple[float, float]:
    """A 95 % interval of a mean, by drawing the values anew."""
    if not values:
        return math.nan, math.nan
    rng = np.random.default_rng(1)
    means = rng.choice(np.asarray(values), (draws, len(values))).mean(axis=1)
    low, high = np.percentile(means, (2.5, 97.5)).tolist()
    return low, high
