"""What was observed, in order, and the problem it adds up to; nothing is solved here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..data.errors import EvidenceError
from .evidence import Evidence, Merge, Prediction, Reveal, Split, WalkStep
from .features import Condition
from .model import Model
from .moves import apply_move
from .problem import Factor, Problem

#: One step of a history: a resolved piece of evidence or a move.
Step = Evidence | Split | Merge | Reveal | WalkStep
#: Probability of a condition under the baseline of a prediction.
Baseline = Callable[["History", Condition], float]


@dataclass(frozen=True, eq=False)
class History:
    """A model and everything observed so far.

    Attributes:
        model: What was declared.
        steps: Evidence and moves, in order.
        problem: Declaration and evidence as arrays.
    """

    model: Model
    steps: tuple[Step, ...]
    problem: Problem

    @staticmethod
    def empty(model: Model) -> History:
        """Nothing observed yet."""
        return History(model, (), model.problem)

    def extend(self, given: Iterable[Any], baseline: Baseline) -> History:
        """This history and more observations.

        Args:
            given: Evidence, conditions (asserted), predictions, moves, and sequences of them.
            baseline: Answers what a prediction is set against.

        Raises:
            EvidenceError: Something is no evidence, or does not fit the present holders.
        """
        history = self
        pending: list[Evidence] = []
        for step in _flat(given):
            if isinstance(step, Evidence):
                pending.append(step)
            elif isinstance(step, Condition):
                pending.append(step.observed())
            elif isinstance(step, Prediction):
                history = history._weighed(pending)
                if step.condition.late:
                    present = step.condition.on(history.problem.layout)
                    step = replace(step, condition=present)
                probability = step.given
                if isinstance(probability, str):
                    probability = baseline(history, step.condition)
                pending = [step.against(probability)]
            elif isinstance(step, (Split, Merge, Reveal, WalkStep)):
                history = history._weighed(pending)._moved(step)
                pending = []
            else:
                raise EvidenceError(
                    "not evidence",
                    value=step,
                    hint="observe conditions, deal.holds(...), feature.weigh(...), or moves",
                )
        return history._weighed(pending)

    def counted(self) -> History:
        """The same history with every weight reduced to possible or not: plain counting.

        It is kept, and goes on from that of the history that this one goes on from.
        """
        twin, count = self.__dict__.get("_counted", (None, 0))
        if twin is None:
            twin = History.empty(self.model)
        if count < len(self.steps):
            steps = [_possible(step) for step in self.steps[count:]]
            twin = twin.extend(steps, _no_baseline)
        self.__dict__["_counted"] = twin, len(self.steps)
        return twin

    def _then(self, steps: Sequence[Step], problem: Problem) -> History:
        after = History(self.model, (*self.steps, *steps), problem)
        known = self.__dict__.get("_counted")
        if known is not None:
            after.__dict__["_counted"] = known
        return after

    def _weighed(self, given: Sequence[Evidence]) -> History:
        if not given:
            return self
        known = self._ids()
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
            if evidence.feature.late:
                evidence = evidence.on(layout)
            named.append(evidence)
            self.model.check(evidence.feature)
            additive = evidence.feature.base.additive(layout)
            # One feature on one layout is one object, so it names itself.
            factors.append((additive, additive, evidence.base_table()))
        return self._then(named, self.problem.with_factors(factors))

    def _moved(self, move: Split | Merge | Reveal | WalkStep) -> History:
        if isinstance(move, WalkStep):
            self.model.check_step(move)
        if isinstance(move, (Reveal, WalkStep)):
            known = self._ids()
            if move.id is None:
                name = _free_name(move.because, len(self.steps) + 1, known)
                move = replace(move, id=name)
            elif move.id in known:
                raise EvidenceError("two pieces of evidence have one id", value=move.id)
        return self._then([move], apply_move(self.problem, move))

    def _ids(self) -> set[str | None]:
        named = (Evidence, Reveal, WalkStep)
        return {step.id for step in self.steps if isinstance(step, named)}


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


def _flat(given: Iterable[Any]) -> Iterable[Any]:
    for entry in given:
        if isinstance(entry, Evidence):
            yield entry
        elif isinstance(entry, Iterable) and not isinstance(entry, (str, bytes)):
            yield from _flat(entry)  # pyright: ignore[reportUnknownArgumentType]
        else:
            yield entry
