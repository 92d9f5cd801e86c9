"""Broken records and predictors are analysed or refused with one clean error; nothing else happens.

``SLEUTH_FUZZ`` says how many records (120 if unset; a twentieth of them, since each is analysed),
``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.games.cheat.features import NAMES
from sleuth.beliefs.predictors.predictor import NODE, PredictorTables, array_bytes, paths
from sleuth.errors import RecordError
from sleuth.kit import save_predictor
from sleuth.predictors import Predictor, load_predictor

from ...models.cheat.record.mutate import broken, mutated
from ..conftest import Ran, Sleuth
from .games import predictor, short

ASKED = int(os.environ.get("SLEUTH_FUZZ", "0")) // 20
RECORDS = ASKED or 120
PREDICTORS = ASKED or 200
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))


@cache
def originals() -> list[Any]:
    """Short games: whole, and with what one player did not tell."""
    values = [short(place, turns).to_json() for place, turns in ((1, 6), (2, 8), (3, 4), (4, 3))]
    for value in values[:2]:
        partly = json.loads(json.dumps(value))
        del partly["hands"][partly["players"][0]]
        values.append(partly)
    return values


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that has to be as empty afterwards, but for what was asked for."""
    yield tmp_path
    assert {path.name for path in tmp_path.iterdir()} <= {"game.jsonl", "p.npz", "p.json"}


def is_clean(ran: Ran, report: Path) -> bool:
    """Whether a record was analysed; else it was refused in one line, and nothing was written."""
    if ran.code == 0:
        assert report.read_text("utf-8").endswith("</html>\n")
        report.unlink()
        return True
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("sleuth: ")
    assert ran.err.count("\n") == 1
    assert not report.exists()
    return False


def test_a_broken_record_is_analysed_or_refused(sleuth: Sleuth, folder: Path) -> None:
    rng = np.random.default_rng([SEED, 1])
    file, report = folder / "game.jsonl", folder / "report.html"
    analysed = refused = 0
    for _ in range(RECORDS):
        values = [originals()[int(rng.integers(len(originals())))] for _ in range(2)]
        values[0] = mutated(values[0], rng)
        content = "\n".join(json.dumps(value) for value in values[: int(rng.integers(1, 3))])
        file.write_bytes(broken(content.encode(), rng) if rng.random() < 0.2 else content.encode())
        options = ("--agent", "none", "--html", report, "--json")
        ran = sleuth("analyse", file, *options)
        if not is_clean(ran, report):
            refused += 1
            continue
        analysed += 1
        found = ran.json()
        for claim in found["claims"]:
            assert 0 <= claim["counting"] <= 1
            assert 0 <= claim["held"] <= 1
            # What is certain by the cards is so, wherever the record knows.
            if claim["certain"] is not None and claim["true"] is not None:
                assert claim["certain"] == claim["true"]
        for hand in found["hands"]:
            for rank, counts in hand["counts"].items():
                assert sum(counts.values()) == pytest.approx(1)
                if hand["truth"] is not None:
                    assert counts.get(str(hand["truth"][rank]), 0) > 0
    assert analysed > RECORDS // 20
    assert refused > RECORDS // 20


def tree() -> Predictor:
    """A tree of three nodes, three times."""
    nodes = np.zeros(9, dtype=NODE)
    for first in (0, 3, 6):
        nodes[first] = (1.5, NAMES.index("count"), first + 2)
        nodes[first + 1] = (0.8, -1, first + 1)
        nodes[first + 2] = (0.3, -1, first + 2)
    made = predictor()
    tables = PredictorTables(
        nodes.view(np.recarray),
        np.array([0, 3, 6], dtype=np.int32),
        np.zeros(len(NAMES)),
        np.array([0.0, 1.0, 0.0, 0.0]),
        np.zeros(len(NAMES)),
    )
    return Predictor({**made.card, "kind": "forest"}, tables)


def forged(made: Predictor, rng: np.random.Generator, base: Path) -> None:
    """The predictor with some bytes of its arrays changed, and a digest that fits."""
    arrays = {name: np.array(array) for name, array in made.tables._asdict().items()}
    name = list(arrays)[int(rng.integers(len(arrays)))]
    kind = rng.random()
    if kind < 0.7 and arrays[name].size:
        raw = bytearray(arrays[name].tobytes())
        for _ in range(int(rng.integers(1, 4))):
            raw[int(rng.integers(len(raw)))] = int(rng.integers(256))
        arrays[name] = np.frombuffer(bytes(raw), dtype=arrays[name].dtype)
    elif kind < 0.85:
        arrays[name] = arrays[name][: int(rng.integers(len(arrays[name]) + 1))]
    else:
        arrays[name] = np.zeros(int(rng.integers(4)))
    content = array_bytes(PredictorTables(**arrays))
    save_predictor(made, base)
    files = paths(base)
    files[0].write_bytes(content)
    card = json.loads(files[1].read_text("utf-8"))
    files[1].write_text(json.dumps({**card, "sha256": hashlib.sha256(content).hexdigest()}))


def test_a_broken_predictor_predicts_or_is_refused(folder: Path) -> None:
    rng = np.random.default_rng([SEED, 2])
    rows = rng.normal(size=(20, len(NAMES))) * 10
    whole = [predictor(), tree()]
    loaded = refused = 0
    for number in range(PREDICTORS):
        made = whole[number % 2]
        if rng.random() < 0.7:
            forged(made, rng, folder / "p")
        else:
            save_predictor(made, folder / "p")
            file = paths(folder / "p")[int(rng.integers(2))]
            file.write_bytes(broken(file.read_bytes(), rng))
        try:
            found = load_predictor(folder / "p", game="cheat", features=NAMES)
        except RecordError as refusal:
            str(refusal).encode()
            refused += 1
            continue
        loaded += 1
        said = found(rows)
        assert ((said >= 0) & (said <= 1)).all()
    assert loaded > PREDICTORS // 50
    assert refused > PREDICTORS // 10


def test_a_broken_predictor_is_refused_by_the_command_in_one_line(
    sleuth: Sleuth, folder: Path
) -> None:
    rng = np.random.default_rng([SEED, 3])
    file, report = folder / "game.jsonl", folder / "report.html"
    file.write_text(json.dumps(originals()[0]), "utf-8")
    for _ in range(20):
        forged(tree(), rng, folder / "p")
        is_clean(
            sleuth(
                *("analyse", file, "--agent", "none", "--predictor", folder / "p"),
                *("--html", report, "--json"),
            ),
            report,
        )
