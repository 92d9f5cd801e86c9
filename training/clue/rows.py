"""Choices of Clue: each card that a player could have named or shown, and whether they did.

Of a suggestion there is a row for each card, or on a board for each suspect and weapon, with what
everybody saw and whether its player holds the card. Of a card that was shown there is one for each
that the refuter could have shown, with what the suggester saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from ...beliefs.games.clue.learned import NAMES, PREDICTS, ChoiceHistory
from ...beliefs.games.clue.play import seen_game
from ...data.errors import RecordError
from ...models.clue.board.walking import BOARD_STATE
from ...models.clue.events import Suggestion
from ...models.game import SPECTATOR
from ...models.games import GameEntry
from ..play_files import Played, SelfPlay, mixed_play, read_plays
from ..rows import Subject, TrainingRows

#: Who plays games that are simulated, and how many of them.
AGENTS: Final = ("detective", "entropy", "likeliest", "detective:shows=any")
PLAYERS: Final = (3, 4, 5, 6)


class ChoiceSubject(Subject):
    """The cards that are named and shown."""

    game = "clue"
    title = "Clue"
    things = "cards"
    features = NAMES
    labels: ClassVar = {"chosen": PREDICTS}

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records of plays."""
        return rows_of(self, read_plays(files, entry))

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """So many games between agents that ask what tells most, or what is likeliest."""
        games = [entry.game(players=players) for players in PLAYERS]
        return rows_of(self, mixed_play(games, AGENTS, wanted))


def rows_of(subject: Subject, played: Iterable[Played]) -> TrainingRows:
    """The rows of recorded games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules.
    """
    features: list[Any] = []
    table: list[tuple[int, ...]] = []
    names: list[str] = []
    for place, one in enumerate(played):
        first = len(names)
        names += [f"game {place + 1}, {role}" for role in one.game.roles]
        play = one.record.replay(one.game)
        holders = np.asarray(play.truth()[0].holder)
        games = [seen_game(play.view(seat), play.seen_by(seat)) for seat in range(one.game.players)]
        everybody = seen_game(play.view(SPECTATOR), play.seen_by(SPECTATOR))
        edition = everybody.edition
        # On a board the room is where one stands.
        rooms = one.game.state is BOARD_STATE
        cards = edition.cards[: edition.parts[2].start] if rooms else edition.cards
        for turn, seen in enumerate(everybody.events):
            event = seen.event
            if not isinstance(event, Suggestion):
                continue
            by = everybody.players.index(event.by)
            about = (first + by, first, place, 1, turn + 1)
            rows = ChoiceHistory(everybody.until(turn)).asking(event.by, holders == by)
            features += [*rows[: len(cards)]]
            table += [(card in event.cards, *about) for card in cards]
            if event.refuter is None:
                continue
            refuter = everybody.players.index(event.refuter)
            held = [card for card in event.cards if holders[edition.position[card]] == refuter]
            shown: Any = games[by].events[turn].event
            if len(held) > 1 and shown.shown is not None:
                features += [
                    *ChoiceHistory(games[by].until(turn)).showing(event.refuter, event.by, held)
                ]
                table += [(card == shown.shown, first + refuter, *about[1:]) for card in held]
    if not table:
        raise RecordError(
            "there is nothing to learn from: no suggestions",
            hint="name records of plays, such as 'sleuth match clue-table --records FOLDER' writes",
        )
    return TrainingRows.made(subject, features, table, tuple(names))
