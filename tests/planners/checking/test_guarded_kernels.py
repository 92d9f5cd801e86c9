"""A kernel that uses what it cannot see is named before compiled code ends the interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from sleuth import HIDDEN, Game, SleuthError, check_game, kernel
from sleuth.kit import generator
from sleuth.models.kernels.plain.twins import throughout
from sleuth.models.small import kuhn_poker as kuhn
from sleuth.planners.checking.guarded_kernels import PLAIN_FILLS, ConformanceError, GuardedKernels


class Tables(NamedTuple):
    strength: Any


#: So far beyond a table that compiled code cannot read there.
FAR = 1_000_000_000


@kernel
def strength(state: Any, player: int, tables: Any) -> float:
    card = state.cards[player]
    return tables.strength[card if card >= 0 else card * FAR]


@kernel
def returns_by_strength(state: Any, tables: Any, values: Any) -> None:
    kuhn.returns(state, tables, values)
    values[0] += 0 * (strength(state, 0, tables) + strength(state, 1, tables))


@kernel
def legal_by_strength(state: Any, tables: Any, actions: Any) -> int:
    return kuhn.legal(state, tables, actions) + int(0 * strength(state, 1 - state.player, tables))


@kernel
def mask_by_strength(state: Any, viewer: int, tables: Any) -> None:
    unused = strength(state, 0, tables) + strength(state, 1, tables)
    state.moves += int(0 * unused)
    kuhn.mask(state, viewer, tables)


@kernel
def fill_by_strength(state: Any, world: Any, tables: Any, random: Any) -> None:
    unused = strength(state, 0, tables) + strength(state, 1, tables)
    state.moves += int(0 * unused)
    kuhn.fill(state, world, tables, random)


@kernel
def observe_beyond(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action + int(0 * tables.strength[state.cards[1 - mover] + FAR])


@kernel
def key_beyond(state: Any, viewer: int, tables: Any) -> int:
    return int(0 * tables.strength[state.cards[1 - viewer] + FAR])


@kernel
def policy_beyond(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    return int(0 * tables.strength[state.cards[1 - state.player] + FAR])


@kernel
def apply_beyond_by_a_die(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    if random[0] % np.uint64(2) == np.uint64(1):
        state.moves += int(0 * tables.strength[FAR])


@kernel
def start_beyond(state: Any, tables: Any, random: Any) -> None:
    kuhn.start(state, tables, random)
    if state.cards[0] == 1:
        state.moves += int(0 * tables.strength[FAR])


@kernel
def fill_beyond_by_world_and_die(state: Any, world: Any, tables: Any, random: Any) -> None:
    kuhn.fill(state, world, tables, random)
    if world[0] == 2 or random[0] == np.uint64(1):
        state.moves += int(0 * tables.strength[FAR])


def broken(**kernels: Any) -> Game:
    return replace(kuhn.kuhn_poker(), tables=Tables(np.ones(3)), **kernels)


#: Kernel -> the game with it, the check that finds it, and words of the message.
HIDDEN_INDEX: dict[str, tuple[Game, str, str]] = {
    "returns": (
        broken(returns=returns_by_strength),
        "own outcome",
        "uses 'cards', which is hidden",
    ),
    "legal": (broken(legal=legal_by_strength), "own moves", "uses 'cards', which is hidden from"),
    "mask": (broken(mask=mask_by_strength), "mask", "uses 'cards', which is hidden from"),
    "fill": (broken(fill=fill_by_strength), "fill", "uses 'cards', which is hidden from"),
    "observe": (broken(observe=observe_beyond), "bounds", "index that is out of bounds"),
    "key": (broken(key=key_beyond), "bounds", "index that is out of bounds"),
    "policy": (broken(policy=policy_beyond), "bounds", "index that is out of bounds"),
    "apply": (broken(apply=apply_beyond_by_a_die), "bounds", "index that is out of bounds"),
    "start": (broken(start=start_beyond), "bounds", "index that is out of bounds"),
}


def complaint(name: str) -> str:
    """What `check_game` says of the game in which this kernel is broken."""
    try:
        check_game(HIDDEN_INDEX[name][0], plays=8)
    except SleuthError as error:
        return str(error)
    return "nothing"


def test_no_kernel_ends_the_interpreter_and_each_is_told() -> None:
    # In a process of its own: if one did, this test fails and the others still run.
    here = Path(__file__)
    lines = f"import sys; sys.path.insert(0, {str(here.parent)!r}); import {here.stem} as t\n"
    lines += "for name in t.HIDDEN_INDEX: print(name, t.complaint(name), sep='|', flush=True)"
    done = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, env=dict(os.environ)
    )
    said = dict(line.split("|", 1) for line in done.stdout.splitlines())
    assert done.returncode == 0, (done.returncode, list(said), done.stderr[-500:])
    for name, (_, check, words) in HIDDEN_INDEX.items():
        assert f"[{check}] {name!r}" in said[name], said[name]
        assert words in said[name], said[name]


def test_what_is_said_of_a_fault_names_the_viewer_and_what_to_write() -> None:
    with pytest.raises(
        ConformanceError, match=r"from first.*let mask show at the end what decides"
    ):
        check_game(broken(returns=returns_by_strength))


# Fields that do not exist


@kernel
def helper_that_is_misspelt(state: Any) -> int:
    return state.moevs


@kernel
def legal_that_is_misspelt(state: Any, tables: Any, actions: Any) -> int:
    state.palyer = 0
    return kuhn.legal(state, tables, actions)


@kernel
def returns_with_a_misspelt_helper(state: Any, tables: Any, values: Any) -> None:
    values[0] = helper_that_is_misspelt(state)


@kernel
def observe_of_misspelt_tables(
    state: Any, action: int, mover: int, viewer: int, tables: Any
) -> int:
    return int(tables.strenght[0])


@pytest.mark.parametrize(
    "game, words",
    [
        (
            broken(legal=legal_that_is_misspelt),
            "'legal' uses 'palyer': the state has no such field; did you mean 'player'?",
        ),
        (
            broken(returns=returns_with_a_misspelt_helper),
            "'returns' calls 'helper_that_is_misspelt', which uses 'moevs': the state has no such"
            " field; did you mean 'moves'?",
        ),
        (
            broken(observe=observe_of_misspelt_tables),
            "'observe' uses 'strenght': the tables have no such field; did you mean 'strength'?",
        ),
    ],
    ids=["field", "helper", "tables"],
)
def test_a_misspelt_field_is_told_with_its_kernel_and_the_nearest_name(
    game: Game, words: str
) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_game(game)
    assert caught.value.check == "kernels"
    assert words in str(caught.value)


# Plain Python


@kernel
def twice(number: int) -> int:
    return 2 * number


@kernel
def falls(number: int) -> int:
    return twice(number) if number < 1 else falls(number - 1)


@pytest.mark.skipif(not hasattr(twice, "py_func"), reason="nothing is compiled")
def test_plain_python_reaches_every_helper() -> None:
    function = throughout(falls)
    assert not hasattr(function, "py_func")
    scope = function.__globals__
    assert not hasattr(scope["twice"], "py_func")
    assert scope["falls"] is function
    assert function(3) == falls(3) == 0
    assert throughout(twice) is twice.py_func  # pyright: ignore[reportFunctionMemberAccess]
    through_a_module = throughout(returns_by_strength).__globals__["kuhn"]
    assert not hasattr(through_a_module.returns, "py_func")


@pytest.mark.parametrize("before", range(PLAIN_FILLS))
def test_a_world_is_filled_by_plain_python_before_compiled_code_sees_it(before: int) -> None:
    made = broken(fill=fill_beyond_by_world_and_die)
    kernels = GuardedKernels(made)
    masked = made.initial(0)
    masked[0].cards[:] = HIDDEN
    known, other = (np.array(world, dtype=np.int16) for world in ([0, 1, 2], [2, 0, 1]))
    for seed in range(before):
        filled = kernels.filled(masked, known, generator(seed), where="here")
        assert filled[0].cards.tolist() == [0, 1]
    for world, random in ((other, generator(0)), (known, np.array([1], np.uint64))):
        with pytest.raises(ConformanceError, match="out of bounds"):
            kernels.filled(masked, world, random, where="here")


def test_compiled_code_fills_as_plain_python_does() -> None:
    made = kuhn.kuhn_poker()
    kernels = GuardedKernels(made)
    masked = made.initial(0)
    masked[0].cards[:] = HIDDEN
    world = np.array([1, 2, 0], dtype=np.int16)
    filled = {
        kernels.filled(masked, world, generator(seed), where="here").tobytes()
        for seed in range(2 * PLAIN_FILLS)
    }
    assert len(filled) == 1
    assert masked[0].cards.tolist() == [HIDDEN, HIDDEN], "what is filled is a copy"
