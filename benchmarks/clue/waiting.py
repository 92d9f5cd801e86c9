"""What players of Clue expect of waiting, and what comes of it.

    python -m benchmarks.clue.waiting --cell table4 [--games N] [--out FILE] [--json]

A detective plays in place of the first agent of a cell of `clue_matches.py`, and accuses only when
certain. Whenever they may accuse and some case file is likely enough to think about it, what a
daring player in their place would expect is written down: that the likeliest case file is right,
that it is after the next suggestion, that somebody else is right before it. Then the game goes on,
and shows what happens. The tables say how often what was expected happened, by how likely it was
said to be; intervals are of 95 % (Wilson), and take moments of one game as independent.

With --out finished games are kept, and a run that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Play
from sleuth import game as game_by_name
from sleuth.agents import parse_agent
from sleuth.beliefs.games.clue.rivals import LEAST
from sleuth.data.intervals import wilson
from sleuth.games.clue import PASS, ClueBelief
from sleuth.models.clue.game import ACCUSING, in_case_file
from sleuth.planners.clue.agents import CERTAIN, Situation

from .matches import CELLS, Cell

#: Not that of the matches: what is chosen by these games is shown by others.
SEED = 77_000
#: Ends of the classes of what was said.
SAID = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
LATER = "wins by accusing at the next turn"
#: Moments that are told apart: where to accuse looks so many times as good as to wait.
DARING = {1.0: "where that looks better", 1.5: "where that looks half as good again"}
WAITS, EXPECTS = "detective:shows=any", "daring"

Moments = list[dict[str, Any]]


def watched(cell: Cell, number: int) -> Moments:
    """What the first player of a field expected in one game, and what came of it."""
    rules = game_by_name(cell.game, **cell.settings)
    seed, seat = SEED + number, number % len(cell.agents)
    texts = [WAITS, *cell.agents[1:]]
    minds = [
        parse_agent(texts[(place - seat) % len(texts)]).prepare(rules)(seed + place)
        for place in range(len(texts))
    ]
    watcher: Any = parse_agent(EXPECTS).prepare(rules)(seed)
    usual = ClueBelief()
    play = Play.new(rules, seed=seed)
    truth = int(in_case_file(play.truth()[0], rules.tables))
    found: Moments = []
    waits = False
    while not play.over:
        mover = play.player
        view, seen = play.view(mover), play.seen_by(mover)
        action = minds[mover].decide(view, seen)
        if mover == seat and int(play.truth()[0].stage) == ACCUSING:
            moment = Situation(watcher, view, seen)
            file = moment.file()
            is_right = bool(file.argmax() == truth)
            if waits:
                found[-1]["next"] = is_right
            waits = action == PASS and LEAST < float(file.max()) < CERTAIN
            if waits:
                exact = usual.infer(view, seen).distribution(moment.declared.case_file)
                plain = {"plain": float(exact.max()), "plain_is_right": exact.argmax() == truth}
                plain["plain_is_right"] = bool(plain["plain_is_right"])
                found.append({**asdict(moment.outlook()), **plain, "is_right": is_right})
        play.apply(action)
    if waits:
        found[-1]["lost"] = True
    won = bool(play.returns()[seat] == 1.0)
    return [{"game": number, **each, "won": won} for each in found]


def counted(moments: Moments) -> dict[str, list[list[float]]]:
    """For each thing expected [said, happened, times] of each class of what was said."""
    pairs: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for each in moments:
        pairs["right now, but for passing"].append((each["plain"], each["plain_is_right"]))
        pairs["right now"].append((each["right"], each["is_right"]))
        pairs["somebody else before the next turn"].append((each["sooner"], "lost" in each))
        if "next" in each:
            pairs["right at the next turn"].append((each["after"], each["next"]))
        survives = (1.0 - each["sooner"]) * each["after"]
        pairs[LATER].append((survives, each.get("next", False)))
        for times, words in DARING.items():
            if each["right"] > times * each["waiting"]:
                pairs[f"right now, {words}"].append((each["right"], each["is_right"]))
                pairs[f"{LATER}, {words}"].append((survives, each.get("next", False)))
    found: dict[str, list[list[float]]] = {}
    for what, both in pairs.items():
        said, happened = np.array(both, dtype=float).T
        classes = np.clip(np.searchsorted(SAID, said, side="right"), 1, len(SAID) - 1)
        rows = [classes == each for each in range(1, len(SAID))]
        found[what] = [
            [float(said[row].mean()), float(happened[row].sum()), int(row.sum())]
            for row in (*rows, np.ones(len(said), dtype=bool))
            if row.any()
        ]
    return found


def played(cell: Cell, games: int, out: Path | None) -> Moments:
    """The moments of so many games; those of an earlier run are read."""
    lines = out.read_text().splitlines() if out is not None and out.exists() else []
    every: list[Moments] = [json.loads(line) for line in lines[:games]]
    for number in range(len(every), games):
        every.append(watched(cell, number))
        if out is not None:
            with out.open("a") as file:
                file.write(json.dumps(every[-1]) + "\n")
    return [each for moments in every for each in moments]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cell", choices=CELLS, metavar="NAME", default="table4")
    parser.add_argument("--games", type=int, default=200, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where finished games are kept")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(arguments)
    moments = played(CELLS[asked.cell], asked.games, asked.out)
    found = counted(moments)
    if asked.json:
        print(json.dumps({"cell": asked.cell, "games": asked.games, "seed": SEED, "found": found}))
        return 0
    print(f"{asked.cell}: {len(moments)} moments of {asked.games} games; the last row is all\n")
    print("| expected | times | said | happened | 95 % |")
    print("|---|---|---|---|---|")
    for what, rows in found.items():
        for said, happened, times in rows:
            low, high = wilson(int(happened), int(times))
            share = happened / times
            print(f"| {what} | {times} | {said:.1%} | {share:.1%} | {low:.1%} to {high:.1%} |")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
