"""The suggestions worth most: by what they tell, and by the chance to be right after.

The one yardstick of advice beside a table and of the report. In matches players who went by it won
more than those who asked what tells most (docs/results/clue.md).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...beliefs.arrays.layout import Floats
from ...beliefs.engines.partial_deals.graph import Graph
from ...beliefs.games.clue.declaration import ClueDeclaration
from ...beliefs.games.clue.suggesting import case_files, told_by_rules
from ...beliefs.language.features import together
from ...beliefs.posterior import Posterior, entropy_bits
from ...models.clue.cards import FACE_DOWN
from ...models.clue.edition import ClueEdition
from ...models.clue.editions import CLASSIC
from ...models.clue.events import Named
from ...planners.clue.agents import PROBABILITY_GAIN as RIGHT
from ..kit.number_words import bits, percent

#: With more edges than this in its graph a belief takes a second or more for a suggestion.
MOST_EDGES: Final = 40_000
#: So many edges times suggestions can be valued exactly in some seconds.
MOST_WORK: Final = 5_000_000
#: Deals that are drawn to choose which suggestions are valued exactly.
DRAWN: Final = 4_000
SEED: Final = 0
#: How many more than are wanted are valued exactly.
SPARE: Final = 12
#: How many of each room are, where one of each is wanted.
OF_A_ROOM: Final = 3
#: What differs by less is a tie, in bits.
TIED: Final = 1e-6

YARDSTICK: Final = (
    f"'worth' adds two things: the bits a suggestion tells, and {RIGHT:g} times 'sure'.\n"
    "'sure' is the chance that the likeliest case file is right after the answer."
)

ESTIMATED: Final = (
    "So many deals are possible that these numbers are estimated on some that were drawn."
)


@dataclass(frozen=True)
class Worth:
    """A suggestion, valued exactly where the belief is exact.

    Attributes:
        cards: Suspect, weapon and room.
        bits: What it tells about the case file.
        sure: How likely the likeliest case file is right after the answer.
        drawn: Whether both are estimated on deals that were drawn.
    """

    cards: Named
    bits: float
    sure: float
    drawn: bool = False

    @property
    def worth(self) -> float:
        """Both together, in bits."""
        return self.bits + RIGHT * self.sure

    def ties(self, other: Worth) -> bool:
        """True if the other is worth as much."""
        return abs(self.worth - other.worth) < TIED

    @property
    def says(self) -> str:
        """Both numbers, in words."""
        return f"{bits(self.bits)} bits, {percent(self.sure)} % sure"


def dear(belief: ClueDeclaration, posterior: Posterior) -> bool:
    """True if exact values would take minutes, as with many players of a large box.

    Then all suggestions are valued on deals that are drawn.
    """
    return not always_exact(belief) and _edges(posterior) > MOST_EDGES


def all_are_dear(belief: ClueDeclaration, posterior: Posterior) -> bool:
    """True if exact values of all suggestions would take long, though a few do not."""
    return not always_exact(belief) and _edges(posterior) * belief.edition.triples > MOST_WORK


def always_exact(belief: ClueDeclaration) -> bool:
    """True for as many cards as the classic edition has, all of them with players or face up."""
    hidden = len(belief.cards.items) > len(CLASSIC.cards) or FACE_DOWN in belief.cards.holders
    return not hidden and belief.edition.triples <= CLASSIC.triples


def _edges(posterior: Posterior) -> int:
    solution = posterior.solution
    return solution.edges if isinstance(solution, Graph) else 0


def on_drawn_deals(belief: ClueDeclaration, posterior: Posterior) -> list[Worth]:
    """All suggestions of the viewer, valued on deals that are drawn, in the order of the deck."""
    worlds: NDArray[Any] = posterior.sample_array(DRAWN, np.random.default_rng(SEED))
    found = told_by_rules(belief, worlds[:, : len(belief.edition.cards)])
    return [
        Worth(cards, bits, sure, drawn=True)
        for cards, bits, sure in zip(
            suggestions_of(belief), found.bits.tolist(), found.right.tolist(), strict=True
        )
    ]


def worth_of(belief: ClueDeclaration, posterior: Posterior, cards: Named) -> Worth:
    """The worth of one suggestion of the viewer.

    Raises:
        CostError, UnsupportedError: The posterior's method cannot say it.
    """
    if dear(belief, posterior):
        return next(each for each in on_drawn_deals(belief, posterior) if each.cards == cards)
    question = belief.suggestion(cards)
    joint = posterior.distribution(together(belief.case_file, question.feature))
    answers = joint.reshape(-1, question.feature.value_count) @ question.table
    told = entropy_bits(answers.sum(axis=1)) + entropy_bits(answers.sum(axis=0))
    bits = max(told - entropy_bits(answers.ravel()), 0.0)
    return Worth(cards, bits, min(float(answers.max(axis=0).sum()), 1.0))


def most_worth(
    belief: ClueDeclaration,
    posterior: Posterior,
    count: int | None,
    *,
    rooms: Sequence[str] | None = None,
) -> list[Worth]:
    """The suggestions of the viewer that are worth most, the best first.

    On deals that are drawn it is chosen which of all are valued exactly: so many more than are
    wanted that the best are hardly missed.

    Args:
        count: How many; None for all of them, which takes long where six players know little.
        rooms: Where they may be made; None for any.
    """
    if dear(belief, posterior):
        drawn = on_drawn_deals(belief, posterior)
        here = [each for each in drawn if rooms is None or each.cards[-1] in rooms]
        return ranked(here, belief.edition)[:count]
    every = [cards for cards in suggestions_of(belief) if rooms is None or cards[-1] in rooms]
    if count is not None and count + SPARE < len(every):
        about = estimated(belief, posterior, every)
        chosen: list[int] = np.argsort(-about, kind="stable")[: count + SPARE].tolist()
        every = [every[place] for place in chosen]
    found = [worth_of(belief, posterior, cards) for cards in every]
    return ranked(found, belief.edition)[:count]


def best_by_room(belief: ClueDeclaration, posterior: Posterior) -> dict[str, Worth]:
    """The suggestion of the viewer that is worth most in each room, as for `most_worth`."""
    return {room: found[0] for room, found in few_by_room(belief, posterior).items()}


def few_by_room(belief: ClueDeclaration, posterior: Posterior) -> dict[str, list[Worth]]:
    """A few suggestions of the viewer in each room, the best first, as for `most_worth`."""
    if dear(belief, posterior):
        drawn = ranked(on_drawn_deals(belief, posterior), belief.edition)
        rooms = belief.edition.rooms
        return {r: [each for each in drawn if each.cards[-1] == r][:OF_A_ROOM] for r in rooms}
    every = suggestions_of(belief)
    about = dict(zip(every, estimated(belief, posterior, every).tolist(), strict=True))
    found: dict[str, list[Worth]] = {}
    for room in belief.edition.rooms:
        here = [cards for cards in every if cards[-1] == room]
        here = sorted(here, key=lambda cards: -about[cards])[:OF_A_ROOM]
        asked = [worth_of(belief, posterior, cards) for cards in here]
        found[room] = ranked(asked, belief.edition)
    return found


def suggestions_of(belief: ClueDeclaration) -> list[Named]:
    """All suggestions that can be made by the rules of the table, in the order of the deck."""
    kinds = [*belief.edition.categories.values()][: belief.rules.named]
    return cast("list[Named]", [*itertools.product(*kinds)])


def ranked(found: Sequence[Worth], edition: ClueEdition) -> list[Worth]:
    """The best first; what ties keeps the order of the deck."""
    place = edition.position
    return sorted(
        found, key=lambda each: (-round(each.worth, 9), *(place[card] for card in each.cards))
    )


def tied_first(found: Sequence[Worth]) -> int:
    """The number of the best that are worth the same."""
    return sum(each.ties(found[0]) for each in found)


def tied_rows(worth: Sequence[float]) -> list[tuple[int, int]]:
    """The first and the last row, from 1, of each run of rows that are worth the same."""
    found: list[tuple[int, int]] = []
    first = 0
    for place in range(1, len(worth) + 1):
        if place == len(worth) or abs(worth[place] - worth[first]) >= TIED:
            if place - first > 1:
                found.append((first + 1, place))
            first = place
    return found


def estimated(belief: ClueDeclaration, posterior: Posterior, every: Sequence[Named]) -> Floats:
    """About what suggestions are worth, on deals that are drawn; shape (suggestions,)."""
    worlds: NDArray[Any] = posterior.sample_array(DRAWN, np.random.default_rng(SEED))
    if not belief.answers_as_usual:
        every_one = suggestions_of(belief)
        chosen = [every_one.index(cards) for cards in every]
        told = told_by_rules(belief, worlds, chosen=chosen)
        return told.bits[chosen] + RIGHT * told.right[chosen]
    players = len(belief.players)
    asker = belief.players.index(str(belief.viewer))
    # How many are asked before the holder of a card; nobody who is asked holds it: the last.
    turn = np.full(256, players - 1, dtype=np.intp)
    turn[(asker + np.arange(1, players)) % players] = np.arange(players - 1)
    turns = np.ascontiguousarray(turn[worlds[:, : len(belief.edition.cards)].astype(np.uint8)].T)
    files, file = np.unique(case_files(worlds, players, belief.edition.codes), return_inverse=True)
    shown = _shown(players - 1)
    open_ = entropy_bits(np.bincount(file) / len(worlds))
    found = np.zeros(len(every))
    for place, cards in enumerate(every):
        three = turns[[belief.edition.position[card] for card in cards]]
        first = three.min(axis=0)
        cells = (8 * first + _bits(three == first)) * len(files) + file
        counted = np.bincount(cells, minlength=8 * players * len(files))
        answers = shown @ counted.reshape(8 * players, len(files)) / len(worlds)
        told = entropy_bits(answers.sum(axis=1)) - entropy_bits(answers.ravel())
        found[place] = open_ + told + RIGHT * answers.max(axis=1).sum()
    return found


def _bits(held: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The held ones of three cards, as a number below 8."""
    return held[0] + 2 * held[1].astype(np.intp) + 4 * held[2]


def _shown(asked: int) -> Floats:
    """P(answer | who refutes, and which of the three cards they hold).

    Shape (answers, 8 (asked + 1)): each who is asked shows one of three cards, or nobody does.
    """
    found = np.zeros((3 * asked + 1, 8 * (asked + 1)))
    for refuter in range(asked):
        for held in range(1, 8):
            cards = [card for card in range(3) if held >> card & 1]
            for card in cards:
                found[3 * refuter + card, 8 * refuter + held] = 1.0 / len(cards)
    found[-1, 8 * asked :] = 1.0
    return found
