"""Docstrings, hints and names say what there is: parameters, fields, what can be imported."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from .test_project import ROOT, python_files

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
#: The headings of a docstring's sections.
SECTION = re.compile(r"^(Args|Attributes|Raises|Returns|Yields):$")
#: A line of a section: names, and what they are; another class's names say whose they are.
LINE = re.compile(r"^    ((?:\*{0,2}\w+)(?:, \*{0,2}\w+)*): ", re.MULTILINE)


def section(node: Documented, wanted: str) -> list[str]:
    """The names that a section of a docstring explains; empty where there is none."""
    names: list[str] = []
    inside = False
    for line in (ast.get_docstring(node) or "").splitlines():
        if line and not line.startswith(" "):
            found = SECTION.match(line)
            inside = found is not None and found[1] == wanted
        elif inside and (found := LINE.match(line)):
            names += [name.strip("* ") for name in found[1].split(",")]
    return names


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters of a function."""
    listed = node.args
    more = [each for each in (listed.vararg, listed.kwarg) if each is not None]
    return {each.arg for each in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs, *more)}


def bases(node: ast.ClassDef, classes: dict[str, list[ast.ClassDef]]) -> Iterator[ast.ClassDef]:
    """A class, and those of the package that it is made from, as far as their names say."""
    yield node
    for base in node.bases:
        name = base.value if isinstance(base, ast.Subscript) else base
        word = name.id if isinstance(name, ast.Name) else getattr(name, "attr", "")
        for each in classes.get(word, []):
            if each is not node:
                yield from bases(each, classes)


def members(node: ast.ClassDef) -> set[str]:
    """What instances of a class have: fields, properties, and what methods set."""
    found: set[str] = set()
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            found.add(each.target.id)
        elif isinstance(each, ast.Assign):
            found |= {target.id for target in each.targets if isinstance(target, ast.Name)}
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            if each.decorator_list:
                found.add(each.name)
            for inner in ast.walk(each):
                if isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                    found.add(inner.attr)
    return found


@cache
def parsed(root: Path) -> dict[Path, ast.Module]:
    """Every module of the package."""
    return {path: ast.parse(path.read_text("utf-8")) for path in python_files(root)}


def wrong_sections(root: Path) -> list[str]:
    """Where a docstring explains a parameter or a field that is not there."""
    trees = parsed(root)
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
    wrong: list[str] = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                family = list(bases(node, classes))
                known = set[str]().union(*map(members, family))
                starts = [
                    each
                    for one in family
                    for each in one.body
                    if isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__new__")
                ]
                taken = known.union(*map(parameters, starts))
                named = {"Attributes": known, "Args": taken}
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                named = {"Args": parameters(node)}
            else:
                continue
            wrong += [
                f"{path.relative_to(root).as_posix()}:{node.lineno} {node.name}: {kind} {name}"
                for kind, known in named.items()
                for name in section(node, kind)
                if name not in known
            ]
    return wrong


def test_docstrings_explain_parameters_and_fields_that_there_are() -> None:
    assert wrong_sections(ROOT) == []


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("def f(one):\n    '''Text.\n\n    Args:\n        two: Not there.\n    '''", "f: Args two"),
        (
            "class A:\n    '''Text.\n\n    Attributes:\n        x: There.\n        y: Not.\n    '''"
            "\n    x: int",
            "A: Attributes y",
        ),
        (
            "class B:\n    '''Text.\n\n    Args:\n        x, z: There and not.\n    '''\n"
            "    def __init__(self, x):\n        self.x = x",
            "B: Args z",
        ),
    ],
)
def test_a_parameter_or_field_that_is_not_there_is_found(
    tmp_path: Path, text: str, wrong: str
) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "game.py").write_text(text)
    (found,) = wrong_sections(tmp_path)
    assert found.endswith(wrong)


# What a sentence of an error tells people to write.
CALL = re.compile(
    r"\b((?:sleuth|adapters|apps|beliefs|data|models|planners|shelf|training)(?:\.[A-Za-z_]\w*)+)\("
)


def wrong_calls(root: Path) -> list[str]:
    """Functions that a text of the program says to call, and that cannot be imported as written."""
    wrong: list[str] = []
    for path, tree in parsed(root).items():
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            for name in CALL.findall(node.value):
                try:
                    if not name.startswith("sleuth."):
                        raise ImportError(name)
                    pkgutil.resolve_name(name)
                except (ImportError, AttributeError):
                    wrong.append(f"{path.relative_to(root).as_posix()}:{node.lineno} {name}")
    return wrong


def test_what_hints_say_to_call_can_be_called() -> None:
    assert wrong_calls(ROOT) == []


def test_a_hint_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "game.py").write_text('HINT = "write sleuth.belief(game)"')
    assert wrong_calls(tmp_path) == []
    for call in ("beliefs.games.belief(game)", "sleuth.beliefs.games.belief(game)"):
        (tmp_path / "models" / "game.py").write_text(f'HINT = "write {call}"')
        parsed.cache_clear()
        (found,) = wrong_calls(tmp_path)
        assert found.startswith("models/game.py:1 ")


#: A line of a section that says nothing.
EMPTY = re.compile(
    r"^\s+\w+(?:, \w+)*: It (?:is|does|would|has)(?: not| none(?: of them)?| one| more)?\.$",
    re.MULTILINE,
)


def test_what_is_raised_is_said_in_whole_sentences() -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {line.strip()}"
        for path in python_files()
        for line in EMPTY.findall(path.read_text("utf-8"))
    ]
    assert found == []
    assert EMPTY.search("    Raises:\n        SettingsError: It is none.\n")


def classes_twice(root: Path) -> dict[str, list[str]]:
    """Names of classes of which there are several, and where."""
    found: dict[str, list[str]] = {}
    for path, tree in parsed(root).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                place = f"{path.relative_to(root).as_posix()}:{node.lineno}"
                found.setdefault(node.name, []).append(place)
    return {name: places for name, places in found.items() if len(places) > 1}


def test_one_word_stands_for_one_class() -> None:
    assert classes_twice(ROOT) == {}


def test_a_class_that_stands_twice_is_found(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "one.py").write_text("class Table: ...\n\n\nclass _Walk: ...\n")
    (tmp_path / "models" / "two.py").write_text("class Table: ...\n\n\nclass _Walk: ...\n")
    parsed.cache_clear()
    assert list(classes_twice(tmp_path)) == ["Table"]


#: A clause where the thing itself should stand. The help of a command may ask.
CLAUSE = re.compile(r"^(What|How|Whether|Who|Which|Where|When)\b")
MAY_ASK = ("apps/commands/", "apps/main.py")


def clauses(root: Path) -> list[str]:
    """Docstrings that begin with a clause."""
    return [
        f"{name}:{getattr(node, 'lineno', 1)} {text.splitlines()[0]}"
        for path, tree in parsed(root).items()
        if not (name := path.relative_to(root).as_posix()).startswith(MAY_ASK)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | Documented)
        and CLAUSE.match(text := ast.get_docstring(node) or "")
    ]


def test_docstrings_begin_with_what_a_thing_is_or_does() -> None:
    assert clauses(ROOT) == []


def test_a_docstring_that_begins_with_a_clause_is_found(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    text = "def f():\n    'How likely it is.'\n\n\ndef g():\n    'However.'\n"
    (tmp_path / "models" / "one.py").write_text(text)
    assert clauses(tmp_path) == ["models/one.py:1 How likely it is."]
