"""Plots can be looked at, drawn on axes that somebody has, or written to a file."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes

import sleuth
from sleuth.nested import KripkeModel, draw_model


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    before = mpl.get_backend()
    mpl.use("agg")
    pyplot.close("all")
    yield
    pyplot.close("all")
    mpl.use(before)


def _influence() -> Callable[..., Any]:
    coin = sleuth.Choice("coin", ["fair", "two heads"])
    throws = [
        coin.value().weigh({"fair": 0.5, "two heads": 1.0}, because=f"throw {n}") for n in (1, 2)
    ]
    return sleuth.infer(sleuth.Model(coin), throws).influence(coin.equals("two heads")).plot


def _reliability() -> Callable[..., Any]:
    return sleuth.reliability([0.2, 0.2, 0.9, 0.9], [0, 0, 1, 1], bins=5).plot


def _calibration() -> Callable[..., Any]:
    coin = sleuth.Choice("coin", {"heads": 0.3, "tails": 0.7})
    return sleuth.calibrate(sleuth.Model(coin), [], games=20, seed=1).plot


def _comparison() -> Callable[..., Any]:
    coin = sleuth.Choice("coin", {"heads": 0.3, "tails": 0.7})
    return sleuth.compare(
        sleuth.Model(coin),
        methods=["enumeration", "likelihood_weighting"],
        samples=50,
        isolate=False,
    ).plot


def _kripke() -> Callable[..., Any]:
    model = KripkeModel(("rain", "sun"), ("ann",), np.full((1, 2, 2), 0.5))
    return lambda *path, **options: draw_model(model, *path, **options)


def _tree() -> Callable[..., Any]:
    play = sleuth.Play.new("tic_tac_toe", seed=1)
    search = sleuth.Search(play.game)
    return search.decide(play.view(0), budget=sleuth.Budget(simulations=20)).tree.draw


PLOTS = [_influence, _reliability, _calibration, _comparison, _kripke, _tree]


@pytest.mark.parametrize("make", PLOTS)
def test_a_plot_without_a_file_is_pyplots_and_gives_its_axes(
    make: Callable[[], Callable[..., Any]], tmp_path: Path
) -> None:
    plot = make()
    found = plot()
    assert isinstance(found, Axes)
    assert [pyplot.figure(number) for number in pyplot.get_fignums()] == [found.figure]
    pyplot.close("all")
    written = plot(tmp_path / "picture.svg")
    assert written.stat().st_size > 1000
    assert not pyplot.get_fignums()  # no notebook shows what is written to a file


@pytest.mark.parametrize("make", PLOTS[:-1])
def test_a_plot_draws_on_axes_that_are_there_and_on_no_others(
    make: Callable[[], Callable[..., Any]],
) -> None:
    figure, (left, right) = pyplot.subplots(1, 2)
    assert make()(ax=right) is right
    assert right.has_data() or right.texts
    assert not left.has_data()
    assert figure.axes == [left, right]
    assert pyplot.get_fignums() == [figure.number]
