"""Broken records of hunts are read and followed or refused with one clean error; nothing else.

``SLEUTH_FUZZ`` says how many (600 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import numpy as np
import pytest

from sleuth.apps.scotland_yard.chances import shares
from sleuth.apps.scotland_yard.transcript import HuntTranscript, read
from sleuth.data.files import shipped
from sleuth.errors import ContradictionError, RecordError
from sleuth.games.scotland_yard import ScotlandYardBelief, ScotlandYardRecord
from sleuth.models.records.reading import parse_json
from sleuth.models.scotland_yard import load
from sleuth.models.scotland_yard.events import HIDER_NAME
from sleuth.models.scotland_yard.record.seen import SPECTATOR

from ...models.scotland_yard.mutate import broken, mutated
from .hunts import played

RECORDS = int(os.environ.get("SLEUTH_FUZZ", "600"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
BATCHES = 6


@cache
def originals() -> list[Any]:
    """The shipped games, whole and as everybody saw them, cut short; and one that was kept."""
    values: list[Any] = []
    for file in shipped("scotland_yard"):
        record = load(file)
        for each in (record, record.without_truth()):
            value: Any = json.loads(json.dumps(each.to_json()))
            values += [value, value | {"moves": value["moves"][:14]}]
    values.append(json.loads(json.dumps(played(3, 12, seekers=2).record().to_json())))
    return values


def check(record: ScotlandYardRecord, rng: np.random.Generator) -> None:
    """What must hold of every record that is read."""
    assert ScotlandYardRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert record.without_truth().kind == "public"
    for viewer in record.viewers():
        game = record.seen_by(viewer)
        assert len(game.digest) == 64
        assert len(game.events) == len(record.events)
    # Each moment costs an inference, so one of them is looked at.
    events = int(rng.integers(len(record.events) + 1))
    seen = record.seen_by(SPECTATOR)
    try:
        posterior = ScotlandYardBelief().posterior(seen.until(events))
    except ContradictionError:
        # Who moved unseen may have had no way to where he was seen later.
        assert record.kind != "full"
        return
    hunted = HuntTranscript(record)
    assert hunted.viewer == (HIDER_NAME if record.kind == "full" else SPECTATOR)
    stations = shares(posterior)
    assert np.isfinite(stations).all()
    assert stations.min() >= 0
    assert stations.sum() == pytest.approx(1)
    if record.kind == "full":
        assert stations[hunted.truth[events]] > 0


@pytest.mark.parametrize("batch", range(BATCHES))
def test_a_broken_record_is_followed_or_refused(batch: int) -> None:
    rng = np.random.default_rng([SEED, batch])
    followed = refused = 0
    for _ in range(max(1, RECORDS // BATCHES)):
        value = mutated(originals()[int(rng.integers(len(originals())))], rng)
        try:
            if rng.random() < 0.2:
                value = parse_json(broken(json.dumps(value).encode(), rng))
            record = read(value)
        except RecordError as refusal:
            str(refusal).encode()  # the message can be printed
            refused += 1
            continue
        followed += 1
        check(record, rng)
    assert followed > 0, "none of the broken records was still legal"
    assert refused > 0
