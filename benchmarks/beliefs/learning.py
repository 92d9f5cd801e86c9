"""A small learner with and without exact beliefs: curves, with intervals over seeds.

Run ``python -m benchmarks.beliefs.learning``: it goes on with the runs that
``docs/results/learning.jsonl`` lacks, one line each, draws ``docs/pictures/learning.png`` and
prints the table of docs/adapters.md. With ``--draw`` it plays nothing, with ``--game NAME`` it
plays one game only. A run is the learner of examples/learn_with_beliefs.py in one seat, which is
drawn anew for every game; both halves have the same seeds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import t as student

from examples.learn_with_beliefs import train
from sleuth import game
from sleuth.adapters import gymnasium_env
from sleuth.data.disk.growing import append_line

DOCS = Path(__file__).resolve().parents[2] / "docs"
RUNS, PICTURE = DOCS / "results" / "learning.jsonl", DOCS / "pictures" / "learning.png"
#: Parts of a run whose mean returns are kept.
PARTS = 20
#: Of them the last ones, which the table has.
LAST = 5


@dataclass(frozen=True)
class Task:
    """What is learned.

    Attributes:
        game, settings, others: The game, and who plays the other seat.
        games: The games of a run.
        seeds: The number of runs of each half.
    """

    game: str
    settings: dict[str, int]
    others: str
    games: int
    seeds: int


TASKS = (
    Task("leduc_poker", {}, "mcts:simulations=20", 10_000, 6),
    Task("cheat", {"ranks": 6, "hand": 5}, "people", 1_500, 4),
)


def runs() -> list[dict[str, Any]]:
    """The runs so far."""
    lines = RUNS.read_text("utf-8").splitlines() if RUNS.is_file() else []
    return [json.loads(line) for line in lines]


def lacking() -> Iterator[tuple[Task, int, bool]]:
    """The runs that are not there yet, seed by seed."""
    done = {(run["game"], run["seed"], run["belief"]) for run in runs()}
    for seed in range(max(task.seeds for task in TASKS)):
        for task in TASKS:
            for belief in (False, True):
                if seed < task.seeds and (task.game, seed, belief) not in done:
                    yield task, seed, belief


def play(task: Task, seed: int, belief: bool) -> None:
    """One run, and its line."""
    start = time.process_time()
    made = game(task.game, **task.settings)
    env = gymnasium_env(made, seat=None, others=task.others, belief=belief)
    won = train(env, task.games, seed)
    run = {
        "game": task.game,
        "settings": task.settings,
        "others": task.others,
        "games": task.games,
        "belief": belief,
        "seed": seed,
        "numbers": len(env.names),
        "seconds": round(time.process_time() - start, 1),
        "returns": [round(float(part.mean()), 4) for part in np.array_split(won, PARTS)],
    }
    append_line(RUNS, json.dumps(run))


def interval(values: Any) -> tuple[Any, Any]:
    """Means over runs, and half of the interval that holds the true mean with 95 %."""
    rows = np.asarray(values)
    half = student.ppf(0.975, len(rows) - 1) * rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
    return rows.mean(axis=0), half


def halves(task: Task) -> dict[bool, Any]:
    """The returns of a task's runs by seed, without and with beliefs; shape (runs, parts)."""
    mine = {(run["belief"], run["seed"]): run for run in runs() if run["game"] == task.game}
    seeds = sorted(seed for belief, seed in mine if belief and (False, seed) in mine)
    return {
        belief: np.array([mine[belief, seed]["returns"] for seed in seeds])
        for belief in (False, True)
    }


def table() -> list[str]:
    """The lines of the table: the mean return in the last quarter of the games."""
    lines = [
        "| game | against | games | runs | without beliefs | with beliefs | difference |",
        "|---|---|---|---|---|---|---|",
    ]
    for task in TASKS:
        found = {belief: each[:, -LAST:].mean(axis=1) for belief, each in halves(task).items()}
        cells = [*found.values(), found[True] - found[False]]
        told = ("{:+.2f} ± {:.2f}".format(*interval(cell)) for cell in cells)
        number = len(found[True])
        words = f"| {task.game} | `{task.others}` | {task.games:,} | {number} |"
        lines.append(f"{words} {' | '.join(told)} |")
    return lines


def hours() -> float:
    """Hours that all runs took of one core."""
    return sum(run["seconds"] for run in runs()) / 3600


def draw() -> None:
    """The curves of all tasks, with intervals."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(TASKS), figsize=(9, 3.6), layout="constrained")
    for axis, task in zip(axes, TASKS, strict=True):
        games = (np.arange(PARTS) + 0.5) * task.games / PARTS
        for belief, colour in ((False, "#888888"), (True, "#1f5fa8")):
            mean, half = interval(halves(task)[belief])
            label = "with beliefs" if belief else "without"
            axis.plot(games, mean, color=colour, label=label)
            axis.fill_between(games, mean - half, mean + half, color=colour, alpha=0.2, lw=0)
        axis.set_title(f"{task.game} against {task.others}", fontsize=10)
        axis.set_xlabel("games played")
        axis.set_ylabel("mean return")
        axis.legend(frameon=False, loc="lower right")
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, dpi=110)
    plt.close(figure)


def main() -> None:
    """Play what is lacking, draw, and print."""
    parser = argparse.ArgumentParser(description="A learner with and without exact beliefs.")
    parser.add_argument("--draw", action="store_true", help="play nothing")
    parser.add_argument("--game", choices=[task.game for task in TASKS])
    chosen = parser.parse_args()
    for task, seed, belief in [] if chosen.draw else [*lacking()]:
        if chosen.game in (None, task.game):
            play(task, seed, belief)
    draw()
    print(*table(), f"\n{hours():.2f} hours of one core", sep="\n")


if __name__ == "__main__":
    main()
