"""The game, the agents and the test that a command line asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from ....data.checks import MOST_DIGITS
from ....data.errors import SettingsError, nearest, plain_name
from ....models.game import Game
from ....models.games import GameEntry, entry
from ....planners.agents import NamedAgent, agents_of, parse_agent, parse_named, value_of
from ....planners.matches.match_statistics import Stop


def asked_game(text: str) -> Game:
    """The game that ``NAME[:setting=value,...]`` or ``FILE.py:NAME[:setting=value,...]`` names.

    Raises:
        SettingsError: There is no such game, or it has no such setting or value.
    """
    file, ending, rest = text.partition(".py:")
    if ending:
        variable, _, options = rest.partition(":")
        name, given = (
            f"{file}.py:{variable}",
            parse_named(f"game:{options}" if options else "game")[1],
        )
    else:
        name, given = parse_named(text)
    return with_settings(entry(name), given)


def with_settings(found: GameEntry, given: Mapping[str, str]) -> Game:
    """A game with settings as they are written.

    Raises:
        SettingsError: It has no such setting or value.
    """
    known = found.settings
    settings: dict[str, Any] = {}
    for setting, value in given.items():
        usual: object = known[setting].default if setting in known else None
        where = f"game {found.name!r}, setting {setting!r}"
        settings[setting] = (
            _guessed(value) if usual is None else value_of(value, type(usual), where)
        )
    return found.game(**settings)


def _guessed(text: str) -> object:
    """A setting whose usual value follows from others: the game says whether it can be this."""
    words = {"yes": True, "true": True, "no": False, "false": False}
    number = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    return int(text) if number else words.get(text.lower(), text)


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
    known = {plain_name(name): name for name in members}
    for text in texts:
        head, colon, options = text.partition(":")
        role, sign, name = head.partition("=")
        if not sign:
            rest.append(parse_agent(text, game))
            continue
        role = role.strip()
        if plain_name(role) not in known:
            raise SettingsError(
                f"{game.name} has no such role",
                where="agents",
                value=role,
                hint=nearest(role, members),
            )
        for member in members[known[plain_name(role)]]:
            if member in by_role:
                raise SettingsError("a role has two agents", where="agents", value=role)
            by_role[member] = parse_agent(name + colon + options, game)
    free = [role for role in game.roles if role not in by_role]
    sides = [side for side in game.sides if all(role in free for role in members[side])]
    if len(free) != len(rest) == len(sides):
        rest = [agent for side, agent in zip(sides, rest, strict=True) for _ in members[side]]
        free = [role for side in sides for role in members[side]]
    if by_role and free and not rest:
        left = sides if sum(len(members[side]) for side in sides) == len(free) else free
        raise SettingsError(
            f"nobody plays {', '.join(left)}",
            where="agents",
            hint=f"add {left[0].replace(' ', '_')}=NAME; known: {', '.join(agents_of(game))}",
        )
    if len(free) != len(rest) or len(by_role) + len(free) != game.players:
        raise SettingsError(
            f"{game.name} needs {game.players} agents",
            where="agents",
            value=len(texts),
            hint=f"one for each of {', '.join(game.roles)}"
            + (f", or for each of {', '.join(game.sides)}" if game.teams else "")
            + f", separated by spaces; known: {', '.join(agents_of(game))}",
        )
    by_role |= dict(zip(free, rest, strict=True))
    return [by_role[role] for role in game.roles]


def asked_of_teams(asked: Mapping[str, str], game: Game) -> list[str]:
    """The text for ``--agents``, of options of the game's own: agents by their teams.

    Raises:
        SettingsError: The game has no such team.
    """
    texts: list[str] = []
    for team, text in asked.items():
        if team not in game.teams:
            raise SettingsError(
                f"{game.name} has no such team",
                where=team,
                value=text,
                hint="name the agents by `agents`",
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
            "no agent makes playouts whose number is left open", where="playouts", value=playouts
        )
    return made


def asked_stop(text: str | None) -> Stop | None:
    """The test of ``DELTA`` or ``delta=...,alpha=...,beta=...``.

    Raises:
        SettingsError: It is written in another way, or a number is out of range.
    """
    if text is None:
        return None
    _, given = parse_named(f"stop:{text if '=' in text else f'delta={text}'}")
    known = tuple(each.name for each in fields(Stop))
    numbers: dict[str, float] = {}
    for name, value in given.items():
        if name not in known:
            raise SettingsError(
                "no such number", where="stop", value=name, hint=nearest(name, known)
            )
        try:
            numbers[name] = float(value)
        except ValueError:
            raise SettingsError("a number is needed", where=f"stop, {name}", value=value) from None
    return Stop(**numbers)
