"""Recorded games: opened, analysed, and methods compared on them."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from sleuth._saving import saved
from sleuth.data.errors import RecordError, SettingsError
from sleuth.data.progress import Tell, silent

if TYPE_CHECKING:
    import pandas as pd

    from sleuth.apps.kit.records.contract import AnalysisRequest, GameAnalysis, ShownAnalysis
    from sleuth.beliefs.judging.compare import Comparison
    from sleuth.models.games import GameEntry
    from sleuth.models.play import PlayRecord

#: Columns of a text outside a terminal.
_WIDTH: Final = 100
_Asking = Literal["analyse", "compare"]
#: The options that each has, whatever the game.
_SHARED: Final[Mapping[_Asking, tuple[str, ...]]] = {
    "analyse": ("observer", "method", "samples", "seed", "rules", "progress"),
    "compare": ("methods", "observer", "event", "samples", "seed", "curves", "progress"),
}
#: Which of the two alone has an option.
_ELSEWHERE: Final[Mapping[str, _Asking]] = {
    "agent": "analyse",
    "curves": "compare",
    "event": "compare",
}
#: The options of some games that are not declared by them.
_OF_SOME: Final = ("agent", "event")


@dataclass(frozen=True, eq=False, repr=False)
class GameRecord:
    """A recorded game, opened by `load`.

    Attributes:
        name: The file that it came from.
        value: What stands there, read from JSON; a tuple of games for a file of many.
        rules: Where the rules are, as ``FILE.py:NAME``; None for a game that is known by name.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> play.record().save("bet.json")
    >>> record = sleuth.load("bet.json")
    >>> record, record.game
    (GameRecord('bet.json', game='kuhn_poker'), 'kuhn_poker')
    >>> len(record.analyse(agent="none").to_frame())
    4
    """

    name: str
    value: object
    rules: str | None = None

    @property
    def game(self) -> str:
        """The name of its game.

        Raises:
            RecordError: The record does not say it.
        """
        from sleuth.apps.kit.records.opening import game_of

        return game_of(self.value)

    def __repr__(self) -> str:
        from sleuth.apps.kit.records.contract import ManyGames

        many = f", games={len(self.value.games)}" if isinstance(self.value, ManyGames) else ""
        rules = "" if self.rules is None else f", rules={self.rules!r}"
        try:
            game = self.game
        except RecordError:
            game = None
        return f"GameRecord({self.name!r}, game={game!r}{many}{rules})"

    def _repr_html_(self) -> str:
        """The record's file and game; nothing of what is hidden in it."""
        from sleuth.apps.kit.records.contract import ManyGames
        from sleuth.data.tables import html_shown, html_table

        try:
            game = self.game
        except RecordError:
            game = "not said"
        rows = [("file", self.name or "-"), ("game", game)]
        if isinstance(self.value, ManyGames):
            rows.append(("games", f"{len(self.value.games):,}"))
        return html_shown(html_table(("", ""), rows, caption="A recorded game"))

    def analyse(self, **options: Any) -> Analysis:
        """See `analyse`."""
        return analyse(self, **options)

    def compare(
        self,
        methods: Sequence[str] | None = None,
        *,
        observer: str | None = None,
        event: int | None = None,
        samples: int = 10_000,
        seed: int = 0,
        curves: bool = False,
        progress: Tell = silent,
        **own: object,
    ) -> Comparison:
        """Inference methods side by side, on what a player had seen until an event.

        Args:
            methods: Their names; None for those that fit the game.
            observer: Whose view; None for the game's usual one.
            event: After which event; None for the one after which most was open.
            samples: Draws of approximate methods.
            seed: Of their chance.
            curves: Whether methods that draw run with other numbers of samples, too.
            progress: Told which method runs.
            own: Options that the game alone has.

        Raises:
            SettingsError: An option has an impossible value, or is not for this game.

        >>> import sleuth
        >>> play = sleuth.Play.new("kuhn_poker", seed=1)
        >>> play.apply(1)
        >>> play.record().save("bet.json")
        >>> (found,) = sleuth.load("bet.json").compare(["enumeration"]).results
        >>> found.name
        'enumeration'
        """
        from sleuth.apps.kit.records import comparing

        asked = request(self, observer=observer, event=event, samples=samples, seed=seed, own=own)
        with self._opened(asked, own, "compare") as found:
            names = list(found.methods)
            if methods is not None:
                names = comparing.method_names(",".join(methods), more=found.methods)
            return found.compared(self.value, asked, names, curves=curves, tell=progress)[1]

    @contextmanager
    def _opened(
        self, asked: AnalysisRequest, own: Collection[str], asking: _Asking
    ) -> Generator[GameAnalysis]:
        from sleuth.apps.kit.records.opening import analysis_of, named

        with named(Path(self.name)) if self.name else nullcontext():
            found = analysis_of(self.value, asked.rules)
            for name in own:
                _check_option(name, found.options, asking, where=self.name or None)
            for word in asked.not_for_all:
                if word not in found.options:
                    raise SettingsError(
                        "this option is not for this game",
                        where=self.name or None,
                        value=word,
                        hint="leave it out",
                    )
            found.check(asked)
            yield found


