"""The influence of observations on a belief, as a table."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ...data.tables import aligned, html_note, html_shown, html_table
from ...data.words import bits, percent
from .shift import NOTHING, Shift, probability

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: Most observations in a table for people; those that moved least are left out.
MOST_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class Influence:
    """The effect of each observation on the belief in one condition; see `Posterior.influence`.

    Attributes:
        condition: The condition in words.
        prior: Its log odds in bits before anything was seen.
        end: Its log odds in bits after everything.
        rows: One for each observation, in the order in which they were first seen.
        exact: Whether the numbers are exact.

    >>> from sleuth import Choice, Model, infer
    >>> coin = Choice("coin", ["fair", "two heads"])
    >>> heads = {"fair": 0.5, "two heads": 1.0}
    >>> throws = [coin.value().weigh(heads, because=f"throw {n}") for n in (1, 2)]
    >>> found = infer(Model(coin), throws).influence(coin.equals("two heads"))
    >>> round(found.prior, 2), round(found.end, 2), round(found["throw 1"].left_out, 2)
    (0.0, 2.0, 1.0)
    >>> [each.words for each in found.ranked], found.to_frame().shape[0]
    (['throw 1', 'throw 2'], 2)
    >>> print(found)
    value(coin) in two heads: 50.0 % -> 80.0 % (0.00 -> +2.00 bits)
    observation  in order  left out
    throw 1         +1.00     +1.00
    throw 2         +1.00     +1.00
    """

    condition: str
    prior: float
    end: float
    rows: tuple[Shift, ...]
    exact: bool

    def __getitem__(self, observation: str | int) -> Shift:
        """The row of one observation."""
        for row in self.rows:
            if row.observation == observation:
                return row
        raise KeyError(observation)

    @property
    def ranked(self) -> tuple[Shift, ...]:
        """The observations that moved it when they were seen, or would if left out; most first."""
        found = [row for row in self.rows if _most(row) > NOTHING]
        return tuple(sorted(found, key=lambda row: (-abs(row.in_order), -abs(row.left_out or 0.0))))

    def to_frame(self) -> pandas.DataFrame:
        """One row an observation: what `Shift` says, in bits; NaN where it cannot be computed."""
        import pandas

        columns = ["observation", "because", "before", "after", "in_order", "without", "left_out"]
        rows = [[getattr(row, column) for column in columns] for row in self.rows]
        frame = pandas.DataFrame(rows, columns=columns)
        return frame.astype({"without": float, "left_out": float})

    def to_text(self) -> str:
        """A table for people: in the order seen, and left out alone, both in bits."""
        heads = ["observation", "in order", "left out"]
        lines = aligned([heads, *([row.words, *_cells(row)] for row in self._shown())])
        return "\n".join([self._heading(), *lines, *self._left()])

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        table = html_table(
            ["observation", "in order", "left out", "probability"],
            [[row.words, *_cells(row), probability(row.after)] for row in self._shown()],
            caption=self._heading(),
        )
        return html_shown(table, *map(html_note, self._left()))

    @overload
    def plot(self, path: str | Path, *, ax: Axes | None = None, about: str = "") -> Path: ...
    @overload
    def plot(self, path: None = None, *, ax: Axes | None = None, about: str = "") -> Axes: ...
    def plot(
        self, path: str | Path | None = None, *, ax: Axes | None = None, about: str = ""
    ) -> Path | Axes:
        """Draw the way of the log odds.

        Args:
            path: Where the picture goes; its ending says the format. None for one to look at, which
                a notebook shows below its cell.
            ax: Axes for the way alone; None for a figure of its own.
            about: The condition in words of your own.

        Returns:
            The path, else the axes.
        """
        from .plot import plot

        return plot(self._shown(), len(self.rows), self._heading(about), path, ax)

    def _shown(self) -> list[Shift]:
        if len(self.rows) <= MOST_SHOWN:
            return [*self.rows]
        kept = {row.observation for row in self.ranked[:MOST_SHOWN]}
        return [row for row in self.rows if row.observation in kept]

    def _left(self) -> list[str]:
        left = len(self.rows) - len(self._shown())
        return [f"and {left} more that moved it less"] if left else []

    def _heading(self, about: str = "") -> str:
        words = textwrap.shorten(about or self.condition, 50, placeholder=" ...")
        said = (
            f"{words}: {percent(probability(self.prior), 1)} % -> "
            f"{percent(probability(self.end), 1)} % ({bits(self.prior, sign=True)} -> "
            f"{bits(self.end, sign=True)} bits)"
        )
        return said if self.exact else said + ", an estimate"


def _most(row: Shift) -> float:
    return max(abs(row.in_order), abs(row.left_out or 0.0))


def _cells(row: Shift) -> list[Any]:
    return [
        "-" if value is None else bits(value, sign=True) for value in (row.in_order, row.left_out)
    ]
