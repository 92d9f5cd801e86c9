"""Inference methods side by side on one claim of a game of Cheat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...beliefs.cheat import CheatBelief
from ...beliefs.compare import Comparison, compare
from ...data.errors import RecordError, SettingsError
from ...models.cheat.seen import SeenGame
from ..console import Tell
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
    recorded: Recorded,
    *,
    event: int | None,
    methods: Sequence[str],
    samples: int,
    seed: int,
    curves: bool,
    progress: Tell,
) -> Comparison:
    """Methods on whether a claim is true, by counting, as who may call it could have known.

    Args:
        recorded: The game, and whose views are taken.
        event: The claim's turn; None for the claim with most others face down below it.
        methods: Engines.
        samples, seed: Of sampling methods.
        curves: Whether to run sampling methods with other numbers of samples too.
        progress: Told which method runs.

    Raises:
        SettingsError: No claim that can be judged was made in this turn.
        RecordError: No claim can be judged at all.
    """
    turn, game = _moment(recorded, event)
    belief = CheatBelief(game, dealt=recorded.dealt)
    evidence = [*belief.evidence()]
    claim = belief.claims[-1]
    who = recorded.name_of(claim.turn.by)
    return compare(
        belief.model,
        evidence,
        methods=methods,
        about=belief.is_true(claim),
        about_name=f"whether {who}'s {claimed(claim.turn.rank, claim.turn.count)} in turn {turn} "
        "is true",
        samples=samples,
        seed=seed,
        curves=curves,
        progress=lambda name: progress(
            name.replace("_", " "), list(methods).index(name), len(methods)
        ),
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
