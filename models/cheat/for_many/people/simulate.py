"""Games between simulated people at tables of many, as records."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .....data.checks import whole_number
from .....data.errors import SettingsError
from ....game import OVER, Game, States
from ....kernels.kernel import kernel
from ....kernels.randomness import generator
from ..game import cheat_for_many
from ..record.record import ManyCheatRecord, from_states
from ..rules import apply, start
from ..state import CLAIM, MOST_PLAYERS, MOST_TURNS
from .population import MOST_ACTIONS, ManyBluffers, bluffers, chosen, seconds_for
from .tallies import Counts, no_many_counts, tally

#: Games of a match, and players of a table.
GAMES: Final = 4
PLAYERS: Final = 4
_MOST: Final = MOST_TURNS * MOST_PLAYERS


@dataclass(frozen=True, eq=False)
class ManyBluffersGame:
    """A game between bluffers.

    Attributes:
        players: Their places among the bluffers, in turn order.
        match: The number of the match, from 0.
        number: The game's place in it, from 1.
        start: The state before the first turn, in an array of one.
        end: The state after the last.
        actions: int32[n], what was done.
        laid: int64[claims], the packed cards of every claim.
        seconds: float64[n], how long it took.
        before: int32[MOST_PLAYERS, COUNTS], what was counted of the match before this game, with
            rows in the order of ``players``.
    """

    players: tuple[int, ...]
    match: int
    number: int
    start: States
    end: States
    actions: NDArray[np.int32]
    laid: NDArray[np.int64]
    seconds: NDArray[np.float64]
    before: Counts


@kernel
def play_game(
    states: Any,
    tables: Any,
    habits: Any,
    before: Any,
    random: Any,
    actions: Any,
    seconds: Any,
    laid: Any,
) -> int:
    """Play a game that begins; write what was done and how long it took; the number of actions.

    ``laid`` gets the packed cards of every claim.
    """
    state = states[0]
    codes = np.zeros(MOST_ACTIONS, dtype=np.int32)
    values = np.zeros(MOST_ACTIONS)
    counts = np.zeros(before.shape, dtype=np.int32)
    found = np.zeros(3)
    done = 0
    while state.player != OVER:
        person = habits[state.player]
        action = chosen(state, tables, person, before, random, codes, values, counts, found)
        seconds[done] = seconds_for(state, action, tables, person, random)
        actions[done] = action
        apply(state, action, tables, random)
        if action >= CLAIM:
            laid[state.turn - 1] = state.cards[state.turn - 1]
        done += 1
    return done


def simulate_games(
    people: ManyBluffers, *, seed: int, games: int = GAMES, game: Game | None = None
) -> Iterator[ManyBluffersGame]:
    """Matches at tables: the first players meet, then the next ones, and so on.

    Who begins the first game of a match is drawn; in the next one it is the player after them.

    Args:
        people: As many as sit at some tables.
        seed: Where all chance comes from, match by match.
        games: Of each match.
        game: Cheat for many by other settings.

    Raises:
        SettingsError: They do not fill their tables.
    """
    played = cheat_for_many(players=PLAYERS) if game is None else game
    seats = played.players
    if len(people) % seats:
        raise SettingsError(
            f"{seats} simulated players sit at a table",
            value=len(people),
            hint=f"ask for {seats * (len(people) // seats + 1)}",
        )
    seed = whole_number(seed, "seed", least=0)
    count = whole_number(games, "games", least=1, most=10_000)
    actions = np.zeros(_MOST, dtype=np.int32)
    seconds = np.zeros(_MOST)
    laid = np.zeros(MOST_TURNS, dtype=np.int64)
    for match in range(len(people) // seats):
        random = generator(seed, match)
        first = int(np.random.default_rng([seed, match]).integers(seats))
        # By the players' places at the table, which stay; seats of a game begin with the first.
        counts = no_many_counts()
        for number in range(1, count + 1):
            order = [(first + place) % seats for place in range(seats)]
            before = no_many_counts()
            before[:seats] = counts[order]
            begun = played.states(1)
            start(begun[0], played.tables, random)
            ended = begun.copy()
            players = tuple(seats * match + place for place in order)
            habits = people.parameters[list(players)]
            done = play_game(ended, played.tables, habits, before, random, actions, seconds, laid)
            yield ManyBluffersGame(
                players, match, number, begun, ended, actions[:done].copy(),
                laid[: int(ended[0].turn)].copy(), seconds[:done].copy(), before.copy(),
            )  # fmt: skip
            tally(ended[0], played.tables, before)
            counts[order] = before[:seats]
            first = (first + 1) % seats


def simulate_many(
    players: int, *, seed: int, games: int = GAMES, game: Game | None = None
) -> tuple[ManyCheatRecord, ...]:
    """Records of matches between players drawn from the population.

    Args:
        players: How many; they fill their tables.
        seed: Where they and all chance come from.
        games: Of each match.
        game: Cheat for many by other settings; by default four sit at a table.

    Raises:
        SettingsError: They do not fill their tables, or a number is out of range.

    >>> from sleuth.games.cheat import simulate_many
    >>> records = simulate_many(4, seed=1, games=2)
    >>> [(record.match, record.number, record.players) for record in records]
    [('m1', 1, ('p2', 'p3', 'p4', 'p1')), ('m1', 2, ('p3', 'p4', 'p1', 'p2'))]
    """
    seed = whole_number(seed, "seed", least=0)
    people = bluffers(players, seed=seed)
    played = cheat_for_many(players=PLAYERS) if game is None else game
    default = cheat_for_many(players=played.players).settings
    settings = {
        name: value for name, value in played.settings.items()
        if name != "players" and default[name] != value
    }  # fmt: skip
    width = len(str(players))
    records: list[ManyCheatRecord] = []
    for each in simulate_games(people, seed=seed, games=games, game=played):
        took = [round(second, 2) for second in each.seconds.tolist()]
        made = from_states(each.start, each.end, each.actions.tolist(), each.laid.tolist(), took)
        records.append(
            replace(
                made,
                players=tuple(f"p{player + 1:0{width}d}" for player in each.players),
                settings=settings,
                match=f"m{each.match + 1:0{width}d}",
                number=each.number,
                source=f"simulated, seed {seed}",
            )
        )
    return tuple(records)
