"""The range of an opponent whose policy is known: games they may be in, and how likely each is.

Poker players call the hands that somebody may hold their range. Here a world is a whole game from
the deal on that led to what a viewer has seen. What the opponent did in it counts by how likely
their policy does it there, as they saw the game in that world.

Worlds are followed move by move. As long as there are few, all are kept, and the range is exact.
Where there are too many, some are drawn in proportion to their weights (a particle filter; Doucet
and Johansen 2009, "A tutorial on particle filtering and smoothing", section 3.5). Where few are
left because something was shown, games that the belief leads back to the deal take their place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.histories import histories
from ...data.errors import CostError, UnsupportedError
from ...models.game import HIDDEN, Game, States, mover_of
from ...models.kernels.randomness import generator
from ...models.play import MoveEvent, Play, SeenPlay, View, foreseen, start_as_seen
from ...models.records.events import Seen
from ...models.starts import GameStarts
from ...models.state_fields import flat_numbers

#: Deals of a game that are listed; of a game with more they are drawn.
MOST_LISTED: Final = 20_000
#: Dice that are thrown until what was seen comes out.
THROWS: Final = 24
#: Least share of the wanted worlds that have to be left, as their weights count.
_LEFT: Final = 0.25
#: Deals that are drawn for each world where no belief can say what fits.
_DRAWN: Final = 20

Shares = Callable[[Play], Mapping[int, float] | None]
"""How likely the player to move takes each legal action; None: nothing is known of them"""


class RangeWorld(NamedTuple):
    """A game that the viewer may be in.

    Attributes:
        play: The game; also a lone state, where it is not known how it came about.
        weight: How likely it is, on any scale.
    """

    play: Play
    weight: float


class WorldRange:
    """The games that a viewer may be in.

    Args:
        game: The game.
        viewer: The viewer's number.
        shares: What the others do.
        belief: The game's belief; None where there is none.
        starts: All deals, where they can be listed.
        most: Most worlds.
        recall: Of so many of the others' last actions it is asked how likely they are, in games
            that a belief leads back.
        seed: Of what is drawn.

    Attributes:
        sampled: Whether worlds were drawn, so that the range is not exact.
    """

    def __init__(
        self,
        game: Game,
        viewer: int,
        shares: Shares,
        *,
        belief: GameBelief | None,
        starts: GameStarts | None,
        most: int,
        recall: int,
        seed: int,
    ) -> None:
        self.game, self.viewer, self.shares = game, viewer, shares
        self.belief, self.starts = belief, starts
        self.most, self.recall, self.seed = most, recall, seed
        self.sampled = False
        self._worlds: list[RangeWorld] = []
        self._seen: SeenPlay | None = None

    def at(self, view: View, seen: SeenPlay) -> list[RangeWorld]:
        """The worlds at a decision of the viewer; weights add up to 1, and none if all are lost.

        It goes on from the moment of the last call, if that was earlier in the same game.
        """
        before = self._seen
        count = 0 if before is None else len(before.events)
        if before is None or (before.start, before.events) != (seen.start, seen.events[:count]):
            count = 0
            self.sampled = False
            self._worlds = self._dealt(seen)
        self._seen = seen
        for place in range(count, len(seen.events)):
            rng = np.random.default_rng((self.seed, place))
            self._worlds = self._next(seen.events[place].event, rng)
        rng = np.random.default_rng((self.seed, len(seen.events), 1))
        worlds = self._next(None, rng)
        worlds = [each for each in worlds if each.play.view(self.viewer).data == view.data]
        left = sum(each.weight for each in worlds) ** 2 / max(
            sum(each.weight**2 for each in worlds), 1e-300
        )
        if not worlds or (self.sampled and left < _LEFT * self.most):
            worlds = self._led_back(view, seen, rng) or worlds
        self._worlds = scaled(worlds)
        return self._worlds

    # -- the deal

    def _dealt(self, seen: SeenPlay) -> list[RangeWorld]:
        """The deals that fit what the viewer saw of the start."""
        rng = np.random.default_rng((self.seed, 0, 2))
        found: dict[bytes, RangeWorld] = {}
        for states, weight in self._deals(seen, rng):
            data = states.tobytes()
            before = found.get(data)
            play = Play(self.game, seed_from(rng), states) if before is None else (before.play)
            found[data] = RangeWorld(play, weight + (0.0 if before is None else before.weight))
        return thinned([*found.values()], self.most, rng)

    def _deals(self, seen: SeenPlay, rng: np.random.Generator) -> Iterator[tuple[States, float]]:
        game = self.game
        if self.starts is not None:
            for place, share in enumerate(self.starts.probabilities.tolist()):
                states = self.starts.states[place : place + 1]
                if _sight(game, states, self.viewer) == seen.start:
                    yield states, share
            return
        self.sampled = True
        begun = start_as_seen(game, seen)
        if self.belief is None or not (flat_numbers(begun) == HIDDEN).any():
            for _ in range(self.most * _DRAWN):
                states = game.initial(seed_from(rng))
                if _sight(game, states, self.viewer) == seen.start:
                    yield states, 1.0
            return
        view, nothing = foreseen_start(self.game, self.viewer, begun, seen)
        posterior = self.belief.infer(view, nothing)
        random = generator(seed_from(rng))
        for row in self.belief.worlds(posterior, self.most, rng):
            states = begun.copy()
            game.fill(states[0], row, game.tables, random)
            yield states, 1.0

    # -- one move

    def _next(self, event: MoveEvent | None, rng: np.random.Generator) -> list[RangeWorld]:
        """The worlds after a move that the viewer saw, or at their decision after the last."""
        found = [after for world in self._worlds for after in self._moved(world, event, rng)]
        if len(found) > self.most:
            self.sampled = True
        return thinned(scaled(found), self.most, rng)

    def _moved(
        self, world: RangeWorld, event: MoveEvent | None, rng: np.random.Generator
    ) -> Iterator[RangeWorld]:
        """A world after a move, and after moves before it that nobody noticed, in every way."""
        waiting = [world]
        while waiting:
            play, weight = waiting.pop()
            if play.over:
                continue
            mover = play.player
            if mover == self.viewer:
                if event is None:
                    yield RangeWorld(play, weight)
                elif event.mover == mover and event.action is not None:
                    for after in self._applied(play, event.action, event.observation, rng):
                        yield RangeWorld(after, weight)
                continue
            shares = self.shares(play)
            for code in play.legal().tolist():
                share = 1.0 if shares is None else shares.get(code, 0.0)
                if share <= 0.0:
                    continue
                for after in self._applied(play, code, HIDDEN, rng):
                    waiting.append(RangeWorld(after, weight * share))
                if event is not None and event.mover == mover:
                    for after in self._applied(play, code, event.observation, rng):
                        yield RangeWorld(after, weight * share)

    def _applied(
        self, play: Play, code: int, observation: int, rng: np.random.Generator
    ) -> Iterator[Play]:
        """The game after an action, if the viewer would have seen this of it."""
        game, truth = self.game, play.truth()
        for _ in range(THROWS if game.has_dice else 1):
            seed = seed_from(rng) if game.has_dice else play.seed
            states, mover = truth.copy(), mover_of(truth)
            dice = generator(seed, len(play.actions) + 1)
            game.apply(states[0], code, game.tables, dice)
            if game.observe(states[0], code, mover, self.viewer, game.tables) == observation:
                yield applied(play, code, seed)
                return

    # -- games led back

    def _led_back(self, view: View, seen: SeenPlay, rng: np.random.Generator) -> list[RangeWorld]:
        """Games that the belief leads back to the deal, weighed by the others' last actions."""
        if self.belief is None:
            return []
        self.sampled = True
        posterior = self.belief.infer(view, seen)
        found = histories(self.belief, posterior, view, seen, self.most, rng, drawn=False)
        if found is None:
            return []
        worlds: list[RangeWorld] = []
        movers = [each.event.mover for each in seen.events]
        others = [place for place, mover in enumerate(movers) if mover != self.viewer]
        weighed = frozenset(others[-self.recall :] if self.recall else ())
        for start in range(len(found.starts)):
            play, weight = Play(self.game, start, found.starts[start : start + 1]), 1.0
            steps = zip(found.actions[start].tolist(), found.listed[start].tolist(), strict=True)
            for place, (code, listed) in enumerate(steps):
                if place in weighed and (shares := self.shares(play)) is not None:
                    weight *= shares.get(listed, 0.0)
                play.apply(code)
            if weight > 0.0:
                worlds.append(RangeWorld(play, weight))
        return worlds


