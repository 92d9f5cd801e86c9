"""One chunk of simulations: descend, expand, play out, back up. The search's only big kernel.

It knows no game and no option by name: a game's rules, the selection and the playout policy are
first-class functions, everything else is numbers. It sees only states that were filled in from a
belief, never the true one.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....models.game import HIDDEN, OVER
from ....models.kernels.kernel import kernel
from ....models.kernels.randomness import below, mix, uniform
from .knowledge import (
    HANDED,
    MOST_ROWS,
    UNKNOWN,
    Knowledge,
    action_key,
    arrive,
    bring,
    gain_on,
    keep_state,
    lacks_rows,
    leave,
    ranked,
    row_of,
    take,
)
from .selection import some_new, uct_in_place
from .tree import ABSENT, NODES, Tree, find_edges, find_or_add, room, usual_block

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
#: In place of the index of the only action at the root whose gain has changed: all may have, or
#: none has.
ALL: Final = -1
NONE: Final = -2


class Numbers(NamedTuple):
    """The constants of a search. P players, A action codes, R actions at the root.

    Attributes:
        information: `OBSERVER`, `PLAYERS`, `EVERYTHING` or `KEY`.
        observer: The player who searches.
        learners: A bit for each player whose decisions are also made to learn: the observer, and
            those of their team.
        follow_depth: Decisions of learners, from the root, below which no information gain is
            estimated; 0 to estimate none.
        bias: `NO_BIAS`, `HISTORY` or `PRIOR`: what selections get beside values and visits.
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
        for_himself: 1 when ``credits`` say everyone for themselves and nothing is discounted; else
            0.
        credits: float64[P, P]: the credit of a player is their row times all players' returns,
            each mapped to [0, 1].
        asks: 1 to keep for rows of knowledge how they came about, so that they can be asked about.
        root_actions: int32[R], the actions to choose from at the root.
        root_gain: float64[R], exact information gain in bits of every action at the root; NaN
            where it is to be estimated.
        epsilon: float64[P], how often a player takes any action instead of their playout policy's.
        open_factor, open_power: Below the root, where all gains are known, after n simulations the
            open_factor * n ** open_power most telling actions are open; all with a factor of 0.
        roots: How many roots there are, which are the first nodes: state w starts from root
            w % roots. Where there are several they are in the tree before the first simulation.
        each_leaves: 1 where a player who comes to a node that is not there leaves the tree alone,
            0 where all do.
        counts_first: 1 to credit what the playout policy does at a new node to an edge of it.
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
    asks: int
    settings: NDArray[np.float64]
    searched: NDArray[np.float64]
    credits: NDArray[np.float64]
    root_actions: NDArray[np.int32]
    root_gain: NDArray[np.float64]
    epsilon: NDArray[np.float64]
    open_factor: float
    open_power: float
    roots: int
    each_leaves: int
    counts_first: int
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
    """

    states: Any
    keys: NDArray[np.uint64]
    classes: NDArray[np.int32]
    state: Any


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
        played: int64[D], player and action of every ply, as player * A + action.
        watched: int64[D, 3], mover, observation and action of what the observer saw since a
            decision to learn.
        values, mapped: float64[P].
        history: float64[P * A, 2], simulations with an action and its player's credits.
        root_visits, root_values: float64[R, C], by action and class of the hidden variable.
        counters: int64[4], simulations, plies, the state to start from next, and the action at
            the root whose gain is to be looked up anew: its index, `ALL` or `NONE`.
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
    played: NDArray[np.int64]
    watched: NDArray[np.int64]
    values: NDArray[np.float64]
    mapped: NDArray[np.float64]
    history: NDArray[np.float64]
    root_visits: NDArray[np.float64]
    root_values: NDArray[np.float64]
    counters: NDArray[np.int64]


@kernel(allocates=False)
def no_evaluation(state: Any, player: int, tables: Any) -> float:
    """In place of an evaluation, where none is given."""
    return 0.0


@kernel(allocates=False, inline="late", inner=True)
def _add_gains(
    tree: Tree,
    node: int,
    legal: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
    variables: int,
    kept: bool,
) -> None:
    """Add to every mean what the information from an action on is worth.

    An action that too few states have taken is not held to tell less than the others: it counts
    as the best of them, until it is known. With ``kept`` only what has changed is looked up, since
    one simulation changes what one action at the root tells.
    """
    best = 0.0
    renewed = work.counters[RENEWED]
    for i in range(legal):
        if kept and renewed != ALL and renewed != i:
            bits = work.root_gains[i]
            work.gains[i] = bits
            best = max(best, bits)
            continue
        action = work.actions[i]
        bits = UNKNOWN if numbers.telling[action] != 0 and numbers.follow_depth > 0 else 0.0
        if node < numbers.roots and not np.isnan(numbers.root_gain[i]):
            bits = numbers.root_gain[i]
        found = row_of(knowledge, action_key(key, action))
        if found != ABSENT:
            bits = gain_on(knowledge, found, variables)
        work.gains[i] = bits
        if kept:
            work.root_gains[i] = bits
        best = max(best, bits)
    if kept:
        work.counters[RENEWED] = NONE
    for i in range(legal):
        bits = work.gains[i]
        work.means[i] += numbers.gain_weight * (best if bits == UNKNOWN else bits)


@kernel(allocates=False, inline="late", inner=True)
def _select(
    select: Any,
    tree: Tree,
    node: int,
    legal: int,
    action_space: int,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    key: np.uint64,
    variables: int,
    kept: bool,
    random: Any,
) -> int:
    """The legal action to take at a node, as an index; -1 when there is no room.

    What a prior says of them stands in ``work.bias``. See `_add_gains` for ``kept``.
    """
    player = tree.players[node]
    learns = numbers.gain_weight != 0.0 and (numbers.learners >> player) & 1 != 0
    opens = learns and numbers.open_factor > 0.0 and node >= numbers.roots
    opens = opens and ranked(knowledge, key)
    if numbers.in_place != 0 and not opens:
        block = usual_block(tree, node, work.actions, legal)
        # Where some actions were never taken they come first, whatever the others tell.
        if block != ABSENT and (not learns or some_new(tree, block, legal)):
            choice = uct_in_place(tree, node, block, legal, numbers.settings, random)
            work.edges[np.uint64(choice)] = np.uint64(block + choice)
            return choice
    if not find_edges(tree, node, work.actions, legal, work.edges, work.missing):
        return -1
    for i in range(legal):
        edge = work.edges[i]
        tree.available[edge] += 1
        visits = tree.edge_visits[edge]
        work.visits[i] = visits
        total = tree.best[edge] if numbers.best != 0 else tree.values[edge]
        work.means[i] = total / visits if visits > 0 else 0.0
        work.available[i] = tree.available[edge]
        if numbers.bias == HISTORY:
            row = player * action_space + work.actions[i]
            taken = work.history[row, 0]
            work.bias[i] = work.history[row, 1] / taken if taken > 0.0 else 0.0
    if learns:
        _add_gains(tree, node, legal, numbers, work, knowledge, key, variables, kept)
        if opens:
            return _select_open(select, tree, node, legal, numbers, work, random)
    return select(
        work.visits,
        work.means,
        work.available,
        work.bias,
        legal,
        np.int64(tree.visits[node]),
        numbers.settings,
        random,
    )


@kernel(allocates=False, inline="late", inner=True)
def _select_open(
    select: Any, tree: Tree, node: int, legal: int, numbers: Numbers, work: Work, random: Any
) -> int:
    """The action to take at a node below the root whose gains are all known.

    Of hundreds of questions few are worth a try: the actions are opened little by little, as at a
    root that is widened, those first that tell most.
    """
    passed = np.int64(tree.visits[node])
    tried = 0
    first = np.int64(-1)
    for i in range(legal):
        if work.visits[i] > 0.0:
            tried += 1
        elif first < 0 or work.gains[i] > work.gains[first]:
            first = np.int64(i)
    if first >= 0 and tried < numbers.open_factor * (passed + 1.0) ** numbers.open_power:
        return first
    tried = 0
    for i in range(legal):
        if work.visits[i] > 0.0:
            work.missing[tried] = i
            work.visits[tried] = work.visits[i]
            work.means[tried] = work.means[i]
            work.available[tried] = work.available[i]
            work.bias[tried] = work.bias[i]
            tried += 1
    chosen = select(
        work.visits,
        work.means,
        work.available,
        work.bias,
        tried,
        passed,
        numbers.settings,
        random,
    )
    return np.int64(work.missing[chosen])


@kernel(allocates=False)
def simulate(
    legal_actions: Any,
    apply: Any,
    observe: Any,
    own_returns: Any,
    evaluate: Any,
    policy: Any,
    own_key: Any,
    prior: Any,
    select: Any,
    tables: Any,
    worlds: Worlds,
    tree: Tree,
    knowledge: Knowledge,
    numbers: Numbers,
    work: Work,
    random: Any,
    wanted: int,
    most_nodes: int,
) -> int:
    """Make simulations until there are ``wanted`` of them.

    The first nine arguments are the game's kernels ``legal``, ``apply``, ``observe``,
    ``returns``, an evaluation, ``policy`` and ``key``, a prior (see `selection.no_prior`) and a
    selection (see `selection.uct`).

    Args:
        wanted: Simulations in all, counted in ``work.counters``.
        most_nodes: With so many nodes the tree grows no more, and simulations go on without.

    Returns:
        `DONE`; `NO_ROOM` or `FEW_ROWS` when the tree or what is known should grow first;
        `TOO_DEEP` when a game went on after ``len(work.played)`` actions; `BAD_POLICY` when a
        playout policy took an action that is not there.
    """
    players = len(work.values)
    everyone = players
    observer = numbers.observer
    variables = worlds.classes.shape[1]
    action_space = len(work.history) // players
    everybody = numbers.information != OBSERVER and (
        numbers.information != KEY or numbers.follow_depth > 0
    )
    # A bit for each player who is not in the tree: those who are not searched never are.
    all_out = (np.int64(1) << players) - 1
    never_in = np.int64(0)
    seldom_in = np.int64(0)
    for i in range(players):
        if numbers.searched[i] <= 0.0:
            never_in |= np.int64(1) << i
        elif numbers.searched[i] < 1.0:
            seldom_in |= np.int64(1) << i
    # Who backs up the best, or has several roots, looks everything up.
    keeps = numbers.best == 0 and numbers.roots == 1
    work.counters[RENEWED] = ALL
    state = worlds.state[0]
    surely = np.int64(0)
    while work.counters[SIMULATIONS] < wanted:
        if surely == 0:
            surely = room(tree, len(work.played), len(work.actions), players, most_nodes)
            if surely <= 0:
                return NO_ROOM
        following = numbers.follow_depth > 0
        if following and lacks_rows(knowledge, numbers.follow_depth):
            if len(knowledge.keys) < MOST_ROWS:
                return FEW_ROWS
            following = False  # counting some of what comes would make gains look larger
        surely -= 1
        world = np.uint64(work.counters[NEXT_WORLD])
        next_world = work.counters[NEXT_WORLD] + 1
        work.counters[NEXT_WORLD] = next_world if next_world < len(worlds.states) else 0
        work.counters[SIMULATIONS] += 1
        worlds.state[0] = worlds.states[world]
        if numbers.information != OBSERVER:
            known = worlds.keys[world, observer]
        else:
            known = worlds.keys[0, observer]
        if everybody:
            for i in range(players + 1):
                work.keys[i] = worlds.keys[world, i]
        values = worlds.classes[world]
        knowledge.used[HANDED] = ABSENT
        first_row = np.int64(ABSENT)
        first_choice = np.int64(ALL)
        depth = 0
        ply = 0
        decisions = 0
        watched = 0
        leaves_off = False  # whether the observer decides where nobody follows what they do
        # The rows of what the observer knows, which is the first one at the root, and does.
        here = np.int64(0) if following else np.int64(ABSENT)
        followed = np.int64(ABSENT)
        last = np.int64(ABSENT)  # the node at which the tree was left
        out = never_in
        if seldom_in != 0:
            for i in range(players):
                if (seldom_in >> i) & 1 != 0 and uniform(random) >= numbers.searched[i]:
                    out |= np.int64(1) << i
        root = np.int64(world % np.uint64(numbers.roots)) if numbers.roots > 1 else np.int64(0)
        while state.player != OVER and ply < numbers.horizon:
            if ply >= len(work.played):
                return TOO_DEEP
            mover = np.int64(state.player)
            place = np.uint64(mover)
            if followed != ABSENT and (numbers.learners >> mover) & 1 != 0:
                here = arrive(knowledge, followed, known, values, numbers.gain_discount)
                if numbers.asks != 0:
                    keep_state(knowledge, here, state, work.watched, watched)
                leaves_off = here != ABSENT and decisions < numbers.follow_depth
                followed = np.int64(ABSENT)
            if ply == 0:
                legal = len(numbers.root_actions)
                for i in range(legal):
                    work.actions[i] = numbers.root_actions[i]
            else:
                legal = legal_actions(state, tables, work.actions)
            choice = np.int64(-1)
            new = np.int64(ABSENT)
            if (out >> mover) & 1 == 0:
                leaves = all_out if numbers.each_leaves == 0 else np.int64(1) << mover
                node = root  # it is not there yet in the first simulation of a single root
                if ply > 0 or tree.used[NODES] == 0:
                    if numbers.information == OBSERVER:
                        key = known
                    elif numbers.information == PLAYERS:
                        key = work.keys[mover]
                    elif numbers.information == EVERYTHING:
                        key = work.keys[everyone]
                    else:
                        key = mix(np.uint64(0), own_key(state, mover, tables))
                    # What is known says who moves, but two players can know the same. The root is a
                    # node of its own: there may be fewer actions to choose from.
                    key = mix(key, HIDDEN) if ply == 0 else key ^ np.uint64(mover)
                    parent = np.int64(work.path_edges[depth - 1]) if depth > 0 else np.int64(ABSENT)
                    node = find_or_add(tree, key, mover, parent, most_nodes)
                if node == ABSENT:
                    out |= leaves
                elif tree.visits[np.uint64(node)] == 0 and depth > 0:
                    tree.visits[np.uint64(node)] = 1  # a leaf; else it gets edges when next met
                    out |= leaves
                    last = node
                    new = node if numbers.counts_first != 0 else new
                else:
                    tree.visits[np.uint64(node)] += 1
                    # A selection in place asks for no prior.
                    if numbers.bias == PRIOR and numbers.in_place == 0:
                        prior(state, work.actions, np.int64(legal), tables, work.bias)
                    choice = _select(
                        select,
                        tree,
                        node,
                        legal,
                        action_space,
                        numbers,
                        work,
                        knowledge,
                        known,
                        variables,
                        keeps and ply == 0,
                        random,
                    )
                    if choice < 0:
                        out |= leaves
                        last = node
                    else:
                        work.path_edges[np.uint64(depth)] = work.edges[np.uint64(choice)]
                        work.path_players[np.uint64(depth)] = place
                        work.path_plies[np.uint64(depth)] = ply
                        work.path_nodes[np.uint64(depth)] = node
                        work.path_rows[np.uint64(depth)] = ABSENT
                        depth += 1
                        if (
                            following
                            and (numbers.learners >> mover) & 1 != 0
                            and decisions < numbers.follow_depth
                            and here != ABSENT
                        ):
                            work.path_rows[np.uint64(depth - 1)] = here
                            decisions += 1
                            leaves_off = False
                            watched = 0
                            chosen = work.actions[choice]
                            code = action_key(known, chosen)
                            telling = numbers.telling[chosen]
                            followed = take(knowledge, here, code, values, telling)
                            if ply == 0:
                                first_row = followed
                            if followed != ABSENT and ply == 0:
                                exact = numbers.root_gain[choice]
                                if not np.isnan(exact):
                                    knowledge.exact[followed] = exact
            if choice < 0:
                if numbers.epsilon[place] > 0.0 and uniform(random) < numbers.epsilon[place]:
                    choice = np.int64(below(random, legal))
                else:
                    choice = np.int64(policy(state, work.actions, legal, tables, random))
                    if choice < 0 or choice >= legal:
                        return BAD_POLICY
                if new != ABSENT and find_edges(
                    tree, new, work.actions, legal, work.edges, work.missing
                ):
                    for i in range(legal):
                        tree.available[work.edges[i]] += 1
                    work.path_edges[np.uint64(depth)] = work.edges[np.uint64(choice)]
                    work.path_players[np.uint64(depth)] = place
                    work.path_plies[np.uint64(depth)] = ply
                    work.path_nodes[np.uint64(depth)] = new
                    work.path_rows[np.uint64(depth)] = ABSENT
                    last = np.int64(ABSENT)
                    depth += 1
            if ply == 0:
                first_choice = choice
            action = np.int64(work.actions[np.uint64(choice)])
            work.played[np.uint64(ply)] = mover * action_space + action
            ply += 1
            apply(state, action, tables, random)
            if state.player == OVER and followed == ABSENT:
                break  # nobody will ask what was seen
            if out != all_out and everybody:
                for viewer in range(players):
                    seen = observe(state, action, mover, viewer, tables)
                    if seen != HIDDEN:
                        work.keys[viewer] = mix(work.keys[viewer], seen)
                        work.keys[everyone] = mix(work.keys[everyone], seen)
                    if viewer == observer and followed != ABSENT:
                        watched = _watch(work, watched, mover, seen, action, observer)
                known = work.keys[observer]
            elif followed != ABSENT or (out != all_out and numbers.information == OBSERVER):
                seen = observe(state, action, mover, observer, tables)
                if seen != HIDDEN:
                    known = mix(known, seen)
                if followed != ABSENT:
                    watched = _watch(work, watched, mover, seen, action, observer)
        if followed != ABSENT:
            here = arrive(knowledge, followed, known, values, numbers.gain_discount)
            if numbers.asks != 0:
                keep_state(knowledge, here, state, work.watched, watched)
        elif leaves_off:
            leave(knowledge, here, numbers.gain_discount)
        # Two ways can lead to the same knowledge: then another action's row may have changed.
        handed = knowledge.used[HANDED]
        own = first_row != ABSENT and (handed in (ABSENT, first_row))
        changed = first_choice if own else np.int64(ALL)
        if work.counters[RENEWED] == NONE:
            work.counters[RENEWED] = changed
        elif work.counters[RENEWED] != changed:
            work.counters[RENEWED] = ALL
        work.counters[PLIES] += ply
        if state.player == OVER:
            own_returns(state, tables, work.values)
        else:
            for player in range(players):
                # Nobody asks for the credit of those who are not searched, but who shares it.
                if numbers.searched[player] != 0 or numbers.for_himself == 0:
                    work.values[player] = evaluate(state, player, tables)
        _back_up(tree, numbers, work, root, depth, ply, values)
        if numbers.best != 0 and depth > 0:
            _back_up_best(tree, numbers, work, knowledge, depth, last, variables)
    return DONE


@kernel(allocates=False, inline="late", inner=True)
def _watch(work: Work, count: int, mover: int, seen: int, action: int, observer: int) -> int:
    """Write down what the observer saw; how many moves that makes.

    As a play does: a move of which they noticed nothing leaves no trace, but for their own.
    """
    if seen == HIDDEN and mover != observer:
        return count
    work.watched[count, 0] = mover
    work.watched[count, 1] = seen
    work.watched[count, 2] = action if mover == observer else HIDDEN
    return count + 1


@kernel(allocates=False, inline="late", inner=True)
def _back_up(
    tree: Tree, numbers: Numbers, work: Work, root: int, depth: int, plies: int, values: Any
) -> None:
    """Credit every edge of the path with what its player got out of the game."""
    players = len(work.values)
    if numbers.for_himself != 0:
        for player in range(players):
            work.mapped[player] = (work.values[player] - numbers.lowest) * numbers.scale
    elif numbers.discount == 1.0:
        _map(numbers, work, 1.0)
    for i in range(depth):
        step = np.uint64(i)
        if numbers.discount != 1.0:
            _map(numbers, work, numbers.discount ** float(plies - work.path_plies[step]))
        edge = work.path_edges[step]
        got = work.mapped[work.path_players[step]]
        tree.edge_visits[edge] += 1
        tree.values[edge] += got
        tree.squares[edge] += got * got
    if depth > 0 and len(work.root_visits) > 0:
        place = work.path_edges[0] - np.uint64(tree.blocks[np.uint64(root)])
        if place < np.uint64(len(work.root_visits)):
            if numbers.discount != 1.0:
                _map(numbers, work, numbers.discount ** float(plies))
            for variable in range(len(values)):
                work.root_visits[place, values[variable]] += 1.0
                work.root_values[place, values[variable]] += work.mapped[work.path_players[0]]
    if numbers.bias == HISTORY:
        if numbers.discount != 1.0:
            _map(numbers, work, 1.0)
        action_space = len(work.history) // players
        for ply in range(plies):
            row = work.played[ply]
            work.history[row, 0] += 1.0
            work.history[row, 1] += work.mapped[row // action_space]


@kernel(allocates=False, inline="late", inner=True)
def _back_up_best(
    tree: Tree,
    numbers: Numbers,
    work: Work,
    knowledge: Knowledge,
    depth: int,
    last: int,
    variables: int,
) -> None:
    """Let every node of the path bring to the edge before it what its best action brings.

    Args:
        tree, numbers, work, knowledge: See `simulate`; the path is that of the one player.
        depth: Edges on the path.
        last: The node at which the tree was left, or -1.
        variables: Variables that are asked about.
    """
    deepest = work.path_edges[np.uint64(depth - 1)]
    got = work.mapped[work.path_players[np.uint64(depth - 1)]]
    tree.best[deepest] += got
    if last != ABSENT:
        tree.held[last] += got
    for i in range(depth - 1, 0, -1):
        node, row = work.path_nodes[i], work.path_rows[i]
        best = _best_edge(tree, node, numbers, knowledge, row, variables)
        brings = tree.visits[node] * (tree.best[best] / tree.edge_visits[best])
        tree.best[work.path_edges[i - 1]] += brings - tree.held[node]
        tree.held[node] = brings
        if row != ABSENT:
            action = np.int64(tree.actions[best])
            bring(knowledge, row, action, variables, numbers.gain_discount)


@kernel(allocates=False, inline="late", inner=True)
def _best_edge(
    tree: Tree, node: int, numbers: Numbers, knowledge: Knowledge, row: int, variables: int
) -> int:
    """The edge of a node that brings most, with what is learned from it on.

    Only those count that were taken at least half as often as the one that was taken most often:
    the largest of many averages would else be one that was lucky (Coulom 2006, "Efficient
    selectivity and backup operators in Monte-Carlo tree search").

    Args:
        tree, node, numbers, knowledge: See `simulate`.
        row: What is known at the node, as a row of knowledge or -1.
        variables: Variables that are asked about.
    """
    most = np.int64(0)
    block = np.int64(tree.blocks[node])
    while block != ABSENT:
        for edge in range(block, block + tree.block_count[block]):
            most = max(most, np.int64(tree.edge_visits[edge]))
        block = np.int64(tree.block_next[block])
    best = np.int64(tree.blocks[node])
    highest = -np.inf
    block = best
    while block != ABSENT:
        for edge in range(block, block + tree.block_count[block]):
            visits = np.int64(tree.edge_visits[edge])
            if visits == 0 or 2 * visits < most:
                continue
            score = tree.best[edge] / visits
            if row != ABSENT:
                taken = row_of(knowledge, action_key(knowledge.keys[row], tree.actions[edge]))
                if taken != ABSENT:
                    bits = gain_on(knowledge, taken, variables)
                    if bits != UNKNOWN:
                        score += numbers.gain_weight * bits
            if score > highest:
                highest = score
                best = np.int64(edge)
        block = np.int64(tree.block_next[block])
    return best


@kernel(allocates=False, inline="late", inner=True)
def _map(numbers: Numbers, work: Work, factor: float) -> None:
    """Write every player's credit, from returns times ``factor``."""
    players = len(work.values)
    for player in range(players):
        work.mapped[player] = 0.0
    for other in range(players):
        part = (factor * work.values[other] - numbers.lowest) * numbers.scale
        for player in range(players):
            work.mapped[player] += numbers.credits[player, other] * part
