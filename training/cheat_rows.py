"""Claims of recorded games of Cheat as rows of a table: features, and what came of them."""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..beliefs.cheat_features import COUNT, Challenge, feature_row, features
from ..data.errors import RecordError
from ..models.cheat.history import Counts, no_counts, tally
from ..models.cheat.record import Record
from ..models.cheat.rules import call, draw, lay_down, mask, pass_turn, settle
from ..models.cheat.simulate import SimulatedGame
from ..models.cheat.tables import MOST_TURNS, TAKE, is_claim, mover_of, public_of, rank_of
from ..models.game import OVER, Game, States
from ..models.kernel import kernel
from ..models.play import Play

UNKNOWN: Final = -1


@dataclass(frozen=True, eq=False)
class Rows:
    """Claims that could be called, in the order in which they were made within each match.

    Attributes:
        features: float64[n, 21], as the challenger saw the claim.
        true: int8[n], 1 if the claim was true, 0 if it was a lie, -1 if that is not known.
        called: int8[n], 1 if it was called, 0 if not, -1 if nothing followed.
        claimant, challenger: int32[n], numbers of the players.
        match: int32[n], numbers of the matches.
        game: int32[n], the game's place in its match.
        turn: int32[n], the claim's turn in its game.
        players: Names of the players, by number.
    """

    features: NDArray[np.float64]
    true: NDArray[np.int8]
    called: NDArray[np.int8]
    claimant: NDArray[np.int32]
    challenger: NDArray[np.int32]
    match: NDArray[np.int32]
    game: NDArray[np.int32]
    turn: NDArray[np.int32]
    players: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.true)

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> Rows:
        """Some of the rows, in their order."""
        arrays = {
            each.name: getattr(self, each.name)[chosen]
            for each in fields(self)
            if each.name != "players"
        }
        return Rows(**arrays, players=self.players)


def rows_of(records: Iterable[Record]) -> Rows:
    """The claims of recorded games which somebody could call whose knowledge is recorded.

    Games of a match count in the order of their numbers. Records of several files need matches with
    names of their own, `replace(record, match=...)`; players of one name are one person.

    Raises:
        RecordError: There is not one such claim, or a game of a match stands there twice.
    """
    players: dict[str, int] = {}
    matches: dict[str, int] = {}
    counts: dict[str, dict[str, NDArray[np.int32]]] = {}
    parts: list[list[Any]] = []
    last: tuple[str, int] | None = None
    for record in sorted(records, key=lambda each: (each.match, each.number)):
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
        after = before.copy()
        ended = _add_rows(record, numbers, match, before, parts)
        tally(ended[0], record.game.tables, after)
        counts[record.match] = dict(zip(record.players, after, strict=True))
    if not parts:
        raise RecordError(
            "there is no claim to learn from",
            hint="records need claims, and of one player his hand, draws and claims' cards",
        )
    columns = list(zip(*parts, strict=True))
    return Rows(
        features=np.array(columns[0], dtype=np.float64),
        true=np.array(columns[1], dtype=np.int8),
        called=np.array(columns[2], dtype=np.int8),
        claimant=np.array(columns[3], dtype=np.int32),
        challenger=np.array(columns[4], dtype=np.int32),
        match=np.array(columns[5], dtype=np.int32),
        game=np.array(columns[6], dtype=np.int32),
        turn=np.array(columns[7], dtype=np.int32),
        players=tuple(players),
    )


def _add_rows(
    record: Record, numbers: Sequence[int], match: int, before: Counts, parts: list[list[Any]]
) -> States:
    knows = [record.knows(player) for player in range(2)]
    last: States | None = None
    for turn, states in enumerate(record.moments()):
        last = states
        if turn == 0 or record.turns[turn - 1].kind != "claim":
            continue
        claim = record.turns[turn - 1]
        challenger = int(states["player"][0])
        if challenger == OVER or challenger == claim.by or not knows[challenger]:
            continue
        view = Play.new(record.game, seed=0, start=states).view(challenger)
        row = features(Challenge(view, before, claim.seconds))
        true = UNKNOWN if claim.true is None else int(claim.true)
        called = UNKNOWN
        if turn < len(record.turns):
            called = int(record.turns[turn].kind == "call")
        parts.append(
            [row, true, called, numbers[claim.by], numbers[challenger], match, record.number, turn]
        )
    assert last is not None
    return last


def rows_of_simulated(games: Iterable[SimulatedGame], game: Game) -> Rows:
    """The same of simulated games, many times faster: for populations of thousands."""
    buffer = np.empty((MOST_TURNS, COUNT))
    labels = np.empty((MOST_TURNS, 4), dtype=np.int32)
    scratch = game.states(2)
    rows: list[NDArray[np.float64]] = []
    kept: list[NDArray[np.int32]] = []
    most = 0
    for each in games:
        scratch[0] = each.start[0]
        count = collect(
            scratch, each.end, each.seconds, each.before, game.tables, no_counts(), buffer, labels
        )
        rows.append(buffer[:count].copy())
        made = np.empty((count, 7), dtype=np.int32)
        made[:, :3] = labels[:count, :3]
        order = np.array(each.players, dtype=np.int32)
        made[:, 3] = order[labels[:count, 3]]
        made[:, 4] = order[1 - labels[:count, 3]]
        made[:, 5] = each.match
        made[:, 6] = each.number
        kept.append(made)
        most = max(most, *each.players)
    table = np.concatenate(kept)
    return Rows(
        features=np.concatenate(rows),
        true=table[:, 0].astype(np.int8),
        called=table[:, 1].astype(np.int8),
        claimant=table[:, 3],
        challenger=table[:, 4],
        match=table[:, 5],
        game=table[:, 6],
        turn=table[:, 2],
        players=tuple(str(player) for player in range(most + 1)),
    )


@kernel
def collect(
    states: Any,
    ended: Any,
    seconds: Any,
    before: Any,
    tables: Any,
    counts: Any,
    rows: Any,
    labels: Any,
) -> int:
    """Go through a game and write a row for each claim that could be called; how many.

    ``states`` has the start first and is changed; ``labels`` get whether the claim was true, was
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
        if is_claim(logged):
            packed = end.cards[turn]
            true = 1
            while packed > 0:
                rank = (packed & 15) - 1
                state.hands[mover, rank] -= 1
                if rank != rank_of(logged):
                    true = 0
                packed >>= 4
            lay_down(state, public_of(logged), rank_of(logged), end.cards[turn])
        elif public_of(logged) == TAKE:
            true = -1
            if state.left > 0:
                state.hands[mover, draw(state)] += 1
                state.sizes[mover] += 1
            pass_turn(state, TAKE)
        else:
            true = -1
            caught = call(state, mover, tables)
        settle(state, mover, cornered, caught, tables)
        if true >= 0 and state.player == 1 - mover:
            states[1] = states[0]
            mask(states[1], 1 - mover, tables)
            feature_row(states[1], before, seconds[turn], tables, counts, rows[count])
            labels[count, 0] = true
            labels[count, 1] = -1
            if turn + 1 < end.turn:
                labels[count, 1] = 1 if public_of(end.log[turn + 1]) < TAKE else 0
            labels[count, 2] = turn + 1
            labels[count, 3] = mover
            count += 1
    return count
