"""The information sets and the histories of a game that is written out, made when asked for.

A game is written out in flat arrays (`TreeArrays`); millions of objects would take gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ...models.game import OVER, Game, States
from .kernels.writing import TreeArrays, empty_arrays

Item = TypeVar("Item")

#: Information sets that are kept once they are made.
_KEPT: Final = 50_000


@dataclass(frozen=True, eq=False)
class InformationSet:
    """All that a player knows when they have to decide.

    Attributes:
        index: Its number.
        player: Who decides.
        actions: Codes of their legal actions.
        masked: The state as they know it, in an array of one.
        start: A state that the game may have started from.
        played: Action codes that lead from there to this information set.
        depth: How many actions those are.
    """

    index: int
    player: int
    actions: tuple[int, ...]
    masked: States
    start: States
    played: tuple[int, ...]

    @property
    def depth(self) -> int:
        return len(self.played)


@dataclass(frozen=True, eq=False)
class TreeNode:
    """All that happened up to a decision, or to an end.

    Attributes:
        player: Who decides; ``OVER`` at an end.
        information_set: The number of what they know; -1 at an end.
        after: For each action the number of the history it leads to.
        values: What everybody wins at an end; None before.
    """

    player: int
    information_set: int
    after: tuple[int, ...]
    values: NDArray[np.float64] | None


class _Items(Sequence[Item]):
    """A sequence whose items are made when they are asked for."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self._made(at) for at in range(self._count)[index]]
        return self._made(range(self._count)[index])

    def __iter__(self) -> Iterator[Item]:
        return map(self._made, range(self._count))

    def _made(self, index: int) -> Item:
        raise NotImplementedError


class InformationSets(_Items[InformationSet]):
    """The information sets of a tree, in the order in which they were first come by.

    Args:
        game: The game.
        arrays: Its tree.
        roots: The history that each start is.
        starts: These states.
    """

    def __init__(
        self, game: Game, arrays: TreeArrays, roots: Sequence[int], starts: Sequence[States]
    ) -> None:
        super().__init__(len(arrays.keys))
        self._game, self._arrays = game, arrays
        self._roots, self._starts = np.array(roots), starts
        self._kept: dict[int, InformationSet] = {}

    def _made(self, index: int) -> InformationSet:
        if index in self._kept:
            return self._kept[index]
        arrays = self._arrays
        history = int(arrays.firsts[index])
        played: list[int] = []
        place = int(arrays.places[history])
        while place >= 0:
            played.append(int(arrays.actions[place]))
            history = int(arrays.parents[history])
            place = int(arrays.places[history])
        begin, end = arrays.begins[index : index + 2].tolist()
        made = InformationSet(
            index=index,
            player=int(arrays.movers[index]),
            actions=tuple(arrays.actions[begin:end].tolist()),
            masked=self._game.states_of(arrays.sights[index].tobytes()),
            start=self._starts[int(np.searchsorted(self._roots, history))],
            played=tuple(reversed(played)),
        )
        if len(self._kept) < _KEPT:
            self._kept[index] = made
        return made


class TreeNodes(_Items[TreeNode]):
    """The histories of a tree; each stands behind all that can follow it."""

    def __init__(self, arrays: TreeArrays) -> None:
        super().__init__(len(arrays.parents))
        self._arrays = arrays

    def _made(self, index: int) -> TreeNode:
        arrays = self._arrays
        known = int(arrays.sets[index])
        if known < 0:
            return TreeNode(OVER, -1, (), arrays.returns[-1 - known])
        order, begins = self._after
        after = order[begins[index] : begins[index + 1]].tolist()
        return TreeNode(int(arrays.movers[known]), known, tuple(after), None)

    @cached_property
    def _after(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """All histories by the one before, in order, and where those of each begin."""
        parents = self._arrays.parents
        order = np.argsort(parents, kind="stable")
        return order, np.searchsorted(parents[order], np.arange(len(parents) + 1))


def arrays_of(
    game: Game, histories: Sequence[TreeNode], sets: Sequence[InformationSet]
) -> TreeArrays:
    """The flat arrays of a game that is written out in lists; information sets have no keys."""
    places = sum(len(known.actions) for known in sets)
    ends = sum(history.values is not None for history in histories)
    made = empty_arrays(game, len(histories), len(sets), places, ends)
    made.begins[1:] = np.cumsum([len(known.actions) for known in sets])
    for known in sets:
        made.movers[known.index] = known.player
        made.actions[made.begins[known.index] : made.begins[known.index + 1]] = known.actions
    over = 0
    for number, history in enumerate(histories):
        if history.values is not None:
            made.returns[over] = history.values
            over += 1
            made.sets[number] = -over
            continue
        known = history.information_set
        made.sets[number] = known
        made.firsts[known] = number if made.firsts[known] < 0 else made.firsts[known]
        for place, after in enumerate(history.after, start=int(made.begins[known])):
            made.parents[after], made.places[after] = number, place
    for known in sets:
        number = int(made.firsts[known.index])
        made.before[known.index] = -1
        while number >= 0 and (before := int(made.parents[number])) >= 0:
            if made.movers[made.sets[before]] == known.player:
                made.before[known.index] = made.places[number]
                break
            number = before
    return made
