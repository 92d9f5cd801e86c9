"""Programs whose reader leaves end quietly, and say all to one who stays."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from sleuth.data.output import CLOSED_PIPE

PRINTERS = ["sleuth.models.cheat", "sleuth.models.clue", "sleuth.models.scotland_yard"]


@pytest.mark.skipif(os.name == "nt", reason="pipes of another kind")
@pytest.mark.parametrize("module", PRINTERS)
def test_a_printed_schema_is_whole_or_nobody_reads_it(module: str) -> None:
    program = [sys.executable, "-m", module]
    assert "properties" in json.loads(subprocess.check_output(program))
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait(timeout=300) == CLOSED_PIPE
    assert said == ""
