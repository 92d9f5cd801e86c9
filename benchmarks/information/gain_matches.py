"""What a gain wins: the same search with a gain and without, on the same deals, game by game.

    python -m benchmarks.information.gain_matches --out FILE [--game NAME] [--games N] [--report]
        [--json]

With ``--out`` finished games are kept in FILE, and a run that was interrupted goes on from there.
``--games`` is how many deals are wanted; ``--game`` plays one game alone, ``--report`` nothing.
``--json`` prints

    {"games": {NAME: {"side": str, "setting": str, "without": agent, "others": agent,
                      "gains": [{"gain": weight, "agent": str, SAID}],
                      "usual": {"gain": weight, "agent": str, SAID} or null}},
     "version": str}

where SAID is

    "difference": d, "interval": [low, high], "deals": n, "rates": [r, r], "seconds": [s, s]

A difference is in win rates (`rates`), of one deal after another, with its 95 % interval; null with
less than two deals. `seconds` of processor time are those of a game, of all its players; null where
the second is the others, who play in the games of the first. ``usual`` compares the last search
with a gain with what is usual in the game, where that differs from the search without.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Game, Play, game
from sleuth.agents import Agent, parse_agent
from sleuth.beliefs.arrays.layout import Floats
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.intervals import NINETY_FIVE
from sleuth.data.version import version
from sleuth.planners.agents.agent import seed_of

from ..tables.runs import sources

#: Deals of every cell.
DEALS = 200
#: Each cell gets so many of these before the next one does, so that all have as many in the end.
BLOCK = 25
#: Of all deals.
SEED = 1


@dataclass(frozen=True)
class Cell:
    """One side of a game, and the search that plays it.

    Attributes:
        game: The game.
        side: What plays with the gain and without: a side of the game or of a deal of roles, or
            ``each`` for one player after the other, where all are alike.
        search: The search with a gain, without its weight.
        without: The same without a gain; on the board of Clue one that counts it only where a
            suggestion is chosen.
        others: All other players.
        weights: What a bit may be worth.
        usual: What is usual without a gain, where that differs; else None.
        settings: Those of the game that are not usual.
    """

    game: str
    side: str
    search: str
    without: str
    others: str
    weights: tuple[float, ...]
    usual: str | None = None
    settings: tuple[tuple[str, Any], ...] = ()

    @property
    def alike(self) -> bool:
        """Whether all others play as the search without a gain, so that one game shows both."""
        return self.side == "each" and self.others == self.without

    @property
    def name(self) -> str:
        """What it is called."""
        return self.game if self.side == "each" else f"{self.game}, {self.side}"

    def gaining(self, weight: float) -> str:
        """The search with a weight."""
        return f"{self.search},gain={weight:g}"

    @property
    def setting(self) -> str:
        """The game and its settings, as text."""
        more = ",".join(f"{name}={value}" for name, value in self.settings)
        return f"{self.game}:{more}" if more else self.game


SEEKERS = "mcts:simulations=500,belief=moves,r=0.4"
LOOKS_ON = "mcts:simulations=600,horizon=7,imagined=goals,exploration=0.3"
PAPER = (("rules", "paper"),)
RACE = "mcts:simulations=500,imagined=predicted,belief=exact,alone=no,exploration=0.7"
CELLS = (
    Cell(
        "scotland_yard",
        "seekers",
        SEEKERS,
        f"{SEEKERS},information=observer",
        "mcts:simulations=500",
        (0.1,),
        usual=SEEKERS,
    ),
    Cell(
        "cheat",
        "each",
        "mcts:simulations=500",
        "mcts:simulations=500",
        "mcts:simulations=500",
        (0.002, 0.1),
    ),
    *(
        Cell(
            "saboteur",
            side,
            f"{LOOKS_ON},depth=2",
            LOOKS_ON,
            "mcts:simulations=600",
            (0.1,),
            usual="mcts:simulations=600",
            settings=PAPER,
        )
        for side in ("miners", "saboteurs")
    ),
    Cell(
        "clue_table",
        "each",
        RACE,
        f"{RACE},gain=0",
        f"{RACE},gain=0",
        (5,),
        settings=(("players", 3),),
    ),
    Cell(
        "clue",
        "each",
        "mcts:simulations=1000,depth=3",
        "mcts:simulations=1000,depth=1,gain=5",
        "entropy",
        (5,),
        settings=(("players", 3),),
    ),
)


@cache
def played(cell: Cell) -> Game:
    """The game of a cell."""
    return game(cell.game, **dict(cell.settings))


@cache
def makes(cell: Cell, text: str) -> Any:
    """What makes agents of a text for the game of a cell."""
    return parse_agent(text).prepare(played(cell))


def seats(cell: Cell, play: Play, number: int) -> list[bool]:
    """For each player whether the search in question plays them."""
    of = played(cell)
    if cell.side == "each":
        return [player == number % of.players for player in range(of.players)]
    if of.sides_dealt is not None:
        sides = of.sides_dealt(play.truth())
        return [of.secret_sides[side] == cell.side for side in sides]
    return [of.sides[side] == cell.side for side in of.side_of]


def win(cell: Cell, text: str, number: int) -> float:
    """How much of a game the search in question wins: 1, 0, or a part where several win.

    The other players, and all seeds, are the same whatever it is.
    """
    play = Play.new(played(cell), seed=seed_of(SEED, number // turns(cell)))
    mine = seats(cell, play, number)
    agents: list[Agent] = [
        makes(cell, text if own else cell.others)(seed_of(SEED, number, player))
        for player, own in enumerate(mine)
    ]
    while not play.over:
        player = play.player
        play.apply(agents[player].decide(play.view(player), play.seen_by(player)))
    returns = play.returns()
    best = max(returns)
    winners = [player for player, value in enumerate(returns) if value == best]
    return sum(mine[player] for player in winners) / len(winners)


def turns(cell: Cell) -> int:
    """How many games have the same deal: with each player in turn as the one in question."""
    return played(cell).players if cell.side == "each" else 1


class Games:
    """Finished games, kept in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        #: By the cell, the agent, and the number of the game.
        self.won: dict[tuple[str, str, int], float] = {}
        self.took: dict[tuple[str, str, int], float] = {}
        for each in read_lines(path) if path is not None else ():
            key = each["cell"], each["agent"], each["number"]
            self.won[key], self.took[key] = each["won"], each["seconds"]

    def play(self, cell: Cell, text: str, number: int) -> None:
        """Play a game that is not finished yet."""
        key = cell.name, text, number
        if key in self.won:
            return
        start = time.process_time()
        self.won[key] = win(cell, text, number)
        self.took[key] = round(time.process_time() - start, 2)
        if self.path is not None:
            entry: dict[str, Any] = dict(zip(("cell", "agent", "number"), key, strict=True))
            entry |= {"won": self.won[key], "seconds": self.took[key]}
            append_line(self.path, json.dumps(entry | {"sources": sources()}))

    def paired(self, cell: Cell, first: str, second: str) -> Floats:
        """How much of each deal both have won, where all of it was played; shape (deals, 2)."""
        one, other = (self._of_deals(cell, text) for text in (first, second))
        if cell.alike:
            # All others are the second, and win what is left.
            left = played(cell).players - 1
            other = {deal: (1.0 - won) / left for deal, won in one.items()}
        both = sorted(one.keys() & other.keys())
        return np.array([(one[deal], other[deal]) for deal in both]).reshape(-1, 2)

    def _of_deals(self, cell: Cell, text: str) -> dict[int, float]:
        of, found = turns(cell), dict[int, list[float]]()
        for (name, agent, number), won in self.won.items():
            if (name, agent) == (cell.name, text):
                found.setdefault(number // of, []).append(won)
        return {deal: sum(each) / of for deal, each in found.items() if len(each) == of}

    def seconds(self, cell: Cell, text: str) -> float | None:
        """Processor time of a game, on average; None without games."""
        took = [each for key, each in self.took.items() if key[:2] == (cell.name, text)]
        return sum(took) / len(took) if took else None


def compared(games: Games, cell: Cell, first: str, second: str) -> dict[str, Any]:
    """How much more often the first wins than the second."""
    pairs = games.paired(cell, first, second)
    count = len(pairs)
    if count < 2:
        return dict.fromkeys(("difference", "interval", "rates", "seconds")) | {"deals": count}
    each = pairs[:, 0] - pairs[:, 1]
    mean, half = float(each.mean()), NINETY_FIVE * float(each.std(ddof=1)) / math.sqrt(count)
    return {
        "difference": mean,
        "interval": [mean - half, mean + half],
        "deals": count,
        "rates": pairs.mean(axis=0).tolist(),
        "seconds": [
            games.seconds(cell, first),
            None if cell.alike else games.seconds(cell, second),
        ],
    }


def wanted(cells: Sequence[Cell], deals: int) -> Iterator[tuple[Cell, str, int]]:
    """All games in their order, block by block."""
    for first in range(0, deals, BLOCK):
        for cell in cells:
            # Where all are alike, the others play the search without a gain anyway.
            texts = [] if cell.alike else [cell.without]
            texts += [cell.gaining(weight) for weight in cell.weights]
            texts += [] if cell.usual is None else [cell.usual]
            of = turns(cell)
            for number in range(of * first, of * min(deals, first + BLOCK)):
                for text in texts:
                    yield cell, text, number


def as_json(games: Games, cells: Sequence[Cell]) -> dict[str, Any]:
    """What the games say."""
    found: dict[str, Any] = {}
    for cell in cells:
        gains = [
            {"gain": weight, "agent": cell.gaining(weight)}
            | compared(games, cell, cell.gaining(weight), cell.without)
            for weight in cell.weights
        ]
        usual = None
        if cell.usual is not None:
            weight = cell.weights[-1]
            usual = {"gain": weight, "agent": cell.usual}
            usual |= compared(games, cell, cell.gaining(weight), cell.usual)
        found[cell.name] = {
            "side": cell.side,
            "setting": cell.setting,
            "without": cell.without,
            "others": cell.others,
            "gains": gains,
            "usual": usual,
        }
    return {"games": found, "version": version()}


def text(found: dict[str, Any]) -> str:
    """The same as a table in Markdown."""
    lines = [
        "| game | gain | against | wins with | wins without | difference | 95 % interval | deals "
        "| seconds |",
        f"|{9 * '---|'}",
    ]
    for name, each in found["games"].items():
        rows = [(gain, "the same without") for gain in each["gains"]]
        rows += [] if each["usual"] is None else [(each["usual"], "what is usual")]
        for said, against in rows:
            if said["difference"] is None:
                continue
            rates = " | ".join(f"{100 * rate:.1f}" for rate in said["rates"])
            low, high = said["interval"]
            took = ", ".join(f"{each:.2f}" for each in said["seconds"] if each is not None)
            lines.append(
                f"| {name} | {said['gain']:g} | {against} | {rates} | "
                f"{100 * said['difference']:+.1f} | {100 * low:+.1f} to {100 * high:+.1f} | "
                f"{said['deals']} | {took} |"
            )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, help="file of the finished games")
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--games", type=int, default=DEALS, help="deals of each cell")
    parser.add_argument("--report", action="store_true", help="play nothing")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.games < 1:
        parser.error(f"at least 1 deal is needed: {options.games}")
    cells = [cell for cell in CELLS if options.game in (None, cell.game)]
    if not cells:
        known = ", ".join(dict.fromkeys(cell.game for cell in CELLS))
        parser.error(f"no such game: {options.game}; known: {known}")
    games = Games(options.out)
    for each in () if options.report else wanted(cells, options.games):
        games.play(*each)
    found = as_json(games, cells)
    print(json.dumps(found) if options.json else text(found))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
