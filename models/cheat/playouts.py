"""Players of Cheat in playouts: action frequencies of people, and six rules.

Bitan and Kraus (2018), section 4.5. Of the frequencies only that of a call is published, 0.105;
the others are ours, set so that 21.5 % of moves are takes and 42.5 % of claims are false, as in
the middle of what the paper reports of people (section 5.1). The rules read the truth of a claim,
as in a playout all is known; they call a FALSE claim and no other.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import numpy as np

from ...data.checks import is_number
from ...data.errors import SettingsError
from ..game import Game
from ..kernels.kernel import kernel
from ..kernels.randomness import uniform
from ..settings import one_record
from .rules import can_call, is_true
from .state import ACTIONS, CALL, CLAIM, RULES, CheatTables

CALLS: Final = 0.105
TAKES: Final = 0.215
LIES: Final = 0.425
#: How many cards claims have, true ones and false ones.
TRUE_COUNTS: Final = (0.62, 0.28, 0.08, 0.02)
FALSE_COUNTS: Final = (0.55, 0.30, 0.11, 0.04)

#: A pile over this, and a player caught more often than this, are called.
LARGE_PILE: Final = 8
OFTEN_CAUGHT: Final = 8


def people() -> tuple[float, ...]:
    """The frequencies with which people take each of the 18 actions."""
    shares = [0.0] * ACTIONS
    shares[0], shares[1] = CALLS, TAKES
    claims = 1 - CALLS - TAKES
    for lower in range(2):
        for false, counts in enumerate((TRUE_COUNTS, FALSE_COUNTS)):
            for place, share in enumerate(counts):
                truth = LIES if false else 1 - LIES
                shares[CLAIM + 8 * lower + 4 * false + place] = claims / 2 * truth * share
    return tuple(shares)


def with_rollout(
    game: Game,
    *,
    frequencies: Sequence[float] | None = None,
    illegal: Literal["proportional", "even"] = "proportional",
) -> Game:
    """The game with other playouts.

    Args:
        game: Cheat.
        frequencies: How often each of the 18 actions is taken; None for `people`.
        illegal: What becomes of the share of actions that are not legal: legal ones get it in
            proportion (the paper's formula), or evenly (its text).

    Raises:
        SettingsError: The frequencies are not 18 numbers >= 0 with a sum above 0.
    """
    shares = people() if frequencies is None else tuple(frequencies)
    if (
        len(shares) != ACTIONS
        or not all(is_number(share) and 0 <= share < float("inf") for share in shares)
        or sum(shares) <= 0
    ):
        raise SettingsError(
            f"frequencies are {ACTIONS} numbers of at least 0, not all of them 0", value=shares
        )
    settings = one_record(RULES)
    settings[0] = game.tables.rules[0]
    settings[0].frequencies[:] = np.array(shares) / sum(shares)
    settings[0].uniform = int(illegal == "even")
    return replace(game, tables=CheatTables(settings), policy=rollout)


@kernel(allocates=False)
def must_call(state: Any, tables: Any) -> bool:
    """True if one of the six rules calls the claim that can be called now; the paper's a to f."""
    mover = state.player
    other = 1 - mover
    rank = state.rank
    last = state.turn - 1
    if is_true(state.cards[last], state.log[last], tables):
        return False
    return (
        state.sizes[other] == 0
        or state.pile > LARGE_PILE
        or state.catches[other] > OFTEN_CAUGHT
        or state.claimed[other, rank] > 1
        or state.hands[mover, rank] > 0
        or state.caught[other, rank] > 0
    )


@kernel(allocates=False)
def rollout(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """The paper's rollout policy: a rule where one applies, else by people's frequencies."""
    rules = tables.rules[0]
    if actions[0] == CALL and can_call(state) and must_call(state, tables):
        return 0
    total = 0.0
    for place in range(count):
        total += rules.frequencies[actions[place]]
    if rules.uniform == 1:
        extra = (1.0 - total) / count
        drawn = uniform(random)
    else:
        extra = 0.0
        drawn = uniform(random) * total
    for place in range(count):
        drawn -= rules.frequencies[actions[place]] + extra
        if drawn < 0.0:
            return place
    return count - 1
