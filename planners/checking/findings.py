"""Findings of a check as plain data: each fault once, with its place in the code and a remedy."""

from __future__ import annotations

import dis
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FunctionType, TracebackType
from typing import Any, Final, cast

import numpy as np

from ...data.errors import SleuthError, shorten
from ...models import game as contract
from ...models.game import KERNELS, Game
from ...models.kernels.plain.twins import called_by
from .belief_checks import CHECKS as BELIEF_CHECKS
from .conformance import CHECKS as GAME_CHECKS
from .guarded_kernels import ConformanceError
from .misspelt import compiler_words

#: Checks that are made before there is a game, and of how long all of them take.
FILE_CHECKS: Final[Mapping[str, str]] = {
    "file": "there is such a file or game, and it holds what was named",
    "syntax": "the file is Python",
    "import": "all that the file imports is there",
    "run": "the file runs without an error",
    "declared": "the game can be made of what is declared",
    "time": "all checks are over in time, and no kernel goes on for ever",
}
#: Name and meaning of everything that can be found.
CHECKS: Final[Mapping[str, str]] = {**FILE_CHECKS, **GAME_CHECKS, **BELIEF_CHECKS}

#: The kernel, or method of the belief, that is looked at first if a check fails.
PARTS: Final[Mapping[str, str]] = {
    "start": "start",
    "legal": "legal",
    "own moves": "legal",
    "apply": "apply",
    "fields": "apply",
    "dice": "apply",
    "sum of returns": "returns",
    "depth": "apply",
    "seeds": "apply",
    "threads": "apply",
    "returns": "returns",
    "own outcome": "returns",
    "policy": "policy",
    "mask": "mask",
    "spectator": "mask",
    "alike": "mask",
    "dealt": "mask",
    "unnoticed": "observe",
    "told": "observe",
    "observations": "observe",
    "observe": "observe",
    "fill": "fill",
    "worlds": "fill",
    "futures": "fill",
    "key": "key",
    "belief": "posterior",
    "support": "posterior",
    "samples": "posterior",
    "truth": "posterior",
    "update": "posterior",
    "hidden": "hidden",
    "known": "hidden",
    "learned": "questions",
}
#: Methods that a belief has in place of one.
INSTEAD: Final[Mapping[str, tuple[str, ...]]] = {"posterior": ("known", "infer")}

#: Values of a list that are told.
MOST_VALUES: Final = 40

_VIEWS: Final = ("own moves", "own outcome", "spectator", "alike", "unnoticed", "observations")
_IMAGINED: Final = ("worlds", "support", "observations", "futures", "told", "key", "samples")
_BELIEVED: Final = ("dealt", "known", "truth", "update", "observe")
#: What may fail only because another check fails: mend that first.
FOLLOWERS: Final[Mapping[str, tuple[str, ...]]] = {
    "kernels": ("start", "legal", "apply", "record", "seeds", "threads", "futures", "belief"),
    "bounds": ("own moves", "returns", "compiled", "memory"),
    "memory": ("start", "seeds", "threads", "record", "compiled", "samples", *_IMAGINED),
    "legal": ("policy", "own moves", "futures", "depth", "learned"),
    "own moves": ("futures", "samples", "observations", *_BELIEVED),
    "start": ("legal", "apply", "returns", "record", "seeds", "dealt", *_IMAGINED),
    "apply": ("legal", "own moves", "depth", "returns", "alike", "unnoticed", *_IMAGINED),
    "depth": ("futures",),
    "dice": ("seeds", "record"),
    "returns": ("sum of returns",),
    "seeds": ("record", "threads"),
    "mask": (*_VIEWS, "fill", "dealt", *_IMAGINED, *_BELIEVED),
    "spectator": ("fill", *_IMAGINED, *_BELIEVED),
    "alike": ("unnoticed", *_IMAGINED, *_BELIEVED),
    "fill": (*_IMAGINED, *_BELIEVED),
    "belief": ("hidden", "learned", *_IMAGINED, *_BELIEVED),
    "hidden": ("learned", *_IMAGINED, *_BELIEVED),
    "worlds": (*_IMAGINED, *_BELIEVED),
    "support": ("samples", "told", *_BELIEVED),
    "samples": _BELIEVED,
    "dealt": _BELIEVED,
    "told": _BELIEVED,
    "observations": ("told", *_BELIEVED),
    "unnoticed": ("observations", *_BELIEVED),
    "update": ("observe", "truth", "known"),
    "observe": ("truth",),
}


