"""Discrete Bayesian networks in BIF as declarations: `Choice`s, and their tables as evidence.

So that every engine can be judged on networks that nobody here wrote. Reading goes through
pgmpy, which also ships a number of well-known ones (`example_network`). `to_bif` goes the other
way: a small declaration and its evidence become a network that other tools can read.

Reference for the format: Hulten and Domingos, "The interchange format for Bayesian networks"
(2003).
"""

from __future__ import annotations

import gzip
import io
import re
import warnings
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...data.disk.reading import FileKind
from ...data.errors import (
    DeclarationError,
    RecordError,
    SettingsError,
    SleuthError,
    nearest,
)
from ..arrays.problem import MOST_PLACES, Floats
from ..language.evidence import Evidence
from ..language.features import together
from ..language.variables import Choice
from .network import Network

#: How far the probabilities of a column may be from adding up to one; files are often rounded.
ROUNDING = 0.01

#: Most bytes of a file, compressed or not.
MOST_BYTES = 8 * 2**20


def read_bif(path: str | Path) -> Network:
    """A network from a BIF file (``.bif``, or compressed as ``.bif.gz``).

    Columns that add up to one only after rounding are rescaled.

    Raises:
        RecordError: The file cannot be read, or is no network in BIF.
        DeclarationError: The network has more values than a model takes.

    >>> from sleuth import Choice, Model
    >>> from sleuth.networks import read_bif, to_bif
    >>> rain = Choice("rain", {"yes": 0.25, "no": 0.75})
    >>> read_bif(to_bif(Model(rain), [], "weather.bif").path).query("rain")
    {'yes': 0.25, 'no': 0.75}
    """
    file = Path(path)
    reading = FileKind(what="the network", most=MOST_BYTES)
    content = reading.bytes(file)
    try:
        if content[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(content)) as stream:
                content = stream.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise reading.too_large(file)
        text = content.decode("utf-8")
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise RecordError(
            f"cannot read this file: {(isinstance(error, OSError) and error.strerror) or error}",
            where=file.name,
        ) from error
    return _network(text, where=file.name, name=file.name.split(".")[0])


def example_network(name: str) -> Network:
    """A well-known network that pgmpy ships: asia, child, insurance, alarm, ...

    They come from the bnlearn repository (M. Scutari, bnlearn.com/bnrepository).

    Raises:
        SettingsError: pgmpy ships none of this name.

    >>> from sleuth.networks import example_network
    >>> len(example_network("cancer").choices)
    5
    """
    _require_pgmpy(name)
    folder = files("pgmpy") / "utils" / "example_models"
    suffix = ".bif.gz"
    known = sorted(
        entry.name.removesuffix(suffix) for entry in folder.iterdir() if entry.name.endswith(suffix)
    )
    if name not in known:
        raise SettingsError("pgmpy ships no such network", value=name, hint=nearest(name, known))
    text = gzip.decompress((folder / f"{name}{suffix}").read_bytes()).decode("utf-8")
    return _network(text, where=f"{name}{suffix}", name=name)


def _network(text: str, *, where: str, name: str) -> Network:
    # Each variable takes a place or more; parsing thousands takes minutes.
    declared = sum(1 for _ in re.finditer(r"\bvariable\s+[^\s{]+\s*\{", text))
    if declared > MOST_PLACES:
        raise DeclarationError(
            f"a model has at most {MOST_PLACES} places", where=where, value=f"{declared} variables"
        )
    reader = _parse(text, where)
    states: Mapping[str, Sequence[str]] = reader.variable_states
    names: Sequence[str] = reader.variable_names
    if not names:
        raise RecordError("no variable is declared here", where=where, hint="is it a BIF file?")
    choices: dict[str, Choice] = {}
    parents: dict[str, tuple[str, ...]] = {}
    tables: dict[str, Floats] = {}
    for variable in names:
        if names.count(variable) > 1:
            raise RecordError("a variable is declared twice", where=where, value=variable)
        if variable not in reader.variable_cpds:
            raise RecordError(
                "a variable has no probabilities",
                where=where,
                value=variable,
                hint=f"write a block: probability ( {variable} ) {{ ... }}",
            )
        parents[variable] = tuple(reader.variable_parents[variable])
        tables[variable] = _columns(variable, reader.variable_cpds[variable], where)
        options: Any = states[variable]
        if not parents[variable]:
            options = dict(zip(options, tables[variable][:, 0].tolist(), strict=True))
        try:
            choices[variable] = Choice(variable, options)
        except SleuthError as error:
            raise RecordError(error.message, where=where, value=variable) from error
    _check_order(parents, where)
    evidence: list[Evidence] = []
    for variable, above in parents.items():
        if above:
            feature = together(*(choices[name].value() for name in (*above, variable)))
            title = f"P({variable} | {', '.join(above)})"
            # A column of the table is a row of weights: the child varies fastest.
            weights = tables[variable].T.ravel()
            evidence.append(feature.weigh(weights.tolist(), exact=True, because=title, id=title))
    titled = reader.network_name
    network = Network(
        name if titled in (None, "", "unknown") else str(titled),
        choices,
        parents,
        tuple(evidence),
        _observed(text),
    )
    # Values that cannot be observed, and models that are too large, are refused here and now.
    network.observe()
    _ = network.model
    return network


