"""Games that are written out, solved by OpenSpiel in compiled code: its numbers are ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Game, SleuthError, exploitability, game
from sleuth.adapters import WrittenTree, openspiel_tree
from sleuth.equilibria import GameTree, equilibrium

pyspiel: Any = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.usefixtures("plain_python")

SMALL = {
    "kuhn_poker": lambda: game("kuhn_poker"),
    "leduc_poker": lambda: game("leduc_poker"),
    "goofspiel": lambda: game("goofspiel", cards=3),
}


@pytest.fixture(scope="module", params=SMALL)
def written(request: pytest.FixtureRequest) -> WrittenTree:
    return WrittenTree(GameTree(SMALL[request.param]()))


def test_exploitability_is_that_of_openspiel(written: WrittenTree) -> None:
    theirs, tree = openspiel_tree(written), written.tree
    policies = [
        tree.uniform_policy(),
        tree.policy(lambda known: np.arange(1, len(known.actions) + 1)),
        tree.policy(lambda known: np.eye(len(known.actions))[known.index % len(known.actions)]),
    ]
    for policy in policies:
        expected = pyspiel.exploitability(theirs, written.theirs(policy))
        assert exploitability(tree, policy).exploitability == pytest.approx(expected, abs=1e-12)


def test_what_they_solve_is_as_near_an_equilibrium_by_our_measure(written: WrittenTree) -> None:
    theirs, tree = openspiel_tree(written), written.tree
    solver = pyspiel.CFRPlusSolver(theirs)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.tabular_average_policy().policy_table()
    found = exploitability(tree, written.ours(policy))
    assert found.exploitability == pytest.approx(pyspiel.exploitability(theirs, policy), abs=1e-12)
    ours = equilibrium(tree, iterations=60)
    value = exploitability(tree, ours).values[0]
    near = found.exploitability + pyspiel.exploitability(theirs, written.theirs(ours))
    assert found.values[0] == pytest.approx(value, abs=2 * near + 1e-9)


def test_known_values_come_out() -> None:
    kuhn = WrittenTree(GameTree("kuhn_poker"))
    solver = pyspiel.CFRPlusSolver(openspiel_tree(kuhn))
    for _ in range(2_000):
        solver.evaluate_and_update_policy()
    found = kuhn.tree.values(kuhn.ours(solver.tabular_average_policy().policy_table()))
    assert found[0] == pytest.approx(-1 / 18, abs=1e-4)
    leduc = openspiel_tree("leduc_poker")
    # They know Leduc by suits: the same game by ranks is as exploitable.
    uniform = pyspiel.UniformRandomPolicy(leduc)
    theirs = pyspiel.load_game("leduc_poker")
    expected = pyspiel.exploitability(theirs, pyspiel.UniformRandomPolicy(theirs))
    assert pyspiel.exploitability(leduc, uniform) == pytest.approx(expected, abs=1e-12)
    assert 2 * expected == pytest.approx(4.747, abs=1e-3)


def test_the_text_has_numbers_and_names_of_the_game(tmp_path: Path) -> None:
    written = WrittenTree(GameTree("kuhn_poker"))
    written.save(tmp_path / "kuhn.efg")
    lines = (tmp_path / "kuhn.efg").read_text("utf-8").splitlines()
    assert lines[1].count('"deal ') == 6
    assert lines[2] == 'p "" 1 1 "0" { "pass" "bet" } 0'
    assert sum(line.startswith("t ") for line in lines) == 30


def test_actions_of_one_name_stay_apart() -> None:
    kuhn = game("kuhn_poker")
    fields = {name: getattr(kuhn, name) for name in kuhn.__dataclass_fields__}
    mine = Game(**{**fields, "action_name": lambda code: 'say "x"'})
    written = WrittenTree(GameTree(mine, belief=None, rows=[[0, 1, 2], [1, 0, 2], [2, 0, 1]]))
    assert """{ "say 'x'" "say 'x' (1)" }""" in written.text
    assert openspiel_tree(written).num_distinct_actions() == 2


def test_a_policy_that_says_too_little_is_refused() -> None:
    written = WrittenTree(GameTree("kuhn_poker"))
    with pytest.raises(SleuthError, match="says nothing about an information set"):
        written.ours({})
