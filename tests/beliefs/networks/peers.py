"""Other tools that read networks, and what they answer: nothing of ours in between."""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

SPRINKLER = """network sprinkler {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable sprinkler {
  type discrete [ 2 ] { on, off };
}
variable grass {
  type discrete [ 3 ] { wet, damp, dry };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( sprinkler | rain ) {
  (yes) 0.01, 0.99;
  (no) 0.4, 0.6;
}
probability ( grass | sprinkler, rain ) {
  (on, yes) 0.99, 0.01, 0.0;
  (on, no) 0.6, 0.3, 0.1;
  (off, yes) 0.5, 0.3, 0.2;
  (off, no) 0.0, 0.0, 1.0;
}
"""


@contextmanager
def quietly() -> Generator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def _pgmpy_reader() -> Any:
    """pgmpy's reader, which makes its grammar once and not for every file: that takes a second."""
    reader: Any = import_module("pgmpy.readwrite").BIFReader

    def kept(name: str) -> Any:
        grammar = getattr(reader, name)(None)
        return lambda _: grammar

    names = ("get_variable_grammar", "get_probability_grammar")
    return type("Reader", (reader,), {name: kept(name) for name in names})


def pgmpy_model(*, path: str | None = None, text: str | None = None) -> Any:
    with quietly():
        return _pgmpy_reader()(path=path, string=text).get_model()


def pgmpy_answer(model: Any, names: list[str], values: dict[str, str]) -> Any:
    """pgmpy's own variable elimination on its own network: nothing of ours in between."""
    with quietly():
        inference = import_module("pgmpy.inference").VariableElimination(model)
        return inference.query(names, evidence=values, show_progress=False)


def shipped(name: str) -> str:
    """The text of a network that pgmpy ships."""
    folder = Path(import_module("pgmpy").__file__ or "").parent / "utils" / "example_models"
    return gzip.decompress((folder / f"{name}.bif.gz").read_bytes()).decode()


def pyagrum() -> Any:
    return pytest.importorskip("pyagrum", reason="pyAgrum is not installed: see the extra 'dev'")
