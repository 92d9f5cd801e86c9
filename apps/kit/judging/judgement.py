"""Stated beliefs beside exact ones: `judge_stated` makes the value that is shown and printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ....beliefs.judging.stated import MEANT, StatedBelief, StatedScores, stated_scores
from ....beliefs.language.features import Condition
from ....beliefs.posterior import Posterior
from ....data.checks import CERTAIN
from ....data.errors import (
    ContradictionError,
    CostError,
    EvidenceError,
    RecordError,
    UnsupportedError,
    nearest,
)
from ....data.progress import Tell, silent
from ....data.version import version
from ..analysis.transcript import Transcript
from .questionnaire import AskedFeature, AskedMoment, moments_of
from .stated_files import StatedAnswer, StatedAnswers, complete_shares

#: Most slips that are told of each kind, the greatest first.
MOST_SLIPS: Final = 24


@dataclass(frozen=True)
class JudgedShare:
    """One value of something hidden.

    Attributes:
        value: The value in words.
        stated: The probability that was stated.
        exact: The exact one.
    """

    value: str
    stated: float
    exact: float


@dataclass(frozen=True)
class JudgedAnswer:
    """Probabilities of one hidden thing that were stated at a moment, beside the exact ones.

    Attributes:
        event: After how many events.
        happened: The last of them in words.
        about: The hidden thing.
        kl_bits: Divergence of the exact posterior from it.
        log_bits: Its expected logarithmic score.
        entropy_bits: That of the exact posterior.
        brier: Its expected Brier score.
        exact_brier: That of the exact posterior.
        truth: The true value; null where the record does not say it.
        true_log_bits: The logarithmic score by what was true.
        true_brier: The Brier score by what was true.
        missed: Whether something possible was given no probability; a little is counted for it.
        normalised: Whether it had to be divided by its sum.
        shares: The values, with both probabilities.
    """

    event: int
    happened: str
    about: str
    kl_bits: float
    log_bits: float
    entropy_bits: float
    brier: float
    exact_brier: float
    truth: str | None
    true_log_bits: float | None
    true_brier: float | None
    missed: bool
    normalised: bool
    shares: tuple[JudgedShare, ...]


@dataclass(frozen=True)
class JudgedSlip:
    """Something impossible that was believed, or something certain that was missed.

    Attributes:
        event: After how many events it was first so.
        about: The hidden thing.
        value: The value that was impossible, or certain.
        stated: The probability that it was given then.
        moments: At how many moments it was so.
        because: The fewest observations that prove it, in words; empty where it follows from what
            the viewer knew before the first event, or no proof was found.
        events: The numbers of the events that they were.
        proven: Whether a proof was found: an approximation has none.
    """

    event: int
    about: str
    value: str
    stated: float
    moments: int
    because: tuple[str, ...]
    events: tuple[int, ...]
    proven: bool


@dataclass(frozen=True)
class MomentGap:
    """The gap at one moment, over all that was stated then.

    Attributes:
        event: After how many events.
        happened: The last of them in words.
        kl_bits: Mean divergence.
        answers: How many hidden things were stated.
    """

    event: int
    happened: str
    kl_bits: float
    answers: int


@dataclass(frozen=True)
class Judgement:
    """Stated beliefs beside exact ones, as ``sleuth judge --json`` says it.

    Attributes:
        game: The game's name.
        title: What stands above it.
        viewer: Whose eyes.
        method: The engines that answered.
        exact: Whether their answers are exact.
        record_sha256: The digest of what the viewer saw.
        version: Of sleuth.
        seed: Of the bootstrap, and of approximate methods.
        answers: All that was stated, in the order of the moments.
        unanswered: Questions that were left open.
        normalised: Answers that had to be divided by their sum.
        scores: Over all of them; intervals are 95 %, by the bootstrap over moments.
        moments: The gap after each event.
        impossible: Impossible things that were believed, the greatest first.
        certain: Certain things that were missed, the greatest first.
    """

    game: str
    title: str
    viewer: str
    method: str
    exact: bool
    record_sha256: str
    version: str
    seed: int
    answers: tuple[JudgedAnswer, ...]
    unanswered: int
    normalised: int
    scores: StatedScores
    moments: tuple[MomentGap, ...]
    impossible: tuple[JudgedSlip, ...]
    certain: tuple[JudgedSlip, ...]


@dataclass(frozen=True, eq=False)
class _Judged:
    """An answer with all that it is judged by."""

    moment: AskedMoment
    asked: AskedFeature
    belief: StatedBelief
    normalised: bool


def judge_stated(
    transcript: Transcript[Any, Any],
    stated: StatedAnswers,
    *,
    normalise: bool = False,
    seed: int = 0,
    tell: Tell = silent,
) -> Judgement:
    """Judge what was stated against the exact posterior of the same viewer at the same moment.

    Args:
        transcript: The record from the viewer's eyes.
        stated: The answers.
        normalise: Whether probabilities that do not add up are divided by their sum.
        seed: Of the bootstrap.
        tell: Told how far the work is.

    Raises:
        RecordError: The answers are about another record or viewer, there is none, or one is about
            a moment, a thing or a value that there is not.
    """
    _check_record(transcript, stated)
    moments = moments_of(transcript)
    judged: list[_Judged] = []
    taken: set[tuple[int, str]] = set()
    # Moment by moment: what was true then is found once.
    answers = sorted(stated.answers, key=lambda each: each.event)
    for number, answer in enumerate(answers):
        tell("judging what was stated", number, len(stated.answers))
        if (answer.event, answer.about) in taken:
            raise RecordError(
                "this is stated twice", where=answer.where, value=(answer.event, answer.about)
            )
        taken.add((answer.event, answer.about))
        judged.append(_judged(moments, answer, normalise))
    posteriors = [each.moment.posterior for each in judged]
    methods = {each.method: each.exact for each in posteriors if each is not None}
    beliefs = [each.belief for each in judged]
    return Judgement(
        game=transcript.game,
        title=transcript.title,
        viewer=transcript.viewer,
        method=" and ".join(methods),
        exact=all(methods.values()),
        record_sha256=transcript.sha256,
        version=version(),
        seed=seed,
        answers=tuple(map(_answer, judged)),
        unanswered=stated.unanswered,
        normalised=sum(each.normalised for each in judged),
        scores=stated_scores(beliefs, seed=seed),
        moments=tuple(_gaps(judged)),
        impossible=tuple(_slips(transcript, judged, impossible=True)),
        certain=tuple(_slips(transcript, judged, impossible=False)),
    )


def _check_record(transcript: Transcript[Any, Any], stated: StatedAnswers) -> None:
    if not stated.answers:
        raise RecordError(
            "no question is answered",
            where="field 'answers'",
            hint="write numbers where the template has null, or nothing",
        )
    if stated.viewer is not None and stated.viewer != transcript.viewer:
        raise RecordError(
            "these answers are of another viewer",
            where="field 'viewer'",
            value=stated.viewer,
            hint=f"the record is taken as {transcript.viewer!r} saw it; say `observer`",
        )
    if stated.record_sha256 is not None and stated.record_sha256 != transcript.sha256:
        raise RecordError(
            "these answers are about another record",
            where="field 'record_sha256'",
            value=stated.record_sha256,
            hint=f"what {transcript.viewer!r} saw of this one has {transcript.sha256}",
        )


def _judged(moments: Sequence[AskedMoment], answer: StatedAnswer, normalise: bool) -> _Judged:
    if answer.event >= len(moments):
        raise RecordError(
            "the record has no such event",
            where=answer.where,
            value=answer.event,
            hint=f"its viewer saw {len(moments) - 1}; 0 is before the first",
        )
    moment = moments[answer.event]
    asked = moment.features.get(answer.about)
    if asked is None:
        raise RecordError(
            f"nothing of this name is hidden after event {answer.event}",
            where=answer.where,
            value=answer.about,
            hint=nearest(answer.about, moment.features),
        )
    shares, normalised = complete_shares(answer, asked.values, normalise=normalise)
    assert moment.posterior is not None, "something is hidden then"
    exact = np.asarray(moment.posterior.distribution(asked.feature), dtype=np.float64)
    belief = StatedBelief(
        answer.event,
        answer.about,
        exact / exact.sum(),
        np.array(shares),
        moment.now.truth(asked.feature),
    )
    return _Judged(moment, asked, belief, normalised)


def _answer(judged: _Judged) -> JudgedAnswer:
    one, asked = judged.belief, judged.asked
    true = one.true_scores(one.heard)
    spread = one.true_scores(one.stated)
    named = zip(asked.values, one.stated.tolist(), one.exact.tolist(), strict=True)
    return JudgedAnswer(
        event=one.event,
        happened=judged.moment.text,
        about=one.about,
        kl_bits=one.kl_bits,
        log_bits=one.log_bits,
        entropy_bits=one.entropy_bits,
        brier=one.brier,
        exact_brier=one.exact_brier,
        truth=None if one.truth is None else asked.values[one.truth],
        true_log_bits=None if true is None else true[0],
        true_brier=None if spread is None else spread[1],
        missed=one.missed,
        normalised=judged.normalised,
        shares=tuple(JudgedShare(*each) for each in named),
    )


def _gaps(judged: Sequence[_Judged]) -> Iterator[MomentGap]:
    for event in sorted({each.moment.event for each in judged}):
        here = [each for each in judged if each.moment.event == event]
        mean = sum(each.belief.kl_bits for each in here) / len(here)
        yield MomentGap(event, here[0].moment.text, mean, len(here))


def _slips(
    transcript: Transcript[Any, Any], judged: Sequence[_Judged], *, impossible: bool
) -> Iterator[JudgedSlip]:
    found: dict[tuple[str, int], list[_Judged]] = {}
    for each in judged:
        exact, stated = each.belief.exact, each.belief.stated
        wrong = (exact <= CERTAIN) & (stated > MEANT)
        if not impossible:
            wrong = (exact >= 1.0 - CERTAIN) & (stated < 1.0 - MEANT)
        for place in np.flatnonzero(wrong).tolist():
            found.setdefault((each.belief.about, place), []).append(each)

    def size(slip: tuple[tuple[str, int], list[_Judged]]) -> float:
        (_, place), (first, *_) = slip
        share = float(first.belief.stated[place])
        return -share if impossible else share

    for (_, place), (each, *again) in sorted(found.items(), key=size)[:MOST_SLIPS]:
        posterior, feature = each.moment.posterior, each.asked.feature
        assert posterior is not None
        proof = _proof(posterior, feature.equals(feature.values[place]))
        yield JudgedSlip(
            event=each.moment.event,
            about=each.belief.about,
            value=each.asked.values[place],
            stated=float(each.belief.stated[place]),
            moments=1 + len(again),
            because=tuple(transcript.reason(posterior, unit) for unit in proof or ()),
            events=tuple(unit for unit in proof or () if isinstance(unit, int)),
            proven=proof is not None,
        )


def _proof(posterior: Posterior, condition: Condition) -> Sequence[Any] | None:
    try:
        return posterior.explain(condition)
    except (EvidenceError, ContradictionError, UnsupportedError, CostError):
        return None
