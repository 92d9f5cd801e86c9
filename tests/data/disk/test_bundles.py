"""A bundle gives back the arrays and texts that were put into it, and nothing else is read."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from sleuth.data.disk.bundles import bundled, unbundled

ARRAYS = {"0/keys": np.arange(3, dtype=np.uint64), "values": np.array([[0.5, -1.0]])}
CARD = {"card.json": 100}


@pytest.mark.parametrize("level", [0, 1, 9])
def test_what_is_put_in_comes_out(level: int) -> None:
    content = bundled(ARRAYS, texts={"card.json": "{}"}, level=level)
    assert content == bundled(ARRAYS, texts={"card.json": "{}"}, level=level)
    arrays, texts = unbundled(content, most=10_000, texts=CARD)
    assert texts == {"card.json": "{}"}
    assert set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)
    with np.load(io.BytesIO(content)) as plain:  # it is what NumPy reads
        assert np.array_equal(plain["values"], ARRAYS["values"])


def zipped(**members: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as bundle:
        for name, content in members.items():
            bundle.writestr(name.replace("__", "."), content)
    return target.getvalue()


def pickled() -> bytes:
    member = io.BytesIO()
    np.save(member, np.array([{}], dtype=object), allow_pickle=True)
    return member.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"no zip",
        bundled({"a": np.zeros(2000)}, texts={"card.json": "{}"}),
        bundled({}, texts={"card.json": "x" * 200}),
        bundled({}, texts={"card.json": "{}", "other.txt": ""}),
        bundled(ARRAYS),
        zipped(card__json=b"{}", a__npy=pickled()),
        zipped(card__json=b"{}", a__npy=b"no array"),
        zipped(card__json=b"\xff", a__npy=b""),
        bundled(ARRAYS, texts={"card.json": "{}"})[:-30],
    ],
    ids=["zip", "large", "long", "other", "missing", "pickle", "array", "letters", "cut"],
)
def test_anything_else_is_refused(content: bytes) -> None:
    with pytest.raises((ValueError, KeyError, zipfile.BadZipFile)):
        unbundled(content, most=10_000, texts=CARD)
