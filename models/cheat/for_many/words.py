"""Words for the actions and claims of Cheat for many."""

from __future__ import annotations

from collections.abc import Iterable

from ..record.schema import RANK_NAMES
from .chosen import claim_of, false_cards
from .state import CALL, PASS


def ranks_in_words(ranks: Iterable[int]) -> str:
    """Cards by their ranks, with blanks between them."""
    return " ".join(RANK_NAMES[rank] for rank in ranks)


def action_name(action: int) -> str:
    """The name of an action, such as ``2 of 7, true``, ``2 of 7, 1 true`` or ``2 of 7 by 7 3``."""
    if action == CALL:
        return "call"
    if action == PASS:
        return "pass"
    rank, count, true = claim_of(action)
    said = f"{count} of {RANK_NAMES[rank]}"
    named = false_cards(action)
    if named:
        return f"{said} by {ranks_in_words([rank] * true + [*named])}"
    if true == count:
        return f"{said}, true"
    return f"{said}, {true} true" if true else f"{said}, false"
