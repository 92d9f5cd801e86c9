"""`@kernel`: a function compiled by numba at its first call, cached on disk by all its sources.

Importing a module of kernels compiles nothing. The first call with new argument types compiles,
or loads what an earlier process compiled. numba's own disk cache knows only the file a function
stands in, so it would keep an old helper after another file changed; this one is keyed by the
text of every source file that a kernel's code comes from, and by whatever else it depends on.

What a kernel may rely on:

* Kernels call other kernels, and can be handed over as first-class functions.
* Tables are arguments: whatever a kernel names globally is frozen into its code when it is
  compiled, and another value means compiling again.
* With ``NUMBA_DISABLE_JIT=1`` a kernel is the plain Python function.
* Without numba a kernel is its plain twin: see `uncompiled`.
* A reader's own game is treated alike. Functions without a file are compiled but never cached.

The cache is a folder that only its owner can write: ``$SLEUTH_CACHE_DIR``, else
``$XDG_CACHE_HOME/sleuth``, else ``~/.cache/sleuth`` (of other systems see `data.disk.places`); a
per-user temporary folder where that one cannot be used; and no cache, with one warning, where
neither can.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar, cast, overload

from .at_hand import NUMBA
from .disk.folder import compiling_alone

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

Inline = Literal["never", "always", "late"]


@overload
def kernel(function: Callable[Parameters, Result], /) -> Callable[Parameters, Result]: ...


@overload
def kernel(
    *,
    parallel: bool = False,
    nogil: bool = True,
    inline: Inline = "never",
    allocates: bool = True,
    inner: bool = False,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]: ...


def kernel(
    function: Callable[..., Any] | None = None,
    /,
    *,
    parallel: bool = False,
    nogil: bool = True,
    inline: Inline = "never",
    allocates: bool = True,
    inner: bool = False,
) -> Any:
    """The function, compiled by numba when it is first called.

    Division by zero gives infinities and NaN as in NumPy; floating point is not reordered, so
    compiled and plain Python give the same bytes.

    Args:
        function: The function to compile; absent when options are given.
        parallel: Whether ``numba.prange`` loops run on several threads.
        nogil: Whether other Python threads may run meanwhile.
        inline: ``"always"`` copies the body into compiled callers before types are inferred,
            ``"late"`` afterwards, as machine code: for short kernels with many arguments.
        allocates: Whether it makes arrays or lists. One that does not need not count references
            to the arrays it is given, which otherwise can take most of the time of a short one.
        inner: Whether only compiled kernels call it (also not a `plain` one). What Python needs
            to call a kernel takes up to half a second to compile, most of all where named tuples
            of arrays are handed over.

    >>> import sleuth
    >>> @sleuth.kernel
    ... def larger(one: int, other: int) -> int:
    ...     return one if one > other else other
    >>> larger(3, 4)
    4
    """

    def decorate(python_function: Callable[..., Any]) -> Any:
        options: dict[str, Any] = {"nogil": nogil, "error_model": "numpy"}
        if inline == "late":
            options["forceinline"] = True
        else:
            options["inline"] = inline
        if inner:
            options["no_cpython_wrapper"] = options["no_cfunc_wrapper"] = True
        if parallel:
            options["parallel"] = True
        if not allocates:
            options["_nrt"] = False
        if NUMBA is None:
            from .plain.uncompiled import Uncompiled

            return Uncompiled(python_function, inner=inner)
        dispatcher: Any = NUMBA.njit(python_function, **options)
        if dispatcher is not python_function:
            from .disk.cache import SourceCache

            dispatcher._cache = SourceCache(python_function, options=options)
            _answer_at_once(dispatcher)
            _compile_once_for_all_constants(dispatcher)
            if inner:
                _never_call_from_python(dispatcher)
        return dispatcher

    return decorate if function is None else decorate(function)


def _never_call_from_python(dispatcher: Any) -> None:
    """Makes a call from Python an error where numba would call machine code that is not there."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise TypeError(f"{dispatcher.py_func.__qualname__} is only there for other kernels")

    def keep(*_: Any, **__: Any) -> None:
        """Keeps compiled code unknown to calls from Python."""

    dispatcher._insert = keep
    dispatcher._compile_for_args = refuse


def _compile_once_for_all_constants(dispatcher: Any) -> None:
    """Makes kernels that call a kernel with constants call the code that takes any numbers.

    numba would compile it anew for every constant: for ``f(x, 0)``, ``f(x, 1)`` and ``f(x, y)``.
    """
    any_number: Callable[[Any], Any] = NUMBA.types.unliteral
    template = dispatcher.get_call_template

    def for_any_number(arguments: Any, named: Any) -> Any:
        kinds = {name: any_number(kind) for name, kind in dict(named).items()}
        return template(tuple(map(any_number, arguments)), kinds)

    dispatcher.get_call_template = for_any_number


def _answer_at_once(dispatcher: Any) -> None:
    """Makes a kernel answer before it is compiled.

    numba asks these two for what is not in memory; a call of what is does not come by here.
    """
    compiled_for, compiled = dispatcher._compile_for_args, dispatcher.compile

    def compile_for_arguments(*arguments: Any, **named: Any) -> Any:
        from .compiling import at_once  # what it needs is loaded only now

        return at_once(dispatcher, arguments, compiled_for)

    def compile_alone(signature: Any) -> Any:
        if getattr(signature, "args", signature) in dispatcher.overloads:
            return compiled(signature)
        from .quick_compiling import quickly

        path = dispatcher._cache.path_of(signature, dispatcher.targetctx)
        with compiling_alone(path), quickly():
            return compiled(signature)

    dispatcher._compile_for_args = compile_for_arguments
    dispatcher.compile = compile_alone


@dataclass(frozen=True, kw_only=True)
class KernelStatistics:
    """The history of a kernel's calls in this process.

    Attributes:
        loaded: Signatures that came from the disk cache.
        compiled: Signatures that had to be compiled.
        folder: The folder of the cache; None when nothing is cached.
    """

    loaded: int
    compiled: int
    folder: str | None


def kernel_statistics(function: Callable[..., object]) -> KernelStatistics:
    """The number of times a kernel was loaded from the cache and compiled in this process.

    All is zero for plain Python functions, so also under ``NUMBA_DISABLE_JIT=1`` and without numba.
    """
    if not hasattr(function, "stats"):
        return KernelStatistics(loaded=0, compiled=0, folder=None)
    statistics = cast(Any, function).stats
    return KernelStatistics(
        loaded=sum(statistics.cache_hits.values()),
        compiled=sum(statistics.cache_misses.values()),
        folder=statistics.cache_path,
    )


def in_memory(function: Callable[..., object]) -> bool:
    """True if a kernel has been compiled or loaded by now, for some arguments.

    For callers with a way of their own that is faster than the kernel as plain Python.
    """
    return bool(getattr(function, "overloads", None))


def to_standard_error(text: str) -> None:
    """The default way to say that something is being compiled."""
    print(text, file=sys.stderr, flush=True)


def plain(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The Python function a kernel was made from; kernels that it calls stay compiled."""
    return getattr(function, "py_func", function)
