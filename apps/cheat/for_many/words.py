"""Turns of Cheat for many as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ....models.cheat import RANK_NAMES
from ....models.cheat.for_many.record.turn import ManyCheatCourse, ManyCheatTurn


def ranks(cards: Sequence[int]) -> str:
    """Cards in words, with blanks between them."""
    return " ".join(RANK_NAMES[card] for card in cards)


def claimed(rank: int, count: int) -> str:
    """A claim in words, such as ``2 × 7``."""
    return f"{count} × {RANK_NAMES[rank]}"


def happened(record: ManyCheatCourse, number: int) -> str:
    """A turn, counted from 1, as everybody saw it; without a full stop."""
    if number == 0:
        return "before the first claim"
    turn = record.turns[number - 1]
    who = record.players[turn.by]
    if turn.kind == "claim":
        return f"{who} claims {claimed(turn.rank, turn.count)}"
    if turn.kind == "pass":
        return f"{who} lets it pass"
    claim = claim_before(record.turns, number)
    loser = record.players[claim.by] if turn.caught else who
    was = f"it was a lie ({ranks(claim.cards or ())})" if turn.caught else "it was true"
    return f"{who} calls: {was}, and {loser} takes the pile"


def claim_before(turns: Sequence[ManyCheatTurn], number: int) -> ManyCheatTurn:
    """The last claim before a turn, counted from 1."""
    return next(turn for turn in reversed(turns[: number - 1]) if turn.kind == "claim")
