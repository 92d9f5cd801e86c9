"""Every line of a decision can be played to its end in some determinization."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sleuth import (
    HIDDEN,
    Budget,
    Decision,
    Game,
    Play,
    Search,
    SearchAgent,
    below,
    kernel,
)
from sleuth import (
    game as game_named,
)
from sleuth.agents import drawn_from, parse_agent
from sleuth.kit import View, generator
from sleuth.models.game import legal_actions
from sleuth.planners.search.determinization import Draw
from sleuth.search import from_list

# The dealer knows a secret. They nod or wave, which look alike, or they show: that ends the game,
# if the secret is 1. Then the guesser guesses twice.
NOD, WAVE, SHOW = range(3)
# The fields are those of other small games of tests, for which the search is compiled once. Answers
# are counted here.
STATE = np.dtype([("player", np.int32), ("secret", np.int32), ("answer", np.int32)])


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.secret = below(random, 2)


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    for action in range(3):
        actions[action] = action
    return 3


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.answer += 1
    if state.answer == 4 or (state.player == 1 and action == SHOW and state.secret == 1):
        state.player = -1
    elif state.answer == 1:
        state.player = 1
    else:
        state.player = 0


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return 0 if mover == 1 and viewer != 1 and action != SHOW else 1 + action


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = float(state.answer)
    values[1] = float(4 - state.answer)


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    if viewer != 1:
        state.secret = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secret = world[0]


def secrets() -> Game:
    return Game(
        name="secrets", version=1, roles=("guesser", "dealer"), state=STATE, action_space=3,
        max_actions=3, max_depth=4, lowest=0, highest=4, start=start, legal=legal, apply=apply,
        returns=returns, observe=observe, mask=mask, fill=fill,
        action_name=lambda action: ("nod", "wave", "show")[action],
    )  # fmt: skip


def playable(game: Game, states: Any, line: tuple[str, ...]) -> bool:
    """Whether a state can be led along a line of moves."""
    for place, said in enumerate(line):
        player = int(states[0].player)
        names = {
            f"{game.roles[player]}: {game.action_name(code)}": code
            for code in legal_actions(game, states).tolist()
        }
        if said not in names:
            return False
        game.apply(states[0], names[said], game.tables, generator(1, place))
    return True


def in_some_world(view: View, rows: NDArray[Any], line: tuple[str, ...]) -> bool:
    game = view.game
    for number, row in enumerate(rows):
        states = view.states
        game.fill(states[0], np.asarray(row, np.int16), game.tables, generator(2, number))
        if playable(game, states, line):
            return True
    return False


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("secret", [[0, 1], [1]])
def test_no_line_goes_on_after_an_action_that_ends_the_game(seed: int, secret: list[int]) -> None:
    rows = np.array([[value] for value in secret])
    view = Play.new(secrets(), seed=1).view(0)
    decision = Search(secrets()).decide(view, from_list(rows), Budget(simulations=600), seed=seed)
    # The dealer ends it at once where that is best for them.
    assert any("show" in line[1] for line in decision.lines)
    for line in decision.lines:
        assert in_some_world(view, rows, line), line
        if secret == [1] and "show" in line[1]:
            assert len(line) == 2


def test_a_line_goes_on_where_several_actions_look_alike() -> None:
    rows = np.array([[0]])
    view = Play.new(secrets(), seed=1).view(0)
    decision = Search(secrets()).decide(view, from_list(rows), Budget(simulations=600), seed=1)
    assert all(len(line) == 4 for line in decision.lines)


def decided(name: str, text: str, seed: int) -> tuple[View, Decision, Draw]:
    """A decision some moves into a game, with a way to draw what the player thinks possible."""
    game = game_named(name)
    play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
    for _ in range(8):
        play.apply(int(rng.choice(play.legal())))
    view, seen = play.view(play.player), play.seen_by(play.player)
    agent = parse_agent(text).prepare(game)(seed)
    assert isinstance(agent, SearchAgent)
    decision = agent.decision(view, seen)
    if agent.guess is not None:
        return view, decision, from_list(*agent.guess(view, seen))
    assert agent.belief is not None
    return view, decision, drawn_from(agent.belief, agent.posterior(view, seen))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "name, text",
    [
        ("cheat", "mcts:simulations=1500"),
        ("cheat", "players:simulations=1500,imagined=rules"),
        ("scotland_yard", "mcts:simulations=1500,imagined=rules"),
        ("scotland_yard", "players:simulations=1500,imagined=rules"),
    ],
)
def test_lines_of_larger_games_can_be_played(name: str, text: str, seed: int) -> None:
    view, decision, draw = decided(name, text, seed)
    rows = draw(2_000, np.random.default_rng(1))
    assert decision.lines
    for line in decision.lines:
        assert in_some_world(view, rows, line), line
