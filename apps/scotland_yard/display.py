"""Scotland Yard as its players see it: stations, tickets, what was played, where Mr. X may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...data.errors import SettingsError
from ...models.game import HIDDEN
from ...models.play import View, viewer_name
from ...models.scotland_yard import HIDER, TICKETS, board, stations_of
from ...models.scotland_yard.rules import SHOWN, may_double
from ...models.scotland_yard.state import THE_SEEKERS
from ...planners.matches.winning import WinningChances
from ..kit.answers.values import (
    Cell,
    Column,
    Map,
    Paragraph,
    Sheet,
    Statement,
    Statements,
    right,
    sheet,
)
from ..kit.display import Display, Extra, Sight
from ..kit.number_words import bits, percent
from .picture import counted_chances, likeliest
from .words import HIDER_NAME, describe, spelt_out, station_in
from .yard_map import BLACK, yard_map

#: Most possible stations that are named each turn.
NAMED: Final = 12
#: Most stations that `belief` lists.
LISTED: Final = 15
BAR: Final = 20
SHORT: Final = {"taxi": "taxi", "bus": "bus", "underground": "und.", "black": "black"}


class ScotlandYard(Display):
    """A person is Mr. X, or all detectives."""

    title = "Scotland Yard"
    rules = (
        "Mr. X hides, the detectives seek. A move goes along one connection and costs its ticket. "
        "Detectives' tickets go to Mr. X. A black fare hides the transport and is the only ticket "
        "for the ferry. A double move is two moves in a row. A detective who moves onto Mr. X's "
        "station catches Mr. X."
    )
    writing = (
        "Write 'taxi 46', or '46' where one ticket leads there; Mr. X also 'black 45', and "
        "'taxi 46 double' for the first of two moves."
    )
    said = frozenset({"double"})

    @property
    def extras(self) -> Mapping[str, Extra]:
        """The map."""
        says = "the board: pieces, and where Mr. X may be; 'map 46' shows what is around 46"
        return {"map": (says, self._map)}

    def names(self, roles: tuple[int, ...]) -> str:
        """Mr. X, a detective, or the detectives."""
        return HIDER_NAME if roles == (HIDER,) else super().names(roles)

    # -- moves

    def move_names(self, view: View) -> dict[int, str]:
        """Ticket and goal, such as ``bus 46``."""
        return {action: self._move(action) for action in view.legal().tolist()}

    def spelt_out(self, line: str) -> str:
        """Stations may be called as on the map, such as ``t46``."""
        return spelt_out(line)

    def moves(self, sight: Sight) -> Statements:
        """The stations to which every ticket leads."""
        goals: dict[str, list[str]] = {}
        board = self._board
        for action in sight.view.legal().tolist():
            if action < board.moves:
                ticket = TICKETS[int(board.ticket[action])]
                goals.setdefault(ticket, []).append(str(board.target[action]))
        rows = [(ticket, " ".join(stations)) for ticket, stations in goals.items()]
        parts: list[Statement] = [sheet("", "", rows=rows)]
        if may_double(sight.state, self.game.tables):
            parts.append(Paragraph("Add 'double' for the first of two moves."))
        return parts

    def prompt(self, sight: Sight) -> str:
        """The one who moves, and from where."""
        role = sight.view.viewer
        second = ", second of two" if role == HIDER and sight.state.doubling else ""
        return f"{self.name_of(role, sight)} at {sight.state.stations[role]}{second}"

    # -- what there is to see

    def situation(self, sight: Sight) -> Statements:
        """Everybody's station and tickets, the log of Mr. X, and where they may be."""
        return [self._pieces(sight), self._log(sight), self._possible(sight)]

    def at_a_move(self, sight: Sight) -> Statements:
        """The surroundings of the piece that moves."""
        if sight.view.over or sight.view.viewer not in sight.person:
            return []
        return [self._drawn(sight, int(sight.state.stations[sight.view.viewer]))]

    def on_page(self, sight: Sight) -> Statements:
        """The surroundings of the piece that moves, or the whole board while others move."""
        moves = sight.view.player == sight.view.viewer
        centre = int(sight.state.stations[sight.view.viewer]) if moves else None
        return [self._drawn(sight, centre), *self.situation(sight)]

    def sentence(self, sight: Sight, place: int) -> str:
        """A move, as far as it was seen."""
        event = sight.seen.events[place].event
        seen, mover = event.observation, event.mover
        number = sum(each.event.mover == HIDER for each in sight.seen.events[: place + 1])
        if mover != HIDER:
            shown, code = divmod(seen, SHOWN)
            said = describe(mover, code, number, self.game.tables)
            there = shown == int(self._board.target[code])
            return f"{said} - and there is {HIDER_NAME}" if there else said
        if sight.view.viewer != HIDER:
            return describe(mover, seen, number, self.game.tables)
        said = f"{HIDER_NAME}, move {number}: {self._move(seen % self._board.moves)}"
        if self.game.tables.rules[0].reveals[number]:
            said += ", and surfaces"
        return f"{said} (first of two)" if seen >= self._board.moves else said

    def ending(self, sight: Sight) -> str:
        """The winner, and where Mr. X was."""
        state = sight.state
        where = f"at {state.stations[HIDER]}"
        if state.won != THE_SEEKERS:
            return f"{HIDER_NAME} got away, and was {where}."
        if state.captor:
            return f"{viewer_name(self.game.roles, int(state.captor))} caught {HIDER_NAME} {where}."
        return f"{HIDER_NAME}, {where}, could not move: the detectives have won."

    def belief(self, sight: Sight) -> Statements:
        """The station for those who see only what all see: also what Mr. X asks about."""
        known = self.game_belief()
        assert known is not None, "Mr. X's station is hidden"
        posterior = known.infer(sight.public_view, sight.public_seen)
        (feature,) = list(known.hidden(sight.public_view).values())[:1]
        shares = posterior.marginal(feature)
        ranked = sorted(shares.items(), key=lambda pair: -pair[1])
        own = int(sight.state.stations[HIDER]) if sight.view.viewer == HIDER else 0
        shown = [pair for pair in ranked[:LISTED] if pair[0] != own]
        if own:
            shown.append((own, shares.get(own, 0.0)))
            shown.sort(key=lambda pair: -pair[1])
        rows: list[tuple[Cell, ...]] = [
            (
                f"{station}{' (you)' if station == own else ''}",
                f"{percent(probability)} %",
                probability / ranked[0][1],
            )
            for station, probability in shown
        ]
        whose = "Where they may think you are" if own else f"Where {HIDER_NAME} is"
        heading = f"{whose}: {len(ranked)} stations, {bits(posterior.entropy(feature))} bits"
        more = len(ranked) - len(shown)
        table = sheet("", right(), Column(bar=BAR), rows=rows)
        rest = Paragraph(f"and {more} more" if more > 0 else "")
        return [Paragraph(heading, "strong"), table, rest]

    def standing(self, sight: Sight) -> Statements:
        """As `situation`; where Mr. X may be is drawn."""
        return [self._pieces(sight), self._log(sight)]

    def laid_open(self, sight: Sight) -> Statements:
        """The board with all pieces, and where Mr. X may be."""
        return [self._drawn(sight, None), *self.standing(sight)]

    def drawn_belief(self, sight: Sight) -> Statements:
        """The board, with how likely Mr. X is at each station; for Mr. X what others can know."""
        known = self.game_belief()
        assert known is not None, "Mr. X's station is hidden"
        shares: dict[int, float] = {}
        for feature in list(known.hidden(sight.public_view).values())[:1]:
            shares = known.infer(sight.public_view, sight.public_seen).marginal(feature)
        drawn = yard_map(
            board(self.game.settings["edition"]),
            self._standing_at(sight.state),
            [station for station, share in shares.items() if share > 0.0],
            shares={station: share for station, share in shares.items() if share > 0.0},
        )
        return [drawn, Paragraph(likeliest(shares))]

    def winning_chances(self, sight: Sight) -> WinningChances | None:
        """The share of matches between programs that each side won from such a position."""
        if sight.view.over:
            return super().winning_chances(sight)
        return counted_chances(sight.public_view.states[0], self.game)

    # -- parts

    @property
    def _board(self) -> Any:
        return self.game.tables.board[0]

    def _move(self, action: int) -> str:
        board = self._board
        move = action % board.moves
        name = f"{TICKETS[board.ticket[move]]} {board.target[move]}"
        return f"{name} double" if action >= board.moves else name

    def _pieces(self, sight: Sight) -> Sheet:
        state, role = sight.state, sight.view.viewer
        rows: list[tuple[Cell, ...]] = []
        for player in range(self.game.players):
            station = int(state.stations[player])
            tickets = state.tickets[player].tolist()
            cells = [str(count) for count in tickets]
            if player != HIDER:
                cells[-1] = ""  # detectives have no black fares
            name = HIDER_NAME if player == HIDER else viewer_name(self.game.roles, player)
            moves = player == role and not sight.view.over
            at = "?" if station == HIDDEN else str(station)
            doubles = str(int(state.doubles)) if player == HIDER else ""
            rows.append(
                (
                    Paragraph(f"> {name}", "strong") if moves else f"  {name}",
                    Paragraph(at, "strong") if moves else at,
                    *cells,
                    doubles,
                )
            )
        heads = map(right, ("at", *SHORT.values(), "double"))
        return sheet("", *heads, rows=rows, gap=1)

    def _log(self, sight: Sight) -> Paragraph:
        """The tickets that Mr. X played, with the stations where they showed themselves."""
        state, rules = sight.state, self.game.tables.rules[0]
        turn = int(state.turn)
        shown: dict[int, int] = {}
        number = 0
        for seen in sight.public_seen.events:
            if seen.event.mover == HIDER:
                number += 1
                if seen.event.observation >= SHOWN:
                    shown[number] = seen.event.observation // SHOWN
        text = f"{HIDER_NAME} has made {turn} of {rules.rounds} moves"
        ahead = [each for each in range(turn + 1, rules.rounds + 1) if rules.reveals[each]]
        if ahead:
            text += f" and surfaces after {', '.join(map(str, ahead))}"
        text += "."
        if turn:
            played = [
                SHORT[TICKETS[ticket]] + (f" ({shown[place]})" if place in shown else "")
                for place, ticket in enumerate(state.log[:turn].tolist(), start=1)
            ]
            text += f"\nTickets played: {' '.join(played)}"
        return Paragraph(text)

    def _possible(self, sight: Sight) -> Paragraph:
        possible = stations_of(sight.public_view.states[0].possible)
        where = "They know you may be" if sight.person == (HIDER,) else f"{HIDER_NAME} may be"
        named = " ".join(map(str, possible))
        if len(possible) > NAMED:
            return Paragraph(f"{where} at any of {len(possible)} stations ('map' shows them).")
        return Paragraph(f"{where} at {named}.")

    def _map(self, sight: Sight, rest: str) -> Statements:
        """The whole board, or what is around a station.

        Raises:
            SettingsError: There is no such station.
        """
        if not rest:
            return [self._drawn(sight, None)]
        count = len(board().places)
        station = station_in(rest, count)
        if station is None:
            raise SettingsError(
                "there is no such station",
                value=rest,
                hint=f"write 'map' and one from 1 to {count}",
            )
        return [self._drawn(sight, station)]

    def _standing_at(self, state: Any) -> dict[int, str]:
        """The letters of the pieces whose stations are known."""
        return {
            int(state.stations[player]): "X" if player == HIDER else str(player)
            for player in range(self.game.players)
            if state.stations[player] != HIDDEN
        }

    def _drawn(self, sight: Sight, centre: int | None) -> Map:
        """The board, or what is around a station, with where the one who moves can go."""
        state, role = sight.state, sight.view.viewer
        moves = role in sight.person and role == sight.view.player
        return yard_map(
            board(self.game.settings["edition"]),
            self._standing_at(state),
            stations_of(sight.public_view.states[0].possible),
            goals=self._goals(sight) if moves else {},
            mover=int(state.stations[role]) if moves else None,
            centre=centre,
        )

    def _goals(self, sight: Sight) -> dict[int, tuple[str, ...]]:
        """Stations one can go to, and by which tickets: black only where no other does."""
        found: dict[int, list[str]] = {}
        for action in sight.view.legal().tolist():
            move = action % self._board.moves
            tickets = found.setdefault(int(self._board.target[move]), [])
            ticket = TICKETS[int(self._board.ticket[move])]
            if ticket not in tickets:
                tickets.append(ticket)
        plain = {
            goal: tuple(each for each in ways if each != BLACK) for goal, ways in found.items()
        }
        return {goal: ways or (BLACK,) for goal, ways in plain.items()}
