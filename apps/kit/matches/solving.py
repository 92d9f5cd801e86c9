"""`sleuth solve`: a game learned from the deal on, and how far from an equilibrium that is."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....data.checks import known_name
from ....data.errors import CostError, SettingsError, UnsupportedError
from ....data.version import version
from ....models.game import Game
from ....models.play import Play
from ....planners.search.budget import Budget
from ....planners.small_games.exploitability import GameTree, exploitability
from ....planners.small_games.writing import MOST_HISTORIES
from ....planners.sound.sampling import METHODS
from ....planners.sound.saving import kept_file
from ....planners.sound.whole_game import WholeGameSearch
from ..answers.forms import ExploitabilityForm, SolutionForm
from ..answers.values import Paragraph, Statements, right, sheet
from ..console import Tell
from ..writing import refuse_unwritable
from .asked import asked_game

#: Iterations when nothing is said of how long.
ITERATIONS: Final = 100_000
#: Iterations before the first file is written, and seconds between files.
_FIRST: Final = 2_048
_EVERY: Final = 30.0
#: Random games from which the number of histories is estimated.
_PLAYS: Final = 100
#: The words for each method.
CALLED: Final = {
    "external": "external-sampling MCCFR",
    "outcome": "outcome-sampling MCCFR",
    "smooth": "Smooth UCT",
    "uct": "UCT",
}
#: Said where nothing is proved of what comes out.
NO_GUARANTEE: Final = (
    "Only where two players play for one sum does this come to an equilibrium; here nothing is "
    "guaranteed."
)


def solve(
    *,
    game: str,
    method: str,
    simulations: float | None,
    seconds: float | None,
    nodes: int | None,
    workers: int,
    seed: int,
    measured: bool,
    out: Path | None,
    progress: Tell,
) -> SolutionForm:
    """Learns a game, or goes on with what stands in a file.

    Args:
        game: Its name and settings.
        method: See `Sampling`.
        simulations: Iterations in all, those in the file included.
        seconds: Wall-clock seconds from now on.
        nodes: Most information sets in memory.
        workers: Threads.
        seed: Of all draws.
        measured: Whether to work out how far from an equilibrium it is, where that can be done.
        out: The file, which is written anew twice a minute; None for none.
        progress: Told how many iterations were made.

    Raises:
        SettingsError: Something does not fit, or the file is of another run.
        RecordError: The file is of something else, or damaged.
    """
    known_name(method, METHODS, "method of sampling")
    chosen = asked_game(game)
    file = None if out is None else kept_file(out)
    if file is not None:
        refuse_unwritable(file, where="out")
    if simulations is None and seconds is None:
        simulations = ITERATIONS
    more = {} if nodes is None else {"nodes": nodes}
    budget = Budget(simulations=simulations, seconds=seconds, **more)  # pyright: ignore[reportArgumentType]
    if file is not None and file.exists():
        learning = _gone_on(WholeGameSearch.load(file, game=chosen), file, method, workers, seed)
    else:
        learning = WholeGameSearch(chosen, method=method, workers=workers, seed=seed)
    learning.warm()
    _learn(learning, budget, file, progress)
    found, unknown = None, ""
    if measured and not learning.interrupted:
        found, unknown = _measured(learning, progress)
    return SolutionForm(
        game=chosen.name,
        settings=dict(chosen.settings),
        method=method,
        simulations=learning.simulations,
        nodes=learning.nodes,
        seconds=learning.seconds,
        cpu_seconds=learning.cpu_seconds,
        workers=workers,
        seed=seed,
        interrupted=learning.interrupted,
        full=learning.full,
        guaranteed=chosen.players == 2 and chosen.sum_of_returns is not None,
        exploitability=found,
        unknown=unknown or None,
        file=None if file is None else str(file),
        version=version(),
    )


def _gone_on(
    learning: WholeGameSearch, file: Path, method: str, workers: int, seed: int
) -> WholeGameSearch:
    """Refuse a file of another run."""
    there = {
        "method": learning.sampling.method,
        "workers": learning.workers,
        "seed": learning.seed,
    }
    asked = {"method": method, "workers": workers, "seed": seed}
    for name, value in there.items():
        if value != asked[name]:
            raise SettingsError(
                f"this file is of a run with {name} {value}",
                where="out",
                value=str(file),
                hint=f"write --{name} {value} to go on with it, or name another file",
            )
    return learning


def _learn(learning: WholeGameSearch, budget: Budget, file: Path | None, progress: Tell) -> None:
    """Runs until the budget is used up, and writes the file now and then."""
    total, end = budget.simulations, None
    if budget.seconds is not None:
        end = time.perf_counter() + budget.seconds
    # Parts that all workers share evenly, so that a run is the same however it was cut.
    part = _FIRST * learning.workers
    while True:
        wanted = part if total is None else min(part, total - learning.simulations)
        left = None if end is None else end - time.perf_counter()
        if wanted < 1 or (left is not None and left <= 0.0):
            return
        began, before = time.perf_counter(), learning.simulations
        learning.run(
            Budget(simulations=wanted, seconds=left, nodes=budget.nodes),
            lambda what, done, _: progress(what, done, total or 0),
        )
        if file is not None:
            learning.save(file)
        if learning.interrupted:
            return
        made = learning.simulations - before
        speed = made / max(time.perf_counter() - began, 1e-6)
        part = learning.workers * max(1, int(min(4 * part, speed * _EVERY)) // learning.workers)


def _measured(learning: WholeGameSearch, progress: Tell) -> tuple[ExploitabilityForm | None, str]:
    """The distance of the policy from an equilibrium; or why that is not known."""
    game = learning.game
    estimated = _histories(game, learning.seed)
    if estimated > 4 * MOST_HISTORIES:
        return None, f"the game has too many histories to write out, about {estimated:.0e}"
    progress("writing the game out", 0, 0)
    try:
        tree = GameTree(game)
        found = exploitability(tree, learning.policy(tree))
    except (CostError, UnsupportedError, SettingsError) as error:
        return None, error.message
    return ExploitabilityForm(
        exploitability=found.exploitability,
        nash_conv=found.nash_conv,
        values=dict(zip(game.roles, found.values, strict=True)),
        responses=dict(zip(game.roles, found.responses, strict=True)),
    ), ""


def _histories(game: Game, seed: int) -> float:
    """An estimate of the histories that follow a start (Knuth 1975, "Estimating the efficiency of
    backtrack programs")."""
    rng, total = np.random.default_rng(seed), 0.0
    for number in range(_PLAYS):
        play, ways = Play.new(game, seed=number), 1.0
        while not play.over:
            legal = play.legal()
            ways *= len(legal)
            total += ways / _PLAYS
            play.apply(int(rng.choice(legal)))
    return total


def solution_summary(found: SolutionForm) -> Statements:
    """A game that was learned in words, and how far from an equilibrium the policy is."""
    speed = found.simulations / found.cpu_seconds if found.cpu_seconds > 0.0 else 0.0
    made = (
        f"{CALLED[found.method]}, {found.simulations:,} iterations in {found.seconds:.1f} s "
        f"({speed:,.0f} a second of the processor), {found.nodes:,} information sets, "
        f"seed {found.seed}"
    )
    notes: list[str] = []
    if found.full:
        notes.append("The memory is full: what came later was not kept.")
    if found.interrupted:
        goes_on = "the same command goes on" if found.file else "with --out FILE it could go on"
        notes.append(f"It was stopped early; {goes_on}.")
    if not found.guaranteed:
        notes.append(NO_GUARANTEE)
    if found.unknown:
        notes.append(f"How far from an equilibrium it is, is not known: {found.unknown}.")
    said: list[Any] = [Paragraph(found.game, "strong"), Paragraph(made, blank="below")]
    measured = found.exploitability
    if measured is not None:
        rows = [
            (role, f"{value:+.4f}", f"{measured.responses[role]:+.4f}")
            for role, value in measured.values.items()
        ]
        said.append(sheet("", right("keeps to it"), right("best response"), rows=rows))
        notes.insert(
            0,
            f"A best response wins {measured.exploitability:.4f} a game "
            f"(NashConv {measured.nash_conv:.4f}).",
        )
    if notes:
        said.append(Paragraph("\n".join(notes), blank="above" if measured else ""))
    return tuple(said)
