"""The options of `sleuth play`; its work is in `play`, imported when it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.errors import SettingsError
from ..kit import completing
from .options import JsonLines

if TYPE_CHECKING:
    from ...models.game import Game
    from ..kit.display import Display
    from ..kit.prompting import Hearer, Steps
    from ..play.session import Session

OPPONENT = "mcts"


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Such as 'scotland-yard', or with settings 'clue_table:players=4'.",
            autocompletion=completing.games,
            show_default=False,
        ),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="ROLE|TEAM",
            help="The role or team that you play, such as 'seekers'; by default the first role.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[ROLE=]NAME[:key=value,...]",
            help="The agent in all other roles, or in one of them; 'mcts' by default.",
            autocompletion=completing.agents,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=2**63 - 1,
            help="Seed of the deal and of the agents; by default a different one each time.",
        ),
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Save the game there after every move."),
    ] = None,
    recorded: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE.jsonl",
            help="Add the game to this file of records when it is over, to train predictors, where "
            "the game has such files. You are asked for consent once, before your first game.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Your name in --record, for files with games of several people; 'you' by default.",
        ),
    ] = None,
    resumed: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FILE", help="Continue a saved game."),
    ] = None,
    as_json: JsonLines = False,
) -> None:
    """Play against any agents, in the terminal.

    '?' explains what can be typed. If you leave, the game is saved and can be continued.
    """
    if game is None and resumed is None:
        raise SettingsError(
            "name a game, or a saved game", hint="write sleuth play GAME or --resume FILE"
        )
    if name is not None and recorded is None:
        raise SettingsError(
            "a name is used only in records", where="--name", value=name, hint="add --record FILE"
        )
    from ...models.play import Play
    from ..kit.display import display
    from ..kit.matches.asked import asked_game
    from ..play.recording import Recording
    from ..play.saved import YOU, load
    from ..play.session import Session, refuse_taken

    def recording_to(chosen: Game, seats: tuple[str, ...]) -> Recording | None:
        if recorded is None:
            return None
        return Recording.to(recorded, chosen, seats, YOU if name is None else name)

    if resumed is not None:
        found = load(resumed)
        if game is not None and asked_game(game).name != found.game.name:
            raise SettingsError(
                "the file holds another game", where=str(resumed), value=found.game.name
            )
        _refuse_with_resume({"--seed": seed, "--save": kept})
        if found.seats is not None:
            named = _programs(found.seats)
            _refuse_with_resume({"--as": role, "--against": None if named else against})
            _refuse_programs(named, against, resumed)
        shown = display(found.game)
        seats = found.seats or asked_seats(shown, role, against)
        recording = recording_to(found.game, seats)
        _play_on(
            lambda hearer: Session(
                found.play, shown, seats, hearer, resumed, recording, seconds=found.seconds
            ),
            as_json=as_json,
        )
        return
    assert game is not None
    chosen = asked_game(game)
    shown = display(chosen)
    seats = asked_seats(shown, role, against)
    if kept is not None:
        refuse_taken(kept, where="--save")
    begun = Play.new(chosen, seed=_any_seed() if seed is None else seed)
    recording = recording_to(chosen, seats)
    _play_on(lambda hearer: Session(begun, shown, seats, hearer, kept, recording), as_json=as_json)


def _play_on(make: Callable[[Hearer], Session], *, as_json: bool) -> None:
    """Play a game, and then others as long as the person wants."""
    from ..kit.conversation import converse, speak
    from ..kit.leaving import kept
    from ..kit.terminal import Terminal

    def steps(hearer: Hearer) -> Steps[None]:
        session: Session | None = make(hearer)
        while session is not None:
            yield from session.steps()
            session = yield from session.another(_any_seed())

    with kept():
        if as_json:
            speak(steps)
        else:
            terminal = Terminal()
            converse(steps(terminal), terminal)


def asked_seats(display: Display, role: str | None, against: list[str] | None) -> tuple[str, ...]:
    """For every role the agent's text, or "you".

    Args:
        display: The game.
        role: Whom the person plays; None for the first.
        against: Agents for all others, or for one role or team each as ``ROLE=AGENT``.

    Raises:
        SettingsError: There is no such role or agent, or a role has two.
    """
    from ...planners.agents import parse_agent
    from ..kit.display import roles_named
    from ..play.saved import YOU

    game = display.game
    # A game that all win together has one team: played whole, it would hide nothing.
    first, *more = display.teams
    word = (first if more else game.roles[0]) if role is None else role
    mine = roles_named(display, word, where="--as")
    seats: dict[int, str] = dict.fromkeys(mine, YOU)
    rest: str | None = None
    for text in against or ():
        head, colon, options = text.partition(":")
        name, sign, agent = head.partition("=")
        if not sign:
            if rest is not None:
                raise SettingsError(
                    "two agents for all others",
                    where="--against",
                    value=text,
                    hint="write ROLE=NAME for each",
                )
            rest = parse_agent(text, game).text
            continue
        for number in roles_named(display, name, where="--against"):
            if number in seats:
                who = "you" if seats[number] == YOU else "another"
                raise SettingsError(
                    f"this role is played by {who} already", where="--against", value=text
                )
            seats[number] = parse_agent(agent + colon + options, game).text
    usual = parse_agent(OPPONENT).text if rest is None else rest
    return tuple(seats.get(number, usual) for number in range(game.players))


def _refuse_with_resume(given: dict[str, object]) -> None:
    for option, value in given.items():
        if value is not None:
            raise SettingsError(f"with --resume, {option} comes from the file", hint="leave it out")


def _programs(seats: Iterable[str]) -> list[str]:
    """The agents of a file that run programs."""
    from ...planners.agents import parse_agent
    from ..play.saved import YOU

    agents = [parse_agent(text) for text in dict.fromkeys(seats) if text != YOU]
    return [agent.text for agent in agents if agent.runs_program]


def _refuse_programs(named: Sequence[str], against: Sequence[str] | None, file: Path) -> None:
    """Refuse to run a program because a file says so: the user who plays on has to name it, too."""
    from ...planners.agents import COMMANDS, parse_agent

    given = {
        parse_agent(name.rpartition("=")[2] + colon + options).text
        for text in against or ()
        for name, colon, options in [text.partition(":")]
        if name.rpartition("=")[2] in COMMANDS
    }
    for text in named:
        if text not in given:
            raise SettingsError(
                "an agent of this file runs a program",
                where=str(file),
                value=text,
                hint=f'if you want that, say so: --against "{text}"',
            )


def _any_seed() -> int:
    import secrets

    return secrets.randbelow(2**63)
