"""Does what is given 30 % happen 30 % of the time? Clue with refuters who choose at random.

    python -m benchmarks.clue.calibration [--games N] [--seed S] [--write]

Games are simulated, and at some moment of each it is predicted who holds which card: once with
the refuters' choice weighed (``random``), once by plain counting (``ignored``). Plain counting
errs where a choice was seen: a player who showed one of three cards is less likely to hold the
other two than a count of deals says. Suggestions are drawn at random, so that they tell nothing; a
player who suggests what they have not seen gives something away that no model here takes up.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from sleuth import Posterior, reliability
from sleuth.beliefs.judging.reliability import Reliability, plot_reliability
from sleuth.data.version import version
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    ClueDeclaration,
    ClueRecord,
    SeenClue,
    Suggestion,
    simulate,
)
from sleuth.models.clue.simulate import random_policy

from ..tables.in_short import in_front

DOCS = Path(__file__).parents[2] / "docs"
PICTURE = DOCS / "pictures" / "clue_calibration.png"
RESULTS = DOCS / "results" / "clue_calibration.md"

PLAYERS = (3, 4, 5, 6)
CHOICES = ("random", "ignored")
#: Who predicts: a player, or the reader of a public notebook, who sees every card that is shown
#: and nobody's hand.
VIEWERS = ("player", "notebook")
#: Fewest and most suggestions that have been made when the prediction is asked for.
MOMENTS = (4, 20)
#: Worlds drawn from each posterior: they tell how much sums over one game vary.
WORLDS = 100

REFUTER = "the refuter also holds another of the three"
CASE = "another of the three is in the case file"
EVERY = "who holds any card"
KINDS = (REFUTER, CASE, EVERY)

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Game:
    """A simulated game at some moment, as one viewer sees it, and the truth."""

    number: int
    seen: SeenClue
    truth: Mapping[str, str]


@dataclass
class Cells:
    """Predicted probabilities, what happened, and what happens in drawn worlds."""

    predicted: list[float] = field(default_factory=list[float])
    happened: list[bool] = field(default_factory=list[bool])
    games: list[int] = field(default_factory=list[int])
    draws: list[Array] = field(default_factory=list[Array])

    def __iadd__(self, other: Cells) -> Cells:
        """All cells of both; their games are different ones."""
        after = max(self.games, default=-1) + 1
        self.predicted += other.predicted
        self.happened += other.happened
        self.games += [after + number for number in other.games]
        self.draws += other.draws
        return self

    def reliability(self) -> Reliability:
        return reliability(
            self.predicted, self.happened, games=self.games, draws=np.array(self.draws)
        )


def games(players: int, count: int, seed: int, *, viewer: str) -> Iterator[Game]:
    """Simulated games in which refuters choose at random."""
    for number in range(count):
        # Different games for different viewers, so that their results can be put together.
        rng = np.random.default_rng([seed, VIEWERS.index(viewer), players, number])
        turns = int(rng.integers(MOMENTS[0], MOMENTS[1] + 1))
        record = simulate(players, rng, choice="random", policy=random_policy, turns=turns)
        seat = record.players[int(rng.integers(players))]
        yield Game(number, seen_by(record, seat, viewer), truth(record))


def seen_by(record: ClueRecord, seat: str, viewer: str) -> SeenClue:
    if viewer == "player":
        return record.seen_by(seat)
    return dataclasses.replace(record, dealt=None, case_file=None).seen_by("notebook")


def truth(record: ClueRecord) -> dict[str, str]:
    hands = record.hands or {}
    held = {card: player for player, cards in hands.items() for card in cards}
    return held | dict.fromkeys(record.case_file or (), CASE_FILE)


def asked(game: SeenClue) -> dict[str, list[tuple[str, str]]]:
    """The (holder, card) pairs of every kind; which they are follows from what was seen."""
    others = {
        (seen.event.refuter, card)
        for seen in game.events
        if isinstance(seen.event, Suggestion)
        and seen.event.shown is not None
        and seen.event.refuter not in (None, game.viewer)
        for card in seen.event.cards
        if card != seen.event.shown and card not in game.own_hand
    }
    holders = (*game.players, CASE_FILE)
    return {
        REFUTER: sorted((str(refuter), card) for refuter, card in others),
        CASE: sorted({(CASE_FILE, card) for _, card in others}),
        EVERY: [(holder, card) for holder in holders for card in CARDS],
    }


def add(cells: Mapping[str, Cells], game: Game, posterior: Posterior, seed: int) -> None:
    """What a posterior says of one game, and what is true."""
    [deal] = posterior.model.variables
    shares = posterior.table(deal.name)
    # The same worlds in every process, but others than those of the simulation.
    worlds = posterior.sample_array(
        WORLDS, np.random.default_rng([seed, len(VIEWERS), game.number])
    )
    column = {card: place for place, (_, card) in enumerate(posterior.columns())}
    number = {holder: place for place, holder in enumerate(posterior.holders(deal.name))}
    for kind, pairs in asked(game.seen).items():
        for holder, card in pairs:
            cells[kind].predicted.append(shares[card][holder])
            cells[kind].happened.append(game.truth[card] == holder)
            cells[kind].games.append(game.number)
            cells[kind].draws.append(worlds[:, column[card]] == number[holder])


def judge(
    players: int,
    choice: str,
    count: int,
    seed: int,
    *,
    viewer: str,
    tick: Callable[[], None] = lambda: None,
) -> dict[str, Cells]:
    """Predictions and truths of many games, by kind."""
    cells = {kind: Cells() for kind in KINDS}
    for game in games(players, count, seed, viewer=viewer):
        belief = ClueDeclaration(game.seen, choice)
        add(cells, game, belief.infer(game.seen, method="card_by_card"), seed)
        tick()
    return cells


@dataclass(frozen=True)
class Results:
    """Reliability by kind and choice, and of the refuters' cards by viewer and players too."""

    by_kind: Mapping[tuple[str, str], Reliability]
    by_players: Mapping[tuple[str, int, str], Reliability]


