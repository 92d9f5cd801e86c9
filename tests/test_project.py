"""The project as a whole: what is packaged, what imports what, and what an import costs."""

from __future__ import annotations

import ast
import configparser
import doctest
import importlib
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Imports run one way: a folder may import itself and those before it.
ORDER = ("data", "models", "beliefs", "planners", "training", "apps")


def python_files(root: Path = ROOT) -> Iterator[Path]:
    for folder in ORDER:
        yield from sorted((root / folder).rglob("*.py"))


def tracked_files() -> list[Path]:
    found = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in found.stdout.split("\0") if name and (path := ROOT / name).is_file()]


# Packaging


def test_setup_cfg_lists_every_package_of_the_tree_and_no_other() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    listed = setup["options"]["packages"].split()
    mapped = dict(
        re.split(r"\s*=\s*", line) for line in setup["options"]["package_dir"].strip().splitlines()
    )
    tree = {path.parent.relative_to(ROOT) for path in python_files()}
    expected = {".".join(("sleuth", *folder.parts)): folder.as_posix() for folder in tree}
    assert listed == sorted(expected)
    assert mapped == expected


def test_every_package_says_what_it_is_for() -> None:
    for folder in {path.parent for path in python_files()}:
        initial = folder / "__init__.py"
        assert initial.is_file(), f"{folder.relative_to(ROOT)} has no __init__.py"
        assert ast.get_docstring(ast.parse(initial.read_text("utf-8"))), f"{initial} has no text"


def test_every_top_level_package_is_marked_as_typed() -> None:
    assert [folder for folder in ORDER if not (ROOT / folder / "py.typed").is_file()] == []


def test_the_versions_agree() -> None:
    from sleuth.data.version import VERSION, version

    assert version() == VERSION
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"[{VERSION}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_constraints_pin_every_direct_dependency() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lines = setup["options"]["install_requires"].splitlines()
    for extra in setup["options.extras_require"].values():
        lines += extra.splitlines()
    wanted = {
        re.split(r"[\[<>=!~ ]", line)[0] for line in lines if line and not line.startswith("#")
    }
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.split("==")[0] for line in pins if "==" in line}
    assert wanted
    assert wanted <= pinned


# Imports


def imported_folders(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level folder of everything in the package that a file imports."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            found = [name[1] for name in names if name[0] == "sleuth" and len(name) > 1]
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            base = [part for part in base if part]
            found = base[:1] or [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            name = (node.module or "").split(".")
            found = name[1:2] or [alias.name for alias in node.names]
            found = found if name[0] == "sleuth" else []
        else:
            continue
        for folder in found:
            yield node.lineno, folder


def backward_imports(root: Path) -> list[str]:
    wrong: list[str] = []
    for path in python_files(root):
        importer = path.relative_to(root).parts[0]
        for line, folder in imported_folders(path, root):
            if folder not in ORDER:
                wrong.append(f"{path.relative_to(root)}:{line} imports unknown {folder}")
            elif ORDER.index(folder) > ORDER.index(importer):
                wrong.append(f"{path.relative_to(root)}:{line} imports {folder}")
    return wrong


def test_imports_run_one_way() -> None:
    assert backward_imports(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from ..beliefs import infer",
        "from .. import beliefs",
        "from sleuth.beliefs.engines import base",
        "from sleuth import beliefs",
        "import sleuth.beliefs.clue",
        "def lazily():\n    from ..beliefs.clue import Clue",
    ],
)
def test_a_backward_import_is_found_however_it_is_written(tmp_path: Path, line: str) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "game.py").write_text(f"from ..data import errors\n{line}\n")
    (wrong,) = backward_imports(tmp_path)
    assert wrong.endswith("imports beliefs")


IMPORT = """
import json, sys, time
import numba, numpy
start = time.perf_counter()
import sleuth.beliefs
print(json.dumps({"seconds": time.perf_counter() - start, "modules": sorted(sys.modules)}))
"""


def import_beliefs() -> tuple[float, set[str]]:
    found = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
    )
    answer = json.loads(found.stdout)
    return answer["seconds"], {name.split(".")[0] for name in answer["modules"]}


def test_importing_beliefs_imports_no_heavy_library() -> None:
    _, modules = import_beliefs()
    assert modules & {"pgmpy", "sklearn", "pandas", "matplotlib", "torch", "networkx"} == set()


def test_importing_beliefs_takes_half_a_second_at_most() -> None:
    # A machine that runs other tests meanwhile may be slow for a moment.
    medians: list[float] = []
    for _ in range(4):
        medians.append(statistics.median(import_beliefs()[0] for _ in range(3)))
        if medians[-1] <= 0.5:
            return
    raise AssertionError(f"import sleuth.beliefs took {medians} s beyond numpy and numba")


# Texts

# Absolute paths of somebody's machine.
MACHINE_PATH = re.compile(r"(?<![\w./:-])(?:/(?:home|Users|root|work|mnt|opt)/|[A-Z]:\\Users\\)\w")


def test_no_tracked_file_names_a_path_of_somebodys_machine() -> None:
    wrong: list[str] = []
    for path in tracked_files():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), 1):
            if MACHINE_PATH.search(line) or str(ROOT) in line:
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert wrong == []


def test_a_path_of_somebodys_machine_would_be_found() -> None:
    slash = "/"
    assert MACHINE_PATH.search(f"open('{slash}home{slash}somebody{slash}game.json')")
    assert not MACHINE_PATH.search(f"https:{slash}{slash}example.org{slash}home{slash}games")


def modules_with_examples() -> list[str]:
    # By files: looking through the namespace package finds nothing in an editable install.
    names = [
        ".".join(("sleuth", *path.relative_to(ROOT).with_suffix("").parts))
        for path in python_files()
        if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE)
    ]
    return [name.removesuffix(".__init__") for name in names]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_give_what_they_say(name: str) -> None:
    failures, count = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert count > 0
    assert failures == 0
