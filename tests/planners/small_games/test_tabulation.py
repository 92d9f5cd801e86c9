"""What an agent does at every information set, written down: whole, resumable, and its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Game, OwnAgent, exploitability
from sleuth.agents import parse_agent
from sleuth.equilibria import GameTree, tabulate
from sleuth.errors import RecordError, SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.planners.small_games.tabulation import CHOICE, MIXED, VISITS

TREE = GameTree(kuhn_poker(), rows=list(permutations(range(3))))
BET = 1


class Bold:
    """Bets and calls."""

    name = "bold"

    def __init__(self, asked: list[int] | None = None) -> None:
        self.asked = asked

    def decide(self, view: Any, seen: Any) -> int:
        if self.asked is not None:
            self.asked.append(len(seen.events))
        return BET


def bold(asked: list[int] | None = None) -> OwnAgent:
    def make(game: Game) -> Any:
        return lambda seed: Bold(asked)

    return OwnAgent("bold", make)


def test_an_agent_that_always_bets_is_that_policy() -> None:
    found = tabulate(TREE, bold())
    assert found.visits is None
    assert list(found.policies) == [CHOICE]
    always = TREE.policy(lambda known: [0, 1])
    assert exploitability(TREE, found.choice) == exploitability(TREE, always)


def test_a_search_has_two_policies_and_plays_better_than_coins() -> None:
    found = tabulate(TREE, parse_agent("players:simulations=2000"), seed=2)
    assert list(found.policies) == [VISITS, CHOICE]
    coins = exploitability(TREE, TREE.uniform_policy()).exploitability
    for policy in found.policies.values():
        assert exploitability(TREE, policy).exploitability < coins / 2
    for index, shares in found.choice.items():
        assert np.count_nonzero(shares) == 1
        assert found.policies[VISITS][index].sum() == pytest.approx(1)


class Mixing:
    """Searches, and draws from a policy of its own: bets in a third of the games."""

    name = "mixing"

    def __init__(self, seed: int, shares: dict[int, float]) -> None:
        self.search = parse_agent("mcts:simulations=20").prepare(TREE.game)(seed)
        self.shares = shares

    def decide(self, view: Any, seen: Any) -> int:
        return self.decision(view, seen).action

    def decision(self, view: Any, seen: Any) -> Any:
        searched: Any = self.search
        return replace(searched.decision(view, seen), policy=self.shares)


def mixing(shares: dict[int, float]) -> OwnAgent:
    return OwnAgent("mixing", lambda game: lambda seed: Mixing(seed, shares))


def test_a_policy_that_is_drawn_from_is_written_down(tmp_path: Path) -> None:
    shares = {0: 2 / 3, BET: 1 / 3}
    path = tmp_path / "table"
    found = tabulate(TREE, mixing(shares), out=path)
    assert list(found.policies) == [MIXED, VISITS, CHOICE]
    third = TREE.policy(lambda known: [2, 1])
    assert found.mixed is not None
    assert exploitability(TREE, found.mixed) == exploitability(TREE, third)
    again = tabulate(TREE, mixing(shares), out=path)
    assert again.mixed is not None
    assert all(np.array_equal(again.mixed[index], found.mixed[index]) for index in found.mixed)
    header, first, *rest = path.read_text().splitlines()
    entry = json.loads(first) | {"policy": [0.5, 0.6]}
    path.write_text("\n".join([header, json.dumps(entry), *rest]) + "\n")
    with unchanged(path), pytest.raises(RecordError, match="add up to 1"):
        tabulate(TREE, mixing(shares), out=path)
    with pytest.raises(SettingsError, match="probability to each action"):
        tabulate(TREE, mixing({0: 0.5}))


def test_an_interrupted_table_goes_on_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    agent = parse_agent("mcts:simulations=40")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    expected = tabulate(TREE, agent, seed=5, out=whole)

    def stop(what: str, done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tabulate(TREE, agent, seed=5, out=cut, progress=stop)
    with cut.open("ab") as stream:
        stream.write(b'{"set": 5, "acti')  # what a power cut leaves
    told: list[int] = []
    found = tabulate(TREE, agent, seed=5, out=cut, progress=lambda _, done, __: told.append(done))
    assert told[0] == 6
    assert told[-1] == len(TREE.information_sets)
    assert cut.read_bytes() == whole.read_bytes()
    for policy, other in zip(found.policies.values(), expected.policies.values(), strict=True):
        assert all(np.array_equal(policy[index], other[index]) for index in policy)


def test_a_finished_table_asks_nobody(tmp_path: Path) -> None:
    asked: list[int] = []
    tabulate(TREE, bold(asked), out=tmp_path / "table")
    count = len(asked)
    tabulate(TREE, bold(asked), out=tmp_path / "table")
    assert count == len(asked) == len(TREE.information_sets)


@contextmanager
def unchanged(path: Path) -> Iterator[None]:
    before = path.read_bytes()
    yield
    assert path.read_bytes() == before


def test_a_table_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table"
    tabulate(TREE, bold(), out=path)
    with unchanged(path), pytest.raises(SettingsError, match="another table"):
        tabulate(TREE, bold(), seed=1, out=path)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], json.dumps({"set": 0}), *lines[4:]]) + "\n")
    with unchanged(path), pytest.raises(RecordError, match="line 4"):
        tabulate(TREE, bold(), out=path)


def test_an_illegal_answer_is_refused() -> None:
    wrong = OwnAgent("wrong", lambda game: lambda seed: Wrong())
    with pytest.raises(SettingsError, match="took an illegal action"):
        tabulate(TREE, wrong)


class Wrong(Bold):
    def decide(self, view: Any, seen: Any) -> int:
        return 7
