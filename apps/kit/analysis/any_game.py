"""Records of plays of any game, as the commands ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ....beliefs.games.contract import GameBelief
from ....beliefs.games.registry import belief
from ....beliefs.language.features import Feature, together
from ....beliefs.posterior import Posterior
from ....data.errors import RecordError, SettingsError
from ....models.game import Game
from ....models.play import PlayRecord, kept_record, viewer_name
from ....models.records.replay import observed
from ...play.display import Display
from ..console import Tell
from ..own_options import OwnOption
from ..records.contract import Asked, Row, Rows
from ..records.recorded_game import RecordedGame
from .analyst import ALL, MOST_JOINT, NO_AGENT, USUAL_AGENT, Analyst, viewers
from .moments import Analysis

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ....beliefs.judging.compare import Comparison


@dataclass(frozen=True)
class AnalysedPlay:
    """One record, from the eyes of one viewer or of several.

    Attributes:
        analyses: One for each viewer.
        display: What shows the game.
    """

    analyses: tuple[Analysis, ...]
    display: Display

    def to_json(self) -> dict[str, object]:
        """As ``--json`` prints it: one analysis, or all of them under ``viewers``."""
        if len(self.analyses) == 1:
            return self.analyses[0].to_json()
        first = self.analyses[0]
        return {
            "game": first.game,
            "settings": dict(first.settings),
            "roles": list(first.roles),
            "viewers": [each.to_json() for each in self.analyses],
            "version": first.version,
            "seed": first.seed,
        }

    def render(self, width: int) -> RenderableType:
        """For a terminal of this many columns."""
        from rich.console import Group

        from .text import render

        return Group(*(render(each, width) for each in self.analyses))

    def html(self) -> str:
        """The report."""
        from .page import html_report

        return html_report(self.analyses, self.display)


class AnyGame(RecordedGame):
    """Analyses a record of any game, from the game, its belief and its words alone.

    Args:
        game: The game of the record.
        belief: What its players can know; None where nothing is hidden.
        display: Its words.
        own: Its own options, which its belief is told.
    """

    shared = frozenset({"--agent", "--event"})

    def __init__(
        self,
        game: Game,
        belief: GameBelief | None,
        display: Display,
        own: tuple[OwnOption, ...] = (),
    ) -> None:
        self.game, self.belief, self.display, self.own = game, belief, display, own

    def check(self, asked: Asked) -> None:
        """Refuses a viewer, a method or an agent that there is not, before anything is computed."""
        viewers(self.game, asked.observer)
        super().check(asked)

    def analysed(self, value: object, asked: Asked, tell: Tell) -> AnalysedPlay:
        """What every viewer asked for could have known, and what their moves were worth."""
        record = kept_record(value)
        analyst = self._analyst(asked, asked.agent or USUAL_AGENT)
        return AnalysedPlay(
            tuple(
                analyst.analyse(record, viewer, tell)
                for viewer in viewers(self.game, asked.observer)
            ),
            self.display,
        )

    def rows(self, value: object, asked: Asked) -> Rows:
        """How likely every value of everything hidden was after every event."""
        record = kept_record(value)
        if asked.observer == ALL:
            raise SettingsError(
                "a table is seen by one viewer",
                where="--observer",
                value=asked.observer,
                hint="name one role, or 'spectator'",
            )
        (viewer,) = viewers(self.game, asked.observer)
        seen = record.replay(self.game).seen_by(viewer)
        return Rows(
            viewer_name(self.game.roles, viewer), seen.digest, self._rows(record, viewer, asked)
        )

    def _rows(self, record: PlayRecord, viewer: int, asked: Asked) -> Iterator[Row]:
        analyst = self._analyst(asked, NO_AGENT)
        for number, each in enumerate(observed(record, self.game, viewer)):
            posterior = analyst.posterior(each)
            if posterior is None:
                continue
            for name, feature in analyst.hidden(each.view).items():
                for value, share in analyst.marginal(posterior, feature):
                    yield number, name, value, share

    def compared(
        self, value: object, asked: Asked, methods: Sequence[str], *, curves: bool, tell: Tell
    ) -> tuple[str | None, Comparison]:
        """The methods on what a viewer had seen after one event: by default where most was open."""
        from ..records.comparing import compare_on_record

        if self.belief is None:
            raise SettingsError(
                "nothing is hidden in this game, so there is nothing to compare",
                value=self.game.name,
            )
        record = kept_record(value)
        (viewer,) = viewers(self.game, asked.observer)
        event, posterior, features = self._moment(record, viewer, asked)
        name = f"{self.display.title}, {viewer_name(self.game.roles, viewer)} after event {event}"
        result = compare_on_record(
            posterior.model,
            posterior.history,
            asked,
            methods,
            about=together(*features.values()) if len(features) > 1 else [*features.values()],
            about_name=", ".join(features),
            curves=curves,
            tell=tell,
        )
        return name, result

    def _moment(
        self, record: PlayRecord, viewer: int, asked: Asked
    ) -> tuple[int, Posterior, dict[str, Feature]]:
        """The event that is compared on, the posterior after it, and what it is asked about."""
        analyst = self._analyst(asked, NO_AGENT)
        found: tuple[float, int, Posterior, dict[str, Feature]] | None = None
        last = 0
        for number, each in enumerate(observed(record, self.game, viewer)):
            last = number
            if asked.event is not None and number != asked.event:
                continue
            posterior = analyst.posterior(each)
            assert posterior is not None
            features = dict(analyst.hidden(each.view))
            bits = round(sum(posterior.entropy(feature) for feature in features.values()), 9)
            # Of equally open moments the latest has most evidence to be compared on.
            if features and (found is None or bits >= found[0]):
                found = bits, number, posterior, _fitting(posterior, features)
        if found is None:
            raise RecordError(
                "nothing is hidden from this viewer then",
                where="--event" if asked.event is not None else None,
                value=asked.event,
                hint=f"the viewer saw events 0 to {last}",
            )
        return found[1:]

    def _analyst(self, asked: Asked, agent: str) -> Analyst:
        told = self.values(asked)
        return Analyst(
            self.game,
            belief(self.game, **told) if told else self.belief,
            self.display,
            method=asked.method,
            agent=agent,
            samples=asked.samples,
            seed=asked.seed,
        )


def _fitting(posterior: Posterior, features: dict[str, Feature]) -> dict[str, Feature]:
    """The most open features, as many as have a joint that can be compared."""
    ranked: list[tuple[float, str, Any]] = sorted(
        ((posterior.entropy(feature), name, feature) for name, feature in features.items()),
        key=lambda entry: -entry[0],
    )
    chosen: dict[str, Feature] = {}
    size = 1
    for _, name, feature in ranked:
        if not chosen or size * feature.value_count <= MOST_JOINT:
            chosen[name] = feature
            size *= feature.value_count
    return chosen
