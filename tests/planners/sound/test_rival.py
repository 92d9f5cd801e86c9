"""An online search that answers a rival: lines of the rival's are led through what was seen."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sleuth import Budget, exploitability
from sleuth.equilibria import GameTree, OnlineSearch, Sampling, restricted_response
from sleuth.kit import Histories, any_action
from sleuth.planners.small_games.restricted import winnings

TREE = GameTree("kuhn_poker")


def halves(found: Histories, viewer: int) -> NDArray[np.float64]:
    """A rival takes one of two actions each time; the first player makes the first one."""
    theirs = sum(ply % 2 != viewer for ply in range(found.actions.shape[1]))
    return np.full(len(found.starts), 0.5**theirs)


def asked(share: float, targeted: float, simulations: int) -> dict[int, NDArray[np.float64]]:
    """The policy of a search that is asked at every information set alone."""
    found: dict[int, NDArray[np.float64]] = {}
    searches = [
        OnlineSearch(
            TREE.game,
            seed=1,
            rival=any_action,
            share=share,
            hero=hero,
            targeted=targeted,
            trembles=1_000.0,
            likelihoods=halves,
            sampling=Sampling(method="outcome"),
        )
        for hero in range(2)
    ]
    for known in TREE.information_sets:
        play = TREE.play_to(known)
        view, seen = play.view(known.player), play.seen_by(known.player)
        search = searches[known.player]
        search.decide(view, seen, Budget(simulations=simulations))
        found[known.index] = search.probabilities(view, seen)
    return found


@pytest.mark.parametrize("share, near", [(0.0, 0.04), (0.6, 0.04), (1.0, 0.08)])
def test_asked_at_each_decision_it_comes_to_a_restricted_response(
    share: float, near: float
) -> None:
    model = TREE.uniform_policy()
    exact = restricted_response(TREE, model, share=share, iterations=400)
    found = asked(share, targeted=0.6, simulations=50_000)
    won, best = (np.mean(winnings(TREE, policy, model)) for policy in (found, exact))
    lost, least = (exploitability(TREE, policy).exploitability for policy in (found, exact))
    assert won > best - 0.02
    assert lost < least + near


def test_lines_of_the_rival_lead_to_the_decision() -> None:
    found = asked(1.0, targeted=1.0, simulations=2_000)
    best = restricted_response(TREE, TREE.uniform_policy(), share=1.0, iterations=50)
    for known in TREE.information_sets:
        if best[known.index].max() > 0.999:
            assert found[known.index][best[known.index].argmax()] > 0.6