def load(path: str | Path, *, rules: GameEntry | str | None = None) -> GameRecord:
    """A recorded game from its file.

    Args:
        path: The file: JSON, or JSON Lines or CSV with games of Cheat.
        rules: For a game of your own: its entry, or where it is, as ``FILE.py:NAME``.

    Raises:
        RecordError: The file cannot be read, or what stands there names no game.

    >>> import sleuth
    >>> sleuth.Play.new("kuhn_poker", seed=1).record().save("dealt.json")
    >>> sleuth.load("dealt.json")
    GameRecord('dealt.json', game='kuhn_poker')
    """
    from sleuth.apps.kit.records.opening import analysis_of, game_of, named, read_value

    file = Path(path)
    with named(file):
        value = read_value(file)
        word = _rules(rules)
        game_of(value)
        analysis_of(value, word)
    return GameRecord(file.name, value, word)


def example(name: str) -> GameRecord:
    """A recorded game that comes with sleuth.

    Args:
        name: Its name, such as ``"clue/neller_main"``, also without the folder; or the name of a
            game: its first record, or its file of many.

    Raises:
        SettingsError: None has this name; the error lists those that there are.

    >>> import sleuth
    >>> sleuth.example("clue/neller_main")
    GameRecord('neller_main.json', game='clue')
    """
    from sleuth.apps.kit.records.opening import analysis_of, read_value
    from sleuth.data.errors import nearest, plain_name
    from sleuth.data.files import examples

    word, known = plain_name(name), examples()
    if word not in known:
        if word.startswith("networks/"):
            hint = f"sleuth.networks.example_network({word.partition('/')[2]!r}) is a network"
        else:
            hint = nearest(word, [each for each in known if "/" in each or each == word])
        raise SettingsError("no such example", value=name, hint=hint)
    found = known[word]
    with as_file(found) as path:
        value = read_value(path)
    analysis_of(value)
    return GameRecord(found.name, value)


def _rules(rules: GameEntry | str | None) -> str | None:
    if rules is None or isinstance(rules, str):
        return rules
    from sleuth.models.games import GAMES, game_from

    if rules.name not in GAMES:
        game_from(rules)  # from now on the entry is known by its name
    return rules.source or rules.name


def analyse(
    record: GameRecord | PlayRecord | str | Path | Mapping[str, object],
    *,
    observer: str | None = None,
    method: str = "auto",
    agent: str | None = None,
    samples: int = 10_000,
    seed: int = 0,
    rules: GameEntry | str | None = None,
    progress: Tell = silent,
    **own: object,
) -> Analysis:
    """The analysis of a recorded game: possible knowledge at every moment, and the best questions.

    Args:
        record: What `load` opened, a file, what `Play.record` gives, or a record's own JSON.
        observer: Whose view: a name, a role, ``"spectator"``, and where the game can, ``"all"``.
            None for the game's usual one.
        method: The inference method; ``"auto"`` takes the cheapest exact one.
        agent: Who values what could be done, where a game has moves to value.
        samples: Draws of approximate methods.
        seed: Of their chance.
        rules: As for `load`.
        progress: Told how far the work is.
        own: Options that the game alone has, as on the command line.

    Raises:
        RecordError: It is no record, or breaks the rules of its game.
        SettingsError: An option has an impossible value, or is not for this game.
        ContradictionError: No hidden truth allows all that was seen.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> analysis = sleuth.analyse(play.record(), observer="second", agent="none")
    >>> print(analysis.to_frame().tail(2).to_string(index=False))
     event viewer      variable value  probability
         1 second card of first  jack          0.5
         1 second card of first queen          0.5
    """
    record = taken(record, rules)
    asked = request(
        record,
        observer=observer,
        method=method,
        agent=agent,
        samples=samples,
        seed=seed,
        own=own,
    )
    with record._opened(asked, own, "analyse") as found:  # pyright: ignore[reportPrivateUsage]
        analysed = found.analysed(record.value, asked, progress)
        return Analysis(record, asked, found, analysed)


