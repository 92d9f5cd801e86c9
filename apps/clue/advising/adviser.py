"""Clue beside a real table: the questions to begin with, the lines, and the answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast

from pydantic import AfterValidator, Field, TypeAdapter

from ....data.errors import ContradictionError, RecordError, nearest
from ....models.clue.edition import MOST_PLAYERS, ClueEdition
from ....models.clue.editions import CLASSIC, CardName, edition_names
from ....models.clue.events import Suggestion
from ....models.clue.hand_sizes import possible_sizes
from ....models.clue.record.record import ClueRecord
from ....models.clue.record.schema import FORM, MOST_HELD
from ....models.clue.simulate import usual_hand_sizes
from ....models.records.forms import Name
from ...kit.advising.commands import COMMANDS as EVERYDAY
from ...kit.advising.contract import Adviser
from ...kit.advising.drafts import READ, AdvicePart, Draft, NextTouches, offered_words
from ...kit.advising.entries import UNSURE, Entry, LineMeaning, Settings
from ...kit.advising.forms import check_setting, plainly
from ...kit.advising.words import items, words_of
from ...kit.answers.text import sentence
from ...kit.answers.values import Paragraph, Statements
from ...kit.number_words import counted, listed, whole_number
from ...kit.prompting import EVERYWHERE
from ..words import describe, known_of
from .answers import best, news, notebook, ready, showing, why
from .editions import edition_of, is_edition, made, opened, set_up, words_for_editions
from .form import counts, form, summary
from .lines import Reader, brief
from .overview import bare_overview, certain, overview, proven, to_ask
from .table import (
    HOUSE,
    RULES,
    ClueSetup,
    event_of,
    house_rules,
    is_turn,
    passed_over,
    pending,
    refuse_alone,
    refuse_set_up,
    turn,
)
from .touching import ClueDraft, draft_of, touched
from .vocabulary import KEYWORDS

WRITING: Final = """\
Write who suggests which three cards, who shows a card, and the card if you see it:
  ada plum rope kitchen bob          Ada suggests, and Bob is the first who shows a card
  plum rope kitchen bob plum         without a name it is whose turn it is
  plum rope kitchen nobody           nobody could show a card
  plum rope kitchen                  the answer is asked for; you are told what to show
Names may be shortened while they are clear: 'a pl rop ki b'. Other lines:
  bob accuse plum rope kitchen wrong   or 'right'
  bob skips                          their turn ends without a suggestion
  at kitchen, at h8                  where your pawn stands: a room, or a square of the board
  bob has rope, bob not rope, bob oneof rope plum, cf not rope  what you know otherwise
