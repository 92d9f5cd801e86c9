"""Training predictors on the rows of any game, and judging them."""

# scikit-learn and scipy come without types.
# pyright: reportMissingTypeStubs=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ..beliefs.predictors.predictor import Predictor
from ..data.checks import known_name, whole_number
from ..data.errors import RecordError, SettingsError
from ..data.intervals import DASH, from_to
from ..data.jobs.counting import worker_count
from ..data.jobs.sharing import pool
from ..data.progress import Tell, silent
from ..data.tables import aligned, html_note, html_shown, html_table
from ..data.version import version
from ..models.kernels.compiling import waiting
from .conditional_logit import FittedLogit, LogitChoices, fit_validated, starts_of
from .finished_fits import FinishedFits
from .judging import EDGE, PredictionScores, ScoreTable, auc_gain, judge, plain_number
from .predictor_file import predictor_of
from .predictor_kinds import CHOICE, STORED, classifier, kinds_for
from .protocols import ALL_MET, PROTOCOLS, FittedPart, applicable, circles, splits
from .rows import Subject, TrainingRows

if TYPE_CHECKING:
    import pandas

#: The columns of a training as a table.
HEADS: Final = ("model", "AUC", "95 % interval", "Brier", "log loss", "slope")
FEW_PLAYERS: Final = 20
FEW_ROWS: Final = 200
TOO_GOOD: Final = 0.95
LEAK: Final = 0.05
SLOPES: Final = (0.8, 1.25)
#: More than this share of rows beyond all that was learned from is warned of.
BEYOND: Final = 0.1


