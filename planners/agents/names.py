"""Agents by name and options, as ``mcts:simulations=1000,exploration=0.7``.

A name and its options can be written in a file or sent to a worker, which an agent cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, cast, runtime_checkable

from ...data.errors import SettingsError, nearest
from ...models.game import Game
from ...models.games import GameEntry, entries, entry_of, game_from
from ...models.person import Person
from ..responding.local_responder import LocalResponseSettings, local_responders
from .agent import Maker, RandomAgent, SearchAgent
from .asking_agents import AskingSettings, asking
from .bots import BotSettings, bots, words_of_command
from .kind import Kind, NoSettings
from .look_ahead_agents import LookAheadSettings, alpha_beta, expectimax
from .option_text import parse_named, unnamed_first, value_of, written
from .search_agents import SearchSettings, searchers
from .sound_agents import KeptSettings, kept, sounders

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
        first = UNNAMED.get(self.name)
        ordered = sorted(self.options, key=lambda option: option[0] != first)
        listed = ",".join(
            unnamed_first(value) if name == first else f"{name}={written(value)}"
            for name, value in ordered
        )
        return f"{self.name}:{listed}" if listed else self.name

    @property
    def runs_program(self) -> bool:
        """True for one that runs a program: only the user themselves may ask for it."""
        return any(kind.runs for _, kind in kinds_of(self.name))

    @property
    def values(self) -> tuple[object, ...]:
        """The values of its options that may name files; of a command, its words."""
        command = COMMANDS.get(self.name)
        return tuple(
            each
            for name, value in self.options
            for each in (words_of_command(value) if name == command else (value,))
        )

    def with_simulations(self, count: int) -> NamedAgent:
        """The agent with so many simulations, if it makes any and nothing says how long."""
        _, kind = next(kinds_of(self.name))
        if "simulations" not in kind.types or dict(self.options).keys() & {
            "simulations",
            "seconds",
            "milliseconds",
        }:
            return self
        return replace(self, options=(*self.options, ("simulations", count)))

    def prepare(self, game: Game) -> Maker:
        """Compile what the agent needs for a game.

        Raises:
            SettingsError: An option does not fit, or the agent cannot play this game.
        """
        given = dict(self.options)
        try:
            kind = kind_in(game, self.name, given)
            return kind.prepare(game, kind.settings(game, given), self.text)
        except SettingsError as error:
            where = f"agent {self.text!r}" + (f", {error.where}" if error.where else "")
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

    >>> import sleuth
    >>> from sleuth.agents import RandomAgent
    >>> own = sleuth.OwnAgent("mine", lambda game: RandomAgent)
    >>> own.prepare(sleuth.game("kuhn_poker"))(3)
    RandomAgent(seed=3, name='random')
    >>> len(sleuth.play_match("kuhn_poker", [own, "random"], games=4, seed=1).games)
    4
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
        """The maker that ``make`` gives.

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


#: Who gives hints, and by which name a game's advice says what is usual for that.
ADVISER: Final = "mcts"
HINT: Final = "hint"


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


def _usual_search(game: Game, given: Mapping[str, Any]) -> Maker:
    """Agents that search as is usual in a game, with some options."""
    kind = kind_in(game, ADVISER)
    return kind.prepare(game, kind.settings(game, given), ADVISER)


#: The agents of any game, by name.
AGENTS: Final[dict[str, Kind]] = {
    "random": Kind("any legal action", NoSettings(), _random),
    **searchers(),
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
    "bot": Kind(
        "a program of your own, in any language",
        BotSettings(),
        bots,
        unnamed="command",
        runs=True,
    ),
    **sounders(),
    "policy": Kind(
        "what was learned of the whole game, from a file", KeptSettings(), kept, unnamed="file"
    ),
    "lbr": Kind(
        "knows how a named agent plays, and answers it",
        LocalResponseSettings(),
        local_responders(lambda text, game: without_programs(parse_agent(text, game))),
        unnamed="against",
    ),
}

#: By the names of agents, the option that may stand first without its own name.
UNNAMED: Final = {name: kind.unnamed for name, kind in AGENTS.items() if kind.unnamed}

#: Those of them that are commands, which have blanks.
COMMANDS: Final = {name: option for name, option in UNNAMED.items() if AGENTS[name].runs}

#: Those of them that search over worlds, see `search_agent`.
SEARCHING: Final = tuple(
    name for name, kind in AGENTS.items() if isinstance(kind.usual, SearchSettings)
)


def agents_of(game: Game) -> Mapping[str, Kind]:
    """The agents of a game by name: those that it alone has first, then those of any game, which
    may have more options in it.
    """
    found = entry_of(game)
    own: Mapping[str, Kind] = (found and found.part("agents")) or {}
    alone = {name: kind for name, kind in own.items() if name not in AGENTS}
    return {**alone, **AGENTS, **own}


