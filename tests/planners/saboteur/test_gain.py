"""Information about roles and gold as a part of what our search wants in Saboteur."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pytest

from sleuth import Objective, Play, belief, game
from sleuth.agents import search_agent
from sleuth.errors import SettingsError
from sleuth.games.saboteur import GOLD, REPAIRS, card_name, flood
from sleuth.kit import generator
from sleuth.models.saboteur.state import KINDS, MAP, MINER, SABOTEUR, SAY_GOLD, SAY_STONE
from sleuth.planners.search.objective import VALUE

PAPER = game("saboteur", rules="paper")
#: What one goal of three tells about the gold.
THIRD = math.log2(3) - 2 / 3


def objective(play: Play, options: str = "gain=0.1") -> Objective:
    agent = search_agent(f"mcts:simulations=50,{options}", play.game, seed=1)
    view, seen = play.view(play.player), play.seen_by(play.player)
    return agent.objective(view, seen, agent.posterior(view, seen))


def named(gains: Mapping[int, float]) -> dict[str, float]:
    return {PAPER.action_name(code): bits for code, bits in gains.items()}


def dealt(*, roles: tuple[int, ...] = (MINER, MINER, MINER, SABOTEUR, SABOTEUR)) -> Any:
    """The first two players have maps, and the gold lies on top."""
    states = PAPER.initial(3)
    state: Any = states[0]
    state.roles[:5] = roles
    state.goals[:] = [GOLD, 1, 2]
    passage = next(kind for kind in range(KINDS) if card_name(kind, 1) == "NESW")
    state.hands[:2] = [passage, MAP, MAP, -1, -1, -1]
    return states


def told(states: Any, word: int = SAY_GOLD) -> Play:
    """The first player looks at the goal on top and says what it is; it is the second's turn."""
    play = Play.new(PAPER, seed=3, start=states)
    codes = {PAPER.action_name(code): code for code in play.legal().tolist()}
    play.apply(codes["map top"])
    play.apply(word)
    return play


def entropy(shares: list[float]) -> float:
    return -sum(each * math.log2(each) for each in shares if each > 0)


def test_a_map_tells_of_one_goal_of_three_and_no_other_card_tells_anything() -> None:
    play = Play.new(PAPER, seed=3, start=dealt())
    found = objective(play)
    maps = {"map top", "map middle", "map bottom"}
    assert named(found.exact) == pytest.approx(dict.fromkeys(maps, THIRD))
    assert objective(play, "gain=0.1,about=role").exact == pytest.approx(
        dict.fromkeys(found.exact, 0.0)
    )
    decided = search_agent("mcts:simulations=200,gain=5", PAPER, seed=1).decision(
        play.view(0), play.seen_by(0)
    )
    assert decided.name in maps
    for each in decided.actions:
        bits = THIRD if each.name in maps else 0.0
        assert each.score == pytest.approx(each.value + 5 * (bits + each.later), nan_ok=True)


