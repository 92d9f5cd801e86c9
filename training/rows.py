"""Subjects to learn from the records of a game: features and labels, and rows of them.

A feature is what somebody who predicts knew at that moment, and a label is what came of it. The two
are made by two methods with nothing in common: `RowMaker.row` is handed a view and what its viewer
has seen, `RowMaker.label` the truth.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ..data.checks import known_name
from ..data.errors import RecordError, SettingsError
from ..data.progress import Tell
from ..models.game import HIDDEN, Game, States
from ..models.games import GameEntry
from ..models.play import SeenPlay, View
from ..models.records.game_files import Columns
from ..models.records.replay import PlayScript, observed
from .judging import ScoreTable
from .play_files import AGENT, Played, SelfPlay, read_plays, self_play

UNKNOWN: Final = -1


class Subject(ABC):
    """The subject to learn of one game, whatever its records look like.

    Attributes:
        game: The game's name.
        title: The game's name as people write it.
        things: What the rows are, such as ``"claims"``.
        features: Names of the features.
        labels: What can be predicted: a word, and what is so if it is; the first is the usual one.
        baselines: Beside the base rate and the logistic regression of everything, what is simpler
            than a predictor, and the features that it is told.
        agent: Who usually plays games that are simulated.
        people: Whether people are simulated whose ceilings can be computed.
        choices: Whether the rows of one turn are all that could be chosen, of which one was.
        more_files: What else is written beside a predictor: endings of files, and what such a file
            has near its beginning.

    >>> import pathlib
    >>> import numpy as np
    >>> from sleuth.kit import GAMES, SelfPlay
    >>> from sleuth.predictors import Subject, TrainingRows
    >>> class Coins(Subject):
    ...     game, things = "coins", "throws"
    ...     features, labels = ("throws before",), {"heads": "it shows heads"}
    ...     def of_throws(self, heads):
    ...         features = [[turn] for turn in range(len(heads))]
    ...         table = [(each, 0, 1, 0, 1, turn) for turn, each in enumerate(heads)]
    ...         return TrainingRows.made(self, features, table, players=("ann", "bob"))
    ...     def read(self, files, entry):
    ...         lines = [line for file in files for line in file.read_text().splitlines()]
    ...         return self.of_throws([line == "heads" for line in lines])
    ...     def simulated(self, entry, wanted):
    ...         rng = np.random.default_rng(wanted.seed)
    ...         return self.of_throws(rng.integers(2, size=wanted.count).tolist())
    >>> coins = Coins()
    >>> rows = coins.simulated(GAMES["tic_tac_toe"], SelfPlay(count=5, seed=1))
    >>> rows.labels["heads"].tolist()
    [0, 1, 1, 1, 0]
    >>> _ = pathlib.Path("throws.txt").write_text("heads")
    >>> len(coins.read([pathlib.Path("throws.txt")], GAMES["tic_tac_toe"]))
    1
    >>> y, given = rows.labels["heads"], np.full(5, 0.5)
    >>> coins.adapted(rows, "heads", y, given), coins.card(rows, "heads", y, given)  # nothing more
    ((0.0, None), {})
    >>> coins.files(rows), coins.findings(rows, print)
    ({}, ())
    >>> coins.ceilings("heads", anew=False, tell=print) is None
    True
    """

    game: ClassVar[str]
    title: ClassVar[str] = ""
    things: ClassVar[str] = "actions"
    features: ClassVar[Sequence[str]]
    labels: ClassVar[Mapping[str, str]]
    baselines: ClassVar[Mapping[str, Sequence[str]]] = {}
    agent: ClassVar[str] = AGENT
    people: ClassVar[bool] = False
    choices: ClassVar[bool] = False
    more_files: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records.

        Raises:
            RecordError: A file is no record of this game, or there is nothing to learn from.
        """

    def with_columns(self, columns: Columns) -> Subject:
        """The same, for tables whose columns have other names.

        Args:
            columns: The names that columns have in the tables, by those that they have here.

        Raises:
            SettingsError: Records of this game are no tables.

        >>> from sleuth.kit import GAMES
        >>> GAMES["cheat"].part("rows")().with_columns({"by": "who"}).columns
        {'by': 'who'}
        """
        raise SettingsError(
            "records of this game are no tables",
            where="columns",
            value=self.game,
            hint="leave it out",
        )

    @abstractmethod
    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """The rows of so many simulated people, or games.

        Raises:
            SettingsError: That many cannot be simulated, or not with these agents.
        """

    def findings(self, rows: TrainingRows, tell: Tell) -> Sequence[ScoreTable]:
        """The findings of the rows besides how well the game is known."""
        return ()

    def files(self, rows: TrainingRows) -> Mapping[str, str]:
        """The contents of `more_files`."""
        return {}

    def adapted(
        self, rows: TrainingRows, target: str, y: NDArray[Any], given: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64] | None]:
        """The players' spread, in log odds, and the predictions when they get to be known.

        Args:
            rows: The rows.
            target: What is predicted.
            y: Its classes.
            given: What is predicted of anybody.
        """
        return 0.0, None

    def card(
        self, rows: TrainingRows, target: str, y: NDArray[Any], given: NDArray[np.float64]
    ) -> Mapping[str, Any]:
        """The further fields of a predictor's card; see `adapted`."""
        return {}

    def ceilings(self, target: str, *, anew: bool, tell: Tell) -> Mapping[str, float] | None:
        """The best AUCs of any predictor of simulated people; None if nobody knows.

        Args:
            target: What is predicted.
            anew: Compute them anew; only asked for where `people` is true.
            tell: Told how far that is.
        """
        return None


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Actions to learn from, in the order in which they were made within each match.

    Attributes:
        of: What can be learned of the game.
        features: float64[n, F], as the one who predicts knew them; what is not known is not a
            number.
        labels: For each word int8[n]: 1 if it is so, 0 if not, -1 if that is not known.
        player, viewer: int32[n], numbers of who acted and of who predicts.
        match: int32[n], numbers of the matches.
        game: int32[n], the game's place in its match.
        turn: int32[n], the action's turn in its game.
        players: Names of the players, by number.
        notes: What to mind.
        played: The games that they are of, where their subject needs them again.
        source: Who played, where programs did.

    >>> import numpy as np
    >>> from sleuth.games.cheat import mini_cheat, rows_of, simulate
    >>> from sleuth.predictors import TrainingRows
    >>> rows = rows_of(simulate(2, seed=1, games=2, game=mini_cheat()))
    >>> len(rows), rows.acting, len(rows.where(rows.player == 0)), len(np.unique(rows.choice))
    (4, 2, 2, 4)
    >>> table = [[1, -1, 0, 1, 0, 1, 2]]  # true, called, player, viewer, match, game, turn
    >>> TrainingRows.made(rows.of, rows.features[:1], table, ("ann", "bob")).turn.tolist()
    [2]
    """

    of: Subject
    features: NDArray[np.float64]
    labels: Mapping[str, NDArray[np.int8]]
    player: NDArray[np.int32]
    viewer: NDArray[np.int32]
    match: NDArray[np.int32]
    game: NDArray[np.int32]
    turn: NDArray[np.int32]
    players: tuple[str, ...]
    notes: tuple[str, ...] = ()
    played: tuple[Played, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __len__(self) -> int:
        return len(self.features)

    @property
    def choice(self) -> NDArray[np.intp]:
        """intp[n], a number for all rows that one was chosen of; of its own, where none was."""
        if not self.of.choices:
            return np.arange(len(self))
        turns = np.stack([self.match, self.game, self.turn], axis=1)
        return np.unique(turns, axis=0, return_inverse=True)[1].reshape(-1)

    @staticmethod
    def made(
        of: Subject,
        features: Any,
        table: Any,
        players: tuple[str, ...],
        notes: tuple[str, ...] = (),
    ) -> TrainingRows:
        """Rows from numbers.

        Args:
            of: What can be learned of the game.
            features: n rows of features.
            table: n rows: a class for each label in their order, then player, viewer, match, game
                and turn.
            players: Names of the players, by number.
            notes: What to mind.
        """
        numbers = np.asarray(table, dtype=np.int32)
        words = list(of.labels)
        columns = [numbers[:, place] for place in range(len(words), len(words) + 5)]
        labels = {word: numbers[:, place].astype(np.int8) for place, word in enumerate(words)}
        return TrainingRows(
            of, np.asarray(features, dtype=np.float64), labels, *columns, players=players,
            notes=notes,
        )  # fmt: skip

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> TrainingRows:
        """Some of the rows, in their order."""
        arrays = {
            name: getattr(self, name)[chosen]
            for name in ("features", "player", "viewer", "match", "game", "turn")
        }
        labels = {word: array[chosen] for word, array in self.labels.items()}
        return replace(self, **arrays, labels=labels)

    @property
    def acting(self) -> int:
        """The number of players who acted."""
        return len(np.unique(self.player))


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One action and what came of it: the truth, which nobody knew who could have predicted it.

    Attributes:
        mover: Who acted.
        action: The action's code.
        before, after: The true states in which it was made and to which it led, each in an array
            of one.
        following: The code of the next action; None if there was none.
        end: The true state after the last action of the record.

    >>> import sleuth
    >>> from sleuth.kit import Outcome
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> before = play.truth()
    >>> play.apply(1)
    >>> made = Outcome(
    ...     mover=0, action=1, before=before, after=play.truth(), following=None, end=play.truth()
    ... )
    >>> int(made.before[0].cards[made.mover])  # the mover had the jack
    0
    """

    mover: int
    action: int
    before: States
    after: States
    following: int | None
    end: States