@dataclass(frozen=True)
class FindingPlace:
    """The place of a fault, as far as it can be known.

    Attributes:
        kernel: The kernel, or the method of the belief; empty where it is none.
        field: The field of the state; empty where it is none.
        file: The file of the code; empty where nobody knows.
        line: The line in it, from 1; None where nobody knows.
        moment: The play, its seed and the move at which it was found, in words.

    >>> import sleuth
    >>> from dataclasses import replace
    >>> broken = replace(sleuth.game("kuhn_poker"), max_depth=1)
    >>> place = sleuth.kit.find_faults(broken, plays=1, belief_plays=0).findings[0].place
    >>> place.kernel, place.moment
    ('apply', "game 'kuhn_poker', play 1 (seed 0), after 1 moves")
    """

    kernel: str = ""
    field: str = ""
    file: str = ""
    line: int | None = None
    moment: str = ""


@dataclass(frozen=True)
class Finding:
    """One fault of a game, however often it was met.

    Attributes:
        check: The name of the check that found it.
        message: What is wrong.
        place: Where.
        value: The offending value as plain data; None for none.
        hint: What to write instead; empty where nothing can be said.
        times: How often it was met.
        follows: The check of an earlier finding from which this one may follow; empty for none.

    >>> import sleuth
    >>> from dataclasses import replace
    >>> broken = replace(sleuth.game("kuhn_poker"), max_depth=1)
    >>> finding = sleuth.kit.find_faults(broken, plays=4, belief_plays=0).findings[0]
    >>> finding.check, finding.place.kernel, finding.hint
    ('depth', 'apply', 'max_depth is 1')
    """

    check: str
    message: str
    place: FindingPlace = field(default_factory=FindingPlace)
    value: object = None
    hint: str = ""
    times: int = 1
    follows: str = ""


def findings_of(
    errors: Iterable[BaseException], game: Game | None, belief: object, file: str = ""
) -> tuple[Finding, ...]:
    """Each fault once, in the order in which they were found.

    Args:
        errors: All that were kept.
        game: The game; None where there is none.
        belief: Its belief; None for none.
        file: The file that holds the game; empty for none.
    """
    found: dict[object, Finding] = {}
    unlooked: set[object] = set()
    for error in errors:
        one = finding_of(error, game, belief, file)
        same: object = one.check, one.place.kernel, _without_names(one.message, game)
        if not isinstance(error, ConformanceError):
            same = next((key for key, each in found.items() if _is_met_again(one, each)), same)
            unlooked.add(same)
        before = found.get(same)
        found[same] = one if before is None else replace(before, times=before.times + 1)
    told: list[Finding] = []
    for same, one in found.items():
        # What is raised where no check looks for it may follow from whatever was found before.
        causes = [
            each for each in told if one.check in FOLLOWERS.get(each.check, ()) or same in unlooked
        ]
        told.append(replace(one, follows=causes[0].follows or causes[0].check) if causes else one)
    return tuple(told)


def _is_met_again(one: Finding, earlier: Finding) -> bool:
    """True if an error comes from a line, or a kernel, that is known to be at fault."""
    here, there = one.place, earlier.place
    if here.line is not None and (here.file, here.line) == (there.file, there.line):
        return True
    return bool(here.kernel and here.kernel == there.kernel)