@dataclass(frozen=True, eq=False)
class Training:
    """The results of a training.

    Attributes:
        predictor: Of the first model, fitted to all rows; None if its kind has no file.
        scores: For each model and protocol.
        baselines: Scores of what is simpler, by the cold protocol or the first that was run.
        gains: How much more AUC the first model has than each baseline, with the 95 % interval of
            the difference.
        spread: How much players differ, in log odds: Cheat takes it as a prior of offsets.
        adapted: Scores of the first model by the cold protocol when players get to be known during
            a match; None if they do not differ, or nobody knows how.
        predictions: float64[n] for each model and protocol, in the order of the rows used; not a
            number of a row that the protocol does not judge.
        rows: The rows used.
        judged: bool[n]: rows that every protocol judges; all scores are taken on these.
        left_out: How many rows no score is taken on, by why not.
        target: What was predicted.
        warnings: What to mind.
        seed: Of all chance.
        ceilings: How well it can be predicted at all; None if nobody knows.
        findings: Other scores: of choices, and what the game adds.

    >>> import sleuth
    >>> from sleuth.games.cheat import mini_cheat, rows_of, simulate
    >>> rows = rows_of(simulate(8, seed=1, games=9, game=mini_cheat()))
    >>> found = sleuth.train(rows, models=["logistic"], folds=2, seed=1)
    >>> found.sentence, found.judged_on
    ('the claim is true', 'judged on 83 claims')
    >>> found.to_json()["model"], found.required_predictor is found.predictor
    ('logistic', True)
    >>> found
    <Training of logistic: the claim is true, judged on 83 claims>
    >>> print(found.to_text().splitlines()[0])
    model                             AUC   95 % interval  Brier  log loss  slope
    >>> found.to_frame()["model"].tolist()[0]
    'logistic'
    """

    predictor: Predictor | None
    scores: Mapping[str, Mapping[str, PredictionScores]]
    baselines: Mapping[str, PredictionScores]
    gains: Mapping[str, tuple[float, float, float]]
    spread: float
    adapted: PredictionScores | None
    predictions: Mapping[str, Mapping[str, NDArray[np.float64]]]
    rows: TrainingRows
    judged: NDArray[np.bool_]
    left_out: Mapping[str, int]
    target: str
    warnings: tuple[str, ...]
    seed: int
    ceilings: Mapping[str, float] | None = None
    findings: tuple[ScoreTable, ...] = ()

    def __repr__(self) -> str:
        models = ", ".join(self.scores)
        return f"<Training of {models}: {self.sentence}, {self.judged_on}>"

    def to_frame(self) -> pandas.DataFrame:
        """One row for each model and protocol, then for each baseline: their scores.

        Columns: model, protocol (empty for a baseline), auc, low and high of its 95 % interval,
        brier, log_loss, tpr, tnr, g_mean, slope.
        """
        import pandas

        return pandas.DataFrame(
            [
                {
                    "model": model,
                    "protocol": protocol,
                    "auc": scores.auc,
                    "low": scores.auc_interval[0],
                    "high": scores.auc_interval[1],
                    "brier": scores.brier,
                    "log_loss": scores.log_loss,
                    "tpr": scores.tpr,
                    "tnr": scores.tnr,
                    "g_mean": scores.g_mean,
                    "slope": scores.slope,
                }
                for model, protocol, scores in self._judged()
            ]
        )

    def to_text(self) -> str:
        """The scores as a table for people, with what to mind below it."""
        return "\n".join([*aligned([HEADS, *self._lines()]), *self.warnings])

    def _lines(self) -> list[tuple[str, ...]]:
        return [
            (
                f"{model}, {protocol}" if protocol else model,
                f"{scores.auc:.3f}",
                from_to(*scores.auc_interval),
                f"{scores.brier:.3f}",
                f"{scores.log_loss:.3f}",
                DASH if math.isnan(scores.slope) else f"{scores.slope:.2f}",
            )
            for model, protocol, scores in self._judged()
        ]

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        table = html_table(HEADS, self._lines(), caption=f"{self.sentence}: {self.judged_on}")
        return html_shown(table, *map(html_note, self.warnings))

    def _judged(self) -> list[tuple[str, str, PredictionScores]]:
        models = [
            (model, protocol, scores)
            for model, found in self.scores.items()
            for protocol, scores in found.items()
        ]
        return [*models, *((name, "", scores) for name, scores in self.baselines.items())]

    @property
    def sentence(self) -> str:
        """The sentence on what was predicted."""
        return self.rows.of.labels[self.target]

    @property
    def judged_on(self) -> str:
        """On how many rows scores are taken, and which are left out."""
        why = {"label_not_known": "not known how it was", "only_learned_from": "only learned from"}
        out = [f"{count:,} ({why[name]})" for name, count in self.left_out.items() if count]
        said = f"judged on {int(self.judged.sum()):,} {self.rows.of.things}"
        return f"{said}; left out: {', '.join(out)}" if out else said

    def to_json(self) -> dict[str, Any]:
        """The report as plain values."""
        models = {
            model: {protocol: scores.to_json() for protocol, scores in found.items()}
            for model, found in self.scores.items()
        }
        first = next(iter(models))
        return {
            "model": first,
            "target": self.target,
            "rows": len(self.rows),
            "players": self.rows.acting,
            "judged": int(self.judged.sum()),
            "left_out": dict(self.left_out),
            "protocols": models[first],
            "models": models,
            "baselines": {name: scores.to_json() for name, scores in self.baselines.items()},
            "gains": {
                name: [plain_number(each) for each in gain] for name, gain in self.gains.items()
            },
            "spread": self.spread,
            "adapted": None if self.adapted is None else self.adapted.to_json(),
            "ceilings": None if self.ceilings is None else dict(self.ceilings),
            "findings": {each.name: each.value for each in self.findings},
            "source": dict(self.rows.source),
            "warnings": list(self.warnings),
            "seed": self.seed,
            "version": version(),
        }

    @property
    def required_predictor(self) -> Predictor:
        """The predictor.

        Raises:
            SettingsError: The first model's kind has no file.
        """
        if self.predictor is None:
            raise SettingsError(
                "the first model's kind has no file",
                value=next(iter(self.scores), None),
                hint=f"train one of {', '.join(STORED)} first",
            )
        return self.predictor


