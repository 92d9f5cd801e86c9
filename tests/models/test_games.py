"""Games by name: those that come with sleuth, a reader's own file, and installed ones."""

from __future__ import annotations

import itertools
import re
import sys
from contextlib import suppress
from dataclasses import fields, replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from sleuth import GameEntry, OwnAgent, Play, Search, check_agent, game, play_match
from sleuth.agents import RandomAgent, search_agent
from sleuth.apps.commands.new_game import source
from sleuth.apps.kit.matches.asked import asked_game
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import GAMES, display
from sleuth.matches import candidates, tune
from sleuth.models import games
from sleuth.models.games import entry, entry_of
from sleuth.models.recorded import game_of_record
from sleuth.search import AlphaBeta


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "mygame.py").write_text(source("my_game", "mygame.py"), "utf-8")
    return f"{tmp_path / 'mygame.py'}:GAME"


@pytest.mark.parametrize("name", GAMES)
def test_every_part_of_every_registered_game_is_where_its_line_says(name: str) -> None:
    made = GAMES[name].game()
    assert made.name == name
    assert entry_of(made) is GAMES[name]
    assert (belief_or_none(made) is None) == (not made.hides)
    assert display(made).game is made
    for part in fields(GameEntry):
        if ":" in str(getattr(GAMES[name], part.name)):
            GAMES[name].part(part.name)


def test_one_line_registers_a_game_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one generic place that a new game touches is the list."""
    twin = GameEntry("twin", GAMES["tic_tac_toe"].rules)
    monkeypatch.setattr(games, "GAMES", {**GAMES, "twin": twin})
    assert game("twin").players == 2
    assert "twin" in games.names()


def test_a_file_of_a_readers_own_is_a_game_with_everything(own: str) -> None:
    made = game(own)
    assert made.name == "my_game"
    found = entry(own)
    assert entry_of(made) == found
    assert found.source == str(Path(own.rpartition(":")[0]).resolve()) + ":GAME"
    assert type(belief_or_none(made)).__name__ == "MyGameBelief"
    assert game("my-game").name == "my_game"  # known by its name once it was opened


def test_a_game_or_its_entry_stands_for_both_wherever_a_game_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLEUTH_COMPILE", "never")
    monkeypatch.setattr(games, "_opened", {})
    module: dict[str, Any] = {"__name__": "mygame"}
    exec(source("my_game", "mygame.py").partition("# 6.")[0], module)
    rules = module["RULES"]
    agents = ["mcts:simulations=4", OwnAgent("mine", lambda game: RandomAgent)]
    with pytest.raises(SettingsError, match=r"no belief is known.*make GameEntry"):
        play_match(rules, agents, games=1)
    entry = GameEntry("my_game", rules=rules, belief=module["MyGameBelief"])
    for given in (rules, entry):
        assert play_match(given, agents, games=2).game == "my_game"
    assert tune(entry, candidates("mcts", "simulations=2/3"), games=2).game == "my_game"
    assert search_agent("mcts", entry, seed=1).search.game is rules
    assert Search(entry).game is AlphaBeta(entry).game is Play.new(entry, seed=1).game is rules
    assert type(belief_or_none(entry)) is module["MyGameBelief"]
    check_agent(entry, RandomAgent(1), plays=1)
    with pytest.raises(SettingsError, match=r"a Game is needed.*entry\.game"):
        Play(entry, 1, rules.initial(1))  # pyright: ignore[reportArgumentType]
    with pytest.raises(SettingsError, match="a game is needed"):
        play_match(3, agents, games=1)  # pyright: ignore[reportArgumentType]
    with pytest.raises(SettingsError, match="comes with sleuth has this name"):
        play_match(GameEntry("cheat", rules=replace(rules, name="cheat")), agents, games=1)
    with pytest.raises(SettingsError, match="workers cannot make this game"):
        play_match(entry, ["random", "random"], games=2, workers=2)


def test_workers_find_a_readers_own_game(own: str) -> None:
    result = play_match(own, ["random", "random"], games=4, workers=2, seed=1)
    assert len(result.games) == 4


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, own: str) -> None:
    path = tmp_path / "mygame.py"
    with pytest.raises(SettingsError, match="there is no such file"):
        game(f"{tmp_path / 'none.py'}:GAME")
    with pytest.raises(SettingsError, match=r"no such name.*GMAE.*it has (RULES, )?GAME"):
        game(f"{path}:GMAE")
    with pytest.raises(SettingsError, match="neither a GameEntry nor a Game"):
        game(f"{path}:NUMBERS")
    broken = tmp_path / "broken.py"
    broken.write_text("import nothing_of_this_name\n", "utf-8")
    with pytest.raises(SettingsError, match="cannot be run: ModuleNotFoundError"):
        game(f"{broken}:GAME")
    taken = tmp_path / "taken.py"
    taken.write_text(path.read_text("utf-8").replace('"my_game"', '"kuhn_poker"'), "utf-8")
    with pytest.raises(SettingsError, match="has this name already"):
        game(f"{taken}:GAME")


def test_a_setting_that_a_game_does_not_have_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"no such setting.*playres.*did you mean 'players'"):
        game("clue_table", playres=4)
    with pytest.raises(SettingsError, match="it has none"):
        game("tic_tac_toe", players=4)


def test_an_installed_package_registers_a_game_by_an_entry_point(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "installed_game.py").write_text(source("installed", "installed_game.py"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    point = metadata.EntryPoint("installed", "installed_game:GAME", games.GROUP)
    monkeypatch.setattr(games, "_points", lambda: iter([point]))
    try:
        assert game("installed").name == "installed"
        assert "installed" in games.names()
    finally:
        sys.modules.pop("installed_game", None)


def test_opening_a_game_imports_no_other_game() -> None:
    """The list holds names of modules, so a command pays for the game that it is about."""
    text = Path(games.__file__).read_text("utf-8")
    assert not re.search(r"^from \.(small|clue|cheat|scotland_yard)", text, re.MULTILINE)


STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 7, 10**30, 0.5, "", "x", [], {}, [[1]], ["a"], {"a": 1}, [10**9] * 3),
    list(range(1, 200)),
)


@pytest.mark.parametrize("name", GAMES)
def test_settings_of_a_record_that_somebody_edited_are_a_game_or_are_refused(name: str) -> None:
    record = Play.new(GAMES[name].game(), seed=1).record()
    for setting, value in itertools.product(GAMES[name].settings, STRANGE):
        edited = replace(record, settings={**record.settings, setting: value})
        with suppress(RecordError):
            game_of_record(edited)


def test_a_number_of_thousands_of_digits_is_no_setting() -> None:
    with pytest.raises(SettingsError, match="players"):
        asked_game("clue_table:players=" + "9" * 5_000)
    with pytest.raises(SettingsError, match="hand"):
        asked_game("saboteur:hand=" + "9" * 5_000)
