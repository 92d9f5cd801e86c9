"""Cheat for many beside a real table: the questions to begin with, the lines, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from .....data.errors import ContradictionError, RecordError, SleuthError, nearest
from .....models.cheat import RANK_NAMES
from .....models.cheat.for_many.game import NAME
from .....models.cheat.for_many.record.files import rank_named
from .....models.cheat.for_many.record.schema import FORM, ManySettingsEntry, place
from .....models.cheat.for_many.state import MOST_CARDS, MOST_PLAYERS
from .....models.game import OVER
from .....models.records.forms import Name
from ....kit.advising.contract import Adviser
from ....kit.advising.drafts import READ, AdvicePart, Draft, NextTouches, offered_words
from ....kit.advising.entries import Entry, LineMeaning, Settings
from ....kit.advising.forms import check_setting, plainly
from ....kit.advising.words import items, only
from ....kit.answers.values import Statements, Touch, Touches
from ....kit.number_words import listed, whole_number
from . import answers
from .lines import CALLS, PASSES, read_line
from .table import ManyCheatTable
from .touching import offered, touched

WRITING: Final = """\
Write each claim when it is made, and who calls.
  bob 2 sevens                       Bob lays down two cards and says they are sevens
  2                                  the same of whoever has to claim, where the rank is clear
  2 sevens with 7 k                  your own claim, and the cards that you lay down
  cid calls 4 k                      Cid calls, and these cards are turned up
  cid calls true                     Cid calls, and the claim was true
  pile 3 4 4 9 k                     the pile that you took up, from the bottom
  nobody                             nobody calls the last claim; else the next claim says so
