"""How soon players of Clue without a board know the case file, if all of them ask well.

    python -m benchmarks.clue.race [--games N ...] [--json]

Every player asks the question that tells them most, of some drawn at random among all, shows any
card, and accuses as soon as they are certain. The tables say, of players who are not certain yet
when they have asked, how often they are after the next round and the rounds after it, by the bits
that are open to them; and which part of the doubt is left after each of these rounds that was there
before it: of how likely their likeliest case file is wrong. `models/clue/imagined/race.py` has the
first, and `beliefs/games/clue/waiting.py` the second.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sleuth import Play
from sleuth.games.clue import CARDS, PASS, ClueBelief, clue_table
from sleuth.models.clue.game import ACCUSE, ACCUSING, SUGGESTING, TRIPLES, triple_cards

#: Questions that a player chooses among.
QUESTIONS = 40
#: As likely as the likeliest case file has to be for a player to be certain.
CERTAIN = 1 - 1e-9
#: Lower ends of the classes of open bits.
BITS = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
#: Rounds that are told apart.
ROUNDS = 12
CODES = {triple_cards(triple): triple for triple in range(TRIPLES)}


@dataclass(eq=False)
class Asker:
    """Somebody who asks well, and accuses when certain."""

    belief: ClueBelief
    rng: np.random.Generator
    questions: int = QUESTIONS
    bits: list[float] = field(default_factory=list[float])
    doubt: list[float] = field(default_factory=list[float])

    def decide(self, play: Play) -> int:
        view, seen = play.view(play.player), play.seen_by(play.player)
        stage = int(view.states[0].stage)
        if stage not in (SUGGESTING, ACCUSING):
            return int(self.rng.choice(view.legal()))
        posterior = self.belief.infer(view, seen)
        (file,) = self.belief.hidden(view).values()
        if stage == SUGGESTING:
            questions = self.belief.questions(view)
            own = set(np.flatnonzero(view.states[0].holder == view.viewer).tolist())
            useful = [
                triple
                for triple in questions
                if sum(CARDS.index(card) in own for card in triple_cards(triple)) < 3
            ]
            some = self.rng.choice(useful, min(self.questions, len(useful)), replace=False).tolist()
            gains = posterior.information_gain([questions[code] for code in some], about=file)
            return int(some[int(np.argmax(gains))])
        shares = posterior.distribution(file)
        self.bits.append(float(posterior.entropy(file)))
        self.doubt.append(1.0 - float(shares.max()))
        if shares.max() >= CERTAIN:
            return ACCUSE + CODES[tuple(file.values[int(shares.argmax())])]
        return PASS


def played(players: int, seed: int) -> list[Asker]:
    """The players, who know what was open, and how much in doubt, after each question."""
    play = Play.new(clue_table(players), seed=seed)
    belief = ClueBelief()
    askers = [Asker(belief, np.random.default_rng((seed, seat))) for seat in range(players)]
    while not play.over:
        play.apply(askers[play.player].decide(play))
    return askers


def certain_after(games: list[Asker]) -> dict[str, Any]:
    """Counts of players at risk and certain, and doubt before and after each round.

    All are [class of bits][rounds later].
    """
    by_bits, doubt = np.zeros((2, len(BITS), ROUNDS, 2))
    for asker in games:
        bits = asker.bits
        for place, left in enumerate(bits):
            if left < 1e-6:
                break
            row = int(np.searchsorted(BITS, left, side="right")) - 1
            for later, then in enumerate(bits[place + 1 : place + 1 + ROUNDS]):
                by_bits[row, later] += (1, then < 1e-6)
                doubt[row, later] += asker.doubt[place + later : place + later + 2]
    return {"by_bits": by_bits.tolist(), "doubt": doubt.tolist()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--games", type=int, nargs=4, default=[60, 40, 16, 8])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found: dict[int, dict[str, Any]] = {}
    every: dict[int, list[Asker]] = defaultdict(list)
    for players, count in zip((3, 4, 5, 6), options.games, strict=True):
        for seed in range(count):
            every[players] += played(players, seed)
            print(f"{players} players, game {seed + 1} of {count}", file=sys.stderr)
        found[players] = certain_after(every[players])
    found[0] = certain_after([asker for games in every.values() for asker in games])
    if options.json:
        print(json.dumps(found))
        return
    for players, tables in found.items():
        print(f"\n{players or 'any number of'} players\n")
        print("| open | " + " | ".join(f"round {later + 1}" for later in range(ROUNDS)) + " |")
        print("|---|" + "---|" * ROUNDS)
        names = [f"{low:g} bits or more" for low in BITS]
        for name, row in zip(names, tables["by_bits"], strict=True):
            cells = [
                f"{hit / at_risk:.2f} ({at_risk:.0f})" if at_risk else "" for at_risk, hit in row
            ]
            print(f"| {name} | " + " | ".join(cells) + " |")
        for name, row in zip(names, tables["doubt"], strict=True):
            cells = [f"{left / before:.2f}" if before else "" for before, left in row]
            print(f"| {name}: doubt left | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
