"""Posteriors as files: the declaration and what was observed, as JSON.

What was computed is not stored: `Posterior.load` computes it again, by the same method or another
one.
Nothing in a file is ever run, and every part of it is checked like a declaration made by hand.
Floats are written so that they come back bit by bit.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...data.disk.reading import FileKind
from ...data.disk.writing import write_whole
from ...data.errors import RecordError, SettingsError, UnsupportedError, shorten
from ...data.version import version
from ...models.records.events import digest
from ...models.records.reading import marks_of, refuse_large
from ..engines import GONE, NAMES
from ..engines.base import EngineOptions
from ..language.variables import Choice
from ..modelling.history import Step
from ..modelling.model import Model
from .checked_json import Json, damage
from .forms import FORMAT, FORMAT_VERSION, SavedForm
from .json_form import FormReader, model_of, model_to_json, read, step_to_json, written

#: Most bytes of a file, and most brackets and commas in it.
MOST_BYTES = 128 * 2**20
MOST_MARKS = 8_000_000


@dataclass(frozen=True, kw_only=True)
class SavedPosterior:
    """The content of a posterior's file, from which it is computed again.

    Attributes:
        model: What was declared.
        history: What was observed, in order.
        method: The engine, or ``"auto"``.
        approximate: Whether ``auto`` may choose an approximation.
        options: Settings of engines.
        where: Where it was read, for messages.
    """

    model: Model
    history: Sequence[Step]
    method: str
    approximate: bool
    options: EngineOptions
    where: str = "posterior"

    @property
    def version(self) -> int:
        """The first version of the format that can say it."""
        dependent = any(
            isinstance(variable, Choice) and variable.given is not None
            for variable in self.model.variables
        )
        return FORMAT_VERSION if dependent else 1


def save(saved: SavedPosterior, path: str | os.PathLike[str]) -> None:
    """Write declaration, evidence and method as JSON; the file is there whole or not at all.

    Raises:
        UnsupportedError: A choice has a value that JSON cannot hold, or the file would be too
            large to be read again.
        SettingsError: The file cannot be written.
    """
    text = json.dumps(to_json(saved), allow_nan=False)
    if len(text) >= MOST_BYTES or marks_of(text) > MOST_MARKS:
        raise UnsupportedError(
            "this posterior is too large for a file",
            value=f"{len(text):,} bytes, {marks_of(text):,} brackets and commas",
            hint=f"at most {MOST_BYTES:,} bytes and {MOST_MARKS:,} brackets and commas are read",
        )
    write_whole(Path(path), text + "\n")


def load(path: str | os.PathLike[str]) -> SavedPosterior:
    """The content of a file that `save` wrote.

    Raises:
        RecordError: It cannot be read, is no such file, is damaged, or was written by a newer
            version.
    """
    where = f"file {os.fspath(path)!r}"
    reading = FileKind(
        what="the posterior",
        most=MOST_BYTES,
        where=where,
        hint="name a file that posterior.save(path) wrote",
    )
    content = reading.bytes(os.fspath(path))
    try:
        text = content.decode("utf-8")
    except ValueError as error:
        raise RecordError("this is not JSON", where=where, hint=shorten(str(error))) from error
    refuse_large(text, most=MOST_MARKS, where=where)
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RecordError("this is not JSON", where=where, hint=shorten(str(error))) from error
    return from_json(data, where=where)


def to_json(saved: SavedPosterior) -> Json:
    """Declaration, evidence and method as JSON data; see `save`."""
    return written(SavedForm, saved)


def knowledge_digest(model: Model, history: Sequence[Step]) -> str:
    """SHA-256 of declaration and evidence, as hexadecimal digits."""
    known = [model_to_json(model), [step_to_json(step) for step in history]]
    return digest(known)


def from_json(data: Any, *, where: str = "posterior") -> SavedPosterior:
    """The posterior that `to_json` described; see `load`."""
    if not isinstance(data, dict) or cast(Json, data).get("format") != FORMAT:
        raise RecordError("this is not a saved posterior", where=where)
    entries = cast(Json, data)
    found = entries.get("version")
    if isinstance(found, int) and found > FORMAT_VERSION:
        raise RecordError(
            "this was written by a newer version of sleuth",
            where=where,
            value=entries.get("sleuth"),
            hint=f"this is {version()}; install a newer one",
        )
    if type(found) is not int or found < 1:
        raise RecordError(
            "this is damaged: unknown version of the format", where=where, value=found
        )
    form = read(SavedForm, entries, where)
    if form.method != "auto" and form.method not in (*NAMES, *GONE):
        raise RecordError("this is damaged: unknown method", where=where, value=form.method)
    model = model_of(form.model, f"{where}, model")
    reader = FormReader(model)
    steps: list[Step] = []
    for number, step in enumerate(form.history):
        with damage(f"{where}, history.{number}"):
            steps.append(reader.step(step))
    limit = math.inf if form.options.limit is None else form.options.limit
    with damage(where, SettingsError):
        return SavedPosterior(
            model=model,
            history=steps,
            method=GONE.get(form.method, form.method),
            approximate=form.approximate,
            options=EngineOptions(**cast(Json, {**dict(form.options), "limit": limit})),
            where=where,
        )


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON")
