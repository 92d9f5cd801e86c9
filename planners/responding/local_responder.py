"""Local best response: an agent that knows how its opponents play, and takes what it can.

Lisy and Bowling (2017, "Equilibrium approximation quality of current no-limit poker bots",
section 4): at each decision the responder knows the range of the opponent, since they know the
opponent's policy, and takes the action that wins most if a simple continuation follows. In poker
that is to check and call; here games are played out by a policy. What a responder wins on average
is a lower bound of what a best response wins, however little it knows or looks ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Final, Protocol

import numpy as np

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.registry import belief_or_none
from ...data.checks import known_name, number_within, whole_number
from ...data.errors import SettingsError
from ...models.game import Game, any_action
from ...models.kernels.randomness import generator
from ...models.play import Play, SeenPlay, View
from ...models.starts import GameStarts
from ..agents.advised import imagined_game
from ..agents.agent import Maker, seed_of
from .asked import AskedAgent
from .playing_out import PlayoutMeans
from .ranges import RangeWorld, WorldRange, applied, listed_starts, scaled, seed_from, thinned

#: Of what the agent is asked with; nobody plays with it in a match but by chance.
_ASKED: Final = 0xA5
#: Most worlds, replies, and games that are played out.
_MOST: Final = 100_000


class AskedContestant(Protocol):
    """As much of a contestant of a match as is needed here."""

    @property
    def text(self) -> str:
        """Name and options."""
        ...

    def prepare(self, game: Game) -> Maker:
        """A maker of agents for the game."""
        ...


@dataclass(frozen=True, kw_only=True)
class ResponderSettings:
    """The way a local best response is found.

    Attributes:
        worlds: Most games of its range that it follows.
        replies: In so many of them the agent is asked what it does next; 0 for none: then all is
            played out at once after its own action.
        depth: So many own decisions it looks ahead, from the present one on.
        playouts: Games played out for each action.
        continuation: By what policy: ``random``, or a way to play out of the game's advice; None
            for the game's own.
        asks: With so many seeds an agent is asked that does not say how likely it does what.
        floor: The least that such an agent is taken to do anything, divided among all actions.
        recall: Of so many of the agent's last actions it is asked how likely they are, where the
            range is drawn anew.

    Raises:
        SettingsError: A number is out of range.

    >>> from sleuth.equilibria import ResponderSettings
    >>> ResponderSettings(worlds=100, replies=0).text
    'worlds=100,replies=0'
    """

    worlds: int = 32
    replies: int = 8
    depth: int = 1
    playouts: int = 400
    continuation: str | None = None
    asks: int = 1
    floor: float = 0.05
    recall: int = 4

    def __post_init__(self) -> None:
        for name, least in (
            ("worlds", 1),
            ("replies", 0),
            ("depth", 1),
            ("playouts", 1),
            ("asks", 1),
            ("recall", 0),
        ):
            whole_number(getattr(self, name), name, least=least, most=_MOST)
        number_within(self.floor, "floor", most=1.0)

    @property
    def text(self) -> str:
        """The values that are not the usual ones, as ``worlds=100,replies=0``."""
        return ",".join(
            f"{each.name}={getattr(self, each.name)}"
            for each in fields(ResponderSettings)
            if getattr(self, each.name) != each.default
        )


class LocalResponder:
    """A player who knows how all others play; see the head of this module.

    Teammates are not asked: what they do is taken to say nothing of what is hidden.

    Args:
        game: The game.
        asked: The others' policy.
        settings: How it finds its answer.
        seed: Of all that it draws.
        belief: The game's belief; None where there is none.
        starts: All deals, where they can be listed.
        playouts: Plays games out.
        name: What it is called in results.
    """

    def __init__(
        self,
        game: Game,
        asked: AskedAgent,
        settings: ResponderSettings,
        *,
        seed: int,
        belief: GameBelief | None,
        starts: GameStarts | None,
        playouts: PlayoutMeans,
        name: str,
    ) -> None:
        self.name: Final = name
        self._game, self._asked, self.settings, self.seed = game, asked, settings, seed
        self._belief, self._starts, self.playouts = belief, starts, playouts
        self._ranges: dict[int, WorldRange] = {}

    def told(self, starts: GameStarts) -> LocalResponder:
        """The same player, who takes only these deals for possible: for checks of what they win."""
        return LocalResponder(
            self._game,
            self._asked,
            self.settings,
            seed=self.seed,
            belief=self._belief,
            starts=starts,
            playouts=self.playouts,
            name=self.name,
        )

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The action that wins most against the range."""
        legal: list[int] = view.legal().tolist()
        if len(legal) == 1:
            return legal[0]
        worlds, replies = self.range(view, seen), self.settings.replies
        moment = len(seen.events)
        rng = np.random.default_rng((self.seed, moment, 3))
        if not worlds:
            worlds, replies = self._guessed(view, seen, rng), 0
        if not worlds:
            return legal[int(rng.integers(len(legal)))]
        near = thinned(worlds, replies or self.settings.worlds, rng)
        ahead = _Ahead(self, view.viewer, moment, asks=replies > 0)
        return legal[int(np.argmax([ahead.value(near, code) for code in legal]))]

    def range(self, view: View, seen: SeenPlay) -> list[RangeWorld]:
        """The games that the player may be in, by what the others' policy makes likely."""
        viewer = view.viewer
        if viewer not in self._ranges:
            self._ranges[viewer] = WorldRange(
                self._game,
                viewer,
                lambda play: self._shares(play, viewer),
                belief=self._belief,
                starts=self._starts,
                most=self.settings.worlds,
                recall=self.settings.recall,
                seed=seed_of(self.seed, viewer),
            )
        return self._ranges[viewer].at(view, seen)

    def _shares(self, play: Play, viewer: int) -> Mapping[int, float] | None:
        """Probabilities of the actions of the player to move; None for a teammate."""
        if self.is_mate(play.player, viewer):
            return None
        answer = self._asked.at(play)
        if answer.exact:
            return answer.shares
        floor = self.settings.floor
        each = floor / len(answer.shares)
        return {code: (1.0 - floor) * share + each for code, share in answer.shares.items()}

    def replies(self, play: Play) -> Mapping[int, float]:
        """The policy of the player to move, as far as they say it or were seen to choose."""
        return self._asked.at(play).shares

    @property
    def has_dice(self) -> bool:
        """True if chance decides in the game after the deal as well."""
        return self._game.has_dice

    def is_mate(self, player: int, viewer: int) -> bool:
        """True if a player wins with the viewer."""
        sides = self._game.side_of
        return player != viewer and sides[player] == sides[viewer]

    def _guessed(self, view: View, seen: SeenPlay, rng: np.random.Generator) -> list[RangeWorld]:
        """States that fit what the player sees, where nobody knows how they came about."""
        game, states = self._game, view.states
        if not game.hides:
            return [RangeWorld(Play(game, seed_from(rng), states), 1.0)]
        if self._belief is None:
            return []
        posterior = self._belief.infer(view, seen)
        random, found = generator(seed_from(rng)), list[RangeWorld]()
        for row in self._belief.worlds(posterior, self.settings.worlds, rng):
            filled = states.copy()
            game.fill(filled[0], row, game.tables, random)
            found.append(RangeWorld(Play(game, seed_from(rng), filled), 1.0))
        return scaled(found)


