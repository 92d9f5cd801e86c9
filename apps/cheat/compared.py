"""Inference methods side by side on one claim of a game of Cheat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...beliefs.games.cheat.declaration import CheatDeclaration
from ...beliefs.judging.compare import Comparison
from ...data.errors import RecordError, SettingsError
from ...models.game import SPECTATOR
from ..kit.console import Tell
from ..kit.records.comparing import compare_on_record, moment_of
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
    """Methods on a moment of the game: by counting, from the view of one player.

    After a claim it is its judge who asks whether it is true. After another turn somebody whose
    view is taken asks the same of the last claim that they do not know, or, where none lies face
    down, what is most uncertain of the hidden hands.

    Args:
        recorded: The game, and whose views are taken.
        asked: Says after which turn: by default after the claim of which it was most open whether
            it is true.
        methods: Engines.
        curves: Whether to run sampling methods with other numbers of samples too.
        tell: Told which method runs.

    Raises:
        SettingsError: There is no such turn.
        RecordError: No turn was named, and no claim can be judged.
    """
    turn, belief = _moment(recorded, asked.event)
    evidence = [*belief.evidence()]
    about, about_name = None, f"what is most uncertain after turn {turn}"
    if belief.claims:
        claim = belief.claims[-1]
        said = f"{recorded.name_of(claim.turn.by)}'s {claimed(claim.turn.rank, claim.turn.count)}"
        about = belief.is_true(claim)
        about_name = f"whether {said} in turn {claim.place + 1} is true"
        if claim.place + 1 != turn:
            about_name += f", after turn {turn}"
    return compare_on_record(
        belief.model,
        evidence,
        asked,
        methods,
        about=about,
        about_name=about_name,
        curves=curves,
        tell=tell,
    )


def _moment(recorded: Recorded, event: int | None) -> tuple[int, CheatDeclaration]:
    """The turn that is asked about, and what somebody knew after it."""
    asking = [_asks(recorded, turn) for turn in range(len(recorded.record.turns) + 1)]
    seen = {viewer: [*recorded.observed(viewer)] for viewer in {*asking}}
    known = {
        turn: CheatDeclaration.of(seen[viewer][turn].view) for turn, viewer in enumerate(asking)
    }
    if event is not None and event not in known:
        last = max(known)
        raise SettingsError(
            "there is no such turn", where="--event", value=event, hint=f"write 0 to {last}"
        )
    judged = [turn for turn in known if _judge(recorded, turn) is not None]
    if event is None and not judged:
        raise RecordError(
            "there is no claim in this game that can be judged", hint="name a turn with --event"
        )
    # Inferring from a turn that was named would tell nothing here.
    open_after = ((turn, _open(known[turn]), known[turn]) for turn in judged)
    return moment_of(open_after, None) if event is None else (event, known[event])


def _judge(recorded: Recorded, turn: int) -> int | None:
    """Who judges the claim that was made in a turn; None where there is none or nobody can."""
    if turn == 0 or recorded.record.turns[turn - 1].kind != "claim":
        return None
    return recorded.judge(recorded.record.turns[turn - 1].by)


def _asks(recorded: Recorded, turn: int) -> int:
    """Whose view is taken after a turn: the judge's of a claim, else the first one there is."""
    judge = _judge(recorded, turn)
    return (*recorded.viewers, SPECTATOR)[0] if judge is None else judge


def _open(belief: CheatDeclaration) -> float:
    """How open it is whether the last claim is true, in bits."""
    return belief.infer().entropy(belief.is_true(belief.claims[-1]))
