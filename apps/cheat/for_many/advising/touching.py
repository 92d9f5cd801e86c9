"""A turn of Cheat for many as it is touched: who calls, or how many cards of which rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .....models.cheat import RANK_NAMES
from ....kit.advising.drafts import (
    LINE,
    SHORTER,
    WORD,
    Draft,
    NextTouches,
    touched_words,
    typing,
)
from ....kit.advising.entries import LineMeaning
from ....kit.answers.values import Statement, Touch, Touches
from .table import ManyCheatTable

#: A touch that begins a line anew: of it what follows is the whole.
LINE_IS: Final = "line"


def offered(
    draft: Draft, table: ManyCheatTable, meaning: LineMeaning | None, prompt: str
) -> NextTouches:
    """The choices that go on with a draft.

    Args:
        draft: What has been touched.
        table: The game before the turn.
        meaning: What the draft comes to, if it does.
        prompt: What is asked.
    """
    line = str(draft.get(LINE, ""))
    parts: list[Statement] = []
    if line:
        parts.append(_cards(table, line))
    else:
        if table.asked:
            parts.append(_callers(table))
        if not table.over and not table.missing_pile:
            parts.append(_claims(table))
        if table.missing_pile:
            parts.append(_ranks("The pile, from the bottom", table, f"{LINE_IS} pile"))
    parts.append(typing(line, prompt))
    return NextTouches(tuple(parts), meaning)


def touched(draft: Draft, words: str, blanks: Mapping[str, str]) -> Draft:
    """A draft after a touch.

    Raises:
        RecordError: This is nothing that is touched here.
    """
    kind, _, line = words.partition(" ")
    if kind == LINE_IS and line:
        return {LINE: line}
    return touched_words(draft, words, blanks)


def _callers(table: ManyCheatTable) -> Touches:
    """The players who can call."""
    own = table.claimant == table.me
    touches = [
        Touch(f"{table.names[each]} calls", f"{LINE_IS} {table.names[each]} calls")
        for each in table.asked
    ]
    touches.append(Touch("nobody calls", f"{LINE_IS} nobody", "soft"))
    return Touches("Who calls?" if not own else "Who calls you?", tuple(touches))


def _claims(table: ManyCheatTable) -> Touches:
    """The claims of the leader, by the number of cards and the rank."""
    leader = table.names[table.leader]
    most = int(table.record.game.tables.rules[0].most)
    size = int(table.state.sizes[table.leader])
    if table.asked and table.claimant is not None and not int(table.state.sizes[table.claimant]):
        return Touches("", ())
    if len(table.due) == 1:
        rank = RANK_NAMES[table.due[0]]
        return Touches(
            f"{leader} claims {rank}:",
            tuple(
                Touch(str(count), f"{LINE_IS} {leader} {count} {rank}", label=f"{count} of {rank}")
                for count in range(1, min(most, size) + 1)
            ),
        )
    return Touches(
        f"{leader} claims:",
        tuple(
            Touch(f"{count} × {RANK_NAMES[rank]}", f"{LINE_IS} {leader} {count} {RANK_NAMES[rank]}")
            for rank in table.due
            for count in range(1, min(most, size) + 1)
        ),
    )


def _cards(table: ManyCheatTable, line: str) -> Touches:
    """The cards that are laid down, or turned up, one after the other."""
    words = line.split()
    if "calls" in words:
        head = "The cards that are turned up, from the bottom" if "pile" in words else "Turned up:"
        more = [Touch("it was true", f"{WORD} true")] if words[-1] == "calls" else []
        pile = [Touch("and the pile:", f"{WORD} pile", "soft")] if "pile" not in words else []
        return _ranks(head, table, WORD, more, pile)
    if words[0] == "pile":
        return _ranks("The pile, from the bottom", table, WORD)
    own = words[0] == table.names[table.me]
    return _ranks("You lay down:" if own else "The cards, if you know them:", table, WORD)


def _ranks(
    title: str,
    table: ManyCheatTable,
    words: str,
    before: list[Touch] | None = None,
    after: list[Touch] | None = None,
) -> Touches:
    ranks = RANK_NAMES[: int(table.record.game.tables.rules[0].ranks)]
    row = [Touch(rank, f"{words} {rank}") for rank in ranks]
    off = Touch("⌫", SHORTER, "soft", label="take the last word off")
    return Touches(title, (*(before or []), *row, *(after or []), off))
