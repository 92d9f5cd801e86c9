"""Kinds of players of Saboteur: each of the programs, and one who does anything.

For each kind of player it was counted in recorded rounds how often a miner, and a saboteur, does
what. An action is then evidence on the roles of its player, of the one whom it is about, and on the
kind of its player; words after a map on roles, on where the gold is, and on the kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from ....data.files import resource
from ...arrays.layout import Floats
from ...kinds import NONE, Kinds
from .likelihoods import GoalClaim, Sign, Weight

#: Exponent of what an action says: the actions of a player in a round tell much the same.
TRUST: Final = 0.6


class Habits(NamedTuple):
    """The habits of players of one kind.

    Attributes:
        actions: By an action, see `action_key`: how often an action of a player is this one, by
            their role; shape (2,). Of one that is about another player: how often it is this one
            about a certain player, by their role and the other's; shape (2, 2).
        words: How often words are so, by the speaker's role, by whether the goal is the gold, and
            by whether they are true; shape (2, 2, 2).
    """

    actions: Mapping[str, Floats]
    words: Floats


def action_key(sign: Sign) -> str:
    """The count an action goes to: its first sign, and what kind of card was played."""
    kind = int(sign.about[0]) if sign.about else -1
    return f"{sign.row}.{int(sign.double)}.{kind}"


@dataclass(frozen=True, eq=False)
class KindsModel:
    """Kinds of players, and what those of each kind do.

    As an `ActionModel` it says what is done by a player whose kind is not asked for: one drawn by
    how common the kinds are.

    Attributes:
        kinds: How common each kind is.
        habits: Of each kind, `NONE` among them.
        trust: Exponent of all likelihoods.
    """

    kinds: Kinds
    habits: Mapping[str, Habits]
    trust: float = TRUST
    _kept: dict[Any, Floats] = field(default_factory=dict[Any, Floats])

    def by_kind(self, said: Sign | GoalClaim) -> Weight:
        """The weight of an action or words, with one more axis: the player's kind, the last."""
        if isinstance(said, GoalClaim):
            key, players = (said.gold,), (said.player,)
        else:
            if not said.about:
                return Weight((said.player,), np.zeros((2, len(self.kinds.names))))
            players = (said.player, said.other)[: 1 + (said.other >= 0)]
            key = action_key(said), len(players)
        if key not in self._kept:
            table = {name: self._rates(each, said) for name, each in self.habits.items()}
            random = table.pop(NONE)
            chances = self.kinds.chances(table, at_random=random)
            self._kept[key] = self.trust * np.log(np.moveaxis(chances, 0, -1))
        found = self._kept[key]
        return Weight(players, found[:, said.truth] if isinstance(said, GoalClaim) else found)

    def _rates(self, habits: Habits, said: Sign | GoalClaim) -> Floats:
        if isinstance(said, GoalClaim):
            # Words that are true are of the gold where it is there, and false ones where it is not.
            return np.stack(
                [habits.words[:, 1 - int(said.gold), 0], habits.words[:, int(said.gold), 1]], axis=1
            )
        shape = (2, 2) if said.other >= 0 else (2,)
        return habits.actions.get(action_key(said), np.ones(shape)).reshape(shape)

    def _of_anybody(self, weight: Weight) -> Weight:
        mean = np.exp(weight.logs) @ np.array(self.kinds.prior)
        return Weight(weight.players, np.log(mean))

    def of_action(self, sign: Sign) -> Weight:
        """By the assumed roles of its player, and of the other one."""
        return self._of_anybody(self.by_kind(sign))

    def of_words(
        self, claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
    ) -> list[Weight]:
        """For each claim, by the assumed role of the speaker and by where the gold is."""
        return [self._of_anybody(self.by_kind(claim)) for claim in claims]


@cache
def shipped_kinds() -> KindsModel:
    """The kinds that come with sleuth; `benchmarks/saboteur/kinds.py` made them."""
    found = json.loads(resource("saboteur", "kinds.json").read_text("utf-8"))["kinds"]
    habits = {
        name: Habits(
            {key: np.array(rates) for key, rates in each["actions"].items()},
            np.array(each["words"]),
        )
        for name, each in found.items()
    }
    return KindsModel(Kinds([name for name in habits if name != NONE]), habits)
