"""Records of Cheat, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ...beliefs.cheat_features import NAMES
from ...beliefs.cheat_judges import PREDICTS, TRUTH
from ...beliefs.cheat_judges import USUAL as SHIPPED
from ...beliefs.predictor import Predictor, load_predictor
from ...data.errors import RecordError, SettingsError
from ...data.files import resource
from ...planners.agent_names import parse_agent
from ..analyses import Asked, Row, Rows
from ..console import Tell
from .advice import NOBODY, USUAL, Adviser
from .analysis import Analysis, analyse
from .recorded import Recorded, records_of, seen_in

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...beliefs.compare import Comparison

EXACT: Final = "type_counting"


@dataclass(frozen=True)
class AnalysedCheat:
    """An analysed game of Cheat, to be shown."""

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


class CheatGame:
    """Cheat: how likely every claim was, what was worth doing, and what the other one held."""

    options = frozenset({"--game", "--predictor", "--agent", "--event"})

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can count cards by kind."""
        from .compared import METHODS

        return METHODS

    def check(self, asked: Asked) -> None:
        """Refuses a method, an agent or a predictor that there is not."""
        if asked.method.replace("-", "_") not in ("auto", EXACT):
            raise SettingsError(
                "Cheat is analysed by exact counting",
                where="--method",
                value=asked.method,
                hint="leave it out; 'sleuth compare' sets other methods beside it",
            )
        if asked.agent is not None and asked.agent != NOBODY:
            parse_agent(asked.agent)
        _predictor(asked)

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedCheat:
        """How likely every claim was, and what was worth doing."""
        recorded = _recorded(value, asked)
        predictor = _predictor(asked)
        adviser = None
        if asked.agent != NOBODY and recorded.viewers:
            adviser = Adviser(recorded.record.game, asked.agent or USUAL, seed=asked.seed)
        found = analyse(
            recorded, predictor=predictor, adviser=adviser, seed=asked.seed, progress=tell
        )
        return AnalysedCheat(found)

    def rows(self, value: object, asked: Asked) -> Rows:
        """How likely every claim was, and how many cards of each rank hidden hands had."""
        recorded = _recorded(value, asked)
        if recorded.games > 1:
            raise RecordError(
                "a table has one game of each file",
                value=recorded.games,
                hint="write every game to a file of its own, or analyse this one by itself",
            )
        return Rows(", ".join(recorded.viewer_names), recorded.digest, _rows(recorded))

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The methods on what a player had seen after one turn."""
        from .compared import compare_cheat

        recorded = _recorded(value, asked)
        result = compare_cheat(
            recorded,
            event=asked.event,
            methods=methods,
            samples=asked.samples,
            seed=asked.seed,
            curves=curves,
            progress=tell,
        )
        return f"game {recorded.record.number} of match {recorded.record.match}", result


def _recorded(value: object, asked: Asked) -> Recorded:
    return seen_in(records_of(value), asked.number, asked.observer)


def _predictor(asked: Asked) -> Predictor | None:
    """What predicts: the file that was named, or the predictor of the package."""
    if asked.predictor == NOBODY:
        return None
    name = asked.predictor or SHIPPED
    path = str(resource("cheat", TRUTH)) if name == SHIPPED else name
    found = load_predictor(path, game="cheat", features=NAMES)
    if found.card["predicts"] != PREDICTS[TRUTH]:
        raise SettingsError(
            "this predictor does not say whether a claim is true",
            where="--predictor",
            value=found.card["predicts"],
            hint="train one with 'sleuth train cheat --predict true'",
        )
    return found


def _rows(recorded: Recorded) -> Iterator[Row]:
    found = analyse(recorded)
    ranks = recorded.ranks
    claims = {claim.turn: claim for claim in found.claims}
    for turn in range(len(recorded.record.turns) + 1):
        if turn in claims:
            yield turn, PREDICTS[TRUTH], "yes", claims[turn].counting
        for hand in found.hands:
            if hand.turn != turn:
                continue
            of = recorded.name_of(hand.of)
            for rank, shares in zip(ranks, hand.counts, strict=True):
                for count, share in enumerate(shares.tolist()):
                    if share > 0.0:
                        yield turn, f"cards of rank {rank} that {of} holds", str(count), share
