"""Learning from games of Scotland Yard where Mr. X goes: category tables, a model of moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.scotland_yard.features import FEATURES, described_actions
from ...beliefs.games.scotland_yard.move_model import MoveModel
from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...data.errors import RecordError
from ...data.progress import Tell
from ...data.version import version
from ...models.games import GameEntry
from ...models.records.replay import Observed, observed
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
#: So many files are named where there are many.
MOST_NAMED: Final = 5


class HiderMoves(Subject):
    """The move Mr. X makes, of all possible ones."""

    game = "scotland_yard"
    title = "Scotland Yard"
    things = "moves"
    features = FEATURES
    labels: ClassVar = {"made": "Mr. X makes the move"}
    agent = "mcts"
    choices = True
    more_files: ClassVar = {"categories.json": CATEGORIES}

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records, of plays and such as people write."""
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
        # Where it is not known where Mr. X was, nobody can say how good a belief is.
        known = [one for one in rows.played if one.known is None]
        learned = [one for number, one in enumerate(known) if number % HELD_OUT]
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
        return (_table(score(known[::HELD_OUT], beliefs)),)


def rows_of(
    subject: Subject, played: Iterable[Played], source: Mapping[str, Any] | None = None
) -> TrainingRows:
    """All moves that Mr. X could have made in recorded games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules.
    """
    games: list[Played] = []
    features: list[Any] = []
    table: list[tuple[int, ...]] = []
    names: dict[str, int] = {}
    idle: list[str] = []
    for place, one in enumerate(played):
        begun = len(table)
        person = (one.players or (None,))[HIDER]
        who = names.setdefault(person or f"game {place + 1}, Mr. X", len(names))
        viewer = names.setdefault(f"game {place + 1}, the detectives", len(names))
        for each in hider_moves(one):
            assert each.before is not None
            before: Any = each.before[0].states
            codes, described = described_actions(
                before[0], before[0].stations[HIDER], before.copy()[0], one.game.tables
            )
            features.append(described)
            table += [
                (code == each.action, who, viewer, place, 1, each.number) for code in codes.tolist()
            ]
        games.append(one)
        if len(table) == begun:
            idle.append(one.source or f"game {place + 1}")
    if not table:
        raise RecordError(
            "there is nothing to learn from: no move of Mr. X is known",
            where=", ".join(idle[:MOST_NAMED]) or None,
            hint="name records of plays, such as 'sleuth match scotland-yard --records FOLDER' "
            "writes, or write where Mr. X went, from their log",
        )
    found = TrainingRows.made(subject, np.concatenate(features), table, tuple(names))
    notes = _minded(games, idle, int(found.labels["made"].sum()))
    return replace(found, played=tuple(games), source=dict(source or {}), notes=notes)


def _minded(games: Sequence[Played], idle: Sequence[str], learned: int) -> tuple[str, ...]:
    """Notes on games of which not all is known.

    Args:
        games: All games.
        idle: Where those are from of which no move is known.
        learned: The number of moves that are learned from.
    """
    open_ = [one for one in games if one.known is not None]
    if not open_:
        return ()
    found = [
        f"records that do not say where Mr. X went: {len(open_)} of {len(games)}; of these only "
        f"moves are learned from that follow from what everybody saw ({learned} in all records), "
        "which are not like the others: records with all stations of Mr. X teach more",
    ]
    if idle:
        more = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
        found.append(f"no move is known in {', '.join(idle[:MOST_NAMED])}{more}")
    return tuple(found)


def hider_moves(played: Played) -> Iterator[Observed]:
    """Mr. X's knowledge before and after each of their moves that is known of a recorded game."""
    every = observed(played.record, played.game, HIDER)
    known = played.known
    return (
        each
        for each in every
        if each.before is not None and (known is None or each.number in known)
    )


def count_categories(played: Iterable[Played], card: Mapping[str, Any] | None = None) -> Categories:
    """The number of times the hider was in each category after a move."""
    counts = CategoryCounts()
    for one in played:
        for each in hider_moves(one):
            state: Any = each.view.states[0]
            there, *seekers = state.stations[: one.game.players].tolist()
            counts.add(there, stations_of(state.possible), seekers, one.game.tables.board[0])
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
        text=f"What beliefs give to the true station after {len(scores.turn)} moves in "
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
            "moments": len(scores.turn),
            "log_loss": {name: list(each) for name, each in loss.items()},
            "entropy": {name: list(each) for name, each in entropy.items()},
        },
    )
