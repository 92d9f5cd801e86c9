"""Placements that exclude each other: against enumeration, and against counts that are known."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import (
    Choice,
    Condition,
    Evidence,
    Feature,
    Model,
    Posterior,
    Question,
    SleuthError,
    any_of,
    count_of,
    disjoint,
    exact_cover,
    infer,
    together,
)
from sleuth.beliefs.engines.base import EngineOptions, Unsupported
from sleuth.beliefs.engines.placements.exact_cover import ENGINE, Cover
from sleuth.beliefs.engines.placements.solution import build
from sleuth.data.errors import ContradictionError, CostError

Square = tuple[int, int]


def fleet(side: int, lengths: Sequence[int]) -> list[Choice]:
    """Ships on a square board, each in one of its placements."""
    ships: list[Choice] = []
    for number, length in enumerate(lengths):
        across = [
            tuple((row, column + part) for part in range(length))
            for row in range(side)
            for column in range(side - length + 1)
        ]
        down = [tuple((column, row) for row, column in place) for place in across]
        ships.append(Choice(f"ship {number}", dict.fromkeys([*across, *down], 1.0)))
    return ships


def hit(ships: Sequence[Choice], square: Square) -> Condition:
    return any_of(ship.satisfies(lambda squares: square in squares) for ship in ships)


def ways(belief: Posterior, choices: Sequence[Choice]) -> float:
    """How many placements are left, where all are as likely."""
    return math.exp(belief.log_evidence + sum(math.log(len(each.options)) for each in choices))


def cover(choices: Sequence[Choice], given: Sequence[Any]) -> Cover:
    found = infer(Model(*choices), given, method="exact_cover").solution
    assert isinstance(found, Cover)
    return found


# -- against enumeration


def random_declaration(
    rng: np.random.Generator,
) -> tuple[list[Choice], list[Condition | Evidence], list[Feature]]:
    """Some choices, what is known of how many of their values hold, and features to ask about."""
    choices = [
        Choice(f"c{number}", {value: float(rng.integers(1, 5)) for value in range(size)})
        for number, size in enumerate(rng.integers(2, 6, rng.integers(2, 6)))
    ]
    features: list[Feature] = [choice.value() for choice in choices]

    def some() -> list[Condition]:
        found = [
            choice.among([value for value in choice.options if rng.random() < 0.4] or [0])
            for choice in choices
            if rng.random() < 0.7
        ]
        return found or [choices[0].equals(0)]

    one = count_of(choices[0].equals(0), choices[1].equals(1)).satisfies(lambda n: n <= 1)
    given: list[Condition | Evidence] = [one]
    for _ in range(rng.integers(0, 7)):
        count = count_of(some())
        features.append(count)
        given.append(
            [
                count.satisfies(lambda n: n <= 1),
                count.satisfies(lambda n: n <= 1),
                count.equals(1),
                count.at_least(1),
                count.satisfies(lambda n: n <= 2),
                count.satisfies(lambda n: n <= 1).observed(reliability=0.9),
                count.satisfies(lambda n: n % 2 == 0),
                together(*choices[:2]).satisfies(lambda both: sum(both) % 3 != 1),
            ][rng.integers(8)]
        )
    return choices, given, features


def agree(one: Posterior, other: Posterior, features: Sequence[Feature]) -> None:
    assert one.log_evidence == pytest.approx(other.log_evidence, abs=1e-10)
    assert np.abs(one.solution.expected() - other.solution.expected()).max() < 1e-12
    pairs = [together(*pair) for pair in pairwise(features)]
    for feature in [*features, *pairs]:
        expected, found = one.marginal(feature), other.marginal(feature)
        assert set(found) == set(expected)  # what is impossible is not merely unlikely
        assert all(abs(found[value] - expected[value]) < 1e-12 for value in expected)
    worlds = {tuple(world) for world in one.solution.worlds.tolist()}  # pyright: ignore[reportAttributeAccessIssue]
    listed = other.solution.listed(1_000_000)  # pyright: ignore[reportAttributeAccessIssue]
    assert {tuple(world) for world in listed.chosen.tolist()} == worlds
    drawn = other.solution.draw(20, np.random.default_rng(1)).tolist()
    assert {tuple(world) for world in drawn} <= worlds


@pytest.mark.parametrize("seed", range(60))
def test_declarations_of_all_kinds_are_as_enumerated(seed: int) -> None:
    rng = np.random.default_rng(seed)
    choices, given, features = random_declaration(rng)
    model = Model(*choices)
    try:
        listed = infer(model, given, method="enumeration")
    except ContradictionError:
        with pytest.raises(ContradictionError):
            infer(model, given, method="exact_cover")
        return
    found = infer(model, given, method="exact_cover")
    agree(listed, found, features)
    about = together(*choices[:2])
    asked = [Question(each, np.arange(len(each.values)), each.values) for each in features]
    gains = listed.information_gain(asked, about=about)
    assert found.information_gain(asked, about=about) == pytest.approx(gains, abs=1e-12)
    more = any_of(choices[0].equals(0), choices[-1].equals(1))
    for seen in (more, ~more, more.observed(reliability=0.7)):
        try:
            after = listed.observe(seen)
        except ContradictionError:
            with pytest.raises(ContradictionError):
                found.observe(seen)
            continue
        agree(after, found.observe(seen), features)


def test_a_fleet_after_answers_is_as_enumerated() -> None:
    ships = fleet(5, (3, 2, 2))
    model, apart = Model(*ships), disjoint(ships)
    squares = [(row, column) for row in range(5) for column in range(5)]
    features = [hit(ships, square) for square in squares]
    rng = np.random.default_rng(3)
    seen: list[Condition] = []
    for number in rng.permutation(25)[:8].tolist():
        said = features[number]
        seen.append(said if number % 3 == 0 else ~said)
        try:
            listed = infer(model, [*apart, *seen], method="enumeration")
        except ContradictionError:
            seen.pop()
            continue
        agree(listed, infer(model, [*apart, *seen], method="exact_cover"), features[:6])
    assert len(seen) > 4


def test_evidence_beyond_the_floats() -> None:
    """Products of weights leave the floats; what is likely after all evidence does not."""
    pieces = [
        Choice(f"piece {number}", {place: 1e-130 ** abs(place - number % 3) for place in range(3)})
        for number in range(4)
    ]
    given = disjoint(pieces[:3])
    spread = count_of(piece.equals(0) for piece in pieces).at_least(2)
    for seen in ([*given], [*given, spread], [*given, spread.observed(reliability=1e-250)]):
        one = infer(Model(*pieces), seen, method="enumeration")
        other = infer(Model(*pieces), seen, method="exact_cover")
        assert other.problem.strong
        assert other.log_evidence == pytest.approx(one.log_evidence, rel=1e-12)
        for piece in pieces:
            expected = one.marginal(piece)
            assert other.marginal(piece) == pytest.approx(expected, rel=1e-9, abs=1e-250)


def test_draws_are_as_likely_as_the_placements() -> None:
    ships = fleet(3, (2, 2))
    given = [*disjoint(ships), hit(ships, (1, 1))]
    weighed = [*given, hit(ships, (0, 0)).observed(reliability=0.8)]
    found = cover(ships, weighed)
    listed = found.listed(1_000)
    assert listed is not None
    shares = listed.weights / listed.weights.sum()
    drawn = found.draw(4_000, np.random.default_rng(2)).tolist()
    counts = Counter(tuple(world) for world in drawn)
    seen = [counts[tuple(world)] for world in listed.chosen.tolist()]
    assert sum(seen) == 4_000
    assert chisquare(seen, 4_000 * shares).pvalue > 0.001


def test_what_is_drawn_does_not_depend_on_the_steps() -> None:
    ships = fleet(4, (3, 2))
    seen = [~hit(ships, (0, 0)), hit(ships, (2, 2))]
    at_once = infer(Model(*ships), [*disjoint(ships), *seen], method="exact_cover")
    step_by_step = infer(Model(*ships), disjoint(ships), method="exact_cover")
    for each in seen:
        step_by_step = step_by_step.observe(each)
    assert isinstance(step_by_step.solution, Cover)
    assert step_by_step.solution.added
    one, other = (
        belief.solution.draw(50, np.random.default_rng(5)) for belief in (at_once, step_by_step)
    )
    assert (one == other).all()


# -- against counts that are known


def dominoes(rows: int, columns: int) -> list[Choice]:
    """Every place where a domino can lie, with one or without."""
    found: list[Choice] = []
    for row in range(rows):
        for column in range(columns):
            for other in ((row, column + 1), (row + 1, column)):
                if other[0] < rows and other[1] < columns:
                    place = (row, column), other
                    found.append(Choice(f"{place}", [(), place]))
    return found


#: The twelve pentominoes.
PIECES = {
    "F": "011 110 010", "I": "11111", "L": "1000 1111", "N": "0111 1100", "P": "111 110",
    "T": "111 010 010", "U": "101 111", "V": "100 100 111", "W": "100 110 011",
    "X": "010 111 010", "Y": "0100 1111", "Z": "110 010 011",
}  # fmt: skip


def pentominoes(rows: int, columns: int) -> list[Choice]:
    """The twelve pieces, each wherever and however it can lie on a board."""
    found: list[Choice] = []
    for name, drawn in PIECES.items():
        piece = [
            (row, column)
            for row, line in enumerate(drawn.split())
            for column, square in enumerate(line)
            if square == "1"
        ]
        lies: dict[tuple[Square, ...], None] = {}
        for _ in range(4):
            piece = [(column, -row) for row, column in piece]
            for sign in (1, -1):
                turned = [(sign * row, column) for row, column in piece]
                top, left = (min(square[axis] for square in turned) for axis in (0, 1))
                lies[tuple(sorted((row - top, column - left) for row, column in turned))] = None
        places = [
            tuple((row + down, column + right) for row, column in lie)
            for lie in lies
            for down in range(rows - max(row for row, _ in lie))
            for right in range(columns - max(column for _, column in lie))
        ]
        found.append(Choice(name, places))
    return found


def latin(order: int) -> tuple[list[Choice], list[Evidence]]:
    numbers = range(order)
    squares = [
        Choice(f"{row} {column}", [(row, column, symbol) for symbol in numbers])
        for row in numbers
        for column in numbers
    ]

    def covers(value: Any) -> list[Any]:
        row, column, symbol = value
        return [("row", row, symbol), ("column", column, symbol)]

    return squares, exact_cover(squares, covers=covers)


def queens(order: int) -> tuple[list[Choice], list[Evidence]]:
    rows = [Choice(f"{row}", [(row, column) for column in range(order)]) for row in range(order)]

    def covers(at: Any) -> list[Any]:
        return [("column", at[1]), ("up", at[0] + at[1]), ("down", at[0] - at[1])]

    return rows, disjoint(rows, covers=covers)


def tiled(choices: list[Choice]) -> tuple[list[Choice], list[Evidence]]:
    return choices, exact_cover(choices)


@pytest.mark.parametrize(
    "declared, count",
    [
        (lambda: tiled(dominoes(8, 8)), 12_988_816),
        (lambda: tiled(pentominoes(3, 20)), 8),
        (lambda: latin(4), 576),
        (lambda: latin(5), 161_280),
        (lambda: queens(8), 92),
    ],
    ids=["dominoes", "pentominoes", "latin 4", "latin 5", "queens"],
)
def test_known_numbers_of_covers(
    declared: Callable[[], tuple[list[Choice], list[Evidence]]], count: int
) -> None:
    choices, given = declared()
    belief = infer(Model(*choices), given, method="exact_cover")
    assert ways(belief, choices) == pytest.approx(count, rel=1e-12)


def test_a_puzzle_that_no_other_engine_can_afford_is_solved_by_itself() -> None:
    choices, given = tiled(pentominoes(3, 20))
    belief = infer(Model(*choices), given)
    assert belief.method == "exact_cover"
    # Two solutions, each in four positions: a piece lies as often on either side.
    cross = belief.marginal(choices[list(PIECES).index("X")])
    assert sum(cross.values()) == pytest.approx(1.0)
    for squares, share in cross.items():
        turned = tuple(sorted((row, 19 - column) for row, column in squares))
        assert cross[turned] == pytest.approx(share)


@pytest.mark.skipif("SLEUTH_FLEET" not in os.environ, reason="takes 1.5 GB and some seconds")
def test_the_usual_fleet_on_the_empty_board() -> None:
    """As many placements as are published; the board's symmetries are those of the answers."""
    ships = fleet(10, (5, 4, 3, 3, 2))
    belief = infer(Model(*ships), disjoint(ships))
    assert belief.method == "exact_cover"
    assert round(ways(belief, ships)) == 30_093_975_536
    chances = np.array(
        [
            [belief.probability(hit(ships, (row, column))) for column in range(10)]
            for row in range(10)
        ]
    )
    assert chances.sum() == pytest.approx(17.0)
    for turned in (chances.T, chances[::-1], chances[:, ::-1]):
        assert np.abs(chances - turned).max() < 1e-12
    assert chances[0, 0] == pytest.approx(0.0800, abs=5e-5)
    assert belief.solution.draw(10, np.random.default_rng(1)).shape == (10, 5)


