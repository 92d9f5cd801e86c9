"""Agents: who decides in a game, knowing what one player knows and nothing else.

An agent is handed a view and what was seen, both made by a `Play`, which is never handed to it.
Most agents are asked for by name (see `names`); one of your own needs `name` and `decide`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import (
    Asking,
    Determining,
    Exposing,
    GameBelief,
    Narrowing,
    Way,
)
from ...beliefs.games.registry import game_of
from ...beliefs.nested.drawn_worlds import uniform
from ...beliefs.posterior import Posterior
from ...data.checks import is_number, number_within
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import SeenPlay, View
from ...models.records.play_start import check_seed
from ..look_ahead.limits import LookAhead
from ..search.budget import Budget
from ..search.decision import Decision
from ..search.determinization import Draw, Rows, WorldDraw, from_list, no_hidden_values
from ..search.objective import VALUE, Objective
from ..search.search import Search
from ..search.semi_determinization import DeterminedWay
from .learning import NOTHING, Learning


class Agent(Protocol):
    """Somebody who plays one game. A match makes a new one for every game.

    >>> import sleuth
    >>> class Bold:
    ...     name = "bold"
    ...     def decide(self, view, seen):
    ...         return int(view.legal()[-1])
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> Bold().name, Bold().decide(play.view(0), play.seen_by(0))
    ('bold', 1)
    """

    @property
    def name(self) -> str:
        """The agent's name in results."""
        ...

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action.

        Args:
            view: The state as the player to move knows it.
            seen: All they have seen so far.
        """
        ...


@runtime_checkable
class Randomizing(Agent, Protocol):
    """An agent that says how likely it does what.

    >>> import sleuth
    >>> from sleuth.agents import Randomizing, RandomAgent
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> isinstance(RandomAgent(), Randomizing)
    True
    >>> dict(RandomAgent().probabilities(play.view(0), play.seen_by(0)))
    {0: 0.5, 1: 0.5}
    """

    def probabilities(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """By the codes of legal actions how likely each is; those that are never taken may lack.

        Args:
            view: The state as the player to move knows it.
            seen: All they have seen so far.
        """
        ...


@runtime_checkable
class Valuing(Agent, Protocol):
    """An agent that says what every legal action is worth."""

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The whole answer of its search."""
        ...


NOTHING_IN_PART: Final = "in this game no action is seen in part"

APART: Final = "each way of the last action is searched as if it were so, so nothing is learned"

Guess = Callable[[View, SeenPlay], tuple[NDArray[Any], NDArray[Any]]]
"""Worlds from what was seen: rows, as the game's ``fill`` reads them, and their weights."""

Maker = Callable[[int], Agent]
"""Makes an agent for one game from a seed, cheaply: what takes long is done before."""


