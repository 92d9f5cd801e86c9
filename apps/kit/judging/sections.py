"""Parts of a judgement that read alike in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ....beliefs.judging.stated import Estimate
from ..answers.values import Cell, Column, Paragraph, Section, Statement, right, sheet
from ..number_words import bits, counted, listed, percent
from .judgement import JudgedSlip, Judgement

#: Answers that are told one by one in a terminal, the worst first.
MOST_WORST: Final = 8
#: Bits by which an answer is off that are not told as 0.00.
TELLING: Final = 0.005
FROM_THE_VIEW: Final = "Where none is named, it follows from what the viewer can see."


def in_words(judgement: Judgement) -> str:
    """The judgement in a few sentences."""
    scores = judgement.scores
    said = (
        f"{counted(len(judgement.answers), 'answer')} at "
        f"{counted(len(judgement.moments), 'moment')}. What was stated is "
        f"{_number(scores.kl_bits)} bits from the exact posterior on average."
    )
    growth = scores.growth
    if growth.value is not None and growth.interval is not None:
        if growth.interval[0] > 0.0 and scores.late_kl_bits > scores.early_kl_bits:
            said += (
                f" The gap grows: {bits(scores.early_kl_bits)} bits in the first third of the"
                f" moments, {bits(scores.late_kl_bits)} in the last."
            )
        elif growth.interval[1] < 0.0 and scores.late_kl_bits < scores.early_kl_bits:
            said += (
                f" The gap shrinks: {bits(scores.early_kl_bits)} bits in the first third of the"
                f" moments, {bits(scores.late_kl_bits)} in the last."
            )
    return said + _weighing(judgement)


def _weighing(judgement: Judgement) -> str:
    """The sentences on slope and recency, where chance does not explain them."""
    slope, recency = judgement.scores.slope, judgement.scores.recency
    said = ""
    if slope.interval is not None:
        if slope.interval[1] < 0.995:
            said += " New evidence moves it too little (conservatism)."
        elif slope.interval[0] > 1.005:
            said += " New evidence moves it too much."
    if recency.interval is not None and recency.interval[0] > 0.005:
        said += " What came last weighs more than what came first (recency)."
    elif recency.interval is not None and recency.interval[1] < -0.005:
        said += " What came first weighs more than what came last (primacy)."
    return said


def sections(judgement: Judgement) -> Iterator[Section]:
    """The parts: scores, order, calibration, slips, and the worst answers."""
    yield _scores(judgement)
    if judgement.scores.slope.value is not None:
        yield _order(judgement)
    yield _calibration(judgement)
    if judgement.impossible:
        yield _slips(
            "Impossible things that were believed",
            "Values that what was seen rules out: after which event first, what was stated then, at"
            " how many moments something was, and the fewest observations that prove it.",
            judgement.impossible,
        )
    if judgement.certain:
        yield _slips(
            "Certainties that were missed",
            "Values that what was seen proves: after which event first, what was stated then, at"
            " how many moments it was too little, and the fewest observations that prove it.",
            judgement.certain,
        )
    if any(each.kl_bits >= TELLING for each in judgement.answers):
        yield _worst(judgement)


def _scores(judgement: Judgement) -> Section:
    scores = judgement.scores
    rows: list[Sequence[Cell]] = [
        ("divergence (KL), bits", _number(scores.kl_bits), "0"),
        ("expected log score, bits", _number(scores.log_bits), _number(scores.entropy_bits)),
        ("expected Brier score", _number(scores.brier), _number(scores.exact_brier)),
    ]
    if scores.true_log_bits.value is not None:
        rows += [
            (
                "log score by the truth, bits",
                *map(_number, (scores.true_log_bits, scores.exact_true_log_bits)),
            ),
            (
                "Brier score by the truth",
                *map(_number, (scores.true_brier, scores.exact_true_brier)),
            ),
        ]
    rows.append(("growth of the gap, bits a moment", _number(scores.growth, 3), "0"))
    parts: list[Statement] = [sheet("", right("stated"), right("exact"), rows=rows)]
    missed = sum(each.missed for each in judgement.answers)
    notes = [f"{counted(missed, 'answer')} gave nothing to what is possible"] if missed else []
    if judgement.normalised:
        notes.append(f"{counted(judgement.normalised, 'answer')} had to be normalised")
    if judgement.unanswered:
        notes.append(f"{counted(judgement.unanswered, 'question')} left open")
    if notes:
        parts.append(Paragraph(f"{'; '.join(notes)}.", "soft"))
    lead = "Means, with 95 % intervals by the bootstrap over moments; less is better."
    return Section("The scores", tuple(parts), lead)


def _order(judgement: Judgement) -> Section:
    scores = judgement.scores
    rows: list[Sequence[Cell]] = [
        ("new evidence moves what is stated by", _number(scores.slope), "1")
    ]
    if scores.lagged.value is not None:
        rows.append(("and that of the moment before, again by", _number(scores.lagged), "0"))
    for each in scores.weights:
        if each.oldest is None:
            ago = f"{each.newest} moments ago or more"
        elif each.newest == each.oldest:
            ago = ("seen last", "one moment ago")[each.newest]
        else:
            ago = f"{each.newest} to {each.oldest} moments ago"
        rows.append((f"weight of what was {ago}", _number(each.weight), "1"))
    if scores.recency.value is not None:
        rows.append(("recency: the first of these less the last", _number(scores.recency), "0"))
    lead = (
        "Changes of log odds that were stated, regressed on the exact ones. Less than 1 is"
        " conservatism; more weight of what came last is recency."
    )
    return Section(
        "How evidence was weighed", (sheet("", right("stated"), right("exact"), rows=rows),), lead
    )


def _calibration(judgement: Judgement) -> Section:
    known = any(each.happened is not None for each in judgement.scores.calibration)
    rows: list[Sequence[Cell]] = [
        (
            f"{percent(each.low)} to {percent(each.high)} %",
            str(each.count),
            f"{percent(each.stated, 1)} %",
            f"{percent(each.exact, 1)} %",
            *(("–" if each.happened is None else f"{percent(each.happened)} %",) if known else ()),
        )
        for each in judgement.scores.calibration
    ]
    columns = ["stated", right("values"), right("mean"), right("exact mean")]
    columns += [right("true")] if known else []
    apart = percent(judgement.scores.calibration_error, 1)
    lead = (
        "Of values to which about as much was stated, the mean of what was stated beside that of"
        f" the exact posterior; they are {apart} % apart on average."
    )
    return Section("Calibration", (sheet(*columns, rows=rows),), lead)


def _slips(title: str, lead: str, slips: Sequence[JudgedSlip]) -> Section:
    rows = [
        (
            str(each.event),
            "\n".join(filter(None, (f"{each.about}: {each.value}", _because(each)))),
            f"{percent(each.stated)} %",
            str(each.moments),
        )
        for each in slips
    ]
    columns = (
        Column("after", link="event-"),
        "value, and why",
        right("stated"),
        right("moments"),
    )
    if any(each.proven and not each.because for each in slips):
        lead = f"{lead} {FROM_THE_VIEW}"
    return Section(title, (sheet(*columns, rows=rows),), lead)


def _because(slip: JudgedSlip) -> str:
    return listed(slip.because) if slip.proven else "by the numbers alone"


def _worst(judgement: Judgement) -> Section:
    off = [each for each in judgement.answers if each.kl_bits >= TELLING]
    worst = sorted(off, key=lambda each: -each.kl_bits)[:MOST_WORST]
    rows: list[Sequence[Cell]] = []
    for each in worst:
        shares = sorted(each.shares, key=lambda share: -abs(share.stated - share.exact))[:2]
        said = ", ".join(
            f"{share.value}: {percent(share.stated)} % for {percent(share.exact)} %"
            for share in shares
        )
        rows.append((str(each.event), each.about, bits(each.kl_bits), said))
    columns = (Column("after", link="event-"), "about", right("bits"), "stated for exact")
    return Section("The answers that are farthest off", (sheet(*columns, rows=rows),))


def _number(estimate: Estimate, digits: int = 2) -> str:
    """A number with its interval."""
    if estimate.value is None:
        return "–"
    if estimate.interval is None:
        return _rounded(estimate.value, digits)
    low, high = (_rounded(each, digits) for each in estimate.interval)
    return f"{_rounded(estimate.value, digits)} ({low} to {high})"


def _rounded(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0.0 else text.replace("-", "\N{MINUS SIGN}")
