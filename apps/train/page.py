"""The report of a training: one HTML file with its pictures, without scripts or links."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...data.intervals import DASH, from_to
from ...data.version import version
from ...training.judging import PredictionScores, ScoreTable
from ...training.training import Training
from ..kit.answers.html import shown
from ..kit.answers.values import Column, Sheet, sheet
from ..kit.pages.document import document, heading, section, terms
from ..kit.pages.markup import Html, element, join

#: After Okabe and Ito (2008).
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: The columns of scores.
HEADS: Final = ("AUC", "95 % interval", "Brier", "log loss", "TPR", "TNR", "G-mean", "slope")
#: Those that a terminal shows however narrow it is, and the width from which on it shows others.
FIRST: Final = ("AUC", "95 % interval", "slope")
WIDE: Final = 80
SIZE: Final = 360.0
EDGE: Final = 44.0
MOST_POINTS: Final = 200


def training_report(found: Training) -> str:
    """The report of a training as one self-contained HTML document."""
    title = f"Predicting that {found.sentence}"
    curves = dict(_curves(found))
    things = found.rows.of.things
    body = element(
        "body",
        heading(found.rows.of.title or found.rows.of.game, title),
        element(
            "main",
            element(
                "section",
                element(
                    "p",
                    f"{len(found.rows):,} {things} of {found.rows.acting} players, "
                    f"{found.judged_on}. Seed {found.seed}.",
                ),
                _warnings(found),
                class_="top",
            ),
            section("How good it is", "", shown(score_sheet(found)), terms(_meanings(found))),
            *(
                section(each.title, each.text, shown(finding_sheet(each)))
                for each in found.findings
            ),
            section(
                "ROC curves",
                f"Of the {things} for which it holds, how many are found, against how many of the "
                "others are taken for one. On the dashed line it is no better than a coin.",
                _plot({name: each.roc for name, each in curves.items()}, "false", "found"),
            ),
            section(
                "Calibration",
                f"What was predicted, in ten groups of equally many {things}, against how often it "
                "was so. On the line, probabilities can be taken at their word.",
                _plot(
                    {name: each.curve[:, :2] for name, each in curves.items()},
                    "predicted",
                    "it was so",
                ),
            ),
        ),
        element("footer", element("p", f"Made by sleuth {version()}.")),
    )
    return document(body, title=title, version=version())


def _warnings(found: Training) -> Html:
    if not found.warnings:
        return Html("")
    return element("ul", *(element("li", element("strong", text)) for text in found.warnings))


def score_sheet(found: Training, heads: Sequence[str] = HEADS) -> Sheet:
    """The scores of all models and baselines, a line for each.

    Args:
        found: The training.
        heads: The columns.
    """
    rows = [(name, _cells(each)) for name, each in [*_curves(found), *found.baselines.items()]]
    rows += [
        (f"ceiling: {name}", {"AUC": f"{auc:.3f}"}) for name, auc in (found.ceilings or {}).items()
    ]
    return sheet(
        "",
        *(Column(head, "right", whole=True, room=WIDE * (head not in FIRST)) for head in heads),
        rows=[(name, *(cells.get(head, "") for head in heads)) for name, cells in rows],
    )


def _curves(found: Training) -> list[tuple[str, PredictionScores]]:
    """The scores of all models by all protocols, and of players who get to be known."""
    listed = [
        (f"{model}, {protocol}", scores)
        for model, judged in found.scores.items()
        for protocol, scores in judged.items()
    ]
    known = [(f"{next(iter(found.scores))}, cold, adapted", found.adapted)]
    return [*listed, *((name, each) for name, each in known if each is not None)]


def _cells(scores: PredictionScores) -> dict[str, str]:
    return {
        "AUC": f"{scores.auc:.3f}",
        "95 % interval": from_to(*scores.auc_interval),
        "Brier": f"{scores.brier:.3f}",
        "log loss": f"{scores.log_loss:.3f}",
        "TPR": f"{scores.tpr:.1%}",
        "TNR": f"{scores.tnr:.1%}",
        "G-mean": f"{scores.g_mean:.1%}",
        "slope": DASH if math.isnan(scores.slope) else f"{scores.slope:.2f}",
    }


def finding_sheet(table: ScoreTable) -> Sheet:
    """Other scores as a table."""
    return sheet(*table.heads, rows=table.lines)


def _meanings(found: Training) -> list[tuple[str, str]]:
    """The meaning of each number, in a sentence."""
    things, so = found.rows.of.things, found.sentence
    said = [
        (
            "AUC",
            f"Of two {things}, one for which it holds that {so} and one for which it does not, the "
            "share of pairs in which the first is given more: 50 % is guessing, 100 % is perfect.",
        ),
        (
            "95 % interval",
            "Where the AUC would lie, 95 times of 100, with other such players. A dash: there are "
            "too few players to say, or nothing differs.",
        ),
        (
            "Brier",
            "The mean square of how far a probability was from what happened, 1 or 0: 0 is "
            "perfect, and always saying 50 % gives 0.25.",
        ),
        (
            "log loss",
            "The mean of minus the natural log of what was given to what happened: 0 is perfect, "
            "always saying 50 % gives 0.69, and being sure and wrong costs most.",
        ),
        ("TPR", f"The true positive rate: of the {things} for which it holds, how many were given "
         "more than 50 %."),
        ("TNR", "The true negative rate: of the others, how many were given at most 50 %."),
        ("G-mean", "The root of TPR times TNR: high only where both are."),
        (
            "slope",
            "Of the log odds that were predicted against what happened: 1 where probabilities can "
            "be taken at their word, less where they are too bold, more where they are too shy.",
        ),
        (
            "log odds",
            "The natural log of p / (1 - p): 0 is 50 %, 1 is 73 %, 2 is 88 %, -2 is 12 %.",
        ),
    ]  # fmt: skip
    if found.adapted is not None:
        said.append(
            (
                "adapted",
                "Predicted as players get to be known during a match; what is said of anybody "
                f"differs from player to player by {found.spread:.2f} in log odds (one standard "
                "deviation).",
            )
        )
    if found.ceilings:
        said.append(("ceiling", "The AUC that can be reached at all with these simulated people."))
    return said


def _plot(curves: Mapping[str, NDArray[np.float64]], across: str, up: str) -> Html:
    """Curves between 0 and 1, over the diagonal."""
    parts = [
        element(
            "rect", x=EDGE, y=8.0, width=SIZE, height=SIZE, fill="none", stroke="currentColor",
            stroke_opacity=0.3,
        ),
        element(
            "line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(1), stroke="currentColor",
            stroke_opacity=0.4, stroke_dasharray="4 3",
        ),
    ]  # fmt: skip
    for share in (0.0, 0.5, 1.0):
        text = f"{share:.0%}"
        parts += [
            element("text", text, x=_x(share), y=SIZE + 24, text_anchor="middle", class_="tick"),
            element("text", text, x=EDGE - 6, y=_y(share) + 4, text_anchor="end", class_="tick"),
        ]
    parts += [
        element("text", across, x=_x(0.75), y=SIZE + 24, text_anchor="middle", class_="tick"),
        element("text", up, x=EDGE - 6, y=_y(0.75) + 4, text_anchor="end", class_="tick"),
    ]
    keys: list[Html] = []
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        kept = points[:: max(1, len(points) // MOST_POINTS)]
        path = " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in [*kept, points[-1]])
        dashes = None if number < len(COLOURS) else "6 3"
        parts.append(
            element(
                "polyline", points=path, fill="none", stroke=colour, stroke_width=1.8,
                stroke_dasharray=dashes,
            )
        )  # fmt: skip
        keys.append(element("li", element("span", "\u25a0 ", style=f"color: {colour}"), name))
    width, height = SIZE + EDGE + 16, SIZE + 40
    picture = element(
        "svg", *parts, viewBox=f"0 0 {width:.0f} {height:.0f}", width=width, height=height,
        style="max-width: 420px", role="img", aria_label=f"{up} against {across}", font_size=12,
        fill="currentColor",
    )  # fmt: skip
    return element("div", picture, element("ul", join(keys), style="list-style: none; padding: 0"))


def _x(share: float) -> float:
    return EDGE + SIZE * float(share)


def _y(share: float) -> float:
    return 8.0 + SIZE * (1.0 - float(share))
