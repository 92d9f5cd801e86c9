"""Learning from games of Scotland Yard where Mr X goes: category tables, a model of moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from ...beliefs.games.scotland_yard.features import COUNT, described_actions
from ...beliefs.games.scotland_yard.move_model import FORMAT as MOVES
from ...beliefs.games.scotland_yard.move_model import MoveModel
from ...beliefs.games.scotland_yard.play import ScotlandYardBelief
from ...data.disk.writing import refuse_others, write_whole
from ...data.errors import SettingsError
from ...data.progress import Tell, silent
from ...data.version import version
from ...models.game import SPECTATOR, Game, States
from ...models.kernels.compiling import waiting
from ...models.play import Play
from ...models.scotland_yard.advice.categories import FORMAT as CATEGORIES
from ...models.scotland_yard.advice.categories import Categories, CategoryCounts
from ...models.scotland_yard.game import scotland_yard
from ...models.scotland_yard.state import HIDER, stations_of
from ...planners.matches.match import play_match
from ...planners.matches.match_games import PlayedGame
from ..conditional_logit import Choices, FittedLogit, fit_validated
from .scores import Scores, score

#: Who plays the games that are learned from.
HIDER_AGENT: Final = "mcts"
SEEKER_AGENT: Final = "mcts"
#: With fewer games there is nothing to hold out.
FEWEST: Final = 5
#: Every fifth game is held out to see how good beliefs are.
HELD_OUT: Final = 5
#: How much of the chance all of their actions have alike, so that another kind of player is not
#: thought impossible.
EVEN: Final = 0.05


class HiderTurn(NamedTuple):
    """One move of Mr X, with what everybody knew before and after it.

    Attributes:
        game: The number of the game.
        before, after: What everybody knew, each in an array of one.
        station: Where the hider was.
        action: What they did.
        to: Where they went.
    """

    game: int
    before: States
    after: States
    station: int
    action: int
    to: int


@dataclass(frozen=True, kw_only=True)
class Trained:
    """What was learned.

    Attributes:
        categories: Location Categorization.
        moves: The model of the hider's moves.
        fitted: How the model of the moves was fitted.
    """

    categories: Categories
    moves: MoveModel
    fitted: FittedLogit

    def save(self, folder: str | Path) -> dict[str, str]:
        """Write ``categories.json`` and ``moves.json``; each whole or not at all.

        Returns:
            Their paths, by ``"categories"`` and ``"moves"``.

        Raises:
            SettingsError: They cannot be written, or something else has their names.
        """
        refuse_taken(Path(folder))
        written: dict[str, str] = {}
        for name, made in (("categories", self.categories), ("moves", self.moves)):
            path = Path(folder) / f"{name}.json"
            write_whole(path, json.dumps(made.to_json(), indent=1) + "\n")
            written[name] = str(path)
        return written


def refuse_taken(folder: Path, *, where: str | None = None) -> None:
    """Refuse a folder in which other files have the names of what is learned.

    Raises:
        SettingsError: There is one.
    """
    for name, mark in (("categories", CATEGORIES), ("moves", MOVES)):
        refuse_others(folder / f"{name}.json", mark.encode(), where=where)


def self_play(
    *,
    games: int,
    seed: int = 0,
    workers: int = 1,
    hider: str = HIDER_AGENT,
    seekers: str = SEEKER_AGENT,
    out: str | Path | None = None,
    progress: Tell = silent,
) -> tuple[PlayedGame, ...]:
    """Games between agents, to learn from.

    Args:
        games: How many.
        seed: Another seed, other games.
        workers: Processes.
        hider, seekers: Agents by name and options.
        out: Keep finished games in this file; what was interrupted goes on from there.
        progress: Told after every game.
    """
    game = scotland_yard()
    agents = [hider, *[seekers] * (game.players - 1)]
    return play_match(
        game,
        agents,
        games=games,
        seed=seed,
        workers=workers,
        swap=False,
        out=out,
        progress=progress,
    ).games


def hider_turns(game: Game, played: Iterable[PlayedGame]) -> Iterator[HiderTurn]:
    """Every move of Mr X in games that were played."""
    for one in played:
        play = Play.new(game, seed=one.seed)
        for action in one.actions:
            if play.player != HIDER:
                play.apply(action)
                continue
            before, station = play.view(SPECTATOR).states, int(play.truth()[0].stations[HIDER])
            play.apply(action)
            to = int(play.truth()[0].stations[HIDER])
            yield HiderTurn(
                one.number, before, play.view(SPECTATOR).states, station, int(action), to
            )


def count_categories(
    turns: Iterable[HiderTurn], game: Game, card: dict[str, Any] | None = None
) -> Categories:
    """How often the hider was in each category after a move."""
    counts = CategoryCounts()
    board, count = game.tables.board[0], game.players
    for turn in turns:
        state = turn.after[0]
        seekers = state.stations[1:count].tolist()
        counts.add(turn.to, stations_of(state.possible), seekers, board)
    return counts.tables(card or {})


def choices_of(turns: Sequence[HiderTurn], game: Game) -> Choices:
    """The hider's moves as choices among all possible actions."""
    rows: list[Any] = []
    starts: list[int] = []
    chosen: list[int] = []
    groups: list[int] = []
    count = 0
    for turn in turns:
        codes, features = described_actions(
            turn.before[0], turn.station, turn.before.copy()[0], game.tables
        )
        starts.append(count)
        chosen.append(count + codes.tolist().index(turn.action))
        groups.append(turn.game)
        rows.append(features)
        count += len(codes)
    table = np.concatenate(rows) if rows else np.zeros((0, COUNT))
    return Choices(table, np.array(starts), np.array(chosen), np.array(groups))


