"""The work of `sleuth train GAME`: read or simulate records, learn, judge, write."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from ...beliefs.predictors.predictor import FORMAT, paths
from ...data.disk.writing import refuse_others, write_whole
from ...data.errors import SettingsError, nearest, plain_name
from ...models.game import Game
from ...models.games import GameEntry
from ...models.records.game_files import named_columns
from ...models.records.reading import records_in
from ...planners.agents import Contestant
from ...training.play_files import SelfPlay
from ...training.predictor_file import save_predictor
from ...training.predictor_kinds import CHOICE, STORED, kinds_for
from ...training.protocols import PROTOCOLS, applicable
from ...training.rows import Subject
from ...training.training import Training
from ...training.training import train as learn
from ..kit.answers.values import Paragraph, Section, Statements
from ..kit.console import Tell
from ..kit.matches.asked import asked_agents
from ..kit.pages.document import MARK
from ..kit.writing import refuse_unwritable
from .page import HEADS, finding_sheet, score_sheet, training_report

#: What the arrays, the card and the reports of a predictor have near their beginnings.
_MARKS: Final = (b"nodes.npy", FORMAT.encode(), MARK, b'"protocols"')


def words(given: str, known: Sequence[str], where: str) -> tuple[str, ...]:
    """Words with commas between them, or 'all'.

    Raises:
        SettingsError: One of them is not known.
    """
    if given.strip() == "all":
        return tuple(known)
    listed = tuple(dict.fromkeys(word.strip() for word in given.split(",") if word.strip()))
    for word in listed:
        if word not in known:
            raise SettingsError(
                "no such choice", where=where, value=word, hint=nearest(word, [*known, "all"])
            )
    if not listed:
        raise SettingsError("name at least one", where=where, hint=f"known: {', '.join(known)}")
    return listed


def train(
    entry: GameEntry,
    subject: Subject,
    *,
    records: Sequence[Path],
    simulated: int | None,
    seed: int,
    out: Path | None,
    target: str | None,
    protocols: str | None,
    models: str | None,
    agents: Sequence[str],
    anew: bool,
    columns: str | None = None,
    workers: int,
    progress: Tell,
) -> tuple[dict[str, Any], Statements]:
    """Learn and write; the report as plain values and for people.

    Raises:
        SettingsError, RecordError: Something cannot be used; nothing is written then.
    """
    begin = time.perf_counter()
    known = kinds_for(subject)
    chosen_models = known[:1] if models is None else words(models, known, "models")
    chosen_protocols = None if protocols is None else words(protocols, PROTOCOLS, "protocols")
    if target is not None and target not in subject.labels:
        raise SettingsError(
            "no such choice",
            where="target",
            value=target,
            hint=nearest(target, subject.labels),
        )
    if (simulated is None) == (not records):
        raise SettingsError(
            "either records or simulated players are needed",
            hint="name files of records, or write `simulate=60`",
        )
    files = _files(records)
    if columns is not None:
        if simulated is not None:
            raise SettingsError("columns are of records", where="columns", hint="leave it out")
        subject = subject.with_columns(named_columns(columns))
    if workers == 0:
        raise SettingsError("one process is needed, or -1 for all cores", where="workers")
    if anew and not (subject.people and simulated is not None):
        raise SettingsError(
            "ceilings are known for simulated people only",
            where="ceilings",
            hint="leave it out" + (", or write `simulate`" if subject.people else ""),
        )
    if agents and simulated is None:
        raise SettingsError("agents play where games are simulated", where="agents")
    players = _agents(agents, entry.game(), subject.agent) if agents else None
    more: list[Path] = []
    if out is not None:
        more = [paths(out)[0].with_suffix(f".{ending}") for ending in subject.more_files]
        if chosen_models[0] not in (*STORED, CHOICE):
            raise SettingsError(
                "a predictor of this kind cannot be written",
                where="models",
                value=chosen_models[0],
                hint=f"name one of {', '.join(STORED)} first",
            )
        marks = (*_MARKS, *(mark.encode() for mark in subject.more_files.values()))
        for path, mark in zip((*paths(out), *reports(out), *more), marks, strict=True):
            refuse_unwritable(path, where="out", sources=tuple(files))
            if path != out:
                refuse_others(path, mark, where="out")
    progress("reading records" if simulated is None else "simulating", 0, 1)
    if simulated is None:
        rows = subject.read(files, entry)
    else:
        games = None if out is None else paths(out)[0].with_suffix(".games.jsonl")
        wanted = SelfPlay(
            count=simulated, seed=seed, agents=players, workers=workers, keep=games, tell=progress
        )
        rows = subject.simulated(entry, wanted)
        more += [games] if games is not None and games.exists() else []
    if protocols is not None and protocols.strip() == "all":
        chosen_protocols = applicable(rows)
    keep = None if out is None else paths(out)[0].with_suffix(".parts")
    found = learn(
        rows,
        target=target,
        models=chosen_models,
        protocols=chosen_protocols,
        seed=seed,
        jobs=workers,
        keep=keep,
        progress=progress,
    )
    if simulated is not None:
        known = subject.ceilings(found.target, anew=anew, tell=progress)
        found = replace(found, ceilings=known)
    value = found.to_json()
    if out is not None and found.predictor is not None:
        page, text = reports(out)
        save_predictor(found.predictor, out)
        write_whole(text, json.dumps(value, indent=2, allow_nan=False) + "\n", where="out")
        write_whole(page, training_report(found), where="out")
        for path, content in zip(more, subject.files(found.rows).values(), strict=False):
            write_whole(path, content, where="out")
        value["files"] = [str(path) for path in (*paths(out), text, page, *more)]
        _clear(keep)
    value["seconds"] = time.perf_counter() - begin
    return value, training_summary(found, value)


def reports(out: Path) -> tuple[Path, Path]:
    """Names of the reports beside a predictor: HTML and JSON."""
    arrays, _ = paths(out)
    base = arrays.with_suffix("")
    return base.with_name(base.name + ".report.html"), base.with_name(base.name + ".report.json")


def _agents(texts: Sequence[str], game: Game, usual: str) -> tuple[Contestant, ...]:
    """The agents that are named, and the usual one for roles and teams that nobody plays."""
    named = {plain_name(text.partition("=")[0]) for text in texts}
    free = [side for side in game.sides if plain_name(side) not in named]
    rest = [f"{side}={usual}" for side in free] if all("=" in text for text in texts) else []
    return tuple(asked_agents([*texts, *rest], game))


def _files(records: Sequence[Path]) -> list[Path]:
    """The files that were named, and those of the folders that were named."""
    found: dict[Path, Path] = {}
    for named in records:
        for path in records_in(named) if named.is_dir() else [named]:
            if path.resolve() in found:
                raise SettingsError(
                    "this file is named twice",
                    where="RECORDS",
                    value=str(path),
                    hint="its games would count twice; name it once",
                )
            found[path.resolve()] = path
    if records and not found:
        raise SettingsError(
            "this folder holds no records",
            where="RECORDS",
            value=str(records[0]),
            hint="records are its files *.json",
        )
    return [*found.values()]


def _clear(folder: Path | None) -> None:
    from ...training.finished_fits import FinishedFits

    if folder is not None and folder.is_dir():
        # Another process that has begun meanwhile keeps what it needs.
        with contextlib.suppress(SettingsError), FinishedFits(folder, "") as kept:
            kept.clear()


def training_summary(found: Training, value: Mapping[str, Any]) -> Statements:
    """The scores of a training, and what is to be known of them.

    Args:
        found: The training.
        value: The same as plain values, with the files that were written.
    """
    judged = (
        f"{value['rows']:,} {found.rows.of.things} of {value['players']} players, {found.judged_on}"
    )
    said = [f"seed {found.seed}"]
    said += [f"{key} {played}" for key, played in found.rows.source.items() if key != "seed"]
    if "files" in value:
        said.append("written: " + ", ".join(value["files"]))
    return (
        Paragraph(f"Predicting that {found.sentence}", "strong"),
        Paragraph(judged, blank="below"),
        score_sheet(found, [head for head in HEADS if head != "G-mean"]),
        *(
            Section(each.title, (Paragraph(each.text), finding_sheet(each)))
            for each in found.findings
        ),
        Paragraph("; ".join(said), blank="above"),
        *(Paragraph(f"warning: {warning}") for warning in found.warnings),
    )
