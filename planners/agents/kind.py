"""Kinds of agents: what a name stands for, and which options it has in a game."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, cast

from ...data.errors import SettingsError, nearest
from ...models.game import Game
from .agent import Maker

#: By which name a game's advice says what is usual for a search that wants to learn.
LEARNING: Final = "learning"
#: The same for one that wants to learn in several of the player's own decisions (``depth``).
LEARNING_ON: Final = "learning_on"
#: Options of agents that search which say what is learned, and how it is known.
OF_A_GAIN: Final = frozenset(("about", "depth", "gain_discount", "asks", "share"))


@dataclass(frozen=True, kw_only=True)
class NoSettings:
    """An agent without options."""


@dataclass(frozen=True)
class Kind:
    """The meaning of a name.

    Attributes:
        says: What such an agent does, in a few words.
        usual: Its options with their usual values: a frozen data class.
        prepare: (game, options, text) -> what makes agents of this text.
        advised: By which name the game's advice says what is usual there, if it does.
        unnamed: The option that may stand first without its name; empty for none.
        runs: Whether it runs a program of the user's, which only they themselves can ask for.
    """

    says: str
    usual: Any
    prepare: Callable[[Game, Any, str], Maker]
    advised: str = ""
    unnamed: str = ""
    runs: bool = False

    @property
    def types(self) -> dict[str, Any]:
        """The type of every option, by its name."""
        return typing.get_type_hints(cast(Any, type(self.usual)))

    def settings(self, game: Game, given: Mapping[str, Any]) -> Any:
        """The options: as given, else as a reading says that is given, else as makes this kind,
        else as is usual in the game.

        Raises:
            SettingsError: An option of a gain is given, and there is no gain; or the game has no
                such reading.
        """
        plain = type(self.usual)()
        own = {
            field.name: getattr(self.usual, field.name)
            for field in fields(self.usual)
            if getattr(self.usual, field.name) != getattr(plain, field.name)
        }
        usual = game.advice.usual.get(self.advised, {})
        if given.get("gain"):
            usual = {**usual, **game.advice.usual.get(LEARNING, {})}
            if (given.get("depth") or 1) > 1:
                usual = {**usual, **game.advice.usual.get(LEARNING_ON, {})}
        if {**own, **given}.get("trees"):  # where nothing is learned later
            usual = {name: value for name, value in usual.items() if name != "depth"}
        if self.advised:
            own |= _reading(game, given)
        found = replace(plain, **{**usual, **own, **given})
        without = [option for option in given if option in OF_A_GAIN]
        if without and "gain" not in given and not getattr(found, "gain", True):
            raise SettingsError(
                "this option says how a gain is known, and there is no gain",
                where=f"option {without[0]!r}",
                value=given[without[0]],
                hint="write gain= with what a bit is worth, too, or leave the option out",
            )
        return found


def _reading(game: Game, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of the reading that is given, by its name in the game's advice."""
    name, known = given.get("reading"), game.advice.readings
    if name is None:
        return {}
    if name not in known:
        hint = nearest(name, known) if known else "this game offers none"
        raise SettingsError("no such reading", where="reading", value=name, hint=hint)
    return known[name]
