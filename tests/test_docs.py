"""Every example in the documentation runs and prints what the page says.

In a page, a ```python block is executed, in one namespace for the whole page and in a folder where
``data`` is the project's. An ```output block right after it is what it must print, and a ```pycon
block is checked as a session. Programs in examples/ must run to their end.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .documented import PAGES, ROOT, blocks, module_of, write_modules
from .test_project import ORDER

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run_page(text: str, name: str) -> None:
    """Run the blocks of a page in order; an error's traceback gives the line in the page.

    They are a module, and the page is its file: kernels of a page are kept like those of others.
    """
    module = ModuleType(re.sub(r"\W", "_", f"page {name}"))
    sys.modules[module.__name__] = module
    namespace = module.__dict__
    for block in blocks(text):
        if block.kind == "python":
            printed = io.StringIO()
            code = compile("\n" * (block.line - 1) + block.text, str(ROOT / name), "exec")
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


#: Pages whose searches are over in less time than the compiler takes; they print the same.
SHORT = ("docs/search/backup.md", "docs/search/playouts.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    if page.relative_to(ROOT).as_posix() in SHORT:
        monkeypatch.setenv("SLEUTH_COMPILE", "never")
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


def test_a_type_checker_finds_every_line_where_it_stands_in_the_page() -> None:
    page = "text\n```python\nx = 1\n```\n```output\n1\n```\n```python\ny = x\n```\n"
    assert module_of(page).splitlines() == ["", "", "x = 1", "", "", "", "", "", "y = x"]
    assert module_of("text\n```bash\nexit 1\n```\n") == ""


def test_a_type_checker_finds_what_is_wrong_in_examples_and_nothing_else(tmp_path: Path) -> None:
    """``make check`` has it look at all pages."""
    modules = write_modules(tmp_path / "examples")
    assert len(modules) > 20
    for module in modules:
        if module.stem not in ("README", "new_game"):
            module.unlink()
    links = tmp_path / "links" / "sleuth"
    links.mkdir(parents=True)
    for package in set(ORDER) - {"front"}:
        (links / package).symlink_to(ROOT / package)
    for path in (ROOT / "front").iterdir():
        (links / path.name).symlink_to(path)
    wrong = tmp_path / "examples" / "wrong.py"
    wrong.write_text("from sleuth import game\n\ngame('kuhn_poker').nothing\n")
    settings = {
        "include": ["examples"],
        "typeCheckingMode": "basic",
        "extraPaths": ["links"],
        "reportMissingTypeStubs": False,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    checked = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    found = [
        f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in json.loads(checked.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    ]
    assert found.pop().startswith("wrong.py:3"), found
    assert found == []


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda program: program.name)
def test_an_example_program_runs(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    if "@kernel" not in program.read_text("utf-8"):  # kernels ask for the module they stand in
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [str(program)])
        runpy.run_path(str(program), run_name="__main__")
        return
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
