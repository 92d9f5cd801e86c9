"""Restricted responses lie between an equilibrium and a best response, and nothing lies beyond."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

from sleuth import exploitability
from sleuth.equilibria import restricted_response, tradeoffs
from sleuth.errors import SettingsError
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.small_games.restricted import Tradeoff, mean_policy, winnings

from ..known_games import kuhn_equilibrium, kuhn_tree

SHARES = (0.0, 0.25, 0.5, 0.7, 0.8, 0.9, 1.0)


def model() -> Policy:
    """Somebody who calls and bets too often, but not blindly."""
    return kuhn_tree().policy(lambda known: [0.3, 0.7] if known.depth else [0.6, 0.4])


@cache
def curve() -> tuple[Tradeoff, ...]:
    return tradeoffs(kuhn_tree(), model(), shares=SHARES, iterations=250)


def best_responses() -> tuple[float, float]:
    first, second = (kuhn_tree().best_response(model(), player).value for player in range(2))
    return first, second


def test_where_nobody_keeps_to_the_model_it_is_an_equilibrium() -> None:
    safe = curve()[0]
    found = exploitability(kuhn_tree(), safe.policy)
    assert found.values == pytest.approx((-1 / 18, 1 / 18), abs=2e-3)
    assert 0 <= safe.exploitability < 2e-3


def test_where_they_always_do_it_is_the_best_response() -> None:
    assert curve()[-1].winnings == pytest.approx(best_responses(), abs=1e-3)


def test_the_more_it_trusts_the_model_the_more_it_wins_and_the_more_it_risks() -> None:
    won = [each.won for each in curve()]
    risked = [each.exploitability for each in curve()]
    assert won[-1] - won[0] > 0.05
    assert all(np.diff(won) > -1e-3)
    assert all(np.diff(risked) > -1e-3)


def test_a_share_is_what_a_gain_costs() -> None:
    # No policy has more of share * won - (1 - share) * exploitability than the response to that
    # share: so the curve is convex, and its slope there is share / (1 - share).
    others = [kuhn_tree().policy(kuhn_equilibrium(alpha)) for alpha in (0.0, 1 / 3)]
    points = [(each.won, each.exploitability) for each in curve()]
    points += [
        (
            sum(winnings(kuhn_tree(), other, model())) / 2,
            exploitability(kuhn_tree(), other).exploitability,
        )
        for other in (*others, kuhn_tree().uniform_policy(), model())
    ]
    for each in curve():
        worth = [each.share * won - (1 - each.share) * risked for won, risked in points]
        mine = each.share * each.won - (1 - each.share) * each.exploitability
        assert mine == pytest.approx(max(worth), abs=2e-3)


def test_it_is_what_a_linear_program_finds() -> None:
    # An independent oracle: the first player's plan in the sequence form (Koller, Megiddo and von
    # Stengel 1996), against the model and against each of the second player's 64 pure policies.
    tree, share = kuhn_tree(), 0.7
    sets = [known.index for known in tree.information_sets if known.player == 0]
    place = {(index, action): 2 * at + action for at, index in enumerate(sets) for action in (0, 1)}
    last: dict[int, tuple[int, int] | None] = {start: None for start, _ in tree.starts}
    for number in range(len(tree.histories) - 1, -1, -1):
        history = tree.histories[number]
        for action, after in enumerate(history.after):
            own = history.player == 0
            last[after] = (history.information_set, action) if own else last[number]

    def payoff(policy: Policy) -> NDArray[np.float64]:
        found = np.zeros(len(place) + 1)  # and what the worst of them leaves
        for number, reach in enumerate(tree.reach(policy, 0)):
            values, sequence = tree.histories[number].values, last[number]
            if values is not None and sequence is not None:
                found[place[sequence]] += reach * values[0]
        return found

    theirs = [known.index for known in tree.information_sets if known.player == 1]
    worst = []
    for bets in product((0, 1), repeat=len(theirs)):
        pure = dict(zip(theirs, bets, strict=True))
        policy = tree.policy(lambda known, pure=pure: np.eye(2)[pure.get(known.index, 0)])
        worst.append(-payoff(policy))
        worst[-1][-1] = 1.0
    flow, total = np.zeros((len(sets), len(place) + 1)), np.zeros(len(sets))
    for row, index in enumerate(sets):
        at = next(n for n, each in enumerate(tree.histories) if each.information_set == index)
        flow[row, [place[index, 0], place[index, 1]]] = 1.0
        before = last[at]
        if before is None:
            total[row] = 1.0
        else:
            flow[row, place[before]] = -1.0
    wanted = share * payoff(model())
    wanted[-1] = 1.0 - share
    bounds = [(0.0, 1.0)] * len(place) + [(None, None)]
    best: Any = linprog(-wanted, np.array(worst), np.zeros(len(worst)), flow, total, bounds)

    found = restricted_response(tree, model(), share=share, iterations=400)
    kept, free = winnings(tree, found, model())[0], -tree.best_response(found, 1).value
    assert share * kept + (1 - share) * free == pytest.approx(-best.fun, abs=2e-3)


def test_mixing_policies_wins_what_they_win_on_average() -> None:
    tree = kuhn_tree()
    rng = np.random.default_rng(3)
    policies = [tree.policy(lambda known: rng.random(2) ** 4) for _ in range(4)]
    mixed = mean_policy(tree, policies)
    each = np.mean([winnings(tree, policy, model()) for policy in policies], axis=0)
    assert winnings(tree, mixed, model()) == pytest.approx(tuple(each), abs=1e-12)
    # Averaging what they do at each information set is another thing.
    plain = tree.policy(lambda known: np.mean([each[known.index] for each in policies], axis=0))
    assert winnings(tree, plain, model()) != pytest.approx(tuple(each), abs=1e-4)


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_is_from_0_to_1(share: float) -> None:
    with pytest.raises(SettingsError, match="from 0 to 1"):
        restricted_response(kuhn_tree(), model(), share=share, iterations=1)
