"""What every suggestion of Clue tells, estimated on deals drawn from a belief: all 324 at once.

An exact gain of one suggestion costs up to tens of milliseconds where six players know little.
Here the deals are drawn, and everything else is computed: who refutes follows from a deal, and a
card that is shown is any that could be, equally likely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.game import TRIPLES, card_of
from ....models.kernels.kernel import kernel
from ...arrays.layout import Floats

LN2: Final = math.log(2.0)


@dataclass(frozen=True, eq=False)
class Told:
    """What suggestions tell, by the number of the triple.

    Attributes:
        bits: About how many bits of the case file each tells; shape (324,).
        right: About how likely the likeliest case file is the true one after the answer; (324,).
    """

    bits: Floats
    right: Floats


def told(worlds: NDArray[Any], players: int, asker: int) -> Told:
    """What each suggestion of a player would tell them.

    Args:
        worlds: Deals by their probability, shape (deals, 21): for each card the number of its
            holder; that of the case file is the number of players.
        players: How many there are.
        asker: The number of the player.
    """
    rows = np.ascontiguousarray(worlds, dtype=np.int8)
    files, file = np.unique(case_files(rows, players), return_inverse=True)
    found = Told(np.zeros(TRIPLES), np.zeros(TRIPLES))
    counts = np.zeros((3 * (players - 1) + 1, len(files)))
    _told(rows, file.astype(np.int64), players, asker, counts, found.bits, found.right)
    return found


def case_files(worlds: NDArray[Any], players: int) -> NDArray[np.int64]:
    """The number of the triple in the case file of every deal."""
    held = worlds == players
    suspects, weapons, rooms = (
        held[:, part].argmax(axis=1) for part in (slice(0, 6), slice(6, 12), slice(12, 21))
    )
    return suspects * 54 + weapons * 9 + rooms


@kernel
def _told(
    worlds: Any, file: Any, players: int, asker: int, counts: Any, bits: Any, right: Any
) -> None:
    total = len(worlds)
    outcomes = counts.shape[0]
    alone = np.zeros(counts.shape[1])
    for row in range(total):
        alone[file[row]] += 1.0
    before = 0.0
    for count in alone:
        before -= count * math.log(count)
    cells_before = len(alone)
    for triple in range(TRIPLES):
        suspect, weapon, room = card_of(triple, 0), card_of(triple, 1), card_of(triple, 2)
        counts[:] = 0.0
        for row in range(total):
            outcome = outcomes - 1
            for step in range(1, players):
                asked = (asker + step) % players
                first = worlds[row, suspect] == asked
                second = worlds[row, weapon] == asked
                third = worlds[row, room] == asked
                held = int(first) + int(second) + int(third)
                if held > 0:
                    outcome = -1
                    place = 3 * (step - 1)
                    share = 1.0 / held
                    if first:
                        counts[place, file[row]] += share
                    if second:
                        counts[place + 1, file[row]] += share
                    if third:
                        counts[place + 2, file[row]] += share
                    break
            if outcome >= 0:
                counts[outcome, file[row]] += 1.0
        both = 0.0
        answers = 0.0
        sure = 0.0
        cells = 0
        cells_answers = 0
        for outcome in range(outcomes):
            number = 0.0
            most = 0.0
            for each in counts[outcome]:
                if each > 0.0:
                    both -= each * math.log(each)
                    number += each
                    cells += 1
                    most = max(most, each)
            if number > 0.0:
                answers -= number * math.log(number)
                sure += most
                cells_answers += 1
        # Miller (1955): an entropy of counts is too small by (cells - 1) / 2 in nats and samples.
        bias = 0.5 * (cells_before + cells_answers - cells - 1)
        plain = (before + answers - both) / total + math.log(total)
        bits[triple] = max(0.0, plain + bias / total) / LN2
        right[triple] = sure / total
