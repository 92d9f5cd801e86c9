"""Contents of a file of a network, in whatever format, and the network that they make.

Every reader gives the same value, and everything that is not a matter of its format is checked
here: names, parents, the counts of numbers and their sums.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final

import numpy as np

from ....data.errors import SleuthError, UnsupportedError, nearest, shorten
from ...arrays.layout import Floats
from ...language.deal_features import Value
from ...language.evidence import Evidence
from ...language.features import Feature, together
from ...language.variables import Choice, choice_of
from ..network import Network
from .text import refuse

#: How far the probabilities of a row may be from adding up to one; files are often rounded.
ROUNDING: Final = 0.01

#: Most numbers of all tables: they are kept in memory, and some are written in few words.
MOST_NUMBERS: Final = 20_000_000

#: The property of a network by which marks of observed values are known as ours.
OWN: Final = "written_by = sleuth"

#: Titles of files that say nothing; R writes the second.
_UNTITLED: Final = ("", "unknown")


@dataclass(frozen=True)
class StatedVariable:
    """A variable of a file.

    Attributes:
        name: What it is called.
        states: Its values, in order.
        place: Where it stands; its words are told.
    """

    name: str
    states: tuple[str, ...]
    place: object


@dataclass(frozen=True, eq=False)
class StatedTable:
    """The table of a variable, or of a factor.

    Attributes:
        child: The variable that the numbers are probabilities of; None for a factor.
        parents: Those that it depends on, in order; of a factor, all that it is about.
        numbers: A number for each of their values together, flat: the first parent varies
            slowest, the child fastest.
        place: Where it stands.
        place_of: Where the number of an index stands, where that can be told.
    """

    child: str | None
    parents: tuple[str, ...]
    numbers: Floats
    place: object
    place_of: Callable[[int], object] | None = None

    @property
    def about(self) -> tuple[str, ...]:
        """The variables that it is about, in the order in which its numbers count them."""
        return self.parents if self.child is None else (*self.parents, self.child)

    def at(self, index: int) -> object:
        """The place of a number."""
        return self.place if self.place_of is None else self.place_of(index)


@dataclass(frozen=True)
class StatedValue:
    """A value that a file says is observed."""

    name: str
    value: str
    place: object


@dataclass(frozen=True)
class NetworkContents:
    """All that a file says of a network.

    Attributes:
        name: What the network is called; empty where it is not.
        variables, tables: In the order of the file.
        place: The file, or where in it something is missing.
        observed: Values that it marks as observed.
        own: Whether `to_bif` or `write_network` wrote those marks.
    """

    name: str
    variables: Sequence[StatedVariable]
    tables: Sequence[StatedTable]
    place: object
    observed: Sequence[StatedValue] = ()
    own: bool = False


def network_of(
    contents: NetworkContents, *, name: str = "network", observed: bool | None = None
) -> Network:
    """The network that a file says.

    Args:
        contents: What stands in it.
        name: What the network is called if the file does not say it.
        observed: Whether values that the file marks as observed count; None if those do that
            sleuth marked itself.

    Raises:
        RecordError: It is none; the message says where.
    """
    variables = stated_variables(contents.variables, contents.place)
    check_heads(((each.child, each.parents, each.place) for each in contents.tables), variables)
    for table in contents.tables:
        _check_table(table, variables)
    tables = {table.child: table for table in contents.tables if table.child is not None}
    factors = [table for table in contents.tables if table.child is None]
    features = {each.name: Value(each.name, each.states) for each in variables.values()}
    if factors:
        parents = dict.fromkeys(variables, ())
        choices = {each.name: Choice(each.name, each.states) for each in variables.values()}
        evidence = [
            _factor(table, number, features) for number, table in enumerate(factors, start=1)
        ]
    else:
        for variable in variables.values():
            if variable.name not in tables:
                refuse("a variable has no probabilities", variable.place, variable.name)
        _check_order(tables)
        parents = {child: tables[child].parents for child in variables}
        choices = {child: _choice(tables[child], variables[child], features) for child in variables}
        evidence = []
    counted = contents.own if observed is None else observed
    seen = _observed(contents, variables)
    network = Network(
        name if contents.name in _UNTITLED else contents.name,
        choices,
        parents,
        tuple(evidence),
        seen if counted else {},
    )
    try:
        _ = network.model
    except SleuthError as error:
        # Models that are too large are refused here and now.
        refuse(error.message, contents.place, hint=error.hint)
    return network


def stated_variables(
    variables: Sequence[StatedVariable], place: object
) -> dict[str, StatedVariable]:
    """The variables of a file by name.

    Args:
        variables: In the order of the file.
        place: Where it is said that there is none.

    Raises:
        RecordError: A name or a value stands twice, or there are none.
    """
    found: dict[str, StatedVariable] = {}
    for variable in variables:
        if variable.name in found:
            refuse("a variable is declared twice", variable.place, variable.name)
        if not variable.name:
            refuse("a variable needs a name", variable.place)
        if not variable.states:
            refuse("a variable has at least one value", variable.place, variable.name)
        if len(set(variable.states)) < len(variable.states):
            (twice, _), *_ = Counter(variable.states).most_common(1)
            refuse(f"a value of {variable.name!r} is named twice", variable.place, twice)
        found[variable.name] = variable
    if not found:
        refuse("no variable is declared here", place, hint="is it the right file?")
    return found


def check_heads(
    heads: Iterable[tuple[str | None, Sequence[str], object]],
    variables: Mapping[str, StatedVariable],
) -> None:
    """Refuse tables of what is not declared, and two tables of one variable.

    Args:
        heads: Of every table its child, if it has one, its parents, and its place.
        variables: Those that are declared.

    Raises:
        RecordError: A name is not declared, or stands twice.
    """
    children: set[str] = set()
    for child, parents, place in heads:
        about = [*parents] if child is None else [*parents, child]
        for name in about:
            if name not in variables:
                words = "a variable of this table is not declared"
                refuse(words, place, name, nearest(name, variables))
        if len(set(about)) < len(about):
            refuse("a variable is named twice in this table", place, about)
        if child is not None and child in children:
            refuse("the probabilities of a variable are given twice", place, child)
        children.add(child or "")


def marked_value(words: str) -> str | None:
    """The value that a property marks as observed, as ``observed = yes`` does; None for others."""
    words = _unquoted(words)
    value = words.removeprefix("observed")
    if value == words or not (value[:1].isspace() or value.startswith("=")):
        return None
    return _unquoted(value.strip().removeprefix("="))


def _unquoted(words: str) -> str:
    words = words.strip()
    return words[1:-1] if len(words) > 1 and words[0] == words[-1] == '"' else words


def _check_table(table: StatedTable, variables: Mapping[str, StatedVariable]) -> None:
    """Refuse numbers that are too many or too few, that are none, or do not add up."""
    words = "this factor" if table.child is None else f"the table of {table.child!r}"
    about = table.about
    size = math.prod(len(variables[name].states) for name in about)
    if size != table.numbers.shape[0]:
        counts = " x ".join(str(len(variables[name].states)) for name in about)
        needs = f"{counts} = {size:,}" if len(about) > 1 else counts
        refuse(f"{words} needs {needs} numbers", table.place, table.numbers.shape[0])
    wrong = ~(np.isfinite(table.numbers) & (table.numbers >= 0.0))
    if wrong.any():
        place = int(wrong.argmax())
        kind = "finite and not negative" if table.child is None else "from 0 to 1"
        words = f"the numbers of {words} must be {kind}"
        refuse(words, table.at(place), float(table.numbers[place]))
    if table.child is None:
        return
    states = len(variables[table.child].states)
    with np.errstate(over="ignore"):
        totals = table.numbers.reshape(-1, states).sum(axis=1)
    off: Floats = np.abs(totals - 1.0)
    worst = int(off.argmax())
    if not off[worst] <= ROUNDING:
        above = values_of(worst, [variables[parent].states for parent in table.parents])
        where = f" given ({shorten(', '.join(above), 60)})" if above else ""
        refuse(
            f"the probabilities of {table.child!r}{where} must add up to one; they do not",
            table.at(worst * states),
            float(totals[worst]),
        )


def values_of(row: int, states: Sequence[Sequence[str]]) -> list[str]:
    """The values that a row is for, of variables with these; the first varies slowest."""
    found: list[str] = []
    for each in reversed(states):
        row, place = divmod(row, len(each))
        found.append(each[place])
    return found[::-1]


def _check_order(tables: Mapping[str, StatedTable]) -> None:
    """No variable may be its own ancestor."""
    try:
        TopologicalSorter({child: table.parents for child, table in tables.items()}).prepare()
    except CycleError as error:
        # Named along the arrows, from a parent to its child.
        circle: list[str] = error.args[1]
        refuse("variables depend on each other in a circle", tables[circle[0]].place, circle)


def _choice(
    table: StatedTable, variable: StatedVariable, features: Mapping[str, Feature]
) -> Choice:
    above = [features[name] for name in table.parents]
    given = together(*above) if len(above) > 1 else above[0] if above else None
    try:
        return choice_of(variable.name, variable.states, table.numbers, given)
    except SleuthError as error:
        refuse(error.message, table.place, variable.name, error.hint)


def _factor(table: StatedTable, number: int, features: Mapping[str, Feature]) -> Evidence:
    title = f"factor {number} ({', '.join(table.parents)})"
    feature = together(*(features[name] for name in table.parents))
    weights: Any = table.numbers
    try:
        return Evidence(feature, weights, because=title, id=title)
    except SleuthError as error:
        refuse(error.message, table.place, hint=error.hint)


def _observed(contents: NetworkContents, variables: Mapping[str, StatedVariable]) -> dict[str, str]:
    found: dict[str, str] = {}
    for seen in contents.observed:
        states = variables[seen.name].states
        if seen.value not in states:
            words = f"{seen.name!r} has no such value to be observed"
            refuse(words, seen.place, seen.value, nearest(seen.value, states))
        if found.setdefault(seen.name, seen.value) != seen.value:
            refuse(f"two values of {seen.name!r} are observed", seen.place, seen.value)
    return found


# -- Back from a network


def contents_of(network: Network) -> NetworkContents:
    """All that a file must say of a network; `network_of` makes the same one of it.

    Raises:
        UnsupportedError: It has evidence that is no factor of a Markov network, or values that
            have the same name.
    """
    variables: list[StatedVariable] = []
    for name, choice in network.choices.items():
        states = tuple(map(str, choice.options))
        if len(set(states)) < len(states):
            raise UnsupportedError(
                f"values of {name!r} would have the same name in a file", value=choice.options
            )
        variables.append(StatedVariable(name, states, network.name))
    tables: list[StatedTable] = []
    for piece in network.evidence:
        parts = getattr(piece.feature, "parts", ())
        if not parts or not all(isinstance(part, Value) for part in parts):
            raise UnsupportedError("only factors can be written", value=piece.feature.describe())
        about = tuple(part.choice for part in parts)
        tables.append(StatedTable(None, about, piece.table, network.name))
    if not network.evidence:
        tables += [
            StatedTable(name, network.parents[name], choice.table.ravel(), network.name)
            for name, choice in network.choices.items()
        ]
    observed = [StatedValue(name, value, network.name) for name, value in network.observed.items()]
    return NetworkContents(network.name, variables, tables, network.name, observed, own=True)


def refuse_factors(contents: NetworkContents, what: str) -> None:
    """Refuse a Markov network in a format that has only tables of variables.

    Raises:
        UnsupportedError: It is a Markov network.
    """
    if any(table.child is None for table in contents.tables):
        raise UnsupportedError(
            f"{what} says Bayesian networks, and this is a Markov network",
            value=contents.name,
            hint="write a file in the format of UAI (.uai)",
        )
