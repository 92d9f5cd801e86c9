"""Agents by name and options, as ``mcts:simulations=1000,exploration=0.7``.

A name and its options can be written in a file or sent to a worker, which an agent cannot.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Protocol, cast, runtime_checkable

from ...beliefs.games.registry import games_whose_belief_takes
from ...data.errors import SettingsError, nearest
from ...models.game import Game
from ...models.games import GameEntry, entries, entry_of, game_from
from ...models.person import Person
from .advised import PREDICTED
from .agent import DeterminizationAgent, Maker, RandomAgent, SearchAgent, SemiDeterminizationAgent
from .asking_agents import AskingSettings, asking
from .look_ahead_agents import LookAheadSettings, alpha_beta, expectimax
from .search_agents import SearchSettings, searching

#: The option by which a belief is told of a predictor.
PREDICTOR: Final = "predictor"
#: How an agent of one's own is written for a match.
WRAP: Final = "wrap it in OwnAgent(text, lambda game: lambda seed: ...), which makes a new agent"


@runtime_checkable
class Contestant(Protocol):
    """An agent as a match takes it: what it is called, and how one is made.

    It is sent to workers, so it has to be picklable.
    """

    @property
    def text(self) -> str:
        """Name and options; another text means another agent."""
        ...

    def prepare(self, game: Game) -> Maker:
        """Do what takes long, once in a process, and say how an agent is made for a game."""
        ...


@dataclass(frozen=True)
class NamedAgent:
    """An agent by its name in `AGENTS` and the options that differ from its usual ones."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        """As `parse_agent` reads it."""
        listed = ",".join(f"{name}={_written(value)}" for name, value in self.options)
        return f"{self.name}:{listed}" if listed else self.name

    def with_simulations(self, count: int) -> NamedAgent:
        """The agent with so many simulations, if it makes any and nothing says how long."""
        given = dict(self.options)
        if "simulations" not in kind_of(self.name).kinds or given.keys() & {
            "simulations",
            "seconds",
        }:
            return self
        return replace(self, options=(*self.options, ("simulations", count)))

    def prepare(self, game: Game) -> Maker:
        """Compile what the agent needs for a game.

        Raises:
            SettingsError: An option does not fit, or the agent cannot play this game.
        """
        kind = kind_of(self.name)
        try:
            return kind.prepare(game, kind.settings(game, dict(self.options)), self.text)
        except SettingsError as error:
            where = f"agent {self.text!r}" + (f", {error.where}" if error.where else "")
            asked = dict(self.options)
            if error.value in (PREDICTOR, PREDICTED) and not {PREDICTOR, "imagined"} & set(asked):
                # That is no option that somebody has asked for, but what this agent is.
                raise SettingsError(
                    "this agent is for games whose belief takes a predictor",
                    where=where,
                    hint=f"such as {', '.join(games_whose_belief_takes(PREDICTOR))}",
                ) from None
            value = {} if error.value is None else {"value": error.value}
            raise SettingsError(error.message, where=where, hint=error.hint, **value) from None


@dataclass(frozen=True)
class OwnAgent:
    """An agent of your own for a match.

    Attributes:
        text: What it is called; includes its options, if it has any.
        make: From the game to a function that makes an agent from a seed. For several workers
            it has to be picklable.

    Raises:
        SettingsError: The text is none, or ``make`` is no function.
    """

    text: str
    make: Callable[[Game], Maker]

    def __post_init__(self) -> None:
        text = cast(object, self.text)
        if not isinstance(text, str) or not text:
            raise SettingsError(
                "an agent needs a text that says what it is called",
                where="OwnAgent",
                value=text,
                hint=WRAP,
            )
        if not callable(self.make):
            raise SettingsError(
                "make must be a function from the game to one that makes agents",
                where=f"agent {self.text!r}",
                value=cast(object, self.make),
                hint=WRAP,
            )

    def prepare(self, game: Game) -> Maker:
        """What ``make`` gives.

        Raises:
            SettingsError: That is no function, but for instance an agent.
        """
        maker = self.make(game)
        if not callable(maker):
            raise SettingsError(
                "make must give a function that makes an agent from a seed, not an agent",
                where=f"agent {self.text!r}",
                value=cast(object, maker),
                hint=WRAP,
            )
        return maker


@dataclass(frozen=True, kw_only=True)
class NoSettings:
    """An agent without options."""


#: By which name a game's advice says what is usual for a search that wants to learn.
LEARNING: Final = "learning"
#: The same for one that wants to learn in several of the player's own decisions (``depth``).
LEARNING_ON: Final = "learning_on"

#: Options of agents that search which say what is learned, and how it is known.
OF_A_GAIN: Final = frozenset(("about", "depth", "gain_discount", "asks", "share"))


#: Who gives hints, and by which name a game's advice says what is usual for that.
ADVISER: Final = "mcts"
HINT: Final = "hint"


@dataclass(frozen=True)
class Kind:
    """What a name stands for.

    Attributes:
        says: What such an agent does, in a few words.
        usual: Its options with their usual values: a frozen data class.
        prepare: (game, options, text) -> what makes agents of this text.
        advised: By which name the game's advice says what is usual there, if it does.
    """

    says: str
    usual: Any
    prepare: Callable[[Game, Any, str], Maker]
    advised: str = ""

    @property
    def kinds(self) -> dict[str, Any]:
        """The type of every option, by its name."""
        return typing.get_type_hints(cast(Any, type(self.usual)))

    def settings(self, game: Game, given: Mapping[str, Any]) -> Any:
        """The options: as given, else as makes this kind, else as is usual in the game.

        Raises:
            SettingsError: An option of a gain is given, and there is no gain.
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


