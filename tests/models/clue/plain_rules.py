"""Clue on its board once more: slow, in plain Python, by names, and written from the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sleuth.games.clue import ROOMS, SUSPECTS
from sleuth.models.clue.board.board import board
from sleuth.models.clue.cards import CATEGORIES

Place = str | tuple[int, int]
SQUARES = set(board().squares)
DOORS: dict[str, set[tuple[int, int]]] = {room: set() for room in ROOMS}
for _room, _square in board().doors:
    DOORS[_room].add(_square)
PASSAGES = {one: other for pair in board().passages for one, other in (pair, pair[::-1])}
TURNS = ("turn", "walk", "suggest", "show", "accuse", "over")


def name(place: Place) -> str:
    return place if isinstance(place, str) else f"{chr(97 + place[1])}{place[0] + 1}"


class PlainClue:
    """A game; `stage` is one of `TURNS`."""

    def __init__(self, settings: Mapping[str, Any], hands: list[set[str]], case: set[str]) -> None:
        self.settings, self.hands, self.case = settings, hands, case
        self.at: dict[str, Place] = {who: board().starts[who] for who in SUSPECTS}
        self.last: dict[str, str | None] = dict.fromkeys(SUSPECTS)
        self.summoned: set[str] = set()
        self.out: set[int] = set()
        self.stage, self.player, self.turns, self.roll = "turn", 0, 0, 0
        self.asked: tuple[str, ...] = ()
        self.suggester = 0
        self.winner: int | None = None

    @property
    def me(self) -> str:
        return SUSPECTS[self.player]

    def reach(self) -> set[Place]:
        """All places to which some way of at most the rolled steps leads, way by way."""
        here = self.at[self.me]
        taken = {
            place
            for who, place in self.at.items()
            if who != self.me and SUSPECTS.index(who) not in self.out
        }
        closed = here if self.settings["again"] else self.last[self.me]
        found: set[Place] = set()
        standing: set[Place] = {here}
        for _ in range(self.roll):
            following: set[Place] = set()
            for place in standing:
                if isinstance(place, str):
                    following |= DOORS[place] if place == here else set()
                    continue
                row, column = place
                around = {
                    (row + 1, column),
                    (row - 1, column),
                    (row, column + 1),
                    (row, column - 1),
                }
                following |= around & SQUARES
                following |= {room for room in ROOMS if place in DOORS[room]}
            if self.settings["blocks"]:
                following -= {place for place in taken if not isinstance(place, str)}
            following -= {closed, here}
            standing |= following
            found |= following
        return found

    def legal(self) -> set[str]:
        here = self.at[self.me]
        if self.stage == "turn":
            found = {"roll"}
            if self.settings["passages"] and here in PASSAGES:
                found.add("passage")
            return found | ({"stay"} if self.me in self.summoned else set())
        if self.stage == "walk":
            return {"stay"} | {f"move {name(place)}" for place in self.reach()}
        if self.stage == "show":
            return {f"show {card}" for card in self.asked if card in self.hands[self.player]}
        verb = "suggest" if self.stage == "suggest" else "accuse"
        rooms = (here,) if self.stage == "suggest" else ROOMS
        return {"pass"} | {
            f"{verb} {suspect}, {weapon}, {room}"
            for suspect in CATEGORIES["suspect"]
            for weapon in CATEGORIES["weapon"]
            for room in rooms
        }

    def apply(self, action: str, roll: int) -> None:
        verb, _, rest = action.partition(" ")
        if self.stage == "turn":
            self.turns += 1
            self.summoned.discard(self.me)
            self.stage = "suggest"
            if verb == "roll":
                self.roll, self.stage = roll, "walk"
            elif verb == "passage":
                self.come(self.me, PASSAGES[str(self.at[self.me])])
        elif self.stage == "walk":
            self.stage, self.roll = "accuse", 0
            if verb == "move":
                self.come(
                    self.me, rest if rest in ROOMS else (int(rest[1:]) - 1, ord(rest[0]) - 97)
                )
                self.stage = "suggest" if rest in ROOMS else "accuse"
        elif self.stage == "show":
            self.player, self.stage = self.suggester, "accuse"
        elif verb == "pass":
            if self.stage == "suggest":
                self.stage = "accuse"
            else:
                self.end_turn()
        elif verb == "accuse":
            if set(rest.split(", ")) == self.case:
                self.winner, self.stage = self.player, "over"
            else:
                self.out.add(self.player)
                self.end_turn()
        else:
            self.suggest(tuple(rest.split(", ")))

    def suggest(self, cards: tuple[str, ...]) -> None:
        self.asked, self.suggester, self.stage = cards, self.player, "accuse"
        suspect, room = cards[0], cards[2]
        assert self.at[self.me] == room
        if self.at[suspect] != room:
            self.come(suspect, room)
            if self.settings["summons"] and SUSPECTS.index(suspect) < len(self.hands):
                self.summoned.add(suspect)
        for other in [*range(self.player + 1, len(self.hands)), *range(self.player)]:
            if self.hands[other] & set(cards):
                self.player, self.stage = other, "show"
                return

    def come(self, who: str, place: Place) -> None:
        self.at[who] = place
        if isinstance(place, str):
            self.last[who] = place

    def end_turn(self) -> None:
        self.stage = "over"
        if self.turns < self.settings["turns"] and len(self.out) < len(self.hands):
            self.stage = "turn"
            self.player = (self.player + 1) % len(self.hands)
            while self.player in self.out:
                self.player = (self.player + 1) % len(self.hands)
