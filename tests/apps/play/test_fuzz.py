"""Broken games of `sleuth play` go on as they say, or are refused with one clean error.

``SLEUTH_FUZZ`` says how many (300 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Play, game
from sleuth.apps.play.saved import YOU, load, save
from sleuth.errors import RecordError

from ...data.disk.broken_lines import broken_lines

FILES = int(os.environ.get("SLEUTH_FUZZ", "300"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scotland_yard", {"seekers": 2}),
    ("cheat", {}),
    ("clue_table", {"players": 4}),
    ("leduc_poker", {}),
)


@pytest.mark.parametrize("number", range(len(GAMES)), ids=[name for name, _ in GAMES])
def test_a_broken_saved_game_is_read_or_refused(tmp_path: Path, number: int) -> None:
    name, settings = GAMES[number]
    made = game(name, **settings)
    play = Play.new(made, seed=5)
    rng = np.random.default_rng([SEED, number])
    for _ in range(4):
        if not play.over:
            play.apply(int(rng.choice(play.legal())))
    path = tmp_path / "game.json"
    seconds = [1.5, None, 3, 0.25][: len(play.actions)]
    save(path, play, (YOU, *["random"] * (made.players - 1)), tuple(seconds))
    whole = path.read_bytes()
    read = refused = 0
    for _ in range(max(20, FILES // len(GAMES))):
        path.write_bytes(broken_lines(whole, rng))
        try:
            found = load(path)
        except RecordError as error:
            said = str(error)
            said.encode()  # the message can be printed
            assert path.name in said
            refused += 1
            continue
        read += 1
        assert found.seats is None or YOU in found.seats
        assert len(found.seconds) in (0, len(found.play.actions))
        json.dumps(found.play.record().to_json(), allow_nan=False)
        save(path, found.play, found.seats or (YOU,) * found.game.players, found.seconds)
        assert load(path).play.record() == found.play.record()
    assert read
    assert refused
