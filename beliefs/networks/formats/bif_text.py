"""Networks in BIF, as they are written."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

from ....data.errors import UnsupportedError
from .bif import spelt
from .contents import OWN, NetworkContents, refuse_factors


def bif_text(contents: NetworkContents) -> str:
    """A network in BIF.

    Raises:
        UnsupportedError: A name cannot be written in this format, or it is a Markov network.
    """
    refuse_factors(contents, "BIF")
    observed = {each.name: _spelt(each.value) for each in contents.observed}
    own = f"  property {OWN} ;\n" if observed else ""
    title = f" {_spelt(contents.name)}" if contents.name else ""
    parts = [f"network{title} {{\n{own}}}\n"]
    states = {each.name: [_spelt(state) for state in each.states] for each in contents.variables}
    for name, words in states.items():
        mark = f"  property observed = {observed[name]} ;\n" if name in observed else ""
        parts.append(
            f"variable {_spelt(name)} {{\n  type discrete [ {len(words)} ] "
            f"{{ {', '.join(words)} }};\n{mark}}}\n"
        )
    for table in contents.tables:
        assert table.child is not None
        child = _spelt(table.child)
        if not table.parents:
            numbers = _row(table.numbers.tolist())
            parts.append(f"probability ( {child} ) {{\n  table {numbers};\n}}\n")
            continue
        rows = table.numbers.reshape(-1, len(states[table.child])).tolist()
        cases = itertools.product(*(states[parent] for parent in table.parents))
        parts.append(f"probability ( {child} | {', '.join(map(_spelt, table.parents))} ) {{\n")
        parts += [
            f"  ({', '.join(case)}) {_row(row)};\n" for case, row in zip(cases, rows, strict=True)
        ]
        parts.append("}\n")
    return "".join(parts)


def _row(numbers: Sequence[float]) -> str:
    return ", ".join(map(repr, numbers))


@cache
def _spelt(name: str) -> str:
    word = spelt(name)
    if word is None:
        raise UnsupportedError(
            "a name with a quotation mark, or of several lines, cannot be written in BIF",
            value=name,
            hint="write XMLBIF (.xml), or rename it",
        )
    return word
