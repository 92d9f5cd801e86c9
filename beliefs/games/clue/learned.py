"""Evidence from what players of Clue ask and show, as it was learned from recorded games.

Somebody who suggests chooses one card of each kind, and a refuter one of those that they hold. A
predictor is told about each card that they could choose, and says how likely it is chosen; over all
of them that has to add up to one. So a choice has a likelihood by what the player holds, and a
predictor that finds all cards equal says what the declared models say: a suggestion tells nothing
of those who make it, and any of several cards is shown equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.disk.contents import MadeOfFiles
from ....data.files import resource
from ....models.clue.edition import ClueEdition
from ....models.clue.events import Suggestion
from ....models.clue.refuters import ChoiceModel, choice_model
from ....models.clue.seen import SeenClue
from ...arrays.layout import Floats
from ...kinds import Kinds
from ...predictors.predictor import EDGE, Predictor, load_predictor, paths
from .declaration import ClueDeclaration
from .hearing import COMMON, HELD, HearingBelief, asking_chances

#: About a card that could be chosen. Whether it is shown, or asked for; its kind; whether the
#: player holds it, or so one assumes; and what everybody saw: whether it lies face up, how often
#: the suggester named it, and the others, how often when nobody refuted, and whether at last; how
#: many others passed on it; how often it was named where the refuter showed a card (anybody, if it
#: is asked for); how often the suggester has asked, and how many players there are.
ASKED: Final = (
    "shows", "kind", "held", "open", "named", "named by others", "named unrefuted", "named last",
    "passed", "refuted", "suggestions", "players",
)  # fmt: skip
#: Of a card that is shown, what the suggester knows: whether the refuter showed it to them before;
#: how many other cards they could show, and whether any of those was shown before.
SHOWN: Final = ("shown before", "others", "others shown before")
NAMES: Final = (*ASKED, *SHOWN)
PREDICTS: Final = "the card is chosen"
#: What is meant by a predictor that is not a file.
USUAL: Final = "usual"
#: How common players are who ask as those did that it was learned from; the rest are as `hearing`
#: has them. This says who sits at the table, so it is declared: in the records from which was
#: learned all are alike, and these would always say 1.
ALIKE: Final = 0.5

#: What their kind is called.
ALIKE_KIND: Final = "as was learned"


@cache
def kinds_of_cards(edition: ClueEdition) -> NDArray[np.int64]:
    """The category of each card: 0 for suspects, 1 for weapons, 2 for rooms."""
    return np.repeat(np.arange(3), [len(cards) for cards in edition.categories.values()])


class ChoiceHistory:
    """A viewer's sight of a game, counted: by players in turn order and cards in deck order."""

    def __init__(self, game: SeenClue) -> None:
        count, size = len(game.players), len(game.edition.cards)
        self.edition = game.edition
        self.position, self.kind = game.edition.position, kinds_of_cards(game.edition)
        self.seats = {player: seat for seat, player in enumerate(game.players)}
        self.named, self.unrefuted, self.last, self.passed, self.refuted = np.zeros(
            (5, count, size)
        )
        self.shown = np.zeros((count, count, size))
        self.asked = np.zeros(count)
        self.open = np.isin(game.edition.cards, game.face_up)
        self.own = np.isin(game.edition.cards, game.own_hand)
        for seen in game.events:
            if isinstance(seen.event, Suggestion):
                self._add(seen.event)

    def _add(self, event: Suggestion) -> None:
        by, cards = self.seats[event.by], [self.position[card] for card in event.cards]
        self.asked[by] += 1
        self.named[by, cards] += 1
        self.last[by] = 0.0
        self.last[by, cards] = 1.0
        for player in event.passed:
            self.passed[self.seats[player], cards] = 1.0
        if event.refuter is None:
            self.unrefuted[by, cards] += event.refuter_recorded
        for showing in event.refutations:
            refuter = self.seats[showing.player]
            self.refuted[refuter, cards] += 1
            if showing.shown is not None:
                self.shown[refuter, by, self.position[showing.shown]] = 1.0

    def asking(self, by: str, held: Any) -> Floats:
        """The features of all cards that a player could name, if they hold so; (cards, F)."""
        seat = self.seats[by]
        others = np.arange(len(self.seats)) != seat
        rows = np.full((len(self.open), len(NAMES)), np.nan)
        rows[:, : len(ASKED)] = np.column_stack(
            np.broadcast_arrays(
                0.0, self.kind, held, self.open, self.named[seat], self.named[others].sum(axis=0),
                self.unrefuted[seat], self.last[seat], self.passed[others].sum(axis=0),
                self.refuted[others].sum(axis=0), self.asked[seat], len(self.seats),
            )
        )  # fmt: skip
        return rows

    def showing(self, refuter: str, by: str, held: Sequence[str]) -> Floats:
        """The features of the cards that a refuter could show, as the suggester knows them.

        Shape (cards, F).
        """
        cards = [self.position[card] for card in held]
        known = self.shown[self.seats[refuter], self.seats[by], cards]
        rows = self.asking(by, 1.0)[cards]
        rows[:, NAMES.index("shows")] = 1.0
        rows[:, NAMES.index("refuted")] = self.refuted[self.seats[refuter], cards]
        rows[:, len(ASKED) :] = np.column_stack(
            np.broadcast_arrays(known, len(cards) - 1.0, known.sum() > known)
        )
        return rows

    def likely(self, player: str, size: float) -> Floats:
        """The probability that a player of so many cards holds each; shape (cards,).

        It follows from who passed and what the viewer has.
        """
        could = 1.0 - np.maximum(self.passed[self.seats[player]], self.open | self.own)
        return could * min(size / max(could.sum(), 1.0), 1.0)


