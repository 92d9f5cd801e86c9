"""A game of your own in one file: liar's dice for two, with two dice each.

Both roll unseen. In turn, each says that there are at least so many dice with some face, more
than was said before (a higher number, or the same number of a higher face), or calls the other a
liar: then all dice are shown, and who was right wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import sleuth.planners as planners
from sleuth.beliefs import Choice, Feature, Model, Posterior, infer, together
from sleuth.beliefs.playing import CachedBelief
from sleuth.models.game import HIDDEN, OVER, Game
from sleuth.models.kernel import kernel
from sleuth.models.play import SeenPlay, View
from sleuth.models.randomness import below

LIAR = 24  # codes 0 to 23 are bids: 6 * (number of dice - 1) + face, with faces from 0
SHOWN = LIAR + 1  # at the end all see the action, and this times 1 + the dice as one number

# Dice 0 and 1 are the first player's, 2 and 3 the second's.
STATE = np.dtype(
    [("player", np.int32), ("dice", np.int32, (4,)), ("bid", np.int32), ("winner", np.int32)]
)


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for die in range(4):
        state.dice[die] = below(random, 6)
    state.bid = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for action in range(state.bid + 1, LIAR):
        actions[count] = action
        count += 1
    if state.bid >= 0:
        actions[count] = LIAR
        count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover = state.player
    state.player = 1 - mover
    if action < LIAR:
        state.bid = action
        return
    count = 0
    for die in range(4):
        count += state.dice[die] == state.bid % 6
    state.winner = 1 - mover if count > state.bid // 6 else mover
    state.player = OVER


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if state.player != OVER:
        return action
    a, b, c, d = state.dice[0], state.dice[1], state.dice[2], state.dice[3]
    return action + SHOWN * (1 + a + 6 * b + 36 * c + 216 * d)


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[state.winner] = 1
    values[1 - state.winner] = -1


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for die in range(4):
        if die // 2 != viewer and state.player != OVER:
            state.dice[die] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    for die in range(4):
        state.dice[die] = world[die]


def action_name(action: int) -> str:
    return "liar!" if action == LIAR else f"{action // 6 + 1} x {action % 6 + 1}"


LIARS_DICE = Game(
    name="liars_dice", version=1, roles=("first", "second"), state=STATE, action_space=25,
    max_actions=24, max_depth=25, lowest=-1, highest=1, start=start, legal=legal, apply=apply,
    observe=observe, returns=returns, mask=mask, fill=fill, action_name=action_name,
)  # fmt: skip

DICE = [Choice(name, range(6)) for name in ("first 1", "first 2", "second 1", "second 2")]
HANDS = [together(*(die.value() for die in DICE[place : place + 2])) for place in (0, 2)]
# What a viewer knows: who he is, his dice, and who of the others bid which face, each once.
Known = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]


class LiarsDiceBelief(CachedBelief[Known]):
    """Four dice; who has a face is likelier to bid it."""

    bluff = 0.4  # how often a face is bid by who has none, against 1 by who has one

    def known(self, view: View, seen: SeenPlay) -> Known:
        own = view.states[0].dice.tolist()[2 * view.viewer :][:2] if view.viewer >= 0 else ()
        bids = [(each.event.mover, each.event.observation) for each in seen.events]
        faces = {(who, bid % 6): None for who, bid in bids if bid < LIAR and who != view.viewer}
        return view.viewer, tuple(own), tuple(faces)

    def posterior(self, known: Known) -> Posterior:
        viewer, dice, bids = known
        given = [HANDS[viewer].equals(dice).observed(because="my dice")] if dice else []
        for who, face in bids:
            weights = {hand: 1.0 if face in hand else self.bluff for hand in HANDS[who].values}
            given.append(HANDS[who].weigh(weights, because=f"a bid of {face + 1}s"))
        return infer(Model(*DICE), given)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {f"dice of {who}": HANDS[who] for who in range(2) if who != view.viewer}


def searching(kind: type[planners.SearchAgent]) -> Any:
    search, belief = planners.Search(LIARS_DICE), LiarsDiceBelief()
    budget = planners.Budget(simulations=500)
    return lambda game: lambda seed: kind(search=search, belief=belief, budget=budget, seed=seed)


def main() -> None:
    report = planners.check_game(LIARS_DICE, LiarsDiceBelief())
    print(f"{report.game}: {len(report.checks)} checks in {report.plays} games")
    mine = planners.OwnAgent("belief", searching(planners.SearchAgent))
    uniform = planners.OwnAgent("uniform", searching(planners.DeterminizationAgent))
    for other in ("random", uniform):
        match = planners.play_match(LIARS_DICE, [mine, other], games=200)
        (low, high), rate = match.intervals[0], match.win_rates[0]
        print(f"belief against {match.agents[1]}: {rate:.0%} ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
