"""The errors of sleuth: one small family, each saying what was wrong, where, and what to do.

Every error raised on purpose is a :class:`SleuthError`. Its text is one readable message
made of four parts, of which only the first is required: what is wrong, where it was found,
the offending value, and a hint that says what to write instead.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Final

#: Most words that a hint asks about.
MOST_MEANT: Final = 3
#: Fewest letters that can stand for the word they begin.
FEWEST_LETTERS: Final = 3


class SleuthError(Exception):
    """Something the caller can put right.

    Args:
        message: What is wrong, without a full stop.
        where: The place, such as ``"event 3, field 'refuter'"``.
        value: The offending value; shown with ``repr`` when given.
        hint: What to write instead.

    >>> import sleuth
    >>> try:
    ...     sleuth.game("kuhn_pokr")
    ... except sleuth.SleuthError as error:
    ...     print(error.message, repr(error.value), error.hint, sep=" | ")
    no such game | 'kuhn_pokr' | did you mean 'kuhn_poker'? A game of your own is FILE.py:NAME
    """

    _absent = object()

    def __init__(
        self, message: str, *, where: str | None = None, value: object = _absent, hint: str = ""
    ) -> None:
        self.message = message
        self.where = where
        self.value = None if value is SleuthError._absent else value
        self.hint = hint
        self._got = SleuthError._said(value)
        super().__init__(self._text())

    def reword(
        self, *, where: str | None = None, value: object = _absent, hint: str | None = None
    ) -> None:
        """Say the place, the value or the hint otherwise, such as a file's name before the place.

        >>> import sleuth
        >>> error = sleuth.SleuthError("no player has this name", where="observer", value="Eve")
        >>> error.reword(where=f"game.json: {error.where}")
        >>> print(error)
        game.json: observer: no player has this name (got 'Eve')
        """
        self.where = self.where if where is None else where
        self.hint = self.hint if hint is None else hint
        if value is not SleuthError._absent:
            self.value, self._got = value, SleuthError._said(value)
        self.args = (self._text(),)

    @staticmethod
    def _said(value: object) -> str:
        return "" if value is SleuthError._absent else f" (got {shorten(repr(value))})"

    def _text(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        text += self._got
        return join_hints(text, self.hint)


class DeclarationError(SleuthError):
    """A model of what is hidden does not make sense: sizes, names or counts do not add up.

    >>> import sleuth
    >>> from sleuth.errors import DeclarationError
    >>> try:
    ...     sleuth.Deal(["ace", "king"], holders={"me": 1, "you": 2})
    ... except DeclarationError as error:
    ...     print(error.message)
    sizes do not add up: 2 items, but the holders take 3
    """


class EvidenceError(SleuthError):
    """A piece of evidence, or a question, cannot be used: bad table, unknown name, past holder.

    >>> import sleuth
    >>> from sleuth.errors import EvidenceError
    >>> cards = sleuth.Deal(["ace", "king"], holders={"me": 1, "you": 1})
    >>> try:
    ...     cards.holds("me", "quean")
    ... except EvidenceError as error:
    ...     print(error)
    unknown item (got 'quean'); known: ace, king
    """


class RecordError(SleuthError):
    """A recorded game does not follow its schema or the rules of its game.

    >>> import sleuth
    >>> from sleuth.errors import RecordError
    >>> try:
    ...     sleuth.load("no_such_file.json")
    ... except RecordError as error:
    ...     print(error.message)
    the record cannot be read: no such file or directory
    """


class SettingsError(SleuthError):
    """An option or a setting has a value that cannot be used.

    >>> import sleuth
    >>> from sleuth.errors import SettingsError
    >>> try:
    ...     sleuth.Budget(simulations=0)
    ... except SettingsError as error:
    ...     print(error)
    budget: simulations must be positive (got 0); write Budget(simulations=10_000)
    """


class WorkerError(SleuthError):
    """Processes that share the work are ended again and again, by the system or by somebody.

    >>> import sleuth
    >>> from sleuth.errors import WorkerError
    >>> try:
    ...     result = sleuth.play_match("kuhn_poker", ["random", "random"], games=2)
    ... except WorkerError as error:
    ...     print(error)  # with workers=2 or more; games that were over are in the file of games
    """


class ProgramError(SleuthError):
    """A program that plays does not answer as was agreed: late, no JSON, not legal, or not at all.

    >>> import sleuth
    >>> from sleuth.errors import ProgramError
    >>> try:
    ...     sleuth.play_match("kuhn_poker", ["bot:true", "random"], games=1)
    ... except ProgramError as error:
    ...     print(error.message)
    the program ended
    """


class UnsupportedError(SleuthError):
    """The chosen method cannot do what was asked; the message says which one can.

    >>> import sleuth
    >>> from sleuth.errors import UnsupportedError
    >>> cards = sleuth.Deal(["ace", "king"], holders={"me": 1, "you": 1})
    >>> try:
    ...     sleuth.infer(sleuth.Model(cards), method="forward_filter")
    ... except UnsupportedError as error:
    ...     print(error)
    forward_filter cannot solve this: it follows one Walk, alone or with Choices
    """


class CostError(SleuthError):
    """No exact method can answer at an affordable cost; the message names what could be done.

    >>> import sleuth
    >>> from sleuth.errors import CostError
    >>> cards = sleuth.Deal(map(str, range(40)), holders=dict.fromkeys("abcd", 10))
    >>> try:
    ...     sleuth.infer(sleuth.Model(cards), method="enumeration")
    ... except CostError as error:
    ...     print(error.message)
    enumeration cannot be afforded: it lists at most 2,000,000 worlds
    """


class ContradictionError(SleuthError):
    """Pieces of evidence that cannot all be true.

    Attributes:
        evidence: Identifiers of an irreducible set: taking any one of them away makes
            the rest possible again.

    >>> import sleuth
    >>> from sleuth.errors import ContradictionError
    >>> cards = sleuth.Deal(["ace", "king"], holders={"me": 1, "you": 1})
    >>> both = [cards.holds("me", "ace"), cards.holds("you", "ace")]
    >>> try:
    ...     sleuth.infer(sleuth.Model(cards), given=both)
    ... except ContradictionError as error:
    ...     print(error.evidence)
    ('evidence 1', 'evidence 2')
    """

    def __init__(self, message: str, *, evidence: Sequence[object] = (), **place: str) -> None:
        super().__init__(message, **place)
        self.evidence = tuple(evidence)


def shorten(text: str, length: int = 120) -> str:
    """``text``, cut in the middle to at most ``length`` characters."""
    if len(text) <= length:
        return text
    half = (length - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def nearest(name: object, known: Iterable[str]) -> str:
    """A hint that names the known words nearest to ``name``, or lists all of them.

    Near are words that ``name`` begins, or begins a part of (``clue`` of ``clue_table``), and else
    the one that is spelt most like it, or has a part that is.
    """
    words = list(dict.fromkeys(known))
    return meant(name, words) or (f"known: {', '.join(words)}" if words else "none is known")


def meant(name: object, known: Iterable[str]) -> str:
    """A hint that names the known words nearest to ``name``; empty where none is near."""
    return did_you_mean(*_meant(plain_name(str(name)), list(dict.fromkeys(known)))[:MOST_MEANT])


def did_you_mean(*words: str) -> str:
    """A hint that asks about words; empty for none."""
    *others, last = ["", *map(repr, words)]
    asked = f"{', '.join(others[1:])} or {last}" if others[1:] else last
    return f"did you mean {asked}?" if last else ""


def join_hints(*texts: str) -> str:
    """Texts after one another, without the empty ones; after a question begins a sentence."""
    joined = ""
    for text in filter(None, texts):
        if joined.endswith("?"):
            joined += f" {text[:1].upper()}{text[1:]}"
        else:
            joined += f"; {text}" if joined else text
    return joined


def plain_name(word: str) -> str:
    """The form of a word for comparison: ``-``, ``_``, spaces and capitals make no difference.

    Nor do the two ``-`` of an option.
    """
    return word.strip().lower().removeprefix("--").replace("-", "_").replace(" ", "_")


def _meant(typed: str, words: Sequence[str]) -> list[str]:
    """The words that ``typed`` may stand for, the likeliest first."""
    plain = {word: plain_name(word) for word in words}
    if len(typed) >= FEWEST_LETTERS:
        for begins in (
            [word for word in words if plain[word].startswith(typed)],
            [word for word in words if f"_{typed}" in plain[word]],
        ):
            if begins:
                # The nearest first: what has fewest letters more.
                return sorted(begins, key=lambda word: len(plain[word]))
    close = difflib.get_close_matches(typed, plain.values(), n=1, cutoff=0.6)
    if close:
        return [word for word in words if plain[word] == close[0]][:1]
    if len(typed) < FEWEST_LETTERS:
        return []
    parts = {part for word in plain.values() for part in word.split("_")}
    like = difflib.get_close_matches(typed, parts, n=1, cutoff=0.7)
    return [word for word in words if like and like[0] in plain[word].split("_")]
