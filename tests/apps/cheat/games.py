"""Records of Cheat that the tests analyse: short ones, and a predictor made by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from sleuth.apps.cheat.findings import CheatAnalysis, CheatFindings
from sleuth.apps.cheat.report.page import CheatPage
from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.beliefs.predictors.predictor import LINEAR, NODE, PredictorTables
from sleuth.games.cheat import CheatRecord, analyse, read_records, seen_in
from sleuth.predictors import Predictor

FILE = Path(__file__).parents[3] / "data" / "cheat" / "example.jsonl"


@cache
def games() -> tuple[CheatRecord, ...]:
    return read_records(FILE)


def short(place: int = 1, turns: int = 12) -> CheatRecord:
    """The beginning of a game of the example."""
    record = games()[place - 1]
    return CheatRecord.from_json(replace(record, turns=record.turns[:turns], winner=None).to_json())


@cache
def analysed(place: int = 1, turns: int = 12, observer: str | None = None) -> CheatAnalysis:
    return analyse(seen_in([short(place, turns)], None, observer))


def findings(place: int = 1, turns: int = 12, observer: str | None = None) -> CheatFindings:
    return analysed(place, turns, observer).findings


def page(analysis: CheatAnalysis) -> str:
    return CheatPage().html([analysis])


def predictor(weight: float = -0.4, predicts: str = "the claim is true") -> Predictor:
    """More cards, likelier a lie: a logistic function of the number of cards."""
    weights = np.zeros(len(NAMES))
    weights[NAMES.index("count")] = weight
    tables = PredictorTables(
        np.zeros(0, dtype=NODE).view(np.recarray),
        np.zeros(0, dtype=np.int32),
        np.zeros(len(NAMES)),
        np.array([LINEAR, 1.0, 0.0, 0.9]),
        weights,
    )
    card = {
        "format": "sleuth-predictor",
        "version": 1,
        "game": "cheat",
        "predicts": predicts,
        "kind": "linear",
        "features": list(NAMES),
        "lowest": [0.0] * len(NAMES),
        "highest": [100.0] * len(NAMES),
    }
    return Predictor(card, tables)


def given(count: int, weight: float = -0.4) -> float:
    """What the predictor says of so many cards."""
    return float(1 / (1 + np.exp(-(0.9 + weight * count))))
