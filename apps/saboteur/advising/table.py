"""A game of Saboteur as a player at the table has entered it so far."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from ....beliefs.games.saboteur.play import GOLD_PLACE, SaboteurBelief
from ....beliefs.language.features import Feature
from ....beliefs.posterior import Posterior
from ....data.errors import ContradictionError, RecordError
from ....models.game import Game, legal_actions
from ....models.play import SeenPlay, View
from ....models.records.replay import observed
from ....models.saboteur.cards import letters, role_cards
from ....models.saboteur.record.events import RoundDeal, RoundTurn, SaboteurEvent
from ....models.saboteur.record.notation import VERBS
from ....models.saboteur.record.played import takers
from ....models.saboteur.record.record import SaboteurRecord, event_of
from ....models.saboteur.record.replaying import (
    EventError,
    EventReplay,
    Missing,
    differing,
    game_of,
    replayed,
)
from ....models.saboteur.record.schema import read_form
from ....models.saboteur.rules import act_openly
from ....models.saboteur.state import (
    DISCARD,
    FACE_DOWN,
    GOALS,
    GOLD,
    NO_CARD,
    PATHS,
    SABOTEUR,
)
from ....models.saboteur.words import GOAL_NAMES, piece_of
from ...kit.advising.entries import Entry, Settings

#: Tables that are kept.
KEPT: Final = 128


@dataclass(frozen=True, eq=False)
class MineTable:
    """The game so far, as one player knows it.

    Attributes:
        me: Their name.
        game: The game; its roles are the players' names.
        events: The first deal, and what was entered.
        replay: It carried out, in any world that agrees with it.
    """

    me: str
    game: Game
    events: tuple[SaboteurEvent, ...]
    replay: EventReplay

    @staticmethod
    def of(settings: Settings, entries: Sequence[Entry]) -> MineTable:
        """The table of what was set up and entered.

        Raises:
            RecordError: What was set up is against the rules.
            ContradictionError: Entries are; with their numbers.
        """
        return _table(json.dumps(settings, sort_keys=True), tuple(map(json.dumps, entries)))

    @property
    def missing(self) -> Missing | None:
        """The thing that the person must say before anything else; None for nothing."""
        return self.replay.missing

    @property
    def number(self) -> int:
        """The person's number in the game."""
        return self.game.roles.index(self.me)

    @cached_property
    def view(self) -> View:
        """The state as the person knows it."""
        return self.replay.last.view(self.number)

    @cached_property
    def seen(self) -> SeenPlay:
        """All that the person has seen."""
        return self.replay.last.seen_by(self.number)

    @property
    def state(self) -> Any:
        """The state of `view`."""
        return self.view.states[0]

    @property
    def mover(self) -> str | None:
        """Whose turn it is; None after the end."""
        return None if self.view.over else self.game.roles[self.view.player]

    @property
    def mine(self) -> bool:
        """True if it is the person's own turn, and nothing is missing."""
        return self.mover == self.me and self.missing is None

    @property
    def role(self) -> int:
        """The person's role."""
        return int(self.state.roles[self.number])

    @property
    def is_saboteur(self) -> bool:
        """True if the person is a saboteur in this round."""
        return self.role == SABOTEUR

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior of roles and gold."""
        return _belief().infer(self.view, self.seen)

    @cached_property
    def hidden(self) -> Mapping[str, Feature]:
        """Everything that is hidden from the person, by name."""
        return {} if self.view.over else _belief().hidden(self.view)

    @cached_property
    def suspicion(self) -> dict[str, float]:
        """The chance that each other player is a saboteur."""
        found: dict[str, float] = {}
        for player, name in enumerate(self.game.roles):
            if player == self.number:
                continue
            feature = self.hidden.get(f"role of {name}")
            role = int(self.state.roles[player])
            known = float(role == SABOTEUR)
            found[name] = (
                known if feature is None else self.posterior.marginal(feature).get(SABOTEUR, 0.0)
            )
        return found

    @cached_property
    def gold(self) -> dict[str, float]:
        """The chance that each goal is the gold."""
        return self.posterior.marginal(GOLD_PLACE.value())

    @property
    def belief(self) -> SaboteurBelief:
        """The belief that answers."""
        return _belief()

    def reached(self, what: str, said: Mapping[str, str]) -> dict[str, list[str]]:
        """The goals that a turn reaches, and what each may be, as far as the person knows.

        Args:
            what: The turn, as `RoundTurn` has it.
            said: The goals of which it was said.
        """
        if (code := self._path(what)) is None:
            return {}
        found: list[dict[str, str]] = []
        for order in itertools.permutations(range(GOALS)):
            known = self.state.goals.tolist()
            if any(
                card >= 0 and min(card, 1) != min(each, 1)
                for card, each in zip(known, order, strict=True)
            ):
                continue
            turned = self._turned(code, order)
            if all(turned.get(goal) == card for goal, card in said.items()):
                found.append(turned)
        reached = [goal for goal in GOAL_NAMES if found and all(goal in each for each in found)]
        return {
            goal: sorted({each[goal] for each in found}) for goal in reached if goal not in said
        }

    def _path(self, what: str) -> int | None:
        """The code of laying a path card; None where this is no such turn."""
        if what.split()[0] in VERBS:
            return None
        states = self.view.states.copy()
        hands: Any = states[0].hands
        for kind in range(PATHS):
            hands[self.view.player] = NO_CARD
            hands[self.view.player, 0] = kind
            for code in legal_actions(self.game, states).tolist():
                if code < DISCARD and self.game.action_name(code) == what:
                    return int(code)
        return None

    def _turned(self, code: int, order: tuple[int, ...]) -> dict[str, str]:
        """The goals that an action turns up, if they lie in this order."""
        state: Any = self.view.states.copy()[0]
        cells = self.game.tables.rules[0].goals.tolist()
        down = [bool(state.board[cell] == FACE_DOWN) for cell in cells]
        state.goals[:GOALS] = order
        act_openly(state, code, self.game.tables)
        found: dict[str, str] = {}
        for goal, cell in enumerate(cells):
            if down[goal] and state.board[cell] != FACE_DOWN:
                openings = letters(piece_of(int(state.board[cell]))[1])
                found[GOAL_NAMES[goal]] = "gold" if order[goal] == GOLD else f"stone {openings}"
        return found

    @property
    def asked(self) -> tuple[str, list[str]] | None:
        """The goal that the last turn reached without saying what it is, and what it may be."""
        last = self.events[-1]
        if self.missing != "goal" or not isinstance(last, RoundTurn):
            return None
        return next(iter(self.reached(last.what, last.turned).items()), None)

    def gold_cards(self, saboteurs: Sequence[str]) -> list[tuple[str, int]]:
        """The number of gold cards that each miner takes at the end of a round; none elsewhere.

        Args:
            saboteurs: Who was one.
        """
        last, players = self.events[-1], self.game.roles
        if self.missing != "end" or self.game.settings["pay"] != "gold":
            return []
        if not isinstance(last, RoundTurn) or "gold" not in last.turned.values():
            return []
        exposed = [players.index(name) for name in saboteurs]
        order = takers(len(players), int(self.view.player), exposed)
        return [(players[player], count) for player, count in Counter(order).items()]

    @property
    def record(self) -> SaboteurRecord:
        """The game so far, as a record."""
        return SaboteurRecord(
            players=self.game.roles,
            observer=self.me,
            settings=differing(self.game),
            events=self.events,
        )

    def moments(self) -> list[tuple[int, dict[str, float]]]:
        """The chance of each other to be a saboteur after each entry of this round, by its number.

        The first is that of the deal.
        """
        script, belief, first = self.replay.play, SaboteurBelief(), self._first
        found: list[tuple[int, dict[str, float]]] = []
        for each in observed(script, self.game, self.number):
            number = script.numbers[each.number - 1] - 1 if each.number else 0
            if number < first or each.view.over:
                continue
            hidden, posterior = belief.hidden(each.view), belief.infer(each.view, each.seen)
            shares = {
                name: posterior.marginal(hidden[f"role of {name}"]).get(SABOTEUR, 0.0)
                for name in self.game.roles
                if f"role of {name}" in hidden
            }
            found.append((number, shares))
        return found

    @property
    def _first(self) -> int:
        """The number of the entry with which this round began; 0 for the first."""
        return max(n for n, event in enumerate(self.events) if isinstance(event, RoundDeal))


def settings_game(settings: Settings) -> Game:
    """The game of what was set up so far.

    Raises:
        RecordError: The rules do not fit.
    """
    return game_of(settings["players"], settings.get("rules", {}))


def hand_size(settings: Settings) -> int:
    """The cards of a hand."""
    if "rules" in settings:
        return int(settings_game(settings).settings["hand"])
    return role_cards(len(settings["players"]))[1]


@lru_cache(maxsize=KEPT)
def _table(settings: str, entries: tuple[str, ...]) -> MineTable:
    told = json.loads(settings)
    players, me = tuple(told["players"]), told["me"]
    game = game_of(players, told["rules"])
    form = read_form(
        {
            "game": "saboteur",
            "players": list(players),
            "events": [
                {"type": "deal", "player": me, "role": told["role"], "hand": told["hand"]},
                *map(json.loads, entries),
            ],
        }
    )
    events: list[SaboteurEvent] = []
    for number, entry in enumerate(form.events):
        try:
            events.append(event_of(entry, game, number))
        except RecordError as error:
            raise ContradictionError(error.message, evidence=[number]) from None
    return _carried_out(players, me, json.dumps(told["rules"], sort_keys=True), tuple(events))


def _carried_out(
    players: tuple[str, ...], me: str, rules: str, events: tuple[SaboteurEvent, ...]
) -> MineTable:
    """Events carried out; of entries the numbers are one less, as the first deal is set up."""
    game = game_of(players, json.loads(rules))
    try:
        replay = replayed(game, events)
    except EventError as error:
        raise ContradictionError(error.message, evidence=[error.number - 1]) from error
    except ContradictionError as error:
        numbers = [int(str(each)) - 1 for each in error.evidence]
        raise ContradictionError(
            error.message, evidence=[number for number in numbers if number > 0]
        ) from None
    return MineTable(me, game, events, replay)


@lru_cache(maxsize=1)
def _belief() -> SaboteurBelief:
    return SaboteurBelief()
