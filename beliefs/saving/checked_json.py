"""Errors of data that somebody else may have written, in words."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any

from ...data.errors import RecordError, SleuthError, shorten

Json = dict[str, Any]


@contextlib.contextmanager
def damage(where: str, *pass_on: type[SleuthError]) -> Generator[None]:
    """Whatever goes wrong inside is the fault of the data.

    Args:
        where: What is being read.
        pass_on: Errors that are raised as they are.

    Raises:
        RecordError: For everything else that goes wrong.
    """
    try:
        yield
    except pass_on:
        raise
    except RecordError as error:
        if error.where is not None:
            raise
        raise RecordError(f"this is damaged: {error}", where=where) from error
    except (SleuthError, LookupError, TypeError, ValueError, AttributeError) as error:
        words = str(error) if isinstance(error, SleuthError) else repr(error)
        raise RecordError(f"this is damaged: {shorten(words)}", where=where) from error
    except (RecursionError, OverflowError, MemoryError) as error:
        raise RecordError("this is damaged: it holds too much", where=where) from error
