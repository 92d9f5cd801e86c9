"""Minesweeper: which covered field is safest, on a board of five by five with five mines?"""

from __future__ import annotations

from itertools import product

from sleuth import Deal, Evidence, Model, Posterior, infer

SIDE, MINES = 5, 5
FIELDS = [f"{row}{column}" for row, column in product("abcde", "12345")]

board = Deal(FIELDS, holders={"mined": MINES, "free": len(FIELDS) - MINES})

#: Fields that were opened, and the number that each showed.
OPENED = {"a1": 0, "a2": 1, "b1": 1, "b2": 2, "e5": 1, "c2": 1}


def neighbours(field: str) -> list[str]:
    """The fields around a field."""
    row, column = ord(field[0]), int(field[1])
    around = (
        f"{chr(row + down)}{column + right}"
        for down, right in product((-1, 0, 1), repeat=2)
        if (down, right) != (0, 0)
    )
    return [each for each in around if each in FIELDS]


def after(opened: dict[str, int]) -> Posterior:
    """What follows from the fields that were opened."""
    given: list[Evidence] = []
    for field, number in opened.items():
        given.append(board.holds("free", field, because=f"{field} was opened"))
        mines = board.count("mined", neighbours(field))
        given.append(mines.equals(number).observed(because=f"{field} shows {number}"))
    return infer(Model(board), given)


def main() -> None:
    belief = after(OPENED)
    shares = belief.table(board)
    for row in "abcde":
        print("  ".join(
            f" {OPENED[field]}  " if (field := f"{row}{column}") in OPENED
            else f"{shares[field].get('mined', 0.0):.2f}"
            for column in "12345"
        ))  # fmt: skip
    covered = [field for field in FIELDS if field not in OPENED]
    safest = min(covered, key=lambda field: shares[field].get("mined", 0.0))
    print("safest:", safest)
    if shares[safest].get("mined", 0.0) == 0.0:
        print("because:", belief.explain(board.holder_of(safest).equals("free")))


if __name__ == "__main__":
    main()
