"""Agents that look ahead to a certain depth: paranoid alpha-beta and expectimax."""

from __future__ import annotations

from dataclasses import dataclass

from ..beliefs.games import belief
from ..beliefs.playing import GameBelief
from ..models.game import Game
from ..models.play import SeenPlay, View
from .agents import Maker, drawn_from, inferred, seed_of
from .alpha_beta import AlphaBeta
from .deepening import MOST_WORLDS, Limits
from .expectimax import Expectimax

#: States looked at for one action when no limit is given.
NODES = 100_000


@dataclass(frozen=True, kw_only=True)
class LookAheadSettings:
    """Options of the agents that look ahead.

    Attributes:
        depth, seconds, nodes: How far, see `Limits`; `NODES` when none is given.
        worlds: Most worlds drawn from the belief.
    """

    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    worlds: int = MOST_WORLDS


@dataclass(frozen=True, kw_only=True, eq=False)
class LookAheadAgent:
    """Looks ahead in worlds drawn from its belief, and takes what is best on average.

    Attributes:
        search: Alpha-beta or expectimax.
        belief: What players of the game can know; None when nothing is hidden.
        limits: How far it looks.
        seed: The same seed gives the same decisions, unless the limit is in seconds.
        name: What it is called in results.
    """

    search: AlphaBeta | Expectimax
    belief: GameBelief | None
    limits: Limits
    seed: int = 0
    name: str = "alpha_beta"

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The best action on average; the only one, without a search, if there is one.

        Raises:
            KeyboardInterrupt: Ctrl-C while it searched.
        """
        actions = view.legal()
        if len(actions) == 1:
            return int(actions[0])
        draw = None
        if self.belief is not None:
            draw = drawn_from(self.belief, inferred(self.belief, view, seen))
        seed = seed_of(self.seed, len(seen.events))
        found = self.search.decide(view, draw, self.limits, seed=seed)
        if found.interrupted:
            raise KeyboardInterrupt
        return found.action


def alpha_beta(game: Game, settings: LookAheadSettings, text: str) -> Maker:
    """What makes agents that take everybody else for one enemy."""
    return _maker(AlphaBeta(game, worlds=settings.worlds), settings, text)


def expectimax(game: Game, settings: LookAheadSettings, text: str) -> Maker:
    """What makes agents that take everybody else for chance."""
    return _maker(Expectimax(game, worlds=settings.worlds), settings, text)


def _maker(search: AlphaBeta | Expectimax, settings: LookAheadSettings, text: str) -> Maker:
    nodes = settings.nodes
    if nodes is None and settings.depth is None and settings.seconds is None:
        nodes = NODES
    limits = Limits(depth=settings.depth, seconds=settings.seconds, nodes=nodes)
    known = belief(search.game)
    search.warm()
    return lambda seed: LookAheadAgent(
        search=search, belief=known, limits=limits, seed=seed, name=text
    )
