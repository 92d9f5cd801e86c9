"""The work of workers for assistants, each a process of its own that can be ended.

They are handed what one player may see, packed as plain values, and nothing else; what was told at
a table of advice is what its player knows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast

from pydantic import TypeAdapter

from ...beliefs.games.contract import GameBelief
from ...beliefs.language.evidence import Evidence
from ...beliefs.language.features import Feature
from ...beliefs.posterior import Posterior
from ...data.errors import RecordError, SettingsError, UnsupportedError, nearest, plain_name
from ...data.progress import silent
from ...models.games import entry
from ...models.parcel import ViewParcel
from ...models.play import SeenPlay, View
from ...models.recorded import game_of_record
from ...planners.agents import Valuing, parse_agent
from ...planners.agents.learning import exact_gains, named
from ...planners.matches.match_games import prepare
from ..kit.advising.entries import Entry
from ..kit.advising.known import adviser_of
from ..kit.answers.forms import DecisionForm
from ..kit.answers.schema import to_json
from ..kit.answers.text import sentence
from ..kit.answers.values import Paragraph, Statement, Statements, right, sheet
from ..kit.display import Display
from ..kit.display import display as display_of
from ..kit.records.contract import AnalysisRequest, ShownAnalysis
from ..kit.records.opening import open_record
from ..kit.records.recorded_game import RecordedGame
from ..play.hints import hint
from ..table.game.jobs import GameName
from ..table.game.setting_up import asked_agent
from ..table.parcels import SightParcel
from ..table.replay.sources import RecordSource
from .forms import (
    AgentDecision,
    BeliefForm,
    BeliefsForm,
    MoveForm,
    ProofForm,
    WorthForm,
    WorthsForm,
)
from .limits import USUAL

#: Moves of a search that are put in words.
LISTED: Final = 10


# -- beside a real game


def news(game: str, settings: str, entries: str, before: str) -> Statements:
    """All that is known now and was not; a ContradictionError, if entries contradict."""
    return tuple(adviser_of(game).news(*_told(settings, entries), json.loads(before)))


def answered(game: str, command: str, rest: str, settings: str, entries: str) -> Statements:
    """The answer to a command; a ContradictionError, if entries contradict."""
    return tuple(adviser_of(game).answer(command, rest, *_told(settings, entries)))


def told_record(game: str, settings: str, entries: str) -> str:
    """The record of what was told."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        adviser_of(game).write(*_told(settings, entries), path)
        return path.read_text("utf-8")