def held_out_scores(played: Sequence[PlayedGame], game: Game) -> Scores:
    """How well beliefs that learned from four games of every five know the station in the fifth.

    Raises:
        SettingsError: There are too few games.
    """
    trained = train([one for one in played if one.number % HELD_OUT], game)
    beliefs = {
        "uniform list": ScotlandYardBelief("uniform"),
        "categorization": ScotlandYardBelief("categories", categories=trained.categories),
        "even moves": ScotlandYardBelief("steps"),
        "move model": ScotlandYardBelief("moves", moves=trained.moves),
    }
    return score(game, [one for one in played if one.number % HELD_OUT == 0], beliefs)


@waiting()
def train(
    played: Sequence[PlayedGame],
    game: Game,
    *,
    even: float = EVEN,
    card: dict[str, Any] | None = None,
) -> Trained:
    """Learn from games that were played.

    Args:
        played: The games.
        game: What they were played with.
        even: How much of the chance all of their actions have alike.
        card: What to say of the games, in what is saved: agents, seed.

    Raises:
        SettingsError: There are too few games.
    """
    if len(played) < FEWEST:
        raise SettingsError(f"at least {FEWEST} games are needed", value=len(played))
    turns = list(hider_turns(game, played))
    said: dict[str, Any] = {
        "game": game.name,
        "game_version": game.version,
        "settings": dict(game.settings),
        "games": len(played),
        "moves_of_the_hider": len(turns),
        **(card or {}),
        "sleuth": version(),
    }
    fitted = fit_validated(choices_of(turns, game))
    scores = {
        "log_loss_of_a_move_in_nats": round(fitted.log_loss, 4),
        "log_loss_if_all_moves_were_equally_likely": round(fitted.even_loss, 4),
        "penalty": fitted.penalty,
        "validation": "5 parts of the games, each held out once",
    }
    return Trained(
        categories=count_categories(turns, game, said),
        moves=MoveModel(
            tuple(round(weight, 6) for weight in fitted.weights), even, card=said | scores
        ),
        fitted=fitted,
    )
