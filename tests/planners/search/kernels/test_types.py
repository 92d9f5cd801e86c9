"""What simulations read and write is typed alike in all games, so that it is compiled once."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from sleuth import game
from sleuth.planners.search.kernels.work import Worlds
from sleuth.planners.search.runs.branch import empty_arguments


def types_of(name: str) -> tuple[Any, list[Any]]:
    """The type of the states, and those of the tree, of what is known, and of all else."""
    worlds, *others = (numba.typeof(each) for each in empty_arguments(game(name)))
    return worlds, others


@pytest.mark.parametrize("name", ["leduc_poker", "cheat", "clue", "saboteur", "scotland_yard"])
def test_only_states_have_a_type_of_the_game(name: str) -> None:
    worlds, others = types_of(name)
    kuhns, same = types_of("kuhn_poker")
    assert worlds.instance_class is Worlds
    assert worlds != kuhns
    assert others == same