def seed_of(*numbers: int) -> int:
    """A seed of 64 bits from several whole numbers; others give unrelated ones."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0])


@dataclass(frozen=True)
class RandomAgent:
    """Takes any legal action, each equally likely.

    What it does depends on its seed and on how much it has seen, so a decision can be made again.

    >>> import sleuth
    >>> from sleuth.agents import RandomAgent
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> RandomAgent(seed=3).decide(play.view(0), play.seen_by(0))
    1
    >>> RandomAgent().probabilities(play.view(0), play.seen_by(0))
    {0: 0.5, 1: 0.5}
    """

    seed: int = 0
    name: str = "random"

    def __post_init__(self) -> None:
        check_seed(self.seed)

    def decide(self, view: View, seen: SeenPlay) -> int:
        """Any legal action."""
        actions = view.legal()
        rng = np.random.default_rng((self.seed, len(seen.events)))
        return int(actions[rng.integers(len(actions))])

    def probabilities(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """Of every legal action the same."""
        actions: list[int] = view.legal().tolist()
        return dict.fromkeys(actions, 1.0 / len(actions))


@dataclass(frozen=True, kw_only=True, eq=False)
class SearchAgent:
    """Searches over worlds drawn from its belief, the likely ones more often.

    Attributes:
        search: The search, which also says over which game.
        belief: What players of the game can know; None when nothing is hidden.
        budget: How long it may search for one action.
        seed: The same seed gives the same decisions, unless the budget is in seconds.
        learning: What it wants to learn, and what a bit of that is worth.
        hiding: What it costs in those units that the others surely find out what the player would
            rather hide, where the belief knows that (`Exposing`).
        name: What it is called in results.
        by_player: For each player the search they make, where they differ; else empty.
        filters: Whether it considers only what the game's advice says, and does what that makes
            of it.
        guess: Worlds to search over, in place of those drawn from the belief: one of the
            ``guesses`` of the game's advice.
        hint_right: How often the hints are right that the runner of the match gives it; None for
            no hints.
        sure: Whether players whom the search takes to follow a policy are trusted to do so only as
            far as the belief is sure how the last hidden action was done (`Determining`): with
            |P - Q| of its two ways, and fully where there is but one.
        begins: (imagined game, view, seen), before a search: tells a game that a belief imagines
            what is known at the root.

    >>> import sleuth
    >>> from sleuth.search import Learning
    >>> player = sleuth.SearchAgent(
    ...     search=sleuth.Search("kuhn_poker"), belief=sleuth.belief("kuhn_poker"),
    ...     budget=sleuth.Budget(simulations=50), learning=Learning(gain_weight=0.1), seed=1,
    ... )
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> player.decide(view, seen) == player.decision(view, seen).action
    True
    >>> posterior = player.posterior(view, seen)
    >>> player.objective(view, seen, posterior).entropy
    1.0
    """

    search: Search
    belief: GameBelief | None
    budget: Budget = field(default_factory=lambda: Budget(simulations=1_000))
    seed: int = 0
    learning: Learning = NOTHING
    hiding: float = 0.0
    name: str = "mcts"
    by_player: tuple[Search, ...] = ()
    filters: bool = False
    guess: Guess | None = None
    hint_right: float | None = None
    sure: bool = False
    begins: Callable[[Game, View, SeenPlay], None] | None = None
    determines: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self._check_kinds()
        if self.search.game.hides and self.belief is None and self.guess is None:
            raise SettingsError(
                "a search needs a belief where something is hidden",
                where=f"game {self.search.game.name!r}",
                hint="write sleuth.belief(game), or a GameBelief of your own",
            )
        if self.learning.gain_weight:
            self._check_learning()

    def _check_learning(self) -> None:
        options = self.search.options
        if self.belief is None:
            refused = "nothing is hidden in this game, so nothing is to be learned"
            instead = "leave the gain out"
        elif self.determines:
            refused, instead = APART, "take mcts, or leave the gain out"
        elif options.trees and not isinstance(self.belief, Asking):
            refused = "in separate trees all is known, and in this game no action is a question"
            instead = "write trees=0, or leave the gain out"
        elif options.information == "actions" and not options.trees:
            refused = "in a tree of all actions, players know more than they see"
            instead = "write information=observer, or leave the gain out"
        else:
            return
        raise SettingsError(
            refused,
            where=f"game {self.search.game.name!r}",
            value=f"gain={self.learning.gain_weight:g}",
            hint=instead,
        )

    def _check_kinds(self) -> None:
        search, belief, budget = (
            cast(object, part) for part in (self.search, self.belief, self.budget)
        )
        if not isinstance(search, Search):
            raise SettingsError(
                "an agent that searches needs a Search",
                where="search",
                value=search,
                hint="write SearchAgent(search=Search(game), ...)",
            )
        if belief is not None and not isinstance(belief, GameBelief):
            raise SettingsError(
                "this is no belief of a game",
                where="belief",
                value=belief,
                hint="write sleuth.belief(game), or a GameBelief of your own",
            )
        if not isinstance(cast(object, self.learning), Learning):
            raise SettingsError(
                "what an agent wants to learn is said by a Learning",
                where="learning",
                value=self.learning,
                hint="write learning=Learning(gain_weight=0.5)",
            )
        if not isinstance(budget, Budget):
            number = budget if is_number(budget) else 1_000
            raise SettingsError(
                "how long to search is said by a Budget",
                where="budget",
                value=budget,
                hint=f"write Budget(simulations={number})",
            )
        check_seed(self.seed)
        number_within(self.hiding, "hiding", where="agent")
        if not self.hiding:
            return
        if not isinstance(self.belief, Exposing):
            raise SettingsError(
                "nothing says what the players of this game give away",
                where=f"game {self.search.game.name!r}",
                value=f"hiding={self.hiding:g}",
                hint="leave hiding out, or take a game whose belief knows the exposure",
            )
        if self.learning.gain_weight:
            raise SettingsError(
                "a search weighs what it learns, or what others learn of it, but not both",
                where="agent",
                value=f"gain={self.learning.gain_weight:g},hiding={self.hiding:g}",
                hint="leave one of them out",
            )

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The action that the search prefers; the only one, without a search, if there is one.

        Raises:
            KeyboardInterrupt: Ctrl-C while it searched; what it knew by then is not enough for
                a decision that can be made again.
        """
        return chosen(view, lambda: self.decision(view, seen), filters=self.filters)

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The whole answer of the search, for reports."""
        search = self.by_player[view.viewer] if self.by_player else self.search
        begin = search.game.advice.begin
        if begin is not None:
            begin(search.game, view)
        if self.begins is not None:
            self.begins(search.game, view, seen)
        draw, objective, ways = no_hidden_values, VALUE, ()
        actions = considered(view).tolist() if self.filters else None
        if self.guess is not None and not self.learning.gain_weight:
            draw = from_list(*self.guess(view, seen), maker=self.guess)
        elif self.determines and isinstance(self.belief, Determining):
            ways = determined(self.belief, view, seen)
        elif self.belief is not None:
            posterior = self.posterior(view, seen)
            draw = drawn_from(self.belief, posterior)
            objective = self._hiding(view, seen) or self.objective(view, seen, posterior)
            if isinstance(self.belief, Narrowing):
                best = self.belief.undominated(view, posterior)
                if best is not None:
                    actions = [
                        code for code in best if actions is None or code in actions
                    ] or actions
        return search.decide(
            view,
            draw,
            self.budget,
            objective=objective,
            seed=seed_of(self.seed, len(seen.events)),
            actions=actions,
            ways=ways,
            trust=self.sureness(view, seen) if self.sure else 1.0,
        )

    def sureness(self, view: View, seen: SeenPlay) -> float:
        """The sureness of its belief about the last hidden action: 0 for even odds, 1 for sure.

        Raises:
            SettingsError: Its belief knows of no action that is seen in part.

        >>> import sleuth
        >>> player = sleuth.agent("semi:simulations=20", "cheat", seed=1)
        >>> play = sleuth.Play.new("cheat", seed=1)
        >>> play.apply(play.legal()[1])
        >>> round(player.sureness(play.view(1), play.seen_by(1)), 2)
        0.81
        """
        chances = [way.chance for way in self.ways(view, seen)]
        return max(0.0, 2.0 * max(chances) - 1.0)

    def ways(self, view: View, seen: SeenPlay) -> Sequence[Way]:
        """In which ways the last action may have been done, as far as it is hidden, by its belief.

        Raises:
            SettingsError: Its belief knows of no action that is seen in part.

        >>> import sleuth
        >>> player = sleuth.agent("semi:simulations=20", "cheat", seed=1)
        >>> play = sleuth.Play.new("cheat", seed=1)
        >>> play.apply(play.legal()[1])
        >>> play.game.action_name(play.actions[0])
        'higher false 1'
        >>> view, seen = play.view(1), play.seen_by(1)
        >>> [round(way.chance, 2) for way in player.ways(view, seen)]
        [0.09, 0.91]
        >>> round(player.sureness(view, seen), 2)
        0.81
        """
        if not isinstance(self.belief, Determining):
            raise SettingsError(NOTHING_IN_PART, where=f"game {self.search.game.name!r}")
        return self.belief.ways(view, seen)

    def posterior(self, view: View, seen: SeenPlay) -> Posterior:
        """The agent's posterior; only for games in which something is hidden.

        Raises:
            SettingsError: The belief is that of another game.
        """
        assert self.belief is not None
        return inferred(self.belief, view, seen)

    def objective(self, view: View, seen: SeenPlay, posterior: Posterior) -> Objective:
        """The quantity it maximises at this moment, see `Learning`.

        Raises:
            SettingsError: Nothing hidden has the name that it shall learn about.
        """
        if self.belief is None or not self.learning.gain_weight:
            return VALUE
        options = self.search.options
        return self.learning.objective(
            self.belief,
            view,
            seen,
            posterior,
            self.posterior,
            at_once=options.trees > 0,
            whole=self.search.game.observe is view.game.observe,
            most=1 if options.horizon == 1 else None,
        )

    def _hiding(self, view: View, seen: SeenPlay) -> Objective | None:
        if not (self.hiding and isinstance(self.belief, Exposing)):
            return None
        found = self.belief.exposure(view, seen)
        exact = {action: -exposed for action, exposed in found.items()}
        return Objective(gain_weight=self.hiding, exact=exact) if exact else None


@dataclass(frozen=True, kw_only=True, eq=False)
class SemiDeterminizationAgent(SearchAgent):
    """Lays open the opponent's last action in each way, see `semi_determinization`.

    Raises:
        SettingsError: The game's belief knows of no action that is seen in part.
    """

    name: str = "semi"
    determines: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.belief, Determining):
            raise SettingsError(
                f"{NOTHING_IN_PART}, so there is nothing to lay open",
                where=f"game {self.search.game.name!r}",
                hint="take mcts, or a belief that has ways (sleuth.kit.Determining)",
            )


@dataclass(frozen=True, kw_only=True, eq=False)
class DeterminizationAgent(SearchAgent):
    """Searches over worlds that are possible, each equally often, however likely they are.

    What most determinized players do (Ginsberg 2001, "GIB", section 3, deals hands "consistent"
    with what was seen); the difference to `SearchAgent` is what the weights of a belief are worth.

    >>> import sleuth
    >>> player = sleuth.agent("uniform:simulations=20", "kuhn_poker", seed=1)
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> posterior = player.posterior(play.view(0), play.seen_by(0))
    >>> posterior.marginal(player.belief.hidden(play.view(0))["card of second"])
    {'queen': 0.5, 'king': 0.5}
    """

    name: str = "uniform"

    def posterior(self, view: View, seen: SeenPlay) -> Posterior:
        """The possible worlds, each equally likely."""
        return uniform(super().posterior(view, seen))


def considered(view: View) -> NDArray[np.int32]:
    """The actions worth considering, as the game's advice says; all where it says nothing.

    >>> import sleuth
    >>> from sleuth.agents import considered
    >>> view = sleuth.Play.new("scotland_yard", seed=1).view(0)
    >>> len(considered(view)) < len(view.legal())
    True
    """
    keep = view.game.advice.considered
    return view.legal() if keep is None else keep(view)


def made(view: View, action: int) -> int:
    """The action in fact taken after one was chosen, as the game's advice says."""
    change = view.game.advice.made
    return action if change is None else change(view, action)


