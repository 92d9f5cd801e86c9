"""A game of Clue as one viewer saw it, and the one place that says who may see what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ..records.events import Seen, witness
from ..records.written import SeenRecord
from .cards import FACE_DOWN
from .edition import ClueEdition
from .editions import CLASSIC
from .events import Accusation, ClueEvent, Has, Look, NotHas, OneOf, Refutation, Suggestion
from .hand_sizes import left_over, possible_sizes
from .house_rules import USUAL, HouseRules

SPECTATOR: Final = "spectator"
NOTEBOOK: Final = "notebook"


@dataclass(frozen=True, kw_only=True)
class SeenClue(SeenRecord[ClueEvent]):
    """A game as one viewer saw it: what they were dealt, and the events without what was hidden.

    Attributes:
        players: Names in turn order.
        hand_sizes: (player, number of cards), in turn order; None where it is not known.
        viewer: A player's name, ``"spectator"`` or ``"notebook"``.
        own_hand: The viewer's cards in deck order; empty if they know no hand.
        face_up: Cards everybody sees, in deck order.
        edition: The cards of the game.
        rules: The house rules.
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
    hand_sizes: tuple[tuple[str, int | None], ...]
    own_hand: tuple[str, ...] = ()
    face_up: tuple[str, ...] = ()
    edition: ClueEdition = CLASSIC
    rules: HouseRules = USUAL

    @property
    def is_player(self) -> bool:
        """True if the viewer is one of the players: one who can suggest, not only look on."""
        return self.viewer in self.players

    def known(self) -> dict[str, object]:
        """The viewer's knowledge from the start, as plain values."""
        known: dict[str, object] = (
            {} if self.edition == CLASSIC else {"cards": self.edition.categories}
        )
        known |= {
            "players": self.players,
            "hand_sizes": [size for _, size in self.hand_sizes],
            "own_hand": self.own_hand,
            "face_up": self.face_up,
        }
        rules = self.rules.to_json()
        return known | {"rules": rules} if rules else known

    @property
    def left_over(self) -> int:
        """The number of cards that were dealt to nobody and that not everybody sees.

        >>> from sleuth.games.clue import ClueRecord
        >>> dealt = {"game": "clue", "players": ["ann", "bob"], "hand_sizes": [8, 8], "events": []}
        >>> ClueRecord.from_json(dealt).seen_by().left_over
        2
        """
        if not self.rules.hidden_left_over:
            return 0
        return left_over([size for _, size in self.hand_sizes], self.edition.dealt)

    @property
    def possible_sizes(self) -> list[tuple[int, ...]]:
        """The sizes that the hands can have, in turn order, equally likely.

        >>> from sleuth.games.clue import ClueRecord
        >>> unknown = {"game": "clue", "players": ["ann", "bob", "cid", "dan"], "events": []}
        >>> ClueRecord.from_json(unknown).seen_by().possible_sizes
        [(5, 5, 4, 4), (4, 5, 5, 4), (4, 4, 5, 5), (5, 4, 4, 5)]
        """
        dealt = self.edition.dealt - len(self.face_up) - self.left_over
        return possible_sizes([size for _, size in self.hand_sizes], dealt)

    def expected_size(self, player: str) -> float:
        """The number of cards of a player as far as it is known, on average over the deals.

        >>> from sleuth.games.clue import ClueRecord
        >>> unknown = {"game": "clue", "players": ["ann", "bob", "cid", "dan"], "events": []}
        >>> ClueRecord.from_json(unknown).seen_by().expected_size("bob")
        4.5
        """
        size = dict(self.hand_sizes)[player]
        if size is not None:
            return size
        seat = self.players.index(player)
        found = [sizes[seat] for sizes in self.possible_sizes]
        return sum(found) / len(found)

    @property
    def out(self) -> tuple[str, ...]:
        """The players whose accusations were wrong so far.

        >>> import numpy as np
        >>> from sleuth.games.clue import simulate
        >>> game = simulate(3, np.random.default_rng(1), guess=0.9).seen_by("p1")
        >>> game.until(1).out
        ('p1',)
        """
        events = (seen.event for seen in self.events)
        return tuple(e.by for e in events if isinstance(e, Accusation) and not e.correct)


