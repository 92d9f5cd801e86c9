"""One player's knowledge of a game of Cheat: the only thing that beliefs and features may use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass
from typing import Any, Final, Literal

from ....data.errors import SettingsError
from ...game import HIDDEN
from ...play import View
from ..state import TAKE, count_of, is_claim, mover_of, public_of, rank_of

_WITNESS: Final = object()

Kind = Literal["claim", "take", "call"]


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """One action of one player, as somebody saw it.

    Attributes:
        by: 0 for the first player, 1 for the second.
        kind: What they did.
        rank: The rank they claimed; the one in force when they drew a card or called.
        count: How many cards they laid down; 0 if they did not.
        cards: Their ranks in ascending order, if the viewer has seen them: their own, and those of
            piles that were turned up. None where they have not, and for what is no claim.
        seconds: How long they took, if that was recorded.
    """

    by: int
    kind: Kind
    rank: int
    count: int = 0
    cards: tuple[int, ...] | None = None
    seconds: float | None = None

    @property
    def true(self) -> bool | None:
        """True if all cards of the claim have the claimed rank; None if the viewer cannot tell."""
        return None if self.cards is None else self.cards == (self.rank,) * self.count


@dataclass(frozen=True)
class SeenCheat:
    """All that one viewer knows of a game at some moment. Records and plays make it.

    Attributes:
        viewer: 0 or 1; -1 for somebody who looks on.
        ranks, suits: Of the deck.
        hand: How many cards of each rank the viewer holds; None if that is not known.
        sizes: How many cards each player holds.
        pile: How many cards lie on the pile.
        left: How many cards the deck has.
        first: The rank of the card turned up at the start.
        aside: Whether that card was laid aside; else it was the first of the pile.
        rank: The rank that the next claim is one above or below.
        mixed: Whether a false claim may have cards of the claimed rank in it.
        turns: What was done so far.
        over: Whether the game is over.

    >>> import sleuth
    >>> from sleuth.games.cheat import mini_cheat, seen_game
    >>> play = sleuth.Play.new(mini_cheat(), seed=1)
    >>> play.apply(play.legal()[-1])
    >>> seen = seen_game(play.view(0))
    >>> seen.hand, seen.holds(rank=3), seen.since, seen.pile_claims[0].count
    ((0, 1, 0, 0), 0, 0, 1)
    """

    viewer: int
    ranks: int
    suits: int
    hand: tuple[int, ...] | None
    sizes: tuple[int, int]
    pile: int
    left: int
    first: int
    aside: bool
    rank: int
    mixed: bool
    turns: tuple[SeenTurn, ...]
    over: bool = False
    token: InitVar[object] = None

    def __post_init__(self, token: object) -> None:
        if token is not _WITNESS:
            raise TypeError("what a player saw is made by a record or a play: see seen_game")

    @property
    def since(self) -> int:
        """The place in ``turns`` after the last call: claims from there on are on the pile."""
        for place in range(len(self.turns) - 1, -1, -1):
            if self.turns[place].kind == "call":
                return place + 1
        return 0

    def holds(self, rank: int) -> int:
        """The number of cards of a rank the viewer holds.

        Raises:
            SettingsError: It is not known which cards they hold.
        """
        if self.hand is None:
            raise SettingsError("this viewer's hand is not known", value=self.viewer)
        return self.hand[rank]

    @property
    def pile_claims(self) -> tuple[SeenTurn, ...]:
        """The claims whose cards lie face down on the pile, from bottom to top."""
        return tuple(turn for turn in self.turns[self.since :] if turn.kind == "claim")


def witness_game(**known: Any) -> SeenCheat:
    """A :class:`SeenCheat` from its attributes. For records and views; nobody else may call it.

    The caller promises to have left out whatever the viewer could not see.
    """
    return SeenCheat(**known, token=_WITNESS)


def seen_game(view: View, seconds: Sequence[float | None] = ()) -> SeenCheat:
    """All that the viewer knows, from their view of a play.

    Args:
        view: The view.
        seconds: How long each turn took, as far as that was recorded.

    >>> import sleuth
    >>> from sleuth.games.cheat import mini_cheat, seen_game
    >>> play = sleuth.Play.new(mini_cheat(), seed=1)
    >>> play.apply(play.legal()[0])
    >>> seen = seen_game(play.view(1), seconds=[2.5])
    >>> seen.turns[0].kind, seen.turns[0].seconds
    ('take', 2.5)
    """
    state = view.states[0]
    rules = view.game.tables.rules[0]
    ranks = int(rules.ranks)
    turns: list[SeenTurn] = []
    logged: list[int] = state.log.tolist()[: int(state.turn)]
    times = [*seconds[: len(logged)], *[None] * (len(logged) - len(seconds))]
    for entry, packed, took in zip(logged, state.cards.tolist(), times, strict=False):
        by, rank = mover_of(entry), rank_of(entry)
        if is_claim(entry):
            cards = None if packed == HIDDEN else cards_of(packed)
            turns.append(SeenTurn(by, "claim", rank, count_of(entry), cards, took))
        else:
            kind = "take" if public_of(entry) == TAKE else "call"
            turns.append(SeenTurn(by, kind, rank, seconds=took))
    viewer = view.viewer
    return witness_game(
        viewer=viewer,
        ranks=ranks,
        suits=int(rules.suits),
        hand=tuple(state.hands[viewer].tolist()[:ranks]) if viewer >= 0 else None,
        sizes=(int(state.sizes[0]), int(state.sizes[1])),
        pile=int(state.pile),
        left=int(state.left),
        first=int(state.first),
        aside=bool(rules.aside),
        rank=int(state.rank),
        mixed=bool(rules.mixed),
        turns=tuple(turns),
        over=view.over,
    )


def cards_of(packed: int) -> tuple[int, ...]:
    """The ranks of packed cards, in ascending order."""
    ranks: list[int] = []
    while packed > 0:
        ranks.append((packed & 15) - 1)
        packed >>= 4
    return tuple(sorted(ranks))
