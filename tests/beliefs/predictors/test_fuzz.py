"""Predictors with numbers nobody would write: they say a probability or are refused, never more.

``SLEUTH_FUZZ`` says how many (600 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.predictors.predictor import (
    FORMAT,
    KINDS,
    NODE,
    VERSION,
    PredictorTables,
    array_bytes,
)
from sleuth.errors import RecordError
from sleuth.predictors import load_predictor

PREDICTORS = int(os.environ.get("SLEUTH_FUZZ", "600"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
FEATURES = ("a", "b", "c")
WHOLE = (0, 1, 2, 3, -1, -2, 2**15, 2**31 - 1, 2**31 - 2, -(2**31), -(2**31) + 1, 10**9, -(10**9))
REAL = (np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, -0.0, 1e100, -1e100, 1e101, 3.5e38, 0.5)
ROWS = np.array([[0.0, 0.0, 0.0], [9.0, -9.0, np.nan], [1e100, -1e100, 1e100], [np.nan] * 3])


def tables(kind: str) -> PredictorTables:
    """Three trees of three, one, and five nodes."""
    made = np.zeros(9, dtype=NODE)
    made[0], made[1], made[2] = (0.5, 0, 2), (0.2, -1, 1), (0.7, -1, 2)
    made[3] = (0.4, -1, 3)
    made[4], made[5], made[6] = (1.5, 1, 8), (0.5, 2, 7), (0.1, -1, 6)
    made[7], made[8] = (0.9, -1, 7), (0.3, -1, 8)
    return PredictorTables(
        made.view(np.recarray),
        np.array([0, 3, 4], dtype=np.int32),
        np.zeros(3),
        np.array([KINDS.index(kind), 1.0, 0.0, 0.0]),
        np.array([0.5, -0.5, 2.0]),
    )


def write(base: Path, content: bytes, kind: str = "forest", **card: Any) -> Path:
    """The two files, with a digest that fits."""
    value = {
        "format": FORMAT,
        "version": VERSION,
        "game": "cheat",
        "predicts": "it",
        "kind": kind,
        "features": list(FEATURES),
        "lowest": [0.0] * 3,
        "highest": [1.0] * 3,
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    base.with_suffix(".npz").write_bytes(content)
    base.with_suffix(".json").write_text(json.dumps(value | card), "utf-8")
    return base


def extreme(made: PredictorTables, rng: np.random.Generator) -> PredictorTables:
    """Some numbers of one or two arrays replaced, or all of the roots."""
    arrays = {name: np.array(array) for name, array in made._asdict().items()}
    if rng.random() < 0.2:
        arrays["roots"] = rng.choice(WHOLE, size=int(rng.integers(1, 12))).astype(np.int32)
        arrays["roots"][0] = 0
    for _ in range(int(rng.integers(1, 4))):
        name = str(rng.choice([*arrays]))
        array = arrays[name]
        if name == "nodes":
            array = array[str(rng.choice(["threshold", "feature", "right"]))]
        values = WHOLE if array.dtype.kind == "i" else REAL
        array[int(rng.integers(len(array)))] = rng.choice(values)
    return PredictorTables(**arrays)


def test_extreme_numbers_are_refused_or_harmless(tmp_path: Path) -> None:
    rng = np.random.default_rng([SEED, 4])
    loaded = refused = 0
    for number in range(PREDICTORS):
        kind = KINDS[number % 3]
        content = array_bytes(extreme(tables(kind), rng))
        try:
            found = load_predictor(write(tmp_path / "p", content, kind))
        except RecordError as refusal:
            str(refusal).encode()
            refused += 1
            continue
        loaded += 1
        said = found(ROWS)
        assert ((said >= 0.0) & (said <= 1.0)).all()
    assert loaded > PREDICTORS // 20
    assert refused > PREDICTORS // 5


@pytest.mark.parametrize(
    "roots",
    [
        [0, 2**31 - 1, -(2**31)],
        [0, 2**31 - 1, -(2**31), 4],
        [0, -(2**31), 2**31 - 1],
        [0, 3, 2**31 - 1],
    ],
)
def test_roots_whose_differences_overflow_are_refused(roots: list[int], tmp_path: Path) -> None:
    content = array_bytes(tables("forest")._replace(roots=np.array(roots, dtype=np.int32)))
    with pytest.raises(RecordError, match="a tree does not begin"):
        load_predictor(write(tmp_path / "p", content))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "arrays",
    [
        {"numbers": [1e308, 1e308, 1e308]},
        {"numbers": [-1e308, 1e308, -1e308]},
        {"typical": [1e308] * 3, "weights": [1e308, -1e308, 1.0]},
    ],
)
def test_numbers_that_add_up_to_none_are_refused(
    kind: str, arrays: dict[str, list[float]], tmp_path: Path
) -> None:
    changed = {name: np.array(values) for name, values in arrays.items()}
    if "numbers" in changed:
        changed["numbers"] = np.append(float(KINDS.index(kind)), changed["numbers"])
    with pytest.raises(RecordError, match="not finite, or too large"):
        load_predictor(write(tmp_path / "p", array_bytes(tables(kind)._replace(**changed)), kind))


Members = list[tuple[str, bytes]]


def npy(array: Any, *, pickled: bool = False) -> bytes:
    target = io.BytesIO()
    np.save(target, array, allow_pickle=pickled)
    return target.getvalue()


def header(text: str, version: bytes = b"\x01\x00") -> bytes:
    """An array's file that says this of itself, with no numbers at all."""
    length = len(text).to_bytes(2 if version == b"\x01\x00" else 4, "little")
    return b"\x93NUMPY" + version + length + text.encode("latin1")


def said(shape: str, kind: str = "<f8") -> bytes:
    return header(f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}}}\n")


