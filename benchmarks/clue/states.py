"""States of games of Clue for the benchmarks, and what their events say, free of any library.

Every method is given the same: a game up to some event, and one event more. An answer is the
whole posterior as two arrays, so that all of them can be compared number by number.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Protocol

import numpy as np

from sleuth.games.clue import CARDS, Move, SeenClue, Suggestion, simulate
from sleuth.models.clue import CATEGORIES, ClueEvent
from sleuth.models.clue.simulate import random_policy, unseen_policy
from sleuth.models.records.events import Seen

Array = np.ndarray[Any, np.dtype[Any]]

SEED = 20131
EVENTS = 12


@dataclass(frozen=True)
class Fact:
    """What one event says about one player's hand.

    Attributes:
        kind: ``"lacks"`` or ``"holds"`` (one card), or ``"any"`` (at least one of the cards).
        player: Whose hand it is; never the viewer's.
        cards: Places of the cards in the deck.
    """

    kind: str
    player: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """A game at some moment, and what happens next.

    Attributes:
        game: The game as its viewer saw it, up to and including the new event.
        name: Which one it is, for messages.
    """

    game: SeenClue
    name: str

    @property
    def past(self) -> SeenClue:
        """The game before the new event."""
        return self.game.until(len(self.game.events) - 1)

    @property
    def event(self) -> Seen[ClueEvent]:
        """The new event."""
        return self.game.events[-1]

    @property
    def others(self) -> tuple[str, ...]:
        """Players whose hands are not known, in turn order."""
        known = self.game.viewer if self.game.own_hand else None
        return tuple(player for player in self.game.players if player != known)

    @property
    def open_cards(self) -> tuple[int, ...]:
        """Places of the cards that the viewer was not dealt."""
        return tuple(place for place, card in enumerate(CARDS) if card not in self.game.own_hand)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Hand sizes of `others`, which must be known."""
        sizes = {player: size for player, size in self.game.hand_sizes if size is not None}
        return tuple(sizes[player] for player in self.others)

    def facts(self, events: Sequence[Seen[ClueEvent]]) -> list[Fact]:
        """What events say about the hands of others: plain counting, no choice is weighed."""
        return [fact for seen in events for fact in self._facts(seen.event)]

    def _facts(self, event: ClueEvent) -> list[Fact]:
        if isinstance(event, Move):
            return []
        if not isinstance(event, Suggestion):
            raise TypeError(f"the benchmark's games have suggestions only, not {event}")
        others = self.others
        cards = tuple(CARDS.index(card) for card in event.cards)
        facts = [
            Fact("lacks", player, (card,))
            for player in event.passed
            if player in others
            for card in cards
        ]
        if event.refuter in others and event.refuter is not None:
            if event.shown is not None:
                facts.append(Fact("holds", event.refuter, (CARDS.index(event.shown),)))
            else:
                facts.append(Fact("any", event.refuter, cards))
        return facts


@dataclass(frozen=True)
class Answer:
    """A whole posterior.

    Attributes:
        held: P(player holds card) for `State.others`, shape (21, others).
        case_file: P(suspect, weapon, room), shape (6, 6, 9).
    """

    held: Array
    case_file: Array

    def error(self, other: Answer) -> float:
        """Largest difference of any probability."""
        return max(
            float(np.abs(self.held - other.held).max()),
            float(np.abs(self.case_file - other.case_file).max()),
        )


class Prepared(Protocol):
    """A method that has seen the past of a state."""

    def after(self, event: Seen[ClueEvent]) -> Any:
        """All marginals and the joint of the case file after one event more: what is timed."""
        ...

    def answer(self, posterior: Any) -> Answer:
        """What `after` returned, as arrays for the comparison: not timed."""
        ...


class Method(Protocol):
    """One way to compute the posterior."""

    @property
    def name(self) -> str: ...

    @property
    def library(self) -> str:
        """What it is made with, and its version."""
        ...

    @property
    def note(self) -> str:
        """What is ready before the event, and what is timed."""
        ...

    @property
    def once(self) -> bool:
        """Whether a second answer to the same event would come from a cache."""
        ...

    def refuses(self, players: int) -> str:
        """Why it cannot do games of so many players; empty if it can."""
        ...

    def prepare(self, state: State) -> Prepared: ...


def states(
    players: int, count: int, *, events: int = EVENTS, spectator: bool = False
) -> list[State]:
    """Simulated games after so many events, with one more that says something new.

    Half of the players suggest at random, half suggest what they have not seen.
    """
    result: list[State] = []
    number = 0
    while len(result) < count:
        rng = np.random.default_rng([SEED, players, number])
        policy = (random_policy, unseen_policy)[number % 2]
        record = simulate(players, rng, turns=events + 1, policy=policy)
        viewer = "spectator" if spectator else record.players[int(rng.integers(players))]
        state = State(record.seen_by(viewer), f"{players} players, game {number}, {viewer}")
        number += 1
        if set(state.facts([state.event])) - set(state.facts(state.past.events)):
            result.append(state)
    return result


def categories(open_cards: Sequence[int]) -> list[list[int]]:
    """The open cards by category."""
    bounds = [0, *itertools.accumulate(len(cards) for cards in CATEGORIES.values())]
    return [
        [card for card in open_cards if first <= card < last]
        for first, last in itertools.pairwise(bounds)
    ]


def with_version(name: str) -> str:
    """A library's name with its installed version."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return f"{name}, not installed"


def case_place(suspect: int, weapon: int, room: int) -> tuple[int, int, int]:
    """Where a case file stands in an answer's array."""
    return suspect, weapon - 6, room - 12