@waiting()
def train(
    rows: TrainingRows,
    *,
    target: str | None = None,
    models: Sequence[str] | None = None,
    protocols: Sequence[str] | None = None,
    folds: int = 5,
    seed: int = 0,
    jobs: int | None = None,
    keep: str | Path | None = None,
    progress: Tell = silent,
) -> Training:
    """Train predictors, judge them, and fit the first to all rows.

    Args:
        rows: What to learn from.
        target: What is predicted, of the labels of the rows; None for the first.
        models: Kinds of predictors; the first is the one that is returned. None for a forest, or
            for a conditional logit where one of several is chosen.
        protocols: How they are judged; None for ``cold``, or, with a warning, for ``later`` where
            all players have met.
        folds: Of the cold and the random protocol.
        seed: Of all chance.
        jobs: Processes; -1 for all cores.
        keep: A folder for what is finished: an interrupted training goes on from there.
        progress: Told what is done next.

    Raises:
        RecordError: There are not both classes among the rows.
        SettingsError: No such target, model or protocol.
    """
    subject = rows.of
    if target is None:
        target = next(iter(subject.labels))
    known_name(target, subject.labels, "target")
    kinds = kinds_for(subject)
    models = kinds[:1] if models is None else models
    for words, known in ((models, kinds), (protocols or (), PROTOCOLS)):
        for word in words:
            known_name(word, known, "choice")
    if not models or protocols == ():
        raise SettingsError("name at least one model and one protocol")
    whole_number(folds, "folds", least=2, most=100)
    if jobs == 0:
        raise SettingsError("one process is needed, or -1 for all cores", value=jobs)
    used = rows.where(rows.labels[target] >= 0)
    y = used.labels[target]
    if len(np.unique(y)) < 2:
        raise RecordError(
            "only one class is there, so nothing can be learned",
            value=f"{len(y)} {subject.things}",
            hint=f"of all of them it is known that {subject.labels[target]}, or of none",
        )
    fitting = applicable(used)
    protocols = fitting[:1] if protocols is None else protocols
    units: list[set[str]] = []
    judged = np.ones(len(used), dtype=np.bool_)
    for each in protocols:
        units.append(set())
        tested = np.zeros(len(used), dtype=np.bool_)
        for split in splits(used, each, folds=folds, seed=seed):
            units[-1].add(split.unit)
            tested[split.test] = True
            if len(np.unique(y[split.train])) < 2:
                raise RecordError(
                    "one of the parts to learn from has only one class",
                    where=f"protocol {each!r}",
                    value=f"{len(split.train)} {subject.things}",
                    hint="train on more records",
                )
        judged &= tested
    if len(np.unique(y[judged])) < 2:
        raise RecordError(
            "the part that is judged has only one class",
            where=f"protocols {', '.join(protocols)}",
            value=f"{int(judged.sum())} {subject.things}",
            hint="train on more records",
        )
    # All rivals are judged on the same rows.
    seen, who = y[judged], used.player[judged]
    total, done = len(models) * sum(len(each) + 1 for each in units) + 1, 0

    def say(text: str) -> None:
        nonlocal done
        progress(text, done, total)
        done += 1

    predictions: dict[str, dict[str, NDArray[np.float64]]] = {}
    scores: dict[str, dict[str, PredictionScores]] = {}
    with FinishedFits(keep, _digest(used, target, seed, folds)) as store:
        for model in models:
            for protocol in protocols:
                given = _predictions(used, y, model, protocol, folds, seed, jobs, store, say)
                predictions.setdefault(model, {})[protocol] = given
                found = judge(seen, given[judged], who, seed=seed)
                scores.setdefault(model, {})[protocol] = found
    by = "cold" if "cold" in protocols else protocols[0]
    told = baselines_of(subject)
    simpler = {name: _baseline(used, y, columns, by, folds, seed) for name, columns in told.items()}
    baselines = {
        name: judge(seen, given[judged], who, seed=seed) for name, given in simpler.items()
    }
    baselines = {
        name: found if told[name] or subject.choices else found.ranking_nothing()
        for name, found in baselines.items()
    }
    best = predictions[models[0]][by]
    gains = {
        name: auc_gain(seen, best[judged], given[judged], who, seed=seed)
        for name, given in simpler.items()
    }
    # Of how players differ nothing can be seen where they were learned from.
    spread, adapted = subject.adapted(used, target, y, best) if by == "cold" else (0.0, None)
    known = None if adapted is None else judge(seen, adapted[judged], who, seed=seed)
    predictor = None
    if models[0] in (*STORED, CHOICE):
        say(f"{models[0]}: all {subject.things}")
        threads = None if jobs is None else worker_count(jobs, len(y), subject.things)
        all_rows = np.arange(len(used))
        fitted = (
            fitted_choice(used.features, y, circles(used), used.choice, all_rows)
            if models[0] == CHOICE
            else classifier(models[0], seed=seed, jobs=threads).fit(
                used.features, y, groups=circles(used)
            )
        )
        predictor = predictor_of(
            models[0],
            fitted,
            used.features,
            game=subject.game,
            predicts=subject.labels[target],
            features=subject.features,
            more={
                "trained_on": {
                    subject.things: len(used),
                    "players": used.acting,
                    "digest": _digest(used, target, 0, 0),
                },
                "seed": seed,
                "spread": spread,
                "scores": {
                    protocol: found.to_json() for protocol, found in scores[models[0]].items()
                },
                **subject.card(used.where(judged), target, seen, best[judged]),
            },
        )
    return Training(
        predictor=predictor,
        scores=scores,
        baselines=baselines,
        gains=gains,
        spread=spread,
        adapted=known,
        predictions=predictions,
        rows=used,
        judged=judged,
        left_out={
            "label_not_known": len(rows) - len(used),
            "only_learned_from": len(used) - int(judged.sum()),
        },
        target=target,
        warnings=(
            *used.notes,
            *([ALL_MET] if "later" in fitting and "later" in protocols else []),
            *_warnings(used, y, scores),
            *_beyond(used, by, folds, seed),
        ),
        seed=seed,
        findings=(
            *_choice_losses(used, y, judged, predictions),
            *subject.findings(used, progress),
        ),
    )


