"""What a training has finished: one process has the folder, and damaged files are made anew."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sleuth.errors import SettingsError
from sleuth.training.finished_fits import FinishedFits


def test_a_second_training_in_the_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    with FinishedFits(folder, "digest") as kept:
        kept.put("fit", np.array([0.5, 1.0]))
        with pytest.raises(SettingsError, match="another process is writing"):
            FinishedFits(folder, "digest")
    with FinishedFits(folder, "digest") as kept:
        found = kept.find("fit", 2)
        assert found is not None
        assert found.tolist() == [0.5, 1.0]
        kept.clear()
    assert not folder.exists()


def test_nothing_is_left_of_a_training_that_was_killed_when_it_is_done_again(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "parts"
    killed = (
        "import os, sys, numpy as np; from pathlib import Path; "
        "from sleuth.data.disk import writing; "
        "from sleuth.training.finished_fits import FinishedFits; "
        "kept = FinishedFits(sys.argv[1], 'digest'); kept.put('fit', np.zeros(2)); "
        "writing.os.replace = lambda *_: os._exit(1); kept.put('other', np.zeros(2))"
    )
    subprocess.run([sys.executable, "-c", killed, str(folder)], check=False)
    assert len(list(folder.iterdir())) == 3  # a fit, a draft, and who had the folder
    with FinishedFits(folder, "digest") as kept:
        assert kept.find("fit", 2) is not None
        kept.clear()
    assert not folder.exists()


def saved(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)  # type: ignore[arg-type]
    return stream.getvalue()


def zipped() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, a=np.zeros(2))
    return stream.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 cut off",
        zipped(),
        saved(np.zeros(3)),
        saved(np.array([0.5, np.nan])),
        saved(np.array([0.5, np.inf])),
        saved(np.array([0.5, -3.0])),
        saved(np.array([0, 1])),
        saved(np.array(["a", None], dtype=object)),
        saved(np.zeros(2)).replace(b"(2,)", b"(9e9"),
        saved(np.zeros(2))[:-1],
    ],
)
def test_what_is_no_array_of_probabilities_is_not_taken(tmp_path: Path, content: bytes) -> None:
    with FinishedFits(tmp_path / "parts", "digest") as kept:
        kept.put("fit", np.zeros(2))
        (path,) = (tmp_path / "parts").glob("*.npy")
        assert kept.find("fit", 2) is not None
        path.write_bytes(content)
        assert kept.find("fit", 2) is None


def test_a_broken_array_is_read_or_made_anew(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    with FinishedFits(tmp_path / "parts", "digest") as kept:
        kept.put("fit", np.linspace(0, 1, 5))
        (path,) = (tmp_path / "parts").glob("*.npy")
        whole = path.read_bytes()
        for _ in range(400):
            changed = bytearray(whole)
            for _ in range(int(rng.integers(1, 4))):
                changed[int(rng.integers(len(changed)))] = int(rng.integers(256))
            path.write_bytes(changed)
            found = kept.find("fit", 5)
            assert found is None or ((found >= 0) & (found <= 1)).all()
