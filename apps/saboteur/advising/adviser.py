"""Saboteur beside a real table: the questions to begin with, the lines, and the answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

from pydantic import Field, TypeAdapter

from ....data.errors import ContradictionError, RecordError, SleuthError
from ....models.records.forms import Name
from ....models.saboteur.cards import TOOLS
from ....models.saboteur.record.events import RoundDeal, RoundTurn, SaboteurEvent
from ....models.saboteur.record.notation import GOALS_AS, VERBS, Notation
from ....models.saboteur.record.record import TAKEN, event_of, settings_of
from ....models.saboteur.record.replaying import EventError
from ....models.saboteur.record.schema import FORM, read_form
from ....models.saboteur.state import MOST_PLAYERS
from ...kit.advising.contract import Adviser
from ...kit.advising.drafts import READ, AdvicePart, Draft, NextTouches, offered_words
from ...kit.advising.entries import UNSURE, Entry, LineMeaning, Settings
from ...kit.advising.forms import check_setting, plainly
from ...kit.advising.words import items, only
from ...kit.answers.values import Paragraph, Statements
from ...kit.number_words import counted, listed
from .answers import best, drawn, gold_bars, hand, news, people, tell, where, who, why
from .forms import form, summary
from .sentences import said
from .table import MineTable, hand_size, settings_game
from .touching import MineDraft, draft_of, touched

WRITING: Final = """\
Write each turn when it is played; without a name it is whose turn it is:
  ann ESW d7                         a path card by its open sides as it lies, and the cell
  ann ESW x d7                       a dead end; 'dead ESW' is the same
  ann ESW at 1 -2                    the cell counted from the start: 1 to the east, 2 to the north
  bob broken lantern on cid          or pickaxe, or cart
  cid repairs lantern of bob         'by lantern+cart' if the card has two tools
  dan rockfall d7                    a card of the mine is removed
  cid map left, says stone           left is top, right is bottom; they may say nothing
  eva passes                         they discard a card face down
  ann NS k6, top is stone SW         what a goal is that was reached, as it lies
