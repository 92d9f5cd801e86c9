"""Methods side by side on a game of Scotland Yard."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.apps.scotland_yard.game import ScotlandYardGame
from sleuth.beliefs.judging.compare import Comparison
from sleuth.data.progress import silent
from sleuth.errors import SettingsError

from .hunts import analysed, hunt

UNIFORM_LIST = "uniform_list"


def compared(*methods: str, event: int | None = None) -> Comparison:
    asked = AnalysisRequest(event=event, samples=2_000, seed=1, own={"likelihood": "steps"})
    return ScotlandYardGame().compared(
        hunt(2).to_json(), asked, methods, curves=False, tell=silent
    )[1]


@pytest.mark.usefixtures("measured_here")
def test_the_list_is_as_far_off_as_counting_says() -> None:
    moment = analysed(2).timeline[20]
    found = compared(UNIFORM_LIST, event=20)[UNIFORM_LIST]
    even = np.where(moment.detail.stations > 0.0, 1.0 / moment.detail.possible, 0.0)
    assert found.tv == pytest.approx(0.5 * np.abs(even - moment.detail.stations).sum())
    assert found.max_marginal_error == pytest.approx(np.abs(even - moment.detail.stations).max())
    assert found.kl_bits == pytest.approx(math.log2(moment.detail.possible) - moment.entropy_bits)
    assert found.reason == ""


@pytest.mark.usefixtures("measured_here")
def test_particles_are_near_the_exact_filter_and_the_filter_is_exact() -> None:
    found = compared("forward_filter", "particles", UNIFORM_LIST)
    assert [result.name for result in found.results] == [
        *("forward_filter", "particles", UNIFORM_LIST)
    ]
    filtered, particles, listed = found.results
    assert filtered.exact
    assert filtered.tv == pytest.approx(0.0, abs=1e-9)
    assert particles.tv is not None
    assert listed.tv is not None
    assert 0.0 < particles.tv < 0.2
    assert particles.ess is not None
    most = max(moment.detail.possible for moment in analysed(2).timeline)
    event = max(m.event for m in analysed(2).timeline if m.detail.possible == most)
    assert found.about.endswith(f"event {event}")


def test_an_event_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingsError, match="write 0 to 40"):
        compared(UNIFORM_LIST, event=41)
