"""Scotland Yard as it is played: what everybody saw, told to the declaration of Mr. X.

What is known of their station is public, so there is one posterior for all who do not see the
hider. It goes on from the posterior before the last event, and those of the past are kept.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....data.checks import known_name
from ....models.game import OVER, SPECTATOR, Game, States
from ....models.play import SeenPlay, View
from ....models.scotland_yard.advice.categories import (
    Categories,
    check_choice,
    seekers_after_hider,
    shipped_categories,
)
from ....models.scotland_yard.events import HiderMove
from ....models.scotland_yard.imagined import believed, believing
from ....models.scotland_yard.public_state import (
    even_chances,
    followed,
    public_start,
    stuck_stations,
)
from ....models.scotland_yard.record.replay import game_of, start_states
from ....models.scotland_yard.record.seen import SeenHunt
from ....models.scotland_yard.rules import DOUBLED, SHOWN
from ....models.scotland_yard.state import HIDER, STATIONS, stations_of
from ...arrays.problem import Floats
from ...infer import infer
from ...kinds import Kinds
from ...language.evidence import Evidence
from ...language.features import Feature
from ...language.questions import Question
from ...language.walk import Walk
from ...modelling.history import Observation
from ...modelling.model import Model
from ...posterior import Posterior
from ..contract import KEPT
from .declaration import NAME, ScotlandYardDeclaration, steps_of
from .hiding import PublicEvent, shown_to_all, targets_of, told_by_hider, total_distances
from .move_model import MoveModel, check_trust, shipped_kinds, shipped_moves

#: What one argument chooses: how likely each of the possible stations is.
LIKELIHOODS: Final[Mapping[str, str]] = {
    "uniform": "every station of the list of possible ones is equally likely",
    "categories": "the list, weighed by how often Mr. X was at stations of a category",
    "steps": "exact forward filter; at every turn Mr. X takes all legal actions equally often",
    "moves": "exact forward filter with a model of Mr. X's moves that was learned from games",
    "kinds": "the same with a model for each kind of Mr. X; of which this one is, is found out",
}

#: Games of other settings of which posteriors are kept at a time.
MOST_GAMES: Final = 8

#: What the kind of hiders is called from whom the model of moves was learned.
LEARNED: Final = "as was learned"
#: One model of moves, or one for each kind of hider.
MoveModels = MoveModel | Mapping[str, MoveModel]

#: Least weight of a possible station, of one of the largest: the hider may be where they never were
#: before.
FLOOR: Final = 1e-6

_ANYWHERE: Final = Walk(NAME, range(1, STATIONS + 1))
_LIST: Final = Model(_ANYWHERE)


class ScotlandYardBelief:
    """Mr. X's place, as a :class:`~sleuth.beliefs.games.contract.GameBelief`.

    A world is one number, the hider's station. The hider knows it: for them there is one world.

    Args:
        likelihood: One of `LIKELIHOODS`.
        categorization, table, selection: With ``"categories"``, which of the paper's tables are
            used, and whether in one step or two; see `Categories.shares`.
        categories: Tables of your own; by default those that come with the package.
        moves: With ``"moves"``, a model of your own; by default the one of the package.
        trust: With ``"moves"``, how far the model is trusted: 0 as ``"steps"``, 1 fully. By
            default as the model says.

    Raises:
        SettingsError: There is no such likelihood, categorization or table.

    >>> import numpy as np
    >>> from sleuth import Play
    >>> from sleuth.games.scotland_yard import ScotlandYardBelief
    >>> play, belief = Play.new("scotland_yard", seed=1), ScotlandYardBelief("steps")
    >>> play.apply(int(play.legal()[0]))
    >>> view, seen = play.view(1), play.seen_by(1)
    >>> posterior, (at,) = belief.infer(view, seen), belief.hidden(view).values()
    >>> posterior == belief.indifferent().infer(view, seen)
    True
    >>> round(posterior.entropy(at), 2)
    5.46
    >>> rows = belief.worlds(posterior, 3, np.random.default_rng(1))
    >>> rows.shape, (belief.places(posterior, at, rows) == rows[:, 0] - 1).all().item()
    ((3, 1), True)
    >>> [asked.name for asked in belief.questions(view).values()][:2]
    ['is Mr. X at 159', 'is Mr. X at 186']
    """

    def __init__(
        self,
        likelihood: str = "moves",
        *,
        categorization: str = "minimum_distance",
        table: str = "general",
        selection: int = 1,
        categories: Categories | None = None,
        moves: MoveModel | None = None,
        trust: float | None = None,
    ) -> None:
        self.likelihood = known_name(likelihood, LIKELIHOODS, "likelihood", where="belief")
        check_choice(categorization, table, selection)
        self._options: dict[str, Any] = {
            "categorization": categorization,
            "table": table,
            "selection": selection,
            "categories": categories,
            "moves": moves,
            "trust": trust,
        }
        if trust is not None:
            check_trust(trust)
        self._hunts: dict[int, Hunt] = {}
        self._listed = functools.lru_cache(maxsize=KEPT)(_listed)
        self._weighed = functools.lru_cache(maxsize=KEPT)(_weighed)

    def __reduce__(self) -> Any:
        return functools.partial(type(self), **self._options), (self.likelihood,)

    def indifferent(self) -> ScotlandYardBelief:
        """The exact filter of a Mr. X who takes any legal action."""
        return type(self)("steps")

    def infer(self, view: View, seen: SeenPlay) -> Posterior:
        """The posterior of the hider's station, for any viewer."""
        if view.viewer == HIDER:
            return self._certain(int(view.states[0].stations[HIDER]))
        start, events = public_start(seen.start), public_events(seen)
        return self._asked(self.hunt(view.game.tables), start, events, view.states)

    def posterior(self, seen: SeenHunt) -> Posterior:
        """The posterior of the hider's station after what a viewer of a recorded game saw.

        The same as `infer` gives in that game.

        >>> from sleuth import example
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief, ScotlandYardRecord
        >>> record = ScotlandYardRecord.from_json(example("scotland_yard").value)
        >>> posterior = ScotlandYardBelief("steps").posterior(record.seen_by("seeker 1").until(14))
        >>> sorted(posterior.marginal(posterior.model.walks[0].at()))
        [26, 28, 40]
        """
        if seen.is_hider:
            stations = [each.event.to for each in seen.events if isinstance(each.event, HiderMove)]
            return self._certain((seen.hider, *stations)[-1] or 0)
        game = game_of(seen.settings)
        hunt, start = self.hunt(game.tables), start_states(game, seen.seekers, None)
        events = seen.observations
        return self._asked(hunt, start, events, hunt.states(start, events))

    def _asked(
        self, hunt: Hunt, start: States, events: tuple[PublicEvent, ...], now: States
    ) -> Posterior:
        """The public posterior after these events, in the state ``now``."""
        if now[0].player == OVER:
            return self._certain(int(now[0].stations[HIDER]))
        if self.likelihood == "uniform":
            stations = possible_stations(now, hunt.tables)
            return self._listed(stations, "the list of possible stations")
        if self.likelihood == "categories":
            return self._by_category(hunt, now, events)
        return hunt.moment(start, events).posterior

    def _by_category(self, hunt: Hunt, now: States, events: tuple[PublicEvent, ...]) -> Posterior:
        stations = possible_stations(now, hunt.tables)
        board = hunt.tables.board[0]
        seekers = seekers_after_hider(_seekers(now), events, board)
        options = self._options
        tables = options["categories"] or shipped_categories()
        shares = tables.shares(
            stations,
            seekers,
            board,
            categorization=options["categorization"],
            table=options["table"],
            steps=options["selection"],
        )
        return self._weighed(stations, tuple(shares.tolist()), "how often Mr. X is in a category")

    def _model(self) -> MoveModels | None:
        if self.likelihood not in ("moves", "kinds"):
            return None
        model = self._options["moves"] or shipped_moves()
        trust = self._options["trust"]
        model = model if trust is None else model.trusted(trust)
        return {LEARNED: model, **shipped_kinds()} if self.likelihood == "kinds" else model

    def kinds_of(self, view: View, seen: SeenPlay) -> dict[str, float]:
        """The probability of each kind of hider, to the others; empty without kinds.

        >>> from sleuth import Play
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief
        >>> play, belief = Play.new("scotland_yard", seed=1), ScotlandYardBelief("kinds")
        >>> play.apply(int(play.legal()[0]))
        >>> kinds = belief.kinds_of(play.view(1), play.seen_by(1))
        >>> len(kinds), round(sum(kinds.values()), 6)
        (4, 1.0)
        """
        if self.likelihood != "kinds" or view.viewer == HIDER or view.over:
            return {}
        start, events = public_start(seen.start), public_events(seen)
        moment = self.hunt(view.game.tables).moment(start, events)
        kinds = moment.hunted.kinds
        return {} if kinds is None else moment.posterior.marginal(kinds.of(NAME).value())

    def _certain(self, station: int) -> Posterior:
        return self._listed((station,), "Mr. X is there")

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` stations for the game's ``fill``, shape (n, 1)."""
        shares = posterior.distribution(_ANYWHERE.at())
        until: Any = np.cumsum(shares)
        drawn = rng.random(n) * until[-1]
        places = until.searchsorted(drawn, side="right")
        last = int(np.flatnonzero(shares)[-1])
        return (np.minimum(places, last) + 1).astype(np.int16)[:, None]

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The hider's station."""
        return {NAME: _ANYWHERE.at()}

    def places(
        self, posterior: Posterior, feature: Feature, rows: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """For each station its place among all stations."""
        return rows[:, 0].astype(np.int64) - 1

    def questions(self, view: View) -> Mapping[int, Question]:
        """The questions of a seeker's moves, each if the hider is where it leads."""
        if view.viewer in (HIDER, SPECTATOR) or view.player != view.viewer:
            return {}
        target = view.game.tables.board[0].target
        return {int(code): _is_he_at(int(target[code])) for code in view.legal()}

    def exposure(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """The probability the seekers will give to the end of each move; for the hider.

        They see the ticket, and the station when the hider surfaces.

        >>> from sleuth import Play
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief
        >>> play, belief = Play.new("scotland_yard", seed=1), ScotlandYardBelief("uniform")
        >>> exposure = belief.exposure(play.view(0), play.seen_by(0))
        >>> len(exposure) == len(play.legal()), 0 < max(exposure.values()) < 1
        (True, True)
        """
        if not view.viewer == view.player == HIDER:
            return {}
        tables = view.game.tables
        hunt, start = self.hunt(tables), public_start(seen.start)
        events, turn = told_by_hider(seen, tables), int(view.states[0].turn) + 1

        @functools.cache
        def shares(shown: int) -> Floats | None:
            then = (*events, (HIDER, shown))
            now = hunt.states(start, then)
            if now[0].player == OVER:
                return None
            return self._asked(hunt, start, then, now).distribution(_ANYWHERE.at())

        found: dict[int, float] = {}
        for code, target in targets_of(view.legal(), tables).items():
            there = shares(shown_to_all(code, turn, tables))
            found[code] = 1.0 if there is None else float(there[target - 1])
        return found

    def imagined(self, game: Game) -> Game:
        """The game with playouts in which the seekers go by what they believe at the root.

        >>> from sleuth import game
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief
        >>> hunt = game("scotland_yard")
        >>> ScotlandYardBelief().imagined(hunt).tables is hunt.tables
        False
        """
        return believing(game)

    def begin(self, game: Game, view: View, seen: SeenPlay) -> None:
        """Tell such a game what the seekers believe.

        >>> from sleuth import Play, game
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief
        >>> play, belief = Play.new("scotland_yard", seed=1), ScotlandYardBelief("uniform")
        >>> imagined = belief.imagined(play.game)
        >>> belief.begin(imagined, play.view(1), play.seen_by(1))
        >>> imagined.tables.rules[0].total_distance.max().item() > 0  # to wherever Mr. X may be
        True
        """
        if not believed(game):
            return
        if view.viewer == HIDER:
            hunt, start = self.hunt(view.game.tables), public_start(seen.start)
            events = told_by_hider(seen, view.game.tables)
            posterior = self._asked(hunt, start, events, hunt.states(start, events))
        else:
            posterior = self.infer(view, seen)
        shares = posterior.distribution(_ANYWHERE.at())
        game.tables.rules[0].total_distance = total_distances(shares, game.tables)

    def hunt(self, tables: Any) -> Hunt:
        """Games on one map with one set of rules, followed by what everybody saw.

        >>> from sleuth import Play
        >>> from sleuth.games.scotland_yard import ScotlandYardBelief
        >>> play = Play.new("scotland_yard", seed=1)
        >>> hunt = ScotlandYardBelief("steps").hunt(play.game.tables)
        >>> posterior = hunt.moment(play.view(-1).states, ()).posterior
        >>> round(posterior.entropy(posterior.model.walks[0].at()), 2)
        3.7
        """
        found = self._hunts.get(id(tables.board))
        if found is None or found.tables.rules is not tables.rules:
            if len(self._hunts) >= MOST_GAMES:
                self._hunts.clear()
            # It keeps the tables, so that no others get their place in memory.
            found = self._hunts[id(tables.board)] = Hunt(tables, self._model())
        return found


class HunterMoment(NamedTuple):
    """The public knowledge at one moment of a game.

    Attributes:
        states: The state as the spectator sees it, in an array of one.
        hunted: The declaration that belongs to the start of this game.
        posterior: Where the hider is.
    """

    states: States
    hunted: ScotlandYardDeclaration
    posterior: Posterior


class Hunt:
    """All games on one map with one set of rules, by what everybody saw of them.

    Args:
        tables: Map and rules, as the game's kernels get them.
        model: How likely the hider's moves are; None for all equally likely. Models by the names of
            the kinds of hiders, if it is open of which this one is.
    """

    def __init__(self, tables: Any, model: MoveModels | None = None) -> None:
        self.tables = tables
        self.model = model
        self.kinds = Kinds(list(model)) if isinstance(model, Mapping) else None
        board = tables.board[0]
        count = int(board.moves)
        self._codes = [np.flatnonzero(board.ticket[:count] == ticket) for ticket in range(4)]
        self._steps = steps_of(board)
        self._followed = functools.lru_cache(maxsize=KEPT)(self._follow)
        self._moments = functools.lru_cache(maxsize=KEPT)(self._moment)

    def states(self, start: States, events: tuple[PublicEvent, ...]) -> States:
        """The state as the spectator sees it after these events."""
        return self._followed(_numbers(start), events)

    def moment(self, start: States, events: tuple[PublicEvent, ...]) -> HunterMoment:
        """The public knowledge after these events.

        Args:
            start: The state before the first move, as the spectator saw it.
            events: What everybody saw since.
        """
        return self._moments(_numbers(start), events)

    def _follow(self, start: tuple[int, ...], events: tuple[PublicEvent, ...]) -> States:
        if not events:
            return public_start(start)
        return followed(self._followed(start, events[:-1]), *events[-1], self.tables)

    def _moment(self, start: tuple[int, ...], events: tuple[PublicEvent, ...]) -> HunterMoment:
        states = self._followed(start, events)
        if not events:
            hunted = ScotlandYardDeclaration(
                stations_of(states[0].possible), self._steps, self.kinds
            )
            return HunterMoment(
                states, hunted, hunted.begin().observe(*self._turn(hunted, states, 0))
            )
        # What is not known yet is followed from the oldest on.
        before = self._moments(start, events[:-1])
        given = self._evidence(before, states, events[-1], len(events))
        return HunterMoment(states, before.hunted, before.posterior.observe(*given))

    def _evidence(
        self, before: HunterMoment, states: States, seen: PublicEvent, number: int
    ) -> Iterator[Observation]:
        """The evidence of an event on where the hider is."""
        hunted = before.hunted
        mover, observation = seen
        shown, what = divmod(observation, SHOWN)
        if mover == HIDER:
            ticket, doubled = what % DOUBLED, what >= DOUBLED
            even = self._chances(before.states, ticket, None, doubled=doubled)
            if isinstance(self.model, Mapping):
                chances = {
                    name: self._chances(before.states, ticket, model, doubled=doubled)
                    for name, model in self.model.items()
                }
                yield hunted.moved_by_kind(ticket, chances, even, event=number)
            else:
                chances = self._chances(before.states, ticket, self.model, doubled=doubled)
                yield hunted.moved(ticket, chances, event=number)
        else:
            target = int(self.tables.board[0].target[what])
            if shown != target:
                yield hunted.not_caught(target, event=number)
        if shown:
            yield hunted.shown(shown, event=number)
        yield from self._turn(hunted, states, number)

    def _turn(
        self, hunted: ScotlandYardDeclaration, states: States, number: int
    ) -> Iterator[Evidence]:
        """At the hider's turn the hider can move, or the game would be over."""
        if states[0].player == HIDER:
            stuck = stuck_stations(states, self.tables)
            if not set(stuck).isdisjoint(stations_of(states[0].possible)):
                yield hunted.can_move(stuck, event=number or None)

    def _chances(
        self, states: States, ticket: int, model: MoveModel | None, *, doubled: bool
    ) -> Floats:
        """P(move | station) of all moves with a ticket, at the hider's turn."""
        count = int(self.tables.board[0].moves)
        if model is not None:
            chances = model.chances(states, self.tables)
            return chances[self._codes[ticket] + count * doubled]
        chances = np.zeros(count)
        even_chances(states[0], self.tables, chances)
        return chances[self._codes[ticket]]


def public_events(seen: SeenPlay) -> tuple[PublicEvent, ...]:
    """The public side of every move, from what a detective or a spectator saw."""
    return tuple((each.event.mover, each.event.observation) for each in seen.events)


def possible_stations(states: States, tables: Any) -> tuple[int, ...]:
    """The list of possible stations; at the hider's turn without those that allow no move."""
    listed = stations_of(states[0].possible)
    if states[0].player != HIDER:
        return listed
    shut_in = set(stuck_stations(states, tables))
    return tuple(station for station in listed if station not in shut_in)


@functools.lru_cache(maxsize=STATIONS)
def _is_he_at(station: int) -> Question:
    there = np.zeros(STATIONS)
    there[station - 1] = 1.0
    name = f"is Mr. X at {station}"
    return Question(_ANYWHERE.at(), np.column_stack([there, 1.0 - there]), ("yes", "no"), name=name)


def _listed(stations: tuple[int, ...], because: str) -> Posterior:
    """Each of these stations is equally likely."""
    return _weighed(stations, (1.0,) * len(stations), because)


def _weighed(stations: tuple[int, ...], weights: tuple[float, ...], because: str) -> Posterior:
    """These stations have these weights, but none of them nearly nothing."""
    table: Floats = np.zeros(STATIONS)
    table[np.array(stations) - 1] = np.maximum(weights, FLOOR * max(weights))
    given = Evidence(_ANYWHERE.at(), table, because)
    return infer(_LIST, [given], method="forward_filter")


def _numbers(states: States) -> tuple[int, ...]:
    return tuple(states.view(np.int32).tolist())


def _seekers(states: States) -> list[int]:
    return [station for station in states[0].stations[1:].tolist() if station > 0]
