"""The sight of one person, packed for a worker: all that its answer is made of."""

from __future__ import annotations

from dataclasses import dataclass

from ...models.game import Game
from ...models.parcel import ViewParcel
from ..kit.display import Sight


@dataclass(frozen=True)
class SightParcel:
    """All that a person may see at one moment, packed.

    Attributes:
        own: With the eyes of their role.
        public: With those of somebody who only looks on.
        person: The roles that they play; none where all are called by their roles.
    """

    own: ViewParcel
    public: ViewParcel
    person: tuple[int, ...]

    @staticmethod
    def of(sight: Sight) -> SightParcel:
        """The parcel of a sight."""
        return SightParcel(
            ViewParcel.of(sight.view, sight.seen),
            ViewParcel.of(sight.public_view, sight.public_seen),
            sight.person,
        )

    def sight(self, game: Game) -> Sight:
        """The sight."""
        own, public = self.own, self.public
        return Sight(
            own.view(game), own.seen(game), public.view(game), public.seen(game), self.person
        )
