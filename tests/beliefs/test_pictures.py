"""Pictures show words as they were written, and no label over another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from sleuth import (
    Budget,
    Choice,
    Condition,
    Model,
    Play,
    Search,
    SleuthError,
    infer,
    reliability,
)
from sleuth.beliefs.judging.compare import Comparison
from sleuth.beliefs.judging.method_result import MethodResult
from sleuth.beliefs.judging.reliability import plot_reliability
from sleuth.nested import KripkeModel, draw_model
from sleuth.search import draw_tree

#: Matplotlib would take what is between the signs for a formula, and a wrong one.
WORDS = r"5 $ more than \frac $ in all"
DIE = Choice("die", range(6))


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are saved from now on."""
    found: list[Any] = []
    save: Any = Figure.savefig

    def saved(self: Any, *given: Any, **options: Any) -> None:
        found.append(self)
        save(self, *given, **options)

    monkeypatch.setattr(Figure, "savefig", saved)
    return found


def influence(path: Path) -> None:
    said = Choice(WORDS, ["yes", "no"])
    seen = said.value().weigh([1.0, 2.0], because=WORDS)
    infer(Model(said), seen).influence(said.equals("yes")).plot(path)


def comparison(path: Path) -> None:
    results = tuple(
        MethodResult(name=WORDS, exact=tv == 0.0, tv=tv, seconds=1e-3, reason=reason)
        for tv, reason in ((0.0, ""), (0.1, ""), (0.2, "too long"))
    )
    Comparison("enumeration", WORDS, results).plot(path)


def curves(path: Path) -> None:
    plot_reliability({WORDS: reliability([0.5, 0.4], [0, 1])}, path)


def minds(path: Path) -> None:
    draw_model(KripkeModel((WORDS,), (WORDS,), np.ones((1, 1, 1), dtype=bool)), path, title=WORDS)


def tree(path: Path) -> None:
    play = Play.new("tic_tac_toe", seed=1)
    found = Search(play.game).decide(play.view(0), budget=Budget(simulations=20))
    draw_tree(found.tree).savefig(path)


@pytest.mark.parametrize("draw", [influence, comparison, curves, minds, tree])
@pytest.mark.usefixtures("plain_python")
def test_without_matplotlib_a_picture_is_refused_with_the_extra_that_brings_it(
    draw: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SleuthError, match=r"matplotlib is not installed.*'sleuth\[plots\]'"):
        draw(tmp_path / "picture.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("draw", [influence, comparison, curves, minds])
def test_a_dollar_begins_no_formula(draw: Any, figures: list[Any], tmp_path: Path) -> None:
    draw(tmp_path / "picture.png")
    (figure,) = figures
    shown = figure.findobj(match=lambda part: hasattr(part, "get_parse_math"))
    ours = [text for text in shown if text.get_visible() and WORDS in text.get_text()]
    assert ours
    assert not any(text.get_parse_math() for text in ours)


@pytest.mark.parametrize("seen", [DIE.equals(5), DIE.value().among([2, 5]), ~DIE.equals(5)])
def test_one_bar_leaves_every_label_free(
    seen: Condition, figures: list[Any], tmp_path: Path
) -> None:
    belief = infer(Model(DIE), seen.observed(because="a friend told me"))
    belief.influence(DIE.equals(5)).plot(tmp_path / "picture.png")
    left = figures[0].axes[0]
    labels = [*left.get_yticklabels(), *left.texts]
    assert len(labels) == 2
    one, other = (label.get_window_extent() for label in labels)
    assert not one.overlaps(other)
