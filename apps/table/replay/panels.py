"""The page of a replay: the table, what can be known, who is likely to win, and the steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ....planners.matches.winning import WinningChances
from ...kit.answers.text import sentence
from ...kit.answers.values import (
    Bars,
    BlankForm,
    Curve,
    CurveLine,
    Facts,
    FormField,
    Paragraph,
    Refusal,
    Statement,
    Touch,
    Touches,
    right,
    sheet,
)
from ...kit.number_words import bits, percent
from ..sitting import Panel
from . import texts as say
from .reels import CHANCE, SCENE, TRUTH, PlayReel, Reel, ReelPlace
from .sources import RecordSource, WatchedGame
from .working import HeldTrue, Scene

#: Events that are listed before and after the one that is looked at.
AROUND: Final = 6
#: A curve needs so many moments.
LEAST: Final = 2


@dataclass(frozen=True)
class ReplayMoment:
    """All that a page of a replay is made of.

    Attributes:
        reel: What is replayed.
        at: The moment.
        eyes: The place of the eyes.
        runs: Whether it goes on by itself.
        speed: How many moves a second.
        link: The address of the page.
        watched: The game of agents; None for a record.
        source: The record; None for a game of agents.
        trouble: Why a game of agents stands still; empty where it does not.
        scenes: What workers have said of moments.
        told: The same without what is drawn.
        chances: How likely each side is to win.
        truths: How likely each player holds what is true; for everybody's eyes alone.
    """

    reel: Reel
    at: int
    eyes: int
    runs: bool
    speed: float
    link: str
    watched: WatchedGame | None
    source: RecordSource | None
    trouble: str
    scenes: Mapping[ReelPlace, Scene]
    told: Mapping[ReelPlace, Scene]
    chances: Mapping[ReelPlace, WinningChances | None]
    truths: Mapping[ReelPlace, HeldTrue | None]

    @property
    def seer(self) -> str:
        """Whose eyes these are."""
        return self.reel.eyes[self.eyes]

    def places(self, what: str, at: int) -> Sequence[ReelPlace]:
        """The places of what is wanted for a moment."""
        return self.reel.places(what, self.eyes, at)

    def event(self, at: int) -> str:
        """The event there, in words; empty where it is not known yet."""
        said = self.reel.event(self.eyes, at)
        scene = self.told.get(ReelPlace(SCENE, self.eyes, at))
        return said or ("" if scene is None else scene.text)


def panels(now: ReplayMoment) -> list[Panel]:
    """The panels of a page."""
    reel = now.reel
    count = say.MOMENT.format(now.at, reel.length)
    heading = count if reel.whole else f"{count} {say.GOES_ON_AS}"
    found = [
        Panel("table", (*_table(now),), heading, live=True),
        Panel("belief", (*_belief(now),), _knows(now)),
        Panel("chance", (*_chance(now),), say.CHANCE_TO_WIN, "side"),
        Panel("open", (*_open(now),), "", "side"),
        Panel("events", (*_events(now),), say.EVENTS, "side"),
        Panel("steps", (*_steps(now),), "", "touch"),
        Panel("eyes", (*_eyes(now),), "", "touch"),
        Panel("record", (*_record(now),), say.THE_RECORD, "side", folded=True),
    ]
    return [each for each in found if each.parts]


def _table(now: ReplayMoment) -> Iterator[Statement]:
    if not now.at:
        yield Paragraph(sentence(say.BEGINNING), "strong")
    elif said := now.event(now.at):
        yield Paragraph(sentence(said), "strong")
    else:
        yield Paragraph(say.WORKED_OUT, "soft")
    if now.trouble:
        yield Refusal(say.STOPPED.format(now.trouble))
    yield from now.reel.table(now.eyes, now.at)


def _knows(now: ReplayMoment) -> str:
    everybody = len(now.places(SCENE, now.at)) > 1
    return say.ALL_KNOW if everybody else say.KNOWS.format(now.seer)


def _belief(now: ReplayMoment) -> Iterator[Statement]:
    places = now.places(SCENE, now.at)
    if len(places) == 1:
        scene = now.scenes.get(places[0])
        yield from [Paragraph(say.WORKED_OUT, "soft")] if scene is None else scene.parts
        return
    rows: list[tuple[str, str, str]] = []
    for place in places:
        scene = now.told.get(place)
        held = now.truths.get(ReelPlace(TRUTH, place.eyes, place.at))
        rows.append(
            (
                now.reel.eyes[place.eyes],
                "" if scene is None or scene.bits is None else bits(scene.bits),
                "" if held is None else f"{held.about}: {held.value}, {percent(held.share)} %",
            )
        )
    yield sheet("", right(say.OPEN_BITS), right(say.HELD_TRUE), rows=rows)


def _chance(now: ReplayMoment) -> Iterator[Statement]:
    """At this moment, and over all."""
    place = ReelPlace(CHANCE, now.eyes, now.at)
    if not now.reel.plays_on and not any(now.chances.values()):
        return
    if place not in now.chances:
        yield Paragraph(say.WORKED_OUT, "soft")
    elif (found := now.chances[place]) is None:
        yield Paragraph(say.NOT_KNOWN, "soft")
    else:
        yield Bars("", tuple(zip(_sides(now, found), found.shares, strict=True)))
        yield Paragraph(_how(now, found), "soft")
    yield from _chance_curve(now)


def _how(now: ReplayMoment, found: WinningChances) -> str:
    """A line on what a chance is made of."""
    if not found.games:
        return say.DECIDED
    intervals = ", ".join(
        f"{side} {percent(low)} to {percent(high)} %"
        for side, (low, high) in zip(_sides(now, found), found.intervals, strict=True)
    )
    if found.counted:
        text = say.COUNTED
    elif not now.eyes and now.reel.whole:
        text = say.FROM_TRUTH
    else:
        text = say.PLAYED_ON
    # Where the game goes on, everybody together know what those do who look on.
    eyes = now.seer if now.eyes else now.reel.eyes[-1]
    return text.format(games=found.games, counted=found.counted, eyes=eyes, intervals=intervals)


def _chance_curve(now: ReplayMoment) -> Iterator[Statement]:
    known = {
        at: found
        for at in range(now.reel.length + 1)
        if (found := now.chances.get(ReelPlace(CHANCE, now.eyes, at))) is not None
    }
    if len(known) < LEAST:
        return
    sides = _sides(now, next(iter(known.values())))
    lines = (
        CurveLine(side, tuple(known[at].shares[place] if at in known else None for at in _all(now)))
        for place, side in enumerate(sides)
    )
    yield Curve(say.OVER_TIME, tuple(lines), now.at, line="at")


def _sides(now: ReplayMoment, found: WinningChances) -> tuple[str, ...]:
    return now.reel.sides(found.sides)


def _all(now: ReplayMoment) -> range:
    return range(now.reel.length + 1)


def _open(now: ReplayMoment) -> Iterator[Statement]:
    """Curves of how much was open at every moment."""
    lines: list[CurveLine] = []
    for place in now.places(SCENE, now.at):
        every = [now.told.get(ReelPlace(SCENE, place.eyes, at)) for at in _all(now)]
        values = tuple(None if scene is None else scene.bits for scene in every)
        if sum(value is not None for value in values) >= LEAST:
            lines.append(CurveLine(now.reel.eyes[place.eyes], values))
    most = max((value or 0.0 for line in lines for value in line.values), default=0.0)
    if most > 0.0:
        yield Curve(say.OPEN_OVER_TIME, tuple(lines), now.at, max(1.0, most), "at")


def _events(now: ReplayMoment) -> Iterator[Statement]:
    """Events around this moment, to go there."""
    first = max(1, min(now.at - AROUND, now.reel.length - 2 * AROUND))
    listed = [
        Touch(
            f"{at}. {sentence(said)}",
            f"at {at}",
            pressed=True if at == now.at else None,
        )
        for at in range(first, min(first + 2 * AROUND, now.reel.length) + 1)
        if (said := now.event(at))
    ]
    if listed:
        yield Touches("", tuple(listed), "list")


def _steps(now: ReplayMoment) -> Iterator[Statement]:
    begins, ends = not now.at, now.at >= now.reel.length
    still = now.reel.whole and ends
    run = say.PAUSE if now.runs else say.RUN

    def one(words: tuple[str, str], line: str, key: str, *, stays: bool = False) -> Touch:
        text, label = words
        return Touch(text, line, label=label, enabled=not stays, key=key)

    yield Touches(
        "",
        (
            one(say.FIRST, "first", "Home", stays=begins),
            one(say.BACK, "back", "ArrowLeft", stays=begins),
            Touch(run[0], "run", "strong", label=run[1], key="Space"),
            one(say.NEXT, "next", "ArrowRight", stays=ends),
            one(say.LAST, "last", "End", stays=still),
        ),
        "row",
    )
    yield Touches(
        "",
        (
            Touch(say.SLOWER, "slower", "aside", key="-"),
            Touch(say.FASTER, "faster", "aside", note=say.PACE.format(now.speed), key="+"),
            Touch(say.LINK, f"{now.link}#{now.at}-{now.eyes}", "aside"),
        ),
        "row",
    )
    if now.reel.length > 1:
        slider = FormField(
            "to", say.GO_TO, str(now.at), "range", least=0, most=now.reel.length, step=1
        )
        yield BlankForm("go", (slider,), say.GO)
    yield Paragraph(say.KEYS, "soft")


def _eyes(now: ReplayMoment) -> Iterator[Statement]:
    if len(now.reel.eyes) > 1:
        yield Touches(
            say.EYES,
            tuple(
                Touch(name, f"eyes {place}", pressed=place == now.eyes)
                for place, name in enumerate(now.reel.eyes)
            ),
        )


def _record(now: ReplayMoment) -> Iterator[Statement]:
    """Whose record it is, the file, and other games."""
    rows: list[tuple[str, str]] = []
    if now.watched is not None and isinstance(now.reel, PlayReel):
        rows = list(zip(now.reel.eyes[1:-1], now.watched.agents, strict=True))
        rows.append((say.SEED_OF_GAME, str(now.watched.seed)))
    if rows:
        yield Facts(tuple(rows))
    if now.reel.lines:
        yield Paragraph("\n".join(now.reel.lines))
    yield Touches("", (Touch(say.SAVE_RECORD, f"{now.link}/get/record", "aside"),))
    if now.source is not None and (games := now.reel.games) > 1:
        number = FormField(
            "number", say.OTHER_OF_FILE.format(games), str(now.source.number), "number", least=1,
            most=games, step=1,
        )  # fmt: skip
        yield BlankForm("number", (number,), say.GO)
    if now.reel.plays_on:
        blanks = (
            FormField("settings", say.SETTINGS_OF_GAME),
            FormField("agents", say.AGENTS_OF_GAME),
            FormField("seed", say.SEED_OF_GAME),
        )
        yield BlankForm("watch", blanks, say.WATCH_ANOTHER)
