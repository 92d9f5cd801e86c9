"""A game of Cheat in a few sentences."""

from __future__ import annotations

from typing import Final

from ...kit.number_words import percent
from ..findings import CallDecision, CheatFindings, Claim, Lesson
from ..words import action_words, claimed

#: A call is against the odds if the claim was likelier to be true than this.
EVEN: Final = 0.5
#: A decision that lost less than this is none to speak of.
DEAR: Final = 0.1


def summary(found: CheatFindings) -> list[str]:
    """The end of the game, each player's lies, and what was missed; a sentence or two each.

    >>> from sleuth.games.cheat import analyse, mini_cheat, seen_in, simulate, summary
    >>> records = simulate(2, seed=1, games=1, game=mini_cheat())
    >>> found = analyse(seen_in(records, number=1, observer=None))
    >>> summary(found.findings)[0]
    'p1 won after 5 turns. This is what each player could know at their own decisions.'
    """
    record = found.recorded.record
    turns = len(record.turns)
    lines: list[str] = []
    if record.winner is not None:
        lines.append(f"{record.players[record.winner]} won after {turns} turns.")
    else:
        lines.append(f"{turns} turns, and nobody has won.")
    lines[0] += f" This is {whose(found)}."
    lines += [_player(found, player) for player in (0, 1) if _claims(found, player)]
    missed = missed_lies(found)
    if missed:
        first = missed[0]
        which = f"turn {first.turn} ({claimed(first.rank, first.count)})"
        lines.append(
            f"{len(missed)} claims could not be true, by the cards alone, and went uncalled, the "
            f"first in {which}."
            if len(missed) > 1
            else f"The claim of {which} could not be true, by the cards alone, and went uncalled."
        )
    hopeless = [each for each in found.claims if each.called and each.certain]
    if hopeless:
        count = f"{len(hopeless)} calls were" if len(hopeless) > 1 else "One call was"
        lines.append(f"{count} of a claim that had to be true, by the cards alone.")
    costly = costliest(found)
    if costly is not None and costly.done is not None:
        who, ranks = found.recorded.name_of(costly.by), len(found.recorded.ranks)
        made, best = (
            action_words(code, costly.rank, ranks) for code in (costly.done, costly.chosen)
        )
        lines.append(
            f"The most costly decision, by the search's estimate: {who} in turn {costly.number} "
            f"({made}), when {best} was worth {costly.loss or 0.0:.2f} more (a won game is 1, a "
            f"lost one \N{MINUS SIGN}1)."
        )
    return [*lines, *(_learned(found, each) for each in found.learned)]


def whose(found: CheatFindings) -> str:
    """Whose views are taken, in words."""
    recorded = found.recorded
    if len(recorded.viewers) == 2:
        return "what each player could know at their own decisions"
    if not recorded.viewers:
        return "what a spectator could know"
    return f"what {recorded.viewer_names[0]} could know"


def judged_on(found: CheatFindings) -> str | None:
    """On which claims scores are taken, and which are left out; None if on none."""
    if found.counting is None:
        return None
    claims = found.counting.claims
    said = f"{claims} claims whose truth is known" if claims > 1 else "1 claim whose truth is known"
    if found.joined is not None:
        said += " and of which something was predicted"
    why = {"truth_not_known": "truth not known", "not_predicted": "nothing predicted"}
    out = [f"{count} ({why[name]})" for name, count in found.left_out.items() if count]
    return f"{said}; left out: {', '.join(out)}" if out else said


def missed_lies(found: CheatFindings) -> list[Claim]:
    """Claims that could not be true, by counting alone, and were not called."""
    return [each for each in found.claims if each.certain is False and each.called is False]


def dear(found: CheatFindings) -> list[CallDecision]:
    """Decisions that clearly lost something, the most costly first."""
    known = [
        each for each in found.choices if not each.within_chance and (each.loss or 0.0) >= DEAR
    ]
    return sorted(known, key=lambda each: -(each.loss or 0.0))


def costliest(found: CheatFindings) -> CallDecision | None:
    """The decision that lost most, if one clearly lost anything."""
    return next(iter(dear(found)), None)


def _learned(found: CheatFindings, learned: Lesson) -> str:
    """The outcome of a player's claims, set against what was predicted of them."""
    name = found.recorded.name_of(learned.of)
    many = f"by {learned.claims} that were turned up"
    if abs(learned.log_odds) <= learned.deviation:
        said = f"Claims of {name} are about as true as predicted of anybody"
    else:
        said = f"Claims of {name} are {'truer' if learned.log_odds > 0 else 'falser'}"
        said += " than predicted of anybody"
    odds = f"{round(learned.log_odds, 1) + 0.0:+.1f}".replace("-", "\N{MINUS SIGN}")
    return f"{said}: {odds} log odds (± {learned.deviation:.1f}), {many}."


def _claims(found: CheatFindings, player: int) -> list[Claim]:
    return [each for each in found.claims if each.by == player]


def _player(found: CheatFindings, player: int) -> str:
    """The number of somebody's claims and lies, and how their lies fared."""
    name = found.recorded.record.players[player]
    claims = _claims(found, player)
    known = [each for each in claims if each.true is not None]
    lies = [each for each in known if not each.true]
    called = [each for each in claims if each.called]
    said = f"{name} made {len(claims)} claims" if len(claims) > 1 else f"{name} made one claim"
    if known:
        of = "" if len(known) == len(claims) else f" of the {len(known)} whose cards are known"
        lied = f"{len(lies)} lies" if len(lies) > 1 else "one lie" if lies else "no lie"
        said += f", {lied}{of} ({percent(len(lies) / len(known))} %)"
    right = sum(each.true is False for each in called)
    if not called:
        return f"{said}; none was called."
    if len(called) == 1:
        return f"{said}; one was called, {'rightly' if right else 'wrongly'}."
    rightly = f"{right} of them rightly" if right else "none of them rightly"
    return f"{said}; {len(called)} were called, {rightly}."
