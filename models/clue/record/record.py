"""A recorded game of Clue: everything that was written down, and who may see what of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..seen import NOTEBOOK, SPECTATOR, SeenClue, masked, numbered
from .reader import edition_fields, read
from .written import ClueNotes

Kind = Literal["full", "partial", "notebook"]


@dataclass(frozen=True, kw_only=True)
class ClueRecord(ClueNotes):
    """One game of Clue with everything that is known about it.

    Made by :func:`load`, :meth:`from_json`, or the simulator. Code that reasons about the game asks
    :meth:`seen_by` for a view.

    >>> import numpy as np
    >>> from sleuth.games.clue import ClueRecord, simulate
    >>> record = simulate(["ann", "bob", "cid"], np.random.default_rng(1), turns=3)
    >>> record.kind, record.viewers(), record.default_viewer
    ('full', ('ann', 'bob', 'cid', 'spectator'), 'spectator')
    >>> record.hand_sizes, record.hands["ann"][:2]
    ({'ann': 6, 'bob': 6, 'cid': 6}, ('mustard', 'knife'))
    >>> record.events[0].shown is None, record.seen_by("spectator").events[0].event.shown is None
    (False, True)
    >>> ClueRecord.from_json(record.to_json()) == record
    True
    >>> record.dump("game.json")
    >>> ClueRecord.load("game.json").digest == record.digest
    True
    """

    @classmethod
    def _read(cls, value: object) -> ClueRecord:
        return read(value, cls)

    @property
    def kind(self) -> Kind:
        """The kind of record, by how much it holds: it decides who can see the record.

        ``"full"`` holds everybody's cards: any player can see it. ``"notebook"`` holds neither an
        observer nor any of the truth: it is public, with every field in it. ``"partial"`` is what
        one observer wrote down, all of which they know.
        """
        if self.dealt is not None:
            return "full"
        return "notebook" if self.observer is None and self.case_file is None else "partial"

    def viewers(self) -> tuple[str, ...]:
        """The viewers for :meth:`seen_by`; the default viewer is not always the first."""
        if self.kind == "full":
            return (*self.players, SPECTATOR)
        if self.kind == "notebook":
            return (NOTEBOOK, SPECTATOR)
        return (SPECTATOR,) if self.observer is None else (self.observer, SPECTATOR)

    @property
    def default_viewer(self) -> str:
        """The observer; without one, the public notebook; without that either, the spectator."""
        if self.observer is not None:
            return self.observer
        return NOTEBOOK if self.kind == "notebook" else SPECTATOR

    def seen_by(self, viewer: str | None = None) -> SeenClue:
        """The game as ``viewer`` saw it, without what was hidden from them.

        A player of a full record sees their hand, the cards shown to or by them, the case file if
        they are said to have looked, and their notebook facts if they are the observer. The
        observer of a partial record, and the reader of a public notebook, see all that was
        recorded, except the true case file. The spectator sees nothing private.

        Args:
            viewer: One of :meth:`viewers`; ``None`` for the default viewer.

        Raises:
            RecordError: If the record does not say what that viewer saw.
        """
        if viewer is None:
            viewer = self.default_viewer
        player = viewer in self.players
        self.known_viewer(
            viewer,
            where="observer",
            why=", since it does not hold everybody's cards"
            if player and self.kind != "full"
            else "",
            hint=f"available: {', '.join(self.viewers())}" if player else "",
        )
        own_hand: tuple[str, ...] = ()
        if self.dealt is not None and viewer != SPECTATOR:
            own_hand = self.dealt[self.players.index(viewer)]
        elif viewer == self.observer:
            own_hand = self.own_hand
        if self.kind != "full" and viewer != SPECTATOR:
            shared = self.events
        else:
            author = viewer == self.observer
            shared = (
                masked(event, viewer, author=author, rules=self.rules) for event in self.events
            )
        return SeenClue(
            players=self.players,
            hand_sizes=tuple(
                (player, len(own_hand) if player == viewer and own_hand else size)
                for player, size in self.hand_sizes.items()
            ),
            viewer=viewer,
            own_hand=own_hand,
            face_up=self.face_up,
            edition=self.edition,
            rules=self.rules,
            events=tuple(numbered(shared, viewer)),
        )

    def to_json(self) -> dict[str, Any]:
        """The record in the form of its schema; :meth:`from_json` gives an equal record back."""
        made = self.head() | edition_fields(self.edition)
        made |= {"players": list(self.players)}
        if any(size is not None for size in self.sizes):
            made["hand_sizes"] = list(self.sizes)
        if rules := self.rules.to_json():
            made["rules"] = rules
        if self.observer is not None:
            made |= {"observer": self.observer, "own_hand": list(self.own_hand)}
        if self.face_up:
            made["face_up"] = list(self.face_up)
        if self.hands is not None:
            made["hands"] = {player: list(cards) for player, cards in self.hands.items()}
        if self.case_file is not None:
            made["case_file"] = list(self.case_file)
        return made | {"events": [event.to_json() for event in self.events]}


load = ClueRecord.load