And what you can ask:"""

#: Tables that are kept.
KEPT: Final = 16
#: Words for the size of a hand that nobody counted; a '?' alone asks for help in a terminal.
UNKNOWN: Final = ("unknown", "?")
RULES_WANTED: Final = (
    "rules of your table, now {}: 'again' (come back to the room you left), 'summons' (suggest "
    "without rolling where another moved you), 'both', or 'none'; and house rules: 'all' (all show "
    "who can), 'skipped' (nobody asks who accused wrongly), 'looked' (players look at cards left "
    "over), 'anyroom' or 'noroom' (suggestions from any room, or without one), 'openly' (everybody "
    "sees the card)"
)

EDITIONS_WANTED: Final = (
    f"which box: {', '.join(words_for_editions())} or FILE.json (empty: {CLASSIC.name})"
)

COMMANDS: Final = {
    "notebook": "who has which card, in percent",
    "best": "what to suggest, and where to go if 'at' said where you are; 'best 5', 'best lounge'",
    "show": "which card to show: 'show ada plum rope kitchen', or of the open suggestion",
    "ready": "whether to accuse: how likely you are right, and what comes of waiting",
    "why": "which entries prove where a card is: 'why plum'",
}


class ClueAdviser(Adviser):
    """Advice for one player of a game of Clue; see `Adviser`."""

    name = "clue"
    title = "Clue, beside your table"
    keys = ("edition", "players", "me", "sizes", "faceup", "hand", "dice", "rules")
    writing = WRITING
    commands: Mapping[str, str] = COMMANDS
    prompt_answers = ("proof", "why")

    # -- setting up

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        if key == "edition":
            # What was kept before there was a choice is of the classic edition.
            asked = "edition" in settings or "players" not in settings
            return (EDITIONS_WANTED if asked else ""), CLASSIC.name
        if key == "players":
            return "players in turn order, such as 'Ada Bob Cleo'", None
        if key == "me":
            return "which of them are you?", None
        if key == "sizes":
            usual = _usual(settings)
            in_order = ", ".join(settings["players"])
            said = f"cards of {in_order}, or 'unknown' (empty: {' '.join(map(str, usual))})"
            return said, usual
        if key == "faceup":
            left = _left(settings)
            said = f"the {counted(left, 'card')} face up, or 'down' if nobody sees them"
            return (said if left else ""), None if left else []
        if key == "hand":
            size = _size(settings)
            if size == 0:
                # As in a box whose cards lie under pawns.
                return "", []
            return ("your cards" if size is None else f"your {counted(size, 'card')}"), None
        if key == "rules":
            # Nobody is asked at the beginning: 'setup rules' is for those who play otherwise.
            if key not in settings:
                return "", [*RULES]
            now = [repr(rule) for rule in settings["rules"] or ["none"]]
            return RULES_WANTED.format(listed(now)), [*RULES]
        # The way is only counted on the board that there is.
        on_board = edition_of(settings).board is not None
        return ("dice on the board: 1 or 2 (empty: 1)" if on_board else ""), 1

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        if key == "edition":
            return set_up(line)
        if key == "players":
            return _players(line)
        if key == "me":
            return _me(line, settings["players"])
        if key == "sizes":
            return _sizes(line, len(settings["players"]), edition_of(settings).dealt)
        if key == "faceup" and {*words_of(line)} & {"down", "facedown"}:
            return []
        if key in ("faceup", "hand"):
            return _cards(line, edition_of(settings))
        if key == "rules":
            return _rules(line)
        if line.strip() not in ("1", "2"):
            raise RecordError("the board is played with 1 or 2 dice", value=line)
        return int(line)

    def answers_next(self, key: str, line: str) -> bool:
        return key == "edition" and not is_edition(line)

    def opened(self, key: str, line: str) -> str:
        return opened(line) if key == "edition" else line

    def refuse_setting(self, key: str, settings: Settings) -> None:
        if key == "edition":
            return
        players, dealt = settings["players"], edition_of(settings).dealt
        if key == "me" and settings["me"] not in players:
            raise RecordError(
                "no such player", value=settings["me"], hint=f"write {listed(players, 'or')}"
            )
        if key == "sizes":
            if len(settings["sizes"]) != len(players):
                raise RecordError(
                    f"{len(players)} numbers are needed, in turn order", value=settings["sizes"]
                )
            sizes = settings["sizes"]
            known = sum(size or 0 for size in sizes)
            if known > dealt:
                raise RecordError(f"at most {dealt} cards are dealt", value=known)
            if None in sizes and not possible_sizes(sizes, dealt):
                said = " ".join("unknown" if size is None else str(size) for size in sizes)
                message = f"{dealt} cards dealt around the table come to no such hands"
                raise RecordError(message, value=said, hint="hands differ by one card at most")
        if key in ("faceup", "hand"):
            count = _size(settings) if key == "hand" else _left(settings)
            # Cards left over that nobody names lie face down.
            if count is not None and (key == "hand" or settings[key]):
                down = ", or 'down' if they lie face down" if key == "faceup" else ""
                _refuse_number(settings[key], count, down)
            _refuse_unknown(settings[key], edition_of(settings))
            # Face-up cards come first: a hand that does not go with them is asked for again.
            later = {"hand"} if key == "faceup" else set[str]()
            refuse_set_up({name: settings[name] for name in settings.keys() - later})

    def echo(self, key: str, settings: Settings) -> str:
        if key == "edition" and settings[key] != CLASSIC.name:
            edition = edition_of(settings)
            return f"  {edition.title}: {counts(edition)}"
        if key != "players":
            return ""
        return "\n".join(f"  {place} {name}" for place, name in enumerate(settings[key], 1))

    def renamed(self, key: str, before: Settings, value: Any) -> Mapping[str, str]:
        """A player of another name in the same place is the same player, better spelt."""
        if key != "players" or len(before[key]) != len(value):
            return {}
        pairs = zip(before[key], value, strict=True)
        return {old: new for old, new in pairs if old not in value and new not in before[key]}

    def outdated(self, key: str, before: Settings, value: Any) -> Sequence[str]:
        if key == "edition":
            return () if before[key] == value else ("sizes", "faceup", "hand")
        if key == "me":
            return () if before["me"] == value else ("hand",)
        if key != "players":
            return ()
        renamed = self.renamed(key, before, value)
        seats = [renamed.get(name, name) for name in before[key]]
        # Cards are counted in turn order.
        moved = len(seats) == len(value) and seats != value
        uneven = len({*before.get("sizes", ())}) > 1
        me = str(before.get("me"))
        gone = renamed.get(me, me) not in value
        return (*(("me", "hand") if gone else ()), *(("sizes",) if moved and uneven else ()))

    # -- files

    def check_setting(self, key: str, value: object) -> None:
        check_setting(FORMS, key, value)
        if key == "players":
            _refuse_in_records(cast("list[str]", value))

    def check_entry(self, entry: object) -> None:
        alone = {"game": "clue", "players": ["?", "!"], "hand_sizes": [9, 9], "events": [entry]}
        plainly(lambda: FORM.read(alone), within=FORM.place(1))

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        players = [str(name) for name in settings.get("players", ())]
        cards = [word for card in edition_of(settings).cards for word in card.split()]
        return [*(name.lower() for name in players), *cards, *filter(str.isalpha, KEYWORDS)]

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str:
        number = len(entries)
        place = pending(entries)
        if any(entry.get("correct") for entry in entries):
            return f"{number}, the game is over"
        if place is not None:
            by = entries[place - 1]["by"]
            return f"{place}, who showed {'you' if by == settings['me'] else by} a card?"
        who = turn(settings, entries)
        return f"{number + 1}, {'your' if who == settings['me'] else who + chr(39) + 's'} turn"

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning:
        place = pending(entries)
        asked = None if place is None else entries[place - 1]
        meant = _reader(settings).meaning(line, turn(settings, entries), asked)
        return LineMeaning(meant.event, place if meant.completes else None)

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry:
        asked = entries[number - 1]
        before = entries[: number - 1]
        # A line without three cards is another answer to the same suggestion.
        meant = _reader(settings).meaning(
            line, turn(settings, before), asked if asked["type"] == "suggest" else None
        )
        return meant.event

    def refuse(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        refuse_alone(settings, entries[number - 1], entries[: number - 1])
        out: dict[str, int] = {}
        for place, entry in enumerate(entries, 1):
            if not is_turn(entry) or entry.get(UNSURE):
                continue
            if entry["by"] in out:
                raise RecordError(
                    f"{entry['by']} has been out since entry {out[entry['by']]}, and only refutes",
                    hint="write who suggests or accuses in front",
                )
            if entry["type"] == "accuse":
                if entry["correct"] and place < len(entries):
                    raise RecordError(
                        f"the game has been over since entry {place}",
                        hint=f"if it is not, correct entry {place}",
                    )
                out[entry["by"]] = place

    def passed_over(self, settings: Settings, entries: Sequence[Entry], number: int) -> list[str]:
        return passed_over(settings, entries, number)

    def sentence(self, settings: Settings, entry: Entry) -> str:
        try:
            event = event_of(settings, entry)
        except RecordError:
            # It names somebody who is set up no more.
            return brief(entry)
        if pending([entry]) is not None and isinstance(event, Suggestion):
            return f"{event.by} suggests {listed(event.cards)}"
        return describe(event)

    def because(self, settings: Settings, entries: Sequence[Entry]) -> str:
        named = set[str]()
        for entry in entries:
            single = [entry.get("card"), entry.get("shown")]
            named |= {*entry.get("cards", ()), *(card for card in single if card is not None)}
        known = known_of(named, "you", settings["hand"], settings["faceup"])
        return " ".join(map(sentence, known))

    # -- answers

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> Statements:
        earlier: ClueSetup | None = None
        with suppress(ContradictionError):
            earlier = ClueSetup.of(settings, before)
        found = news(ClueSetup.of(settings, entries), earlier)
        left = pending(before)
        if left is None or len(entries) <= len(before) or pending(entries) == left:
            return found
        return [Paragraph(f"Entry {left} has no answer yet."), *found]

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry]
    ) -> Statements:
        table, reader = ClueSetup.of(settings, entries), _reader(settings)
        answers: dict[str, Callable[[], Statements]] = {
            "notebook": lambda: notebook(table),
            "best": lambda: best(table, reader, rest),
            "show": lambda: showing(table, reader, rest),
            "ready": lambda: ready(table),
            "why": lambda: why(table, reader, rest),
            # What a page asks for, and nobody types.
            "ask": lambda: to_ask(best(table, reader, rest)),
            "certain": lambda: certain(table),
            "proof": lambda: proven(table, why(table, reader, rest), rest),
        }
        return answers[command]()

    # -- on a page

    def form(self, key: str, settings: Settings, picked: Sequence[str]) -> Statements:
        return form(key, settings, picked, self.wanted(key, settings))

    def prepare(self) -> None:
        _prepare()

    def summary(self, key: str, settings: Settings) -> str:
        return summary(key, settings)

    def presumed(self, key: str, settings: Settings) -> bool:
        # The form for the players offers other boxes.
        usual = key in ("edition", "dice")
        return usual or (key == "sizes" and len({*_usual(settings)}) == 1)

    def offered(
        self, draft: Draft, settings: Settings, entries: Sequence[Entry], place: int | None = None
    ) -> NextTouches:
        if draft.get(READ):
            return offered_words(self, draft, settings, entries, place)
        before = entries if place is None else entries[: place - 1]
        return ClueDraft(draft, settings, before).next()

    def touched(
        self,
        draft: Draft,
        words: str,
        blanks: Mapping[str, str],
        settings: Settings,
        entries: Sequence[Entry],
    ) -> Draft:
        return touched(draft, words, blanks, settings)

    def begun(self, settings: Settings, entries: Sequence[Entry], place: int) -> Draft:
        found = draft_of(entries[place - 1], settings)
        return found or {"kind": "line", "line": self.sentence(settings, entries[place - 1])}

    def overview(
        self, settings: Settings, entries: Sequence[Entry], draft: Draft, *, bare: bool = False
    ) -> Sequence[AdvicePart]:
        table = _table(json.dumps(settings), json.dumps([*entries]))
        if bare:
            return bare_overview(table)
        return overview(table, ClueDraft(draft, settings, entries))

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        # A record has no word for what is not counted, nor for what does not fit.
        ClueSetup.of(settings, [e for e in entries if _counts(settings, e)]).record.dump(path)


@cache
def _prepare() -> None:
    """Answer once at some table: the first answer of a process loads what all others use."""
    players = ["Ada", "Bob", "Cleo"]
    sizes = [*usual_hand_sizes(len(players))]
    settings = {
        "edition": CLASSIC.name, "players": players, "me": players[0], "sizes": sizes,
        "faceup": [], "hand": [*CLASSIC.cards[::4][: sizes[0]]], "dice": 1, "rules": [*RULES],
    }  # fmt: skip
    ClueAdviser().overview(settings, [], {})


@lru_cache(maxsize=KEPT)
def _table(settings: str, entries: str) -> ClueSetup:
    """The table of what was set up and entered, which a page asks for again and again."""
    return ClueSetup.of(json.loads(settings), json.loads(entries))


def _reader(settings: Settings) -> Reader:
    hand = tuple(settings["hand"])
    edition, rules = edition_of(settings), house_rules(settings)
    return Reader(tuple(settings["players"]), settings["me"], hand, edition, rules)


def _usual(settings: Settings) -> list[int]:
    """The usual numbers of cards, in turn order."""
    return [*usual_hand_sizes(len(settings["players"]), edition_of(settings).dealt)]


def _left(settings: Settings) -> int:
    """The number of cards that nobody holds, besides the case file."""
    if None in settings["sizes"]:
        return 0
    return edition_of(settings).dealt - sum(settings["sizes"])


def _size(settings: Settings) -> int | None:
    """The number of the player's own cards; None where nobody counted."""
    size = settings["sizes"][settings["players"].index(settings["me"])]
    return None if size is None else int(size)


