"""Choices of Clue: each card that a player could have named or shown, and whether they did.

Of a suggestion there is a row for each card, or on a board for each suspect and weapon, with what
everybody saw and whether its player holds the card. Of a card that was shown there is one for each
that the refuter could have shown, with what the suggester saw. A record that people wrote gives
those of the players whose hands it tells: of a whole game all, of an observer's their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import numpy as np

from ...beliefs.games.clue.learned import NAMES, PREDICTS, ChoiceHistory
from ...beliefs.games.clue.play import seen_game
from ...beliefs.games.clue.rivals import hands_in
from ...data.errors import RecordError
from ...models.clue.board.walking import BOARD_STATE
from ...models.clue.editions import is_edition
from ...models.clue.events import Has, Move, NotHas, OneOf, Suggestion
from ...models.clue.record.record import ClueRecord
from ...models.clue.seen import SPECTATOR as SPECTATOR_OF_RECORDS
from ...models.clue.seen import SeenClue, numbered
from ...models.game import SPECTATOR
from ...models.games import GameEntry
from ..play_files import Played, SelfPlay, mixed_play, read_records
from ..rows import Subject, TrainingRows

#: Who plays games that are simulated, and how many of them.
AGENTS: Final = ("detective", "entropy", "likeliest", "detective:shows=any")
PLAYERS: Final = (3, 4, 5, 6)
#: Records that are named where they are left out.
NAMED: Final = 3


class ChoiceSubject(Subject):
    """The cards that are named and shown."""

    game = "clue"
    title = "Clue"
    things = "cards"
    features = NAMES
    labels: ClassVar = {"chosen": PREDICTS}

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records: of plays, and of those that people wrote.

        Records that tell nobody's hand are left out, and noted; so are editions, which lie beside
        the records of their games.
        """
        silent: list[str] = []
        boxes = [path for path in files if is_edition(path)]
        games = [path for path in files if path not in boxes]
        rows = rows_of(self, _read(games, entry, silent))
        notes = _left_out("they tell nobody's hand", silent)
        notes += _left_out("they are editions", [path.name for path in boxes])
        return replace(rows, notes=(*rows.notes, *notes))

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """So many games between agents that ask what tells most, or what is likeliest."""
        games = [entry.game(players=players) for players in PLAYERS]
        return rows_of(self, map(played_game, mixed_play(games, AGENTS, wanted)))


@dataclass(frozen=True, kw_only=True)
class ChoiceRecord:
    """A game of Clue as far as choices can be learned from it.

    Attributes:
        everybody: The game as everybody saw it.
        hands: The hands that are known, by player.
        private: By suggester the game as they saw it; or as somebody did who saw the same of cards
            that known refuters showed them.
        walks: Whether players could only name the room where they stood.
    """

    everybody: SeenClue
    hands: Mapping[str, frozenset[str]]
    private: Mapping[str, SeenClue]
    walks: bool


def played_game(played: Played) -> ChoiceRecord:
    """The record of a play.

    Raises:
        RecordError: It breaks the rules.
    """
    play = played.record.replay(played.game)
    holders = np.asarray(play.truth()[0].holder)
    seats = range(played.game.players)
    everybody = seen_game(play.view(SPECTATOR), play.seen_by(SPECTATOR))
    return ChoiceRecord(
        everybody=everybody,
        hands=hands_in(everybody.players, holders.tolist(), everybody.edition),
        private={
            everybody.players[seat]: seen_game(play.view(seat), play.seen_by(seat))
            for seat in seats
        },
        walks=played.game.state is BOARD_STATE,
    )


def written_game(record: ClueRecord) -> ChoiceRecord | None:
    """The record that people wrote, as far as it tells hands; None if it tells none."""
    players, observer, rules = record.players, record.observer, record.rules
    if record.hands is not None:
        hands = {player: frozenset(cards) for player, cards in record.hands.items()}
        private = {player: record.seen_by(player) for player in players}
    elif observer is not None and record.own_hand:
        # What they showed to each suggester they know, too.
        hands = {observer: frozenset(record.own_hand)}
        private = dict.fromkeys(players, record.seen_by(observer))
    else:
        return None
    everybody = record.seen_by(SPECTATOR_OF_RECORDS)
    notes = (Has, NotHas, OneOf)

    def public(game: SeenClue) -> SeenClue:
        """Without what stands in a notebook: events have the same places for everybody."""
        events = (each.event for each in game.events if not isinstance(each.event, notes))
        return replace(game, events=tuple(numbered(events, game.viewer)))

    return ChoiceRecord(
        everybody=public(everybody),
        hands=hands,
        private={player: public(seen) for player, seen in private.items()},
        # Where suggestions name no room, nothing is learned of rooms either.
        walks=rules.room == "none"
        or (rules.room == "own" and any(isinstance(event, Move) for event in record.events)),
    )


def _left_out(reason: str, names: Sequence[str]) -> list[str]:
    """A note on files that were left out, if there are any."""
    if not names:
        return []
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"left out, since {reason}: {', '.join(names[:NAMED])}{more}"]


def _read(files: Sequence[Path], entry: GameEntry, silent: list[str]) -> Iterator[ChoiceRecord]:
    """The games of files; the names of those that tell nobody's hand are added to ``silent``."""
    for record, path in read_records(files, entry):
        if isinstance(record, Played):
            yield played_game(record)
        elif (game := written_game(cast("ClueRecord", record))) is not None:
            yield game
        else:
            silent.append(path.name)


def rows_of(subject: Subject, games: Iterable[ChoiceRecord]) -> TrainingRows:
    """The rows of recorded games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules.
    """
    features: list[Any] = []
    table: list[tuple[int, ...]] = []
    names: list[str] = []
    for place, game in enumerate(games):
        first, everybody, edition = len(names), game.everybody, game.everybody.edition
        names += [f"game {place + 1}, {player}" for player in everybody.players]
        cards = edition.cards[: edition.parts[2].start] if game.walks else edition.cards
        for turn, seen in enumerate(everybody.events):
            event = seen.event
            if not isinstance(event, Suggestion):
                continue
            by = everybody.players.index(event.by)
            about = (first + by, first, place, 1, turn + 1)
            if (hand := game.hands.get(event.by)) is not None:
                past = ChoiceHistory(everybody.until(turn))
                rows = past.asking(event.by, np.isin(edition.cards, [*hand]))
                features += [*rows[: len(cards)]]
                table += [(card in event.cards, *about) for card in cards]
            private = game.private[event.by]
            answered: Any = private.events[turn].event
            for shown in answered.refutations:
                held = [c for c in event.cards if c in game.hands.get(shown.player, ())]
                if len(held) < 2 or shown.shown is None:
                    continue
                refuter = everybody.players.index(shown.player)
                past = ChoiceHistory(private.until(turn))
                features += [*past.showing(shown.player, event.by, held)]
                table += [(card == shown.shown, first + refuter, *about[1:]) for card in held]
    if not table:
        raise RecordError(
            "there is nothing to learn from: no suggestion of a player whose hand is known",
            hint="name records with 'hands', or with an 'observer' and their 'own_hand', or those "
            "of plays, such as 'sleuth match clue-table --records FOLDER' writes",
        )
    return TrainingRows.made(subject, features, table, tuple(names))
