"""Any game as an environment of PettingZoo: its own tests, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.seed_test import parallel_seed_test

import sleuth
from sleuth.adapters import aec_env, parallel_env
from sleuth.models.kernels.randomness import generator
from sleuth.models.play import Play

from .learning import JUDGED, OWN, QUICK, hides, judged


@pytest.mark.parametrize("name", [*JUDGED, OWN])
def test_every_game_passes_the_tests_of_pettingzoo(name: str) -> None:
    belief = hides(name)
    judged(api_test, aec_env(name, belief=belief, render_mode="ansi"), num_cycles=1000)
    judged(seed_test, lambda: aec_env(name, belief=belief), num_cycles=20)
    judged(parallel_api_test, parallel_env(name, belief=belief), num_cycles=100)
    judged(parallel_seed_test, lambda: parallel_env(name, belief=belief))


@pytest.mark.parametrize("name", ["kuhn_poker", "tic_tac_toe"])
def test_they_pass_without_beliefs_too(name: str) -> None:
    judged(api_test, aec_env(name), num_cycles=50)
    judged(seed_test, lambda: aec_env(name), num_cycles=20)
    judged(parallel_api_test, parallel_env(name), num_cycles=50)


def played(env: Any, seed: int, steps: int | None = None) -> Any:
    """An environment after some steps at random, or after a whole game."""
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    done = 0
    while not any(env.terminations.values()) and done != steps:
        mask = env.last()[0]["action_mask"]
        env.step(int(random.choice(np.flatnonzero(mask))))
        done += 1
    return env


def test_an_agent_is_handed_the_fields_then_its_belief_and_the_legal_actions() -> None:
    env: Any = aec_env("leduc_poker", belief=True)
    env.reset(seed=3)
    play, space = env.unwrapped.table.play, sleuth.kit.BeliefSpace.of("leduc_poker")
    for number, agent in enumerate(env.possible_agents):
        told, view = env.observe(agent), play.view(number)
        expected = [play.game.observation(view), space.observation(view, play.seen_by(number))]
        assert np.array_equal(told["observation"], np.concatenate(expected))
        legal = play.legal().tolist() if number == play.player else []
        assert np.flatnonzero(told["action_mask"]).tolist() == legal
        assert len(env.unwrapped.names) == len(told["observation"])
    assert env.unwrapped.roles == {"player_0": "first", "player_1": "second"}


@pytest.mark.parametrize("name", ["kuhn_poker", "hanabi", "the_resistance"])
def test_all_players_are_given_the_returns_with_the_last_step(name: str) -> None:
    env = played(aec_env(name), seed=4)
    returns = env.unwrapped.table.play.returns().tolist()
    assert [env.rewards[agent] for agent in env.possible_agents] == returns
    last: dict[str, float] = {}
    for agent in env.agent_iter():
        last[agent] = env.last()[1]
        env.step(None)
    assert list(last.values()) == returns
    steps: Any = parallel_env(name)
    told, infos = steps.reset(seed=4)
    sums = dict.fromkeys(steps.possible_agents, 0.0)
    random = np.random.default_rng(4)
    while steps.agents:
        (mover,) = (agent for agent in steps.agents if infos[agent]["moves"])
        action = int(random.choice(np.flatnonzero(told[mover]["action_mask"])))
        told, rewards, *_, infos = steps.step(dict.fromkeys(steps.agents, 0) | {mover: action})
        sums = {agent: sums[agent] + rewards[agent] for agent in sums}
    assert list(sums.values()) == steps.table.play.returns().tolist() == returns


#: With ``SLEUTH_JUDGES=1`` all games in which something is hidden.
SECRET = [name for name in JUDGED if hides(name)]
SECRET = SECRET if len(JUDGED) > len(QUICK) else ["kuhn_poker", "cheat", "love_letter", "goofspiel"]


@pytest.mark.parametrize("name", SECRET)
def test_no_byte_an_agent_is_handed_depends_on_what_it_cannot_see(name: str) -> None:
    changed = 0
    for steps in (0, 2, 4):
        env = played(aec_env(name, belief=True, render_mode="ansi"), 5, steps)
        if any(env.terminations.values()):
            continue
        table = env.unwrapped.table
        play: Play = table.play
        viewer, belief = play.player, table.space.belief
        told = env.observe(f"player_{viewer}")
        before = [told["observation"].tobytes(), told["action_mask"].tobytes(), env.render()]
        view = play.view(viewer)
        posterior = belief.infer(view, play.seen_by(viewer))
        for row in belief.worlds(posterior, 3, np.random.default_rng(steps)):
            states = view.states
            play.game.fill(states[0], row, play.game.tables, generator(1))
            changed += states.tobytes() != play.truth().tobytes()
            table._play = play.supposing(states)
            told = env.observe(f"player_{viewer}")
            after = [told["observation"].tobytes(), told["action_mask"].tobytes(), env.render()]
            assert after == before
    assert changed


def test_an_action_that_is_not_legal_ends_the_game_at_the_least_that_can_be_won() -> None:
    env: Any = aec_env("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    env.step(4)  # the square is taken
    assert env.terminations == {"player_0": True, "player_1": True}
    assert (env.rewards["player_0"], env.rewards["player_1"]) == (0, -1.0)
    env.reset(seed=1)
    with pytest.raises(AssertionError):
        env.step(9)  # there is no such action
    raw = env.unwrapped
    raw.reset(seed=1)
    raw.step(4)
    with pytest.raises(sleuth.SleuthError, match="not legal"):
        raw.step(4)
    steps: Any = parallel_env("tic_tac_toe")
    steps.reset(seed=1)
    steps.step({"player_0": 4, "player_1": 0})
    _, rewards, ended, _, infos = steps.step({"player_0": 0, "player_1": 4})
    assert (rewards, steps.agents) == ({"player_0": 0.0, "player_1": -1.0}, [])
    assert all(ended.values())
    assert infos["player_1"]["illegal"] == 4
    steps.reset(seed=1)
    for actions in ({"player_1": 0}, {"player_0": 9, "player_1": 0}):
        with pytest.raises(sleuth.SleuthError, match=r"no action of the agent|no such action"):
            steps.step(actions)


@pytest.mark.parametrize("name", ["cheat", "goofspiel", OWN])
def test_a_copy_goes_on_from_the_same_moment(name: str) -> None:
    """Goofspiel cannot be pickled itself: it is made again by its name."""
    env = played(aec_env(name, belief=True), seed=2, steps=3)
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        for each in (agent for agent in env.agents):
            one, two = env.observe(each), other.observe(each)
            assert one["observation"].tobytes() == two["observation"].tobytes()
        action = int(np.flatnonzero(other.last()[0]["action_mask"])[0])
        again = pickle.loads(pickle.dumps(env))
        for mine in (other, again):
            mine.step(action)
        assert np.array_equal(*(x.unwrapped.table.play.actions for x in (other, again)))
        for mine in (other, again):
            mine.reset()  # the chance goes on, too
        seeds = {mine.unwrapped.table.play.seed for mine in (other, again)}
        assert len(seeds) == 1
    steps: Any = parallel_env(name)
    steps.reset(seed=3)
    handed = pickle.loads(pickle.dumps(steps))
    assert handed.table.play.record() == steps.table.play.record()


def test_the_same_seed_deals_the_same_game_and_none_goes_on() -> None:
    env: Any = aec_env("cheat")
    dealt: list[int] = []
    for seed in (7, None, 7, None):
        env.reset(seed=seed)
        dealt.append(env.unwrapped.table.play.seed)
    assert dealt[:2] == dealt[2:]
    assert dealt[0] != dealt[1]


def test_a_table_is_shown_as_the_games_display_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    env = played(aec_env("kuhn_poker", render_mode="ansi"), seed=1, steps=1)
    text = env.render()
    assert "a hidden card" in text
    assert text.startswith("first: ")
    loud: Any = parallel_env("kuhn_poker", render_mode="human")
    loud.reset(seed=1)
    assert loud.render() is None
    assert "in the pot" in capsys.readouterr().out
    assert parallel_env("kuhn_poker").render() is None  # type: ignore[func-returns-value]
    with pytest.raises(sleuth.SleuthError, match="shown as text"):
        aec_env("kuhn_poker", render_mode="rgb_array")


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_a_missing_library_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(sleuth.SleuthError, match=rf"{missing} is not installed.*sleuth\[rl\]"):
        aec_env("kuhn_poker")


def test_a_game_without_anything_hidden_has_no_belief_to_hand_over() -> None:
    with pytest.raises(sleuth.SleuthError, match="nothing is hidden"):
        aec_env("tic_tac_toe", belief=True)
    with pytest.raises(sleuth.SleuthError, match="no game was begun"):
        aec_env("kuhn_poker").unwrapped.table.play  # type: ignore[attr-defined] # noqa: B018
