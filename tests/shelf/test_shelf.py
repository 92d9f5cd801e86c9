"""The games of the shelf: each is one short file, keeps the contract, and believes what is right.

For each of them there is a file of tests that says which settings are small (``SMALL``), what is
always so (``keeps``), how a game may begin (``starts``), how hidden things are told (``values``),
and, if players are not believed to take any action, each equally likely, how they choose
(``choosing``). Where longer games have too many worlds to be written out, it says after how many
moves beliefs are still asked (``MOVES``), and how often (``ASKED``); and where most plays are long,
a seed of short ones (``SEED``). With ``SLEUTH_FUZZ`` a thousand games of each are played, and the
contract is checked in twenty.
"""

from __future__ import annotations

import ast
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth import SPECTATOR, Play, check_game
from sleuth.answers import as_text
from sleuth.beliefs.games.contract import Judging
from sleuth.kit import GAMES as KNOWN
from sleuth.kit import Sight, display
from sleuth.planners.checking.conformance import CHECKS

from ..test_project import ROOT
from .plain_worlds import any_alike, plain_worlds, shares

SHELF = [path for path in sorted((ROOT / "shelf").glob("*.py")) if path.name != "__init__.py"]
NAMES = [path.stem for path in SHELF]
#: The longest file that is still read at a sitting, beside the meanings of its fields and settings.
MOST_LINES = 280
PLAYED = 1_000 if os.environ.get("SLEUTH_FUZZ") else 8
#: Plays in which the contract is checked.
CHECKED = 20 if os.environ.get("SLEUTH_FUZZ") else 2
#: Moments of a play in which beliefs are asked by their oracle.
ASKED = 3

pytestmark = pytest.mark.usefixtures("plain_python")


def told(name: str) -> Any:
    """All that the tests of a game say of it."""
    return import_module(f".test_{name}", __package__)


def words(settings: dict[str, Any]) -> str:
    return ",".join(f"{key}={value}" for key, value in settings.items())


SMALL = [
    pytest.param(name, settings, id=f"{name}:{words(settings)}")
    for name in NAMES
    for settings in told(name).SMALL
]


def played(play: Play, rng: np.random.Generator, moves: int | None = None) -> Play:
    """A play with any actions, to its end or so many moves further."""
    while not play.over and moves != 0:
        play.apply(int(rng.choice(play.legal())))
        moves = None if moves is None else moves - 1
    return play


def lines_of(text: str) -> int:
    """The lines of a game's file without those that say what its fields and settings mean."""
    meanings = 0
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg == "fields":
            meanings += (node.value.end_lineno or 0) - node.value.lineno + 1
        elif isinstance(node, ast.FunctionDef):
            before, _, listed = (ast.get_docstring(node, clean=False) or "").partition(
                "\n\n    Args:"
            )
            meanings += 2 + listed.count("\n") if listed and before else 0
    return len(text.splitlines()) - meanings


@pytest.mark.parametrize("path", SHELF, ids=NAMES)
def test_a_game_is_one_file_that_is_read_at_a_sitting(path: Path) -> None:
    assert lines_of(path.read_text("utf-8")) <= MOST_LINES


def test_lines_that_say_what_fields_and_settings_mean_are_not_counted() -> None:
    game = (
        'def game():\n    """It.\n\n    Args:\n        a: One.\n    """\n    f(\n        fields={\n'
    )
    assert lines_of(game + '            "a": 1,\n        },\n    )\n') == 11 - 4 - 3


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_known_by_its_name_and_its_file_says_the_rest(name: str) -> None:
    listed, own = KNOWN[name], import_module(f"sleuth.shelf.{name}").GAME
    game = sleuth.game(name)
    assert own.name == game.name == name
    assert type(sleuth.belief(name)) is own.belief
    assert listed.called == display(game).title
    assert Play.new(own, seed=1).game.name == name


@pytest.mark.parametrize("name, settings", SMALL)
def test_random_games_keep_what_is_always_so(name: str, settings: dict[str, Any]) -> None:
    game, rng = sleuth.game(name, **settings), np.random.default_rng(1)
    for seed in range(PLAYED):
        play = Play.new(game, seed=seed)
        told(name).keeps(play)
        while not play.over:
            played(play, rng, 1)
            told(name).keeps(play)
        assert len(play.actions) <= game.max_depth


@pytest.mark.parametrize("name", NAMES)
def test_the_contract_is_kept_and_nothing_leaks(name: str) -> None:
    game = sleuth.game(name, **told(name).SMALL[0])
    report = check_game(game, plays=CHECKED, worlds=4, seed=getattr(told(name), "SEED", 0))
    told_by_games = {"dice", "sum of returns"}
    assert {*CHECKS} - report.checks <= {"compiled", "decisions", "key"} | told_by_games


@pytest.mark.parametrize("name, settings", SMALL)
def test_beliefs_are_those_of_all_that_may_have_happened(
    name: str, settings: dict[str, Any]
) -> None:
    game, rng, case = sleuth.game(name, **settings), np.random.default_rng(2), told(name)
    belief, largest = sleuth.belief(game), 0.0
    if isinstance(belief, Judging) and not hasattr(case, "choosing"):
        belief = belief.indifferent()
    for seed in range(getattr(case, "ASKED", ASKED)):
        moves = int(rng.integers(1, 1 + getattr(case, "MOVES", game.max_depth)))
        play = played(Play.new(game, seed=seed), rng, moves)
        for viewer in (*range(game.players), SPECTATOR):
            view = play.view(viewer)
            hidden = belief.hidden(view)
            if not hidden:
                continue
            posterior = belief.infer(view, play.seen_by(viewer))
            choosing = getattr(case, "choosing", any_alike)
            worlds = plain_worlds(play, viewer, case.starts(game), choosing)
            wanted = shares(worlds, case.values)
            for which, feature in hidden.items():
                found, right = posterior.marginal(feature), wanted[which]
                assert {value for value, chance in found.items() if chance} == {*right}
                largest = max(largest, *(abs(found[value] - right[value]) for value in right))
            assert posterior.exact
    assert largest < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_a_play_is_analysed_with_any_eyes(name: str) -> None:
    game = sleuth.game(name, **told(name).SMALL[0])
    seed = getattr(told(name), "SEED", 3)
    play = played(Play.new(game, seed=seed), np.random.default_rng(seed))
    for viewer in (*play.game.roles, "spectator"):
        found = sleuth.analyse(play.record(), observer=viewer, agent="none")
        assert found.to_json()["viewer"] == viewer
        assert len(found.to_json()["timeline"]) > 1


@pytest.mark.parametrize("name", NAMES)
def test_all_that_a_player_sees_is_told_in_words(name: str) -> None:
    play, rng = Play.new(sleuth.game(name, **told(name).SMALL[0]), seed=5), np.random.default_rng(5)
    shown = display(play.game)
    while not play.over and len(play.actions) < 30:
        mover = play.player
        played(play, rng, 1)
        for viewer in (*range(play.game.players), SPECTATOR):
            sight = Sight.of(play, viewer, (viewer,))
            assert as_text(*shown.situation(sight)).strip()
            assert "-1" not in (said := shown.sentence(sight, len(sight.seen.events) - 1))
            assert said.startswith(shown.name_of(mover, sight))


@pytest.mark.parametrize("name", NAMES)
def test_a_search_decides(name: str) -> None:
    play = played(Play.new(name, seed=4), np.random.default_rng(4), 1)
    agent = sleuth.agent("mcts:simulations=20", play.game)
    assert agent.decide(play.view(play.player), play.seen_by(play.player)) in play.legal()
