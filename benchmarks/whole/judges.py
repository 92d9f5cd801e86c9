"""The tests of other libraries, as they come with them, on every game and on one of your own.

    python -m benchmarks.whole.judges [--games kuhn_poker,FILE.py:GAME] [--json]

PettingZoo's ``api_test`` (1,000 cycles), ``seed_test``, ``parallel_api_test`` (100) and
``parallel_seed_test``, Gymnasium's ``check_env``, OpenSpiel's ``random_sim_test``, its tests of the
interface on a part of the tree, and a playthrough that is written down and replayed. Environments
have beliefs wherever something is hidden. Seconds of a processor, with kernels that were compiled
before; a test that does not pass ends the script.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
import unittest
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import sleuth
from sleuth.adapters import aec_env, gymnasium_env, openspiel_game, parallel_env

OWN = "examples/your_own_game.py:GAME"
#: The tests of each library, by what they are called here.
LIBRARIES = {
    "pettingzoo": ("api_test", "seed_test", "parallel_api_test", "parallel_seed_test"),
    "gymnasium": ("check_env",),
    "open_spiel": ("random_sim_test", "partial tree", "playthrough"),
}
#: Deals that are drawn beforehand, so that a playthrough can be replayed.
DRAWN = 20


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Their tests say a lot, from compiled code as well."""
    sys.stdout.flush()
    sys.stderr.flush()
    before = {place: os.dup(place) for place in (1, 2)}
    with open(os.devnull, "w", encoding="utf-8") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place in before:
            os.dup2(nowhere.fileno(), place)
        try:
            yield
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for place, kept in before.items():
                os.dup2(kept, place)
                os.close(kept)


def part_of_the_tree(made: Any) -> None:
    """OpenSpiel's tests of the interface."""
    api: Any = import_module("open_spiel.integration_tests.api_test")
    parts = {"game": made, "game_name": made.get_type().short_name}
    case = type("Part", (api.EnforceAPIOnPartialTreeBase,), parts)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    faults = [*result.failures, *result.errors]
    if faults or not result.testsRun:
        raise AssertionError(faults or "no test was run")


def played_again(made: Any) -> None:
    """A playthrough that OpenSpiel writes down, and replays the same."""
    flags: Any = import_module("absl.flags")
    flags.FLAGS(["openspiel"])
    written: Any = import_module("open_spiel.python.algorithms.generate_playthrough")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "written.txt")
        path.write_text(written.playthrough(str(made), action_sequence=[], seed=1), "utf-8")
        before, again = written.replay(str(path))
    if before != again:
        raise AssertionError("it is replayed otherwise")


def judges(name: str) -> dict[str, Callable[[], object]]:
    """Each test with its game, by its name."""
    belief = sleuth.game(name).hides
    petting: Any = import_module("pettingzoo.test")
    seeding: Any = import_module("pettingzoo.test.seed_test")
    checker: Any = import_module("gymnasium.utils.env_checker")
    pyspiel: Any = import_module("pyspiel")
    turns = partial(aec_env, name, belief=belief)
    steps = partial(parallel_env, name, belief=belief)
    seat = partial(gymnasium_env, name, seat=None, belief=belief, render_mode="ansi")
    made, drawn = openspiel_game(name), openspiel_game(name, drawn=DRAWN)
    sampled = pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    writes = made.get_type().chance_mode != sampled
    simulate = partial(pyspiel.random_sim_test, num_sims=1, verbose=False)
    return {
        "api_test": lambda: petting.api_test(turns(), num_cycles=1_000),
        "seed_test": lambda: petting.seed_test(turns, num_cycles=20),
        "parallel_api_test": lambda: petting.parallel_api_test(steps(), num_cycles=100),
        "parallel_seed_test": lambda: seeding.parallel_seed_test(steps),
        "check_env": lambda: checker.check_env(seat()),
        "random_sim_test": lambda: simulate(made, serialize=writes),
        "partial tree": lambda: part_of_the_tree(made),
        "playthrough": lambda: played_again(drawn),
    }


def seconds(name: str) -> dict[str, float]:
    """The seconds of each test; a game is played before, so that kernels are there."""
    found: dict[str, float] = {}
    with quiet():
        tests = judges(name)
        tests["seed_test"]()
        for each, run in tests.items():
            start = time.process_time()
            run()
            found[each] = time.process_time() - start
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Other libraries' tests of our games.")
    parser.add_argument("--games", default=",".join([*sleuth.games.names(), OWN]))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    logger: Any = import_module("gymnasium").logger
    logger.min_level = logger.ERROR
    found = {name: seconds(name) for name in given.games.split(",")}
    versions = {name: metadata.version(name) for name in LIBRARIES}
    if given.json:
        print(json.dumps({"versions": versions, "seconds": found}, indent=2))
        return
    columns = (f"{name} {version}" for name, version in versions.items())
    print(f"| seconds of a processor | {' | '.join(columns)} |\n|---|---|---|---|")
    for name, row in found.items():
        called = "a game of one's own" if ":" in name else name
        sums = (sum(row[each] for each in tests) for tests in LIBRARIES.values())
        print(f"| {called} | {' | '.join(f'{each:.2f}' for each in sums)} |")


if __name__ == "__main__":
    main()
