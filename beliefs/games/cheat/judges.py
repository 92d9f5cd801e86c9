"""What somebody makes of a claim of Cheat when they may call it: a predictor, or a hint."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....data.checks import is_number
from ....data.errors import RecordError, SettingsError
from ....data.files import resource
from ....models.cheat.people.person import counted
from ....models.kernels.kernel import kernel
from ....models.play import SeenPlay, View
from ...predictors.predictor import Predictor, load_predictor, probability
from .features import COUNT, NAMES, feature_row

#: What is meant by a predictor of truth or of calls that is not a file.
USUAL: Final = "usual"
EVEN: Final = "even"
HINT: Final = "hint"
NONE: Final = "none"

#: Names of the predictors that come with the package, in its folder of Cheat.
TRUTH: Final = "truth"
CALLS: Final = "calls"
#: What they predict, on their cards, and the word for it on the command line.
PREDICTS: Final = {TRUTH: "the claim is true", CALLS: "the claim will be called"}
WORDS: Final = {TRUTH: "true", CALLS: "called"}


class PredictedTruth:
    """P(the last claim is true), by a predictor of truth.

    Args:
        predictor: Trained by `training.cheat.train`.
    """

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    def __call__(self, view: View, seen: SeenPlay) -> float:
        """What it says to the player who may call the claim."""
        before = counted(seen.told.earlier, view.viewer)
        took = seen.told.seconds[-1] if seen.told.seconds else None
        seconds = np.nan if took is None else took
        return float(judged(view.states, before, seconds, view.game.tables, self.predictor.tables))


class HintedTruth:
    """P(the last claim is true), by a hint that is right so often.

    Args:
        right: From 0.5 to 1.
    """

    def __init__(self, right: float) -> None:
        self.right = right

    def __call__(self, view: View, seen: SeenPlay) -> float | None:
        """What follows from the hint; None where there is none."""
        if seen.told.hint is None:
            return None
        return self.right if seen.told.hint else 1.0 - self.right


def judge(
    predictor: str, right: float | None = None
) -> PredictedTruth | HintedTruth | float | None:
    """What judges claims.

    Args:
        predictor: ``"usual"`` for the one of the package, ``"even"`` for one half always,
            ``"hint"`` for what a noisy oracle says, ``"none"`` for counting alone, or a file.
        right: How often the oracle is right.

    Raises:
        SettingsError: ``right`` makes no sense.
        RecordError: The file is no predictor of the truth of claims.
    """
    if right is not None and not (is_number(right) and 0.5 <= right <= 1):
        raise SettingsError("right must be a number from 0.5 to 1", value=right)
    if predictor == HINT:
        if right is None:
            raise SettingsError("say how often a hint is right", hint="write right=0.85")
        return HintedTruth(right)
    if predictor == EVEN:
        return 0.5
    if predictor == NONE:
        return None
    return PredictedTruth(known_predictor(predictor, TRUTH))


@cache
def known_predictor(name: str, of: str) -> Predictor:
    """A predictor of Cheat.

    Args:
        name: Of its file, or ``"usual"``.
        of: ``"truth"`` or ``"calls"``: what it has to predict.

    Raises:
        RecordError: It is damaged, or is not of that.
    """
    path = resource("cheat", of) if name == USUAL else Path(name)
    found = load_predictor(Path(str(path)), game="cheat", features=NAMES)
    if found.card["predicts"] != PREDICTS[of]:
        raise RecordError(
            f"a predictor is needed of whether {PREDICTS[of]}",
            where=name,
            value=found.card["predicts"],
            hint="train one: sleuth train cheat --predict " + WORDS[of],
        )
    return found


@kernel
def judged(states: Any, before: Any, seconds: float, tables: Any, predictor: Any) -> float:
    """What a predictor says of the last claim, to the player who may call it.

    Args:
        states: Their view, in an array of one.
        before: int32[2, COUNTS], of earlier games of the match.
        seconds: How long the claimant took, or not a number.
        tables: The game's.
        predictor: The predictor's.
    """
    row = np.empty(COUNT)
    counts = np.zeros((2, before.shape[1]), dtype=np.int32)
    feature_row(states[0], before, seconds, tables, counts, row)
    return probability(row, predictor)
