"""One seat of any game as an environment of Gymnasium: its own test, and what it does not see."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sleuth
from sleuth.adapters import gymnasium_env
from sleuth.agents import RandomAgent
from sleuth.games.small import KuhnPokerBelief

from .learning import JUDGED, OWN, hides, judged


@pytest.mark.parametrize("name", [*JUDGED, OWN])
def test_every_game_passes_the_test_of_gymnasium(name: str) -> None:
    belief = hides(name)
    judged(check_env, gymnasium_env(name, seat=None, belief=belief, render_mode="ansi"))


def test_it_passes_as_an_environment_by_name() -> None:
    """Then the test makes others of it, in every way to show it."""
    door, chosen = "sleuth.adapters:gymnasium_env", {"game": "kuhn_poker", "belief": True}
    gymnasium.register("sleuth/Kuhn-v0", entry_point=door, kwargs=chosen)
    try:
        made = gymnasium.make("sleuth/Kuhn-v0", render_mode="ansi")
        judged(check_env, made.unwrapped)
    finally:
        del gymnasium.registry["sleuth/Kuhn-v0"]


def game_of(env: Any, seed: int | None, chance: int = 1) -> list[Any]:
    """A whole game at random: the rewards, and the last thing that was told."""
    random, rewards, over = np.random.default_rng(chance), list[float](), False
    _, info = env.reset(seed=seed)
    while not over:
        assert info["action_mask"].astype(bool).tolist() == env.action_masks().tolist()
        action = random.choice(np.flatnonzero(info["action_mask"]))
        _, reward, over, cut, info = env.step(action)
        assert not cut
        rewards.append(reward)
    return [rewards, info]


def test_the_reward_is_the_seats_return_and_comes_with_the_end() -> None:
    for seat in (0, 1):
        env = gymnasium_env("leduc_poker", seat=seat)
        rewards, info = game_of(env, seed=3)
        assert not any(rewards[:-1])
        returns = env.table.play.returns().tolist()
        assert rewards[-1] == returns[seat]
        assert info["returns"] == {"first": returns[0], "second": returns[1]}
        assert info["action_mask"].sum() == 0
        with pytest.raises(sleuth.SleuthError, match=r"over.*reset"):
            env.step(0)


@pytest.mark.usefixtures("plain_python")
def test_others_are_agents_by_name_objects_or_functions() -> None:
    asked: list[int] = []

    def last(view: Any, seen: Any) -> int:
        asked.append(view.viewer)
        return int(view.legal()[-1])

    own = sleuth.OwnAgent("mine", lambda game: lambda seed: RandomAgent(seed))
    for others in (last, {"third": last}):
        env = gymnasium_env(sleuth.game("goofspiel", players=3), seat="second", others=others)
        game_of(env, seed=1)
        assert set(asked) == ({0, 2} if others is last else {2})
        asked.clear()
    for other in ("random", own, RandomAgent(3), "mcts:simulations=20"):
        game_of(gymnasium_env("kuhn_poker", seat="second", others=other), seed=1)
    with pytest.raises(sleuth.SleuthError, match=r"no such role.*'thrid'.*third"):
        gymnasium_env(sleuth.game("goofspiel", players=3), others={"thrid": last})
    with pytest.raises(sleuth.SleuthError, match="no such agent"):
        game_of(gymnasium_env("kuhn_poker", seat=1, others="randm"), seed=1)


def test_the_same_seed_gives_the_same_game_with_the_same_others() -> None:
    env = gymnasium_env("cheat", others="people", seat=None)
    games: list[Any] = []
    for seed in (5, None, 5, None):
        game_of(env, seed)
        games.append((env.seat, env.table.play.record()))
    assert games[:2] == games[2:]
    assert games[0] != games[1]


def test_a_seat_is_named_by_number_or_role_or_drawn() -> None:
    assert gymnasium_env("kuhn_poker", seat="second").table.viewers == (1,)
    env = gymnasium_env("kuhn_poker", seat=None)
    seats = set[int]()
    for seed in range(12):
        told, _ = env.reset(seed=seed)
        seats.add(env.seat)
        assert told[0] == env.seat  # the viewer's number comes first
    assert seats == {0, 1}
    for wrong in (2, -1, "third"):
        with pytest.raises(sleuth.SleuthError, match=r"no such seat.*first, second"):
            gymnasium_env("kuhn_poker", seat=wrong)


def test_an_action_that_is_not_legal_ends_the_game_at_the_least_that_can_be_won() -> None:
    env = gymnasium_env("tic_tac_toe", others=lambda view, seen: int(view.legal()[0]))
    env.reset(seed=1)
    env.step(4)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal"]) == (-1.0, True, 4)
    with pytest.raises(sleuth.SleuthError, match="over"):
        env.step(5)


@pytest.mark.parametrize("action", [9, -1, 1.5, "4", None])
def test_what_is_no_action_is_refused_and_the_game_goes_on(action: Any) -> None:
    env = gymnasium_env("tic_tac_toe")
    env.reset(seed=1)
    with pytest.raises(sleuth.SleuthError, match=r"no such action.*from 0 to 8"):
        env.step(action)
    assert not env.step(4)[2]


def test_what_an_environment_cannot_use_is_refused_when_it_is_made() -> None:
    made: list[tuple[dict[str, Any], str]] = [
        ({"belief": "yes"}, "a belief is needed"),
        ({"others": 5}, "nobody who can play"),
        ({"others": {"second": "randm"}}, "no such agent"),
        ({"seat": True}, "no such seat"),
    ]
    for given, message in made:
        with pytest.raises(sleuth.SleuthError, match=message):
            gymnasium_env("kuhn_poker", **given)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_environments_play_side_by_side_as_a_vector(mode: str) -> None:
    door, chosen = "sleuth.adapters:gymnasium_env", {"game": "kuhn_poker", "belief": True}
    gymnasium.register("sleuth/Kuhns-v0", entry_point=door, kwargs=chosen)
    try:
        made: Any = gymnasium.make_vec("sleuth/Kuhns-v0", 2, vectorization_mode=mode)
        told, infos = made.reset(seed=3)
        for _ in range(4):
            masks = infos["action_mask"]
            assert told.shape == (2, 10)
            actions = np.where(masks.any(axis=1), masks.argmax(axis=1), 0)
            told, _, over, *_, infos = made.step(actions)
        assert over.shape == (2,)
        made.close()
    finally:
        del gymnasium.registry["sleuth/Kuhns-v0"]


def test_a_belief_has_places_for_the_seat_alone() -> None:
    env = gymnasium_env("kuhn_poker", seat=1, belief=True)
    assert env.names[-3:] == tuple(f"card of first: {card}" for card in ("jack", "queen", "king"))
    told, _ = env.reset(seed=1)
    own = sleuth.belief("kuhn_poker")
    mine, _ = gymnasium_env("kuhn_poker", seat=1, belief=own).reset(seed=1)
    assert told.tolist() == mine.tolist()
    assert sorted(told[-3:].tolist()) == [0.0, 0.5, 0.5]


def test_what_has_no_place_is_said() -> None:
    class Late(KuhnPokerBelief):
        def frame(self, game: Any, viewer: int) -> Any:
            return {"nothing": (0, 1)}

        def framed(self, view: Any) -> Any:
            return self.hidden(view)

    _, info = gymnasium_env("kuhn_poker", seat=0, belief=Late()).reset(seed=1)
    assert info["outside"] == ("card of second",)


def test_a_copy_goes_on_from_the_same_moment() -> None:
    env = gymnasium_env("the_resistance", seat=2, belief=True)
    env.reset(seed=4)
    other = pickle.loads(pickle.dumps(env))
    assert other.table.play.record() == env.table.play.record()
    action = int(np.flatnonzero(env.action_masks())[0])
    one, two = env.step(action), other.step(action)
    assert one[1:3] == two[1:3]


def test_a_game_that_never_comes_to_the_seat_is_told() -> None:
    @sleuth.kernel
    def start(state: Any, tables: Any, random: Any) -> None:
        state.player = 0

    @sleuth.kernel
    def legal(state: Any, tables: Any, actions: Any) -> int:
        actions[0] = 0
        return 1

    @sleuth.kernel
    def apply(state: Any, action: int, tables: Any, random: Any) -> None:
        state.player = -1

    @sleuth.kernel
    def returns(state: Any, tables: Any, values: Any) -> None:
        values[0] = 1.0

    alone = replace(
        sleuth.game("tic_tac_toe"),
        name="alone",
        start=start,
        legal=legal,
        apply=apply,
        returns=returns,
        state=np.dtype([("player", np.int32)]),
        fields={},
        settings={},
    )
    with pytest.raises(sleuth.SleuthError, match=r"before the seat's turn.*another seat"):
        gymnasium_env(alone, seat=1).reset(seed=1)
