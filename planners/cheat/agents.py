"""The agents of Cheat: those of the paper, one of our own, and what agents can be told there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ...data.checks import number_within
from ...data.errors import SettingsError
from ..agents import Kind, SearchAgent, SemiDeterminizationAgent, WaySettings, searchers, searching
from .safe import SafeSettings, prepare

#: The predictor that is a noisy oracle, see `models.briefing`.
HINT: Final = "hint"


@dataclass(frozen=True, kw_only=True)
class CheatSettings(WaySettings):
    """Options of the agents that search, in Cheat.

    Attributes:
        predictor: What predicts whether claims are true: ``usual``, ``even``, ``hint``, ``none``,
            ``kinds`` or a file; None for counting alone.
        right: With ``predictor=hint``, how often what the agent is told is right.
        calls: What predicts opponents' calls, a file or ``usual``.
        known: Whether a predictor of truth is moved by what was turned up of the opponent in the
            match.
        excluded: Whether a way of the last claim that counting excludes is searched too, as likely
            as the predictor says.
        sure: With alone, whether opponents follow the playouts the more rarely the less sure the
            belief is of the last claim, see `SearchAgent`.
        each_leaves: Whether a player who comes to a new node leaves the tree alone, and the other
            goes on in it; else both play out from there.
        counts_first: Whether what the playout policy does at a new node counts there.
    """

    predictor: str | None = None
    right: float | None = None
    calls: str | None = None
    known: bool = False
    excluded: bool = False
    sure: bool = False
    each_leaves: bool = False
    counts_first: bool = False

    def __post_init__(self) -> None:
        if self.right is not None:
            number_within(self.right, "right", least=0.5, most=1.0)
        if self.sure and not self.alone:
            raise SettingsError(
                "only opponents who follow the playouts can be trusted to do so",
                where="sure",
                hint="write alone=yes, or sure=no",
            )

    @property
    def hint_right(self) -> float | None:
        """The share of hints that are right; None for an agent that gets none."""
        return self.right if self.predictor == HINT else None

    def of_belief(self) -> Mapping[str, Any]:
        """The facts the belief is told, see `CheatBelief`."""
        return {
            "predictor": self.predictor,
            "right": self.hint_right,
            "calls": self.calls,
            "known": self.known or None,
            "excluded": self.excluded or None,
        }

    def of_search(self) -> Mapping[str, Any]:
        """Further `Options` of the search."""
        more: dict[str, Any] = {}
        if self.each_leaves:
            more["leaving"] = np.eye(2)
        if self.counts_first:
            more["counts_from"] = 1
        return {**super().of_search(), **more}

    def of_agent(self) -> Mapping[str, Any]:
        """Further attributes of the `SearchAgent`."""
        return {"hint_right": self.hint_right, "sure": self.sure}


_WAYS: Final = searching(SemiDeterminizationAgent)

#: The agents that this game alone has, and those of any game with its options.
AGENTS: Final = {
    "mga": Kind(
        "semi, each way as likely as any other", CheatSettings(predictor="even"), _WAYS, "semi"
    ),
    "pmga": Kind(
        "semi, ways as likely as a predictor says", CheatSettings(predictor="usual"), _WAYS, "semi"
    ),
    "fpmga": Kind(
        "semi, told the way by a hint that is mostly right",
        CheatSettings(predictor=HINT, right=0.85),
        _WAYS,
        "semi",
    ),
    "ours": Kind(
        "the belief with a predictor, against an opponent who is predicted",
        CheatSettings(predictor="usual", imagined="predicted", alone=True, information="key"),
        searching(SearchAgent),
        "ours",
    ),
    "safe": Kind(
        "a restricted response: the opponent is predicted in a share of all games",
        SafeSettings(),
        prepare,
    ),
    **searchers(CheatSettings, CheatSettings),
}
