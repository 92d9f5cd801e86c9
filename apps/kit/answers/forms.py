"""The JSON of findings that are no statements: a search's decision, and a game's check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....planners.checking.belief_checks import BeliefConformance
from ....planners.checking.conformance import Conformance
from ....planners.search.decision import LearningReport


@dataclass(frozen=True)
class ActionForm:
    """One legal action, see `ActionReport`; what nobody tried has neither value nor score.

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
class GameCheck:
    """A game that keeps the contract, as ``sleuth check --json`` says it.

    Attributes:
        game: The game's name.
        plays: Random games.
        moves: Moves in all of them.
        longest: Moves of the longest.
        checks: The checks that were made.
        belief: What was compared of its belief; null where nothing is hidden, or it was left out.
        version: Of sleuth.
    """

    game: str
    plays: int
    moves: int
    longest: int
    checks: tuple[str, ...]
    belief: BeliefCheck | None
    version: str


def game_check(rules: Conformance, belief: BeliefConformance | None, version: str) -> GameCheck:
    """The checks of a game and of its belief as one value."""
    compared = None
    if belief is not None:
        counted = belief.plays, belief.events, belief.comparisons, belief.skipped
        compared = BeliefCheck(*counted, tuple(sorted(belief.checks)))
    made = tuple(sorted(rules.checks))
    return GameCheck(rules.game, rules.plays, rules.moves, rules.longest, made, compared, version)
