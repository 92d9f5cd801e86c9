"""One player's knowledge of Cheat for many: the only thing that beliefs and features may use."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import Any, Final

from ...game import HIDDEN
from ...play import View
from .state import EVERYBODY, NOBODY, cards_of, claimant_of, count_of, rank_of

_WITNESS: Final = object()


@dataclass(frozen=True, slots=True)
class SeenClaim:
    """One claim, as somebody saw it.

    Attributes:
        by: The claimant.
        rank: The rank they claimed.
        count: How many cards they laid down.
        cards: Their ranks in ascending order, if everybody has seen them, or the viewer laid them
            down and they lie on the pile. None for others.
        caller: Who called it; None if nobody has.
        public: Whether everybody has seen the cards.

    >>> import sleuth
    >>> from sleuth.games.cheat import seen_many_cheat
    >>> play = sleuth.Play.new("cheat_for_many", seed=1)
    >>> play.apply(play.legal()[-1])  # four aces, it is said
    >>> play.apply(0)  # the second player calls
    >>> claim = seen_many_cheat(play.view(2)).claims[0]
    >>> claim.cards, claim.true, claim.caller, claim.taker
    ((0, 0, 9, 10), False, 1, 0)
    """

    by: int
    rank: int
    count: int
    cards: tuple[int, ...] | None = None
    caller: int | None = None
    public: bool = False

    @property
    def true(self) -> bool | None:
        """True if all cards of the claim have the claimed rank; None if the viewer cannot tell."""
        if self.cards is None:
            # A call shows the cards; a record may say no more than that they were a lie.
            return None if self.caller is None else False
        return self.cards == (self.rank,) * self.count

    @property
    def taker(self) -> int | None:
        """The player who took the pile after it was called; None if it was not."""
        if self.caller is None:
            return None
        return self.caller if self.true else self.by


@dataclass(frozen=True)
class SeenManyCheat:
    """All that one viewer knows of a game at some moment. Records and plays make it.

    Attributes:
        viewer: A player's number; -1 for somebody who looks on.
        players: How many play.
        ranks, copies: Of the cards: how many ranks, and how many cards of each.
        order, most: Of the claims: the order of their ranks, as the setting says it, and the most
            cards of one.
        hand: How many cards of each rank the viewer holds; None if that is not known.
        sizes: How many cards each player holds.
        claims: Every claim so far.
        player: Who is to move: to claim, or to call or pass; -1 when the game is over.
        asked: Whether the last claim can still be called.
        collected: For each player how many cards of each rank the viewer knew them to hold when the
            pile began, since they went there with another pile.
        forgot: Whether there was more to know of hands than that.

    >>> import sleuth
    >>> from sleuth.games.cheat import seen_many_cheat
    >>> play = sleuth.Play.new("cheat_for_many", seed=1)
    >>> play.apply(play.legal()[-1])
    >>> seen = seen_many_cheat(play.view(1))
    >>> seen.sizes, seen.claims[0].count, seen.claims[0].cards, seen.asked, seen.pile
    ((9, 13, 13, 13), 4, None, True, 4)
    >>> seen.since, seen.pile_claims == seen.claims, seen.first_sizes, seen.over
    (0, True, (13, 13, 13, 13), False)
    >>> seen.order, seen.most, seen.choices(0)
    ('ascending', 4, 1)
    """

    viewer: int
    players: int
    ranks: int
    copies: int
    order: str
    most: int
    hand: tuple[int, ...] | None
    sizes: tuple[int, ...]
    claims: tuple[SeenClaim, ...]
    player: int
    asked: bool
    collected: tuple[tuple[int, ...], ...]
    forgot: bool
    token: InitVar[object] = None

    def __post_init__(self, token: object) -> None:
        if token is not _WITNESS:
            raise TypeError("what a player saw is made by a record or a play: see seen_many_cheat")

    @cached_property
    def since(self) -> int:
        """The place in ``claims`` of the first one on the pile."""
        for place in range(len(self.claims) - 1, -1, -1):
            if self.claims[place].caller is not None:
                return place + 1
        return 0

    @property
    def pile_claims(self) -> tuple[SeenClaim, ...]:
        """The claims whose cards lie face down on the pile, from bottom to top."""
        return self.claims[self.since :]

    @property
    def pile(self) -> int:
        """The number of cards on the pile."""
        return sum(claim.count for claim in self.pile_claims)

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.player == NOBODY

    def choices(self, place: int) -> int:
        """The number of ranks that could be claimed when a claim on the pile was made."""
        if self.order == "near":
            return min(3, self.ranks)
        free = self.order == "free" or (self.order == "same" and place == self.since)
        return self.ranks if free else 1

    @property
    def first_sizes(self) -> tuple[int, ...]:
        """The number of cards each player was dealt."""
        cards = self.ranks * self.copies
        return tuple(
            cards // self.players + (player < cards % self.players)
            for player in range(self.players)
        )


def witness_game(**known: Any) -> SeenManyCheat:
    """A :class:`SeenManyCheat` from its attributes. For records and views; nobody else may call it.

    The caller promises to have left out whatever the viewer could not see.
    """
    return SeenManyCheat(**known, token=_WITNESS)


def seen_many_cheat(view: View) -> SeenManyCheat:
    """All that the viewer knows, from their view of a play.

    >>> import sleuth
    >>> from sleuth.games.cheat import seen_many_cheat
    >>> play = sleuth.Play.new("cheat_for_many", seed=1)
    >>> seen_many_cheat(play.view(0)).first_sizes
    (13, 13, 13, 13)
    """
    state = view.states[0]
    rules = view.game.tables.rules[0]
    turns = slice(int(state.turn))
    claims: list[SeenClaim] = []
    for logged, packed, caller, shown in zip(
        state.log[turns].tolist(),
        state.cards[turns].tolist(),
        state.callers[turns].tolist(),
        state.shown[turns].tolist(),
        strict=True,
    ):
        claims.append(
            SeenClaim(
                int(claimant_of(logged)),
                int(rank_of(logged)),
                int(count_of(logged)),
                None if packed in (HIDDEN, 0) else cards_of(packed),
                None if caller == NOBODY else caller,
                bool(shown),
            )
        )
    players, ranks = view.game.players, int(rules.ranks)
    hand = tuple(state.hands[view.viewer].tolist()[:ranks]) if view.viewer >= 0 else None
    mind = view.viewer if view.viewer >= 0 else EVERYBODY
    return witness_game(
        viewer=view.viewer,
        players=players,
        ranks=ranks,
        copies=int(rules.copies),
        order=str(view.game.settings["order"]),
        most=int(rules.most),
        hand=hand,
        sizes=tuple(state.sizes.tolist()[:players]),
        claims=tuple(claims),
        player=view.player,
        asked=int(state.claimant) != NOBODY,
        collected=tuple(tuple(row[:ranks]) for row in state.knows[mind].tolist()[:players]),
        forgot=bool(state.forgot[mind]),
    )
