"""The JSON of findings that are no statements, such as a search's decision, or a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ....planners.checking.fault_report import FaultReport
from ....planners.checking.findings import CHECKS, Finding
from ....planners.search.decision import LearningReport
from ..judging.judgement import Judgement
from ..judging.stated_files import StatedForm

Interval = tuple[float, float]
"""A 95 % confidence interval."""


@dataclass(frozen=True)
class ActionForm:
    """One legal action, see `ActionReport`; what was not tried or valued has no value and no score.

    Attributes:
        action: Its code.
        name: What the game calls it.
        visits: Simulations that began with it.
        value: Their mean return for the player who searches, in the game's own units.
        interval: 95 % confidence interval of the value; null if one return or none is known.
        gain: Expected information of the action itself, in bits; null if it is not known.
        exact: Whether the posterior said so.
        later: Expected information of the player's decisions after it, in bits.
        information: What both are worth, in the game's own units.
        score: Value plus that.
        votes: Trees that preferred it.
        values_by_class: Mean return by value of the hidden variable, where there are any.
    """

    action: int
    name: str
    visits: int
    value: float | None
    interval: tuple[float, float] | None
    gain: float | None
    exact: bool
    later: float
    information: float
    score: float | None
    votes: int
    values_by_class: Mapping[str, float]


@dataclass(frozen=True)
class DecisionForm:
    """The plain data that `Decision.to_json` gives.

    Attributes:
        action: The code of the chosen action.
        name: What the game calls it.
        simulations: How many were made.
        seconds: Wall-clock time they took.
        nodes: Nodes of all trees.
        full: Whether a tree reached its most nodes.
        interrupted: Whether the search was stopped before its budget was used.
        seed: The seed it can be made again with.
        rivals: Names of other actions that it cannot tell from the chosen one.
        untried: How many legal actions it did not try.
        learning: How it found out what is learned; null where nobody asked.
        gain_weight: What a bit was worth, in the game's own units.
        lines: The best actions, each with what mostly followed, by their names.
        actions: All legal actions, the best first.
        policy: By the names of actions the probabilities that the action was drawn with; left out
            or null for a search that takes what is best.
        caveat: What the policy is not, in words; left out or null for nothing to say.
    """

    action: int
    name: str
    simulations: int
    seconds: float
    nodes: int
    full: bool
    interrupted: bool
    seed: int
    rivals: tuple[str, ...]
    untried: int
    learning: LearningReport | None
    gain_weight: float
    lines: tuple[tuple[str, ...], ...]
    actions: tuple[ActionForm, ...]
    policy: Mapping[str, float] | None = None
    caveat: str | None = None


@dataclass(frozen=True)
class BeliefCheck:
    """The comparisons of a belief with what happened in random games.

    Attributes:
        plays: Random games.
        events: Events after which the belief was compared with what it was before.
        comparisons: Numbers that were compared in all.
        skipped: Events that too few of the imagined states would have led to.
        checks: The checks that were made.
    """

    plays: int
    events: int
    comparisons: int
    skipped: int
    checks: tuple[str, ...]


@dataclass(frozen=True)
class PlaceForm:
    """The place of a fault, as far as it can be known.

    Attributes:
        kernel: The kernel, or the method of the belief; null where it is none.
        field: The field of the state; null where it is none.
        file: The file of the code; null where nobody knows.
        line: The line in it, from 1; null where nobody knows.
        moment: The play, its seed and the move at which it was found; null where it is none.
    """

    kernel: str | None
    field: str | None
    file: str | None
    line: int | None
    moment: str | None


@dataclass(frozen=True)
class FindingForm:
    """One fault of a game, however often it was met.

    Attributes:
        check: The name of the check that found it: one of the page on games of your own.
        meaning: What that check looks at.
        message: What is wrong.
        place: Where.
        value: The offending value: a number, words, or a list of them; null for none.
        hint: What to write instead; null where nothing can be said.
        times: How often it was met.
        follows: The check of an earlier finding from which this one may follow: mend that first;
            null for none.
    """

    check: str
    meaning: str
    message: str
    place: PlaceForm
    value: Any
    hint: str | None
    times: int
    follows: str | None


@dataclass(frozen=True)
class GameCheck:
    """The check of a game, as ``sleuth check --json`` says it.

    Attributes:
        game: The game's name; what it was asked for by, where it cannot be opened.
        plays: Random games.
        moves: Moves in all of them.
        longest: Moves of the longest.
        checks: The checks that were made.
        belief: What was compared of its belief; null where nothing is hidden, or it was left out.
        version: Of sleuth.
        findings: Each fault once, in the order in which they were found; none in a game in order.
    """

    game: str
    plays: int
    moves: int
    longest: int
    checks: tuple[str, ...]
    belief: BeliefCheck | None
    version: str
    findings: tuple[FindingForm, ...]


@dataclass(frozen=True)
class MatchForm:
    """The result of a match, as ``sleuth match --json`` says it.

    Of two teams there is one more key, named after the second, such as ``seekers_win_rate``: how
    often it won.

    Attributes:
        game: The game's name.
        agents: Their names, in the order of the roles in the first game.
        games: How many count.
        wins: Games that each agent won alone, or with a side that was dealt in secret.
        win_rate: The share of all games.
        intervals: Its interval.
        seconds: Wall-clock time.
        seed: Of all chance.
        first: The number of the first game.
        shared: Games that nobody won alone.
        score: The win rate if a game that k agents shared counts 1/k.
        mean_return: In the game's own units.
        return_intervals: Its interval; null where nothing says how much others would differ.
        roles: Who played each role in the first game.
        swap: Whether agents change seats from game to game.
        series: Games of a series.
        verdict: The better agent, or ``equal``; null where no test was made, or it is open.
        version: Of sleuth.
        interval: Of the second team's win rate; only with two teams.
    """

    __pydantic_config__: ClassVar[Any] = {"extra": "allow"}

    game: str
    agents: tuple[str, ...]
    games: int
    wins: Mapping[str, int]
    win_rate: Mapping[str, float]
    intervals: Mapping[str, Interval]
    seconds: float
    seed: int
    first: int
    shared: int
    score: Mapping[str, float]
    mean_return: Mapping[str, float]
    return_intervals: Mapping[str, Interval | None]
    roles: Mapping[str, str]
    swap: bool
    series: int
    verdict: str | None
    version: str
    interval: Interval | None = None


@dataclass(frozen=True)
class ExploitabilityForm:
    """The distance of a policy from an equilibrium, in the game's own units.

    Attributes:
        exploitability: What a best response wins, on average over all seats.
        nash_conv: The same of all seats together.
        values: What each player gets when all keep to the policy, by role.
        responses: What each gets by the best response to the others, by role.
    """

    exploitability: float
    nash_conv: float
    values: Mapping[str, float]
    responses: Mapping[str, float]


@dataclass(frozen=True)
class SolutionForm:
    """A game that was learned from the deal on, as ``sleuth solve --json`` says it.

    Attributes:
        game: The game's name.
        settings: Its settings.
        method: How it was sampled.
        simulations: Iterations in all.
        nodes: Information sets in memory, over all workers.
        seconds: Wall-clock seconds in all, without compiling.
        cpu_seconds: Seconds of the processor in all.
        workers: Threads.
        seed: Of all draws.
        interrupted: Whether it was stopped before its budget was used up.
        full: Whether the memory reached its most nodes.
        guaranteed: Whether this comes to an equilibrium: two players play for one sum.
        exploitability: How far from it the policy is; null where nobody worked it out.
        unknown: Why nobody did; null if somebody did, or it was not asked for.
        file: Where it is kept; null for nowhere.
        version: Of sleuth.
    """

    game: str
    settings: Mapping[str, Any]
    method: str
    simulations: int
    nodes: int
    seconds: float
    cpu_seconds: float
    workers: int
    seed: int
    interrupted: bool
    full: bool
    guaranteed: bool
    exploitability: ExploitabilityForm | None
    unknown: str | None
    file: str | None
    version: str


@dataclass(frozen=True)
class MethodForm:
    """One method beside the exact one; null where a number has no meaning.

    Attributes:
        kl_bits: Kullback-Leibler divergence from the exact answer.
        tv: Total variation distance from it.
        max_marginal_error: The largest error of a marginal probability.
        ess: Effective sample size.
        rhat: Convergence of several chains.
        seconds: Wall-clock time.
        peak_mb: The most memory that it had.
    """

    kl_bits: float | None
    tv: float | None
    max_marginal_error: float | None
    ess: float | None
    rhat: float | None
    seconds: float | None
    peak_mb: float | None


@dataclass(frozen=True)
class ComparisonForm:
    """Several methods on the same evidence, as ``sleuth compare --json`` says it.

    Attributes:
        exact: The method that gave the exact answer.
        methods: The numbers of each, by its name.
    """

    exact: str
    methods: Mapping[str, MethodForm]


@dataclass(frozen=True)
class CalibrationForm:
    """The line through log odds of what was predicted and of what happened; null for none.

    Attributes:
        slope: 1 where predictions are as bold as they may be, less where they are too bold.
        intercept: 0 where they are neither too high nor too low.
    """

    slope: float | None
    intercept: float | None


@dataclass(frozen=True)
class ScoresForm:
    """The scores of predictions; null for what is not a number.

    Attributes:
        auc: Area under the ROC curve.
        auc_interval: Its 95 % interval.
        brier: Brier score.
        log_loss: In nats.
        tpr: True positive rate at one half.
        tnr: True negative rate there.
        g_mean: The geometric mean of both.
        calibration: Whether probabilities are what they say.
    """

    auc: float | None
    auc_interval: tuple[float | None, float | None]
    brier: float | None
    log_loss: float | None
    tpr: float | None
    tnr: float | None
    g_mean: float | None
    calibration: CalibrationForm


@dataclass(frozen=True)
class TrainingForm:
    """The report of a training, as ``sleuth train --json`` and ``NAME.report.json`` say it.

    Attributes:
        model: The first model.
        target: What was predicted.
        rows: The rows used.
        players: How many players acted in them.
        judged: Rows that scores are taken on.
        left_out: Other rows, by why not.
        protocols: Scores of the first model by protocol.
        models: Scores by model and protocol.
        baselines: Scores of what is simpler.
        gains: How much more AUC the first model has than each baseline, with its 95 % interval.
        spread: How much players differ, in log odds.
        adapted: Scores when players get to be known during a match; null where nobody knows how.
        ceilings: How well it can be predicted at all; null if nobody knows.
        findings: What the game adds, by its name.
        source: Of the rows.
        warnings: What to mind.
        seed: Of all chance.
        version: Of sleuth.
        files: What was written; only printed, and only with ``--out``.
        seconds: Wall-clock time; only printed.
    """

    model: str
    target: str
    rows: int
    players: int
    judged: int
    left_out: Mapping[str, int]
    protocols: Mapping[str, ScoresForm]
    models: Mapping[str, Mapping[str, ScoresForm]]
    baselines: Mapping[str, ScoresForm]
    gains: Mapping[str, tuple[float | None, float | None, float | None]]
    spread: float
    adapted: ScoresForm | None
    ceilings: Mapping[str, float] | None
    findings: Mapping[str, Any]
    source: Mapping[str, Any]
    warnings: tuple[str, ...]
    seed: int
    version: str
    files: tuple[str, ...] | None = None
    seconds: float | None = None


#: What each schema but that of replies describes.
FORMS: Final[Mapping[str, type]] = {
    "decision": DecisionForm,
    "check": GameCheck,
    "match": MatchForm,
    "solution": SolutionForm,
    "comparison": ComparisonForm,
    "training": TrainingForm,
    "judgement": Judgement,
    "stated": StatedForm,
}


def game_check(report: FaultReport, version: str) -> GameCheck:
    """The checks of a game and of its belief as one value."""
    rules, belief, compared = report.rules, report.belief, None
    if belief is not None:
        counted = belief.plays, belief.events, belief.comparisons, belief.skipped
        compared = BeliefCheck(*counted, tuple(sorted(belief.checks)))
    return GameCheck(
        report.game,
        rules.plays if rules else 0,
        rules.moves if rules else 0,
        rules.longest if rules else 0,
        tuple(sorted(rules.checks)) if rules else (),
        compared,
        version,
        tuple(map(_finding, report.findings)),
    )


def _finding(found: Finding) -> FindingForm:
    at = found.place
    return FindingForm(
        found.check,
        CHECKS[found.check],
        found.message,
        PlaceForm(at.kernel or None, at.field or None, at.file or None, at.line, at.moment or None),
        found.value,
        found.hint or None,
        found.times,
        found.follows or None,
    )
