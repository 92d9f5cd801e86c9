"""Scotland Yard a second time, from the rules and the tables of the map alone, slowly."""

from __future__ import annotations

from dataclasses import dataclass, field

from sleuth.data.files import read_table

TICKETS = ("taxi", "bus", "underground", "black")
REVEALS = (3, 8, 13, 18, 24)
WAYS: set[tuple[int, str, int]] = set()
for row in read_table("scotland_yard", "connections.csv"):
    a, b = int(row["station_a"]), int(row["station_b"])
    WAYS |= {(a, row["transport"], b), (b, row["transport"], a)}
#: The start cards of the older box, and those of Mr. X and of the detectives in the newer one.
STARTS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198}
X_CARDS = {35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172}
D_CARDS = {13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 123, 138, 141, 155, 174}
CARDS = {"classic": (STARTS, STARTS), "later": (X_CARDS, D_CARDS)}


def leading(ways: set[tuple[int, str, int]]) -> dict[int, set[tuple[str, int]]]:
    """By station: each ticket and where it leads."""
    found: dict[int, set[tuple[str, int]]] = {station: set() for station in range(1, 200)}
    for a, way, b in ways:
        found[a] |= {("black", b)} | ({(way, b)} if way != "ferry" else set())
    return found


MAPS = {"classic": leading(WAYS), "later": leading(WAYS - {(13, "taxi", 14), (14, "taxi", 13)})}

Move = tuple[str, int, bool]
"""Ticket, where to, whether it is the first of two."""


@dataclass
class PlainGame:
    """The whole game, with the hider as player 0.

    `told` is what somebody who does not see the hider was told of the last move.
    """

    stations: list[int]
    tickets: list[dict[str, int]] = field(
        default_factory=lambda: [
            {"taxi": 4, "bus": 3, "underground": 3, "black": 5},
            *({"taxi": 10, "bus": 8, "underground": 4, "black": 0} for _ in range(5)),
        ]
    )
    doubles: int = 2
    second_half: bool = False
    log: list[str] = field(default_factory=list[str])
    player: int = 0
    winner: str = ""
    captor: int = 0
    moved_this_pass: bool = False
    possible: set[int] = field(default_factory=set[int])
    told: object = None
    edition: str = "classic"

    def __post_init__(self) -> None:
        self.possible = CARDS[self.edition][0] - set(self.stations[1:])

    def singles(self, player: int) -> set[tuple[str, int]]:
        return {
            (ticket, to)
            for ticket, to in MAPS[self.edition][self.stations[player]]
            if self.tickets[player][ticket] > 0 and to not in self.stations[1:]
        }

    def legal(self) -> set[Move]:
        found = {(ticket, to, False) for ticket, to in self.singles(self.player)}
        if self.player == 0 and self.doubles and not self.second_half and len(self.log) < 23:
            found |= {(ticket, to, True) for ticket, to, _ in found}
        return found

    def move(self, ticket: str, to: int, double: bool) -> None:
        player = self.player
        self.tickets[player][ticket] -= 1
        self.stations[player] = to
        if player == 0:
            self._hider_moved(ticket, to, double)
        else:
            self.tickets[0][ticket] += 1
            self.moved_this_pass = True
            self.told = (ticket, to)
            self.possible -= {to}
            if to == self.stations[0]:
                self.winner, self.captor = "seekers", player
            else:
                self._pass_on(player + 1)

    def _hider_moved(self, ticket: str, to: int, double: bool) -> None:
        self.log.append(ticket)
        shows = len(self.log) in REVEALS
        self.told = (ticket, double, to if shows else None)
        near = {b for a in self.possible for t, b in MAPS[self.edition][a] if t == ticket}
        self.possible = {to} if shows else near - set(self.stations[1:])
        self.second_half = double
        self.doubles -= double
        if double:
            if not self.singles(0):
                self.winner = "seekers"
            return
        self.moved_this_pass = False
        self._pass_on(1)

    def _pass_on(self, seeker: int) -> None:
        for candidate in range(seeker, 6):
            if self.singles(candidate):
                self.player = candidate
                return
        self.player = 0
        if not self.moved_this_pass or len(self.log) == 24:
            self.winner = "hider"
        elif not self.singles(0):
            self.winner = "seekers"
