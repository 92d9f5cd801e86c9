"""What a search found: the action, and per action how often, how good, and how telling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .walk import Walk, principal_lines

#: Standard deviations on either side of a mean that hold 95 % of a normal distribution.
NINETY_FIVE = 1.959963984540054


@dataclass(frozen=True, kw_only=True)
class ActionReport:
    """One legal action at the root.

    Attributes:
        action: Its code.
        name: What the game calls it.
        visits: Simulations that began with it.
        value: Average return of those for the player who searches, in the game's own units; NaN
            when there were none. With credits shared among players it is in those units.
        interval: 95 % confidence interval of the value: from the spread of the returns, with no
            more observations than states were drawn; for separate trees from the spread of the
            trees. It says nothing of how right the belief is, or how well the others play.
        gain: Expected information in bits about the variable of the objective; None if not asked,
            or not known yet.
        score: Value plus weighted gain: what the objective says.
        votes: Trees that preferred it (separate trees).
        values_by_class: Average return by value of the hidden variable, where there are any.
    """

    action: int
    name: str
    visits: int
    value: float
    interval: tuple[float, float]
    gain: float | None
    score: float
    votes: int
    values_by_class: Mapping[str, float]


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
        tree: The largest tree, to be walked through, summarised and drawn. It is the search's
            own: when the run goes on, it grows.
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
    tree: Walk = field(repr=False, compare=False)

    @cached_property
    def lines(self) -> tuple[tuple[str, ...], ...]:
        """Principal lines: the three most visited actions, each with what mostly followed."""
        best = [report.action for report in self.actions[:3] if report.visits]
        return principal_lines(self.tree, best)

    def __getitem__(self, action: int) -> ActionReport:
        """The report on one action code."""
        for report in self.actions:
            if report.action == action:
                return report
        raise KeyError(action)

    def as_json(self) -> dict[str, Any]:
        """The decision as plain values, for ``json.dumps``."""
        return {
            "action": self.action,
            "name": self.name,
            "simulations": self.simulations,
            "seconds": self.seconds,
            "nodes": self.nodes,
            "full": self.full,
            "interrupted": self.interrupted,
            "seed": self.seed,
            "lines": [list(line) for line in self.lines],
            "actions": [
                {
                    "action": report.action,
                    "name": report.name,
                    "visits": report.visits,
                    "value": report.value if report.visits else None,
                    "interval": list(report.interval) if report.visits else None,
                    "gain": report.gain,
                    "score": report.score if report.visits else None,
                    "votes": report.votes,
                    "values_by_class": dict(report.values_by_class),
                }
                for report in self.actions
            ],
        }

    def summary(self, most: int = 10) -> str:
        """The best actions as a table of text."""
        gains = any(report.gain is not None for report in self.actions)
        head = ["action", "visits", "value", "95 % interval", *(["bits"] if gains else [])]
        rows = [head]
        for report in self.actions[:most]:
            low, high = report.interval
            rows.append(
                [
                    report.name,
                    str(report.visits),
                    f"{report.value:.3f}" if report.visits else "-",
                    f"{low:.3f} to {high:.3f}" if report.visits else "-",
                    *(["-" if report.gain is None else f"{report.gain:.3f}"] if gains else []),
                ]
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        lines = [
            "  ".join(
                cell.ljust(width) if column == 0 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        if len(self.actions) > most:
            lines.append(f"and {len(self.actions) - most} more")
        end = f"{self.simulations} simulations in {self.seconds:.2f} s, {self.nodes} nodes"
        if self.full:
            end += "; the tree reached its most nodes"
        if self.interrupted:
            end += "; stopped early"
        return "\n".join([*lines, end])
