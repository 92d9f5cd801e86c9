"""Moves as things to touch: a word after the other, cells of boards, places on maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ....models.play import View
from ...kit.answers.values import Grid, Map, Section, Statement, Tile, Touch, Touches
from ...kit.display import Display
from .texts import OTHER_MOVES

#: Moves that are shown at once; of more, first words are.
MOST_AT_ONCE: Final = 12
#: Moves that have keys.
KEYS: Final = 9
#: What stands between words in a line.
BETWEEN: Final = "|"


@dataclass(frozen=True)
class MoveChoice:
    """The legal moves of one moment, and the words of them that were touched so far.

    Attributes:
        at: How many actions came before: what is touched on an older page counts no more.
        names: The moves: code -> what it is called.
        steps: The same in words that are touched one after the other.
        picked: The words that were touched.
    """

    at: int
    names: dict[int, str]
    steps: dict[int, tuple[str, ...]]
    picked: tuple[str, ...] = ()

    @staticmethod
    def of(display: Display, view: View, at: int, picked: tuple[str, ...] = ()) -> MoveChoice:
        """The moves of who is to move."""
        made = MoveChoice(at, display.said_names(view), display.move_steps(view))
        chosen = replace(made, picked=picked)
        return chosen if chosen.left else made

    @cached_property
    def left(self) -> dict[int, tuple[str, ...]]:
        """The moves that have all these words, each with the words that were not touched."""
        found: dict[int, tuple[str, ...]] = {}
        for code, words in self.steps.items():
            rest = _without(words, self.picked)
            if rest is not None:
                found[code] = rest
        return found

    @cached_property
    def _with(self) -> dict[str, list[int]]:
        """The moves that are left with a word."""
        found: dict[str, list[int]] = {}
        for code, words in self.left.items():
            for word in dict.fromkeys(words):
                found.setdefault(word, []).append(code)
        return found

    def line(self, word: str) -> str:
        """The line of a place that is called by a word; empty where no move goes there."""
        codes = self._with.get(word, [])
        if len(codes) == 1:
            return self._move(codes[0])
        return self._pick((*self.picked, word)) if codes else ""

    def touches(self) -> list[Touches]:
        """The moves to touch: all of them if they are few, else their next words."""
        left, path = self.left, self.picked
        while len(left) > MOST_AT_ONCE:
            # Where all go on alike, there is nothing to choose.
            prefix, *others = _groups(left)
            if others or not prefix:
                break
            path = (*path, *prefix)
            left = {code: words[len(prefix) :] for code, words in left.items()}
        whole = not self.picked and len(self.names) <= MOST_AT_ONCE
        if len(left) <= MOST_AT_ONCE:
            found = [
                Touch(self.names[code] if whole or not words else " ".join(words), self._move(code))
                for code, words in left.items()
            ]
        else:
            found = [self._group(prefix, codes, path) for prefix, codes in _groups(left).items()]
        keyed = [
            replace(touch, key=str(number) if number <= KEYS else "")
            for number, touch in enumerate(found, start=1)
        ]
        parts = [Touches(" ".join(path), tuple(keyed))]
        if self.picked:
            parts.append(Touches("", (Touch(OTHER_MOVES, self._pick(()), "soft", key="Escape"),)))
        return parts

    def pointed(self, statements: Sequence[Statement]) -> list[Statement]:
        """The same statements with boards and maps that can be touched where a move goes."""
        return [self._pointed(each) for each in statements]

    # -- parts

    def _group(self, prefix: tuple[str, ...], codes: list[int], path: tuple[str, ...]) -> Touch:
        if len(codes) == 1:
            words = self.left[codes[0]]
            return Touch(" ".join(words) or self.names[codes[0]], self._move(codes[0]))
        return Touch(f"{' '.join(prefix)} …", self._pick((*path, *prefix)))

    def _pointed(self, statement: Statement) -> Statement:
        match statement:
            case Grid():
                rows = tuple(
                    tuple(
                        self._tile(cell, f"{column.strip()}{row.strip()}")
                        for cell, column in zip(cells, statement.columns, strict=True)
                    )
                    for cells, row in zip(statement.rows, statement.names, strict=True)
                )
                areas = tuple(replace(area, line=self.line(area.name)) for area in statement.areas)
                return replace(statement, rows=rows, areas=areas)
            case Map():
                spots = tuple(replace(spot, line=self.line(spot.name)) for spot in statement.spots)
                return replace(statement, spots=spots)
            case Section():
                return replace(statement, parts=tuple(map(self._pointed, statement.parts)))
            case _:
                return statement

    def _tile(self, cell: Tile | str, name: str) -> Tile | str:
        line = self.line(name)
        if not line:
            return cell
        return replace(cell if isinstance(cell, Tile) else Tile(cell), line=line)

    def _move(self, code: int) -> str:
        return f"move {code} {self.at}"

    def _pick(self, words: tuple[str, ...]) -> str:
        return f"pick {self.at} {BETWEEN.join(words)}".strip()


def _without(words: Sequence[str], picked: Sequence[str]) -> tuple[str, ...] | None:
    """The words but for those that were picked; None if one of these is not among them."""
    left = list(words)
    for word in picked:
        if word not in left:
            return None
        left.remove(word)
    return tuple(left)


def _groups(left: dict[int, tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Moves by the words that those which begin alike have in common."""
    first: dict[str, list[int]] = {}
    for code, words in left.items():
        first.setdefault(words[0] if words else "", []).append(code)
    found: dict[tuple[str, ...], list[int]] = {}
    for codes in first.values():
        prefix = left[codes[0]]
        for code in codes[1:]:
            same = 0
            for one, other in zip(prefix, left[code], strict=False):
                if one != other:
                    break
                same += 1
            prefix = prefix[:same]
        found[prefix] = codes
    return found
