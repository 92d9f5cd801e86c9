"""Games of the kit in OpenSpiel: its own tests pass, its searches run, and nothing leaks."""

from __future__ import annotations

import os
import pickle
import random
import unittest
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import sleuth
from sleuth.adapters import openspiel_game
from sleuth.equilibria import GameTree
from sleuth.models.kernels.randomness import generator
from sleuth.models.play import Play

pyspiel: Any = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.usefixtures("plain_python")

#: The games that are tested always, and so many rounds of all others as the environment says.
QUICK = ("kuhn_poker", "tic_tac_toe", "leduc_poker", "hanabi")
ROUNDS = int(os.environ.get("SLEUTH_OPENSPIEL_ROUNDS", "0"))
GAMES = tuple(sleuth.games.names()) if ROUNDS else QUICK
SECRET = ("kuhn_poker", "leduc_poker", "cheat", "clue_table")


@pytest.fixture(autouse=True)
def quiet(capfd: pytest.CaptureFixture[str]) -> Any:
    """Their tests say a lot."""
    yield
    capfd.readouterr()


# Their own tests


@pytest.mark.parametrize("name", GAMES)
def test_random_games_pass_the_test_of_openspiel(name: str) -> None:
    made = openspiel_game(name)
    # Sampled chance of a Python game has no state that they could write down.
    explicit = made.get_type().chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    pyspiel.random_sim_test(made, num_sims=max(1, ROUNDS), serialize=explicit, verbose=False)


@pytest.mark.parametrize("name", ["love_letter", *(GAMES if ROUNDS else ())])
def test_random_games_of_drawn_deals_can_be_written_down(name: str) -> None:
    made = openspiel_game(name, drawn=20, most=1_000)
    assert made.get_type().chance_mode != pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    pyspiel.random_sim_test(made, num_sims=max(1, ROUNDS), serialize=True, verbose=False)


def judged(base: Any, name: str, made: Any) -> unittest.TestResult:
    """The outcome of a class of their tests for a game."""
    short = made.get_type().short_name
    kind = type(f"{base.__name__}Of{short}", (base,), {"game": made, "game_name": short})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(kind).run(result)
    assert result.testsRun >= 4
    return result


@pytest.mark.parametrize("name", GAMES if ROUNDS else QUICK[:1])
def test_states_pass_the_tests_of_their_interface(name: str) -> None:
    api: Any = import_module("open_spiel.integration_tests.api_test")
    result = judged(api.EnforceAPIOnPartialTreeBase, name, openspiel_game(name))
    assert (result.failures, result.errors) == ([], [])


@pytest.mark.parametrize("name", ["kuhn_poker", *(["leduc_poker"] if ROUNDS else [])])
def test_the_whole_tree_passes_theirs_and_is_ours(name: str) -> None:
    api: Any = import_module("open_spiel.integration_tests.api_test")
    made, tree = openspiel_game(name), GameTree(name)
    short = made.get_type().short_name
    ends = sum(history.values is not None for history in tree.histories)
    api.TOTAL_NUM_STATES[short] = (1, len(tree.histories) - ends, ends)
    api.PERFECT_RECALL_NUM_STATES[short] = len(tree.information_sets)
    result = judged(api.EnforceAPIOnFullTreeBase, name, made)
    assert (result.failures, result.errors) == ([], [])


@pytest.mark.parametrize("name", GAMES if ROUNDS else QUICK[:1])
def test_a_game_that_was_written_down_is_played_again_the_same(name: str, tmp_path: Path) -> None:
    flags: Any = import_module("absl.flags")
    written: Any = import_module("open_spiel.python.algorithms.generate_playthrough")
    flags.FLAGS(["openspiel"])
    made = openspiel_game(name, drawn=20)
    text = written.playthrough(str(made), action_sequence=[], seed=1)
    (tmp_path / "written.txt").write_text(text, "utf-8")
    before, again = written.replay(str(tmp_path / "written.txt"))
    assert before == again
    assert "IsTerminal() = True" in again


# What it says of a game


def test_a_game_says_of_itself_what_ours_does() -> None:
    made = openspiel_game(sleuth.game("clue_table", players=4))
    assert made.num_players() == 4
    assert made.get_type().short_name.startswith("sleuth_clue_table")
    assert made.get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    assert openspiel_game("cheat").utility_sum() == 0.0
    kuhn = openspiel_game("kuhn_poker")
    assert pyspiel.load_game("sleuth_kuhn_poker").num_distinct_actions() == 2
    probabilities = [share for _, share in kuhn.new_initial_state().chance_outcomes()]
    assert np.allclose(probabilities, 1 / 6)


def test_a_seed_gives_the_same_deals() -> None:
    openspiel_game("cheat")
    deals: list[str] = []
    for seed in (1, 1, 2):
        made = pyspiel.load_game(f"sleuth_cheat(seed={seed})")
        state = made.new_initial_state()
        state.apply_action(0)
        deals.append(str(state))
    assert deals[0] == deals[1] != deals[2]


