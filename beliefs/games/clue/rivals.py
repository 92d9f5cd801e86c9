"""The other players' knowledge in Clue, if the cards lay so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.cards import FACE_DOWN
from ....models.clue.edition import ClueEdition
from ....models.clue.events import ClueEvent, Suggestion
from ....models.clue.seen import SeenClue, as_seen_by, numbered
from ....models.records.events import Seen
from ...arrays.layout import Floats
from ...infer import infer
from ...language.evidence import Evidence
from .declaration import ClueDeclaration
from .suggesting import case_files
from .waiting import ABLE, Outlook, after_passing, outlook

#: Nobody thinks about daring below this.
LEAST: Final = 0.2
#: So many times as good as waiting it has to look to dare: as long as nobody accuses, the likeliest
#: case file is right less often than the posterior says (docs/results/clue.md).
DOUBT: Final = 1.5
#: To choose among engines takes longer than this one.
METHOD: Final = "card_by_card"

Hands = Mapping[str, frozenset[str]]
#: What an event says, once for each.
Said = Callable[[Seen[ClueEvent]], Sequence[Evidence]]


@dataclass(frozen=True, eq=False)
class OthersKnowledge:
    """The others' knowledge in some deals.

    Attributes:
        rivals: The players who can still win.
        weights: How likely each deal is by what was seen; shape (deals,).
        hits: Whether the likeliest case file is right there; shape (deals,).
        then, now: Bits of the case file that were open to each rival after their last suggestion,
            and that are open to them now; shape (deals, rivals).
        able: How likely each rival is to accuse who knows the case file; shape (rivals,).
        deals: The hands of all players in each.
    """

    rivals: tuple[str, ...]
    weights: Floats
    hits: Floats
    then: Floats
    now: Floats
    able: Floats
    deals: tuple[Hands, ...] = ()

    @property
    def passed(self) -> Floats:
        """The probability of each deal, given that the rivals have passed; shape (deals,)."""
        return after_passing(self.weights, self.then, self.able)

    def outlook(self, *, sure: float, after: float, bits: float, pace: float) -> Outlook:
        """The outlook for accusing now and for passing, as far as one can expect.

        Args:
            sure: How likely the likeliest case file seems to be right.
            after: How likely it will after the next suggestion.
            bits: What is open of the case file.
            pace: Suggestions of a player in a round.
        """
        mine = np.array([sure, after, bits])
        return outlook(self.weights, self.hits, self.then, self.now, mine, pace, self.able)


def hands_in(
    players: Sequence[str], world: Sequence[int], edition: ClueEdition
) -> dict[str, frozenset[str]]:
    """The hand of every player in a world, which has the number of each card's holder.

    What is dealt to nobody stands under `FACE_DOWN`; the case file is left out.
    """
    # Behind the cards may stand places without one.
    holders = list(zip(edition.cards, world[: len(edition.cards)], strict=True))
    seats = {name: seat for seat, name in enumerate(players)} | {FACE_DOWN: len(players) + 1}
    return {
        name: frozenset(card for card, who in holders if who == seat)
        for name, seat in seats.items()
    }


class Rivals:
    """The other players, as one player imagines them.

    Args:
        known: What that player has seen.
        rng: Draws the cards that were shown unseen.
    """

    def __init__(self, known: SeenClue, rng: np.random.Generator) -> None:
        self.known, self.rng = known, rng
        self._supposed: dict[SeenClue, tuple[ClueDeclaration, Said]] = {}

    def hands(self, rows: NDArray[Any]) -> list[Hands]:
        """Hands of all players in deals, an array of holders each."""
        return [hands_in(self.known.players, row, self.known.edition) for row in rows.tolist()]

    def open(self, known: SeenClue, player: str, hands: Hands) -> float:
        """Bits of the case file that are open to a player, if the cards lay so."""
        theirs = as_seen_by(known, player, hands, self.rng)
        dealt = theirs.until(0)
        if dealt not in self._supposed:
            belief = ClueDeclaration(dealt)
            self._supposed[dealt] = belief, cache(belief.evidence)
        belief, said = self._supposed[dealt]
        given = [each for seen in theirs.events for each in said(seen)]
        return infer(belief.model, [*belief.dealt, *given], method=METHOD).entropy(belief.case_file)

    def last_turn(self, player: str) -> SeenClue:
        """The game as far as it was seen when a player could accuse last."""
        ends = [
            place
            for place, seen in enumerate(self.known.events, start=1)
            if isinstance(seen.event, Suggestion) and seen.event.by == player
        ]
        return self.known.until(ends[-1] if ends else 0)

    def imagined(
        self,
        rows: NDArray[Any],
        *,
        file: Floats,
        out: Iterable[str],
        count: int,
        end: float = np.inf,
        reasons: Mapping[str, float] | None = None,
        before: bool = True,
    ) -> OthersKnowledge:
        """The others' knowledge in some deals.

        Of the deals half are those in which the likeliest case file is right, so what the others
        would know there is compared.

        Args:
            rows: Deals by their probability, for each card the number of its holder.
            file: How likely each triple is to be in the case file; shape (triples,).
            out: Players who cannot win any more.
            count: Deals of each kind that are looked at.
            end: Time of the processor after which no more are.
            reasons: How likely each player is of a kind that concludes what follows from what they
                saw; by default all are.
            before: Whether it is found out what they knew at their last turn, too; else they are
                taken not to have known the case file.
        """
        best = int(file.argmax())
        hits = case_files(rows, len(self.known.players), self.known.edition.codes) == best
        some = [np.flatnonzero(hits == each)[:count] for each in (True, False)]
        # In turn one deal of each kind: time may be up before all have been looked at.
        chosen = [row for both in zip_longest(*map(np.ndarray.tolist, some)) for row in both]
        chosen = [row for row in chosen if row is not None]
        gone = {self.known.viewer, *out}
        rivals = {
            player: self.last_turn(player) for player in self.known.players if player not in gone
        }
        found: list[list[tuple[float, float]]] = []
        deals = self.hands(rows[chosen])
        for deal in deals:
            if len(found) > 1 and time.process_time() > end:
                break
            found.append(
                [
                    (
                        self.open(seen, player, deal) if before else np.inf,
                        self.open(self.known, player, deal),
                    )
                    for player, seen in rivals.items()
                ]
            )
        bits = np.array(found).reshape(len(found), len(rivals), 2)
        right = hits[chosen[: len(found)]]
        hit = float(right.mean())
        likely = file[best] / (hit or 1.0), (1.0 - file[best]) / (1.0 - hit or 1.0)
        weights = np.array([likely[0] if each else likely[1] for each in right.tolist()])
        able = ABLE * np.array([(reasons or {}).get(player, 1.0) for player in rivals])
        looked = tuple(deals[: len(found)])
        return OthersKnowledge(
            tuple(rivals), weights, right, bits[..., 0], bits[..., 1], able, looked
        )

    def shown(self, imagined: OthersKnowledge, card: str) -> OthersKnowledge:
        """The same deals, if the player shows this card to whose suggestion they refute.

        Args:
            imagined: What the others would know before it.
            card: One of those suggested.
        """
        last = self.known.events[-1]
        assert isinstance(last.event, Suggestion), "a card is shown after a suggestion"
        shows = numbered([replace(last.event, shown=card)], self.known.viewer, start=last.number)
        after = replace(self.known, events=(*self.known.events[:-1], *shows))
        now, asker = imagined.now.copy(), last.event.by
        place = imagined.rivals.index(asker)
        now[:, place] = [self.open(after, asker, deal) for deal in imagined.deals]
        return replace(imagined, now=now)
