"""The results of a match: win rates, returns and their intervals, as values and as a table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...data.intervals import NINETY_FIVE, plus_minus, wilson
from ...data.tables import aligned, html_note, html_shown, html_table
from ...data.version import version
from .match_games import PlayedGame

if TYPE_CHECKING:
    import pandas

#: The columns of a result.
HEADS: Final = ("agent", "won alone", "share", "95 % interval", "mean return")
#: Returns of rounds that differ by less are alike, but for rounding.
ALIKE: Final = 1e-9


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """The results of a match. Lists have one entry for each agent, in the order they were given.

    Attributes:
        game: The game's name.
        roles: Its roles.
        teams: The team of each role; empty where everybody plays for themselves.
        secret_sides: The sides that were dealt in secret, if there were any.
        agents: What the agents are called; of several alike, the later ones have a number.
        games: The games that count, in their order.
        seed: The match can be played again with it.
        first: The number of the first of them; not 0 where a match is played in parts.
        swap: Whether seats were swapped.
        series: How many games in a row the same agents played.
        verdict: What the test said that can end a match: the agent that is better, ``"equal"``,
            or None when it said nothing or there was none.
        seconds: Wall-clock time of this run.
        resumed: Games that were finished before this run.

    >>> import sleuth
    >>> result = sleuth.play_match("kuhn_poker", ["random", "random"], games=20, seed=1)
    >>> result.wins, result.shared, result.win_rates, result.scores
    ((11, 9), 0, (0.55, 0.45), (0.55, 0.45))
    >>> result.faults, result.fault_notes
    ((0, 0), [])
    >>> result.mean_returns, [round(half, 2) for half in result.return_errors]
    ((0.05, -0.05), [0.31, 0.31])
    >>> [round(low, 2) for low, _ in result.intervals], result.team_wins, result.together
    ([0.34, 0.26], {}, False)
    >>> result.to_json()["agents"], len(result.to_frame())
    (['random', 'random#2'], 2)
    >>> result
    <MatchResult of 20 games of kuhn_poker: random, random#2>
    >>> print(result.to_text().splitlines()[0])
    kuhn_poker: 20 games
    """

    game: str
    roles: tuple[str, ...]
    agents: tuple[str, ...]
    games: tuple[PlayedGame, ...]
    seed: int
    swap: bool
    verdict: str | None
    teams: tuple[str, ...] = ()
    secret_sides: tuple[str, ...] = ()
    series: int = 1
    first: int = 0
    seconds: float = field(compare=False)
    resumed: int = field(default=0, compare=False)

    @property
    def wins(self) -> tuple[int, ...]:
        """Games that each agent won: alone, or with the others of a side that was dealt."""
        won = Counter(agent for game in self.games for agent in game.winners)
        return tuple(won[agent] for agent in range(len(self.agents)))

    @property
    def shared(self) -> int:
        """Games that nobody won: several had the highest return, and were no side."""
        return sum(not game.winners for game in self.games)

    @property
    def faults(self) -> tuple[int, ...]:
        """Games that each agent lost by a fault of its program, see ``lost_by`` of the games."""
        lost = Counter(game.lost_by for game in self.games)
        return tuple(lost[agent] for agent in range(len(self.agents)))

    @property
    def fault_notes(self) -> list[str]:
        """A note for each agent that lost games by faults."""
        return [
            f"{agent} lost {count} game{'s' * (count > 1)} by a fault of its program"
            for agent, count in zip(self.agents, self.faults, strict=True)
            if count
        ]

    @property
    def win_rates(self) -> tuple[float, ...]:
        """Share of all games that each agent won."""
        return tuple(wins / max(len(self.games), 1) for wins in self.wins)

    @property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """95 % Wilson intervals of the win rates.

        They take games as independent. Games with the same deal are not, but where the deal
        favours a seat, swapping makes the true interval narrower, not wider.
        """
        return tuple(wilson(wins, len(self.games)) for wins in self.wins)

    @property
    def scores(self) -> tuple[float, ...]:
        """As win rates, but a game shared by k agents counts 1/k for each of them."""
        return tuple(
            sum(agent in game.best and 1 / len(game.best) for game in self.games)
            / max(len(self.games), 1)
            for agent in range(len(self.agents))
        )

    @property
    def mean_returns(self) -> tuple[float, ...]:
        """Each agent's mean return in a game, in the game's own units."""
        return tuple(
            sum(game.returns[agent] for game in self.games) / max(len(self.games), 1)
            for agent in range(len(self.agents))
        )

    @property
    def return_errors(self) -> tuple[float, ...]:
        """Half of the 95 % interval of each mean return.

        Not a number with fewer than two rounds, or where all rounds were alike: then nothing says
        how much others would differ.

        Normal, over rounds: games with the same deal, or of the same series, are not independent.
        The mean is a ratio of two sums, since the last round may be cut off (Cochran 1977,
        "Sampling techniques", section 2.11).
        """
        size = math.lcm(len(self.agents) if self.swap else 1, self.series)
        rounds = [self.games[start : start + size] for start in range(0, len(self.games), size)]
        count = len(rounds)
        if count < 2:
            return (math.nan,) * len(self.agents)
        games = np.array([len(each) for each in rounds])
        errors: list[float] = []
        for agent, mean in enumerate(self.mean_returns):
            sums = np.array([sum(game.returns[agent] for game in each) for each in rounds])
            rest = sums - mean * games
            error = math.sqrt(float(rest @ rest) / (count - 1) / count) / float(games.mean())
            alike = error <= ALIKE * max(1.0, float(np.abs(sums).max()))
            errors.append(math.nan if alike else NINETY_FIVE * error)
        return tuple(errors)

    @property
    def together(self) -> bool:
        """True if nobody plays against them, so that a share of games won would say nothing."""
        return len({*(self.teams or self.roles)}) == 1

    @property
    def team_wins(self) -> dict[str, int]:
        """Games that each team won, with any of its agents; empty where there are none.

        Where sides are dealt in secret, those that each side won.
        """
        if self.secret_sides:
            sides = [game.side for game in self.games]
            return {side: sides.count(side) for side in self.secret_sides}
        first = {team: self.teams.index(team) for team in self.teams}
        return {
            team: sum(game.best == (game.seats[role],) for game in self.games)
            for team, role in first.items()
        }

    def to_json(self) -> dict[str, Any]:
        """The result as plain values, as ``sleuth match --json`` prints it."""

        def by_agent(values: Iterable[Any]) -> dict[str, Any]:
            return dict(zip(self.agents, values, strict=True))

        seats = self.games[0].seats if self.games else ()
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": len(self.games),
            "wins": by_agent(self.wins),
            "win_rate": by_agent(self.win_rates),
            "intervals": by_agent(list(interval) for interval in self.intervals),
            "seconds": self.seconds,
            "seed": self.seed,
            "first": self.first,
            "shared": self.shared,
            "score": by_agent(self.scores),
            "mean_return": by_agent(self.mean_returns),
            "return_intervals": by_agent(
                None if math.isnan(half) else [mean - half, mean + half]
                for mean, half in zip(self.mean_returns, self.return_errors, strict=True)
            ),
            "roles": {
                role: self.agents[agent] for role, agent in zip(self.roles, seats, strict=False)
            },
            "swap": self.swap,
            "series": self.series,
            "verdict": self.verdict,
            "version": version(),
            **self._of_last_team(),
            **({"faults": by_agent(self.faults)} if any(self.faults) else {}),
        }

    def to_frame(self) -> pandas.DataFrame:
        """One row an agent: games won, win rate with its interval, score, mean return.

        ``return_error`` is half of the 95 % interval of the mean return.
        """
        import pandas

        lows, highs = zip(*self.intervals, strict=True)
        return pandas.DataFrame(
            {
                "agent": self.agents,
                "games": len(self.games),
                "wins": self.wins,
                "win_rate": self.win_rates,
                "low": lows,
                "high": highs,
                "score": self.scores,
                "mean_return": self.mean_returns,
                "return_error": self.return_errors,
            }
        )

    def to_text(self) -> str:
        """A table for people, with what was won by nobody alone below it."""
        table, notes = self._table()
        rows = [[cell if isinstance(cell, str) else f"{cell:.3f}" for cell in row] for row in table]
        count = len(self.games)
        heading = f"{self.game}: {count} game{'' if count == 1 else 's'}"
        return "\n".join([heading, *aligned([[*self._heads], *rows]), *notes])

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        count = len(self.games)
        played = f"{count} game{'' if count == 1 else 's'} of {self.game}"
        return f"<MatchResult of {played}: {', '.join(self.agents)}>"

    def _repr_html_(self) -> str:
        table, notes = self._table()
        shown = html_table(self._heads, table, caption=f"{self.game}: {len(self.games)} games")
        return html_shown(shown, *map(html_note, notes))

    @property
    def _heads(self) -> tuple[str, ...]:
        if self.together:
            return HEADS[0], HEADS[-1]
        # Those of a side that was dealt win together.
        return tuple("won" if self.secret_sides and head == HEADS[1] else head for head in HEADS)

    def _table(self) -> tuple[list[tuple[str | float, ...]], list[str]]:
        """The lines of a table, and the notes below it."""
        rows: list[tuple[str | float, ...]] = [
            (
                agent,
                str(wins),
                rate,
                f"{100 * low:.1f} to {100 * high:.1f} %",
                plus_minus(mean, half),
            )
            for agent, wins, rate, (low, high), mean, half in zip(
                *(self.agents, self.wins, self.win_rates, self.intervals),
                *(self.mean_returns, self.return_errors),
                strict=True,
            )
        ]
        if self.together:
            rows = [(row[0], row[-1]) for row in rows]
        notes = [f"{self.shared} games that nobody won alone"] if self.shared else []
        notes += self.fault_notes
        if self.verdict is not None:
            notes.append(f"the test says: {self.verdict}")
        return rows, notes

    def _of_last_team(self) -> dict[str, Any]:
        """Of two teams or sides, how often the second one wins, as ``seekers_win_rate``."""
        wins = self.team_wins
        if len(wins) != 2:
            return {}
        last, won = list(wins.items())[-1]
        return {
            f"{last.replace(' ', '_')}_win_rate": won / max(len(self.games), 1),
            "interval": list(wilson(won, len(self.games))),
        }
