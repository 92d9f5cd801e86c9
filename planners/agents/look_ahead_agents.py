"""Agents that look ahead to a certain depth: paranoid alpha-beta and expectimax."""

from __future__ import annotations

from dataclasses import dataclass

from ...beliefs.games.contract import GameBelief
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import SeenPlay, View
from ..look_ahead.alpha_beta import AlphaBeta
from ..look_ahead.deepening import MOST_WORLDS
from ..look_ahead.expectimax import Expectimax
from ..look_ahead.limits import Limits, LookAhead
from ..search.determinization import from_list
from .advised import belief_of, evaluation_of, imagined_game
from .agent import Guess, Maker, chosen, considered, drawn_from, inferred, seed_of

#: States looked at for one action when no limit is given.
NODES = 100_000


@dataclass(frozen=True, kw_only=True)
class LookAheadSettings:
    """Options of the agents that look ahead.

    Attributes:
        depth, seconds, cpu_seconds, nodes: How far, see `Limits`; `NODES` when none is given.
        worlds: Most worlds drawn from the belief; where a guess lists them, all are looked at.
        evaluation: What a position is worth where a line is broken off, by its name in the game's
            advice; None for the middle between a win and a loss.
        gives_up: Whether a line that is lost counts as lost; if not, its end is worth what the
            evaluation says.
        others: ``enemies``, who minimise what the player gets, or ``chance``; None for what the
            agent's name says. Members of their team maximise it in any case.
        belief: How likely the worlds are: a guess of the game's advice; None for its belief.
        filter: Whether to consider only what the game's advice says.
        imagined: How the game is imagined, by its name in the game's advice; None for the first
            of them.
    """

    depth: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int | None = None
    worlds: int = MOST_WORLDS
    evaluation: str | None = None
    gives_up: bool = True
    others: str | None = None
    belief: str | None = None
    filter: bool = False
    imagined: str | None = None


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
    filters: bool = False
    guess: Guess | None = None

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The best action on average; the only one, without a search, if there is one.

        Raises:
            KeyboardInterrupt: Ctrl-C while it searched.
        """
        return chosen(view, lambda: self.looked_ahead(view, seen), filters=self.filters)

    def looked_ahead(self, view: View, seen: SeenPlay) -> LookAhead:
        """The whole answer of the search."""
        draw = None
        if self.guess is not None:
            draw = from_list(*self.guess(view, seen), maker=self.guess)
        elif self.belief is not None:
            draw = drawn_from(self.belief, inferred(self.belief, view, seen))
        begin = self.search.game.advice.begin
        if begin is not None:
            begin(self.search.game, view)
        return self.search.decide(
            view,
            draw,
            self.limits,
            seed=seed_of(self.seed, len(seen.events)),
            actions=considered(view).tolist() if self.filters else None,
        )


def alpha_beta(game: Game, settings: LookAheadSettings, text: str) -> Maker:
    """The maker of agents that take everybody else for one enemy."""
    return _maker(game, settings, text, "enemies")


def expectimax(game: Game, settings: LookAheadSettings, text: str) -> Maker:
    """The maker of agents that take everybody else for chance."""
    return _maker(game, settings, text, "chance")


def _maker(game: Game, settings: LookAheadSettings, text: str, others: str) -> Maker:
    nodes = settings.nodes
    if (settings.depth, settings.seconds, settings.cpu_seconds, nodes) == (None,) * 4:
        nodes = NODES
    limits = Limits(
        depth=settings.depth,
        seconds=settings.seconds,
        cpu_seconds=settings.cpu_seconds,
        nodes=nodes,
    )
    known, guess = belief_of(game, settings.belief)
    search = _search(game, settings, settings.others or others)
    search.prepare()
    return lambda seed: LookAheadAgent(
        search=search,
        belief=known,
        limits=limits,
        seed=seed,
        name=text,
        filters=settings.filter,
        guess=guess,
    )


def _search(game: Game, settings: LookAheadSettings, others: str) -> AlphaBeta | Expectimax:
    named = settings.evaluation
    evaluate = None if named is None else evaluation_of(game, named)
    imagined = imagined_game(game, settings.imagined)
    kinds = {"chance": Expectimax, "enemies": AlphaBeta}
    if others not in kinds:
        raise SettingsError(
            "others are enemies or chance",
            where="others",
            value=others,
            hint="write others=enemies",
        )
    return kinds[others](
        imagined, evaluate=evaluate, worlds=settings.worlds, gives_up=settings.gives_up
    )