def told_beliefs(
    table: str, game: str, settings: str, entries: str, names: tuple[str, ...], most: int
) -> BeliefsForm:
    """The marginals after all that was told, as the analysis of its record has them."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        adviser_of(game).write(*_told(settings, entries), path)
        found, value = open_record(path, AnalysisRequest(), instead="")
        if not isinstance(found, RecordedGame):
            raise UnsupportedError("beliefs of this game are not listed", value=game)
        recorded = cast("RecordedGame[Any, Any]", found)
        transcript = recorded.transcript(value, AnalysisRequest())
        *_, last = transcript.standpoints()
        shares: dict[str, dict[str, float]] = {}
        for name, thing, share in transcript.rows(last):
            shares.setdefault(name, {})[thing] = share
    exact = last.posterior is None or last.posterior.exact
    return _listed(table, shares, names, most, exact=exact)


# -- at a game


def beliefs(
    table: str, name: GameName, parcel: SightParcel, names: tuple[str, ...], most: int
) -> BeliefsForm:
    """The marginals of what is hidden from a seat."""
    display = name.display()
    posterior, hidden = _known(name, parcel)
    if posterior is None:
        return _listed(table, {}, names, most, exact=True)
    wanted = _wanted([*hidden], names)
    shares = {
        each: _shares(display, hidden[each], posterior)
        for each in (wanted or [*hidden][:most])
    }  # fmt: skip
    made = _listed(table, shares, tuple(wanted), most, exact=posterior.exact)
    others = tuple(each for each in hidden if each not in shares) if not wanted else ()
    return BeliefsForm(
        table=table, beliefs=made.beliefs, others=others[:most], exact=posterior.exact
    )


def proof(table: str, name: GameName, parcel: SightParcel, about: str, value: str) -> ProofForm:
    """The observations of a seat that make something certain, or impossible."""
    display, sight = name.display(), parcel.sight(name.game())
    posterior, hidden = _known(name, parcel)
    if posterior is None:
        raise UnsupportedError("nothing is hidden in this game", value=name.source)
    (key,) = _wanted([*hidden], (about,))
    feature = hidden[key]
    values = {display.value_name(feature, each): each for each in posterior.marginal(feature)}
    values |= {display.value_name(feature, each): each for each in feature.values}
    if value not in values:
        found = {plain_name(each): each for each in values}
        if plain_name(value) not in found:
            hint_ = nearest(value, [*values])
            raise SettingsError("it has no such value", where="value", value=value, hint=hint_)
        value = found[plain_name(value)]
    condition = feature.equals(values[value])
    because = posterior.explain(condition)
    certain = posterior.probability(condition) > 0.5
    words = [_reason(posterior, unit, display, sight) for unit in because]
    claim = f"{key} {'is' if certain else 'is not'} {value}"
    return ProofForm(
        table=table, claim=claim, because=tuple(dict.fromkeys(words)), shortest=because.shortest
    )


def worths(table: str, name: GameName, parcel: SightParcel, about: str, most: int) -> WorthsForm:
    """The expected information of every move that asks something."""
    sight = parcel.sight(name.game())
    belief = name.display().game_belief()
    if belief is None:
        raise UnsupportedError("nothing is hidden in this game", value=name.source)
    posterior = belief.infer(sight.view, sight.seen)
    hidden = named(belief, sight.view, about or None)
    gains = exact_gains(belief, sight.view, posterior, hidden)
    legal = {*sight.view.legal().tolist()}
    told = {code: bits for code, bits in (gains or {}).items() if code in legal}
    if not told:
        raise UnsupportedError(
            "no move that can be made now asks anything whose worth is known exactly",
            hint="'decide' with an agent such as 'mcts' values all moves",
        )
    names = name.display().said_names(sight.view)
    ranked = sorted(told.items(), key=lambda pair: -pair[1])[:most]
    questions = tuple(WorthForm(names[code], bits) for code, bits in ranked)
    return WorthsForm(table=table, about=tuple(hidden), questions=questions)


def advice(name: GameName, agent: str, seed: int, parcel: SightParcel) -> Statements:
    """A sentence on what an agent would do in a seat's place, and why."""
    game = name.game()
    (made,) = prepare(game, [parse_agent(agent, game)]).makers
    return [Paragraph(hint(made(seed), agent, parcel.sight(game), name.display()))]


def decision(name: GameName, agent: str, seed: int, parcel: ViewParcel) -> AgentDecision:
    """The decision of an agent that knows what a seat knows."""
    game = name.game()
    return _decided(name.display(), agent, seed, parcel.view(game), parcel.seen(game))


# -- records


def recorded_decision(text: str, event: int, agent: str) -> AgentDecision:
    """The decision of an agent after so many moves of a recorded play, for its player to move."""
    source = RecordSource.of(text, "record")
    record = source.play(source.value())
    if record is None:
        raise RecordError(
            "an agent needs the record of a play, with its actions",
            hint="'analyse_record' takes records in other notations",
        )
    if not 0 <= event <= len(record.actions):
        hint_ = f"the record has {len(record.actions)} moves"
        raise SettingsError("there is no such moment", where="event", value=event, hint=hint_)
    until = replace(record, actions=record.actions[:event])
    game = game_of_record(until, entry(record.game))
    play = until.replay(game)
    if play.over:
        raise SettingsError("the game is over at this moment", where="event", value=event)
    view, seen = play.view(play.player), play.seen_by(play.player)
    return _decided(display_of(game), asked_agent(agent, game), event, view, seen)


def analysed(text: str, name: str, observer: str | None, number: int) -> Statements:
    """The analysis of a record, as ``sleuth analyse`` prints it."""
    shown = _shown(text, name, observer, number)
    return [*shown.heading, *shown.body]


def analysed_as_json(text: str, name: str, observer: str | None, number: int) -> Statements:
    """The same as ``sleuth analyse --json`` prints it, as one text."""
    shown = _shown(text, name, observer, number)
    return [Paragraph(json.dumps(shown.to_json(), allow_nan=False))]


def _shown(text: str, name: str, observer: str | None, number: int) -> ShownAnalysis:
    source = RecordSource.of(text, name or "record", number)
    value = source.value()
    found, asked = source.analysis(value), source.asked(observer)
    found.check(asked)
    return found.analysed(value, asked, silent)


