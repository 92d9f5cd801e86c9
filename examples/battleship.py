"""Battleship: where to shoot next at three ships on a board of nine by nine?

A ship lies in one of its placements, and no two ships share a field. All are counted exactly.
"""

from __future__ import annotations

from itertools import combinations, product

from sleuth import Choice, Condition, Model, Posterior, any_of, infer, together

SIDE = 9
LENGTHS = {"carrier": 5, "cruiser": 4, "submarine": 3}
FIELDS = [f"{row}{column}" for row, column in product("abcdefghi"[:SIDE], range(1, SIDE + 1))]


def placements(length: int) -> list[tuple[str, ...]]:
    """The fields of a ship, wherever it may lie."""
    rows = [FIELDS[SIDE * row : SIDE * (row + 1)] for row in range(SIDE)]
    lines = [*rows, *([*column] for column in zip(*rows, strict=True))]
    return [
        tuple(line[first : first + length]) for line in lines for first in range(SIDE - length + 1)
    ]


ships = [Choice(name, placements(length)) for name, length in LENGTHS.items()]
where = together(*(ship.value() for ship in ships))
apart = [
    together(one.value(), other.value()).satisfies(lambda both: not {*both[0]} & {*both[1]})
    for one, other in combinations(ships, 2)
]

#: Shots, and whether they hit.
SHOTS = (("e5", False), ("d4", True), ("c4", False), ("d3", True), ("d2", False))


def hit(field: str) -> Condition:
    """Whether a ship lies on a field."""
    return any_of(ship.value().satisfies(lambda fields: field in fields) for ship in ships)


def after(shots: tuple[tuple[str, bool], ...]) -> Posterior:
    """What follows from some shots."""
    seen = [hit(field) if struck else ~hit(field) for field, struck in shots]
    return infer(Model(*ships), [*apart, *seen])


def main() -> None:
    for number in range(len(SHOTS) + 1):
        belief = after(SHOTS[:number])
        shot = {field for field, _ in SHOTS[:number]}
        chances = {field: belief.probability(hit(field)) for field in FIELDS if field not in shot}
        best = max(chances, key=lambda field: chances[field])
        print(f"{number} shots: {belief.entropy(where):.2f} bits, {best} hits {chances[best]:.3f}")


if __name__ == "__main__":
    main()
