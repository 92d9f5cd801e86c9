"""A conditional logit finds the weights that choices were made by."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.errors import SettingsError
from sleuth.training.conditional_logit import LogitChoices, fit, fit_validated, losses

WEIGHTS = np.array([1.5, -1.0, 0.0])


def simulated(count: int, seed: int = 0, groups: int = 50) -> LogitChoices:
    """Choices among two to six alternatives, made by `WEIGHTS`."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 7, size=count)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rows = rng.normal(size=(int(sizes.sum()), 3))
    chosen: list[int] = []
    for start, size in zip(starts.tolist(), sizes.tolist(), strict=True):
        scores = np.exp(rows[start : start + size] @ WEIGHTS)
        chosen.append(start + int(rng.choice(size, p=scores / scores.sum())))
    return LogitChoices(rows, starts, np.array(chosen), rng.integers(groups, size=count))


def test_the_weights_that_choices_were_made_by_are_found() -> None:
    found = fit_validated(simulated(5_000))
    assert np.array(found.weights) == pytest.approx(WEIGHTS, abs=0.1)
    assert (found.choices, found.groups) == (5_000, 50)


def test_losses_are_logs_of_softmax_chances() -> None:
    choices = simulated(40)
    expected: list[float] = []
    for place, start in enumerate(choices.starts.tolist()):
        size = int(choices.sizes[place])
        scores = np.exp(choices.rows[start : start + size] @ WEIGHTS)
        chance = scores[choices.chosen[place] - start] / scores.sum()
        expected.append(-float(np.log(chance)))
    assert losses(choices, WEIGHTS) == pytest.approx(expected)


def test_held_out_groups_are_predicted_as_well_as_the_truth_would() -> None:
    choices = simulated(4_000, seed=3)
    found = fit_validated(choices)
    best = float(losses(choices, WEIGHTS).mean())
    assert best < found.log_loss < best + 0.01
    assert found.even_loss == pytest.approx(float(np.log(choices.sizes).mean()))
    assert found.log_loss < found.even_loss - 0.3


def test_no_group_is_both_fitted_to_and_held_out() -> None:
    """A feature that names the group helps within it only, and must not look useful."""
    rng = np.random.default_rng(0)
    taste = rng.normal(scale=3.0, size=(30, 1))
    groups = np.repeat(np.arange(30), 20)
    rows = np.zeros((1_200, 30))
    rows[np.arange(0, 1_200, 2), groups] = 1.0
    starts = np.arange(0, 1_200, 2)
    first = rng.random(600) < 1.0 / (1.0 + np.exp(-taste[groups, 0]))
    choices = LogitChoices(rows, starts, starts + ~first, groups)
    found = fit_validated(choices, penalties=(1e-4,))
    assert found.log_loss == pytest.approx(np.log(2.0), abs=0.01)
    # With the groups mixed up it would look useful.
    mixed = LogitChoices(rows, starts, choices.chosen, rng.permutation(groups))
    assert fit_validated(mixed, penalties=(1e-4,)).log_loss < 0.6


def test_a_penalty_keeps_weights_small() -> None:
    choices = simulated(500)
    sizes = [float(np.abs(fit(choices, penalty)).sum()) for penalty in (1e-6, 0.1, 10.0)]
    assert sizes[0] > sizes[1] > sizes[2]
    assert sizes[2] < 0.3


def test_what_is_no_choice_is_refused() -> None:
    with pytest.raises(SettingsError, match="no alternative of its choice"):
        LogitChoices(np.zeros((4, 1)), np.array([0, 2]), np.array([0, 1]), np.array([0, 1]))
    with pytest.raises(SettingsError, match="every choice needs an alternative"):
        LogitChoices(np.zeros((4, 1)), np.array([0, 0]), np.array([0, 1]), np.array([0, 1]))
    with pytest.raises(SettingsError, match="more groups are needed"):
        fit_validated(simulated(50, groups=1))
    choice, groups = np.array([5, 5, 2, 2]), np.array([0, 0, 1, 1])
    for rows, taken in ((np.zeros((4, 1)), [1, 1, 1, 0]), (np.full((4, 1), np.nan), [1, 0, 0, 1])):
        with pytest.raises(SettingsError, match="of a choice one is taken"):
            LogitChoices.made(rows, np.array(taken), choice, groups)
    made = LogitChoices.made(np.zeros((4, 1)), np.array([1, 0, 0, 1]), choice, groups)
    assert (made.starts.tolist(), made.chosen.tolist()) == ([0, 2], [0, 3])


def test_chances_of_one_choice_add_up_to_one() -> None:
    choices = simulated(200)
    number = np.repeat(np.arange(200), choices.sizes)
    given = fit_validated(choices).chances(choices.rows, number)
    assert np.bincount(number, given) == pytest.approx(1.0)
    found = -np.log(given[choices.chosen])
    assert found == pytest.approx(losses(choices, np.array(fit_validated(choices).weights)))
