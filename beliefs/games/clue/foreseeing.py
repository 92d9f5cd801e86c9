"""Facts a search of Clue is told before it begins: the race, as its player can expect it.

Which suggestions are worth a look, which case file looks likeliest after each answer, and how
likely the player wins who passes then: the others know the case file the sooner the less is open to
them, in deals that the player imagines, and the player themselves are right the more likely the
more they have heard.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.codes import CardCodes
from ....models.clue.game import card_of
from ....models.clue.imagined.one_turn import ROWS, answers_of
from ....models.clue.imagined.race import CERTAIN
from ...arrays.layout import Floats
from .rivals import OthersKnowledge
from .suggesting import SuggestionWorth, case_files
from .waiting import Outlook, free_rounds, worth_of_race

#: Deals that are drawn to value suggestions.
DRAWN: Final = 2_000
#: Deals of each kind in which it is found out what the others know, where one may accuse, and where
#: one asks: then it matters less.
IMAGINED: Final = 4
GLANCED: Final = 2


@dataclass(frozen=True, eq=False)
class ForeseenAnswers:
    """The knowledge after each answer to a suggestion.

    Attributes:
        likeliest: The case file that looks likeliest; int64[answers].
        sure: How likely it is; float64[answers].
        bits: What is open of the case file; float64[answers].
        there: Whether the answer can come; bool[answers].
    """

    likeliest: NDArray[np.int64]
    sure: Floats
    bits: Floats
    there: NDArray[np.bool_]


def undominated(each: SuggestionWorth) -> list[int]:
    """The suggestions than which no other one tells more and lets one be right more likely.

    The numbers of at most `ROWS` - 1 triples, those first that let one be right most likely.
    """
    order = np.lexsort((-each.bits.round(3), -each.right.round(4)))
    bits = each.bits.round(3)[order]
    most = np.maximum.accumulate(np.concatenate(([-1.0], bits[:-1])))
    return order[bits > most][: ROWS - 1].tolist()


def answers(
    worlds: NDArray[Any], players: int, asker: int, triple: int, codes: CardCodes
) -> ForeseenAnswers:
    """A player's knowledge after each answer to a suggestion, in drawn deals.

    Args:
        worlds, players, asker: As for `told`.
        triple: The suggestion.
        codes: The numbers of the edition.
    """
    file, count = case_files(worlds, players, codes), answers_of(players)
    held = worlds[:, [card_of(triple, place, codes) for place in range(3)]]
    turn = np.full(256, players - 1)
    turn[(asker + np.arange(1, players)) % players] = np.arange(players - 1)
    turns = turn[held]
    first = turns.min(axis=1)
    shows = turns == first[:, None]
    nobody = first == players - 1
    shares = shows / shows.sum(axis=1, keepdims=True)
    counts = np.zeros((count, codes.triples))
    for place in range(3):
        answer = np.where(nobody, 3 * (players - 1), 3 * first + place)
        cells = answer * codes.triples + file
        counts += np.bincount(cells, shares[:, place], counts.size).reshape(counts.shape)
    number = counts.sum(axis=1)
    there = number > 0.0
    chances = counts / np.where(there, number, 1.0)[:, None]
    logs = np.log2(np.where(chances > 0.0, chances, 1.0))
    # Miller (1955): an entropy of counts is too small by (cells - 1) / 2 in nats and samples.
    more = ((counts > 0.0).sum(axis=1) - 1) / (2.0 * np.log(2.0) * np.maximum(number, 1.0))
    bits = -(chances * logs).sum(axis=1) + more
    return ForeseenAnswers(counts.argmax(axis=1), chances.max(axis=1), np.maximum(bits, 0.0), there)


@dataclass(frozen=True, eq=False)
class Race:
    """The time until the others will be right, as one player imagines it.

    Attributes:
        right: How likely the likeliest case file is the true one, counting that the others have
            passed.
        hit, miss: How likely nobody else has accused rightly after each of the next rounds, where
            it is the true one and where it is not; shape (rounds,).
        pace: Suggestions of a player in a round.
    """

    right: float
    hit: Floats
    miss: Floats
    pace: float = 1.0

    @property
    def either(self) -> Floats:
        """The probability that nobody else has accused rightly after each of the next rounds."""
        return np.asarray(self.right * self.hit + (1.0 - self.right) * self.miss)

    def outlook(self, sure: float, after: float, bits: float) -> Outlook:
        """The outlook of a player who could accuse now.

        Args:
            sure: How likely the likeliest case file seems to be right.
            after: How likely it will after the next suggestion.
            bits: What is open of the case file.
        """
        first = min(1.0, (1.0 - after) / max(1.0 - sure, CERTAIN))
        passing = self.passing(self.right, bits, first)
        will = 1.0 - (1.0 - self.right) * first
        return Outlook(self.right, will, float(1.0 - self.either[0]), passing)

    def passing(self, sure: float, bits: float, first: float = 1.0) -> float:
        """The probability that the player wins who passes now; see `worth_of_race`."""
        one = np.array([sure]), np.array([bits])
        return float(worth_of_race(*one, self.hit, self.miss, first=first, pace=self.pace)[0])


def race_of(imagined: OthersKnowledge, *, pace: float = 1.0) -> Race:
    """The time until the others will be right, by deals that were imagined."""
    weights = imagined.passed
    hits = imagined.hits.astype(bool)
    hit, miss = (
        free_rounds(np.where(of, weights, 0.0), imagined.then, imagined.now, pace, imagined.able)
        for of in (hits, ~hits)
    )
    right = float(weights @ hits)
    return Race(right, hit if hits.any() else miss, hit if hits.all() else miss, pace)


def fill_answers(tables: Any, row: int, found: ForeseenAnswers, race: Race) -> None:
    """Tell an imagined turn what is known after each answer to one suggestion."""
    free = race.either
    tables.likeliest[row] = found.likeliest
    tables.accusing[row] = found.sure
    tables.passing[row] = worth_of_race(found.sure, found.bits, free, free, pace=race.pace)
