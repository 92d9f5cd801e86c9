"""Saboteur as its players see it: the mine, the tools, what was said, and the own hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...beliefs.language.features import Feature
from ...models.play import View
from ...models.saboteur import GOAL_NAMES, card_name
from ...models.saboteur.rules import drawable
from ...models.saboteur.signs import parts_of
from ...models.saboteur.state import (
    BREAK,
    DISCARD,
    LOOK,
    MINERS_WIN,
    MOST_PLAYERS,
    PATHS,
    SAY,
)
from ...models.saboteur.words import GOAL_CARDS, ROLES, hand_of
from ..kit.answers.values import Paragraph, Sheet, Statements, sheet
from ..kit.display import Display, Sight
from ..kit.number_words import counted
from .mine import mine
from .picture import broken_tools, claims, ending


class Saboteur(Display):
    """Cards are named by their openings as they lie, cells by column and row."""

    title = "Saboteur"
    rules = (
        "Miners dig from S to the gold, which is under one of the three goals. Saboteurs, whom "
        "nobody knows, win if they do not get there. In turn, lay a path card that fits and is "
        "joined to the start, break or repair a player's tools, remove a path card by a rockfall, "
        "look at a goal with a map, or discard a card face down; then draw. A player with a broken "
        "tool lays no path cards. After a map you may say what the goal is, or lie."
    )
    writing = (
        "Write 'NES e7' to lay the card that opens to north, east and south there, 'dead EW e7' "
        "for a dead end, 'break cart 3', 'repair cart 3', 'rockfall e7', 'map top', 'say stone', "
        "'discard NES'."
    )
    said = frozenset({"dead", "discard"})

    # -- moves

    def moves(self, sight: Sight) -> Statements:
        """The legal moves by cards: where each path card can be laid, and what else there is."""
        cards: dict[str, list[str]] = {}
        others: list[str] = []
        for action in sight.view.legal().tolist():
            name = self.game.action_name(action)
            if action < DISCARD:
                card, _, cell = name.rpartition(" ")
                cards.setdefault(card, []).append(cell)
            else:
                others.append(name)
        lines = [f"{card}: {' '.join(cells)}" for card, cells in cards.items()]
        return [Paragraph("\n".join([*lines, *others]))]

    def prompt(self, sight: Sight) -> str:
        """The player who moves, and their role."""
        role = int(sight.state.roles[sight.view.viewer])
        return f"{super().prompt(sight)}, {ROLES[role]}"

    # -- what there is to see

    def situation(self, sight: Sight) -> Statements:
        """The mine, the players, and the own hand."""
        state, viewer = sight.state, sight.view.viewer
        drawn = mine(self.game.tables.rules[0], state, last=self._laid_last(sight))
        left = f"{counted(int(drawable(state, self.game.tables)), 'card')} in the deck."
        if viewer >= 0 and not sight.view.over:
            tools = int(self.game.settings["tools"])
            names = [card_name(kind, tools) for kind in hand_of(state, viewer)]
            left += f" Your hand: {', '.join(names)}"
        return [drawn, self._players(sight), Paragraph(left)]

    def sentence(self, sight: Sight, place: int) -> str:
        """A move, and what it brought to light."""
        event = sight.seen.events[place].event
        who = self.name_of(event.mover, sight)
        code, goals, ended = parts_of(event.observation)
        seen: list[str] = []
        hidden = DISCARD <= code < BREAK and event.action is None
        said = "discard" if hidden else self._done(sight, place, code)
        before = parts_of(sight.seen.events[place - 1].event.observation) if place else (0, 0, 0)
        known = 0 if before[2] else before[1]
        for goal, name in enumerate(GOAL_NAMES):
            card, old = goals >> 2 * goal & 3, known >> 2 * goal & 3
            if card and not old:
                seen.append(f"the {name} goal is {GOAL_CARDS[card - 1]}")
        if ended:
            winners = "miners" if ended >> MOST_PLAYERS == MINERS_WIN else "saboteurs"
            seen.append(f"the {winners} win the round. {self._saboteurs(sight, ended)}")
        return f"{who}: {said}{' - ' if seen else ''}{', '.join(seen)}"

    def value_name(self, feature: Feature, value: Any) -> str:
        """A role, in words."""
        return ROLES[value] if value in (0, 1) else super().value_name(feature, value)

    def last_moment(self, views: Sequence[View]) -> Statements:
        """The board and the players."""
        return [ending(views)]

    # -- parts

    def _done(self, sight: Sight, place: int, code: int) -> str:
        """An action in words; of words after a map, what they are about."""
        said = self.game.action_name(code)
        if code < SAY:
            return said
        # Words follow the map at once.
        looked = parts_of(sight.seen.events[place - 1].event.observation)[0] - LOOK
        return f"{said} of the {GOAL_NAMES[looked]} goal"

    def _laid_last(self, sight: Sight) -> list[int]:
        """The cell of a card that was the last to be played."""
        codes = [parts_of(each.event.observation)[0] for each in sight.seen.events[-1:]]
        return [code // (2 * PATHS) for code in codes if code < DISCARD]

    def _saboteurs(self, sight: Sight, ended: int) -> str:
        exposed = [player for player in range(self.game.players) if ended >> player & 1]
        names = ", ".join(self.name_of(player, sight) for player in exposed)
        return f"Saboteurs: {names or 'none'}"

    def _players(self, sight: Sight) -> Sheet:
        """All that is known of each player: tools, maps and words, and what they have won."""
        state, tools = sight.state, int(self.game.settings["tools"])
        rows: list[tuple[str, ...]] = []
        for player in range(self.game.players):
            broken, said = broken_tools(state, player, tools), claims(state, player)
            looked = [
                name for goal, name in enumerate(GOAL_NAMES) if state.looked[player] >> goal & 1
            ]
            won = f"{state.won[player]} won" if state.rounds_played else ""
            moves = ">" if player == sight.view.player else " "
            rows.append(
                (
                    f"{moves} {self.name_of(player, sight)}",
                    f"broken: {broken}" if broken else "",
                    f"looked at {', '.join(looked)}" if looked else "",
                    " ".join([f"said: {said}" if said else "", won]).strip(),
                )
            )
        return sheet("", "", "", "", rows=rows)