class RowMaker(Subject):
    """The rows to learn from the records of plays: a game of your own declares these two methods.

    For each action there is a row for each other player who noticed it, unless `row` refuses.

    >>> import pathlib
    >>> import sleuth
    >>> from sleuth.kit import GAMES, RowMaker, SelfPlay
    >>> class BetRows(RowMaker):
    ...     game, things = "kuhn_poker", "actions"
    ...     features, labels = ("bet", "own card"), {"king": "the player has the king"}
    ...     agent = "random"
    ...     def row(self, view, seen):
    ...         return seen.events[-1].event.observation % 2, view.states[0].cards[view.viewer]
    ...     def label(self, outcome):
    ...         return {"king": outcome.before[0].cards[outcome.mover] == 2}
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> play.record().save("game.json")
    >>> maker, kuhn = BetRows(), GAMES["kuhn_poker"]
    >>> maker.read([pathlib.Path("game.json")], kuhn).features.tolist()
    [[1.0, 2.0]]
    >>> rows = maker.simulated(kuhn, SelfPlay(count=10, seed=1))
    >>> len(rows), int(rows.labels["king"].sum())
    (20, 8)
    """

    @abstractmethod
    def row(self, view: View, seen: SeenPlay) -> Sequence[float] | None:
        """The features of the action just seen, in the order of `features`; None for no row.

        Args:
            view: The game as the viewer knows it, after the action.
            seen: All that the viewer has seen; the action is the last of its events.
        """

    @abstractmethod
    def label(self, outcome: Outcome) -> Mapping[str, bool | None]:
        """For each word of `labels` whether it is so; None if that is not known."""

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """See `Subject`."""
        return rows_of_plays(self, read_plays(files, entry))

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """So many games of the usual agent against itself."""
        return rows_of_plays(self, self_play(entry.game(), wanted, self.agent))


