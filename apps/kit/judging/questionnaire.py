"""Questions about a record that somebody answers with probabilities, as a file and as a text.

A question stands at a moment of the record and asks about one hidden thing. Its text holds what the
viewer saw until then, and nothing else: neither later events nor what was hidden from them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....beliefs.language.features import Feature, TupleOf
from ....beliefs.posterior import Posterior
from ....data.errors import SettingsError
from ....data.version import version
from ..analysis.transcript import Standpoint, Transcript
from ..answers.text import as_text

#: Most values of one thing of which somebody can say how likely each is.
MOST_VALUES: Final = 256
#: Most values that a template lists one by one; of more, those that are thought likely are named.
MOST_LISTED: Final = 24
#: Moments at which is asked if nothing else is said.
USUAL_MOMENTS: Final = 12
#: An answer as a text asks for it.
FORM: Final = {"event": 0, "about": "...", "probabilities": {"...": 0.5}}
#: Columns of a text.
WIDTH: Final = 80


@dataclass(frozen=True, eq=False)
class AskedFeature:
    """Something hidden that can be asked about at a moment.

    Attributes:
        name: What it is called; that of a part of it where all of it has too many values.
        feature: What it is in the belief.
        values: Its values in words, each another.
    """

    name: str
    feature: Feature
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class AskedMoment:
    """A moment of a record, with what can be asked then.

    Attributes:
        event: After how many events of the viewer's.
        text: The event in words.
        features: What can be asked about, by name.
        now: The viewer's standpoint.
    """

    event: int
    text: str
    features: Mapping[str, AskedFeature]
    now: Standpoint[Any]

    @property
    def posterior(self) -> Posterior | None:
        """All that follows from what the viewer saw; None where nothing is hidden."""
        return self.now.posterior


def moments_of(transcript: Transcript[Any, Any]) -> list[AskedMoment]:
    """All moments of a record, each with what can be asked then."""
    return [
        AskedMoment(event, now.text, {each.name: each for each in _asked(transcript, now)}, now)
        for event, now in enumerate(transcript.standpoints())
    ]


def _asked(transcript: Transcript[Any, Any], now: Standpoint[Any]) -> Iterator[AskedFeature]:
    if now.posterior is None:
        return
    for name, feature in (now.hidden or {}).items():
        parts = {name: feature}
        if feature.value_count > MOST_LISTED and isinstance(feature, TupleOf):
            count = len(feature.parts)
            parts = {f"{name}, part {n} of {count}": p for n, p in enumerate(feature.parts, 1)}
        for called, part in parts.items():
            if 1 < part.value_count <= MOST_VALUES:
                yield AskedFeature(called, part, _distinct(transcript, part))


def _distinct(transcript: Transcript[Any, Any], feature: Feature) -> tuple[str, ...]:
    words = [transcript.value_name(feature, value) for value in feature.values]
    return tuple(
        f"{word} ({place})" if words.count(word) > 1 else word
        for place, word in enumerate(words, start=1)
    )


@dataclass(frozen=True)
class BeliefQuestion:
    """A question about one hidden thing at a moment.

    Attributes:
        event: After how many events.
        happened: The last of them in words.
        about: The hidden thing.
        values: All values that it can have, whatever was seen.
    """

    event: int
    happened: str
    about: str
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Questionnaire:
    """Questions about a record from one viewer's eyes.

    Attributes:
        game: The game's name.
        viewer: Whose eyes.
        record_sha256: The digest of what they saw.
        questions: In the order of the moments.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> asked = sleuth.kit.questionnaire(play.record(), observer="second")
    >>> [(each.event, each.about) for each in asked.questions]
    [(0, 'card of first'), (1, 'card of first')]
    >>> asked.questions[0].values
    ('jack', 'queen', 'king')
    >>> print(asked.prompt(1).splitlines()[0], asked.prompts().count("How likely"), asked.events)
    Kuhn poker 2 (0, 1)
    >>> asked.at(1)[0].happened, asked.to_csv().splitlines()[1]
    ('first: bet', '0,card of first,jack,')
    >>> asked.to_json()["answers"][0]["probabilities"]
    {'jack': None, 'queen': None, 'king': None}
    """

    game: str
    viewer: str
    record_sha256: str
    questions: tuple[BeliefQuestion, ...]
    _heads: tuple[str, ...]
    _events: tuple[str, ...]
    _known: Mapping[int, str]

    @property
    def events(self) -> tuple[int, ...]:
        """The moments at which is asked."""
        return tuple(dict.fromkeys(each.event for each in self.questions))

    def at(self, event: int) -> tuple[BeliefQuestion, ...]:
        """The questions at a moment.

        Raises:
            SettingsError: Nothing is asked then.
        """
        found = tuple(each for each in self.questions if each.event == event)
        if not found:
            raise SettingsError(
                "nothing is asked then",
                where="event",
                value=event,
                hint=f"asked is after {_in_runs(self.events)}",
            )
        return found

    def prompt(self, event: int) -> str:
        """The questions at a moment, with all that the viewer had seen by then, as text.

        Raises:
            SettingsError: Nothing is asked then.
        """
        asked = self.at(event)
        lines = [*self._heads, ""]
        lines += [f"{number}. {self._events[number]}" for number in range(1, event + 1)]
        if not event:
            lines.append("Nothing has happened yet.")
        if self._known[event]:
            lines += ["", "As it stands now:", self._known[event]]
        lines += ["", f"How likely is each value, as far as {self.viewer} can know by then?"]
        lines += [f"- {each.about}: {', '.join(each.values)}" for each in asked]
        lines += [
            "",
            "Answer with JSON alone. The probabilities of each thing add up to 1:",
            json.dumps({"answers": [FORM | {"event": event}]}),
        ]
        return "\n".join(lines) + "\n"

    def prompts(self) -> str:
        """All of these texts, one after the other: each holds only what was seen by then."""
        return f"\n{'-' * WIDTH}\n\n".join(map(self.prompt, self.events))

    def to_json(self) -> dict[str, object]:
        """A template of answers: the judge writes numbers where null stands."""
        return {
            "game": self.game,
            "viewer": self.viewer,
            "record_sha256": self.record_sha256,
            "version": version(),
            "answers": [
                {
                    "event": each.event,
                    "happened": each.happened,
                    "about": each.about,
                    "probabilities": dict.fromkeys(listed_values(each.values)),
                }
                for each in self.questions
            ],
        }

    def to_csv(self) -> str:
        """The same as a table, with a column in which probabilities are to be written."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("event", "about", "value", "probability"))
        for each in self.questions:
            writer.writerows((each.event, each.about, v, "") for v in listed_values(each.values))
        return text.getvalue()


