"""Frequencies of deeds of one kind of player in Saboteur, by role: counted in recorded rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.saboteur.events import Following
from ...beliefs.games.saboteur.kinds import action_key
from ...models.game import SPECTATOR
from ...models.saboteur.state import GOLD
from ..play_files import Played
from ..rows import outcomes_of

#: What is added to every count: what was never done may be.
MORE: Final = 0.5

Array = NDArray[np.float64]


class DeedCounts:
    """Counts of the deeds in some rounds.

    Attributes:
        alone: How often each action was done that is about nobody else, by the player's role.
        about: How often each was done that is about another player, by the roles of both.
        done: Actions, by the role of the player.
        others: For these, the number of other players, by both roles.
        words: Words, by the role of the speaker, whether the goal is the gold, and whether they are
            true.
    """

    def __init__(self) -> None:
        self.alone: dict[str, Array] = defaultdict(lambda: np.zeros(2))
        self.about: dict[str, Array] = defaultdict(lambda: np.zeros((2, 2)))
        self.done, self.others, self.words = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2, 2))

    def add(self, played: Iterable[Played]) -> None:
        """Count what was done in these rounds."""
        for one in played:
            following = Following(one.game)
            seen = one.record.replay(one.game).seen_by(SPECTATOR)
            for turn, outcome in enumerate(outcomes_of(one.record, one.game), start=1):
                steps = following.read(replace(seen, events=seen.events[:turn]))
                if not steps:
                    continue  # The end of a round shows all roles.
                step, state = steps[-1], outcome.before[0]
                roles: list[int] = state.roles.tolist()[: one.game.players]
                role = roles[step.mover]
                if step.claim is not None:
                    gold = int(np.argmax(state.goals == GOLD))
                    true = int(step.claim.truth[gold])
                    self.words[role, int(step.claim.goal == gold), true] += 1.0
                elif step.signs:
                    sign = step.signs[0]
                    self.done[role] += 1.0
                    for other, theirs in enumerate(roles):
                        self.others[role, theirs] += other != step.mover
                    if sign.other >= 0:
                        self.about[action_key(sign)][role, roles[sign.other]] += 1.0
                    else:
                        self.alone[action_key(sign)][role] += 1.0


def habits_of(counts: Mapping[str, DeedCounts]) -> dict[str, Any]:
    """For each kind how often its players do what, as plain values.

    An action that nobody of a kind has done is taken to be done half a time.
    """
    alone = sorted({key for each in counts.values() for key in each.alone})
    about = sorted({key for each in counts.values() for key in each.about})
    found: dict[str, Any] = {}
    for name, each in counts.items():
        done = each.done + MORE * (len(alone) + len(about))
        share = each.others / np.maximum(each.done[:, None], 1.0)
        actions = {key: (each.alone[key] + MORE) / done for key in alone}
        for key in about:
            # Rates are of one player, of those that there are of a role.
            actions[key] = (each.about[key] + MORE) / np.maximum(share * done[:, None], MORE)
        words = each.words + MORE
        found[name] = {
            "actions": {key: rate.round(6).tolist() for key, rate in actions.items()},
            "words": (words / words.sum(axis=2, keepdims=True)).round(4).tolist(),
        }
    return found
