"""A word game: which of 1,500 words tells most about the hidden one of 400?

Each letter of a guess is marked: right, elsewhere in the word, or not there. The words are made up.
"""

from __future__ import annotations

import numpy as np

from sleuth import Choice, Model, Posterior, Questions, infer

LETTERS, LENGTH = "aeilnorstu", 5
PATTERNS = ["".join("-+="[code // 3**place % 3] for place in range(LENGTH)) for code in range(243)]

_drawn = np.random.default_rng(7).choice(len(LETTERS), size=(1_600, LENGTH))
WORDS = [*dict.fromkeys("".join(LETTERS[letter] for letter in word) for word in _drawn)][:1_500]
HIDDEN = WORDS[:400]
SPELT = np.array([[LETTERS.index(letter) for letter in word] for word in WORDS])

word = Choice("word", HIDDEN)


def marks(guess: int, words: np.ndarray) -> np.ndarray:
    """For a guess and some hidden words, by their places, the place of the pattern."""
    asked, left = SPELT[guess], SPELT[words].copy()
    codes = np.where(left == asked, 2, 0)
    left[codes == 2] = -1  # a letter that is right is no longer elsewhere
    for place, letter in enumerate(asked):
        elsewhere = (left == letter) & (codes[:, place] != 2)[:, None]
        found = elsewhere.any(axis=1)
        codes[found, place] = 1
        left[found, elsewhere.argmax(axis=1)[found]] = -1
    return codes @ 3 ** np.arange(LENGTH)


guesses = Questions(word.value(), marks, PATTERNS, WORDS)


def after(asked: list[tuple[str, str]]) -> Posterior:
    """What follows from guesses and their patterns."""
    return infer(
        Model(word), [guesses[WORDS.index(guess)].observed(pattern) for guess, pattern in asked]
    )


def main() -> None:
    truth = np.array([123])
    asked: list[tuple[str, str]] = []
    while len((belief := after(asked)).marginal(word.value())) > 1:
        left = belief.marginal(word.value())
        best, gain = belief.best_questions(guesses, about=word.value(), n=1)[0]
        place = int(marks(WORDS.index(best.name), truth)[0])
        pattern = PATTERNS[place]
        print(f"{len(left)} words left: {best.name} tells {gain:.2f} bits; {pattern}")
        asked.append((best.name, pattern))
    print("it is", belief.most_likely(word.value())[0][0])


if __name__ == "__main__":
    main()
