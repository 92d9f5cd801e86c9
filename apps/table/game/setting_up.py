"""The first page of a game: its rules, who plays, and what the players are shown."""

from __future__ import annotations

import secrets
import typing
from collections.abc import Mapping
from typing import Any, Final, Literal

from ....data.errors import SettingsError
from ....models.game import Game
from ....models.games import entry, resolved
from ....planners.agents import parse_agent, without_programs
from ...kit.answers.values import BlankForm, FormField, Paragraph, Refusal, Statement
from ...kit.display import roles_named
from ...play.saved import YOU
from ..sitting import Panel
from . import texts
from .course import GameCourse
from .jobs import GameName
from .offered import OPPONENT, offered_agents
from .seating import Seating

#: Devices that people can play on; the first is the host's.
MOST_DEVICES: Final = 12
#: Roles that can be filled in one by one; see `app.MOST_BLANKS`.
MOST_ROLES: Final = 30
#: Seconds that an agent may think about a move: all tables share a few processes.
MOST_SECONDS: Final = 60.0
SETTING: Final = "set "
#: How the names of files end that settings can name.
FILES: Final = (".json", ".py")
SEAT: Final = "seat "


def panels(course: GameCourse) -> list[Panel]:
    """The page that the host sees before a game begins."""
    game = course.name.game()
    parts: list[Statement] = []
    if course.refused:
        parts.append(Refusal(course.refused))
    rules = _rules(course.name)
    shown = course.name.display()
    words = [Paragraph(shown.rules)] if shown.rules else []
    found = [Panel("who", (*parts, _who(course.name, game)), texts.WHO)]
    if rules.blanks:
        note = Paragraph(texts.SETTINGS_NOTE, "soft")
        found.append(Panel("rules", (note, rules), texts.SETTINGS, "side", folded=True))
    if words:
        found.append(Panel("words", tuple(words), texts.RULES, "side"))
    return found


def asked_agent(text: str, game: Game) -> str:
    """An agent that is asked for at the table, in its usual words.

    Raises:
        SettingsError: There is none, it would think for too long, or it runs a program.
    """
    named = without_programs(parse_agent(text, game))
    seconds = dict(named.options).get("seconds")
    if seconds is not None and seconds > MOST_SECONDS:
        raise SettingsError(
            f"an agent at the table thinks for at most {MOST_SECONDS:g} seconds about a move",
            value=text,
            hint="write fewer seconds",
        )
    return named.text


def asked_settings(source: str, blanks: Mapping[str, str]) -> dict[str, str]:
    """The settings that were filled in.

    Raises:
        SettingsError: The game cannot be told this.
    """
    known = entry(source).settings
    given = {
        name: text
        for name in known
        if (text := blanks.get(f"{SETTING}{name}", "").strip()) and text != _usual(known[name])
    }
    for name, text in given.items():
        if text.lower().endswith(FILES):
            raise SettingsError(
                "a page opens no files of the machine that it comes from",
                where=name,
                value=text,
                hint="write a name, or start 'sleuth play' with the file",
            )
    GameName(source, tuple(sorted(given.items()))).game()
    return given


def asked_seating(name: GameName, blanks: Mapping[str, str]) -> Seating:
    """The seats, as they were filled in.

    Raises:
        SettingsError: It cannot be so.
    """
    game = name.game()
    agents: list[str] = []
    devices: list[int] = []
    own = _others(name, blanks.get("others", ""))
    for role in range(game.players):
        said = own.get(role) or blanks.get(f"{SEAT}{role}", "").strip()
        choice = said or _usual_seat(name, role)
        device = _devices(game).get(choice, -1)
        devices.append(device)
        agents.append(YOU if device >= 0 else asked_agent(choice, game))
    if YOU not in agents:
        raise SettingsError(
            "nobody plays", where=texts.WHO, hint="choose a person for one role at least"
        )
    switches = {key: blanks.get(key, usual) == texts.YES for key, usual in SWITCHES.items()}
    return Seating(tuple(agents), tuple(devices), _seed(blanks.get("seed", "")), **switches)


