"""The page of a device in a game that goes on, or is over."""

from __future__ import annotations

from collections.abc import Sequence

from ...kit.answers.text import sentence
from ...kit.answers.values import (
    AddressCode,
    BlankForm,
    FormField,
    Paragraph,
    Refusal,
    Statement,
    Statements,
    Touch,
    Touches,
    right,
    sheet,
)
from ...kit.display import Sight
from ...play.saved import YOU
from ...play.seeds import hint_seed
from ...play.verdict import verdict
from ..parcels import SightParcel
from ..sitting import Job, Panel
from . import guess_pages, texts
from . import jobs as work
from .course import GameCourse
from .game_page import GamePage
from .offered import agent_words, offered_agents


def waiting(text: str) -> Panel:
    """A page on which one waits."""
    return Panel("table", (Paragraph(text),), live=True)


def alone(course: GameCourse, seat: int) -> bool:
    """Return whether one person plays on a device, and nobody else plays at all."""
    return len(course.persons) == 1 and course.persons[0].device == seat


def panels(page: GamePage) -> list[Panel]:
    """Everything that a device shows, but for what takes long."""
    found = [Panel("table", tuple(_table(page)), live=True)]
    if page.course.over:
        found += _end(page)
    if page.person is not None:
        found += _of_person(page)
    elif not page.here:
        found.append(Panel("log", tuple(_public(page)), texts.LOG))
    found += guess_pages.scores(page.course, page.here, over=page.course.over)
    if page.seat == 0:
        found += _devices(page)
    return found


def jobs(page: GamePage) -> list[Job]:
    """The jobs for what a device should see besides, the belief first."""
    person = page.person
    if person is None:
        return []
    course, found = page.course, list[Job]()
    parcel = SightParcel.of(page.sight)
    if course.seats.belief and page.display.game.hides and _may_see(page):
        found.append(
            Job(work.belief, (course.name, parcel), Panel("known", (), texts.KNOWN, "side"))
        )
    if (agent := _advised(page)) is not None:
        seed = hint_seed(course.playing.seed, page.sight.view.viewer)
        panel = Panel("advice", (), texts.ADVISED, "side")
        found.append(Job(work.advice, (course.name, agent, seed, parcel), panel))
    return found


# -- parts


def _table(page: GamePage) -> Statements:
    """The words on who is to move, and on who has the device."""
    course = page.course
    parts: list[Statement] = []
    play = course.playing
    if page.failed:
        parts.append(Refusal(texts.FAILED.format(page.name((play.player,)), page.failed)))
        parts.append(Touches("", (Touch(texts.AGAIN, "again"),)))
    if course.last_back is not None and course.last_back[1] == course.at:
        parts.append(Paragraph(sentence(texts.TOOK_BACK.format(page.name(course.last_back[0])))))
    if not course.over:
        parts.append(_whose(page))
    if page.shared and (page.person is None or course.over):
        others = tuple(
            Touch(
                texts.I_AM.format(page.who(each)),
                f"i-am {','.join(map(str, each.roles))}",
                "strong" if each == course.mover else "plain",
            )
            for each in page.here
            if each != page.person
        )
        parts += [Paragraph(texts.OTHERS_TURN, "soft"), Touches("", others)]
    if not page.here:
        parts.append(Paragraph(texts.NOBODY_HERE, "soft"))
    return parts


def _whose(page: GamePage) -> Paragraph:
    """The words on who is to move."""
    course = page.course
    if page.moves:
        return Paragraph(texts.YOURS.format(page.display.prompt(page.sight)), "strong")
    if course.mover is not None:
        return Paragraph(sentence(texts.WHOSE.format(page.who(course.mover))))
    role = course.playing.player
    agent = agent_words(course.seats.agents[role])
    return Paragraph(sentence(texts.THINKS.format(page.name((role,)), agent)))


def _of_person(page: GamePage) -> list[Panel]:
    """All that the person who looks may see and do."""
    assert page.person is not None
    display, sight, course = page.display, page.sight, page.course
    shown: Sequence[Statement] = display.on_page(sight)
    found: list[Panel] = []
    movers = [each.event.mover for each in sight.seen.events]
    first = max((at for at, mover in enumerate(movers, 1) if mover in sight.person), default=0)
    news = [sentence(said) for said in display.happened(sight, first)]
    every = [sentence(said) for said in display.happened(sight, 0)]
    found.append(Panel("since", tuple(_listed(news)), texts.SINCE, live=True))
    if page.moves:
        shown = page.choice.pointed(shown)
    found.append(Panel("game", tuple(shown), texts.STANDS))
    if page.moves:
        found.append(Panel("moves", tuple(page.choice.touches()), texts.YOUR_MOVE, "touch"))
    back = (
        (Touch(texts.TAKE_BACK, f"back {course.at}", "soft"),)
        if course.seats.back and course.before(page.person) is not None
        else ()
    )
    found.append(Panel("back", (Touches("", back),) if back else (), place="touch"))
    found += _belief_and_advice(page)
    found += _extras(page)
    if page.moves:
        found.append(_written(page))
    found.append(Panel("log", tuple(_listed(every)), texts.LOG, "side", folded=True))
    words = [each for each in (display.rules, display.writing) if each]
    found.append(Panel("words", tuple(map(Paragraph, words)), texts.RULES, "side", folded=True))
    if not course.over and alone(course, page.seat):
        saved = Touch(texts.SAVED, f"/s/{page.tokens[page.seat]}/get/saved.json", "soft")
        note = Paragraph(texts.SAVED_NOTE, "soft")
        found.append(Panel("files", (Touches("", (saved,)), note), texts.MORE, "side", folded=True))
    return found


