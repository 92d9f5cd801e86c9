"""`sleuth compare`: inference methods side by side, on a recorded game or on a network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ....beliefs.engines import NAMES
from ....beliefs.judging.compare import Comparison, MethodResult, compare
from ....beliefs.judging.method_result import ROUNDING
from ....data.disk.writing import whole
from ....data.errors import SettingsError, nearest
from .. import plain_text
from ..analysis.following import MOST_JOINT
from ..console import Tell, printable
from ..writing import refuse_unwritable
from .contract import AnalysisRequest

if TYPE_CHECKING:
    from ....beliefs.judging.bif_import import Network
    from ....beliefs.language.features import Feature
    from ....beliefs.modelling.history import Observation
    from ....beliefs.modelling.model import Model
    from ....beliefs.posterior import Posterior
    from ..analysis.transcript import Transcript

PICTURES: Final = (".png", ".svg", ".pdf")
NARROW: Final = 76
"""Below this width, memory and R-hat are left out of the table."""


def method_names(text: str | None, *, more: Sequence[str] = ()) -> list[str]:
    """The methods of a list with commas; all engines without one.

    Args:
        text: The list.
        more: Methods of one game; engines among them are named once.

    Raises:
        SettingsError: There is no such method, or none is named.
    """
    if text is None:
        return list(NAMES)
    parts = [part.strip().replace("-", "_") for part in text.split(",") if part.strip()]
    known = tuple(dict.fromkeys((*NAMES, *more)))
    for part in parts:
        if part not in known:
            raise SettingsError(
                "unknown method", where="--methods", value=part, hint=nearest(part, known)
            )
    if not parts:
        raise SettingsError(
            "name at least one method",
            where="--methods",
            value=text,
            hint=f"known: {', '.join(known)}",
        )
    return list(dict.fromkeys(parts))


def refuse_picture(path: Path, source: Path) -> None:
    """Refuses, before any work is done, a picture that could not be written.

    Raises:
        SettingsError: Its ending says no known form, or it cannot be written.
    """
    if path.suffix.lower() not in PICTURES:
        raise SettingsError(
            "the picture's name says its form",
            where="--plot",
            value=str(path),
            hint=f"end it in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}",
        )
    refuse_unwritable(path, option="--plot", sources=(source,))


def most_open(
    transcript: Transcript[Any, Any], event: int | None
) -> tuple[int, Posterior, dict[str, Feature]]:
    """The event that methods are compared after, what was known then, and what it is asked about.

    Args:
        transcript: The record from its viewer's eyes.
        event: The event that was asked for; None for the last of those after which most was open.

    Raises:
        SettingsError: There is no such event, or nothing was hidden then.
    """
    chosen: tuple[float, int, Posterior, Mapping[str, Feature]] | None = None
    last = 0
    for last, now in enumerate(transcript.standpoints()):
        if now.posterior is None or not now.hidden or event not in (None, last):
            continue
        bits = round(transcript.openness(now), 9)
        # Of equally open moments the latest has most evidence to be compared on.
        if chosen is None or bits >= chosen[0]:
            chosen = bits, last, now.posterior, now.hidden
    if chosen is None:
        there_is = event is None or event <= last
        raise SettingsError(
            "nothing is hidden from this viewer then" if there_is else "there is no such event",
            where=None if event is None else "--event",
            value=event,
            hint=f"write 0 to {last}",
        )
    return chosen[1], chosen[2], _fitting(chosen[2], chosen[3])


def _fitting(posterior: Posterior, features: Mapping[str, Feature]) -> dict[str, Feature]:
    """The most open features, as many as have a joint that can be compared."""
    ranked = sorted(features, key=lambda name: -posterior.entropy(features[name]))
    chosen: dict[str, Feature] = {}
    size = 1
    for name in ranked:
        if not chosen or size * features[name].value_count <= MOST_JOINT:
            chosen[name] = features[name]
            size *= features[name].value_count
    return chosen


def compare_on_record(
    model: Model,
    evidence: Iterable[Observation],
    asked: AnalysisRequest,
    methods: Sequence[str],
    *,
    about: Any,
    about_name: str,
    curves: bool,
    tell: Tell,
) -> Comparison:
    """Methods on what somebody had seen of a game.

    Args:
        model, evidence: What is hidden, and what was seen.
        asked: Says how many samples, and from which seed.
        methods: Their names.
        about, about_name: What is asked.
        curves: Whether to run sampling methods with other numbers of samples too.
        tell: Told which method runs.
    """
    return compare(
        model,
        evidence,
        methods=methods,
        about=about,
        about_name=about_name,
        samples=asked.samples,
        seed=asked.seed,
        curves=curves,
        progress=tell,
    )


def compare_on_network(
    network: Network,
    evidence: str | None,
    query: str | None,
    *,
    methods: Sequence[str],
    samples: int,
    seed: int,
    curves: bool,
    progress: Tell,
) -> Comparison:
    """Methods on a Bayesian network.

    Args:
        evidence: Observed values as ``X=x,Y=y``.
        query: Variables whose joint is compared, as ``X,Y``; by default the most uncertain.

    Raises:
        SettingsError: The evidence is not written so.
        EvidenceError: There is no such variable or value.
    """
    names = [name.strip() for name in query.split(",")] if query is not None else []
    about = network.feature(names[0] if len(names) == 1 else names) if names else None
    return compare(
        network.model,
        network.observe(observed(evidence)),
        methods=methods,
        about=about,
        about_name=", ".join(names),
        samples=samples,
        seed=seed,
        curves=curves,
        progress=progress,
    )


def observed(text: str | None) -> dict[str, str]:
    """``X=x,Y=y`` as a mapping.

    Raises:
        SettingsError: A part has no ``=``, or a variable stands there twice.
    """
    values: dict[str, str] = {}
    for part in [] if text is None else text.split(","):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not (name and sign and value):
            raise SettingsError(
                "this is no observed value",
                where="--evidence",
                value=part,
                hint="write VARIABLE=VALUE,VARIABLE=VALUE",
            )
        if name in values:
            raise SettingsError("a variable stands here twice", where="--evidence", value=name)
        values[name] = value
    return values


def save_picture(comparison: Comparison, path: Path) -> None:
    """Draws error against time, and writes it whole or not at all."""
    with whole(path, where="--plot", suffix=path.suffix) as draft:
        comparison.plot(draft)


def render(comparison: Comparison, width: int, title: str) -> RenderableType:
    """The comparison for a terminal of this many columns."""
    heading = Text(printable(title), style="bold")
    against = f"Methods against the exact answer ({comparison.exact}) about {comparison.about}."
    heading.append(f"\n{printable(against)}\n", style="not bold")
    parts: list[RenderableType] = [heading, _table(comparison, narrow=width < NARROW)]
    silent = [result for result in comparison.results if result.reason]
    noted = [(result, note) for result in comparison.results for note in result.notes]
    if silent:
        parts.append(Text("\nNo answer", style="bold"))
        parts += [Text(printable(f"{_name(each)}: {each.reason}")) for each in silent]
    if noted:
        parts.append(Text("\nNotes", style="bold"))
        parts += [Text(printable(f"{_name(each)}: {note}")) for each, note in noted]
    legend = (
        "\nKL and TV: distance of the joint from the exact one (KL in bits; TV is the "
        "probability misplaced). Worst: largest error of a single probability. ESS: independent "
        "samples the answer is worth. R-hat: 1 when chains agree."
    )
    parts.append(Text(legend, style="dim"))
    return Group(*parts)


def _table(comparison: Comparison, *, narrow: bool) -> Table:
    gap = 1 if narrow else 2
    table = plain_text.table(gap=gap)
    table.add_column(Text("method", style="dim"))
    headings = ["KL", "TV", "worst", "ESS", "seconds", *([] if narrow else ["R-hat", "MB"])]
    for heading in headings:
        table.add_column(Text(heading, style="dim"), justify="right", no_wrap=True)
    for result in comparison.results:
        if result.reason:
            continue
        cells = [
            _number(result.kl_bits, ".2g"),
            _number(result.tv, ".2g"),
            _number(result.max_marginal_error, ".2g"),
            _number(result.ess, ",.0f"),
            _number(result.seconds, ".2g" if (result.seconds or 0.0) < 10.0 else ".0f"),
        ]
        if not narrow:
            cells += [_number(result.rhat, ".3f"), _number(result.peak_mb, ".1f")]
        table.add_row(Text(_name(result), style="bold" if result.exact else ""), *cells)
    return table


def _name(result: MethodResult) -> str:
    return result.name.replace("_", " ")


def _number(value: float | None, form: str) -> str:
    if value is None:
        return "–"
    if abs(value) < ROUNDING:
        value = 0.0
    return "∞" if math.isinf(value) else format(value, form)
