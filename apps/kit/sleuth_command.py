"""Commands of the command line: options where the library names arguments, and those of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand

from ...data.errors import SleuthError
from .option_names import hint_written, place_written
from .own_options import OwnOption, declared

#: Where a command keeps the own options that it was given.
_GIVEN: Final = "sleuth.own_options"
_RULES: Final = "--rules"
#: Commands that have those own options that games declare for another one.
_LIKE: Final[Mapping[str, str]] = {"judge": "analyse"}
#: Whether a shell asks for options.
_COMPLETED: Final = "sleuth.completed_options"


class SleuthCommand(TyperCommand):
    """A command whose errors show options where those of the library name arguments."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command.

        Raises:
            SleuthError: Something cannot be used; it is said as on the command line.
        """
        try:
            return super().invoke(ctx)
        except SleuthError as error:
            options = {
                each.name: each.opts[0]
                for each in self.get_params(ctx)
                if each.param_type_name == "option"
            }
            where = place_written(error.where or "", options)
            error.reword(where=where or None, hint=hint_written(error.hint, options))
            raise


class OfGames(SleuthCommand):
    """A command that has, beside its own options, those that games declare for it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Opens the game that ``--rules`` names first, for it may have options."""
        if ctx.resilient_parsing:  # a shell waits for a word, and runs nobody's file
            return super().parse_args(ctx, args)
        from ...models.games import entry

        for place, word in enumerate(args):
            option, sign, value = word.partition("=")
            if option == _RULES and (sign or place + 1 < len(args)):
                entry(value if sign else args[place + 1])
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Words that a shell completes: the options of games, too, where an option is begun."""
        ctx.meta[_COMPLETED] = incomplete.startswith("-")
        return super().shell_complete(ctx, incomplete)

    def get_params(self, ctx: Any) -> list[Any]:
        """All options, those for help last."""
        if ctx.resilient_parsing and not ctx.meta.get(_COMPLETED):
            return super().get_params(ctx)
        *others, last = super().get_params(ctx)
        own: dict[str, list[tuple[str, OwnOption]]] = {}
        for game, option in declared():
            if _LIKE.get(self.name or "", self.name) in option.commands:
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
