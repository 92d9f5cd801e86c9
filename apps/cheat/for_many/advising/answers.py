"""Answers to a player at the table: how likely claims are, whether to call, and what to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from .....data.errors import RecordError
from .....models.cheat import RANK_NAMES
from .....models.cheat.for_many.people.chances import count_cards
from .....models.cheat.for_many.rules import turns_until
from .....models.cheat.for_many.state import DESCENDING
from .....models.game import OVER
from ....kit.advising.words import only
from ....kit.analysis.analyst import valuing_agent
from ....kit.answers.values import Column, Paragraph, Statement, Statements, right, sheet
from ....kit.number_words import counted, listed, number, percent
from ..findings import ManyHand, call_gain
from ..text import hand_parts
from ..transcript import known_hands
from ..words import claim_before, claimed
from .table import ManyCheatTable

#: Who thinks about what to do, and its seed.
AGENT: Final = "mcts:simulations=1000"
SEED: Final = 0
#: Actions that are listed.
SHOWN: Final = 6
#: For somebody who took a pile and went on.
LACKING: Final = (
    "You are advised as somebody who looks on: the cards of a pile that you took are missing. "
    "Write 'change N pile ...' for the call, see 'log'."
)
#: How sure a claim must be not to be doubted.
SURE: Final = 1e-9


def news(table: ManyCheatTable) -> Statements:
    """The answer to what the advised player wants to know now."""
    lacks = [] if table.knows or table.missing_pile else [Paragraph(LACKING)]
    return [*_news(table), *lacks]


def _news(table: ManyCheatTable) -> Statements:
    names, me = table.names, table.me
    if table.over:
        winner = table.record.winner
        who = "you have" if winner == me else f"{names[winner]} has" if winner is not None else ""
        return [Paragraph(f"The game is over: {who} won." if who else "The game is over: a draw.")]
    if missing := table.missing_pile:
        return [
            Paragraph(
                f"You take up {counted(missing, 'card')}: write 'pile' and which they are, from "
                "the bottom. Until then you are advised as somebody who looks on."
            )
        ]
    if table.claimant == me:
        said = f"{listed([names[each] for each in table.asked], 'or')} can call you."
        return [Paragraph(said)]
    if table.claimant is not None:
        return [Paragraph(call_words(table))]
    last = table.record.turns[-1] if table.record.turns else None
    if last is None or last.kind != "call":
        return [Paragraph(turn_words(table))]
    claim = claim_before(table.record.turns, len(table.record.turns))
    taker = claim.by if last.caught else last.by
    takes = "you take" if taker == me else f"{names[taker]} takes"
    was = "a lie" if last.caught else "true"
    return [Paragraph(f"It was {was}: {takes} up the pile. {turn_words(table)}")]


def call(table: ManyCheatTable) -> Statements:
    """The last claim: P(true), and whether a call is worth it; see `call_words`."""
    return news(table) if table.missing_pile else [Paragraph(call_words(table))]


def call_words(table: ManyCheatTable) -> str:
    """P(the last claim is true) in words, and whether a call is worth it."""
    if table.claimant is None or table.claimant == table.me:
        raise RecordError("there is no claim of another that can be called")
    _, chance, cards = table.chances[-1]
    state, names = table.state, table.names
    last = table.record.turns
    claim = next(turn for turn in reversed(last) if turn.kind == "claim")
    who = names[claim.by]
    said = f"{who}'s {claimed(claim.rank, claim.count)}: {percent(chance)} % true"
    said += f" ({percent(cards)} % by the cards alone)."
    if table.me not in table.asked:
        return said
    gain = call_gain(chance, int(state.pile), len(names))
    pays = f"a call pays below {percent(1 / len(names))} %"
    later = [names[each] for each in table.asked if each != table.me]
    if chance <= SURE:
        return f"{said} It cannot be true: call."
    if int(state.sizes[claim.by]) == 0 and chance < 1.0 - SURE:
        behind = f", unless {listed(later, 'or')} will" if later else ""
        return f"{said} {who} has no cards left and wins if nobody calls: call{behind}."
    if gain > 0:
        return f"{said} Call: it wins {gain:.1f} cards on the others, as expected; {pays}."
    lost = f"{-gain:.1f} cards" if gain < -0.05 else "nothing to speak of"
    return f"{said} Let it pass: a call loses {lost}, as expected; {pays}."


def turn_words(table: ManyCheatTable) -> str:
    """The next claim: who makes it, of what; for the advised player what they have of it."""
    due, leader = table.due, table.leader
    ranks = listed([RANK_NAMES[rank] for rank in due], "or") if len(due) < 4 else "any rank"
    if leader != table.me:
        return f"{table.names[leader]} claims next: {ranks}."
    if not table.knows:
        return f"You claim next: {ranks}."
    held = [f"{number(table.hand[rank], RANK_NAMES[rank])}" for rank in due if table.hand[rank]]
    have = f"you have {listed(held)}" if held else "you have none, so it will be a lie"
    return f"You claim next: {ranks}; {have}."


def claims(table: ManyCheatTable) -> Statements:
    """Every claim on the pile: how likely it is true."""
    rows: list[tuple[str, ...]] = []
    chances = {place: (chance, cards) for place, chance, cards in table.chances}
    made = [turn for turn in table.record.turns if turn.kind == "claim"]
    for place in range(int(table.state.since), int(table.state.turn)):
        turn = made[place]
        said = f"{table.names[turn.by]}: {claimed(turn.rank, turn.count)}"
        if place in chances:
            chance, cards = chances[place]
            rows.append((said, f"{percent(chance)} %", f"{percent(cards)} %"))
        else:
            was = "?" if turn.true is None else "true" if turn.true else "a lie"
            rows.append((said, was, ""))
    if not rows:
        return [Paragraph("No cards lie on the pile.")]
    by_cards = Column("by the cards", "right", whole=True)
    return [sheet("on the pile", right("true"), by_cards, rows=rows)]


def hands(table: ManyCheatTable, rest: str) -> Statements:
    """The others' hands, or one of them, as far as they are known."""
    if table.over:
        return [Paragraph("The game is over.")]
    found = [*known_hands(table.declared, table.posterior, table.record)]
    if rest.strip():
        others = [table.names[hand.of] for hand in found]
        name = only(rest, others, "player")
        found = [hand for hand in found if table.names[hand.of] == name]
        return _one_hand(table, found[0])
    columns = [right(f"{table.names[hand.of]} ({hand.size})") for hand in found]
    rows = [
        (RANK_NAMES[rank], *(f"{hand.expected[rank]:.1f}" for hand in found))
        for rank in range(len(found[0].expected))
    ]
    lead = "How many cards of each rank the others hold, on average:"
    return [Paragraph(lead), sheet("", *columns, rows=rows)]


