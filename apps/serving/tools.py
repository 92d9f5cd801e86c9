"""The tools by which an assistant asks a desk: names, words, and the schemas of both sides."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model

from ...data.errors import SettingsError, nearest
from ...models.records.reading import what_is_wrong
from .desk import Desk


@dataclass(frozen=True)
class Tool:
    """A tool.

    Attributes:
        run: The method of the desk; its annotations are the schemas, its name that of the tool.
        says: What it does, for the assistant.
        reads: Whether it changes nothing.
        runs_code: Whether it runs code that the caller names.
    """

    run: Callable[..., Awaitable[Any]]
    says: str
    reads: bool = True
    runs_code: bool = False

    @property
    def name(self) -> str:
        """Its name: that of the method."""
        return self.run.__name__

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ").capitalize()

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """The model of its arguments: no others are taken, and none is made of something else."""
        hints = typing.get_type_hints(self.run, include_extras=True)
        fields: dict[str, Any] = {}
        for name, each in list(inspect.signature(self.run).parameters.items())[1:]:
            usual = ... if each.default is inspect.Parameter.empty else each.default
            fields[name] = (hints[name], usual)
        return create_model(self.name, __config__=ConfigDict(extra="forbid", strict=True), **fields)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return self.arguments.model_json_schema()

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of its answer."""
        made: TypeAdapter[Any] = TypeAdapter(typing.get_type_hints(self.run)["return"])
        return made.json_schema(mode="serialization")

    async def call(self, desk: Desk, given: Mapping[str, Any]) -> Any:
        """The answer of a desk.

        Args:
            desk: The desk.
            given: The arguments, as plain values.

        Raises:
            SleuthError: They are not those of the schema, or it cannot be done.
        """
        try:
            made = self.arguments.model_validate(dict(given))
        except ValidationError as problem:
            raise self._refusal(problem) from None
        values = {name: getattr(made, name) for name in self.arguments.model_fields}
        return await self.run(desk, **values)

    def _refusal(self, problem: ValidationError) -> SettingsError:
        error = problem.errors(include_url=False)[0]
        place = [str(each) for each in error["loc"]]
        known = list(self.arguments.model_fields)
        if error["type"] == "extra_forbidden":
            hint = nearest(place[0], known) if known else "it takes none"
            said = "there is no such argument"
            return SettingsError(said, where=self.name, value=place[0], hint=hint)
        where = f"{self.name}, argument {place[0]!r}" if place else self.name
        if error["type"] == "missing":
            return SettingsError("this is missing", where=where)
        return SettingsError(what_is_wrong(error), where=where, value=error["input"])


TOOLS: Final = (
    Tool(
        Desk.list_games,
        "List the games that sleuth knows, with their settings and what these mean.",
    ),
    Tool(
        Desk.describe_game,
        "Describe a game: rules in short, roles, settings, agents, and how lines are written and "
        "what can be asked beside a real game of it. Read this before 'tell' and 'open_game'.",
    ),
    Tool(
        Desk.open_advice,
        "Open a table beside a real game that people play elsewhere: you tell what one player "
        "sees, and ask what they can know and should do. It asks first for what must be set up, "
        "such as the players and the own cards: answer by 'tell'.",
        reads=False,
    ),
    Tool(
        Desk.tell,
        "Tell a table of advice what happened, in the game's own lines, or answer what it asks "
        "while it is set up. The answer says what is known now and was not, and whose turn it is.",
        reads=False,
    ),
    Tool(
        Desk.set_up,
        "Answer one of the first questions of a table of advice anew, such as the own hand.",
        reads=False,
    ),
    Tool(
        Desk.correct_entry,
        "Change, insert or remove an entry of a table of advice, or count it no longer.",
        reads=False,
    ),
    Tool(
        Desk.undo,
        "Take back the last step at a table of advice; again for the one before.",
        reads=False,
    ),
    Tool(
        Desk.ask,
        "Ask a table of advice a question in the game's own words, such as 'notebook', 'best 5' or "
        "'why plum' in Clue; 'describe_game' lists them.",
    ),
    Tool(
        Desk.open_game,
        "Open a game to play here, against agents or between several seats. It gives a word for "
        "each seat, which sees its own only.",
        reads=False,
    ),
    Tool(
        Desk.look,
        "Look at a game from a seat: the position, whose move it is, and the legal moves.",
        reads=False,
    ),
    Tool(
        Desk.play,
        "Make a move. Agents then move until it is a seat's turn again, and the answer says what "
        "happened.",
        reads=False,
    ),
    Tool(
        Desk.take_back,
        "Take a seat's last move back, if the game was opened so.",
        reads=False,
    ),
    Tool(
        Desk.decide,
        "Say what an agent would do in a seat's place, with the values and visits of its search.",
    ),
    Tool(
        Desk.log, "List what was entered at a table of advice, numbered, or what a seat has seen."
    ),
    Tool(
        Desk.beliefs,
        "The exact probabilities of what is hidden, from what was told or what the seat has seen.",
    ),
    Tool(
        Desk.explain,
        "The fewest observations that prove that something hidden is, or cannot be, so.",
    ),
    Tool(
        Desk.worth,
        "The worth of each question that can be asked now: its expected information in bits.",
    ),
    Tool(Desk.advise, "Advise what to do now, and say why."),
    Tool(
        Desk.record,
        "The record of what was told, or of a game that is over, as JSON; see 'analyse_record'.",
    ),
    Tool(
        Desk.close_table,
        "Close a table. One that is not kept is gone then.",
        reads=False,
    ),
    Tool(
        Desk.analyse_record,
        "Analyse the record of a game: what a player could have known at every moment, what was "
        "worth asking, and what is proven in the end.",
    ),
    Tool(
        Desk.decide_in_record,
        "Say what an agent would have done at a moment of a recorded play, in the place of the "
        "player who moved there, knowing what they knew.",
    ),
    Tool(
        Desk.check_game,
        "Check a game of your own: whether its file keeps the contract, leaks nothing, and its "
        "belief says what is so. Every fault comes with its place and what to write instead. This "
        "runs the file's code, so it is off unless the server was started with --run-code. The "
        "resource sleuth://docs/contract says how to write a game.",
        reads=False,
        runs_code=True,
    ),
    Tool(Desk.read_more, "Read another part of an answer that was too long for one."),
)


def tool_of(name: str) -> Tool:
    """A tool by its name.

    Raises:
        SettingsError: There is none.
    """
    known = {each.name: each for each in TOOLS}
    if name not in known:
        raise SettingsError("no such tool", value=name, hint=nearest(name, known))
    return known[name]
