"""Records of Clue, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..beliefs.clue import ClueBelief
from ..data.errors import RecordError, SettingsError, nearest
from ..models.clue.choice import ChoiceModel, choice_model
from ..models.clue.record import Record
from .analyses import Asked, Row, Rows
from .console import Tell

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..beliefs.compare import Comparison
    from ..models.clue.seen import SeenGame
    from .clue_analysis import Analysis


@dataclass(frozen=True)
class AnalysedClue:
    """An analysed game of Clue, to be shown."""

    analysis: Analysis

    def to_json(self) -> dict[str, object]:
        """As ``--json`` prints it."""
        return self.analysis.to_json()

    def render(self, width: int) -> RenderableType:
        """For a terminal of this many columns."""
        from .clue_text import render

        return render(self.analysis, width)

    def html(self) -> str:
        """The report."""
        from .report import html_report

        return html_report(self.analysis)


class ClueGame:
    """Clue: who has which card, what is certain and why, what to ask."""

    options = frozenset({"--choice", "--preference", "--suggestions"})

    @property
    def methods(self) -> tuple[str, ...]:
        """All engines."""
        from ..beliefs.engines import NAMES

        return tuple(NAMES)

    def check(self, asked: Asked) -> None:
        """Refuses a method, a choice or a count that there is not."""
        if asked.method != "auto":
            from ..beliefs.engines import engine

            engine(asked.method)
        choice_of(asked)
        _count(asked.suggestions)

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedClue:
        """What the viewer could have known at every moment."""
        from .clue_analysis import ADVICE, analyse

        record = Record.from_json(value)
        return AnalysedClue(
            analyse(
                _seen(record, asked.observer),
                method=asked.method,
                choice=choice_of(asked),
                suggestions=_count(asked.suggestions),
                advice=0 if asked.brief else ADVICE,
                samples=asked.samples,
                seed=asked.seed,
                name=record.name,
                source=record.source,
                progress=tell,
            )
        )

    def rows(self, value: object, asked: Asked) -> Rows:
        """Who has which card after every event."""
        game = Record.from_json(value).seen_by(asked.observer)
        return Rows(game.viewer, game.digest, _rows(game, asked))

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The methods on all the viewer had seen at the end."""
        from .comparing import compare_on_game

        record = Record.from_json(value)
        result = compare_on_game(
            _seen(record, asked.observer),
            choice_of(asked),
            methods=methods,
            samples=asked.samples,
            seed=asked.seed,
            curves=curves,
            progress=tell,
        )
        return record.name, result


def choice_of(asked: Asked) -> ChoiceModel:
    """How a refuter chooses the card he shows.

    Raises:
        SettingsError: There is no such choice, or no such card.
    """
    order = None
    if asked.preference is not None:
        order = [card for part in asked.preference.split(",") if (card := part.strip())]
        if not order:
            raise SettingsError(
                "name at least one card", where="--preference", value=asked.preference
            )
    return choice_model(asked.choice or ("random" if order is None else "preference"), order)


def _rows(game: SeenGame, asked: Asked) -> Iterator[Row]:
    from .clue_analysis import moments

    belief = ClueBelief(game, choice_of(asked))
    after: Any = moments(game, belief, method=asked.method, samples=asked.samples, seed=asked.seed)
    for moment, _ in after:
        for card, shares in moment.marginals.items():
            for holder, probability in shares.items():
                yield moment.event, card, holder, probability


def _count(suggestions: str | None) -> int | None:
    suggestions = "10" if suggestions is None else suggestions
    if suggestions.strip().lower() == "all":
        return None
    if not (suggestions.isascii() and suggestions.isdecimal() and len(suggestions) < 10):
        raise SettingsError(
            "this is no number of suggestions",
            where="--suggestions",
            value=suggestions,
            hint="write a whole number, or all",
        )
    return int(suggestions)


def _seen(record: Record, observer: str | None) -> SeenGame:
    available = record.viewers()
    if observer is None or observer in available or observer in record.players:
        return record.seen_by(observer)
    close = nearest(observer, available)
    hint = f"available: {', '.join(available)}"
    raise RecordError(
        "nobody of this name plays",
        where="--observer",
        value=observer,
        hint=f"{close} {hint}" if close.startswith("did") else hint,
    )
