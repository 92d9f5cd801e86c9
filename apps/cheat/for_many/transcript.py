"""A recorded game of Cheat for many from one viewer's eyes: how likely every claim was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ....beliefs.games.cheat.for_many.declaration import ManyCheatDeclaration
from ....beliefs.games.cheat.for_many.judges import ManyTruth
from ....beliefs.games.cheat.for_many.play import ManyCheatBelief
from ....beliefs.language.features import Feature
from ....beliefs.posterior import Posterior
from ....beliefs.predictors.predictor import Predictor
from ....data.progress import Tell
from ....models.cheat.for_many.record.record import LOOKER_ON, ManyCheatRecord
from ....models.game import SPECTATOR
from ....models.play import SeenPlay, View
from ....models.records.events import digest
from ....models.records.replay import Observed
from ...kit.analysis.moments import Moment
from ...kit.analysis.transcript import Standpoint, Transcript
from ...kit.display import situation_of
from ...kit.number_words import ordinal
from .findings import ManyCheatDetail, ManyCheatFindings, ManyClaim, ManyHand
from .words import happened


class ManyCheatTranscript(Transcript[ManyCheatDetail, ManyCheatFindings]):
    """A game from the eyes of one viewer: every claim, and in the end the others' hands.

    Args:
        record: The game.
        viewer: Their name, or ``"spectator"``; None for the first who is known.
        predictor: Says whether a claim is true; None for counting, and that people are mostly
            honest where they can be.
        place, games: Which game of its file it is, and how many there are.
        seed: Carried along.

    Raises:
        RecordError: The record does not say what the viewer saw.
    """

    game = "cheat_for_many"
    about = "the claims on the pile"

    def __init__(
        self,
        record: ManyCheatRecord,
        viewer: str | None = None,
        predictor: Predictor | None = None,
        *,
        place: int = 1,
        games: int = 1,
        seed: int = 0,
    ) -> None:
        self.viewer = record.viewers()[0] if viewer is None else viewer
        self._viewer = record.viewer(self.viewer)
        self.record, self.predictor, self.seed = record, predictor, seed
        self._place, self._games = place, games
        self.title = f"Cheat: {', '.join(record.players)}"
        self.name = f"game {record.number} of match {record.match}"
        which = f"Game {record.number} of match {record.match}"
        if games > 1:
            which += f", the {ordinal(place)} of {games} in the file"
            which += " (--game N for another)" if place == 1 else ""
        eyes = "a spectator, who knows what all players know" if self.viewer == LOOKER_ON else ""
        self.heading = (f"{which}, seen by {eyes or self.viewer}.",)
        self.source = record.source
        self.events = len(record.turns)
        self._truth = None if predictor is None else ManyTruth(predictor)
        self.belief = ManyCheatBelief(self._truth)
        self.counting = ManyCheatBelief(honest=None)
        steps = [None, *record.steps()]
        observed = [*record.observed(self._viewer)]
        self._steps = steps
        self._seen = observed
        # Where each turn stands among the actions: between them others let claims pass.
        self._at = [0, *(at for at, step in enumerate(steps) if step is not None and step.written)]
        self.sha256 = digest(
            {
                "game": self.game,
                "viewer": self.viewer,
                "players": list(record.players),
                "settings": dict(record.settings),
                "start": list(observed[0].seen.start),
                "events": [each.event.observation for each in observed[-1].seen.events],
            }
        )

    def moment(self, number: int) -> Observed:
        """The viewer's knowledge after a turn."""
        return self._seen[self._at[number]]

    def standpoints(self) -> Iterator[Standpoint[ManyCheatDetail]]:
        """The claims on the pile, before the first turn and after each."""
        for number in range(self.events + 1):
            now = self.moment(number)
            posterior = None
            if not now.view.over:
                posterior = self.belief.infer(now.view, now.seen)
            yield Standpoint(
                text=happened(self.record, number),
                posterior=posterior,
                hidden=self.open_claims(now.view),
                own=now.mover is not None and now.mover == self._viewer,
                detail=partial(self._detail, number),
                known=partial(situation_of, now.view, now.seen),
            )

    def open_claims(self, view: View) -> dict[str, Feature]:
        """The truth of the claims on the pile that the viewer does not know, by name."""
        if view.over:
            return {}
        declared = self.belief.declared(view)
        return {
            f"{self.record.players[each.claim.by]}'s claim {each.place + 1} is true": (
                declared.is_true(each)
            )
            for each in declared.claims
        }

    def shares(self, feature: Feature, marginal: Mapping[Any, float]) -> list[tuple[str, float]]:
        """The truth of a claim in words, the likelier first."""
        words = {True: "true", False: "a lie"}
        found = sorted(marginal.items(), key=lambda pair: -pair[1])
        return [(words.get(value, str(value)), share) for value, share in found if share > 0.0]

    def findings(
        self,
        timeline: Sequence[Moment[ManyCheatDetail]],
        last: Standpoint[ManyCheatDetail],
        tell: Tell,
    ) -> ManyCheatFindings:
        """Every claim, and the hands in the end."""
        claims = (moment.detail.claim for moment in timeline)
        return ManyCheatFindings(
            record=self.record,
            viewer=self._viewer,
            place=self._place,
            games=self._games,
            predictor=self.predictor,
            claims=tuple(each for each in claims if each is not None),
            hands=tuple(self.hands(self.moment(self.events))),
        )

    def hands(self, now: Observed) -> Iterator[ManyHand]:
        """The others' hands at a moment, as far as they are known."""
        if now.view.over:
            return
        declared = self.belief.declared(now.view)
        posterior = self.belief.infer(now.view, now.seen)
        yield from known_hands(declared, posterior, self.record, self._steps[self._at[-1]])

    # -- parts

    def _detail(self, number: int) -> ManyCheatDetail:
        turn = self.record.turns[number - 1] if number else None
        if turn is None or turn.kind != "claim":
            return ManyCheatDetail(claim=None)
        now = self.moment(number)
        state = now.view.states[0]
        own = turn.by == self._viewer
        following = self.record.turns[number : number + 1]
        caller = following[0].by if following and following[0].kind == "call" else None
        claim = int(state.turn) - 1
        players = len(self.record.players)
        away = (self._viewer - turn.by) % players
        called = players if caller is None else (caller - turn.by) % players
        later = [
            step
            for step in self._steps[self._at[number] + 1 :]
            if step is not None and int(step.states["turn"][0]) == claim + 1
        ]
        asked = self._viewer != SPECTATOR and any(step.by == self._viewer for step in later)
        return ManyCheatDetail(
            claim=ManyClaim(
                turn=number,
                by=turn.by,
                rank=turn.rank,
                count=turn.count,
                own=own,
                counting=None if own else self._chance(self.counting, now.view, now.seen),
                predicted=None if own or self._truth is None else self._truth(now.view, now.seen),
                probability=None if own else self._chance(self.belief, now.view, now.seen),
                pile=int(state.pile),
                last=int(state.sizes[turn.by]) == 0,
                asked=asked and away <= called,
                caller=caller,
                true=self.record.truths[claim],
            )
        )

    def _chance(self, belief: ManyCheatBelief, view: View, seen: SeenPlay) -> float:
        declared = belief.declared(view)
        posterior = belief.infer(view, seen)
        return float(posterior.probability(declared.is_true(declared.claims[-1])))


def known_hands(
    declared: ManyCheatDeclaration,
    posterior: Posterior,
    record: ManyCheatRecord,
    last: Any = None,
) -> Iterator[ManyHand]:
    """The others' hands, as far as they are known.

    Args:
        declared: What the viewer knows.
        posterior: What follows from it.
        record: The game.
        last: The last step of its replay, for the truth.
    """
    game = declared.game
    for player in range(game.players):
        if player == declared.viewer:
            continue
        shares = [posterior.marginal(declared.count(player, rank)) for rank in range(game.ranks)]
        truth = None
        if last is not None and record.knows(player):
            truth = tuple(last.states["hands"][0][player].tolist()[: game.ranks])
        yield ManyHand(
            of=player,
            size=game.sizes[player],
            expected=np.array([sum(n * p for n, p in each.items()) for each in shares]),
            any=np.array([1.0 - each.get(0, 0.0) for each in shares]),
            truth=truth,
        )
