"""What runs for ever is ended, in whatever thread it is done, and what is over in time goes on."""

from __future__ import annotations

import threading
import time

import pytest

from sleuth.planners.checking.time_limit import OutOfTime, time_limit


def for_ever() -> None:
    while True:
        try:
            time.sleep(0.001)
        except Exception:
            continue


def test_a_loop_is_ended_in_the_main_thread() -> None:
    with pytest.raises(OutOfTime), time_limit(0.05):
        for_ever()


def test_a_loop_is_ended_in_another_thread() -> None:
    ended: list[bool] = []

    def work() -> None:
        try:
            with time_limit(0.05):
                for_ever()
        except OutOfTime:
            ended.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(5.0)
    assert ended == [True]


def test_what_is_over_in_time_is_left_alone() -> None:
    with time_limit(5.0):
        pass
    with time_limit(None):
        pass
    time.sleep(0.01)
