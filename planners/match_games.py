"""The games of a match: who sits where, which seeds they have, and how one is played."""

from __future__ import annotations

import operator
import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np

from ..data.errors import SettingsError
from ..data.version import version
from ..models.game import Game
from ..models.games import game as game_by_name
from ..models.kernel import is_cached, to_standard_error
from ..models.play import Play
from .agent_names import WRAP, Contestant
from .agents import Maker, seed_of

# What the seeds of a match are for.
_DEAL: Final = 0
_AGENT: Final = 1


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match that was played to its end.

    Attributes:
        number: From 0.
        seed: Of the `Play`; games of one round have the same.
        seats: The number of the agent in each role; one agent may have several.
        actions: What was done; with game and seed, the whole game.
        returns: What each agent (not: each role) won, in the game's own units; on average over
            his roles, if he has several.
        seconds: How long it took.
    """

    number: int
    seed: int
    seats: tuple[int, ...]
    actions: tuple[int, ...]
    returns: tuple[float, ...]
    seconds: float = field(compare=False)

    @property
    def best(self) -> tuple[int, ...]:
        """The agents with the highest return: one has won alone, several share the win."""
        highest = max(self.returns)
        return tuple(agent for agent, value in enumerate(self.returns) if value == highest)

    def replay(self, game: Game) -> Play:
        """The game, played again to its end."""
        play = Play.new(game, seed=self.seed)
        for action in self.actions:
            play.apply(action)
        return play


@dataclass(frozen=True, eq=False)
class Plan:
    """All that the games of a match depend on; small, and sent to workers with every game.

    Attributes:
        game: The game's name.
        settings: Its settings.
        agents: The agents in the order of the sides they have in the first game: a side is a
            team, or a role where there are none.
        sides: For each role the number of its side.
        seed: Where all seeds come from.
        swap: Whether every deal is played once with each agent on each side (for two players: a
            pair of games with seats swapped), the agents moving on by one side.
        make: Makes the game from its settings, in workers; None for a game that has a name.
        token: Tells this match from others in the same worker.
        process: The number of the process that plays it.
    """

    game: str
    settings: Mapping[str, Any]
    agents: tuple[Contestant, ...]
    sides: tuple[int, ...]
    seed: int
    swap: bool
    make: Callable[..., Game] | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    process: int = field(default_factory=os.getpid)

    @property
    def round_games(self) -> int:
        """Games with the same deal."""
        return len(self.agents) if self.swap else 1

    def seats(self, number: int) -> tuple[int, ...]:
        """The agent in each role."""
        moved = number % self.round_games
        return tuple((side + moved) % len(self.agents) for side in self.sides)

    def deal_seed(self, number: int) -> int:
        """The seed of the game itself, the same for all games of a round."""
        return seed_of(self.seed, _DEAL, number // self.round_games)

    def agent_seed(self, number: int, agent: int, member: int = 0) -> int:
        """The seed of an agent in a game, as the first, second, ... member of his team."""
        return seed_of(self.seed, _AGENT, number, agent, *((member,) if member else ()))

    def header(self, game: Game) -> dict[str, Any]:
        """What two runs must have in common to be the same match, as plain values."""
        return {
            "match": 1,
            "game": game.name,
            "game_version": game.version,
            "settings": dict(game.settings),
            "agents": [agent.text for agent in self.agents],
            "swap": self.swap,
            "seed": self.seed,
            "version": version(),
        }


@dataclass(frozen=True, eq=False)
class Prepared:
    """A game and its agents, compiled, as a process keeps them from game to game."""

    game: Game
    makers: tuple[Maker, ...]


def prepare(game: Game, agents: Sequence[Contestant]) -> Prepared:
    """Compile what a match needs, or load it.

    Raises:
        SettingsError: An agent cannot play this game.
    """
    makers = tuple(agent.prepare(game) for agent in agents)
    kernels = [(getattr(game, name), signature) for name, signature in game.signatures.items()]
    if not all(is_cached(function, signature) for function, signature in kernels):
        to_standard_error(f"compiling {game.name} (once on this machine)")
    game.warm()
    return Prepared(game, makers)


def play_game(prepared: Prepared, plan: Plan, number: int) -> PlayedGame:
    """Play one game of a match.

    Raises:
        SettingsError: An agent did what is not legal, or the game does not end.
    """
    start = time.perf_counter()
    game, seats = prepared.game, plan.seats(number)
    # The only holder of the truth. Agents are handed what it lets their role see; one that is to
    # be told more (a noisy oracle) gets that from here, as an observation among those seen.
    play = Play.new(game, seed=plan.deal_seed(number))
    # Members of a team are agents of their own: none knows what another one saw.
    agents = [
        prepared.makers[place](plan.agent_seed(number, place, seats[:role].count(place)))
        for role, place in enumerate(seats)
    ]
    for place, agent in zip(seats, agents, strict=True):
        if not callable(getattr(agent, "decide", None)):
            raise SettingsError(
                "what was made from a seed is no agent: it has no decide",
                where=f"agent {plan.agents[place].text!r}",
                value=agent,
                hint=WRAP,
            )
    while not play.over:
        role = play.player
        action = agents[role].decide(play.view(role), play.seen_by(role))
        try:
            play.apply(_code(action))
        except SettingsError as error:
            raise SettingsError(
                f"agent {plan.agents[seats[role]].text!r} did what it may not: {error.message}",
                where=f"game {number} of the match, move {len(play.actions) + 1}",
                value=action,
                hint=error.hint,
            ) from None
        if len(play.actions) > game.max_depth:
            raise SettingsError(
                "a game went on longer than it says",
                where=f"game {game.name!r}",
                value=game.max_depth,
                hint="set max_depth to the most actions that one game can have",
            )
    by_role = play.returns()
    returns = [
        float(np.mean([value for value, seat in zip(by_role, seats, strict=True) if seat == agent]))
        for agent in range(len(plan.agents))
    ]
    return PlayedGame(
        number=number,
        seed=play.seed,
        seats=seats,
        actions=tuple(play.actions),
        returns=tuple(returns),
        seconds=time.perf_counter() - start,
    )


def _code(action: object) -> int:
    """An agent's answer, which must be a whole number: another is not cut to one."""
    try:
        if not isinstance(action, bool):
            return operator.index(action)  # pyright: ignore[reportArgumentType]
    except TypeError:
        pass
    raise SettingsError(
        "an action is a whole number",
        value=action,
        hint="decide must return the code of one of view.legal()",
    )


_kept: dict[str, Prepared] = {}
_lock: Final = threading.Lock()


def play_in_worker(plan: Plan, number: int) -> PlayedGame:
    """`play_game` in a process of its own, which leaves Ctrl-C to the one that started it."""
    import signal

    own = os.getpid() == plan.process
    if not own and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    with _lock:
        prepared = _kept.get(plan.token)
        if prepared is None:
            make = plan.make or partial(game_by_name, plan.game)
            prepared = prepare(make(**plan.settings), plan.agents)
            _kept.clear()  # a worker plays one match at a time
            _kept[plan.token] = prepared
    return play_game(prepared, plan, number)