def test_a_map_tells_whether_words_were_true_and_so_about_roles() -> None:
    play = told(dealt())
    by_hand: dict[str, float] = {"gold": 0.0}
    # A miner's word is likelier by 0.7 nats where it is true, less likely by 4.6 where it is not;
    # the table says nothing of one who looks at a map.
    worlds: dict[tuple[tuple[int, ...], int], float] = {}
    for saboteurs in itertools.combinations((0, 2, 3, 4), 2):
        for gold in range(3):
            true = gold == 0
            weight = 1.0 if 0 in saboteurs else math.exp(0.7 if true else -4.6)
            worlds[saboteurs, gold] = weight
    total = sum(worlds.values())

    def shares(what: Any, given: Any) -> list[float]:
        sums: dict[Any, float] = {}
        for world, weight in worlds.items():
            if given(world):
                sums[what(world)] = sums.get(what(world), 0.0) + weight
        return [each / sum(sums.values()) for each in sums.values()]

    def gain(what: Any, goal: int) -> float:
        bits = entropy(shares(what, lambda _: True))
        for answer in (True, False):
            mass = sum(w for world, w in worlds.items() if (world[1] == goal) == answer) / total
            bits -= mass * entropy(shares(what, lambda world, a=answer: (world[1] == goal) == a))
        return bits

    for goal, name in enumerate(("map top", "map middle", "map bottom")):
        by_hand = {"gold": gain(lambda world: world[1], goal)}
        for other in (0, 2, 3, 4):
            by_hand[f"role_of_player_{other + 1}"] = gain(lambda w, o=other: o in w[0], goal)
        roles = sum(bits for what, bits in by_hand.items() if what != "gold")
        for about, bits in {**by_hand, "role": roles}.items():
            found = named(objective(play, f"gain=0.1,about={about}").exact)
            assert found[name] == pytest.approx(bits, abs=1e-9)
        assert named(objective(play).exact)[name] == pytest.approx(by_hand["gold"] + roles)
    assert by_hand["role_of_player_1"] > 0.01


def test_the_gain_is_that_of_the_players_own_belief() -> None:
    first = objective(told(dealt())).exact
    # Neither the gold nor the roles and hands of others are theirs to see.
    states = dealt(roles=(SABOTEUR, MINER, SABOTEUR, MINER, MINER))
    states[0].goals[:] = [1, 2, GOLD]
    states[0].hands[2:5] = states[0].hands[[4, 2, 3]]
    other = told(states)
    assert objective(other).exact == first
    agent = search_agent("mcts:simulations=50,gain=0.1", PAPER, seed=1)
    made = {agent.decide(play.view(1), play.seen_by(1)) for play in (told(dealt()), other)}
    assert len(made) == 1
    # What they have heard themselves is.
    assert objective(told(dealt(), SAY_STONE)).exact != first


def test_who_knows_the_gold_has_nothing_to_learn() -> None:
    states = dealt()
    states[0].looked[0] = 1
    play = Play.new(PAPER, seed=3, start=states)
    for about in ("", ",about=gold", ",about=role"):
        assert objective(play, "gain=0.1" + about) is VALUE
    with pytest.raises(SettingsError, match="nothing hidden has this name"):
        objective(told(dealt()), "gain=0.1,about=rolls")


def test_a_path_card_tells_of_the_goals_that_it_reaches() -> None:
    known, asked = belief(PAPER), 0
    for seed in (2, 12, 28):  # in which goals are reached
        play, random = Play.new(PAPER, seed=seed), generator(seed)
        while not play.over:
            view, state = play.view(play.player), play.truth()
            legal = play.legal()
            chosen = int(legal[PAPER.policy(state[0], legal, len(legal), PAPER.tables, random)])
            questions = known.questions(view)  # pyright: ignore[reportAttributeAccessIssue]
            turned = state[0].board[PAPER.tables.rules[0].goals].copy()
            goals = view.states[0].goals.tolist()
            name = PAPER.action_name(chosen)
            play.apply(chosen)
            after = play.truth()[0].board[PAPER.tables.rules[0].goals]
            if GOLD in goals or name.startswith(("map", "say")):
                continue
            new = [goals[goal] < 0 for goal in range(3) if turned[goal] != after[goal]]
            asked += any(new)
            assert any(new) == (chosen in questions)
    assert asked


#: Three players who draw no cards.
FEW = game("saboteur", rules="paper", players=3, saboteurs=1, hand=3, stock=0)
DEEP = "gain=1,depth=2,worlds=250"


