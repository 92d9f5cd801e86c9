"""Examples in docstrings: each gives what it says, and what is public has one."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ..test_project import ROOT, python_files
from .test_face import INSIDE, pages

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PARSER = doctest.DocTestParser()

#: Files with examples that take half a minute as plain Python.
LONG = ("front/_records.py",)


# Examples give what they say


def files_with_examples() -> list[Path]:
    return [
        path
        for path in python_files()
        if re.search(r"^\s*>>> ", path.read_text("utf-8"), re.MULTILINE)
    ]


def docstrings(source: str) -> Iterator[tuple[str, str, int]]:
    """The docstrings of a module that have examples: whose they are, their texts and lines.

    The finder of `doctest` passes over kernels and cached properties.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node, clean=False)
            if text is not None and ">>> " in text:
                yield getattr(node, "name", "module"), text, node.body[0].lineno - 1


def wrong_examples(path: Path) -> str:
    """The examples of a file that give something else than they say.

    They know no names but those that they import, as if somebody had copied them.
    """
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    report: list[str] = []
    for name, text, line in docstrings(path.read_text("utf-8")):
        namespace = {"__name__": "__main__"}
        parsed = PARSER.get_doctest(text, namespace, name, str(path), line)
        runner.run(parsed, out=report.append)
    assert runner.tries > 0
    return "".join(report)


@pytest.mark.parametrize(
    "path", files_with_examples(), ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_examples_in_docstrings_give_what_they_say(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Examples that write a file write it to a folder of their own; few are worth compiling."""
    monkeypatch.chdir(tmp_path)
    if path.relative_to(ROOT).as_posix() not in LONG:
        monkeypatch.setenv("SLEUTH_COMPILE", "never")
    assert wrong_examples(path) == ""


@pytest.mark.parametrize("above", ["", "@kernel\n    ", "@cached_property\n    "])
def test_a_wrong_example_is_found(tmp_path: Path, above: str) -> None:
    path = tmp_path / "module.py"
    text = 'class Sum:\n    {}def two(self):\n        """Two.\n\n        >>> 1 + 1\n        {}"""\n'
    path.write_text(text.format(above, 2))
    assert wrong_examples(path) == ""
    path.write_text(text.format(above, 3))
    assert "in two\nFailed example:\n    1 + 1\n" in wrong_examples(path)


def test_examples_import_what_is_public_from_the_face() -> None:
    public = {name for page in pages() for name in page.__all__}
    found = [
        f"{path.relative_to(ROOT).as_posix()}: {line}"
        for path in files_with_examples()
        for _, text, _ in docstrings(path.read_text("utf-8"))
        for line in INSIDE.findall(textwrap.dedent(text).replace(">>> ", ""))
        if public & set(re.findall(r"\w+", line.partition(" import ")[2] or line))
    ]
    assert found == []


# Whatever is public has an example


def plain(member: Any) -> Any:
    """The function that somebody wrote, of a method, property or kernel; else None."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, cached_property):
        member = member.func
    elif isinstance(member, classmethod | staticmethod) or inspect.ismethod(member):
        member = member.__func__
    found: Any = inspect.unwrap(member) if callable(member) else None
    return found if inspect.isfunction(found) else None


def gives_back_a_field(function: Callable[..., Any]) -> bool:
    """Whether a property says no more than the name of a field, or of one's field."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    last = tree.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    while isinstance(value, ast.Attribute):
        value = value.value
    return len(tree.body) <= 2 and isinstance(value, ast.Name) and value.id == "self"


def examples(whose: Any) -> str:
    """The code of the examples in a docstring."""
    return "".join(each.source for each in PARSER.get_examples(inspect.getdoc(whose) or ""))


def members(kind: type) -> Iterator[tuple[str, Any, type]]:
    """The public methods of a class, and properties that are not a field, with whose they are."""
    for base in kind.__mro__:
        if not base.__module__.startswith("sleuth."):
            continue
        for name, member in vars(base).items():
            function = None if name.startswith("_") else plain(member)
            if function is None or not function.__module__.startswith("sleuth."):
                continue
            if not (isinstance(member, property) and gives_back_a_field(function)):
                yield name, function, base


def having(kind: type, method: str) -> list[type]:
    """A class, and those of ours that it is made from and that have the method, too."""
    return [
        base
        for base in kind.__mro__
        if base.__module__.startswith("sleuth.") and method in vars(base)
    ]


def without_example(pages: Iterable[ModuleType]) -> list[str]:
    """Public functions, classes and methods that no example shows.

    A method is shown in its own docstring or by its name in that of a class that has it; one
    without words of its own has those of the method that it overrides. A class is shown in its own
    docstring or where another example names it.
    """
    shown: dict[Any, bool] = {}
    named: dict[Any, str] = {}
    words: set[str] = set()
    for page in pages:
        for name in page.__all__:
            found = getattr(page, name)
            whose = found if inspect.isclass(found) else plain(found)
            if whose is None:
                continue
            named.setdefault(whose, f"{page.__name__}.{name}")
            shown[whose] = shown.get(whose, False) or examples(whose) != ""
            words.update(re.findall(r"\w+", examples(whose)))
            if not inspect.isclass(found) or issubclass(found, BaseException):
                continue
            for method, function, base in members(found):
                named.setdefault(function, f"{page.__name__}.{name}.{method}")
                family = [base] if function.__doc__ else having(base, method)
                told = "".join(map(examples, [found, *family]))
                shown[function] = (
                    shown.get(function, False)
                    or examples(function) != ""
                    or re.search(rf"(?:\.|\bdef ){method}\b", told) is not None
                )
    return sorted(
        name
        for whose, name in named.items()
        if not (shown[whose] or (inspect.isclass(whose) and whose.__name__ in words))
    )


def test_whatever_is_public_has_an_example() -> None:
    assert without_example(pages()) == []


PAGE = '''
def shown():
    """
    >>> Named()
    """

def bare(): ...

class Named: ...

class Bare: ...

class Base:
    def done(self):
        """Done.

        >>> Base().done()
        """

    def told(self): ...
    def silent(self): ...
    def _private(self): ...

class Child(Base):
    """A child.

    >>> Child().told()
    """
    def done(self): ...

class Other(Base):
    def done(self):
        """Done otherwise."""
'''


def test_what_has_no_example_is_found() -> None:
    page = ModuleType("sleuth.page")
    exec(PAGE, vars(page))
    vars(page)["__all__"] = ["shown", "bare", "Named", "Bare", "Child", "Other"]
    sys.modules[page.__name__] = page
    try:
        found = without_example([page])
    finally:
        del sys.modules[page.__name__]
    assert found == [
        f"sleuth.page.{name}" for name in ("Bare", "Child.silent", "Other", "Other.done", "bare")
    ]
