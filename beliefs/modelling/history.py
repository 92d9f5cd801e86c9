"""The observations, in order, and the problem they add up to; nothing is solved here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final, cast

from ...data.errors import EvidenceError, UnsupportedError, meant
from ..arrays.contents import MOST_STATES
from ..arrays.layout import Factor, HolderName
from ..arrays.problem import Problem
from ..language.evidence import (
    OBSERVE,
    Evidence,
    Merge,
    Move,
    Prediction,
    Reveal,
    Split,
    WalkStep,
    refuse_never,
)
from ..language.features import Condition
from ..language.holders import order_after
from ..language.likelihoods import some_of
from .following import FEW_STATES, follow
from .model import Model
from .moves import apply_move

#: One step of a history: a resolved piece of evidence or a move.
Step = Evidence | Split | Merge | Reveal | WalkStep
#: What can be observed.
Observation = Evidence | Prediction | Condition | Move | Mapping[str, Any]
#: Splits and merges have none, and say so.
_id_of: Callable[[Step], str | None] = attrgetter("id")
#: Methods that need nothing of the past but what the holders may have now, and the states of that
#: which they begin with.
FOLLOWING: Final = {"auto": FEW_STATES, "deal_filter": MOST_STATES}
#: Probability of a condition under the baseline of a prediction.
Baseline = Callable[["History", Condition], float]


@dataclass(eq=False, slots=True)
class Counting:
    """A history by plain counting, which grows as it is asked for.

    Attributes:
        twin: That history; None before it was asked for.
        steps: How many steps of the other it has.
    """

    twin: History | None = None
    steps: int = 0


@dataclass(frozen=True, eq=False)
class History:
    """A model and everything observed so far.

    Attributes:
        model: What was declared.
        steps: Evidence and moves, in order.
        problem: Declaration and evidence as arrays.
        counting: The same by plain counting, as far as it was asked for.
        follows: With so many states of what the holders have together the past is begun to be
            forgotten: only what they may have now is kept, and other methods cannot go on from it.
    """

    model: Model
    steps: tuple[Step, ...]
    problem: Problem
    counting: Counting = field(default_factory=lambda: Counting(), repr=False)
    follows: int = 0

    @staticmethod
    def empty(model: Model, *, follows: int = 0) -> History:
        """Nothing observed yet."""
        return History(model, (), model.problem, follows=0 if model.walks else follows)

    @staticmethod
    def begun(model: Model, method: str) -> History:
        """Nothing observed yet; the past is forgotten where a method needs no more of it."""
        return History.empty(model, follows=FOLLOWING.get(str(method), 0))

    def extend(self, given: Iterable[Any], baseline: Baseline) -> History:
        """This history and more observations.

        Args:
            given: Evidence, conditions (asserted), predictions, moves, mappings from names of
                choices to their values, and sequences of them.
            baseline: Answers what a prediction is set against.

        Raises:
            EvidenceError: Something is no evidence, or does not fit the present holders.
        """
        history = self
        pending: list[Evidence] = []
        for step in flat(given):
            if isinstance(step, Evidence):
                pending.append(step)
            elif isinstance(step, Condition):
                pending.append(step.observed())
            elif isinstance(step, Mapping):
                pending += self.model.evidence_of(cast("Mapping[str, Any]", step))
            elif isinstance(step, Prediction):
                history = history._weighed(pending)
                condition = step.condition.on(history.problem.layout)
                if not isinstance(condition, Condition):
                    raise EvidenceError("a prediction is about a condition", value=condition)
                probability = step.given
                if isinstance(probability, str):
                    probability = baseline(history, condition)
                step = replace(step, condition=condition)
                pending = [step.against(probability)]
            elif isinstance(step, (Split, Merge, Reveal, WalkStep)):
                history = history._weighed(pending)._moved(step)
                pending = []
            else:
                hint = OBSERVE
                if isinstance(step, bool):
                    hint = "write feature.equals(1); feature == 1 asks Python, and not a posterior"
                raise EvidenceError("not evidence", value=step, hint=hint)
        return history._weighed(pending)

    def without(self, id: str | int) -> list[Any]:
        """The observations to make again for all but one piece of evidence, or all of one event.

        Args:
            id: See `Posterior.retract`.

        Raises:
            EvidenceError: No evidence has this id, or comes from this event; or it is a step of
                a walk, from which everything later goes on.
        """
        kept: list[Any] = []
        known: list[str] = []
        events: list[int] = []
        for step in self.steps:
            if isinstance(step, (Split, Merge)):
                kept.append(step)
                continue
            known.append(str(step.id))
            events += [] if step.event is None or step.event in events else [step.event]
            if id == (step.event if isinstance(id, int) else step.id):
                if isinstance(step, WalkStep):
                    raise EvidenceError(
                        "a step of a walk cannot be taken back: later positions go on from it",
                        value=id,
                        hint="infer(model, given=...) anew, with another transition for this step",
                    )
                continue
            if isinstance(step, Evidence) and step.prediction is not None:
                kept.append(replace(step.prediction, id=step.id))
            else:
                kept.append(step)
        if len(kept) == len(self.steps):
            raise _unknown(id, known, events)
        return kept

    def counted(self) -> History:
        """The same history with every weight reduced to possible or not: plain counting.

        It is kept, and goes on from that of the history that this one goes on from.
        """
        known = self.counting
        twin = known.twin or History.empty(self.model, follows=self.follows)
        if known.steps < len(self.steps):
            steps = [_possible(step) for step in self.steps[known.steps :]]
            twin = twin.extend(steps, _no_baseline)
        known.twin, known.steps = twin, len(self.steps)
        return twin

    def _then(self, steps: Sequence[Step], problem: Problem) -> History:
        known = Counting(self.counting.twin, self.counting.steps)
        return History(self.model, (*self.steps, *steps), problem, known, self.follows)

    def _weighed(self, given: Sequence[Evidence]) -> History:
        if not given:
            return self
        known = self.ids()
        named: list[Evidence] = []
        factors: list[Factor] = []
        layout = self.problem.layout
        for evidence in given:
            if evidence.id is None:
                name = _free_name(evidence.because, len(self.steps) + len(named) + 1, known)
                evidence = evidence.named(name)
            elif evidence.id in known:
                raise EvidenceError(
                    "two pieces of evidence have one id",
                    value=evidence.id,
                    hint="give each its own id, or leave id out",
                )
            known.add(evidence.id)
            if evidence.feature.late or layout.order:
                evidence = evidence.on(layout)
            if evidence.beyond:
                refuse_never(evidence)
            named.append(evidence)
            self.model.check(evidence.feature)
            additive = evidence.feature.base.additive(layout)
            # One feature on one layout is one object, so it names itself.
            factors.append((additive, additive, evidence.base_table()))
        return self._then(named, self.problem.with_factors(factors))

    def _moved(self, move: Split | Merge | Reveal | WalkStep) -> History:
        if isinstance(move, (Reveal, WalkStep)):
            known = self.ids()
            if move.id is None:
                name = _free_name(move.because, len(self.steps) + 1, known)
                move = replace(move, id=name)
            elif move.id in known:
                raise EvidenceError("two pieces of evidence have one id", value=move.id)
        if isinstance(move, WalkStep):
            self.model.check_step(move)
            return self._then([move], apply_move(self.problem, move))
        problem = self._problem_after(move)
        layout = replace(problem.layout, order=self._order_after(move), cache={})
        return self._then([move], replace(problem, layout=layout))

    def _problem_after(self, move: Split | Merge | Reveal) -> Problem:
        """The problem after a move, in the one form that is possible where another is not."""
        problem = self.problem
        if not self.follows:
            return apply_move(problem, move)
        if not any(isinstance(step, (Split, Merge, Reveal)) for step in self.steps):
            problem = follow(problem, self.follows) or problem
        try:
            return apply_move(problem, move)
        except UnsupportedError as error:
            again = self._again(followed=problem.contents is None)
            if again is None:
                error.reword(
                    hint="reveal or weigh the merged holders first; what all of them may have "
                    f"together has more than {MOST_STATES:,} states"
                )
                raise
            return apply_move(again, move)

    def _again(self, *, followed: bool) -> Problem | None:
        """The problem of all that was observed, in a form: followed, or with all of the past."""
        problem = self.model.problem
        for step in self.steps:
            if isinstance(step, Evidence):
                additive = step.feature.base.additive(problem.layout)
                problem = problem.with_factors([(additive, additive, step.base_table())])
                continue
            if followed and problem.contents is None:
                found = follow(problem, MOST_STATES)
                if found is None:
                    return None
                problem = found
            problem = apply_move(problem, step)
        return problem

    def _order_after(self, move: Split | Merge | Reveal) -> tuple[HolderName, ...]:
        """Names of the holders after a move, in the order of their numbers."""
        order = self.problem.layout.holders
        if isinstance(move, Split):
            return (*order, (move.deal, move.holder))
        return order_after(order, move, self.model.holders) if isinstance(move, Merge) else order

    def ids(self) -> set[str | None]:
        """The ids of the evidence so far; None stands for moves that have none."""
        return set(map(_id_of, self.steps))


def _unknown(id: object, known: Sequence[str], events: Sequence[int]) -> EvidenceError:
    """The error of an id, or an event, that no evidence has."""
    if isinstance(id, int):
        hint = f"events are {some_of(events)}" if events else "no evidence has an event"
        return EvidenceError("no evidence comes from this event", value=id, hint=hint)
    ids = f"the ids are {some_of(map(repr, known))}" if known else "there is no evidence yet"
    hint = f"{meant(id, known)} {ids}".lstrip()
    return EvidenceError("no evidence has this id", value=id, hint=hint)


def _possible(step: Step) -> Step:
    """A step whose weights only say what is possible."""
    if isinstance(step, Evidence):
        table = (step.table > 0.0).astype(float)
        if (table != step.table).any():
            return replace(step, table=table)
    return step


def _no_baseline(history: History, condition: Condition) -> float:
    raise AssertionError("steps of a history have no baseline left to be asked for")


def _free_name(because: str, number: int, known: set[str | None]) -> str:
    name = because or f"evidence {number}"
    while name in known:
        name = f"{because or 'evidence'} ({number})"
        number += 1
    return name


def flat(given: Iterable[Any]) -> Iterable[Any]:
    """The single observations given, out of all sequences that they stand in."""
    for entry in given:
        if isinstance(entry, (Evidence, Mapping)):
            yield entry
        elif isinstance(entry, Iterable) and not isinstance(entry, (str, bytes)):
            yield from flat(entry)  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield entry
