"""Clue beside a real table: what is set up, what lines mean, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from ....data.errors import RecordError
from ....models.clue.cards import CARDS, in_deck_order
from ....models.clue.events import Suggestion
from ....models.clue.record.record import Record
from ....models.clue.record.schema import MAXIMAL_PLAYERS
from ....models.clue.simulate import DEALT, usual_hand_sizes
from ...kit.advising.contract import Entry, Said, Settings
from ...kit.number_words import counted, listed
from ..words import describe
from .answers import best, news, notebook, ready, showing, why
from .lines import KEYWORDS, Reader
from .table import RULES, TURNS, Table, pending, turn

WRITING: Final = """\
Write who suggests which three cards, who shows a card, and the card if you see it:
  ada plum rope kitchen bob          Ada suggests, and Bob is the first who shows a card
  plum rope kitchen bob plum         without a name it is whose turn it is
  plum rope kitchen nobody           nobody could show a card
  plum rope kitchen                  the answer is asked for; you are told what to show
Names may be shortened while they are clear: 'a pl rop ki b'. Other lines:
  bob accuse plum rope kitchen wrong   or 'right'
  at kitchen, at 17 8                where your pawn stands: a room, or row and column of a square
  bob has rope, bob not rope, bob oneof rope plum, cf not rope  what you know otherwise
