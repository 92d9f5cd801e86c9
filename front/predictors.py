"""Behaviour of players: predictors and what they were learned from, and kinds of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.kinds import NONE as NONE
    from sleuth.beliefs.kinds import KindMixture as KindMixture
    from sleuth.beliefs.kinds import Kinds as Kinds
    from sleuth.beliefs.predictors.predictor import Predictor as Predictor
    from sleuth.beliefs.predictors.predictor import load_predictor as load_predictor
    from sleuth.training.rows import Subject as Subject
    from sleuth.training.rows import TrainingRows as TrainingRows
    from sleuth.training.training import Training as Training

__getattr__, __dir__, __all__ = attach(__name__)