SWITCHES: Final = {
    "back": texts.YES, "belief": texts.YES, "advice": texts.YES, "guess": texts.NO
}  # fmt: skip


def _rules(name: GameName) -> BlankForm:
    """The settings that can be written, each as a field."""
    found = entry(name.source)
    given = dict(name.settings)
    rules = resolved(found.rules)
    try:
        hints = {} if isinstance(rules, Game) else typing.get_type_hints(rules)
    except Exception:  # whatever a reader's annotations are
        hints = {}
    blanks: list[FormField] = []
    for setting, parameter in found.settings.items():
        usual = parameter.default
        if not (usual is None or isinstance(usual, bool | int | float | str)):
            continue
        value = given.get(setting, _usual(parameter))
        choices = _choices(hints.get(setting), usual)
        number = isinstance(usual, int) and not isinstance(usual, bool)
        blanks.append(
            FormField(
                f"{SETTING}{setting}",
                setting.replace("_", " "),
                value,
                "choice" if choices else "number" if number else "text",
                choices,
            )
        )
    return BlankForm("rules", tuple(blanks), texts.CHANGE)


def _usual(parameter: Any) -> str:
    usual = parameter.default
    if isinstance(usual, bool):
        return texts.YES if usual else texts.NO
    return str(usual) if isinstance(usual, int | float | str) else ""


def _choices(hint: Any, usual: object) -> tuple[str, ...]:
    """The values that a setting can have, where they are few; empty for as usual."""
    empty = ("",) if usual is None else ()
    if isinstance(usual, bool):
        return (texts.YES, texts.NO)
    for one in (hint, *typing.get_args(hint)):
        if typing.get_origin(one) is Literal:
            return (*empty, *map(str, typing.get_args(one)))
        if one is bool:
            return (*empty, texts.YES, texts.NO)
    return ()


def _who(name: GameName, game: Game) -> BlankForm:
    devices = _devices(game)
    here = {words: words for words in devices}
    choices = {**here, **offered_agents(game)}
    blanks = [
        FormField(
            f"{SEAT}{role}",
            name.display().names((role,)),
            _usual_seat(name, role),
            "choice",
            tuple(choices),
            called=tuple(choices.values()),
        )
        for role in range(min(game.players, MOST_ROLES))
    ]
    switches = {
        "back": texts.BACK, "belief": texts.BELIEF, "advice": texts.ADVICE, "guess": texts.GUESS
    }  # fmt: skip
    if not game.hides:
        del switches["belief"], switches["guess"]
    blanks += [
        FormField(key, label, SWITCHES[key], "choice", (texts.YES, texts.NO))
        for key, label in switches.items()
    ]
    blanks.append(FormField("others", texts.OTHER_AGENTS))
    blanks.append(FormField("seed", texts.SEED))
    return BlankForm("begin", tuple(blanks), texts.BEGIN)


def _usual_seat(name: GameName, role: int) -> str:
    """The usual player of a role: a person has the first side."""
    return texts.HERE if role in next(iter(name.display().teams.values())) else OPPONENT


def _devices(game: Game) -> dict[str, int]:
    """The devices that people can play on, by the words for them."""
    # The host may look on, such as on a projector.
    count = min(game.players + 1, MOST_DEVICES)
    more = {texts.ELSEWHERE.format(number + 1): number for number in range(1, count)}
    return {texts.HERE: 0, **more}


def _others(name: GameName, text: str) -> dict[int, str]:
    """Agents that were written: role -> agent."""
    found: dict[int, str] = {}
    for word in text.split():
        role, sign, agent = word.partition("=")
        if not sign or not agent:
            raise SettingsError(
                "this is no agent for a role", value=word, hint="write ROLE=NAME:key=value"
            )
        written = asked_agent(agent, name.game())
        for number in roles_named(name.display(), role, where=texts.OTHER_AGENTS):
            found[number] = written
    return found


def _seed(text: str) -> int:
    text = text.strip()
    if not text:
        return secrets.randbelow(2**63)
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) < 2**63):
        raise SettingsError("a seed is a whole number", where=texts.SEED, value=text)
    return int(text)
