"""Numbers of slots and sites as they are told to people: holders, tables, drawn worlds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...data.checks import whole_number
from ...data.errors import EvidenceError, SettingsError
from ..arrays.layout import Floats, Integers, Layout, number_type
from ..engines.base import MOST_DRAWN, refuse_draw
from ..language.holders import holders_of
from ..language.variables import Choice, Deal
from ..language.walk import Walk
from ..modelling.model import Model

World = dict[str, Any]

#: Most places of items that are told in words at once.
MOST_TOLD: Final = 10_000_000


def public_slots(layout: Layout) -> Any:
    """Number of the holder (or of the value) behind every slot."""
    found = layout.cache.get("public")
    if found is None:
        found = np.zeros(layout.slot_count, dtype=number_type(layout.slot_count))
        number: dict[str, int] = {}
        for name in layout.values:
            slots = layout.slots[(name, name)]
            found[list(slots)] = np.arange(len(slots))
        for holder in layout.holders:
            owner, _ = holder
            found[list(layout.slots[holder])] = number.get(owner, 0)
            number[owner] = number.get(owner, 0) + 1
        layout.cache["public"] = found
    return found


def numbers_of_columns(layout: Layout) -> list[Integers]:
    """For every column of drawn worlds the numbers that can stand there, in ascending order."""
    public = public_slots(layout)
    return [
        np.unique(public[np.flatnonzero(layout.allowed[site])]) for site in column_sites(layout)
    ]


def column_sites(layout: Layout) -> Integers:
    """The site of every column of drawn worlds, shape (columns,)."""
    return layout.card_sites if layout.columns is None else layout.card_sites[layout.columns]


def in_columns(layout: Layout, rows: Any) -> Any:
    """Drawn worlds as numbers of holders in columns, from the slot of every physical item."""
    numbers = public_slots(layout)[rows]
    return numbers if layout.columns is None else numbers[:, layout.columns]


def world_of(model: Model, layout: Layout, row: Any) -> World:
    """A drawn world, given by the slot of every physical item, in words."""
    return world_of_numbers(model, layout, public_slots(layout)[row])


def world_of_numbers(model: Model, layout: Layout, row: Any) -> World:
    """A world, given by the number of the holder or value of every physical item, in words."""
    world: World = {}
    for variable in model.variables:
        if isinstance(variable, Deal):
            world[variable.name] = {holder: [] for holder in holders_of(layout, variable.name)}
        elif isinstance(variable, Walk):
            world[variable.name] = []
    for card in range(len(row)) if layout.columns is None else layout.columns:
        owner, item = layout.site_names[int(layout.card_sites[card])]
        variable = model.variable(owner)
        number = int(row[card])
        if isinstance(variable, Choice):
            world[owner] = variable.options[number]
        elif isinstance(variable, Walk):
            world[owner].append(variable.positions[number])
        else:
            world[owner][holders_of(layout, owner)[number]].append(item)
    return world


def each_once(
    rows: Any, shares: Floats, layout: Layout, names: Sequence[tuple[str, str]]
) -> tuple[Any, Floats]:
    """Listed worlds, as numbers of holders, each in one row: what is alike is put together.

    Copies of one item are in ascending order of their holders. A holder may have several slots, of
    the holders that were merged into it, and identical copies are told apart once some were seen.

    Args:
        rows: Number of the holder of every physical item, shape (worlds, columns).
        shares: How likely each is, shape (worlds,).
        layout: Where they are worlds of.
        names: Variable and item of every column.
    """
    columns: dict[tuple[str, str], list[int]] = {}
    for column, name in enumerate(names):
        columns.setdefault(name, []).append(column)
    alike = [places for places in columns.values() if len(places) > 1]
    for places in alike:
        rows[:, places] = np.sort(rows[:, places], axis=1)
    merged = any(
        (layout.allowed[:, slots].sum(axis=1) > 1).any()
        for slots in layout.slots.values()
        if len(slots) > 1 and layout.capacity[slots[0]] >= 0
    )
    if not (alike or merged):
        return rows, shares
    rows = np.ascontiguousarray(rows)
    worlds = rows.view(np.dtype((np.void, rows.shape[1] * rows.itemsize))).ravel()
    _, first, number = np.unique(worlds, return_index=True, return_inverse=True)
    if len(first) == len(rows):
        return rows, shares
    # In the order in which they first come.
    order = np.argsort(first)
    together: Floats = np.bincount(number, weights=shares).astype(np.float64)
    return rows[first[order]], together[order]


def table_plan(layout: Layout, name: str) -> tuple[list[str], list[str], Floats | None, Floats]:
    """Items and holders of a deal, and 0/1 matrices that add up sites and slots of each.

    There is no matrix for the sites where every site is an item of its own.
    """
    items = [item for owner, item in layout.sites if owner == name]
    holders = holders_of(layout, name)
    if not items or not holders:
        raise EvidenceError("unknown deal", value=name)
    rows = np.zeros((len(items), layout.site_count))
    for place, item in enumerate(items):
        rows[place, list(layout.sites[(name, item)])] = 1.0
    columns = np.zeros((layout.slot_count, len(holders)))
    for place, holder in enumerate(holders):
        columns[list(layout.slots[(name, holder)]), place] = 1.0
    return items, holders, None if np.array_equal(rows, np.eye(*rows.shape)) else rows, columns


def checked_draw(
    n: int, rng: np.random.Generator, layout: Layout, *, most: int = MOST_DRAWN
) -> tuple[int, np.random.Generator]:
    """The arguments of a draw, where there is room for so many numbers.

    Raises:
        SettingsError: If ``n`` is no whole number >= 0, or too large, or ``rng`` is no generator.
    """
    n = whole_number(n, "n", least=0)
    refuse_draw(n, len(layout.card_sites), most=most)
    if not isinstance(rng, np.random.Generator):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "a source of randomness is needed",
            value=rng,
            hint="write np.random.default_rng(seed)",
        )
    return n, rng
