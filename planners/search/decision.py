"""Findings of a search: the action, and each action's visits, value and information."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...data.tables import aligned, html_note, html_shown, html_table
from ..viewing.lines import principal_lines
from ..viewing.tree_walk import TreeWalk

if TYPE_CHECKING:
    import pandas

#: Rivals of an answer that are named.
RIVALS = 3
#: Actions of a mixed policy that are named, and the share of one that is not worth naming.
MIXED = 5
RARE = 0.005


@dataclass(frozen=True, kw_only=True)
class ActionReport:
    """One legal action at the root.

    Attributes:
        action: Its code.
        name: What the game calls it.
        visits: Simulations that began with it.
        value: Average return of those for the player who searches, in the game's own units; NaN
            when there were none, or the search keeps no averages. With credits shared among
            players it is in those units.
        interval: 95 % confidence interval of the value: from the spread of the returns, with no
            more observations than states were drawn; for separate trees from the spread of the
            trees; NaN where nobody works it out. It says nothing of how right the belief is, or
            how well the others play.
        gain: Expected information of the action itself, in bits about the variable of the
            objective; None if not asked, or not known yet.
        exact: Whether the posterior said so, and not the states that passed.
        later: Expected information of the player's decisions after it, in bits; 0 if not known.
        information: What the information is worth, its own and later, in the game's own units:
            `Decision.gain_weight` times both.
        score: Value plus that: what the objective says.
        votes: Trees that preferred it (separate trees).
        values_by_class: Average return by value of the hidden variable, where there are any.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player = sleuth.agent("mcts:simulations=50", "kuhn_poker", seed=1)
    >>> best = player.decision(play.view(0), play.seen_by(0)).actions[0]
    >>> best.name, best.visits, best.interval[0] <= best.value <= best.interval[1]
    ('pass', 34, True)
    """

    action: int
    name: str
    visits: int
    value: float
    interval: tuple[float, float]
    gain: float | None
    exact: bool = False
    later: float = 0.0
    information: float = 0.0
    score: float
    votes: int
    values_by_class: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class LearningReport:
    """The way a search found out what its player would learn.

    Attributes:
        asked: How often the posterior was asked about something that the player may come to know.
        rows: How many there are in the search, actions included.
        sampled: Whether the others were estimated from the states that passed.
        seconds: Wall-clock time that asking took.
        exact: Of how many actions in the search, at the root and below, the posterior said what
            they tell.
        estimated: Of how many that was estimated from the states that passed.
        unknown: Of how many it is not known; actions whose information does not count are in none
            of these.
    """

    asked: int
    rows: int
    sampled: bool
    seconds: float
    exact: int = 0
    estimated: int = 0
    unknown: int = 0


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The answer of a search.

    Attributes:
        action: The code of the chosen action.
        name: What the game calls it.
        actions: All legal actions, the best first.
        simulations: How many were made.
        seconds: Wall-clock time they took.
        nodes: Nodes of all trees.
        full: Whether a tree reached its most nodes, so that it grew no more.
        interrupted: Whether the search was stopped before its budget was used.
        seed: The seed it can be made again with.
        rivals: Codes of other actions that it tried and cannot tell from the chosen one, the best
            first: the chosen one's score is not above theirs by more than both intervals allow.
        untried: How many legal actions it did not try.
        learning: How it found out what is learned; None where nobody asked.
        gain_weight: What a bit was worth, in the game's own units.
        policy: By action code the probabilities that the action was drawn with; they add up to 1,
            and what is not in it is never played. None for a search that takes what is best.
        caveat: What its policy is not, in words, such as why it need not come to an equilibrium;
            empty for nothing to say.
        tree: The largest tree, to be walked through, summarised and drawn. It is the search's
            own: when the run goes on, it grows.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player = sleuth.agent("mcts:simulations=50,gain=0.1", "kuhn_poker", seed=1)
    >>> decision = player.decision(play.view(0), play.seen_by(0))
    >>> decision.name, decision[decision.action].visits, sorted(decision.gains)
    ('pass', 33, [0, 1])
    >>> print(decision.summary(most=1).splitlines()[1])
    pass        33  -1.182  -1.315 to -1.048  0.351  0.000  -1.147
    >>> decision.lines[0][0], decision.to_json()["simulations"], len(decision.to_frame())
    ('first: pass', 50, 2)
    >>> decision.doubt(names={0: "to pass", 1: "to bet"})
    "the search cannot tell 'to pass' from 'to bet'"
    """

    action: int
    name: str
    actions: tuple[ActionReport, ...]
    simulations: int
    seconds: float
    nodes: int
    full: bool
    interrupted: bool
    seed: int
    rivals: tuple[int, ...]
    untried: int
    learning: LearningReport | None = None
    gain_weight: float = 0.0
    policy: Mapping[int, float] | None = None
    caveat: str = ""
    tree: TreeWalk = field(repr=False, compare=False)

    @property
    def gains(self) -> dict[int, float]:
        """By action code the expected information in bits, where it was asked for and is known."""
        return {each.action: each.gain for each in self.actions if each.gain is not None}

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Principal lines: the three most visited actions, with what mostly followed each.

        Each can be played in one of the states that the search began with.
        """
        best = [report.action for report in self.actions[:3] if report.visits]
        return principal_lines(self.tree, best)

    def doubt(self, names: Mapping[int, str] | None = None) -> str:
        """The search's doubt about its answer, in one sentence; empty if there is none.

        Without a capital and a full stop.

        Args:
            names: What actions are called, by their codes; None for what the game calls them.
        """
        known = {report.action: report.name for report in self.actions} | dict(names or {})
        said: list[str] = []
        if self.rivals:
            more = len(self.rivals) - RIVALS
            named = [f"'{known[rival]}'" for rival in self.rivals[:RIVALS]]
            if more > 0:
                rivals = f"{', '.join(named)} and {more} more"
            else:
                rivals = " or ".join(filter(None, (", ".join(named[:-1]), named[-1])))
            said.append(f"the search cannot tell '{known[self.action]}' from {rivals}")
        if self.untried:
            who = "it" if said else "the search"
            said.append(f"{who} did not try {self.untried} of {len(self.actions)} actions")
        return "; ".join(said)

    def mixture(self, names: Mapping[int, str] | None = None, most: int = MIXED) -> str:
        """The mixed policy and what was drawn from it, in words; empty if there is none.

        Without a capital and a full stop, the likeliest first.

        Args:
            names: What actions are called, by their codes; None for what the game calls them.
            most: So many actions are named; of them only those that are played now and then.

        >>> import sleuth
        >>> from dataclasses import replace
        >>> play = sleuth.Play.new("kuhn_poker", seed=1)
        >>> player = sleuth.agent("mcts:simulations=50", "kuhn_poker", seed=1)
        >>> best = player.decision(play.view(0), play.seen_by(0))
        >>> best.mixture(), replace(best, policy={0: 0.67, 1: 0.33}).mixture()
        ('', 'plays pass 0.67, bet 0.33; drawn: pass')
        """
        if self.policy is None:
            return ""
        known = {report.action: report.name for report in self.actions} | dict(names or {})
        ranked = sorted(self.policy.items(), key=lambda item: -item[1])
        played = [(action, share) for action, share in ranked if share >= RARE] or ranked
        named = [f"{known[action]} {share:.2f}" for action, share in played[:most]]
        if len(played) > most:
            rest = sum(share for _, share in played[most:])
            named.append(f"and {len(played) - most} more {rest:.2f}")
        return f"plays {', '.join(named)}; drawn: {known[self.action]}"

    def __getitem__(self, action: int) -> ActionReport:
        """The report on one action code."""
        for report in self.actions:
            if report.action == action:
                return report
        raise KeyError(action)

    def to_json(self) -> dict[str, Any]:
        """The decision as plain values, for ``json.dumps``.

        A mixed policy stands in it by the names of actions; ``policy`` is left out if there is
        none.
        """
        mixed = self.policy
        named = {} if mixed is None else {self[code].name: share for code, share in mixed.items()}
        return {
            "action": self.action,
            "name": self.name,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "full": self.full,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "rivals": [self[rival].name for rival in self.rivals],
            "untried": self.untried,
            "learning": None if self.learning is None else asdict(self.learning),
            "gain_weight": self.gain_weight,
            **({} if mixed is None else {"policy": named}),
            **({"caveat": self.caveat} if self.caveat else {}),
            "lines": [list(line) for line in self.lines],
            "actions": [
                {
                    "action": report.action,
                    "name": report.name,
                    "visits": report.visits,
                    "value": _known(report, report.value),
                    "interval": _bounds(report),
                    "gain": report.gain,
                    "exact": report.exact,
                    "later": report.later,
                    "information": report.information,
                    "score": _known(report, report.score),
                    "votes": report.votes,
                    "values_by_class": dict(report.values_by_class),
                }
                for report in self.actions
            ],
        }

    def summary(self, most: int = 10) -> str:
        """The best actions as a table of text."""
        lines = aligned([self._heads, *map(self._row, self.actions[:most])])
        if len(self.actions) > most:
            lines.append(f"and {len(self.actions) - most} more")
        return "\n".join([*lines, *self._notes()])

    def to_frame(self) -> pandas.DataFrame:
        """One row an action, the best first: what `ActionReport` says; NaN for no number.

        With a mixed policy its probabilities stand in a column of their own.
        """
        import pandas

        mixed = self.policy

        return pandas.DataFrame(
            [
                {
                    "action": report.action,
                    "name": report.name,
                    "visits": report.visits,
                    "value": report.value,
                    "low": report.interval[0],
                    "high": report.interval[1],
                    "gain": report.gain,
                    "exact": report.exact,
                    "later": report.later,
                    "information": report.information,
                    "score": report.score,
                    "votes": report.votes,
                    **({} if mixed is None else {"policy": mixed.get(report.action, 0.0)}),
                }
                for report in self.actions
            ]
        )

    def _repr_html_(self) -> str:
        most = 10
        left = len(self.actions) - most
        notes = [*([f"and {left} more"] if left > 0 else []), *self._notes()]
        rows = [self._row(report) for report in self.actions[:most]]
        table = html_table(self._heads, rows, caption=f"Decision: {self.name}")
        return html_shown(table, *map(html_note, notes))

    @property
    def _gains(self) -> bool:
        return any(report.gain is not None or report.later for report in self.actions)

    @property
    def _heads(self) -> list[str]:
        bits = ["bits", "later", "score"] if self._gains else []
        return ["action", "visits", "value", "95 % interval", *bits]

    def _row(self, report: ActionReport) -> list[str]:
        """An action as people read it."""
        low, high = report.interval
        gain = "-" if report.gain is None else f"{report.gain:.3f}"
        value, score = (
            "-" if _known(report, number) is None else f"{number:.3f}"
            for number in (report.value, report.score)
        )
        return [
            report.name,
            str(report.visits),
            value,
            "-" if value == "-" or math.isnan(low) else f"{low:.3f} to {high:.3f}",
            *([gain, f"{report.later:.3f}", score] if self._gains else []),
        ]

    def _notes(self) -> list[str]:
        """The search's work, and what it could not find out."""
        end = f"{self.simulations} simulations in {self.seconds:.2f} s, {self.nodes} nodes"
        if self.full:
            end += "; the tree reached its most nodes"
        if self.interrupted:
            end += "; stopped early"
        notes = [self.mixture(), end, self._learned(), self.doubt(), self.caveat]
        return [*filter(None, notes)]

    def _learned(self) -> str:
        """The worth of a bit, and the origin of the actions' gains; empty if nobody asked."""
        if not self._gains:
            return ""
        said = f"a bit counts {self.gain_weight:g}"
        how = self.learning
        if how is None:
            return said
        return (
            f"{said}; of what actions tell, {how.exact} are exact, {how.estimated} estimated and "
            f"{how.unknown} unknown; the posterior was asked {how.asked} times "
            f"in {how.seconds:.2f} s"
        )


def _known(report: ActionReport, number: float) -> float | None:
    """A number about an action; None where the search found none."""
    return number if report.visits and not math.isnan(number) else None


def _bounds(report: ActionReport) -> list[float] | None:
    """The interval; None where nothing is known of it, as of one return."""
    low, high = report.interval
    return [low, high] if report.visits and math.isfinite(high - low) else None