@dataclass(frozen=True, eq=False)
class LearnedChoices:
    """A predictor, as `sleuth train clue-table` makes it, as a model of behaviour."""

    predictor: Predictor

    def chances(self, rows: Any) -> Floats:
        """The probability that each card is chosen, were it for itself."""
        return np.clip(self.predictor(rows), EDGE, 1.0 - EDGE)

    def choice(self, past: ChoiceHistory) -> ChoiceModel:
        """The refuter's choice what to show, after what the suggester saw."""

        def show(refuter: str, suggester: str, held: tuple[str, ...]) -> dict[str, float]:
            if len(held) == 1:
                return {held[0]: 1.0}
            chances = self.chances(past.showing(refuter, suggester, held))
            return dict(zip(held, (chances / chances.sum()).tolist(), strict=True))

        return choice_model(show)

    def asking(
        self, past: ChoiceHistory, event: Suggestion, size: float, *, walks: bool = False
    ) -> Floats:
        """The chance that a player of so many cards names these, by which of the three they hold.

        What they hold of the other cards is as likely as `ChoiceHistory.likely` has it. Shape (8,).
        """
        rows = np.concatenate([past.asking(event.by, held) for held in (0.0, 1.0)])
        by = self.chances(rows).reshape(2, -1)
        share = past.likely(event.by, size)
        usual = (1.0 - share) * by[0] + share * by[1]
        found = np.ones(8)
        for place, card in enumerate(past.position[card] for card in event.cards):
            if not (walks and place == 2):
                rest = usual[place == past.kind].sum() - usual[card]
                found *= (by[:, card] / (by[:, card] + rest))[HELD[:, place]]
        return found


class LearnedBelief(HearingBelief):
    """The belief from the rules, and from what the others ask and show as it was learned.

    Args:
        predictor: A predictor's file; by default the one that comes with sleuth. Or its model.
        walks: Whether players walk to the rooms that they name: then rooms say nothing.
        alike: How common players are who ask as those did that it was learned from; the others are
            as a `HearingBelief` has them.

    >>> import sleuth
    >>> from sleuth.games.clue import LearnedBelief
    >>> play = sleuth.Play.new("clue_table", seed=1)
    >>> for _ in range(6):
    ...     play.apply(play.legal()[0])
    >>> view, seen, belief = play.view(2), play.seen_by(2), LearnedBelief()
    >>> case_file = belief.hidden(view)["case file"]
    >>> for believed in (belief, sleuth.belief("clue_table")):
    ...     print(round(believed.infer(view, seen).entropy(case_file), 2))
    6.48
    6.49
    """

    def __init__(
        self, predictor: str | LearnedChoices = USUAL, *, walks: bool = False, alike: float = ALIKE
    ) -> None:
        super().__init__(walks=walks)
        self.model = learned(predictor) if isinstance(predictor, str) else predictor
        # Another process may find something else by the name, but for what comes with sleuth.
        self._made_of = USUAL if predictor == USUAL else self.model, walks, alike
        others = {name: (1.0 - alike) * share for name, share in COMMON.items()}
        self.kinds = Kinds({ALIKE_KIND: alike, **others}, none=0.0, slip=0.0)

    def __reduce__(self) -> Any:
        predictor, walks, alike = self._made_of
        return partial(type(self), predictor, walks=walks, alike=alike), ()

    def declared(self, known: SeenClue) -> ClueDeclaration:
        """A declaration in which refuters choose as was learned, after what was seen."""
        return ClueDeclaration(known.until(0), self.model.choice(ChoiceHistory(known)))

    def asking(self, known: SeenClue, event: Suggestion) -> Floats:
        """For players like those it was learned from, and for each kind of `hearing`."""
        size, walks = known.expected_size(event.by), self._walked(event)
        alike = self.model.asking(ChoiceHistory(known), event, size, walks=walks)
        return np.vstack([alike, asking_chances(size, walks, known.edition)])


_models: Final = MadeOfFiles[LearnedChoices]()


def learned(name: str = USUAL) -> LearnedChoices:
    """The model of a predictor's file; by default of the one that comes with sleuth.

    The same one as long as the file is the same.

    Raises:
        RecordError: It is damaged, or no predictor of this.
    """
    path = Path(str(resource("clue", "learned"))) if name == USUAL else Path(name)

    def read() -> LearnedChoices:
        return LearnedChoices(load_predictor(path, game="clue", features=NAMES))

    return _models.get(paths(path), read)
