"""The form of a saved posterior: which fields it has, and of which types. pydantic writes it from
declarations and observations by their attributes, and checks it where it is read.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, Literal, Union, cast

import numpy as np
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    create_model,
)

from ...data.errors import UnsupportedError
from ...data.version import version as sleuth_version
from ..language.deal_features import Count, HolderOf, ItemOf, Single, Value, Which
from ..language.evidence import Evidence, Merge, Reveal, Split, WalkStep
from ..language.features import Condition, Counted, TupleOf
from ..language.sums import SumOf
from ..language.variables import Choice, Deal
from ..language.walk import At, Walk

#: What a file says it is.
FORMAT: Final = "sleuth posterior"
#: Raised whenever an older sleuth could not read a file, or would read it wrongly. A file says 2
#: only if a prior in it depends on another variable; all others are files of version 1.
FORMAT_VERSION: Final = 2


def _kind(thing: object) -> str | None:
    if isinstance(thing, dict):
        kind = cast("dict[str, object]", thing).get("kind")
        return kind if isinstance(kind, str) else None
    if isinstance(thing, BaseModel):  # it is asked again when a form is written
        return cast(Any, thing).kind
    if isinstance(thing, Choice) and thing.given is not None:
        return "dependent_choice"
    return next((kind for kind, (made, _) in KINDS.items() if isinstance(thing, made)), None)


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise ValueError("this must be a list of different names")
    return names


def _numbers(values: object) -> object:
    return values.tolist() if isinstance(values, np.ndarray) else values


def _finite(limit: object) -> object:
    return None if limit == math.inf else limit


def _values(values: object) -> object:
    if not isinstance(values, (list, tuple)):
        return values
    return [_plain(value) for value in cast("list[object]", values)]


def _plain(value: object) -> object:
    """A value of a choice or a position of a walk as JSON data; data stays what it is."""
    if isinstance(value, tuple):
        return {"tuple": [_plain(part) for part in cast("tuple[object, ...]", value)]}
    if isinstance(value, np.generic):
        value = cast("object", value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or type(value) in (str, int, float, bool, dict, list):
        return value
    raise UnsupportedError(
        "this value of a choice or a walk cannot be saved",
        value=value,
        hint="use text, numbers, None, or tuples of them",
    )


Natural = Annotated[int, Field(ge=0, lt=2**63)]
Positive = Annotated[int, Field(ge=1, lt=2**63)]
Names = Annotated[tuple[str, ...], Field(strict=False, min_length=1), AfterValidator(_distinct)]
Counts = Annotated[dict[str, Natural], Field(strict=False)]
Numbers = Annotated[list[float], Field(strict=False), BeforeValidator(_numbers)]
Places = Annotated[list[Natural], Field(strict=False), BeforeValidator(_numbers)]
Truth = Annotated[list[bool], Field(strict=False), BeforeValidator(_numbers)]
Values = Annotated[list[Any], BeforeValidator(_values)]


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, from_attributes=True, frozen=True)


class TransitionForm(_Form):
    """The weights of the steps of a walk."""

    starts: Places
    targets: Places
    weights: Numbers


class PredictionForm(_Form):
    """A predictor's prediction."""

    p: float
    given: str | float
    trust: float
    floor: float


_NOTES: Final = {"because": str, "id": str | None, "event": int | None}

#: Every kind of thing in a file: of which type it is, and which fields it has.
KINDS: Final[dict[str, tuple[type | tuple[type, ...], dict[str, Any]]]] = {
    "deal": (
        Deal,
        {
            "name": str,
            "items": Counts,
            "holders": Counts,
            "categories": Annotated[dict[str, Names], Field(strict=False)],
            "counts": Annotated[dict[str, Counts], Field(strict=False)],
            "known": Annotated[dict[str, Counts], Field(strict=False)],
        },
    ),
    "choice": (Choice, {"name": str, "options": Values, "prior": Numbers}),
    "dependent_choice": (
        Choice,
        {"name": str, "options": Values, "prior": Numbers, "given": "FeatureForm"},
    ),
    "walk": (Walk, {"name": str, "positions": Values, "start": Numbers}),
    "condition": (Condition, {"of": "FeatureForm", "truth": Truth}),
    "count_of": (
        Counted,
        {"conditions": "Annotated[list[FeatureForm], Field(strict=False)]"},
    ),
    "sum_of": (
        SumOf,
        {"parts": "Annotated[list[FeatureForm], Field(strict=False)]", "factors": Numbers},
    ),
    "tuple": (TupleOf, {"parts": "Annotated[list[FeatureForm], Field(strict=False)]"}),
    "count": (Count, {"deal": str, "holders": Names, "items": Names, "total": Natural}),
    "which": (Which, {"deal": str, "holders": Names, "items": Names}),
    "holder_of": (HolderOf, {"deal": str, "item": str, "holders": Names}),
    "single": (Single, {"deal": str, "holder": str, "items": Names}),
    "item_of": (ItemOf, {"deal": str, "holder": str}),
    "value": (Value, {"choice": str}),
    "at": (At, {"walk": str, "step": "Natural | None"}),
    "evidence": (
        Evidence,
        {"feature": "FeatureForm", "table": Numbers, "prediction": PredictionForm | None, **_NOTES},
    ),
    "split": (Split, {"deal": str, "source": str, "holder": str, "count": Positive}),
    "merge": (Merge, {"deal": str, "holders": Names, "into": str}),
    "reveal": (Reveal, {"deal": str, "holder": str, "contents": Counts, **_NOTES}),
    "step": (
        WalkStep,
        {
            "walk": str,
            "choice": str | None,
            "transitions": Annotated[list[TransitionForm], Field(strict=False)],
            **_NOTES,
        },
    ),
}


def _form(kind: str) -> Any:
    fields = {name: (each, ...) for name, each in KINDS[kind][1].items()}
    make: Any = create_model  # which pyright takes for a function of settings alone
    made = make(kind, __base__=_Form, kind=(Literal[kind], kind), **fields)
    return Annotated[made, Tag(kind)]


def _one_of(*kinds: str) -> Any:
    return Annotated[Union[tuple(map(_form, kinds))], Discriminator(_kind)]  # noqa: UP007


FeatureForm: Any = _one_of(
    "condition",
    "tuple",
    "count",
    "count_of",
    "sum_of",
    "which",
    "holder_of",
    "item_of",
    "single",
    "value",
    "at",
)
StepForm: Any = _one_of("evidence", "split", "merge", "reveal", "step")


class ModelForm(_Form):
    """A declaration."""

    variables: Annotated[
        list[_one_of("deal", "choice", "dependent_choice", "walk")],  # pyright: ignore[reportInvalidTypeForm]
        Field(strict=False),
    ]


class OptionsForm(_Form):
    """Settings of engines; JSON has no infinity, so that without a limit there is none."""

    samples: Positive
    seed: Natural
    chains: Positive
    limit: Annotated[float | None, BeforeValidator(_finite)]


class SavedForm(_Form):
    """A whole file."""

    format: str = FORMAT
    version: int
    sleuth: str = Field(default_factory=sleuth_version)
    method: str
    approximate: bool
    options: OptionsForm
    model: ModelForm
    history: Annotated[list[StepForm], Field(strict=False)]  # pyright: ignore[reportInvalidTypeForm]
