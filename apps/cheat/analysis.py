"""How likely every claim of a recorded game of Cheat was, as who could call it could have known.

The one computation behind the command's text, its JSON and the HTML report: none of them
computes anything of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...beliefs.predictor import Predictor
from ...data.errors import UnsupportedError
from ...data.version import version
from ...models.cheat.record import Turn
from ...models.cheat.tables import CALL, TAKE, claim_code
from ...models.game import OVER, SPECTATOR
from ...models.play import Play, View
from .acquainted import Learned
from .advice import Adviser, Option
from .findings import Choice, Claim, Hand, Score
from .knowing import Knowing
from .recorded import Recorded

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
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
        seed: Of the agent.
        version: The version of sleuth.
    """

    recorded: Recorded
    claims: tuple[Claim, ...]
    choices: tuple[Choice, ...]
    hands: tuple[Hand, ...]
    learned: tuple[Learned, ...]
    agent: str | None
    predictor: Predictor | None = field(repr=False)
    seed: int
    version: str

    @property
    def method(self) -> str:
        """The engines that answered."""
        return ", ".join(dict.fromkeys(claim.method for claim in self.claims)) or "type_counting"

    @cached_property
    def counting(self) -> Score | None:
        """How good counting was."""
        return Score.of(
            [(each.counting, each.true) for each in self.claims if each.true is not None]
        )

    @cached_property
    def joined(self) -> Score | None:
        """How good counting and the predictor together were."""
        return Score.of(
            [
                (each.joined, each.true)
                for each in self.claims
                if each.true is not None and each.joined is not None
            ]
        )

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
            "claims": [self._claim_json(each) for each in self.claims],
            "decisions": [self._choice_json(each) for each in self.choices],
            "hands": [self._hand_json(each) for each in self.hands],
            "learned": [self._learned_json(each) for each in self.learned],
            "scores": {
                "counting": None if self.counting is None else self.counting.to_json(),
                "joined": None if self.joined is None else self.joined.to_json(),
            },
            "version": self.version,
            "seed": self.seed,
            "record_sha256": recorded.digest,
        }

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

    def _choice_json(self, choice: Choice) -> Mapping[str, object]:
        name = self.recorded.record.game.action_name
        call, otherwise = choice.call, choice.otherwise
        return {
            "turn": choice.turn,
            "by": self.recorded.name_of(choice.by),
            "claim": choice.claim,
            "made": None if choice.made is None else name(choice.made),
            "best": name(choice.best),
            "value": next(each.value for each in choice.options if each.action == choice.best),
            "call_value": None if call is None else call.value,
            "other_value": None if otherwise is None else otherwise.value,
            "lost": choice.lost,
            "clearly": choice.clearly,
            "actions": [each.to_json(name) for each in choice.options],
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
    progress: Progress | None = None,
) -> Analysis:
    """How likely every claim was, what could be known of hands, and what was worth doing.

    Args:
        recorded: The game, and whose views are taken.
        predictor: Says whether a claim is true, from the features of `beliefs.cheat_features`. If
            its ``spread`` is not 0, players get to be known by their claims that are turned up.
        adviser: Values what could be done; without it nobody does.
        seed: Carried along.
        progress: Told how far the work has come.

    Raises:
        ContradictionError: The record cannot have happened.
    """
    record = recorded.record
    knowing = {viewer: Knowing(recorded, viewer, predictor) for viewer in (SPECTATOR, 0, 1)}
    claims: list[Claim] = []
    choices: list[Choice] = []
    hands: list[Hand] = []
    before: Play | None = None
    for turn, (states, play) in enumerate(recorded.moments()):
        if progress is not None:
            progress("judging claims", turn, len(record.turns))
        mover = int(states["player"][0])
        if before is not None and record.turns[turn - 1].kind == "claim":
            judge = recorded.judge(record.turns[turn - 1].by)
            if judge is not None:
                views = before.view(judge), play.view(judge)
                claims.append(_claim(recorded, turn, knowing[judge], *views))
        before = play
        for viewer in _looking(recorded, mover, last=turn == len(record.turns)):
            hands += _hands(recorded, turn, knowing[viewer], play.view(viewer), states)
        if adviser is not None and mover != OVER and mover in recorded.viewers:
            view = play.view(mover)
            posterior = knowing[mover].posterior(view)
            best, options = adviser.options(view, play.seen_by(mover), posterior)
            choices.append(_choice(recorded, turn, view, best, options))
    return Analysis(
        recorded=recorded,
        claims=tuple(claims),
        choices=tuple(choices),
        hands=tuple(hands),
        learned=() if before is None else _learned(recorded, knowing, before),
        agent=None if adviser is None else adviser.text,
        predictor=predictor,
        seed=seed,
        version=version(),
    )


