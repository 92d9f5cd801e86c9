"""How well beliefs know where Mr X is, against hiders they were not trained on.

    python -m benchmarks.scotland_yard.belief --state DIR [--games N] [--workers N]
    python -m benchmarks.scotland_yard.belief --state DIR --report [--json]

Games of each kind of hider are kept in DIR, so an interrupted run goes on where it was. The
trained files are those that come with the package; their games had another seed.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from sleuth import play_match
from sleuth.data.version import version
from sleuth.games.scotland_yard import (
    ScotlandYardBelief,
    scotland_yard,
    shipped_categories,
    shipped_moves,
)
from sleuth.jobs import cluster
from sleuth.kit import Played
from sleuth.models.scotland_yard.advice.categories import CATEGORIZATIONS, TABLES
from sleuth.training.scotland_yard.scores import Interval, Scores, score

from ..tables.in_short import in_front
from ..tables.sharing import add_workers

HERE = Path(__file__).resolve().parents[2]
STATE = HERE / "reports" / "scotland_yard_belief"
PAGE = HERE / "docs" / "results" / "scotland_yard_belief.md"
SEED = 2012
SEEKERS = "mcts:simulations=1000,belief=uniform"
#: Kinds of hiders. The first is the kind that was learned from, in other games.
HIDERS = {
    "as in training": "mcts:simulations=1000",
    "random playouts": "mcts:simulations=1000,playouts=random",
    "epsilon 0.3 in playouts": "mcts:simulations=1000,epsilon=0.3",
    "paranoid": "paranoid",
}
MAIN = ("uniform list", "categorization", "even moves", "move model", "move model, trust 0.5")


def main(arguments: list[str] | None = None) -> None:
    options = parse(arguments)
    options.state.mkdir(parents=True, exist_ok=True)
    game = scotland_yard()
    found: dict[str, Scores] = {}
    for name, hider in HIDERS.items():
        agents = [hider, SEEKERS] if len(set(game.sides)) == 2 else [hider, *[SEEKERS] * 5]
        file = options.state / f"{name.replace(' ', '_')}.jsonl"
        if options.report and not file.exists():
            continue
        games = options.games
        if options.report:
            games = min(games, len(file.read_text().splitlines()) - 1)
        with cluster(options.cluster):
            played = play_match(
                game, agents, games=games, seed=SEED, workers=options.workers, swap=False, out=file
            ).games
        if not options.quiet:
            print(f"{name}: {len(played)} games", flush=True)
        records = [Played(one.replay(game).record(), game) for one in played]
        found[name] = score(records, beliefs())
    if options.json:
        print(json.dumps(as_json(found)))
    else:
        PAGE.write_text(page(found), encoding="utf-8")
        print(f"wrote {PAGE}")


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--state", type=Path, default=STATE, help="where games are kept")
    parser.add_argument("--games", type=int, default=100, help="of each kind of hider")
    add_workers(parser)
    parser.add_argument("--report", action="store_true", help="of the games that are there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    options.quiet = options.json
    return options


def beliefs() -> dict[str, ScotlandYardBelief]:
    """All beliefs that are compared."""
    made = {
        "uniform list": ScotlandYardBelief("uniform"),
        "categorization": ScotlandYardBelief("categories"),
        "even moves": ScotlandYardBelief("steps"),
        "move model": ScotlandYardBelief("moves"),
        "move model, trust 0.5": ScotlandYardBelief("moves", trust=0.5),
    }
    for categorization in CATEGORIZATIONS:
        for table in TABLES:
            for steps in (1, 2):
                made[f"{categorization}, {table}, {steps}"] = ScotlandYardBelief(
                    "categories", categorization=categorization, table=table, selection=steps
                )
    return made


def as_json(found: dict[str, Scores]) -> dict[str, Any]:
    """The numbers of the page."""
    return {
        "unit": "bits",
        "hiders": {
            name: {
                "hider": HIDERS[name],
                "games": scores.games,
                "moments": len(scores.turn),
                "log_loss": {each: scores.loss(each) for each in scores.names},
                "entropy": {each: scores.entropy(each) for each in scores.names},
            }
            for name, scores in found.items()
        },
        "version": version(),
    }


def page(found: dict[str, Scores]) -> str:
    """The page of results."""
    parts = [HEAD.format(**about())]
    for name, scores in found.items():
        parts.append(f"## Hider: {name}\n")
        parts.append(
            f"`{HIDERS[name]}` against `{SEEKERS}`: {scores.games} games, {len(scores.turn)} "
            "moments.\n"
        )
        parts.append(main_table(scores))
    parts.append(categorizations(found))
    parts.append("## Round by round\n")
    parts.append(ROUNDS)
    for name, scores in found.items():
        parts.append(f"### Hider: {name}\n")
        parts.append(rounds(scores))
    return in_front("\n".join(parts).rstrip() + "\n", "scotland_yard_belief")


HEAD = """# How well beliefs know where Mr. X is

