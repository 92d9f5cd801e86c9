"""Declarations and evidence as JSON data, and back; see `files` for files of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, TypeVar, cast

import numpy as np
from pydantic import BaseModel, TypeAdapter, ValidationError

from ...data.disk.json_text import refused
from ...data.errors import RecordError, UnsupportedError, nearest
from ...models.records.reading import WRONG_TYPE
from ..arrays.transitions import from_rows
from ..language.counting import count_of
from ..language.deal_features import MOST_BITS, Count, HolderOf, Which
from ..language.evidence import Evidence, Prediction, WalkStep
from ..language.features import Condition, Feature, together
from ..language.sums import sum_of
from ..language.variables import Choice, Deal, choice_of
from ..language.walk import Walk
from ..modelling.history import Step
from ..modelling.model import Model, Variable
from .checked_json import Json, damage
from .forms import ModelForm, StepForm

Named = TypeVar("Named", Deal, Choice, Walk)

_WITH_PRIORS: Final = "this needs different values, each with a prior"

# -- to JSON


def written(form: Any, thing: object) -> Json:
    """A declaration, a feature or an observation as JSON data, in its form.

    Raises:
        UnsupportedError: It has a value that JSON cannot hold, or is a feature of another kind.
    """
    try:
        return cast(BaseModel, _adapter(form).validate_python(thing)).model_dump()
    except ValidationError as problem:
        raise UnsupportedError("this cannot be saved", value=thing) from problem


def model_to_json(model: Model) -> Json:
    """The variables of a model as JSON data."""
    return written(ModelForm, model)


def step_to_json(step: Step) -> Json:
    """A piece of evidence or a move as JSON data."""
    return written(StepForm, step)


evidence_to_json = step_to_json


# -- from JSON


def read(form: Any, data: object, where: str) -> Any:
    """JSON data as its form.

    Raises:
        RecordError: It has another form; the message names the place and shows what stands there.
    """
    try:
        return _adapter(form).validate_python(data)
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_context=False)[0]
        kind, value, place = error["type"], error["input"], _place(problem, data)
        message = WRONG_TYPE.get(kind) or error["msg"].removeprefix("Value error, ")
        if kind == "missing":
            raise RecordError(
                "this is damaged: the field is missing", where=f"{where}, {place}"
            ) from None
        if kind.startswith("union_tag"):
            message = "unknown kind"
            value = cast(Json, value).get("kind") if isinstance(value, dict) else value
        message = message[:1].lower() + message[1:]
        raise refused(
            f"this is damaged: {message}",
            where=f"{where}, {place}" if place else where,
            value=value,
        ) from None


def _place(problem: ValidationError, data: object) -> str:
    """The place of a problem, such as ``history.3.feature.holders.0``."""
    said: list[str] = []
    for part in problem.errors(include_url=False, include_context=False)[0]["loc"]:
        fields = cast(dict[object, object], data) if isinstance(data, dict) else {}
        if part not in fields and fields.get("kind") == part:
            continue  # pydantic names the kind as well
        if isinstance(data, (dict, list)):
            said.append(str(part))
        listed = cast(list[object], data) if isinstance(data, list) else []
        data = listed[part] if isinstance(part, int) and listed else fields.get(part)
    return ".".join(said)


@cache
def _adapter(form: Any) -> TypeAdapter[Any]:
    return TypeAdapter(form)


def model_from_json(data: Any) -> Model:
    """The model that `model_to_json` described.

    Raises:
        RecordError: The data describes no model.
    """
    return model_of(read(ModelForm, data, "model"), "model")


def evidence_from_json(data: Any, model: Model) -> Evidence:
    """The evidence that `evidence_to_json` described, about the variables of a model.

    Raises:
        RecordError: The data describes no evidence, or does not fit the model.
    """
    form = read(StepForm, data, "evidence")
    with damage("evidence"):
        step = FormReader(model).step(form)
        if not isinstance(step, Evidence):
            raise RecordError("this is a move, not evidence")
        return step


def model_of(form: Any, where: str) -> Model:
    """The declaration that a form describes; errors name the place."""
    variables: dict[int, Variable] = {}
    known = _Known({})
    forms = cast("list[Any]", form.variables)
    for number in _in_order(forms):
        with damage(f"{where}, variables.{number}"):
            variables[number] = made = _variable(forms[number], known)
            known.found[made.name] = made
    with damage(where):
        return Model(*(variables[number] for number in sorted(variables)))


def _in_order(forms: list[Any]) -> list[int]:
    """Numbers of variables, each after those that its prior depends on.

    Of a circle, whose first cannot be read, there is nothing else.
    """
    number = {each.name: place for place, each in enumerate(forms)}
    above = {
        place: [number[name] for name in _names(each) if name in number]
        for place, each in enumerate(forms)
    }
    try:
        return [*TopologicalSorter(above).static_order()]
    except CycleError as error:
        circle: list[int] = error.args[1]
        return circle


def _variable(form: Any, known: _Known) -> Variable:
    if form.kind == "deal":
        fields = dict(form)
        del fields["kind"]
        return Deal(fields.pop("items"), **fields)
    if form.kind == "choice":
        return Choice(form.name, _weighed(form.name, form.options, form.prior))
    if form.kind == "dependent_choice":
        given, size = FormReader(known).feature(form.given), len(form.options)
        if len(form.prior) != given.value_count * size:
            raise RecordError("this needs a prior for each value of another", value=form.name)
        values = _values(form.name, form.options)
        return choice_of(form.name, values, np.array(form.prior), given)
    start = _weighed(form.name, form.positions, form.start)
    return Walk(form.name, [*start], start)


@dataclass(frozen=True)
class _Known:
    """The variables that were read so far."""

    found: dict[str, Variable]

    def variable(self, name: str) -> Variable:
        """The variable with this name."""
        if name not in self.found:
            raise RecordError("unknown variable, or it depends on this one", value=name)
        return self.found[name]


def _names(form: Any) -> set[str]:
    """Names of the variables that the prior of a form depends on."""
    found: set[str] = set()
    waiting = [form.given] if form.kind == "dependent_choice" else []
    while waiting:
        part: Any = waiting.pop()
        waiting += [*getattr(part, "parts", ()), *getattr(part, "conditions", ())]
        waiting += [part.of] if hasattr(part, "of") else []
        found |= {
            getattr(part, field) for field in ("deal", "choice", "walk") if hasattr(part, field)
        }
    return found


def _weighed(name: str, data: list[Any], weights: list[float]) -> dict[Any, float]:
    values = _values(name, data)
    if len(weights) != len(values):
        raise RecordError(_WITH_PRIORS, value=name)
    return dict(zip(values, weights, strict=True))


def _values(name: str, data: list[Any]) -> list[Any]:
    values = [_value(value) for value in data]
    if len(set(values)) != len(values):
        raise RecordError(_WITH_PRIORS, value=name)
    return values


def _value(data: object) -> Any:
    match data:
        case {"tuple": list()} if len(cast(Json, data)) == 1:
            return tuple(map(_value, cast(Json, data)["tuple"]))
        case {"float": str() as word} if len(cast(Json, data)) == 1:
            return float(word)
        case dict() | list():
            raise RecordError("unknown kind of value", value=cast(object, data))
        case _:
            return data


class FormReader:
    """Makes what was observed of its forms; every name and number is checked against a model."""

    def __init__(self, model: Model | _Known) -> None:
        self.model = model
        self._made: set[tuple[str, str]] = set()  # holders that moves made so far

    def step(self, form: Any) -> Step:
        """A piece of evidence or a move, of its form."""
        if form.kind == "evidence":
            feature, notes = self.feature(form.feature), _notes(form)
            made = _prediction(form.prediction, feature, notes)
            return Evidence(feature, np.array(form.table), prediction=made, **notes)
        if form.kind == "step":
            return self._walk_step(form)
        deal = self._named(Deal, form.deal)
        if form.kind == "split":
            self._moved(deal, form.source, into=form.holder)
            return deal.split(form.source, form.holder, form.count)
        if form.kind == "merge":
            self._moved(deal, *form.holders, into=form.into)
            return deal.merge(form.holders, form.into)
        self._moved(deal, form.holder)
        return deal.reveal(form.holder, form.contents, **_notes(form))

    def _moved(self, deal: Deal, *holders: str, into: str = "") -> None:
        """Refuse a move of holders that were neither declared nor made."""
        for holder in holders:
            if holder not in deal.holders and (deal.name, holder) not in self._made:
                raise RecordError(
                    "unknown holder", value=holder, hint=nearest(holder, deal.holders)
                )
        self._made.add((deal.name, into))

    def feature(self, form: Any) -> Feature:
        """A feature of the model's variables, of its form."""
        match form.kind:
            case "condition":
                of = self.feature(form.of)
                if len(form.truth) != of.value_count:
                    raise RecordError("a condition needs true or false for each value")
                return Condition(of, tuple(form.truth))
            case "tuple":
                return together(*map(self.feature, form.parts))
            case "count_of":
                # What is no condition is refused there.
                return count_of(cast(Any, map(self.feature, form.conditions)))
            case "sum_of":
                if len(form.parts) != len(form.factors):
                    raise RecordError("a sum needs a factor for each part")
                parts = zip(map(self.feature, form.parts), form.factors, strict=True)
                return sum_of(*({part: factor} for part, factor in parts))
            case "item_of":
                return self._named(Deal, form.deal).item_of(form.holder)
            case "value":
                return self._named(Choice, form.choice).value()
            case "at":
                return self._named(Walk, form.walk).at(step=form.step)
            case "holder_of":
                deal = self._named(Deal, form.deal)
                deal.holder_of(form.item)
                return HolderOf(deal.name, form.item, form.holders)
            case _:
                return self._of_items(self._named(Deal, form.deal), form)

    def _of_items(self, deal: Deal, form: Any) -> Feature:
        items: tuple[str, ...] = form.items
        copies = [deal.items[item] for item in items]
        if form.kind == "count":
            if form.total > sum(copies):
                raise RecordError("there are not that many copies", value=form.total)
            return Count(deal.name, form.holders, items, form.total)
        if form.kind == "which":
            if len(copies) > MOST_BITS or max(copies) > 1:
                raise RecordError("a subset is of a few distinct items", value=items)
            return Which(deal.name, form.holders, items)
        for category in deal.counts.get(form.holder, {}):
            if deal.categories[category] == items:
                return deal.single(form.holder, category)
        raise RecordError("this is no counted category of the holder", value=items)

    def _walk_step(self, form: Any) -> WalkStep:
        walk = self._named(Walk, form.walk)
        size, where = len(walk.positions), f"a step of {walk.name!r}"
        tables = tuple(
            from_rows(table.starts, table.targets, table.weights, size, where=where)
            for table in form.transitions
        )
        if form.choice is None:
            if len(tables) != 1:
                raise RecordError("a step needs one table, or a choice", value=len(tables))
            return walk.step(tables[0], **_notes(form))
        choice = self._named(Choice, form.choice)
        if len(choice.options) != len(tables):
            raise RecordError("a step needs a table for each value of a choice", value=choice.name)
        return walk.step(dict(zip(choice.options, tables, strict=True)), by=choice, **_notes(form))

    def _named(self, kind: type[Named], name: str) -> Named:
        variable = self.model.variable(name)
        if not isinstance(variable, kind):
            raise RecordError(f"this is no {kind.__name__.lower()}", value=name)
        return variable


def _prediction(form: Any, feature: Feature, notes: Json) -> Prediction | None:
    """The prediction the evidence was made of, if it was one."""
    if form is None:
        return None
    if not isinstance(feature, Condition):
        raise RecordError("a prediction is about a condition", value=feature.describe())
    return Prediction(feature, **dict(form), **notes)


def _notes(form: Any) -> dict[str, Any]:
    return {"because": form.because, "id": form.id, "event": form.event}
