"""Conditions on what a holder has, by a test: of the hands that are possible when it is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...data.errors import EvidenceError
from ..arrays.layout import Bools, Integers, Layout
from .evidence import Evidence
from .features import Condition
from .quantities import IndexOf


@dataclass(frozen=True)
class Pattern(Condition):
    """The condition that the items which a holder has pass a test.

    It is asked of the hands that are possible when somebody asks, so there may be millions. It is
    no evidence: that would need a weight for each of all that could be.

    Attributes:
        test: The test: of a tuple of items, or of many hands at once.
        at_once: Whether it takes many; see `Which.satisfies`.
        wanted: The answer with which the condition holds.
    """

    test: Callable[[Any], Any]
    at_once: bool
    wanted: bool = True

    @cached_property
    def large(self) -> bool:
        return True

    @cached_property
    def project(self) -> Integers:
        raise self._no_table()

    def on(self, layout: Layout) -> Condition:
        return self

    def holds(self, hands: NDArray[np.int64], items: Sequence[str]) -> Bools:
        """The truth of it, for hands of as many items each.

        Args:
            hands: Numbers of the items of every hand, ascending, shape (hands, items of a hand).
            items: The items.

        Raises:
            EvidenceError: A test of many hands gave something else than an answer for each.
        """
        if self.at_once:
            passed: NDArray[Any] = np.asarray(self.test(hands))
            if passed.shape != hands.shape[:1] or passed.dtype != np.bool_:
                raise EvidenceError(
                    "a test of many hands gives true or false for each",
                    value=f"{passed.dtype} of shape {passed.shape}",
                    hint=f"an array of bools of shape {hands.shape[:1]} was wanted here",
                )
        else:
            named = np.array(items, dtype=object)[hands].tolist()
            passed = np.array([bool(self.test(tuple(hand))) for hand in named], dtype=np.bool_)
        return np.asarray(passed == self.wanted)

    def in_worlds(self, layout: Layout, index_of: IndexOf) -> tuple[Integers, list[Any]]:
        numbers, values = self.of.in_worlds(layout, index_of)
        items: tuple[str, ...] = getattr(self.of, "items")  # noqa: B009
        places = {item: place for place, item in enumerate(items)}
        truth = [
            bool(self.holds(np.array([[places[item] for item in hand]], dtype=np.int64), items)[0])
            for hand in values
        ]
        found, numbers = np.unique(np.array(truth)[numbers], return_inverse=True)
        return numbers, [bool(true) for true in found]

    def satisfies(self, test: Callable[[Any], bool]) -> Condition:
        true, false = bool(test(True)), bool(test(False))
        if true == false:
            raise EvidenceError("this says the same whether the condition holds or not", value=true)
        return self if true else ~self

    def describe(self) -> str:
        said = getattr(self.test, "__name__", "a test")
        return f"{self.of.describe()} {'passes' if self.wanted else 'fails'} {said}"

    def __invert__(self) -> Condition:
        return Pattern(self.of, self.truth, self.test, self.at_once, not self.wanted)

    def observed(
        self,
        *,
        reliability: float = 1.0,
        because: str = "",
        id: str | None = None,
        event: int | None = None,
    ) -> Evidence:
        """Refused: it can be asked, and is no evidence.

        Raises:
            EvidenceError: Always.
        """
        raise self._no_table()

    def _no_table(self) -> EvidenceError:
        return EvidenceError(
            "a test of so many hands can be asked about, and not be evidence",
            value=self.describe(),
            hint="observe counts, deal.count(holder, items).at_least(n), or who holds single items",
        )


def refuse_values(described: str, count: int) -> NoReturn:
    """Refuse to write down all hands there could be.

    Raises:
        EvidenceError: Always.
    """
    raise EvidenceError(
        f"{described} has too many values to be written down",
        value=count,
        hint="ask whether it passes a test, which(...).satisfies(test), or for its marginal where "
        "few hands are left",
    )
