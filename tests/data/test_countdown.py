"""Time that is left by two clocks."""

from __future__ import annotations

import math
import time

from sleuth.data.countdown import countdown


def test_there_is_always_time_without_a_limit():
    assert countdown(None, None)() == math.inf


def test_wall_time_counts_from_the_start_that_is_given():
    left = countdown(5.0, None, start=time.perf_counter() - 3.0)
    assert 1.0 < left() <= 2.0


def test_sleep_takes_wall_time_and_no_processor_time():
    wall, processor = countdown(10.0, None), countdown(None, 10.0)
    time.sleep(0.05)
    assert wall() <= 9.95
    assert processor() > 9.96


def test_work_takes_processor_time_and_the_nearer_limit_counts():
    left, wall = countdown(60.0, 0.02), countdown(60.0, None)
    while left() > 0.0:
        pass
    assert wall() > 0.0
