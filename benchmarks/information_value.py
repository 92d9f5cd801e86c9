"""Is what a search says of information right? Against games whose best value is known.

    python benchmarks/information_value.py [--parts toy,pomdps,mastermind] [--json] [--quick]

* ``toy``: bits learned by two questions, of which the first tells nothing by itself (see
  `asking_games.toy`); by searches that learn in one decision and in two, and the most possible.
* ``pomdps``: a hundred random decision problems with at most 6 states, 4 actions, 4 observations
  and 4 decisions, whose reward is a sum of rewards and of half a point for every bit that is less
  open in the end. The share of the best expected value (by dynamic programming over beliefs) that
  the search's decisions bring; all histories are followed, so nothing is drawn.
* ``mastermind``: mean number of guesses over all 1,296 codes. Published: greedy entropy 4.415
  (Neuwirth 1982), least worst case 4.476 (Knuth 1976), optimum 4.340 (Koyama and Lai 1993).

``--quick`` takes few problems and simulations: to see that it works.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from asking_games import ANSWERS, Problem, ProblemBelief, bits, mastermind, toy
from numpy.typing import NDArray

from sleuth.models.play import Moved, Play, foreseen
from sleuth.planners import Budget, Search, SearchAgent
from sleuth.planners.agents.learning import Learning

#: What was asked or done, and what was seen.
History = tuple[tuple[int, int], ...]

#: What a bit is worth in the decision problems.
WEIGHT = 0.5
#: What a bit is worth in Mastermind, in guesses: about what one more bit costs later.
BIT = 0.33
#: What is published of Mastermind.
PUBLISHED = {"greedy_entropy": 4.415, "worst_case": 4.476, "optimum": 4.340}


class Following:
    """The decisions of an agent at all moments of a game for one.

    Args:
        agent: The agent.
        state: Writes a state in which the player knows a history, where they would have to decide.
    """

    def __init__(self, agent: SearchAgent, state: Callable[[Any, History], None]) -> None:
        self.agent, self.state = agent, state
        self.game = agent.search.game
        self.play = Play.new(self.game, seed=0)
        self.known: dict[History, int] = {}

    def decision(self, history: History) -> int:
        """What the agent does after a history."""
        if history not in self.known:
            states = self.game.initial(0)
            self.state(states[0], history)
            moves = [Moved(0, done * ANSWERS + seen, done) for done, seen in history]
            view, seen = foreseen(self.play.view(0), self.play.seen_by(0), states, moves)
            self.known[history] = self.agent.decide(view, seen)
        return self.known[history]


def asked_so_far(state: Any, history: History) -> None:
    """A state of a question game after a history."""
    state.asked = len(history)
    for place, (question, answer) in enumerate(history):
        state.question[place], state.answer[place] = question, answer


def toy_values(simulations: int) -> dict[str, float]:
    """Bits that searches of one and of two decisions learn in the toy, and the most possible."""
    game, belief = toy()
    table, wanted = belief.table, np.array([value >= 8 for value in range(16)])
    found: dict[str, float] = {}
    for depth in (1, 2):
        agent = SearchAgent(
            search=Search(game),
            belief=belief,
            budget=Budget(simulations=simulations),
            learning=Learning(gain_weight=1.0, depth=depth),
        )
        following = Following(agent, asked_so_far)
        found[f"depth{depth}"] = 1.0 - _left(table, wanted, following.decision, ())
    found["exact"] = 1.0 - _least_left(table, wanted, np.ones(16, bool), 2)
    return found


def _left(
    table: NDArray[Any], wanted: NDArray[Any], decide: Callable[[History], int], history: History
) -> float:
    """What is open of the wanted bit, in expectation, after two questions that somebody asks."""
    fits = np.ones(table.shape[1], bool)
    for question, answer in history:
        fits &= table[question] == answer
    if len(history) == 2:
        return _open(wanted[fits])
    question = decide(history)
    answers, counts = np.unique(table[question][fits], return_counts=True)
    return sum(
        count / fits.sum() * _left(table, wanted, decide, (*history, (question, int(answer))))
        for answer, count in zip(answers, counts, strict=True)
    )


def _least_left(
    table: NDArray[Any], wanted: NDArray[Any], fits: NDArray[Any], questions: int
) -> float:
    """The least that can be open after so many questions, in expectation: all are tried."""
    if not questions:
        return _open(wanted[fits])
    return min(
        sum(
            (fits & (row == answer)).sum()
            / fits.sum()
            * _least_left(table, wanted, fits & (row == answer), questions - 1)
            for answer in np.unique(row[fits])
        )
        for row in table
    )


def _open(values: NDArray[Any]) -> float:
    return bits(np.bincount(values.astype(int)) / len(values))


def pomdp_shares(count: int, simulations: int, seed: int) -> Iterator[float]:
    """Of random problems the share of the best value that the search's decisions bring."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        problem = Problem.random(rng)
        agent = SearchAgent(
            search=Search(problem.game(), exploration=0.3),
            belief=ProblemBelief(problem),
            budget=Budget(simulations=simulations),
            learning=Learning(gain_weight=WEIGHT, depth=problem.horizon),
        )
        following = Following(agent, _decided_so_far)
        best = problem.value(problem.start, problem.horizon, WEIGHT)
        yield _followed(problem, following.decision, problem.start, ()) / best


