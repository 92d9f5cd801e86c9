"""The rest of a game in progress, written out and solved safely for the player to move.

The histories that fit what everybody has seen are found from all the deals that the game can start
with; each is as likely as chance, and the policy that was kept to so far, make it. So the opponent
may hold anything that they could hold for all that is known publicly, not only what fits what the
player holds: else the policy would tell what it does not show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....data.checks import whole_number
from ....data.errors import CostError, SettingsError, UnsupportedError
from ....models.game import OVER, SPECTATOR, Game, States
from ....models.play import SeenPlay, View
from ...small_games.exploitability import BuiltTree, GameTree, Policy
from ...small_games.starts import starts_of
from ...small_games.written_tree import InformationSet, TreeNode
from .gadgets import ITERATIONS, RESOLVING, SHARE, Resolution, check_two, resolution
from .subgames import GamePart, Subgame, SubgameRoot
from .walk import Knowledge, Progress, begin, sight_of

Kept = Callable[[GameTree], Policy]
"""a part of a game, written out -> the policy of all players there"""

#: Histories of a subgame when nothing else is said.
MOST_HISTORIES: Final = 20_000


@dataclass(frozen=True, kw_only=True, eq=False)
class SubgamePolicy:
    """A player's policy from a moment of a game on.

    Attributes:
        player: Whose it is.
        subgame: The rest of the game, as everybody sees it.
        resolution: What was solved, and what the opponent can get.
        policy: Information set's number -> probabilities of its actions; the kept policy where the
            player never comes by it.
    """

    player: int
    subgame: Subgame
    resolution: Resolution
    policy: Policy = field(repr=False)
    _places: dict[Knowledge, int] = field(repr=False)

    def covers(self, view: View, seen: SeenPlay) -> bool:
        """True at the player's decisions of this game from that moment on."""
        return sight_of(view, seen) in self._places

    def probabilities(self, view: View, seen: SeenPlay) -> NDArray[np.float64]:
        """The probabilities of the legal actions, now or later in this game.

        Raises:
            SettingsError: It does not cover this decision.
        """
        if not self.covers(view, seen):
            raise SettingsError(
                "this decision is not in the subgame that was solved",
                where=f"game {view.game.name!r}",
                hint="ask covers first, and resolve_from anew where it says no",
            )
        return self.policy[self._places[sight_of(view, seen)]]


def resolve_from(
    game: Game,
    view: View,
    seen: SeenPlay,
    *,
    policy: Kept,
    most_histories: int = MOST_HISTORIES,
    gadget: str = RESOLVING,
    share: float = SHARE,
    iterations: int = ITERATIONS,
    mend: bool = True,
) -> SubgamePolicy:
    """The policy of the player to move for the rest of the game, which is no easier to exploit.

    It also serves the player's later moments in the game: keep it where more are to come. To solve
    the rest again there by the old policy is not safe, since the player has left that policy here.

    Args:
        game: A two-player zero-sum game without dice.
        view: The state as the player to move knows it.
        seen: All that they have seen.
        policy: What both players did until now, and would do: a function that gives a policy of
            any part of the game, such as ``search.policy`` of a `WholeGameSearch`; `of_moments`
            makes one.
        most_histories: Most histories that are looked at, before and after this moment.
        gadget, share, iterations, mend: As of `resolution`.

    Raises:
        SettingsError: It is not the viewer's move, or the policy gives no probabilities.
        CostError: There are more histories, or more deals.
        UnsupportedError: It is no two-player zero-sum game, dice are thrown, its deals cannot be
            listed, no history leads here, or the player does not know what everybody sees.

    >>> import sleuth
    >>> from sleuth.equilibria import WholeGameSearch, resolve_from
    >>> play = sleuth.Play.new("leduc_poker", seed=2)
    >>> for action in (1, 1):  # both call, and a card is turned up
    ...     play.apply(action)
    >>> search = WholeGameSearch("leduc_poker", seed=1)
    >>> search.run(sleuth.Budget(simulations=1_000)).simulations
    1000
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> found = resolve_from(play.game, view, seen, policy=search.policy)
    >>> len(found.probabilities(view, seen)), found.resolution.excess < 1e-9
    (2, True)
    >>> found.covers(play.view(1), play.seen_by(1))  # of the other player
    False
    >>> len(found.subgame.roots)  # what two players may hold beside the card face up
    8
    """
    if view.over or view.player != view.viewer:
        raise SettingsError("it is not this player's move", where=f"game {game.name!r}")
    whole_number(most_histories, "most_histories", least=1)
    check_two(game)
    rest = _Rest(game, most_histories)
    subgame = rest.subgame(view.viewer, sight_of(view, seen), policy)
    chosen = _policy_of(rest, policy)
    made = resolution(
        subgame,
        chosen,
        view.viewer,
        gadget=gadget,
        share=share,
        iterations=iterations,
        mend=mend,
    )
    places = {
        sight: known.index
        for known, sight in zip(rest.information_sets, rest.sights, strict=True)
        if known.player == view.viewer
    }
    return SubgamePolicy(
        player=view.viewer,
        subgame=subgame,
        resolution=made,
        policy={**chosen, **made.policy},
        _places=places,
    )


