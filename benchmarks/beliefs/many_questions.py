"""How fast thousands of questions are valued: Mastermind, and a word game of Wordle's size.

    python -m benchmarks.beliefs.many_questions [--json] [--words GUESSES HIDDEN]

Mastermind has 1,296 questions about 1,296 codes. The word game has 12,972 guesses about 2,315
hidden words, made up by a seeded generator, with the marks of Wordle. Each is declared, and every
question's gain is computed exactly, and again after one answer. Seconds are those of the processor,
one core, kernels compiled or loaded within.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from sleuth import Choice, Feature, Model, Questions, infer, together

LENGTH, LETTERS = 5, 26
#: A pair of black and white marks is one number: black marks count so much.
BLACK = 5


def mastermind(colours: int = 6, pegs: int = 4) -> tuple[Model, Questions, Feature]:
    """The model, all questions, and what they are about."""
    choices = [Choice(f"peg {number}", range(colours)) for number in range(pegs)]
    code = together(*(each.value() for each in choices))
    codes = np.array(code.values)

    def marks(guess: int, places: Any) -> Any:
        asked, hidden = codes[guess], codes[places]
        black = (hidden == asked).sum(axis=1)
        both = sum(
            np.minimum((hidden == colour).sum(axis=1), (asked == colour).sum())
            for colour in range(colours)
        )
        return black * BLACK + both - black

    names = ["".join(map(str, each)) for each in codes]
    return Model(*choices), Questions(code, marks, range(BLACK * (pegs + 1)), names), code


def word_game(guesses: int, hidden: int, seed: int = 0) -> tuple[Model, Questions, Feature]:
    """The same for a word game; the hidden words are the first ones that can be guessed."""
    rng = np.random.default_rng(seed)
    spelt = np.unique(rng.integers(0, LETTERS, size=(guesses + guesses // 10, LENGTH)), axis=0)
    rng.shuffle(spelt)
    names = ["".join(chr(97 + letter) for letter in word) for word in spelt[:guesses]]
    word = Choice("word", names[:hidden])

    def marks(guess: int, places: Any) -> Any:
        asked, left = spelt[guess], spelt[places].copy()
        codes = np.where(left == asked, 2, 0)
        left[codes == 2] = -1
        for place, letter in enumerate(asked):
            elsewhere = (left == letter) & (codes[:, place] != 2)[:, None]
            found = elsewhere.any(axis=1)
            codes[found, place] = 1
            left[found, elsewhere.argmax(axis=1)[found]] = -1
        return codes @ 3 ** np.arange(LENGTH)

    questions = Questions(word.value(), marks, range(3**LENGTH), names)
    return Model(word), questions, word.value()


def measured(make: Any, *args: int) -> dict[str, Any]:
    """Seconds of the processor to declare a game, for its best question, and for the next one."""
    began = time.process_time()
    model, questions, about = make(*args)
    belief = infer(model)
    declared = time.process_time()
    best, gain = belief.best_questions(questions, about=about, n=1)[0]
    first = time.process_time()
    # The likeliest answer leaves most to be asked.
    chances = best.table.T @ belief.distribution(about)
    belief = belief.observe(best.observed(best.outcomes[int(chances.argmax())]))
    after, told = belief.best_questions(questions, about=about, n=1)[0]
    second = time.process_time()
    return {
        "questions": len(questions),
        "values": about.value_count,
        "seconds to declare": round(declared - began, 3),
        "seconds for the best": round(first - declared, 3),
        "best": best.name,
        "bits": round(gain, 4),
        "seconds for the next": round(second - first, 3),
        "next": after.name,
        "next bits": round(told, 4),
    }


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--words", nargs=2, type=int, default=(12_972, 2_315), metavar=("GUESSES", "HIDDEN")
    )
    options = parser.parse_args(arguments)
    found = {
        "mastermind": measured(mastermind),
        "word game": measured(word_game, *options.words),
    }
    if options.json:
        print(json.dumps(found, indent=2))
        return
    for game, numbers in found.items():
        print(f"{game}: " + ", ".join(f"{name} {number}" for name, number in numbers.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
