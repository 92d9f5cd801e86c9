"""Broken files of results are gone on with, or refused with one clean error that says where.

``SLEUTH_FUZZ`` says how many (200 if unset, fewer of what takes longer), ``SLEUTH_FUZZ_SEED``
where the generator starts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np

from sleuth import SleuthError, play_match
from sleuth.agents import parse_agent
from sleuth.data.disk.holding import hold
from sleuth.equilibria import GameTree, tabulate
from sleuth.games.small import kuhn_poker
from sleuth.matches import tune

from ...data.disk.broken_lines import broken_lines

FILES = int(os.environ.get("SLEUTH_FUZZ", "200"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
KUHN = kuhn_poker()


def gone_on(path: Path, whole: bytes, count: int, stream: int, go_on: Callable[[], None]) -> None:
    """Go on from a file that is broken so many times, each time in other ways."""
    rng = np.random.default_rng([SEED, stream])
    went = refused = 0
    for _ in range(count):
        path.write_bytes(broken_lines(whole, rng))
        try:
            go_on()
        except SleuthError as error:
            said = str(error)
            said.encode()  # the message can be printed
            assert path.parent.name in said
            refused += 1
        else:
            went += 1
        hold(path).close()  # nobody has the file any more
    assert went > count // 20
    assert refused > count // 20


def test_a_broken_file_of_a_match(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def go_on() -> None:
        found = play_match(KUHN, ["random", "random"], games=6, seed=3, out=path)
        json.dumps(found.to_json(), allow_nan=False)
        assert [(one.number, one.seed, one.seats) for one in found.games] == planned
        for one in found.games:
            assert all(-2.0 <= value <= 2.0 for value in one.returns)
            assert len(one.actions) <= KUHN.max_depth
            assert set(one.actions) <= set(range(KUHN.action_space))

    whole = play_match(KUHN, ["random", "random"], games=6, seed=3, out=path)
    planned = [(one.number, one.seed, one.seats) for one in whole.games]
    gone_on(path, path.read_bytes(), FILES, 1, go_on)


def test_a_broken_file_of_a_series_of_two_teams(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"

    def go_on() -> None:
        play_match("clue_table", ["random"] * 3, games=4, series=2, out=path)

    go_on()
    gone_on(path, path.read_bytes(), FILES // 10, 2, go_on)


def test_a_broken_file_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    tree = GameTree(KUHN, rows=list(permutations(range(3))))
    agent = parse_agent("mcts:simulations=5")

    def go_on() -> None:
        found = tabulate(tree, agent, out=path)
        for policy in found.policies.values():
            tree.values(policy)

    go_on()
    gone_on(path, path.read_bytes(), FILES // 4, 3, go_on)


def test_a_broken_file_of_a_tournament(tmp_path: Path) -> None:
    folder = tmp_path / "tournament"
    candidates = [parse_agent(f"mcts:simulations=2,exploration={each}") for each in (0.5, 1.0)]

    def go_on() -> None:
        found = tune(KUHN, candidates, games=4, out=folder)
        json.dumps(found.to_json(), allow_nan=False)

    go_on()
    for stream, path in enumerate(sorted(folder.iterdir()), start=4):
        whole = path.read_bytes()
        gone_on(path, whole, FILES // 10, stream, go_on)
        path.write_bytes(whole)
