"""The limits of features made of others: conditions and tuples in each other, and side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...data.errors import EvidenceError

#: How deep conditions and tuples may stand in each other, since each level takes a few calls; and
#: how many may stand side by side; and how many of them one may be made of, all told.
MOST_DEEP: Final = 50
MOST_PARTS: Final = 10_000
MOST_NESTED: Final = 100_000


@dataclass(frozen=True)
class Nested:
    """The depth of features made of others in each other, and their number in all."""

    depth: int
    number: int

    @staticmethod
    def around(parts: Iterable[Nested]) -> Nested:
        """Of a feature that is made of some for which it is this."""
        inner = [*parts]
        depth = 1 + max((each.depth for each in inner), default=0)
        return Nested(depth, 1 + sum(each.number for each in inner))

    def refuse_deep(self) -> None:
        """Refuse what is nested too deep, or made of too much, to be walked through.

        Raises:
            EvidenceError: It is nested too deep, or made of too much.
        """
        if self.depth > MOST_DEEP:
            raise too_deep()
        if self.number > MOST_NESTED:
            raise EvidenceError(
                f"a feature can be made of {MOST_NESTED:,} conditions and tuples at most",
                value=self.number,
                hint="give conditions that say the same in fewer words",
            )


def too_deep() -> EvidenceError:
    """The error of features that are nested too deep."""
    return EvidenceError(
        f"conditions and tuples can be nested {MOST_DEEP} deep at most",
        hint="all_of, any_of and count_of take any number of conditions side by side",
    )