def _one_hand(table: ManyCheatTable, hand: ManyHand) -> Statements:
    if not hand.size:
        return [Paragraph(f"{table.names[hand.of]} has no cards left.")]
    cards = counted(hand.size, "card")
    return [Paragraph(f"{table.names[hand.of]}, {cards}:"), *hand_parts(hand)]


def play(table: ManyCheatTable) -> Statements:
    """The own cards, and when the order of ranks comes to each."""
    if not table.knows:
        return news(table)
    if table.over:
        return [Paragraph("The game is over.")]
    said: list[Statement] = [Paragraph(turn_words(table))]
    tables = table.record.game.tables
    due = table.due
    ordered = int(tables.rules[0].order) <= DESCENDING
    # The first claim of the advised player's next turn, if nobody calls until then.
    away = (table.me - table.leader) % len(table.names)
    step = -1 if int(tables.rules[0].order) == DESCENDING else 1
    ranks = len(table.hand)
    mine = (due[0] + step * away) % ranks if ordered else due[0]
    rows: list[tuple[int, str, str, str]] = []
    for rank, count in enumerate(table.hand):
        if not count:
            continue
        turns = 0 if rank == mine and ordered else int(turns_until(table.state, rank, mine, tables))
        when = _when(turns) if ordered else ("now" if rank in due else f"{turns} away")
        rows.append((turns, RANK_NAMES[rank], str(count), when))
    if not rows:
        return [*said, Paragraph("You have no cards left.")]
    heading = "your turn for it" if ordered else "can be claimed"
    lines = [row[1:] for row in sorted(rows)]
    said.append(sheet("you have", right("cards"), heading, rows=lines))
    if ordered and len(rows) > 1:
        last = max(rows)
        said.append(
            Paragraph(
                f"If you lie, lay down what you can claim latest: {last[1]}. Turns count as if "
                "nobody called until then."
            )
        )
    return said


