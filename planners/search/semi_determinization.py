"""Semi-determinization: the last action of an opponent is laid open in each way it may have been.

Bitan and Kraus (2018), "Combining prediction of human decisions with ISMCTS in imperfect
information games", section 3 and algorithm 1: of an action that was seen in part (a claim, which is
true or false) every way is searched, all else staying hidden. What an action of ours is worth is
then the average of its values by how likely each way is, as a predictor says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...data.checks import is_number
from ...data.errors import SettingsError
from .determinization import Draw, Rows, WorldDraw, checked_rows

if TYPE_CHECKING:
    from .options import Options


@dataclass(frozen=True)
class DeterminedWay:
    """One way in which the last action may have been done.

    Attributes:
        draw: Draws what is hidden, if it was done that way.
        chance: How likely that is.

    >>> import sleuth
    >>> from sleuth.search import DeterminedWay, from_list
    >>> ways = [DeterminedWay(from_list([[0, card, 3 - card]]), 0.5) for card in (1, 2)]
    >>> view = sleuth.Play.new("kuhn_poker", seed=1).view(0)
    >>> budget = sleuth.Budget(simulations=40)
    >>> sleuth.Search("kuhn_poker").decide(view, budget=budget, ways=ways, seed=1).simulations
    40
    """

    draw: Draw
    chance: float


def in_turn(ways: Sequence[DeterminedWay]) -> Draw:
    """A draw of the ways in turn: row n is of way n % len(ways), of whole rounds."""

    def draw(count: int, rng: np.random.Generator) -> Rows:
        rounds = [checked_rows(way.draw, count // len(ways), rng) for way in ways]
        return np.stack(rounds, axis=1).reshape(count, -1)

    beliefs = [way.draw.belief for way in ways if isinstance(way.draw, WorldDraw)]
    return WorldDraw(beliefs[0], draw) if len(beliefs) == len(ways) else draw


def determined_shares(ways: Sequence[DeterminedWay], options: Options) -> list[float]:
    """The share of the simulations that each way gets.

    All the same, as in algorithm 1; or, with ``options.least_share``, in proportion to the chances,
    but none less than that: what is unlikely has little weight, and needs less precision.

    Raises:
        SettingsError: Chances do not add up to 1, or the options are for something else.
    """
    chances = [way.chance for way in ways]
    proper = all(is_number(chance) and 0 <= chance <= 1 for chance in chances)
    if not proper or abs(sum(chances) - 1) > 1e-9:
        raise SettingsError("chances of ways must add up to 1", where="ways", value=chances)
    if options.trees or options.workers > 1:
        raise SettingsError(
            "each way has a tree of its own",
            where="ways",
            hint="leave trees and workers out",
        )
    if options.one_tree and options.least_share is not None:
        raise SettingsError(
            "in one tree each way gets as many simulations as any other",
            where="ways",
            hint="leave least_share or one_tree out",
        )
    even = 1.0 / len(ways)
    if options.least_share is None:
        return [even] * len(ways)
    least = min(options.least_share, even)
    raised = [max(chance, least) for chance in chances]
    return [share / sum(raised) for share in raised]
