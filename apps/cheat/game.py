"""Records of Cheat, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...beliefs.games.cheat.judges import NONE, PREDICTS, TRUTH, known_predictor
from ...beliefs.games.cheat.judges import USUAL as SHIPPED
from ...beliefs.predictors.predictor import Predictor
from ...data.errors import RecordError
from ...planners.agents.names import parse_agent
from ..kit.analysis import NO_AGENT
from ..kit.console import Tell
from ..kit.records.contract import Asked, Row, Rows
from ..kit.records.recorded_game import AnalysedAlone, RecordedGame
from .advice import USUAL, Adviser
from .analysis import analyse
from .options import OPTIONS
from .recorded import Recorded, records_of, seen_in

if TYPE_CHECKING:
    from ...beliefs.judging.compare import Comparison


class CheatGame(RecordedGame[Any, Any]):
    """Cheat: how likely every claim was, what was worth doing, and what the other one held."""

    own = OPTIONS
    shared = frozenset({"--agent", "--event"})
    only = "type_counting"
    only_said = "Cheat is analysed by exact counting"

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can count cards by kind."""
        from .compared import METHODS

        return METHODS

    def check(self, asked: Asked) -> None:
        """Refuses a method, an agent or a predictor that there is not."""
        super().check(asked)
        if asked.agent is not None and asked.agent != NO_AGENT:
            parse_agent(asked.agent)
        _predictor(asked)

    def heading(self, value: object, asked: Asked) -> None:
        """Nothing: the text says all when the analysis is there."""

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedAlone:
        """How likely every claim was, and what was worth doing."""
        recorded = self._recorded(value, asked)
        predictor = _predictor(asked)
        adviser = None
        if asked.agent != NO_AGENT and recorded.viewers:
            adviser = Adviser(recorded.record.game, asked.agent or USUAL, seed=asked.seed)
        found = analyse(
            recorded, predictor=predictor, adviser=adviser, seed=asked.seed, progress=tell
        )
        return AnalysedAlone(found, __package__ or "")

    def rows(self, value: object, asked: Asked) -> Rows:
        """How likely every claim was, and how many cards of each rank hidden hands had."""
        recorded = self._recorded(value, asked)
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

        recorded = self._recorded(value, asked)
        result = compare_cheat(recorded, asked, methods, curves=curves, tell=tell)
        return f"game {recorded.record.number} of match {recorded.record.match}", result

    def _recorded(self, value: object, asked: Asked) -> Recorded:
        return seen_in(records_of(value), self.values(asked).get("game"), asked.observer)


def _predictor(asked: Asked) -> Predictor | None:
    """What predicts: the file that was named, or the predictor of the package."""
    name = asked.own.get("predictor", SHIPPED)
    return None if name == NONE else known_predictor(name, TRUTH)


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
