"""Kernels that follow what a viewer has seen, with all games from the deal on that fit so far.

Each game that fits goes on with every action that the viewer may have seen there. As long as there
is room for all of them they are all that there are. Where there is none, some stay, and stand for
the others: the heavy ones as they are, of the others each as likely as it weighs, and then all of
these weigh the same (Fearnhead and Clifford 2003, "On-line inference for hidden Markov models via
particle filters", section 3.2). No game is there twice, and sums of weights are right on average.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...models.game import HIDDEN, OVER, Game
from ...models.kernels.growing_arrays import with_room, with_room_for_floats
from ...models.kernels.kernel import kernel
from ...models.kernels.randomness import uniform
from ...models.state_fields import words_of

#: What stands after the last action of a shorter game.
NO_MORE: Final = -1


class HistoryRules(NamedTuple):
    """The kernels of a game that are called; see `Game`."""

    legal: Any
    apply: Any
    observe: Any
    mask: Any


class FollowedGames(NamedTuple):
    """Games that are followed side by side. R is how many there is room for, D the most actions.

    Attributes:
        states, following: Record arrays [R], the games as they are now, and after one action more.
        words, following_words: int32[R, W], the same memory as whole numbers.
        scratch: A record array [1]; ``scratch_words`` is the same memory, int32[W].
        actions: int32[M], for what is legal.
        weights: float64[R], how likely the game is, choices of players apart.
        seen: int64[R], how many of the events have happened.
        parents, codes: int32[D + 1, R], after each ply which game of the ply before it came from,
            and by which action; of a deal its number.
    """

    states: Any
    following: Any
    words: NDArray[np.int32]
    following_words: NDArray[np.int32]
    scratch: Any
    scratch_words: NDArray[np.int32]
    actions: NDArray[np.int32]
    weights: NDArray[np.float64]
    seen: NDArray[np.int64]
    parents: NDArray[np.int32]
    codes: NDArray[np.int32]


class Found(NamedTuple):
    """The games that are drawn in the end. N of them, E events.

    Attributes:
        starts: int64[N], the numbers of their deals.
        actions: int64[N, D], their actions; after the last one `NO_MORE`.
        lengths: int64[N], how many actions they have.
        ways: float64[E + 1], the weight of all games that fit after so many events.
        cut: int64[1], how often there was no room for all.
    """

    starts: NDArray[np.int64]
    actions: NDArray[np.int64]
    lengths: NDArray[np.int64]
    ways: NDArray[np.float64]
    cut: NDArray[np.int64]


def population_of(game: Game, room: int) -> FollowedGames:
    """Arrays for so many games."""
    states, following, scratch = game.states(room), game.states(room), game.states(1)
    return FollowedGames(
        states=states,
        following=following,
        words=words_of(states),
        following_words=words_of(following),
        scratch=scratch,
        scratch_words=words_of(scratch)[0],
        actions=np.zeros(game.max_actions, np.int32),
        weights=np.zeros(room),
        seen=np.zeros(room, np.int64),
        parents=np.empty((game.max_depth + 1, room), np.int32),
        codes=np.empty((game.max_depth + 1, room), np.int32),
    )


def nothing_found(game: Game, count: int, events: int) -> Found:
    """Arrays for what is drawn."""
    return Found(
        starts=np.zeros(count, np.int64),
        actions=np.full((count, game.max_depth), NO_MORE, np.int64),
        lengths=np.zeros(count, np.int64),
        ways=np.zeros(events + 1),
        cut=np.zeros(1, np.int64),
    )


@kernel
def follow(
    rules: HistoryRules,
    tables: Any,
    starts: Any,
    shares: Any,
    now: Any,
    events: Any,
    viewer: int,
    population: FollowedGames,
    found: Found,
    random: Any,
) -> int:
    """Draw games that a viewer may have seen; how many different ones they were drawn from.

    Args:
        rules: The game's kernels, which throw no dice.
        tables: The game's.
        starts: A record array [S], deals that look as the viewer's did; at most as many as there is
            room for.
        shares: float64[S], how likely they are.
        now: int32[W], what the viewer knows of the state of now.
        events: int64[E, 3], of what they noticed the mover, the observation, and their own action
            or ``HIDDEN``.
        viewer: Their number.
        population: Memory.
        found: What is written.
        random: A generator.
    """
    states, words = population.states, population.words
    following, following_words = population.following, population.following_words
    weights, seen = population.weights, population.seen
    scratch, scratch_words = population.scratch, population.scratch_words
    actions, width = population.actions, words.shape[1]
    room, plies, last = len(states), len(population.parents), len(events)
    count = np.int64(len(starts))
    for i in range(count):
        states[i] = starts[i]
        weights[i] = shares[i]
        seen[i] = 0
        population.parents[0, i] = i
        population.codes[0, i] = NO_MORE
        found.ways[0] += shares[i]
    # Games that are as the viewer knows them: where they stand, and what they weigh.
    ended = np.int64(0)
    end_plies = np.zeros(64, np.int64)
    end_places = np.zeros(64, np.int64)
    end_weights = np.zeros(64, np.float64)
    # Games with one action more.
    parents = np.zeros(64, np.int64)
    codes = np.zeros(64, np.int64)
    notices = np.zeros(64, np.int64)
    heavy = np.zeros(64, np.float64)
    for ply in range(plies):
        more = np.int64(0)
        for i in range(count):
            known, mover = seen[i], np.int64(states[i].player)
            if known == last:
                for j in range(width):
                    scratch_words[j] = words[i, j]
                rules.mask(scratch[0], viewer, tables)
                same = True
                for j in range(width):
                    if scratch_words[j] != now[j]:
                        same = False
                        break
                if same:
                    if ended == len(end_plies):
                        end_plies = with_room(end_plies, ended, 4 * ended)
                        end_places = with_room(end_places, ended, 4 * ended)
                        end_weights = with_room_for_floats(end_weights, ended, 4 * ended)
                    end_plies[ended] = ply
                    end_places[ended] = i
                    end_weights[ended] = weights[i]
                    ended += 1
            if mover == OVER or ply == plies - 1:
                continue
            expected = known < last and mover == events[known, 0]
            own = np.int64(events[known, 2]) if expected else np.int64(HIDDEN)
            if mover == viewer and not expected:
                continue
            legal = np.int64(rules.legal(states[i], tables, actions))
            if more + legal > len(parents):
                larger = 2 * (more + legal)
                parents = with_room(parents, more, larger)
                codes = with_room(codes, more, larger)
                notices = with_room(notices, more, larger)
                heavy = with_room_for_floats(heavy, more, larger)
            for j in range(legal):
                action = np.int64(actions[j])
                if own != HIDDEN and own != action:
                    continue
                for k in range(width):
                    scratch_words[k] = words[i, k]
                rules.apply(scratch[0], action, tables, random)
                saw = np.int64(rules.observe(scratch[0], action, mover, viewer, tables))
                noticed = np.int64(0)
                if mover == viewer or saw != HIDDEN:
                    if not expected or saw != events[known, 1]:
                        continue
                    noticed = np.int64(1)
                parents[more] = i
                codes[more] = action
                notices[more] = noticed
                heavy[more] = weights[i]
                if noticed == 1:
                    found.ways[known + 1] += weights[i]
                more += 1
        if more == 0:
            break
        if more > room:
            found.cut[0] += 1
            more = keep_some(parents, codes, notices, heavy, more, room, random)
        for i in range(more):
            parent = parents[i]
            for j in range(width):
                following_words[i, j] = words[parent, j]
            rules.apply(following[i], codes[i], tables, random)
            population.parents[ply + 1, i] = parent
            population.codes[ply + 1, i] = codes[i]
            notices[i] += seen[parent]
        for i in range(more):
            weights[i] = heavy[i]
            seen[i] = notices[i]
        states, following = following, states
        words, following_words = following_words, words
        count = more
    if ended > 0:
        draw(population, found, end_plies, end_places, end_weights, ended, random)
    return ended


@kernel(allocates=False)
def keep_some(
    parents: Any, codes: Any, notices: Any, weights: Any, count: int, room: int, random: Any
) -> int:
    """Keep of so many games as many as there is room for, in the front; how many.

    The heaviest keep their weight. The others all get one weight, and each stays with the
    probability that leaves its weight as it was on average.
    """
    total = 0.0
    for i in range(count):
        total += weights[i]
    one, kept = total / room, np.int64(0)
    while True:
        light, heavier = 0.0, np.int64(0)
        for i in range(count):
            if weights[i] >= one:
                heavier += 1
            else:
                light += weights[i]
        if heavier == kept or heavier >= room:
            break
        kept, one = heavier, light / (room - heavier)
    wanted, summed = uniform(random) * one, 0.0
    kept = np.int64(0)
    for i in range(count):
        weight = weights[i]
        if weight < one:
            summed += weight
            if summed <= wanted:
                continue
            wanted += one
            weight = one
        if kept == room:
            break
        parents[kept] = parents[i]
        codes[kept] = codes[i]
        notices[kept] = notices[i]
        weights[kept] = weight
        kept += 1
    return kept


@kernel(allocates=False)
def draw(
    population: FollowedGames,
    found: Found,
    plies: Any,
    places: Any,
    weights: Any,
    count: int,
    random: Any,
) -> None:
    """Draw games by their weights, evenly spread, and write what was done in them."""
    total = 0.0
    for i in range(count):
        total += weights[i]
    step = total / len(found.starts)
    wanted, summed, place = uniform(random) * step, weights[0], np.int64(0)
    for i in range(len(found.starts)):
        while summed <= wanted and place < count - 1:
            place += 1
            summed += weights[place]
        wanted += step
        at, length = np.int64(places[place]), np.int64(plies[place])
        found.lengths[i] = length
        for ply in range(length, 0, -1):
            found.actions[i, ply - 1] = population.codes[ply, at]
            at = np.int64(population.parents[ply, at])
        found.starts[i] = population.parents[0, at]
