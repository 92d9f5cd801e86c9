"""Options that are one game's own: declared by it, known to the commands by its entry alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, Any, Final

import typer

from ...data.checks import known_name
from ...data.errors import SleuthError
from .option_names import SleuthCommand, option_of

#: Where a command keeps the own options that it was given.
_GIVEN: Final = "sleuth.own_options"
_RULES: Final = "--rules"


@dataclass(frozen=True, kw_only=True)
class OwnOption:
    """An option of a command, which one game has.

    Attributes:
        name: Such as ``"likelihood"``, which is written ``--likelihood``.
        metavar: What stands after it, in the help.
        help: What it says, without the game's name.
        read: Its value from what was written; raises `SettingsError`.
        commands: Names of the commands that have it. In `sleuth match` it is the agent of the team
            or role of that name.
        table: Whether it goes with the table of a folder, where records are analysed.
    """

    name: str
    metavar: str
    help: str
    read: Callable[[str], Any] = str
    commands: tuple[str, ...] = ("analyse", "compare")
    table: bool = True

    @property
    def written(self) -> str:
        """As it is written."""
        return option_of(self.name)


def one_of(kind: str, names: str) -> Callable[[str], str]:
    """Reads a name that there has to be.

    Args:
        kind: What it is the name of, and the option's name.
        names: Where those stand that there are, as ``module:name``; opened when one was written.
    """

    def read(text: str) -> str:
        from ...models.games import resolved

        return known_name(text, resolved(names), kind, where=kind)

    return read


def declared() -> Iterator[tuple[str, OwnOption]]:
    """The options of all games that are known, each with the name of its game."""
    from ...models.games import entries

    for found in entries():
        try:
            options: Sequence[OwnOption] = found.part("options") or ()
        except SleuthError:
            continue  # An installed game that cannot be loaded says so where it is named.
        for option in options:
            yield found.name, option


class OfGames(SleuthCommand):
    """A command that has, beside its own options, those that games declare for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Opens the game that ``--rules`` names first, for it may have options."""
        from ...models.games import entry

        for place, word in enumerate(args):
            option, sign, value = word.partition("=")
            if option == _RULES and (sign or place + 1 < len(args)):
                entry(value if sign else args[place + 1])
        return super().parse_args(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """All options, those for help last."""
        *others, last = super().get_params(ctx)
        own: dict[str, list[tuple[str, OwnOption]]] = {}
        for game, option in declared():
            if self.name in option.commands:
                own.setdefault(option.name, []).append((game, option))
        return [*others, *map(_parameter, own.values()), last]

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The help, with what games say of themselves where a word in braces stands for it."""
        said = _of_themselves()
        parts: list[Any] = [self, *self.params]
        for each in parts:
            if written := getattr(each, "help", None):
                each.help = reduce(lambda text, word: text.replace(word, said[word]), said, written)
        super().format_help(ctx, formatter)


def _of_themselves() -> dict[str, str]:
    """The words that stand for it in a help."""
    from ...models.games import entries

    found = [*entries()]
    advised = [each.name.replace("_", "-") for each in found if each.adviser is not None]
    titles = ((each.name.replace("_", " ").title(), each.summary) for each in found)
    return {
        "{advised}": ", ".join(map(repr, advised)),
        "{summaries}": " ".join(f"{title}: {text}." for title, text in titles if text),
    }


def given(context: Any) -> Mapping[str, str]:
    """The text after the own options that a command was given, by their names."""
    return context.meta.get(_GIVEN, {})


def _parameter(options: Sequence[tuple[str, OwnOption]]) -> Any:
    """One parameter for the options of one name."""
    _, first = options[0]

    def keep(context: typer.Context, value: str | None) -> None:
        if value is not None:
            context.meta.setdefault(_GIVEN, {})[first.name] = value

    def command(value: str | None = None) -> None:
        """The function that typer makes the parameter from."""

    titles = ((game.removesuffix("_table").replace("_", " "), each) for game, each in options)
    # Clue with and without its board say the same of theirs.
    texts = dict.fromkeys(f"{title.title()}: {each.help}" for title, each in titles)
    said = typer.Option(
        first.written,
        metavar=first.metavar,
        help=" ".join(texts),
        show_default=False,
        expose_value=False,
        callback=keep,
    )
    command.__annotations__["value"] = Annotated[str | None, said]
    maker = typer.Typer(add_completion=False)
    maker.command()(command)
    made: Any = typer.main.get_command(maker)
    made.params[0].name = first.name
    return made.params[0]
