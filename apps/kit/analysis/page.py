"""The report of any analysed game: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Generic

from ....data.checks import CERTAIN
from ..answers.html import shown
from ..answers.values import Bars, Section
from ..number_words import bits, percent
from ..pages.document import footer, made_by, report, section, terms
from ..pages.markup import Html, element, join, listed, plain
from .chart import comes_or_goes, entropy_chart, hidden_left_out, likeliest, strips
from .event_list import event_list
from .moments import Detail, Findings
from .sections import sections

if TYPE_CHECKING:
    from .moments import AnyAnalysis, TimelineAnalysis

#: Roles that are numbers: of them one says "the first player".
ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
#: A game may have one hidden thing or twenty: bars take the room that there is.
STYLE: Final = """
.panels { grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); }
.bars li { grid-template-columns: minmax(4rem, 1fr) 2fr 3.4rem; }
"""
BIT: Final = (
    "A bit is what the answer to one even yes-or-no question tells. What an event told is "
    "negative if it made what is hidden less certain."
)


class AnalysisPage(Generic[Detail, Findings]):
    """The report of an analysis; a game's own says other sections, or more of them.

    Attributes:
        said: What stands at the bottom: what the numbers mean.
        room: The package with a style sheet of the game's own.
        class_: Of the body.
    """

    said: str = BIT
    room: str | None = None
    class_: str | None = None

    def html(self, analyses: Sequence[TimelineAnalysis[Detail, Findings]]) -> str:
        """The report of one record, from the eyes of one viewer or of several.

        Args:
            analyses: At least one, all of the same record.
        """
        first, several = analyses[0], len(analyses) > 1
        title = self.title(analyses)
        ahead = self.ahead(analyses)
        parts: list[Html] = [_index(analyses), ahead] if several else []
        for each in analyses:
            prefix = f"{_slug(each)}-" if several else ""
            if several:
                parts.append(element("h2", _capital(who(each)), class_="viewer", id=_slug(each)))
            top = element("section", self.summary(each), terms(self.facts(each)), class_="top")
            parts += [top, *(() if several else (ahead,)), *self.sections(each, prefix)]
        return report(
            first.title,
            title,
            parts,
            footer(first.version, self.legend(first), first.source),
            plain=f"{first.title}: {plain(title)}",
            version=first.version,
            room=self.room,
            style=self.style(first),
            class_=self.class_,
        )

    def title(self, analyses: Sequence[TimelineAnalysis[Detail, Findings]]) -> Html:
        """The heading of the page."""
        if len(analyses) > 3:
            return Html("What each viewer could have known")
        return join(["What ", listed([who(each) for each in analyses]), " could have known"])

    def legend(self, analysis: TimelineAnalysis[Detail, Findings]) -> str:
        """The sentences at the bottom: what the numbers mean."""
        return self.said

    def style(self, analysis: TimelineAnalysis[Detail, Findings]) -> str:
        """Rules of the style sheet that follow all others."""
        return STYLE

    def ahead(self, analyses: Sequence[TimelineAnalysis[Detail, Findings]]) -> Html:
        """The display of the record itself, whoever looks on."""
        return Html("")

    def summary(self, analysis: TimelineAnalysis[Detail, Findings]) -> Html:
        """The analysis in a few sentences."""
        return _summary(analysis)

    def facts(self, analysis: TimelineAnalysis[Detail, Findings]) -> list[tuple[str, object]]:
        """The origin of the numbers, as terms, each with what it is."""
        exact = "exact" if analysis.exact else "an estimate"
        facts: list[tuple[str, object]] = [
            ("Method", f"{analysis.method.replace('_', ' ')} ({exact})")
        ]
        if analysis.agent:
            facts.append(("Decisions valued by", element("code", analysis.agent)))
        facts += [("Note", note) for note in analysis.notes]
        return [*facts, *made_by(analysis.version, analysis.seed, analysis.record_sha256)]

    def sections(self, analysis: TimelineAnalysis[Detail, Findings], prefix: str) -> Iterator[Html]:
        """The parts in their order.

        Args:
            analysis: The analysis.
            prefix: What stands before the ids in it, where a report has several.
        """
        if any(moment.unknowns for moment in analysis.timeline):
            yield section(
                "How much was open",
                _entropy_lead(analysis),
                entropy_chart(analysis, width=860, height=260, class_="wide", prefix=prefix),
                entropy_chart(analysis, width=380, height=220, class_="narrow", prefix=prefix),
            )
            left = hidden_left_out(analysis)
            more = f" {left} more hidden things are in the JSON." if left else ""
            if (most := likeliest(analysis)) < 1.0 - CERTAIN:
                more = f" The darkest is {percent(most)} %.{more}"
            blank = "ruled out or among the least likely"
            if comes_or_goes(analysis):
                blank = "ruled out, among the least likely, or not hidden then"
            yield section(
                "What was likely, and when",
                "Each strip is a value of something hidden, from the start to the last event: the "
                f"darker, the likelier; blank is {blank}.{more}",
                strips(analysis, width=860, class_="wide"),
                strips(analysis, width=380, class_="narrow"),
            )
        yield from map(laid_out, sections(analysis, prefix))
        yield section(
            "The events",
            "How many bits each event told about what is hidden, and how many were left.",
            event_list(analysis, lambda moment: moment.text, prefix),
        )


def laid_out(part: Section) -> Html:
    """A part as it stands on a page; bars stand beside each other."""
    parts = [shown(each) for each in part.parts]
    if any(isinstance(each, Bars) for each in part.parts):
        parts = [element("div", *parts, class_="panels bars")]
    return section(part.title, part.lead, *parts)


def who(analysis: AnyAnalysis) -> str:
    """Whose eyes an analysis is from, in words."""
    if analysis.viewer in ORDINALS:
        return f"the {analysis.viewer} player"
    return "a spectator" if analysis.viewer == "spectator" else analysis.viewer


def _index(analyses: Sequence[AnyAnalysis]) -> Html:
    links = [element("a", who(each), href=f"#{_slug(each)}") for each in analyses]
    return element("p", "The same game, as seen by ", join(links, ", "), ".", class_="lead")


def _summary(analysis: AnyAnalysis) -> Html:
    first, last = analysis.timeline[0], analysis.timeline[-1]
    if not any(moment.unknowns for moment in analysis.timeline):
        text = f"Nothing was hidden from {who(analysis)}; the record has {analysis.events} events."
        return element("p", text, class_="summary")
    most = max(range(1, len(analysis.timeline)), key=analysis.told, default=0)
    text = (
        f"{_capital(who(analysis))} began with {bits(first.entropy_bits)} bits open and ended "
        f"with {bits(last.entropy_bits)}."
    )
    if most and analysis.told(most) > 0.005:
        text += (
            f" Event {most} told most, {bits(analysis.told(most))} bits: "
            f"“{analysis.timeline[most].text}”."
        )
    losses = [(turn.loss, moment, turn) for moment, turn in analysis.turns if turn.loss]
    if losses:
        loss, moment, turn = max(losses, key=lambda entry: entry[0] or 0.0)
        assert turn.best is not None
        text += (
            f" By the search, the move that gave away most was event {moment.event}, "
            f"“{turn.made}”: “{turn.best.action}” was worth {loss:.2f} more"
        )
        text += ", which may be chance." if turn.within_chance else "."
    return element("p", text, class_="summary")


def _entropy_lead(analysis: AnyAnalysis) -> str:
    text = "Entropy of what is hidden, in bits, after every event"
    if analysis.turns:
        text += "; triangles mark the viewer's own moves"
    text += "."
    if any(not moment.joint for moment in analysis.timeline):
        text += (
            " Where the hidden things have too many values together, it is the sum of their "
            "entropies, which is an upper bound."
        )
    return text


def _slug(analysis: AnyAnalysis) -> str:
    return "viewer-" + "".join(c if c.isalnum() else "-" for c in analysis.viewer.lower())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
