"""How often is the likeliest case file also the suggestion that tells most about it?

    python -m benchmarks.clue.suggestions [--positions N] [--seed N] [--json]

Positions are of simulated games of 3 to 6 players who suggest what they have not seen, each as one
player sees it before a suggestion of theirs, with the case file still open. Their 324 suggestions
are valued exactly. The likeliest case file counts as best where no suggestion tells more than a
billionth of a bit more; where several case files are equally likely, it is enough that one of them
is. Intervals are of 95 %.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sleuth.data.intervals import wilson
from sleuth.games.clue import ClueDeclaration, simulate

PLAYERS = (3, 4, 5, 6)
#: Most rounds that were played before the position.
ROUNDS = 5
#: Suggestions that differ by less tell as much.
EQUAL = 1e-9


@dataclass(frozen=True, kw_only=True)
class Position:
    """One position, and what its suggestions tell.

    Attributes:
        players: How many there are.
        round: Rounds that were played before.
        bits: What is open of the case file.
        likeliest: The probability of the likeliest case file.
        told: What the best suggestion tells that is a likeliest case file.
        most: What the best of all suggestions tells.
        own: Whether a best suggestion names a card of the player's own hand.
    """

    players: int
    round: int
    bits: float
    likeliest: float
    told: float
    most: float
    own: bool

    @property
    def same(self) -> bool:
        """Whether the likeliest case file is a best suggestion."""
        return self.told >= self.most - EQUAL


def positions(count: int, seed: int) -> Iterator[Position]:
    """Positions of simulated games, as many of each number of players and of rounds."""
    number = made = 0
    while made < count:
        players = PLAYERS[number % len(PLAYERS)]
        after = number // len(PLAYERS) % (ROUNDS + 1)
        rng = np.random.default_rng((seed, number))
        number += 1
        record = simulate(players, rng, turns=players * after)
        seat = int(rng.integers(players))
        position = valued(record.seen_by(record.players[seat]), after)
        if position is not None:
            made += 1
            yield position


def valued(game: Any, after: int) -> Position | None:
    """A position, valued; None if the case file is known."""
    belief = ClueDeclaration(game)
    posterior = belief.infer(game)
    ranked = posterior.most_likely(belief.case_file, n=324)
    if len(ranked) == 1:
        return None
    gains: Any = posterior.information_gain(belief.suggestions, about=belief.case_file)
    by_name = {
        question.name: float(gain) for question, gain in zip(belief.suggestions, gains, strict=True)
    }
    likeliest = ranked[0][1]
    most = max(by_name.values())
    return Position(
        players=len(game.players),
        round=after,
        bits=posterior.entropy(belief.case_file),
        likeliest=likeliest,
        told=max(by_name[", ".join(file)] for file, p in ranked if p >= likeliest - EQUAL),
        most=most,
        own=any(
            gain >= most - EQUAL and any(card in name.split(", ") for card in game.own_hand)
            for name, gain in by_name.items()
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of the table.

    Attributes:
        what: Which positions.
        positions: How many there are.
        same: How often the likeliest case file is a best suggestion.
        low, high: The interval of that share.
        lost: What the likeliest tells less than the best, in bits, on average.
        share: What the likeliest tells as a share of the best, on average.
        own: The share of positions where a best suggestion names a card of one's own hand.
    """

    what: str
    positions: int
    same: float
    low: float
    high: float
    lost: float
    share: float
    own: float


def line(what: str, found: Sequence[Position]) -> Line:
    """Positions summed up."""
    same = sum(each.same for each in found)
    low, high = wilson(same, len(found))
    return Line(
        what=what,
        positions=len(found),
        same=same / len(found),
        low=low,
        high=high,
        lost=float(np.mean([each.most - each.told for each in found])),
        share=float(np.mean([each.told / each.most for each in found])),
        own=float(np.mean([each.own for each in found])),
    )


def lines(found: Sequence[Position]) -> list[Line]:
    """All positions together, by players, and by rounds."""
    made = [line("all", found)]
    for players in PLAYERS:
        if some := [each for each in found if each.players == players]:
            made.append(line(f"{players} players", some))
    for after in range(ROUNDS + 1):
        if some := [each for each in found if each.round == after]:
            made.append(line(f"after {after} rounds", some))
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=400, metavar="N")
    parser.add_argument("--seed", type=int, default=20130506, metavar="N")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(arguments)
    if asked.positions < 1:
        parser.error("--positions must be 1 or more")
    made = lines([*positions(asked.positions, asked.seed)])
    if asked.json:
        print(json.dumps({"seed": asked.seed, "lines": [asdict(each) for each in made]}, indent=2))
        return 0
    print("| positions | number | likeliest is best | 95 % | bits less | share | own card |")
    print("|---|---|---|---|---|---|---|")
    for each in made:
        print(
            f"| {each.what} | {each.positions} | {each.same:.1%} | {each.low:.1%} to "
            f"{each.high:.1%} | {each.lost:.3f} | {each.share:.1%} | {each.own:.1%} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
