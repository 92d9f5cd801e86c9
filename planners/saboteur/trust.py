"""The agent of a public program: heuristics of one ply, and one number of trust in each player.

A re-implementation of the player of N. Logan and N. Felim (github.com/nickylogan/saboteur, 2016 to
2020), which is for a board of 9 x 5 cells. It knows nothing of words, and says none.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...beliefs.games.saboteur.events import RoundReader
from ...models.game import HIDDEN, Game, legal_actions
from ...models.play import SeenPlay, View
from ...models.saboteur.reach import changes
from ...models.saboteur.signs import Parts, follow
from ...models.saboteur.state import (
    BREAK,
    DIG,
    DISCARD,
    GOALS,
    GOLD,
    LOOK,
    MAP,
    PATHS,
    REPAIR,
    REPAIRS,
    ROCKFALL,
    SABOTEUR,
    SAY,
    SAY_NOTHING,
    card_of,
    target_of,
)
from ...models.saboteur.words import hand_of
from ..agents import Maker

# The numbers of the program.
TRUST: Final = 2.5
BLOCKING: Final = 2.6
FREEING: Final = 0.5
#: Of a difference of the mine, as the worth of a card.
MINE: Final = 50.0
NO_PLACE: Final = 0.25
NEW_GOAL: Final = 4.5
OLD_GOAL: Final = -4.5
BLOCK: Final = 0.4
REPAIRING: Final = 0.4
#: Repairing becomes worth so much more with every action of another player.
URGENT: Final = 0.01
#: The most that trust changes by: a mine that was cut off from everything may be joined again.
MOST: Final = 100.0
#: Cards that are worth less are not played.
LEAST: Final = -0.5


class TrustAgent(RoundReader):
    """One player of a game.

    Attributes:
        seed: Chooses among what is worth the same.
        name: What the agent is called in results.
    """

    def __init__(self, game: Game, seed: int = 0, name: str = "trust") -> None:
        super().__init__(game)
        self.seed = seed
        self.name = name

    def trust(self, view: View, seen: SeenPlay) -> dict[int, float]:
        """The trust in each player; in oneself only once somebody has done something to one."""
        self._view = view
        self._read(seen)
        return self._trust

    def _deal(self) -> None:
        super()._deal()
        self._trust = {other: TRUST for other in range(self.game.players) if other != self.viewer}
        self._others = 0

    def _learn(self, mover: int, parts: Parts, place: int) -> None:
        view, code = self._view, parts.code
        before, tables = self._states.copy(), self.game.tables
        follow(self._states[0], mover, code, parts.goals, tables)
        if mover == view.viewer or code >= SAY:
            return
        self._others += 1
        if code < DISCARD or DIG <= code < LOOK:
            before[0].goals[:] = self._states[0].goals
            change = np.zeros(1)
            saboteur = bool(view.states[0].roles[view.viewer] == SABOTEUR)
            changes(before[0], np.array([code]), 1, saboteur, tables, change)
            self._trust[mover] += float(np.clip(change[0], -MOST, MOST))
        elif BREAK <= code < DIG:
            target = target_of(code)
            rng = np.random.default_rng((self.seed, place))
            blocks = code < REPAIR
            step = BLOCKING if blocks else FREEING
            if target in self.nearest(view, rng, friends=True):
                sign = 1.0
            elif target in self.nearest(view, rng, friends=False):
                sign = -1.0
            else:
                return
            mine = -sign if blocks else sign
            self._trust[mover] += mine * step
            self._trust[target] = self._trust.get(target, 0.0) + sign * step

    def nearest(self, view: View, rng: np.random.Generator, *, friends: bool) -> set[int]:
        """As many of those who are trusted most as there are friends, or least as enemies."""
        saboteurs = int(self.game.tables.rules[0].saboteurs)
        own = saboteurs if view.states[0].roles[view.viewer] == SABOTEUR else 0
        own = own or self.game.players - saboteurs
        players = list(self._trust)
        rng.shuffle(players)
        players.sort(key=self._trust.__getitem__, reverse=friends)
        if not friends:
            return set(players[: self.game.players - own])
        return {*players[: own - 1], view.viewer}

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The card that is worth most; else the worst is thrown away."""
        state: Any = view.states[0]
        self.trust(view, seen)
        if state.saying > 0:
            return SAY_NOTHING
        rng = np.random.default_rng((self.seed, len(seen.events), 1))
        legal = set(view.legal().tolist())
        hand = hand_of(state, view.viewer)
        rng.shuffle(hand)
        mine = self._mine(view, rng)
        rows = [(*self._worth(view, kind, mine, rng), kind) for kind in hand]
        rows.sort(key=lambda row: row[0], reverse=True)
        for worth, action, _ in rows:
            if worth >= LEAST and action in legal:
                return action
        return DISCARD + rows[-1][2]

    def _mine(self, view: View, rng: np.random.Generator) -> dict[int, tuple[float, int]]:
        """The best that each kind of path card and a rock-fall can do, were no tool broken."""
        free: Any = view.states.copy()
        free[0].broken[view.viewer] = 0
        actions = legal_actions(self.game, free)
        actions = rng.permutation(
            actions[(actions < DISCARD) | ((actions >= DIG) & (actions < LOOK))]
        )
        found = np.zeros(len(actions))
        saboteur = bool(free[0].roles[view.viewer] == SABOTEUR)
        changes(free[0], actions, len(actions), saboteur, self.game.tables, found)
        best: dict[int, tuple[float, int]] = {}
        for action, change in zip(actions.tolist(), (MINE * found).tolist(), strict=True):
            kind = int(card_of(action))
            if kind not in best or change > best[kind][0] + 1e-6:
                best[kind] = change, action
        return best

    def _worth(
        self, view: View, kind: int, mine: dict[int, tuple[float, int]], rng: np.random.Generator
    ) -> tuple[float, int]:
        """The worth of a card, and what would be done with it; -1 for nothing."""
        state: Any = view.states[0]
        saboteur = bool(state.roles[view.viewer] == SABOTEUR)
        if kind < PATHS:
            return mine.get(kind, (NO_PLACE, -1))
        if kind == ROCKFALL:
            if not saboteur:
                return np.inf, -1  # kept for ever
            worth, action = mine.get(kind, (NO_PLACE, -1))
            return abs(worth), action
        if kind == MAP:
            goals = state.goals.tolist()
            hidden = [goal for goal in range(GOALS) if goals[goal] == HIDDEN]
            new = GOLD not in goals and len(hidden) > 1
            return (NEW_GOAL, LOOK + hidden[0]) if new else (OLD_GOAL, LOOK)
        freeing = kind >= REPAIRS
        urgent = REPAIRING + URGENT * self._others
        players = self.nearest(view, rng, friends=freeing)
        tools = int(self.game.tables.rules[0].mends[kind])
        legal = [code for code in view.legal().tolist() if BREAK <= code < DIG]
        mine_too = {int(target_of(code)): code for code in legal if card_of(code) == kind}
        counts = {
            player: (int(state.broken[player]) & tools).bit_count() * (1 + (player == view.viewer))
            if freeing
            else int(state.broken[player]).bit_count()
            for player in players
            if player in mine_too
        }
        if not counts:
            return (urgent if freeing else BLOCK) / 2, -1
        most = max(counts.values())
        target = rng.choice([player for player, count in counts.items() if count == most])
        if freeing:
            return urgent * (2.0 if most > 1 else 0.5), mine_too[int(target)]
        return BLOCK * (0.5 if most > 1 else 1.0), mine_too[int(target)]


def trusting(game: Game, settings: Any, text: str) -> Maker:
    """The maker of these agents."""
    return lambda seed: TrustAgent(game, seed, text)
