"""Counterfactual regret minimisation goes where that of OpenSpiel goes."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth import exploitability
from sleuth.adapters import WrittenTree, openspiel_tree
from sleuth.equilibria import equilibrium
from sleuth.errors import SettingsError

from ..known_games import kuhn_tree, leduc_tree


def test_cfr_plus_is_that_of_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    written = WrittenTree(leduc_tree())
    solver = pyspiel.CFRPlusSolver(openspiel_tree(written))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    theirs = written.ours(solver.tabular_average_policy().policy_table())
    ours = equilibrium(leduc_tree(), iterations=10)
    assert exploitability(leduc_tree(), ours).exploitability == pytest.approx(
        exploitability(leduc_tree(), theirs).exploitability, abs=1e-9
    )


@pytest.mark.parametrize("method", ["discounted", "linear"])
def test_discounted_cfr_is_that_of_open_spiel(method: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    module: Any = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
    algorithms: Any = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game("kuhn_poker")
    solver = {"discounted": module.DCFRSolver, "linear": module.LCFRSolver}[method](game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    theirs = algorithms.exploitability(game, solver.average_policy())
    ours = equilibrium(kuhn_tree(), iterations=100, method=method)
    assert exploitability(kuhn_tree(), ours).exploitability == pytest.approx(theirs, abs=1e-9)


def test_regrets_go_where_they_went_before_they_were_compiled() -> None:
    # By the NumPy code that did this before.
    for tree, expected in ((kuhn_tree(), 0.001194404101111577), (leduc_tree(), 0.01341599497)):
        found = exploitability(tree, equilibrium(tree, iterations=100))
        assert found.exploitability == pytest.approx(expected, abs=1e-9)


def test_a_method_has_a_name() -> None:
    with pytest.raises(SettingsError, match="no such method"):
        equilibrium(kuhn_tree(), iterations=1, method="cfr")
