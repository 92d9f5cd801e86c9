"""Checks that a belief names what is hidden as it must: features by their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ...beliefs.games.contract import GameBelief
from ...beliefs.language.features import Feature
from ...models.view import View
from .guarded_kernels import ConformanceError


def check_hidden(belief: GameBelief, view: View, where: str) -> None:
    """Refuse what a belief names as hidden, if it is no mapping from names to features.

    Raises:
        ConformanceError: It is no such mapping, or making it fails.
    """
    hint = "return {'name': feature, ...}, with features such as choice.value()"
    try:
        found = cast(object, belief.hidden(view))
    except Exception as error:
        raise ConformanceError(
            "hidden", f"hidden fails: {error!r}", where=where, hint=hint
        ) from error
    if not isinstance(found, Mapping):
        raise ConformanceError(
            "hidden",
            "hidden must give a mapping",
            where=where,
            value=type(found).__name__,
            hint=hint,
        )
    for name, feature in cast(Mapping[object, object], found).items():
        if not isinstance(name, str) or not isinstance(feature, Feature):
            raise ConformanceError(
                "hidden",
                "hidden must give features by their names",
                where=where,
                value=f"{name!r}: {type(feature).__name__}",
                hint=hint,
            )