def _counts(settings: Settings, entry: Entry) -> bool:
    """True if an entry can stand in a record."""
    try:
        refuse_alone(settings, entry)
    except RecordError:
        return False
    return not entry.get(UNSURE)


def _players(line: str) -> list[str]:
    """The names in a line: with commas, or with blanks, and with an 'and' before the last."""
    names = items(_INTRODUCED.sub("", line))
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise RecordError(
            f"2 to {MOST_PLAYERS} players are needed",
            value=line,
            hint="names with blanks between, or commas",
        )
    _refuse_names(names)
    return names


def _refuse_names(names: Sequence[str]) -> None:
    """Refuses names that cannot be told apart, or not from commands."""
    plain = [words_of(name) for name in names]
    for name, words in zip(names, plain, strict=True):
        if plain.count(words) > 1:
            raise RecordError("two players have the same name", value=name)
        if not words or " ".join(words) in {*COMMANDS, *EVERYDAY, *EVERYWHERE, *KEYWORDS}:
            raise RecordError(
                "this word means something else here",
                value=name,
                hint="give the player another name, such as with an initial",
            )
    # Whatever records refuse is refused before anything is kept.
    _refuse_in_records(names)


def _refuse_in_records(names: Sequence[str]) -> None:
    sizes = usual_hand_sizes(len(names))
    bare = {"game": "clue", "players": [*names], "hand_sizes": [*sizes], "events": []}
    plainly(lambda: ClueRecord.from_json(bare))


