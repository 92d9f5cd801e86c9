"""How often agents of Clue win, by what they may compute, and what a decision takes then.

    python -m benchmarks.clue.time --curve NAME --games N [--out FOLDER] [--json] [--plot FILE.png]
    python -m benchmarks.clue.time --list

One agent plays against the same field with a growing budget: deals drawn, deals imagined,
simulations, or seconds in which is thought ahead. All points of a curve play the same deals, each
as often as there are players, the agents moving on by one seat. With --out finished games are kept,
a file for each point, and what was interrupted goes on. Win rates are of games won alone, intervals
of 95 % (Wilson). Times are of the processor, of decisions with a choice in the first games
(--timed).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Play, play_match
from sleuth import game as game_by_name
from sleuth.agents import parse_agent
from sleuth.data.intervals import wilson
from sleuth.planners.matches.match_games import PlayedGame

SEED = 2018
TIMED = 6


@dataclass(frozen=True)
class Curve:
    """An agent with a growing budget.

    Attributes:
        agent: Its name, with a place for the budget.
        budgets: What stands there.
        others: Those who play against it.
        game: The game's name.
        settings: Its settings.
    """

    agent: str
    budgets: tuple[float, ...]
    others: tuple[str, ...] = ("entropy",) * 3
    game: str = "clue_table"
    settings: dict[str, Any] = field(default_factory=lambda: {"players": 4})


WALKERS = {"game": "clue", "settings": {"players": 3}, "others": ("nearest",) * 2}
CURVES = {
    "deals": Curve("detective:worlds={}", (5, 20, 100, 500, 2000, 8000)),
    "deals_imagined": Curve("daring:imagined={}", (1, 2, 4, 8, 16, 32)),
    "simulations": Curve("search:simulations={}", (10, 100, 1000, 10_000)),
    "seconds": Curve("hunt:horizon=3,seconds={}", (0.0, 0.1, 0.3, 1.0), **WALKERS),
}


def points(name: str, games: int, out: Path | None, timed: int) -> list[dict[str, Any]]:
    """A curve, point by point."""
    curve = CURVES[name]
    rules = game_by_name(curve.game, **curve.settings)
    found: list[dict[str, Any]] = []
    for budget in curve.budgets:
        agent = curve.agent.format(budget)
        file = None if out is None else out / f"{name}_{budget}.jsonl"
        result = play_match(rules, [agent, *curve.others], games=games, seed=SEED, out=file)
        seconds = [
            each for played in result.games[:timed] for each in decisions(rules, played, agent)
        ]
        won = int(result.wins[0])
        found.append(
            {
                "agent": agent,
                "budget": budget,
                "games": games,
                "win_rate": won / games,
                "interval": list(wilson(won, games)),
                "decisions_timed": len(seconds),
                "seconds_per_decision": float(np.mean(seconds)),
                "slowest_decision": max(seconds),
            }
        )
    return found


def decisions(rules: Any, played: PlayedGame, agent: str) -> list[float]:
    """Seconds of each decision of the first agent of a game, made again."""
    seat = played.seats.index(0)
    mind = parse_agent(agent).prepare(rules)(played.seed)
    play, found = Play.new(rules, seed=played.seed), list[float]()
    for action in played.actions:
        if play.player == seat and len(play.legal()) > 1:
            view, seen = play.view(seat), play.seen_by(seat)
            begun = time.process_time()
            mind.decide(view, seen)
            found.append(time.process_time() - begun)
        play.apply(action)
    return found


def line(point: dict[str, Any]) -> str:
    """A point's line of the table."""
    low, high = point["interval"]
    mean, most = (1e3 * point[key] for key in ("seconds_per_decision", "slowest_decision"))
    return (
        f"| `{point['agent']}` | {point['games']} | {point['win_rate']:.1%} "
        f"| {low:.1%} to {high:.1%} | {mean:.0f} | {most:.0f} |"
    )


def draw(found: Sequence[dict[str, Any]], chance: float, path: Path) -> None:
    """Win rates against the time of a decision, as a picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure: Any = Figure(figsize=(6, 3.5), layout="constrained")
    FigureCanvasAgg(figure)
    panel = figure.subplots()
    times = [1e3 * point["seconds_per_decision"] for point in found]
    rates = [100 * point["win_rate"] for point in found]
    ends = np.abs(100 * np.array([point["interval"] for point in found]).T - rates)
    panel.errorbar(times, rates, yerr=ends, marker="o", capsize=3, color="#2a6f97")
    for point, *place in zip(found, times, rates, strict=True):
        panel.annotate(f"{point['budget']}", place, (5, 5), textcoords="offset points", fontsize=8)
    panel.axhline(100 * chance, color="#888888", linestyle="--", linewidth=1)
    panel.set(xscale="log", xlabel="ms a decision", ylabel="games won, %")
    panel.grid(alpha=0.3)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--curve", choices=CURVES, metavar="NAME")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument("--timed", type=int, default=TIMED, metavar="N")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where finished games are kept")
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the curve")
    parser.add_argument("--list", action="store_true", help="only say which curves there are")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(arguments)
    if asked.list or asked.curve is None:
        for name, curve in CURVES.items():
            print(
                f"{name:15} {curve.agent} {curve.budgets}, {curve.game}: {' '.join(curve.others)}"
            )
        return 0
    if asked.out is not None:
        asked.out.mkdir(parents=True, exist_ok=True)
    found = points(asked.curve, asked.games, asked.out, asked.timed)
    if asked.plot is not None:
        draw(found, 1 / (1 + len(CURVES[asked.curve].others)), asked.plot)
    if asked.json:
        print(json.dumps(found))
        return 0
    print("| agent | games | wins | 95 % | ms | slowest |")
    print("|---|---|---|---|---|---|")
    for point in found:
        print(line(point))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
