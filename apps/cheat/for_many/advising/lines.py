"""Lines that somebody types beside a game of Cheat for many, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from .....data.errors import RecordError, nearest
from .....models.cheat import RANK_NAMES
from .....models.cheat.for_many.record.files import rank_named
from ....kit.advising.words import only, words_of
from ....kit.number_words import listed
from .table import ManyCheatTable

CALLS: Final = ("calls", "call", "called", "cheat", "bs", "bluff", "doubts")
PASSES: Final = ("passes", "pass", "passed")
NOBODY: Final = ("nobody", "none")
PILE, WITH, TRUE, ME = "pile", "with", ("true", "honest"), ("me", "i", "you")
#: Words that say nothing more.
FILLERS: Final = frozenset(
    {"claims", "claim", "of", "x", "\N{MULTIPLICATION SIGN}", "says", "was", "it", "lie", "false"}
)
COUNTS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
}  # fmt: skip


@dataclass(frozen=True)
class ClaimLine:
    """The meaning of a line.

    Attributes:
        entry: The turn, as it stands in a record.
        completes: Whether it is the rest of the last entry.
    """

    entry: dict[str, Any]
    completes: bool = False


def read_line(line: str, table: ManyCheatTable) -> ClaimLine:
    """The meaning of a line.

    Raises:
        RecordError: It means nothing; with what to write instead.
    """
    tokens = [word for word in words_of(line.replace(":", f" {WITH} ")) if word not in FILLERS]
    if not tokens:
        raise RecordError("nothing was written", hint="write a claim, such as 'bob 2 sevens'")
    if tokens[0] == PILE:
        return ClaimLine({"pile": _cards(tokens[1:])}, completes=True)
    if tokens[0] in NOBODY:
        return ClaimLine({"type": "pass", "by": table.names[_last_asked(table)]})
    who: int | None = None
    if not _says(tokens[0]):
        who = _player(tokens[0], table)
        # As in "bob: 2 sevens", after which a later one names cards.
        tokens = tokens[2:] if tokens[1:2] == [WITH] else tokens[1:]
    if not tokens or tokens[0] == WITH:
        raise RecordError("what do they do?", value=line, hint=_such(table))
    if tokens[0] in CALLS:
        return ClaimLine(_call(who, [word for word in tokens[1:] if word != WITH], table))
    if tokens[0] in PASSES:
        by = int(table.state.player) if who is None else who
        return ClaimLine({"type": "pass", "by": table.names[by]})
    return ClaimLine(_claim(who, tokens, table))


def _claim(who: int | None, tokens: Sequence[str], table: ManyCheatTable) -> dict[str, Any]:
    at = tokens.index(WITH) if WITH in tokens else len(tokens)
    said, cards = [*tokens[:at]], [*tokens[at + 1 :]]
    count = COUNTS.get(said[0]) or (int(said[0]) if said[0].isdecimal() else None)
    if count is None:
        raise RecordError("how many cards?", value=said[0], hint=_such(table))
    if len(said) > 1:
        rank = rank_named(said[1])
        if rank is None:
            raise RecordError("no such rank", value=said[1], hint=nearest(said[1], RANK_NAMES))
    elif len(table.due) == 1:
        rank = RANK_NAMES[table.due[0]]
    else:
        raise RecordError("of which rank?", value=" ".join(tokens), hint=_such(table))
    by = table.leader if who is None else who
    entry: dict[str, Any] = {
        "type": "claim", "by": table.names[by], "rank": rank, "count": count,
    }  # fmt: skip
    cards += said[2:]
    if cards:
        entry["cards"] = [rank] * count if cards[0] in TRUE else _cards(cards)
    elif by == table.me:
        raise RecordError(
            "which cards do you lay down?",
            hint=f"write '{count} {rank} with ...' and the cards, or '{count} {rank} with true'",
        )
    return entry


def _call(who: int | None, rest: Sequence[str], table: ManyCheatTable) -> dict[str, Any]:
    if table.claimant is None:
        raise RecordError("there is no claim to call", hint=_such(table))
    if who is None:
        names = [table.names[each] for each in table.asked]
        if len(names) != 1:
            raise RecordError("who calls?", hint=f"write '{names[0]} calls ...'")
        who = table.asked[0]
    entry: dict[str, Any] = {"type": "call", "by": table.names[who]}
    at = rest.index(PILE) if PILE in rest else len(rest)
    shown, pile = rest[:at], rest[at + 1 :]
    if shown and shown[0] in TRUE:
        entry["caught"] = False
    elif shown:
        entry["shown"] = _cards(shown)
    elif table.claimant != table.me:
        raise RecordError(
            "which cards were turned up?",
            hint=f"write '{table.names[who]} calls 4 k', or '{table.names[who]} calls true'",
        )
    if pile:
        entry["pile"] = _cards(pile)
    return entry


def _says(word: str) -> bool:
    """True if a word is none that names a player."""
    return word in (*CALLS, *PASSES) or word.isdecimal() or word in COUNTS


def _player(word: str, table: ManyCheatTable) -> int:
    if word in ME and word not in map(str.casefold, table.names):
        return table.me
    return table.names.index(only(word, table.names, "player"))


def _last_asked(table: ManyCheatTable) -> int:
    if not table.asked:
        raise RecordError("there is no claim to call", hint=_such(table))
    return table.asked[-1]


def _cards(words: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        rank = rank_named(word)
        if rank is None:
            raise RecordError("no such rank", value=word, hint=nearest(word, RANK_NAMES))
        found.append(rank)
    if not found:
        raise RecordError("which cards?", hint="write them with blanks, such as '4 k'")
    return found


def _such(table: ManyCheatTable) -> str:
    """A line that could be written now."""
    leader = table.names[table.leader]
    rank = RANK_NAMES[table.due[0]] if table.due else "7"
    said = f"'{leader} 2 {rank}'"
    if table.asked:
        calls = listed([f"'{table.names[each]} calls'" for each in table.asked], "or")
        return f"write {said}, or {calls}"
    return f"write {said}"