def _random(game: Game, settings: NoSettings, text: str) -> Maker:
    return lambda seed: RandomAgent(seed, text)


@dataclass(frozen=True, kw_only=True)
class PeopleSettings:
    """Options of simulated people.

    Attributes:
        population: Of which of the game's populations they are; None for the usual one.
    """

    population: str | None = None


def _people(game: Game, settings: PeopleSettings, text: str) -> Maker:
    people = game.advice.people
    if people is None:
        raise SettingsError("this game has no simulated people", where=f"game {game.name!r}")

    more = () if settings.population is None else (settings.population,)

    def made(seed: int) -> Person:
        return people(game, seed, text, *more)

    made(0)  # finds a population that there is not
    return made


_semi: Final = searching(SemiDeterminizationAgent)
_search: Final = searching(SearchAgent)
_uniform: Final = searching(DeterminizationAgent)


def _usual_search(game: Game, given: Mapping[str, Any]) -> Maker:
    """Agents that search as is usual in a game, with some options."""
    kind = AGENTS[ADVISER]
    return kind.prepare(game, kind.settings(game, given), ADVISER)


#: All agents that can be asked for by name.
AGENTS: Final[dict[str, Kind]] = {
    "random": Kind("any legal action", NoSettings(), _random),
    "mcts": Kind("one tree over worlds drawn from the belief", SearchSettings(), _search, "search"),
    "search": Kind("the same as mcts", SearchSettings(), _search, "search"),
    "players": Kind(
        "a tree for each player", SearchSettings(information="players"), _search, "search"
    ),
    "vote": Kind("separate trees, which vote", SearchSettings(trees=16), _search, "search"),
    "average": Kind(
        "separate trees, whose values are averaged",
        SearchSettings(trees=16, combine="average"),
        _search,
        "search",
    ),
    "uniform": Kind("possible worlds, each equally often", SearchSettings(), _uniform, "search"),
    "semi": Kind("the last hidden action laid open in each way", SearchSettings(), _semi, "semi"),
    "mga": Kind(
        "semi, each way as likely as any other", SearchSettings(predictor="even"), _semi, "semi"
    ),
    "pmga": Kind(
        "semi, ways as likely as a predictor says", SearchSettings(predictor="usual"), _semi, "semi"
    ),
    "fpmga": Kind(
        "semi, told the way by a hint that is mostly right",
        SearchSettings(predictor="hint", right=0.85),
        _semi,
        "semi",
    ),
    "ours": Kind(
        "the belief with a predictor, against an opponent who is predicted",
        SearchSettings(predictor="usual", imagined="predicted", alone=True, information="key"),
        _search,
        "ours",
    ),
    "people": Kind("a simulated person, drawn for a series", PeopleSettings(), _people),
    "alpha_beta": Kind("all others are one enemy", LookAheadSettings(), alpha_beta, "alpha_beta"),
    "paranoid": Kind("the same as alpha_beta", LookAheadSettings(), alpha_beta, "alpha_beta"),
    "expectimax": Kind(
        "others are chance, unless the game says otherwise",
        LookAheadSettings(),
        expectimax,
        "expectimax",
    ),
    "asking": Kind(
        "what tells most, two steps ahead; mcts where there is nothing to ask",
        AskingSettings(),
        asking(_usual_search),
    ),
}

#: Those of them that search over worlds, see `search_agent`.
SEARCHING: Final = tuple(
    name for name, kind in AGENTS.items() if isinstance(kind.usual, SearchSettings)
)


