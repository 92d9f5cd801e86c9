"""Every exact engine gives the same posterior of a game of Clue, each checked by the one below.

By hand (the rules, listed with NumPy) -> enumeration -> card by card ->
pgmpy. Everything is compared: who holds which card, the case file, and the log evidence. The fuzz
run compares more games: ``SLEUTH_FUZZ``, a fiftieth of it.
"""

from __future__ import annotations

import dataclasses
import math
import os
from typing import Any

import numpy as np
import pytest

from sleuth import Posterior, infer
from sleuth.beliefs.engines import engine
from sleuth.beliefs.engines.base import Cost
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    ClueDeclaration,
    ClueRecord,
    Has,
    NotHas,
    OneOf,
    SeenClue,
    simulate,
)
from sleuth.models.clue.simulate import random_policy, unseen_policy
from sleuth.models.records.events import witness

from .clue_worlds import Array, worlds

SAME = 1e-12
SEED = 20130

# A fault in one game of fifty is missed by 150 games with a probability of 5 %.
GAMES = max(150, int(os.environ.get("SLEUTH_FUZZ", "0")) // 50)
CHUNK = 25
PGMPY_GAMES = 15
PGMPY_CHUNK = 5
BY_HAND = 40
# Steps that pgmpy may take: some tenths of a second.
AFFORDABLE = 3e6


def a_game(
    number: int, players: int, *, least: int = 1, most: int = 12
) -> tuple[SeenClue, np.random.Generator]:
    """A game by somebody who plays it well or badly, at some moment, seen from some seat."""
    rng = np.random.default_rng([SEED, players, number])
    sizes = None
    if number % 5 == 4:  # some cards lie face up
        sizes = [18 // players - 1 + int(rng.integers(2)) for _ in range(players)]
    record = simulate(
        players,
        rng,
        hand_sizes=sizes,
        choice=("random", "preference")[int(rng.integers(2))],
        policy=(unseen_policy, random_policy)[int(rng.integers(2))],
        turns=int(rng.integers(least, most + 1)),
        guess=0.05,
        accuse=bool(rng.random() < 0.05),
    )
    game = record.seen_by(record.players[int(rng.integers(players))])
    return with_notes(game, record, rng), rng


def with_notes(game: SeenClue, record: ClueRecord, rng: np.random.Generator) -> SeenClue:
    """In one game of four the viewer knows something more, and notes it."""
    if rng.random() < 0.75 or record.hands is None or record.case_file is None:
        return game
    truth = {card: player for player, cards in record.hands.items() for card in cards}
    truth |= dict.fromkeys(record.case_file, CASE_FILE)
    truth = {card: holder for card, holder in truth.items() if card not in game.own_hand}
    card, other, third = (str(name) for name in rng.choice(sorted(truth), size=3, replace=False))
    notes = (
        Has(truth[card], card),
        NotHas(truth[other], card),
        OneOf(truth[third], tuple({card: None, other: None, third: None})),
    )
    note: Any = notes[int(rng.integers(3))]
    if isinstance(note, NotHas) and truth[card] == truth[other]:
        return game
    number = len(game.events) + 1
    return dataclasses.replace(game, events=(*game.events, witness(number, game.viewer, note)))


def models(rng: np.random.Generator) -> tuple[str, str]:
    """Plain counting, and a choice that weighs deals."""
    return "ignored", ("random", "random", "preference")[int(rng.integers(3))]


def solved(game: SeenClue, choice: str, *methods: str) -> list[Posterior]:
    belief = ClueDeclaration(game, choice)
    given = [piece for seen in game.events for piece in belief.evidence(seen)]
    # Bounds on the cost are bounds only; what is asked for here is affordable.
    return [infer(belief.model, given, method=method, limit=1e13) for method in methods]


Answer = tuple[Array, Array, float]


def answer(game: SeenClue, posterior: Posterior) -> Answer:
    """P(holder of card), P(case file), log evidence."""
    belief = ClueDeclaration(game)
    table = posterior.table(belief.cards)
    shares = np.array([[*table[card].values()] for card in CARDS])
    return shares, posterior.distribution(belief.case_file), posterior.log_evidence


def difference(first: Answer, second: Answer) -> float:
    return max(
        float(np.abs(first[0] - second[0]).max()),
        float(np.abs(first[1] - second[1]).max()),
        abs(first[2] - second[2]),
    )


@pytest.mark.parametrize("number", range(BY_HAND))
def test_enumeration_lists_what_the_rules_allow(number: int):
    game, rng = a_game(number, 3)
    for choice in models(rng):
        [posterior] = solved(game, choice, "enumeration")
        listed = worlds(game, choice)
        # The listing has a column for face-up cards even where there are none.
        table = listed.table()[:, : len(game.players) + 1 + bool(game.face_up)]
        by_hand = table, listed.case_file().ravel(), listed.log_evidence
        assert difference(answer(game, posterior), by_hand) < SAME


@pytest.mark.parametrize("chunk", range(GAMES // CHUNK))
def test_enumeration_and_card_by_card_agree(chunk: int):
    for number in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        game, rng = a_game(number, 3, least=2, most=14)
        for choice in models(rng):
            first, second = solved(game, choice, "enumeration", "card_by_card")
            assert difference(answer(game, first), answer(game, second)) < SAME, (number, choice)


@pytest.mark.parametrize("chunk", range(PGMPY_GAMES // PGMPY_CHUNK))
def test_pgmpy_agrees(chunk: int):
    pytest.importorskip("pgmpy")
    for number in range(chunk * PGMPY_CHUNK, (chunk + 1) * PGMPY_CHUNK):
        game, rng = a_game(number, 3)
        for choice in models(rng):
            first, second = solved(game, choice, "card_by_card", "pgmpy")
            assert difference(answer(game, first), answer(game, second)) < SAME, (number, choice)


@pytest.mark.parametrize("players", [4, 5, 6])
def test_card_by_card_and_pgmpy_agree_on_larger_games(players: int):
    pytest.importorskip("pgmpy")
    compared = 0
    for number in range(12):
        game, rng = a_game(number, players, least=8, most=24)
        for choice in models(rng):
            [first] = solved(game, choice, "card_by_card")
            if steps_of_pgmpy(first) <= AFFORDABLE:
                [second] = solved(game, choice, "pgmpy")
                off = difference(answer(game, first), answer(game, second))
                assert off < SAME, (number, choice)
                compared += 1
    assert compared >= 10


def steps_of_pgmpy(posterior: Posterior) -> float:
    cost = engine("pgmpy").cost(posterior.problem)
    return cost.operations if isinstance(cost, Cost) else math.inf


def watched(players: int, turns: int) -> ClueRecord:
    rng = np.random.default_rng([SEED, players, turns])
    return simulate(players, rng, turns=turns, guess=0.02)


# Earlier a spectator leaves too much open for pgmpy.
SPECTATED = [(3, 28), (4, 24), (5, 36), (6, 48)]


@pytest.mark.parametrize("players, turns", SPECTATED)
def test_card_by_card_and_pgmpy_agree_for_spectators(players: int, turns: int):
    """A spectator sees nobody's hand, and no card that is shown."""
    game = watched(players, turns).seen_by("spectator")
    assert game.own_hand == ()
    first, second = solved(game, "random", "card_by_card", "pgmpy")
    assert difference(answer(game, first), answer(game, second)) < SAME


@pytest.mark.parametrize("choice", ["random", "preference"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_card_by_card_and_pgmpy_agree_on_notebooks(players: int, choice: str):
    """In a public notebook every card shown is known, and every choice weighs."""
    game = dataclasses.replace(watched(players, 16), dealt=None, case_file=None).seen_by("notebook")
    assert any(getattr(seen.event, "shown", None) for seen in game.events)
    first, second = solved(game, choice, "card_by_card", "pgmpy")
    assert difference(answer(game, first), answer(game, second)) < SAME
