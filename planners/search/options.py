"""Options of a search: its exchangeable parts and its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from ...data.checks import is_number, known_name, number_within, whole_number
from ...data.errors import SettingsError
from .kernels.regret_matching import regret_matching
from .kernels.selection import USUAL_MIXING, Mixing, progressive_history, uct
from .kernels.work import EVERYTHING, KEY, OBSERVER, PLAYERS
from .widening import USUAL_WIDENING, Widening

INFORMATION: Final = {
    "observer": OBSERVER,
    "players": PLAYERS,
    "everything": EVERYTHING,
    "key": KEY,
    # Nodes by what is seen, where everybody sees every action in full.
    "actions": OBSERVER,
}
COMBINE: Final = ("vote", "average")
BACKUP: Final = ("average", "best")

#: Weights of exploration and of a history beyond this would hide all values.
MOST_WEIGHT: Final = 1_000_000
MOST_WORKERS: Final = 1_024
#: Counts of worlds are 32 bits wide.
MOST: Final = 2**31 - 2

#: States drawn from the belief, unless a search makes fewer simulations.
MOST_WORLDS: Final = 4_096
MOST_TREES: Final = 4_096


@dataclass(frozen=True, kw_only=True, eq=False)
class Options:
    """The options of a search; the same for all games.

    Attributes:
        selection: A kernel of `selection`, or one of your own with the signature of ``uct``.
        exploration: C, the weight of what has been tried little.
        bias_weight: W, the weight of Progressive History.
        mixing: How often Smooth UCT takes what looks best; the others do not ask.
        uniform_share: How often regret matching takes any action, each equally likely; gamma.
        mixed: Whether the answer is drawn, each action as often as the search took it at the root
            (without what regret matching takes at random); else it is the one taken most often.
        by_availability: Whether exploration counts, for each action, only the simulations in
            which it was legal.
        information: What a node stands for: ``"observer"`` (what the searching player saw: one
            tree), ``"players"`` (what the player to move saw: a tree for each), ``"key"`` (the
            game's own abstraction), ``"actions"`` (what was done, seen or not: one tree from
            a root that is the same in all worlds, in which those who moved later know all that
            was done since, as in Nijssen and Winands 2012, section IV-B), or ``"everything"``
            (what anybody saw; where something is hidden only with separate trees, which are
            always like that).
        trees: 0 for one tree over all states drawn; else so many separate trees, each for one
            state, as if everything were known there.
        each_world: With separate trees: one for every world there can be, however many, where
            the draw lists them (`determinization.from_list`); simulations go by their weights.
        combine: How separate trees decide: ``"vote"`` (each for its best action) or
            ``"average"`` (of the values).
        history: Whether actions are averaged over all simulations; Progressive History needs it.
        prior: A kernel with the signature of `selection.no_prior` that says how promising each
            legal action is, for PUCT; None for no prior. Not together with ``history``.
        policy: The kernel of playouts; None for the game's own.
        epsilon: How often a player of a playout takes any action instead of the policy's: one
            number, or one for each player.
        searched: For each player whether their actions are selected by the search, or in what share
            of the simulations; else they follow the playout policy in the tree too. None: all.
        credits: The weights of all players' returns in each player's credit, [player, player];
            None: everyone for themselves. Coalition Reduction and teams are such weights.
        own_returns: The kernel of the returns that are credited, such as what each player has
            won themselves; None for the game's ``returns``.
        backup: What a node is worth: the ``"average"`` of all simulations that passed it, or what
            its ``"best"`` action, the one taken most often, brings; for games for one player.
        discount: Factor on a return for each ply until it is reached.
        horizon: Plies after which a simulation is broken off, and what is credited is what
            ``evaluate`` says; None to play to the end.
        evaluate: A kernel (state, player, tables) -> float: about what the player will get, in the
            game's units.
        worlds: Most states drawn from the belief.
        workers: Threads, each with a tree of its own; their roots are added up.
        least_share: With semi-determinization, the least part of the simulations of a way, which
            else go by the chances; None for equal parts.
        one_tree: With semi-determinization, whether all ways are searched in one tree, with a root
            for each way; else each has a tree of its own.
        leaving: Who leaves the tree and plays out when a player comes to a new node, [player,
            player]; None: all do. With ``numpy.eye`` each leaves it alone.
        counts_from: The visit of a node from which on what is done there counts. Until then
            players leave the tree there; with 1 what the playout policy does at a new node counts.
        widening: How a root with more actions than the budget can try is opened, see `Widening`;
            None to choose among all of them from the start.

    >>> import sleuth
    >>> from sleuth.search import Options, puct
    >>> options = Options(exploration=1.4, selection=puct)
    >>> options.selection is puct, sleuth.Search("kuhn_poker", options).options.exploration
    (True, 1.4)
    """

    selection: Any = uct
    exploration: float = 0.7
    bias_weight: float = 5.0
    mixing: Mixing = USUAL_MIXING
    uniform_share: float = 0.2
    mixed: bool = False
    by_availability: bool = True
    information: str = "observer"
    trees: int = 0
    each_world: bool = False
    combine: str = "vote"
    history: bool = False
    prior: Any = None
    policy: Any = None
    epsilon: float | tuple[float, ...] = 0.0
    searched: tuple[float, ...] | None = None
    credits: ArrayLike | None = None
    own_returns: Any = None
    backup: str = "average"
    discount: float = 1.0
    horizon: int | None = None
    evaluate: Any = None
    worlds: int = MOST_WORLDS
    workers: int = 1
    least_share: float | None = None
    one_tree: bool = False
    leaving: ArrayLike | None = None
    counts_from: int = 2
    widening: Widening | None = USUAL_WIDENING

    def __post_init__(self) -> None:
        known_name(self.information, INFORMATION, "kind of information")
        known_name(self.backup, BACKUP, "way to back up")
        known_name(self.combine, COMBINE, "way to combine trees")
        for name, least, most in (
            ("trees", 0, MOST),
            ("worlds", 1, MOST),
            ("workers", 1, MOST_WORKERS),
            ("counts_from", 1, MOST),
        ):
            whole_number(getattr(self, name), name, least=least, most=most)
        chances = self.epsilon if isinstance(self.epsilon, tuple) else (self.epsilon,)
        if not all(is_number(chance) and 0 <= chance <= 1 for chance in chances):
            raise SettingsError("epsilon must be in [0, 1]", value=self.epsilon)
        for share in self.searched or ():
            number_within(float(share), "searched", most=1.0)
        if self.horizon is not None:
            whole_number(self.horizon, "horizon", least=1, most=MOST)
        if (self.horizon is None) != (self.evaluate is None):
            raise SettingsError(
                "a horizon needs an evaluation, and an evaluation a horizon",
                value=self.horizon,
                hint="write horizon=5, evaluate=game.advice.evaluations[...]",
            )
        share = self.least_share
        if share is not None and not (is_number(share) and 0 < share <= 1):
            raise SettingsError("least_share must be in (0, 1]", value=share)
        if self.prior is not None and self.history:
            raise SettingsError(
                "a search has either priors or a history, not both",
                hint="PUCT takes prior=, Progressive History takes history=True",
            )
        if self.selection is progressive_history and not self.history:
            raise SettingsError(
                "Progressive History needs a history", hint="add history=True to the options"
            )
        self._check_matching()
        if not (is_number(self.discount) and 0 < self.discount <= 1):
            raise SettingsError("discount must be in (0, 1]", value=self.discount)
        if self.widening is not None and not isinstance(self.widening, Widening):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise SettingsError(
                "widening must be a Widening, or None for none",
                value=self.widening,
                hint="write widening=Widening(factor=2)",
            )
        for name in ("exploration", "bias_weight"):
            number_within(getattr(self, name), name, most=MOST_WEIGHT)
        number_within(self.mixing.slowing, "slowing", most=MOST_WEIGHT, where="Mixing")
        _check_credits(self.credits)

    def _check_matching(self) -> None:
        number_within(self.uniform_share, "uniform_share", most=1.0)
        if self.mixed and self.trees:
            raise SettingsError(
                "separate trees vote or are averaged, so they have no mixed policy",
                where="mixed",
                value=True,
                hint="write trees=0, or leave mixed out",
            )
        if self.selection is not regret_matching:
            return
        for name, given in (
            ("prior", self.prior is not None),
            ("history", self.history),
            ("backup", self.backup == "best"),
            ("counts_from", self.counts_from == 1),
        ):
            if given:
                raise SettingsError(
                    "regret matching needs to know how likely each action was taken, and averages",
                    where=name,
                    value=getattr(self, name),
                    hint=f"leave {name} out, or take another selection",
                )


def _check_credits(credits: ArrayLike | None) -> None:
    if credits is None:
        return
    try:
        weights = np.asarray(credits, dtype=float)
    except (TypeError, ValueError):
        weights = np.full(1, np.nan)
    if weights.ndim != 2 or not np.all(np.isfinite(weights)):
        raise SettingsError(
            "credits must be finite numbers, one for each two players",
            value=credits,
            hint="write credits=[[1, 0], [0, 1]], or take coalition_reduction(...)",
        )
