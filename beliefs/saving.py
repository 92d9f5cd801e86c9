"""Posteriors as files: the declaration and what was observed, as JSON.

What was computed is not stored: `load` computes it again, by the same method or another one.
Nothing in a file is ever run, and every part of it is checked like a declaration made by hand.
Floats are written so that they come back bit by bit.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from pathlib import Path
from typing import Any, cast

from ..data.errors import CostError, RecordError, SettingsError, UnsupportedError, shorten
from ..data.version import version
from ..data.writing import write_whole
from .checked_json import Json, damage, entries_of, flag, least, listed, number, text
from .engines import NAMES
from .infer import infer
from .json_form import Reader, model_from_json, model_to_json, step_to_json
from .posterior import Posterior

#: What a file says it is.
FORMAT = "sleuth posterior"
#: Raised whenever an older sleuth could not read a file, or would read it wrongly.
FORMAT_VERSION = 1


def save(posterior: Posterior, path: str | os.PathLike[str]) -> None:
    """Write declaration, evidence and method as JSON; the file is there whole or not at all.

    Raises:
        UnsupportedError: A choice has a value that JSON cannot hold.
        SettingsError: The file cannot be written.
    """
    written = json.dumps(to_json(posterior), allow_nan=False)
    write_whole(Path(path), written + "\n")


def load(path: str | os.PathLike[str], *, method: str | None = None) -> Posterior:
    """The posterior in a file that `save` wrote, computed again.

    Args:
        path: The file.
        method: Another method than the one it was saved with.

    Raises:
        RecordError: It cannot be read, is no such file, is damaged, or was written by a newer
            version.
        CostError, UnsupportedError: The method cannot compute it.
    """
    where = f"file {os.fspath(path)!r}"
    try:
        written = Path(path).read_text("utf-8")
    except OSError as error:
        raise RecordError(
            f"this cannot be read: {(error.strerror or str(error)).lower()}",
            where=where,
            hint="name a file that posterior.save(path) wrote",
        ) from None
    except ValueError as error:
        raise RecordError("this is not JSON", where=where, hint=shorten(str(error))) from error
    try:
        data = json.loads(written, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise RecordError("this is not JSON", where=where, hint=shorten(str(error))) from error
    return from_json(data, method=method, where=where)


def to_json(posterior: Posterior) -> Json:
    """Declaration, evidence and method as JSON data; see `save`."""
    options = posterior.options
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "sleuth": version(),
        "method": "auto" if posterior.automatic else posterior.method,
        "approximate": posterior.approximate,
        "options": {
            "samples": options.samples,
            "seed": options.seed,
            "chains": options.chains,
            "limit": None if math.isinf(options.limit) else options.limit,
        },
        "model": model_to_json(posterior.model),
        "history": [step_to_json(step) for step in posterior.history],
    }


def knowledge_digest(posterior: Posterior) -> str:
    """SHA-256 of the declaration and the evidence of a posterior, as hexadecimal digits."""
    known = [
        model_to_json(posterior.model),
        [step_to_json(step) for step in posterior.history],
    ]
    written = json.dumps(known, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def from_json(data: Any, *, method: str | None = None, where: str = "posterior") -> Posterior:
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
    with damage(where):
        if type(found) is not int or found != FORMAT_VERSION:
            raise RecordError("unknown version of the format", value=found)
        known = text(entries, "method")
        if known != "auto" and known not in NAMES:
            raise RecordError("unknown method", value=known)
        approximate = flag(entries, "approximate")
        options = entries_of(entries, "options")
        samples, seed = least(options, "samples", 1), least(options, "seed", 0)
        chains = least(options, "chains", 1)
        # JSON has no infinity, which says that there is no limit.
        limit = math.inf if options["limit"] is None else number(options["limit"])
        model = model_from_json(entries["model"])
        reader = Reader(model)
        steps = [reader.step(step) for step in listed(entries, "history")]
    # What the chosen method cannot do is no damage.
    with damage(where, CostError, UnsupportedError, SettingsError):
        return infer(
            model,
            steps,
            method=known if method is None else method,
            approximate=approximate,
            samples=samples,
            seed=seed,
            chains=chains,
            limit=limit,
        )


def _no_constant(word: str) -> float:
    raise ValueError(f"{word} is no JSON")
