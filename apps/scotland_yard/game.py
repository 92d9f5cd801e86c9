"""Records of Scotland Yard, as the commands ask for them."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...beliefs.judging.compare import divergence_bits
from ...beliefs.judging.method_result import MethodResult
from ...models.scotland_yard.events import HIDER_NAME as HIDER_ROLE
from ...models.scotland_yard.record.seen import SPECTATOR
from ..kit.analysis.transcript import Transcript
from ..kit.records.contract import AnalysisRequest, TableRows
from ..kit.records.recorded_game import RecordedGame
from .chances import shares
from .options import OPTIONS
from .transcript import LIKELIHOOD, SEEKERS, HuntFindings, HuntTranscript, Whereabouts, read

if TYPE_CHECKING:
    from ...beliefs.posterior import Posterior
    from .report.page import HuntPage
    from .report.text import HuntText

#: The paper's list of possible stations, each equally likely or weighed by Location Categorization,
#: as likelihoods of the belief: no engines, so they run here.
LISTS: Final = {"uniform_list": "uniform", "category_list": "categories"}


class ScotlandYardGame(RecordedGame[Whereabouts, HuntFindings]):
    """Scotland Yard: where Mr. X could be after every move, and what the detectives missed."""

    own = OPTIONS
    shared = frozenset({"event"})
    only = "forward_filter"
    only_said = "Scotland Yard is analysed by the exact filter"

    @property
    def methods(self) -> tuple[str, ...]:
        """Those that can follow a walk, and the list of possible stations."""
        return ("forward_filter", "enumeration", "particles", *LISTS)

    @property
    def own_methods(self) -> Collection[str]:
        """The list of possible stations."""
        return LISTS

    def transcript(self, value: object, asked: AnalysisRequest) -> HuntTranscript:
        """The record from the eyes of one viewer."""
        likelihood = asked.own.get("likelihood", LIKELIHOOD)
        return HuntTranscript(read(value), asked.observer, likelihood, seed=asked.seed)

    def eyes(self, value: object, asked: AnalysisRequest) -> Sequence[str]:
        """Mr. X where their stations are known, the detectives, and who looks on."""
        known = read(value).viewers()
        return (*known[: HIDER_ROLE in known], SEEKERS, SPECTATOR)

    def text(self) -> HuntText:
        """The moves, round by round, and the detectives' chances."""
        from .report.text import HuntText

        return HuntText()

    def page(self) -> HuntPage:
        """The board, step by step."""
        from .report.page import HuntPage

        return HuntPage()

    def rows(self, value: object, asked: AnalysisRequest) -> TableRows:
        """The probability of every possible station after every move."""
        # What the rows hold is what everybody knew, in a record of any viewer.
        return super().rows(value, replace(asked, observer=asked.observer or SPECTATOR))

    def measured(
        self,
        name: str,
        transcript: Transcript[Whereabouts, HuntFindings],
        event: int,
        posterior: Posterior,
    ) -> MethodResult:
        """A list against the exact answer."""
        assert isinstance(transcript, HuntTranscript)
        seen, exact = transcript.seen.until(event), shares(posterior)
        # What is compiled at first use does not count.
        ScotlandYardBelief(LISTS[name]).posterior(seen)
        start = time.perf_counter()
        other = shares(ScotlandYardBelief(LISTS[name]).posterior(seen))
        seconds = time.perf_counter() - start
        return MethodResult(
            name=name,
            exact=False,
            kl_bits=divergence_bits(exact, other),
            tv=0.5 * float(np.abs(exact - other).sum()),
            max_marginal_error=float(np.abs(exact - other).max()),
            seconds=seconds,
        )