def _me(line: str, players: Sequence[str]) -> str:
    place = whole_number(line, 1, len(players))
    return Reader(tuple(players)).player(line) if place is None else players[place - 1]


def _sizes(line: str, players: int, dealt: int) -> list[int | None]:
    words = " ".join(items(line)).split()
    if len(words) == 1 and words[0].casefold() in UNKNOWN:
        return [None] * players
    found = [whole_number(word, 0, dealt) for word in words]
    strange = [
        word
        for word, size in zip(words, found, strict=True)
        if size is None and word.casefold() not in UNKNOWN
    ]
    if len(found) != players or strange:
        raise RecordError(
            f"{players} numbers are needed, in turn order",
            value=line,
            hint=f"from 0 to {dealt}; or 'unknown' if nobody counted",
        )
    return found


def _rules(line: str) -> list[str]:
    words = {*" ".join(items(line)).lower().split()}
    several = "both" in words and "none" in words
    if not words or several or not words <= {*RULES, *HOUSE, "both", "none"}:
        raise RecordError(
            "these are no rules of a table",
            value=line.strip(),
            hint=f"write 'again', 'summons', 'both' or 'none', and {listed([*HOUSE], 'or')}",
        )
    if "both" in words or words <= {*HOUSE}:
        # Who names house rules alone plays by the booklet else.
        words |= {*RULES}
    return [rule for rule in (*RULES, *HOUSE) if rule in words]


