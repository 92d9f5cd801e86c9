"""Declarations and evidence as JSON data, and back; see `saving` for files of them."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from ..data.errors import RecordError, UnsupportedError
from .checked_json import (
    Json,
    counts,
    damage,
    entries_of,
    get,
    least,
    listed,
    number,
    text,
    words,
)
from .deal_features import Count, HolderOf, Single, Value, Which
from .evidence import Evidence, Merge, Prediction, Reveal, Split, WalkStep
from .features import MOST_ITEMS, Condition, Feature, TupleOf, together
from .history import Step
from .model import Model
from .transitions import Transition, from_rows
from .variables import Choice, Deal, Variable
from .walk import At, Walk

# -- the declaration


def model_to_json(model: Model) -> Json:
    """The variables of a model as JSON data."""
    return {"variables": [_variable_to_json(variable) for variable in model.variables]}


def model_from_json(data: Any) -> Model:
    """The model that `model_to_json` described.

    Raises:
        RecordError: The data describes no model.
    """
    with damage("model"):
        return Model(*(_variable_from_json(entry) for entry in listed(data, "variables")))


def _variable_to_json(variable: Variable) -> Json:
    if isinstance(variable, Deal):
        return {
            "kind": "deal",
            "name": variable.name,
            "items": dict(variable.items),
            "holders": dict(variable.holders),
            "categories": {group: list(items) for group, items in variable.categories.items()},
            "counts": {holder: dict(wanted) for holder, wanted in variable.counts.items()},
            "known": {holder: dict(contents) for holder, contents in variable.known.items()},
        }
    if isinstance(variable, Choice):
        return {
            "kind": "choice",
            "name": variable.name,
            "options": [_value_to_json(value) for value in variable.options],
            "prior": [float(weight) for weight in variable.prior],
        }
    return {
        "kind": "walk",
        "name": variable.name,
        "positions": [_value_to_json(position) for position in variable.positions],
        "start": [float(weight) for weight in variable.start],
    }


def _variable_from_json(data: object) -> Variable:
    kind, name = text(data, "kind"), text(data, "name")
    if kind == "deal":
        groups, wanted = entries_of(data, "categories"), entries_of(data, "counts")
        known = entries_of(data, "known")
        return Deal(
            counts(data, "items"),
            holders=counts(data, "holders"),
            categories={group: words(groups, group) for group in groups},
            counts={holder: counts(wanted, holder) for holder in wanted},
            known={holder: counts(known, holder) for holder in known},
            name=name,
        )
    if kind == "choice":
        options = [_value_from_json(value) for value in listed(data, "options")]
        prior = [number(weight) for weight in listed(data, "prior")]
        if len(prior) != len(options) or len(set(options)) != len(options):
            raise RecordError("a choice needs different values, each with a prior", value=name)
        choice = Choice(name, dict(zip(options, prior, strict=True)))
        # Dividing by a sum that is not quite one would change the last digits.
        if abs(math.fsum(prior) - 1.0) < 1e-9:
            object.__setattr__(choice, "prior", tuple(prior))
        return choice
    if kind == "walk":
        positions = [_value_from_json(position) for position in listed(data, "positions")]
        start = [number(weight) for weight in listed(data, "start")]
        if len(start) != len(positions) or len(set(positions)) != len(positions):
            raise RecordError("a walk needs different positions, each with a prior", value=name)
        walk = Walk(name, positions, dict(zip(positions, start, strict=True)))
        if abs(math.fsum(start) - 1.0) < 1e-9:
            object.__setattr__(walk, "start", tuple(start))
        return walk
    raise RecordError("unknown kind of variable", value=kind)


def _value_to_json(value: object) -> Any:
    if isinstance(value, tuple):
        return {"tuple": [_value_to_json(part) for part in cast("tuple[object, ...]", value)]}
    if isinstance(value, np.generic):
        value = cast(object, value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or type(value) in (str, int, float, bool):
        return value
    raise UnsupportedError(
        "this value of a choice or a walk cannot be saved",
        value=value,
        hint="use text, numbers, None, or tuples of them",
    )


def _value_from_json(data: object) -> Any:
    if not isinstance(data, (dict, list)):
        return data
    if isinstance(data, dict) and len(cast(Json, data)) == 1:
        if "tuple" in data:
            return tuple(_value_from_json(part) for part in listed(cast(Json, data), "tuple"))
        if "float" in data:
            return float(text(cast(Json, data), "float"))
    raise RecordError("unknown kind of value", value=cast(object, data))


# -- what was observed


def step_to_json(step: Step) -> Json:
    """A piece of evidence or a move as JSON data."""
    if isinstance(step, Evidence):
        return evidence_to_json(step)
    if isinstance(step, Split):
        return {
            "kind": "split",
            "deal": step.deal,
            "source": step.source,
            "holder": step.holder,
            "count": step.count,
        }
    if isinstance(step, Merge):
        return {
            "kind": "merge",
            "deal": step.deal,
            "holders": list(step.holders),
            "into": step.into,
        }
    if isinstance(step, WalkStep):
        return {
            "kind": "step",
            "walk": step.walk,
            "choice": step.choice,
            "transitions": [_transition_to_json(table) for table in step.transitions],
            **_notes_to_json(step),
        }
    return {
        "kind": "reveal",
        "deal": step.deal,
        "holder": step.holder,
        "contents": dict(step.contents),
        **_notes_to_json(step),
    }


def _transition_to_json(transition: Transition) -> Json:
    return {
        "starts": [int(start) for start in transition.starts],
        "targets": [int(target) for target in transition.targets],
        "weights": [float(weight) for weight in transition.weights],
    }


def evidence_to_json(evidence: Evidence) -> Json:
    """A piece of evidence as JSON data."""
    return {
        "kind": "evidence",
        "feature": feature_to_json(evidence.feature),
        "table": [float(weight) for weight in evidence.table],
        "prediction": _prediction_to_json(evidence.prediction),
        **_notes_to_json(evidence),
    }


def _prediction_to_json(prediction: Prediction | None) -> Json | None:
    if prediction is None:
        return None
    return {
        "p": float(prediction.p),
        "given": prediction.given if isinstance(prediction.given, str) else float(prediction.given),
        "trust": float(prediction.trust),
        "floor": float(prediction.floor),
    }


def evidence_from_json(data: Any, model: Model) -> Evidence:
    """The evidence that `evidence_to_json` described, about the variables of a model.

    Raises:
        RecordError: The data describes no evidence, or does not fit the model.
    """
    with damage("evidence"):
        step = Reader(model).step(data)
        if not isinstance(step, Evidence):
            raise RecordError("this is a move, not evidence")
        return step


def feature_to_json(feature: Feature) -> Json:
    """A feature as JSON data."""
    if isinstance(feature, Condition):
        truth = [bool(true) for true in feature.truth]
        return {"kind": "condition", "of": feature_to_json(feature.of), "truth": truth}
    if isinstance(feature, TupleOf):
        return {"kind": "tuple", "parts": [feature_to_json(part) for part in feature.parts]}
    if isinstance(feature, Count):
        return {
            "kind": "count",
            "deal": feature.deal,
            "holders": list(feature.holders),
            "items": list(feature.items),
            "total": feature.total,
        }
    if isinstance(feature, Which):
        return {
            "kind": "which",
            "deal": feature.deal,
            "holders": list(feature.holders),
            "items": list(feature.items),
        }
    if isinstance(feature, HolderOf):
        return {
            "kind": "holder_of",
            "deal": feature.deal,
            "item": feature.item,
            "holders": list(feature.holders),
        }
    if isinstance(feature, Single):
        return {
            "kind": "single",
            "deal": feature.deal,
            "holder": feature.holder,
            "items": list(feature.items),
        }
    if isinstance(feature, Value):
        return {"kind": "value", "choice": feature.choice}
    if isinstance(feature, At):
        return {"kind": "at", "walk": feature.walk, "step": feature.step}
    raise UnsupportedError("this kind of feature cannot be saved", value=feature.describe())


def _notes_to_json(step: Evidence | Reveal | WalkStep) -> Json:
    return {"because": step.because, "id": step.id, "event": step.event}


class Reader:
    """Reads what was observed; every name and number is checked against a model."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def step(self, data: object) -> Step:
        """A piece of evidence or a move."""
        kind = text(data, "kind")
        if kind == "evidence":
            feature = self.feature(get(data, "feature"))
            table = np.array([number(weight) for weight in listed(data, "table")])
            notes = _notes(data)
            return Evidence(feature, table, prediction=_prediction(data, feature, notes), **notes)
        if kind == "step":
            return self._walk_step(data)
        if kind not in ("split", "merge", "reveal"):
            raise RecordError("unknown kind of step", value=kind)
        deal = self._deal(data)
        if kind == "split":
            size = least(data, "count", 1)
            return deal.split(text(data, "source"), text(data, "holder"), size)
        if kind == "merge":
            return deal.merge(words(data, "holders"), text(data, "into"))
        return deal.reveal(text(data, "holder"), counts(data, "contents"), **_notes(data))

    def feature(self, data: object) -> Feature:
        """A feature of the model's variables."""
        kind = text(data, "kind")
        if kind == "condition":
            of, truth = self.feature(get(data, "of")), listed(data, "truth")
            if len(truth) != of.value_count or not all(type(true) is bool for true in truth):
                raise RecordError("a condition needs true or false for each value")
            return Condition(of, tuple(truth))
        if kind == "tuple":
            return together(*(self.feature(part) for part in listed(data, "parts")))
        if kind == "value":
            choice = self.model.variable(text(data, "choice"))
            if not isinstance(choice, Choice):
                raise RecordError("this is no choice", value=choice.name)
            return choice.value()
        if kind == "at":
            step = get(data, "step")
            return self._walk(data).at(step=None if step is None else least(data, "step", 0))
        return self._of_deal(data, kind)

    def _walk_step(self, data: object) -> WalkStep:
        walk, notes = self._walk(data), _notes(data)
        tables = tuple(
            from_rows(
                [least({"start": start}, "start", 0) for start in listed(entry, "starts")],
                [least({"target": target}, "target", 0) for target in listed(entry, "targets")],
                [number(weight) for weight in listed(entry, "weights")],
                len(walk.positions),
                where=f"a step of {walk.name!r}",
            )
            for entry in listed(data, "transitions")
        )
        name = get(data, "choice")
        if name is None:
            if len(tables) != 1:
                raise RecordError("a step needs one table, or a choice", value=len(tables))
            return walk.step(tables[0], **notes)
        choice = self.model.variable(text(data, "choice"))
        if not isinstance(choice, Choice) or len(choice.options) != len(tables):
            raise RecordError("a step needs a table for each value of a choice", value=name)
        return walk.step(dict(zip(choice.options, tables, strict=True)), by=choice, **notes)

    def _walk(self, data: object) -> Walk:
        walk = self.model.variable(text(data, "walk"))
        if not isinstance(walk, Walk):
            raise RecordError("this is no walk", value=walk.name)
        return walk

    def _of_deal(self, data: object, kind: str) -> Feature:
        deal = self._deal(data)
        if kind == "holder_of":
            item = text(data, "item")
            deal.holder_of(item)
            return HolderOf(deal.name, item, words(data, "holders"))
        items = words(data, "items")
        copies = [deal.items[item] for item in items]
        if kind == "count":
            total = least(data, "total", 0)
            if total > sum(copies):
                raise RecordError("there are not that many copies", value=total)
            return Count(deal.name, words(data, "holders"), items, total)
        if kind == "which":
            if len(items) > MOST_ITEMS or max(copies) > 1:
                raise RecordError("a subset is of a few distinct items", value=items)
            return Which(deal.name, words(data, "holders"), items)
        if kind == "single":
            holder = text(data, "holder")
            for category in deal.counts.get(holder, {}):
                if deal.categories[category] == items:
                    return deal.single(holder, category)
            raise RecordError("this is no counted category of the holder", value=items)
        raise RecordError("unknown kind of feature", value=kind)

    def _deal(self, data: object) -> Deal:
        deal = self.model.variable(text(data, "deal"))
        if not isinstance(deal, Deal):
            raise RecordError("this is no deal", value=deal.name)
        return deal


def _prediction(data: object, feature: Feature, notes: Json) -> Prediction | None:
    """What the evidence was made of, if it was a prediction."""
    entry = get(data, "prediction")
    if entry is None:
        return None
    if not isinstance(feature, Condition):
        raise RecordError("a prediction is about a condition", value=feature.describe())
    given = get(entry, "given")
    return Prediction(
        feature,
        number(get(entry, "p")),
        given=given if isinstance(given, str) else number(given),
        trust=number(get(entry, "trust")),
        floor=number(get(entry, "floor")),
        **notes,
    )


def _notes(data: object) -> dict[str, Any]:
    identity, event = get(data, "id"), get(data, "event")
    if not (identity is None or type(identity) is str):
        raise RecordError("an id is a text", value=identity)
    if not (event is None or type(event) is int):
        raise RecordError("an event is a number", value=event)
    return {"because": text(data, "because"), "id": identity, "event": event}