def questions_of(transcript: Transcript[Any, Any], moments: int = USUAL_MOMENTS) -> Questionnaire:
    """Questions at some moments of a record, spread over it.

    Args:
        transcript: The record from the viewer's eyes.
        moments: At most so many moments.

    Raises:
        SettingsError: Nothing that can be asked about is hidden from this viewer.
    """
    found = moments_of(transcript)
    open_ = [each for each in found if each.features]
    if not open_:
        raise SettingsError(
            "nothing that can be asked about is hidden from this viewer",
            where="observer",
            value=transcript.viewer,
        )
    return Questionnaire(
        game=transcript.game,
        viewer=transcript.viewer,
        record_sha256=transcript.sha256,
        questions=tuple(
            BeliefQuestion(each.event, each.text, asked.name, asked.values)
            for each in _spread(open_, moments)
            for asked in each.features.values()
        ),
        _heads=(transcript.title, *transcript.prelude),
        _events=tuple(each.text for each in found),
        _known={each.event: "\n".join(map(str.rstrip, _lines_of(each))) for each in found},
    )


def _lines_of(moment: AskedMoment) -> list[str]:
    """All that the viewer sees at a moment, without empty lines around it."""
    return as_text(*moment.now.known(), width=WIDTH).strip("\n").splitlines()


def listed_values(values: Sequence[str]) -> tuple[str, ...]:
    """The values that a template lists: all, or none where they are too many."""
    return tuple(values) if len(values) <= MOST_LISTED else ()


def _in_runs(numbers: Sequence[int]) -> str:
    """Rising numbers in words: ``0 to 5, 7, 9 to 12``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )


def _spread(moments: Sequence[AskedMoment], most: int) -> list[AskedMoment]:
    """At most so many moments, among them the first and the last, at about equal distances."""
    if len(moments) <= most:
        return list(moments)
    if most == 1:
        return [moments[-1]]
    return [moments[round(n * (len(moments) - 1) / (most - 1))] for n in range(most)]
