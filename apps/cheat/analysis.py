"""How likely every claim of a recorded game of Cheat was, judged by the player who could call it.

The one computation behind the command's text, its JSON and the HTML report: none of them
computes anything of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ...beliefs.games.cheat.declaration import CheatDeclaration
from ...beliefs.games.cheat.judges import AcquaintedTruth, PredictedTruth
from ...beliefs.games.cheat.play import CheatBelief
from ...beliefs.posterior import Posterior
from ...beliefs.predictors.predictor import Predictor
from ...data.errors import UnsupportedError
from ...data.version import version
from ...models.cheat.state import CALL
from ...models.game import OVER, SPECTATOR, States
from ...models.play import View
from ...models.records.replay import Observed
from ..kit.analysis import Valued
from ..kit.console import Tell
from ..kit.records.timeline import Timeline
from .advice import Adviser
from .findings import Claim, Hand, Learned, Moment, Score, ValuedTurn
from .recorded import Recorded
from .words import happened


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis(Timeline[Moment]):
    """A whole analysed game.

    Attributes:
        recorded: The game, and whose views were taken.
        claims: All claims that were judged, in their order.
        choices: What the players whose views were taken decided; empty without a search.
        hands: What could be known of hidden hands: at every moment, by the player to move, or by
            the one whose view was asked for; by a spectator in the end only.
        learned: What the viewers learned of each other from claims that were turned up; of nobody
            without a predictor, or if its players do not differ.
        agent: The agent that valued decisions; None without.
        predictor: What was predicted with; None without.
    """

    recorded: Recorded
    claims: tuple[Claim, ...]
    choices: tuple[ValuedTurn, ...]
    hands: tuple[Hand, ...]
    learned: tuple[Learned, ...]
    agent: str | None
    predictor: Predictor | None = field(repr=False)

    @cached_property
    def scored(self) -> tuple[Claim, ...]:
        """Claims on which counting and the predictor are judged.

        Their truth is known, and both rivals have an answer: the predictor, where there is one, was
        asked about them.
        """
        return tuple(
            each
            for each in self.claims
            if each.true is not None and (each.predicted is not None or not self._predicted)
        )

    @property
    def left_out(self) -> dict[str, int]:
        """How many claims nobody is judged on, by why not."""
        known = sum(each.true is not None for each in self.claims)
        return {
            "truth_not_known": len(self.claims) - known,
            "not_predicted": known - len(self.scored),
        }

    @cached_property
    def counting(self) -> Score | None:
        """How good counting was."""
        return Score.of((each.counting, each.true) for each in self.scored)

    @cached_property
    def joined(self) -> Score | None:
        """How good counting and the predictor together were, on the same claims; None without."""
        if not self._predicted:
            return None
        return Score.of((each.joined, each.true) for each in self.scored)

    @cached_property
    def _predicted(self) -> bool:
        """Whether the predictor was asked about any claim."""
        return any(each.predicted is not None for each in self.claims)

    @cached_property
    def by_hand(self) -> list[list[Hand]]:
        """What was known of each hidden hand to each viewer, in the order of the turns."""
        found: dict[tuple[int, int], list[Hand]] = {}
        for hand in self.hands:
            found.setdefault((hand.viewer, hand.of), []).append(hand)
        return list(found.values())

    def to_json(self) -> dict[str, object]:
        """The analysis as ``sleuth analyse --json`` prints it."""
        recorded, record = self.recorded, self.recorded.record
        names = record.players
        return {
            "game": "cheat",
            "players": list(names),
            "match": record.match,
            "number": record.number,
            "place": recorded.place,
            "games": recorded.games,
            "viewers": list(recorded.viewer_names),
            "method": self.method,
            "predictor": None if self.predictor is None else self.predictor.card["kind"],
            "agent": self.agent,
            "turns": len(record.turns),
            "winner": None if record.winner is None else names[record.winner],
            "timeline": [self._moment_json(each) for each in self.timeline],
            "claims": [self._claim_json(each) for each in self.claims],
            "decisions": [self._choice_json(each) for each in self.choices],
            "hands": [self._hand_json(each) for each in self.hands],
            "learned": [self._learned_json(each) for each in self.learned],
            "scores": {
                "counting": None if self.counting is None else self.counting.to_json(),
                "joined": None if self.joined is None else self.joined.to_json(),
                "left_out": self.left_out,
            },
            "version": self.version,
            "seed": self.seed,
            "record_sha256": recorded.digest,
        }

    def _moment_json(self, moment: Moment) -> Mapping[str, object]:
        viewer = None if moment.viewer is None else self.recorded.name_of(moment.viewer)
        return {**moment.known_json(), "entropy_is_joint": False, "viewer": viewer}

    def _claim_json(self, claim: Claim) -> Mapping[str, object]:
        return {
            "turn": claim.turn,
            "by": self.recorded.name_of(claim.by),
            "rank": self.recorded.ranks[claim.rank],
            "count": claim.count,
            "viewer": self.recorded.name_of(claim.judge),
            "probability": claim.probability,
            "held": claim.held,
            "counting": claim.counting,
            "anybody": claim.anybody,
            "predicted": claim.predicted,
            "joined": claim.joined,
            "certain": claim.certain,
            "method": claim.method,
            "pile": claim.pile,
            "true": claim.true,
            "called": claim.called,
        }

    def _choice_json(self, choice: ValuedTurn) -> Mapping[str, object]:
        name = self.recorded.record.game.action_name
        return {
            "turn": choice.turn,
            "by": self.recorded.name_of(choice.by),
            "claim": choice.claim,
            "made": None if choice.made is None else name(choice.made),
            "best": name(choice.best),
            "value": choice.options[choice.best].value,
            "call_value": choice.call,
            "other_value": choice.otherwise,
            "lost": choice.lost,
            "clearly": choice.clearly,
            "actions": [each.to_json() for each in choice.options.values()],
        }

    def _hand_json(self, hand: Hand) -> Mapping[str, object]:
        ranks = self.recorded.ranks
        return {
            "turn": hand.turn,
            "viewer": self.recorded.name_of(hand.viewer),
            "of": self.recorded.name_of(hand.of),
            "size": hand.size,
            "counts": {
                rank: {
                    str(count): float(share) for count, share in enumerate(shares) if share > 0.0
                }
                for rank, shares in zip(ranks, hand.counts, strict=True)
            },
            "truth": None if hand.truth is None else dict(zip(ranks, hand.truth, strict=True)),
        }

    def _learned_json(self, learned: Learned) -> Mapping[str, object]:
        return {
            "viewer": self.recorded.name_of(learned.viewer),
            "of": self.recorded.name_of(learned.of),
            "claims": learned.claims,
            "log_odds": learned.log_odds,
            "deviation": learned.deviation,
        }


def analyse(
    recorded: Recorded,
    *,
    predictor: Predictor | None = None,
    adviser: Adviser | None = None,
    seed: int = 0,
    progress: Tell | None = None,
) -> Analysis:
    """How likely every claim was, what could be known of hands, and what was worth doing.

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
    """
    record = recorded.record
    judges = (recorded.judge(claimant) for claimant in (0, 1))
    lookers = {*recorded.viewers, *(each for each in judges if each is not None)}
    knowing = {viewer: recorded.belief(viewer, predictor) for viewer in lookers}
    moments = {viewer: [*recorded.observed(viewer)] for viewer in lookers}
    claims: list[Claim] = []
    choices: list[ValuedTurn] = []
    hands: list[Hand] = []
    timeline: list[Moment] = []
    for turn, states in enumerate(record.moments()):
        if progress is not None:
            progress("judging claims", turn, len(record.turns))
        start = time.perf_counter()
        mover = int(states["player"][0])
        made = record.turns[turn - 1] if turn else None
        judge = None if made is None or made.kind != "claim" else recorded.judge(made.by)
        if judge is not None:
            seen = moments[judge][turn - 1 : turn + 1]
            claims.append(_claim(recorded, knowing[judge], predictor, *seen))
        found: list[Hand] = []
        evidence, viewer = math.nan, None
        for viewer in _looking(recorded, mover, last=turn == len(record.turns)):
            now = moments[viewer][turn]
            posterior = knowing[viewer].infer(now.view, now.seen)
            evidence = posterior.log_evidence
            found += _hands(recorded, now, posterior, states)
        hands += found
        timeline.append(
            Moment(
                event=turn,
                text=happened(record, turn),
                entropy_bits=sum(hand.entropy_bits for hand in found) if found else math.nan,
                log_evidence=evidence,
                seconds=time.perf_counter() - start,
                viewer=viewer,
            )
        )
        if adviser is not None and mover != OVER and mover in recorded.viewers:
            now, *later = moments[mover][turn : turn + 2]
            best, options = adviser.options(now.view, now.seen, knowing[mover])
            choices.append(_choice(turn, now.view, later, best, options))
    methods = dict.fromkeys(claim.method for claim in claims)
    return Analysis(
        timeline=tuple(timeline),
        method=", ".join(methods) or "type_counting",
        recorded=recorded,
        claims=tuple(claims),
        choices=tuple(choices),
        hands=tuple(hands),
        learned=tuple(_learned(recorded, knowing, moments)),
        agent=None if adviser is None else adviser.text,
        predictor=predictor,
        seed=seed,
        version=version(),
    )


def _looking(recorded: Recorded, mover: int, *, last: bool) -> tuple[int, ...]:
    """Who looks at hidden hands: the player to move of several, else the one who was asked for.

    Both hands at once take a spectator seconds, so they look at them in the end only.
    """
    if not recorded.viewers:
        return (SPECTATOR,) if last else ()
    if len(recorded.viewers) < 2:
        return recorded.viewers
    return () if mover == OVER else (mover,)


def _claim(
    recorded: Recorded,
    knows: CheatBelief,
    predictor: Predictor | None,
    before: Observed,
    now: Observed,
) -> Claim:
    """A claim as its judge saw it, from the moment before it and the one after."""
    turn = now.number
    made, follows = recorded.record.turns[turn - 1], recorded.record.turns[turn : turn + 1]
    held = CheatDeclaration.of(before.view).holds_at_least(
        knows.counted(before.view), made.by, made.rank, made.count
    )
    _, _, spoken = knows.known(now.view, now.seen)
    said = dict(spoken).get(turn - 1)
    counting, joined, anybody = knows.counting(now.view), None, None
    if predictor is not None:
        joined = counting if said is None else knows.chance(now.view, now.seen)
        anybody = None if said is None else PredictedTruth(predictor)(now.view, now.seen)
    return Claim(
        turn=turn,
        by=made.by,
        rank=made.rank,
        count=made.count,
        judge=now.view.viewer,
        held=_sure(held),
        counting=_sure(counting),
        anybody=anybody,
        predicted=None if said is None else said[0],
        joined=None if joined is None else _sure(joined),
        pile=int(now.view.states[0].pile),
        method=knows.counted(now.view).method,
        true=made.true,
        called=follows[0].kind == "call" if follows else None,
    )


def _learned(
    recorded: Recorded,
    knowing: Mapping[int, CheatBelief],
    moments: Mapping[int, Sequence[Observed]],
) -> Iterator[Learned]:
    """What each viewer has learned of the other player by the last moment."""
    for viewer in recorded.viewers:
        truth, now = knowing[viewer].truth, moments[viewer][-1]
        found = truth.learned(now.view, now.seen) if isinstance(truth, AcquaintedTruth) else None
        if found is not None and found.seen:
            yield Learned(
                of=1 - viewer,
                viewer=viewer,
                claims=found.seen,
                log_odds=found.offset.mean,
                deviation=found.offset.variance**0.5,
            )


def _hands(
    recorded: Recorded, now: Observed, posterior: Posterior, states: States
) -> Iterator[Hand]:
    """What could be known of the hands that are hidden from a viewer."""
    belief = CheatDeclaration.of(now.view)
    game = belief.game
    for player in (0, 1):
        if player == game.viewer:
            continue
        counts = np.zeros((game.ranks, game.suits + 1))
        try:
            for rank in range(game.ranks):
                for count, share in belief.holding(posterior, player, rank).items():
                    counts[rank, count] = _sure(share)
        except UnsupportedError:
            continue  # Counting would take too long here; the moment before stays in the picture.
        truth = None
        if recorded.record.knows(player):
            truth = tuple(states["hands"][0][player].tolist()[: game.ranks])
        yield Hand(
            turn=now.number,
            viewer=game.viewer,
            of=player,
            size=game.sizes[player],
            counts=counts,
            truth=truth,
        )


def _choice(
    turn: int, view: View, later: Sequence[Observed], best: int, options: Mapping[int, Valued]
) -> ValuedTurn:
    return ValuedTurn(
        turn=turn + 1,
        by=view.viewer,
        rank=int(view.states[0].rank),
        claim=turn if CALL in options else None,
        made=later[0].action if later else None,
        best=best,
        options=options,
    )


def _sure(share: float) -> float:
    """A probability without what rounding left of it."""
    return min(max(float(share), 0.0), 1.0)
