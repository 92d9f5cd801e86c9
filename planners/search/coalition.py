"""Coalition Reduction: members of a team who share what one of them wins, but not all of it.

>>> from sleuth.search import coalition_reduction
>>> coalition_reduction(["hider", "seekers", "seekers"], 0.1).tolist()
[[1.0, 0.0, 0.0], [0.0, 1.0, 0.9], [0.0, 0.9, 1.0]]
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...data.checks import is_number, whole_number
from ...data.errors import SettingsError


def coalition_reduction(
    teams: Sequence[Hashable],
    r: float,
    *,
    searcher: int | None = None,
    zero_sum: bool = False,
) -> NDArray[np.float64]:
    """The weights of all players' returns in each player's credit, for ``Options(credits=...)``.

    Player p is credited with 1 when p wins, and with 1 - r when another member of p's team does:

        credits[p, q] = 1 if p = q; 1 - r if teams[p] = teams[q]; else 0

    after Nijssen and Winands 2012, "Monte Carlo Tree Search for the Hide-and-Seek Game Scotland
    Yard", section IV-E. There the 1 belongs to the player who searches (``searcher``). With r = 0
    it does not matter who of the team wins; with r = 1 everyone works for themselves. The paper
    found 0.1 best in Scotland Yard, and more with fewer simulations. A player without a team, as
    the hider there, is credited with what is their own.

    What is won must be the winner's alone: the mapped returns of a team must not add up to more
    than 1, such as the highest return for who catches the hider and the lowest for the rest of
    the team. Where a game's returns are those of the whole team, ``Options(own_returns=...)``
    takes a kernel of returns that say who won.

    Args:
        teams: For each player the team they are in: any names or numbers.
        r: What a member loses of another's win, from 0 to 1.
        searcher: None: at every node the player who moves there is credited from their own side.
            A player: all of their team are credited from their side, as in the paper, where the
            seeker at the root is the one who gets 1.
        zero_sum: With a searcher: whether all who are not in their team are credited with what they
            are not, as where one result is backed up with alternating signs (negamax). Then a hider
            who is caught by another seeker than the one who searches has lost by 1 - r only.

    Returns:
        float64, shape (players, players).

    Raises:
        SettingsError: There are no players, r is no number from 0 to 1, nobody has the number of
            ``searcher``, or there is none with ``zero_sum``.

    >>> from sleuth.search import coalition_reduction
    >>> coalition_reduction(["hider", "seekers", "seekers"], 0.1, searcher=1).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.9], [0.0, 1.0, 0.9]]
    """
    given = cast(object, teams)
    if isinstance(given, str) or not isinstance(given, Sequence) or not len(teams):
        raise SettingsError(
            "teams must name a team for each player",
            value=cast(object, teams),
            hint="write for instance ['hider', 'seekers', 'seekers']",
        )
    if not is_number(r) or not 0 <= r <= 1:
        raise SettingsError(
            "r must be a number from 0 to 1", value=r, hint="write for instance 0.1"
        )
    players = range(len(teams))
    credits = np.array(
        [
            [1.0 if p == q else 1.0 - r if teams[p] == teams[q] else 0.0 for q in players]
            for p in players
        ]
    )
    if zero_sum and searcher is None:
        raise SettingsError(
            "zero_sum needs a searcher, from whose side the sum is zero",
            where="zero_sum",
            hint="name the searcher too",
        )
    if searcher is not None:
        place = whole_number(searcher, "searcher", least=0, most=len(teams) - 1)
        for player in players:
            if teams[player] == teams[place]:
                credits[player] = credits[place]
            elif zero_sum:
                credits[player] = 1.0 - credits[place]
    return credits
