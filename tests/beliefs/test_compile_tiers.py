"""A posterior is the same bytes, whether its kernels are compiled or plain Python."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sleuth import Deal, Model, Posterior, infer
from sleuth.models.kernels.compiling import BACKGROUND, NEVER

#: What another process does: it answers, and ends the compiler at once.
ELSEWHERE = """
import sys
from importlib.util import module_from_spec, spec_from_file_location
from sleuth.data.workers import break_off
spec = spec_from_file_location("here", sys.argv[1])
here = module_from_spec(spec)
spec.loader.exec_module(here)
print(here.digests())
break_off()
"""


def copies() -> Posterior:
    """Identical cards, some of them claimed."""
    cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    return infer(
        Model(cards),
        given=[
            cards.holds("me", "king", 1, because="my hand"),
            cards.count("you", "ace").weigh({0: 0.3, 1: 0.9, 2: 0.7}),
        ],
        method="type_counting",
    )


def distinct() -> Posterior:
    """Cards of which each is there once."""
    cards = Deal(list("abcdefg"), holders={"me": 2, "you": 3, "table": 2})
    return infer(
        Model(cards),
        given=[
            cards.holds("me", "a", because="my hand"),
            cards.holds_any("you", ["b", "c", "d"], because="you showed one"),
            cards.count("table", ["e", "f", "g"]).weigh({0: 0.2, 1: 0.5, 2: 0.9}),
        ],
        method="card_by_card",
    )


def digests() -> list[str]:
    """Of every number in both posteriors, and of worlds drawn from them."""
    found: list[str] = []
    for belief in (copies(), distinct()):
        numbers = [repr(float(belief.log_evidence)), repr(belief.table("deal"))]
        worlds = np.ascontiguousarray(belief.sample_array(50, np.random.default_rng(3)))
        found.append(hashlib.sha256("".join(numbers).encode() + worlds.tobytes()).hexdigest())
    return found


@pytest.mark.parametrize("how", [NEVER, BACKGROUND])
def test_posteriors_are_the_same_bytes_before_kernels_are_compiled(
    how: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "SLEUTH_COMPILE": how, "SLEUTH_CACHE_DIR": str(tmp_path)}
    process = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, __file__],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() == repr(digests())
