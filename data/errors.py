"""The errors of sleuth: one small family, each saying what was wrong, where, and what to do.

Every error raised on purpose is a :class:`SleuthError`. Its text is one readable message
made of four parts, of which only the first is required: what is wrong, where it was found,
the offending value, and a hint that says what to write instead.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


class SleuthError(Exception):
    """Something the caller can put right.

    Args:
        message: What is wrong, without a full stop.
        where: The place, such as ``"event 3, field 'refuter'"``.
        value: The offending value; shown with ``repr`` when given.
        hint: What to write instead.
    """

    _absent = object()

    def __init__(
        self, message: str, *, where: str | None = None, value: object = _absent, hint: str = ""
    ) -> None:
        self.message = message
        self.where = where
        self.value = None if value is SleuthError._absent else value
        self.hint = hint
        text = f"{where}: {message}" if where else message
        if value is not SleuthError._absent:
            text += f" (got {shorten(repr(value))})"
        if hint:
            text += f"; {hint}"
        super().__init__(text)


class DeclarationError(SleuthError):
    """A model of what is hidden does not make sense: sizes, names or counts do not add up."""


class EvidenceError(SleuthError):
    """A piece of evidence, or a question, cannot be used: bad table, unknown name, past holder."""


class RecordError(SleuthError):
    """A recorded game does not follow its schema or the rules of its game."""


class SettingsError(SleuthError):
    """An option or a setting has a value that cannot be used."""


class UnsupportedError(SleuthError):
    """The chosen method cannot do what was asked; the message says which one can."""


class CostError(SleuthError):
    """No exact method can answer at an affordable cost; the message names what could be done."""


class ContradictionError(SleuthError):
    """Pieces of evidence that cannot all be true.

    Attributes:
        evidence: Identifiers of an irreducible set: taking any one of them away makes
            the rest possible again.
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
    """A hint that names the known word nearest to ``name``, or lists all of them."""
    words = list(known)
    close = difflib.get_close_matches(str(name), words, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known: {', '.join(words)}" if words else "none is known"