And what you can ask:"""

RULES_WANTED: Final = (
    "rules of your table: 'again' (come back to the room you left), 'summons' (suggest without "
    "rolling where another moved you), 'both', or 'none'; now {}"
)

COMMANDS: Final = {
    "notebook": "who has which card, in percent",
    "best": "what to suggest, and where to go if 'at' said where you are; 'best 5', 'best lounge'",
    "show": "which card to show: 'show ada plum rope kitchen', or of the open suggestion",
    "ready": "whether to accuse: how likely you are right, and what comes of waiting",
    "why": "which entries prove where a card is: 'why plum'",
}


@dataclass(frozen=True)
class ClueAdviser:
    """Advice for one player of a game of Clue; see `Adviser`."""

    name: str = "clue"
    title: str = "Clue, beside your table"
    keys: Sequence[str] = ("players", "me", "sizes", "faceup", "hand", "dice", "rules")
    writing: str = WRITING
    commands: Mapping[str, str] = field(default_factory=lambda: COMMANDS)

    # -- setting up

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        if key == "players":
            return "players in turn order, such as 'Ada Bob Cleo'", None
        if key == "me":
            return "which of them are you?", None
        if key == "sizes":
            usual = list(usual_hand_sizes(len(settings["players"])))
            in_order = ", ".join(settings["players"])
            return f"cards of {in_order} (empty: {' '.join(map(str, usual))})", usual
        if key == "faceup":
            left = DEALT - sum(settings["sizes"])
            return (f"the {counted(left, 'card')} face up" if left else ""), None if left else []
        if key == "hand":
            return f"your {counted(_size(settings), 'card')}", None
        if key == "rules":
            # Nobody is asked at the beginning: 'setup rules' is for those who play otherwise.
            if key not in settings:
                return "", [*RULES]
            now = [repr(rule) for rule in settings["rules"] or ["none"]]
            return RULES_WANTED.format(listed(now)), [*RULES]
        return "dice on the board: 1 or 2 (empty: 1)", 1

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        if key == "players":
            return _players(line)
        if key == "me":
            return Reader(tuple(settings["players"])).player(line)
        if key == "sizes":
            return _sizes(line, len(settings["players"]))
        if key == "faceup":
            return _cards(line, DEALT - sum(settings["sizes"]))
        if key == "hand":
            return _cards(line, _size(settings))
        if key == "rules":
            return _rules(line)
        if line.strip() not in ("1", "2"):
            raise RecordError("the board is played with 1 or 2 dice", value=line)
        return int(line)

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        players = [str(name) for name in settings.get("players", ())]
        cards = [word for card in CARDS for word in card.split()]
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

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> Said:
        place = pending(entries)
        asked = None if place is None else entries[place - 1]
        meant = _reader(settings).meaning(line, turn(settings, entries), asked)
        return Said(meant.event, place if meant.completes else None)

    def refuse(self, settings: Settings, entries: Sequence[Entry]) -> None:
        out: dict[str, int] = {}
        for place, entry in enumerate(entries, 1):
            if entry["type"] not in TURNS:
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
        Table.of(settings, entries)

    def sentence(self, settings: Settings, entry: Entry) -> str:
        event = Table.of(settings, [entry], checked=False).game.events[0].event
        if pending([entry]) is not None and isinstance(event, Suggestion):
            return f"{event.by} suggests {listed(event.cards)}"
        return describe(event)

    def because(self, settings: Settings, entries: Sequence[Entry]) -> str:
        named = set[str]()
        for entry in entries:
            named |= {*entry.get("cards", ()), entry.get("card"), entry.get("shown")}
        held = [card for card in settings["hand"] if card in named]
        shown = [card for card in settings["faceup"] if card in named]
        said = [f"You hold {listed(held)}."] if held else []
        if shown:
            are = "lies" if len(shown) == 1 else "lie"
            said.append(f"{listed(shown).capitalize()} {are} face up.")
        return " ".join(said)

    # -- answers

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> RenderableType:
        found = news(Table.of(settings, entries), Table.of(settings, before))
        left = pending(before)
        if left is None or len(entries) <= len(before) or pending(entries) == left:
            return found
        return Group(Text(f"Entry {left} has no answer yet."), found)

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry], width: int
    ) -> RenderableType:
        table, reader = Table.of(settings, entries), _reader(settings)
        answers: dict[str, Callable[[], RenderableType]] = {
            "notebook": lambda: notebook(table, width),
            "best": lambda: best(table, reader, rest),
            "show": lambda: showing(table, reader, rest),
            "ready": lambda: ready(table),
            "why": lambda: why(table, reader, rest),
        }
        return answers[command]()

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        Table.of(settings, entries).record.dump(path)


def _reader(settings: Settings) -> Reader:
    return Reader(tuple(settings["players"]), settings["me"], tuple(settings["hand"]))


def _size(settings: Settings) -> int:
    return int(settings["sizes"][settings["players"].index(settings["me"])])


def _players(line: str) -> list[str]:
    names = [name.strip() for name in (line.split(",") if "," in line else line.split())]
    if not 2 <= len(names) <= MAXIMAL_PLAYERS:
        raise RecordError(
            f"2 to {MAXIMAL_PLAYERS} players are needed",
            value=line,
            hint="names with blanks between",
        )
    folded = [name.casefold() for name in names]
    for name in names:
        if folded.count(name.casefold()) > 1:
            raise RecordError("two players have the same name", value=name)
    # Whatever records refuse is refused before anything is kept.
    sizes = usual_hand_sizes(len(names))
    Record.from_json({"game": "clue", "players": names, "hand_sizes": [*sizes], "events": []})
    return names


def _sizes(line: str, players: int) -> list[int]:
    words = line.replace(",", " ").split()
    if len(words) != players or not all(word.isascii() and word.isdigit() for word in words):
        raise RecordError(f"{players} numbers are needed, in turn order", value=line)
    sizes = [int(word) for word in words]
    if sum(sizes) > DEALT:
        raise RecordError(f"at most {DEALT} cards are dealt", value=sum(sizes))
    return sizes


def _rules(line: str) -> list[str]:
    words = {*line.replace(",", " ").lower().split()}
    if words in ({"none"}, {"both"}):
        return [*RULES] if words == {"both"} else []
    if not words or not words <= {*RULES}:
        raise RecordError(
            "these are no rules of a table",
            value=line.strip(),
            hint="write 'again', 'summons', 'both' or 'none'",
        )
    return [rule for rule in RULES if rule in words]


def _cards(line: str, count: int) -> list[str]:
    cards = Reader(()).cards(line)
    twice = [card for card in cards if cards.count(card) > 1]
    if twice:
        raise RecordError("there is one of each card", value=twice[0])
    if len(cards) != count:
        hint = f"write {counted(count, 'card')}, such as 'plum rope kitchen'"
        got = listed(cards) or "none"
        raise RecordError(f"these are {counted(len(cards), 'card')}: {got}", hint=hint)
    return list(in_deck_order(cards))
