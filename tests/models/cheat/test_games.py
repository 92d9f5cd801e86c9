"""Whole games of Cheat: against the rules written a second time, and a million moves."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sleuth import OVER, Game, Play, below, check_game, kernel
from sleuth.games.cheat import cheat, mini_cheat
from sleuth.kit import PlayRecord, generator
from sleuth.models.cheat.record.seen import cards_of
from sleuth.models.cheat.rules import apply, legal, start
from sleuth.models.cheat.state import CALL, TAKE, is_claim, mover_of, public_of

from .plain_rules import PlainGame
from .situations import CODES, GAME, UniformBelief

COMPILED = hasattr(apply, "py_func")


def plain_of(play: Play) -> PlainGame:
    state = play.truth()[0]
    hands = [Counter(dict(enumerate(row))) for row in state.hands.tolist()]
    deck = state.deck.tolist()[: int(state.left)][::-1]
    return PlainGame(hands=[+hand for hand in hands], deck=deck, first=int(state.first))


def compared(seed: int, *, by_policy: bool) -> str:
    """How a game ended that went the same way by both rules at every move."""
    rng = np.random.default_rng(seed)
    play = Play.new(GAME, seed=seed)
    plain = plain_of(play)
    while not play.over:
        state = play.truth()[0]
        codes = play.legal()
        assert state.player == plain.player
        assert set(codes.tolist()) == {CODES[name] for name in plain.legal()}
        assert [+Counter(dict(enumerate(row))) for row in state.hands.tolist()] == [
            +hand for hand in plain.hands
        ]
        assert state.deck.tolist()[: int(state.left)][::-1] == plain.deck
        assert state.sizes.tolist() == [hand.total() for hand in plain.hands]
        assert state.pile == len(plain.loose) + sum(len(laid.cards) for laid in plain.pile)
        assert state.rank == plain.rank
        random = generator(seed, len(play.actions))
        chosen = GAME.policy(state, codes, len(codes), GAME.tables, random)
        code = int(codes[chosen] if by_policy else rng.choice(codes))
        play.apply(code)
        plain.move(code, list(cards_of(int(play.truth()[0].cards[len(play.actions) - 1]))))
    assert plain.over
    value = 0.0 if plain.winner is None else 1.0 if plain.winner == 0 else -1.0
    assert play.returns().tolist() == [value, -value]
    if len(play.actions) == 100:
        return "draw" if plain.winner is None else "fewer cards"
    return "wrong call" if plain.history[-1] == "call" else "no call"


#: Games that are played by both; 1,000 of random moves in the fuzz run.
GAMES = 120 if "SLEUTH_FUZZ" not in os.environ else 2_000


def test_games_go_as_the_rules_say_written_a_second_time() -> None:
    ends = {compared(seed, by_policy=seed % 2 == 0) for seed in range(GAMES)}
    assert ends >= {"wrong call", "no call", "fewer cards"}


def test_a_record_holds_the_whole_game() -> None:
    play, rng = Play.new(GAME, seed=4), np.random.default_rng(4)
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    record = PlayRecord.from_json(play.record().to_json())
    again = record.replay(cheat(**record.settings))
    assert again.truth().tobytes() == play.truth().tobytes()
    for viewer in range(-1, 2):
        assert again.seen_by(viewer).digest == play.seen_by(viewer).digest


OTHER_SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"first_card": "aside", "follows": "valid", "false_claim": "some"},
    {"turns": "call winner", "empty_deck": "pass", "false_cards": "any", "ties": "lowest"},
    {"ranks": 5, "suits": 3, "hand": 4, "rounds": 30, "round_of": "both", "equal_hands": "second"},
)


@pytest.mark.parametrize(
    "settings",
    [{}, *(pytest.param(other, marks=pytest.mark.slow) for other in OTHER_SETTINGS[1:])],
)
def test_the_contract_holds_and_nothing_leaks(settings: dict[str, Any]) -> None:
    smaller: dict[str, Any] = {"ranks": 6, "suits": 3, "hand": 4, "rounds": 24} | settings
    report = check_game(cheat(**smaller), UniformBelief(), plays=2, worlds=6)
    assert {"key", "policy", "compiled", "support", "observations"} <= report.checks


def test_so_they_do_for_mini_cheat() -> None:
    check_game(mini_cheat(10), UniformBelief(), plays=5, worlds=6)


# A million moves

FAULTS = (
    "none", "number of actions", "cards", "hand sizes", "pile", "deck", "log", "claim", "length",
    "player", "collected",
)  # fmt: skip


@kernel
def fault_of(state: Any, tables: Any, moves: int, most: int) -> int:
    """The place in FAULTS of what is wrong with a state; 0 for nothing."""
    rules = tables.rules[0]
    held = np.zeros(13, dtype=np.int64)
    for player in range(2):
        size = 0
        for rank in range(13):
            if state.hands[player, rank] < 0:
                return 2
            size += state.hands[player, rank]
            held[rank] += state.hands[player, rank]
        if size != state.sizes[player]:
            return 3
    pile = 0
    for turn in range(state.since, state.turn):
        packed = state.cards[turn]
        while packed > 0:
            held[(packed & 15) - 1] += 1
            pile += 1
            packed >>= 4
    if state.since == 0 and rules.aside == 0:
        pile += 1
    if state.since == 0 or rules.aside == 1:
        held[state.first] += 1
    if pile != state.pile:
        return 4
    for place in range(52):
        if (state.deck[place] >= 0) != (place < state.left):
            return 5
        if state.deck[place] >= 0:
            held[state.deck[place]] += 1
    for rank in range(13):
        if held[rank] != (rules.suits if rank < rules.ranks else 0):
            return 2
    for turn in range(200):
        logged = state.log[turn]
        if (logged >= 0) != (turn < state.turn):
            return 6
        if is_claim(logged) != (state.cards[turn] > 0):
            return 7
    if state.turn != moves or moves > most:
        return 8
    if state.player > 1 or state.player < OVER:
        return 9
    for player in range(2):
        for rank in range(13):
            if state.collected[player, rank] < 0 or state.collected[player, rank] > rules.suits:
                return 10
    return 0


@kernel
def play_many(states: Any, blank: Any, tables: Any, sizes: Any, random: Any, wanted: int) -> Any:
    """Random games of ``wanted`` moves in all: moves made, games, longest, the first fault."""
    actions = np.zeros(sizes[0], dtype=np.int32)
    state = states[0]
    made = 0
    games = 0
    longest = 0
    while made < wanted:
        states[0] = blank[0]
        start(state, tables, random)
        games += 1
        moves = 0
        fault = fault_of(state, tables, moves, sizes[1])
        while fault == 0 and state.player != OVER:
            count = legal(state, tables, actions)
            if count < 1 or count > sizes[0]:
                return made, games, longest, 1
            apply(state, actions[below(random, count)], tables, random)
            moves += 1
            fault = fault_of(state, tables, moves, sizes[1])
        made += moves
        longest = max(longest, moves)
        if fault > 0:
            return made, games, longest, fault
    return made, games, longest, 0


def many(game: Game, wanted: int) -> tuple[int, int, int, str]:
    sizes = np.array([game.max_actions, game.max_depth])
    made, games, longest, fault = play_many(
        game.states(1), game.states(1), game.tables, sizes, generator(7), wanted
    )
    return made, games, longest, FAULTS[fault]


@pytest.mark.parametrize("settings", OTHER_SETTINGS)
def test_a_million_random_moves_keep_every_invariant(settings: dict[str, Any]) -> None:
    game = cheat(**settings)
    wanted = (250_000 if settings else 1_000_000) if COMPILED else 1_000
    made, games, longest, fault = many(game, wanted)
    assert fault == "none"
    assert made >= wanted
    assert games > 20
    assert longest <= game.max_depth


def test_a_broken_invariant_would_be_found() -> None:
    for change, fault in (
        (lambda state: state.hands.__setitem__((0, 0), -1), "cards"),
        (lambda state: state.hands.__setitem__((0, 0), state.hands[0, 0] + 1), "hand sizes"),
        (lambda state: setattr(state, "pile", 2), "pile"),
        (lambda state: setattr(state, "left", 34), "deck"),
        (lambda state: state.deck.__setitem__(3, (state.deck[3] + 1) % 13), "cards"),
        (lambda state: state.log.__setitem__(5, 0), "log"),
        (lambda state: state.cards.__setitem__(9, 1), "claim"),
        (lambda state: setattr(state, "player", 2), "player"),
        (lambda state: state.collected.__setitem__((1, 4), 5), "collected"),
    ):
        states = GAME.initial(1)
        assert FAULTS[fault_of(states[0], GAME.tables, 0, 100)] == "none"
        change(states[0])
        assert FAULTS[fault_of(states[0], GAME.tables, 0, 100)] == fault
    assert FAULTS[fault_of(GAME.initial(1)[0], GAME.tables, 1, 100)] == "length"


def test_the_log_says_who_did_what() -> None:
    play, rng = Play.new(GAME, seed=5), np.random.default_rng(5)
    movers: list[int] = []
    while not play.over:
        movers.append(play.player)
        play.apply(int(rng.choice(play.legal())))
    log = play.truth()[0].log.tolist()[: len(play.actions)]
    assert [mover_of(logged) for logged in log] == movers
    for code, logged in zip(play.actions, log, strict=True):
        assert is_claim(logged) == (code >= 2)
        assert public_of(logged) == (code if code in (CALL, TAKE) else public_of(logged))
