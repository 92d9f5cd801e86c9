"""No part of the search decides by what its player cannot see."""

from __future__ import annotations

from typing import Any

import pytest

from sleuth.beliefs.games import belief
from sleuth.models.games import game
from sleuth.planners.agents import DeterminizationAgent, RandomAgent, SearchAgent
from sleuth.planners.budget import Budget
from sleuth.planners.conformance import check_game
from sleuth.planners.search import Search


@pytest.mark.parametrize("kind", [SearchAgent, DeterminizationAgent])
@pytest.mark.parametrize(
    "name, options",
    [
        ("kuhn_poker", {}),
        ("kuhn_poker", {"trees": 4}),
        ("kuhn_poker", {"information": "players", "workers": 2}),
        ("leduc_poker", {}),
        ("phantom_tic_tac_toe", {"trees": 4}),
        ("tic_tac_toe", {}),
    ],
)
def test_a_search_decides_by_what_its_player_knows(
    name: str, options: dict[str, Any], kind: type[SearchAgent]
) -> None:
    made = game(name)
    agent = kind(search=Search(made, **options), belief=belief(made), budget=Budget(simulations=60))
    assert "decisions" in check_game(made, agent=agent, plays=3).checks


def test_a_search_for_information_decides_by_what_its_player_knows() -> None:
    made = game("kuhn_poker")
    agent = SearchAgent(
        search=Search(made), belief=belief(made), budget=Budget(simulations=60), gain_weight=1.0
    )
    assert "decisions" in check_game(made, agent=agent, plays=5).checks


def test_an_agent_at_random_decides_by_its_seed() -> None:
    assert (
        "decisions" in check_game(game("clue_table", turns=2), agent=RandomAgent(), plays=1).checks
    )
