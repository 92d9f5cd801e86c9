"""Actions as a search ranks them, for somebody who is advised."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....planners.search.decision import ActionReport
from ..number_words import number


def leading(reports: Sequence[ActionReport]) -> int:
    """The number of first actions that the search cannot tell apart: their intervals overlap."""
    if not reports or math.isnan(reports[0].value):
        return 1
    least = reports[0].interval[0]
    count = 1
    # Those in between that it hardly tried come after better ones all the same.
    while count < len(reports) and reports[count].interval[1] >= least:
        count += 1
    return count


def not_told_apart(count: int, shown: int, thing: str) -> str:
    """That the first of the actions are as good as each other, as a sentence; empty if not.

    Args:
        count: How many there are, see `leading`.
        shown: How many are shown.
        thing: What one is called, such as ``"move"``.
    """
    if count <= 1:
        return ""
    some = "these" if count >= shown else f"the first {number(count, thing)}"
    return f"The search cannot tell {some} apart."