def kinds_of(name: str, game: Game | None = None) -> Iterator[tuple[str, Kind]]:
    """The kinds a name stands for: in any game, and in each that says more or has it alone.

    Args:
        name: The name.
        game: Of which game a hint names agents; None for all.

    Yields:
        The name of the game, which is empty for any game, and the kind.

    Raises:
        SettingsError: No agent has this name.
    """
    if name in AGENTS:
        yield "", AGENTS[name]
    names = dict.fromkeys(AGENTS)
    for entry in entries():
        own: Mapping[str, Kind] = entry.part("agents") or {}
        names |= dict.fromkeys(own)
        if name in own:
            yield entry.name, own[name]
    if name not in names:
        several = "name one agent at a time; " if "," in name else ""
        known = names if game is None else agents_of(game)
        raise SettingsError("no such agent", value=name, hint=several + nearest(name, known))


def kind_in(game: Game, name: str, options: Iterable[str] = ()) -> Kind:
    """The kind a name stands for in a game.

    Raises:
        SettingsError: It is an agent of another game, or has an option only there.
    """
    kind = agents_of(game).get(name)
    where = f"game {game.name!r}"
    if kind is None:
        others = " and ".join(other for other, _ in kinds_of(name))
        raise SettingsError(f"this agent plays only {others}", where=where)
    for option in options:
        if option not in kind.types:
            others = ", ".join(other for other, each in kinds_of(name) if option in each.types)
            raise SettingsError(
                "no such option in this game",
                where=where,
                value=option,
                hint=f"leave it out; agents have it in {others}",
            )
    return kind


def parse_agent(text: str, game: Game | None = None) -> NamedAgent:
    """The agent that a text such as ``"mcts:simulations=1000,exploration=0.7"`` names.

    ``-`` and ``_`` are the same.

    Args:
        text: Name and options.
        game: The game that hints are for: they name its agents and options alone.

    Raises:
        SettingsError: No agent has this name, it has no such option, or a value is of the wrong
            kind.

    >>> from sleuth.agents import parse_agent
    >>> named = parse_agent("mcts:simulations=1000,exploration=0.7")
    >>> named.name, named.options
    ('mcts', (('simulations', 1000), ('exploration', 0.7)))
    """
    name, given = parse_named(text, UNNAMED)
    next(kinds_of(name, game))
    options = [
        (
            option,
            value_of(value, option_type(name, option, game), f"agent {name!r}, option {option!r}"),
        )
        for option, value in given.items()
    ]
    return NamedAgent(name, tuple(options))


def without_programs(named: NamedAgent) -> NamedAgent:
    """The agent, which runs no program.

    For agents that are named by others than the user of this machine: in a browser, in a file.

    Raises:
        SettingsError: It runs one.
    """
    if named.runs_program:
        raise SettingsError(
            "an agent that runs a program is started by the user of this machine alone",
            where="agent",
            value=named.text,
            hint="name it on the command line, as in 'sleuth match' or 'sleuth play --against'",
        )
    return named


def option_type(agent: str, option: str, game: Game | None = None) -> Any:
    """The type of an option that agents of a name have, in one game at least.

    Args:
        agent: The agent's name.
        option: The option's.
        game: Of which game a hint names options; None for all.

    Raises:
        SettingsError: There is no such agent, or it has no such option in any game.
    """
    known: dict[str, Any] = {}
    for _, kind in kinds_of(agent):
        if option in kind.types:
            return kind.types[option]
        known |= kind.types
    if game is not None and agent in (own := agents_of(game)):
        known = own[agent].types
    hint = nearest(option, known) if known else "it has none"
    if option in AGENTS[ADVISER].types:
        hint += f"; agents that search have it, such as {', '.join(SEARCHING[:3])}"
    raise SettingsError("no such option", where=f"agent {agent!r}", value=option, hint=hint)


def search_agent(text: str, game: Game | GameEntry | str, *, seed: int) -> SearchAgent:
    """An agent that searches, ready to say what it thinks: ``agent.decision(view, seen)``.

    Args:
        text: Its name and options, as `parse_agent` reads them.
        game: The game, or its entry.
        seed: The same seed gives the same decisions, unless the budget is in seconds.

    Raises:
        SettingsError: As `parse_agent` and `NamedAgent.prepare`, or this agent does not search.

    >>> import sleuth
    >>> from sleuth.agents import search_agent
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player = search_agent("mcts:simulations=40", "kuhn_poker", seed=1)
    >>> player.decision(play.view(0), play.seen_by(0)).simulations
    40
    """
    game = game_from(game)
    made = parse_agent(text, game).prepare(game)(seed)
    if not isinstance(made, SearchAgent):
        raise SettingsError(
            "this agent does not search",
            value=text,
            hint=f"such as {', '.join(SEARCHING[:3])}; parse_agent makes any",
        )
    return made


def adviser(game: Game) -> NamedAgent:
    """The agent that gives hints in a game to those who name nobody, with what is usual there."""
    return NamedAgent(ADVISER, tuple(game.advice.usual.get(HINT, {}).items()))
