"""Battleship on a small board: shots in turn at a fleet that nobody has seen.

Rules: the game of pencil and paper as in Hasbro's box: one shot a turn, and the other says that it
misses, hits, or which ship it sinks. Chance lays the fleets, all that do not overlap alike likely:
so the belief is exact, whatever players do.
"""

from __future__ import annotations

from collections import defaultdict, namedtuple
from functools import cache, partial
from typing import Any, Final

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Choice, Feature, Game, Posterior, below, kernel, kit, uniform
from sleuth.answers import Grid, Statements
from sleuth.errors import SettingsError
from sleuth.kit import SeenPlay, Sight, StateField, View

ROLES: Final = ("first", "second")
SHIPS: Final = {2: ("destroyer", "boat"), 3: ("cruiser", "submarine"), 4: ("battleship",)}
MISS, HIT, SUNK = 1, 2, 3  # what is told of a shot; to the last the ship's number is added

# Squares and the places of ships are numbered from 0; a place lies along a row, later ones along a
# column. What a player has shot at is 0 until then, and later MISS or HIT.
Sizes = namedtuple("Sizes", "side lengths")  # pyright: ignore
apart = cache(sleuth.disjoint)  # evidence of a fleet, the same at every moment


@kernel
def square(place: int, part: int, length: int, side: int) -> int:
    ways = side - length + 1
    line, along = place // ways % side, place % ways + part
    return line * side + along if place < side * ways else along * side + line


@kernel
def missing(state: Any, player: int, ship: int, target: int, tables: Any) -> int:
    """So many parts of a ship are not hit yet, if it lies on the target, and else -1."""
    left, there, length = 0, False, tables.lengths[ship]
    for part in range(length):
        each = square(state.fleet[player, ship], part, length, tables.side)
        left += state.shots[1 - player, each] != HIT
        there = there or each == target
    return left if there else -1


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for player in range(2):
        laid = 0
        while laid < len(tables.lengths):
            length, free = tables.lengths[laid], True
            state.fleet[player, laid] = below(random, 2 * tables.side * (tables.side - length + 1))
            for part in range(length):
                target = square(state.fleet[player, laid], part, length, tables.side)
                for ship in range(laid):
                    free = free and missing(state, player, ship, target, tables) < 0
            laid = laid + 1 if free else 0  # the whole fleet anew: so all are equally likely


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for target in range(tables.side * tables.side):
        if state.shots[state.player, target] == 0:
            actions[count] = target
            count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, other = state.player, 1 - state.player
    state.told = state.shots[mover, action] = MISS
    for ship in range(len(tables.lengths)):
        if missing(state, other, ship, action, tables) >= 0:
            state.shots[mover, action] = HIT
            state.hits[mover] += 1
            state.told = HIT if missing(state, other, ship, action, tables) > 0 else SUNK + ship
    state.player = other
    if state.hits[mover] == tables.lengths.sum():
        state.player, state.winner = OVER, mover


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action + tables.side * tables.side * state.told


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[state.winner], values[1 - state.winner] = 1, -1


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(2):
        for ship in range(len(tables.lengths) if player != viewer else 0):
            state.fleet[player, ship] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    column = 0
    for player in range(2):
        for ship in range(len(tables.lengths)):
            if state.fleet[player, ship] == HIDDEN:
                state.fleet[player, ship] = world[column]
                column += 1