def names_for(game: Game) -> tuple[str, ...]:
    """What the agents of a game are called: its own first, then those of any game."""
    found = entry_of(game)
    return (*((found and found.part("agents")) or ()), *AGENTS)


def kind_of(name: str) -> Kind:
    """What a name stands for: one of `AGENTS`, or an agent that one game alone has.

    Raises:
        SettingsError: No agent has this name.
    """
    if name in AGENTS:
        return AGENTS[name]
    own: dict[str, Kind] = {}
    for entry in entries():
        own |= entry.part("agents") or {}
    if name not in own:
        several = "name one agent at a time; " if "," in name else ""
        raise SettingsError(
            "no such agent", value=name, hint=several + nearest(name, (*AGENTS, *own))
        )
    return own[name]


def parse_agent(text: str) -> NamedAgent:
    """The agent that a text such as ``"mcts:simulations=1000,exploration=0.7"`` names.

    ``-`` and ``_`` are the same.

    Raises:
        SettingsError: No agent has this name, it has no such option, or a value is of the wrong
            kind.
    """
    name, given = parse_named(text)
    kinds = kind_of(name).kinds
    options: list[tuple[str, Any]] = []
    for option, value in given.items():
        check_option(name, option)
        options.append(
            (option, value_of(value, kinds[option], f"agent {name!r}, option {option!r}"))
        )
    return NamedAgent(name, tuple(options))


def check_option(agent: str, option: str) -> None:
    """Refuse what is no option of the agents of a name.

    Raises:
        SettingsError: These agents have no such option.
    """
    known = kind_of(agent).kinds
    if option not in known:
        hint = nearest(option, known) if known else "it has none"
        if option in AGENTS["mcts"].kinds:
            hint += f"; agents that search have it, such as {', '.join(SEARCHING[:3])}"
        raise SettingsError("no such option", where=f"agent {agent!r}", value=option, hint=hint)


def search_agent(text: str, game: Game | GameEntry, *, seed: int) -> SearchAgent:
    """An agent that searches, ready to say what it thinks: ``agent.decision(view, seen)``.

    Args:
        text: Its name and options, as `parse_agent` reads them.
        game: The game, or its entry.
        seed: The same seed gives the same decisions, unless the budget is in seconds.

    Raises:
        SettingsError: As `parse_agent` and `NamedAgent.prepare`, or this agent does not search.
    """
    made = parse_agent(text).prepare(game_from(game))(seed)
    if not isinstance(made, SearchAgent):
        raise SettingsError(
            "this agent does not search",
            value=text,
            hint=f"such as {', '.join(SEARCHING[:3])}; parse_agent makes any",
        )
    return made


def adviser(game: Game) -> NamedAgent:
    """Who gives hints in a game to those who name nobody, with what is usual for that there."""
    return NamedAgent(ADVISER, tuple(game.advice.usual.get(HINT, {}).items()))


def parse_named(text: str) -> tuple[str, Mapping[str, str]]:
    """Name and options of ``NAME[:key=value,...]``; in names ``-`` becomes ``_``.

    Raises:
        SettingsError: It is written in another way.
    """
    name, colon, listed = text.strip().partition(":")
    given: dict[str, str] = {}
    parts = listed.split(",") if colon else []
    for part in parts:
        option, sign, value = (piece.strip() for piece in part.partition("="))
        option = option.replace("-", "_")
        if not (option and sign and value):
            raise SettingsError(
                "this is no option", where=repr(text), value=part, hint="write NAME:key=value,..."
            )
        if option in given:
            raise SettingsError("an option stands here twice", where=repr(text), value=option)
        given[option] = value
    if not name:
        raise SettingsError("a name is missing", value=text, hint="write NAME[:key=value,...]")
    return name.strip().replace("-", "_"), given


def value_of(text: str, kind: Any, where: str) -> Any:
    """What a text means for an option of this type: yes or no, a number, one of a few, or itself.

    Raises:
        SettingsError: It is no value of the type.
    """
    if typing.get_origin(kind) is typing.Literal:
        few = {str(value): value for value in typing.get_args(kind)}
        if text not in few:
            raise SettingsError("no such choice", where=where, value=text, hint=nearest(text, few))
        return few[text]
    wanted = cast(
        tuple[Any, ...], typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    )
    try:
        if bool in wanted:
            return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]
        if int in wanted:
            return int(text)
        if float in wanted:
            return float(text)
    except (KeyError, ValueError):
        needed = (
            "yes or no" if bool in wanted else "a whole number" if int in wanted else "a number"
        )
        raise SettingsError(f"{needed} is needed", where=where, value=text) from None
    return text


def _written(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
