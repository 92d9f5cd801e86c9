"""Tables of variables given their parents, as other libraries' models hold them; and choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from ...data.errors import DeclarationError, UnsupportedError, nearest
from ..arrays.problem import Floats
from ..language.deal_features import Value
from ..language.evidence import Evidence
from ..language.features import Feature, together
from ..language.likelihoods import some_of
from ..language.variables import Choice, choice_of

_Part = TypeVar("_Part")

#: How far the probabilities of a row may be from adding up to one; they are often rounded.
ROUNDING = 0.01


@dataclass(frozen=True, eq=False)
class NodeTable:
    """The table of one variable of a network, or a factor, whose last variable it is then.

    Attributes:
        name: Its name.
        states: Its values, in order.
        parents: What it depends on, by name, with the values in the table's order.
        weights: Probability of every value, shape (values of the parents..., values).
    """

    name: str
    states: tuple[Any, ...]
    parents: Mapping[str, tuple[Any, ...]]
    weights: Floats


def choices_of(tables: Sequence[NodeTable], *, before: Iterable[Choice] = ()) -> dict[str, Choice]:
    """The variables of a network by name, each with its table as its prior.

    Args:
        tables: One for each variable.
        before: Variables that are declared elsewhere, and may be parents.

    Raises:
        DeclarationError: A name is no string, a parent is missing or has other values, or a row
            does not add up to one.
    """
    states = {choice.name: choice.options for choice in before}
    for each in tables:
        check_name(each.name)
        if each.name in states:
            raise DeclarationError("two variables have one name", value=each.name)
        states[each.name] = each.states
    return {each.name: _choice(each, states) for each in tables}


def check_name(name: Any) -> None:
    """Refuse a variable that is named by something else than a string.

    Raises:
        DeclarationError: The name is no string, or empty.
    """
    if not isinstance(name, str) or not name:
        raise DeclarationError(
            "every variable is named by a string",
            value=name,
            hint="rename the nodes of the model, such as 0 to 'x0'",
        )


def factor_of(table: NodeTable, states: Mapping[str, tuple[Any, ...]], number: int) -> Evidence:
    """A factor of a Markov network as evidence, whose zeros are exact.

    Raises:
        DeclarationError: A variable has other values elsewhere.
        EvidenceError: The weights are none.
    """
    about = {**table.parents, table.name: table.states}
    where = f"factor {number} ({', '.join(map(str, about))})"
    weights = table.weights
    for axis, (name, values) in enumerate(about.items()):
        weights = in_order(weights, axis, name, values, states[name], where)
    feature = together(*(Value(name, states[name]) for name in about))
    return Evidence(feature, weights.ravel(), because=where, id=where)


def tables_of(
    choices: Mapping[str, Choice],
    parents: Mapping[str, Sequence[str]],
    evidence: Sequence[Evidence],
) -> list[NodeTable]:
    """The tables of a network's variables; or the factors, where it has evidence.

    Raises:
        UnsupportedError: A prior, or evidence, is about something else than values of variables.
    """
    states = {name: choice.options for name, choice in choices.items()}
    tables: list[NodeTable] = []
    for piece in evidence:
        about = _valued(piece.feature)
        tables.append(_node_table(about, states, piece.table))
    if not evidence:
        for name, choice in choices.items():
            above = [] if choice.given is None else _valued(choice.given)
            assert above == [*parents[name]]
            tables.append(_node_table([*above, name], states, choice.table))
    return tables


def _node_table(
    about: Sequence[str], states: Mapping[str, tuple[Any, ...]], table: Floats
) -> NodeTable:
    *above, own = about
    weights = table.reshape([len(states[name]) for name in about])
    return NodeTable(own, states[own], {name: states[name] for name in above}, weights)


def _valued(feature: Any) -> list[str]:
    """Names of the variables whose values together a feature is."""
    parts = getattr(feature, "parts", (feature,))
    if not all(isinstance(part, Value) for part in parts):
        raise UnsupportedError(
            "another library takes tables of variables only", value=feature.describe()
        )
    return [part.choice for part in parts]


def renamed(feature: _Part, names: Mapping[str, str]) -> _Part:
    """A feature of choices with other names, and the same values.

    Args:
        feature: The feature.
        names: The new name of each choice that it is about.
    """
    part: Any = feature
    found: Any = feature
    if isinstance(part, Value):
        found = replace(part, choice=names[part.choice])
    elif is_dataclass(part) and not isinstance(part, type):
        inner = {each.name: renamed(getattr(part, each.name), names) for each in fields(part)}
        found = cast("Any", replace(part, **inner))
    elif isinstance(part, tuple):
        found = tuple(renamed(each, names) for each in cast("tuple[Any, ...]", part))
    return found


def _choice(of: NodeTable, states: Mapping[str, tuple[Any, ...]]) -> Choice:
    where = f"table of {of.name!r}"
    weights = of.weights
    for axis, (parent, values) in enumerate(of.parents.items()):
        if parent not in states:
            raise DeclarationError(
                "a parent is no variable of the network",
                where=where,
                value=parent,
                hint=nearest(parent, [*states]),
            )
        weights = in_order(weights, axis, parent, values, states[parent], where)
    if not np.isfinite(weights).all() or (weights < 0.0).any():
        raise DeclarationError("probabilities are numbers from 0 to 1", where=where)
    totals = weights.sum(axis=-1)
    off = abs(totals - 1.0)
    if off.max() > ROUNDING:
        worst = np.unravel_index(int(off.argmax()), totals.shape)
        row = [
            f"{name} = {states[name][place]}" for name, place in zip(of.parents, worst, strict=True)
        ]
        raise DeclarationError(
            "the probabilities of a row must add up to one"
            + (f"; those for {', '.join(row)} do not" if row else ""),
            where=where,
            value=float(totals[worst]),
        )
    given = [Value(parent, states[parent]) for parent in of.parents]
    return choice_of(of.name, of.states, weights, _feature(given))


def _feature(given: Sequence[Feature]) -> Feature | None:
    if not given:
        return None
    return given[0] if len(given) == 1 else together(*given)


def in_order(
    weights: Floats,
    axis: int,
    name: str,
    found: Sequence[Any],
    wanted: Sequence[Any],
    where: str,
) -> Floats:
    """A table with the values of one axis in the order in which the variable itself has them.

    Raises:
        DeclarationError: They are others.
    """
    if tuple(found) == tuple(wanted):
        return weights
    if len(found) != len(wanted) or set(found) != set(wanted):
        raise DeclarationError(
            f"{name!r} has other values here than in its own table",
            where=where,
            value=some_of(found),
            hint=f"there they are {some_of(wanted)}",
        )
    places = {value: place for place, value in enumerate(found)}
    return weights.take([places[value] for value in wanted], axis=axis)
