"""The information of every suggestion of Clue, estimated on drawn deals: all at once.

An exact gain of one suggestion costs up to tens of milliseconds where six players know little.
Here the deals are drawn, and everything else is computed: who refutes follows from a deal, and a
card that is shown is any that could be, equally likely.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.codes import CardCodes
from ....models.clue.game import card_of
from ....models.kernels.kernel import kernel
from ...arrays.layout import Floats
from ...posterior import entropy_bits
from .answering import at_random
from .declaration import ClueDeclaration

LN2: Final = math.log(2.0)
#: Parts of a deal that are counted: a refuter shows any of up to three cards, equally likely.
SHARES: Final = 6


@dataclass(frozen=True, eq=False)
class SuggestionWorth:
    """The information of suggestions, by the number of the triple.

    Attributes:
        bits: About how many bits of the case file each tells; shape (triples,).
        right: About how likely the likeliest case file is the true one after the answer.
    """

    bits: Floats
    right: Floats


def told(
    worlds: NDArray[Any],
    players: int,
    asker: int,
    codes: CardCodes,
    *,
    triples: Sequence[int] | None = None,
) -> SuggestionWorth:
    """The information of each suggestion to the player who makes it.

    Args:
        worlds: Deals by their probability, shape (deals, cards): for each card the number of its
            holder; that of the case file is the number of players.
        players: How many there are.
        asker: The number of the player.
        codes: The numbers of the edition.
        triples: The suggestions that are looked at, the others are 0; by default all are.
    """
    file = case_files(worlds, players, codes)
    order = np.argsort(file, kind="stable")
    ends = np.flatnonzero(np.diff(file[order], append=-1)) + 1
    # How many are asked before the holder of a card; nobody who is asked holds it: the last.
    turn = np.full(256, players - 1, dtype=np.uint8)
    turn[(asker + np.arange(1, players)) % players] = np.arange(players - 1)
    turns = np.ascontiguousarray(turn[worlds[order].astype(np.uint8)].T)
    logs = np.zeros(SHARES * len(file) + 1)
    shares = np.arange(1, len(logs)) / SHARES
    logs[1:] = shares * np.log(shares)
    found = SuggestionWorth(np.zeros(codes.triples), np.zeros(codes.triples))
    wanted = np.array(range(codes.triples) if triples is None else triples, dtype=np.int64)
    _told(turns, ends, players - 1, logs, wanted, codes, found.bits, found.right)
    return found


def told_by_rules(
    belief: ClueDeclaration, worlds: NDArray[Any], *, chosen: Sequence[int] | None = None
) -> SuggestionWorth:
    """The information of each suggestion to the viewer of a belief, by the house rules.

    Args:
        belief: What the viewer can know, at the moment of the suggestion.
        worlds: As for `told`.
        chosen: The suggestions that are looked at, by their place in `ClueDeclaration.suggestions`,
            the others are 0; by default all are.

    Returns:
        By the place of the suggestion.
    """
    players, edition = belief.players, belief.edition
    asker, codes = players.index(belief.viewer or ""), edition.codes
    if belief.answers_as_usual:
        return told(worlds, len(players), asker, codes, triples=chosen)
    kinds = [*edition.categories.values()][: belief.rules.named]
    named = [*itertools.product(*kinds)]
    answers = at_random(belief.rules, belief.asked, named[0])
    turn = np.full(256, len(answers.asked))
    turn[[players.index(player) for player in answers.asked]] = np.arange(len(answers.asked))
    turns = turn[worlds[:, : len(edition.cards)].T]
    files, file = np.unique(case_files(worlds, len(players), codes), return_inverse=True)
    before = entropy_bits(np.bincount(file).astype(float) / len(worlds))
    # In a deal there are few answers, as many as cards at most.
    order = np.argsort(-answers.chances, axis=1, kind="stable")[:, : len(kinds)]
    shares = np.take_along_axis(answers.chances, order, axis=1) / len(worlds)
    found = SuggestionWorth(np.zeros(len(named)), np.zeros(len(named)))
    for place in range(len(named)) if chosen is None else chosen:
        pattern = answers.patterns([turns[edition.position[card]] for card in named[place]])
        cells = order[pattern] * len(files) + file[:, None]
        here, cell = np.unique(cells[shares[pattern] > 0.0], return_inverse=True)
        both = np.bincount(cell, shares[pattern][shares[pattern] > 0.0]).astype(float)
        starts = np.flatnonzero(np.diff(here // len(files), prepend=-1))
        after = np.add.reduceat(both, starts)
        # Miller (1955), as in `_told`.
        bias = 0.5 * (len(files) + len(after) - len(both) - 1) / len(worlds) / LN2
        told_bits = before + entropy_bits(after) - entropy_bits(both)
        found.bits[place] = max(0.0, told_bits + bias)
        found.right[place] = np.maximum.reduceat(both, starts).sum()
    return found


def case_files(worlds: NDArray[Any], players: int, codes: CardCodes) -> NDArray[np.int64]:
    """The number of the triple in the case file of every deal."""
    held = worlds == players
    ends = np.cumsum([codes.suspects, codes.weapons]).tolist()
    suspects, weapons, rooms = (
        part.argmax(axis=1) for part in np.split(held[:, : codes.cards], ends, axis=1)
    )
    return (suspects * codes.weapons + weapons) * codes.rooms + rooms


@kernel
def _told(
    turns: Any, ends: Any, asked: int, logs: Any, triples: Any, codes: Any, bits: Any, right: Any
) -> None:
    """See `told`; counts are of sixths of a deal, and ``logs`` has n log n of each.

    Args:
        turns: For each card and deal how many are asked before its holder; deals of one case file
            stand together.
        ends: Where the deals of each case file end.
        asked: How many are asked.
        triples: The suggestions that are looked at.
        codes: The numbers of the edition.
    """
    total = turns.shape[1]
    # Nobody who is asked: the three places after the others, which are one outcome.
    nobody = 3 * asked
    here = np.zeros(nobody + 3, dtype=np.int64)
    # For each refuter, by which of the three cards they hold: 1, 2 and 4, added.
    refuters = np.zeros(8 * (asked + 1), dtype=np.int64)
    refuter = np.empty(total, dtype=np.uint8)
    answered = np.zeros(nobody + 1, dtype=np.int64)
    most = np.zeros(nobody + 1, dtype=np.int64)
    before = 0.0
    begin = 0
    for end in ends:
        before -= logs[SHARES * (end - begin)]
        begin = end
    for triple in triples:
        first = turns[card_of(triple, 0, codes)]
        second = turns[card_of(triple, 1, codes)]
        third = turns[card_of(triple, 2, codes)]
        # By itself, so that the compiler takes many deals at once.
        for row in range(total):
            one, two, three = first[row], second[row], third[row]
            turn = min(one, two, three)
            held = np.uint8(one == turn) + 2 * np.uint8(two == turn) + 4 * np.uint8(three == turn)
            refuter[row] = np.uint8(8 * turn + held)
        answered[:] = 0
        most[:] = 0
        both = 0.0
        cells = 0
        begin = 0
        for end in ends:
            refuters[:] = 0
            for row in range(begin, end):
                refuters[refuter[row]] += 1
            for turn in range(asked + 1):
                by = refuters[8 * turn : 8 * turn + 8]
                place = 3 * turn
                all_three = SHARES // 3 * by[7]
                here[place] = SHARES * by[1] + SHARES // 2 * (by[3] + by[5]) + all_three
                here[place + 1] = SHARES * by[2] + SHARES // 2 * (by[3] + by[6]) + all_three
                here[place + 2] = SHARES * by[4] + SHARES // 2 * (by[5] + by[6]) + all_three
            here[nobody] += here[nobody + 1] + here[nobody + 2]
            for outcome in range(nobody + 1):
                # Where there are none nothing changes, and it takes less time than to look.
                count = here[outcome]
                both -= logs[count]
                answered[outcome] += count
                most[outcome] = max(most[outcome], count)
                cells += int(count > 0)
            begin = end
        answers = 0.0
        sure = 0
        cells_answers = 0
        for outcome in range(nobody + 1):
            if answered[outcome] > 0:
                answers -= logs[answered[outcome]]
                sure += most[outcome]
                cells_answers += 1
        # Miller (1955): an entropy of counts is too small by (cells - 1) / 2 in nats and samples.
        bias = 0.5 * (len(ends) + cells_answers - cells - 1)
        plain = (before + answers - both) / total + math.log(total)
        bits[triple] = max(0.0, plain + bias / total) / LN2
        right[triple] = sure / (SHARES * total)
