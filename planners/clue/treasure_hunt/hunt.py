"""Clue on the board as a treasure hunt: which room next, what to suggest there, where to step.

The reward of a suggestion is w_B * B - w_D * D: the bits by which it is expected to lower the
uncertainty about the case file, less the turns it is expected to take to get there. Source: "Clue
as a treasure hunt" (2013), section 4; the paper leaves the weights and the horizon open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....beliefs.games.clue.declaration import ClueDeclaration
from ....beliefs.games.clue.suggesting import told_by_rules
from ....beliefs.posterior import Posterior
from ....data.checks import whole_number
from ....data.errors import SettingsError
from ....models.clue.board.board import ClueBoard, Square, board
from ....models.clue.cards import ROOMS, SUSPECTS, WEAPONS
from ....models.clue.events import Triple
from ....models.clue.game import number_of
from .measuring import Breadth, Leg, Measuring, Weights, best_first
from .walking import passage_arrivals, place_values, roll_values, stops
from .ways import Place, Ways, priced

#: Values that differ by less are equal, and another reason decides.
EQUAL = 1e-9
#: Deals on which it is estimated which suggestions tell most.
DRAWN = 2_000


@dataclass(frozen=True)
class RoomPlan:
    """A room that could be next.

    Attributes:
        room: The room.
        suggestion: What to suggest there: suspect, weapon and room.
        gain: What the suggestion tells about the case file by itself, in bits, as expected.
        turns: Expected turns to get there.
        value: The reward of going there and of what may follow, as expected.
        legs: How many suggestions the value looks ahead.
    """

    room: str
    suggestion: Triple
    gain: float
    turns: float
    value: float
    legs: int


@dataclass(frozen=True)
class Step:
    """The place to end a move at.

    Attributes:
        place: A room, or row and column of a square.
        value: What being there is worth.
        heading: The room that is aimed at; the same as ``place`` where it is entered.
        turns: Turns that are expected after this one until it is entered.
        short: Whether fewer steps are walked than could be.
        because: Why, in words.
    """

    place: str | Square
    value: float
    heading: str
    turns: float
    short: bool
    because: str


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan from a place.

    Attributes:
        rooms: The rooms that may be next, the best first.
        place: Where one stands: the number of the place.
        ways: The board and its dice.
        suggesting: What it is worth to be in each room and suggest there; minus infinity where it
            must not be entered next. Shape (rooms,).
        arrivals: The same, where one may also go on from the room without suggesting.
        values: What it is worth to stand at each place before rolling. Shape (places,).
        turn: What a turn costs.
    """

    rooms: tuple[RoomPlan, ...]
    place: int
    ways: Ways
    suggesting: Floats
    arrivals: Floats
    values: Floats
    turn: float

    @property
    def best(self) -> RoomPlan:
        """The room to go to."""
        return self.rooms[0]

    @property
    def value(self) -> float:
        """The worth of the turn before rolling, if one decides anew after every roll."""
        return float(self.values[self.place])

    @property
    def passage(self) -> str | None:
        """The room to go to by the secret passage instead of rolling, where that is better."""
        arrival = float(passage_arrivals(self.ways, self.arrivals)[self.place])
        rolled = roll_values(self.ways, self.arrivals, self.values)[:, self.place]
        if not np.isfinite(arrival) or arrival < float(self.ways.rolls @ rolled) - EQUAL:
            return None
        return ROOMS[self.ways.board.passage[self.place]]

    @property
    def passage_because(self) -> str:
        """The reason to take the secret passage: where it leads in the end; empty without one."""
        if self.passage is None:
            return ""
        end = self.ways.board.passage[self.place]
        return self._because(end, *self._left(end), short=False)

    def step(self, roll: int) -> Step:
        """The place to end the move at with a roll, and why.

        Raises:
            SettingsError: The dice cannot show it.
        """
        roll = whole_number(roll, "roll", least=0, most=self.ways.rolls.shape[0] - 1)
        if self.ways.rolls[roll] == 0.0:
            raise SettingsError("the dice cannot show this", where="roll", value=roll)
        found = stops(self.ways, self.place, roll, self.arrivals, self.values)
        far = self.ways.board.distances[self.place]
        most = max(found.values())
        equal = [stop for stop, worth in found.items() if worth >= most - EQUAL]
        stop = min(equal, key=lambda each: (each >= len(ROOMS), self._left(each)[1], far[each]))
        room, left = self._left(stop)
        short = bool(far[stop] < roll and any(far[each] > far[stop] for each in found))
        return Step(
            place=self.ways.name(stop),
            value=found[stop],
            heading=room,
            turns=left,
            short=short,
            because=self._because(stop, room, left, short=short),
        )

    @property
    def way(self) -> tuple[int, ...]:
        """The numbers of the places on a shortest way to the best room, both ends included.

        It leads through other rooms, and by secret passages, where that is expected to be faster.
        """
        ways, target = self.ways, ROOMS.index(self.best.room)
        found, here = [self.place], self.place
        onward = ways.between[:, target].copy()
        onward[target] = 0.0
        first = ways.direct[here] + onward
        first[np.isneginf(self.arrivals)] = np.inf
        while here != target:
            room = int(first.argmin())
            if here < len(ROOMS) and ways.board.passage[here] == room:
                found.append(room)
            else:
                found += _walk(ways.board, here, room)
            here, first = room, ways.direct[room] + onward
        return tuple(found)

    def _left(self, place: int) -> tuple[str, float]:
        """The room to go to from a place, and the turns to it."""
        if place < len(ROOMS) and np.isfinite(self.arrivals[place]):
            if self.suggesting[place] >= self.arrivals[place] - EQUAL:
                return ROOMS[place], 0.0
            ways = self.ways.between[place]
        else:
            ways = self.ways.turns(place, np.flatnonzero(np.isneginf(self.arrivals)).tolist())
        room = int((self.suggesting - priced(ways, self.turn)).argmax())
        return ROOMS[room], float(ways[room])

    def _because(self, stop: int, room: str, left: float, *, short: bool) -> str:
        if stop == self.place:
            return f"staying here leaves {left:.1f} turns to the {room}"
        if left > 0.0 and stop >= len(ROOMS):
            return f"that leaves {left:.1f} turns to the {room}"
        if left > 0.0:
            plan = next(each for each in self.rooms if each.room == ROOMS[stop])
            return (
                f"it is on the way to the {room}, {left:.1f} turns further, and tells "
                f"{plan.gain:.2f} bits"
            )
        plan = next(each for each in self.rooms if each.room == room)
        said = f"it enters the {room}, where a suggestion tells {plan.gain:.2f} bits"
        others = [each for each in self.rooms if each.room != room]
        if others and short:
            said += f"; the {others[0].room} is {others[0].turns:.1f} turns away"
        return said


