"""How many suggestions does a player of Clue need to know the case file, by how they ask?

    python -m benchmarks.clue.questions [--players 3 5] [--deals 400] [--out FOLDER] [--json]

One player asks, and the others show cards at random (`clue_seeker`), so what differs is the
questions. Suggestions are counted until the posterior is certain of the case file. All ways of
asking get the same deals:

* ``random``: cards that may be in the case file, each equally likely;
* ``greedy``: what tells most about the case file, exactly;
* ``two_steps``: what tells most together with the best next question after each answer, exactly,
  among the questions that tell most by themselves (`SHORTLIST`);
* ``search``: a tree search of which the value is minus the suggestions, and what is learned on the
  way counts in it.

Intervals are of 95 %; differences are taken deal by deal. With --out finished deals are kept, a
line each, and what was interrupted goes on. The JSON is ``{"3": {"deals": n, "greedy": {"turns":
mean, "interval": [low, high]}, ..., "search_less_greedy": {"turns": difference, "interval": [low,
high]}, ...}, "5": ...}``.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from sleuth import Budget, Game, Play, Question, Search, SearchAgent
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.games.clue import CARDS
from sleuth.kit import SeenPlay, View, generator
from sleuth.models.clue.game import CODES, card_of
from sleuth.models.kernels.compiling import waiting
from sleuth.planners.look_ahead.asking import QuestionPlan
from sleuth.search import AskingAhead, Learning

from .seeker import (
    REFUTER,
    SEEKER,
    SHOWN,
    SeekerBelief,
    category,
    clue_seeker,
    evaluate,
    legal,
    told,
)

SEED: Final = 2013
DEALS: Final = 400
PLAYERS: Final = (3, 5)
NAMES: Final = ("random", "greedy", "two_steps", "search")
#: First questions of which two steps are looked at: those that tell most.
SHORTLIST: Final = 8
#: A case file is known where no more is open, in bits.
CERTAIN: Final = 1e-9

# The search.
SIMULATIONS: Final = 2_000
#: In how many questions it learns; then a simulation ends.
DEPTH: Final = 2
#: What a bit is worth in suggestions: about what one more bit costs later.
BIT: Final = 1.0
EXPLORATION: Final = 0.005
#: Questions that it considers, those that tell most.
CONSIDERED: Final = 8

Ask = Callable[[View, SeenPlay], int]
"""A way of asking: the number of a suggestion."""


def greedy(belief: SeekerBelief, view: View, seen: SeenPlay) -> int:
    """The question that tells most about the case file; the first of those that tell as much."""
    first = gains(belief, view, seen)
    return max(first, key=lambda code: (round(first[code], 9), -code))


def two_steps(belief: SeekerBelief, view: View, seen: SeenPlay) -> int:
    """The question that tells most with the best one after each of its answers.

    Of several the one that tells more at once: else the seeker would put off what ends the game.
    """
    return two_steps_ahead(belief, view, seen, SHORTLIST).code


def gains(belief: SeekerBelief, view: View, seen: SeenPlay) -> dict[int, float]:
    """Bits that each question tells about the case file."""
    (file,) = belief.hidden(view).values()
    asked = belief.questions(view)
    bits = belief.infer(view, seen).information_gain([*asked.values()], about=file)
    return dict(zip(asked, np.atleast_1d(bits).tolist(), strict=True))


def two_steps_ahead(
    belief: SeekerBelief, view: View, seen: SeenPlay, shortlist: int
) -> QuestionPlan:
    """What questions tell together with the best one after each answer, in expectation.

    Args:
        belief: Of the game.
        view: What the seeker knows.
        seen: All that they saw.
        shortlist: Of how many questions, those that tell most by themselves.
    """
    (file,) = belief.hidden(view).values()
    every, players = belief.all_questions(view), belief.known(view, seen).players
    codes, tables = np.zeros(view.game.max_actions, np.int32), view.game.tables

    def following(triple: int, answer: tuple[str | None, str | None]) -> dict[int, Question]:
        # Of questions that ask the same then, one stands for all.
        refuter, shown = answer
        states = view.states.copy()
        told(
            states[0],
            triple,
            -1 if refuter is None else players.index(refuter),
            -1 if shown is None else CARDS.index(shown),
            tables,
        )
        count = legal(states[0], tables, codes)
        return {code: every[code] for code in codes[:count].tolist()}

    return AskingAhead(steps=2, looked_into=shortlist).choose(
        belief.infer(view, seen), belief.questions(view), about=file, following=following
    )


# -- deals


class Remembered:
    """A way of asking that decides once where only the names of cards differ.

    Cards of a kind are numbered: own cards first, then those asked about in the order in which they
    were, then the others. What is asked is remembered by these numbers.

    Args:
        ask: The way of asking.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.known: dict[Any, tuple[int, ...]] = {}

    def __call__(self, view: View, seen: SeenPlay) -> int:
        """The number of a suggestion."""
        cards = [card for card in range(21) if view.states["holder"][0, card] == SEEKER]
        own = tuple(cards)
        events: list[tuple[int, ...]] = []
        for each in seen.events:
            shown, rest = divmod(each.event.observation, SHOWN)
            who, triple = divmod(rest, REFUTER)
            asked = [card_of(triple, place, CODES) for place in range(3)]
            cards += [card for card in asked if card not in cards]
            events.append((*asked, who, shown - 1))
        cards += [card for card in range(21) if card not in cards]
        kinds = [[card for card in cards if category(card) == kind] for kind in range(3)]
        number = {card: place for kind in kinds for place, card in enumerate(kind)} | {-1: -1}
        history = tuple(
            (*(number[card] for card in asked), who, number[shown]) for *asked, who, shown in events
        )
        # Of the card shown the kind must be told as well as the number.
        shown_kinds = tuple(category(event[-1]) for event in events)
        key = tuple(category(card) for card in own), history, shown_kinds
        if key not in self.known:
            chosen = self.ask(view, seen)
            self.known[key] = tuple(number[card_of(chosen, place, CODES)] for place in range(3))
        suspect, weapon, room = (
            kind[place] for kind, place in zip(kinds, self.known[key], strict=True)
        )
        return 54 * suspect + 9 * (weapon - 6) + room - 12


