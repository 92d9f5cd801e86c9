"""`sleuth match`: agents in their roles, JSON, interruption, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth import play_match
from sleuth.answers import Column, Sheet, as_text
from sleuth.apps.kit.answers.breaking import BreakableName
from sleuth.apps.kit.matches import playing
from sleuth.apps.kit.matches.asked import asked_agents, asked_game, asked_stop
from sleuth.apps.kit.matches.summary import match_summary
from sleuth.errors import SettingsError
from sleuth.matches import MatchResult, Stop
from sleuth.planners.matches.match_games import PlayedGame

from ..conftest import Sleuth
from .test_analyse import assert_refused

PROMISED = ["game", "agents", "games", "wins", "win_rate", "intervals", "seconds", "seed"]
KUHN = ("match", "kuhn-poker", "--agents")


def test_agents_can_stay_for_several_games(sleuth: Sleuth) -> None:
    ran = sleuth(*KUHN, "random", "random", "--games", 8, "--series", 4, "--json")
    assert ran.json()["series"] == 4
    assert "the same agents for 4 games" in sleuth(*KUHN, "random", "random", "--series", 4).out
    assert sleuth(*KUHN, "random", "random", "--series", 0).code == 2


def test_json_is_one_object_with_the_promised_keys(sleuth: Sleuth) -> None:
    ran = sleuth(*KUHN, "first=random", "second=mcts:simulations=20", "--games", 10, "--json")
    assert ran.code == 0
    assert "sleuth:" not in ran.err  # only that something is compiled may be said
    found = ran.json()
    assert list(found)[:8] == PROMISED
    assert set(found) - set(PROMISED) == {
        *(
            "first",
            "shared",
            "score",
            "mean_return",
            "return_intervals",
            "roles",
            "swap",
            "series",
            "verdict",
            "version",
        )
    }
    assert found["game"] == "kuhn_poker"
    assert found["agents"] == ["random", "mcts:simulations=20"]
    assert found["roles"] == {"first": "random", "second": "mcts:simulations=20"}
    assert found["games"] == 10
    assert sum(found["wins"].values()) + found["shared"] == 10
    for agent in found["agents"]:
        low, high = found["intervals"][agent]
        assert low <= found["win_rate"][agent] <= high


def test_the_table_says_the_same(sleuth: Sleuth) -> None:
    ran = sleuth(*KUHN, "random mcts:simulations=20", "--games", 10, "--seed", 3)
    assert ran.code == 0
    assert "sleuth:" not in ran.err  # only that something is compiled may be said
    assert "10 games, seats swapped, seed 3" in ran.out
    assert "mcts:simulations=20" in ran.out


def test_the_agents_can_be_written_in_several_ways(sleuth: Sleuth) -> None:
    kuhn = asked_game("kuhn_poker")
    expected = [agent.text for agent in asked_agents(["random", "mcts:trees=2"], kuhn)]
    assert expected == ["random", "mcts:trees=2"]
    for texts in (
        ["second=mcts:trees=2", "first=random"],
        ["second=mcts:trees=2", "random"],
        ["mcts:trees=2", "first=random"],
    ):
        assert [agent.text for agent in asked_agents(texts, kuhn)] == expected
    ways = [
        (*KUHN, "first=random", "second=vote:simulations=9,trees=3"),
        (*KUHN, "first=random second=vote:simulations=9,trees=3"),
        (*KUHN, "second=vote:simulations=9,trees=3", "--agents", "random"),
        ("match", "--agents", "random vote:simulations=9,trees=3", "kuhn_poker"),
    ]
    answers = [sleuth(*way, "--games", 4, "--json").json() for way in ways]
    for answer in answers:
        answer.pop("seconds")
    assert answers == [answers[0]] * 4


def test_a_game_may_have_settings() -> None:
    assert asked_game("clue-table:players=4").players == 4
    with pytest.raises(SettingsError, match="a whole number is needed"):
        asked_game("clue_table:players=many")
    with pytest.raises(SettingsError, match="did you mean 'players'"):
        asked_game("clue_table:player=4")


def test_a_setting_that_follows_from_others_is_read_as_what_it_looks_like() -> None:
    asked = asked_game("saboteur:rules=paper,players=6,spare=yes,placing=joined").settings
    assert (asked["players"], asked["spare"], asked["placing"]) == (6, True, "joined")
    assert asked_game("cheat:most_claimed=2").settings["most_claimed"] == 2
    with pytest.raises(SettingsError, match="must be a whole number"):
        asked_game("saboteur:players=many")


def test_when_to_stop_is_a_number_or_several() -> None:
    assert asked_stop(None) is None
    assert asked_stop("0.2") == Stop(delta=0.2)
    assert asked_stop("delta=0.2,alpha=0.01") == Stop(delta=0.2, alpha=0.01)


def test_a_match_ends_early_and_says_who_is_better(sleuth: Sleuth) -> None:
    arguments = ("match", "tic_tac_toe", "--agents", "mcts:simulations=60", "random")
    ran = sleuth(*arguments, "--games", 300, "--stop", 0.3)
    assert "mcts:simulations=60 is better" in ran.out
    found = sleuth(*arguments, "--games", 300, "--stop", 0.3, "--json").json()
    assert found["verdict"] == "mcts:simulations=60"
    assert found["games"] < 100
    ran = sleuth("match", "tic_tac_toe", "--agents", "random", "random", "--stop", 0.05)
    assert "cannot tell yet" in ran.out


def test_names_of_agents_can_be_read_in_a_narrow_terminal(
    sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns, shown in ((40, False), (70, True)):
        monkeypatch.setenv("COLUMNS", str(columns))
        ran = sleuth(*KUHN, "random", "uniform:simulations=50", "--games", 4)
        assert "random  " in ran.out
        assert "simulations=50" in ran.out
        assert max(map(len, ran.out.splitlines())) <= columns
        assert ("95 % interval" in ran.out) == ("±" in ran.out) == shown


def test_an_interrupted_match_says_how_to_go_on(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    arguments = (*KUHN, "random", "random", "--games", 6, "--json")
    whole = sleuth(*arguments).json()

    def interrupted(*given: object, progress: object = None, **options: object) -> object:
        def tell(what: str, done: int, total: int) -> None:
            progress(what, done, total)  # type: ignore[operator]
            if done == 4:
                raise KeyboardInterrupt

        return play_match(*given, progress=tell, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "play_match", interrupted)
    ran = sleuth(*arguments, "--out", path)
    assert (ran.code, ran.out) == (130, "")
    assert "4 finished games are in" in ran.err
    assert "the same command resumes" in ran.err
    lost = sleuth(*arguments)
    assert lost.code == 130
    assert "--out FILE" in lost.err
    monkeypatch.undo()
    assert len(path.read_text("utf-8").splitlines()) == 5
    found = sleuth(*arguments, "--out", path).json()
    assert {**found, "seconds": 0} == {**whole, "seconds": 0}


REFUSED: list[tuple[list[str], str]] = [
    (["kuhn_pocker", "--agents", "random", "random"], "did you mean 'kuhn_poker'?"),
    (["kuhn_poker"], "needs 2 agents"),
    (["kuhn_poker", "--hider", "random"], "kuhn_poker has no such team"),
    *(
        ([*game, agent], "this agent plays only cheat")
        for game in (
            ["scotland_yard", "--hider", "random", "--seekers"],
            ["kuhn_poker", "--agents", "random"],
        )
        for agent in ("ours", "mga", "pmga", "fpmga")
    ),
    (["tic_tac_toe", "--agents", "random", "ours"], "this agent plays only cheat"),
    (["kuhn_poker", "--agents", "random", "mcts:predictor=usual"], "no such option"),
    (["kuhn_poker", "--agents", "random"], "needs 2 agents"),
    (["saboteur", "--agents", "random"], "known: dwarf, trust, random, mcts"),
    (["kuhn_poker", "--agents", "first=random"], "nobody plays second; add second="),
    (["scotland_yard", "--hider", "random"], "nobody plays seekers; add seekers="),
    (["scotland_yard", "--agents", "seekers=random"], "nobody plays hider; add hider="),
    (["kuhn_poker", "--agents", "random,random"], "one agent at a time"),
    (["kuhn_poker", "--agents", "rendom", "random"], "did you mean 'random'?"),
    (["kuhn_poker", "--agents", "third=random", "random"], "no such role"),
    (["kuhn_poker", "--agents", "first=random", "first=random"], "a role has two agents"),
    (["kuhn_poker", "--agents", "random", "mcts:trees"], "NAME:key=value"),
    (["kuhn_poker", "random", "random"], "--agents FIRST SECOND"),
    (["kuhn_poker", "--agents", "random", "random", "--games", "0"], "--games"),
    (["kuhn_poker", "--agents", "random", "random", "--workers", "0"], "one worker or more"),
    (["kuhn_poker", "--agents", "random", "random", "--stop", "much"], "a number is needed"),
    (["kuhn_poker", "--agents", "random", "random", "--stop", "0.7"], "below 0.5"),
    (["kuhn_poker", "--agents", "random", "random", "--stop", "beto=0.1"], "'beta'"),
    (["kuhn_poker", "--agents", "random", "random", "--out", "nowhere/x.jsonl"], "no such folder"),
    (["kuhn_poker", "--agents", "random", "random", "--out", "notes.txt"], "not of a match"),
]


@pytest.mark.parametrize(
    "arguments, expected", REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_bad_input_is_refused_and_nothing_is_written(
    sleuth: Sleuth,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    (tmp_path / "notes.txt").write_text("notes\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert_refused(sleuth("match", *arguments), expected)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert (tmp_path / "notes.txt").read_text("utf-8") == "notes\n"


def test_a_cluster_needs_its_library(sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert_refused(sleuth(*KUHN, "random", "random", "--cluster", "127.0.0.1:1"), "sleuth[cluster]")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits_its_terminal(width: int) -> None:
    agents = ["random", "mcts:simulations=20,exploration=0.7,information=players,trees=2"]
    said = as_text(*match_summary(play_match("kuhn_poker", agents, games=2)), width=width)
    assert max(map(len, said.splitlines())) <= width
    assert "…" not in said
    assert said.count("mean return") == 1
    assert ("95 % interval" in said, "score" in said) == (width > 64, width > 64)


def test_who_win_or_lose_together_have_a_mean_return_and_no_share_of_wins() -> None:
    result = play_match("hanabi", ["random"], games=2, seed=1)
    assert result.together
    assert "share" not in str(result)
    assert "mean return" in str(result)
    said = as_text(*match_summary(result), width=100)
    assert not {"rate", "wins", "score", "team:"} & {*said.split()}
    assert said.count("mean return") == 1
    assert {"wins", "win_rate", "intervals", "score"} <= {*result.to_json()}
    assert not play_match("kuhn_poker", ["random", "random"], games=2).together


@pytest.mark.parametrize("width", [72, 80, 100])
def test_the_names_of_agents_are_broken_at_their_joints(width: int) -> None:
    agents = ["random", "mcts:simulations=20,exploration=0.7,information=players,trees=2"]
    said = as_text(*match_summary(play_match("kuhn_poker", agents, games=2)), width=width)
    assert agents[1] not in said
    for part in ("simulations=20,", "exploration=0.7,", "information=players,", "trees=2"):
        assert part in said


def test_options_fill_lines_and_only_what_fills_one_is_broken_within() -> None:
    name = BreakableName("mcts:simulations=50,playouts=greedy")
    assert name.lines(80) == [name.text]
    assert name.lines(20) == ["mcts:simulations=50,", "playouts=greedy"]
    assert name.lines(19) == ["mcts:", "simulations=50,", "playouts=greedy"]
    cut = as_text(Sheet((Column(joints=True),), ((name.text,),), close=0), width=8)
    assert cut.split() == ["mcts:", "simulati", "ons=50,", "playouts", "=greedy"]
    assert BreakableName("an agent of mine").lines(8) == ["an agent", "of mine"]
    assert BreakableName("").lines(8) == [""]


def test_games_without_a_winner_are_told_of_where_there_are_any() -> None:
    draw, won = (
        PlayedGame(number=0, seed=1, seats=(0, 1), actions=(), returns=returns, seconds=1.0)
        for returns in ((0.0, 0.0), (1.0, -1.0))
    )

    def said(*games: PlayedGame, teams: tuple[str, ...] = ()) -> str:
        result = MatchResult(
            game="kuhn_poker", roles=("first", "second"), agents=("a", "b"), games=games, seed=0,
            swap=False, verdict=None, teams=teams, seconds=1.0, resumed=len(games),
        )  # fmt: skip
        return as_text(*match_summary(result))

    assert "alone" not in said(won)
    assert "1 game, seats fixed" in said(won)
    assert "1 game was there already" in said(won)
    assert "1 game was won by nobody alone." in said(won, draw)
    assert "2 games, seats fixed" in said(won, draw)
    assert "2 games were won by nobody alone." in said(won, draw, draw)
    of_teams = said(won, draw, teams=("cats", "mice"))
    assert "1 game was won by no team alone." in of_teams
    assert "cats: 1 game, 0.500" in of_teams
    assert "mice: 0 games, " in of_teams


def test_games_are_kept_as_lines_of_json(sleuth: Sleuth, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert sleuth(*KUHN, "random", "random", "--games", 3, "--out", path).code == 0
    head, *games = map(json.loads, path.read_text("utf-8").splitlines())
    assert head["game"] == "kuhn_poker"
    assert [game["number"] for game in games] == [0, 1, 2]
    assert set(games[0]) == {"number", "seed", "seats", "actions", "returns", "seconds"}