def taken(
    record: GameRecord | PlayRecord | str | Path | Mapping[str, object],
    rules: GameEntry | str | None,
) -> GameRecord:
    """The record that somebody handed over, in whatever form."""
    if isinstance(record, str | Path):
        return load(record, rules=rules)
    if isinstance(record, GameRecord):
        return record
    value = dict(record if isinstance(record, Mapping) else record.to_json())
    return GameRecord("", value, _rules(rules))


def request(record: GameRecord, *, own: Mapping[str, object], **given: Any) -> AnalysisRequest:
    """The options that were asked for, besides the record."""
    from sleuth.apps.kit.records.contract import AnalysisRequest

    words = {name: str(value) for name, value in own.items() if value is not None}
    return AnalysisRequest(rules=record.rules, own=words, **given)


def _check_option(
    name: str, of_game: Collection[str], asking: _Asking, *, where: str | None
) -> None:
    """Refuse an option that is not for this game, or not for what is asked of it.

    Args:
        name: The option.
        of_game: The options that this game has and not all.
        asking: What was asked.
        where: The record.

    Raises:
        SettingsError: The option is none of these.
    """
    from sleuth.apps.kit.own_options import declared
    from sleuth.data.errors import nearest

    own = [option for option in sorted(of_game) if option not in _OF_SOME]
    if name in own:
        return
    if name in _ELSEWHERE:
        message, hint = f"{asking!r} has no such option", f"{_ELSEWHERE[name]!r} has it"
        raise SettingsError(message, where=where, value=name, hint=hint)
    others = [(game, option) for game, option in declared() if option.name == name]
    if games := [game for game, option in others if asking in option.commands]:
        message, hint = "this option is not for this game", f"it is for {', '.join(games)}"
        raise SettingsError(message, where=where, value=name, hint=hint)
    if games := [game for game, _ in others]:
        message, hint = "this option is not for records", f"it is for matches of {', '.join(games)}"
        raise SettingsError(message, where=where, value=name, hint=hint)
    agent = ["agent"] if asking == "analyse" and "agent" in of_game else []
    hint = nearest(name, [*_SHARED[asking], *agent, *own])
    raise SettingsError("no such option", where=where, value=name, hint=hint)


@dataclass(frozen=True, eq=False)
class Analysis:
    """An analysed game. A notebook shows it as the report; `print` as the text of the command.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> analysis = sleuth.analyse(play.record(), agent="none")
    >>> print(str(analysis).splitlines()[0])
    Kuhn poker
    >>> analysis.to_json()["viewer"], analysis.to_frame().columns.tolist()
    ('first', ['event', 'viewer', 'variable', 'value', 'probability'])
    >>> analysis.html()[:15], analysis.save("bet.html").name
    ('<!doctype html>', 'bet.html')
    """

    record: GameRecord
    _asked: AnalysisRequest = field(repr=False)
    _game: GameAnalysis = field(repr=False)
    _found: ShownAnalysis = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values, as ``sleuth analyse --json`` prints it."""
        return dict(self._found.to_json())

    def to_frame(self) -> pd.DataFrame:
        """A tidy table: after every event, how likely every possible value of what is hidden was.

        Columns: event (0 is before the first), viewer, variable, value, probability.
        """
        import pandas as pd

        rows = self._game.rows(self.record.value, self._asked)
        columns = ["event", "viewer", "variable", "value", "probability"]
        listed = [(event, rows.viewer, *rest) for event, *rest in rows.rows]
        return pd.DataFrame(listed, columns=columns)

    def html(self) -> str:
        """The report with pictures: a whole page that needs nothing else."""
        return self._found.html()

    def save(self, path: str | Path) -> Path:
        """Write the analysis, in the form that the file's ending says.

        Args:
            path: The file: ``.html`` or ``.htm`` for the report, ``.json`` for `to_json`, ``.csv``
                for the table of `to_frame`.

        Raises:
            SettingsError: The file has another ending, or cannot be written.
        """
        return saved(self, path, "the report")

    def __str__(self) -> str:
        from sleuth.apps.kit.answers.text import as_text

        return as_text(*self._found.heading, *self._found.body, width=_WIDTH)

    def _repr_html_(self) -> str:
        """The report in a frame of its own, so that its style stays with it."""
        from sleuth.data.markup import element

        style = "width:100%;height:40rem;border:0"
        return element("iframe", srcdoc=self.html(), style=style)
