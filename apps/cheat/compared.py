"""Inference methods side by side on one claim of a game of Cheat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...beliefs.games.cheat.declaration import CheatBelief
from ...beliefs.judging.compare import Comparison
from ...data.errors import RecordError, SettingsError
from ...models.cheat.record.seen import SeenGame
from ..kit.console import Tell
from ..kit.records.comparing import compare_on_record
from ..kit.records.contract import Asked
from .recorded import Recorded
from .words import claimed

#: What is compared if nothing is named: engines that can count cards of which some are alike.
METHODS: Final = (
    "type_counting",
    "card_by_card",
    "enumeration",
    "rejection",
    "likelihood_weighting",
    "metropolis",
    "particles",
    "loopy_bp",
)


def compare_cheat(
    recorded: Recorded, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
) -> Comparison:
    """Methods on whether a claim is true, by counting, from the view of its judge.

    Args:
        recorded: The game, and whose views are taken.
        asked: Says after which turn: that of the claim, or else that of the claim with most others
            face down below it.
        methods: Engines.
        curves: Whether to run sampling methods with other numbers of samples too.
        tell: Told which method runs.

    Raises:
        SettingsError: No claim that can be judged was made in this turn.
        RecordError: No claim can be judged at all.
    """
    turn, game = _moment(recorded, asked.event)
    belief = CheatBelief(game, dealt=recorded.dealt)
    evidence = [*belief.evidence()]
    claim = belief.claims[-1]
    said = f"{recorded.name_of(claim.turn.by)}'s {claimed(claim.turn.rank, claim.turn.count)}"
    return compare_on_record(
        belief.model,
        evidence,
        asked,
        methods,
        about=belief.is_true(claim),
        about_name=f"whether {said} in turn {turn} is true",
        curves=curves,
        tell=tell,
    )


def _moment(recorded: Recorded, event: int | None) -> tuple[int, SeenGame]:
    """The turn of the claim that is asked about, and what its judge knew then."""
    found: dict[int, SeenGame] = {}
    for turn, (_, play) in enumerate(recorded.moments()):
        if turn == 0 or recorded.record.turns[turn - 1].kind != "claim":
            continue
        judge = recorded.judge(recorded.record.turns[turn - 1].by)
        if judge is not None:
            found[turn] = recorded.seen(play.view(judge))
    if not found:
        raise RecordError("there is no claim in this game that can be judged")
    if event is None:
        return max(found.items(), key=lambda each: (len(each[1].pile_claims), each[0]))
    if event not in found:
        raise SettingsError(
            "no claim that this view can judge was made in this turn",
            where="--event",
            value=event,
            hint=f"write one of {', '.join(map(str, found))}",
        )
    return event, found[event]
