"""Stated beliefs: questions about a record, and how good the answers are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sleuth._records import GameRecord, request, taken
from sleuth._saving import saved
from sleuth.data.progress import Tell, silent

if TYPE_CHECKING:
    import pandas as pd

    from sleuth.apps.kit.judging.judgement import Judgement
    from sleuth.apps.kit.judging.questionnaire import Questionnaire
    from sleuth.models.games import GameEntry
    from sleuth.models.play import PlayRecord

#: Columns of a text outside a terminal.
_WIDTH: Final = 100


def questionnaire(
    record: GameRecord | PlayRecord | str | Path | Mapping[str, object],
    *,
    observer: str | None = None,
    moments: int = 12,
    rules: GameEntry | str | None = None,
    **own: object,
) -> Questionnaire:
    """Questions about a record, for a person or a model to answer with probabilities.

    Args:
        record: As for `analyse`.
        observer: Whose view; None for the game's usual one.
        moments: At most so many moments, spread over the record.
        rules: As for `load`.
        own: Options that the game alone has.

    Raises:
        RecordError: It is no record, or breaks the rules of its game.
        SettingsError: Nothing that can be asked about is hidden from this viewer.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> asked = sleuth.kit.questionnaire(play.record())
    >>> asked.viewer, asked.events, asked.at(1)[0].about
    ('first', (0, 1), 'card of second')
    """
    from sleuth.apps.kit.judging.judged_records import questionnaire_of

    opened = taken(record, rules)
    asked = request(opened, observer=observer, own=own)
    with opened._opened(asked, own, "analyse") as found:  # pyright: ignore[reportPrivateUsage]
        return questionnaire_of(found, opened.value, asked, moments)


def judge(
    record: GameRecord | PlayRecord | str | Path | Mapping[str, object],
    stated: str | Path | Mapping[str, object],
    *,
    observer: str | None = None,
    normalise: bool = False,
    method: str = "auto",
    samples: int = 10_000,
    seed: int = 0,
    rules: GameEntry | str | None = None,
    progress: Tell = silent,
    **own: object,
) -> JudgedBeliefs:
    """Judge probabilities that somebody stated during a game against the exact posterior.

    Args:
        record: As for `analyse`.
        stated: The answers: a file (JSON or CSV), or the JSON's own value; see `questionnaire`.
        observer: Whose view; None for the one that the answers name, or the game's usual one.
        normalise: Whether probabilities that do not add up are divided by their sum.
        method: The inference method; ``"auto"`` takes the cheapest exact one.
        samples: Draws of approximate methods.
        seed: Of their chance, and of the bootstrap.
        rules: As for `load`.
        progress: Told how far the work is.
        own: Options that the game alone has.

    Raises:
        RecordError: It is no record, or the answers are about another one, or are not written so.
        SettingsError: An option has an impossible value, or is not for this game.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> said = {"queen": 0.75, "king": 0.25, "jack": 0.0}
    >>> answer = {"event": 1, "about": "card of second", "probabilities": said}
    >>> found = sleuth.judge(play.record(), {"answers": [answer]})
    >>> round(found.judgement.scores.kl_bits.value, 3), found.judgement.answers[0].truth
    (0.208, 'king')
    """
    from sleuth.apps.kit.judging.judged_records import judged
    from sleuth.apps.kit.judging.stated_files import read_stated

    answers = read_stated(stated)
    opened = taken(record, rules)
    asked = request(opened, observer=observer, method=method, samples=samples, seed=seed, own=own)
    with opened._opened(asked, own, "analyse") as found:  # pyright: ignore[reportPrivateUsage]
        judgement = judged(found, opened.value, asked, answers, normalise=normalise, tell=progress)
    return JudgedBeliefs(judgement)


@dataclass(frozen=True, eq=False)
class JudgedBeliefs:
    """Stated beliefs, judged. A notebook shows the page; `print` gives the text of the command.

    Attributes:
        judgement: All of it as plain data.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> said = {"queen": 0.5, "king": 0.5}
    >>> answer = {"event": 0, "about": "card of second", "probabilities": said}
    >>> found = sleuth.judge(play.record(), {"answers": [answer]})
    >>> print(str(found).splitlines()[0])
    Kuhn poker
    >>> found.to_json()["viewer"], found.to_frame().stated.tolist()
    ('first', [0.0, 0.5, 0.5])
    >>> found.html()[:15], found.save("judged.html").name
    ('<!doctype html>', 'judged.html')
    """

    judgement: Judgement = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values, as ``sleuth judge --json`` prints it."""
        return asdict(self.judgement)

    def to_frame(self) -> pd.DataFrame:
        """A tidy table: a row for each value of each answer.

        Columns: event, about, value, stated, exact.
        """
        import pandas as pd

        rows = [
            (each.event, each.about, share.value, share.stated, share.exact)
            for each in self.judgement.answers
            for share in each.shares
        ]
        return pd.DataFrame(rows, columns=["event", "about", "value", "stated", "exact"])

    def html(self) -> str:
        """The page with pictures: a whole page that needs nothing else."""
        from sleuth.apps.kit.judging.page import judgement_page

        return judgement_page(self.judgement)

    def save(self, path: str | Path) -> Path:
        """Write the judgement, in the form that the file's ending says.

        Args:
            path: The file: ``.html`` for the page, ``.json`` for `to_json`, ``.csv`` for the table
                of `to_frame`.

        Raises:
            SettingsError: The file has another ending, or cannot be written.
        """
        return saved(self, path, "the page")

    def __str__(self) -> str:
        from sleuth.apps.kit.answers.text import as_text
        from sleuth.apps.kit.judging.text import judgement_text

        return as_text(*judgement_text(self.judgement), width=_WIDTH)

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that its style stays with it."""
        from sleuth.data.markup import element

        style = "width:100%;height:40rem;border:0"
        return element("iframe", srcdoc=self.html(), style=style)
