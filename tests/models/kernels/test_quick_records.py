"""Records for plain Python hold, do and say what NumPy's own do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth.models.kernels.plain.quick_records import quick_records

STATE = np.dtype([("player", np.int32), ("cards", np.int32, (3,)), ("value", np.float64)])


def both(state: np.dtype[Any] = STATE) -> tuple[Any, Any]:
    """The same record twice: a quick one, and NumPy's."""
    kinds = quick_records(state), np.dtype((np.record, state))
    return tuple(np.zeros(1, state).view(kind)[0] for kind in kinds)  # pyright: ignore[reportReturnType]


def test_what_is_written_stands_in_the_memory() -> None:
    memory = np.zeros(2, STATE)
    record = memory.view(quick_records(STATE))[1]
    record.player, record.cards[2], record["value"] = 2.7, 9, 0.5
    assert memory["player"].tolist() == [0, 2]
    assert memory["cards"].tolist() == [[0, 0, 0], [0, 0, 9]]
    assert memory["value"].tolist() == [0.0, 0.5]
    record.cards = [1, 2, 3]
    assert memory["cards"][1].tolist() == [1, 2, 3]


def test_what_is_read_has_the_same_types() -> None:
    quick, slow = both()
    for name in STATE.names or ():
        assert type(getattr(quick, name)) is type(getattr(slow, name))
        assert getattr(quick, name).dtype == getattr(slow, name).dtype


@pytest.mark.parametrize(
    "fault",
    [
        lambda record: record.nothing,
        lambda record: setattr(record, "nothing", 3),
        lambda record: setattr(record, "player", "somebody"),
        lambda record: setattr(record, "player", 2**40),
        lambda record: setattr(record, "cards", [1, 2]),
        lambda record: record.cards[3],
        lambda record: record["nothing"],
    ],
)
def test_faults_have_the_same_words(fault: Any) -> None:
    said: list[tuple[type[BaseException], str]] = []
    for record in both():
        with pytest.raises((AttributeError, ValueError, LookupError, OverflowError)) as caught:
            fault(record)
        said.append((caught.type, str(caught.value)))
    assert said[0] == said[1]


def test_a_field_that_numpy_s_records_do_not_show_is_not_shown_here() -> None:
    quick, slow = both(np.dtype([("size", np.int32)]))
    assert type(quick) is type(slow)
    assert quick.size == slow.size