def test_three_ships_on_the_empty_board() -> None:
    ships = fleet(10, (5, 4, 3))
    belief = infer(Model(*ships), disjoint(ships), method="exact_cover")
    # Pairs that do not overlap, counted one by one, and for each the third ships that fit.
    apart = 0
    masks = [[sum(1 << (10 * r + c) for r, c in place) for place in ship.options] for ship in ships]
    third = np.array([[mask >> 50, mask & (1 << 50) - 1] for mask in masks[2]])
    for one in masks[0]:
        for other in masks[1]:
            if not one & other:
                both = one | other
                high, low = third[:, 0] & (both >> 50), third[:, 1] & (both & (1 << 50) - 1)
                apart += int(((high | low) == 0).sum())
    assert round(ways(belief, ships)) == apart


def test_a_fleet_on_the_usual_board_after_some_answers() -> None:
    """Misses everywhere but on the left and a hit: what is left is as counted ship by ship."""
    ships = fleet(10, (5, 4, 3, 3, 2))
    missed = [(row, column) for row in range(10) for column in range(10) if column > 2]
    seen = [*(~hit(ships, square) for square in missed), hit(ships, (4, 1))]
    belief = infer(Model(*ships), [*disjoint(ships), *seen])
    assert belief.method == "exact_cover"
    chances = {
        (row, column): belief.probability(hit(ships, (row, column)))
        for row in range(10)
        for column in range(3)
    }
    assert chances[4, 1] == 1.0
    assert sum(chances.values()) == pytest.approx(17.0)
    for row, column in chances:
        assert chances[row, column] == pytest.approx(chances[row, 2 - column], abs=1e-12)
    sunk = belief.observe(ships[4].equals(((4, 1), (5, 1))))
    assert sunk.probability(hit(ships, (5, 1))) == 1.0
    assert sunk.log_evidence < belief.log_evidence