def rows_of_plays(maker: RowMaker, played: Iterable[Played]) -> TrainingRows:
    """The rows of recorded games.

    A player without a name in a record is somebody else in every game. Games with the same named
    players are one match, in the order given.

    Args:
        maker: What can be learned of the game.
        played: The games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules of its game.
        SettingsError: A row or a label is not what was declared.

    >>> import sleuth
    >>> from sleuth.kit import Played, RowMaker, rows_of_plays
    >>> class BetRows(RowMaker):
    ...     game, features, labels = "kuhn_poker", ("bet",), {"king": "the player has the king"}
    ...     def row(self, view, seen):
    ...         return (seen.events[-1].event.observation % 2,)
    ...     def label(self, outcome):
    ...         return {"king": outcome.before[0].cards[outcome.mover] == 2}
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> rows = rows_of_plays(BetRows(), [Played(play.record(), play.game, ("ann", "bob"))])
    >>> rows.players, rows.features.tolist(), rows.labels["king"].tolist()
    (('ann', 'bob'), [[1.0]], [0])
    """
    features: list[tuple[float, ...]] = []
    table: list[tuple[int, ...]] = []
    numbers: dict[object, int] = {}
    matches: dict[object, int] = {}
    games: dict[int, int] = {}
    named = False
    for place, one in enumerate(played):
        if one.known is not None:
            raise RecordError(
                "this record does not say everything that happened, so what came of an action is "
                "not known",
                where=one.source or None,
                hint="name records in which nothing is left open",
            )
        names = one.players or (None,) * one.game.players
        named |= any(names)
        who = [
            numbers.setdefault(name or f"game {place + 1}, {role}", len(numbers))
            for name, role in zip(names, one.game.roles, strict=True)
        ]
        match = matches.setdefault(names if any(names) else place, len(matches))
        games[match] = games.get(match, 0) + 1
        found = rows_of_viewers(maker, one.record, one.game)
        outcomes = outcomes_of(one.record, one.game)
        for turn, viewer, row in found:
            outcome = outcomes[turn - 1]
            classes = classes_of(maker, outcome)
            features.append(row)
            table.append((*classes, who[outcome.mover], who[viewer], match, games[match], turn))
    if not table:
        raise RecordError(
            f"there is nothing to learn from: no {maker.things}",
            hint="name records of plays, such as 'sleuth match GAME --records FOLDER' writes",
        )
    notes = () if named else (
        "the records do not say who played, so every game counts as one of new players: scores are "
        "for other games of the same players, not for strangers",
    )  # fmt: skip
    return TrainingRows.made(maker, features, table, tuple(map(str, numbers)), notes)