def finding_of(error: BaseException, game: Game | None, belief: object, file: str = "") -> Finding:
    """One error as a finding, with the place in the code."""
    if not isinstance(error, ConformanceError):
        return _of_the_file(error, game, belief, file)
    message = error.message.removeprefix(f"[{error.check}] ")
    place = _place(error, game, belief, file, message)
    return Finding(error.check, message, place, _plain(error.value), error.hint)


def _of_the_file(error: BaseException, game: Game | None, belief: object, file: str) -> Finding:
    """A fault before there is a game, or an error that its code raised where nobody expects it."""
    raised = error.__cause__ or error
    told = error if isinstance(error, SleuthError) else None
    files = {file, *_files(game, belief)} - {""}
    at, line = _last_line(raised.__traceback__, files)
    said = f"{type(raised).__name__}: {raised}" if str(raised) else type(raised).__name__
    if type(raised).__module__.startswith("numba."):
        said = compiler_words(raised)
        written = re.findall(r'File "([^"]+)", line (\d+)', str(raised))
        at, line = next(((name, int(there)) for name, there in written), (at, line))
    hint = told.hint if told is not None else ""
    value = _plain(told.value) if told is not None else None
    if isinstance(raised, SyntaxError):
        text = (raised.text or "").strip()
        return Finding(
            "syntax",
            str(raised.msg),
            FindingPlace(file=raised.filename or file, line=raised.lineno),
            text or None,
            "mend this line, or the one before it",
        )
    place = FindingPlace(file=at or file, line=line, moment=told.where or "" if told else "")
    if isinstance(raised, ImportError):
        hint = "install what is missing, or import it by its right name"
        return Finding("import", said, place, raised.name, hint)
    if told is not None and raised is told:
        check = "file" if line is None and game is None else "declared"
        names = re.findall(r"'(\w+)'", told.message)
        named = next(iter(names), "") if "field" in told.message else ""
        return Finding(check, told.message, replace(place, field=named), value, hint)
    if game is None:
        return Finding("run", said, place, None, "run it by Python alone to see all of it")
    kernel = _kernel_of(raised.__traceback__, game)
    named = "" if kernel else _function(raised.__traceback__, at)
    check = "kernels" if kernel else "belief" if belief is not None else "run"
    return Finding(
        check,
        f"{kernel or named or 'the code'} fails: {said}",
        replace(place, kernel=kernel or named),
        None,
        "mend what this line does",
    )


def _place(
    error: ConformanceError, game: Game | None, belief: object, file: str, message: str
) -> FindingPlace:
    kernel = error.kernel or PARTS.get(error.check, "")
    if game is None:
        return FindingPlace(kernel, file=file, moment=error.where or "")
    fields = game.state.names or ()
    hint = "" if error.hint.startswith("did you mean") else error.hint
    quoted = re.findall(r"'(\w+)'", f"{message} {hint}")
    named = (*error.fields, *(word for word in quoted if word in fields))
    kernel, functions = _code(kernel, game, belief)
    raised = error.__cause__
    at, line = "", None
    if raised is not None:
        at, line = _last_line(raised.__traceback__, {*_files(game, belief), file} - {""})
        written = re.search(r'File "([^"]+)", line (\d+)', str(raised))
        if line is None and written is not None:
            at, line = written[1], int(written[2])
    for word in dict.fromkeys((*named, *quoted)) if line is None else ():
        at, line = next(_lines_that_name(word, functions), ("", None))
        if line is not None:
            break
    if line is None and functions:
        at, line = _beginning(functions[0])
    return FindingPlace(kernel, next(iter(named), ""), at or file, line, error.where or "")


def _code(part: str, game: Game, belief: object) -> tuple[str, list[FunctionType]]:
    """The name of a part as it is called in the code, and the functions in its file."""
    if part in KERNELS:
        functions = list(called_by(getattr(game, part)))
        own = functions[0].__code__.co_filename if functions else ""
        return part, [each for each in functions if each.__code__.co_filename == own]
    if belief is None or not part:
        return part, []
    for name in (part, *INSTEAD.get(part, ())):
        for kind in type(belief).__mro__:
            made = vars(kind).get(name)
            if isinstance(made, FunctionType) and kind.__module__ == type(belief).__module__:
                return name, [made]
    return part, []


