"""Cheat's offers to those who plan in it: imagined games, usual options, simulated people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..advice import Advice
from ..game import Game, States
from ..view import View
from .abstraction import with_open_claims
from .people.person import person
from .record.seen import cards_of
from .rules import can_call, neighbour
from .state import CLAIM, claim_of, rank_of

#: How the paper's algorithms 1 to 3 are read: as they are written, and both ways of every claim
#: searched; or, in each point or in all of them, as ours did at first.
TEXT: Final = {
    "one_tree": True,
    "each_leaves": True,
    "counts_first": True,
    "excluded": True,
    "by_availability": False,
}
READINGS: Final[Mapping[str, Mapping[str, Any]]] = {
    "text": TEXT,
    "tree_for_each_way": {"one_tree": False},
    "both_leave": {"each_leaves": False},
    "first_action_uncounted": {"counts_first": False},
    "one_way_by_counting": {"excluded": False},
    "by_availability": {"by_availability": True},
    "first": {option: not value for option, value in TEXT.items()},
    # c, d and the discount, as the paper prints them.
    "printed": {"exploration": 0.0025, "mixing_slowing": 0.0025, "discount": 0.995},
}
#: The paper's search. c, d and the discount are those that a tournament chose from wider ranges:
#: the printed c and d lie outside the paper's own grids (docs/results/cheat_tuning.md).
PAPER: Final = {
    "selection": "smooth_uct",
    "information": "key",
    "imagined": "open",
    **TEXT,
    "exploration": 0.115,
    "mixing_slowing": 0.00201,
    "discount": 0.992,
}
#: Of agents that search with predictors. Values differ by little, so little is explored. An agent
#: that fully trusts in what is predicted of people wins no more from them, and loses more to others
#: (docs/results/cheat.md). Predictors of calls have met hardly any claim that everybody can count
#: to be impossible, and take it for one like others: so such claims are not considered.
PREDICTED: Final = {"exploration": 0.2, "trust": 0.25, "filter": True}


def advice() -> Advice:
    """The game's advice."""
    return Advice(
        considered=sensible,
        imagined={"rules": as_it_is, "open": with_open_claims},
        usual={"semi": PAPER, "ours": PREDICTED},
        readings=READINGS,
        people=person,
        secret=last_claim,
    )


def as_it_is(game: Game) -> Game:
    """The game, imagined by its rules."""
    return game


def sensible(view: View) -> NDArray[np.int32]:
    """The legal actions without claims that both players can count to be impossible.

    All of them where that leaves nothing.
    """
    actions = view.legal()
    state: Any = view.states[0]
    kept = [code for code in actions.tolist() if not _impossible(state, view.game.tables, code)]
    return np.array(kept, dtype=np.int32) if kept else actions


def _impossible(state: Any, tables: Any, action: int) -> bool:
    """True if a claim is of more cards than can be in the claimant's hand, as everybody knows.

    The card turned up at the start is not, while it lies on the pile or aside, and neither is what
    the other player took up with a pile and has not claimed to lay down since.
    """
    if action < CLAIM:
        return False
    lower, _, count = claim_of(action)
    rules = tables.rules[0]
    rank = neighbour(int(state.rank), int(lower), tables)
    elsewhere = int(state.collected[1 - int(state.player), rank])
    if int(state.first) == rank and (int(state.since) == 0 or rules.aside == 1):
        elsewhere += 1
    return count > int(rules.suits) - elsewhere


def last_claim(states: States, viewer: int) -> bool | None:
    """True if the claim that a player may call is true; None while there is none.

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
