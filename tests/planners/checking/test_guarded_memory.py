"""Whatever is written beyond a part is noticed, and to which part it belongs."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.planners.checking.guarded_memory import ALIGNED, GuardedMemory

PARTS = {"state": bytes(range(20)), "values": np.array([0.5, -1.0]).tobytes(), "empty": b""}
MEMORY = GuardedMemory.of(PARTS, edge=24)


def test_parts_hold_what_they_are_given_and_are_aligned() -> None:
    block = MEMORY.block.copy()
    for name, content in PARTS.items():
        assert MEMORY.part(block, name, np.uint8).tobytes() == content
        assert MEMORY.places[name][0] % ALIGNED == 0
    values = MEMORY.part(block, "values", np.float64)
    assert values.flags.aligned
    assert values.tolist() == [0.5, -1.0]


def test_nothing_is_noticed_where_nothing_is_written_beyond() -> None:
    block = MEMORY.block.copy()
    assert MEMORY.overrun(block.tobytes()) is None
    MEMORY.part(block, "values", np.float64)[:] = 7.0
    after = block.tobytes()
    assert MEMORY.overrun(after) is None
    assert [MEMORY.changed(after, name) for name in PARTS] == [False, True, False]


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("place", [-24, -1, 0, 23])
def test_a_byte_beyond_either_end_is_noticed(name: str, place: int) -> None:
    begin, end = MEMORY.places[name]
    block = MEMORY.block.copy()
    block[begin + place if place < 0 else end + place] ^= 1
    assert MEMORY.overrun(block.tobytes()) == name
    assert not MEMORY.changed(block.tobytes(), name)