Your own turns say more: 'map top, saw gold', 'discard NES', and ', drew map'. And you can ask:"""

COMMANDS: Final = {
    "who": "how likely each player is a saboteur, and what is known of them",
    "gold": "how likely the gold is under each goal, and who said what",
    "best": "what to play, by a search",
    "tell": "which of your cards would tell most",
    "mine": "the mine as it lies",
    "hand": "your role and your cards",
    "why": "which entries moved the belief about a player most: 'why bob'",
}
#: Words that begin what is asked for: a draw, an end, a deal.
DREW: Final = re.compile(r"^(i )?(drew|draw|draws)\b", re.IGNORECASE)
END: Final = re.compile(r"^(ends?|over)\b:?", re.IGNORECASE)
DEAL: Final = re.compile(r"^(deal|dealt)\b:?", re.IGNORECASE)
AGAIN: Final = re.compile(r" [23]$")


class SaboteurAdviser(Adviser):
    """Advice for one player of a game of Saboteur; see `Adviser`."""

    name = "saboteur"
    title = "Saboteur, beside your table"
    keys = ("players", "me", "rules", "role", "hand")
    writing = WRITING
    commands: Mapping[str, str] = COMMANDS
    prompt_answers = ("who", "gold", "mine", "hand", "tell")

    # -- setting up

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        if key == "players":
            return "players in turn order, such as 'Ann Bob Cid'; the first begins", None
        if key == "me":
            return "which of them are you?", None
        if key == "rules":
            return "other rules that differ, such as 'rounds=3 pay=gold' (empty: none)", {}
        if key == "role":
            return "your role: miner or saboteur", None
        return f"your {counted(hand_size(settings), 'card')}, such as 'NES, dead EW, map'", None

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        if key == "players":
            return _players(line)
        if key == "me":
            return only(line, settings["players"], "player")
        if key == "rules":
            return {} if line.strip().casefold() in ("none", "no") else settings_of(line)
        if key == "role":
            return Notation(settings_game(settings)).role(line.strip())
        return list(_hand(line, Notation(settings_game(settings))))

    def refuse_setting(self, key: str, settings: Settings) -> None:
        if key == "rules":
            plainly(lambda: settings_game(settings))
        if key == "me" and settings["me"] not in settings["players"]:
            raise RecordError("no such player", value=settings["me"])
        if key != "hand":
            return
        count = hand_size(settings)
        if len(settings["hand"]) != count:
            raise RecordError(
                f"you have {counted(count, 'card')}", value=len(settings["hand"]),
                hint="write them with commas between: 'NES, dead EW, map'",
            )  # fmt: skip
        try:
            MineTable.of(settings, [])
        except ContradictionError as error:
            raise RecordError(error.message) from None

    def echo(self, key: str, settings: Settings) -> str:
        if key == "players":
            named = enumerate(settings[key], 1)
            return "\n".join(f"  {place} {name}" for place, name in named)
        return f"  {', '.join(settings[key])}" if key == "hand" else ""

    def renamed(self, key: str, before: Settings, value: Any) -> Mapping[str, str]:
        if key != "players" or len(before[key]) != len(value):
            return {}
        pairs = zip(before[key], value, strict=True)
        return {old: new for old, new in pairs if old != new and old not in value}

    def outdated(self, key: str, before: Settings, value: Any) -> Sequence[str]:
        fewer_or_more = key == "players" and len(before[key]) != len(value)
        if key == "me":
            return ("role", "hand")
        return ("hand",) if fewer_or_more else ()

    # -- files

    def check_setting(self, key: str, value: object) -> None:
        check_setting(FORMS, key, value)

    def check_entry(self, entry: object) -> None:
        alone = {"game": self.name, "players": ["a", "b", "c"], "events": [_bare(entry)]}
        plainly(lambda: read_form(alone), within=FORM.place(1))

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        return [*settings.get("players", ()), *dict.fromkeys(VERBS.values()), *TOOLS,
                *dict.fromkeys(GOALS_AS.values()), "says", "saw", "drew"]  # fmt: skip

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str:
        number = len(entries) + 1
        try:
            table = _table(settings, entries)
        except SleuthError:
            return f"{number}, to be corrected"
        if table.missing == "draw":
            return f"{number - 1}, which card did you draw?"
        if table.asked is not None:
            goal, cards = table.asked
            return f"{number - 1}, the {goal} goal is reached: {listed(cards, 'or')}?"
        if table.missing == "end":
            took = ", and who took which gold cards" if table.gold_cards(()) else ""
            return f"{number}, who were the saboteurs{took}?"
        if table.missing == "deal":
            return f"{number}, your role and hand in the next round"
        if table.mover is None:
            return f"{number - 1}, the game is over"
        return f"{number}, your turn" if table.mine else f"{number}, {table.mover}'s turn"

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning:
        table = _table(settings, entries)
        notation = Notation(table.game, table.mover)
        text = line.strip()
        number: int | None = None
        if table.missing == "draw":
            last = table.events[-1]
            assert isinstance(last, RoundTurn)
            card = DREW.sub("", text).strip() or text
            event: SaboteurEvent = replace(last, drew=notation.card(card))
            number = len(entries)
        elif table.asked is not None:
            last, (goal, _) = table.events[-1], table.asked
            names_it = text.partition(" ")[0].casefold() in GOALS_AS
            event = notation.turn(f"{last.line}, {text if names_it else f'{goal} is {text}'}")
            number = len(entries)
        elif table.missing == "end":
            event = notation.end(_after(END, text, "saboteurs"))
        elif table.missing == "deal":
            event = _deal(text, table, notation)
        elif table.mover is None:
            raise RecordError("the game is over", hint="write 'undo' if it is not")
        elif DREW.match(text):
            raise RecordError("no card is to be drawn now", value=line)
        else:
            event = notation.event(text)
        if isinstance(event, RoundTurn):
            event = _with_what_follows(event, table)
        before = entries if number is None else entries[:-1]
        self._try(settings, before, event)
        return LineMeaning(event.to_json(), number)

    def _try(self, settings: Settings, entries: Sequence[Entry], event: SaboteurEvent) -> None:
        """A RecordError or ContradictionError, if the event does not go on from the entries."""
        try:
            _table(settings, [*entries, event.to_json()])
        except ContradictionError as error:
            if isinstance(cause := error.__cause__, EventError):
                cause.reword(where="")
                raise cause from None
            numbers = [int(str(each)) for each in error.evidence]
            known = [n for n in numbers if 0 < n <= len(entries)]
            against = f"entry {known[0]} says otherwise" if known else "your hand says otherwise"
            if len(known) > 1:
                against = f"entries {', '.join(map(str, known))} say otherwise"
            raise RecordError(
                f"{error.message}: {against}", value=event.line,
                hint=f"write 'change {known[-1]} ...' if that was wrong" if known else "",
            ) from None  # fmt: skip

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry:
        text = line.strip()
        old = entries[number - 1]
        table = _table(settings, entries[: number - 1])
        notation = Notation(table.game, table.mover or table.me)
        if DREW.match(text) and old["type"] == "turn":
            return {**old, "drew": notation.card(DREW.sub("", text).strip())}
        if old["type"] == "end":
            return notation.end(_after(END, text, "saboteurs")).to_json()
        if old["type"] == "deal":
            return _deal(text, table, notation).to_json()
        if old["type"] == "turn" and text.partition(" ")[0].casefold() in GOALS_AS:
            was = event_of(_form({**old, "turned": {}}), table.game, number)
            told = notation.turn(f"{was.line}, {text}").to_json()["turned"]
            return {**old, "turned": {**old.get("turned", {}), **told}}
        event = notation.turn(text)
        if old.get("drew") and event.drew is None and event.by == old["by"]:
            event = replace(event, drew=old["drew"])
        return event.to_json()

    def refuse(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        # What an entry may say was seen when it was read; a correction of an earlier one may make
        # it wrong, which is said as a contradiction.
        MineTable.of(settings, [])

    def refuse_unsure(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        raise RecordError(
            "each turn goes on from the one before, so none can be left out",
            hint=f"write 'change {number} ...' if it is wrong",
        )

    def sentence(self, settings: Settings, entry: Entry) -> str:
        return said(event_of(_form(entry), settings_game(settings), 0))

    # -- answers

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> Statements:
        table, earlier = _table(settings, entries), None
        with suppress(ContradictionError):
            if len(before) <= len(entries) and before:
                earlier = _table(settings, before)
        return news(table, earlier)

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry]
    ) -> Statements:
        if command == "mine":
            table, count = _before_contradictions(settings, entries)
            note = f"This is how it was before entry {count + 1}, which cannot be true."
            return [drawn(table), *([] if count == len(entries) else [Paragraph(note)])]
        table = _table(settings, entries)
        sentences = {n: self.sentence(settings, each) for n, each in enumerate(entries, 1)}
        answers: dict[str, Callable[[], Statements]] = {
            "who": lambda: who(table),
            "gold": lambda: where(table),
            "best": lambda: best(table),
            "tell": lambda: tell(table),
            "hand": lambda: hand(table),
            "why": lambda: why(table, rest, sentences),
        }
        return answers[command]()

    # -- on a page

    def form(self, key: str, settings: Settings, picked: Sequence[str]) -> Statements:
        return form(key, settings, picked, self.wanted(key, settings))

    def presumed(self, key: str, settings: Settings) -> bool:
        return key == "rules"

    def summary(self, key: str, settings: Settings) -> str:
        return summary(key, settings)

    def offered(
        self, draft: Draft, settings: Settings, entries: Sequence[Entry], place: int | None = None
    ) -> NextTouches:
        if draft.get(READ):
            return offered_words(self, draft, settings, entries, place)
        before = entries if place is None else entries[: place - 1]
        try:
            found = MineDraft(draft, _table(settings, before))
        except ContradictionError:
            return offered_words(self, draft, settings, entries, place)
        offer = found.next()
        if not found.line:
            return offer
        try:
            meaning = self.read(found.line, settings, before)
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
        event = event_of(_form(entries[place - 1]), settings_game(settings), 0)
        return draft_of(event.line)

    def overview(
        self, settings: Settings, entries: Sequence[Entry], draft: Draft, *, bare: bool = False
    ) -> Sequence[AdvicePart]:
        table = _table(settings, entries)
        board = AdvicePart("mine", "The mine", (MineDraft(draft, table).board,))
        held = AdvicePart("hand", "Your hand", tuple(hand(table)), aside=True)
        if bare or table.view.over or table.missing in ("end", "deal"):
            return [board, held]
        parts = [board]
        if table.mine:
            parts.append(AdvicePart("best", "What to play", command="best", aside=True, heavy=True))
        return [
            *parts,
            AdvicePart("who", "Who is a saboteur?", (people(table),), aside=True),
            AdvicePart("gold", "Where the gold is", (gold_bars(table),), aside=True),
            held,
        ]

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        _before_contradictions(settings, entries)[0].record.dump(path)


def _table(settings: Settings, entries: Sequence[Entry]) -> MineTable:
    return MineTable.of(settings, [_bare(entry) for entry in entries])


def _with_what_follows(turn: RoundTurn, table: MineTable) -> RoundTurn:
    """A turn with the goals that it reaches, where the person knows what they are."""
    reached = table.reached(turn.what, turn.turned).items()
    if not (sure := {goal: cards[0] for goal, cards in reached if len(cards) == 1}):
        return turn
    return _with_what_follows(replace(turn, turned={**turn.turned, **sure}), table)


def _bare(entry: object) -> Any:
    """An entry without what the book notes of it."""
    if not isinstance(entry, Mapping):
        return entry
    fields = cast("Mapping[str, Any]", entry)
    return {key: value for key, value in fields.items() if key != UNSURE}


def _form(entry: Entry) -> Any:
    alone = {"game": "saboteur", "players": ["a", "b", "c"], "events": [_bare(entry)]}
    return read_form(alone).events[0]


def _before_contradictions(settings: Settings, entries: Sequence[Entry]) -> tuple[MineTable, int]:
    """The table up to the first entry that the rules do not allow, and after how many that is."""
    for count in range(len(entries), 0, -1):
        with suppress(ContradictionError):
            return _table(settings, entries[:count]), count
    return _table(settings, ()), 0


def _after(begins: re.Pattern[str], text: str, word: str) -> str:
    """The words after one that may stand before it, or another one that is put there."""
    rest = begins.sub("", text).strip()
    return rest if rest.casefold().startswith((word, "gold")) else f"{word} {rest}"


def _deal(text: str, table: MineTable, notation: Notation) -> RoundDeal:
    """The person's deal in a new round: ``miner: NES, map``, with or without their name."""
    rest = DEAL.sub("", text).strip()
    named = Notation(table.game, table.me)
    role, sign, cards = rest.partition(":")
    if not sign:
        role, _, cards = rest.partition(" ")
    event = named.deal(f"{role}: {cards}")
    return replace(event, player=table.me, hand=_hand(cards, notation))


def _hand(line: str, notation: Notation) -> tuple[str, ...]:
    """The cards of a line; one that a page picks a second time ends in a number."""
    parts = [AGAIN.sub("", part.strip()) for part in line.replace(";", ",").split(",")]
    return notation.hand(", ".join(part for part in parts if part))


def _players(line: str) -> list[str]:
    found = items(line)
    if not 3 <= len(found) <= MOST_PLAYERS:
        raise RecordError(f"there are 3 to {MOST_PLAYERS} players", value=line)
    small = [name.casefold() for name in found]
    if len({*small}) < len(small):
        raise RecordError("two players have one name", value=line)
    for name in found:
        if name.casefold() in TAKEN:
            raise RecordError("nobody can be called so", value=name)
    return found


#: What stands under each key of a file.
FORMS: Final[Mapping[str, TypeAdapter[Any]]] = {
    "players": TypeAdapter(Annotated[list[Name], Field(min_length=3, max_length=MOST_PLAYERS)]),
    "me": TypeAdapter(Name),
    "rules": TypeAdapter(dict[str, bool | int | str]),
    "role": TypeAdapter(Literal["miner", "saboteur"]),
    "hand": TypeAdapter(list[str]),
}