def of_moments(function: Callable[[View, SeenPlay], ArrayLike]) -> Kept:
    """A policy of any part of a game, from a function of what the player to move sees and has seen.

    What it gives for the legal actions, in their order, is scaled to add up to 1.
    """

    def kept(tree: GameTree) -> Policy:
        def at(known: InformationSet) -> ArrayLike:
            play = tree.play_to(known)
            return function(play.view(known.player), play.seen_by(known.player))

        return tree.policy(at)

    return kept


def _policy_of(tree: GameTree, policy: Kept) -> Policy:
    found: Policy = policy(tree) if tree.information_sets else {}
    tree.checked(found)
    return found


_Step = tuple[Progress, int]
"""A decision on the way, and the place of the action that was taken."""


class _Rest(BuiltTree):
    """The rest of a game, written out from all histories that have one public state."""

    def __init__(self, game: Game, most: int) -> None:
        super().__init__(game)
        self.sights: list[Knowledge] = []
        self._most = most
        self._left = most
        self._numbers: dict[tuple[int, Knowledge], int] = {}

    def subgame(self, player: int, sight: Knowledge, policy: Kept) -> Subgame:
        """The subgame at the moment at which a player has seen something."""
        game = self.game
        starts = [(begin(game, states), share) for states, share in _starts(game, self._most)]
        public: set[Knowledge] = set()
        known: set[Knowledge] = set()
        for progress, _, _ in self._fitting(starts, player, sight):
            public.add(progress.sight(SPECTATOR))
            known.add(progress.known_by(player))
        if len(public) != 1 or len(known) != 1:
            raise UnsupportedError(
                "this player does not know what everybody sees, or remembers more than they saw"
                if public
                else "no deal and no actions that are listed lead to what this player has seen",
                where=f"game {game.name!r}",
            )
        found = list(self._fitting(starts, SPECTATOR, public.pop()))
        before, places = GamePart(self), dict[tuple[int, Knowledge], int]()
        for _, _, steps in found:
            for step, _ in steps:
                if (step.mover, step.known) not in places:
                    number = before.decision(step.information_set(0))
                    places[step.mover, step.known] = number
        kept = _policy_of(before, policy)
        root = SubgameRoot(game.players)
        for progress, chance, steps in found:
            own = [1.0] * game.players
            for step, taken in steps:
                own[step.mover] *= float(kept[places[step.mover, step.known]][taken])
            number = self._follow(progress)
            self.starts.append((number, chance))
            self.start_states.append(progress.start)
            root.add(number, progress, chance, own)
        return root.subgame(self)

    def _fitting(
        self, starts: list[tuple[Progress, float]], viewer: int, sight: Knowledge
    ) -> Iterator[tuple[Progress, float, tuple[_Step, ...]]]:
        """The first histories at which a viewer has seen something, and the steps to each."""
        waiting: list[tuple[Progress, float, tuple[_Step, ...]]] = [
            (progress, share, ()) for progress, share in reversed(starts)
        ]
        while waiting:
            progress, share, steps = waiting.pop()
            seen = progress.seen(viewer)
            if seen != sight[: len(seen)]:
                continue
            self._count()
            if len(seen) == len(sight) - 1 and progress.sight(viewer) == sight:
                yield progress, share, steps
            elif progress.mover != OVER:
                waiting += [
                    (progress.after(action), share, (*steps, (progress, place)))
                    for place, action in enumerate(progress.actions)
                ][::-1]

    def _follow(self, progress: Progress) -> int:
        """Write out a history and all that can follow; its number."""
        self._count()
        mover = progress.mover
        if mover == OVER:
            values = np.zeros(self.game.players)
            self.game.returns(progress.states[0], self.game.tables, values)
            self.histories.append(TreeNode(OVER, -1, (), values))
            return len(self.histories) - 1
        # What players know begins with what they saw at the start, which may be the same for both.
        number = self._numbers.setdefault((mover, progress.known), len(self.information_sets))
        if number == len(self.information_sets):
            self.information_sets.append(progress.information_set(number))
            self.sights.append(progress.sight(mover))
        elif progress.actions != self.information_sets[number].actions:
            raise SettingsError(
                "a player cannot know their legal actions from what they saw",
                where=f"game {self.game.name!r}",
                value=progress.actions,
            )
        after = tuple(self._follow(progress.after(action)) for action in progress.actions)
        self.histories.append(TreeNode(mover, number, after, None))
        return len(self.histories) - 1

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise CostError(
                "the rest of this game has too many histories to write out",
                where=f"game {self.game.name!r}",
                value=self._most,
                hint="raise most_histories, or solve it later in the game",
            )


_known_starts: WeakKeyDictionary[Game, list[tuple[States, float]]] = WeakKeyDictionary()


def _starts(game: Game, most: int) -> list[tuple[States, float]]:
    """The states that a game can start from, and how likely each is; listed once for each game."""
    if game not in _known_starts:
        try:
            found = game.starts(most)
        except UnsupportedError:
            _known_starts[game] = starts_of(game, None, None, None)
        else:
            _known_starts[game] = [
                (found.states[place : place + 1], share)
                for place, share in enumerate(found.probabilities.tolist())
            ]
    return _known_starts[game]
