"""Cheat for many as a game: its settings."""

from __future__ import annotations

from typing import Final, Literal

from ....data.checks import place_of, whole_number
from ....data.errors import SettingsError
from ...game import Game
from ...settings import one_record, rules_of
from . import rules
from .advice import advice
from .chosen import listed
from .fields import FIELDS
from .playouts import sensible
from .state import (
    ACTIONS,
    MOST_CLAIMED,
    MOST_PACKS,
    MOST_PLAYERS,
    MOST_RANKS,
    MOST_TURNS,
    RULES,
    STATE,
    ManyTables,
    columns_of,
)
from .words import action_name

NAME: Final = "cheat_for_many"

Order = Literal["ascending", "descending", "near", "same", "free"]
Leads = Literal["next", "right", "taker"]
Shown = Literal["claim", "pile"]
FalseCards = Literal["latest", "any"]


def cheat_for_many(
    players: int = 4,
    packs: int = 1,
    ranks: int = MOST_RANKS,
    suits: int = 4,
    order: Order = "ascending",
    most_claimed: int | None = None,
    leads: Leads = "next",
    shown: Shown = "claim",
    false_cards: FalseCards = "latest",
    limit: int = 200,
) -> Game:
    """Cheat as most people know it, also called BS, Bluff or I Doubt It: 1 for who wins, else 0.

    The first value of each setting is the common rule. Rules: `docs/cheat/for-many.md`.

    Args:
        players: 2 to 6. All cards are dealt, so that hands may differ by one.
        packs: How many packs are shuffled together, 1 to 3.
        ranks, suits: Of a pack: 3 to 13 and 1 to 4.
        order: Which rank is claimed: each turn the next one above, from the ace on; the next one
            below, from the king on; the last one again or one above or below it; the same until
            the pile is taken up; or any. Kings and aces are neighbours.
        most_claimed: The most cards of a claim, 1 to 8; None for as many as there are suits.
        leads: Who claims after a call: the player after the claimant; who was right in the call;
            or who took the pile.
        shown: Whether a call shows everybody the cards of the claim, or the whole pile. Who takes
            the pile sees all of it.
        false_cards: Which cards are laid down that have not the claimed rank, where the claimant
            does not name them: those of the rank that they can claim latest, or any.
        limit: After so many claims the game is a draw, of which everybody has an equal part.

    Raises:
        SettingsError: A number is out of range, or a word is not known.

    >>> from sleuth.games.cheat import cheat_for_many
    >>> game = cheat_for_many(players=3, order="near")
    >>> game.roles, game.settings["most_claimed"]
    (('player 1', 'player 2', 'player 3'), 4)
    """
    where = f"{NAME}, "
    row = one_record(RULES)[0]
    row.players = whole_number(players, where + "players", least=2, most=MOST_PLAYERS)
    pack_count = whole_number(packs, where + "packs", least=1, most=MOST_PACKS)
    row.ranks = whole_number(ranks, where + "ranks", least=3, most=MOST_RANKS)
    suit_count = whole_number(suits, where + "suits", least=1, most=4)
    row.copies = pack_count * suit_count
    row.cards = row.ranks * row.copies
    if row.cards < row.players:
        raise SettingsError(
            "everybody needs a card", where=where + "players", value=players,
            hint=f"there are {row.cards} cards",
        )  # fmt: skip
    if most_claimed is None:
        most_claimed = suit_count
    row.most = whole_number(most_claimed, where + "most_claimed", least=1, most=MOST_CLAIMED)
    row.order = place_of(order, Order, where + "order")
    row.leads = place_of(leads, Leads, where + "leads")
    row.whole_pile = place_of(shown, Shown, where + "shown")
    row.any_cards = place_of(false_cards, FalseCards, where + "false_cards")
    row.limit = whole_number(limit, where + "limit", least=1, most=MOST_TURNS)
    settings = one_record(RULES)
    settings[0] = row
    shapes = int(row.most * (row.most + 3) // 2)
    return Game(
        name=NAME,
        version=1,
        roles=tuple(f"player {number}" for number in range(1, players + 1)),
        state=STATE,
        tables=ManyTables(settings),
        settings={
            "players": players,
            "packs": pack_count,
            "ranks": ranks,
            "suits": suit_count,
            "order": order,
            "most_claimed": most_claimed,
            "leads": leads,
            "shown": shown,
            "false_cards": false_cards,
            "limit": limit,
        },
        action_space=ACTIONS,
        max_actions=max(2, shapes * (1 if order in ("ascending", "descending") else ranks)),
        # Of each claim everybody else may be asked.
        max_depth=limit * players,
        lowest=0,
        highest=1,
        **rules_of(rules),
        columns=columns_of(players, ranks, int(row.copies)),
        policy=sensible,
        advice=advice(),
        action_name=action_name,
        listed=listed,
        fields=FIELDS,
        sum_of_returns=1.0,
    )