def chosen(view: View, decide: Callable[[], Decision | LookAhead], *, filters: bool) -> int:
    """The agent's action: the only one there is, or what its search says.

    Args:
        view: What it sees.
        decide: Searches.
        filters: Whether only what the game's advice says is considered, and done.

    Raises:
        KeyboardInterrupt: The search was interrupted.
    """
    actions = considered(view) if filters else view.legal()
    action = int(actions[0])
    if len(actions) > 1:
        found = decide()
        if found.interrupted:
            raise KeyboardInterrupt
        action = found.action
    return made(view, action) if filters else action


def inferred(belief: GameBelief, view: View, seen: SeenPlay) -> Posterior:
    """The belief's posterior of what was seen.

    Raises:
        SettingsError: It is that of another game that comes with sleuth, and cannot say anything.
    """
    try:
        return belief.infer(view, seen)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        of = game_of(belief)
        if of is None or of == view.game.name:
            raise
        raise SettingsError(
            f"this belief is that of another game, {of!r}",
            where=f"game {view.game.name!r}",
            hint="write sleuth.belief(game), or a GameBelief of your own",
        ) from error


def drawn_from(belief: GameBelief, posterior: Posterior) -> Draw:
    """Worlds by their probability, for a search.

    >>> import numpy as np
    >>> import sleuth
    >>> from sleuth.agents import drawn_from
    >>> belief, play = sleuth.belief("kuhn_poker"), sleuth.Play.new("kuhn_poker", seed=1)
    >>> draw = drawn_from(belief, belief.infer(play.view(0), play.seen_by(0)))
    >>> draw(2, np.random.default_rng(1)).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """

    def draw(count: int, rng: np.random.Generator) -> Rows:
        return belief.worlds(posterior, count, rng)

    return WorldDraw(belief, draw)


def determined(belief: Determining, view: View, seen: SeenPlay) -> tuple[DeterminedWay, ...]:
    """The ways of the last action, for a search."""
    return tuple(
        DeterminedWay(
            WorldDraw(belief, way.worlds)
            if way.worlds is not None
            else drawn_from(cast(GameBelief, belief), way.posterior),
            way.chance,
        )
        for way in belief.ways(view, seen)
    )