def baselines_of(subject: Subject) -> dict[str, Sequence[str]]:
    """The baselines simpler than a predictor, and the features that they are told."""
    return {
        "all alike" if subject.choices else "base rate": (),
        **subject.baselines,
        "logistic regression": subject.features,
    }


def _predictions(
    rows: TrainingRows,
    y: NDArray[np.int8],
    model: str,
    protocol: str,
    folds: int,
    seed: int,
    jobs: int | None,
    store: FinishedFits,
    say: Callable[[str], None],
) -> NDArray[np.float64]:
    """Each row's probability, by a fit that has not learned from it."""
    given = np.full(len(rows), np.nan)
    # Calibrated as it is judged: on strangers, or, by the random protocol, on anybody.
    choice = rows.choice
    circle = choice if protocol == "random" else circles(rows)
    units: dict[str, list[FittedPart]] = {}
    for split in splits(rows, protocol, folds=folds, seed=seed):
        units.setdefault(split.unit, []).append(split)
    for name, unit in list(units.items()):
        kept = [store.find(f"{model} {split.name}", len(split.test)) for split in unit]
        for split, array in zip(unit, kept, strict=True):
            if array is not None:
                given[split.test] = array
        if all(array is not None for array in kept):
            del units[name]
    say(f"{model}, {protocol}")
    workers = worker_count(jobs, len(units), "fits")
    work = ((unit,) for unit in units.values())
    common = (rows.features, y, circle, choice, model, seed)
    with (
        pool(workers) as share,
        closing(share(_fit_unit, work, common=common, named=_called)) as found,
    ):
        for unit, arrays in zip(units.values(), found, strict=True):
            for split, array in zip(unit, arrays, strict=True):
                given[split.test] = array
                store.put(f"{model} {split.name}", array)
            say(f"{model}, {protocol}")
    return given


def _called(unit: Sequence[FittedPart]) -> str:
    return f"the fit for {unit[0].name}"


def _fit_unit(
    features: NDArray[np.float64],
    y: NDArray[np.int8],
    circle: NDArray[np.intp],
    choice: NDArray[np.intp],
    model: str,
    seed: int,
    unit: Sequence[FittedPart],
) -> list[NDArray[np.float64]]:
    """Fit for each split of a unit; all with the calibration of the first."""
    if model == CHOICE:
        return [
            fitted_choice(features, y, circle, choice, split.train).chances(
                features[split.test], choice[split.test]
            )
            for split in unit
        ]
    found: list[NDArray[np.float64]] = []
    first = None
    for split in unit:
        made = classifier(model, seed=seed)
        if first is not None:
            made.set_params(folds=0)
        made.fit(features[split.train], y[split.train], groups=circle[split.train])
        if first is None:
            first = made
        made.slope_, made.intercept_ = first.slope_, first.intercept_
        found.append(made.predict_proba(features[split.test])[:, 1])
    return found


def fitted_choice(
    features: NDArray[np.float64],
    y: NDArray[np.int8],
    circle: NDArray[np.intp],
    choice: NDArray[np.intp],
    learned: NDArray[np.intp],
) -> FittedLogit:
    """A conditional logit of some rows; judged on strangers as far as there are any."""
    groups = circle[learned]
    if len(np.unique(groups)) < 2:
        groups = choice[learned]
    return fit_validated(LogitChoices.made(features[learned], y[learned], choice[learned], groups))