@kernel
def sensible(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    best, choice, side = -1.0, 0, tables.side
    for place in range(count):
        target, worth = actions[place], uniform(random)
        for near in (target - 1, target + 1, target - side, target + side):
            in_line = near // side == target // side or near % side == target % side
            if in_line and 0 <= near < side * side:
                worth += state.shots[state.player, near] == HIT
        if worth > best:
            best, choice = worth, place
    return choice


def square_name(side: int, target: int) -> str:
    return f"{'abcdefgh'[target % side]}{1 + target // side}"


@cache
def fleet_of(game: Game, player: int) -> tuple[Choice, ...]:
    """The ships of a player; each lies in one of its places, which are squares."""
    side, lengths = game.tables.side, list[int](game.tables.lengths.tolist())
    found: list[Choice] = []
    for ship, length in enumerate(lengths):
        name, places = SHIPS[length][lengths[:ship].count(length)], 2 * side * (side - length + 1)
        squares = [
            [square(at, part, length, side) for part in range(length)] for at in range(places)
        ]
        values = [tuple(map(game.action_name, each)) for each in squares]
        found.append(Choice(f"{name} of {ROLES[player]}", values))
    return tuple(found)


class BattleshipBelief(sleuth.CachedBelief[Any]):
    """Ships do not overlap, and lie as what was told allows."""

    def known(self, view: View, seen: SeenPlay) -> Any:
        """The fleets that the viewer does not see, each with what was told of shots at it."""
        told: tuple[list[Any], list[Any]] = ([], [])
        for event in (each.event for each in seen.events):
            result, target = divmod(event.observation, view.game.action_space)
            told[1 - event.mover].append((view.game.action_name(target), result))
        others = [player for player in range(2) if player != view.viewer]
        return tuple((fleet_of(view.game, player), tuple(told[player])) for player in others)

    def posterior(self, known: Any) -> Posterior:
        given = list[Any]()
        for fleet, told in known:
            given += apart(fleet)
            hits = set[str]()
            for name, result in told:
                hits |= {name} if result != MISS else set()
                there = [{place for place in ship.options if name in place} for ship in fleet]
                sunk = [{place for place in each if hits.issuperset(place)} for each in there]
                left = [may - done for may, done in zip(there, sunk, strict=True)]
                pairs = zip(fleet, left, strict=True)
                said = sleuth.any_of(ship.among(may) for ship, may in pairs if may)
                if result >= SUNK:
                    said = fleet[result - SUNK].among(sunk[result - SUNK])
                said = ~said if result == MISS else said
                given.append(said.observed(because=f"the shot at {name}"))
        ships = [ship for fleet, _ in known for ship in fleet]
        method = "exact_cover" if len(known[0][0]) > 1 else "auto"  # one ship cannot overlap
        return sleuth.infer(sleuth.Model(*ships), given, method=method)

    def hidden(self, view: View) -> dict[str, Feature]:
        fleets = [fleet_of(view.game, player) for player in range(2) if player != view.viewer]
        return {ship.name: ship.value() for fleet in fleets for ship in fleet}


class BattleshipWords(kit.Display):
    """Both boards, and how likely there is a ship on each square."""

    rules = (
        "Ships lie along rows or columns and do not overlap. In turn, shoot at a square of the "
        "other's board: it is a miss, a hit, or sinks a ship all of which is hit. Sink all to win."
    )
    writing = "A move is a square, such as b3."

    def board(self, marks: dict[str, str], legend: str) -> Grid:
        lines = range(self.game.tables.side)
        names = [[f"{'abcdefgh'[column]}{1 + row}" for column in lines] for row in lines]
        rows = tuple(tuple(marks.get(name, ".") for name in row) for row in names)
        sides = tuple(str(1 + row) for row in lines), tuple("abcdefgh"[: len(lines)])
        return Grid(legend.partition(":")[0], rows, *sides, legend=legend, across=4)

    def situation(self, sight: Sight) -> Statements:
        boards = list[Grid]()
        for player, fleet in enumerate(sight.state.fleet.tolist()):
            shots = enumerate(sight.state.shots[1 - player].tolist())
            marks = {self.game.action_name(target): ".ox"[shot] for target, shot in shots}
            for ship, place in zip(fleet_of(self.game, player), fleet, strict=True):
                for name in ship.options[place] if place != HIDDEN else ():
                    marks[name] = "X" if marks[name] == "x" else "#"
            legend = "o a miss, x a hit, # a ship, X one that was hit"
            boards.append(self.board(marks, f"Shots at {self.name_of(player, sight)}: {legend}"))
        return boards

    def belief(self, sight: Sight) -> Statements:
        known, chances = sleuth.belief(self.game), defaultdict[str, dict[str, float]](dict)
        posterior = known.infer(sight.view, sight.seen)
        for name, ship in known.hidden(sight.view).items():
            of = chances[name.split()[-1]]
            for place, chance in posterior.marginal(ship).items():
                of |= {each: of.get(each, 0.0) + 100 * chance for each in place}
        boards = {role: {each: f"{of[each]:.0f}" for each in of} for role, of in chances.items()}
        return [self.board(marks, f"Ships of {role}: percent") for role, marks in boards.items()]

    def sentence(self, sight: Sight, place: int) -> str:
        event = sight.seen.events[place].event
        told, target = divmod(event.observation, self.game.action_space)
        ships = [f"{ship.name.split()[0]} sunk" for ship in fleet_of(self.game, 0)]
        said = f"{self.game.action_name(target)}: {('', 'a miss', 'a hit', *ships)[told]}"
        return f"{self.name_of(event.mover, sight)}: {said}"


def battleship(side: int = 5, ships: str = "322") -> Game:
    """The game: 1 for who sinks all ships of the other first, -1 for the other.

    Args:
        side: Squares of a side, 3 to 8.
        ships: The length of each ship, a digit each.
    """
    kit.whole_number(side, "side", least=3, most=8)
    lengths, cells = [int(each) for each in ships if each.isdigit()], side * side
    if not 0 < 2 * sum(lengths) <= cells or any(
        each > side or lengths.count(each) > len(SHIPS.get(each, ())) for each in lengths
    ):
        raise SettingsError("no such fleet", value=ships, hint="write lengths, such as ships='322'")
    state = kit.numbers("player", "told", "winner") + kit.numbers("hits", shape=(2,))
    state += kit.numbers("fleet", shape=(2, len(ships))) + kit.numbers("shots", shape=(2, cells))
    return Game(
        name="battleship", version=1, roles=ROLES, state=np.dtype(state), action_space=cells,
        tables=Sizes(side, np.array(lengths)), max_actions=cells, max_depth=2 * cells, lowest=-1,
        highest=1, start=start, legal=legal, apply=apply, observe=observe, returns=returns,
        mask=mask, fill=fill, policy=sensible, action_name=partial(square_name, side),
        settings={"side": side, "ships": ships},
        fields={
            "told": StateField("the last answer: 0 none, 1 a miss, 2 a hit, 3 + the ship sunk", 0,
                               SUNK + len(lengths) - 1),
            "winner": StateField("the player that has won; 0 before, too", 0, 1),
            "hits": StateField("hits of each player", 0, sum(lengths)),
            "fleet": StateField("where each ship lies: all places along rows, then columns", 0,
                                2 * cells - 1),
            "shots": StateField("each player's shots: 0 none, 1 a miss, 2 a hit", 0, HIT),
        }, sum_of_returns=0,
    )  # fmt: skip


GAME = sleuth.GameEntry("battleship", battleship, BattleshipBelief, display=BattleshipWords)