def _lines_that_name(word: str, functions: Iterable[FunctionType]) -> Iterator[tuple[str, int]]:
    """The lines of functions that use something of this name: an attribute, a global, a string."""
    for function in functions:
        for step in dis.get_instructions(function):
            line = step.positions.lineno if step.positions is not None else None
            variable = step.opname.endswith("_FAST")
            if step.argval == word and line is not None and not variable:
                yield function.__code__.co_filename, line


def _beginning(function: FunctionType) -> tuple[str, int]:
    """The line with the word ``def``; that of a decorator comes before it."""
    code = function.__code__
    try:
        lines = Path(code.co_filename).read_text("utf-8").splitlines()
    except (OSError, ValueError):
        lines = []
    for place in range(code.co_firstlineno - 1, len(lines)):
        if lines[place].lstrip().startswith("def "):
            return code.co_filename, place + 1
    return code.co_filename, code.co_firstlineno


def _files(game: Game | None, belief: object) -> set[str]:
    """The files in which a game's own code stands."""
    if game is None:
        return set()
    codes = [next(called_by(getattr(game, name)), None) for name in KERNELS]
    methods = [each for each in vars(type(belief)).values() if isinstance(each, FunctionType)]
    found = {each.__code__.co_filename for each in (*codes, *methods) if each is not None}
    return found - {contract.__file__}  # kernels that a game has without saying any


def _last_line(trace: TracebackType | None, files: set[str]) -> tuple[str, int | None]:
    """The innermost line of these files."""
    found: tuple[str, int | None] = "", None
    for code, line in _steps(trace):
        if code.co_filename in files:
            found = code.co_filename, line
    return found


def _kernel_of(trace: TracebackType | None, game: Game) -> str:
    """The kernel that was running; empty if none was."""
    codes = {
        each.__code__: name
        for name in KERNELS
        if (each := next(called_by(getattr(game, name)), None)) is not None
    }
    return next((codes[code] for code, _ in _steps(trace) if code in codes), "")


def _function(trace: TracebackType | None, file: str) -> str:
    named = [code.co_name for code, _ in _steps(trace) if file and code.co_filename == file]
    return named[-1] if named else ""


def _steps(trace: TracebackType | None) -> Iterator[tuple[CodeType, int]]:
    while trace is not None:
        yield trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next


def out_of_time(
    error: BaseException, seconds: float, game: Game | None, belief: object, file: str
) -> Finding:
    """The finding where the time is over: what was running then."""
    at, line = _last_line(error.__traceback__, {file, *_files(game, belief)} - {""})
    kernel = "" if game is None else _kernel_of(error.__traceback__, game)
    named = kernel or _function(error.__traceback__, at)
    place = FindingPlace(named, file=at or file, line=line)
    if line is None:
        message = f"the checks are not over after {seconds:g} seconds"
        return Finding("time", message, place, seconds, "play fewer games, or give them more time")
    message = f"after {seconds:g} seconds {named!r} was still running" if named else "it runs on"
    return Finding("time", message, place, seconds, "see whether the loop at this line ever ends")


def _without_names(message: str, game: Game | None) -> str:
    """A message without numbers and viewers, which are others each time."""
    names = (*game.roles, "a spectator", "spectator") if game is not None else ()
    for name in sorted(names, key=len, reverse=True):
        message = re.sub(rf"\b{re.escape(name)}\b", "", message)
    return re.sub(r"\d+", "", message)


def _plain(value: Any) -> object:
    """A value as JSON has it: numbers, words and lists of them; else its words."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    if isinstance(value, np.void | str):
        return shorten(str(cast("object", value)))
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, list | tuple) and len(cast("list[Any]", value)) <= MOST_VALUES:
        return [_plain(each) for each in cast("list[Any]", value)]
    return shorten(repr(cast("object", value)))
