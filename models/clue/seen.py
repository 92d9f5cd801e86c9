"""A game of Clue as one viewer saw it, and the one place that says who may see what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..records.events import Seen, witness
from ..records.written import SeenRecord
from .edition import ClueEdition
from .editions import CLASSIC
from .events import Accusation, ClueEvent, Has, NotHas, OneOf, Suggestion

SPECTATOR: Final = "spectator"
NOTEBOOK: Final = "notebook"


@dataclass(frozen=True, kw_only=True)
class SeenClue(SeenRecord[ClueEvent]):
    """A game as one viewer saw it: what they were dealt, and the events without what was hidden.

    Attributes:
        players: Names in turn order.
        hand_sizes: (player, number of cards), in turn order.
        viewer: A player's name, ``"spectator"`` or ``"notebook"``.
        own_hand: The viewer's cards in deck order; empty if they know no hand.
        face_up: Cards everybody sees, in deck order.
        edition: The cards of the game.
        events: What they saw happen; numbered from 1 without gaps, since an event of which they saw
            nothing (another's note in their notebook) leaves no trace.

    >>> import numpy as np
    >>> from sleuth.games.clue import simulate
    >>> record = simulate(["ann", "bob", "cid"], np.random.default_rng(1), turns=3)
    >>> seen = record.seen_by("ann")
    >>> seen.own_hand[:2], seen.is_player
    (('mustard', 'knife'), True)
    >>> seen.known()["hand_sizes"], len(seen.until(2).events), len(seen.digest)
    ([6, 6, 6], 2, 64)
    """

    game_name = "clue"
    players: tuple[str, ...]
    hand_sizes: tuple[tuple[str, int], ...]
    own_hand: tuple[str, ...] = ()
    face_up: tuple[str, ...] = ()
    edition: ClueEdition = CLASSIC

    @property
    def is_player(self) -> bool:
        """True if the viewer is one of the players: one who can suggest, not only look on."""
        return self.viewer in self.players

    def known(self) -> dict[str, object]:
        """The viewer's knowledge from the start, as plain values."""
        cards: dict[str, object] = (
            {} if self.edition == CLASSIC else {"cards": self.edition.categories}
        )
        return cards | {
            "players": self.players,
            "hand_sizes": [size for _, size in self.hand_sizes],
            "own_hand": self.own_hand,
            "face_up": self.face_up,
        }


def as_seen_by(
    game: SeenClue, player: str, hands: Mapping[str, frozenset[str]], rng: np.random.Generator
) -> SeenClue:
    """A game as another player saw it, if the cards lie as one viewer imagines it.

    Cards that the other player showed or was shown, and the viewer did not see, are drawn: any that
    the refuter could show, equally likely.

    Args:
        game: What the viewer saw.
        player: Who the other is.
        hands: The imagined hand of every player; possible by what the viewer saw.
        rng: Where the cards come from.
    """

    def shown(event: ClueEvent) -> ClueEvent:
        if not isinstance(event, Suggestion) or player not in (event.by, event.refuter):
            return event
        if event.refuter is None or event.shown is not None:
            return event
        held = [card for card in event.cards if card in hands[event.refuter]]
        return replace(event, shown=held[int(rng.integers(len(held)))])

    events = (masked(shown(seen.event), player) for seen in game.events)
    return SeenClue(
        players=game.players,
        hand_sizes=game.hand_sizes,
        viewer=player,
        own_hand=game.edition.in_deck_order(hands[player]),
        face_up=game.face_up,
        edition=game.edition,
        events=tuple(numbered(events, player)),
    )


def masked(event: ClueEvent, viewer: str, *, author: bool = False) -> ClueEvent | None:
    """``event`` without what a player or spectator could not see; ``None`` if nothing is left.

    The card shown is seen by the suggester and the refuter, the case file by an accuser who
    looked, a note by the observer who wrote it.

    Args:
        event: The event with everything that was recorded.
        viewer: A player's name, or any other word for somebody who only looks on.
        author: Whether the notebook facts of the record are the viewer's own.
    """
    match event:
        case Suggestion(shown=card) if card is not None and viewer not in (event.by, event.refuter):
            return replace(event, shown=None)
        case Accusation(seen=cards) if cards is not None and viewer != event.by:
            return replace(event, seen=None)
        case Has() | NotHas() | OneOf() if not author:
            return None
        case _:
            return event


def numbered(
    events: Iterable[ClueEvent | None], viewer: str, *, start: int = 1
) -> Iterator[Seen[ClueEvent]]:
    """The masked events that are left, as ``viewer``'s own, numbered without gaps."""
    number = start
    for event in events:
        if event is not None:
            yield witness(number, viewer, event)
            number += 1
