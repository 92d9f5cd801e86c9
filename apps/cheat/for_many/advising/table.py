"""A game of Cheat for many as somebody at the table has entered it so far."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any, Final

from .....beliefs.games.cheat.for_many.declaration import ManyCheatDeclaration
from .....beliefs.games.cheat.for_many.judges import truth_named
from .....beliefs.games.cheat.for_many.play import ManyCheatBelief
from .....beliefs.games.cheat.judges import USUAL
from .....beliefs.posterior import Posterior
from .....data.errors import ContradictionError, RecordError
from .....models.cheat.for_many.game import NAME
from .....models.cheat.for_many.record.record import ManyCheatRecord
from .....models.cheat.for_many.rules import may_claim
from .....models.cheat.for_many.state import NOBODY
from .....models.game import OVER, SPECTATOR
from .....models.records.replay import Observed
from ....kit.advising.entries import Entry, Settings

#: Tables that are kept.
KEPT: Final = 64


@dataclass(frozen=True, eq=False)
class ManyCheatTable:
    """The game so far, as the advised player knows it.

    Attributes:
        record: The game as a record.
        me: The advised player's place in turn order.
    """

    record: ManyCheatRecord
    me: int

    @staticmethod
    def of(settings: Settings, entries: Sequence[Entry]) -> ManyCheatTable:
        """The table of what was set up and entered.

        Raises:
            RecordError: What was set up is against the rules.
            ContradictionError: An entry is against the rules; with its number.
        """
        return _made(json.dumps(settings, sort_keys=True), json.dumps([*entries]))

    @property
    def names(self) -> tuple[str, ...]:
        """The players in turn order."""
        return self.record.players

    @cached_property
    def knows(self) -> bool:
        """True if all was entered that the advised player saw: also the piles that they took."""
        return self.record.knows(self.me)

    @cached_property
    def now(self) -> Observed:
        """The game as they know it; as a spectator does, where a pile of theirs is missing."""
        *_, last = self.record.observed(self.me if self.knows else SPECTATOR)
        return last

    @property
    def state(self) -> Any:
        """The state as they know it."""
        return self.now.view.states[0]

    @property
    def over(self) -> bool:
        """True if somebody has won, or the game ended otherwise."""
        return int(self.state.player) == OVER

    @property
    def asked(self) -> tuple[int, ...]:
        """The players who can still call the last claim."""
        claimant, player = int(self.state.claimant), int(self.state.player)
        if claimant == NOBODY:
            return ()
        players = len(self.names)
        left = (claimant - player) % players
        return tuple((player + away) % players for away in range(left))

    @property
    def claimant(self) -> int | None:
        """The player whose claim can be called; None while somebody has to claim."""
        found = int(self.state.claimant)
        return None if found == NOBODY else found

    @property
    def leader(self) -> int:
        """The player who claims next if nobody calls."""
        if self.claimant is None:
            return int(self.state.player)
        return (self.claimant + 1) % len(self.names)

    @property
    def due(self) -> tuple[int, ...]:
        """The ranks that can be claimed next."""
        tables = self.record.game.tables
        ranks = range(int(tables.rules[0].ranks))
        return tuple(rank for rank in ranks if may_claim(self.state, rank, tables))

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """The advised player's cards of each rank; empty where a pile of theirs is missing."""
        if not self.knows:
            return ()
        ranks = int(self.record.game.tables.rules[0].ranks)
        return tuple(self.state.hands[self.me].tolist()[:ranks])

    @cached_property
    def missing_pile(self) -> int:
        """The cards that the advised player took up last without saying which; 0 for none."""
        if self.knows or not self.record.turns or self.record.turns[-1].kind != "call":
            return 0
        count = 0
        for turn in reversed(self.record.turns[:-1]):
            if turn.kind == "call":
                break
            count += turn.count
        return count

    @cached_property
    def declared(self) -> ManyCheatDeclaration:
        """The declaration of all that they can know."""
        return belief().declared(self.now.view)

    @cached_property
    def posterior(self) -> Posterior:
        """The posterior, with all that the shipped predictor says of claims."""
        return belief().infer(self.now.view, self.now.seen)

    @cached_property
    def counted(self) -> Posterior:
        """The posterior by the cards alone."""
        return _counting().infer(self.now.view, self.now.seen)

    @cached_property
    def chances(self) -> tuple[tuple[int, float, float], ...]:
        """Of each claim on the pile that is not theirs: its place, P(true), and by the cards."""
        return tuple(
            (
                claim.place,
                float(self.posterior.probability(self.declared.is_true(claim))),
                float(self.counted.probability(self.declared.is_true(claim))),
            )
            for claim in self.declared.claims
        )


@cache
def belief() -> ManyCheatBelief:
    """The belief of whoever is advised, with the predictor that comes with sleuth."""
    return ManyCheatBelief(truth_named(USUAL))


@cache
def _counting() -> ManyCheatBelief:
    return ManyCheatBelief(honest=None)


@lru_cache(maxsize=KEPT)
def _made(settings: str, entries: str) -> ManyCheatTable:
    told, turns = json.loads(settings), json.loads(entries)
    value: dict[str, Any] = {
        "game": NAME,
        "players": told["players"],
        "settings": told["rules"],
        "hands": {told["me"]: told["hand"]},
        "turns": [],
    }
    # What was set up is checked first: it is no entry's fault.
    begun = ManyCheatRecord.from_json(value)
    me = begun.players.index(told["me"])
    if not turns:
        return ManyCheatTable(begun, me)
    try:
        record = ManyCheatRecord.from_json({**value, "turns": turns})
    except RecordError as error:
        found = re.match(r"turn (\d+)", error.where or "")
        number = int(found[1]) if found else len(turns)
        raise ContradictionError(error.message, evidence=[number]) from error
    return ManyCheatTable(replace(record, source=None), me)
