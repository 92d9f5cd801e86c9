"""The method that fits a game: what a few walks and deals tell of it."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from ...data.errors import CostError
from ...models.game import Game
from ..search.budget import Budget
from .sampling import Sampling
from .whole_game import WholeGameSearch

#: How often the player that improves takes any action (epsilon of Lisy, Lanctot and Bowling 2015,
#: section 5).
EXPLORATION: Final = 0.4
#: Walks of external sampling that are tried, and the decisions that one may come to.
WALKS: Final = 16
WIDE: Final = 20_000
#: Decisions of a walk that is short.
SHORT: Final = 500
#: Longer walks are taken where no more than so many of their decisions are new.
NEW: Final = 0.5
#: Deals that are drawn to see whether they are few.
DEALS: Final = 1_024

_methods: WeakKeyDictionary[Game, Sampling] = WeakKeyDictionary()
_few: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


def fitting_method(game: Game) -> Sampling:
    """External sampling where a walk of it is worth its time, else outcome sampling.

    It is worth it where walks are short, or come again to what others came to. A few walks are
    tried to see it, once for each game.
    """
    if game not in _methods:
        external = Sampling(method="external")
        search = WholeGameSearch(game, sampling=external)
        search._limit(WIDE)  # pyright: ignore[reportPrivateUsage]
        try:
            search.run(Budget(simulations=WALKS))
            short = search.steps <= SHORT * WALKS or search.nodes <= NEW * search.steps
        except CostError:
            short = False
        outcome = Sampling(method="outcome", exploration=EXPLORATION)
        _methods[game] = external if short else outcome
    return _methods[game]


def few_deals(game: Game) -> bool:
    """True if every player soon comes by all that they can see of a deal, wherever lines go."""
    if game not in _few:
        deals = [game.initial(seed) for seed in range(DEALS)]
        _few[game] = all(
            len({game.masked(deal, player).tobytes() for deal in deals}) <= DEALS // 4
            for player in range(game.players)
        )
    return _few[game]
