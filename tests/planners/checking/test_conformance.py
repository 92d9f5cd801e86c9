"""Every shipped game keeps the contract; every broken one is caught by the check meant for it."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, Game, Posterior, check_agent, check_game, game, kernel
from sleuth.errors import SettingsError
from sleuth.games.small import KuhnPokerBelief, PhantomTicTacToeBelief
from sleuth.kit import GAMES, SeenPlay, View, everything
from sleuth.models.small import kuhn_poker as kuhn
from sleuth.models.small import phantom_tic_tac_toe as phantom
from sleuth.models.small import tic_tac_toe
from sleuth.models.state_fields import StateField
from sleuth.planners.checking import leak_checks
from sleuth.planners.checking.conformance import CHECKS
from sleuth.planners.checking.guarded_kernels import ConformanceError

KUHN = kuhn.kuhn_poker()
PHANTOM = phantom.phantom_tic_tac_toe()
TIC_TAC_TOE = tic_tac_toe.tic_tac_toe()

#: Checks that only some games and callers need.
SOME = {"key", "decisions"}
HIDING = {
    "alike",
    "belief",
    "hidden",
    "support",
    "fill",
    "worlds",
    "dealt",
    "told",
    "observations",
    "futures",
    "samples",
}

#: Settings of games that would take long as they are.
SHORT: dict[str, dict[str, Any]] = {
    "clue": {"turns": 5},
    "clue_table": {"turns": 6},
    "saboteur": {"players": 3, "hand": 1, "stock": 3},
    "scotland_yard": {"seekers": 2, "rounds": 7},
    "cheat": {"ranks": 5, "suits": 2, "hand": 3, "rounds": 16},
    "cheat_for_many": {"players": 3, "ranks": 3, "suits": 2, "limit": 5},
}


class FirstLegal:
    """An agent who takes the first legal action."""

    def decide(self, view: View, seen: SeenPlay) -> int:
        return int(view.legal()[0])


#: Games of one file, whose contract is looked at where all else of theirs is: see tests/shelf.
SHELF = {name for name, each in GAMES.items() if str(each.rules).startswith("shelf.")}


@pytest.mark.parametrize("name", sorted(set(GAMES) - SHELF))
def test_every_shipped_game_keeps_the_contract(name: str) -> None:
    made = game(name, **SHORT.get(name, {}))
    report = check_game(made, plays=3 if name in SHORT else 8, agent=FirstLegal())
    expected = set(CHECKS)
    expected -= set() if made.has_key else {"key"}
    expected -= {"dice"} if made.has_dice else set()
    expected -= {"sum of returns"} if made.sum_of_returns is None else set()
    if not made.hides:
        expected -= HIDING
    if not hasattr(made.apply, "py_func"):
        expected -= {"compiled"}
    assert report.checks == expected
    assert 0 < report.longest <= made.max_depth


@pytest.mark.parametrize("players", [2, 4, 5, 6])
def test_clue_keeps_the_contract_with_more_players(players: int) -> None:
    check_game(game("clue_table", players=players, turns=3), plays=1)


# Broken games: one fault each


@kernel
def mask_shows_the_second_card(state: Any, viewer: int, tables: Any) -> None:
    if viewer != 0 and not kuhn.showdown(state):
        state.cards[0] = HIDDEN
        if viewer < 0:
            state.cards[1] = HIDDEN


@kernel
def mask_shows_all_to_spectators(state: Any, viewer: int, tables: Any) -> None:
    if viewer >= 0 and not kuhn.showdown(state):
        state.cards[1 - viewer] = HIDDEN


@kernel
def mask_hides_the_cards_for_ever(state: Any, viewer: int, tables: Any) -> None:
    for player in range(2):
        if player != viewer:
            state.cards[player] = HIDDEN


@kernel
def mask_hides_the_player(state: Any, viewer: int, tables: Any) -> None:
    kuhn.mask(state, viewer, tables)
    if viewer < 0:
        state.player = HIDDEN


@kernel
def mask_writes_a_zero(state: Any, viewer: int, tables: Any) -> None:
    kuhn.mask(state, viewer, tables)
    state.bets[1] = 0


@kernel
def legal_by_the_others_card(state: Any, tables: Any, actions: Any) -> int:
    kuhn.legal(state, tables, actions)
    return 2 if state.cards[1 - state.player] != 2 else 1


@kernel
def legal_nothing(state: Any, tables: Any, actions: Any) -> int:
    return 0


@kernel
def legal_twice(state: Any, tables: Any, actions: Any) -> int:
    actions[0] = 1
    actions[1] = 1
    return 2


@kernel
def legal_too_many(state: Any, tables: Any, actions: Any) -> int:
    for action in range(3):
        actions[action] = action
    return 2


@kernel
def legal_counts_moves(state: Any, tables: Any, actions: Any) -> int:
    state.moves += 1
    return kuhn.legal(state, tables, actions)


@kernel
def legal_with_one_argument_less(state: Any, actions: Any) -> int:
    return kuhn.legal(state, 0, actions)


@kernel
def start_over(state: Any, tables: Any, random: Any) -> None:
    state.player = OVER


@kernel
def apply_for_a_third_player(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    if state.player == 1:
        state.player = 2


@kernel
def apply_beyond_the_state(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    state.bets[state.moves + 2] = 0


@kernel
def apply_that_overflows(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    if (state.cards[0] + 3) * 1_000_000_007 < 0:
        state.bets[0] += 1


@kernel
def apply_to_tables(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    tables.counts[action] += 1


class Counts(NamedTuple):
    counts: Any


CALLS = itertools.count()


def apply_by_the_number_of_calls(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    state.moves += next(CALLS) % 2


SCRATCH = np.zeros(1, dtype=np.int32)


def apply_on_a_shared_scratch(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, moves, bets = int(state.player), int(state.moves), state.bets.copy()
    bets[mover] += action
    SCRATCH[0] = bets[mover]
    time.sleep(0.0005)
    kuhn.apply(state, action, tables, random)
    state.bets[mover] = SCRATCH[0]
    assert state.moves == moves + 1


@kernel
def apply_with_a_coin_of_its_own(state: Any, action: int, tables: Any, random: Any) -> None:
    kuhn.apply(state, action, tables, random)
    if random[0] & np.uint64(2):
        state.bets[0], state.bets[1] = state.bets[1], state.bets[0]


@kernel
def returns_of_the_first_only(state: Any, tables: Any, values: Any) -> None:
    values[0] = 1.0


@kernel
def policy_that_says_the_code(state: Any, actions: Any, count: int, tables: Any, rng: Any) -> int:
    return actions[count - 1]


@kernel
def fill_without_the_rest(state: Any, world: Any, tables: Any, random: Any) -> None:
    if state.cards[0] == HIDDEN:
        kuhn.fill(state, world, tables, random)


@kernel
def fill_over_the_own_card(state: Any, world: Any, tables: Any, random: Any) -> None:
    kuhn.fill(state, world, tables, random)
    state.cards[0], state.cards[1] = state.cards[1], state.cards[0]


@kernel
def fill_that_finds_everything(state: Any, world: Any, tables: Any, random: Any) -> None:
    phantom.fill(state, world, tables, random)
    for player in range(2):
        if player != state.player:
            for square in range(9):
                state.found[player, square] = 1


@kernel
def fill_without_bumps(state: Any, world: Any, tables: Any, random: Any) -> None:
    viewer = -1
    for player in range(2):
        if state.found[player, 0] != HIDDEN:
            viewer = player
    phantom.fill(state, world, tables, random)
    for player in range(2):
        for square in range(9):
            if player != viewer:
                state.found[player, square] = 0


@kernel
def key_of_the_others_card(state: Any, viewer: int, tables: Any) -> int:
    return state.cards[1 - viewer]


@kernel
def observe_nothing_of_marks(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return phantom.observe(state, action, mover, viewer, tables) if viewer == mover else HIDDEN


BROKEN: list[tuple[str, Callable[[], Game]]] = [
    ("kernels", lambda: replace(KUHN, legal=legal_with_one_argument_less)),
    ("start", lambda: replace(KUHN, start=start_over)),
    ("legal", lambda: replace(KUHN, legal=legal_nothing)),
    ("legal", lambda: replace(KUHN, legal=legal_twice)),
    ("legal", lambda: replace(KUHN, action_space=1)),
    ("bounds", lambda: replace(KUHN, legal=legal_too_many)),
    ("bounds", lambda: replace(KUHN, apply=apply_beyond_the_state)),
    ("bounds", lambda: replace(TIC_TAC_TOE, max_actions=8)),
    ("purity", lambda: replace(KUHN, legal=legal_counts_moves)),
    ("tables", lambda: replace(KUHN, apply=apply_to_tables, tables=Counts(np.zeros(2)))),
    ("memory", lambda: replace(KUHN, apply=apply_by_the_number_of_calls)),
    ("apply", lambda: replace(KUHN, apply=apply_for_a_third_player)),
    ("dice", lambda: replace(KUHN, apply=apply_with_a_coin_of_its_own)),
    ("fields", lambda: replace(KUHN, fields={"bets": StateField("what is in", 1, 1)})),
    ("depth", lambda: replace(KUHN, max_depth=2)),
    ("returns", lambda: replace(KUHN, highest=1)),
    ("returns", lambda: replace(KUHN, returns=returns_of_the_first_only)),
    ("sum of returns", lambda: replace(KUHN, sum_of_returns=1.0)),
    ("policy", lambda: replace(TIC_TAC_TOE, policy=policy_that_says_the_code)),
    ("record", lambda: replace(KUHN, settings={"cards": (1, 2)})),
    ("record", lambda: replace(KUHN, settings={"cards": np.zeros(2)})),
    ("threads", lambda: replace(KUHN, apply=apply_on_a_shared_scratch)),
    ("own moves", lambda: replace(KUHN, legal=legal_by_the_others_card)),
    ("own outcome", lambda: replace(KUHN, mask=mask_hides_the_cards_for_ever)),
    ("mask", lambda: replace(KUHN, mask=mask_hides_the_player)),
    ("mask", lambda: replace(KUHN, mask=mask_writes_a_zero)),
    ("spectator", lambda: replace(KUHN, mask=mask_shows_all_to_spectators)),
    ("worlds", lambda: replace(KUHN, mask=mask_shows_the_second_card)),
    ("worlds", lambda: replace(KUHN, fill=fill_over_the_own_card)),
    ("unnoticed", lambda: replace(PHANTOM, observe=observe_nothing_of_marks)),
    ("observations", lambda: replace(KUHN, observe=everything)),
    ("observations", lambda: replace(game("leduc_poker"), observe=everything)),
    ("fill", lambda: replace(KUHN, fill=fill_without_the_rest)),
    ("support", lambda: replace(PHANTOM, fill=fill_without_bumps)),
    ("futures", lambda: replace(PHANTOM, fill=fill_that_finds_everything)),
    ("key", lambda: replace(KUHN, key=key_of_the_others_card)),
    ("belief", lambda: replace(KUHN, name="my_poker")),
]


@pytest.mark.parametrize(
    "check, broken", BROKEN, ids=[f"{check}-{place}" for place, (check, _) in enumerate(BROKEN)]
)
def test_a_broken_game_is_caught_by_the_right_check(
    check: str, broken: Callable[[], Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leak_checks, "MOST_DRAWS", 5_000)  # seconds less until it gives up
    with pytest.raises(ConformanceError) as caught:
        check_game(broken())
    assert caught.value.check == check
    assert f"[{check}]" in str(caught.value)
    assert "game '" in str(caught.value)


@pytest.mark.skipif(not hasattr(kuhn.apply, "py_func"), reason="nothing is compiled")
def test_a_kernel_that_differs_when_compiled_is_caught() -> None:
    with pytest.raises(ConformanceError, match="compiled"):
        check_game(replace(KUHN, apply=apply_that_overflows))


def test_the_place_of_a_fault_is_told() -> None:
    with pytest.raises(ConformanceError, match=r"play 1 \(seed 5\), after 0 moves.*max_actions"):
        check_game(replace(KUHN, legal=legal_nothing), seed=5)


# Broken beliefs


class NeverAKing(KuhnPokerBelief):
    def posterior(self, known: tuple[int, int]) -> Posterior:
        free = [card for card in (0, 1) if card not in known]
        if HIDDEN in known and free:
            known = tuple(free.pop() if card == HIDDEN and free else card for card in known)  # pyright: ignore[reportAssignmentType]
        return super().posterior(known)


class OfNarrowWorlds(KuhnPokerBelief):
    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> Any:
        return posterior.sample_array(n, rng)


class WithItsOwnChance(KuhnPokerBelief):
    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> Any:
        return super().worlds(posterior, n, np.random.default_rng(next(CALLS)))


class WithoutAnswer(PhantomTicTacToeBelief):
    def posterior(self, known: Any) -> Posterior:
        raise KeyError("no idea")


@pytest.mark.parametrize(
    "check, broken, belief",
    [
        ("support", KUHN, NeverAKing()),
        ("belief", KUHN, OfNarrowWorlds()),
        ("samples", KUHN, WithItsOwnChance()),
        ("belief", PHANTOM, WithoutAnswer()),
    ],
)
def test_a_broken_belief_is_caught(check: str, broken: Game, belief: Any) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_game(broken, belief)
    assert caught.value.check == check


# Agents


class Peeking:
    """An agent who looks at what his caller holds."""

    def decide(self, view: View, seen: SeenPlay) -> int:
        truth = sys._getframe(1).f_locals["each"].truth()[0]
        return int(truth.cards[1 - view.viewer] < truth.cards[view.viewer])


class Changing:
    def decide(self, view: View, seen: SeenPlay) -> int:
        return next(CALLS) % 2


class Cheeky:
    def decide(self, view: View, seen: SeenPlay) -> int:
        return 7


@pytest.mark.parametrize("agent", [Peeking(), Changing(), Cheeky(), Peeking])
def test_an_agent_who_peeks_or_cheats_is_caught(agent: Any) -> None:
    for check in (
        lambda: check_game(KUHN, agent=agent),
        lambda: check_agent(KUHN, agent),
        lambda: check_agent(KUHN, agent, KuhnPokerBelief(), worlds=2, seed=7),
    ):
        with pytest.raises(ConformanceError) as caught:
            check()
        assert caught.value.check == "decisions"


def test_decisions_are_compared_where_the_truth_is_not_all_that_is_imagined() -> None:
    assert check_agent(KUHN, FirstLegal(), plays=5) >= 5 * 2
    assert check_agent(TIC_TAC_TOE, FirstLegal(), plays=2) >= 2 * 5
    with pytest.raises(SettingsError, match="at least one play"):
        check_agent(KUHN, FirstLegal(), plays=0)


def test_every_check_is_shown_to_catch_something() -> None:
    # No game can be built that breaks these without breaking another check first.
    impossible = {"seeds", "compiled"}
    # test_leak_checks.py, test_belief_checks.py, test_findings.py
    elsewhere = {"dealt", "told", "hidden", "alike"}
    caught = {check for check, _ in BROKEN} | {"support", "belief", "samples", "decisions"}
    caught |= elsewhere
    assert caught | impossible == set(CHECKS)


def test_nonsense_is_refused() -> None:
    with pytest.raises(SettingsError, match="at least one play"):
        check_game(KUHN, plays=0)
