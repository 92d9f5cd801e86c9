"""Writing a predictor's two files, whole or not at all."""

# scikit-learn and scipy come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..beliefs.predictors.predictor import FORMAT, VERSION, Predictor, array_bytes, paths
from ..data.disk.writing import whole, write_whole
from ..data.version import version
from .conditional_logit import FittedLogit
from .estimator import BalancedClassifier
from .predictor_kinds import tables_of


def predictor_of(
    model: str,
    fitted: BalancedClassifier | FittedLogit,
    X: NDArray[np.float64],
    *,
    game: str,
    predicts: str,
    features: Sequence[str],
    more: Mapping[str, Any] | None = None,
) -> Predictor:
    """A fitted classifier as a predictor.

    Args:
        model: Its kind.
        fitted: The classifier.
        X: The rows it was fitted to, for the range of what it has seen.
        game: What it is for.
        predicts: What its second class is, such as ``"the claim is true"``.
        features: Names of the columns.
        more: Further entries of the card: data, protocol, scores.

    Raises:
        UnsupportedError: Its kind is only for comparing.
    """
    import sklearn

    kind, tables = tables_of(model, fitted)
    known = np.where(np.isnan(X).all(axis=0), 0.0, X)
    card = {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "predicts": predicts,
        "model": model,
        "kind": kind,
        "features": list(features),
        "lowest": np.nanmin(known, axis=0).tolist(),
        "highest": np.nanmax(known, axis=0).tolist(),
        "made_by": {
            "sleuth": version(),
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
        },
        **(more or {}),
    }
    return Predictor(card, tables)


def save_predictor(predictor: Predictor, path: str | Path) -> tuple[Path, Path]:
    """Write the two files; what was there before stays until both are whole.

    Args:
        predictor: What to write.
        path: With or without an ending; the folder must be there.

    Returns:
        The names of the files: arrays and card.

    Raises:
        SettingsError: They cannot be written.

    >>> from sleuth.games.cheat import TRUTH, USUAL, known_predictor
    >>> from sleuth.kit import save_predictor
    >>> [file.name for file in save_predictor(known_predictor(USUAL, of=TRUTH), "claims")]
    ['claims.npz', 'claims.json']
    """
    arrays, card = paths(path)
    content = array_bytes(predictor.tables)
    made = {**predictor.card, "sha256": hashlib.sha256(content).hexdigest()}
    text = json.dumps(made, indent=2) + "\n"
    with whole(arrays, where="out") as draft:
        draft.write_bytes(content)
        # A crash between the two leaves arrays that the card does not fit, which is refused.
        write_whole(card, text, where="out")
    return arrays, card
