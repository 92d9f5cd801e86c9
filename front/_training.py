"""Predictors of how players behave: learned from records, and read from files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sleuth.data.errors import SettingsError

if TYPE_CHECKING:
    from sleuth.beliefs.predictors.predictor import Predictor
    from sleuth.models.games import GameEntry
    from sleuth.training.rows import TrainingRows
    from sleuth.training.training import Training


def train(
    game: GameEntry | TrainingRows | str,
    records: Sequence[str | Path] = (),
    *,
    simulate: int | None = None,
    agents: Sequence[str] | None = None,
    games: str | Path | None = None,
    out: str | Path | None = None,
    seed: int = 0,
    **options: Any,
) -> Training:
    """Learn how players of a game behave, and judge what was learned honestly.

    Args:
        game: The game's name, its entry, or ``FILE.py:NAME``; or rows of your own.
        records: Files of recorded games.
        simulate: So many simulated people or games, in place of records.
        agents: Who plays the simulated games, one for each role; None for who usually does.
        games: A file for finished games: what was interrupted goes on from there.
        out: Also write the predictor, as ``out.npz`` and ``out.json``.
        seed: Of all chance.
        options: ``target``, ``models``, ``protocols``, ``folds``, ``jobs``, ``keep``, ``progress``:
            see `Training` and docs/training.md.

    Raises:
        SettingsError: Nothing can be learned of this game, or an option cannot be used.
        RecordError: A file is no record of this game.

    >>> import sleuth
    >>> from sleuth.games.cheat import mini_cheat, rows_of, simulate
    >>> rows = rows_of(simulate(8, seed=1, games=9, game=mini_cheat()))
    >>> found = sleuth.train(rows, models=["logistic"], folds=2, seed=1)
    >>> found.target, 0.0 < found.scores["logistic"]["cold"].auc < 1.0
    ('true', True)
    """
    import inspect

    from sleuth.data.checks import known_name
    from sleuth.training.rows import TrainingRows
    from sleuth.training.training import train as learn

    known = [name for name in inspect.signature(learn).parameters if name not in ("rows", "seed")]
    for name in options:
        known_name(name, known, "option")
    if isinstance(game, TrainingRows):
        if records or simulate is not None:
            raise SettingsError("rows are all that is learned from", where="records, simulate")
        rows = game
    else:
        rows = _rows(game, records, simulate, agents, games, seed, options)
    training = learn(rows, seed=seed, **options)
    if out is not None:
        from sleuth.training.predictor_file import save_predictor

        if training.predictor is None:
            raise SettingsError("a predictor of this kind cannot be written", where="out")
        save_predictor(training.predictor, Path(out))
    return training


def _rows(
    game: GameEntry | str,
    records: Sequence[str | Path],
    simulate: int | None,
    agents: Sequence[str] | None,
    games: str | Path | None,
    seed: int,
    options: Mapping[str, Any],
) -> TrainingRows:
    from sleuth.data.progress import silent
    from sleuth.models.games import GameEntry, entry
    from sleuth.training.play_files import SelfPlay
    from sleuth.training.rows import Subject

    found = game if isinstance(game, GameEntry) else entry(game)
    make = found.part("rows")
    subject: Subject | None = None if make is None else make()
    if subject is None:
        raise SettingsError(
            "nothing says what can be learned from records of this game",
            value=found.name,
            hint="declare a RowMaker and name it in the GameEntry as rows=...",
        )
    if (simulate is None) == (not records):
        raise SettingsError(
            "either records or simulated players are needed",
            hint="name files of records, or write `simulate=60`",
        )
    if simulate is None:
        return subject.read([Path(each) for each in records], found)
    tell = options.get("progress", silent)
    wanted = SelfPlay(
        count=simulate,
        seed=seed,
        agents=None if agents is None else tuple(agents),
        keep=None if games is None else Path(games),
        tell=tell,
    )
    return subject.simulated(found, wanted)


def predictor(path: str | Path) -> Predictor:
    """A predictor that `train` wrote. Reading it runs no code.

    Args:
        path: Its file, with or without ``.npz``.

    Raises:
        RecordError: The file holds no predictor.

    >>> import sleuth
    >>> from sleuth.games.cheat import TRUTH, USUAL, known_predictor
    >>> from sleuth.kit import save_predictor
    >>> files = save_predictor(known_predictor(USUAL, of=TRUTH), "claims")
    >>> sleuth.predictor("claims").features[:3]
    ('impossible', 'unseen', 'known')
    """
    from sleuth.beliefs.predictors.predictor import load_predictor

    return load_predictor(path)
