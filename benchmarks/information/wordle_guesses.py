"""How many guesses a hidden word takes, asking one step ahead and two.

Lists of words are not shipped. Usually they are generated: as many words as the game had when it
was published, from a chain of vowels and consonants (`generated`). A reader's own lists, one word a
line, are taken with

    python -m benchmarks.information.wordle_guesses --answers FILE --allowed FILE [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth import SleuthError
from sleuth.errors import SettingsError

from .asking_ahead import Asker, interval, needed

#: Letters of a word.
LENGTH = 5
#: How many words could be hidden, and guessed, when the game was published.
ANSWERS, ALLOWED = 2_309, 12_947
#: How often letters stand in English words, in percent (rounded).
VOWELS = {"a": 8.5, "e": 11.2, "i": 7.5, "o": 7.2, "u": 3.6, "y": 1.8}
CONSONANTS = {
    "r": 7.6, "t": 7.0, "n": 6.7, "s": 5.7, "l": 5.5, "c": 4.5, "d": 3.4, "p": 3.2, "m": 3.0,
    "h": 3.0, "g": 2.5, "b": 2.1, "f": 1.8, "w": 1.3, "k": 1.1, "v": 1.0, "x": 0.3, "z": 0.3,
    "j": 0.2, "q": 0.2,
}  # fmt: skip
#: How likely a vowel is: as the first letter, after a consonant, and after a vowel.
FIRST, AFTER_CONSONANT, AFTER_VOWEL = 0.2, 0.65, 0.15
#: What one bit that is open costs later, in guesses.
BIT = 0.25


class Words(NamedTuple):
    """The words that may be hidden, and those that may be guessed, which begin with the former."""

    answers: tuple[str, ...]
    allowed: tuple[str, ...]


def generated(seed: int, answers: int = ANSWERS, allowed: int = ALLOWED) -> Words:
    """Different words from a chain of vowels and consonants, their letters as in English."""
    rng = np.random.default_rng(seed)
    kinds = {True: VOWELS, False: CONSONANTS}
    letters = {kind: np.array([*table]) for kind, table in kinds.items()}
    shares = {
        kind: np.array([*table.values()]) / sum(table.values()) for kind, table in kinds.items()
    }
    found = dict[str, None]()
    while len(found) < allowed:
        word, likely = "", FIRST
        for _ in range(LENGTH):
            vowel = bool(rng.random() < likely)
            word += str(rng.choice(letters[vowel], p=shares[vowel]))
            likely = AFTER_VOWEL if vowel else AFTER_CONSONANT
        found[word] = None
    every = tuple(found)
    return Words(every[:answers], every)


def read(answers: Path, allowed: Path) -> Words:
    """A reader's own lists.

    Raises:
        SettingsError: A file cannot be read or holds no words, or words differ in length.
    """
    lists = list[list[str]]()
    for path in (answers, allowed):
        try:
            words = path.read_text(encoding="utf-8").split()
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError("a list of words cannot be read", value=str(error)) from None
        if not words:
            raise SettingsError("a list of words is empty", value=str(path))
        for word in words:
            if len(word) != LENGTH:
                raise SettingsError(
                    f"words have {LENGTH} letters", where=str(path), value=word, hint="one a line"
                )
        lists.append(list(dict.fromkeys(word.lower() for word in words)))
    first, more = lists
    return Words(tuple(first), tuple(dict.fromkeys([*first, *more])))


def patterns(guesses: Sequence[str], answers: Sequence[str]) -> NDArray[np.uint8]:
    """uint8[guesses, answers], what is said of each guess: a number of five digits to the base 3.

    The first letter is the lowest digit. A letter is 2 where it stands in the answer. Else it is 1
    if the answer has it somewhere else, and as often as it was counted already; else 0.
    """
    asked, hidden = (np.array([[*word] for word in words]) for words in (guesses, answers))
    found = np.zeros((len(guesses), len(answers)), np.uint8)
    for row, guess in enumerate(asked):
        right = hidden == guess
        said = 2 * right.astype(np.uint8)
        for place, letter in enumerate(guess):
            left = ((hidden == letter) & ~right).sum(axis=1)
            before = (~right[:, :place] & (guess[:place] == letter)).sum(axis=1)
            said[:, place] |= (~right[:, place] & (before < left)).astype(np.uint8)
        found[row] = said @ (3 ** np.arange(LENGTH))
    return found


def compared(words: Words) -> dict[str, Any]:
    """The mean number of guesses by greedy entropy, one step ahead and two.

    ``fewer`` is by how many guesses two steps ahead need fewer than greedy entropy, and
    ``fewer_than_one_step`` fewer than one step ahead: of the same words.
    """
    table = patterns(words.allowed, words.answers)
    asker = Asker(table, 3**LENGTH, bit=BIT)
    ways = {
        "greedy_entropy": asker.greedy,
        "one_step": asker.one_step,
        "two_steps": asker.two_steps,
    }
    found: dict[str, Any] = {}
    numbers = dict[str, NDArray[np.int64]]()
    for name, asks in ways.items():
        began = time.perf_counter()
        numbers[name] = needed(table, asks)
        found[name] = {**interval(numbers[name].tolist()), "worst": int(numbers[name].max())}
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    for name, other in (("fewer", "greedy_entropy"), ("fewer_than_one_step", "one_step")):
        found[name] = interval((numbers[other] - numbers["two_steps"]).tolist())
    return {**found, "games": len(words.answers), "allowed": len(words.allowed)}


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """What is found with generated lists; see `compared`."""
    return compared(generated(seed, 60, 150) if quick else generated(seed))


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--answers", type=Path, help="the words that may be hidden, one a line")
    parser.add_argument("--allowed", type=Path, help="more words that may be guessed")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="few words")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args(given)
    if (asked.answers is None) != (asked.allowed is None):
        parser.error("give both lists, --answers FILE --allowed FILE, or none")
    try:
        own = asked.answers is not None
        found = (
            compared(read(asked.answers, asked.allowed))
            if own
            else measured(quick=asked.quick, seed=asked.seed)
        )
    except SleuthError as error:
        parser.error(str(error))
    print(json.dumps(found) if asked.json else "\n".join(f"{k} {v}" for k, v in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
