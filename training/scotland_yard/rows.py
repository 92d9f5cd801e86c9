"""Learning from games of Scotland Yard where Mr X goes: category tables, a model of moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.scotland_yard.features import FEATURES, described_actions
from ...beliefs.games.scotland_yard.move_model import MoveModel
from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...data.errors import RecordError
from ...data.progress import Tell
from ...data.version import version
from ...models.game import SPECTATOR, States
from ...models.games import GameEntry
from ...models.play import Play
from ...models.records.play_start import state_from_json
from ...models.scotland_yard.advice.categories import FORMAT as CATEGORIES
from ...models.scotland_yard.advice.categories import Categories, CategoryCounts
from ...models.scotland_yard.state import HIDER, stations_of
from ..conditional_logit import LogitChoices, fit_validated
from ..judging import ScoreTable
from ..play_files import Played, SelfPlay, read_plays, self_play
from ..rows import Subject, TrainingRows
from .scores import Scores, score

#: Every fifth game is held out to see how good beliefs are.
HELD_OUT: Final = 5
#: How much of the chance all of their actions have alike, so that another kind of player is not
#: thought impossible.
EVEN: Final = 0.05


class HiderTurn(NamedTuple):
    """One move of Mr X, with what everybody knew before and after it.

    Attributes:
        number: Of the action in its game, from 1.
        before, after: What everybody knew, each in an array of one.
        station: Where the hider was.
        action: What they did.
        to: Where they went.
    """

    number: int
    before: States
    after: States
    station: int
    action: int
    to: int


class HiderMoves(Subject):
    """The move Mr X makes, of all possible ones."""

    game = "scotland_yard"
    title = "Scotland Yard"
    things = "moves"
    features = FEATURES
    labels: ClassVar = {"made": "Mr. X makes the move"}
    agent = "mcts"
    choices = True
    more_files: ClassVar = {"categories.json": CATEGORIES}

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records of plays."""
        return rows_of(self, read_plays(files, entry))

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """The rows of so many games of agents."""
        game = entry.game()
        hider, seekers = (wanted.agents or (self.agent,) * game.players)[:2]
        source = {
            "hider": str(getattr(hider, "text", hider)),
            "seekers": str(getattr(seekers, "text", seekers)),
            "seed": wanted.seed,
            "source": "games of programs against each other, by sleuth",
        }
        return rows_of(self, self_play(game, wanted, self.agent), source)

    def card(
        self, rows: TrainingRows, target: str, y: NDArray[Any], given: NDArray[np.float64]
    ) -> Mapping[str, Any]:
        """The players, and the part of the chance that all moves have alike."""
        return {"even": EVEN, **_said(rows)}

    def files(self, rows: TrainingRows) -> Mapping[str, str]:
        """Location Categorization, counted in all games."""
        counted = count_categories(rows.played, _said(rows))
        return {"categories.json": json.dumps(counted.to_json(), indent=1) + "\n"}

    def findings(self, rows: TrainingRows, tell: Tell) -> Sequence[ScoreTable]:
        """The beliefs' scores on the station in every fifth game, when learned from the others."""
        learned = [one for number, one in enumerate(rows.played) if number % HELD_OUT]
        if len(learned) < 2:
            return ()
        tell("judging beliefs", 0, 1)
        moves = choices_of(rows_of(self, learned))
        weights = tuple(round(weight, 6) for weight in fit_validated(moves).weights)
        beliefs = {
            "uniform list": ScotlandYardBelief("uniform"),
            "categorization": ScotlandYardBelief(
                "categories", categories=count_categories(learned)
            ),
            "even moves": ScotlandYardBelief("steps"),
            "move model": ScotlandYardBelief("moves", moves=MoveModel(weights, EVEN)),
        }
        return (_table(score(rows.played[::HELD_OUT], beliefs)),)


def rows_of(
    subject: Subject, played: Iterable[Played], source: Mapping[str, Any] | None = None
) -> TrainingRows:
    """All moves that Mr X could have made in recorded games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules.
    """
    games = tuple(played)
    features: list[Any] = []
    table: list[tuple[int, ...]] = []
    names: dict[str, int] = {}
    for place, one in enumerate(games):
        person = (one.players or (None,))[HIDER]
        who = names.setdefault(person or f"game {place + 1}, Mr. X", len(names))
        viewer = names.setdefault(f"game {place + 1}, the detectives", len(names))
        for turn in hider_turns(one):
            codes, described = described_actions(
                turn.before[0], turn.station, turn.before.copy()[0], one.game.tables
            )
            features.append(described)
            table += [
                (code == turn.action, who, viewer, place, 1, turn.number) for code in codes.tolist()
            ]
    if not table:
        raise RecordError(
            "there is nothing to learn from: no moves",
            hint="name records of plays, such as 'sleuth match scotland-yard --records FOLDER' "
            "writes",
        )
    found = TrainingRows.made(subject, np.concatenate(features), table, tuple(names))
    return replace(found, played=games, source=dict(source or {}))


def hider_turns(played: Played) -> Iterator[HiderTurn]:
    """Every move of Mr X in a recorded game."""
    game, record = played.game, played.record
    play = Play.new(game, seed=record.seed, start=state_from_json(record.start, game))
    for number, action in enumerate(record.actions, start=1):
        if play.player != HIDER:
            play.apply(action)
            continue
        before, station = play.view(SPECTATOR).states, int(play.truth()[0].stations[HIDER])
        play.apply(action)
        to = int(play.truth()[0].stations[HIDER])
        yield HiderTurn(number, before, play.view(SPECTATOR).states, station, int(action), to)


def count_categories(played: Iterable[Played], card: Mapping[str, Any] | None = None) -> Categories:
    """The number of times the hider was in each category after a move."""
    counts = CategoryCounts()
    for one in played:
        for turn in hider_turns(one):
            state = turn.after[0]
            seekers = state.stations[1 : one.game.players].tolist()
            counts.add(turn.to, stations_of(state.possible), seekers, one.game.tables.board[0])
    return counts.tables(card or {})


def choices_of(rows: TrainingRows) -> LogitChoices:
    """The hider's moves as choices among all possible actions, game by game."""
    return LogitChoices.made(rows.features, rows.labels["made"], rows.choice, rows.player)


def _said(rows: TrainingRows) -> dict[str, Any]:
    """The files' words on the games that they were learned from."""
    game = rows.played[0].game
    return {
        "game": game.name,
        "game_version": game.version,
        "settings": dict(game.settings),
        "games": len(rows.played),
        "moves_of_the_hider": int(rows.labels["made"].sum()),
        **rows.source,
        "sleuth": version(),
    }


def _table(scores: Scores) -> ScoreTable:
    loss = {name: scores.loss(name) for name in scores.names}
    entropy = {name: scores.entropy(name) for name in scores.names}
    return ScoreTable(
        name="held_out",
        title="Where Mr. X is",
        text=f"What beliefs give to the true station after {len(scores.moments)} moves in "
        f"{scores.games} games that were held out: minus the logarithm of it, with its 95 % "
        "interval over games, and the entropy of the belief. One that is right on average loses "
        "its entropy.",
        heads=("belief", "log loss in bits", "entropy in bits"),
        lines=tuple(
            (name, f"{mean:.2f} [{low:.2f}, {high:.2f}]", f"{entropy[name].mean:.2f}")
            for name, (mean, low, high) in loss.items()
        ),
        value={
            "unit": "bits",
            "games": scores.games,
            "moments": len(scores.moments),
            "log_loss": {name: list(each) for name, each in loss.items()},
            "entropy": {name: list(each) for name, each in entropy.items()},
        },
    )
