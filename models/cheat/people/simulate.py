"""Matches between simulated people, as records."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import whole_number
from ....data.errors import SettingsError
from ...game import OVER, Game, States
from ...kernels.kernel import kernel
from ...kernels.randomness import generator
from ..game import cheat
from ..record.record import CheatRecord
from ..rules import apply, start
from ..state import ACTIONS, MOST_TURNS
from .population import STEADY, Bluffers, bluffers, chosen, seconds_for
from .tallies import Counts, no_counts, tally

#: Games of a match.
GAMES: Final = 4


@dataclass(frozen=True, eq=False)
class SimulatedGame:
    """A game between two bluffers.

    Attributes:
        players: Their places among the bluffers; the first begins.
        match: The number of the match, from 0.
        number: The game's place in it, from 1.
        start: The state before the first turn, in an array of one.
        end: The state after the last.
        actions: int32[turns], what was done.
        seconds: float64[turns], how long it took.
        before: int32[2, COUNTS], what was counted of the match before this game, with rows in the
            order of ``players``.
    """

    players: tuple[int, int]
    match: int
    number: int
    start: States
    end: States
    actions: NDArray[np.int32]
    seconds: NDArray[np.float64]
    before: Counts


@kernel
def play_game(
    states: Any, tables: Any, habits: Any, before: Any, random: Any, actions: Any, seconds: Any
) -> int:
    """Play a game that begins; write what was done and how long it took; the number of turns."""
    state = states[0]
    codes = np.zeros(ACTIONS, dtype=np.int32)
    values = np.zeros(ACTIONS)
    counts = np.zeros(before.shape, dtype=np.int32)
    turn = 0
    while state.player != OVER:
        person = habits[state.player]
        action = chosen(state, tables, person, before, random, codes, values, counts)
        seconds[turn] = seconds_for(state, action, tables, person, random)
        actions[turn] = action
        apply(state, action, tables, random)
        turn += 1
    return turn


def simulate_games(
    people: Bluffers, *, seed: int, games: int = GAMES, game: Game | None = None
) -> Iterator[SimulatedGame]:
    """Matches in which the first two players meet, the next two, and so on.

    Who begins the first game of a match is drawn; then they take turns.

    Args:
        people: An even number of them.
        seed: Where all chance comes from, match by match.
        games: Of each match.
        game: Cheat by other settings.
    """
    if len(people) % 2:
        raise SettingsError(
            "simulated players play in pairs", value=len(people), hint="ask for one more"
        )
    played = cheat() if game is None else game
    seed = whole_number(seed, "seed", least=0)
    count = whole_number(games, "games", least=1, most=10_000)
    actions = np.zeros(MOST_TURNS, dtype=np.int32)
    seconds = np.zeros(MOST_TURNS)
    for match in range(len(people) // 2):
        random = generator(seed, match)
        first = int(np.random.default_rng([seed, match]).integers(2))
        counts = no_counts()
        for number in range(1, count + 1):
            order = (2 * match + first, 2 * match + 1 - first)
            begun = played.states(1)
            start(begun[0], played.tables, random)
            ended = begun.copy()
            habits = people.parameters[list(order)]
            turns = play_game(ended, played.tables, habits, counts, random, actions, seconds)
            yield SimulatedGame(
                order, match, number, begun, ended, actions[:turns].copy(),
                seconds[:turns].copy(), counts.copy(),
            )  # fmt: skip
            tally(ended[0], played.tables, counts)
            counts = counts[::-1].copy()
            first = 1 - first


def simulate(
    players: int,
    *,
    seed: int,
    games: int = GAMES,
    game: Game | None = None,
    population: str = STEADY,
) -> tuple[CheatRecord, ...]:
    """Records of matches between players drawn from the population.

    Args:
        players: How many; an even number.
        seed: Where they and all chance come from.
        games: Of each match.
        game: Cheat by other settings.
        population: Which people, see `bluffers`.

    Raises:
        SettingsError: The number of players is odd, a number is out of range, or there is no such
            population.

    >>> from sleuth.games.cheat import mini_cheat, simulate
    >>> records = simulate(4, seed=1, games=2, game=mini_cheat())
    >>> [(record.match, record.number, record.players) for record in records][:2]
    [('m1', 1, ('p1', 'p2')), ('m1', 2, ('p2', 'p1'))]
    """
    seed = whole_number(seed, "seed", least=0)
    people = bluffers(players, seed=seed, population=population)
    played = cheat() if game is None else game
    width = len(str(players))
    whose = "" if population == STEADY else f"{population}, "
    records: list[CheatRecord] = []
    for each in simulate_games(people, seed=seed, games=games, game=played):
        made = CheatRecord.from_states(
            played, each.start, each.end, seconds=[round(took, 2) for took in each.seconds.tolist()]
        )
        names = [f"p{player + 1:0{width}d}" for player in each.players]
        records.append(
            replace(
                made,
                players=(names[0], names[1]),
                match=f"m{each.match + 1:0{width}d}",
                number=each.number,
                source=f"simulated, {whose}seed {seed}",
            )
        )
    return tuple(records)
