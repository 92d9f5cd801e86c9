"""`sleuth compare`: inference methods side by side, on a recorded game or on a network."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ....beliefs.engines import NAMES
from ....beliefs.engines.choosing import grouped
from ....beliefs.judging.compare import Comparison, MethodResult, compare
from ....beliefs.judging.method_result import ROUNDING
from ....beliefs.telling.plotting import matplotlib
from ....data.disk.writing import whole
from ....data.errors import SettingsError, nearest
from ..analysis.following import MOST_JOINT
from ..answers.values import Cell, Column, Paragraph, Section, Sheet, Statements
from ..console import Tell
from ..writing import refuse_unwritable
from .contract import AnalysisRequest

if TYPE_CHECKING:
    from ....beliefs.language.features import Feature
    from ....beliefs.modelling.history import Observation
    from ....beliefs.modelling.model import Model
    from ....beliefs.networks.network import Network
    from ....beliefs.posterior import Posterior
    from ..analysis.transcript import Transcript

PICTURES: Final = (".png", ".svg", ".pdf")
#: From this width on a terminal shows memory and R-hat, and columns stand apart.
WIDE: Final = 76
LEGEND: Final = (
    "KL and TV: distance of the joint from the exact one (KL in bits; TV is the probability "
    "misplaced). Worst: largest error of a single probability. ESS: independent samples the answer "
    "is worth. R-hat: 1 when chains agree."
)


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
                "unknown method", where="methods", value=part, hint=nearest(part, known)
            )
    if not parts:
        raise SettingsError(
            "name at least one method",
            where="methods",
            value=text,
            hint=f"known: {', '.join(known)}",
        )
    return list(dict.fromkeys(parts))


def refuse_picture(path: Path, source: Path) -> None:
    """Refuses, before any work is done, a picture that could not be written.

    Raises:
        SettingsError: Its ending says no known form, it cannot be written, or matplotlib is not
            installed.
    """
    if path.suffix.lower() not in PICTURES:
        raise SettingsError(
            "the picture's name says its form",
            where="plot",
            value=str(path),
            hint=f"end it in {', '.join(PICTURES[:-1])} or {PICTURES[-1]}",
        )
    refuse_unwritable(path, where="plot", sources=(source,))
    matplotlib("figure")


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
            where=None if event is None else "event",
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
        workers=asked.workers,
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
    workers: int,
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
        workers=workers,
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
                where="evidence",
                value=part,
                hint="write VARIABLE=VALUE,VARIABLE=VALUE",
            )
        if name in values:
            raise SettingsError("a variable stands here twice", where="evidence", value=name)
        values[name] = value
    return values


def save_picture(comparison: Comparison, path: Path) -> None:
    """Draws error against time, and writes it whole or not at all."""
    with whole(path, where="plot", suffix=path.suffix) as draft:
        comparison.plot(draft)


def comparison_summary(comparison: Comparison, title: str) -> Statements:
    """The errors of each method, and what it says of itself.

    Args:
        comparison: The comparison.
        title: The record or the network that it is on.
    """
    against = f"Methods against the exact answer ({comparison.exact}) about {comparison.about}."
    silent = grouped(
        [f"{_name(each)}: {each.reason}" for each in comparison.results if each.reason]
    )
    noted = [f"{_name(each)}: {note}" for each in comparison.results for note in each.notes]
    more = {"No answer": silent, "Notes": noted}
    return (
        Paragraph(title, "strong"),
        Paragraph(against, blank="below"),
        _methods(comparison),
        *(Section(head, tuple(map(Paragraph, lines))) for head, lines in more.items() if lines),
        Paragraph(LEGEND, "soft", blank="above"),
    )


def _methods(comparison: Comparison) -> Sheet:
    columns = (
        Column("method"),
        *(Column(each, "right", whole=True) for each in ("KL", "TV", "worst", "ESS", "seconds")),
        *(Column(each, "right", whole=True, room=WIDE) for each in ("R-hat", "MB")),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            Paragraph(_name(each), "strong" if each.exact else "plain"),
            _number(each.kl_bits, ".2g"),
            _number(each.tv, ".2g"),
            _number(each.max_marginal_error, ".2g"),
            _number(each.ess, ",.0f"),
            _number(each.seconds, ".2g" if (each.seconds or 0.0) < 10.0 else ".0f"),
            _number(each.rhat, ".3f"),
            _number(each.peak_mb, ".1f"),
        )
        for each in comparison.results
        if not each.reason
    ]
    return Sheet(columns, tuple(rows), close=WIDE)


def _name(result: MethodResult) -> str:
    return result.name.replace("_", " ")


def _number(value: float | None, form: str) -> str:
    if value is None:
        return "–"
    if abs(value) < ROUNDING:
        value = 0.0
    return "∞" if math.isinf(value) else format(value, form)
