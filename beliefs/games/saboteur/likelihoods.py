"""Models of behaviour: evidence of actions on roles, and of words on roles and gold.

A model turns a `Sign`, or what was said, into a `Weight`: log-likelihoods on the roles of some
players, and on the place of the gold. A belief multiplies them as evidence; an additive score adds
them up. These are the same: P(world) is proportional to exp(score).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple, Protocol

import numpy as np

from ....data.files import read_table
from ....models.game import HIDDEN
from ....models.saboteur.signs import AGREED, CONTRADICTED, ROWS, SAID_FALSE, SAID_TRUE
from ....models.saboteur.state import GOALS, GOLD, MINER, SABOTEUR
from ...arrays.layout import Floats, Integers

Reading = Literal["both", "apart"]


class Sign(NamedTuple):
    """A public observation, as far as it says something about who did it.

    Attributes:
        row: The row of the table `action_likelihoods.csv`.
        double: Whether it counts double.
        player: Who did it.
        other: The other player it is about; -1 for none.
        about: The action in numbers, on its first sign, see `learned.py`.
    """

    row: int
    double: bool
    player: int
    other: int = -1
    about: tuple[float, ...] = ()


class GoalClaim(NamedTuple):
    """A player's words on a goal: that it is the gold, or that it is a stone.

    >>> from sleuth.games.saboteur import GoalClaim
    >>> GoalClaim(player=1, goal=0, gold=False).truth.tolist()
    [0, 1, 1]
    """

    player: int
    goal: int
    gold: bool

    @property
    def truth(self) -> Integers:
        """For each goal 1 if it is true where the gold is there, else 0."""
        return ((np.arange(GOALS) == self.goal) == self.gold) * 1


class Weight(NamedTuple):
    """An observation's weights for worlds.

    Attributes:
        players: One or two players.
        logs: Log-likelihoods by their roles (0 miner, 1 saboteur), an axis for each; with one
            more axis, also by the goal where the gold is.

    >>> import numpy as np
    >>> from sleuth.games.saboteur import Weight
    >>> Weight((1,), np.zeros(2)).of_gold, Weight((1,), np.zeros((2, 3))).of_gold
    (False, True)
    """

    players: tuple[int, ...]
    logs: Floats

    @property
    def of_gold(self) -> bool:
        """True if it depends on the place of the gold, too."""
        return self.logs.ndim > len(self.players)


class ActionModel(Protocol):
    """The evidence of behaviour: one that was learned has the same two methods.

    This one trusts words alone: a miner's are ten times as likely where they are true.

    >>> import numpy as np
    >>> import sleuth
    >>> from sleuth.games.saboteur import ActionModel, GoalClaim, SaboteurBelief, Sign, Weight
    >>> class Trust(ActionModel):
    ...     def of_action(self, sign):
    ...         return Weight((sign.player,), np.zeros(2))  # a miner, a saboteur
    ...
    ...     def of_words(self, claims, goals, viewer):
    ...         return [
    ...             Weight((claim.player,), np.log([1 + 9 * claim.truth, [5, 5, 5]]))
    ...             for claim in claims
    ...         ]
    >>> model = Trust()
    >>> model.of_action(Sign(row=0, double=False, player=2)).logs.tolist()
    [0.0, 0.0]
    >>> claim, unknown = GoalClaim(player=1, goal=0, gold=True), [sleuth.HIDDEN] * 3
    >>> np.exp(model.of_words([claim], unknown, viewer=0)[0].logs).round().tolist()
    [[10.0, 1.0, 1.0], [5.0, 5.0, 5.0]]
    >>> SaboteurBelief(model=model).model is model
    True
    """

    def of_action(self, sign: Sign) -> Weight:
        """The weight of an action for roles."""
        ...

    def of_words(
        self, claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
    ) -> list[Weight]:
        """The weights of all claims to somebody who knows some goals.

        Args:
            claims: What was said, in order.
            goals: Which card each goal is, ``HIDDEN`` where the viewer does not know.
            viewer: To whom.
        """
        ...


#: The worlds that a pattern of the table speaks for: by the roles of its one or two players.
PATTERNS: Final[dict[str, Floats]] = {
    "M(i)": np.array([1.0, 0.0]),
    "S(i)": np.array([0.0, 1.0]),
    "R(i=j)": np.eye(2),
    "R(i!=j)": 1 - np.eye(2),
    "R(i!=k)": 1 - np.eye(2),
    "not(M(i) and M(j))": np.array([[0.0, 1.0], [1.0, 1.0]]),
    "none": np.zeros(2),
}
#: Those of them that speak against somebody.
SUSPICIOUS: Final = ("S(i)", "R(i!=j)", "R(i!=k)", "not(M(i) and M(j))")


class LikelihoodRow(NamedTuple):
    """A row of the table."""

    pattern: str
    strong: bool
    log_ratio: float


@cache
def rows() -> tuple[LikelihoodRow, ...]:
    """The table of `action_likelihoods.csv`; by the numbers of the rows."""
    found = [
        LikelihoodRow(row["pattern"], row["level"] in ("++", "hard"), float(row["llr_nats"] or 0.0))
        for row in read_table("saboteur", "action_likelihoods.csv")
    ]
    assert len(found) == ROWS
    return tuple(found)


def _players(sign: Sign) -> tuple[int, ...]:
    return (sign.player, sign.other)[: PATTERNS[rows()[sign.row].pattern].ndim]


@dataclass(frozen=True)
class TableModel:
    """The likelihoods of the table. A player who speaks of a goal speaks of roles and gold at once.

    A miner's word is so much likelier where it is true as the table says of one that was checked,
    and so much less where it is false; a saboteur's may be either. That two players agree or
    contradict each other follows, and is not counted again.
    """

    def of_action(self, sign: Sign) -> Weight:
        """The log-likelihood ratio of its row."""
        row = rows()[sign.row]
        ratio = row.log_ratio * (1 + sign.double)
        return Weight(_players(sign), ratio * PATTERNS[row.pattern])

    def of_words(
        self, claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
    ) -> list[Weight]:
        """For each claim, how likely a miner and a saboteur say so, by where the gold is."""
        miner = -rows()[SAID_FALSE].log_ratio, rows()[SAID_TRUE].log_ratio
        logs = np.array([miner, (0.0, 0.0)])
        return [Weight((claim.player,), logs[:, claim.truth]) for claim in claims]


@dataclass(frozen=True)
class AdditiveModel:
    """The scheme of "Saboteurs" (2012): a constant step for each event.

    Attributes:
        factor: How much stronger disbelief is than belief.
        step: What a slight change adds; a strong one adds twice as much.
        reading: The paper's chart is lost. ``both``: what fits the pattern gains, and what does not
            loses. ``apart``: what speaks for somebody adds to what fits, and says nothing of the
            rest; what speaks against somebody only takes from what does not fit.

    >>> import sleuth
    >>> from sleuth.games.saboteur import AdditiveModel, GoalClaim, Sign
    >>> model = AdditiveModel(factor=5.0)
    >>> model.of_action(Sign(row=0, double=False, player=2)).logs.tolist()  # a miner, a saboteur
    [1.0, -5.0]
    >>> claims = [GoalClaim(1, goal=0, gold=True), GoalClaim(2, goal=0, gold=False)]
    >>> said = model.of_words(claims, [sleuth.HIDDEN] * 3, viewer=0)
    >>> [(weight.players, weight.logs.tolist()) for weight in said]
    [((2, 1), [[-10.0, 2.0], [2.0, 2.0]])]
    """

    factor: float = 1.5
    step: float = 1.0
    reading: Reading = "both"

    def of_action(self, sign: Sign) -> Weight:
        """The weight it adds."""
        row = rows()[sign.row]
        step = self.step * (2.0 if row.strong or sign.double else 1.0) * (row.log_ratio != 0.0)
        gain, loss = step, self.factor * step
        if self.reading == "apart":
            gain, loss = (0.0, loss) if row.pattern in SUSPICIOUS else (gain, 0.0)
        logs: Any = np.where(PATTERNS[row.pattern] == 1.0, gain, -loss)
        return Weight(_players(sign), logs)

    def of_words(
        self, claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
    ) -> list[Weight]:
        """The weights that agreement, contradiction, and words about known goals add."""
        return [self.of_action(sign) for sign in signs_of_words(claims, goals, viewer)]


def signs_of_words(
    claims: Sequence[GoalClaim], goals: Sequence[int], viewer: int
) -> Iterable[Sign]:
    """The signs of claims against others' claims, and against what somebody knows of the goals.

    Nobody needs to check their own words.
    """
    for place, claim in enumerate(claims):
        for earlier in claims[:place]:
            if earlier.player == claim.player:
                continue
            if earlier.goal == claim.goal:
                row = AGREED if earlier.gold == claim.gold else CONTRADICTED
                yield Sign(row, False, claim.player, earlier.player)
            elif earlier.gold and claim.gold:
                yield Sign(CONTRADICTED, False, claim.player, earlier.player)
        if claim.player != viewer and goals[claim.goal] != HIDDEN:
            true = (goals[claim.goal] == GOLD) == claim.gold
            yield Sign(SAID_TRUE if true else SAID_FALSE, False, claim.player)


# -- worlds of roles


def role_worlds(players: int, saboteurs: int, *, spare: bool) -> Integers:
    """Every deal of the roles: for each the role of every player, shape (worlds, players).

    Args:
        players: How many there are.
        saboteurs: Of the role cards.
        spare: Whether a role card is left over.

    >>> from sleuth.games.saboteur import role_worlds
    >>> role_worlds(3, 1, spare=True).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    chosen = list(itertools.combinations(range(players + spare), saboteurs))
    found = np.full((len(chosen), players + spare), MINER)
    for world, holders in enumerate(chosen):
        found[world, list(holders)] = SABOTEUR
    return found[:, :players]


def on_worlds(weight: Weight, roles: Integers) -> Floats:
    """A weight that does not depend on the gold, for each world of `role_worlds`."""
    return np.asarray(weight.logs[tuple(roles[:, player] for player in weight.players)])