# -- parts


def _told(settings: str, entries: str) -> tuple[Mapping[str, Any], Sequence[Entry]]:
    return json.loads(settings), json.loads(entries)


def _known(name: GameName, parcel: SightParcel) -> tuple[Posterior | None, Mapping[str, Feature]]:
    belief: GameBelief | None = name.display().game_belief()
    if belief is None:
        return None, {}
    sight = parcel.sight(name.game())
    hidden = belief.hidden(sight.view)
    if not hidden:
        return None, {}
    return belief.infer(sight.view, sight.seen), hidden


def _shares(display: Display, feature: Feature, posterior: Posterior) -> dict[str, float]:
    marginal = posterior.marginal(feature)
    return {display.value_name(feature, each): share for each, share in marginal.items()}


def _wanted(known: list[str], names: tuple[str, ...]) -> list[str]:
    """The hidden things that were asked for.

    Raises:
        SettingsError: Nothing hidden has such a name.
    """
    plain = {plain_name(each): each for each in known}
    for each in names:
        if plain_name(each) not in plain:
            raise SettingsError(
                "nothing that is hidden has this name",
                where="names",
                value=each,
                hint=nearest(each, known) if known else "nothing is hidden now",
            )
    return [plain[plain_name(each)] for each in names]


def _listed(
    table: str,
    shares: Mapping[str, Mapping[str, float]],
    names: tuple[str, ...],
    most: int,
    *,
    exact: bool,
) -> BeliefsForm:
    wanted = _wanted([*shares], names) or [*shares][:most]
    others = () if names else tuple(each for each in shares if each not in wanted)
    values = most if names else min(most, USUAL.likeliest)
    made = tuple(_belief(each, shares[each], values) for each in wanted)
    return BeliefsForm(table=table, beliefs=made, others=others[:most], exact=exact)


def _belief(name: str, shares: Mapping[str, float], most: int) -> BeliefForm:
    possible = sorted(((k, v) for k, v in shares.items() if v > 0.0), key=lambda pair: -pair[1])
    bits = -sum(share * math.log2(share) for _, share in possible)
    return BeliefForm(name, max(0.0, bits), dict(possible[:most]), max(0, len(possible) - most))


def _reason(posterior: Posterior, unit: str | int, display: Display, sight: Any) -> str:
    """An observation in words: the event that it is of, as the seat saw it."""
    if isinstance(unit, int) and 1 <= unit <= len(sight.seen.events):
        return f"event {unit}: {display.sentence(sight, unit - 1)}"
    said = [
        step.because
        for step in posterior.history
        if isinstance(step, Evidence) and unit in (step.event, step.id) and step.because
    ]
    return "; ".join(dict.fromkeys(said)) or str(unit)


def _decided(display: Display, agent: str, seed: int, view: View, seen: SeenPlay) -> AgentDecision:
    game, found, names = display.game, None, display.said_names(view)
    said: list[Statement] = []
    (make,) = prepare(game, [parse_agent(agent, game)]).makers
    made = make(seed)
    if isinstance(made, Valuing):
        searched = made.decision(view, seen)
        action = searched.action
        found = TypeAdapter(DecisionForm).validate_python(searched.to_json())
        mixed = searched.mixture(names)
        words = [f"It {mixed}" if mixed else "", searched.caveat]
        said += [Paragraph(sentence(each)) for each in words if each]
        said += _searched(found, names)
    else:
        action = int(made.decide(view, seen))
    move = MoveForm(action, names.get(action, game.action_name(action)))
    shown, role = tuple(map(to_json, said)), game.roles[view.viewer]
    return AgentDecision(agent=agent, role=role, move=move, decision=found, said=shown)


def _searched(found: DecisionForm, names: Mapping[int, str]) -> Statements:
    """The moves that a search preferred."""
    rows: list[tuple[str, str, str, str]] = []
    for each in found.actions[:LISTED]:
        low, high = each.interval or (None, None)
        between = "" if low is None or high is None else f"{low:+.3f} to {high:+.3f}"
        value = "" if each.value is None else f"{each.value:+.3f}"
        rows.append((names.get(each.action, each.name), str(each.visits), value, between))
    return [sheet("move", right("visits"), right("value"), "95 %", rows=rows)]
