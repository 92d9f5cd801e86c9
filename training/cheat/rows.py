"""Claims of recorded games of Cheat as rows of a table: features, and what came of them."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.cheat.features import COUNT, feature_row
from ...data.errors import RecordError
from ...models.cheat.people.simulate import SimulatedGame
from ...models.cheat.people.tallies import Counts, no_counts, tally
from ...models.cheat.record.record import CheatRecord
from ...models.cheat.rules import call, lay_down, mask, pass_turn, settle
from ...models.cheat.state import MOST_TURNS, TAKE, is_claim, mover_of, public_of, rank_of
from ...models.game import Game, States
from ...models.games import GAMES
from ...models.kernels.cards import next_card
from ...models.kernels.kernel import kernel
from ...models.play import Play
from ...planners.matches.match_games import PlayedGame
from ..rows import UNKNOWN, Subject, TrainingRows


def rows_of(records: Iterable[CheatRecord]) -> TrainingRows:
    """The claims of recorded games which somebody could call whose knowledge is recorded.

    Games of a match count in the order of their numbers. Records of several files need matches with
    names of their own, `replace(record, match=...)`; players of one name are one person.

    Raises:
        RecordError: There is not one such claim, no record says all that a player knew of their
            own cards, or a game of a match stands there twice.

    >>> from sleuth.games.cheat import mini_cheat, rows_of, simulate
    >>> rows = rows_of(simulate(2, seed=1, games=2, game=mini_cheat()))
    >>> rows.features.shape, sorted(rows.labels)
    ((4, 21), ['called', 'true'])
    """
    games = sorted(records, key=lambda each: (each.match, each.number))
    silent = [each for each in games if not (each.knows(0) or each.knows(1))]
    if silent and len(silent) == len(games):
        raise _silent(silent[0], len(silent))
    players: dict[str, int] = {}
    matches: dict[str, int] = {}
    counts: dict[str, dict[str, NDArray[np.int32]]] = {}
    features: list[NDArray[np.float64]] = []
    table: list[NDArray[np.int32]] = []
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
        before = np.array(
            [so_far.get(name, no_counts()[0]) for name in record.players], dtype=np.int32
        )
        moments = [*record.moments()]
        took = [np.nan if turn.seconds is None else turn.seconds for turn in record.turns]
        rows, numbered = _claims(
            (moments[0], moments[-1], np.array(took, dtype=np.float64), before),
            record.game,
            (*numbers, match, record.number),
            knows=(record.knows(0), record.knows(1)),
        )
        features.append(rows)
        table.append(numbered)
        tally(moments[-1][0], record.game.tables, before)
        counts[record.match] = dict(zip(record.players, before, strict=True))
    if not any(map(len, features)):
        raise RecordError(
            "there is no claim to learn from",
            hint="records need claims by the player whose cards were not written down: whoever "
            "wrote down their own learns from them",
        )
    notes = (
        f"{len(silent)} of {len(games)} games do not say all that a player knew of their own cards:"
        " their claims are counted for later games of the match, and not learned from",
    )  # fmt: skip
    return TrainingRows.made(
        _subject(), np.concatenate(features), np.concatenate(table), tuple(players),
        notes if silent else (),
    )  # fmt: skip


def _silent(record: CheatRecord, count: int) -> RecordError:
    """The error where no record says what a player knew when they could call."""
    lacking: list[str] = []
    for player, name in enumerate(record.players):
        own = [(turn.kind, turn.cards) for turn in record.turns if turn.by == player]
        missing = [
            words
            for lacks, words in (
                (record.hands[player] is None, "their hand"),
                (("claim", None) in own, "the cards of their claims"),
                (("take", None) in own, "the cards they took"),
            )
            if lacks
        ]
        lacking.append(f"of {name} {' and '.join(missing)}")
    games = f"{count} games" if count > 1 else "1 game"
    return RecordError(
        "no record says what one of its players knew of their own cards, so nothing can be learned",
        where=f"match {record.match!r}, game {record.number}",
        value=games,
        hint=f"record everything for one of them: missing are {', or '.join(lacking)}. Who keeps "
        'the record knows their own: "hands": {"name": [...]}, "cards" with each of their claims '
        'and "card" with each take',
    )


def rows_of_simulated(games: Iterable[SimulatedGame], game: Game) -> TrainingRows:
    """The same of simulated games, many times faster: for populations of thousands."""
    features: list[NDArray[np.float64]] = []
    table: list[NDArray[np.int32]] = []
    most = 0
    for each in games:
        course = each.start, each.end, each.seconds, each.before
        rows, numbered = _claims(course, game, (*each.players, each.match, each.number))
        features.append(rows)
        table.append(numbered)
        most = max(most, *each.players)
    names = tuple(str(player) for player in range(most + 1))
    return TrainingRows.made(_subject(), np.concatenate(features), np.concatenate(table), names)


def rows_of_played(played: Iterable[tuple[Game, PlayedGame]]) -> TrainingRows:
    """The same of games that programs played, each for itself; what they think about is no time."""
    features: list[NDArray[np.float64]] = []
    table: list[NDArray[np.int32]] = []
    for number, (game, one) in enumerate(played):
        play = Play.new(game, seed=one.seed)
        begun = play.truth().copy()
        for action in one.actions:
            play.apply(action)
        seconds = np.full(len(one.actions), np.nan)
        course = begun, play.truth(), seconds, no_counts()
        rows, numbered = _claims(course, game, (2 * number, 2 * number + 1, number, 1))
        features.append(rows)
        table.append(numbered)
    names = tuple(str(player) for player in range(2 * len(features)))
    return TrainingRows.made(_subject(), np.concatenate(features), np.concatenate(table), names)


def _claims(
    course: tuple[States, States, NDArray[np.float64], Counts],
    game: Game,
    numbers: tuple[int, int, int, int],
    knows: tuple[bool, bool] = (True, True),
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """The claims of one game: their features, and what else `TrainingRows.made` needs.

    Args:
        course: How the game went: its first and its last state, each in an array of one; the
            seconds of every turn; what was counted in earlier games of the match.
        game: What it was played by.
        numbers: Of both players, of the match, and of the game in it.
        knows: For both players whether it is known what they knew.
    """
    begun, ended, seconds, before = course
    rows = np.empty((MOST_TURNS, COUNT))
    labels = np.empty((MOST_TURNS, 4), dtype=np.int32)
    count = collect(
        begun.repeat(2), ended, seconds, before, game.tables, np.array(knows), no_counts(), rows,
        labels,
    )  # fmt: skip
    true, called, turn, by = labels[:count].T
    *players, match, number = (np.full(count, each, dtype=np.int32) for each in numbers)
    claimant = np.where(by == 0, *players)
    challenger = np.where(by == 1, *players)
    return rows[:count].copy(), np.stack(
        [true, called, claimant, challenger, match, number, turn], axis=1
    )


@kernel
def collect(
    states: Any,
    ended: Any,
    seconds: Any,
    before: Any,
    tables: Any,
    knows: Any,
    counts: Any,
    rows: Any,
    labels: Any,
) -> int:
    """Go through a game and write a row for each claim that could be called; how many.

    ``states`` has the start first and is changed. Only players who are known to have known what
    they knew can call: ``knows``. ``labels`` get whether the claim was true (-1: not known) and was
    called (-1: nothing followed), its turn, and who made it.
    """
    state = states[0]
    end = ended[0]
    count = 0
    for turn in range(end.turn):
        logged = end.log[turn]
        mover = mover_of(logged)
        cornered = state.sizes[1 - mover] == 0
        caught = False
        true = UNKNOWN
        if is_claim(logged):
            packed = end.cards[turn]
            true = 1 if packed > 0 else UNKNOWN
            while packed > 0:
                rank = (packed & 15) - 1
                state.hands[mover, rank] -= 1
                if rank != rank_of(logged):
                    true = 0
                packed >>= 4
            lay_down(state, public_of(logged), rank_of(logged), end.cards[turn])
        elif public_of(logged) == TAKE:
            if state.left > 0:
                state.hands[mover, next_card(state)] += 1
                state.sizes[mover] += 1
            pass_turn(state, TAKE)
        else:
            caught = call(state, mover, tables)
        settle(state, mover, cornered, caught, tables)
        if is_claim(logged) and state.player == 1 - mover and knows[1 - mover]:
            states[1] = states[0]
            mask(states[1], 1 - mover, tables)
            feature_row(states[1], before, seconds[turn], tables, counts, rows[count])
            labels[count, 0] = true
            labels[count, 1] = UNKNOWN
            if turn + 1 < end.turn:
                labels[count, 1] = 1 if public_of(end.log[turn + 1]) < TAKE else 0
            labels[count, 2] = turn + 1
            labels[count, 3] = mover
            count += 1
    return count


def _subject() -> Subject:
    """The subject to learn of Cheat, as it is registered: it stands above its rows."""
    make = GAMES["cheat"].part("rows")
    return make()
