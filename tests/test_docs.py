"""Every example in the documentation runs and prints what the page says.

In a page, a ```python block is executed, in one namespace for the whole page and in a folder where
``data`` is the project's. An ```output block right after it is what it must print, and a ```pycon
block is checked as a session. Programs in examples/ must run to their end.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

FENCE = re.compile(r"^```(?P<kind>\w+)[^\n]*\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page; ``line`` is that of its first line of text."""

    kind: str
    text: str
    line: int
    output: str | None


def blocks(page: str) -> Iterator[Block]:
    found = list(FENCE.finditer(page))
    for match, following in itertools.zip_longest(found, found[1:]):
        output = None
        if following is not None and following["kind"] == "output":
            between = page[match.end() : following.start()]
            output = following["text"] if not between.strip() else None
        line = page.count("\n", 0, match.start("text")) + 1
        yield Block(match["kind"], match["text"], line, output)


def run_page(text: str, name: str) -> None:
    """Run the blocks of a page in order; an error's traceback gives the line in the page."""
    namespace: dict[str, Any] = {"__name__": "__page__"}
    for block in blocks(text):
        if block.kind == "python":
            printed = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.text, name, "exec")
            with contextlib.redirect_stdout(printed):
                exec(code, namespace)
            if block.output is not None:
                assert printed.getvalue().rstrip() == block.output.rstrip(), (
                    f"{name}:{block.line} printed something else"
                )
        elif block.kind == "pycon":
            parsed = doctest.DocTestParser().get_doctest(
                block.text, namespace, name, name, block.line - 1
            )
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            report: list[str] = []
            runner.run(parsed, out=report.append, clear_globs=False)
            namespace.update(parsed.globs)
            assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    run_page(page.read_text("utf-8"), page.relative_to(ROOT).as_posix())


@pytest.mark.parametrize(
    "page",
    [
        "```python\n1 / 0\n```\n",
        "```python\nprint(1)\n```\n\n```output\n2\n```\n",
        "```pycon\n>>> 1 + 1\n3\n```\n",
    ],
)
def test_a_wrong_example_is_found(page: str) -> None:
    with pytest.raises((AssertionError, ZeroDivisionError)):
        run_page(page, "page.md")


def test_blocks_of_a_page_share_their_names() -> None:
    run_page(
        "```python\nx = 1\n```\ntext\n```pycon\n>>> x + 1\n2\n>>> y = 3\n```\n"
        "```python\nprint(x + y)\n```\n```output\n4\n```\n```bash\nexit 1\n```\n",
        "page.md",
    )


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda program: program.name)
def test_an_example_program_runs(program: Path, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    finished = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
