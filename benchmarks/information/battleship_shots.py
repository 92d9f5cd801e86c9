"""How many shots a fleet takes that lies hidden on a board: a search beside hunting by probability.

A fleet is declared by the lengths of its ships and the side of a square board. Each ship is a
`Choice` among its placements, no two of them overlap, and of every shot it is said whether it hit.
The posterior is exact. Fleets that can be placed in at most a million ways, overlaps included, are
listed, and a search plays them. Of more, such as the usual fleet on ten times ten squares, a
decision diagram knows the chances; there, who takes the shot that tells most plays, and no search.

    python -m benchmarks.information.battleship_shots [--side 6] [--fleet 4,3,2] [--games 200]
        [--json]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth import (
    HIDDEN,
    OVER,
    Budget,
    CachedBelief,
    Choice,
    Condition,
    Feature,
    Game,
    Model,
    Posterior,
    Question,
    Search,
    SearchAgent,
    SleuthError,
    any_of,
    below,
    disjoint,
    infer,
    kernel,
    together,
)
from sleuth.errors import SettingsError
from sleuth.kit import SeenPlay, View
from sleuth.search import Learning

from .following import ANSWERS, Following, History

#: Most joint placements that are listed. Of more, a search would draw worlds at every shot.
MOST = 1_000_000
#: The usual board.
SIDE, FLEET = 6, (4, 3, 2)
GAMES, SIMULATIONS = 100, 4_000
#: What a bit is worth, in shots.
BIT = 0.5
EXPLORATION = 0.1
#: Squares that a search considers: the likeliest.
CONSIDERED = 4


#: Where somebody shoots after a history.
Decide = Callable[[History], int]


class Placements(NamedTuple):
    """What a fleet is hidden with: F ships with at most P placements each, on S squares.

    Attributes:
        squares: int16[F, P, L], the squares of each placement, -1 after the last.
        counts: int64[F], placements of each ship.
        parts: int64[1], squares that ships lie on.
    """

    squares: NDArray[np.int16]
    counts: NDArray[np.int64]
    parts: NDArray[np.int64]


def placements(side: int, length: int) -> list[tuple[int, ...]]:
    """All ways to place a ship, as squares numbered by rows."""
    lines = [range(side * row, side * (row + 1)) for row in range(side)]
    lines += [range(column, side * side, side) for column in range(side)]
    found = [tuple(line[at : at + length]) for line in lines for at in range(side - length + 1)]
    return list(dict.fromkeys(found))


# -- the game


@kernel
def _hits(state: Any, square: int, tables: Any) -> bool:
    for ship in range(len(tables.counts)):
        for part in range(tables.squares.shape[2]):
            if tables.squares[ship, state.places[ship], part] == square:
                return True
    return False


@kernel
def _start(state: Any, tables: Any, random: Any) -> None:
    """Draws placements until no two overlap."""
    state.left = tables.parts[0]
    apart = False
    while not apart:
        apart = True
        for ship in range(len(tables.counts)):
            state.places[ship] = below(random, tables.counts[ship])
            for other in range(ship):
                for part in range(tables.squares.shape[2]):
                    square = tables.squares[other, state.places[other], part]
                    for own in range(tables.squares.shape[2]):
                        if square >= 0 and tables.squares[ship, state.places[ship], own] == square:
                            apart = False


@kernel
def _legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for square in range(len(state.said)):
        if state.said[square] == 0:
            actions[count] = square
            count += 1
    return count


@kernel
def _apply(state: Any, action: int, tables: Any, random: Any) -> None:
    hit = _hits(state, action, tables)
    state.said[action] = 2 if hit else 1
    state.shots += 1
    if hit:
        state.left -= 1
        if state.left == 0:
            state.player = OVER


@kernel
def _observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action * ANSWERS + (1 if state.said[action] == 2 else 0)


@kernel
def _returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = -state.shots


@kernel
def _still_needed(state: Any, player: int, tables: Any) -> float:
    """An evaluation: from here on no shot misses. What is open is counted in bits."""
    return -(state.shots + state.left) * 1.0


@kernel
def _mask(state: Any, viewer: int, tables: Any) -> None:
    for ship in range(len(state.places)):
        state.places[ship] = HIDDEN


@kernel
def _fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    for ship in range(len(state.places)):
        state.places[ship] = world[ship]


@kernel
def _policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """Shoots where most placements lie that no miss rules out; a hit on one makes it count tenfold.

    Nothing else than what was said of the shots is known to it. Of equals it takes any.
    """
    best, highest = 0, -1.0
    first = below(random, count)
    for step in range(count):
        i = first + step if first + step < count else first + step - count
        weight = 0.0
        for ship in range(len(tables.counts)):
            for place in range(tables.counts[ship]):
                through, here = 1.0, False
                for part in range(tables.squares.shape[2]):
                    square = tables.squares[ship, place, part]
                    if square >= 0:
                        if state.said[square] == 1:
                            through = 0.0
                        elif state.said[square] == 2:
                            through *= 10.0
                        elif square == actions[i]:
                            here = True
                if here:
                    weight += through
        if weight > highest:
            best, highest = i, weight
    return best


def battleship(side: int = 6, fleet: Sequence[int] = (4, 3, 2)) -> tuple[Game, FleetBelief]:
    """The game and its belief.

    Args:
        side: Of the board, in squares.
        fleet: How long the ships are.

    Raises:
        SettingsError: A ship does not fit.
    """
    if not fleet or min(fleet) < 1 or max(fleet) > side or sum(fleet) > side * side:
        raise SettingsError(
            "ships are 1 to as many squares long as the board is wide", where="fleet", value=fleet
        )
    ways = [placements(side, length) for length in fleet]
    squares = np.full((len(fleet), max(map(len, ways)), max(fleet)), -1, np.int16)
    for ship, found in enumerate(ways):
        for place, covered in enumerate(found):
            squares[ship, place, : len(covered)] = covered
    count = side * side
    state = np.dtype(
        [
            ("player", np.int32),
            ("places", np.int32, (len(fleet),)),
            ("said", np.int32, (count,)),  # 1 for a miss, 2 for a hit
            ("shots", np.int32),
            ("left", np.int32),
        ]
    )

    game = Game(
        name="battleship",
        version=1,
        roles=("shooter",),
        state=state,
        action_space=count,
        max_actions=count,
        max_depth=count,
        lowest=-count,
        highest=0,
        tables=Placements(squares, np.array([*map(len, ways)]), np.array([sum(fleet)])),
        start=_start,
        legal=_legal,
        apply=_apply,
        observe=_observe,
        returns=_returns,
        mask=_mask,
        fill=_fill,
        policy=_policy,
    )
    return game, (FleetBelief if can_be_listed(side, fleet) else LargeFleetBelief)(side, fleet)


def can_be_listed(side: int, fleet: Sequence[int]) -> bool:
    """True if a fleet can be placed in few ways, overlaps included."""
    return prod(len(placements(side, length)) for length in fleet) <= MOST


class FleetBelief(CachedBelief[History]):
    """Where the ships lie, after the shots.

    Args:
        side: Of the board.
        fleet: How long the ships are.
    """

    kept = 256

    def __init__(self, side: int, fleet: Sequence[int]) -> None:
        super().__init__()
        self.side = side
        self.ships = [
            Choice(f"ship {number}", placements(side, length))
            for number, length in enumerate(fleet)
        ]
        self.fleet = together(*(ship.value() for ship in self.ships))
        self.hits = [self._hit(square) for square in range(side * side)]
        self.asked = [Question(hit, np.array([0, 1]), ("miss", "hit")) for hit in self.hits]

    def _hit(self, square: int) -> Condition:
        return any_of(ship.value().satisfies(lambda there: square in there) for ship in self.ships)

    def _apart(self) -> list[Condition]:
        return [
            together(one.value(), other.value()).satisfies(lambda two: not {*two[0]} & {*two[1]})
            for one, other in combinations(self.ships, 2)
        ]

    def known(self, view: View, seen: SeenPlay) -> History:
        return tuple(divmod(each.event.observation, ANSWERS) for each in seen.events)

    def posterior(self, known: History) -> Posterior:
        if not known:
            return infer(Model(*self.ships), self._apart(), method="enumeration")
        (*before, (square, hit)) = known
        said = self.hits[square] if hit else ~self.hits[square]
        return self._posterior(tuple(before)).observe(said)

    def after(self, known: History) -> Posterior:
        """What follows from some shots and what was said of them."""
        return self._posterior(known)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {"fleet": self.fleet}

    def likeliest(self, posterior: Posterior, shot: Collection[int]) -> list[int]:
        """The squares that were not shot at, those first that are most likely hit."""
        free = [square for square in range(self.side**2) if square not in shot]
        chances = [round(posterior.probability(self.hits[square]), 9) for square in free]
        return [free[place] for place in np.argsort(-np.array(chances), kind="stable")]

    def questions(self, view: View) -> Mapping[int, Question]:
        if view.over:
            return {}
        free = np.flatnonzero(view.states[0].said == 0).tolist()
        return {square: self.asked[square] for square in free}

    def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
        """The likeliest squares."""
        shot = np.flatnonzero(view.states[0].said).tolist()
        return sorted(self.likeliest(posterior, shot)[:CONSIDERED])


class LargeFleetBelief(FleetBelief):
    """The same of a fleet that can lie in more ways than are listed.

    Each posterior is found anew: to go on from the one before takes as long while it is large.
    """

    kept = 2

    def posterior(self, known: History) -> Posterior:
        said = [self.hits[square] if hit else ~self.hits[square] for square, hit in known]
        given = [*disjoint(self.ships), *said]
        return infer(Model(*self.ships), given, method="exact_cover")


# -- who shoots


def shot_so_far(state: Any, history: History) -> None:
    """A state after a history."""
    state.shots = len(history)
    for square, hit in history:
        state.said[square] = 1 + hit
        state.left -= hit


def by_search(game: Game, belief: FleetBelief, simulations: int, seed: int) -> Decide:
    """What a search does, with exact gains at its root."""
    agent = SearchAgent(
        search=Search(game, exploration=EXPLORATION, horizon=2, evaluate=_still_needed),
        belief=belief,
        budget=Budget(simulations=simulations),
        learning=Learning(gain_weight=BIT, depth=1, asks=False),
        seed=seed,
    )
    return Following(agent, shot_so_far).decision


def by_probability(belief: FleetBelief) -> Decide:
    """Who shoots where a hit is likeliest."""
    known: dict[History, int] = {}

    def decide(history: History) -> int:
        if history not in known:
            posterior = belief.after(history)
            known[history] = belief.likeliest(posterior, [square for square, _ in history])[0]
        return known[history]

    return decide


def by_information(belief: FleetBelief) -> Decide:
    """Who shoots where the answer tells most, and of equals where a hit is likelier.

    The fleet says what the answer is, so what it tells about the fleet is its own entropy.
    """
    known: dict[History, int] = {}

    def decide(history: History) -> int:
        if history not in known:
            posterior = belief.after(history)
            squares = belief.likeliest(posterior, [square for square, _ in history])
            chances = np.array([posterior.probability(belief.hits[square]) for square in squares])
            told = -np.round(np.abs(chances - 0.5), 9)
            known[history] = squares[int(np.argmax(told))]
        return known[history]

    return decide


def at_random(side: int, seed: int) -> Decide:
    """Who shoots anywhere."""
    rng = np.random.default_rng(seed)

    def decide(history: History) -> int:
        shot = {square for square, _ in history}
        return int(rng.choice([square for square in range(side * side) if square not in shot]))

    return decide


def shots(covered: Collection[int], decide: Decide) -> int:
    """How many shots a fleet on these squares takes."""
    history: History = ()
    left = len(covered)
    while left:
        square = decide(history)
        hit = int(square in covered)
        history = (*history, (square, hit))
        left -= hit
    return len(history)


def fleets(game: Game, games: int, seed: int) -> list[set[int]]:
    """The squares that fleets cover, one fleet for each game."""
    found: list[set[int]] = []
    for number in range(games):
        state = game.initial(seed + number)[0]
        squares = [game.tables.squares[ship, place] for ship, place in enumerate(state.places)]
        found.append({int(square) for square in np.concatenate(squares) if square >= 0})
    return found


def compared(
    side: int, fleet: Sequence[int], *, games: int, simulations: int, seed: int
) -> dict[str, Any]:
    """The mean number of shots of all who shoot, at the same fleets.

    ``fewer`` is by how much a search needs fewer than who hunts by probability; of a fleet that
    cannot be listed, who shoots where the answer tells most.
    """
    game, belief = battleship(side, fleet)
    if can_be_listed(side, fleet):
        name, first = "search", by_search(game, belief, simulations, seed)
    else:
        name, first = "information", by_information(belief)
    who = {name: first, "probability": by_probability(belief), "random": at_random(side, seed)}
    needed: dict[str, list[int]] = {name: [] for name in who}
    for number, covered in enumerate(fleets(game, games, seed)):
        for each, decide in who.items():
            needed[each].append(shots(covered, decide))
        if number % 20 == 19:
            means = ", ".join(f"{each} {statistics.fmean(n):.2f}" for each, n in needed.items())
            print(f"{number + 1} games: {means}", file=sys.stderr, flush=True)
    fewer = np.array(needed["probability"]) - np.array(needed[name])
    return {
        **{each: interval(numbers) for each, numbers in needed.items()},
        "fewer": interval(fewer.tolist()),
        "games": games,
        "side": side,
        "fleet": list(fleet),
    }


def interval(numbers: Sequence[int]) -> dict[str, Any]:
    """The mean of some numbers of shots, and its 95 % interval."""
    mean, half = statistics.fmean(numbers), 1.96 * statistics.stdev(numbers) / len(numbers) ** 0.5
    return {"shots": mean, "interval": [mean - half, mean + half]}


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """What is found on the usual board; see `compared`."""
    if quick:
        return compared(4, (3, 2), games=6, simulations=200, seed=seed)
    return compared(SIDE, FLEET, games=GAMES, simulations=SIMULATIONS, seed=seed)


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--side", type=int, default=SIDE, help="squares on a side of the board")
    parser.add_argument("--fleet", default=",".join(map(str, FLEET)), help="lengths of the ships")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args(given)
    try:
        fleet = [int(length) for length in asked.fleet.split(",")]
    except ValueError:
        parser.error(f"lengths of ships are numbers, such as 4,3,2: {asked.fleet!r}")
    if asked.games < 2:
        parser.error(f"an interval takes at least 2 games: {asked.games}")
    try:
        found = compared(
            asked.side, fleet, games=asked.games, simulations=asked.simulations, seed=asked.seed
        )
    except SleuthError as error:
        parser.error(str(error))
    print(json.dumps(found) if asked.json else "\n".join(f"{k} {v}" for k, v in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