def _choice_losses(
    rows: TrainingRows,
    y: NDArray[np.int8],
    judged: NDArray[np.bool_],
    predictions: Mapping[str, Mapping[str, NDArray[np.float64]]],
) -> tuple[ScoreTable, ...]:
    """The losses on which of several was chosen; nothing where rows are no choices."""
    if not rows.of.choices:
        return ()
    starts = starts_of(rows.choice[judged])
    sizes = np.diff(np.append(starts, judged.sum()))
    found: dict[str, float] = {}
    for model, given in predictions.items():
        for protocol, each in given.items():
            chances = np.maximum(each[judged], EDGE)
            lost = np.log(np.add.reduceat(chances, starts)) - np.log(chances[y[judged] == 1])
            found[f"{model}, {protocol}"] = float(lost.mean())
    found["all alike"] = float(np.log(sizes).mean())
    return (
        ScoreTable(
            name="choices",
            title="Which one is chosen",
            text=f"The mean of minus the natural log of what was given to the one that was chosen, "
            f"of all {rows.of.things} of a turn, in {len(starts):,} turns.",
            heads=("", "log loss in nats"),
            lines=tuple((name, f"{loss:.3f}") for name, loss in found.items()),
            value={"unit": "nats", "turns": len(starts), "log_loss": found},
        ),
    )


def _baseline(
    rows: TrainingRows,
    y: NDArray[np.int8],
    columns: Sequence[str],
    protocol: str,
    folds: int,
    seed: int,
) -> NDArray[np.float64]:
    places = [rows.of.features.index(name) for name in columns]
    given = np.full(len(rows), np.nan)
    for split in splits(rows, protocol, folds=folds, seed=seed):
        if not places and rows.of.choices:
            _, turn, sizes = np.unique(
                rows.choice[split.test], return_inverse=True, return_counts=True
            )
            given[split.test] = 1.0 / sizes[turn]
            continue
        if not places:
            given[split.test] = y[split.train].mean()
            continue
        made = classifier("logistic", seed=seed)
        made.set_params(folds=0, over_sample=False)
        made.fit(rows.features[split.train][:, places], y[split.train])
        given[split.test] = made.predict_proba(rows.features[split.test][:, places])[:, 1]
    return given


def _warnings(
    rows: TrainingRows, y: NDArray[np.int8], scores: Mapping[str, Mapping[str, PredictionScores]]
) -> tuple[str, ...]:
    found: list[str] = []
    players = rows.acting
    if players < FEW_PLAYERS:
        found.append(
            f"only {players} players: scores say little about others (have at least {FEW_PLAYERS})"
        )
    if len(rows) < FEW_ROWS:
        found.append(f"only {len(rows)} {rows.of.things}: have at least {FEW_ROWS}")
    share = min(float(y.mean()), 1 - float(y.mean()))
    if share < 0.1 and not rows.of.choices:
        found.append(f"one class has only {share:.1%} of the {rows.of.things}")
    for model, judged in scores.items():
        for protocol, each in judged.items():
            if each.auc > TOO_GOOD:
                found.append(
                    f"{model}, {protocol}: an AUC of {each.auc:.3f} is too good to be true of"
                    " people; does a feature know the answer?"
                )
            if each.slope < SLOPES[0] or each.slope > SLOPES[1]:
                found.append(
                    f"{model}, {protocol}: probabilities are off, their calibration slope is"
                    f" {each.slope:.2f} instead of 1"
                )
        if {"cold", "random"} <= set(judged):
            gap = judged["random"].auc - judged["cold"].auc
            if gap > LEAK:
                found.append(
                    f"{model}: the random protocol is better than the cold one by {gap:.3f}: it"
                    " knows players again, so the features give them away"
                )
    return tuple(found)


def _beyond(rows: TrainingRows, protocol: str, folds: int, seed: int) -> list[str]:
    """A warning where many rows are unlike all those that their judge has learned from."""
    beyond = np.zeros(rows.features.shape, dtype=np.bool_)
    tested = np.zeros(len(rows), dtype=np.bool_)
    for split in splits(rows, protocol, folds=folds, seed=seed):
        learned, judged = rows.features[split.train], rows.features[split.test]
        lowest, highest = np.fmin.reduce(learned), np.fmax.reduce(learned)
        beyond[split.test] = (judged < lowest) | (judged > highest)
        tested[split.test] = True
    share = float(beyond[tested].any(axis=1).mean())
    if share <= BEYOND:
        return []
    places: list[int] = np.argsort(-beyond.sum(axis=0), kind="stable")[:3].tolist()
    often = [rows.of.features[place] for place in places]
    return [
        f"{protocol}: {share:.1%} of the {rows.of.things} lie beyond all that was learned from,"
        f" most of them in {', '.join(often)}: of such ones little is known"
    ]


def _digest(rows: TrainingRows, target: str, seed: int, folds: int) -> str:
    hashed = hashlib.sha256(f"{target} {seed} {folds} {version()}".encode())
    for each in (rows.features, rows.labels[target], rows.player, rows.match, rows.game):
        hashed.update(np.ascontiguousarray(each).tobytes())
    return hashed.hexdigest()
