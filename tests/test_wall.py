"""The house and its tenants: shared code imports no game, and no game imports another.

Nor does a floor name one above it where no import shows it, in a string.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from .test_project import ORDER, ROOT, imported_modules, modules_of

#: The games that have rooms of their own, by the word that folders and files begin with.
TENANTS = ("clue", "cheat", "saboteur", "scotland_yard")
#: Folders that hold small games, which are one tenant: some are built from others.
SMALL = (("models", "small"), ("beliefs", "games"), ("apps", "small"))
#: Files there that are shared.
SHARED = (
    "belief_space",
    "contract",
    "drawn_histories",
    "histories",
    "history_kernels",
    "registry",
)


def tenant(module: str) -> str | None:
    """The game that a module is of; None for what is shared."""
    parts = module.split(".")
    for word in parts:
        for game in TENANTS:
            if word == game or word.startswith(f"{game}_") or word.endswith(f"_{game}"):
                return game
    inside = any(tuple(parts[: len(folder)]) == folder for folder in SMALL)
    return "small games" if inside and parts[-1] not in (*SHARED, "games") else None


def breaches(root: Path) -> list[str]:
    """Imports through the wall. What stands in the face names all games, and is not looked at."""
    modules = modules_of(root)
    wrong: list[str] = []
    for name, path in modules.items():
        if path.relative_to(root).parts[0] == "front":
            continue
        importer = tenant(name)
        for other in sorted(imported_modules(path, root, modules)):
            imported = tenant(other)
            if imported not in (None, importer):
                wrong.append(f"{name} imports {other}")
    return wrong


def test_shared_code_imports_no_game_and_no_game_another() -> None:
    assert breaches(ROOT) == []


#: A page of the face, which a file of anybody's may import.
PAGE = re.compile(r"sleuth(?:\.[a-z]\w*)?")


def not_of_the_face(root: Path) -> list[str]:
    """Imports of games on the shelf that a file of a stranger would not have.

    Such a game knows the face and its pages, NumPy and the standard library, and no other game.
    """
    wrong: list[str] = []
    for path in sorted((root / "shelf").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                named = ["." * node.level + (node.module or "")]
                named += [f"sleuth.{alias.name}" for alias in node.names if alias.name in ORDER]
            else:
                continue
            for name in named:
                page = name.partition(".")[2]
                is_page = PAGE.fullmatch(name) and (
                    not page or (ROOT / "front" / f"{page}.py").is_file()
                )
                if not is_page and name.split(".")[0] not in ("numpy", *sys.stdlib_module_names):
                    wrong.append(f"{path.name}: {name}")
    return wrong


def test_a_game_on_the_shelf_imports_as_a_file_of_a_stranger_does() -> None:
    assert not_of_the_face(ROOT) == []


@pytest.mark.parametrize(
    "line, wrong",
    [
        ("from sleuth.beliefs.infer import infer", 1),
        ("from sleuth import beliefs", 1),
        ("from . import goofspiel", 1),
        ("from .goofspiel import GAME", 1),
        ("from sleuth.shelf.goofspiel import GAME", 1),
        ("def lazily():\n    import sleuth.games.clue", 1),
        ("import pandas", 1),
        ("from sleuth.kit import Display\nfrom sleuth import Deal\nimport sleuth.search", 0),
        ("import numpy as np\nfrom collections.abc import Mapping", 0),
    ],
)
def test_an_import_of_the_house_is_found_on_the_shelf(
    tmp_path: Path, line: str, wrong: int
) -> None:
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "game.py").write_text(line)
    assert len(not_of_the_face(tmp_path)) == wrong


def test_the_kit_stands_below_the_commands_and_the_play() -> None:
    modules = modules_of(ROOT)
    kit = {name: path for name, path in modules.items() if name.startswith("apps.kit.")}
    above = ("apps.play", "apps.commands", "apps.train", "apps.main", "apps.table")
    assert len(kit) > 20
    assert not [
        (name, other)
        for name, path in kit.items()
        for other in imported_modules(path, ROOT, modules)
        if other.startswith(above)
    ]


@pytest.mark.parametrize(
    "importer, line, wrong",
    [
        ("apps/kit/opening.py", "from ...models.clue import load", 1),
        ("planners/saboteur/agents.py", "from ...models.clue import load", 1),
        ("planners/agents/clue_rivals.py", "def lazily():\n    from ...models.clue import load", 0),
        ("beliefs/games/registry.py", "from .clue.declaration import ClueDeclaration", 1),
        ("planners/clue/treasure_hunt/hunt.py", "from ...models.clue import load", 0),
    ],
)
def test_a_breach_is_found(tmp_path: Path, importer: str, line: str, wrong: int) -> None:
    files = {
        "models/clue/__init__.py": "load = 1",
        "beliefs/games/clue/declaration.py": "",
        importer: line,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert len(breaches(tmp_path)) == wrong


def test_there_is_something_on_both_sides() -> None:
    found = [tenant(name) for name in modules_of(ROOT)]
    assert {None, "small games", *TENANTS} == set(found)


def named_above(root: Path) -> list[str]:
    """Strings that name what stands on a floor above their own; docstrings may tell of it."""
    wrong: list[str] = []
    for path in modules_of(root).values():
        above = "|".join(ORDER[ORDER.index(path.relative_to(root).parts[0]) + 1 :])
        named = re.compile(rf"(?:^|[^\w.])(?:sleuth\.)?(?:{above})\.[a-z_]+\b(?!\()")
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        constants = (each for each in nodes if isinstance(each, ast.Constant))
        texts = (str(each.value) for each in constants if id(each) not in told)
        if above:
            wrong += [f"{path.relative_to(root)}: {text}" for text in texts if named.search(text)]
    return wrong


def test_no_floor_names_one_above_it_in_a_string() -> None:
    assert named_above(ROOT) == []


@pytest.mark.parametrize(
    "line, wrong",
    [
        ('BELIEF = "beliefs.games.clue:ClueBelief"', 1),
        ('hint = "write sleuth.planners.search"', 1),
        ('BELIEFS = "beliefs.games"\nbelief = f"{BELIEFS}.clue"', 1),
        ('"""What `sleuth.beliefs.infer` answers."""', 0),
        ('RULES = "models.clue:clue"', 0),
        ('text = "it has no beliefs. So there"', 0),
    ],
)
def test_a_name_from_above_is_found(tmp_path: Path, line: str, wrong: int) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "games.py").write_text(line)
    assert len(named_above(tmp_path)) == wrong


#: What alone makes objects of Rich: text of answers, pages, and the terminal with its progress.
PRINTERS = {
    "apps.kit.console",
    "apps.kit.reading",
    *(
        f"apps.kit.answers.{name}"
        for name in ("breaking", "canvas", "grid_text", "map_text", "text")
    ),
}


def printers(root: Path) -> set[str]:
    """The modules that import Rich, wherever in them."""
    return {
        name
        for name, path in modules_of(root).items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for imported in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
        if imported.split(".")[0] == "rich"
    }


def test_answers_are_values_and_only_their_printers_know_a_terminal() -> None:
    assert printers(ROOT) == PRINTERS


@pytest.mark.parametrize(
    "line, wrong",
    [
        ("from rich.text import Text", True),
        ("def lazily():\n    import rich.console", True),
        ("from .rich import Text", False),
        ("import richer", False),
    ],
)
def test_what_prints_by_itself_is_found(tmp_path: Path, line: str, wrong: bool) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "game.py").write_text(line)
    assert printers(tmp_path) == ({"apps.game"} if wrong else set())