def _when(turns: int) -> str:
    return "the next" if turns == 0 else f"in {turns} turns" if turns > 1 else "the one after"


def best(table: ManyCheatTable) -> Statements:
    """The actions that a search would take in the advised player's place."""
    if not table.knows:
        return news(table)
    if table.over or int(table.state.player) == OVER:
        return [Paragraph("The game is over.")]
    view = table.now.view
    if view.player != table.me:
        who = table.names[view.player]
        if table.me not in table.asked:
            return [Paragraph(f"It is not your turn: {who} is to act.")]
        return [Paragraph(f"{who} is asked before you. {call_words(table)}")]
    decision = valuing_agent(view.game, AGENT, SEED).decision(view, table.now.seen)
    found = sorted(decision.actions, key=lambda each: -each.visits)[:SHOWN]
    rows = [
        (view.game.action_name(each.action), f"{percent(each.value)} %", str(each.visits))
        for each in found
        if each.visits
    ]
    note = (
        "Winning: how often the search wins with it, among imagined players; with few visits it is "
        "a guess."
    )
    return [sheet("", right("winning"), right("visits"), rows=rows), Paragraph(note, "soft")]


def why(table: ManyCheatTable) -> Statements:
    """The cards of the last claim's rank that the advised player can place."""
    if not table.knows:
        return [Paragraph(LACKING)]
    if table.claimant is None or table.claimant == table.me:
        raise RecordError("there is no claim of another that can be called")
    made = [turn for turn in table.record.turns if turn.kind == "claim"]
    claim, state = made[-1], table.state
    rank, name = claim.rank, RANK_NAMES[claim.rank]
    copies = int(table.record.game.tables.rules[0].copies)
    found = np.zeros(3)
    count_cards(state, table.me, table.record.game.tables, found)
    parts: list[str] = []
    if table.hand[rank]:
        parts.append(f"you hold {table.hand[rank]}")
    laid = sum(
        (turn.cards or ()).count(rank) for turn in made[int(state.since) :] if turn.by == table.me
    )
    if laid:
        parts.append(f"you laid {laid} on the pile")
    for player, who in enumerate(table.names):
        known = int(state.knows[table.me, player, rank])
        if known and player not in (table.me, claim.by):
            parts.append(f"{who} took up {known}")
    who = table.names[claim.by]
    most = int(found[0] + found[1])
    said = (
        f"Of {counted(copies, 'card')} of rank {name}, {listed(parts)}"
        if parts
        else (f"You can place none of {counted(copies, 'card')} of rank {name}")
    )
    known = f", and is known to have had {int(found[1])}" if found[1] else ""
    said += f": {who} can have had {most} at most{known}."
    if claim.count > most:
        said += f" So {claimed(rank, claim.count)} is a lie."
    else:
        said += (
            f" With so many cards in hand {who} had {claim.count} or more with "
            f"{percent(float(found[2]))} %, if all hands are alike."
        )
    return [Paragraph(said)]


def situation(table: ManyCheatTable) -> Statements:
    """The number of cards in every hand and on the pile, and the own ones."""
    sizes: Sequence[int] = table.state.sizes.tolist()
    rows = [
        (("you, " if player == table.me else "") + name, str(sizes[player]))
        for player, name in enumerate(table.names)
    ]
    pile = f"{counted(int(table.state.pile), 'card')} on the pile."
    said: list[Statement] = [sheet("", right("cards"), rows=rows), Paragraph(pile)]
    if table.knows:
        held = " ".join(
            RANK_NAMES[rank] for rank, count in enumerate(table.hand) for _ in range(count)
        )
        said.append(Paragraph(f"Your cards: {held or 'none'}."))
    return said
