"""The number of turns to walk so many steps with dice.

A turn's roll is the most steps that can be walked. F(t, c), the chance that t rolls add up to c or
more, obeys

    F(t, c) = 1/6 * sum over i = 1..6 of F(t - 1, c - i),  F(t, c <= 0) = 1,  F(0, c > 0) = 0

and the expected number of turns is the sum over t >= 0 of 1 - F(t, c). Source: "Clue as a treasure
hunt" (2013), section 4, with the recurrence corrected: the one that is printed there counts exact
hits only.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....data.checks import whole_number

SIDES: Final = 6


def roll_chances(dice: int) -> Floats:
    """The probability of each sum of some dice; shape (6 * dice + 1,), the index is the sum.

    Raises:
        SettingsError: ``dice`` is not 1 or more.
    """
    dice = whole_number(dice, "dice", least=1)
    one = np.zeros(SIDES + 1)
    one[1:] = 1.0 / SIDES
    chances = np.ones(1)
    for _ in range(dice):
        chances = np.convolve(chances, one)
    return chances


def chance_to_arrive(turns: int, steps: int, *, dice: int = 1) -> Floats:
    """F(turns, c) for every number c of steps up to ``steps``; shape (steps + 1,).

    Raises:
        SettingsError: A number is negative, or there are no dice.
    """
    turns = whole_number(turns, "turns", least=0)
    steps = whole_number(steps, "steps", least=0)
    rolls = roll_chances(dice)
    chances = np.zeros(steps + 1)
    chances[0] = 1.0
    for _ in range(turns):
        chances = _after_a_roll(chances, rolls)
    return chances


def expected_turns(steps: int, *, dice: int = 1) -> Floats:
    """Expected turns to walk every number of steps up to ``steps``; shape (steps + 1,).

    Raises:
        SettingsError: ``steps`` is negative, or there are no dice.

    >>> from sleuth.games.clue import expected_turns
    >>> expected_turns(6).round(2).tolist()
    [0.0, 1.0, 1.17, 1.36, 1.59, 1.85, 2.16]
    """
    steps = whole_number(steps, "steps", least=0)
    rolls = roll_chances(dice)
    chances = np.zeros(steps + 1)
    chances[0] = 1.0
    turns = np.zeros(steps + 1)
    # Every roll is at least one step for each die.
    for _ in range(steps):
        turns += 1.0 - chances
        chances = _after_a_roll(chances, rolls)
    return turns


def _after_a_roll(chances: Floats, rolls: Floats) -> Floats:
    """F(t, c) from F(t - 1, c), for every c."""
    after = np.zeros_like(chances)
    for roll in np.flatnonzero(rolls):
        before = np.ones_like(chances)
        before[roll:] = chances[: max(chances.shape[0] - roll, 0)]
        after += rolls[roll] * before
    return after