def _written(page: GamePage) -> Panel:
    """The form in which a move is written, for who would rather do that."""
    field = FormField("move", page.display.writing)
    form = BlankForm(f"say {page.course.at}", (field,), texts.DONE)
    return Panel("write", (form,), texts.WRITE, "side", folded=True)


def _belief_and_advice(page: GamePage) -> list[Panel]:
    """The places of what can be known and of advice, as long as they are not worked out."""
    course, found = page.course, list[Panel]()
    if course.over:
        return found
    person = page.person
    assert person is not None
    if page.display.game.hides and (course.seats.belief or course.seats.guess):
        if course.seats.guess:
            found += guess_pages.asked(page)
        skip = Touch(texts.SKIP, f"skip {course.at}", "soft")
        hidden = course.seats.belief and not _may_see(page)
        found.append(Panel("known", (Touches("", (skip,)),) if hidden else (), texts.KNOWN, "side"))
    if course.seats.advice:
        asks = page.moves and _advised(page) is None
        found.append(Panel("advice", (_asking(page),) if asks else (), texts.ADVISED, "side"))
    return found


def _may_see(page: GamePage) -> bool:
    """Return whether the person may see what can be known: they have guessed, or would not."""
    course, person = page.course, page.person
    if not course.seats.guess:
        return True
    assert person is not None
    return course.guessed(person) or page.eyes.unguessed == (page.now, person.roles)


def _asking(page: GamePage) -> BlankForm:
    """A form that asks an agent for advice: the usual one, unless another is chosen."""
    agents = {"": texts.USUAL_AGENT, **offered_agents(page.course.playing.game)}
    field = FormField(
        "agent", texts.ADVISER, "", "choice", tuple(agents), called=tuple(agents.values())
    )
    return BlankForm(f"advice {page.course.at}", (field,), texts.ASK_ADVICE)


def _advised(page: GamePage) -> str | None:
    """The agent that was asked for advice now, empty for the usual one; None for no advice."""
    asked = page.eyes.advised
    if not page.course.seats.advice or not page.moves or asked is None or asked[0] != page.now:
        return None
    return asked[1]


def _extras(page: GamePage) -> list[Panel]:
    extras = page.display.extras
    if not extras or page.course.over:
        return []
    touches = tuple(
        Touch(name, f"extra {name}", pressed=name == page.eyes.extra) for name in extras
    )
    parts: list[Statement] = [Touches("", touches)]
    if page.eyes.extra in extras:
        shown = extras[page.eyes.extra][1](page.sight, "")
        parts += page.choice.pointed(shown) if page.moves else shown
    return [Panel("extras", tuple(parts), texts.MORE)]


def _listed(lines: Sequence[str]) -> Statements:
    return [
        Paragraph("\n".join(lines) if lines else texts.NOTHING_YET, "plain" if lines else "soft")
    ]


def _public(page: GamePage) -> Statements:
    """All that everybody has seen, for a device where nobody plays."""
    sight = Sight.of(page.course.playing, -1, ())
    return _listed([sentence(said) for said in page.display.happened(sight, 0)])


def _end(page: GamePage) -> list[Panel]:
    """The result, and what to do next."""
    course, display = page.course, page.display
    play = course.playing
    parts: list[Statement] = []
    if page.person is not None and (said := display.ending(page.sight)):
        parts.append(Paragraph(said))
    for person in page.here:
        whose = f"{page.who(person)}: " if len(page.here) > 1 else ""
        parts.append(Paragraph(f"{whose}{verdict(display, play, person.roles)}", "strong"))
    rows = [
        (
            display.names((role,)),
            "" if course.seats.agents[role] == YOU else agent_words(course.seats.agents[role]),
            f"{value:g}",
        )
        for role, value in enumerate(play.returns().tolist())
    ]
    parts.append(sheet("", "", right(), rows=rows))
    going = course.unscored is None and not course.unjudged
    choices = [Touch(texts.ANOTHER, "another", "strong", enabled=going)]
    choices.append(Touch(texts.ANALYSIS, "replay", enabled=going))
    if page.seat == 0:
        choices.append(Touch(texts.ANEW, "anew", "soft", enabled=going))
    own = f"/s/{page.tokens[page.seat]}/get"
    files = (
        Touch(texts.RECORD, f"{own}/record.json", "soft"),
        Touch(texts.SAVED, f"{own}/saved.json", "soft"),
    )
    return [
        Panel("end", tuple(parts), texts.OVER),
        Panel("next", (Touches("", tuple(choices)), Touches("", files)), place="touch"),
    ]


def _devices(page: GamePage) -> list[Panel]:
    """The addresses of the other devices, for the host."""
    parts: list[Statement] = []
    for device in sorted({each.device for each in page.course.persons} - {0}):
        people = [each for each in page.course.persons if each.device == device]
        base = page.addresses[0] if page.addresses else ""
        named = ", ".join(map(page.who, people))
        parts.append(AddressCode(named, f"{base}/s/{page.tokens[device]}"))
    if not parts:
        return []
    note = Paragraph(texts.DEVICES_NOTE, "soft")
    return [Panel("devices", (note, *parts), texts.DEVICES, "side", folded=page.course.at > 0)]
