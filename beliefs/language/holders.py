"""The places of a holder on a layout, found by its name."""

from __future__ import annotations

from ...data.errors import EvidenceError, join_hints, meant
from ..arrays.layout import HolderName, Layout
from .evidence import Merge, Reveal, Split

Names = tuple[HolderName, ...]


def holders_of(layout: Layout, deal: str) -> list[str]:
    """Present holders of a deal, in the order of their numbers."""
    return [holder for owner, holder in layout.holders if owner == deal]


def slots_of(layout: Layout, deal: str, holder: str, *, asked: str = "") -> tuple[int, ...]:
    """The slots of a holder.

    Args:
        layout, deal, holder: Where, and which one.
        asked: What it is looked for, in words.

    Raises:
        EvidenceError: There is no such holder now; with the present ones.
    """
    found = layout.slots.get((deal, holder))
    if found is None:
        present = holders_of(layout, deal)
        shown = f"present holders: {', '.join(present)}"
        raise EvidenceError(
            f"{asked}: there is no such holder now" if asked else "there is no such holder now",
            value=holder,
            hint=join_hints(meant(holder, present), shown) if present else "",
        )
    return found


def split_slots(layout: Layout, move: Split) -> tuple[int, ...]:
    """The slots of the holder that items leave.

    Raises:
        EvidenceError: It is unknown, or has too few; or the new one exists.
    """
    slots = slots_of(layout, move.deal, move.source)
    size = int(layout.capacity[list(slots)].sum())
    if move.count > size:
        raise EvidenceError(
            f"{move.source!r} has only {size} items",
            value=move.count,
            hint=f"split off at most {size}, or merge others into {move.source!r} first",
        )
    if (move.deal, move.holder) in layout.slots:
        raise EvidenceError(
            "a new holder needs a new name",
            value=move.holder,
            hint="number them, as in 'drawn 7', or merge the old one first",
        )
    return slots


def merged_slots(layout: Layout, move: Merge) -> list[int]:
    """The slots of all holders that become one.

    Raises:
        EvidenceError: One is unknown; or another holder has the name of the one.
    """
    slots: list[int] = []
    for holder in dict.fromkeys(move.holders):
        slots.extend(slots_of(layout, move.deal, holder))
    if (move.deal, move.into) in layout.slots and move.into not in move.holders:
        raise EvidenceError(
            "this holder exists and is not among those merged",
            value=move.into,
            hint=f"name it as well: merge([{move.into!r}, ...], {move.into!r})",
        )
    return slots


def revealed_slots(layout: Layout, move: Reveal) -> tuple[int, ...]:
    """The slots of the holder that is seen.

    Raises:
        EvidenceError: It is unknown, or has another number of items.
    """
    slots = slots_of(layout, move.deal, move.holder)
    size = int(layout.capacity[list(slots)].sum())
    if sum(move.contents.values()) != size:
        raise EvidenceError(
            f"{move.holder!r} has {size} items; all of them must be revealed",
            value=dict(move.contents),
            hint="split off those that were seen first; what is known of the others is evidence, "
            "such as deal.holds(...)",
        )
    return slots


def order_after(order: Names, move: Merge, declared: Names) -> Names:
    """Names of holders after a merge, in the order in which they are numbered.

    Declared holders stand in the order of the declaration, as long as they exist; those that moves
    made stand behind them, in the order in which they were made.

    Args:
        order: Those before it.
        move: The merge.
        declared: Those of the declaration.
    """
    into: HolderName = move.deal, move.into
    gone = {(move.deal, holder) for holder in move.holders} - {into}
    left = [name for name in order if name not in gone]
    if into in left:
        return tuple(left)
    place = len(left)
    if into in declared:
        before = declared[: declared.index(into)]
        place = sum(name in before for name in left)
    return (*left[:place], into, *left[place:])