def replaced(name: str, content: bytes) -> Callable[[Members], Members]:
    return lambda members: [
        (each, content if each == name else was) for each, was in members
    ]  # fmt: skip


MALFORMED: dict[str, Callable[[Members], Members]] = {
    "a member that is no .npy": lambda members: [*members[:-1], ("weights", b"no array")],
    "a member without an ending": lambda members: [*members[:-1], ("weights", npy(np.zeros(3)))],
    "one more that is no .npy": lambda members: [*members, ("readme.txt", b"hello")],
    "a member twice": lambda members: [*members, members[-1]],
    "the same name in two ways": lambda members: [*members, ("weights", npy(np.zeros(3)))],
    "a member too many": lambda members: [*members, ("more.npy", npy(np.zeros(3)))],
    "no members": lambda _: [],
    "a folder": lambda members: [*members, ("folder/", b"")],
    "an empty member": replaced("weights.npy", b""),
    "a member of text": replaced("weights.npy", b"1 2 3\n"),
    "a pickled array": replaced("weights.npy", npy(np.array([{}, 1, 2]), pickled=True)),
    "a bare pickle": replaced("weights.npy", b"\x80\x04N."),
    "a cut array": replaced("weights.npy", npy(np.zeros(3))[:-1]),
    "bytes after an array": replaced("weights.npy", npy(np.zeros(3)) + b"\0"),
    "another type": replaced("weights.npy", npy(np.array(["1", "2", "3"]))),
    "the other byte order": replaced("weights.npy", npy(np.zeros(3, dtype=">f8"))),
    "no dimensions": replaced("weights.npy", npy(np.array(1.0))),
    "two dimensions": replaced("roots.npy", npy(np.zeros((3, 1), dtype=np.int32))),
    "records of other fields": replaced("nodes.npy", npy(np.zeros(3, dtype=[("x", "f8")]))),
    "records with objects": replaced(
        "nodes.npy", npy(np.zeros(3, dtype=[("x", object)]), pickled=True)
    ),
    "a shape of terabytes": replaced("weights.npy", said("(1000000000000,)")),
    "a shape beyond 64 bits": replaced("weights.npy", said(f"({2**64},)")),
    "a shape whose size overflows": replaced("weights.npy", said(f"({2**62}, 8)")),
    "a negative shape": replaced("weights.npy", said("(-3,)")),
    "two negative sides": replaced("weights.npy", said("(-3, -1)") + bytes(24)),
    "a shape that is no tuple": replaced("weights.npy", said("3")),
    "many dimensions": replaced("weights.npy", said("(" + "1," * 70 + ")") + bytes(8)),
    "numbers of no size": replaced("weights.npy", said(f"({2**40},)", "|V0")),
    "no such type": replaced("weights.npy", said("(3,)", "<q77") + bytes(24)),
    "a header that is nested": replaced("weights.npy", header("(" * 5000 + ")" * 5000)),
    "a header that is code": replaced("weights.npy", header("__import__('os').getcwd()\n")),
    "an unknown version": replaced("weights.npy", header("{}", b"\x09\x09")),
}


@pytest.mark.parametrize("how", MALFORMED)
def test_a_malformed_bundle_is_refused_in_words(how: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(array_bytes(tables("forest")))) as bundle:
        members = [(name, bundle.read(name)) for name in bundle.namelist()]
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as bundle, pytest.MonkeyPatch.context() as patch:
        # Of a name that stands twice the writer warns.
        patch.setattr("warnings.warn", lambda *_, **__: None)
        for name, content in MALFORMED[how](members):
            bundle.writestr(name, content)
    with pytest.raises(RecordError, match=r"the arrays (cannot be read|make no predictor)"):
        load_predictor(write(tmp_path / "p", target.getvalue()))


def test_a_cut_bundle_is_refused_in_words(tmp_path: Path) -> None:
    whole = array_bytes(tables("forest"))
    assert load_predictor(write(tmp_path / "p", whole)).features == FEATURES
    for length in range(0, len(whole), 7):
        with pytest.raises(RecordError, match="the arrays"):
            load_predictor(write(tmp_path / "p", whole[:length]))
    with pytest.raises(RecordError, match="the arrays"):
        load_predictor(write(tmp_path / "p", npy(np.zeros(3))))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe{}",
        b'{"format": "\xe9"}',
        b"[" * 100_000,
        b"[]",
        b"null",
        b"NaN",
        b"1" * 10_000,
        b'{"format": "sleuth-predictor", "format": "sleuth-predictor"}',
        b'{"format": "sleuth-predictor", "version": ' + b"[" * 900 + b"]" * 900 + b"}",
        b'{"format": "sleuth-predictor", "version": ' + b"9" * 4000 + b"}",
        b'{"format": "sleuth-predictor", "version": 1e400}',
    ],
)
def test_a_malformed_card_is_refused_in_words(content: bytes, tmp_path: Path) -> None:
    base = write(tmp_path / "p", array_bytes(tables("forest")))
    base.with_suffix(".json").write_bytes(content)
    with pytest.raises(RecordError) as refusal:
        load_predictor(base)
    str(refusal.value).encode()


@pytest.mark.parametrize("path", ["", ".", "/", "a\0b", "x" * 5000])
def test_a_path_that_names_no_file_is_refused_in_words(path: str) -> None:
    with pytest.raises(RecordError, match="a predictor is two files"):
        load_predictor(path)


def test_a_card_may_write_its_bounds_as_whole_numbers_of_any_size(tmp_path: Path) -> None:
    content = array_bytes(tables("forest"))
    base = write(tmp_path / "p", content, lowest=[0, -(10**30), 0], highest=[10**300, 1, 2])
    assert load_predictor(base).outside([[1e301, 0.0, 1.0]]).tolist() == [[True, False, False]]