def _require_pgmpy(where: str) -> None:
    if find_spec("pgmpy") is None:
        raise SettingsError(
            "pgmpy reads networks, and is not installed",
            where=where,
            hint="install pgmpy>=1.1,<1.2 (there is none for Python 3.15 yet)",
        )


def _parse(text: str, where: str) -> Any:
    _require_pgmpy(where)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            # pgmpy finds a block by its closing brace and the end of that line.
            return _reader()(string=text.replace("\r\n", "\n").rstrip() + "\n")
        except Exception as error:
            # pgmpy has no errors of its own: a broken file ends in whatever its parser trips over.
            raise RecordError(
                "pgmpy cannot read this as a Bayesian network in BIF",
                where=where,
                value=f"{type(error).__name__}: {error}",
                hint="check the states and the numbers of every probability block",
            ) from error


@cache
def _reader() -> Any:
    """pgmpy's reader, which makes its grammar once and not for every file: that takes a second."""
    reader: Any = import_module("pgmpy.readwrite").BIFReader
    grammars = ("get_variable_grammar", "get_probability_grammar")
    # A grammar is the same for all readers.
    made = {name: getattr(reader, name)(None) for name in grammars}
    return type("Reader", (reader,), {name: property(partial(_made, made[name])) for name in made})


def _made(grammar: Any, _: object) -> Any:
    """A method that gives what was made before."""
    return lambda: grammar


def _columns(variable: str, table: Any, where: str) -> Floats:
    """P(value | parents), one column for every combination of the parents' values."""
    values = np.asarray(table, dtype=np.float64)
    if not np.isfinite(values).all() or (values < 0.0).any():
        raise RecordError(
            f"the probabilities of {variable!r} must be numbers from 0 to 1", where=where
        )
    totals = values.sum(axis=0)
    worst = int(np.abs(totals - 1.0).argmax())
    if abs(totals[worst] - 1.0) > ROUNDING:
        raise RecordError(
            f"the probabilities of {variable!r} must add up to one for every combination of its "
            "parents; they do not",
            where=where,
            value=float(totals[worst]),
        )
    return values / totals


def _check_order(parents: Mapping[str, Sequence[str]], where: str) -> None:
    """Parents must be known, and no variable may be its own ancestor."""
    left = dict(parents)
    while left:
        free = [name for name, above in left.items() if not any(parent in left for parent in above)]
        if not free:
            raise RecordError(
                "variables depend on each other in a circle", where=where, value=[*left]
            )
        for name in free:
            unknown = [parent for parent in left.pop(name) if parent not in parents]
            if unknown:
                raise RecordError(
                    f"a parent of {name!r} is not declared",
                    where=where,
                    value=unknown[0],
                    hint=nearest(unknown[0], parents),
                )


def _observed(text: str) -> dict[str, str]:
    """Values that `to_bif` marked as observed."""
    blocks = re.findall(r"variable\s+([^\s{]+)\s*\{(.*?)\n\s*\}", text, re.DOTALL)
    found = (
        (name, re.search(r"property\s+observed\s*=\s*(\S+?)\s*;", body)) for name, body in blocks
    )
    return {name: match.group(1) for name, match in found if match}
