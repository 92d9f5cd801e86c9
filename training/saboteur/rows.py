"""Actions of Saboteur, each under the true deal of roles and gold and under one dealt by chance.

A predictor that tells the two apart knows how much likelier an action is where an assumption holds
(Gutmann and Hyvärinen 2010, "Noise-contrastive estimation").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.saboteur.events import Following, RoundStep
from ...beliefs.games.saboteur.learned import NAMES, PREDICTS, of_claim, of_sign
from ...beliefs.predictors.predictor import EDGE
from ...data.errors import RecordError
from ...models.game import SPECTATOR
from ...models.games import GameEntry
from ...models.saboteur.state import GOALS, GOLD
from ..judging import line
from ..play_files import Played, SelfPlay, mixed_play, read_plays
from ..rows import Subject, TrainingRows, outcomes_of

#: Who plays games that are simulated, and by which rules.
AGENTS: Final = (
    *(f"dwarf:saboteurs={how},depth=1,factor=1.5" for how in ("explicit", "switching", "hidden")),
    "mcts:simulations=50",
    "random",
)
RULES: Final = ("paper", "official")
#: Shares of a game after which its evidence is added up, to see how far that is to be trusted.
MOMENTS: Final = (0.25, 0.5, 0.75, 1.0)


class DealSubject(Subject):
    """The question if roles and gold are as assumed, as far as one action tells."""

    game = "saboteur"
    title = "Saboteur"
    things = "assumptions"
    features = NAMES
    labels: ClassVar = {"true": PREDICTS}

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The rows of files of records: of plays, and of those that people wrote, as far as these
        say who was a saboteur and where the gold was."""
        return rows_of(self, read_plays(files, entry))

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """So many games between the agents of the paper, a shallow search and random players."""
        games = [entry.game(rules=rules) for rules in RULES]
        return rows_of(self, mixed_play(games, AGENTS, wanted))

    def card(
        self, rows: TrainingRows, target: str, y: NDArray[Any], given: NDArray[np.float64]
    ) -> Mapping[str, Any]:
        """The trust in evidence that is added up.

        It calibrates the choice between the true deal and the other one, by all that a round has
        shown so far.
        """
        chances = np.clip(given, EDGE, 1.0 - EDGE)
        last = np.zeros(rows.match.max() + 1)
        np.maximum.at(last, rows.match, rows.turn)
        logits = np.log(chances / (1.0 - chances)) * np.where(y == 1, 1.0, -1.0)
        ahead = np.concatenate(
            [
                np.bincount(rows.match, logits * (rows.turn <= share * last[rows.match]))
                for share in MOMENTS
            ]
        )
        slope, _ = line(np.append(ahead, -ahead), np.repeat([1, 0], len(ahead)))
        return {"trust": float(np.clip(slope, 0.0, 1.0))}


def rows_of(subject: Subject, played: Iterable[Played], seed: int = 0) -> TrainingRows:
    """The rows of recorded games.

    Raises:
        RecordError: There is nothing to learn from, or a record breaks the rules.
    """
    rng = np.random.default_rng([seed, 7])
    features: list[tuple[float, ...]] = []
    table: list[tuple[int, ...]] = []
    names: list[str] = []
    for place, one in enumerate(played):
        names += [f"game {place + 1}, {role}" for role in one.game.roles]
        first = len(names) - one.game.players
        following, begun = Following(one.game), -1
        assumed: tuple[Any, int] = ((), 0)
        outcomes = outcomes_of(one.record, one.game)
        seen = one.record.replay(one.game).seen_by(SPECTATOR)
        for turn, outcome in enumerate(outcomes, start=1):
            steps = following.read(replace(seen, events=seen.events[:turn]))
            if not steps:
                continue  # The end of a round shows all roles.
            state = outcome.before[0]
            true = state.roles, int(np.argmax(state.goals == GOLD))
            if begun != following.round:
                begun = following.round
                cards = int(one.game.tables.rules[0].role_cards)
                assumed = rng.permutation(state.roles[:cards]), int(rng.integers(GOALS))
            for label, (roles, gold) in enumerate((assumed, true)):
                row = row_of(steps[-1], roles, gold)
                if row is not None:
                    features.append(row)
                    table.append((label, first + outcome.mover, first, place, 1, turn))
    if not table:
        raise RecordError(
            "there is nothing to learn from: no actions",
            hint="name records of plays, such as 'sleuth match saboteur --records FOLDER' writes",
        )
    return TrainingRows.made(subject, features, table, tuple(names))


def row_of(step: RoundStep, roles: Any, gold: int) -> tuple[float, ...] | None:
    """The features of an action if roles and gold were so; None for words that say nothing."""
    role = int(roles[step.mover])
    if step.claim is not None:
        return of_claim(step.claim, role, bool(step.claim.truth[gold]))
    if not step.signs:
        return None
    other = step.signs[0].other
    return of_sign(step.signs[0], role, *([int(roles[other])] if other >= 0 else []))