def blocked() -> Play:
    """The first player has broken tools, a repair, and a card that would reach the middle goal."""
    states = FEW.initial(3)
    state, rules = states[0], FEW.tables.rules[0]
    kinds = {card_name(kind, 1): kind for kind in range(KINDS)}
    state.board[rules.start + 1 : rules.start + 7] = 1 + 2 * kinds["NESW"]
    flood(state, FEW.tables)
    state.broken[0] = 1
    state.goals[:] = [GOLD, 1, 2]
    state.hands[:3, :3] = [[kinds["NESW"], REPAIRS, -1], *[[REPAIRS] * 3] * 2]
    return Play.new(FEW, seed=3, start=states)


@pytest.mark.parametrize("asks", ["yes", "no"])
def test_a_repair_is_worth_what_the_next_card_will_tell(asks: str) -> None:
    play = blocked()
    view, seen = play.view(0), play.seen_by(0)
    # Nothing tells anything now: one ply ahead, there is nothing to learn.
    assert objective(play, "gain=1") is VALUE
    agent = search_agent(f"mcts:simulations=2000,{DEEP},asks={asks}", FEW, seed=1)
    decision = agent.decision(view, seen)
    assert decision.name == "repair tools player 1"
    repair, *others = decision.actions
    # The card tells of one goal of three, unless somebody is in the way again.
    assert 0.3 < repair.later < THIRD
    assert repair.gain in (None, 0.0)
    assert [each.later for each in others] == pytest.approx([0.0, 0.0])
    assert repair.score == pytest.approx(repair.value + repair.later)
    assert decision.learning is not None
    assert (decision.learning.asked > 0) == (asks == "yes")


@pytest.mark.parametrize("about", ["gold", "role"])
def test_a_map_that_is_kept_tells_later_of_gold_and_roles(about: str) -> None:
    play = told(dealt())
    options = f"simulations=1500,gain=0.05,about={about}"
    now = search_agent(f"mcts:{options}", PAPER, seed=1)
    later = search_agent(f"mcts:{options},depth=2", PAPER, seed=1)
    view, seen = play.view(1), play.seen_by(1)
    before = [each.later for each in now.decision(view, seen).actions]
    assert before == pytest.approx([0.0] * len(before))
    decision = later.decision(view, seen)
    kept = [each for each in decision.actions if not each.name.startswith("map") and each.visits]
    most = max(now.decision(view, seen).gains.values())
    assert 0.0 < max(each.later for each in kept) <= most + 1e-9


def test_below_the_root_exact_gains_are_those_of_the_belief_there() -> None:
    play = told(dealt())
    view, seen = play.view(1), play.seen_by(1)
    agent = search_agent("mcts:simulations=50,gain=0.1,depth=2", PAPER, seed=1)
    wanted = agent.objective(view, seen, agent.posterior(view, seen))
    assert wanted.ask is not None
    # Three discards later nothing else is known, whatever the others have done.
    after = play.record().replay(PAPER)
    for _ in range(len(PAPER.roles)):
        codes = {PAPER.action_name(code): code for code in after.legal().tolist()}
        after.apply(next(code for name, code in codes.items() if name.startswith("discard")))
    assert after.player == 1
    said = wanted.ask(after.truth(), (), gains=True)
    assert said is not None
    assert said.gains is not None
    assert said.entropy == pytest.approx(wanted.entropy)
    maps = {code for code in said.gains if PAPER.action_name(code).startswith("map")}
    assert len(maps) == 3
    for code in maps:
        assert said.gains[code] == pytest.approx(wanted.exact[code])
    # Where the gold is seen, only roles are open.
    found = after.truth()
    found[0].looked[1] = 1
    shown = wanted.ask(found, (), gains=True)
    assert shown is not None
    assert not shown.gains
    assert shown.entropy < said.entropy - 1.0
    # When another round has begun, roles are others.
    found[0].rounds_played += 1
    assert wanted.ask(found, (), gains=True) is None


def test_a_search_of_one_ply_sees_no_second_decision() -> None:
    with pytest.raises(SettingsError, match="comes to no second decision"):
        search_agent("mcts:gain=0.1,depth=2,horizon=1", PAPER, seed=1)
