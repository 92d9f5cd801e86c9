"""A lower bound of what a best response wins, for games that cannot be written out.

Games of a responder against an agent in all other seats; how the responder is made is for others to
say. What they win on average nobody who responds best wins less than, but for chance, which the
interval measures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...beliefs.games.contract import GameBelief
from ...data.intervals import NINETY_FIVE, plus_minus
from ...data.progress import Tell, silent
from ...data.tables import aligned, html_note, html_shown, html_table
from ...models.game import Game
from ...models.games import GameEntry, game_from
from ..agents import Contestant, parse_agent
from ..matches.match import play_match
from ..matches.match_result import MatchResult
from .local_responder import LocalResponse, ResponderSettings

#: The columns of a bound.
HEADS: Final = ("seat", "games", "wins on average")


@dataclass(frozen=True)
class LowerBound:
    """The winnings of a responder from an agent, which a best response wins at least.

    Attributes:
        result: The games: the responder is the first agent, and in every round sits everywhere.

    >>> import sleuth
    >>> from sleuth.equilibria import local_best_response
    >>> bound = local_best_response("kuhn_poker", "random", games=200, seed=1)
    >>> bound.sides, bound.games, bound.responder, bound.agent
    (('first', 'second'), (100, 100), 'lbr:random', 'random')
    >>> bound.value > bound.low > 0.0, bound.low < 0.4583, len(bound.values), len(bound.errors)
    (True, True, 2, 2)
    >>> sorted(bound.to_json())[:3], bound.to_text().splitlines()[0]
    (['agent', 'exploitability', 'game'], 'kuhn_poker: lbr:random against random')
    """

    result: MatchResult

    @property
    def responder(self) -> str:
        """The text of the responder, with what they were allowed."""
        return self.result.agents[0]

    @property
    def agent(self) -> str:
        """The text of the agent that they answer."""
        return self.result.agents[1] if len(self.result.agents) > 1 else ""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that the responder had: teams, or roles where there are none."""
        return tuple(dict.fromkeys(self.result.teams or self.result.roles))

    @property
    def games(self) -> tuple[int, ...]:
        """So many games with each of them."""
        return tuple(len(each) for each in self._returns)

    @property
    def values(self) -> tuple[float, ...]:
        """Their mean winnings with each, in the game's own units."""
        return tuple(float(np.mean(each)) if each else math.nan for each in self._returns)

    @property
    def errors(self) -> tuple[float, ...]:
        """Half of the 95 % interval of each; not a number where all games went alike."""
        return tuple(
            NINETY_FIVE * float(np.std(each, ddof=1)) / math.sqrt(len(each))
            if len({*each}) > 1
            else math.nan
            for each in self._returns
        )

    @property
    def value(self) -> float:
        """Their mean winnings over all seats.

        In a two-player zero-sum game a best response wins the exploitability of the agent.
        """
        return self.result.mean_returns[0]

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the value, over rounds of games with the same deal.

        >>> from sleuth.equilibria import local_best_response
        >>> 0.0 < local_best_response("kuhn_poker", "random", games=40, seed=1).error < 1.0
        True
        """
        return self.result.return_errors[0]

    @property
    def low(self) -> float:
        """The lower end of that interval: with few games this is what is known."""
        return self.value - self.error

    @property
    def _returns(self) -> list[list[float]]:
        teams = self.result.teams or self.result.roles
        first = [teams.index(side) for side in self.sides]
        return [
            [game.returns[0] for game in self.result.games if game.seats[role] == 0]
            for role in first
        ]

    def to_json(self) -> dict[str, Any]:
        """The bound as plain values; null for an interval that is not known."""
        return {
            "game": self.result.game,
            "agent": self.agent,
            "responder": self.responder,
            "seed": self.result.seed,
            "seats": {
                side: {"games": games, "value": value, "interval": _interval(value, error)}
                for side, games, value, error in zip(
                    self.sides, self.games, self.values, self.errors, strict=True
                )
            },
            "exploitability": {
                "at_least": self.value,
                "interval": _interval(self.value, self.error),
                "games": sum(self.games),
            },
        }

    def to_text(self) -> str:
        """A table for people: a line for each seat, and one for all."""
        return "\n".join([self._heading, *aligned([[*HEADS], *self._rows])])

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        table = html_table(HEADS, self._rows, caption=self._heading)
        return html_shown(table, html_note("a best response wins at least as much"))

    @property
    def _heading(self) -> str:
        return f"{self.result.game}: {self.responder} against {self.agent}"

    @property
    def _rows(self) -> list[tuple[str, ...]]:
        lines = [*zip(self.sides, self.games, self.values, self.errors, strict=True)]
        lines.append(("all", sum(self.games), self.value, self.error))
        return [(side, str(games), plus_minus(value, error)) for side, games, value, error in lines]


def lower_bound(
    game: Game | GameEntry | str,
    responder: Contestant | str,
    agent: Contestant | str,
    *,
    games: int,
    seed: int = 0,
    workers: int = 1,
    out: str | Path | None = None,
    make: Callable[..., Game] | None = None,
    progress: Tell = silent,
) -> LowerBound:
    """The winnings of any responder against an agent that has all other seats, or the other team.

    Args:
        game: The game, its entry, or its name.
        responder: Who answers: trained against the agent, or told how it plays.
        agent: The agent.
        games: How many, over all seats; every deal is played from each of them.
        seed, workers, out, make, progress: As for `play_match`: with ``out`` an interrupted run
            goes on from there.

    Raises:
        SettingsError: As `play_match`.

    >>> from sleuth.equilibria import lower_bound
    >>> bound = lower_bound("kuhn_poker", "mcts:simulations=100", "random", games=100, seed=1)
    >>> bound.responder, bound.value > 0
    ('mcts:simulations=100', True)
    """
    played = game_from(game)
    several = [responder, *[agent] * (len(played.sides) - 1)]
    return LowerBound(
        play_match(
            played,
            several,
            games=games,
            seed=seed,
            workers=workers,
            swap=True,
            out=out,
            make=make,
            progress=progress,
        )
    )


def local_best_response(
    game: Game | GameEntry | str,
    agent: Contestant | str,
    *,
    games: int,
    seed: int = 0,
    settings: ResponderSettings | None = None,
    belief: GameBelief | None = None,
    workers: int = 1,
    out: str | Path | None = None,
    make: Callable[..., Game] | None = None,
    progress: Tell = silent,
) -> LowerBound:
    """A lower bound of how much can be won from an agent, by local best response.

    The responder knows how the agent plays, and so which hidden worlds what it did makes likely
    (its range). At each decision they take what wins most if the agent answers as it does and the
    game is then played out (Lisy and Bowling 2017, "Equilibrium approximation quality of current
    no-limit poker bots"). They are never told the truth, nor the agent's seed.

    Args:
        game: The game, its entry, or its name.
        agent: The agent, as a match takes it. One that says how likely it does what
            (`Randomizing`, or the policy of a decision) is taken at its word; another one is asked
            for its choice.
        games: How many, over all seats.
        seed: Of the games.
        settings: How many worlds, replies and playouts the responder is allowed; the result says
            it. Less of them loosens the bound, and never makes it wrong.
        belief: Of a game of your own; None for the game's.
        workers, out, make, progress: As for `play_match`.

    Raises:
        SettingsError: As `play_match`, or the agent is a program, which cannot be asked.

    >>> from sleuth.equilibria import local_best_response
    >>> bound = local_best_response("kuhn_poker", "mcts:simulations=200", games=40, seed=1)
    >>> bound.games, bound.result.agents
    ((20, 20), ('lbr:mcts:simulations=200', 'mcts:simulations=200'))
    """
    played = game_from(game)
    named = parse_agent(agent, played) if isinstance(agent, str) else agent
    responder = LocalResponse(named, settings or ResponderSettings(), belief)
    return lower_bound(
        played,
        responder,
        named,
        games=games,
        seed=seed,
        workers=workers,
        out=out,
        make=make,
        progress=progress,
    )


def _interval(value: float, error: float) -> list[float] | None:
    return None if math.isnan(error) else [value - error, value + error]
