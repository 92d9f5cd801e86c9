"""Scotland Yard beside a real table: the questions to begin with, the lines, and the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from ....data.errors import ContradictionError, RecordError, SleuthError
from ....models.game import OVER
from ....models.scotland_yard.editions import EDITIONS, edition_of
from ....models.scotland_yard.events import HIDER_NAME as HIDER_ROLE
from ....models.scotland_yard.events import HiderMove, HuntEvent, SeekerMove, seeker_name
from ....models.scotland_yard.record.schema import Station, place, read_form
from ....models.scotland_yard.state import HIDER, MOST_SEEKERS, TICKETS
from ...kit.advising.contract import Adviser
from ...kit.advising.drafts import READ, AdvicePart, Draft, NextTouches, offered_words
from ...kit.advising.entries import Entry, LineMeaning, Settings
from ...kit.advising.forms import check_setting, plainly
from ...kit.advising.words import items, only
from ...kit.answers.values import Paragraph, Statements, Touch, Touches
from ...kit.number_words import listed, whole_number
from ..words import HIDER_NAME, LETTERS, spelt_out
from .answers import best, drawn, news, pieces, shared, station, where, why
from .table import BLACK_FARES, EDITION, HuntSetup
from .touching import HuntDraft, draft_of, touched

WRITING: Final = """\
You are all detectives: write each move when it is made.
  taxi, bus, underground, black      the ticket of Mr. X
  taxi 45                            where Mr. X surfaces, the station as well
  taxi double                        the first of two moves; the second is the next line
  46, bus 46                         where the detective goes, by which ticket if several lead there
  46 caught                          and finds Mr. X there
  was 45                             the game is over, and Mr. X was there
