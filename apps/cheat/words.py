"""Turns of Cheat as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ...models.cheat.record.record import CheatRecord
from ...models.cheat.record.schema import RANK_NAMES
from ...models.cheat.state import CALL, TAKE, claim_of


def claimed(rank: int, count: int) -> str:
    """A claim in words, such as ``2 × jack``."""
    return f"{count} × {RANK_NAMES[rank]}"


def cards(ranks: Sequence[int]) -> str:
    """Cards in words, with commas between them."""
    return ", ".join(RANK_NAMES[rank] for rank in ranks)


def happened(record: CheatRecord, turn: int) -> str:
    """The action of a turn, counted from 1, as everybody saw it; without a full stop."""
    if turn == 0:
        return "before the first turn"
    done = record.turns[turn - 1]
    who = record.players[done.by]
    if done.kind == "claim":
        return f"{who} claims {claimed(done.rank, done.count)}"
    if done.kind == "take":
        return f"{who} takes a card"
    claim = record.turns[turn - 2]
    loser = record.players[claim.by] if done.caught else who
    was = f"it was a lie ({cards(claim.cards or ())})" if done.caught else "it was true"
    return f"{who} calls: {was}, and {loser} takes the pile"


def action_words(action: int, rank: int, ranks: int) -> str:
    """An action in words, where the rank in force is known.

    Args:
        action: Its code.
        rank: The rank that claims are one above or below.
        ranks: How many ranks the deck has.
    """
    if action == CALL:
        return "call"
    if action == TAKE:
        return "take"
    lower, false, count = claim_of(action)
    goal = (rank + (-1 if lower else 1)) % ranks
    return f"{'lie' if false else 'claim'} {claimed(goal, count)}"
