"""The games of a match: who sits where, which seeds they have, and how one is played."""

from __future__ import annotations

import operator
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...data.errors import ProgramError, SettingsError
from ...data.version import version
from ...models.game import Game
from ...models.games import game as game_by_name
from ...models.kernels.compiling import compile_all, compile_now
from ...models.kernels.kernel import to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ...models.play import Play
from ..agents import WRAP, Agent, Contestant, Ending, LostGame, Maker, seed_of
from .briefing import Briefer
from .contents import CONTENTS, contents_of, told_changes

# What the seeds of a match are for.
_DEAL: Final = 0
_AGENT: Final = 1
_TOLD: Final = 2
_ORDER: Final = 3


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match that was played to its end.

    Attributes:
        number: From 0.
        seed: Of the `Play`; games of one round have the same.
        seats: The number of the agent in each role; one agent may have several.
        actions: What was done; with game and seed, the whole game.
        returns: What each agent (not: each role) won, in the game's own units; on average over
            their roles, if they have several.
        seconds: How long it took.
        side: The side that won, where sides were dealt in secret; None for none.
        of_side: The agents of that side; empty where there is none, or an old file does not say.
        lost_by: The agent whose program did not answer as was agreed, which lost it the game before
            its end; None for none.
    """

    number: int
    seed: int
    seats: tuple[int, ...]
    actions: tuple[int, ...]
    returns: tuple[float, ...]
    seconds: float = field(compare=False)
    side: str | None = None
    of_side: tuple[int, ...] = ()
    lost_by: int | None = None

    @property
    def best(self) -> tuple[int, ...]:
        """The agents with the highest return: one has won alone, several share the win."""
        highest = max(self.returns)
        return tuple(agent for agent, value in enumerate(self.returns) if value == highest)

    @property
    def winners(self) -> tuple[int, ...]:
        """The agents who have won: all of the side that won, else one who alone was best.

        Nobody where several share the win and are no side.
        """
        if self.side is not None:
            return self.of_side or self.best
        return self.best if len(self.best) == 1 else ()

    def replay(self, game: Game) -> Play:
        """The game, played again to its end."""
        play = Play.new(game, seed=self.seed)
        for action in self.actions:
            play.apply(action)
        return play


@dataclass(frozen=True, eq=False)
class MatchPlan:
    """All that the games of a match depend on; small, and sent to workers with every game.

    Attributes:
        game: The game's name.
        settings: Its settings.
        agents: The agents in the order of the sides they have in the first game: a side is a
            team, or a role where there are none.
        sides: For each role the number of its side.
        seed: Where all seeds come from.
        swap: Whether every deal is played once with each agent on each side (for two players: a
            pair of games with seats swapped), the agents moving on by one side. From the second
            deal on the order of more than two agents is drawn, so that none always follows another.
        series: How many games in a row the same agents play, who remember the earlier ones.
        contents: Digests of the files that the game and the agents are made of.
        make: Makes the game from its settings, in workers; None for a game that has a name.
        token: Tells this match from others in the same worker.
    """

    game: str
    settings: Mapping[str, Any]
    agents: tuple[Contestant, ...]
    sides: tuple[int, ...]
    seed: int
    swap: bool
    series: int = 1
    contents: Mapping[str, str] = field(default_factory=dict[str, str])
    make: Callable[..., Game] | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def round_games(self) -> int:
        """Games with the same deal."""
        return len(self.agents) if self.swap else 1

    @property
    def mixed(self) -> bool:
        """True if neighbours change from deal to deal; two agents are always each other's."""
        return self.swap and len(self.agents) > 2

    def seats(self, number: int) -> tuple[int, ...]:
        """The agent in each role."""
        deal, moved = divmod(number, self.round_games)
        count = len(self.agents)
        order = list(range(count))
        if self.mixed and deal:
            drawn = np.random.default_rng(seed_of(self.seed, _ORDER, deal))
            order = drawn.permutation(count).tolist()
        return tuple(order[(side + moved) % count] for side in self.sides)

    def deal_seed(self, number: int) -> int:
        """The seed of the game itself, the same for all games of a round."""
        return seed_of(self.seed, _DEAL, number // self.round_games)

    def agent_seed(self, number: int, agent: int, member: int = 0) -> int:
        """The seed of an agent in a game, as the first, second, ... member of their team."""
        return seed_of(self.seed, _AGENT, number, agent, *((member,) if member else ()))

    def briefer_seed(self, number: int) -> int:
        """The seed of chance in what agents are told, in the series of a game."""
        return seed_of(self.seed, _TOLD, number - number % self.series)

    def header(self, game: Game) -> dict[str, Any]:
        """The values two runs must share to be the same match, as plain values."""
        return {
            "match": 1,
            "game": game.name,
            "game_version": game.version,
            "settings": dict(game.settings),
            "agents": [agent.text for agent in self.agents],
            "swap": self.swap,
            "seed": self.seed,
            "version": version(),
            **({"series": self.series} if self.series > 1 else {}),
            **({"neighbours": "mixed"} if self.mixed else {}),
            **({CONTENTS: dict(self.contents)} if self.contents else {}),
        }


@dataclass(frozen=True, eq=False)
class MatchTask:
    """A game and its agents, compiled, as a process keeps them from game to game."""

    game: Game
    makers: tuple[Maker, ...]


def prepare(game: Game, agents: Sequence[Contestant]) -> MatchTask:
    """Compile what a match needs, load it, or have it compiled meanwhile.

    Raises:
        SettingsError: An agent cannot play this game.
    """
    makers = tuple(agent.prepare(game) for agent in agents)
    kernels = [(getattr(game, name), signature) for name, signature in game.signatures.items()]
    wanted = [each for each in kernels if is_compiled(each[0])]
    if compile_now(wanted):
        compile_all(wanted, game.name, to_standard_error)
    return MatchTask(game, makers)


def play_series(prepared: MatchTask, plan: MatchPlan, numbers: Sequence[int]) -> list[PlayedGame]:
    """Play games of one series, by the same agents.

    Args:
        prepared: The game and its agents.
        plan: The match.
        numbers: Of the games: those of the series from its first one on.

    Raises:
        SettingsError: An agent did what is not legal, or a game does not end.
    """
    table = _Table(prepared, plan, numbers[0])
    try:
        return [table.play(number) for number in numbers]
    finally:
        table.close()


def winning_side(game: Game, play: Play) -> tuple[str | None, tuple[int, ...]]:
    """The side, of those dealt in secret, whose players won most on average, and its roles.

    None and no roles for a tie, or where no sides are dealt.
    """
    if game.sides_dealt is None:
        return None, ()
    sides = np.asarray(game.sides_dealt(play.truth()))
    won = {
        name: play.returns()[sides == place].mean()
        for place, name in enumerate(game.secret_sides)
        if (sides == place).any()
    }
    best = [name for name, value in won.items() if value == max(won.values())]
    if len(best) != 1:
        return None, ()
    return best[0], tuple(np.flatnonzero(sides == game.secret_sides.index(best[0])).tolist())


def forfeited(game: Game, role: int) -> NDArray[np.float64]:
    """The returns of a game that a role loses before its end, with its team; shape (players,).

    It wins the least that there is, and all others share what is left of the sum of returns; or
    win the most that there is, where that sum is not always the same.
    """
    mine = np.array([side == game.side_of[role] for side in game.side_of])
    rest, others = game.highest, int((~mine).sum())
    if game.sum_of_returns is not None and others:
        left = game.sum_of_returns - int(mine.sum()) * game.lowest
        rest = min(game.highest, left / others)
    return np.where(mine, game.lowest, rest)


class _Table:
    """The agents' seats in one series. The only holder of the truth beside the play itself."""

    def __init__(self, prepared: MatchTask, plan: MatchPlan, first: int) -> None:
        self.game = prepared.game
        self.makers = prepared.makers
        self.plan = plan
        self.first = first
        self.briefer = Briefer(prepared.game, plan.briefer_seed(first))
        self.agents: dict[tuple[int, int], Agent] = {}

    def play(self, number: int) -> PlayedGame:
        """Play one game."""
        start = time.perf_counter()
        plan, seats = self.plan, self.plan.seats(number)
        # Agents are handed what a play lets their role see; one that is to be told more (a noisy
        # oracle) gets that from the briefer, as an observation among those seen.
        play = Play.new(self.game, seed=plan.deal_seed(number))
        # Members of a team are agents of their own: none knows what another one saw.
        players = [(place, seats[:role].count(place)) for role, place in enumerate(seats)]
        agents = [self.agent(*who) for who in players]
        lost: int | None = None
        while not play.over and lost is None:
            role = play.player
            view = play.view(role)
            seen = self.briefer.seen(play, role, agents[role], players[role])
            try:
                action = agents[role].decide(view, seen)
            except LostGame:
                lost = role
                continue
            except ProgramError as error:
                place = f"game {number} of the match, move {len(play.actions) + 1}"
                error.reword(where=f"{place}, {error.where}")
                raise
            self.act(play, action, f"agent {plan.agents[seats[role]].text!r}", number)
            self.briefer.acted(view, seen, agents[role], action)
        self.briefer.ended(play, list(players))
        by_role = play.returns() if lost is None else forfeited(self.game, lost)
        for role, agent in enumerate(agents):
            if isinstance(agent, Ending):
                agent.ended(play.view(role), play.seen_by(role), float(by_role[role]))
        returns = [
            float(np.mean([value for value, at in zip(by_role, seats, strict=True) if at == agent]))
            for agent in range(len(plan.agents))
        ]
        side, roles = winning_side(self.game, play) if lost is None else (None, ())
        return PlayedGame(
            number=number,
            seed=play.seed,
            seats=seats,
            actions=tuple(play.actions),
            returns=tuple(returns),
            seconds=time.perf_counter() - start,
            side=side,
            of_side=tuple(sorted({seats[role] for role in roles})),
            lost_by=None if lost is None else seats[lost],
        )

    def agent(self, place: int, member: int) -> Agent:
        """An agent of the series, made when it is first needed."""
        if (place, member) not in self.agents:
            made = self.makers[place](self.plan.agent_seed(self.first, place, member))
            if not callable(getattr(made, "decide", None)):
                raise SettingsError(
                    "what was made from a seed is no agent: it has no decide",
                    where=f"agent {self.plan.agents[place].text!r}",
                    value=made,
                    hint=WRAP,
                )
            self.agents[place, member] = made
        return self.agents[place, member]

    def close(self) -> None:
        """The series is over."""
        for agent in self.agents.values():
            if isinstance(agent, Ending):
                agent.close()

    def act(self, play: Play, action: object, who: str, number: int) -> None:
        """Carry out what an agent decided."""
        try:
            play.apply(_code(action))
        except SettingsError as error:
            raise SettingsError(
                f"{who} did what it may not: {error.message}",
                where=f"game {number} of the match, move {len(play.actions) + 1}",
                value=action,
                hint=error.hint,
            ) from None
        if len(play.actions) > self.game.max_depth:
            raise SettingsError(
                "a game went on longer than it says",
                where=f"game {self.game.name!r}",
                value=self.game.max_depth,
                hint="set max_depth to the most actions that one game can have",
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


_kept: dict[str, MatchTask] = {}
_lock: Final = threading.Lock()


def play_in_worker(plan: MatchPlan, numbers: Sequence[int]) -> list[PlayedGame]:
    """`play_series` in a process of its own."""
    with _lock:
        prepared = _kept.get(plan.token)
        if prepared is None:
            make = plan.make or partial(game_by_name, plan.game)
            game = make(**plan.settings)
            # It reads the files itself, and somebody may have written to them since.
            if changes := told_changes(plan.contents, contents_of(game, *plan.agents)):
                raise SettingsError(
                    f"a file has changed while the match is played: {changes}",
                    hint="play again when it is whole",
                )
            prepared = prepare(game, plan.agents)
            _kept.clear()  # a worker plays one match at a time
            _kept[plan.token] = prepared
    return play_series(prepared, plan, numbers)