def run(count: int, seed: int, console: Console) -> Results:
    pooled = {(kind, choice): Cells() for kind in KINDS for choice in CHOICES}
    by_players: dict[tuple[str, int, str], Reliability] = {}
    with Progress(console=console, transient=True) as progress:
        steps = count * len(VIEWERS) * len(PLAYERS) * len(CHOICES)
        bar = progress.add_task("simulated games of Clue", total=steps)

        def tick() -> None:
            progress.advance(bar)

        for viewer in VIEWERS:
            for players in PLAYERS:
                for choice in CHOICES:
                    found = judge(players, choice, count, seed, viewer=viewer, tick=tick)
                    by_players[viewer, players, choice] = found[REFUTER].reliability()
                    for kind, cells in found.items():
                        pooled[kind, choice] += cells
    return Results({key: cells.reliability() for key, cells in pooled.items()}, by_players)


COLUMNS = ("choice", "open cells", "games", "off by", "mean said", "mean true", "z", "p", "bits")


def line(choice: str, curve: Reliability) -> list[str]:
    """One curve as a line of a table."""
    count = sum(entry.count for entry in curve.bins)
    said = sum(entry.count * entry.predicted for entry in curve.bins) / count
    true = sum(entry.count * entry.happened for entry in curve.bins) / count
    p = "-"
    if curve.p_value is not None:
        p = "< 1e-15" if curve.p_value < 1e-15 else f"{curve.p_value:.2g}"
    return [
        choice,
        f"{count:,}",
        f"{curve.games:,}",
        f"{100.0 * curve.expected_error:.1f} %",
        f"{100.0 * said:.1f} %",
        f"{100.0 * true:.1f} %",
        "-" if curve.z is None else f"{curve.z:.1f}",
        p,
        f"{curve.log_score_bits:.4f}",
    ]


def tables(results: Results) -> list[tuple[str, list[str], list[list[str]]]]:
    """Title, head and lines of every table."""
    return [
        (
            "All games together",
            ["what is asked", *COLUMNS],
            [[kind, *line(choice, curve)] for (kind, choice), curve in results.by_kind.items()],
        ),
        (
            f"By viewer and players: {REFUTER}",
            ["viewer", "players", *COLUMNS],
            [
                [viewer, str(players), *line(choice, curve)]
                for (viewer, players, choice), curve in results.by_players.items()
            ],
        ),
    ]


def written(results: Results, count: int, seed: int) -> str:
    """The results as a page of the documentation."""
    lines = [
        "# Clue: is what is given 30 % true 30 % of the time?",
        "",
        f"Written by sleuth {version()} on {datetime.date.today().isoformat()}:",
        "",
        "```bash",
        f"python -m benchmarks.clue.calibration --games {count} --seed {seed} --write",
        "```",
        "",
        "Simulated games of 3 to 6 players in which refuters choose at random which card they "
        f"show, each judged once after {MOMENTS[0]} to {MOMENTS[1]} suggestions, as a player sees "
        "it or as the reader of a public notebook who sees every card that is shown. `random` "
        "weighs the refuter's choice, `ignored` counts deals.",
        "",
        f"![Reliability curves](../pictures/{PICTURE.name})",
        "",
        "The curves ask: a refuter has shown one of the three cards; do they also hold another "
        "one? Plain counting says so too often. Over all cards and holders its errors nearly "
        "cancel, and only its score (bits, smaller is better) shows them.",
        "",
        "*off by*: mean distance of the curve from the diagonal. *z*: score statistic of the "
        "recalibration slope against 1. *p*: probability of a curve at least as far off if the "
        "posterior is calibrated, from worlds drawn from the posteriors game by game, since the "
        "cards of one game depend on each other. *bits*: mean of -log2 of what was given to the "
        "truth.",
        "",
    ]
    for title, head, body in tables(results):
        lines += [f"## {title}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        lines += ["| " + " | ".join(row) + " |" for row in body]
        lines.append("")
    return in_front("\n".join(lines), "clue_calibration")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000, help="games of each kind")
    parser.add_argument("--seed", type=int, default=2013)
    parser.add_argument("--write", action="store_true", help="write page and picture into docs")
    chosen = parser.parse_args(arguments)
    if chosen.games < 1:
        parser.error("at least one game")
    results = run(chosen.games, chosen.seed, Console(stderr=True))
    console = Console(width=None if sys.stdout.isatty() else 140)
    for title, head, body in tables(results):
        table = Table(*head, title=title, title_justify="left")
        for row in body:
            table.add_row(*row)
        console.print(table)
    if chosen.write:
        for path in (PICTURE, RESULTS):
            path.parent.mkdir(parents=True, exist_ok=True)
        curves = {choice: results.by_kind[REFUTER, choice] for choice in CHOICES}
        plot_reliability(curves, PICTURE)
        RESULTS.write_text(written(results, chosen.games, chosen.seed), encoding="utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
