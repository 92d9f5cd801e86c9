"""Mastermind: which of all 1,296 codes tells most about the hidden one?

A question is answered by its black marks (right colour, right place) and white ones (right colour).
"""

from __future__ import annotations

import numpy as np

from sleuth import Choice, Model, Posterior, Questions, infer, together

COLOURS, PEGS = 6, 4

pegs = [Choice(f"peg {number}", range(1, COLOURS + 1)) for number in range(1, PEGS + 1)]
code = together(*(peg.value() for peg in pegs))
CODES = np.array(code.values)
MARKS = [(black, white) for black in range(PEGS + 1) for white in range(PEGS + 1)]


def marks(guess: int, codes: np.ndarray) -> np.ndarray:
    """For a guess and some codes, by their places in `CODES`, the place of the marks."""
    asked, hidden = CODES[guess], CODES[codes]
    black = (hidden == asked).sum(axis=1)
    both = sum(
        np.minimum((hidden == colour).sum(axis=1), (asked == colour).sum())
        for colour in range(1, COLOURS + 1)
    )
    place: np.ndarray = black * (PEGS + 1) + both - black
    return place


guesses = Questions(code, marks, MARKS, ["".join(map(str, each)) for each in CODES])

#: What was asked, and the black and white marks.
ASKED = (("1123", (0, 2)), ("2445", (1, 1)), ("2614", (1, 2)))


def after(asked: tuple[tuple[str, tuple[int, int]], ...]) -> Posterior:
    """What follows from the answers."""
    return infer(
        Model(*pegs),
        [guesses[guesses.names.index(guess)].observed(found) for guess, found in asked],
    )


def main() -> None:
    for number in range(len(ASKED) + 1):
        belief = after(ASKED[:number])
        best, gain = belief.best_questions(guesses, about=code, n=1)[0]
        left = len(belief.marginal(code))
        print(f"{number} answers: {left} codes left, {best.name} tells {gain:.2f} bits")


if __name__ == "__main__":
    main()
