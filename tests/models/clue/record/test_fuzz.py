"""Broken records are analysed or refused with one clean error; nothing else happens, ever.

``SLEUTH_FUZZ`` says how many (600 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import numpy as np
import pytest

from sleuth import SleuthError
from sleuth.beliefs.games.clue.declaration import AROUND
from sleuth.data.files import shipped
from sleuth.errors import ContradictionError, RecordError
from sleuth.games.clue import (
    CASE_FILE,
    ClueDeclaration,
    ClueRecord,
    HouseRules,
    SeenClue,
    simulate,
)
from sleuth.models.clue import FACE_DOWN, FACE_UP
from sleuth.models.records.reading import parse_json

from .mutate import mutate, mutate_text

RECORDS = int(os.environ.get("SLEUTH_FUZZ", "600"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "1"))
BATCHES = 10


CHOICES = ("random", "ignored", "preference")


def check(record: ClueRecord) -> None:
    """What must hold of every record that is read."""
    assert ClueRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
    for place, viewer in enumerate(record.viewers()):
        game = record.seen_by(viewer)
        assert len(game.digest) == 64
        assert [seen.number for seen in game.events] == list(range(1, len(game.events) + 1))
        assert game.until(len(game.events) // 2).viewer == viewer
        analyse(record, game, CHOICES[(place + len(record.events)) % 3])


def analyse(record: ClueRecord, game: SeenClue, choice: str) -> None:
    """What the viewer knows at the end: probabilities, or a contradiction that is named."""
    try:
        belief = ClueDeclaration(game, choice)
        posterior = belief.infer(game)
    except SleuthError as problem:
        refused(record, game, problem)
        return
    shares = belief.table(posterior)
    held = np.array([[*shares[card].values()] for card in game.edition.cards])
    case = posterior.distribution(belief.case_file)
    assert np.isfinite(held).all()
    assert ((held >= -1e-12) & (held <= 1.0 + 1e-9)).all()
    assert np.abs(held.sum(axis=1) - 1.0).max() < 1e-9
    assert abs(case.sum() - 1.0) < 1e-9
    assert posterior.log_evidence <= 1e-9
    for place, (player, size) in enumerate(game.hand_sizes):
        held = sum(shares[card][player] for card in game.edition.cards)
        possible = [size] if size is not None else [each[place] for each in game.possible_sizes]
        assert min(possible) - 1e-9 < held < max(possible) + 1e-9
    truth = {card: player for player, cards in (record.hands or {}).items() for card in cards}
    if truth:
        truth |= dict.fromkeys(record.case_file or (), CASE_FILE)
        truth |= dict.fromkeys(record.face_up, FACE_UP)
        truth |= {card: FACE_DOWN for card in game.edition.cards if card not in truth}
        assert all(shares[card][holder] > 0.0 for card, holder in truth.items())


def refused(record: ClueRecord, game: SeenClue, problem: SleuthError) -> None:
    """Nothing but a contradiction between events, and none in a record that holds the truth."""
    str(problem).encode()
    assert record.kind != "full"
    assert isinstance(problem, ContradictionError)
    assert problem.evidence
    # How cards are dealt is part of it where nobody wrote down how many each player has.
    assert {*problem.evidence} - {AROUND} <= {seen.number for seen in game.events}


@cache
def originals() -> list[Any]:
    """The shipped records, and simulated full ones with and without an observer."""
    rng = np.random.default_rng(0)
    values: list[Any] = [json.loads(file.read_text("utf-8")) for file in shipped("clue")]
    # Long games take long to copy and are broken in the same ways.
    values = [value for value in values if len(value["events"]) <= 40]
    for players in (2, 3, 4, 5, 6):
        value = simulate(players, rng, turns=6, guess=0.1, accuse=True).to_json()
        values += [value, value | {"observer": "p2"}]
    every = HouseRules(who_shows="all", player_out="skipped", left_over="looked at", room="any")
    for rules in (every, HouseRules(room="none", left_over="face down", card_shown="openly")):
        record = simulate(4, rng, turns=6, guess=0.1, rules=rules, hand_sizes=[4] * 4)
        values.append(record.to_json() | {"observer": "p2"})
    return values


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_broken_record_is_read_or_refused(batch: int):
    rng = np.random.default_rng([SEED, batch])
    read = 0
    for _ in range(max(1, RECORDS // BATCHES)):
        value = originals()[int(rng.integers(len(originals())))]
        try:
            if rng.random() < 0.5:
                record = ClueRecord.from_json(mutate(value, rng))
            else:
                record = ClueRecord.from_json(parse_json(mutate_text(value, rng)))
        except RecordError as refusal:
            str(refusal).encode()  # the message can be printed
            continue
        read += 1
        check(record)
    assert read, "none of the broken records was still legal: the test no longer reaches far"
