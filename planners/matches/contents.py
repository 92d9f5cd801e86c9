"""Dependencies of results besides names: the contents of the files that are named.

A first line of results says it in digests, so that no file holds games of two agents of one name.
What comes with sleuth is not among it: the version says that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from ...data.disk.contents import contents, named_files
from ...models.game import Game
from ...models.games import GameEntry, entry_of
from ...models.games import files_of as files_of_entry
from ..agents import NamedAgent
from .match_teams import TeamAgents

#: The field of a first line.
CONTENTS: Final = "contents"


def contents_of(*things: object) -> dict[str, str]:
    """Digests of the files that results depend on, by the words that name them.

    Args:
        things: Games and entries of games, whose files are those that they were opened from;
            agents, by the options of those that have a name; values of options, of which only
            texts name files.
    """
    found: dict[str, str] = {}
    for thing in things:
        if isinstance(thing, NamedAgent):
            found |= contents(thing.values)
        elif isinstance(thing, TeamAgents):
            found |= contents_of(*thing.members)
        elif isinstance(thing, Game):
            found |= contents_of(entry_of(thing), *thing.settings.values())
        elif isinstance(thing, GameEntry):
            found |= {f"game {thing.name}": thing.digest} if thing.digest else {}
        else:
            found |= contents([thing])
    return dict(sorted(found.items()))


def files_of(*things: object) -> list[Path]:
    """The files that results depend on, to be sent where they are worked out; see `contents_of`."""
    found: list[Path] = []
    for thing in things:
        if isinstance(thing, NamedAgent):
            found += files_of(*(value for _, value in thing.options))
        elif isinstance(thing, TeamAgents):
            found += files_of(*thing.members)
        elif isinstance(thing, Game):
            found += files_of(entry_of(thing), *thing.settings.values())
        elif isinstance(thing, GameEntry):
            found += files_of_entry(thing)
        elif isinstance(thing, str):
            found += named_files(thing)
    return list(dict.fromkeys(found))


def field_of(*things: object) -> dict[str, Any]:
    """The field of a first line with the contents of these things; nothing where there are none."""
    found = contents_of(*things)
    return {CONTENTS: found} if found else {}


def changed(there: object, now: Mapping[str, Any]) -> str | None:
    """The words on two first lines that tell of other contents; None where they tell of the same.

    Args:
        there: The one that stands in a file.
        now: The one that would be written now.
    """
    if not isinstance(there, dict):
        return None
    there = cast("dict[str, object]", there)
    old, new = there.get(CONTENTS), cast("dict[str, str]", now.get(CONTENTS, {}))
    if old is None and new:
        return f"it does not say what was in {_words(new)}, as files of older versions do not"
    if old is not None and not isinstance(old, dict):
        return "it does not say what was in which file"
    return told_changes(cast("dict[str, object]", old or {}), new)


def told_changes(before: Mapping[str, object], now: Mapping[str, object]) -> str | None:
    """The contents that differ, in words; None where none do."""
    differing = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    return f"what is in {_words(differing)} differs" if differing else None


def _words(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))