def as_seen_by(
    game: SeenClue, player: str, hands: Mapping[str, frozenset[str]], rng: np.random.Generator
) -> SeenClue:
    """A game as another player saw it, if the cards lie as one viewer imagines it.

    Cards that the other player showed or was shown, and the viewer did not see, are drawn: any that
    the refuter could show, equally likely.

    Args:
        game: What the viewer saw.
        player: Who the other is.
        hands: The imagined hand of every player, and what lies face down, if anything does;
            possible by what the viewer saw.
        rng: Where the cards come from.
    """

    def drawn(showing: Refutation, event: Suggestion) -> Refutation:
        if showing.shown is not None or player not in (event.by, showing.player):
            return showing
        held = [card for card in event.cards if card in hands[showing.player]]
        return Refutation(showing.player, held[int(rng.integers(len(held)))])

    def shown(event: ClueEvent) -> ClueEvent:
        if isinstance(event, Look) and event.by == player:
            return replace(event, cards=game.edition.in_deck_order(hands[FACE_DOWN]))
        if not isinstance(event, Suggestion) or event.refuter is None:
            return event
        refutations = [drawn(each, event) for each in event.refutations]
        return replace(event, shown=refutations[0].shown, further=tuple(refutations[1:]))

    events = (masked(shown(seen.event), player, rules=game.rules) for seen in game.events)
    own_hand = game.edition.in_deck_order(hands[player])
    return SeenClue(
        players=game.players,
        hand_sizes=_as_known_to(game, player, len(own_hand)),
        viewer=player,
        own_hand=own_hand,
        face_up=game.face_up,
        edition=game.edition,
        rules=game.rules,
        events=tuple(numbered(events, player)),
    )


def _as_known_to(game: SeenClue, player: str, size: int) -> tuple[tuple[str, int | None], ...]:
    """The sizes of the hands as another player knows them, who has so many cards themselves."""
    every = [known for _, known in game.hand_sizes]
    if None not in every:
        return game.hand_sizes
    # The viewer's own size is known to the viewer alone, if they counted their cards.
    theirs = {player: size, game.viewer: None}
    return tuple((name, theirs.get(name, known)) for name, known in game.hand_sizes)


def masked(
    event: ClueEvent, viewer: str, *, author: bool = False, rules: HouseRules = USUAL
) -> ClueEvent | None:
    """``event`` without what a player or spectator could not see; ``None`` if nothing is left.

    The card shown is seen by the suggester and the refuter, the case file by an accuser who
    looked, a note by the observer who wrote it.

    Args:
        event: The event with everything that was recorded.
        viewer: A player's name, or any other word for somebody who only looks on.
        author: Whether the notebook facts of the record are the viewer's own.
        rules: The house rules: a card may be shown openly.
    """
    match event:
        case Suggestion(refuter=str()) if viewer != event.by and not rules.open:
            return _seen_from_aside(event, viewer)
        case Look() if viewer != event.by:
            return replace(event, cards=())
        case Accusation(seen=cards) if cards is not None and viewer != event.by:
            return replace(event, seen=None)
        case Has() | NotHas() | OneOf() if not author:
            return None
        case _:
            return event


def _seen_from_aside(event: Suggestion, viewer: str) -> Suggestion:
    """A suggestion without the cards that others than the viewer showed."""
    if not event.further:
        return event if event.refuter == viewer else replace(event, shown=None)
    first, *further = (
        each if each.player == viewer else Refutation(each.player) for each in event.refutations
    )
    return replace(event, shown=first.shown, further=tuple(further))


def numbered(
    events: Iterable[ClueEvent | None], viewer: str, *, start: int = 1
) -> Iterator[Seen[ClueEvent]]:
    """The masked events that are left, as ``viewer``'s own, numbered without gaps."""
    number = start
    for event in events:
        if event is not None:
            yield witness(number, viewer, event)
            number += 1
