"""Records of Scotland Yard, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...beliefs.scotland_yard_play import LIKELIHOODS
from ...data.errors import SettingsError, nearest
from ...models.scotland_yard.seen import SPECTATOR
from ..analyses import Asked, Row, Rows
from ..console import Tell
from .analysis import Analysis, analyse, shares
from .recorded import LIKELIHOOD, Hunted, read, seen_by

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...beliefs.compare import Comparison

EXACT: Final = "forward_filter"
#: What a folder's table calls his station.
STATION: Final = "station of Mr. X"


@dataclass(frozen=True)
class AnalysedHunt:
    """An analysed game of Scotland Yard, to be shown."""

    analysis: Analysis

    def to_json(self) -> dict[str, object]:
        """As ``--json`` prints it."""
        return self.analysis.to_json()

    def render(self, width: int) -> RenderableType:
        """For a terminal of this many columns."""
        from .text import render

        return render(self.analysis, width)

    def html(self) -> str:
        """The report."""
        from .page import html_report

        return html_report(self.analysis)


class ScotlandYardGame:
    """Scotland Yard: where Mr. X could be after every move, and what the detectives missed."""

    options = frozenset({"--likelihood", "--event"})

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can follow a walk, and the list of possible stations."""
        from .compared import METHODS

        return METHODS

    def check(self, asked: Asked) -> None:
        """Refuses a method or a likelihood that there is not."""
        method = asked.method.replace("-", "_")
        if method not in ("auto", EXACT):
            raise SettingsError(
                "Scotland Yard is analysed by the exact filter",
                where="--method",
                value=asked.method,
                hint="leave it out; 'sleuth compare' sets other methods beside it",
            )
        if asked.likelihood is not None and asked.likelihood not in LIKELIHOODS:
            raise SettingsError(
                "no such likelihood",
                where="--likelihood",
                value=asked.likelihood,
                hint=nearest(asked.likelihood, LIKELIHOODS),
            )

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedHunt:
        """Where he could be after every move."""
        return AnalysedHunt(analyse(_hunted(value, asked), seed=asked.seed, progress=tell))

    def rows(self, value: object, asked: Asked) -> Rows:
        """How likely every possible station was after every move."""
        # What the rows hold is what everybody knew, whoever wrote the record.
        hunted = seen_by(read(value), asked.observer or SPECTATOR, asked.likelihood or LIKELIHOOD)
        return Rows(hunted.viewer, hunted.digest, _rows(hunted))

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The methods on what everybody had seen after one move."""
        from .compared import compare_hunt

        hunted = _hunted(value, asked)
        result = compare_hunt(
            hunted,
            event=asked.event,
            methods=methods,
            samples=asked.samples,
            seed=asked.seed,
            curves=curves,
            progress=tell,
        )
        return hunted.name, result


def _hunted(value: object, asked: Asked) -> Hunted:
    return seen_by(read(value), asked.observer, asked.likelihood or LIKELIHOOD)


def _rows(hunted: Hunted) -> Iterator[Row]:
    for event, (_, posterior) in enumerate(hunted.moments()):
        found = shares(posterior)
        for station in found.nonzero()[0].tolist():
            yield event, STATION, str(station), float(found[station])
