"""`sleuth match`: games between agents, as a table or JSON."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.text import Text

from ..data.errors import SettingsError, nearest
from ..models.game import Game
from ..models.games import GAMES
from ..models.games import game as game_by_name
from ..planners.agent_names import AGENTS, NamedAgent, parse_agent, parse_named
from ..planners.match import MatchResult, Progress, play_match
from ..planners.match_statistics import Stop, wilson
from . import plain_text
from .console import printable
from .numbers import counted
from .writing import refuse_unwritable

NARROW: Final = 72
"""Below this width, scores are left out of the table."""


def asked_game(text: str) -> Game:
    """The game that ``NAME[:setting=value,...]`` names.

    Raises:
        SettingsError: There is no such game, or it has no such setting or value.
    """
    name, given = parse_named(text)
    make = GAMES.get(name)
    known: dict[str, Any] = {}
    if make is not None:
        known |= inspect.signature(make).parameters
    settings: dict[str, Any] = {}
    for setting, value in given.items():
        usual: object = known[setting].default if setting in known else None
        settings[setting] = _setting(value, usual, f"game {name!r}, setting {setting!r}")
    return game_by_name(name, **settings)


def _setting(text: str, usual: object, where: str) -> object:
    if isinstance(usual, bool):
        words = {"yes": True, "true": True, "no": False, "false": False}
        if text.lower() not in words:
            raise SettingsError("yes or no is needed", where=where, value=text)
        return words[text.lower()]
    if isinstance(usual, (int, float)):
        kind, needed = (int, "a whole number") if isinstance(usual, int) else (float, "a number")
        try:
            return kind(text)
        except ValueError:
            raise SettingsError(f"{needed} is needed", where=where, value=text) from None
    return text


def asked_agents(texts: Sequence[str], game: Game) -> list[NamedAgent]:
    """The agents of ``[ROLE=]NAME[:key=value,...]``, in the order of the game's roles.

    A team stands for all roles of its members. Agents without a role take the roles that are left,
    in order; or the teams that are left, if there are as many.

    Returns:
        One agent for each role.

    Raises:
        SettingsError: There is no such role or agent, or a role has two agents or none.
    """
    by_role: dict[str, NamedAgent] = {}
    rest: list[NamedAgent] = []
    members = (
        {
            side: [role for role, team in zip(game.roles, game.teams, strict=True) if team == side]
            for side in game.sides
        }
        if game.teams
        else {}
    )
    members |= {role: [role] for role in game.roles}
    known = {_plain(name): name for name in members}
    for text in texts:
        head, colon, options = text.partition(":")
        role, sign, name = head.partition("=")
        if not sign:
            rest.append(parse_agent(text))
            continue
        role = role.strip()
        if _plain(role) not in known:
            raise SettingsError(
                f"{game.name} has no such role",
                where="--agents",
                value=role,
                hint=nearest(role, members),
            )
        for member in members[known[_plain(role)]]:
            if member in by_role:
                raise SettingsError("a role has two agents", where="--agents", value=role)
            by_role[member] = parse_agent(name + colon + options)
    free = [role for role in game.roles if role not in by_role]
    sides = [side for side in game.sides if all(role in free for role in members[side])]
    if len(free) != len(rest) == len(sides):
        rest = [agent for side, agent in zip(sides, rest, strict=True) for _ in members[side]]
        free = [role for side in sides for role in members[side]]
    if by_role and free and not rest:
        left = sides if sum(len(members[side]) for side in sides) == len(free) else free
        raise SettingsError(
            f"nobody plays {', '.join(left)}",
            where="--agents",
            hint=f"add {left[0].replace(' ', '_')}=NAME; known: {', '.join(AGENTS)}",
        )
    if len(free) != len(rest) or len(by_role) + len(free) != game.players:
        raise SettingsError(
            f"{game.name} needs {game.players} agents",
            where="--agents",
            value=len(texts),
            hint=f"one for each of {', '.join(game.roles)}"
            + (f", or for each of {', '.join(game.sides)}" if game.teams else "")
            + f", separated by spaces; known: {', '.join(AGENTS)}",
        )
    by_role |= dict(zip(free, rest, strict=True))
    return [by_role[role] for role in game.roles]


def asked_of_teams(asked: Mapping[str, str | None], game: Game) -> list[str]:
    """What ``--agents`` would be told, of options such as ``--hider`` and ``--seekers``.

    Raises:
        SettingsError: The game has no such team.
    """
    texts: list[str] = []
    for team, text in asked.items():
        if text is None:
            continue
        if team not in game.teams:
            raise SettingsError(
                f"{game.name} has no such team",
                where=f"--{team}",
                value=text,
                hint="name the agents by --agents",
            )
        texts.append(f"{team}={text}")
    return texts


def with_playouts(agents: Sequence[NamedAgent], playouts: int | None) -> list[NamedAgent]:
    """The agents, with this number of simulations where they make any and say not how many.

    Raises:
        SettingsError: None of them makes simulations.
    """
    if playouts is None:
        return list(agents)
    made = [agent.with_simulations(playouts) for agent in agents]
    if made == list(agents):
        raise SettingsError(
            "no agent makes playouts whose number is left open", where="--playouts", value=playouts
        )
    return made


def _plain(name: str) -> str:
    return name.replace("-", "_").replace(" ", "_")


def asked_stop(text: str | None) -> Stop | None:
    """The test of ``DELTA`` or ``delta=...,alpha=...,beta=...``.

    Raises:
        SettingsError: It is written in another way, or a number is out of range.
    """
    if text is None:
        return None
    _, given = parse_named(f"stop:{text if '=' in text else f'delta={text}'}")
    known = tuple(Stop.__dataclass_fields__)
    numbers: dict[str, float] = {}
    for name, value in given.items():
        if name not in known:
            raise SettingsError(
                "no such number", where="--stop", value=name, hint=nearest(name, known)
            )
        try:
            numbers[name] = float(value)
        except ValueError:
            raise SettingsError(
                "a number is needed", where=f"--stop, {name}", value=value
            ) from None
    return Stop(**numbers)


def match(
    game: Game,
    agents: Sequence[NamedAgent],
    *,
    games: int,
    seed: int,
    workers: int | None,
    swap: bool | None,
    series: int = 1,
    stop: Stop | None,
    out: Path | None,
    cluster: str | None,
    progress: Progress,
) -> MatchResult:
    """Plays a match.

    Raises:
        KeyboardInterrupt: Ctrl-C, with a sentence on what is kept.
    """
    if workers is None:
        workers = 1 if cluster is None else -1
    if out is not None:
        refuse_unwritable(out, option="--out")
    finished = 0

    def tell(done: int, total: int) -> None:
        nonlocal finished
        finished = done
        progress(done, total)

    try:
        with _backend(cluster):
            return play_match(
                game,
                agents,
                games=games,
                seed=seed,
                workers=workers,
                swap=swap,
                series=series,
                stop=stop,
                out=out,
                progress=tell,
            )
    except KeyboardInterrupt:
        if out is None:
            kept = "nothing is kept; with --out FILE a match that is interrupted can go on"
        elif finished == 0:
            kept = "no game had ended, nothing is kept"
        else:
            are = "is" if finished == 1 else "are"
            kept = (
                f"{counted(finished, 'finished game')} {are} in {out}; "
                "the same command goes on from there"
            )
        raise KeyboardInterrupt(kept) from None


@contextmanager
def _backend(cluster: str | None) -> Generator[None, None, None]:
    """Where joblib sends its work; processes of this machine without a cluster's address."""
    if cluster is None:
        yield
        return
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise SettingsError(
            "a cluster needs the library distributed",
            where="--cluster",
            value=cluster,
            hint="install it with pip install 'sleuth[cluster]'",
        ) from None
    joblib: Any = import_module("joblib")
    try:
        client = distributed.Client(cluster, timeout="10s")
    except (OSError, ValueError):
        raise SettingsError(
            "no cluster answers there", where="--cluster", value=cluster, hint="write HOST:PORT"
        ) from None
    with client, joblib.parallel_config(backend="dask", client=client):
        yield


