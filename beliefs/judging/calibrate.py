"""Simulation-based calibration: does what a method gives 30 % come true 30 % of the time?

Worlds and answers are drawn from the declaration itself, so the truth is known and the declared
model is right; what is judged is the inference. Any declaration will do, and any method.

Reference: Talts, Betancourt, Simpson, Vehtari and Gelman, "Validating Bayesian inference
algorithms with simulation-based calibration" (2018); here with discrete values, whose
probabilities are compared directly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, overload

import numpy as np
from numpy.typing import NDArray

from ...data.checks import whole_number
from ...data.errors import (
    ContradictionError,
    CostError,
    SettingsError,
    SleuthError,
    UnsupportedError,
)
from ...data.jobs.sharing import run_jobs
from ...data.progress import Tell, silent
from ..arrays.layout import Floats
from ..engines.base import feature_index
from ..infer import infer
from ..language.features import Feature, FeatureLike, Valued, as_feature
from ..language.quantities import Quantity
from ..language.questions import Asked, Question, asked_of
from ..language.variables import Choice, Deal
from ..modelling.history import Observation
from ..modelling.model import Model
from .compare import SAMPLING
from .reliability import MOST_BINS, Reliability, ReliabilityCells, plot_reliability, reliability
from .reliability_statistics import Bin

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

#: Worlds drawn from every posterior, from which the test knows how cells depend on each other.
DRAWS = 50

#: Most games that are simulated, and most probabilities that are judged in all of them.
MOST_GAMES: Final = 1_000_000
MOST_CELLS: Final = 10_000_000

#: What the answer to a question is taken to say.
Reading = Callable[[Question, Any], Observation]

__all__ = [
    "Bin",
    "Calibration",
    "Reliability",
    "ReliabilityCells",
    "calibrate",
    "hidden_features",
    "plot_reliability",
    "reliability",
]


@dataclass(frozen=True)
class Calibration:
    """The calibration of a method on simulated games.

    Attributes:
        method: The engine that answered.
        games: Games that were judged.
        failed: Games left out because the method had no answer; its curve says nothing of them.
        features: What was asked, in words.
        reliability: The curve and its test, over all values of all features.
        log_score_bits: Mean of -log2 of the probability of the true value, per feature; the
            smaller the better, and infinite if a true value was given 0.
        brier: Mean over features of the squared differences, summed over values.

    >>> from sleuth import Choice, Model, Question, calibrate
    >>> weather = Choice("weather", {"rain": 0.3, "sun": 0.7})
    >>> chances = {"rain": {"wet": 0.9, "dry": 0.1}, "sun": {"wet": 0.2, "dry": 0.8}}
    >>> found = calibrate(Model(weather), [Question(weather, chances)], games=200, seed=1)
    >>> found.passes(level=0.01), found.p_value > 0.01, found.plot("curve.svg").name
    (True, True, 'curve.svg')
    >>> found
    <Calibration of card_by_card, 200 games, p-value 0.82>
    >>> len(found.to_frame()) == len(found.to_text().splitlines()) - 2  # two lines of heads
    True
    """

    method: str
    games: int
    failed: int
    features: tuple[str, ...]
    reliability: Reliability
    log_score_bits: float
    brier: float

    def __repr__(self) -> str:
        return f"<Calibration of {self.method}, {self.games:,} games, {self.reliability.verdict}>"

    def to_frame(self) -> pandas.DataFrame:
        """The reliability curve: see `Reliability.to_frame`."""
        return self.reliability.to_frame()

    def to_text(self) -> str:
        """The curve as a table for people, below what it is of."""
        return f"{repr(self).strip('<>')}\n{self.reliability.to_text()}"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.reliability._repr_html_()  # pyright: ignore[reportPrivateUsage]

    @property
    def p_value(self) -> float | None:
        """Probability of curves at least as far off if the method is calibrated."""
        return self.reliability.p_value

    def passes(self, level: float = 0.01) -> bool:
        """True if the method may be calibrated.

        One that is calibrated fails in a share ``level`` of all such simulations.

        Raises:
            SettingsError: There were too few games to tell.
        """
        if self.p_value is None:
            raise SettingsError(
                "too few games to tell whether a method is calibrated",
                value=self.games,
                hint=self._way_out(),
            )
        return self.p_value > level

    def _way_out(self) -> str:
        """The advice for where the games do not tell."""
        needed = self.reliability.games_needed
        if needed is None:
            return "it gave only 0 and 1; take more samples"
        needed = _rounded_up(needed * (self.games + self.failed) / self.games)
        most = min(MOST_GAMES, MOST_CELLS * self.games // self.reliability.cells)
        if needed <= most:
            return f"simulate more: games={needed}"
        return (
            f"values are so rare that it would take about {needed:,} games, and at most {most:,} "
            "are simulated: ask about other features (about=), or declare them less rare"
        )

    @overload
    def plot(self, path: str | Path, *, ax: Axes | None = None) -> Path: ...
    @overload
    def plot(self, path: None = None, *, ax: Axes | None = None) -> Axes: ...
    def plot(self, path: str | Path | None = None, *, ax: Axes | None = None) -> Path | Axes:
        """Draw the reliability curve.

        Args:
            path: Where the picture goes; its ending says the format. None for one to look at, which
                a notebook shows below its cell.
            ax: Axes for the curve alone; None for a figure of its own.

        Returns:
            The path, else the axes.
        """
        return self.reliability.plot(path, ax=ax, title=self.method.replace("_", " "))


def calibrate(
    model: Model,
    questions: Asked,
    method: str = "auto",
    *,
    games: int = 400,
    seed: int = 0,
    about: FeatureLike | Iterable[FeatureLike] | None = None,
    bins: int = 10,
    samples: int = 10_000,
    evidence: Reading | None = None,
    workers: int = 1,
    progress: Tell = silent,
) -> Calibration:
    """Simulate games from a declaration, infer from the answers, compare with the truth.

    Args:
        model: What is hidden.
        questions: Asked in every game, in order; answers are drawn by their own
            P(outcome | value). Of a mapping, its values.
        method: The engine that is judged, or ``"auto"``.
        games: Games to simulate.
        seed: Seed of the games, and of sampling methods.
        about: The features, or the one, whose probabilities are judged; by default those of
            every item and choice.
        bins: Bins of the curve.
        samples: Worlds of sampling methods. Their scores (not their curve) are smoothed as in
            `compare`, by one more sample that is spread evenly, since what was never drawn is
            not impossible.
        evidence: What an answer is taken to say; by default `Question.observed`. With another,
            a wrong idea of the answers is judged (plain counting, say).
        workers: Processes; -1 for all cores. Inside `sleuth.jobs.cluster` its workers.
        progress: Told before every game, and at the end.

    Raises:
        SettingsError: No model, no game, or nothing to ask about.
        EvidenceError: Something else than questions, or than features to judge.
        CostError: The method had no answer in any game.

    >>> from sleuth import Choice, Model, Question, calibrate
    >>> weather = Choice("weather", {"rain": 0.3, "sun": 0.7})
    >>> chances = {"rain": {"wet": 0.9, "dry": 0.1}, "sun": {"wet": 0.2, "dry": 0.8}}
    >>> found = calibrate(Model(weather), [Question(weather, chances)], games=200, seed=1)
    >>> found.passes(), round(found.reliability.expected_error, 2)
    (True, 0.02)
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise SettingsError(
            "games are simulated from a model",
            where="calibrate",
            value=model,
            hint="write calibrate(Model(variable, ...), questions), or posterior.model",
        )
    questions = asked_of(questions, "calibrate")
    if games < 1:
        raise SettingsError("simulate at least one game", value=games)
    games = whole_number(games, "games", least=1, most=MOST_GAMES)
    bins = whole_number(bins, "bins", least=1, most=MOST_BINS)
    if about is None:
        features = hidden_features(model)
    elif isinstance(about, (Quantity, Valued, str)) or not isinstance(
        cast(object, about), Iterable
    ):
        features = [as_feature(cast("FeatureLike", about))]
    else:
        features = [as_feature(part) for part in about]
    if not features:
        raise SettingsError("name at least one feature to judge", value=about)
    judged = games * sum(feature.value_count for feature in features)
    if judged > MOST_CELLS:
        raise SettingsError(
            f"at most {MOST_CELLS:,} probabilities are judged, one for each value in each game",
            value=judged,
            hint="simulate fewer games, or name fewer features with about=",
        )
    read: Reading = Question.observed if evidence is None else evidence
    simulation = model.simulate(games, np.random.default_rng(seed), questions)
    truth = [[feature.places[value] for value in simulation.value(feature)] for feature in features]
    cells = ReliabilityCells()
    log_scores: list[float] = []
    briers: list[float] = []
    failed = 0
    answered = method
    answers = [[int(place) for place in row] for row in simulation.answers]
    calls = [(game, answers[game]) for game in range(games)]
    common = (model, questions, read, features, method, samples, seed)
    found = run_jobs(_judged, calls, workers=workers, common=common, named=_called, things="games")
    for game in range(games):
        progress("simulating games", game, games)
        judged_game = next(found)
        if not isinstance(judged_game, JudgedGame):
            failed += 1
            if failed == games:
                raise CostError(
                    f"{method} had no answer in any game: {judged_game.message}",
                    hint="take another method, or weaker evidence",
                ) from judged_game
            continue
        answered = judged_game.method
        for row, drawn, places in zip(judged_game.shares, judged_game.drawn, truth, strict=True):
            place = places[game]
            cells.add(row, happened=place, game=game, drawn=drawn)
            if answered in SAMPLING:
                row = (samples * row + 1.0 / row.shape[0]) / (samples + 1.0)
            chance = float(row[place])
            log_scores.append(-math.log2(chance) if chance > 0.0 else math.inf)
            briers.append(float((row**2).sum() - 2.0 * chance + 1.0))
    progress("simulating games", games, games)
    return Calibration(
        method=answered,
        games=games - failed,
        failed=failed,
        features=tuple(feature.describe() for feature in features),
        reliability=cells.reliability(bins, certainty=answered not in SAMPLING),
        log_score_bits=math.fsum(log_scores) / len(log_scores),
        brier=math.fsum(briers) / len(briers),
    )


