"""Claims of Cheat for many to learn from: features to everybody who could call, and what came."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.cheat.for_many.features import COUNT, NAMES, feature_row
from ...beliefs.games.cheat.judges import PREDICTS, WORDS
from ...data.errors import RecordError
from ...models.cheat.for_many.game import NAME, cheat_for_many
from ...models.cheat.for_many.people.population import bluffers
from ...models.cheat.for_many.people.simulate import ManyBluffersGame, simulate_games
from ...models.cheat.for_many.people.tallies import Counts, no_many_counts, tally
from ...models.cheat.for_many.record.record import ManyCheatRecord
from ...models.cheat.for_many.rules import call, is_true, lay_down, mask, settle
from ...models.cheat.for_many.state import (
    NOBODY,
    claimant_of,
    count_of,
    packed_of,
    rank_of,
)
from ...models.game import Game, States
from ...models.games import GAMES, GameEntry
from ...models.kernels.kernel import kernel
from ...models.records.game_files import Columns
from ..play_files import SelfPlay
from ..rows import UNKNOWN, Subject, TrainingRows

#: Columns of `collect`'s labels: true, called, the claimant, who could call, the claim from 1.
_LABELS: Final = 5


class ManyClaimSubject(Subject):
    """Claims at tables of many, in records of their own: they know earlier games, and seconds."""

    game = NAME
    title = "Cheat for many"
    things = "claims"
    features = NAMES
    labels: ClassVar = {WORDS[of]: PREDICTS[of] for of in PREDICTS}
    baselines: ClassVar = {
        "card counting": ("chance", "impossible"),
        "running rate": ("lie rate",),
        "card counting and running rate": ("chance", "impossible", "lie rate"),
    }

    def __init__(self, columns: Columns | None = None) -> None:
        self.columns = columns

    def with_columns(self, columns: Columns) -> ManyClaimSubject:
        """See `Subject`."""
        return type(self)(columns)

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The claims of files of records, JSON Lines or CSV, and of files with one record."""
        from ...models.cheat.for_many.record.files import read_many_records

        games: list[ManyCheatRecord] = []
        for number, path in enumerate(files):
            # The same match number in two files means two matches.
            prefix = f"{number + 1}: " if len(files) > 1 else ""
            try:
                if path.suffix.lower() == ".json":
                    found = (ManyCheatRecord.load(path),)
                else:
                    found = read_many_records(path, columns=self.columns)
            except RecordError as error:
                # Which of several files it was.
                if path.name in str(error):
                    raise
                raise RecordError(str(error), where=str(path)) from None
            games += [replace(each, match=prefix + each.match) for each in found]
        return rows_of_many(games)

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """The claims of so many simulated people, four at a table."""
        wanted.refuse_agents()
        wanted.tell("simulating matches", 0, 1)
        game = cheat_for_many()
        people = bluffers(wanted.count, seed=wanted.seed)
        return rows_of_simulated(simulate_games(people, seed=wanted.seed, game=game), game)


def rows_of_many(records: Iterable[ManyCheatRecord]) -> TrainingRows:
    """The claims of recorded games, to each player who could call them and whose cards are known.

    Games of a match count in the order of their numbers. Records of several files need matches with
    names of their own, `replace(record, match=...)`; players of one name are one person.

    Raises:
        RecordError: There is not one such claim, or a game of a match stands there twice.

    >>> from sleuth.games.cheat import rows_of_many, simulate_many
    >>> rows = rows_of_many(simulate_many(4, seed=1, games=1))
    >>> rows.features.shape[1], sorted(rows.labels), rows.acting
    (29, ['called', 'true'], 4)
    """
    games = sorted(records, key=lambda each: (each.match, each.number))
    players: dict[str, int] = {}
    matches: dict[str, int] = {}
    counts: dict[str, dict[str, NDArray[np.int32]]] = {}
    features: list[NDArray[np.float64]] = []
    table: list[NDArray[np.int32]] = []
    silent = 0
    last: tuple[str, int] | None = None
    for record in games:
        if (record.match, record.number) == last:
            raise RecordError(
                "this game of the match stands there twice",
                where=f"match {record.match!r}",
                value=record.number,
                hint="matches of several files need names of their own: replace(record, match=...)",
            )
        last = (record.match, record.number)
        numbers = [players.setdefault(name, len(players)) for name in record.players]
        match = matches.setdefault(record.match, len(matches))
        so_far = counts.setdefault(record.match, {})
        before = no_many_counts()
        for seat, name in enumerate(record.players):
            if name in so_far:
                before[seat] = so_far[name]
        moments = [*record.moments()]
        claims = [turn for turn in record.turns if turn.kind == "claim"]
        took = [np.nan if turn.seconds is None else turn.seconds for turn in claims]
        # Of cards that are not known, as many as were claimed, or of another rank.
        truths = record.truths
        ranks = [
            turn.rank if true is not False else turn.rank - 1
            for turn, true in zip(claims, truths, strict=True)
        ]
        cards = [
            turn.cards or (rank % record.game.settings["ranks"],) * turn.count
            for turn, rank in zip(claims, ranks, strict=True)
        ]
        laid = np.array([packed_of(each) for each in cards], dtype=np.int64)
        knows = np.array([record.knows(seat) for seat in range(len(record.players))])
        silent += not knows.any()
        rows, numbered = _claims(
            (moments[0], moments[-1], laid, np.array(took, dtype=np.float64), before),
            record.game,
            (numbers, match, record.number),
            knows=knows,
            known=np.array([true is not None for true in truths], dtype=np.bool_),
        )
        # What was known after a lie of which nobody wrote the cards cannot be told.
        untold = [
            number
            for number, (turn, true) in enumerate(zip(claims, truths, strict=True), start=1)
            if true is False and turn.cards is None
        ]
        if untold:
            kept = numbered[:, -1] <= untold[0]
            rows, numbered = rows[kept], numbered[kept]
        features.append(rows)
        table.append(numbered)
        tally(moments[-1][0], record.game.tables, before)
        so_far |= dict(zip(record.players, before, strict=False))
    if not any(map(len, features)):
        raise RecordError(
            "there is no claim to learn from",
            value="1 game" if len(games) == 1 else f"{len(games)} games",
            hint="record everything for one of the players: whoever writes a game down knows their "
            'own "hands": {"name": [...]}, the "cards" of their claims and the "pile" they took',
        )
    notes = (
        f"{silent} of {len(games)} games do not say all that a player knew of their own cards: "
        "their claims are counted for later games of the match, and not learned from",
    )  # fmt: skip
    return TrainingRows.made(
        _subject(), np.concatenate(features), np.concatenate(table), tuple(players),
        notes if silent else (),
    )  # fmt: skip


