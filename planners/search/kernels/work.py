"""A chunk of simulations: the numbers and states that it gets, and the arrays that it writes to."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

# What a node stands for: places in `Numbers.information`.
OBSERVER: Final = 0
"""What the searching player saw: one tree, their own (single-observer information-set search)."""
PLAYERS: Final = 1
"""What the player to move there saw: a tree for each player (multiple-observer search)."""
EVERYTHING: Final = 2
"""All that anybody saw: perfect information, for trees of a single determinization."""
KEY: Final = 3
"""The game's own key of what the player to move should tell apart."""

# Places in `Numbers.bias`.
NO_BIAS: Final = 0
HISTORY: Final = 1
"""An action's average credit for its player over all simulations."""
PRIOR: Final = 2
"""What a kernel says of the legal actions before any simulation."""
REGRETS: Final = 3
"""The average that an action would have had if it had always been taken, see `regret_matching`."""

# What `simulate` answers.
DONE: Final = 0
NO_ROOM: Final = 1
TOO_DEEP: Final = 2
FEW_ROWS: Final = 3
BAD_POLICY: Final = 4

# Places in `Work.counters`.
SIMULATIONS: Final = 0
PLIES: Final = 1
NEXT_WORLD: Final = 2
RENEWED: Final = 3
ROOM: Final = 4
#: In place of the index of the only action at the root whose gain has changed: all may have, or
#: none has.
ALL: Final = -1
NONE: Final = -2

#: What a simulation keeps as it goes on, beside its few numbers:
#:
#: * left_at: the node at which the tree was left, or -1.
#: * here, taken: the rows of what the observer knows, and of what they do; -1 for none.
#: * choices: decisions of learners that are followed.
#: * watched: moves that the observer has seen since the last of these.
#: * leaves_off: 1 where the observer decides where nobody follows what they do.
#: * first_taken, first_choice: the row and the index of the action taken at the root.
LINE: Final = np.dtype(
    [
        ("left_at", np.int64),
        ("here", np.int64),
        ("taken", np.int64),
        ("choices", np.int64),
        ("watched", np.int64),
        ("leaves_off", np.int64),
        ("first_taken", np.int64),
        ("first_choice", np.int64),
    ]
)


class Rules(NamedTuple):
    """The kernels that simulations call: those of the game, and of the search's options.

    Attributes:
        legal, apply, observe, returns, policy, key: Those of `Game`, or what the options give in
            place of them.
        evaluate: See `backup.no_evaluation`.
        prior: See `selection.no_prior`.
        select: See `selection.uct`.
    """

    legal: Any
    apply: Any
    observe: Any
    returns: Any
    evaluate: Any
    policy: Any
    key: Any
    prior: Any
    select: Any


class Numbers(NamedTuple):
    """The constants of a search. P players, A action codes, R actions at the root.

    Attributes:
        information: `OBSERVER`, `PLAYERS`, `EVERYTHING` or `KEY`.
        observer: The player who searches.
        learners: A bit for each player whose decisions are also made to learn: the observer, and
            those of their team.
        follow_depth: Decisions of learners, from the root, below which no information gain is
            estimated; 0 to estimate none.
        bias: `NO_BIAS`, `HISTORY`, `PRIOR` or `REGRETS`: what selections get beside values and
            visits.
        in_place: 1 to select by `selection.uct_in_place`, which needs no arrays to be filled, in
            place of a selection that would say the same where no gains count; else 0.
        lowest: The return that counts as 0.
        scale: One over the highest return less the lowest.
        discount: Factor on a return for every ply until it is reached.
        horizon: Plies after which a game that goes on is broken off and evaluated.
        gain_weight: Credit for a bit of information.
        gain_discount: Factor on what is learned one decision later.
        telling: uint8[A], 1 for actions whose information counts.
        settings: float64[], for the selection.
        searched: float64[P], in what share of the simulations the search selects a player's
            actions; in the rest they follow the playout policy inside the tree too.
        never_in, seldom_in: A bit for each player who is never searched, and who sometimes is.
        for_himself: 1 when ``credits`` say everyone for themselves and nothing is discounted; else
            0.
        credits: float64[P, P]: the credit of a player is their row times all players' returns,
            each mapped to [0, 1].
        variables: Hidden variables that are asked about.
        asks: 1 to keep for rows of knowledge how they came about, so that they can be asked about.
        root_actions: int32[R], the actions to choose from at the root.
        root_gain: float64[R], exact information gain in bits of every action at the root; NaN
            where it is to be estimated.
        epsilon: float64[P], how often a player takes any action instead of their playout policy's.
        open_factor, open_power: Below the root, where all gains are known, after n simulations the
            open_factor * n ** open_power most telling actions are open; all with a factor of 0.
        roots: How many roots there are, which are the first nodes: state w starts from root
            w % roots. Where there are several they are in the tree before the first simulation.
        leaving: int64[P], a bit for each player who leaves the tree when that one comes to a new
            node.
        counts_from: The visit of a node from which on what is done there counts.
        best: 1 to back up what the best action of a node brings, 0 for the average of all.
    """

    information: int
    observer: int
    learners: int
    follow_depth: int
    bias: int
    in_place: int
    for_himself: int
    lowest: float
    scale: float
    discount: float
    horizon: int
    gain_weight: float
    gain_discount: float
    telling: NDArray[np.uint8]
    variables: int
    asks: int
    settings: NDArray[np.float64]
    searched: NDArray[np.float64]
    never_in: int
    seldom_in: int
    credits: NDArray[np.float64]
    root_actions: NDArray[np.int32]
    root_gain: NDArray[np.float64]
    epsilon: NDArray[np.float64]
    open_factor: float
    open_power: float
    roots: int
    leaving: NDArray[np.int64]
    counts_from: int
    best: int


