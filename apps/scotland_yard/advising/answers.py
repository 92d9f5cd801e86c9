"""Answers to a detective at the table: where Mr. X may be, and what each detective should do."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ....beliefs.posterior import entropy_bits
from ....data.errors import ContradictionError, RecordError
from ....models.game import OVER, legal_actions
from ....models.scotland_yard.advice.win_rates import win_rate
from ....models.scotland_yard.board import STATIONS, board
from ....models.scotland_yard.events import SeekerMove, seeker_name
from ....models.scotland_yard.state import HIDER, THE_SEEKERS, TICKETS
from ....planners.agents import SearchAgent, parse_agent
from ....planners.search.decision import ActionReport
from ...kit.advising.ranking import leading, not_told_apart
from ...kit.answers.values import Cell, Column, Map, Paragraph, Statement, Statements, right, sheet
from ...kit.number_words import bits, listed, number, percent
from ..chances import DetectiveMove, move_of
from ..words import HIDER_NAME, station_in
from ..yard_map import yard_map
from .table import HuntSetup

#: Who thinks about the detectives' moves, and its seed.
AGENT: Final = "mcts:simulations=10000,seconds=3"
SEED: Final = 0
#: Stations that are named at once, and in the list.
NAMED: Final = 5
LISTED: Final = 12
#: Moves of a detective that are listed.
MOVES: Final = 5
BAR: Final = 20
#: Probabilities that differ by less are the same.
SAME: Final = 1e-9


def news(table: HuntSetup, before: HuntSetup | None) -> Statements:
    """The stations of Mr. X, and whether the next detective can catch them.

    Args:
        table: The game now.
        before: The game before the last entry, where that has one and is not contradictory.
    """
    state: Any = table.states[0]
    ranked = _ranked(table)
    if table.player == OVER:
        won = state.won == THE_SEEKERS
        said = "the detectives have won" if won else f"{HIDER_NAME} got away"
        return [Paragraph(f"The game is over: {said}.")]
    if len(ranked) == 1:
        said = f"{HIDER_NAME} is at {ranked[0][0]}."
    elif before is not None and np.allclose(before.stations, table.stations, rtol=0.0, atol=SAME):
        said = f"Still {number(len(ranked), 'station')}."
    else:
        leading = ", ".join(f"{place} ({percent(share)} %)" for place, share in ranked[:NAMED])
        said = (
            f"{HIDER_NAME} may be at {number(len(ranked), 'station')}, "
            f"{bits(entropy_bits(table.stations))} bits: {leading}"
            f"{', ...' if len(ranked) > NAMED else '.'}"
        )
    if table.player != HIDER:
        best = max(steps(table).values(), key=lambda step: step.capture)
        if best.capture > 0.0:
            who = seeker_name(table.player).capitalize()
            said += (
                f"\n{who} would find them at {best.to} ({best.ticket}) with "
                f"{percent(best.capture)} %."
            )
    return [Paragraph(said)]


def where(table: HuntSetup) -> Statements:
    """The likeliest stations."""
    ranked = _ranked(table)
    rows: list[tuple[Cell, ...]] = [
        (str(place), f"{percent(share)} %", share / ranked[0][1])
        for place, share in ranked[:LISTED]
    ]
    made = sheet(right("station"), right(), Column(bar=BAR), rows=rows)
    more = len(ranked) - LISTED
    left = f"{more} more {'is' if more == 1 else 'are'} possible; e" if more > 0 else "E"
    rest = f"{left}ntropy {bits(entropy_bits(table.stations))} bits."
    return [made, Paragraph(rest, "soft")]


def best(table: HuntSetup) -> Statements:
    """Moves for the detective whose turn it is, and for the others after them."""
    if table.player in (HIDER, OVER):
        hint = "" if table.player == OVER else "enter Mr. X's ticket first"
        raise RecordError("no detective is to move now", hint=hint)
    mover, moves, reports = table.player, steps(table), _decision(table)
    alike = leading(reports)
    rows: list[tuple[Cell, ...]] = []
    for place, report in enumerate(reports[:MOVES]):
        step = moves[report.action]
        # What the search cannot tell from the first one has its rank.
        rank = Paragraph("1" if place < alike else str(place + 1), "soft")
        shares = (_share(step.capture), _share(step.pressure))
        rows.append((rank, f"{step.ticket} {step.to}", *shares, str(step.possible)))
    heads = map(right, ("catch", "near", "left"))
    more = len(reports) - MOVES
    parts: list[Statement] = [sheet(right(), f"{seeker_name(mover)} to", *heads, rows=rows)]
    if more > 0:
        said = f"{number(more, 'more move').capitalize()} {'is' if more == 1 else 'are'} worse."
        parts.append(Paragraph(said, "soft"))
    if tie := not_told_apart(alike, len(reports), "move"):
        parts.append(Paragraph(tie, "soft"))
    if plan := _plan(table, moves[reports[0].action], mover):
        parts.append(Paragraph(f"If nobody is found, then {listed(plan)}."))
    parts.append(Paragraph(_outlook(table)))
    note = (
        "Moves are ranked by a search. Near: Mr. X is there or one move of this detective away. "
        "Left: how many stations remain if Mr. X is not found."
    )
    return [*parts, Paragraph(note, "soft")]


def _outlook(table: HuntSetup) -> str:
    """The share of matches that detectives won from such positions; not of a search."""
    found = win_rate(table.states[0], table.game.settings)
    if found is None:
        return "How often detectives win from here was not measured."
    low, high = (percent(end) for end in found.interval)
    return (
        f"The programs reached such a position in {found.games} games (rounds "
        f"{_range(found.rounds)}, {_range(found.possible)} possible stations). Detectives won "
        f"{percent(found.rate)} % ({low} to {high} %) of them."
    )


def _range(ends: tuple[int, int | None]) -> str:
    """Numbers from the first to the last, in words."""
    first, last = ends
    if last is None:
        return f"{first} or more"
    return str(first) if first == last else f"{first} to {last}"


def _plan(table: HuntSetup, step: DetectiveMove, mover: int) -> list[str]:
    """Moves for the detectives after this one, if each does so and finds nobody."""
    said: list[str] = []
    while step.capture < 1.0:
        table = table.after(SeekerMove(mover, step.ticket, step.to))
        mover = table.player
        if mover in (HIDER, OVER):
            break
        found = _decision(table)[0]
        step = steps(table)[found.action]
        catch = f" ({_share(step.capture)} to catch)" if step.capture else ""
        said.append(f"{seeker_name(mover)} by {step.ticket} to {step.to}{catch}")
    return said


def pieces(table: HuntSetup) -> Statements:
    """The places of all pieces, and the tickets they have left."""
    state: Any = table.states[0]
    possible = _possible(table)
    rows: list[tuple[str, ...]] = []
    for player in range(table.game.players):
        known = possible[0] if len(possible) == 1 else "?"
        at = known if player == HIDER else state.stations[player]
        tickets = state.tickets[player].tolist()
        more = [tickets[-1], int(state.doubles)] if player == HIDER else ["", ""]
        name = HIDER_NAME if player == HIDER else seeker_name(player)
        rows.append(tuple(map(str, (name, at, *tickets[:-1], *more))))
    return [sheet("", *map(right, ("at", *TICKETS, "double")), rows=rows)]


def drawn(table: HuntSetup, rest: str) -> Map:
    """The board, or what is around a station."""
    state: Any = table.states[0]
    standing = {int(state.stations[player]): str(player) for player in range(1, table.game.players)}
    possible = _possible(table)
    centre = station(rest, "map 46") if rest else None
    return yard_map(board(table.game.settings["edition"]), standing, possible, centre=centre)


def shared(table: HuntSetup, goals: Mapping[int, tuple[str, ...]], *, bare: bool) -> Map:
    """The board with how likely Mr. X is where; stations that can be named now are touched.

    Args:
        table: The game.
        goals: Where the one whose turn it is can go: station -> tickets.
        bare: Whether only the pieces are shown.
    """
    state: Any = table.states[0]
    standing = {int(state.stations[player]): str(player) for player in range(1, table.game.players)}
    possible = [] if bare else _possible(table)
    mover = int(state.stations[table.player]) if goals else None
    made = yard_map(
        board(table.game.settings["edition"]), standing, possible, goals=goals, mover=mover
    )
    named = {*range(1, STATIONS + 1)} if table.player == HIDER and table.due else {*goals}
    spots = tuple(
        replace(
            spot,
            share=None if bare or not spot.possible else float(table.stations[place]),
            line=f"do to {place}" if place in named else "",
        )
        for place, spot in enumerate(made.spots, 1)
    )
    return replace(made, spots=spots)


def why(table: HuntSetup, rest: str) -> Statements:
    """The entries that rule a station out."""
    place = station(rest, "why 46")
    share = float(table.stations[place])
    (walk,) = table.posterior.model.walks
    if 0.0 < share < 1.0:
        return [Paragraph(f"{HIDER_NAME} may be at {place}: {percent(share, 1)} %.")]
    because = table.posterior.explain(walk.at().equals(place))
    numbers = [str(unit) for unit in because if isinstance(unit, int)]
    noun = "entry" if len(numbers) == 1 else "entries"
    said = f"by {noun} {listed(numbers)}" if numbers else "from the start"
    return [Paragraph(f"{HIDER_NAME} {'is' if share else 'cannot be'} at {place}, {said}.")]


def station(text: str, such: str) -> int:
    """The station that is written."""
    found = station_in(text, STATIONS)
    if found is None:
        raise RecordError("there is no such station", value=text, hint=f"write '{such}'")
    return found


def _ranked(table: HuntSetup) -> list[tuple[int, float]]:
    """The possible stations, the likeliest first."""
    order = np.argsort(-table.stations, kind="stable")[: np.count_nonzero(table.stations)]
    return [(int(place), float(table.stations[place])) for place in order]


def _possible(table: HuntSetup) -> list[int]:
    """The possible stations, the likeliest first; none where what was entered contradicts."""
    with suppress(ContradictionError):
        return [place for place, _ in _ranked(table)]
    return []


def steps(table: HuntSetup) -> dict[int, DetectiveMove]:
    """All moves of the detective whose turn it is, by their codes."""
    return {
        code: move_of(table.game, table.states, table.stations, code)
        for code in legal_actions(table.game, table.states).tolist()
    }


def _decision(table: HuntSetup) -> list[ActionReport]:
    """The moves of the detective whose turn it is, the best first, by a search."""
    play = table.record.replayed.play
    agent = parse_agent(AGENT).prepare(table.game)(SEED)
    assert isinstance(agent, SearchAgent), "it searches"
    return [*agent.decision(play.view(table.player), play.seen_by(table.player)).actions]


def _share(share: float) -> str:
    return f"{percent(share)} %" if share else "–"
