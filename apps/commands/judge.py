"""`sleuth judge`: probabilities that somebody stated about a record, beside the exact ones."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ...data.errors import SettingsError
from ..kit.console import out, progress
from ..kit.showing import show
from ..kit.sleuth_command import given
from .options import Json, Rules, Samples, Seed

MOST_MOMENTS = 10_000


def judge(
    context: typer.Context,
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="A recorded game.")],
    stated: Annotated[
        Path | None,
        typer.Argument(
            metavar="STATED", help="What somebody stated: a filled-in template, JSON or CSV."
        ),
    ] = None,
    viewer: Annotated[
        str | None,
        typer.Option(
            "--as",
            "--observer",
            metavar="NAME",
            help="Whose eyes: a player, or 'spectator'. By default the one that the answers name.",
        ),
    ] = None,
    template: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json|.csv|.txt",
            help="Write questions instead: a template to fill in, or texts to be asked with.",
        ),
    ] = None,
    moments: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=MOST_MOMENTS, help="For a template: at most so many moments."
        ),
    ] = 12,
    event: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=1_000_000,
            help="Print the text of the questions after this event, which holds what was seen by"
            " then and nothing else.",
        ),
    ] = None,
    normalise: Annotated[
        bool,
        typer.Option("--normalise", help="Divide probabilities that do not add up by their sum."),
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write the page with pictures.")
    ] = None,
    samples: Samples = 10_000,
    seed: Seed = 0,
    as_json: Json = False,
    rules: Rules = None,
) -> None:
    """How good are beliefs that a person or a model stated during a game?

    They are judged against the exact posterior of the same viewer at the same moment: scores,
    calibration, how the gap grows, whether late evidence weighs more, what was impossible or
    certain and why. `--template` writes the questions first.
    """
    from ...data.disk.writing import write_whole
    from ..kit.judging.judged_records import judged, questionnaire_of
    from ..kit.judging.page import judgement_page
    from ..kit.judging.questionnaire import Questionnaire
    from ..kit.judging.stated_files import read_stated, template_text
    from ..kit.judging.text import judgement_text
    from ..kit.records.contract import AnalysisRequest
    from ..kit.records.opening import named, open_record
    from ..kit.writing import refuse_unwritable

    asking = template is not None or event is not None
    if asking == (stated is not None):
        raise SettingsError(
            "either answers are judged, or questions are asked",
            where="STATED",
            hint="name a file of answers, or `template=FILE.json`",
        )
    sources = (record,) if stated is None else (record, stated)
    for file, where in ((html, "html"), (template, "template")):
        if file is not None:
            refuse_unwritable(file, where=where, sources=sources)
    asked = AnalysisRequest(
        observer=viewer, samples=samples, seed=seed, rules=rules, own=given(context)
    )
    if stated is not None:
        answers = read_stated(stated)
        game, value = open_record(record, asked, instead="name one record in it")
        with progress(wanted=not as_json) as tell, named(record):
            found = judged(game, value, asked, answers, normalise=normalise, tell=tell)
        if html is not None:
            write_whole(html, judgement_page(found), where="html")
        said = partial(judgement_text, found)
        show(partial(asdict, found), said, as_json=as_json, page=html)
        return
    game, value = open_record(record, asked, instead="name one record in it")
    with named(record):
        everything = event is not None
        questions: Questionnaire = questionnaire_of(
            game, value, asked, MOST_MOMENTS if everything else moments
        )
    if template is not None:
        text = template_text(template, questions) if event is None else questions.prompt(event)
        write_whole(template, text, where="template")
        where = f"The questions to {questions.viewer} are in {template}"
        out().print(f"{where}: {len(questions.questions)} at {len(questions.events)} moments")
    elif event is not None:
        print(questions.prompt(event), end="")