def _decided_so_far(state: Any, history: History) -> None:
    state.time = len(history)
    if history:
        state.seen = history[-1][1]


def _followed(
    problem: Problem,
    decide: Callable[[History], int],
    belief: NDArray[np.float64],
    history: History,
) -> float:
    """The expected value of decisions: rewards, and the weight of every bit that is less open."""
    action = decide(history)
    total = float(belief @ problem.rewards[action]) + WEIGHT * bits(belief)
    for sight, (share, then) in enumerate(problem.after(belief, action)):
        if share > 0.0:
            later = 0.0
            if len(history) + 1 < problem.horizon:
                later = _followed(problem, decide, then, (*history, (action, sight)))
            total += share * (later - WEIGHT * bits(then))
    return total


def mastermind_guesses(simulations: int, seed: int, tell: Callable[[str], None]) -> list[int]:
    """How many guesses a search needs for each code."""
    game, belief = mastermind()
    agent = SearchAgent(
        search=Search(game, exploration=0.1),
        belief=belief,
        budget=Budget(simulations=simulations),
        learning=Learning(gain_weight=BIT, depth=2),
        seed=seed,
    )
    following, found = Following(agent, asked_so_far), list[int]()
    table = belief.table
    for code in range(table.shape[1]):
        history: History = ()
        while not history or history[-1][0] != code:
            question = following.decision(history)
            history = (*history, (question, int(table[question, code])))
        found.append(len(history))
        if code % 100 == 99:
            tell(f"{code + 1} codes, {statistics.fmean(found):.3f} guesses each")
    return found


def measured(parts: Sequence[str], *, quick: bool, seed: int) -> dict[str, Any]:
    """All that was asked for, by its part."""

    def tell(text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

    found: dict[str, Any] = {}
    if "toy" in parts:
        found["toy"] = toy_values(500 if quick else 4_000)
    if "pomdps" in parts:
        count = 3 if quick else 100
        shares = list(pomdp_shares(count, 500 if quick else 20_000, seed))
        found["pomdps"] = {"worst": min(shares), "mean": statistics.fmean(shares), "n": count}
    if "mastermind" in parts:
        guesses = mastermind_guesses(100 if quick else 4_000, seed, tell)
        mean, half = (
            statistics.fmean(guesses),
            1.96 * statistics.stdev(guesses) / len(guesses) ** 0.5,
        )
        found["mastermind"] = {
            "guesses": mean,
            "interval": [mean - half, mean + half],
            "games": len(guesses),
            "worst": max(guesses),
            "published": PUBLISHED,
        }
    return found


PARTS = ("toy", "pomdps", "mastermind")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--parts", default="toy,pomdps", help="some of " + ",".join(PARTS))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="few problems and simulations")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    parts = asked.parts.split(",")
    if wrong := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(wrong))}; there are {', '.join(PARTS)}")
    found = measured(parts, quick=asked.quick, seed=asked.seed)
    if asked.json:
        print(json.dumps(found))
        return 0
    for part, numbers in found.items():
        print(part, *(f"{name} {value}" for name, value in numbers.items()), sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