def render(result: MatchResult, width: int) -> RenderableType:
    """The result for a terminal of this many columns."""
    narrow = width < NARROW
    swapped = "seats swapped" if result.swap else "seats fixed"
    heading = Text(printable(result.game), style="bold")
    count = len(result.games)
    if result.series > 1:
        swapped += f", the same agents for {result.series} games"
    heading.append(f"\n{counted(count, 'game')}, {swapped}, seed {result.seed}\n", style="not bold")
    table = plain_text.table()
    table.add_column(Text("agent", style="dim"), overflow="fold")
    headings = ["wins", "rate", "95 % interval", *([] if narrow else ["score"]), "mean return"]
    for name in headings:
        table.add_column(Text(name, style="dim"), justify="right", no_wrap=True)
    for place, agent in enumerate(result.agents):
        low, high = result.intervals[place]
        cells = [
            str(result.wins[place]),
            f"{result.win_rates[place]:.3f}",
            f"{low:.3f} to {high:.3f}",
            *([] if narrow else [f"{result.scores[place]:.3f}"]),
            f"{result.mean_returns[place]:+.3f}",
        ]
        table.add_row(plain_text.Options(printable(agent)), *cells)
    lines: list[str] = []
    if result.shared:
        was = "was" if result.shared == 1 else "were"
        alone = "by no team alone" if result.team_wins else "by nobody alone"
        lines.append(f"{counted(result.shared, 'game')} {was} won {alone}.")
    for team, wins in result.team_wins.items():
        low, high = wilson(wins, count)
        lines.append(
            f"{team}: {counted(wins, 'game')}, {wins / count:.3f} ({low:.3f} to {high:.3f})"
        )
    if result.verdict is not None:
        lines.append(
            "Neither is better by as much as was asked."
            if result.verdict == "equal"
            else f"{printable(result.verdict)} is better: the match ended when that was clear."
        )
    kept = ""
    if result.resumed:
        were = "was" if result.resumed == 1 else "were"
        kept = f", {counted(result.resumed, 'game')} {were} there already"
    lines.append(f"{result.seconds:.1f} s{kept}")
    return Group(heading, table, Text("\n" + "\n".join(lines)))
