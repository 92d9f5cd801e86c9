"""How long ways take: by hand, against a table of others, and by rolling dice."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from sleuth.errors import SettingsError
from sleuth.games.clue import expected_turns
from sleuth.planners.clue.treasure_hunt.expected_turns import chance_to_arrive, roll_chances


def test_a_few_by_hand() -> None:
    assert expected_turns(2).tolist() == pytest.approx([0.0, 1.0, 7 / 6])
    # Four steps: 4, 5 or 6 at once, else one more roll or two.
    assert expected_turns(28)[[4, 7, 28]] == pytest.approx([1.588, 2.522, 8.476], abs=5e-4)
    assert chance_to_arrive(1, 7).tolist() == pytest.approx(
        [1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0]
    )
    assert chance_to_arrive(0, 2).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("dice", [1, 2])
def test_all_of_a_table_computed_elsewhere(dice: int) -> None:
    rows = list(
        csv.DictReader((Path(__file__).parent / "expected_turns.csv").read_text().splitlines())
    )
    column = f"expected_turns_{'one_die' if dice == 1 else 'two_dice'}"
    found = expected_turns(len(rows), dice=dice)
    for row in rows:
        assert found[int(row["steps"])] == pytest.approx(float(row[column]), abs=1e-8)


@pytest.mark.parametrize("dice, steps", [(1, 17), (2, 30)])
def test_rolling_says_the_same(dice: int, steps: int) -> None:
    rng = np.random.default_rng(4)
    rolls = rng.integers(1, 7, size=(40_000, steps, dice)).sum(axis=2)
    turns = (rolls.cumsum(axis=1) < steps).sum(axis=1) + 1
    error = turns.std() / np.sqrt(len(turns))
    assert abs(turns.mean() - expected_turns(steps, dice=dice)[steps]) < 4 * error
    # The whole distribution, too.
    for t in (2, steps // 4):
        share = (turns <= t).mean()
        assert share == pytest.approx(chance_to_arrive(t, steps, dice=dice)[steps], abs=0.012)


def as_printed(steps: int) -> float:
    """The recurrence that the paper prints, with its sum telescoped as it stands."""

    def arrived(turns: int, left: int) -> float:
        if left > 6 * turns:
            return 0.0
        if left <= 0:
            return 1.0
        return (
            arrived(turns - 1, left)
            + sum(
                arrived(turns - 1, left - i) - arrived(turns - 1, left - i + 1) for i in range(1, 7)
            )
            / 6
        )

    return sum(1.0 - arrived(turns, steps) for turns in range(steps))


def test_the_printed_recurrence_counts_exact_hits_only() -> None:
    """It gives 3.106 turns for 4 steps, where 1.588 is right: a slip of the paper."""
    assert as_printed(4) == pytest.approx(3.106, abs=5e-4)
    assert expected_turns(4)[4] == pytest.approx(1.588, abs=5e-4)


def test_rolls_are_chances() -> None:
    assert roll_chances(2)[7] == pytest.approx(1 / 6)
    for dice in (1, 2, 3):
        assert roll_chances(dice).sum() == pytest.approx(1.0)


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(SettingsError, match="dice"):
        roll_chances(0)
    with pytest.raises(SettingsError, match="steps"):
        expected_turns(-1)
