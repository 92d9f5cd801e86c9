"""A predictor by its name is what the file says now, in a process that has read it before."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sleuth.beliefs.games.cheat.judges import CALLS
from sleuth.beliefs.games.clue import learned as of_clue
from sleuth.beliefs.games.saboteur import learned as of_saboteur
from sleuth.data.files import resource
from sleuth.errors import RecordError
from sleuth.games.cheat import TRUTH, known_predictor
from sleuth.predictors import Predictor

Read = Callable[[str], Predictor]


def card(read: Read, name: str = "mine") -> dict[str, object]:
    return dict(read(name).card)


@pytest.mark.parametrize(
    "read, game, shipped",
    [
        (lambda name: of_clue.learned(name).predictor, "clue", "learned"),
        (lambda name: of_saboteur.learned(name).predictor, "saboteur", "learned"),
        (partial(known_predictor, of=TRUTH), "cheat", "truth"),
        (partial(known_predictor, of=CALLS), "cheat", "calls"),
    ],
    ids=["clue", "saboteur", "truth in Cheat", "calls in Cheat"],
)
def test_a_predictor_is_what_its_file_says_now(
    read: Read, game: str, shipped: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "one")
    for ending in (".npz", ".json"):
        shutil.copy(str(resource(game, shipped + ending)), f"mine{ending}")
    first = read("mine")
    assert read("mine") is first
    written = json.loads(Path("mine.json").read_text("utf-8"))
    Path("mine.json").write_text(json.dumps({**written, "seed": 987}), "utf-8")
    assert card(read)["seed"] == 987
    assert read("mine") is not first
    assert card(read, "usual") == first.card  # the one that comes with sleuth is another
    monkeypatch.chdir(tmp_path / "two")
    with pytest.raises(RecordError):  # there never was such a file
        read("mine")
    monkeypatch.chdir(tmp_path / "one")
    Path("mine.json").unlink()
    with pytest.raises(RecordError):
        read("mine")
