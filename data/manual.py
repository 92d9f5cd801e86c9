"""The pages and example programs, which stand beside the package's code, as well in a wheel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from .errors import SettingsError, meant, plain_name
from .files import resource

_PAGE: Final = ".md"
#: The page of a folder that stands for the folder.
_INDEX: Final = "index"
#: The list of all pages for language models, which is none of them.
_LIST: Final = Path("llms.txt")


@dataclass(frozen=True)
class Page:
    """A page of the documentation.

    Attributes:
        name: Its name, such as ``"beliefs/declaring"``.
        path: Its file.
    """

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """All of it, in Markdown."""
        return self.path.read_text("utf-8")

    @property
    def title(self) -> str:
        """Its first heading."""
        with self.path.open(encoding="utf-8") as lines:
            heading = next((line for line in lines if line.startswith("# ")), "")
        return heading.removeprefix("# ").strip().replace("`", "")


def folder(name: str) -> Path:
    """The folder ``docs``, ``examples``, ``shelf`` or ``data``.

    In an installation they stand side by side as in a checkout.

    Raises:
        SettingsError: It was left out where sleuth was installed.
    """
    found = Path(str(resource())).parent / name
    if not found.is_dir():
        raise SettingsError(f"sleuth was installed without its {name}", value=str(found))
    return found


def pages() -> tuple[Page, ...]:
    """All pages: those of the first folder, then those of each folder in it."""
    root = folder("docs")
    found = [path.relative_to(root) for path in root.rglob(f"*{_PAGE}")]
    found.sort(key=lambda path: (len(path.parts) > 1, path.parent.parts, path.stem != _INDEX, path))
    return tuple(Page(_named(path), root / path) for path in found)


def _named(path: Path) -> str:
    stands_for_its_folder = path.stem == _INDEX and path.parent != Path()
    return (path.parent if stands_for_its_folder else path.with_suffix("")).as_posix()


def page(name: str) -> Page:
    """The page of a name, or of its last part where one page alone has it.

    Args:
        name: Such as ``"beliefs/declaring"``, ``"declaring"`` or ``"docs/beliefs/declaring.md"``;
            ``"llms"`` is the list of all pages for language models.

    Raises:
        SettingsError: No page has this name, or several have.
    """
    known = {plain_name(each.name): each for each in pages()}
    known[_LIST.stem] = Page(_LIST.stem, folder("docs") / _LIST)
    word = plain_name(name.partition("#")[0]).removesuffix(_PAGE).removesuffix(_LIST.suffix)
    word = word.removeprefix("./").removeprefix("docs/").removesuffix(f"/{_INDEX}")
    if word in known:
        return known[word]
    ending = [each for plain, each in known.items() if plain.endswith(f"/{word}")]
    if len(ending) == 1:
        return ending[0]
    if ending:
        hint = f"name one of {', '.join(each.name for each in ending)}"
        raise SettingsError("several pages have this name", value=name, hint=hint)
    hint = meant(word, [each.name for each in known.values()]) or "'sleuth docs' lists them"
    raise SettingsError("no such page", value=name, hint=hint)
