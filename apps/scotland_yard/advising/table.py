"""A game of Scotland Yard as a detective at the table has entered it so far."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from ....beliefs.games.scotland_yard.hiding import PublicEvent
from ....beliefs.games.scotland_yard.play import Hunt, ScotlandYardBelief
from ....beliefs.posterior import Posterior
from ....data.errors import ContradictionError, RecordError
from ....models.game import OVER, Game, States
from ....models.scotland_yard.editions import EDITIONS
from ....models.scotland_yard.events import HuntEvent
from ....models.scotland_yard.record.record import ScotlandYardRecord, event_of
from ....models.scotland_yard.record.replay import (
    check_starts,
    game_of,
    observation_of,
    start_states,
    with_cards,
)
from ....models.scotland_yard.record.schema import HuntFile, read_form
from ....models.scotland_yard.rules import SHOWN
from ....models.scotland_yard.state import HIDER
from ...kit.advising.entries import Entry, Settings
from ..chances import Floats, shares

BLACK_FARES: Final = "black_fares"
EDITION: Final = "edition"
#: Tables that are kept, so that each line costs but one move.
KEPT: Final = 512


@dataclass(frozen=True, kw_only=True)
class HuntSetup:
    """The game so far, as all detectives know it.

    Attributes:
        rules: The game's settings, as records have them.
        seekers: Where the detectives started.
        start: What everybody knew before the first move, in an array of one.
        events: What was entered.
        seen: What everybody saw of it.
        states: What everybody knows of pieces and tickets now, in an array of one.
    """

    rules: dict[str, Any]
    seekers: tuple[int, ...]
    start: States
    events: tuple[HuntEvent, ...]
    seen: tuple[PublicEvent, ...]
    states: States

    @staticmethod
    def of(settings: Settings, entries: Sequence[Entry]) -> HuntSetup:
        """The table of what was set up and entered.

        Raises:
            RecordError: The start is against the rules.
            ContradictionError: A move is against the rules; with its number.
        """
        return _followed(json.dumps(settings, sort_keys=True), tuple(map(json.dumps, entries)))

    def after(self, event: HuntEvent) -> HuntSetup:
        """The table after one move more.

        Raises:
            RecordError: It is against the rules by what everybody knows.
        """
        number, state = len(self.events) + 1, self.states[0]
        mover, saw = int(state.player), observation_of(self.game, self.states[0], event, number)
        seen = (*self.seen, (mover, saw))
        after = _hunt(self.game).states(self.start, seen)
        if mover != HIDER and saw < SHOWN and _ended(self.game, after):
            # Mr. X surfaced with their last move, and all know where that was.
            seen = (*self.seen, (mover, saw + SHOWN * int(after[0].surfaced)))
            after = _hunt(self.game).states(self.start, seen)
        return replace(self, events=(*self.events, event), seen=seen, states=after)

    @cached_property
    def game(self) -> Game:
        """The game with its settings."""
        return game_of(self.rules)

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior of where Mr. X is.

        Raises:
            ContradictionError: What was entered cannot all be true; with the numbers of entries.
        """
        return _hunt(self.game).moment(self.start, self.seen).posterior

    @cached_property
    def stations(self) -> Floats:
        """The probability of every station; shape (stations + 1,), 0 is no station."""
        return shares(self.posterior)

    @property
    def player(self) -> int:
        """Whose turn it is, 0 for Mr. X; `OVER` after the end."""
        player = int(self.states[0].player)
        late = int(self.states[0].turn) >= int(self.game.tables.rules[0].rounds)
        return OVER if player == HIDER and late else player

    @property
    def due(self) -> bool:
        """True if Mr. X surfaces after their next move."""
        return bool(self.game.tables.rules[0].reveals[int(self.states[0].turn) + 1])

    @cached_property
    def record(self) -> ScotlandYardRecord:
        """The game so far, as a record; without moves at the end that cannot have happened."""
        for count in range(len(self.events), 0, -1):
            try:
                return self._record(self.events[:count])
            except RecordError:
                continue
        return self._record(())

    def _record(self, events: tuple[HuntEvent, ...]) -> ScotlandYardRecord:
        made = ScotlandYardRecord(settings=self.rules, seekers=self.seekers, events=events)
        return made.checked()


@lru_cache(maxsize=KEPT)
def _followed(settings: str, entries: tuple[str, ...]) -> HuntSetup:
    """The table after some entries: one move more than the table before the last."""
    if entries:
        before = _followed(settings, entries[:-1])
        (entry,) = _form(list(before.seekers), [json.loads(entries[-1])]).moves
        number = len(entries)
        try:
            return before.after(event_of(entry, number))
        except RecordError as error:
            raise ContradictionError(error.message, evidence=[number]) from None
    told = json.loads(settings)
    seekers = tuple(_form(told["seekers"], []).seekers)
    rules = {**told["rules"], BLACK_FARES: told[BLACK_FARES], "seekers": len(seekers)}
    if EDITION in rules:
        # As tables say it that were set up before boxes were asked for.
        rules = dict(with_cards(rules, seekers, None))
    elif (edition := told.get(EDITION, EDITIONS[0])) != EDITIONS[0]:
        rules = {EDITION: edition, **rules}
    game = game_of(rules)
    check_starts(game, seekers, None)
    start = start_states(game, seekers, None)
    states = _hunt(game).states(start, ())
    return HuntSetup(rules=rules, seekers=seekers, start=start, events=(), seen=(), states=states)


def _form(seekers: list[int], moves: list[Any]) -> HuntFile:
    """The entries, if they have the form of a record."""
    return read_form({"game": "scotland_yard", "seekers": seekers, "moves": moves})


@cache
def _belief() -> ScotlandYardBelief:
    return ScotlandYardBelief()


def _hunt(game: Game) -> Hunt:
    return _belief().hunt(game.tables)


def _ended(game: Game, states: States) -> bool:
    """True if all have made their last move, and Mr. X surfaced with theirs."""
    state: Any = states[0]
    last = int(state.turn) >= int(game.tables.rules[0].rounds)
    return last and int(state.player) == HIDER and int(state.surfaced_turn) == int(state.turn)