Made by `benchmarks/scotland_yard/belief.py` with sleuth {version}; games of seed {seed}.

Beliefs are measured after each move of Mr. X without a reveal, before a detective moves. The
measures are the **log loss** of Mr. X's station (-log2 of its probability) and the **entropy** of
the belief, in bits. A belief that knows the station loses nothing; one in which 2^n stations are
equally likely loses n bits. A belief whose log loss equals its entropy is as certain as it should
be; one that loses more is too certain. Brackets are 95 % intervals, by drawing games anew 1,000
times.

The categorization and the move model were trained on {games} games of {hider} against {seekers},
seed {trained}: the kind of hider of the first table, in other games and against other detectives.
The other hiders were not trained on. A move of Mr. X in the training games, held out part by part,
has a log loss of {moves:.2f} nats under the move model, and would have {even:.2f} nats if all
moves were equally likely.

"Even moves" is the exact filter if Mr. X takes all legal actions equally often; the move model is
the same filter with learned weights, which trust 0.5 halves.
"""

ROUNDS = """Mean log loss and, after the stroke, mean entropy, by the number of Mr. X's move. Mr. X
surfaces after moves 3, 8, 13, 18 and 24.
"""


def about() -> dict[str, Any]:
    card, moves = shipped_categories().card, shipped_moves().card
    return {
        "version": version(),
        "seed": SEED,
        "games": card["games"],
        "hider": f"`{card['hider']}`",
        "seekers": f"`{card['seekers']}`",
        "trained": card["seed"],
        "moves": moves["log_loss_of_a_move_in_nats"],
        "even": moves["log_loss_if_all_moves_were_equally_likely"],
    }


def written(interval: Interval) -> str:
    return f"{interval.mean:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def main_table(scores: Scores) -> str:
    lines = [
        "| belief | log loss | less than the uniform list | entropy |",
        "|---|---|---|---|",
    ]
    for name in MAIN:
        less = "" if name == MAIN[0] else written(scores.loss(name, against=MAIN[0]))
        loss, entropy = written(scores.loss(name)), written(scores.entropy(name))
        lines.append(f"| {name} | {loss} | {less} | {entropy} |")
    return "\n".join(lines) + "\n"


def categorizations(found: dict[str, Scores]) -> str:
    lines = [
        "## The paper's categorizations\n",
        "Log loss in bits; 1 and 2 are the steps of selection.\n",
        "| categorization, table, steps | " + " | ".join(found) + " |",
        "|---|" + "---|" * len(found),
    ]
    names = next(iter(found.values())).names[len(MAIN) :]
    for name in ("uniform list", *names):
        cells = " | ".join(f"{scores.loss(name).mean:.2f}" for scores in found.values())
        lines.append(f"| {name.replace('_', ' ')} | {cells} |")
    return "\n".join(lines) + "\n"


def rounds(scores: Scores) -> str:
    shown = MAIN[:4]
    lines = [
        "| move | moments | " + " | ".join(shown) + " |",
        "|---|---|" + "---|" * len(shown),
    ]
    for turn, (count, losses, entropies) in scores.by_turn().items():
        cells = " | ".join(
            f"{losses[place]:.2f} / {entropies[place]:.2f}"
            for place in (scores.names.index(name) for name in shown)
        )
        lines.append(f"| {turn} | {count} | {cells} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
