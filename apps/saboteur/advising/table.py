"""A game of Saboteur as a player at the table has entered it so far."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from ....beliefs.games.saboteur.play import GOLD_PLACE, SaboteurBelief
from ....beliefs.language.features import Feature
from ....beliefs.posterior import Posterior
from ....data.errors import ContradictionError, RecordError
from ....models.game import Game
from ....models.play import SeenPlay, View
from ....models.records.replay import observed
from ....models.saboteur.cards import role_cards
from ....models.saboteur.record.events import RoundDeal, SaboteurEvent
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
from ....models.saboteur.state import SABOTEUR
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