def test_a_game_of_a_stranger_is_adapted_too() -> None:
    kuhn = sleuth.game("kuhn_poker")
    fields = {name: getattr(kuhn, name) for name in kuhn.__dataclass_fields__}
    mine = sleuth.Game(**{**fields, "name": "my_poker"})
    made = openspiel_game(mine)
    pyspiel.random_sim_test(made, num_sims=1, serialize=True, verbose=False)
    state = made.new_initial_state()
    state.apply_action(0)
    with pytest.raises(sleuth.SleuthError, match="this game has none"):
        state.resample_from_infostate(0, random.Random(1).random)
    again = openspiel_game(mine, belief=sleuth.belief("kuhn_poker")).new_initial_state()
    again.apply_action(0)
    again.resample_from_infostate(0, random.Random(1).random)


# What players are told


@pytest.mark.parametrize(
    "name", [name for name in GAMES if sleuth.game(name).hides] if ROUNDS else SECRET
)
def test_what_players_are_told_does_not_depend_on_what_they_cannot_see(name: str) -> None:
    made = openspiel_game(name)
    state, draw = made.new_initial_state(), random.Random(3)
    if state.is_chance_node():
        state.apply_action(draw.choice([outcome for outcome, _ in state.chance_outcomes()]))
    differing = 0
    for _ in range(4):
        if state.is_terminal():
            break
        player = state.current_player()
        game, belief = sleuth.game(name), sleuth.belief(name)
        play: Play = state.moment.play
        view, seen = play.view(player), play.seen_by(player)
        worlds = belief.worlds(belief.infer(view, seen), 3, np.random.default_rng(1))
        told = (
            state.information_state_string(player),
            state.observation_string(player),
            state.observation_tensor(player),
        )
        for world in worlds:
            states = view.states
            game.fill(states[0], world, game.tables, generator(5))
            differing += states.tobytes() != play.truth().tobytes()
            other = state.clone()
            other.moment.play = play.supposing(states)
            assert told == (
                other.information_state_string(player),
                other.observation_string(player),
                other.observation_tensor(player),
            )
        state.apply_action(draw.choice(state.legal_actions()))
    assert differing > 1


def dealt(name: str, number: int) -> Any:
    state = openspiel_game(name).new_initial_state()
    state.apply_action(number)
    return state


def test_worlds_are_drawn_as_the_belief_has_them_and_what_the_player_knows_stays() -> None:
    state = dealt("leduc_poker", 3)
    state.apply_action(state.legal_actions()[-1])
    state.apply_action(state.legal_actions()[-1])
    player, draw = state.current_player(), random.Random(1)
    view, seen = state.moment.view(player), state.moment.seen(player)
    known = sleuth.belief("leduc_poker")
    (feature, *_) = known.hidden(view).values()
    shares = known.infer(view, seen).marginal(feature)
    cards: Counter[int] = Counter()
    for _ in range(400):
        world = state.resample_from_infostate(player, draw.random)
        assert world.information_state_string(player) == state.information_state_string(player)
        cards[int(world.moment.play.truth()[0].cards[1 - player])] += 1
    expected = sorted(400 * share for share in shares.values() if share)
    assert len(cards) == len(expected)
    assert chisquare(sorted(cards.values()), expected).pvalue > 1e-4


def test_nothing_of_the_truth_is_left_in_a_world_that_is_imagined() -> None:
    """Whatever the truth was, the same draws give a world with the same bytes for everybody."""
    told: set[tuple[str, ...]] = set()
    starts = sleuth.game("kuhn_poker").starts()
    for number in range(len(starts)):
        if starts.states[number].cards[0] != 1:
            continue
        state = dealt("kuhn_poker", number)
        world = state.resample_from_infostate(0, random.Random(2).random)
        for action in (0, 1):
            world.apply_action(action)
        told.add(tuple(world.information_state_string(player) for player in range(2)))
        again = pickle.loads(pickle.dumps(world.moment))
        assert (str(again), again.information(1)) == (
            str(world.moment),
            world.moment.information(1),
        )
        assert "deal" not in str(world)
        assert world.history() == [0, 1]
    assert len(told) == 1


# Their algorithms


@pytest.mark.parametrize("name", ["kuhn_poker", "cheat"])
def test_their_search_over_information_sets_plays_with_our_worlds(name: str) -> None:
    ismcts: Any = import_module("open_spiel.python.algorithms.ismcts")
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    made = openspiel_game(name)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(made, evaluator, 2.0, 40, random_state=chance)
    state = made.new_initial_state()
    state.apply_action(0)
    for _ in range(3):
        if not state.is_terminal():
            state.apply_action(bot.step(state))
    assert len(state.history()) >= 3


def test_their_search_bets_with_the_best_card() -> None:
    ismcts: Any = import_module("open_spiel.python.algorithms.ismcts")
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    starts = sleuth.game("kuhn_poker").starts()
    (number, *_) = [n for n in range(len(starts)) if starts.states[n].cards[1] == 2]
    state = dealt("kuhn_poker", number)
    state.apply_action(1)
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    bot = ismcts.ISMCTSBot(state.get_game(), evaluator, 2.0, 60, random_state=chance)
    assert bot.step(state) == 1
