"""Reads many continuations of one past, and has them weighed: what `Posterior.after_each` asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np

from ...data.checks import listed
from ...data.errors import CostError, EvidenceError, UnsupportedError
from ..arrays.layout import Additive, Floats
from ..language.evidence import Evidence, Prediction
from ..language.features import Condition
from ..language.likelihoods import refuse_many
from ..language.quantities import Quantity
from ..modelling.history import flat
from .continuations import Continuations
from .weighing import ContinuationGroup, Past, QuestionSubject

#: Most probabilities of values, over all continuations.
MOST_SHARES: Final = 100_000_000
#: What is less likely may have been lost to floats, where weights lie far apart.
LEAST: Final = 1e-200
LEAST_TABLE: Final = 1e-100

#: After one continuation alone: its probability, and the distribution of the feature then; None
#: where it is impossible.
Alone = Callable[[Any], tuple[float, Floats] | None]


def after_each(
    past: Past, observations: Iterable[Any], about: Quantity, alone: Alone
) -> Continuations:
    """The marginal of a feature after each continuation; see `Posterior.after_each`.

    Args:
        past: What they go on from.
        observations: The continuations.
        about: What is asked about.
        alone: Answers for a continuation that is more than weights on features.
    """
    refuse_many(about.value_count)
    if not isinstance(observations, Iterable) or isinstance(observations, (str, bytes)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvidenceError(
            "a list of continuations was expected",
            value=observations,
            hint="for one alone write after_each([evidence], about=...)",
        )
    most = MOST_SHARES // max(about.value_count, 1)
    words = f"at most {most:,} continuations are asked together about so many values"
    given = listed(observations, most, words, error=EvidenceError)
    groups, rest = grouped(past, given)
    places, weights = np.zeros(0, dtype=np.int64), np.zeros((len(given), 0))
    try:
        asked = QuestionSubject.of(past, about)
        places = asked.places
        weights, unsaid = asked.weighed(groups, len(given))
        rest += [*unsaid, *lost(past, groups, weights)]
    except (CostError, UnsupportedError):
        rest = [*range(len(given))]
    chances = weights.sum(axis=1)
    if rest:
        whole = np.zeros((len(given), about.value_count))
        whole[:, places] = weights
        for number in rest:
            found = alone(given[number])
            chances[number], whole[number] = (0.0, 0.0) if found is None else found
        places, weights = np.arange(about.value_count), whole
    return Continuations.of(about.values, places, weights, chances)


# -- what is weighed


def grouped(past: Past, given: Sequence[Any]) -> tuple[list[ContinuationGroup], list[int]]:
    """Continuations by the features that they weigh, and those that do more than weigh features.

    Raises:
        EvidenceError: Evidence does not fit the model.
    """
    layout = past.problem.layout
    groups: dict[tuple[int, ...], ContinuationGroup] = {}
    # A feature is kept beside what it is on the layout, so that no other gets its number.
    known: dict[int, tuple[Quantity, Additive]] = {}
    rest: list[int] = []
    for number, continuation in enumerate(given):
        pieces = (
            (continuation,) if isinstance(continuation, Evidence) else _pieces(past, continuation)
        )
        if pieces is None or _names_clash(past, pieces):
            rest.append(number)
            continue
        tables: dict[int, tuple[Additive, Floats]] = {}
        for evidence in pieces:
            if evidence.feature.late or layout.order:
                evidence = evidence.on(layout)
            feature = evidence.feature
            found = known.get(id(feature))
            if found is None:
                past.model.check(feature)
                found = known[id(feature)] = feature, feature.base.additive(layout)
            additive, table = found[1], evidence.base_table()
            key = id(additive)
            if key in tables:
                table = tables[key][1] * table
            tables[key] = additive, table
        group = groups.get(key := tuple(tables))
        if group is None:
            features = tuple(additive for additive, _ in tables.values())
            group = groups[key] = ContinuationGroup(features, [], tuple([] for _ in features))
        group.numbers.append(number)
        for kept, (_, table) in zip(group.tables, tables.values(), strict=True):
            kept.append(table)
    return [*groups.values()], rest


def _pieces(past: Past, continuation: Any) -> list[Evidence] | None:
    """The evidence of a continuation; None where it is not only weights on features."""
    found: list[Evidence] = []
    for piece in flat([continuation]):
        if isinstance(piece, Evidence):
            found.append(piece)
        elif isinstance(piece, Condition):
            found.append(piece.observed())
        elif isinstance(piece, Mapping):
            found += past.model.evidence_of(cast("Mapping[str, Any]", piece))
        elif isinstance(piece, Prediction) and not isinstance(piece.given, str):
            found.append(piece.against(piece.given))
        else:
            return None
    return found


def _names_clash(past: Past, pieces: Sequence[Evidence]) -> bool:
    """True if evidence has the id of other evidence, which is refused where it is observed."""
    ids = [evidence.id for evidence in pieces if evidence.id is not None]
    return bool(ids) and (len(set(ids)) < len(ids) or not past.ids.isdisjoint(ids))


def lost(past: Past, groups: Sequence[ContinuationGroup], weights: Floats) -> list[int]:
    """Continuations of which floats may have lost what is left: those are computed anew.

    Samples say what they say.
    """
    unlikely = weights.sum(axis=1) < LEAST
    numbers = [number for group in groups for number in group.numbers if unlikely[number]]
    if not numbers or not past.solution.exact:
        return []
    tables = [table for group in groups for several in group.tables for table in several]
    least = min((float(table.min(where=table > 0.0, initial=1.0)) for table in tables), default=1.0)
    return numbers if past.problem.strong or least < LEAST_TABLE else []
