"""The time and process of compiling: nobody waits for the compiler who need not.

A kernel that is compiled and kept on disk is loaded. Another one answers at once as plain Python,
and one other process compiles it meanwhile, at low priority; its compiled form is taken as soon as
it is there. Both give the same answers. The environment variable ``SLEUTH_COMPILE`` says otherwise:

``background``
    As said; the default. Where there is one core only, or no folder to keep kernels in, it is
    the next.
``wait``
    A kernel is compiled when it is first called, and the call waits for it.
``never``
    Nothing is compiled: what is kept on disk is used, everything else is plain Python.

Work that is known to take long waits: see `waiting`. Without numba there is nothing to wait for.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from ...data.errors import SettingsError, nearest
from .asking import CompileRequest, ask, asked_for, taking_time
from .at_hand import NUMBA, say_what_it_gains
from .disk.folder import cache_folder
from .plain.plain_call import NotPlain, plain_call

#: The environment variable that says who waits.
SETTING: Final = "SLEUTH_COMPILE"
BACKGROUND: Final = "background"
WAIT: Final = "wait"
NEVER: Final = "never"
#: Seconds between two words about what is being compiled.
PATIENCE: Final = 4.0

Say = Callable[[str], None]
Wanted = tuple[Any, Any]
"""A kernel, and a signature of it."""

_waiting = 0


@contextmanager
def waiting() -> Generator[None, None, None]:
    """While the block runs, kernels are compiled before they are called: for long work.

    Without numba it says, once, what that would gain.
    """
    global _waiting
    say_what_it_gains()
    _waiting += 1
    try:
        yield
    finally:
        _waiting -= 1


def policy() -> str:
    """The policy for waiting: `BACKGROUND`, `WAIT` or `NEVER`.

    Raises:
        SettingsError: The environment variable says something else.
    """
    asked = os.environ.get(SETTING) or BACKGROUND
    known = (BACKGROUND, WAIT, NEVER)
    if asked not in known:
        raise SettingsError(
            "no such way to compile", value=asked, where=SETTING, hint=nearest(asked, known)
        )
    if asked == BACKGROUND and (_waiting or cores() < 2 or cache_folder() is None):
        return WAIT
    return asked


def cores() -> int:
    """The number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def at_once(function: Any, arguments: tuple[Any, ...], compiled: Callable[..., Any]) -> Any:
    """The answer to a call of a kernel for whose types nothing is in memory.

    Args:
        function: The kernel.
        arguments: Of the call.
        compiled: (arguments) -> the compiled kernel, loaded or compiled now.
    """
    from .disk.cache import SourceCache  # which needs numba

    who = policy()
    if who == WAIT or not isinstance(function._cache, SourceCache):
        return compiled(*arguments)
    try:
        kinds = tuple(_kind(function, each) for each in arguments)
    except Exception:
        return compiled(*arguments)  # which says what is wrong
    finally:
        function._types_active_call.clear()
    asked = asked_for(function, kinds)
    if who == BACKGROUND:
        if asked is None or asked.ready():
            return compiled(*arguments)
        ask(asked)
    elif asked is not None and asked.path.exists():
        return compiled(*arguments)

    def answer(*given: Any) -> Any:
        values = tuple(each.value if isinstance(each, _omitted()) else each for each in given)
        awaited = () if asked is None else (asked,)
        return _plainly(function, values, awaited, lambda: compiled(*given)(*given))

    return answer


def plainly(
    function: Any, wanted: Sequence[Wanted], compiled: Callable[..., Any]
) -> Callable[..., Any]:
    """A kernel as plain Python, for callers that state signatures.

    Args:
        function: The kernel.
        wanted: All that has to be compiled before its compiled form takes over.
        compiled: The compiled form, called when it is there, or has to have the last word.
    """

    def call(*arguments: Any) -> Any:
        found = (asked_for(each, signature) for each, signature in wanted)
        awaited = [asked for asked in found if asked is not None]
        return _plainly(function, arguments, awaited, lambda: compiled(*arguments))

    return call


def _plainly(
    function: Any,
    arguments: tuple[Any, ...],
    awaited: Sequence[CompileRequest],
    compiled: Callable[[], Any],
) -> Any:
    """A kernel's answer as plain Python, which gives way when all that is awaited has come."""

    def ready() -> bool:
        return bool(awaited) and all(asked.ready() for asked in awaited)

    last_word = policy() == NEVER
    try:
        with taking_time(awaited):
            return plain_call(function, arguments, ready, last_word=last_word)
    except NotPlain as error:
        if last_word and error.__cause__ is not None:
            raise error.__cause__ from None
    return compiled()


@functools.cache
def _omitted() -> Any:
    """numba's class of arguments that are left out."""
    return import_module("numba.core.dispatcher").OmittedArg


def _kind(function: Any, argument: Any) -> Any:
    if isinstance(argument, _omitted()):
        return NUMBA.types.Omitted(argument.value)
    return function.typeof_pyval(argument)


def stored(wanted: Sequence[Wanted]) -> bool:
    """True if signatures of kernels are all in memory or on disk."""
    return all(
        signature.args in function.overloads
        or ((asked := asked_for(function, signature)) is not None and asked.path.exists())
        for function, signature in wanted
    )


def compile_now(wanted: Sequence[Wanted], *, wait: bool = False) -> bool:
    """True if signatures of kernels are to be loaded, or compiled, now.

    Otherwise plain Python answers, and the other process was asked for what is not on disk.

    Args:
        wanted: Kernels and signatures.
        wait: Whether the work is long enough to wait for the compiler.
    """
    if NUMBA is None:
        return True
    who = policy()
    if who == WAIT or (wait and who != NEVER):
        return True
    missing = [each for each in wanted if not stored([each])]
    if not missing:
        return True
    if who == NEVER:
        return False
    for function, signature in missing:
        asked = asked_for(function, signature)
        if asked is None or asked.failed:
            return True
        if not asked.sent:
            ask(asked)
    return False


def compile_all(wanted: Sequence[Wanted], what: str, say: Say) -> None:
    """Compile signatures of kernels here and now, or load them.

    Args:
        wanted: Kernels and signatures.
        what: What they are, such as ``"leduc_poker for the search"``.
        say: Told so if anything has to be compiled, and every few seconds how far it is.
    """
    if NUMBA is None:
        return
    needed = [each for each in wanted if each[1].args not in each[0].overloads]
    missing = [each for each in needed if not stored([each])]
    if missing:
        say(f"compiling {what} (once on this machine; up to a minute)")
    start = told = time.perf_counter()
    done = 0
    for function, signature in needed:
        function.compile(signature)
        done += (function, signature) in missing
        now = time.perf_counter()
        if now - told > PATIENCE and done < len(missing):
            told = now
            say(f"compiling {what}: {done} of {len(missing)} kernels, {now - start:.0f} s")
