"""The command `sleuth`.

This module reads options and says what went wrong; each command's work is in modules of its own,
which are imported only when it is called, so that ``sleuth --help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from ..data.errors import SettingsError, SleuthError, meant
from ..data.output import closed_pipe
from ..data.version import version
from ..data.workers import break_off
from .commands.advise import advise
from .commands.analyse import analyse
from .commands.check import check
from .commands.compare import compare
from .commands.docs import docs
from .commands.judge import judge
from .commands.match import match
from .commands.named_commands import NamedCommands
from .commands.new_game import new_game
from .commands.options import BAD_INPUT, INTERRUPTED
from .commands.play import play
from .commands.serve import serve
from .commands.solve import solve
from .commands.table import table
from .commands.train import train
from .commands.tune import tune
from .kit.console import complain
from .kit.sleuth_command import OfGames, SleuthCommand

app = typer.Typer(
    name="sleuth",
    cls=NamedCommands,
    rich_markup_mode="markdown",
    help="What could a player have known? Exact beliefs for games with hidden information.",
    epilog="'sleuth COMMAND --help' explains a command and its options.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.")
    ] = False,
) -> None:
    """What could a player have known? Exact beliefs for games with hidden information."""
    if show_version:
        print(f"sleuth {version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


for command in (analyse, compare, judge, match, play, advise, tune, solve, check, new_game):
    of_games = command in (analyse, compare, judge, match, advise)
    made = app.command(no_args_is_help=True, cls=OfGames if of_games else SleuthCommand)
    made(command)
for command in (table, docs):
    app.command(cls=SleuthCommand)(command)
app.command(cls=SleuthCommand, no_args_is_help=True)(serve)
app.add_typer(train)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; returns the process's exit code.

    Args:
        arguments: What stands after ``sleuth``; by default what the process was given.

    >>> from sleuth.kit import main
    >>> main(["--version"])
    sleuth 0...
    0
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that has no ✓ shows a question mark; it is no reason to stop.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        code = app(
            args=None if arguments is None else list(arguments),
            prog_name="sleuth",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except SleuthError as error:
        complain(str(error))
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        return closed_pipe()
    except OSError as error:
        complain(str(error))
        return BAD_INPUT
    except Exception as error:
        return _usage(error)
    if code == INTERRUPTED:
        break_off()
        complain("interrupted")
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> int:
    """Says what is wrong with an option; other errors are ours and go on."""
    # typer brings click's exceptions under different names in its different releases.
    message = getattr(error, "format_message", None)
    if message is None:
        raise error
    if type(error).__name__ == "NoArgsIsHelpError":
        print(message())
        return 0
    context: Any = getattr(error, "ctx", None)
    help_of = f"; see {context.command_path} --help" if context is not None else ""
    said = message().rstrip(".")
    if context is not None and type(error).__name__ == "NoSuchOption":
        said = _no_option(getattr(error, "option_name", ""), context)
    complain(f"{said}{help_of}")
    return BAD_INPUT


def _no_option(written: str, context: Any) -> str:
    """An option that the command does not have, and which may have been meant."""
    shown = (each for each in context.command.get_params(context) if not each.hidden)
    options = (each for each in shown if each.param_type_name == "option")
    known = [name for each in options for name in (*each.opts, *each.secondary_opts)]
    return str(SettingsError("no such option", value=written, hint=meant(written, known)))


if __name__ == "__main__":
    sys.exit(main())