@dataclass(frozen=True, eq=False)
class JudgedGame:
    """The answer of a method to one simulated game.

    Attributes:
        method: The engine that answered.
        shares: Probabilities of the values of every feature.
        drawn: Places of each feature's values in `DRAWS` worlds of the posterior.
    """

    method: str
    shares: list[Floats]
    drawn: list[NDArray[np.intp]]


def _called(game: int, answers: Sequence[int]) -> str:
    return f"simulated game {game}"


def _judged(
    model: Model,
    questions: Sequence[Question],
    read: Reading,
    features: Sequence[Feature],
    method: str,
    samples: int,
    seed: int,
    game: int,
    answers: Sequence[int],
) -> JudgedGame | SleuthError:
    """The method's answer to one game; its error where it has none."""
    given = [
        read(question, question.outcomes[place])
        for question, place in zip(questions, answers, strict=True)
    ]
    try:
        posterior = infer(model, given, method=method, samples=samples, seed=seed + 1 + game)
        shares = [posterior.distribution(feature) for feature in features]
        worlds = posterior.solution.draw(DRAWS, np.random.default_rng([seed, game]))
    except (ContradictionError, CostError, UnsupportedError) as error:
        return error
    drawn: list[NDArray[np.intp]] = []
    for feature in features:
        feature = feature.on(posterior.problem.layout)
        base = feature.base.additive(posterior.problem.layout)
        drawn.append(feature.project[feature_index(posterior.problem, base, worlds)])
    return JudgedGame(posterior.method, shares, drawn)


def _rounded_up(number: float) -> int:
    """A number of two significant digits that is no smaller."""
    unit = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit


def hidden_features(model: Model) -> list[Feature]:
    """The hidden features: holders of distinct items, numbers of identical ones, choices."""
    features: list[Feature] = []
    for variable in model.variables:
        if isinstance(variable, Choice):
            features.append(variable.value())
        elif isinstance(variable, Deal):
            for item, copies in variable.items.items():
                if copies == 1:
                    features.append(variable.holder_of(item))
                else:
                    features += [variable.count(holder, item) for holder in variable.holders]
        else:
            features.append(variable.at(step=0))
    return features