def rows_of_viewers(
    maker: RowMaker, record: PlayScript, game: Game
) -> list[tuple[int, int, tuple[float, ...]]]:
    """(turn, viewer, features) of every action; the truth is nowhere near."""
    found: list[tuple[int, int, tuple[float, ...]]] = []
    for viewer in range(game.players):
        for each in observed(record, game, viewer):
            if each.mover in (None, viewer):
                continue
            row = features_of(maker, each.view, each.seen)
            if row is not None:
                found.append((each.number, viewer, row))
    return sorted(found, key=lambda one: one[:2])


def features_of(maker: RowMaker, view: View, seen: SeenPlay) -> tuple[float, ...] | None:
    """The features of the action just seen, checked; None for no row.

    Raises:
        SettingsError: They are not those that were declared, or are made of what is hidden.
    """
    given = maker.row(view, seen)
    if given is None:
        return None
    row = tuple(float(value) for value in given)
    where = f"row of game {view.game.name!r}"
    if len(row) != len(maker.features):
        raise SettingsError(
            f"{len(maker.features)} features are declared",
            where=where,
            value=len(row),
            hint=f"they are {', '.join(maker.features)}",
        )
    for name, value in zip(maker.features, row, strict=True):
        if math.isinf(value):
            raise SettingsError("a feature is a finite number or nan", where=where, value=name)
        # Sums and means of what is hidden are as far off as it is.
        if value <= HIDDEN / 2:
            raise SettingsError(
                "a feature is made of what is HIDDEN from its viewer",
                where=f"{where}, feature {name!r}",
                value=value,
                hint="read only what the viewer sees in the view",
            )
    return row


def classes_of(maker: RowMaker, outcome: Outcome) -> list[int]:
    """The class of each label, in their order; `UNKNOWN` for what is not known.

    Raises:
        SettingsError: A label was never declared.
    """
    given = maker.label(outcome)
    for word in given:
        known_name(word, maker.labels, "label")
    found = (given.get(word) for word in maker.labels)
    return [UNKNOWN if value is None else int(value) for value in found]


def outcomes_of(record: PlayScript, game: Game) -> tuple[Outcome, ...]:
    """The outcome of each action of a record: the truth, for labels only.

    Raises:
        RecordError: The record breaks the rules of its game.
    """
    play = record.begin(game)
    states, movers, listed = [play.truth()], list[int](), list[int]()
    for number, action in enumerate(record.actions, start=1):
        movers.append(play.player)
        listed.append(game.listed_code(states[-1], action))
        play.apply(action, chance=record.chance(number))
        states.append(play.truth())
    return tuple(
        Outcome(
            mover=mover,
            action=listed[turn],
            before=states[turn],
            after=states[turn + 1],
            following=listed[turn + 1] if turn + 1 < len(movers) else None,
            end=states[-1],
        )
        for turn, mover in enumerate(movers)
    )
