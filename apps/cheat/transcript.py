"""A recorded game of Cheat as its viewers saw it: how likely every claim was, and hidden hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from ...beliefs.games.cheat.declaration import CheatDeclaration
from ...beliefs.games.cheat.judges import PREDICTS, TRUTH, AcquaintedTruth, PredictedTruth
from ...beliefs.games.cheat.play import CheatBelief
from ...beliefs.language.features import Feature
from ...beliefs.posterior import Posterior
from ...beliefs.predictors.predictor import Predictor
from ...data.errors import UnsupportedError
from ...data.progress import Tell, silent
from ...models.cheat.record.turn import Turn
from ...models.cheat.state import CALL
from ...models.game import OVER, SPECTATOR, States
from ...models.play import View
from ...models.records.replay import Observed
from ..kit.analysis.following import follow
from ..kit.analysis.moments import Moment
from ..kit.analysis.transcript import Standpoint, Transcript
from ..kit.answers.values import Statements
from ..kit.display import situation_of
from ..kit.number_words import ordinal
from .advice import CheatValuer
from .findings import (
    CallDecision,
    CheatAnalysis,
    CheatDetail,
    CheatFindings,
    Claim,
    Hand,
    Lesson,
)
from .match_game import MatchGame
from .words import happened


def analyse(
    recorded: MatchGame,
    *,
    predictor: Predictor | None = None,
    adviser: CheatValuer | None = None,
    seed: int = 0,
    progress: Tell = silent,
) -> CheatAnalysis:
    """The analysis: probabilities of claims, knowledge of hands, and what was worth doing.

    Args:
        recorded: The game, and whose views are taken.
        predictor: Says whether a claim is true, from the features of
            `beliefs.games.cheat.features`. If its ``spread`` is not 0, players get to be known by
            their claims that are turned up.
        adviser: Values what could be done; without it nobody does.
        seed: Carried along.
        progress: Told how far the work has come.

    Raises:
        ContradictionError: The record cannot have happened.

    >>> from sleuth.games.cheat import analyse, mini_cheat, seen_in, simulate
    >>> records = simulate(2, seed=1, games=1, game=mini_cheat())
    >>> found = analyse(seen_in(records, number=1, observer=None))
    >>> len(found.timeline) == len(records[0].turns) + 1
    True
    """
    return follow(CheatTranscript(recorded, predictor, adviser, seed), progress)


class CheatTranscript(Transcript[CheatDetail, CheatFindings]):
    """A game from the eyes of its viewers: each claim from those of who could call it, hidden hands
    from those of the player to move.

    Args:
        recorded: The game, and whose views are taken.
        predictor, adviser, seed: See `analyse`.
    """

    game = "cheat"

    def __init__(
        self,
        recorded: MatchGame,
        predictor: Predictor | None = None,
        adviser: CheatValuer | None = None,
        seed: int = 0,
    ) -> None:
        record = recorded.record
        self.recorded, self.predictor, self.adviser, self.seed = recorded, predictor, adviser, seed
        self.title = f"Cheat: {record.players[0]} against {record.players[1]}"
        self.name = f"game {record.number} of match {record.match}"
        which = f"Game {record.number} of match {record.match}"
        if recorded.games > 1:
            which += f", the {ordinal(recorded.place)} of {recorded.games} in the file"
            which += " (--game N for another)" if recorded.place == 1 else ""
        self.heading = (f"{which}.",)
        self.source = record.source
        self.viewer = ", ".join(recorded.viewer_names)
        self.sha256 = recorded.digest
        self.events = len(record.turns)
        self.agent = None if adviser is None else adviser.text
        self._opened: dict[int, tuple[CheatBelief, list[Observed]]] = {}

    @property
    def viewers(self) -> Sequence[str]:
        """Both players, each where it is their turn, if nobody names one."""
        return self.recorded.viewer_names

    def standpoints(self) -> Iterator[Standpoint[CheatDetail]]:
        """The hidden hands, before the first turn and after each, where somebody looks at them."""
        record = self.recorded.record
        for number in range(self.events + 1):
            viewer = self._looking(number)
            posterior = hidden = None
            known: Callable[[], Statements] = tuple
            if viewer is not None:
                knows, moments = self.eyes(viewer)
                known = partial(situation_of, moments[number].view, moments[number].seen)
                posterior = knows.infer(moments[number].view, moments[number].seen)
                hidden = self.hands(moments[number].view)
            yield Standpoint(
                text=happened(record, number),
                posterior=posterior,
                hidden=hidden,
                own=number > 0 and record.turns[number - 1].by in self.recorded.viewers,
                turn=partial(self._decision, number - 1),
                detail=partial(self._detail, number, viewer),
                known=known,
            )

    def marginals(self, now: Standpoint[CheatDetail]) -> Mapping[str, Mapping[Any, float]]:
        """Of hands that take too long to count nothing is shown; the moment before stays."""
        found: dict[str, Mapping[Any, float]] = {}
        for player in (0, 1):
            names = self._names(player)
            hidden = {name: each for name, each in (now.hidden or {}).items() if name in names}
            with suppress(UnsupportedError):
                found |= super().marginals(replace(now, hidden=hidden))
        return found

    def rows(self, now: Standpoint[CheatDetail]) -> Iterator[tuple[str, str, float]]:
        """The truth of a claim, by counting, and the number of cards of each rank in hands."""
        claim = now.detail().claim
        if claim is not None:
            yield PREDICTS[TRUTH], "yes", claim.counting
        for name, marginal in self.marginals(now).items():
            for count, share in marginal.items():
                yield name, str(count), share

    def findings(
        self, timeline: Sequence[Moment[CheatDetail]], last: Standpoint[CheatDetail], tell: Tell
    ) -> CheatFindings:
        """Claims, decisions, hidden hands, and what the viewers learned of each other."""
        claims = (moment.detail.claim for moment in timeline)
        decisions = (*(moment.turn for moment in timeline), self._decision(self.events))
        return CheatFindings(
            recorded=self.recorded,
            predictor=self.predictor,
            claims=tuple(each for each in claims if each is not None),
            choices=tuple(each for each in decisions if isinstance(each, CallDecision)),
            hands=tuple(hand for moment in timeline for hand in self._hands_at(moment)),
            learned=tuple(self._learned()),
        )

    # -- who knows what

    def reason(self, posterior: Posterior, unit: str | int) -> str:
        """A turn by its number and in words."""
        if not isinstance(unit, int):
            return super().reason(posterior, unit)
        return f"turn {unit}: {happened(self.recorded.record, unit)}"

    def eyes(self, viewer: int) -> tuple[CheatBelief, list[Observed]]:
        """The belief of somebody, and the moments as they saw them."""
        if viewer not in self._opened:
            knows = self.recorded.belief(viewer, self.predictor)
            self._opened[viewer] = knows, [*self.recorded.observed(viewer)]
        return self._opened[viewer]

    def hands(self, view: View) -> dict[str, Feature]:
        """The number of cards of each rank in the hands that are hidden in a view, by name."""
        declared = CheatDeclaration.of(view)
        return {
            name: declared.count(player, rank)
            for player in (0, 1)
            if player != declared.viewer
            for rank, name in enumerate(self._names(player))
        }

    def _names(self, player: int) -> list[str]:
        of = self.recorded.name_of(player)
        return [f"cards of rank {rank} that {of} holds" for rank in self.recorded.ranks]

    @cached_property
    def _states(self) -> list[States]:
        return [*self.recorded.record.moments()]

    def _looking(self, number: int) -> int | None:
        """The viewer of hidden hands: the player to move of several, else the only viewer.

        Both hands at once take a spectator seconds, so they look at them in the end only.
        """
        viewers = self.recorded.viewers
        if not viewers:
            return SPECTATOR if number == self.events else None
        mover = int(self._states[number]["player"][0])
        if len(viewers) == 1:
            return viewers[0]
        return mover if mover in viewers else None

    # -- what there is to say

    def _detail(self, number: int, viewer: int | None) -> CheatDetail:
        made = self.recorded.record.turns[number - 1] if number else None
        judge = self.recorded.judge(made.by) if made and made.kind == "claim" else None
        return CheatDetail(
            viewer=None if viewer is None else self.recorded.name_of(viewer),
            claim=None if made is None or judge is None else self._claim(number, made, judge),
        )

    def _claim(self, number: int, made: Turn, judge: int) -> Claim:
        knows, moments = self.eyes(judge)
        before, now = moments[number - 1], moments[number]
        held = CheatDeclaration.of(before.view).holds_at_least(
            knows.counted(before.view), made.by, made.rank, made.count
        )
        said = dict(knows.known(now.view, now.seen)[2]).get(number - 1)
        counting, joined, anybody = knows.counting(now.view), None, None
        if self.predictor is not None:
            joined = counting if said is None else knows.chance(now.view, now.seen)
            anybody = None if said is None else PredictedTruth(self.predictor)(now.view, now.seen)
        follows = self.recorded.record.turns[number : number + 1]
        return Claim(
            turn=number,
            by=made.by,
            rank=made.rank,
            count=made.count,
            judge=judge,
            held=min(held, 1.0),
            counting=counting,
            anybody=anybody,
            predicted=None if said is None else said[0],
            joined=joined,
            pile=int(now.view.states[0].pile),
            method=knows.counted(now.view).method,
            true=made.true,
            called=follows[0].kind == "call" if follows else None,
        )

    def _decision(self, number: int) -> CallDecision | None:
        """The decision of the player to move after a turn; None where nobody values it."""
        mover = int(self._states[number]["player"][0]) if number >= 0 else OVER
        if self.adviser is None or mover not in self.recorded.viewers:
            return None
        knows, moments = self.eyes(mover)
        now, later = moments[number], moments[number + 1 :]
        chosen, options = self.adviser.options(now.view, now.seen, knows)
        done = later[0].action if later else None
        return CallDecision(
            made="" if done is None else now.view.game.action_name(done),
            gain_bits=None,
            best_questions=(),
            value=None if done is None else options.get(done),
            best=options[chosen],
            alternatives=len(options),
            number=number + 1,
            by=mover,
            rank=int(now.view.states[0].rank),
            claim=number if CALL in options else None,
            done=done,
            chosen=chosen,
            options=options,
        )

    def _hands_at(self, moment: Moment[CheatDetail]) -> Iterator[Hand]:
        """The hidden hands that could be counted at a moment."""
        recorded, states = self.recorded, self._states[moment.event]
        known = {each.name: each.shares for each in moment.unknowns}
        viewer = self._looking(moment.event)
        suits = int(recorded.record.game.settings["suits"])
        for player in (0, 1):
            names = self._names(player)
            if viewer is None or names[0] not in known:
                continue
            counts = np.zeros((len(names), suits + 1))
            for rank, name in enumerate(names):
                for count, share in known[name]:
                    counts[rank, int(count)] = min(share, 1.0)
            held = states["hands"][0][player].tolist()[: len(names)]
            yield Hand(
                turn=moment.event,
                viewer=viewer,
                of=player,
                size=int(states["sizes"][0][player]),
                counts=counts,
                truth=tuple(held) if recorded.record.knows(player) else None,
            )

    def _learned(self) -> Iterator[Lesson]:
        for viewer in self.recorded.viewers:
            knows, moments = self.eyes(viewer)
            if isinstance(knows.truth, AcquaintedTruth):
                found = knows.truth.learned(moments[-1].view, moments[-1].seen)
                if found.seen:
                    yield Lesson(
                        of=1 - viewer,
                        viewer=viewer,
                        claims=found.seen,
                        log_odds=found.offset.mean,
                        deviation=found.offset.variance**0.5,
                    )
