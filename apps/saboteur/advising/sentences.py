"""Events of Saboteur in words, which are understood again where they are typed."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ....models.saboteur.record.events import RoundTurn, SaboteurEvent

VERBS: Final = {
    "break": "breaks", "repair": "repairs", "rockfall": "plays a rockfall on", "map": "looks at",
    "discard": "discards",
}  # fmt: skip


def said(event: SaboteurEvent) -> str:
    """An event in words, without a full stop."""
    if not isinstance(event, RoundTurn):
        return event.line
    verb, _, rest = event.what.partition(" ")
    if verb not in VERBS:
        return replace(event, what=f"lays {event.what}").line
    if verb in ("break", "repair"):
        tool, _, target = rest.partition(" ")
        rest = f"{tool} of {target}"
    return replace(event, what=f"{VERBS[verb]} {rest}".strip()).line
