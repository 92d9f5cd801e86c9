"""Numbers that no search can use are refused wherever they are given."""

from __future__ import annotations

import math
from typing import Any

import pytest

from sleuth import game
from sleuth.agents import parse_agent
from sleuth.errors import SettingsError
from sleuth.planners.search.kernels.selection import Mixing
from sleuth.search import AlphaBeta, Limits, Options

INFINITY = math.inf


@pytest.mark.parametrize(
    "given, name, reach",
    [
        ({"exploration": INFINITY}, "exploration", "from 0 to 1e+06"),
        ({"exploration": 1e300}, "exploration", "from 0 to 1e+06"),
        ({"exploration": True}, "exploration", "from 0 to 1e+06"),
        ({"bias_weight": INFINITY}, "bias_weight", "from 0 to 1e+06"),
        ({"mixing": Mixing(slowing=INFINITY)}, "slowing", "from 0 to 1e+06"),
        ({"worlds": 10**12}, "worlds", "from 1 to 2147483646"),
        ({"workers": 10**6}, "workers", "from 1 to 1024"),
        ({"trees": 10**12}, "trees", "from 0 to 2147483646"),
        ({"credits": [[INFINITY, 0], [0, 1]]}, "credits", "finite numbers"),
        ({"credits": "x"}, "credits", "finite numbers"),
    ],
)
def test_options_refuse_it_and_say_what_can_be_given(
    given: dict[str, Any], name: str, reach: str
) -> None:
    with pytest.raises(SettingsError) as refused:
        Options(**given)
    assert name in str(refused.value)
    assert reach in str(refused.value)
    assert "(got " in str(refused.value)


@pytest.mark.parametrize(
    "option",
    [
        "mcts:exploration=1e400",
        "mcts:bias_weight=inf",
        "smooth:mixing_slowing=inf",
        "mcts:worlds=99999999999999",
        "mcts:threads=1000000",
        "mcts:gain=1,depth=99999999999",
        "mcts:r=nan",
        "mcts:r=-1",
        "expectimax:seconds=inf",
        "expectimax:cpu_seconds=1e400",
        "expectimax:depth=99999999999999999",
        "alpha_beta:nodes=99999999999999999999",
        "alpha_beta:worlds=9999999999999",
    ],
)
def test_agents_by_name_refuse_it_before_anything_is_compiled(option: str) -> None:
    text = option.replace("smooth:", "mcts:selection=smooth_uct,")
    name = text.rsplit(",", 1)[-1].rsplit(":", 1)[-1].split("=")[0]
    asked = "workers" if name == "threads" else name.removeprefix("mixing_")
    with pytest.raises(SettingsError, match=rf"{asked} (must be|is out of range)"):
        parse_agent(text).prepare(game("kuhn_poker"))


@pytest.mark.parametrize("name", ["depth", "seconds", "cpu_seconds", "nodes"])
def test_a_look_ahead_has_finite_limits(name: str) -> None:
    for value in (INFINITY, math.nan, 0, "1"):
        with pytest.raises(SettingsError, match=f"{name} must be"):
            Limits(**{name: value})  # pyright: ignore[reportArgumentType]


def test_a_look_ahead_takes_whole_numbers_of_worlds() -> None:
    with pytest.raises(SettingsError, match="worlds must be a whole number"):
        AlphaBeta(game("tic_tac_toe"), worlds=1.5)  # pyright: ignore[reportArgumentType]
