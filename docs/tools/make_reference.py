"""The reference of the face: a page for every module of it, with every public name.

`make_site` puts the pages together when it builds the site: they are the docstrings, signatures
and examples of the code, so nobody keeps a copy. pdoc reads the docstrings, as it does for ``make
docs``; it does not find the names themselves, which the face imports when they are first used.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from pdoc.docstrings import google

import sleuth

#: A name as Sphinx would mark it: what is shown is its last part.
ROLE = re.compile(r":(?:class|meth|func|attr|mod|data|exc|obj):`~?(?:[\w.]+\.)?(\w+)`")
#: Lines of an example, up to the next empty line.
EXAMPLE = re.compile(r"(?:^|(?<=\n))(?P<lines>[ ]*>>> (?:.|\n)*?)(?=\n[ ]*\n|\Z)")
#: A heading that pdoc makes of a section of a docstring.
SECTION = re.compile(r"^###### (.+):$", re.MULTILINE)
#: Methods whose meaning everybody knows.
USUAL: Final = ("__init__", "__post_init__")
#: Longest signature on one line.
LONGEST: Final = 88


def modules() -> dict[str, ModuleType]:
    """The modules of the face, by their names."""
    found, waiting = dict[str, ModuleType](), [sleuth]
    while waiting:
        module = waiting.pop()
        found[module.__name__] = module
        own = [getattr(module, each) for each in getattr(module, "__all__", ())]
        waiting += [
            each
            for each in own
            if isinstance(each, ModuleType) and each.__name__.startswith(f"{module.__name__}.")
        ]
    return dict(sorted(found.items()))


def made() -> dict[str, str]:
    """All pages of the reference, by the names of their files."""
    found = modules()
    return {f"reference/{name}.md": page_of(name, module) for name, module in found.items()} | {
        "reference/index.md": index(found)
    }


def index(found: dict[str, ModuleType]) -> str:
    """The page that leads to the modules of the face and to each of their names."""
    rows = [
        f"| [`{name}`]({name}.md) | {first_sentence(module.__doc__)} | {len(public(module))} |"
        for name, module in found.items()
    ]
    names = sorted((each, name) for name, module in found.items() for each in public(module))
    listed = " · ".join(f"[`{each}`]({name}.md#{anchor(each)})" for each, name in names)
    return (
        "# Reference\n\n"
        "All that is public, with what the code itself says of it. Everything here is imported "
        "from the module on whose page it stands. [The names of sleuth](../names.md) shows them in "
        "use, group by group; [all commands](../command-line.md) are on a page of their own.\n\n"
        "| module | about | names |\n|---|---|---|\n" + "\n".join(rows) + "\n\n"
        "## All names\n\n" + listed + "\n"
    )


def public(module: ModuleType) -> list[str]:
    """The public names of a module that are no modules themselves."""
    names = getattr(module, "__all__", None) or [each for each in dir(module) if each[0] != "_"]
    return sorted(each for each in names if not isinstance(getattr(module, each), ModuleType))


def anchor(name: str) -> str:
    """Where a name stands on its page: underscores at the ends would be emphasis."""
    return name.strip("_")


def page_of(name: str, module: ModuleType) -> str:
    """The page of a module."""
    own = public(module)
    rooms = [
        each
        for each in sorted(getattr(module, "__all__", ()))
        if isinstance(getattr(module, each), ModuleType)
    ]
    parts = [f"# {name}", text_of(module.__doc__)]
    if rooms:
        also = ", ".join(f"[`{name}.{each}`]({name}.{each}.md)" for each in rooms)
        parts.append(f"Pages of it: {also}.")
    if own:
        parts.append(
            "| name | what it is |\n|---|---|\n"
            + "\n".join(
                f"| [`{each}`](#{anchor(each)}) | {first_sentence(told(module, each))} |"
                for each in own
            )
        )
    for each in own:
        parts += entry(module, each)
    return "\n\n".join(part for part in parts if part) + "\n"


def entry(module: ModuleType, name: str) -> Iterator[str]:
    """All that is said of one name."""
    found = getattr(module, name)
    yield f"## `{name}` {{ #{anchor(name)} }}"
    if inspect.isclass(found):
        yield fenced(class_line(name, found))
        yield text_of(found.__doc__ if not is_made_up(found) else "")
        for member, value in members(found):
            yield f"#### `{name}.{member}` {{ #{name}.{member} }}"
            yield from member_entry(member, value)
    elif callable(found):
        yield fenced(f"def {name}{signature(found)}")
        yield text_of(inspect.getdoc(found))
    else:
        yield fenced(f"{name} = {short(found)}")
        yield text_of(told(module, name))


def member_entry(name: str, value: Any) -> Iterator[str]:
    """All that is said of a member of a class."""
    if isinstance(value, (property, cached_property)):
        function = value.fget if isinstance(value, property) else value.func
        given = getattr(function, "__annotations__", {}).get("return")
        yield fenced(f"{name}: {annotation(given)}" if given else name)
        yield text_of(inspect.getdoc(value) or inspect.getdoc(function))
    else:
        function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        mark = f"@{type(value).__name__}\n" if function is not value else ""
        yield fenced(f"{mark}def {name}{signature(function)}")
        yield text_of(inspect.getdoc(function))


def members(found: type) -> list[tuple[str, Any]]:
    """The public methods and properties of a class, its own before those of its bases."""
    seen: dict[str, Any] = {}
    for base in found.__mro__:
        if base.__module__.partition(".")[0] == "sleuth":
            for name, value in vars(base).items():
                if not name.startswith("_") and is_member(value):
                    seen.setdefault(name, value)
    return list(seen.items())


def is_member(value: Any) -> bool:
    """True for what stands as a member on a page: fields are told of where the class is."""
    kinds = (property, cached_property, classmethod, staticmethod)
    return isinstance(value, kinds) or inspect.isfunction(value)


def is_made_up(found: type) -> bool:
    """True if nobody wrote the docstring of a class: a data class repeats its fields."""
    return dataclasses.is_dataclass(found) and (found.__doc__ or "").startswith(
        f"{found.__name__}("
    )


def class_line(name: str, found: type) -> str:
    """How an object of a class is made; the class alone where nobody makes one."""
    try:
        return f"class {name}{signature(found, returns=False)}"
    except (TypeError, ValueError):
        return f"class {name}"


def signature(found: Callable[..., Any], *, returns: bool = True) -> str:
    """The arguments as they stand in the code, over several lines where they are many."""
    try:
        told_of = inspect.signature(found)
    except (TypeError, ValueError):
        return "(...)"
    parts: list[str] = []
    star = False
    for each in told_of.parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or each.kind is each.VAR_POSITIONAL
        mark = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        typed = "" if each.annotation is each.empty else f": {annotation(each.annotation)}"
        equals = " = " if typed else "="
        usual = "" if each.default is each.empty else f"{equals}{short(each.default)}"
        parts.append(f"{mark}{each.name}{typed}{usual}")
    given = told_of.return_annotation
    arrow = f" -> {annotation(given)}" if returns and given is not inspect.Signature.empty else ""
    line = f"({', '.join(parts)}){arrow}"
    if len(line) <= LONGEST:
        return line
    return "(\n" + "".join(f"    {part},\n" for part in parts) + f"){arrow}"


def annotation(found: Any) -> str:
    """A type as the code has it."""
    if isinstance(found, str):
        return found.strip("'\"")
    return getattr(found, "__name__", str(found)) if inspect.isclass(found) else str(found)


def short(value: Any) -> str:
    """A value in few words; the repr of functions and long values would say nothing."""
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    if value is ...:
        return "..."
    text = re.sub(r" object at 0x[0-9a-f]+", "", repr(value))
    text = re.sub(r"<factory>|<class '[\w.]*?(\w+)'>", lambda match: match[1] or "...", text)
    return text if len(text) <= 60 and "\n" not in text else f"{text.splitlines()[0][:56]}..."


def told(module: ModuleType, name: str) -> str:
    """What the code says of a name."""
    found = getattr(module, name)
    if inspect.isclass(found):
        return "" if is_made_up(found) else found.__doc__ or ""
    if callable(found) and not isinstance(found, (int, str, tuple)):
        return inspect.getdoc(found) or ""
    return of_value(module, name)


def of_value(module: ModuleType, name: str) -> str:
    """What the code says of a constant: the text below it, or the comment above."""
    for home, called in homes(module, name):
        source = inspect.getsource(home)
        lines, body = source.splitlines(), ast.parse(source).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", 0)]
            if called not in [getattr(each, "id", None) for each in targets]:
                continue
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                return inspect.cleandoc(str(after.value.value))
            above: list[str] = []
            for line in reversed(lines[: node.lineno - 1]):
                if not line.startswith("#:"):
                    break
                above.insert(0, line[2:].strip())
            return " ".join(above)
    return ""


def homes(module: ModuleType, name: str) -> Iterator[tuple[ModuleType, str]]:
    """Where a name of a page is made, following imports."""
    for where, called in imports(module).items():
        if where == name:
            home = import_module(called[0])
            yield home, called[1]
            yield from homes(home, called[1])


@cache
def imports(module: ModuleType) -> dict[str, tuple[str, str]]:
    """The modules that a module's names come from, and what they are called there."""
    package = module.__name__ if hasattr(module, "__path__") else module.__package__ or ""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            home = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            for alias in node.names:
                found[alias.asname or alias.name] = (home, alias.name)
    return {name: pair for name, pair in found.items() if pair[0].startswith("sleuth")}


def text_of(docstring: str | None) -> str:
    """A docstring as text of a page: examples are code, sections are lists."""
    text = inspect.cleandoc(docstring or "")
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(inspect.cleandoc(match["lines"]))
        return f"\nEXAMPLE{len(kept) - 1}EXAMPLE\n"

    text = EXAMPLE.sub(keep, text)
    text = ROLE.sub(r"`\1`", text).replace("``", "`")
    text = SECTION.sub(r"**\1**\n", google(text))
    return re.sub(
        r"EXAMPLE(\d+)EXAMPLE", lambda match: f"```pycon\n{kept[int(match[1])]}\n```", text
    ).strip()


def first_sentence(docstring: str | None) -> str:
    """The first sentence of a docstring, for a table."""
    text = ROLE.sub(r"`\1`", inspect.cleandoc(docstring or "").partition("\n\n")[0])
    line = " ".join(text.replace("``", "`").split())
    return re.split(r"(?<=[.:]) (?=[A-Z`*])", line)[0].replace("|", "\\|")


def fenced(code: str) -> str:
    """Code of a page."""
    return f"```python\n{code}\n```"
