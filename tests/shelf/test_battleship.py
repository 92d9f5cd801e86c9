"""Battleship: what is told of shots, and where a fleet may lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, game

from .plain_worlds import PlainWorld

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL = ({"side": 3, "ships": "2"},)


def lines(side: int, length: int) -> list[tuple[str, ...]]:
    """The squares of a ship, along a row and then along a column, wherever it may lie."""
    rows = [[f"{letter}{row + 1}" for letter in "abcdefgh"[:side]] for row in range(side)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [
        tuple(line[first : first + length])
        for line in (*rows, *columns)
        for first in range(side - length + 1)
    ]


def fleet(made: Game, places: list[int]) -> list[tuple[str, ...]]:
    """The squares of ships in these places."""
    side, lengths = made.tables
    return [lines(side, length)[place] for length, place in zip(lengths, places, strict=True)]


def keeps(play: Play) -> None:
    """No ships overlap, and every shot is marked as what it struck."""
    state, made = play.truth()[0], play.game
    for player in range(2):
        squares = [square for ship in fleet(made, state.fleet[player].tolist()) for square in ship]
        assert len(squares) == len({*squares}) == made.tables.lengths.sum()
        shots = play.actions[1 - player :: 2]
        marks = [1 + (made.action_name(target) in squares) for target in shots]
        assert state.shots[1 - player][shots].tolist() == marks
        assert np.count_nonzero(state.shots[1 - player]) == len(shots)
        sunk = all(made.action_name(target) in squares for target in shots) and shots
        assert (
            marks.count(2) < len(squares) or (play.over and state.winner == 1 - player) or not sunk
        )
    if play.over:
        assert sorted(play.returns().tolist()) == [-1, 1]


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """Both fleets anywhere."""
    first, (side, lengths) = made.initial(0), made.tables
    places = [range(len(lines(side, length))) for length in lengths]
    laid = [
        each
        for each in product(*places)
        if len({square for ship in fleet(made, [*each]) for square in ship}) == lengths.sum()
    ]
    for both in product(laid, repeat=2):
        states = first.copy()
        states[0].fleet[:] = both
        yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The squares of every ship."""
    side = int(len(world.state.shots[0]) ** 0.5)
    return {
        f"destroyer of {role}": lines(side, 2)[world.state.fleet[player, 0]]
        for player, role in enumerate(("first", "second"))
    }


def test_ships_lie_as_all_fleets_do_that_fit_what_was_told() -> None:
    made, rng = game("battleship", side=4), np.random.default_rng(1)
    play, told = Play.new(made, seed=1), list[tuple[str, int]]()
    while not play.over and len(told) < 9:
        mover = play.player
        action = int(rng.choice(play.legal()))
        play.apply(action)
        if mover == 0:
            told.append((made.action_name(action), int(play.truth()[0].told)))
    fleets = [
        ships
        for ships in product(lines(4, 3), lines(4, 2), lines(4, 2))
        if len({square for ship in ships for square in ship}) == 7 and said(ships, told)
    ]
    known, hidden = belief(made).infer(play.view(0), play.seen_by(0)), belief(made).hidden
    for number, ship in enumerate(hidden(play.view(0)).values()):
        found = known.marginal(ship)
        for place in lines(4, (3, 2, 2)[number]):
            right = sum(each[number] == place for each in fleets) / len(fleets)
            assert found.get(place, 0) == pytest.approx(right)


def said(ships: tuple[tuple[str, ...], ...], told: list[tuple[str, int]]) -> bool:
    """A fleet of which all this would be told."""
    hits: set[str] = set()
    for square, result in told:
        struck = [number for number, ship in enumerate(ships) if square in ship]
        hits |= {square}
        sunk = struck and hits.issuperset(ships[struck[0]])
        if result != (1 if not struck else 3 + struck[0] if sunk else 2):
            return False
    return True


def test_a_ship_is_sunk_by_the_shot_at_the_last_of_its_squares() -> None:
    play = Play.new(game("battleship"), seed=1)
    code = {play.game.action_name(action): action for action in range(25)}
    cruiser = fleet(play.game, play.truth()[0].fleet[1].tolist())[0]
    told = []
    for number, square in enumerate(cruiser):
        play.apply(code[square])
        told.append(play.seen_by(1).events[-1].event.observation // 25)
        play.apply(number)
    assert told == [2, 2, 3]
    known = belief(play.game).infer(play.view(0), play.seen_by(0))
    ship = belief(play.game).hidden(play.view(0))["cruiser of second"]
    assert known.marginal(ship)[cruiser] == pytest.approx(1)


@pytest.mark.parametrize(
    "settings",
    [
        {"side": 9},
        {"ships": "55"},
        {"ships": ""},
        {"side": 3, "ships": "322"},
        {"side": 3, "ships": "4"},
    ],
)
def test_fleets_that_cannot_be_are_refused(settings: Mapping[str, Any]) -> None:
    with pytest.raises(SleuthError, match=r"is out of range|no such fleet"):
        game("battleship", **settings)