@dataclass(frozen=True, kw_only=True)
class TreasureHunt:
    """A planner for Clue on the board.

    Attributes:
        belief: The game's declaration, from the eyes of the player who moves.
        board: The board.
        dice: How many dice are rolled; None for dice without limit.
        weights: What a bit and a turn count.
        horizon: How many suggestions are thought ahead; 1 is the greedy choice of the next room.
        exact: Whether the benefit follows the outcomes within the horizon, or is additive: every
            room's best suggestion keeps the gain that it has now.
        breadth: How much of the tree over outcomes is looked at.
        seconds: How long a decision may take, but that it looks one suggestion ahead in any case;
            None for as long as the horizon takes, which makes plans reproducible.

    Raises:
        SettingsError: A setting has an impossible value.

    >>> import numpy as np
    >>> from sleuth.games.clue import ClueDeclaration, TreasureHunt, simulate
    >>> game = simulate(3, np.random.default_rng(3)).seen_by("p1").until(8)
    >>> declared = ClueDeclaration(game)
    >>> hunt = TreasureHunt(belief=declared, horizon=1, seconds=None)
    >>> plan = hunt.plan(declared.infer(game), place="lounge")
    >>> plan.rooms[0].room, round(plan.rooms[0].gain, 2)
    ('study', 1.31)
    >>> hunt.suggestions[0][0], hunt.ways.between.shape
    (('scarlet', 'candlestick', 'kitchen'), (9, 9))
    >>> worth = np.arange(9.0)[:, None].repeat(36, axis=1)  # the last room tells most
    >>> hunt.plan_of(worth, place="lounge").rooms[0].gain
    8.0
    >>> hunt.measuring.weights.distance
    0.05
    """

    belief: ClueDeclaration
    board: ClueBoard | None = None
    dice: int | None = 1
    weights: Weights = field(default_factory=Weights)
    horizon: int = 2
    exact: bool = True
    breadth: Breadth = field(default_factory=Breadth)
    seconds: float | None = 1.0

    def __post_init__(self) -> None:
        whole_number(self.horizon, "horizon", least=1)
        if self.seconds is not None and not self.seconds >= 0.0:
            raise SettingsError("seconds are 0 or more", where="seconds", value=self.seconds)

    @cached_property
    def ways(self) -> Ways:
        """The lengths of ways on the board."""
        return _usual_ways(self.dice) if self.board is None else Ways(self.board, self.dice)

    @cached_property
    def suggestions(self) -> tuple[tuple[Triple, ...], ...]:
        """For each room what can be suggested there."""
        return tuple(
            tuple((suspect, weapon, room) for suspect in SUSPECTS for weapon in WEAPONS)
            for room in ROOMS
        )

    @cached_property
    def measuring(self) -> Measuring:
        """The suggestions as questions about the case file, and what ways between rooms take."""
        return Measuring(
            [[self.belief.suggestion(cards) for cards in each] for each in self.suggestions],
            self.belief.case_file,
            self.ways.between,
            self.weights,
            self.breadth,
            self._estimated,
        )

    def _estimated(self, known: Posterior, rooms: Sequence[int]) -> list[Floats]:
        """About what each suggestion in some rooms tells, on deals drawn from what is known."""
        worlds = known.sample_array(DRAWN, np.random.default_rng(0))
        codes = [[number_of(cards) for cards in self.suggestions[room]] for room in rooms]
        asked = [code for each in codes for code in each]
        found = told_by_rules(self.belief, worlds, chosen=asked)
        return [found.bits[each] for each in codes]

    def plan(self, posterior: Posterior, place: Place, last: Place | None = None) -> Plan:
        """The plan for what to do next.

        Args:
            posterior: What the player knows.
            place: Where their pawn stands: a room, or row and column of a square.
            last: The room they entered last, which they must not enter next. Where they stand in a
                room, that one is closed to them as well.

        Raises:
            SettingsError: The board has no such place.
            RecordError: The viewer is nobody who could suggest.
        """

        def legs(turns: Floats) -> list[Leg]:
            return self.measuring.first_legs(
                posterior, turns, self.horizon, exact=self.exact, seconds=self.seconds
            )

        return self._planned(legs, place, last)

    def plan_of(
        self, worth: Floats, place: Place, last: Place | None = None, *, bits: Floats | None = None
    ) -> Plan:
        """The plan of what to do next, if suggestions are worth so much; no other is foreseen.

        Args:
            worth: What each suggestion in each room is worth, in bits; shape (rooms, 36), in the
                order of `suggestions`.
            place: As for `plan`.
            last: As for `plan`.
            bits: What each tells, in the same shape, if it is worth something else than that.
        """
        weights, most = self.weights, worth.argmax(axis=1)
        tells = np.take_along_axis(worth if bits is None else bits, most[:, None], axis=1)[:, 0]

        def legs(turns: Floats) -> list[Leg]:
            return best_first(
                Leg(room, question, gain, weights.benefit * value - weights.distance * way, 1)
                for room, question, gain, value, way in zip(
                    range(len(ROOMS)), most.tolist(), tells.tolist(), worth.max(axis=1).tolist(),
                    turns.tolist(), strict=True,
                )
                if np.isfinite(way)
            )  # fmt: skip

        return self._planned(legs, place, last)

    def _planned(
        self, first_legs: Callable[[Floats], list[Leg]], place: Place, last: Place | None
    ) -> Plan:
        """The plan, given what is known of the next legs by the turns to each room."""
        ways, number = self.ways, self.ways.number(place)
        closed = ways.closed(number, last)
        turns = ways.turns(number, closed)
        legs = first_legs(turns)
        cost = self.weights.distance
        suggesting = np.full(len(ROOMS), -np.inf)
        for leg in legs:
            suggesting[leg.cell] = leg.value + cost * turns[leg.cell]
        arrivals = np.maximum(suggesting, (suggesting - priced(ways.between, cost)).max(axis=1))
        arrivals[[*closed]] = -np.inf
        return Plan(
            tuple(self._room(leg, float(turns[leg.cell])) for leg in legs),
            place=number,
            ways=ways,
            suggesting=suggesting,
            arrivals=arrivals,
            values=place_values(ways, arrivals, cost),
            turn=cost,
        )

    def _room(self, leg: Leg, turns: float) -> RoomPlan:
        suggestion = self.suggestions[leg.cell][leg.question]
        return RoomPlan(ROOMS[leg.cell], suggestion, leg.gain, turns, leg.value, leg.legs)


def _walk(board: ClueBoard, start: int, room: int) -> list[int]:
    """The places after the start on a shortest walk to a room."""
    far = board.distances[start]
    found = [room]
    while far[found[0]] > 1:
        back = (each for each in board.steps[found[0]] if each >= len(ROOMS))
        found.insert(0, min(each for each in back if far[each] == far[found[0]] - 1))
    return found


@lru_cache
def _usual_ways(dice: int | None) -> Ways:
    return Ways(board(), dice)