def ways(players: int) -> dict[str, tuple[Game, SeekerBelief, Ask]]:
    """The ways of asking by their names: each with its game and belief."""
    game, belief = clue_seeker(players), SeekerBelief()

    def at_random(view: View, seen: SeenPlay) -> int:
        codes = view.legal()
        random = generator(len(seen.events), *view.states["holder"][0].tolist())
        return int(codes[game.policy(view.states[0], codes, len(codes), game.tables, random)])

    narrow = SeekerBelief(most=CONSIDERED)
    agent = SearchAgent(
        search=Search(game, exploration=EXPLORATION, horizon=DEPTH, evaluate=evaluate),
        belief=narrow,
        budget=Budget(simulations=SIMULATIONS),
        learning=Learning(gain_weight=BIT, depth=DEPTH),
    )
    return {
        "random": (game, belief, at_random),
        "greedy": (game, belief, lambda view, seen: greedy(belief, view, seen)),
        "two_steps": (game, belief, Remembered(lambda view, seen: two_steps(belief, view, seen))),
        "search": (game, narrow, Remembered(agent.decide)),
    }


def turns(game: Game, belief: SeekerBelief, ask: Ask, seed: int) -> int:
    """Suggestions until the case file is certain, in one deal."""
    play = Play.new(game, seed=seed)
    while True:
        view, seen = play.view(SEEKER), play.seen_by(SEEKER)
        (file,) = belief.hidden(view).values()
        if play.over or belief.infer(view, seen).entropy(file) < CERTAIN:
            return len(play.actions)
        play.apply(ask(view, seen))


def counted(
    players: int, name: str, deals: int, out: Path | None = None, seed: int = SEED
) -> list[int]:
    """For each deal the suggestions that one way of asking takes.

    Args:
        players: How many there are.
        name: The way of asking.
        deals: How many.
        out: The folder in which finished deals are kept.
        seed: Of the first deal; the next one has the next number.
    """
    game, belief, ask = ways(players)[name]
    path = None if out is None else out / f"{players}_{name}.jsonl"
    found: list[int] = [] if path is None else [row["turns"] for row in read_lines(path)]
    with waiting():
        for number in range(len(found), deals):
            found.append(turns(game, belief, ask, seed + number))
            if path is not None:
                append_line(path, json.dumps({"deal": number, "turns": found[-1]}))
    return found[:deals]


def table(players: int, deals: int, out: Path | None = None, seed: int = SEED) -> dict[str, Any]:
    """What the ways of asking need with so many players; see the module for the form."""
    result: dict[str, Any] = {"deals": deals}
    needed: dict[str, list[int]] = {}
    for name in NAMES:
        needed[name] = counted(players, name, deals, out, seed)
        result[name] = interval(needed[name])
        print(f"{players} players, {name}: {result[name]}", file=sys.stderr, flush=True)
    for first, second in (("two_steps", "greedy"), ("search", "greedy"), ("search", "two_steps")):
        pairs = zip(needed[first], needed[second], strict=True)
        result[f"{first}_less_{second}"] = interval([ours - theirs for ours, theirs in pairs])
    return result


def interval(numbers: Sequence[float]) -> dict[str, Any]:
    """The mean of some numbers with its interval of 95 %."""
    mean, half = statistics.fmean(numbers), 0.0
    if len(numbers) > 1:
        half = 1.96 * statistics.stdev(numbers) / math.sqrt(len(numbers))
    return {"turns": mean, "interval": [mean - half, mean + half]}


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """The tables for three and for five players, as `information_value` asks for them.

    Args:
        quick: Whether two deals are enough.
        seed: Of the first deal.
    """
    deals = 2 if quick else DEALS
    return {str(players): table(players, deals, seed=seed) for players in PLAYERS}


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--players", nargs="+", type=int, default=[*PLAYERS], metavar="N")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where finished deals are kept")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(given)
    if asked.deals < 1:
        parser.error(f"at least 1 deal is needed: {asked.deals}")
    if wrong := [players for players in asked.players if not 2 <= players <= 6]:
        parser.error(f"Clue has 2 to 6 players: {', '.join(map(str, wrong))}")
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
    result = {str(players): table(players, asked.deals, asked.out) for players in asked.players}
    if asked.json:
        print(json.dumps(result))
        return 0
    print("| players | asks | suggestions | 95 % |\n|---|---|---|---|")
    for players, rows in result.items():
        for name, row in rows.items():
            if name != "deals":
                low, high = row["interval"]
                print(f"| {players} | {name} | {row['turns']:.2f} | {low:.2f} to {high:.2f} |")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
