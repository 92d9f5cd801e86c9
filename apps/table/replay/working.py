"""The work of workers for a replay: beliefs, chances to win, moves of agents.

What is said with somebody's eyes is made of a parcel of what they see, and of nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from time import monotonic
from typing import Any, Final, cast

from ....data.errors import CostError, UnsupportedError
from ....models.game import Game
from ....models.games import entry
from ....models.kernels.compiling import waiting
from ....models.parcel import ViewParcel
from ....models.play import PlayRecord
from ....planners.agents import parse_agent, without_programs
from ....planners.agents.agent import Maker
from ....planners.matches.match_games import prepare
from ....planners.matches.winning import WinningChances, winning_chances
from ...kit.answers.values import Statements
from ...kit.display import Display, display
from ...kit.records.recorded_game import RecordedGame
from ..game.guessing import subjects, true_value
from ..parcels import SightParcel
from .sources import RecordSource

#: Games, agents and records that a worker keeps ready.
READY: Final = 16
#: Seconds after which a worker hands over the moments that it has.
SECONDS: Final = 0.4


@dataclass(frozen=True)
class NamedGame:
    """A game as a worker finds it.

    Attributes:
        source: Its name, or where it is.
        settings: Its settings, as JSON.
        version: The version of its rules.
    """

    source: str
    settings: str
    version: int

    def display(self) -> Display:
        """Its words and pictures."""
        return _display(self)

    @property
    def game(self) -> Game:
        """The game."""
        return _display(self).game


@dataclass(frozen=True)
class Scene:
    """A moment of a replay, with somebody's eyes.

    Attributes:
        bits: How much is open to them; None where nobody knows.
        parts: What they can know.
        text: What has just happened, in words; empty where it is said elsewhere.
        own: Whether they did it.
        chances: How likely each side is to win, where that is known at once.
    """

    bits: float | None
    parts: Statements
    text: str = ""
    own: bool = False
    chances: WinningChances | None = None


@dataclass(frozen=True)
class HeldTrue:
    """A player's belief in what is true.

    Attributes:
        about: What is hidden from them.
        value: Its true value, in words.
        share: How likely they hold it.
    """

    about: str
    value: str
    share: float


@waiting()
def knowledge(named: NamedGame, parcel: SightParcel) -> Scene:
    """All that somebody can know at a moment of a play."""
    shown = named.display()
    sight = parcel.sight(shown.game)
    known = shown.game_belief()
    if known is None or not (hidden := known.hidden(sight.view)):
        return Scene(0.0, ())
    bits = None
    with suppress(CostError, UnsupportedError):
        posterior = known.infer(sight.view, sight.seen)
        bits = sum(map(posterior.entropy, hidden.values()))
    return Scene(bits, tuple(shown.drawn_belief(sight)))


def chances(named: NamedGame, parcel: SightParcel) -> WinningChances | None:
    """Each side's chance to win, as far as somebody can know."""
    shown = named.display()
    return shown.winning_chances(parcel.sight(shown.game))


def true_chances(named: NamedGame, public: ViewParcel, truth: bytes) -> WinningChances:
    """Each side's chance to win by the truth, in a game that is over.

    Args:
        named: The game.
        public: What everybody saw then.
        truth: The bytes of the true state.
    """
    shown = named.display()
    game = shown.game
    return winning_chances(
        public.view(game), public.seen(game), shown.game_belief(), truth=game.states_of(truth)
    )


@waiting()
def held_true(named: NamedGame, record: str, at: int, role: int) -> HeldTrue | None:
    """A player's belief in what is true of the main thing that is hidden from them.

    Args:
        named: The game.
        record: Its record, as JSON.
        at: The moment.
        role: The player.

    Returns:
        None where nothing is hidden from them, or nobody can say what is true.
    """
    shown = named.display()
    whole = PlayRecord.from_json(json.loads(record))
    play = replace(whole, actions=whole.actions[:at]).replay(shown.game)
    view, known = play.view(role), shown.game_belief()
    about, feature = next(iter(subjects(shown, view).items()), ("", None))
    if known is None or feature is None:
        return None
    value = true_value(shown, play, role, about)
    if value is None:
        return None
    marginal = known.infer(view, play.seen_by(role)).marginal(feature)
    share = sum(
        float(each) for key, each in marginal.items() if shown.value_name(feature, key) == value
    )
    return HeldTrue(about, value, share)


@waiting()
def move(named: NamedGame, agent: str, seed: int, parcel: ViewParcel) -> int:
    """The action of an agent, which is made anew for every move: what it does follows from that."""
    game = named.game
    return int(_maker(named, agent)(seed).decide(parcel.view(game), parcel.seen(game)))


@waiting()
def scenes(source: RecordSource, observer: str | None, first: int) -> tuple[Scene, ...]:
    """Some moments of a record in a notation of its own, as an observer saw them.

    Args:
        source: The record.
        observer: Whose eyes; None for those that the record has.
        first: The first moment that is wanted.

    Returns:
        That one and the next, as many as there is time for; none after the last.
    """
    key = source, observer
    at, going = _going.pop(key, (0, None))
    if going is None or at > first:
        at, going = 0, _told(source, observer)
    begun = monotonic()
    found: list[Scene] = []
    for make in going:
        at += 1
        if at > first:
            found.append(make())
            if monotonic() - begun > SECONDS:
                break
    while len(_going) >= READY:
        _going.pop(next(iter(_going)))
    _going[key] = at, going
    return tuple(found)


#: Records that are being followed, and how far they are.
_going: Final[dict[tuple[RecordSource, str | None], tuple[int, Iterator[Any] | None]]] = {}


def _told(source: RecordSource, observer: str | None) -> Iterator[Any]:
    value = source.value()
    analysis = source.analysis(value)
    transcript = cast("RecordedGame[Any, Any]", analysis).transcript(value, source.asked(observer))
    for number, now in enumerate(transcript.standpoints()):
        yield lambda number=number, now=now: _scene(transcript, number, now)


def _scene(transcript: Any, number: int, now: Any) -> Scene:
    bits = None
    if now.posterior is not None and now.hidden:
        with suppress(CostError, UnsupportedError):
            bits = sum(map(now.posterior.entropy, now.hidden.values()))
    return Scene(
        bits,
        tuple(transcript.scene(now)),
        now.text,
        now.own,
        transcript.winning_chances(number),
    )


@lru_cache(READY)
def _display(named: NamedGame) -> Display:
    found = entry(named.source)
    return display(found.game_of_version(named.version, json.loads(named.settings)))


@lru_cache(READY)
def _maker(named: NamedGame, agent: str) -> Maker:
    (made,) = prepare(named.game, [without_programs(parse_agent(agent))]).makers
    return made
