"""Lines that a person types, and the legal actions that they mean.

An action is called by words, such as ``bus 46``. They may be shortened and left out as long as
one action remains, and they need not stand in order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...data.errors import meant, shorten

#: Most actions that a hint lists.
LISTED: Final = 8
#: Letters of a line that are looked at.
LONGEST: Final = 100


@dataclass(frozen=True)
class Meant:
    """The meaning of a line of input.

    Attributes:
        action: The code of the one action that it names; None if there is none or several.
        problem: Otherwise, what is wrong and what could be written instead.
    """

    action: int | None
    problem: str = ""


def split(text: str) -> list[str]:
    """The words of a line, in small letters; commas and full stops are spaces."""
    return re.sub(r"[\s,;.]+", " ", text.lower()).split()


def understand(text: str, names: Mapping[int, str], said: Collection[str] = ()) -> Meant:
    """The action that a line of input names.

    Args:
        text: The line.
        names: The legal actions: code -> name.
        said: Words that must not be left out: what they change has to be meant.
    """
    text = shorten(text.strip(), LONGEST)
    typed = split(text)
    words = {action: split(name) for action, name in names.items()}
    codes = _codes(names.values())
    unsaid = {action: _unsaid(typed, words[action], codes) for action in words}
    fitting = [action for action, left in unsaid.items() if left is not None]
    found = [action for action in fitting if not any(word in said for word in unsaid[action] or ())]
    whole = [action for action in found if len(words[action]) == len(typed)]
    exact = [action for action in whole if sorted(words[action]) == sorted(typed)]
    # Where the same words in another order are another action, their order says which.
    ordered = [action for action in exact if words[action] == typed]
    for choice in (ordered, exact, whole, found):
        if len(choice) == 1:
            return Meant(choice[0])
        if choice:
            listed = _listed([names[action] for action in choice])
            return Meant(None, f"{text!r} could be {listed}")
    if fitting and typed:
        needed = next(word for word in unsaid[fitting[0]] or () if word in said)
        listed = _listed([names[action] for action in fitting])
        return Meant(None, f"{text!r} must say {needed!r} as well: you can choose {listed}")
    return Meant(None, _hint(text, typed, words, names))


def _codes(names: Iterable[str]) -> set[str]:
    """The words that name something by their letters, such as a card NES by its openings."""
    every = {word for name in names for word in re.sub(r"[\s,;.]+", " ", name).split()}
    return {word.lower() for word in every if word.isupper()}


def _unsaid(
    typed: Sequence[str], words: Sequence[str], codes: Collection[str] = ()
) -> list[str] | None:
    """The words that were left out; None if something was typed that is none of them.

    Every typed word must be one of the words or begin one, each used once. Numbers are never
    shortened: 8 is not the beginning of 89, nor e1 of e13. Neither are codes: NE is another card
    than NEW.
    """
    left = list(words)
    short: list[str] = []
    for word in typed:
        if word in left:
            left.remove(word)
        elif word[-1].isdigit():
            return None
        else:
            short.append(word)
    for word in sorted(short, key=len, reverse=True):
        fits = next((each for each in left if each.startswith(word) and each not in codes), None)
        if fits is None:
            return None
        left.remove(fits)
    return left


def _hint(
    text: str,
    typed: Sequence[str],
    words: Mapping[int, Sequence[str]],
    names: Mapping[int, str],
) -> str:
    """The words to write instead of a line that names no legal action."""
    codes = _codes(names.values())
    shares = {
        action: sum(_unsaid([word], words[action], codes) is not None for word in typed)
        for action in words
    }
    most = max(shares.values(), default=0)
    if most:
        close = [names[action] for action, share in shares.items() if share == most]
        return f"{text!r} is not possible now; you can choose {_listed(close)}"
    known = {word for each in words.values() for word in each}
    strange = next((word for word in typed if word not in known), text)
    # Codes are no words that could be misspelt: NE is another card than NEW.
    close = meant(strange, sorted(known - codes))
    if close and not strange.isdigit():
        return f"{text!r} is not possible now; {close}"
    return f"{text!r} is not possible now; you can choose {_listed(list(names.values()))}"


def _listed(names: Iterable[str]) -> str:
    """The first of the names, and how many more there are."""
    every = list(names)
    shown = every[:LISTED]
    more = len(every) - len(shown)
    if more == 1:
        shown, more = every, 0
    if more:
        return f"{', '.join(_quoted(shown))} and {more} more"
    if len(shown) == 1:
        return _quoted(shown)[0]
    return f"{', '.join(_quoted(shown[:-1]))} or {_quoted(shown[-1:])[0]}"


def _quoted(names: Sequence[str]) -> list[str]:
    # A name with a comma in it has to be set apart from the next.
    return [f"'{name}'" if "," in name else name for name in names]
