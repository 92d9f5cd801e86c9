"""All ways that Mr. X can have gone, by the rules and the tables of the map alone, path by path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sleuth.games.scotland_yard import HiderMove, ScotlandYardRecord, SeekerMove

from .plain_rules import CARDS, MAPS, TICKETS


@dataclass(frozen=True)
class PlainPath:
    """One way that Mr. X can have gone.

    Attributes:
        weight: The probability of it, if each action is as likely as any other.
        at: Where Mr. X is in the end.
        steps: Where each move of Mr. X began, and where it led.
    """

    weight: float
    at: int
    steps: tuple[tuple[int, int], ...] = ()


def paths(record: ScotlandYardRecord, *, his_turn: bool) -> list[PlainPath]:
    """All paths that agree with a record of what everybody saw of a game that goes on.

    Args:
        record: Of what everybody saw.
        his_turn: True if it is Mr. X's turn in the end.
    """
    settings: Any = record.game.settings
    leads, (starts, _) = MAPS[settings["edition"]], CARDS[settings["edition"]]
    seekers = list(record.seekers)
    tickets = (*settings["hider_tickets"], settings["black_fares"])
    held: dict[str, int] = dict(zip(TICKETS, tickets, strict=True))
    doubles, log, second = settings["double_moves"], 0, False
    found = [PlainPath(1.0, start) for start in sorted(starts - {*seekers})]

    def ways(station: int) -> set[tuple[str, int]]:
        return {(t, to) for t, to in leads[station] if held[t] > 0 and to not in seekers}

    for event in record.events:
        if isinstance(event, SeekerMove):
            seekers[event.seeker - 1] = event.to
            held[event.ticket] += 1
            found = [path for path in found if path.at != event.to]
            continue
        assert isinstance(event, HiderMove)
        kinds = 2 if doubles and not second and log + 2 <= settings["rounds"] else 1
        longer: list[PlainPath] = []
        for path in found:
            listed = ways(path.at)
            longer += [
                PlainPath(path.weight / (kinds * len(listed)), to, (*path.steps, (path.at, to)))
                for ticket, to in sorted(listed)
                if ticket == event.ticket and event.to in (None, to)
            ]
        found = longer
        held[event.ticket] -= 1
        log, doubles, second = log + 1, doubles - event.double, event.double
        if second:
            found = [path for path in found if ways(path.at)]
    return [path for path in found if ways(path.at)] if his_turn else found


def shares(listed: Sequence[PlainPath]) -> dict[int, float]:
    """The probability of each station."""
    total = sum(path.weight for path in listed)
    found: dict[int, float] = {}
    for path in listed:
        found[path.at] = found.get(path.at, 0.0) + path.weight / total
    return found