def seed_from(rng: np.random.Generator) -> int:
    """A seed of something that happens but once."""
    drawn: Any = rng.integers(2**63)
    return int(drawn)


def listed_starts(game: Game) -> GameStarts | None:
    """All deals of a game; None where there are too many, or they cannot be followed."""
    try:
        return game.starts(MOST_LISTED)
    except (CostError, UnsupportedError):
        return None


def foreseen_start(game: Game, viewer: int, begun: States, seen: SeenPlay) -> tuple[View, SeenPlay]:
    """A viewer's knowledge when the game began."""
    nothing: tuple[Seen[MoveEvent], ...] = ()
    first = Play.new(game, seed=0).view(viewer)
    return foreseen(first, replace(seen, events=nothing), begun, ())


def applied(play: Play, code: int, seed: int) -> Play:
    """The game after an action, with the dice of a seed."""
    after = play.copy()
    after.seed = seed
    after.apply(code)
    return after


def scaled(worlds: Sequence[RangeWorld]) -> list[RangeWorld]:
    """The same worlds with weights that add up to 1; without those that cannot be."""
    total = sum(each.weight for each in worlds)
    return [RangeWorld(play, weight / total) for play, weight in worlds if weight > 0.0]


def thinned(worlds: list[RangeWorld], most: int, rng: np.random.Generator) -> list[RangeWorld]:
    """At most so many worlds, drawn by their weights, with the same sum of weights.

    Systematic resampling: nearly as often as the weights say, whatever is drawn.
    """
    if len(worlds) <= most:
        return worlds
    weights = np.array([each.weight for each in worlds])
    total = float(weights.sum())
    places = (np.arange(most) + rng.random()) / most * total
    drawn = np.minimum(np.searchsorted(np.cumsum(weights), places), len(worlds) - 1)
    counts = np.bincount(drawn, minlength=len(worlds))
    return [
        RangeWorld(each.play, total * count / most)
        for each, count in zip(worlds, counts.tolist(), strict=True)
        if count
    ]


def _sight(game: Game, states: States, viewer: int) -> tuple[int, ...]:
    return tuple(flat_numbers(game.masked(states, viewer)).tolist())
