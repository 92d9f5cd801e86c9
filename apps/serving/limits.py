"""DeskLimits of what an assistant may ask for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeskLimits:
    """The most of everything.

    Attributes:
        tables: Tables that are open at once; nothing of one is lost where another cannot be opened.
        lines: Lines that are told in one call.
        letters: Letters of a line, or of a name.
        record: Letters of a record.
        seconds: How long one call may work; what takes longer is ended.
        answer: Letters of an answer; what is longer comes in parts.
        answers: Answers in parts that are kept; the oldest is forgotten first.
        parts: Parts of an answer; what is longer still is not kept.
        moves: Legal moves, values of something hidden, and hidden things that are listed.
        likeliest: Values of each hidden thing where all are asked for together.
    """

    tables: int = 32
    lines: int = 200
    letters: int = 4_000
    record: int = 2**20
    seconds: float = 60.0
    answer: int = 12_000
    answers: int = 64
    parts: int = 400
    moves: int = 200
    likeliest: int = 20


USUAL = DeskLimits()