# -- what it costs


def test_other_models_are_left_to_other_engines() -> None:
    coins = Model(*(Choice(f"coin {number}", [0, 1]) for number in range(70)))
    cost = ENGINE.cost(coins.problem)
    assert isinstance(cost, Unsupported)
    assert "disjoint" in cost.reason
    small = fleet(3, (2,))
    assert infer(Model(*small)).method != "exact_cover"


def test_what_is_too_wide_says_how_wide_it_is() -> None:
    ships = fleet(5, (3, 2))
    problem = infer(Model(*ships), disjoint(ships), method="enumeration").problem
    with pytest.raises(CostError, match=r"states after \d+ of \d+ layers"):
        build(problem, most_edges=100)
    assert ENGINE.solve(problem, EngineOptions()).edges > 100


def test_ships_that_share_no_corner_do_not_touch() -> None:
    def places(length: int) -> list[tuple[tuple[int, int], ...]]:
        across = [
            tuple((row, first + part) for part in range(length))
            for row in range(5)
            for first in range(6 - length)
        ]
        return [*across, *(tuple((column, row) for row, column in place) for place in across)]

    def corners(place: Any) -> list[tuple[int, int]]:
        steps = (0, 1)
        return sorted(
            {(row + down, col + on) for row, col in place for down in steps for on in steps}
        )

    def sides(place: Any) -> list[tuple[int, int]]:
        # Twice the middle of each side.
        steps = ((1, 0), (-1, 0), (0, 1), (0, -1))
        return sorted({(2 * row + x, 2 * col + y) for row, col in place for x, y in steps})

    def near(one: Any, other: Any, most: int) -> bool:
        gaps = ((abs(r - s), abs(c - d)) for r, c in one for s, d in other)
        return any(max(gap) <= 1 and sum(gap) <= most for gap in gaps)

    ships = [Choice(f"ship {place}", places(length)) for place, length in enumerate([3, 2, 2])]
    fleets = list(product(*(ship.options for ship in ships)))
    for covers, most in ((corners, 2), (sides, 1)):
        apart = [
            fleet for fleet in fleets if not any(near(*two, most) for two in combinations(fleet, 2))
        ]
        belief = infer(Model(*ships), disjoint(ships, covers=covers), method="exact_cover")
        assert math.exp(belief.log_evidence) * len(fleets) == pytest.approx(len(apart))
        first = Counter(fleet[0] for fleet in apart)
        expected = {place: count / len(apart) for place, count in first.items()}
        assert belief.marginal(ships[0]) == pytest.approx(expected)


def test_covers_is_asked_of_every_value() -> None:
    brick = Choice("brick", [(1, 2), (2, 3)])
    with pytest.raises(SleuthError, match="covers says what a value covers"):
        disjoint(brick, covers={(1, 2): [1]})
    with pytest.raises(SleuthError, match="no value of any choice covers this"):
        exact_cover(brick, things=[4])
    with pytest.raises(SleuthError, match="only choices"):
        disjoint([brick.value()])  # pyright: ignore[reportArgumentType]
