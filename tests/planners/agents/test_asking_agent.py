"""An agent that asks takes what its planner says, and what a search says where nothing is asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from sleuth import Play, check_agent, game
from sleuth.agents import AskingAgent, parse_agent, search_agent
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.clue import clue_table
from sleuth.kit import SeenPlay, View
from sleuth.search import AskingAhead

pytestmark = pytest.mark.usefixtures("plain_python")


@dataclass
class First:
    """Takes the first legal action, and knows where it did."""

    name: str = "first"
    asked: list[int] = field(default_factory=list[int])

    def decide(self, view: View, seen: SeenPlay) -> int:
        self.asked.append(len(seen.events))
        return int(view.legal()[0])


def test_it_asks_what_tells_most_and_leaves_all_else_to_another() -> None:
    clue, first = clue_table(players=3), First()
    known = belief_or_none(clue)
    assert known is not None
    agent = AskingAgent(belief=known, otherwise=first, planner=AskingAhead(steps=1))
    play, suggested = Play.new(clue, seed=4), 0
    for _ in range(14):
        if play.over:
            break
        view, seen = play.view(play.player), play.seen_by(play.player)
        questions: Any = known.questions(view)  # type: ignore[attr-defined]
        before = len(first.asked)
        action = agent.decide(view, seen)
        if questions:
            (file,) = known.hidden(view).values()
            gains = known.infer(view, seen).information_gain([*questions.values()], about=file)
            told = dict(zip(questions, gains, strict=True))
            assert told[action] == pytest.approx(max(gains))
            suggested += 1
        assert len(first.asked) == before + (not questions)
        play.apply(action)
    assert suggested >= 2
    assert first.asked


def test_it_asks_nothing_where_all_is_known() -> None:
    saboteur, first = game("saboteur"), First()
    known = belief_or_none(saboteur)
    assert known is not None
    agent = AskingAgent(belief=known, otherwise=first)
    certain = replace(agent, planner=Knowing())  # type: ignore[arg-type]
    play = Play.new(saboteur, seed=3)
    for _ in range(60):
        view, seen = play.view(play.player), play.seen_by(play.player)
        found = agent.asked(view, seen)
        if found is not None:
            assert found.gain + found.later > 0.0
            assert agent.decide(view, seen) == found.code in view.legal()
            assert certain.asked(view, seen) is None
            assert certain.decide(view, seen) == view.legal()[0]
            return
        play.apply(int(view.legal()[0]))
    raise AssertionError("nothing was asked")


class Knowing(AskingAhead):
    """Finds that no question tells anything."""

    def choose(self, *given: Any, **named: Any) -> Any:
        return replace(super().choose(*given, **named), gain=0.0, later=0.0)


def test_it_does_not_depend_on_what_the_player_cannot_see() -> None:
    make = parse_agent("asking:steps=1,simulations=2").prepare(game("scotland_yard"))
    assert check_agent(game("scotland_yard"), lambda: make(3), plays=1, worlds=2) > 5


@pytest.mark.parametrize(
    "of, text, words",
    [
        ("kuhn_poker", "asking", "kuhn_poker.*no action is a question.*mcts"),
        ("tic_tac_toe", "asking", "nothing is hidden in this game"),
        ("cheat", "asking", "shows more than it asks.*a gain"),
        ("scotland_yard", "asking", "moves between two questions.*steps=1"),
        ("clue_table", "asking:steps=3", "one step ahead or two.*got 3"),
        ("clue_table", "asking:about=gold", "nothing hidden has this name.*got 'gold'"),
        ("clue_table", "asking:simulations=0", "simulations must be positive"),
        ("clue_table", "asking:gain=1", "no such option.*agents that search have it"),
    ],
)
def test_games_and_options_that_do_not_fit_are_refused(of: str, text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        parse_agent(text).prepare(game(of))


def test_it_is_no_agent_of_which_a_search_is_asked() -> None:
    with pytest.raises(SettingsError, match="does not search"):
        search_agent("asking:simulations=2", game("clue_table"), seed=1)
