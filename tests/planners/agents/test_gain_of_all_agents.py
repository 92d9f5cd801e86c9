"""Every agent of every game either learns, or says why it cannot: a gain is never ignored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth import Objective, Play, Search, SearchAgent, game
from sleuth.agents import AGENTS, parse_agent, search_agent
from sleuth.errors import SettingsError
from sleuth.models.games import entries
from sleuth.planners.agents.names import agents_of
from sleuth.planners.search.objective import VALUE
from sleuth.search import Learning, from_list

GAMES = tuple(entry.name for entry in entries())
#: What is said, by the agent's name, in every game.
REFUSED = {
    **dict.fromkeys(("semi", "mga", "pmga", "fpmga"), "searched as if it were so"),
    **dict.fromkeys(
        (
            *("random", "people", "alpha_beta", "expectimax", "asking"),
            *("bot", "policy", "sound", "lbr", "safe"),
        ),
        "no such option",
    ),
}
#: Other names of agents that are here.
SAME = ("search", "paranoid")
#: Other reasons: that nothing is hidden, or of what the game's belief does not know.
ELSEWHERE = (
    "nothing is hidden",
    "no action is a question",
    "in this game no action is seen in part",
)
#: Who learns, in some games.
LEARNS = {
    "cheat": {"mcts", "players", "uniform", "vote", "average", "ours"},
    "kuhn_poker": {"mcts", "players", "uniform"},
    "saboteur": {"mcts", "players", "uniform", "vote", "average"},
}


def learns(name: str, of: str) -> bool:
    """Whether an agent wants to learn something in its first decisions; it makes one of them."""
    made = game(of)
    agent = parse_agent(f"{name}:gain=0.25,simulations=16").prepare(made)(1)
    assert isinstance(agent, SearchAgent)
    for play, objective in learning_moments(agent):
        assert objective.gain_weight == 0.25
        play.apply(agent.decide(play.view(play.player), play.seen_by(play.player)))
        return True
    return False


def learning_moments(agent: SearchAgent) -> Iterator[tuple[Play, Objective]]:
    """Moments early in a game at which an agent may learn something, and what it wants there."""
    play, rng = Play.new(agent.search.game, seed=3), np.random.default_rng(1)
    for _ in range(100):
        if play.over:
            return
        view, seen = play.view(play.player), play.seen_by(play.player)
        if len(view.legal()) > 1:
            objective = agent.objective(view, seen, agent.posterior(view, seen))
            if objective is not VALUE and objective.entropy > 0.0:
                yield play, objective
        play.apply(int(rng.choice(view.legal())))


def why_not(name: str, of: str) -> str | None:
    """Why an agent refuses to learn; None if it learns."""
    try:
        assert learns(name, of), f"{name} ignores a gain in {of}"
    except SettingsError as error:
        return str(error)
    return None


@pytest.mark.parametrize("of", GAMES)
def test_an_agent_learns_or_says_why_not(of: str, plain_python: None) -> None:
    learning: set[str] = set()
    for name in agents_of(game(of)):
        if name in SAME:
            continue
        reason = why_not(name, of)
        if reason is None:
            learning.add(name)
            assert name not in REFUSED
            continue
        own = REFUSED.get(name) if name in (*AGENTS, *REFUSED, "ours") else "no such option"
        assert any(each in reason for each in (own, *ELSEWHERE) if each), f"{name}: {reason}"
        if "no such option" in reason:
            assert "'gain'" in reason
            assert "agents that search have it" in reason
    if game(of).hides:
        assert {"mcts", "players", "uniform"} <= learning
    assert LEARNS.get(of, learning) == learning


def test_separate_trees_learn_at_once_or_not_at_all(plain_python: None) -> None:
    for option in ("depth=2", "asks=yes", "gain_discount=0.5", "share=0.1"):
        with pytest.raises(SettingsError, match="only what an action tells at once counts"):
            search_agent(f"vote:gain=1,{option}", game("saboteur"), seed=1)
    agent = search_agent("vote:gain=1,simulations=64,depth=1,asks=no", game("saboteur"), seed=1)
    play, objective = next(learning_moments(agent))
    assert max(objective.exact.values()) > 0.1
    assert not objective.follows
    decision = agent.decision(play.view(play.player), play.seen_by(play.player))
    for report in decision.actions:
        assert (report.gain or 0.0) == pytest.approx(objective.exact.get(report.action, 0.0))
        assert not report.later


def test_a_search_in_separate_trees_is_not_told_what_to_look_for(plain_python: None) -> None:
    kuhn = game("kuhn_poker")
    classes = Objective(
        gain_weight=1.0, classes=lambda rows: np.zeros(len(rows), np.int32), class_names=("any",)
    )
    with pytest.raises(SettingsError, match="everything is known, so nothing is learned"):
        Search(kuhn, trees=2).decide(
            Play.new(kuhn, seed=1).view(0), from_list([[0, 1, 2]]), objective=classes
        )


def test_a_gain_in_a_tree_of_all_actions_is_refused_before_the_game() -> None:
    with pytest.raises(SettingsError, match="players know more than they see"):
        search_agent("mcts:gain=1,information=actions", game("kuhn_poker"), seed=1)


@pytest.mark.parametrize("name", ["mcts", "vote", "pmga"])
@pytest.mark.parametrize(
    "option", ["about=claim", "depth=2", "gain_discount=0.5", "asks=no", "share=0.1"]
)
def test_what_says_how_a_gain_is_known_is_refused_without_one(name: str, option: str) -> None:
    with pytest.raises(SettingsError, match="there is no gain") as raised:
        search_agent(f"{name}:{option}", game("cheat"), seed=1)
    assert option.partition("=")[0] in str(raised.value.where)
    search_agent(f"{name}:gain=0,{option}", game("cheat"), seed=1)


@pytest.mark.parametrize("of", ["saboteur", "clue", "kuhn_poker"])
def test_a_name_that_nothing_hidden_has_is_refused_before_the_game(of: str) -> None:
    with pytest.raises(SettingsError, match="nothing hidden has this name"):
        search_agent("mcts:gain=1,about=rolls", game(of), seed=1)


def test_nothing_is_to_be_learned_about_what_a_player_knows() -> None:
    kuhn = game("kuhn_poker")
    play = Play.new(kuhn, seed=1)
    for player, name in enumerate(("first", "second")):
        agent = search_agent(f"mcts:simulations=16,gain=1,about=card_of_{name}", kuhn, seed=1)
        view, seen = play.view(player), play.seen_by(player)
        posterior = agent.posterior(view, seen)
        assert agent.objective(view, seen, posterior) is VALUE
        wrong = replace(agent, learning=Learning(gain_weight=1.0, about="rolls"))
        with pytest.raises(SettingsError, match="nothing hidden has this name"):
            wrong.objective(view, seen, posterior)


@pytest.mark.parametrize("wrong", [{"about": 3}, {"about": ["role"]}, {"asks": "no"}])
def test_what_is_to_be_learned_is_checked(wrong: Any) -> None:
    with pytest.raises(SettingsError, match=f"learning, {next(iter(wrong))}"):
        Learning(gain_weight=1.0, **wrong)


@pytest.mark.parametrize("name", ["mcts", "alpha_beta"])
@pytest.mark.parametrize(
    "of, said",
    [
        ("tic_tac_toe", "nothing is hidden in this game"),
        ("kuhn_poker", "no likelihoods to choose from"),
    ],
)
def test_a_belief_by_name_is_refused_where_there_is_none(of: str, said: str, name: str) -> None:
    with pytest.raises(SettingsError, match=said) as raised:
        parse_agent(f"{name}:belief=kinds").prepare(game(of))
    assert "'kinds'" in str(raised.value)
    assert "likelihood'" not in str(raised.value)
