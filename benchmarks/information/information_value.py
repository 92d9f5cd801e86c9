"""Is what a search says of information right? Against games whose best value is known.

    python -m benchmarks.information.information_value [--parts toy,pomdps,...] [--json] [--quick]

* ``toy``: bits learned by two questions, of which the first tells nothing by itself (see
  `toy_questions`); by searches that learn in one decision and in two, and the most possible.
* ``pomdps``: a hundred random decision problems with at most 6 states, 4 actions, 4 observations
  and 4 decisions, whose reward is a sum of rewards and of half a point for every bit that is less
  open in the end. The share of the best expected value (by dynamic programming over beliefs) that
  the search's decisions bring; all histories are followed, so nothing is drawn.
* ``mastermind``: mean number of guesses over all 1,296 codes. Published: greedy entropy 4.415
  (Neuwirth 1982), least worst case 4.476 (Knuth 1976), optimum 4.340 (Koyama and Lai 1993).
* ``wordle``: the same with generated lists of words (`wordle_guesses`, which takes a reader's own).
* ``battleship``: mean number of shots (`battleship_shots`, which takes any board and fleet).
* ``clue``: suggestions until the case file of Clue is certain, for one player who asks, by how they
  ask; with three and with five players (see `clue_questions`).

``--quick`` takes few problems and simulations: to see that it works.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from typing import Any, Protocol

from ..clue import questions as clue_questions
from . import battleship_shots, decision_problems, mastermind_guesses, toy_questions, wordle_guesses


class Part(Protocol):
    """What is measured about one kind of game."""

    def __call__(self, *, quick: bool, seed: int) -> dict[str, Any]:
        """The numbers by their names.

        Args:
            quick: Whether few games and simulations are enough.
            seed: Of all that is drawn.
        """
        ...


#: What can be measured, in the order in which it is.
PARTS: Mapping[str, Part] = {
    "toy": toy_questions.measured,
    "pomdps": decision_problems.measured,
    "mastermind": mastermind_guesses.measured,
    "wordle": wordle_guesses.measured,
    "battleship": battleship_shots.measured,
    "clue": clue_questions.measured,
}
USUAL = ("toy", "pomdps")


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--parts", default=",".join(USUAL), help="some of " + ",".join(PARTS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="few problems and simulations")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args(given)
    parts = asked.parts.split(",")
    if wrong := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(wrong))}; there are {', '.join(PARTS)}")
    found: dict[str, Any] = {}
    for part in parts:
        print(f"{time.strftime('%H:%M:%S')} {part}", file=sys.stderr, flush=True)
        found[part] = PARTS[part](quick=asked.quick, seed=asked.seed)
    if asked.json:
        print(json.dumps(found))
        return 0
    for part, numbers in found.items():
        print(part, *(f"{name} {value}" for name, value in numbers.items()), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
