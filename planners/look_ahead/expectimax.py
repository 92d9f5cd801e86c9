"""Expectimax: the player who decides against players whose moves they take for chance.

They, and their allies, maximise what they get (Michie 1966). Players of whom too little is known to
foresee what they will do are chance: the value of their decisions is the average over their
legal actions, each equally likely or by weight. Players who are neither minimise, as in
`alpha_beta`. Chance is cut off by Star1 (Ballard 1983).

Nijssen and Winands (2012, "Monte Carlo tree search for the hide-and-seek game Scotland Yard")
search so for the seekers. There only the hider's station is chance, weighted by how likely it is,
and the hider's moves minimise: that is `alpha_beta`, averaged over worlds.

>>> from sleuth import Play
>>> from sleuth.games.small import payoff, tree_game, turn
>>> from sleuth.search import Expectimax, Limits
>>> safe, gamble = payoff(1, -1), turn(1, payoff(0, 0), payoff(4, -4))
>>> game = tree_game(turn(0, safe, gamble))
>>> Expectimax(game).decide(Play.new(game, seed=0).view(0), limits=Limits()).value
2.0
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...models.game import Game
from ...models.games import GameEntry, game_from
from .deepening import Deepening


class Expectimax(Deepening):
    """Expectimax over one game. Compiles at first use, once per machine.

    Args:
        game: The game, or its entry.
        chance: Players whose decisions are taken for chance; None: all but the player who
            decides and their allies.
        weight: Kernel (state, actions, count, tables, weights) -> None, which writes how likely
            each of the legal actions is; numbers >= 0 on any scale. None: equally likely. It is
            handed a state drawn from the belief, so it may use what is true there.
        given: The other arguments of `Deepening`.

    Raises:
        SettingsError: If a player does not exist, or nothing says what lost lines are worth.

    >>> import sleuth
    >>> from sleuth.games.small import payoff, tree_game, turn
    >>> from sleuth.search import Expectimax, Limits
    >>> game = tree_game(turn(0, payoff(1, -1), turn(1, payoff(0, 0), payoff(4, -4))))
    >>> Expectimax(game).decide(sleuth.Play.new(game, seed=0).view(0), limits=Limits()).value
    2.0
    """

    def __init__(
        self,
        game: Game | GameEntry | str,
        *,
        chance: Sequence[int] | None = None,
        weight: Any = None,
        **given: Any,
    ) -> None:
        game = game_from(game)
        others = tuple(range(game.players)) if chance is None else tuple(chance)
        super().__init__(game, chance=others, weigh=weight, **given)
