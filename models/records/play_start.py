"""The start of a play: its seed, and its first state as plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np

from ...data.checks import is_number
from ...data.errors import RecordError, SettingsError
from ..game import Game, States

MOST_SEEDS: Final = 2**64


def state_to_json(states: States) -> dict[str, Any]:
    """The fields of one state as whole numbers and lists of them."""
    return {name: np.asarray(states[name][0]).tolist() for name in states.dtype.names or ()}


def state_from_json(fields: Mapping[str, Any], game: Game) -> States:
    """The state that :func:`state_to_json` wrote.

    Raises:
        RecordError: A field is missing, unknown, of another shape, or no whole number that fits.
    """
    names = game.state.names or ()
    for name in (*fields, *names):
        if name not in names or name not in fields:
            raise RecordError(
                "unknown field" if name not in names else "the field is missing",
                where="start",
                value=name,
                hint=f"a state of {game.name} has {', '.join(names)}",
            )
    states = game.states(1)
    for name in names:
        kind = game.state[name]
        limits = np.iinfo(kind.base)
        _check_numbers(fields[name], kind.shape, limits.min, limits.max, f"start, field {name!r}")
        states[name][0] = fields[name]
    if not 0 <= states[0].player < game.players:
        raise RecordError(
            "a game starts with a player's move",
            where="start, field 'player'",
            value=int(states[0].player),
        )
    return states


def _check_numbers(
    value: object, shape: tuple[int, ...], lowest: int, highest: int, where: str
) -> None:
    given = value
    if shape:
        listed = cast(list[object], value) if isinstance(value, list) else []
        if len(listed) != shape[0]:
            raise RecordError(f"a list of {shape[0]} is needed", where=where, value=given)
        for place, item in enumerate(listed, start=1):
            _check_numbers(item, shape[1:], lowest, highest, f"{where}, item {place}")
    elif type(value) is not int or not lowest <= value <= highest:
        raise RecordError(
            f"a whole number from {lowest} to {highest} is needed", where=where, value=value
        )


def check_seed(seed: int) -> int:
    """The seed of a play, if it can be one.

    Raises:
        SettingsError: It is no whole number from 0 to 2**64 - 1.
    """
    whole = is_number(seed) and math.isfinite(seed) and int(seed) == seed
    if not whole or not 0 <= seed < MOST_SEEDS:
        raise SettingsError(
            "a seed is a whole number from 0 to 2**64 - 1", value=seed, hint="write seed=0"
        )
    return int(seed)
