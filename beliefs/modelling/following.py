"""Moves of holders whose contents are followed: only what they may have now is kept."""

from __future__ import annotations

from typing import Final

from ..arrays.contents import Contents, with_whole_items
from ..arrays.problem import Problem
from ..language.evidence import Merge, Reveal, Split
from ..language.holders import merged_slots, revealed_slots, split_slots

#: So few states are followed from the first move on, before other ways are tried.
FEW_STATES: Final = 1 << 12


def follow(problem: Problem, most: int) -> Problem | None:
    """The problem as what its holders may have together; None where that has too many states.

    Args:
        problem: Of deals and choices.
        most: States that are begun with.
    """
    from ..engines.deal_filter import states_of

    if problem.contents is not None:
        return problem
    states = states_of(problem, most)
    return None if states is None else Problem.following(with_whole_items(states))


def followed(problem: Problem, contents: Contents, move: Split | Merge | Reveal) -> Problem:
    """The problem after a move, with only what the holders may have then.

    Raises:
        EvidenceError: A holder is unknown or too small, or shows another number of items.
        UnsupportedError: There are too many states.
    """
    layout = problem.layout
    if isinstance(move, Split):
        slots = split_slots(layout, move)
        return Problem.following(contents.split(slots, (move.deal, move.holder), move.count))
    if isinstance(move, Merge):
        slots = merged_slots(layout, move)
        return Problem.following(contents.merged(slots, (move.deal, move.into)))
    slots = revealed_slots(layout, move)
    wanted = {layout.sites[(move.deal, item)][0]: number for item, number in move.contents.items()}
    return Problem.following(contents.revealed(slots, wanted))
