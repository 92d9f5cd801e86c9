"""Matches of teams: one agent plays all of a team's roles, and results count for teams."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from sleuth import Game, OwnAgent, game, play_match
from sleuth.agents import parse_agent
from sleuth.apps.kit.matches.asked import asked_agents, asked_of_teams, with_playouts
from sleuth.errors import SettingsError
from sleuth.games.scotland_yard import scotland_yard
from sleuth.kit import SeenPlay, View
from sleuth.planners.matches.match_games import prepare
from sleuth.planners.matches.match_teams import teams_of

YARD = "scotland_yard"


@dataclass
class Named:
    """Takes the first legal action, and writes down in which role and by which seed."""

    name: str
    seed: int
    book: list[tuple[str, int, int]]

    def decide(self, view: View, seen: SeenPlay) -> int:
        self.book.append((self.name, self.seed, view.viewer))
        return int(view.legal()[0])


def noted(name: str, book: list[tuple[str, int, int]]) -> OwnAgent:
    return OwnAgent(name, lambda made: lambda seed: Named(name, seed, book))


def test_a_game_says_who_wins_together() -> None:
    small = scotland_yard(seekers=3)
    assert small.teams == ("hider", "seekers", "seekers", "seekers")
    assert (small.sides, small.side_of) == (("hider", "seekers"), (0, 1, 1, 1))
    kuhn = game("kuhn_poker")
    assert (kuhn.teams, kuhn.sides, kuhn.side_of) == ((), kuhn.roles, (0, 1))
    with pytest.raises(SettingsError, match="for each role"):
        replace(kuhn, teams=("one",))


def test_one_agent_plays_a_whole_team_each_member_with_a_seed_of_his_own() -> None:
    book: list[tuple[str, int, int]] = []
    result = play_match(YARD, [noted("a", book), noted("b", book)], games=2, seed=1)
    assert [one.seats for one in result.games] == [(0, 1, 1, 1, 1, 1)] * 2
    assert {(name, role) for name, _, role in book} == {
        ("a", 0), *(("b", role) for role in range(1, 6))
    }  # fmt: skip
    seeds = {(seed, role) for _, seed, role in book}
    assert len({seed for seed, _ in seeds}) == len(seeds) == 12


def test_results_count_for_teams() -> None:
    result = play_match(YARD, ["random", "random"], games=30, seed=2)
    yard = game(YARD)
    won = [one.replay(yard).returns()[1] > 0 for one in result.games]
    assert 0 < sum(won) < 30
    assert result.wins == (30 - sum(won), sum(won))
    assert result.shared == 0
    assert result.scores == result.win_rates
    assert result.team_wins == {"hider": 30 - sum(won), "seekers": sum(won)}
    assert result.mean_returns[0] == -result.mean_returns[1]
    found = result.to_json()
    assert found["seekers_win_rate"] == sum(won) / 30
    assert found["interval"] == list(result.intervals[1])
    assert found["roles"] == {"hider": "random", **dict.fromkeys(yard.roles[1:], "random#2")}
    assert found["swap"] is False


def test_teams_are_swapped_if_asked() -> None:
    book: list[tuple[str, int, int]] = []
    agents = [noted("a", book), noted("b", book)]
    result = play_match(YARD, agents, games=4, seed=3, swap=True)
    assert [one.seats[:2] for one in result.games] == [(0, 1), (1, 0)] * 2
    assert [one.seed for one in result.games[::2]] == [one.seed for one in result.games[1::2]]
    assert sum(result.team_wins.values()) == 4
    for one in result.games:
        hider, seekers = one.seats[:2]
        assert one.returns[hider] == -one.returns[seekers]
    # Both play alike, so a deal is won by the same team in all seats.
    assert result.wins == (2, 2)


def test_without_teams_nothing_changes() -> None:
    result = play_match("kuhn_poker", ["random", "random"], games=4)
    assert result.swap
    assert result.team_wins == {}
    assert "interval" not in result.to_json()


def test_every_role_may_have_an_agent_of_its_own() -> None:
    book: list[tuple[str, int, int]] = []
    members = [noted(name, book) for name in "abcaba"]
    result = play_match(YARD, members, games=2, seed=1)
    assert result.agents == ("a", "b + c + a + b + a")
    assert {(name, role) for name, _, role in book} == set(zip("abcaba", range(6), strict=True))
    alike = play_match(YARD, ["random"] * 6, games=3, seed=1)
    assert alike == play_match(YARD, ["random", "random"], games=3, seed=1)
    with pytest.raises(SettingsError, match="single roles"):
        play_match(YARD, members, games=2, swap=True)


def test_a_team_plays_the_same_with_workers() -> None:
    agents = ["random", *["random"] * 4, "mcts:simulations=3"]
    alone = play_match(YARD, agents, games=4, seed=5)
    assert alone == play_match(YARD, agents, games=4, seed=5, workers=2)


# Asked for by text


def texts(asked: list[str], made: Game) -> list[str]:
    return [agent.text for agent in asked_agents(asked, made)]


def test_agents_are_asked_for_by_team_and_by_role() -> None:
    yard = scotland_yard(seekers=2)
    expected = ["mcts", "random", "random"]
    for asked in (
        ["hider=mcts", "seekers=random"],
        ["seekers=random", "mcts"],
        ["mcts", "random"],
        ["mcts", "random", "random"],
        ["hider=mcts", "seeker-1=random", "seeker_2=random"],
        ["hider=mcts", "seeker 1=random", "random"],
    ):
        assert texts(asked, yard) == expected
    for asked, problem in (
        (["hider=mcts", "seekers=random", "seeker-1=random"], "two agents"),
        (["seekers=random"], "nobody plays hider"),
        (["random"], "needs 3 agents"),
        (["hider=mcts", "hiders=random"], "no such role"),
    ):
        with pytest.raises(SettingsError, match=problem):
            texts(asked, yard)


def test_short_forms_are_the_same_as_agents() -> None:
    yard = game(YARD)
    assert asked_of_teams({"hider": "mcts:trees=2"}, yard) == ["hider=mcts:trees=2"]
    with pytest.raises(SettingsError, match="no such team"):
        asked_of_teams({"hider": "mcts"}, game("kuhn_poker"))


def test_playouts_are_those_of_agents_that_leave_them_open() -> None:
    given = [parse_agent(text) for text in ("mcts", "vote:simulations=5", "random", "uniform")]
    made = with_playouts(given, 70)
    assert [agent.text for agent in made] == [
        "mcts:simulations=70", "vote:simulations=5", "random", "uniform:simulations=70",
    ]  # fmt: skip
    with pytest.raises(SettingsError, match="playouts"):
        with_playouts([parse_agent("random")], 70)


def test_what_takes_long_is_done_once_for_members_alike() -> None:
    prepared: list[str] = []

    def own(name: str) -> OwnAgent:
        def make(made: Game):
            prepared.append(name)
            return lambda seed: Named(name, seed, [])

        return OwnAgent(name, make)

    yard = game(YARD)
    prepare(yard, teams_of([own(name) for name in "abcbcb"], yard))
    assert sorted(prepared) == ["a", "b", "c"]
