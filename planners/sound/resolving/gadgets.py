"""Subgames solved by themselves, so that the whole policy is not easier to exploit than before.

A policy for a subgame that is an equilibrium for the ranges at its root may be exploited: the
opponent would have come there otherwise if they had known. So the opponent gets a choice at the
root, of which the subgame knows nothing: a gadget. They may have what they could get there against
the policy so far instead of playing on. Let v(I) be that: the value of their best response at what
they know, I, where chance and the player whose policy is made bring each history about
(counterfactual best-response values).

``resolving``
    At every I the opponent takes v(I), or plays on (Burch, Johanson and Bowling 2014, "Solving
    imperfect information games using decomposition").
``max_margin``
    The opponent chooses I, and gets what they win there less v(I): so the player gives up least
    where they give up most (Moravcik, Schmid, Ha, Hladik and Gaukrodger 2016, "Refining subgames in
    large imperfect information games").

The first has many solutions, the old policy among them. So in a share p of the games the opponent
comes with the range that the policy so far gives them and has no choice, as in a restricted
response (Johanson, Zinkevich and Bowling 2007). Whatever the new policy then lets them win more at
some I is at most p / (1 - p) times what it takes from that range: the old policy would be better in
this game otherwise. With p = 0 it is the gadget alone, with p = 1 there is none, and nothing is
safe.

A best response to the policy with its new part wins no more than one to the old policy wherever it
wins no more at any I. Whether it does is worked out exactly. Where it does, because of p or of a
solver that is not near enough, the policy is mended: without actions that it hardly takes; or mixed
with one of greatest margins, which is safe since what the opponent can get is convex in the policy;
or else the old one is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ....data.checks import known_name, number_within
from ....data.errors import UnsupportedError
from ....models.game import OVER, Game
from ...small_games.equilibrium import equilibrium
from ...small_games.exploitability import Policy
from ...small_games.restricted import mean_policy
from ...small_games.written_tree import TreeNode
from .subgames import GamePart, Subgame

RESOLVING: Final = "resolving"
MAX_MARGIN: Final = "max_margin"
GADGETS: Final = (RESOLVING, MAX_MARGIN)
#: Of the games in which the opponent comes with their range, when nothing else is said.
SHARE: Final = 0.05
#: Of CFR+ in a subgame.
ITERATIONS: Final = 300
#: Of values, in the game's own units: more is no rounding.
_ROUNDING: Final = 1e-9
#: A probability that may come from the beginnings of a solver.
_HARDLY: Final = 0.005

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Resolution:
    """A player's policy for a subgame, and what the opponent can get against it.

    Attributes:
        player: Whose policy it is.
        policy: Information set's number in the subgame's tree -> probabilities of its actions.
        before: For each of the opponent's information sets at the root, the value of their best
            response to the old policy, in the game's own units.
        after: The same for the new policy.
        weights: How likely chance and the player bring each of these about.
    """

    player: int
    policy: Mapping[int, Floats] = field(repr=False)
    before: Floats
    after: Floats
    weights: Floats

    @property
    def margins(self) -> Floats:
        """The loss of the opponent against before at each of their information sets."""
        return self.before - self.after

    @property
    def excess(self) -> float:
        """The most by which a best response to the whole policy can win more than before."""
        return float((self.weights * np.maximum(-self.margins, 0.0)).sum())


def resolution(
    subgame: Subgame,
    policy: Policy,
    player: int,
    *,
    gadget: str = RESOLVING,
    share: float = SHARE,
    iterations: int = ITERATIONS,
    mend: bool = True,
) -> Resolution:
    """A new policy for a player in a subgame.

    Args:
        subgame: The subgame, of a two-player zero-sum game.
        policy: The policy so far of both players, for all of its tree.
        player: Whose policy is made.
        gadget: ``"resolving"`` or ``"max_margin"``.
        share: In what share of the games the opponent has no choice at the root, and comes with the
            range that the policy so far gives them; 0 to 1.
        iterations: Of CFR+.
        mend: Whether it is made safe exactly, and not only as near as the solver comes.

    Raises:
        SettingsError: There is no such gadget, or no such share.
        UnsupportedError: It is no two-player zero-sum game.

    >>> from sleuth.equilibria import GameTree, resolution, subgames
    >>> tree = GameTree("kuhn_poker")
    >>> coins = tree.uniform_policy()
    >>> passed, bet = subgames(tree, coins, begins=lambda seen: seen.moves == 1)
    >>> found = resolution(passed, coins, player=1)
    >>> found.before.round(2).tolist()  # what the first player gets, with king, queen and jack
    [1.5, 0.0, -1.0]
    >>> found.margins.round(2).tolist(), found.excess
    ([0.33, 0.33, 0.0], 0.0)
    """
    check_two(subgame.tree.game)
    known_name(gadget, GADGETS, "gadget")
    number_within(share, "share", most=1.0, where="resolution")
    root = _Root(subgame, policy, player)
    found = root.solved(gadget, share, iterations)
    return root.resolution(root.mended(found, iterations) if mend else found)


def check_two(game: Game) -> None:
    """Refuse a game of more or fewer than two players.

    Raises:
        UnsupportedError: There are not two players.
    """
    if game.players != 2:
        raise UnsupportedError(
            "only two-player zero-sum games have subgames that can be solved safely",
            where=f"game {game.name!r}",
            value=game.players,
        )


class _Root:
    """The root of a subgame, as far as a player comes there by their policy.

    Its histories are those that chance and the player bring about; places say which of the
    opponent's information sets each lies in.
    """

    def __init__(self, subgame: Subgame, policy: Policy, player: int) -> None:
        self.tree: Final = subgame.tree
        self.player: Final = player
        self.opponent: Final = 1 - player
        self.old: Final = policy
        likelihood = subgame.likelihood(player)
        possible = np.flatnonzero(likelihood > 0)
        self._roots: list[int] = subgame.roots[possible].tolist()
        self._weights = likelihood[possible]
        self._ranged = self._weights * subgame.ranges[self.opponent, possible]
        places = np.unique(subgame.known[self.opponent, possible], return_inverse=True)[1]
        self._places: NDArray[np.int64] = places.astype(np.int64)
        self._totals: Floats = np.bincount(self._places, self._weights).astype(float)
        self._rest = GamePart(subgame.tree)
        self._rest.starts += [
            (self._rest.copy(root), weight)
            for root, weight in zip(self._roots, self._weights.tolist(), strict=True)
        ]

        #: Information sets of the player, by their numbers in the whole tree.
        self._mine = sorted(
            origin
            for origin in self._rest.origins
            if self.tree.information_sets[origin].player == player
        )

    @cached_property
    def values(self) -> Floats:
        """The opponent's best response to the old policy at each of their information sets."""
        return self.best(self.old)

    def best(self, policy: Policy) -> Floats:
        """The opponent's best response to a policy at each of their information sets."""
        rest, mine = self._rest, self._rest.taken(policy)
        response = rest.best_response(mine, self.opponent)
        values = np.zeros(len(rest.histories))
        for number, history in enumerate(rest.histories):
            if history.values is not None:
                values[number] = history.values[self.opponent]
            elif history.player == self.opponent:
                values[number] = values[history.after[response.choices[history.information_set]]]
            else:
                values[number] = values[list(history.after)] @ mine[history.information_set]
        at_roots = values[np.array([number for number, _ in rest.starts], dtype=np.int64)]
        return np.bincount(self._places, self._weights * at_roots) / self._totals

    def excess(self, policy: Policy) -> Floats:
        """The gain of the opponent on before at each of their information sets."""
        return self.best(policy) - self.values

    def resolution(self, policy: Policy) -> Resolution:
        """The resolution that a policy is."""
        return Resolution(
            player=self.player,
            policy={origin: policy[origin] for origin in self._mine},
            before=self.values,
            after=self.best(policy),
            weights=self._totals,
        )

    def solved(self, gadget: str, share: float, iterations: int) -> dict[int, Floats]:
        """The policy that is found with a gadget, where the player comes, and else the old one."""
        part = GamePart(self.tree)
        if share < 1 and self._roots:
            add = self._add_margins if gadget == MAX_MARGIN else self._add_refusals
            add(part, (1 - share) * self._weights / self._totals.sum())
        if share > 0 and self._ranged.any():
            ranged = share * self._ranged / self._ranged.sum()
            part.starts += [
                # The opponent knows that they have no choice.
                (part.copy(root, apart=self.opponent), weight)
                for root, weight in zip(self._roots, ranged.tolist(), strict=True)
                if weight > 0
            ]
        found = dict(self.old)
        if part.starts:
            made = equilibrium(part, iterations=iterations)
            for known in part.information_sets:
                if known.player == self.player:
                    found[part.origins[known.index]] = made[known.index]
        return found

    def mended(self, policy: Policy, iterations: int) -> Policy:
        """The policy, changed as little as makes it safe; the old one if nothing does."""
        if self._is_safe(policy):
            return policy
        tidy = self._tidied(policy)
        if self._is_safe(tidy):
            return tidy
        margins = self._tidied(self.solved(MAX_MARGIN, 0.0, iterations))
        return self._mixed(policy, margins)

    def _is_safe(self, policy: Policy) -> bool:
        return bool((self.excess(policy) <= _ROUNDING).all())

    def _tidied(self, policy: Policy) -> Policy:
        """The policy without actions that are taken hardly ever, which the average of a solver has
        from its beginnings (Ganzfried, Sandholm and Waugh 2012, "Strategy purification and
        thresholding")."""
        found = dict(policy)
        for origin in self._mine:
            shares = np.where(policy[origin] < _HARDLY, 0.0, policy[origin])
            found[origin] = shares / shares.sum()
        return found

    def _mixed(self, policy: Policy, margins: Policy) -> Policy:
        """A safe policy between one and another, of greater margins; the old one if none is.

        It keeps to the second in a share x of the games, so that at each information set the
        opponent wins at most (1 - x) times what the one and x times what the other lets them win.
        """
        worse, better = self.excess(policy), -self.excess(margins)
        total = worse + better
        bounds = worse / np.where(total == 0.0, 1.0, total)
        least = max(bounds[total > 0].max(initial=0.0), 0.0)
        if least <= bounds[total < 0].min(initial=1.0):
            both = [self._rest.taken(each) for each in (policy, margins)]
            made = mean_policy(self._rest, both, (1.0 - least, least))
            found = dict(self.old)
            for known in self._rest.information_sets:
                if known.player == self.player:
                    found[self._rest.origins[known.index]] = made[known.index]
            if self._is_safe(found):
                return found
        return self.old

    def _add_refusals(self, part: GamePart, weights: Floats) -> None:
        """The opponent may play on at each of their information sets, or have its value."""
        decisions = [self._decision(part, 2) for _ in self._totals]
        each = zip(self._roots, weights.tolist(), self._places.tolist(), strict=True)
        for root, weight, place in each:
            after = part.add(_end(float(self.values[place]), self.opponent)), part.copy(root)
            number = part.add(TreeNode(self.opponent, decisions[int(place)], after, None))
            part.starts.append((number, weight))

    def _add_margins(self, part: GamePart, weights: Floats) -> None:
        """The opponent chooses one of their information sets, and has what they win there above
        its value.

        Chance moves before them here, so they name an information set before they know which it
        is: if it is another one, nothing is won. What is won at one of them is multiplied by how
        seldom it comes, so that each counts as if it came always.
        """
        decision = self._decision(part, len(self._totals))
        each = zip(self._roots, weights.tolist(), self._places.tolist(), strict=True)
        for root, weight, place in each:
            taken = np.where(np.arange(2) == self.opponent, 1.0, -1.0) * self.values[place]
            scale = float(self._totals.sum() / self._totals[place])
            after = tuple(
                part.copy(root, scale=scale, taken=taken)
                if named == place
                else part.add(_end(0.0, self.opponent))
                for named in range(len(self._totals))
            )
            number = part.add(TreeNode(self.opponent, decision, after, None))
            part.starts.append((number, weight))

    def _decision(self, part: GamePart, count: int) -> int:
        """A decision of the gadget, with what can be seen at a root."""
        root = self.tree.histories[self._roots[0]]
        known = self.tree.information_sets[root.information_set]
        return part.decision(replace(known, player=self.opponent, actions=tuple(range(count))))


def _end(value: float, player: int) -> TreeNode:
    """An end at which a player wins something, and the other loses it."""
    return TreeNode(OVER, -1, (), np.where(np.arange(2) == player, value, -value))
