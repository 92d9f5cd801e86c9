"""The agents of "Saboteurs" (Veldhuis, Jansen and Broers 2012): they believe, and play one card.

Every card that can be played is valued by `card_weights.csv`, by what it is and by whether its
player is a miner, or a saboteur who hides or does not. Beliefs enter by where they expect the gold,
whom they block and free, and when a saboteur stops to hide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from ...beliefs.arrays.layout import Floats
from ...beliefs.games.saboteur.events import Following, claims_of
from ...beliefs.games.saboteur.likelihoods import role_worlds
from ...beliefs.games.saboteur.minds import RoleMind, Scheme, gold_chances
from ...data.checks import number_within
from ...data.errors import SettingsError
from ...data.files import read_table
from ...models.game import HIDDEN, Game
from ...models.play import SeenPlay, View
from ...models.saboteur.state import GOALS, GOLD, MINER, SABOTEUR, SAY_GOLD, SAY_STONE
from ...models.saboteur.uses import BLOCK, FREE_OTHER, MAP_NEW, uses_of
from ..agents import Kind, Maker, NoSettings, SearchSettings, searchers
from .trust import trusting

#: The columns of the table of weights.
MINING: Final = 0
UNDERCOVER: Final = 1
EXPLICIT: Final = 2
#: Goals are dug for that are this near to the most likely one.
AS_LIKELY: Final = 0.9


@cache
def card_weights() -> Floats:
    """The worth of each use of a card to a miner, a hidden saboteur and an open one.

    Shape (uses, 3); the order of the rows is that of `models/saboteur/uses.py`.
    """
    return np.array(
        [
            [float(row[column]) for column in ("miner", "undercover", "explicit")]
            for row in read_table("saboteur", "card_weights.csv")
        ]
    )


@dataclass(eq=False)
class DwarfAgent:
    """One player of a game.

    Attributes:
        game: The game.
        scheme: How they believe.
        seed: Chooses among cards that are worth the same.
        name: What the agent is called in results.
    """

    game: Game
    scheme: Scheme
    seed: int = 0
    name: str = "dwarf"
    _mind: RoleMind | None = None
    _heard: tuple[int, int, int, int] = (-1, -1, -1, 0)

    def __post_init__(self) -> None:
        rules = self.game.tables.rules[0]
        players = int(rules.players)
        self._following = Following(self.game)
        self._roles = role_worlds(
            players, int(rules.saboteurs), spare=int(rules.role_cards) > players
        )

    def mind(self, view: View, seen: SeenPlay) -> RoleMind:
        """The agent's belief now."""
        steps = self._following.read(seen)
        role = int(view.states[0].roles[view.viewer])
        now = (self._following.round, view.viewer, role)
        if self._mind is None or self._heard[:3] != now:
            self._mind = RoleMind(self.scheme, self._roles, view.viewer, role)
            self._heard = (*now, 0)
        for step in steps[self._heard[3] :]:
            self._mind.take(step)
        self._heard = (*now, len(steps))
        return self._mind

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The card that is worth most; after a map, what to say."""
        state: Any = view.states[0]
        mind = self.mind(view, seen)
        if state.saying > 0:
            return _word(state, mind)
        actions = view.legal()
        suspicion = mind.suspicion()
        steps = self._following.steps
        goals = steps[-1].goals if steps else [HIDDEN] * GOALS
        chances = gold_chances(claims_of(steps), goals, suspicion, view.viewer)
        values = self._values(state, actions, chances, mind, suspicion)
        rng = np.random.default_rng((self.seed, len(seen.events)))
        return int(actions[(values + 1e-6 * rng.random(len(actions))).argmax()])

    def _values(
        self, state: Any, actions: Any, chances: Floats, mind: RoleMind, suspicion: Floats
    ) -> Floats:
        """The worth of each action."""
        likely = chances >= AS_LIKELY * chances.max()
        targets = sum(1 << goal for goal in range(GOALS) if likely[goal])
        uses = np.zeros((2, len(actions)), dtype=np.int32)
        uses_of(state, actions, len(actions), targets, self.game.tables, uses[0], uses[1])
        style = EXPLICIT if mind.explicit else UNDERCOVER if mind.role == SABOTEUR else MINING
        values = card_weights()[uses[0], style]
        # From -1 for a sure miner to 1 for a sure saboteur. Everybody blocks the other side, as
        # far as they know it, and a miner frees their own.
        doubt = 2.0 * suspicion[uses[1]] - 1.0
        values[uses[0] == BLOCK] *= (doubt if mind.role == MINER else -doubt)[uses[0] == BLOCK]
        if mind.role == MINER:
            values[uses[0] == FREE_OTHER] *= -doubt[uses[0] == FREE_OTHER]
        # A map is worth as much as is not known: all, where each goal is as likely.
        values[uses[0] == MAP_NEW] *= (1.0 - chances.max()) * GOALS / (GOALS - 1)
        return values


def _word(state: Any, mind: RoleMind) -> int:
    """The word that is said after a map.

    Miners tell the truth. Saboteurs lie when that helps them: in the open always, and else where
    nobody else has looked, who could contradict them.
    """
    goal = int(state.saying) - 1
    others = np.delete(state.looked[: mind.players], mind.viewer)
    helps = mind.explicit or not (others >> goal & 1).any()
    gold = bool(state.goals[goal] == GOLD)
    return SAY_GOLD if gold != (mind.role == SABOTEUR and helps) else SAY_STONE


def _dwarf(game: Game, scheme: Scheme, text: str) -> Maker:
    number_within(scheme.factor, "factor", above=True)
    number_within(scheme.step, "step", above=True)
    if scheme.relative and not scheme.threshold <= 0.0:
        raise SettingsError(
            "a threshold that counts from the best world is at most 0",
            value=scheme.threshold,
            hint="write threshold=-20, or relative=no",
        )
    return lambda seed: DwarfAgent(game, scheme, seed, text)


@dataclass(frozen=True, kw_only=True)
class SaboteurSettings(SearchSettings):
    """Options of the agents that search, in Saboteur.

    Attributes:
        predictor: The file of what was learned of players, or ``usual``, see `SaboteurBelief`.
    """

    predictor: str | None = None

    def of_belief(self) -> Mapping[str, Any]:
        """The facts the belief is told."""
        return {"predictor": self.predictor}


#: The agents that this game alone has, and those of any game with its options.
AGENTS: Final = {
    "dwarf": Kind("the agents of the paper on Saboteur", Scheme(), _dwarf),
    "trust": Kind("a public program for Saboteur, with a trust in each", NoSettings(), trusting),
    **searchers(SaboteurSettings),
}