def rows_of_simulated(games: Iterable[ManyBluffersGame], game: Game) -> TrainingRows:
    """The same of simulated games, many times faster: for populations of thousands."""
    features: list[NDArray[np.float64]] = []
    table: list[NDArray[np.int32]] = []
    most = 0
    for each in games:
        took = each.seconds[each.actions > 1]  # 0 and 1 are no claims
        rows, numbered = _claims(
            (each.start, each.end, each.laid, took, each.before),
            game,
            (each.players, each.match, each.number),
            knows=np.ones(game.players, dtype=np.bool_),
            known=np.ones(len(took), dtype=np.bool_),
        )
        features.append(rows)
        table.append(numbered)
        most = max(most, *each.players)
    names = tuple(str(player) for player in range(most + 1))
    return TrainingRows.made(_subject(), np.concatenate(features), np.concatenate(table), names)


def _claims(
    course: tuple[States, States, NDArray[np.int64], NDArray[np.float64], Counts],
    game: Game,
    numbers: tuple[Sequence[int], int, int],
    *,
    knows: NDArray[np.bool_],
    known: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The claims of one game: their features, and what else `TrainingRows.made` needs.

    Args:
        course: How the game went: its first and its last state, each in an array of one; the
            packed cards and the seconds of every claim; what was counted in earlier games of the
            match.
        game: What it was played by.
        numbers: Of the players in turn order, of the match, and of the game in it.
        knows: For every player whether it is known what they knew.
        known: For every claim whether its cards are known.
    """
    begun, ended, laid, seconds, before = course
    players, match, number = numbers
    most = max(1, len(seconds) * (game.players - 1))
    rows, labels = np.empty((most, COUNT)), np.empty((most, _LABELS), dtype=np.int32)
    count = collect(
        begun.repeat(2), ended, laid, seconds, before, game.tables, knows, known, rows, labels
    )
    true, called, by, viewer, turn = labels[:count].T
    seats = np.array(players, dtype=np.int32)
    same = [np.full(count, each, dtype=np.int32) for each in (match, number)]
    return rows[:count], np.stack([true, called, seats[by], seats[viewer], *same, turn], axis=1)


@kernel
def collect(
    states: Any,
    ended: Any,
    laid: Any,
    seconds: Any,
    before: Any,
    tables: Any,
    knows: Any,
    known: Any,
    rows: Any,
    labels: Any,
) -> int:
    """Go through a game and write a row for each claim and each player who could call; how many.

    ``states`` has the start first and is changed; see `_claims` for the others. ``labels`` get
    whether the claim was true, whether that player called it (-1 for each that is not known), the
    claimant, the player and the number of the claim from 1.
    """
    state = states[0]
    end = ended[0]
    players = tables.rules[0].players
    counts = np.zeros(before.shape, dtype=np.int32)
    found = np.zeros(3)
    count = 0
    for turn in range(end.turn):
        logged = end.log[turn]
        mover = claimant_of(logged)
        packed = laid[turn]
        rest = packed
        while rest > 0:
            # Of a hand that is not known only what was seen to go there is in it.
            held = state.hands[mover, (rest & 15) - 1]
            state.hands[mover, (rest & 15) - 1] = max(0, held - 1)
            rest >>= 4
        state.player = mover
        lay_down(state, rank_of(logged), count_of(logged), packed, tables)
        caller = end.callers[turn]
        last = players - 1
        if caller != NOBODY:
            last = (caller - mover + players) % players
        elif turn == end.turn - 1 and end.claimant != NOBODY:
            last = (end.player - mover + players) % players - 1
        for away in range(1, players):
            viewer = (mover + away) % players
            if not knows[viewer]:
                continue
            states[1] = states[0]
            mask(states[1], viewer, tables)
            feature_row(
                states[1], viewer, before, seconds[turn], tables, counts, found, rows[count]
            )
            labels[count, 0] = UNKNOWN
            if known[turn]:
                labels[count, 0] = 1 if is_true(packed, logged) else 0
            labels[count, 1] = UNKNOWN
            if away <= last:
                labels[count, 1] = 1 if caller == viewer else 0
            labels[count, 2] = mover
            labels[count, 3] = viewer
            labels[count, 4] = turn + 1
            count += 1
        if caller != NOBODY:
            call(state, caller, tables)
        else:
            settle(state, mover, (mover + 1) % players, tables)
    return count


def _subject() -> Subject:
    """The subject to learn of Cheat for many, as it is registered: it stands above its rows."""
    make: Any = GAMES[NAME].part("rows")
    found: Mapping[str, Any] | Subject = make()
    assert isinstance(found, Subject)
    return found
