"""The work of workers for a game: agents think, beliefs are inferred, guesses are compared.

Each is handed what one seat may see, packed as plain values, and nothing else. Only what is worked
out when a game is over is handed its record.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ....models.game import Game
from ....models.games import entry
from ....models.parcel import ViewParcel
from ....models.play import PlayRecord
from ....planners.agents import Maker, adviser, parse_agent, without_programs
from ....planners.matches.briefing import Hinted, Timed
from ....planners.matches.match_games import prepare
from ...kit.answers.values import Paragraph, Statements
from ...kit.display import Display, display
from ...kit.matches.asked import with_settings
from ...play.hints import called, hint
from ..parcels import SightParcel
from .guessing import GuessScore, score, true_value

#: Games and agents that a process keeps ready.
READY: Final = 64


@dataclass(frozen=True)
class GameName:
    """A game as another process finds it.

    Attributes:
        source: Its name, or ``FILE.py:NAME``.
        settings: What it is told, as it is written.
    """

    source: str
    settings: tuple[tuple[str, str], ...] = ()

    def game(self) -> Game:
        """The game.

        Raises:
            SettingsError: There is none, or it cannot be told this.
        """
        return _game(self)

    def display(self) -> Display:
        """Its words and pictures."""
        return _display(self)


def ready(name: GameName, agents: Sequence[str]) -> tuple[float | None, ...]:
    """Make the agents of a game once; for each how often its hints are to be right.

    Raises:
        SettingsError: An agent cannot play this game.
    """
    made = [_maker(name, text)(0) for text in agents]
    return tuple(agent.hint_right if isinstance(agent, Hinted) else None for agent in made)


def decided(name: GameName, agent: str, seed: int, parcel: ViewParcel) -> tuple[int, float | None]:
    """The action of an agent, and the seconds that a simulated person takes for it."""
    game = name.game()
    view, seen = parcel.view(game), parcel.seen(game)
    # It is made anew for every move, as where a game is resumed: a server that was killed goes on
    # as it would have.
    made = _maker(name, agent)(seed)
    action = int(made.decide(view, seen))
    return action, made.took(view, seen, action) if isinstance(made, Timed) else None


def belief(name: GameName, parcel: SightParcel) -> Statements:
    """All that a person can know of what is hidden from them, drawn where the game draws it."""
    display, sight = name.display(), parcel.sight(name.game())
    drawn, said = list(display.drawn_belief(sight)), list(display.belief(sight))
    return said if drawn == said else [*drawn, *said]


def advice(name: GameName, agent: str, seed: int, parcel: SightParcel) -> Statements:
    """A sentence on what an agent would do in a person's place, and why.

    Args:
        name: The game.
        agent: The agent's text; empty for the usual one.
        seed: Of the agent.
        parcel: What the person knows.
    """
    game = name.game()
    named = parse_agent(agent) if agent else adviser(game)
    made = _maker(name, named.text)(seed)
    said = hint(made, called(named, agent), parcel.sight(game), name.display())
    return [Paragraph(said)]


def scored(
    name: GameName, parcel: ViewParcel, about: str, shares: tuple[tuple[int, float], ...]
) -> GuessScore:
    """The comparison of a person's guess with the exact posterior; see `guessing.score`."""
    game = name.game()
    return score(name.display(), parcel.view(game), parcel.seen(game), about, shares)


def truths(
    name: GameName, record: str, guesses: tuple[tuple[int, int, str], ...]
) -> tuple[str | None, ...]:
    """The values that were true when something was guessed, in a game that is over.

    Args:
        name: The game.
        record: Its record, as JSON.
        guesses: Of each the role, the number of actions before it, and what it was about.

    Returns:
        Their names; None where nobody can say.
    """
    game = name.game()
    whole = PlayRecord.from_json(json.loads(record))
    found: list[str | None] = []
    for role, at, about in guesses:
        until = PlayRecord(
            whole.game, whole.version, whole.settings, whole.seed, whole.start, whole.actions[:at]
        )
        found.append(true_value(name.display(), until.replay(game), role, about))
    return tuple(found)


@lru_cache(READY)
def _game(name: GameName) -> Game:
    return with_settings(entry(name.source), dict(name.settings))


@lru_cache(READY)
def _display(name: GameName) -> Display:
    return display(name.game())


@lru_cache(READY)
def _maker(name: GameName, agent: str) -> Maker:
    (made,) = prepare(name.game(), [without_programs(parse_agent(agent))]).makers
    return made
