"""What Cheat offers to those who plan in it: imagined games, usual options, simulated people."""

from __future__ import annotations

from typing import Any, Final

from ..advice import Advice
from ..game import Game, States
from .abstraction import with_open_claims
from .people.person import person
from .record.seen import cards_of
from .rules import can_call
from .state import rank_of

#: The paper's search: its algorithms 1 to 3 as they are written, and both ways of every claim
#: searched. c, d and the discount are those that a tournament chose from wider ranges: the printed
#: c and d lie outside the paper's own grids (docs/results/cheat_tuning.md).
PAPER: Final = {
    "selection": "smooth_uct",
    "information": "key",
    "imagined": "open",
    "one_tree": True,
    "each_leaves": True,
    "counts_first": True,
    "excluded": True,
    "by_availability": False,
    "exploration": 0.115,
    "mixing_slowing": 0.00201,
    "discount": 0.992,
}
#: Of agents that search with predictors. Values differ by little, so little is explored. An agent
#: that fully trusts in what is predicted of people wins no more from them, and loses more to others
#: (docs/results/cheat.md).
PREDICTED: Final = {"exploration": 0.2, "trust": 0.25}


def advice() -> Advice:
    """What the game offers."""
    return Advice(
        imagined={"rules": as_it_is, "open": with_open_claims},
        usual={"semi": PAPER, "ours": PREDICTED},
        people=person,
        secret=last_claim,
    )


def as_it_is(game: Game) -> Game:
    """The game, imagined by its rules."""
    return game


def last_claim(states: States, viewer: int) -> bool | None:
    """Whether the claim that a player may call is true; None while there is none.

    Args:
        states: The true state, in an array of one.
        viewer: The player.
    """
    state: Any = states[0]
    if state.player != viewer or not can_call(state):
        return None
    turn = int(state.turn) - 1
    rank = rank_of(int(state.log[turn]))
    return all(card == rank for card in cards_of(int(state.cards[turn])))
