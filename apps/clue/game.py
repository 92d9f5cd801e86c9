"""Records of Clue, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...beliefs.games.clue.declaration import ClueDeclaration
from ...data.errors import SettingsError
from ...models.clue.refuters import ChoiceModel, choice_model
from ..kit.console import Tell
from ..kit.records.contract import Asked, Row, Rows
from ..kit.records.recorded_game import AnalysedAlone, RecordedGame
from .options import OPTIONS
from .recorded import recorded

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ...beliefs.games.clue.learned import LearnedBelief
    from ...beliefs.judging.compare import Comparison
    from ...models.clue.seen import SeenGame


class ClueGame(RecordedGame[Any, Any]):
    """Clue: who has which card, what is certain and why, what to ask."""

    own = OPTIONS
    shared = frozenset({"--event"})

    def check(self, asked: Asked) -> None:
        """Refuses a method, a choice or a count that there is not."""
        super().check(asked)
        choice_of(asked)
        listener(asked)

    def heading(self, value: object, asked: Asked) -> RenderableType:
        """Who plays, and whose view it is."""
        from .report.text import heading

        found = recorded(value, asked.observer)
        return heading(found.game, found.name, found.source)

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedAlone:
        """What the viewer could have known at every moment."""
        from .analysis import ADVICE, SUGGESTIONS, analyse

        found = recorded(value, asked.observer)
        return AnalysedAlone(
            analyse(
                found.game,
                method=asked.method,
                choice=choice_of(asked),
                heard=listener(asked, walks=found.walks),
                suggestions=self.values(asked).get("suggestions", SUGGESTIONS),
                advice=0 if asked.brief else ADVICE,
                samples=asked.samples,
                seed=asked.seed,
                standings=() if asked.brief else found.standings,
                name=found.name,
                source=found.source,
                progress=tell,
            ),
            __package__ or "",
        )

    def rows(self, value: object, asked: Asked) -> Rows:
        """Who has which card after every event."""
        game = recorded(value, asked.observer).game
        return Rows(game.viewer, game.digest, _rows(game, asked))

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The methods on what the viewer had seen after one event."""
        from ..kit.records.comparing import compare_on_record, moment_of
        from .analysis import moments

        found = recorded(value, asked.observer)
        belief = ClueDeclaration(found.game, choice_of(asked))
        known = moments(found.game, belief)
        event, posterior = moment_of(
            ((moment.event, moment.entropy_bits, posterior) for moment, posterior in known),
            asked.event,
        )
        result = compare_on_record(
            posterior.model,
            posterior.history,
            asked,
            methods,
            about=belief.case_file,
            about_name=f"the case file after event {event}",
            curves=curves,
            tell=tell,
        )
        return found.name, result


def choice_of(asked: Asked) -> ChoiceModel:
    """How a refuter chooses the card they show.

    Raises:
        SettingsError: There is no such choice, or no such card.
    """
    order = None
    if (named := asked.own.get("preference")) is not None:
        order = [card for part in named.split(",") if (card := part.strip())]
        if not order:
            raise SettingsError("name at least one card", where="--preference", value=named)
    return choice_model(
        asked.own.get("choice") or ("random" if order is None else "preference"), order
    )


def listener(asked: Asked, *, walks: bool = True) -> LearnedBelief | None:
    """What listens to what players ask and show; None where nobody asked for it.

    Raises:
        SettingsError: Something else was asked for that does not go with it.
    """
    name = asked.own.get("predictor")
    if name is None:
        return None
    for option in ("choice", "preference"):
        if option in asked.own:
            raise SettingsError(
                "a predictor says itself which card a refuter shows",
                where=f"--{option}",
                value=asked.own[option],
                hint=f"leave out --{option} or --predictor",
            )
    if asked.method != "auto":
        raise SettingsError(
            "a belief that listens takes the cheapest exact method",
            where="--method",
            value=asked.method,
            hint="leave out --method or --predictor",
        )
    from ...beliefs.games.clue.learned import LearnedBelief

    return LearnedBelief(name, walks=walks)


def _rows(game: SeenGame, asked: Asked) -> Iterator[Row]:
    from .analysis import moments

    belief = ClueDeclaration(game, choice_of(asked))
    after: Any = moments(game, belief, method=asked.method, samples=asked.samples, seed=asked.seed)
    for moment, _ in after:
        for card, shares in moment.marginals.items():
            for holder, probability in shares.items():
                yield moment.event, card, holder, probability
