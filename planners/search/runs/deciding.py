"""From the trees of a search to its decision: roots added up, voted on, or averaged."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ....data.errors import SettingsError
from ....data.intervals import NINETY_FIVE
from ....models.game import Game
from ...viewing.starts import Starts
from ...viewing.tree_walk import TreeWalk, edges_of
from ..decision import ActionReport, Decision, LearningReport
from ..kernels.gains import COVERED, ENOUGH, UNKNOWN, gain, gain_on, says_exactly
from ..kernels.knowledge import ABSENT, ROWS, Knowledge, action_key, row_of
from ..kernels.regret_matching import regret_matching
from ..kernels.tree import NODES, totals
from ..kernels.work import EVERYTHING
from .compiled import seen_in_tree

#: A number beside the seed that a decision is drawn with: its draws are no draws of the search.
DRAWING: Final = 3

if TYPE_CHECKING:
    from .branch import Branch
    from .run_state import RunState


@dataclass
class ActionTotals:
    """The knowledge of all trees together of one action at the root.

    Attributes:
        visits: Simulations that began with it.
        total: Sum of the credits, each in [0, 1].
        backed: Sum of what was backed up: the same, or what the best actions bring.
        squares: Sum of their squares.
        votes: Trees that preferred it.
        means: Average credit in each tree, or at each root, that tried it, by its number, with the
            variance of that average.
        class_visits, class_total: By value of the hidden variable.
        gains: Bits of the action itself and of what follows, and the number of states they come
            from, by tree.
        exact: Whether the posterior said the gain of the action itself.
    """

    visits: int = 0
    total: float = 0.0
    backed: float = 0.0
    squares: float = 0.0
    votes: int = 0
    means: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    class_visits: dict[int, float] = field(default_factory=dict[int, float])
    class_total: dict[int, float] = field(default_factory=dict[int, float])
    gains: list[tuple[float, float, int]] = field(default_factory=list[tuple[float, float, int]])
    exact: bool = False


def decide(run: RunState) -> Decision:
    """The decision of a run as it stands.

    Raises:
        SettingsError: If no simulation was made yet.
        KeyboardInterrupt: If none was made because the run was interrupted before.
    """
    if run.simulations == 0:
        if run.interrupted:
            raise KeyboardInterrupt
        raise SettingsError("nothing to decide on: no simulation was made", hint="extend the run")
    rows = {int(action): ActionTotals() for action in run.actions}
    for number, branch in enumerate(run.branches):
        for root in range(branch.numbers.roots if branch.simulations else 0):
            _add(number + root, root, branch, rows)
    separate = run.search.options.trees > 0
    reports = [_report(run, action, row, separate) for action, row in rows.items()]
    order = _preference(run, max(report.visits for report in reports))
    reports.sort(key=order, reverse=True)
    policy = _mixed_policy(run, reports) if run.search.options.mixed else None
    if policy is None:
        chosen = _promising(run, reports)
        reports.remove(chosen)
        reports.insert(0, chosen)
    else:
        drawn = np.random.default_rng((run.seed, DRAWING)).choice([*policy], p=[*policy.values()])
        chosen = next(report for report in reports if report.action == drawn)
    return Decision(
        action=chosen.action,
        name=chosen.name,
        actions=tuple(reports),
        simulations=run.simulations,
        seconds=run.seconds,
        nodes=sum(int(branch.tree.used[NODES]) for branch in run.branches),
        full=run.full,
        interrupted=run.interrupted,
        seed=run.seed,
        rivals=() if policy is not None else _rivals(reports, run.search.game),
        untried=sum(not report.visits for report in reports),
        learning=_learning(run),
        gain_weight=float(run.objective.gain_weight),
        policy=policy,
        tree=_walk(run),
    )


def _mixed_policy(run: RunState, reports: Sequence[ActionReport]) -> dict[int, float]:
    """By action code how often the search took it at the root, the most frequent first.

    What regret matching took at random is left out (Lisy, Kovarik, Lanctot and Bosansky 2013,
    section 5.1): every action that is open had an equal part in it.
    """
    options = run.search.options
    tried = [report for report in reports if report.visits]
    total = sum(report.visits for report in tried)
    matching = options.selection is regret_matching
    least = options.uniform_share / len(tried) if matching else 0.0
    shares = {report.action: max(0.0, report.visits / total - least) for report in tried}
    kept = sum(shares.values())
    if kept <= 0.0:  # it took all of them equally often
        return {action: 1.0 / len(shares) for action in shares}
    return {action: share / kept for action, share in shares.items() if share > 0.0}


def _learning(run: RunState) -> LearningReport | None:
    """The way it was found out what is learned."""
    followed = [branch for branch in run.branches if branch.numbers.follow_depth > 0]
    if not followed:
        return None
    exact, estimated, unknown = (
        sum(found)
        for found in zip(
            *(how_known(branch.knowledge, branch.worlds.classes.shape[1]) for branch in followed),
            strict=True,
        )
    )
    return LearningReport(
        asked=sum(branch.asked for branch in followed),
        rows=sum(int(branch.knowledge.used[ROWS]) for branch in followed),
        sampled=any(branch.knowledge.counts.shape[1] for branch in followed),
        seconds=sum(branch.clocks.asking for branch in followed),
        exact=exact,
        estimated=estimated,
        unknown=unknown,
    )


def how_known(knowledge: Knowledge, variables: int) -> tuple[int, int, int]:
    """Of how many actions the gain is exact, of how many estimated, and of how many unknown.

    Of those that some state has taken and whose information counts; see `knowledge.gain`.
    """
    used = int(knowledge.used[ROWS])
    parents, depths, totals = (
        each[:used] for each in (knowledge.parents, knowledge.depths, knowledge.totals)
    )
    # What is known after an action is one decision deeper than the action; the root has no parent.
    taken = (parents != ABSENT) & (depths == depths[parents])
    counted = taken & (knowledge.telling[:used] != 0) & (totals > 0)
    asked = ~np.isnan(knowledge.exact[:used])
    covered = knowledge.covered[:used]
    exact = asked | ((covered > 0) & (covered >= COVERED * totals) & asked[parents])
    enough = totals * variables >= ENOUGH * knowledge.seen[:used]
    sampled = enough & (knowledge.counts.shape[1] > 0)
    return (
        int((counted & exact).sum()),
        int((counted & ~exact & sampled).sum()),
        int((counted & ~exact & ~sampled).sum()),
    )


def _walk(run: RunState) -> TreeWalk:
    """The largest tree."""
    game, options = run.search.game, run.search.options
    largest = max(run.branches, key=lambda branch: branch.simulations)
    observe = seen_in_tree(game, options)
    roots, worlds = largest.numbers.roots, largest.worlds
    if roots > 1:  # what is shown begins at the first of them
        kept = {name: getattr(worlds, name)[::roots] for name in ("states", "keys", "classes")}
        worlds = worlds._replace(**kept)
    starts = Starts(worlds, largest.numbers, observe, options.policy or game.policy)
    return TreeWalk(game, largest.tree, starts)


def _rivals(reports: Sequence[ActionReport], game: Game) -> tuple[int, ...]:
    """Codes of the actions that were tried and cannot be told from the first of them."""
    chosen, *others = reports

    def unsure(report: ActionReport) -> float:
        low, high = report.interval
        # Returns that were all alike say little where there are few: with 95 % confidence another
        # one comes up in less than 3 of n.
        return (high - low) / 2 or 3 * (game.highest - game.lowest) / report.visits

    return tuple(
        other.action
        for other in others
        if other.visits
        and not chosen.score - other.score > math.hypot(unsure(chosen), unsure(other))
    )


def _promising(run: RunState, reports: Sequence[ActionReport]) -> ActionReport:
    """The answer: the best action, or at a widened root the most promising of equals.

    Among many actions one is always lucky. So where the best cannot be told from others that were
    tried at least half as often, the one that was opened first is taken.
    """
    opening = run.branches[0].opening
    if opening is None or run.chances or run.search.options.trees:
        return reports[0]
    rivals = _rivals(reports, run.search.game)
    equals = [reports[0].action] + [
        report.action
        for report in reports[1:]
        if report.action in rivals and 2 * report.visits >= reports[0].visits
    ]
    first = next(action for action in opening.actions.tolist() if action in equals)
    return next(report for report in reports if report.action == first)


def _preference(run: RunState, most: int):
    """The key of an action in comparisons: the best one has most of it.

    Args:
        run: The run.
        most: How often the action that was taken most often was.
    """
    options = run.search.options

    def preference(report: ActionReport) -> tuple[float, ...]:
        if run.chances or (options.trees and options.combine == "average"):
            return _known(report.score), report.visits
        if options.trees:
            return report.votes, report.visits, _known(report.score)
        if options.backup == "best":  # by the rule that holds below the root, too
            return 2 * report.visits >= most, _known(report.score), report.visits
        return report.visits, _known(report.score)

    return preference


def _known(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _add(number: int, root: int, branch: Branch, rows: dict[int, ActionTotals]) -> None:
    """Add what one tree knows of one of its roots."""
    tree, work = branch.tree, branch.work
    drawn, backed = len(branch.worlds.states) // branch.numbers.roots, totals(tree)
    best: tuple[int, float] | None = None
    favourite: ActionTotals | None = None
    for place, edge in enumerate(edges_of(tree, root)):
        row = rows[int(tree.actions[edge])]
        visits, total = int(tree.edge_visits[edge]), float(tree.values[edge])
        if not visits:
            continue
        row.visits += visits
        row.total += total
        row.backed += float(backed[edge])
        row.squares += float(tree.squares[edge])
        spread = max(0.0, float(tree.squares[edge]) / visits - (total / visits) ** 2)
        row.means[number] = total / visits, spread / min(visits, drawn)
        if best is None or (visits, total / visits) > best:
            best, favourite = (visits, total / visits), row
        for value in np.flatnonzero(work.root_visits[place]).tolist():
            row.class_visits[value] = row.class_visits.get(value, 0.0) + float(
                work.root_visits[place, value]
            )
            row.class_total[value] = row.class_total.get(value, 0.0) + float(
                work.root_values[place, value]
            )
        found = information_of(branch, int(tree.actions[edge]))
        if found is not None:
            gain, later, row.exact = found
            row.gains.append((gain, later, visits))
    if favourite is not None:
        favourite.votes += 1


def information_of(branch: Branch, action: int) -> tuple[float, float, bool] | None:
    """Bits that an action at the root tells and that later decisions tell, and whether the first
    ones are exact.

    None when nobody asked, or too little is known.
    """
    if branch.numbers.follow_depth == 0 or branch.numbers.information == EVERYTHING:
        return None
    knowledge, variables = branch.knowledge, branch.worlds.classes.shape[1]
    row = row_of(knowledge, np.uint64(action_key(knowledge.keys[0], action)))
    if row == ABSENT:
        return None
    bits = float(gain(knowledge, row, variables))
    if bits == UNKNOWN:
        return None
    return bits, float(gain_on(knowledge, row, variables)) - bits, says_exactly(knowledge, row)


def _report(run: RunState, action: int, row: ActionTotals, separate: bool) -> ActionReport:
    game, objective = run.search.game, run.objective
    scale = game.highest - game.lowest
    value, low, high = math.nan, -math.inf, math.inf
    if row.visits:
        mean = row.backed / row.visits
        if run.chances:
            mean, half = _determined(run.chances, row)
        elif separate:
            means = [mean for mean, _ in row.means.values()]
            mean, half = sum(means) / len(means), _half_width(means)
        else:
            drawn = sum(len(branch.worlds.states) for branch in run.branches)
            half = _pooled_half_width(row, drawn)
        value = game.lowest + scale * mean
        low, high = value - scale * half, value + scale * half
    bits, later = objective.exact.get(action), 0.0
    exact = bits is not None or row.exact
    if row.gains:
        states = sum(visits for _, _, visits in row.gains)
        later = sum(after * visits for _, after, visits in row.gains) / states
        telling = objective.telling
        if bits is None and (telling is None or action in telling):
            bits = sum(gain * visits for gain, _, visits in row.gains) / states
    information = objective.gain_weight * ((bits or 0.0) + later)
    return ActionReport(
        action=action,
        name=game.action_name(action),
        visits=row.visits,
        value=value,
        interval=(low, high),
        gain=bits,
        exact=exact and bits is not None,
        later=later,
        information=information,
        score=value + information,
        votes=row.votes,
        values_by_class=_by_class(objective.class_names, row, game.lowest, scale),
    )


def _determined(chances: Sequence[float], row: ActionTotals) -> tuple[float, float]:
    """The average over ways by their chances, and half of its interval.

    Not a number when a way that can be was not tried with this action.
    """
    mean = variance = 0.0
    for number, chance in enumerate(chances):
        if chance > 0.0:
            average, error = row.means.get(number, (math.nan, math.nan))
            mean += chance * average
            variance += chance**2 * error
    return mean, NINETY_FIVE * math.sqrt(variance) if not math.isnan(variance) else math.inf


def _half_width(means: Sequence[float]) -> float:
    """Half of the interval of an average over separate trees, each one observation."""
    count = len(means)
    if count < 2:
        return math.inf
    special = cast(Any, import_module("scipy.special"))
    return float(special.stdtrit(count - 1, 0.975)) * statistics.stdev(means) / math.sqrt(count)


def _pooled_half_width(row: ActionTotals, drawn: int) -> float:
    """Half of the interval of an average over simulations from ``drawn`` states.

    Simulations from the same state are no new observations of what the belief holds, so no more
    observations are counted than there are states.
    """
    if row.visits < 2:
        return math.inf
    mean = row.total / row.visits
    spread = max(0.0, row.squares / row.visits - mean**2) * row.visits / (row.visits - 1)
    return NINETY_FIVE * math.sqrt(spread / min(row.visits, drawn))


def _by_class(
    names: Sequence[str], row: ActionTotals, lowest: float, scale: float
) -> dict[str, float]:
    if not names:
        return {}
    return {
        names[value]: lowest + scale * row.class_total[value] / visits
        for value, visits in sorted(row.class_visits.items())
    }
