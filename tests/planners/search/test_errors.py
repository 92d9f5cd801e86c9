"""What cannot be meant is refused, with the value and with what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Game, Objective, OwnAgent, Play, Search, SearchAgent, game, play_match
from sleuth.agents import RandomAgent, drawn_from, parse_agent
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import SeenPlay, View
from sleuth.planners.agents.look_ahead_agents import LookAheadAgent
from sleuth.planners.search.determinization import checked_rows, no_hidden_values
from sleuth.search import Learning, coalition_reduction, from_list

NAN, INFINITY = float("nan"), float("inf")


def refused(make: Callable[..., Any], *arguments: Any, **options: Any) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        make(*arguments, **options)
    return caught.value


# Budgets


@pytest.mark.parametrize("name", ["simulations", "nodes"])
@pytest.mark.parametrize("value", ["abc", INFINITY, NAN, 100.5, True, [3], 0, -1, 2**31 - 1])
def test_a_count_is_a_positive_whole_number_of_32_bits(name: str, value: object) -> None:
    error = refused(Budget, **{"simulations": 10, name: value})
    assert name in error.message
    assert f"write Budget({name}=" in error.hint
    assert repr(value) in str(error)


def test_nodes_cannot_be_left_open() -> None:
    assert "nodes must be a whole number (got None)" in str(refused(Budget, seconds=1, nodes=None))


@pytest.mark.parametrize("name", ["seconds", "cpu_seconds"])
@pytest.mark.parametrize("value", ["1", INFINITY, NAN, True, 0, -0.5])
def test_seconds_are_a_positive_number(name: str, value: object) -> None:
    error = refused(Budget, **{name: value})
    assert error.message == f"{name} must be a positive number"
    assert repr(value) in str(error)
    assert f"write Budget({name}=0.5)" in error.hint


def test_whole_numbers_may_be_written_in_other_ways() -> None:
    budget = Budget(simulations=1e3, nodes=np.int64(7))  # type: ignore[arg-type]
    assert budget == Budget(simulations=1_000, nodes=7)
    assert type(budget.simulations) is type(budget.nodes) is int
    assert Budget(simulations=2**31 - 2).simulations == 2**31 - 2


# Objectives


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"gain_weight": "1"}, "gain_weight must be a number >= 0 (got '1')"),
        ({"gain_weight": NAN}, "gain_weight must be a number >= 0 (got nan)"),
        ({"gain_weight": True}, "gain_weight must be a number >= 0 (got True)"),
        ({"depth": 1.5}, "depth must be a whole number (got 1.5)"),
        ({"depth": True}, "depth must be a whole number (got True)"),
        ({"depth": 0}, "depth is out of range (got 0)"),
        ({"classes": 3}, "classes must be a function (got 3)"),
        ({"class_names": "jack"}, "class_names must be several names (got 'jack')"),
        ({"exact": [0.5]}, "exact must map actions to bits (got [0.5])"),
        ({"exact": {0: "much"}}, "the exact gain of action 0 must be a number (got 'much')"),
        ({"exact": {"bet": 0.5}}, "an exact gain must be that of an action's code (got 'bet')"),
    ],
)
def test_an_objective_of_the_wrong_kind_is_refused(options: dict[str, Any], expected: str) -> None:
    error = refused(Objective, **options)
    assert f"objective: {expected}" in str(error)
    assert error.hint.startswith("write ")


# What is hidden


@pytest.mark.parametrize(
    "rows, expected",
    [
        ([[70_000]], "a row has a number that is out of range (got 70000)"),
        ([[0], [-32_769]], "a row has a number that is out of range (got -32769)"),
        ([[2**70]], "a row must be of whole numbers"),
        ([["jack"]], "a row must be of whole numbers (got [['jack']])"),
        ("jack", "a row must be of whole numbers"),
        ([[0.5]], "a row must be of whole numbers (got [[0.5]])"),
        (None, "a row must be of whole numbers"),
        ([[0, 1], [0]], "rows must be equally long lists of whole numbers (got [[0, 1], [0]])"),
        ([], "no rows to draw from"),
    ],
)
def test_a_list_of_anything_but_small_whole_numbers_is_refused(rows: Any, expected: str) -> None:
    error = refused(from_list, rows)
    assert expected in str(error)
    assert error.hint


def test_weights_are_numbers() -> None:
    for weights in (["a", "b"], [[1], [1, 2]], [1, None]):
        assert "one number >= 0 for each row" in str(refused(from_list, [[0], [1]], weights))


def test_the_largest_and_smallest_numbers_of_16_bits_stay_what_they_are() -> None:
    drawn = from_list([[-32_768, 32_767]])(2, np.random.default_rng(0))
    assert drawn.tolist() == [[-32_768, 32_767]] * 2


@pytest.mark.parametrize("value", [70_000, -40_000, 2**62])
def test_numbers_of_a_draw_are_not_wrapped(value: int) -> None:
    rows = np.array([[0], [value]])
    error = refused(checked_rows, lambda count, rng: rows, 2, np.random.default_rng(0))  # type: ignore[misc]
    assert f"a draw has a number that is out of range (got {value})" in str(error)


def test_rows_of_a_draw_are_equally_long() -> None:
    ragged = [[0, 1], [0]]
    error = refused(checked_rows, lambda count, rng: ragged, 2, np.random.default_rng(0))  # type: ignore[misc]
    assert "rows of equal length" in error.message


def test_a_posterior_is_no_draw_but_gives_one() -> None:
    kuhn = game("kuhn_poker")
    known = belief_or_none(kuhn)
    assert known is not None
    play = Play.new(kuhn, seed=0)
    view = play.view(0)
    posterior = known.infer(view, play.seen_by(0))
    search, budget = Search(kuhn), Budget(simulations=20)
    for wrong in (None, posterior):
        error = refused(search.decide, view, wrong, budget)
        assert "write drawn_from(belief, posterior)" in error.hint
    assert search.decide(view, drawn_from(known, posterior), budget).simulations == 20


def test_without_secrets_there_is_one_row_of_nothing() -> None:
    assert no_hidden_values(3, np.random.default_rng(0)).tolist() == [[0]] * 3


# Agents


@pytest.mark.parametrize("seed", [-1, "x", 0.5, NAN, INFINITY, None, True, 2**64])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    kuhn = kuhn_poker()
    for make in (
        RandomAgent,
        lambda seed: SearchAgent(search=Search(kuhn), belief=belief_or_none(kuhn), seed=seed),  # type: ignore[misc]
        lambda seed: Play.new(kuhn, seed=seed),  # type: ignore[misc]
        lambda seed: play_match(kuhn, ["random"] * 2, games=1, seed=seed),  # type: ignore[misc]
    ):
        error = refused(make, seed)
        assert error.message == "a seed is a whole number from 0 to 2**64 - 1"
        assert error.value is seed


@pytest.mark.parametrize(
    "options, message, hint",
    [
        ({"budget": 100}, "said by a Budget", "write Budget(simulations=100)"),
        ({"budget": "long"}, "said by a Budget", "write Budget(simulations=1000)"),
        ({"search": kuhn_poker()}, "needs a Search", "write SearchAgent(search=Search(game), ...)"),
        ({"belief": belief_or_none}, "no belief of a game", "write sleuth.belief(game)"),
        ({"learning": 0.5}, "by a Learning", "write learning=Learning(gain_weight=0.5)"),
    ],
)
def test_parts_of_an_agent_of_the_wrong_kind_are_refused(
    options: dict[str, Any], message: str, hint: str
) -> None:
    kuhn = kuhn_poker()
    usual: dict[str, Any] = {"search": Search(kuhn), "belief": belief_or_none(kuhn)}
    error = refused(SearchAgent, **(usual | options))
    assert message in error.message
    assert hint in error.hint


@pytest.mark.parametrize(
    "options, message, hint",
    [
        ({"gain_weight": "1"}, "gain_weight must be a number", "write gain_weight=0.5"),
        ({"depth": 1.5}, "depth must be a whole number", "write depth as"),
        ({"discount": 2.0}, "discount must be", ""),
        ({"share": -1.0}, "share must be", ""),
    ],
)
def test_what_cannot_be_learned_is_refused(
    options: dict[str, Any], message: str, hint: str
) -> None:
    error = refused(Learning, **options)
    assert message in error.message
    assert hint in (error.hint or "")


def test_the_belief_of_another_game_is_noticed() -> None:
    kuhn, leduc = game("kuhn_poker"), game("leduc_poker")
    play = Play.new(kuhn, seed=0)
    view, seen = play.view(0), play.seen_by(0)
    agent = SearchAgent(
        search=Search(kuhn), belief=belief_or_none(leduc), budget=Budget(simulations=5)
    )
    look = parse_agent("alpha_beta:depth=1").prepare(kuhn)(0)
    assert isinstance(look, LookAheadAgent)
    other = LookAheadAgent(search=look.search, belief=belief_or_none(leduc), limits=look.limits)
    for decides in (agent, other):
        error = refused(decides.decide, view, seen)
        assert error.message == "this belief is that of another game, 'leduc_poker'"
        assert "kuhn_poker" in str(error)
        assert "belief(game)" in error.hint


def test_the_fault_of_a_belief_of_ones_own_is_not_explained_away() -> None:
    class Broken:
        def infer(self, view: View, seen: SeenPlay) -> Any:
            raise KeyError("mine")

        def worlds(self, posterior: Any, n: int, rng: np.random.Generator) -> Any: ...

        def hidden(self, view: View) -> Any: ...

    kuhn = game("kuhn_poker")
    play = Play.new(kuhn, seed=0)
    agent = SearchAgent(search=Search(kuhn), belief=Broken())
    with pytest.raises(KeyError, match="mine"):
        agent.decide(play.view(0), play.seen_by(0))


@pytest.mark.parametrize(
    "text, most",
    [
        ("mcts:trees=1000000", 1_000),
        ("vote:simulations=10", 10),
        ("mcts:trees=5000,simulations=1000000", 4_096),
        ("average:trees=4097,seconds=1", 4_096),
    ],
)
def test_more_trees_than_can_be_used_are_refused(text: str, most: int) -> None:
    error = refused(parse_agent(text).prepare, game("kuhn_poker"))
    assert "no more trees than simulations, and at most 4,096" in error.message
    assert f"write trees={most} or fewer" in error.hint
    assert text in str(error)


# Matches


@dataclass
class Bold:
    """Answers the same whatever the question."""

    answer: Any = 0
    name: str = "bold"

    def decide(self, view: View, seen: SeenPlay) -> Any:
        return self.answer


def own(answer: Any, text: str = "bold") -> OwnAgent:
    return OwnAgent(text, lambda game: lambda seed: Bold(answer))


def match(*agents: Any, **options: Any) -> Any:
    asked: dict[str, Any] = {"games": 1, **options}
    return play_match("kuhn_poker", list(agents), **asked)


HINT = "wrap it in OwnAgent(text, lambda game: lambda seed: ...)"


@pytest.mark.parametrize("agent", [Bold(), Bold, RandomAgent(), 3, None])
def test_a_bare_agent_is_to_be_wrapped(agent: Any) -> None:
    error = refused(match, agent, "random")
    assert "no bare agent" in error.message
    assert HINT in error.hint


@pytest.mark.parametrize(
    "make", [lambda game: Bold(), lambda seed: RandomAgent(0), Bold, lambda game: None]
)
def test_an_agent_is_not_taken_for_what_makes_agents(make: Any) -> None:
    error = refused(match, OwnAgent("bold", make), "random")
    assert "not an agent" in error.message
    assert "'bold'" in str(error)
    assert HINT in error.hint


def test_what_is_made_has_to_be_an_agent() -> None:
    error = refused(match, OwnAgent("none", lambda game: lambda seed: None), "random")  # type: ignore
    assert "it has no decide" in error.message
    assert HINT in error.hint


@pytest.mark.parametrize("arguments", [("bold", Bold()), (Bold(), own(0).make), ("", own(0).make)])
def test_an_agent_of_ones_own_is_a_text_and_a_function(arguments: Any) -> None:
    assert HINT in refused(OwnAgent, *arguments).hint


@pytest.mark.parametrize("answer", [None, 0.7, 0.0, "0", True, [0], np.array([0])])
def test_an_action_is_a_whole_number_and_nothing_is_cut_to_one(answer: Any) -> None:
    error = refused(match, own(answer), "random")
    assert "agent 'bold' did what it may not: an action is a whole number" in error.message
    assert "game 0 of the match, move 1" in str(error)
    assert "decide must return the code" in error.hint


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.uint64])
def test_any_kind_of_whole_number_is_an_action(kind: Any) -> None:
    assert match(own(kind(0)), own(kind(0))).games[0].actions == (0, 0)


@pytest.mark.parametrize("games", ["2", 0, -1, 1.5, None, True])
def test_games_are_counted_in_whole_numbers(games: Any) -> None:
    error = refused(match, "random", "random", games=games)
    assert error.message == "a match has one game or more"
    assert "write games=100" in error.hint


@pytest.mark.parametrize("workers", ["2", 0, -2, 1.5, None])
def test_workers_are_counted_in_whole_numbers(workers: Any) -> None:
    assert "one worker or more" in str(refused(match, "random", "random", workers=workers))


def test_agents_are_a_list() -> None:
    error = refused(play_match, "kuhn_poker", "random", games=1)
    assert "agents must be a list (got 'random')" in str(error)


def test_labels_of_agents_are_all_different() -> None:
    def random(game: Game) -> Callable[[int], RandomAgent]:
        return RandomAgent

    for clashing in (["random", "random", "random#2"], ["random#2", "random", "random"]):
        agents = [OwnAgent(text, random) for text in clashing]
        found = play_match("clue_table", agents, games=1)
        assert len(set(found.agents)) == 3
        assert all(
            label.startswith(text) for label, text in zip(found.agents, clashing, strict=True)
        )
        assert found.agents[clashing.index("random#2")] == "random#2"
        assert set(found.to_json()["wins"]) == set(found.agents)


# Coalitions


@pytest.mark.parametrize(
    "teams, r, searcher",
    [
        ([0, 1, 1], "0.1", None),
        ([0, 1, 1], 1.1, None),
        ([0, 1, 1], -0.1, None),
        ([0, 1, 1], NAN, None),
        ([], 0.1, None),
        ("abb", 0.1, None),
        (3, 0.1, None),
        ([0, 1, 1], 0.1, 3),
        ([0, 1, 1], 0.1, "hider"),
    ],
)
def test_a_coalition_that_makes_no_sense_is_refused(teams: Any, r: Any, searcher: Any) -> None:
    assert refused(coalition_reduction, teams, r, searcher=searcher).hint


@pytest.mark.parametrize("leaving", [[[1, 0, 0]] * 2, [[1, 0], [1, 0]], "each", []])
def test_who_leaves_the_tree_is_said_of_every_player_and_is_always_the_one_who_moves(
    leaving: Any,
) -> None:
    assert "2 players" in str(refused(Search, kuhn_poker(), leaving=leaving))
