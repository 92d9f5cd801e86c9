"""Cheat as a game: its settings."""

from __future__ import annotations

from typing import Final, Literal

from ...data.checks import place_of, whole_number
from ..game import Game
from ..settings import one_record, rules_of
from . import rules
from .abstraction import packed_key
from .advice import advice
from .chosen import listed, unpacked
from .fields import FIELDS
from .playouts import people, rollout
from .record.schema import RANK_NAMES
from .state import (
    ACTIONS,
    CALL,
    MOST_CLAIMED,
    MOST_RANKS,
    MOST_TURNS,
    RULES,
    STATE,
    TAKE,
    CheatTables,
    claim_of,
    columns_of,
)

NAME: Final = "cheat"

FirstCard = Literal["pile", "aside"]
Follows = Literal["claimed", "valid"]
Turns = Literal["alternate", "call winner"]
EmptyDeck = Literal["illegal", "pass"]
Round = Literal["one", "both"]
EqualHands = Literal["draw", "second"]
FalseClaim = Literal["none", "some"]
FalseCards = Literal["farthest", "any"]
Ties = Literal["random", "lowest"]


def cheat(
    ranks: int = MOST_RANKS,
    suits: int = 4,
    hand: int = 8,
    rounds: int = 100,
    most_claimed: int | None = None,
    first_card: FirstCard = "pile",
    follows: Follows = "claimed",
    turns: Turns = "alternate",
    empty_deck: EmptyDeck = "illegal",
    round_of: Round = "one",
    equal_hands: EqualHands = "draw",
    false_claim: FalseClaim = "none",
    false_cards: FalseCards = "farthest",
    ties: Ties = "random",
) -> Game:
    """The game: 1 for who wins and -1 for who loses, 0 for both in a draw.

    Bitan and Kraus (2018), section 4. The first value of each setting is our reading of what the
    paper leaves open. Rules: `docs/cheat/index.md`.

    Args:
        ranks, suits: Of the deck: 3 to 13 and 1 to 4.
        hand: How many cards each player is dealt.
        rounds: After so many rounds fewer cards win.
        most_claimed: The most cards of a claim, 1 to 4; None for as many as there are suits.
        first_card: Whether the card turned up at the start begins the pile, or is laid aside.
        follows: Whether a claim follows the last claimed rank in any case, or, after a lie was
            called, the rank before it (the paper's "last valid claim").
        turns: Whether turns alternate after every action, or who was right in a call goes on.
        empty_deck: Whether Take with an empty deck is not legal, or a way to pass.
        round_of: Whether a round is one action of one player, or one of both.
        equal_hands: Whether equal hands at the end are a draw, or won by the second player.
        false_claim: Whether none of the cards of a false claim has the claimed rank, or some of
            them may.
        false_cards: Which cards a false claim lays down: those farthest from the current rank, or
            any.
        ties: Which of equally far cards: at random, or the lowest rank.

    Raises:
        SettingsError: A number is out of range, or a word is not known.

    >>> from sleuth.games.cheat import cheat
    >>> cheat(ranks=5, rounds=20).settings["ranks"]
    5
    """
    where = f"{NAME}, "
    rank_count = whole_number(ranks, where + "ranks", least=3, most=MOST_RANKS)
    suit_count = whole_number(suits, where + "suits", least=1, most=4)
    cards = rank_count * suit_count
    dealt = whole_number(hand, where + "hand", least=1, most=(cards - 1) // 2)
    factor = 1 + place_of(round_of, Round, where + "round_of")
    last = whole_number(rounds, where + "rounds", least=1, most=MOST_TURNS // factor)
    if most_claimed is None:
        most_claimed = suit_count
    most = whole_number(most_claimed, where + "most_claimed", least=1, most=MOST_CLAIMED)
    settings = one_record(RULES)
    row = settings[0]
    row.ranks = rank_count
    row.suits = suit_count
    row.hand = dealt
    row.limit = last * factor
    row.most = most
    row.aside = place_of(first_card, FirstCard, where + "first_card")
    row.valid = place_of(follows, Follows, where + "follows")
    row.call_winner = place_of(turns, Turns, where + "turns")
    row.passes = place_of(empty_deck, EmptyDeck, where + "empty_deck")
    row.second_wins = place_of(equal_hands, EqualHands, where + "equal_hands")
    row.mixed = place_of(false_claim, FalseClaim, where + "false_claim")
    row.any_cards = place_of(false_cards, FalseCards, where + "false_cards")
    row.lowest_first = place_of(ties, Ties, where + "ties")
    row.frequencies[:] = people()
    return Game(
        name=NAME,
        version=1,
        roles=("first", "second"),
        state=STATE,
        tables=CheatTables(settings),
        settings={
            "ranks": rank_count,
            "suits": suit_count,
            "hand": dealt,
            "rounds": last,
            "most_claimed": most,
            "first_card": first_card,
            "follows": follows,
            "turns": turns,
            "empty_deck": empty_deck,
            "round_of": round_of,
            "equal_hands": equal_hands,
            "false_claim": false_claim,
            "false_cards": false_cards,
            "ties": ties,
        },
        action_space=ACTIONS,
        max_actions=ACTIONS,
        max_depth=last * factor,
        lowest=-1,
        highest=1,
        **rules_of(rules),
        columns=columns_of(rank_count, suit_count),
        policy=rollout,
        key=packed_key,
        advice=advice(),
        action_name=action_name,
        listed=listed,
        fields=FIELDS,
        sum_of_returns=0.0,
    )


def action_name(action: int) -> str:
    """The name of an action."""
    if action == CALL:
        return "call"
    if action == TAKE:
        return "take"
    lower, false, count = claim_of(action % ACTIONS)
    said = f"{'lower' if lower else 'higher'} {'false' if false else 'true'} {count}"
    named = [RANK_NAMES[rank] for rank in unpacked(action // ACTIONS)]
    return f"{said} by {' '.join(named)}" if named else said
