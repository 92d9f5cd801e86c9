"""Events as viewers see them, and digests of what they saw."""

from __future__ import annotations

import dataclasses
import math
import pickle

import pytest

from sleuth.games.clue import Move
from sleuth.models.records.events import Seen, canonical_json, digest, witness


def test_nobody_makes_a_seen_event_by_himself():
    with pytest.raises(TypeError, match="seen_by"):
        Seen(1, "ann", Move("ann", "hall"))


def test_a_seen_event_cannot_be_altered_or_copied_with_more_in_it():
    seen = witness(1, "ann", Move("ann", "hall"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.number = 2  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError, match="seen_by"):
        dataclasses.replace(seen, event=Move("ann", "study"))


def test_a_seen_event_goes_to_another_process_and_stays_itself():
    seen = witness(3, "spectator", Move("ann", "hall"))
    assert pickle.loads(pickle.dumps(seen)) == seen
    assert hash(pickle.loads(pickle.dumps(seen))) == hash(seen)


def test_canonical_json_does_not_depend_on_the_order_of_keys_nor_on_tuples():
    assert canonical_json({"b": (1, 2), "a": "é"}) == canonical_json({"a": "é", "b": [1, 2]})
    assert canonical_json({"b": (1, 2), "a": "é"}) == '{"a":"\\u00e9","b":[1,2]}'


def test_a_digest_is_sha_256():
    # sha256 of the two bytes "{}"
    assert digest({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"


def test_what_is_not_a_number_has_no_digest():
    with pytest.raises(ValueError, match="JSON compliant"):
        digest(math.nan)