Ranks may be a 2 ... 10 j q k, or words. And what you can ask:"""

COMMANDS: Final = {
    "call": "how likely the last claim is true, and whether a call is worth it",
    "claims": "how likely each claim on the pile is true",
    "hands": "what the others may hold; 'hands bob' for one of them",
    "play": "what you have, and when you can claim it",
    "best": "what to do now, by a search",
    "why": "which cards of the last claim's rank you can place",
    "table": "how many cards are where",
}
PLAYERS, ME, RULES, HAND = "players", "me", "rules", "hand"
_NUMBERS: Final = frozenset({"packs", "ranks", "suits", "most_claimed", "limit"})


class ManyCheatAdviser(Adviser):
    """Advice for a player in a game of Cheat for many; see `Adviser`."""

    name = NAME
    title = "Cheat, beside your table"
    keys = (PLAYERS, ME, RULES, HAND)
    writing = WRITING
    commands: Mapping[str, str] = COMMANDS
    prompt_answers = ("table", "why")

    # -- setting up

    def wanted(self, key: str, settings: Settings) -> tuple[str, Any]:
        if key == PLAYERS:
            return "who plays, in turn order, first who begins, such as 'Ann Bob Cid Dan'", None
        if key == ME:
            return "which of them are you", None
        if key == RULES:
            return "rules that differ, such as 'packs=2 order=near' (empty: none)", {}
        size = _dealt(settings)
        return f"your {size} cards, such as 'a 3 3 7 10 k'", None

    def set_up(self, key: str, line: str, settings: Settings) -> Any:
        if key == PLAYERS:
            return items(line)
        if key == ME:
            return only(line, settings[PLAYERS], "player")
        if key == RULES:
            return _rules(line)
        found: list[str] = []
        for word in items(line.replace(",", " ")):
            rank = rank_named(word)
            if rank is None:
                raise RecordError("no such rank", value=word, hint=nearest(word, RANK_NAMES))
            found.append(rank)
        return sorted(found, key=RANK_NAMES.index)

    def refuse_setting(self, key: str, settings: Settings) -> None:
        record: dict[str, Any] = {"game": NAME, "players": settings[PLAYERS], "turns": []}
        if key != PLAYERS and settings[ME] not in settings[PLAYERS]:
            raise RecordError("you are none of the players", value=settings[ME])
        if key in (RULES, HAND):
            record["settings"] = settings[RULES]
        if key == HAND:
            record["hands"] = {settings[ME]: settings[HAND]}
        from .....models.cheat.for_many.record.record import ManyCheatRecord

        plainly(lambda: ManyCheatRecord.from_json(record))

    def echo(self, key: str, settings: Settings) -> str:
        if key == RULES and settings[key]:
            said = [f"{name.replace('_', ' ')} {value}" for name, value in settings[key].items()]
            return f"Played otherwise: {'; '.join(said)}."
        return ""

    def renamed(self, key: str, before: Settings, value: Any) -> Mapping[str, str]:
        """Players who keep their places and get other names."""
        if key != PLAYERS or PLAYERS not in before or len(before[PLAYERS]) != len(value):
            return {}
        pairs = zip(before[PLAYERS], value, strict=True)
        changed = {was: now for was, now in pairs if was != now}
        return changed if not {*changed.values()} & {*before[PLAYERS]} else {}

    def outdated(self, key: str, before: Settings, value: Any) -> Sequence[str]:
        if key == HAND or key not in before or before[key] == value:
            return ()
        if key == PLAYERS and len(before[key]) == len(value):
            return () if self.renamed(key, before, value) else (ME, HAND)
        return {PLAYERS: (ME, HAND), ME: (HAND,), RULES: (HAND,)}[key]

    # -- files

    def check_setting(self, key: str, value: object) -> None:
        check_setting(FORMS, key, value)
        if key == RULES:
            bare = {"game": NAME, "players": ["a", "b"], "turns": [], "settings": value}
            plainly(lambda: FORM.read(bare))

    def check_entry(self, entry: object) -> None:
        alone = {"game": NAME, "players": ["a", "b"], "turns": [entry]}
        plainly(lambda: FORM.read(alone), within=place(1))

    # -- lines

    def words(self, settings: Settings) -> Sequence[str]:
        names = settings.get(PLAYERS, ())
        return [*names, *RANK_NAMES, CALLS[0], PASSES[0], "nobody", "pile", "with", "true"]

    def prompt(self, settings: Settings, entries: Sequence[Entry]) -> str:
        number = len(entries) + 1
        try:
            table = ManyCheatTable.of(settings, entries)
        except SleuthError:
            return f"{number}, to be corrected"
        if table.over:
            return f"{number - 1}, the game is over"
        if table.missing_pile:
            return f"{number - 1}, the pile that you took"
        leader = _who(table, table.leader)
        if table.claimant is not None:
            return f"{number}, who calls? or {leader}"
        due = table.due
        rank = f", {RANK_NAMES[due[0]]}" if len(due) == 1 else ""
        return f"{number}, {leader}{rank}"

    def read(self, line: str, settings: Settings, entries: Sequence[Entry]) -> LineMeaning:
        table = ManyCheatTable.of(settings, entries)
        said = read_line(line, table)
        entry, number = said.entry, None
        if said.completes:
            if not entries or entries[-1]["type"] != "call":
                raise RecordError("nobody has just taken a pile", value=line)
            entry, number = {**entries[-1], **entry}, len(entries)
        after = [*(entries if number is None else entries[:-1]), entry]
        _refused(lambda: ManyCheatTable.of(settings, after))
        return LineMeaning(entry, number)

    def amended(
        self, line: str, settings: Settings, entries: Sequence[Entry], number: int
    ) -> Entry:
        before = (
            entries[:number] if line.strip().lower().startswith("pile") else entries[: number - 1]
        )
        return self.read(line, settings, before).entry

    def refuse(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        # A correction of an earlier entry may make a later one wrong, which is said as a
        # contradiction.
        _refused(lambda: ManyCheatTable.of(settings, entries[:number]))

    def refuse_unsure(self, settings: Settings, entries: Sequence[Entry], number: int) -> None:
        raise RecordError(
            "each claim goes on from the one before, so none can be left out",
            hint=f"write 'change {number} ...' if it is wrong",
        )

    def sentence(self, settings: Settings, entry: Entry) -> str:
        who, kind = entry["by"], entry["type"]
        if kind == "pass":
            return f"{who} passes"
        if kind == "claim":
            said = f"{who} claims {entry['count']} of {entry['rank']}"
            cards = entry.get("cards")
            return f"{said} with {' '.join(cards)}" if cards else said
        said = f"{who} calls"
        if entry.get("caught") is False:
            said += " true"
        elif entry.get("shown"):
            said += f" {' '.join(entry['shown'])}"
        return f"{said} pile {' '.join(entry['pile'])}" if entry.get("pile") else said

    # -- answers

    def news(
        self, settings: Settings, entries: Sequence[Entry], before: Sequence[Entry]
    ) -> Statements:
        return answers.news(ManyCheatTable.of(settings, entries))

    def answer(
        self, command: str, rest: str, settings: Settings, entries: Sequence[Entry]
    ) -> Statements:
        table = ManyCheatTable.of(settings, entries)
        shown: dict[str, Callable[[], Statements]] = {
            "call": lambda: answers.call(table),
            "claims": lambda: answers.claims(table),
            "hands": lambda: answers.hands(table, rest),
            "play": lambda: answers.play(table),
            "best": lambda: answers.best(table),
            "why": lambda: answers.why(table),
            "table": lambda: answers.situation(table),
        }
        return shown[command]()

    # -- on a page

    def form(self, key: str, settings: Settings, picked: Sequence[str]) -> Statements:
        if key != ME:
            return super().form(key, settings, picked)
        names = tuple(Touch(name, f"set {ME} {name}") for name in settings[PLAYERS])
        return [Touches("Which of them are you?", names)]

    def presumed(self, key: str, settings: Settings) -> bool:
        return key == RULES

    def offered(
        self, draft: Draft, settings: Settings, entries: Sequence[Entry], place: int | None = None
    ) -> NextTouches:
        if draft.get(READ):
            return offered_words(self, draft, settings, entries, place)
        before = entries if place is None else entries[: place - 1]
        try:
            table = ManyCheatTable.of(settings, before)
        except ContradictionError:
            return offered_words(self, draft, settings, entries, place)
        line = str(draft.get("line", ""))
        meaning = None
        if line:
            with suppress(SleuthError):
                meaning = self.read(line, settings, before)
        return offered(draft, table, meaning, self.prompt(settings, before))

    def touched(
        self,
        draft: Draft,
        words: str,
        blanks: Mapping[str, str],
        settings: Settings,
        entries: Sequence[Entry],
    ) -> Draft:
        return touched(draft, words, blanks)

    def overview(
        self, settings: Settings, entries: Sequence[Entry], draft: Draft, *, bare: bool = False
    ) -> Sequence[AdvicePart]:
        table = ManyCheatTable.of(settings, entries)
        parts = [AdvicePart("table", "The table", tuple(answers.situation(table)), aside=True)]
        if bare:
            return parts
        known = tuple(answers.news(table))
        parts.insert(0, AdvicePart("news", "What to do", known))
        if table.over:
            return parts
        parts.append(AdvicePart("claims", "The pile", tuple(answers.claims(table))))
        if table.claimant is None and table.leader == table.me:
            parts.insert(1, AdvicePart("play", "Your cards", tuple(answers.play(table))))
        acts = table.knows and int(table.state.player) not in (OVER,)
        if acts and int(table.state.player) == table.me:
            parts.append(AdvicePart("best", "By a search", command="best", aside=True, heavy=True))
        parts.append(AdvicePart("hands", "The others' hands", tuple(answers.hands(table, ""))))
        return parts

    def write(self, settings: Settings, entries: Sequence[Entry], path: Path) -> None:
        for count in range(len(entries), -1, -1):
            with suppress(ContradictionError):
                ManyCheatTable.of(settings, entries[:count]).record.dump(path)
                return


def _who(table: ManyCheatTable, player: int) -> str:
    return "you claim" if player == table.me else f"{table.names[player]} claims"


def _refused(check: Callable[[], object]) -> None:
    """A contradiction of the entry that is being made is a refusal of it."""
    try:
        check()
    except ContradictionError as error:
        found = error.__cause__
        if not isinstance(found, RecordError):
            raise RecordError(str(error)) from None
        raise RecordError(found.message, value=found.value, hint=found.hint) from None


def _dealt(settings: Settings) -> int:
    """The number of cards that the advised player is dealt."""
    rules = {**ManySettingsEntry().model_dump(), **settings[RULES]}
    cards = int(rules["packs"]) * int(rules["ranks"]) * int(rules["suits"])
    players = settings[PLAYERS]
    return cards // len(players) + (players.index(settings[ME]) < cards % len(players))


def _rules(line: str) -> dict[str, Any]:
    """Settings as a record has them, from ``name=value`` with blanks between."""
    found: dict[str, Any] = {}
    known = [*ManySettingsEntry.model_fields]
    for part in line.replace(",", " ").split():
        name, sign, text = part.partition("=")
        if not sign or name not in known:
            raise RecordError("no such rule", value=part, hint=f"known: {listed(known)}")
        if name not in _NUMBERS:
            found[name] = text
            continue
        value = whole_number(text, 0, 1_000)
        if value is None:
            raise RecordError("a whole number is needed", value=part)
        found[name] = value
    return found


#: What stands under each key of a file; of the rules, what a record says.
FORMS: Final[Mapping[str, TypeAdapter[Any]]] = {
    PLAYERS: TypeAdapter(Annotated[list[Name], Field(min_length=2, max_length=MOST_PLAYERS)]),
    ME: TypeAdapter(Name),
    RULES: TypeAdapter(dict[str, str | int]),
    HAND: TypeAdapter(Annotated[list[str], Field(max_length=MOST_CARDS)]),
}
