"""Pictures show words as they were written, and no label over another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from sleuth import Choice, Condition, Model, infer, reliability
from sleuth.beliefs.judging.compare import Comparison
from sleuth.beliefs.judging.method_result import MethodResult
from sleuth.beliefs.judging.reliability import plot_reliability
from sleuth.nested import KripkeModel, draw_model

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
