"""Inference methods side by side on one moment of a game of Scotland Yard."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...beliefs.judging.compare import Comparison, MethodResult, compare, divergence_bits
from ...beliefs.posterior import Posterior
from ..kit.console import Tell
from ..kit.records.comparing import moment_of
from .analysis import shares
from .recorded import Hunted

UNIFORM_LIST: Final = "uniform_list"
#: The paper's list of possible stations, each equally likely or weighed by Location Categorization,
#: as likelihoods of the belief: no engines, so they run here.
LISTS: Final = {UNIFORM_LIST: "uniform", "category_list": "categories"}
#: What is compared if nothing is named: engines that can follow a walk, and the list.
METHODS: Final = (
    "forward_filter",
    "enumeration",
    "particles",
    *LISTS,
)


def compare_hunt(
    hunted: Hunted,
    *,
    event: int | None,
    methods: Sequence[str],
    samples: int,
    seed: int,
    curves: bool,
    progress: Tell,
) -> Comparison:
    """Methods on what everybody had seen after one event.

    Args:
        hunted: The game as a viewer saw it.
        event: The number of the event; None for the last one at which it was most open where
            Mr. X was.
        methods: Engines, and `LISTS`.
        samples, seed: Of sampling methods.
        curves: Whether to run sampling methods with other numbers of samples too.
        progress: Told which method runs.

    Raises:
        SettingsError: There is no such event.
    """
    moments = enumerate(posterior for _, posterior in hunted.moments())
    chosen, posterior = moment_of(
        ((number, float(np.count_nonzero(shares(known))), known) for number, known in moments),
        event,
    )
    engines = [name for name in methods if name not in LISTS]
    (walk,) = posterior.model.walks
    about: Any = walk
    result = compare(
        posterior.model,
        posterior.history,
        methods=engines,
        about=about.at(),
        about_name=f"where Mr. X is after event {chosen}",
        samples=samples,
        seed=seed,
        curves=curves,
        progress=progress,
    )
    found = {each.name: each for each in result.results}
    for name in methods:
        if name in LISTS:
            found[name] = _listed(name, hunted, chosen, posterior)
    return replace(result, results=tuple(found[name] for name in methods))


def _listed(name: str, hunted: Hunted, event: int, posterior: Posterior) -> MethodResult:
    """A list against the exact answer."""
    exact = shares(posterior)
    belief = ScotlandYardBelief(LISTS[name])
    seen = hunted.seen.until(event)
    belief.posterior(seen)  # what is compiled at first use does not count
    start = time.perf_counter()
    other = shares(ScotlandYardBelief(LISTS[name]).posterior(seen))
    seconds = time.perf_counter() - start
    return MethodResult(
        name=name,
        exact=False,
        kl_bits=divergence_bits(exact, other),
        tv=0.5 * float(np.abs(exact - other).sum()),
        max_marginal_error=float(np.abs(exact - other).max()),
        seconds=seconds,
    )