class _Ahead:
    """Winnings of actions against a range, with replies of the others and games played out.

    Args:
        responder: Whose actions.
        viewer: Their role.
        moment: How much they have seen.
        asks: Whether the others are asked what they do next.
    """

    def __init__(self, responder: LocalResponder, viewer: int, moment: int, *, asks: bool) -> None:
        self._responder, self._viewer, self._moment, self._asks = responder, viewer, moment, asks

    def value(self, worlds: Sequence[RangeWorld], code: int, depth: int = 1) -> float:
        """The sum over worlds of what an action wins in them, times their weights."""
        # The same dice for every action: their differences are what counts.
        rng = np.random.default_rng((self._responder.seed, self._moment, depth, 4))
        return self._settled(self._taken(worlds, code, rng), depth, rng)

    def _settled(self, worlds: list[RangeWorld], depth: int, rng: np.random.Generator) -> float:
        """The same of worlds in which the others may be to move."""
        total, viewer, settings = 0.0, self._viewer, self._responder.settings
        mine: dict[object, list[RangeWorld]] = {}
        leaves: list[RangeWorld] = []
        while worlds:
            after: list[RangeWorld] = []
            for world in worlds:
                play, weight = world
                if play.over:
                    total += weight * float(play.returns()[viewer])
                elif play.player == viewer:
                    known = _known(play, viewer) if depth < settings.depth else None
                    mine.setdefault(known, []).append(world)
                elif self._asks and not self._responder.is_mate(play.player, viewer):
                    shares = self._responder.replies(play)
                    for code, share in shares.items():
                        if share > 0.0:
                            after += self._taken([RangeWorld(play, weight * share)], code, rng)
                else:
                    leaves.append(world)
            worlds = thinned(after, max(settings.worlds, settings.replies), rng)
        for group in mine.values():
            if depth < settings.depth:
                codes = group[0].play.legal().tolist()
                total += max(self.value(group, code, depth + 1) for code in codes)
            else:
                leaves += group
        return total + self._played_out(leaves, rng)

    def _taken(
        self, worlds: Sequence[RangeWorld], code: int, rng: np.random.Generator
    ) -> list[RangeWorld]:
        dice = self._responder.has_dice
        return [
            RangeWorld(applied(play, code, seed_from(rng) if dice else play.seed), weight)
            for play, weight in worlds
        ]

    def _played_out(self, worlds: Sequence[RangeWorld], rng: np.random.Generator) -> float:
        if not worlds:
            return 0.0
        responder = self._responder
        states = responder.playouts.game.states(len(worlds))
        for place, world in enumerate(worlds):
            states[place] = world.play.truth()[0]
        times = max(1, responder.settings.playouts // len(worlds))
        means = responder.playouts.means(states, times, generator(seed_from(rng)))
        weights = np.array([world.weight for world in worlds])
        return float(weights @ means[:, self._viewer])


def _known(play: Play, viewer: int) -> object:
    """All that a player knows, to tell their information sets apart."""
    return play.view(viewer).data, play.seen_by(viewer).events


@dataclass(frozen=True)
class LocalResponse:
    """A local best response to an agent, as a match takes it.

    Attributes:
        agent: The agent whose policy is known.
        settings: How the answer is found.
        belief: The belief of a game of your own; None for the game's.

    >>> import sleuth
    >>> from sleuth.agents import parse_agent
    >>> from sleuth.equilibria import LocalResponse
    >>> responder = LocalResponse(parse_agent("random"))
    >>> responder.text
    'lbr:random'
    >>> responder.prepare(sleuth.game("kuhn_poker"))(1).name
    'lbr:random'
    >>> result = sleuth.play_match("kuhn_poker", [responder, "random"], games=100, seed=1)
    >>> result.mean_returns[0] > 0.2
    True
    """

    agent: AskedContestant
    settings: ResponderSettings = field(default_factory=ResponderSettings)
    belief: GameBelief | None = None

    @property
    def text(self) -> str:
        """As `parse_agent` reads it, for a named agent."""
        against = self.agent.text
        options = self.settings.text
        quoted = f"'{against}'" if "," in against else against
        return f"lbr:{quoted}" + (f",{options}" if options else "")

    def prepare(self, game: Game) -> Maker:
        """Compile what is needed, the agent's kernels too.

        Raises:
            SettingsError: The agent cannot play this game, or be asked; or there is no such
                continuation.
        """
        asked = AskedAgent(self.agent.prepare(game), seed=seed_of(_ASKED), asks=self.settings.asks)
        belief = belief_or_none(game) if self.belief is None else self.belief
        starts, playouts = listed_starts(game), _playouts(game, self.settings.continuation)
        playouts.prepare()
        return lambda seed: LocalResponder(
            game,
            asked,
            self.settings,
            seed=seed,
            belief=belief,
            starts=starts,
            playouts=playouts,
            name=self.text,
        )


def _playouts(game: Game, name: str | None) -> PlayoutMeans:
    """The games that are played out, by the name of their policy."""
    known = game.advice.playouts
    if name is None:
        return PlayoutMeans(game)
    known_name(name, [*known, "random"], "continuation")
    if name == "random":
        return PlayoutMeans(game, any_action)
    return PlayoutMeans(imagined_game(game, known[name].imagined), known[name].policy)


@dataclass(frozen=True, kw_only=True)
class LocalResponseSettings(ResponderSettings):
    """Options of an agent that answers another one.

    Attributes:
        against: The agent, by name and options; may stand first without its name.
    """

    against: str = ""


def local_responders(
    named: Callable[[str, Game], AskedContestant],
) -> Callable[[Game, LocalResponseSettings, str], Maker]:
    """The preparation of agents that answer another one, from their options.

    Args:
        named: The agent of a name with options; refuses programs.
    """

    def prepare(game: Game, settings: LocalResponseSettings, text: str) -> Maker:
        if not settings.against:
            raise SettingsError(
                "a local best response needs the agent that it answers",
                hint="write lbr:AGENT, such as lbr:random, and an agent with commas as '...'",
            )
        told = {each.name: getattr(settings, each.name) for each in fields(ResponderSettings)}
        against = named(settings.against, game)
        return LocalResponse(against, ResponderSettings(**told)).prepare(game)

    return prepare
