"""A game of Cheat for many in a few sentences."""

from __future__ import annotations

from ...kit.number_words import counted, percent
from .findings import ManyCheatFindings, ManyClaim
from .words import claimed


def summary(found: ManyCheatFindings) -> list[str]:
    """The end of the game, each player's lies, and what could have been called; a line each."""
    record = found.record
    made = len(found.claims)
    if record.winner is not None:
        lines = [f"{record.players[record.winner]} won after {counted(made, 'claim')}."]
    else:
        lines = [f"{counted(made, 'claim').capitalize()}, and nobody has won."]
    lines += [_player(found, player) for player in range(found.players)]
    impossible = [each for each in found.claims if each.certain is False and each.caller is None]
    if impossible:
        lines.append(
            f"{counted(len(impossible), 'claim').capitalize()} could not be true, by the cards "
            f"alone, and went uncalled: {_turns(impossible)}."
        )
    if found.worth_calling:
        lines.append(
            f"{counted(len(found.worth_calling), 'call').capitalize()} would have been worth "
            f"making: {_turns(found.worth_calling)}."
        )
    if found.against_odds:
        many = counted(len(found.against_odds), "call").capitalize()
        lines.append(
            f"{many} went against the odds, as far as this viewer could know: "
            f"{_turns(found.against_odds)}."
        )
    return lines


def judged_on(found: ManyCheatFindings) -> str:
    """On how many claims scores are taken."""
    score = found.counting
    number = 0 if score is None else score.claims
    return f"{counted(number, 'claim')} of others whose truth is known"


def _player(found: ManyCheatFindings, player: int) -> str:
    name = found.record.players[player]
    own = [each for each in found.claims if each.by == player]
    known = [each for each in own if each.true is not None]
    calls = [each for each in found.claims if each.caller == player]
    right = sum(each.true is False for each in calls)
    said = f"{name}: {counted(len(own), 'claim')}"
    if known:
        lies = sum(each.true is False for each in known)
        of = "" if len(known) == len(own) else f" of {len(known)} that are known"
        said += f", {counted(lies, 'lie')}{of} ({percent(lies / len(known))} %)"
    if calls:
        said += f"; {counted(len(calls), 'call')}, {right} of them right"
    return f"{said}."


def _turns(claims: list[ManyClaim] | tuple[ManyClaim, ...], most: int = 4) -> str:
    said = [f"turn {each.turn} ({claimed(each.rank, each.count)})" for each in claims[:most]]
    more = len(claims) - most
    return ", ".join(said) + (f" and {more} more" if more > 0 else "")
