"""The analyst's one loop: a transcript is followed, and every moment is told by the posterior."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from ....beliefs.language.features import together
from ....beliefs.posterior import entropy_bits
from ....data.errors import CostError, UnsupportedError
from ....data.progress import Tell, silent
from ....data.version import version
from ..number_words import listed
from ..proving import Proven, proven
from .moments import (
    MOST_DRAWN,
    MOST_VALUES,
    Detail,
    Findings,
    HiddenFeature,
    Moment,
    TimelineAnalysis,
)
from .moved import BeliefShift, finite, moved
from .transcript import Standpoint, Transcript

#: Most values of a joint whose entropy is computed.
MOST_JOINT: Final = 4096


def follow(
    transcript: Transcript[Detail, Findings], progress: Tell = silent
) -> TimelineAnalysis[Detail, Findings]:
    """The viewer's possible knowledge at every moment of a record.

    Args:
        transcript: The record from their eyes.
        progress: Told how far the work has come.

    Raises:
        RecordError, ContradictionError, CostError, UnsupportedError: As the transcript says.
    """
    timeline: list[Moment[Detail]] = []
    methods: dict[str, bool] = {}
    last: Standpoint[Detail] | None = None
    start = time.perf_counter()
    for now in transcript.standpoints():
        posterior = now.posterior
        unknowns = _unknowns(transcript, now)
        entropy, joint = _entropy(now, unknowns)
        seconds = time.perf_counter() - start
        if posterior is not None:
            methods[posterior.method] = posterior.exact
        # What can be refused often is at the first event; until then nothing is told.
        if timeline:
            progress("following the game", len(timeline), transcript.events)
        moment = Moment(
            event=len(timeline),
            text=now.text,
            unknowns=unknowns,
            entropy_bits=entropy,
            joint=joint,
            log_evidence=finite(posterior.log_evidence) if posterior else None,
            seconds=seconds,
            own=now.own,
            turn=now.turn(),
            detail=now.detail(),
            **({} if posterior is None else {"diagnostics": posterior.diagnostics}),
        )
        timeline.append(moment)
        last = now
        start = time.perf_counter()
    assert last is not None, "the moment before the first event is always there"
    timeline = _alike(timeline)
    findings = transcript.findings(timeline, last, progress)
    progress("proving what is certain", transcript.events, transcript.events)
    return TimelineAnalysis(
        game=transcript.game,
        title=transcript.title,
        heading=tuple(transcript.heading),
        source=transcript.source,
        viewer=transcript.viewer,
        method=" and ".join(methods) or "none",
        exact=all(methods.values()),
        agent=transcript.agent if any(moment.turn for moment in timeline) else None,
        seed=transcript.seed,
        version=version(),
        record_sha256=transcript.sha256,
        timeline=tuple(timeline),
        proven=tuple(_proven(transcript, last)),
        moved=_moved(transcript, last),
        notes=(*transcript.notes, *notes_of(timeline)),
        findings=findings,
    )


def _unknowns(transcript: Transcript[Any, Any], now: Standpoint[Any]) -> tuple[HiddenFeature, ...]:
    found: list[HiddenFeature] = []
    for name, marginal in transcript.marginals(now).items():
        shares = transcript.shares((now.hidden or {})[name], marginal)
        entropy = entropy_bits(np.array([*marginal.values()]))
        kept, drawn = tuple(shares[:MOST_VALUES]), tuple(shares[:MOST_DRAWN])
        found.append(HiddenFeature(name, entropy, kept, len(shares), drawn))
    return tuple(found)


def _entropy(now: Standpoint[Any], unknowns: Sequence[HiddenFeature]) -> tuple[float, bool]:
    """The bits that are open, and if they are the joint entropy."""
    if now.hidden is None or len(now.hidden) > len(unknowns) == 0:
        return math.nan, True
    total = sum(each.entropy_bits for each in unknowns)
    open_ = [each for each in unknowns if each.entropy_bits > 0.0]
    if now.posterior is None or len(open_) < 2:
        return total, True
    parts = [now.hidden[each.name] for each in open_]
    if math.prod(part.value_count for part in parts) > MOST_JOINT:
        return total, False
    try:
        return max(0.0, now.posterior.entropy(together(*parts))), True
    except (CostError, UnsupportedError):
        return total, False


def _alike(timeline: list[Moment[Detail]]) -> list[Moment[Detail]]:
    """Entropies that can be compared: all of them joint, or all of them sums over the parts."""
    if all(moment.joint for moment in timeline):
        return timeline
    return [
        moment
        if math.isnan(moment.entropy_bits)
        else replace(
            moment,
            entropy_bits=sum(each.entropy_bits for each in moment.unknowns),
            joint=len([each for each in moment.unknowns if each.entropy_bits > 0.0]) < 2,
        )
        for moment in timeline
    ]


def _proven(transcript: Transcript[Any, Any], last: Standpoint[Any]) -> Iterator[Proven]:
    posterior = last.posterior
    if posterior is None:
        return
    provable = transcript.provable(last)
    for name, value, because in proven(posterior, provable):
        words = transcript.value_name(provable[name], value)
        said = tuple(transcript.reason(posterior, unit) for unit in because)
        events = tuple(unit for unit in because if isinstance(unit, int))
        since = because.since if isinstance(because.since, int) else None
        yield Proven(name, words, said, events, since)


def _moved(transcript: Transcript[Any, Any], last: Standpoint[Any]) -> tuple[BeliefShift, ...]:
    posterior = last.posterior
    if posterior is None:
        return ()
    reason = partial(transcript.reason, posterior)
    return moved(posterior, last.hidden or {}, transcript.value_name, reason)


def notes_of(timeline: Sequence[Moment[Any]]) -> Iterator[str]:
    """The notes on an approximation: how it did where it did worst, and its own notes."""
    told = list(timeline[-1].diagnostics.notes)
    weighed = [(m.diagnostics.effective_samples, m) for m in timeline]
    few = min(((n, m) for n, m in weighed if n is not None), key=lambda pair: pair[0], default=None)
    if few is not None:
        worth, moment = few
        yield (
            f"the answers are worth at least {worth:,.0f} independent samples, fewest {_at(moment)}"
        )
    chained = [(m.diagnostics.rhat, m) for m in timeline]
    far = max(((r, m) for r, m in chained if r is not None), key=lambda pair: pair[0], default=None)
    if far is not None:
        rhat, moment = far
        yield (
            f"R-hat over the chains is at most {rhat:.3f} (1 when they agree), largest "
            f"{_at(moment)}"
        )
    if few is None and far is None:
        unsettled = [m for m in timeline if m.diagnostics.converged is False]
        if unsettled:
            yield f"the iteration did not settle {listed([_at(moment) for moment in unsettled])}"
    yield from told
    for moment in dict.fromkeys(pair[1].event for pair in (few, far) if pair is not None):
        for note in timeline[moment].diagnostics.notes:
            if note not in told:
                yield f"{_at(timeline[moment])}: {note}"


def _at(moment: Moment[Any]) -> str:
    return f"after event {moment.event}" if moment.event else "before the first event"