Tickets may be shortened: t, b, u, and x for black. And what you can ask:"""

COMMANDS: Final = {
    "where": "how likely Mr. X is at each station",
    "best": "where each detective should go, by a search, and what it may catch",
    "map": "the board with where Mr. X may be; 'map 46' shows what is around 46",
    "pieces": "where all stand, and the tickets they have left",
    "why": "which entries say that Mr. X cannot be at a station: 'why 46'",
}
#: Words that stand for tickets.
ALSO: Final = {**LETTERS, "tube": "underground"}
#: The boxes by which people know them, and further words for them.
BOXES: Final = {
    "classic": "18 start cards",
    "later": "29, with D or X",
}
BOX_WORDS: Final = {"older": "classic", "old": "classic", "newer": "later", "new": "later"}
DOUBLE, CAUGHT, WAS = "double", "caught", "was"
#: How the log says a move.
HIDERS: Final = re.compile(
    r"mr\. x: (?P<ticket>\w+)(, and is seen at (?P<to>\d+))?(?P<double> \(first of two\))?"
)
SEEKERS: Final = re.compile(
    r"seeker (?P<seeker>\d): (?P<ticket>\w+) to (?P<to>\d+)"
    r"((?P<caught>, and finds mr\. x)|; mr\. x was at (?P<was>\d+))?"
)


class HuntAdviser(Adviser):
    """Advice for the detectives in a game of Scotland Yard; see `Adviser`."""

    name = "scotland_yard"
    title = "Scotland Yard, beside your table"
    keys = (EDITION, "seekers", BLACK_FARES, "rules")
    writing = WRITING
    commands: Mapping[str, str] = COMMANDS

    # -- setting up

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        if key == EDITION:
            usual = EDITIONS[0]
            if "rules" in settings and EDITION not in settings:
                # A table that was set up before this was asked.
                return "", settings["rules"].get(EDITION, usual)
            boxes = " or ".join(f"{name} ({said})" for name, said in BOXES.items())
            return f"which box: {boxes} (empty: {usual})", usual
        if key == "seekers":
            return "where the detectives start, in turn order, such as '13 26 29 34'", None
        if key == BLACK_FARES:
            usual = len(settings["seekers"])
            if (box := edition_of(settings.get(EDITION, EDITIONS[0]))).name != EDITIONS[0]:
                return f"black fares of Mr. X (empty: {box.black_fares})", box.black_fares
            return f"black fares of Mr. X (empty: {usual}, one for each detective)", usual
        return "other rules that differ, such as 'rounds=22 double_moves=1' (empty: none)", {}

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        if key == EDITION:
            return only(line, EDITIONS, "box", BOX_WORDS)
        if key == "seekers":
            value: Any = _numbers(line)
            if not 1 <= len(value) <= MOST_SEEKERS:
                raise RecordError(f"there are 1 to {MOST_SEEKERS} detectives", value=line)
            return value
        if key == BLACK_FARES:
            value, *more = _numbers(line)
            if more:
                raise RecordError("one number is needed", value=line)
            return value
        return _rules(line)

    def refuse_setting(self, key: str, settings: Settings) -> None:
        if key == EDITION:
            return
        named = {name: box for name, box in settings.get("rules", {}).items() if name == EDITION}
        usual: Settings = {**settings, BLACK_FARES: 0, "rules": named}
        told = settings if key == "rules" else usual
        try:
            plainly(lambda: HuntSetup.of(told, []))
        except RecordError as error:
            other = _box_of(settings["seekers"]) if key == "seekers" else ""
            if other in ("", settings.get(EDITION, EDITIONS[0])):
                raise
            hint = (
                f"these are start cards of the {other} box; if it is yours write 'setup {EDITION}'"
            )
            raise RecordError(
                error.message, where=error.where, value=error.value, hint=hint
            ) from None

    def answers_next(self, key: str, line: str) -> bool:
        return key == EDITION and all(word.isdigit() for word in line.replace(",", " ").split())

    def echo(self, key: str, settings: Settings) -> str:
        if key == EDITION and settings[key] != EDITIONS[0]:
            box = edition_of(settings[key])
            cards, tickets = (
                " ".join(map(str, each)) for each in (box.hider_starts, box.seeker_tickets)
            )
            return f"Mr. X starts at one of {cards}. Tickets of a detective: {tickets}."
        if key == "rules" and settings[key]:
            said = [
                f"{name.replace('_', ' ')} {_told(value)}" for name, value in settings[key].items()
            ]
            return f"Played otherwise: {'; '.join(said)}."
        if key != "seekers":
            return ""
        named = enumerate(settings[key], 1)
        return "\n".join(f"  {place} {seeker_name(place)} at {at}" for place, at in named)

    def outdated(self, key: str, before: Settings, value: Any) -> Sequence[str]:
        fewer_or_more = key == "seekers" and len(before[key]) != len(value)
        return (BLACK_FARES,) if fewer_or_more else ()

    # -- files

    def check_setting(self, key: str, value: object) -> None:
        check_setting(FORMS, key, value)
        if key == "rules":
            bare = {"game": self.name, "seekers": [13], "moves": [], "settings": value}
            plainly(lambda: read_form(bare))

    def check_entry(self, entry: object) -> None:
        alone = {"game": self.name, "seekers": [13], "moves": [entry]}
        plainly(lambda: read_form(alone), within=place(1))

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        return [*TICKETS, DOUBLE, CAUGHT, WAS]

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str:
        number = len(entries) + 1
        try:
            table = HuntSetup.of(settings, entries)
        except SleuthError:
            return f"{number}, to be corrected"
        state = table.states[0]
        if table.player == OVER:
            return f"{number - 1}, the game is over"
        if table.player != HIDER:
            at = state.stations[table.player]
            return f"{number}, {seeker_name(table.player)} goes from {at} to"
        shows = ", and surfaces" if table.due else ""
        return f"{number}, {HIDER_NAME}, move {int(state.turn) + 1}{shows}"

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning:
        table = HuntSetup.of(settings, entries)
        tickets: list[str] = []
        stations: list[int] = []
        said: set[str] = set()
        plain, shown = _from_the_log(line, table)
        for word in spelt_out(plain).split():
            if word.isascii() and word.isdigit():
                stations.append(station(word, "taxi 46"))
                continue
            meant = only(word, [*TICKETS, DOUBLE, CAUGHT, WAS], "word", ALSO)
            if meant in TICKETS:
                tickets.append(meant)
            else:
                said.add(meant)
        if len(tickets) > 1 or len(stations) > 1:
            raise RecordError(
                "one ticket and one station make a move", value=line, hint="write a line for each"
            )
        place = stations[0] if stations else None
        if WAS in said:
            return LineMeaning(_ended(table, entries, place), len(entries))
        ticket = tickets[0] if tickets else None
        if table.player == HIDER:
            event = _hiders(ticket, place, said)
        else:
            event = _seekers(table, ticket, place, said)
        plainly(lambda: table.after(event))
        entry = event.to_json()
        return LineMeaning(entry if shown is None else {**entry, "shown": shown})

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry:
        if WAS in line.lower().split()[:1]:
            return self.read(line, settings, entries[:number]).entry
        said = self.read(line, settings, entries[: number - 1])
        if said.number is not None:
            raise RecordError(
                "write the whole entry", value=line, hint=f"such as 'change {number} taxi 46'"
            )
        return said.entry

    def refuse(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        # What an entry may say was seen when it was read; a correction of an earlier one may make
        # it wrong, which is said as a contradiction.
        HuntSetup.of(settings, [])

    def refuse_unsure(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        raise RecordError(
            "each move goes on from the one before, so none can be left out",
            hint=f"write 'change {number} ...' if it is wrong",
        )

    def sentence(self, settings: Settings, entry: Entry) -> str:
        ticket, to = entry["ticket"], entry.get("to")
        if entry["by"] == HIDER_ROLE:
            said = f"{HIDER_NAME}: {ticket}" + (f", and is seen at {to}" if to else "")
            return f"{said} (first of two)" if entry.get(DOUBLE) else said
        said = f"{entry['by']}: {ticket} to {to}"
        if entry.get(CAUGHT):
            return f"{said}, and finds {HIDER_NAME}"
        shown = entry.get("shown")
        return f"{said}; {HIDER_NAME} was at {shown}" if shown else said

    # -- answers

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> Statements:
        earlier: HuntSetup | None = None
        with suppress(ContradictionError):
            # Only what was added may change nothing; a correction is answered in full.
            if before and len(before) < len(entries):
                found = HuntSetup.of(settings, before)
                earlier = found if found.stations.any() else None
        return news(HuntSetup.of(settings, entries), earlier)

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry]
    ) -> Statements:
        shown: dict[str, Callable[[HuntSetup], Statements]] = {
            "map": lambda table: [drawn(table, rest)],
            "pieces": pieces,
        }
        if command in shown:
            # These need no belief: where the pieces stand is known up to what cannot be.
            table, count = _before_contradictions(settings, entries)
            said = shown[command](table)
            note = f"This is how it was before entry {count + 1}, which cannot be true."
            return said if count == len(entries) else [*said, Paragraph(note)]
        table = HuntSetup.of(settings, entries)
        answers: dict[str, Callable[[], Statements]] = {
            "where": lambda: where(table),
            "best": lambda: best(table),
            "why": lambda: why(table, rest),
        }
        return answers[command]()

    # -- on a page

    def presumed(self, key: str, settings: Settings) -> bool:
        return key in (BLACK_FARES, "rules")

    def form(self, key: str, settings: Settings, picked: Sequence[str]) -> Statements:
        if key != EDITION:
            return super().form(key, settings, picked)
        now = settings.get(key)
        boxes = tuple(
            Touch(edition_of(name).title, f"set {key} {name}", pressed=name == now)
            for name in EDITIONS
        )
        return [Touches("Which box do you play with?", boxes, "list")]

    def summary(self, key: str, settings: Settings) -> str:
        return f"Box: {settings[key]}" if key == EDITION else ""

    def offered(
        self, draft: Draft, settings: Settings, entries: Sequence[Entry], place: int | None = None
    ) -> NextTouches:
        if draft.get(READ):
            return offered_words(self, draft, settings, entries, place)
        before = entries if place is None else entries[: place - 1]
        try:
            found = HuntDraft(draft, HuntSetup.of(settings, before))
            offer = found.next()
        except ContradictionError:
            return offered_words(self, draft, settings, entries, place)
        try:
            meaning = self.read(found.line, settings, before) if found.line else None
        except RecordError as error:
            return replace(offer, parts=(Paragraph(str(error)), *offer.parts))
        return replace(offer, meaning=meaning)

    def touched(
        self,
        draft: Draft,
        words: str,
        blanks: Mapping[str, str],
        settings: Settings,
        entries: Sequence[Entry],
    ) -> Draft:
        return touched(draft, words, blanks)

    def begun(self, settings: Settings, entries: Sequence[Entry], place: int) -> Draft:
        return draft_of(entries[place - 1])

    def overview(
        self, settings: Settings, entries: Sequence[Entry], draft: Draft, *, bare: bool = False
    ) -> Sequence[AdvicePart]:
        table = HuntSetup.of(settings, entries)
        parts = [
            AdvicePart(
                "board", "The board", (shared(table, HuntDraft({}, table).goals, bare=bare),)
            ),
            AdvicePart("pieces", "Pieces and tickets", tuple(pieces(table)), aside=True),
        ]
        if bare:
            return parts
        if table.player not in (HIDER, OVER):
            parts.append(AdvicePart("best", "Where to go", command="best", aside=True, heavy=True))
        known = (*news(table, None), *where(table))
        return [*parts, AdvicePart("where", f"Where {HIDER_NAME} may be", known, aside=True)]

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        _before_contradictions(settings, entries)[0].record.dump(path)


def _box_of(seekers: Sequence[int]) -> str:
    """The only box in which detectives can start there; empty where there is not one alone."""
    boxes = [name for name in EDITIONS if {*seekers} <= {*edition_of(name).seeker_starts}]
    return boxes[0] if len(boxes) == 1 else ""


def _before_contradictions(settings: Settings, entries: Sequence[Entry]) -> tuple[HuntSetup, int]:
    """The table up to the first entry that the rules do not allow, and after how many that is."""
    for count in range(len(entries), 0, -1):
        with suppress(ContradictionError):
            return HuntSetup.of(settings, entries[:count]), count
    return HuntSetup.of(settings, ()), 0


def _hiders(ticket: str | None, to: int | None, said: set[str]) -> HuntEvent:
    if ticket is None or CAUGHT in said:
        such = "taxi" if to is None else f"taxi {to}"
        raise RecordError(
            f"it is the turn of {HIDER_NAME}", hint=f"write their ticket, such as '{such}'"
        )
    return HiderMove(ticket, to, double=DOUBLE in said)


def _seekers(table: HuntSetup, ticket: str | None, to: int | None, said: set[str]) -> HuntEvent:
    if table.player == OVER:
        raise RecordError("the game is over", hint="write 'undo' if it is not")
    who, game = seeker_name(table.player), table.game
    if to is None or DOUBLE in said:
        raise RecordError(f"it is the turn of {who}", hint="write a station, such as 'taxi 46'")
    board = game.tables.board[0]
    state: Any = table.states[0]
    here, tickets = int(state.stations[table.player]), state.tickets[table.player]
    if ticket is None:
        ways = [
            TICKETS[kind]
            for kind in range(len(TICKETS))
            if tickets[kind] > 0
            and to in board.target[board.first[here, kind] : board.first[here, kind + 1]]
        ]
        if len(ways) != 1:
            what = "several tickets lead there" if ways else f"{who} cannot go there"
            reach = board.target[board.first[here, 0] : board.first[here, 3]].tolist()
            near = ", ".join(map(str, sorted({*reach})))
            hint = f"write {' or '.join(f'{way} {to}' for way in ways)}"
            raise RecordError(
                what, value=to, hint=hint if ways else f"from {here} one goes to {near}"
            )
        ticket = ways[0]
    return SeekerMove(table.player, ticket, to, caught=CAUGHT in said)


def _ended(table: HuntSetup, entries: Sequence[Entry], to: int | None) -> Entry:
    """The last move of a detective, with where Mr. X was then."""
    if to is None:
        raise RecordError("where was Mr. X?", hint="write 'was 45'")
    last = table.events[-1] if table.events else None
    if not isinstance(last, SeekerMove) or table.states[0].player != HIDER:
        raise RecordError(
            "the game goes on after this move",
            hint="the game ends only after all detectives have moved: when Mr. X is stuck, or has "
            "made the last move",
        )
    return {**entries[-1], "shown": to}


def _from_the_log(line: str, table: HuntSetup) -> tuple[str, int | None]:
    """A move as the log says it, in the words of a person; and where Mr. X was at the end.

    Raises:
        RecordError: It is another detective's turn.
    """
    text = line.strip().casefold().removesuffix(".")
    if (found := HIDERS.fullmatch(text)) is not None and table.player == HIDER:
        words = [found["ticket"], found["to"], DOUBLE if found["double"] else None]
        return " ".join(filter(None, words)), None
    if (found := SEEKERS.fullmatch(text)) is None:
        return line, None
    if table.player != int(found["seeker"]):
        raise RecordError(f"it is not the turn of {seeker_name(int(found['seeker']))}", value=line)
    caught = CAUGHT if found["caught"] else ""
    was = None if found["was"] is None else station(found["was"], "was 45")
    return f"{found['ticket']} {found['to']} {caught}", was


def _numbers(line: str) -> list[int]:
    words = " ".join(items(line)).split()
    found = [whole_number(word, 0, MOST_NUMBER) for word in words]
    if not words or None in found:
        raise RecordError("whole numbers are needed", value=line)
    return [number for number in found if number is not None]


def _rules(line: str) -> dict[str, Any]:
    """Settings as a record has them, from ``name=value`` with blanks between."""
    from ....models.scotland_yard.record.schema import HuntSettingsEntry

    found: dict[str, Any] = {}
    for part in line.split():
        name, sign, text = part.partition("=")
        known = [
            each for each in HuntSettingsEntry.model_fields if each not in ("seekers", BLACK_FARES)
        ]
        if not sign or name not in known:
            raise RecordError("no such rule", value=part, hint=f"known: {listed(known)}")
        numbers = _numbers(text) if name != "edition" else []
        many = name == "reveals" or name.endswith(("_tickets", "_starts"))
        found[name] = text if name == "edition" else numbers if many else numbers[0]
    plainly(lambda: HuntSetup.of({"seekers": [13], BLACK_FARES: 5, "rules": found}, []))
    return found


def _told(value: str | int | Sequence[int]) -> str:
    """The value of a rule in words."""
    return str(value) if isinstance(value, (str, int)) else listed([str(each) for each in value])


#: Largest number of a setting.
MOST_NUMBER: Final = 1_000
#: What stands under each key of a file; of the rules, what a record says.
FORMS: Final[Mapping[str, TypeAdapter[Any]]] = {
    EDITION: TypeAdapter(Literal["classic", "later"]),
    "seekers": TypeAdapter(Annotated[list[Station], Field(min_length=1, max_length=MOST_SEEKERS)]),
    BLACK_FARES: TypeAdapter(Annotated[int, Field(ge=0, le=MOST_NUMBER)]),
    "rules": TypeAdapter(dict[str, str | int | list[int]]),
}
