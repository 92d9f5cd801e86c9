"""Responders that are trained against an agent win from it, and never more than the best one."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import pytest

from sleuth import OwnAgent, Play, check_agent, game
from sleuth.agents import RandomAgent, parse_agent
from sleuth.equilibria import GameTree, tabulate


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.search.trained_responder")


@pytest.mark.parametrize("name", ["mini_random", "mini_predicted"])
def test_no_trained_responder_wins_more_than_the_best(benchmark: ModuleType, name: str) -> None:
    found = benchmark.CASES[name](True, 200, 1)
    bound = found.bound
    assert bound.low > 0.2
    for won, error, most in zip(bound.values, bound.errors, found.exact, strict=True):
        assert won - error <= most
    assert f"{bound.value:+.3f}" in found.line
    assert found.to_json()["seats"]["first"]["games"] == 100


def test_a_table_learns_the_best_response_to_coins(benchmark: ModuleType) -> None:
    tree = GameTree("kuhn_poker")
    coins = tree.uniform_policy()
    maker = parse_agent("random").prepare(tree.game)
    table = benchmark.TabularResponder(tree.game, maker, 1).learn(1_500)
    answer = tabulate(tree, OwnAgent("table", lambda _: lambda _: table)).choice
    for seat, most in enumerate(benchmark.best(tree, coins)):
        won = tree.values([answer if each == seat else coins for each in range(2)])[seat]
        assert most - 0.05 < won <= most + 1e-9


def test_the_rival_of_cheat_is_drawn_by_what_they_see(benchmark: ModuleType) -> None:
    rules = benchmark.predicted(game("cheat", ranks=5, suits=2, hand=3, rounds=20))
    assert check_agent(rules, benchmark.KernelAgent(rules, 1, "people"), plays=2) > 0
    # Nothing is broken off: the game goes on to where its rules end it.
    ends = set[int]()
    for seed in range(20):
        play = Play.new(rules, seed=seed)
        agent = benchmark.KernelAgent(rules, seed, "people")
        while not play.over:
            play.apply(agent.decide(play.view(play.player), play.seen_by(play.player)))
        ends.add(len(play.actions))
    assert max(ends) > 12


def test_cases_run_by_the_command_line(
    benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["trained_responder", "--quick", "--games", "4", "--case", "leduc"]
    monkeypatch.setattr(sys, "argv", words)
    benchmark.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert {line.count("|") for line in lines} == {8}
    assert "Leduc poker" in lines[-1]


def test_what_the_search_of_cheat_tells_apart_has_the_same_actions(benchmark: ModuleType) -> None:
    """Else it would take actions that are not there."""
    rules, found = game("cheat"), dict[int, list[int]]()
    met = 0
    for seed in range(30):
        play, agent = Play.new(rules, seed=seed), RandomAgent(seed=seed)
        while not play.over:
            view, legal = play.view(play.player), play.legal().tolist()
            key = benchmark.acting_key(view.states[0], view.viewer, rules.tables)
            met += key in found
            assert found.setdefault(key, legal) == legal
            play.apply(agent.decide(view, play.seen_by(play.player)))
    assert met > 0