def _cards(line: str, edition: ClueEdition) -> list[str]:
    return list(edition.in_deck_order(_once(Reader((), edition=edition).cards(line))))


def _once(cards: list[str]) -> list[str]:
    twice = [card for card in cards if cards.count(card) > 1]
    if twice:
        raise RecordError("there is one of each card", value=twice[0])
    return cards


def _refuse_unknown(cards: list[str], edition: ClueEdition) -> None:
    """Refuses what is no card, or not spelt as the edition does; a file may hold anything."""
    for card in cards:
        if card not in edition.position:
            hint = nearest(card[:40], edition.cards)
            raise RecordError("no such card", value=card, hint=hint)


def _refuse_number(cards: list[str], count: int, down: str = "") -> None:
    if len(cards) != count:
        hint = f"write {counted(count, 'card')} with blanks between{down}"
        got = listed(cards) or "none"
        raise RecordError(f"these are {counted(len(cards), 'card')}: {got}", hint=hint)


def _refuse_no_edition(value: str | dict[str, Any]) -> str | dict[str, Any]:
    if isinstance(value, dict):
        made(value)
    elif value not in edition_names():
        raise ValueError("no such edition")
    return value


#: How people begin who write a sentence.
_INTRODUCED: Final = re.compile(r"^\s*(?:(?:we|they|the players) are\s|players\s*:)", re.IGNORECASE)
_Hand = Annotated[list[CardName], AfterValidator(_once)]
#: What stands under each key of a file.
FORMS: Final[Mapping[str, TypeAdapter[Any]]] = {
    "edition": TypeAdapter(Annotated[str | dict[str, Any], AfterValidator(_refuse_no_edition)]),
    "players": TypeAdapter(Annotated[list[Name], Field(min_length=2, max_length=MOST_PLAYERS)]),
    "me": TypeAdapter(Name),
    "sizes": TypeAdapter(list[Annotated[int, Field(ge=0, le=MOST_HELD)] | None]),
    "faceup": TypeAdapter(_Hand),
    "hand": TypeAdapter(_Hand),
    "dice": TypeAdapter(Literal[1, 2]),
    "rules": TypeAdapter(list[Literal[(*RULES, *HOUSE)]]),  # pyright: ignore
}
