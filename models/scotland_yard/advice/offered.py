"""Scotland Yard's offers to those who plan in it: the heuristics of the paper, by name.

Nijssen and Winands (2012). The options that are usual are those of its plain player: single tree,
Progressive History, epsilon-greedy playouts by the list of the moment, move filtering; and with
Coalition Reduction one number from the root player's side. Of ours is Location Categorization,
which its plain player does without.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from ...advice import Advice, Playouts
from ...game import any_action
from .. import rules
from ..imagined import begin, searching
from . import evaluation
from .guesses import guesses
from .move_filtering import considered, made
from .playouts import (
    capture,
    epsilons,
    greedy_chase,
    greedy_total,
    greedy_total_capture,
    greedy_total_leaf,
    greedy_total_leaf_capture,
    greedy_total_now,
    greedy_total_now_capture,
)

#: Of agents that search with playouts.
SEARCH: Final = {
    "selection": "progressive_history",
    "exploration": 0.5,
    "bias_weight": 5.0,
    "by_availability": False,
    "information": "actions",
    "playouts": "total_now/chase",
    "credited": "negamax",
    "filter": True,
    "belief": "categories",
    "each_world": True,
}
#: How the paper is read where its text leaves it open: which list detectives go by in the hider's
#: playouts, and in whose nodes what counts. Of the lists the text's is that of the moment; that of
#: the root explains most tables, with detectives who capture where they can.
READINGS: Final = {
    "text": {"playouts": SEARCH["playouts"]},
    "root": {"playouts": "total_capture/chase"},
    "leaf": {"playouts": "total_leaf/chase"},
    "moment_and_captures": {"playouts": "total_now_capture/chase"},
    "first": {"playouts": "total/chase", "credited": "own"},
    "by_availability": {"by_availability": True},
    "observer": {"information": "observer"},
}
#: Of agents that look ahead to a certain depth.
LOOK_AHEAD: Final = {"filter": True, "belief": "categories"}


def advice(players: int) -> Advice:
    """The game's advice, with so many players."""
    epsilon = epsilons(players)
    return Advice(
        playouts={
            "chase": Playouts(policy=greedy_chase, epsilon=epsilon),
            "total": Playouts(policy=greedy_total, epsilon=epsilon),
            "total_capture": Playouts(policy=greedy_total_capture, epsilon=epsilon),
            "total_now": Playouts(policy=greedy_total_now, epsilon=epsilon, imagined="tracks"),
            "total_now_capture": Playouts(
                policy=greedy_total_now_capture, epsilon=epsilon, imagined="tracks"
            ),
            "total_leaf": Playouts(policy=greedy_total_leaf, epsilon=epsilon, imagined="tracks"),
            "total_leaf_capture": Playouts(
                policy=greedy_total_leaf_capture, epsilon=epsilon, imagined="tracks"
            ),
            "random": Playouts(policy=any_action, epsilon=(0.0,) * players),
            "capture": Playouts(policy=capture, epsilon=(0.0,) * players),
        },
        imagined={
            "singles": searching,
            "doubles": partial(searching, doubles=True),
            "tracks": partial(searching, tracks=True),
            "rules": partial(searching, doubles=True, tracks=True),
            "alone": partial(searching, tracks=True, alone=True),
        },
        begin=begin,
        considered=considered,
        made=made,
        own_returns=rules.own_returns,
        evaluations={"escape": evaluation.escape, "approach": evaluation.approach},
        guesses=guesses(),
        readings=READINGS,
        usual={
            "search": SEARCH,
            # Players learn by what they see, and not by what was done.
            "learning": {"information": "observer"},
            "alpha_beta": LOOK_AHEAD | {"evaluation": "escape", "imagined": "tracks"},
            "expectimax": LOOK_AHEAD
            | {"evaluation": "approach", "imagined": "alone", "others": "enemies"},
        },
    )
