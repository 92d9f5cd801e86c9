"""A game of your own in one file: liar's dice for two, with two dice each.

Both roll unseen. In turn, each says that there are at least so many dice with some face, more
than was said before (a higher number, or the same number of a higher face), or calls the other a
liar: then all dice are shown, and who was right wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

import sleuth
from sleuth import (
    HIDDEN,
    OVER,
    CachedBelief,
    Choice,
    Feature,
    Game,
    GameEntry,
    Model,
    Posterior,
    below,
    infer,
    kernel,
    together,
)
from sleuth.kit import Display, Outcome, RowMaker, SeenPlay, Sight, View
from sleuth.predictors import Predictor

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
    shown: int = 1 + a + 6 * b + 36 * c + 216 * d
    return action + SHOWN * shown


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
# What a viewer knows: who they are, their dice, and who of the others bid which face, each once.
Known = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]


class LiarsDiceBelief(CachedBelief[Known]):
    """Four dice; a player with a face is likelier to bid it."""

    bluff = 0.4  # how often a player without a face bids it, against 1 with it

    def indifferent(self) -> Self:
        other = type(self)()
        other.bluff = 1.0  # a bid by somebody who bids anything says nothing
        return other

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
        others = [who for who in range(2) if who != view.viewer and not view.over]
        return {f"dice of {LIARS_DICE.roles[who]}": HANDS[who] for who in others}


def described(bids: Sequence[int], own: Sequence[int]) -> tuple[float, ...]:
    """The last bid, as the other player sees it, who has these dice."""
    number, face = divmod(bids[-1], 6)
    earlier = [bid % 6 for bid in bids[:-1]]
    raised = bids[-1] - bids[-2] if earlier else bids[-1] + 1
    again, mine = earlier[-2::-2].count(face), earlier[-1::-2].count(face)
    return number + 1, own.count(face), len(bids), raised, again, mine


class LiarsDiceRows(RowMaker):
    """Of each bid: do the bidder's own dice cover it, and do they have the face at all?"""

    game = "liars_dice"
    title = "Liar's dice"
    things = "bids"
    features = ("dice bid", "own dice", "bids", "raised by", "bid before", "mine before")
    labels: ClassVar = {
        "covered": "the bidder's own dice cover the bid",
        "face": "the bidder has the face",
    }

    def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
        if view.over:  # somebody was called a liar, which is no bid
            return None
        bids = [each.event.observation for each in seen.events]
        return described(bids, view.states[0].dice.tolist()[2 * view.viewer :][:2])

    def label(self, outcome: Outcome) -> Mapping[str, bool | None]:
        number, face = divmod(outcome.action, 6)
        own = outcome.before[0].dice.tolist()[2 * outcome.mover :][:2]
        return {"covered": own.count(face) > number, "face": face in own}


class LearnedBelief(CachedBelief[tuple[int, tuple[int, ...], int, float]]):
    """Four dice, and what a predictor says of the other player's last bid."""

    def __init__(self, predictor: Predictor) -> None:
        super().__init__()
        self.predictor = predictor

    def known(self, view: View, seen: SeenPlay) -> tuple[int, tuple[int, ...], int, float]:
        mine = slice(2 * view.viewer, 2 * view.viewer + 2)
        own: list[int] = view.states[0].dice.tolist()[mine] if view.viewer >= 0 else []
        bids = [each.event.observation for each in seen.events if each.event.observation < LIAR]
        bids = bids[: len(bids) - (len(bids) + view.viewer) % 2]  # up to the other's last
        if not own or not bids:
            return view.viewer, tuple(own), LIAR, 0.5
        return view.viewer, tuple(own), bids[-1], float(self.predictor(described(bids, own))[0])

    def posterior(self, known: tuple[int, tuple[int, ...], int, float]) -> Posterior:
        viewer, dice, bid, chance = known
        given = [HANDS[viewer].equals(dice).observed(because="my dice")] if dice else []
        if bid == LIAR:
            return infer(Model(*DICE), given)
        number, face = divmod(bid, 6)
        covers = HANDS[1 - viewer].satisfies(lambda hand: hand.count(face) > number)
        said = f"how {action_name(bid)} was bid"
        return infer(Model(*DICE), [*given, covers.predicted(chance, because=said)])

    def hidden(self, view: View) -> Mapping[str, Feature]:
        others = [who for who in range(2) if who != view.viewer and not view.over]
        return {f"dice of {LIARS_DICE.roles[who]}": HANDS[who] for who in others}


class LiarsDiceWords(Display):
    """Bids, and the dice that are shown at the end, as people read them."""

    title = "Liar's dice"
    rules = (
        "Both players roll two dice unseen. Bid how many of all four dice have some face, more "
        "than was bid before, or call the other a liar: then all dice are shown, and the player "
        "who was right wins."
    )
    writing = "A move is a bid, such as '2 x 5' for two fives, or 'liar!'."

    def sentence(self, sight: Sight, place: int) -> str:
        event = sight.seen.events[place].event
        shown, action = divmod(event.observation, SHOWN)
        said = f"{self.name_of(event.mover, sight)}: {action_name(action)}"
        if not shown:
            return said
        faces = [(shown - 1) // 6**die % 6 + 1 for die in range(4)]
        return f"{said} The dice are {faces[0]} and {faces[1]} against {faces[2]} and {faces[3]}"

    def value_name(self, feature: Feature, value: tuple[int, ...]) -> str:
        return " and ".join(str(face + 1) for face in value)


GAME = GameEntry(
    "liars_dice", LIARS_DICE, LiarsDiceBelief, display=LiarsDiceWords, rows=LiarsDiceRows
)


Making = Callable[[sleuth.Game], Callable[[int], sleuth.SearchAgent]]


def searching(kind: type[sleuth.SearchAgent]) -> Making:
    search, belief = sleuth.Search(LIARS_DICE), LiarsDiceBelief()
    budget = sleuth.Budget(simulations=500)
    return lambda game: lambda seed: kind(search=search, belief=belief, budget=budget, seed=seed)


def main() -> None:
    report = sleuth.check_game(LIARS_DICE, LiarsDiceBelief())
    print(f"{report.game}: {len(report.checks)} checks in {report.plays} games")
    mine = sleuth.OwnAgent("belief", searching(sleuth.SearchAgent))
    uniform = sleuth.OwnAgent("uniform", searching(sleuth.agents.DeterminizationAgent))
    for other in ("random", uniform):
        match = sleuth.play_match(LIARS_DICE, [mine, other], games=200)
        (low, high), rate = match.intervals[0], match.win_rates[0]
        print(f"belief against {match.agents[1]}: {rate:.0%} ({low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