class Worlds(NamedTuple):
    """The states a tree starts from: W of them, drawn from the belief.

    Attributes:
        states: A record array [W].
        keys: uint64[W, P + 1], what each player knew there; at the end what all of them knew.
            For an observer's tree uint64[1, P + 1]: they knew the same everywhere.
        classes: int32[W, V], the numbers of the values of V hidden variables asked about; those of
            one variable follow on those of the one before.
        state: A record array [1], for the state of the game that is played from there.
        known: A record array [E]: for rows of knowledge that can be asked about, by their places
            in `Knowledge.row_of`, a state in which the player knows just this.
    """

    states: Any
    keys: NDArray[np.uint64]
    classes: NDArray[np.int32]
    state: Any
    known: Any


class Work(NamedTuple):
    """The memory of simulations. D is the most actions of a game, M the most legal at once.

    It is the same for all games, and so is the code of what only has to do with the tree.

    Attributes:
        keys: uint64[P + 1].
        actions, edges, missing: int32[M], uint64[M], int32[M].
        visits, means, available, bias, gains: float64[M].
        root_gains: float64[M], the gains of the actions at the root, as they were last looked up.
        path_edges, path_players, path_plies: uint64[D], uint64[D], int64[D].
        path_nodes, path_rows: int64[D], where the best is backed up: the node where an edge was
            taken, and what the player knew there, as a row of knowledge or -1.
        path_chances: float64[D], where regrets are matched: how likely the action was taken.
        played: int64[D], player and action of every ply, as player * A + action.
        watched: int64[D, 3], mover, observation and action of what the observer saw since a
            decision to learn.
        values, mapped: float64[P].
        history: float64[P * A, 2], simulations with an action and its player's credits.
        root_visits, root_values: float64[R, C], by action and class of the hidden variable.
        counters: int64[5], simulations, plies, the state to start from next, the action at the
            root whose gain is to be looked up anew (its index, `ALL` or `NONE`), and for how many
            simulations there surely is room.
        line: A record array [1] of `LINE`, for the simulation that goes on.
    """

    keys: NDArray[np.uint64]
    actions: NDArray[np.int32]
    edges: NDArray[np.uint64]
    missing: NDArray[np.int32]
    visits: NDArray[np.float64]
    means: NDArray[np.float64]
    available: NDArray[np.float64]
    bias: NDArray[np.float64]
    gains: NDArray[np.float64]
    root_gains: NDArray[np.float64]
    path_edges: NDArray[np.uint64]
    path_players: NDArray[np.uint64]
    path_plies: NDArray[np.int64]
    path_nodes: NDArray[np.int64]
    path_rows: NDArray[np.int64]
    path_chances: NDArray[np.float64]
    played: NDArray[np.int64]
    watched: NDArray[np.int64]
    values: NDArray[np.float64]
    mapped: NDArray[np.float64]
    history: NDArray[np.float64]
    root_visits: NDArray[np.float64]
    root_values: NDArray[np.float64]
    counters: NDArray[np.int64]
    line: Any
