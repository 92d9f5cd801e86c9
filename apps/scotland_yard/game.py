"""Records of Scotland Yard, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from ...models.scotland_yard.record.seen import SPECTATOR
from ..kit.console import Tell
from ..kit.records.contract import Asked, Row, Rows
from ..kit.records.recorded_game import AnalysedAlone, RecordedGame
from .analysis import analyse, shares
from .options import OPTIONS
from .recorded import LIKELIHOOD, Hunted, read, seen_by

if TYPE_CHECKING:
    from ...beliefs.judging.compare import Comparison

#: What a folder's table calls the station of Mr. X.
STATION: Final = "station of Mr. X"


class ScotlandYardGame(RecordedGame[Any, Any]):
    """Scotland Yard: where Mr. X could be after every move, and what the detectives missed."""

    own = OPTIONS
    shared = frozenset({"--event"})
    only = "forward_filter"
    only_said = "Scotland Yard is analysed by the exact filter"

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can follow a walk, and the list of possible stations."""
        from .compared import METHODS

        return METHODS

    def heading(self, value: object, asked: Asked) -> None:
        """Nothing: the text says all when the analysis is there."""

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedAlone:
        """Where Mr. X could be after every move."""
        return AnalysedAlone(
            analyse(_hunted(value, asked), seed=asked.seed, progress=tell), __package__ or ""
        )

    def rows(self, value: object, asked: Asked) -> Rows:
        """How likely every possible station was after every move."""
        # What the rows hold is what everybody knew, in a record of any viewer.
        hunted = _hunted(value, asked, SPECTATOR)
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


def _hunted(value: object, asked: Asked, usual: str | None = None) -> Hunted:
    likelihood = asked.own.get("likelihood", LIKELIHOOD)
    return seen_by(read(value), asked.observer or usual, likelihood)


def _rows(hunted: Hunted) -> Iterator[Row]:
    for event, (_, posterior) in enumerate(hunted.moments()):
        found = shares(posterior)
        for station in found.nonzero()[0].tolist():
            yield event, STATION, str(station), float(found[station])
