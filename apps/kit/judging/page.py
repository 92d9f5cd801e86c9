"""The page of a judgement: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from typing import Final

from ..analysis.page import laid_out
from ..answers.html import shown
from ..answers.values import right, sheet
from ..number_words import bits, percent
from ..pages.chart import event_numbers, hovers, levels, picture, step_line
from ..pages.document import footer, made_by, report, section, terms
from ..pages.frame import Frame
from ..pages.markup import Html, element
from .judgement import JudgedAnswer, Judgement
from .sections import in_words, sections

#: Values of an answer that are shown, the likeliest first.
MOST_SHARES: Final = 6
#: Moments follow each other with some room.
STYLE: Final = "h3[id] { margin: 1.5rem 0 .25rem; }"
#: The least height of the picture, in bits.
LEAST: Final = 0.1
LEGEND: Final = (
    "The divergence is the number of bits by which somebody who holds what was stated is more"
    " surprised, on average over what can be known, than somebody who knows the exact posterior."
)


def judgement_page(judgement: Judgement) -> str:
    """The whole page."""
    title = f"What {judgement.viewer} stated, beside what could be known"
    exact = "exact" if judgement.exact else "an estimate"
    facts: list[tuple[str, object]] = [
        ("Seen by", judgement.viewer),
        ("Method", f"{judgement.method.replace('_', ' ')} ({exact})"),
        *made_by(judgement.version, judgement.seed, judgement.record_sha256),
    ]
    parts = [
        element(
            "section",
            element("p", in_words(judgement), class_="summary"),
            terms(facts),
            class_="top",
        ),
        section(
            "How far off, and when",
            "Divergence from the exact posterior after every event, in bits: the mean over all that"
            " was stated then.",
            _gaps(judgement, width=860, height=240, class_="wide"),
            _gaps(judgement, width=380, height=200, class_="narrow"),
        ),
        *map(laid_out, sections(judgement)),
        section("Moment by moment", "What was stated, and what is exact.", *_moments(judgement)),
    ]
    return report(
        judgement.title,
        title,
        parts,
        footer(judgement.version, LEGEND),
        plain=f"{judgement.title}: {title}",
        version=judgement.version,
        style=STYLE,
    )


def _gaps(judgement: Judgement, *, width: float, height: float, class_: str) -> Html:
    """A step line of the divergence; between moments at which nothing was stated it stays."""
    last = judgement.moments[-1].event
    by_event = {each.event: each for each in judgement.moments}
    values, titles, now = list[float](), list[str](), 0.0
    for event in range(last + 1):
        found = by_event.get(event)
        now = now if found is None else found.kl_bits
        values.append(now)
        titles.append(
            f"event {event}: nothing was stated"
            if found is None
            else f"event {event}, {found.happened}: {bits(found.kl_bits)} bits"
        )
    most = max(LEAST, *values) * 1.05
    frame = Frame(width, height, max(last, 1), most=most, left=44.0)
    return picture(
        frame,
        "Divergence from the exact posterior after every event",
        class_,
        levels(frame, [most * part / 4 for part in range(5)], "{:.2f}".format),
        step_line(frame, values),
        event_numbers(frame, height - 8),
        hovers(frame, titles, "event-" if len(by_event) == last + 1 else None),
    )


def _moments(judgement: Judgement) -> list[Html]:
    found: list[Html] = []
    for moment in judgement.moments:
        title = (
            f"After event {moment.event}: {moment.happened}" if moment.event else moment.happened
        )
        rows = [
            (each.about, bits(each.kl_bits), _shares(each), each.truth or "–")
            for each in judgement.answers
            if each.event == moment.event
        ]
        table = sheet("about", right("bits"), "stated for exact", "true", rows=rows)
        heading = element("h3", title[:1].upper() + title[1:], id=f"event-{moment.event}")
        found += [heading, shown(table)]
    return found


def _shares(answer: JudgedAnswer) -> str:
    ranked = sorted(answer.shares, key=lambda each: -max(each.stated, each.exact))
    return ", ".join(
        f"{each.value}: {percent(each.stated)} % for {percent(each.exact)} %"
        for each in ranked[:MOST_SHARES]
    )
