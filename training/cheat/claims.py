"""Subjects to learn of Cheat: the truth of a claim, and its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.cheat.features import NAMES
from ...beliefs.games.cheat.judges import PREDICTS, TRUTH, WORDS
from ...data.errors import RecordError
from ...data.progress import Tell
from ...models.games import GameEntry
from ...models.records.game_files import Columns
from ..play_files import SelfPlay
from ..rows import Subject, TrainingRows

TRUE = WORDS[TRUTH]


class ClaimSubject(Subject):
    """Claims of Cheat, in its own records: they know earlier games of a match, and seconds."""

    game = "cheat"
    title = "Cheat"
    things = "claims"
    people = True
    features = NAMES
    labels: ClassVar = {WORDS[of]: PREDICTS[of] for of in PREDICTS}
    baselines: ClassVar = {
        "card counting": ("chance", "impossible"),
        "running rate": ("lie rate",),
        "card counting and running rate": ("chance", "impossible", "lie rate"),
    }

    def __init__(self, columns: Columns | None = None) -> None:
        self.columns = columns

    def with_columns(self, columns: Columns) -> ClaimSubject:
        """See `Subject`."""
        return type(self)(columns)

    def read(self, files: Sequence[Path], entry: GameEntry) -> TrainingRows:
        """The claims of files of records, JSON Lines or CSV."""
        from ...models.cheat.record.files import read_records
        from ...models.cheat.record.record import CheatRecord
        from .rows import rows_of

        games: list[CheatRecord] = []
        for number, path in enumerate(files):
            # The same match number in two files means two matches.
            prefix = f"{number + 1}: " if len(files) > 1 else ""
            try:
                found = read_records(path, columns=self.columns)
            except RecordError as error:
                # Which of several files it was.
                if path.name in str(error):
                    raise
                raise RecordError(str(error), where=str(path)) from None
            games += [replace(each, match=prefix + each.match) for each in found]
        return rows_of(games)

    def simulated(self, entry: GameEntry, wanted: SelfPlay) -> TrainingRows:
        """The claims of so many simulated people, of those who react."""
        from ...models.cheat.people.population import REACTING
        from ...models.cheat.people.simulate import simulate
        from .rows import rows_of

        wanted.refuse_agents()
        wanted.tell("simulating matches", 0, 1)
        return rows_of(simulate(wanted.count, seed=wanted.seed, population=REACTING))

    def adapted(
        self, rows: TrainingRows, target: str, y: NDArray[Any], given: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64] | None]:
        """See `Subject`; of how players differ in calling nothing is known."""
        from .adapting import adapted, spread_of

        spread = spread_of(rows, y, given) if target == TRUE else 0.0
        return spread, adapted(rows, y, given, spread) if spread else None

    def ceilings(self, target: str, *, anew: bool, tell: Tell) -> Mapping[str, float] | None:
        """See `Subject`; those of the default population are committed."""
        from .ceilings import ceilings, committed

        if anew:
            return ceilings(target=target, progress=tell)
        return committed() if target == TRUE else None
