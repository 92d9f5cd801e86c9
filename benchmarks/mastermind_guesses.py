"""How many guesses a search needs in Mastermind, over all codes."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from asking_games import QuestionBelief, asked_so_far, question_game
from following import Following, History

from sleuth.models.game import Game
from sleuth.planners import Budget, Search, SearchAgent
from sleuth.planners.agents.learning import Learning

#: What a bit is worth, in guesses: about what one more bit costs later.
BIT = 0.33
#: Mean number of guesses that is published: greedy entropy (Neuwirth 1982), the least worst case
#: (Knuth 1976) and the optimum (Koyama and Lai 1993).
PUBLISHED = {"greedy_entropy": 4.415, "worst_case": 4.476, "optimum": 4.340}


def mastermind(pegs: int = 4, colours: int = 6, most: int = 8) -> tuple[Game, QuestionBelief]:
    """Mastermind: an answer is 5 times the black marks and the white ones, for four pegs."""
    codes = np.array(list(product(range(colours), repeat=pegs)))
    black = (codes[:, None, :] == codes[None, :, :]).sum(axis=2)
    counts = (codes[:, :, None] == np.arange(colours)).sum(axis=1)
    both = np.minimum(counts[:, None, :], counts[None, :, :]).sum(axis=2)
    table = ((pegs + 1) * black + both - black).astype(np.int16)
    ends = np.arange(len(codes), dtype=np.int16)
    return question_game(table, most=most, ends=ends, name="mastermind"), QuestionBelief(
        table, most=30
    )


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


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """The mean number of guesses, its interval, the worst, and of how many games."""

    def tell(text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)

    guesses = mastermind_guesses(100 if quick else 4_000, seed, tell)
    mean, half = statistics.fmean(guesses), 1.96 * statistics.stdev(guesses) / len(guesses) ** 0.5
    return {
        "guesses": mean,
        "interval": [mean - half, mean + half],
        "games": len(guesses),
        "worst": max(guesses),
        "published": PUBLISHED,
    }
