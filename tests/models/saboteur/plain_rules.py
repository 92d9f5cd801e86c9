"""The mine of Saboteur once more: slow, in plain Python, and written from the rules alone."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "data" / "saboteur"
STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
BACK = {"N": "S", "S": "N", "E": "W", "W": "E"}
GOAL_PLACES = ((8, -2), (8, 0), (8, 2))
INFINITE = 1_000

Cell = tuple[int, int]


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PATH_ROWS = rows("path_cards.csv")


def openings(row: dict[str, str], *, turned: bool) -> frozenset[str]:
    """The sides with a way out, as letters."""
    upright = {
        letter
        for letter, side in zip("NESW", ("north", "east", "south", "west"), strict=True)
        if row[side] == "1"
    }
    return frozenset(BACK[letter] for letter in upright) if turned else frozenset(upright)


class PlainMine:
    """What lies where, with the start at (0, 0), x to the east and y to the south."""

    def __init__(self, state: Any, rules: Any) -> None:
        self.width = int(rules.width)
        self.start_x, self.start_y = int(rules.start) % self.width, int(rules.start) // self.width
        self.cells = [self.place(cell) for cell in range(int(rules.cells))]
        self.board = frozenset(self.cells)
        self.open: dict[Cell, frozenset[str]] = {}
        self.through: dict[Cell, bool] = {}
        self.face_down: set[Cell] = set()
        for cell, place in enumerate(self.cells):
            laid = int(state.board[cell])
            if laid == 0:
                continue
            if (laid - 1) // 2 == len(PATH_ROWS):
                self.face_down.add(place)
                continue
            row = PATH_ROWS[(laid - 1) // 2]
            self.open[place] = openings(row, turned=(laid - 1) % 2 == 1)
            self.through[place] = row["kind"] != "dead_end"

    def place(self, cell: int) -> Cell:
        return cell % self.width - self.start_x, cell // self.width - self.start_y

    def beside(self, place: Cell, side: str) -> Cell:
        return place[0] + STEP[side][0], place[1] + STEP[side][1]

    def joined(self) -> set[Cell]:
        """Where a way of a card leads that is joined to the start: all ways, one by one."""
        found: set[Cell] = set()
        ways: list[tuple[Cell, ...]] = [((0, 0),)]
        while ways:
            way = ways.pop()
            found.add(way[-1])
            for side in self.open[way[-1]]:
                there = self.beside(way[-1], side)
                if there in found or not self.through.get(there, False):
                    continue
                if BACK[side] in self.open[there]:
                    ways.append((*way, there))
        return found

    def fits(self, place: Cell, sides: frozenset[str]) -> bool:
        """Whether a card fits all that lies around it."""
        for side in "NESW":
            there = self.beside(place, side)
            if there in self.open and (side in sides) != (BACK[side] in self.open[there]):
                return False
        return True

    def placements(self, card: int, placing: str) -> set[tuple[Cell, frozenset[str]]]:
        """Where a path card can be laid, and with which openings."""
        joined = self.joined()
        found: set[tuple[Cell, frozenset[str]]] = set()
        for turned in (False, True):
            sides = openings(PATH_ROWS[card], turned=turned)
            for place in self.cells:
                if place in self.open or place in self.face_down or not self.fits(place, sides):
                    continue
                neighbours = {side: self.beside(place, side) for side in "NESW"}
                if placing == "touches":
                    begins = any(there in self.open for there in neighbours.values())
                else:
                    among = joined if placing == "joined" else set(self.open)
                    begins = any(
                        there in among and BACK[side] in self.open[there]
                        for side, there in neighbours.items()
                        if side in sides
                    )
                if begins:
                    found.add((place, sides))
        return found

    def missing(self, goal: Cell) -> int:
        """How many cards are missing to a goal that lies face down: from the start, step by step,
        until nothing gets any better."""
        if goal not in self.face_down:
            return INFINITE
        best: dict[Cell, int] = {(0, 0): 0}
        changed = True
        while changed:
            changed = False
            for place, cards in list(best.items()):
                if place == goal:
                    continue
                for side in self.open.get(place, "NESW"):
                    there = self.beside(place, side)
                    if there not in self.board or (there in self.face_down and there != goal):
                        continue
                    if there in self.open:
                        if not self.through[there] or BACK[side] not in self.open[there]:
                            continue
                        more = 0
                    else:
                        more = 0 if there == goal else 1
                    if cards + more < best.get(there, INFINITE):
                        best[there] = cards + more
                        changed = True
        return best.get(goal, INFINITE)