def _looking(recorded: Recorded, mover: int, *, last: bool) -> tuple[int, ...]:
    """Who looks at hidden hands: the player to move of several, else the one who was asked for.

    Both hands at once take a spectator seconds, so he looks at them in the end only.
    """
    if not recorded.viewers:
        return (SPECTATOR,) if last else ()
    if len(recorded.viewers) < 2:
        return recorded.viewers
    return () if mover == OVER else (mover,)


def _claim(recorded: Recorded, turn: int, knowing: Knowing, before: View, view: View) -> Claim:
    record = recorded.record
    made = record.turns[turn - 1]
    held = knowing.held(before, made)
    counted, counting, said = knowing.hear(view)
    joined = None
    if knowing.predictor is not None:
        joined = counting
        if said is not None:
            joined = knowing.truth(recorded.seen(view), knowing.posterior(view))
    state = view.states[0]
    return Claim(
        turn=turn,
        by=made.by,
        rank=made.rank,
        count=made.count,
        judge=knowing.viewer,
        held=_sure(held),
        counting=_sure(counting),
        anybody=None if said is None else said[0],
        predicted=None if said is None else said[1],
        joined=None if joined is None else _sure(joined),
        pile=int(state.pile),
        method=counted.method,
        true=made.true,
        called=record.turns[turn].kind == "call" if turn < len(record.turns) else None,
    )


def _learned(recorded: Recorded, knowing: Mapping[int, Knowing], last: Play) -> tuple[Learned, ...]:
    """What each viewer has learned of the other player by the last moment."""
    found: list[Learned] = []
    for viewer in recorded.viewers:
        acquainted = knowing[viewer].acquainted
        learned = None if acquainted is None else acquainted.learned(last.view(viewer))
        if learned is not None:
            found.append(learned)
    return tuple(found)


def _hands(recorded: Recorded, turn: int, knowing: Knowing, view: View, states: Any) -> list[Hand]:
    game = recorded.seen(view)
    posterior = knowing.posterior(view)
    belief = knowing.believing(game, posterior)
    found: list[Hand] = []
    for player in (0, 1):
        if player == knowing.viewer:
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
        found.append(
            Hand(
                turn=turn,
                viewer=knowing.viewer,
                of=player,
                size=game.sizes[player],
                counts=counts,
                truth=truth,
            )
        )
    return found


def _choice(
    recorded: Recorded, turn: int, view: View, best: int, options: tuple[Option, ...]
) -> Choice:
    record = recorded.record
    made = None
    rank = int(view.states[0].rank)
    if turn < len(record.turns):
        made = _code(record.turns[turn], rank, len(recorded.ranks))
    callable_ = any(each.action == CALL for each in options)
    return Choice(
        turn=turn + 1,
        by=view.viewer,
        rank=rank,
        claim=turn if callable_ else None,
        made=made,
        best=best,
        options=options,
    )


def _code(turn: Turn, rank: int, ranks: int) -> int:
    """The code of what was done, by a player all of whose cards are recorded."""
    if turn.kind == "call":
        return CALL
    if turn.kind == "take":
        return TAKE
    return int(claim_code(int(turn.rank != (rank + 1) % ranks), int(not turn.true), turn.count))


def _sure(share: float) -> float:
    """A probability without what rounding left of it."""
    return min(max(float(share), 0.0), 1.0)
