"""What a thousand continuations of one moment of Clue take, together and one by one.

    python -m benchmarks.beliefs.after_each [--players 3 6] [--events 0 4 12] [--moments 5] [--json]

A continuation is a suggestion of one player and an answer that is possible to it. Asked for is how
likely each is, and the distribution and the entropy of the case file after it. Together means one
call of `Posterior.after_each`; one by one means to observe each and to ask the posterior after it.
Both take turns at each moment, and must agree to 1e-9. A moment is a game after some events, from
the eyes of a player. Times and ratios are medians, first over the rounds and then over the moments.
They are of the processor, which other programs make slower, too. The JSON is ``{"3": {"0":
{"continuations": n, "seconds_together": .., "seconds_one_by_one": .., "ratio": ..}, "4": ..},
"6": ..}``, by players and events.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from sleuth import Evidence, Feature, Posterior
from sleuth.games.clue import ClueDeclaration

from ..clue.states import SEED, states

MOST = 1_000
AGREE = 1e-9


@dataclass(frozen=True)
class Moment:
    """What is asked at one moment: all answers to some suggestions, at most `MOST`."""

    posterior: Posterior
    case_file: Feature
    continuations: list[Evidence]


def moments(players: int, count: int, events: int = 12) -> list[Moment]:
    """Moments of games with so many players, after so many events and one more."""
    rng = np.random.default_rng((SEED, players))
    found: list[Moment] = []
    for state in states(players, count, events=events):
        belief = ClueDeclaration(state.game)
        posterior = belief.infer(state.game)
        several: list[Evidence] = []
        for place in rng.permutation(len(belief.suggestions)):
            asked = belief.suggestions[place]
            chances = posterior.distribution(asked.feature) @ asked.table
            several += [asked.observed(asked.outcomes[each]) for each in np.flatnonzero(chances)]
        found.append(Moment(posterior, belief.case_file, several[:MOST]))
    return found


def together(moment: Moment) -> tuple[Any, Any, Any]:
    """Probabilities, entropies and distributions, in one call."""
    found = moment.posterior.after_each(moment.continuations, about=moment.case_file)
    return found.probabilities, found.entropies, found.distributions


def one_by_one(moment: Moment) -> tuple[Any, Any, Any]:
    """The same by observing each."""
    before = moment.posterior.log_evidence
    chances: list[float] = []
    bits: list[float] = []
    rows: list[Any] = []
    for each in moment.continuations:
        after = moment.posterior.observe(each)
        chances.append(math.exp(after.log_evidence - before))
        bits.append(after.entropy(moment.case_file))
        rows.append(after.distribution(moment.case_file))
    return np.array(chances), np.array(bits), np.array(rows)


def measured(moment: Moment, rounds: int) -> tuple[float, float]:
    """Median seconds together and one by one.

    Raises:
        SystemExit: They disagree.
    """
    for ours, theirs in zip(together(moment), one_by_one(moment), strict=True):
        off = float(np.abs(ours - theirs).max())
        if not off < AGREE:
            raise SystemExit(f"what is asked together is off by {off:.1e}")
    taken: dict[Any, list[float]] = {together: [], one_by_one: []}
    for _ in range(rounds):
        for ask, seconds in taken.items():
            began = time.process_time()
            ask(moment)
            seconds.append(time.process_time() - began)
    return statistics.median(taken[together]), statistics.median(taken[one_by_one])


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--players", nargs="+", type=int, default=[3, 6], metavar="N")
    parser.add_argument("--events", nargs="+", type=int, default=[0, 4, 12], metavar="N")
    parser.add_argument("--moments", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    result: dict[str, dict[str, dict[str, float]]] = {}
    for players in options.players:
        result[str(players)] = {}
        for events in options.events:
            chosen = moments(players, options.moments, events)
            times = [measured(moment, options.rounds) for moment in chosen]
            result[str(players)][str(events)] = {
                "continuations": statistics.median(len(each.continuations) for each in chosen),
                "seconds_together": statistics.median(ours for ours, _ in times),
                "seconds_one_by_one": statistics.median(theirs for _, theirs in times),
                "ratio": statistics.median(theirs / ours for ours, theirs in times),
            }
    if options.json:
        print(json.dumps(result, indent=2))
        return
    for players, rows in result.items():
        for events, row in rows.items():
            print(
                f"{players} players, {events} events, {row['continuations']:.0f} continuations: "
                f"{1e3 * row['seconds_together']:.1f} ms together, "
                f"{1e3 * row['seconds_one_by_one']:.0f} ms one by one "
                f"({row['ratio']:.1f} times as long)"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
