"""`check_belief`: whether a belief says of what is hidden what random plays bear out.

Two questions, both by counting. Is what is hidden as often so as the belief says? And does each
event change what is believed as it must? For the second one the states that a viewer imagines
before a move are moved on by the rules, and those in which the viewer would not have seen what they
saw are left out: what is left (weighed, where players may choose among more or fewer actions) must
be what the belief imagines afterwards. That needs no play twice, so it also reaches games in which
nobody ever sees the same again, and it names the event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...beliefs.games.contract import Focused, GameBelief, Judging
from ...beliefs.games.registry import belief_or_none as known_belief
from ...beliefs.language.likelihoods import some_of
from ...beliefs.posterior import Posterior
from ...data.checks import whole_number
from ...data.errors import ContradictionError, SettingsError
from ...data.progress import Tell, silent
from ...models.game import HIDDEN, OVER, SPECTATOR, Game, States, legal_actions
from ...models.games import GameEntry, game_from
from ...models.kernels.compiling import waiting
from ...models.kernels.plain.plain_call import as_plain
from ...models.kernels.plain.twins import is_compiled
from ...models.kernels.randomness import generator
from ...models.play import Play, viewer_name
from ...models.rehearsal import Origin, filled
from ..agents import drawn_from, seed_of
from ..search.determinization import checked_rows
from .faults import RAISING, Faults
from .guarded_kernels import ConformanceError
from .hidden_features import check_hidden
from .known_checks import check_known
from .learning_checks import check_learning
from .shares import Difference, Differences, Samples
from .start_leaks import Numbers, field_of, number_of, numbers_of, viewers

#: Name and meaning of every check.
CHECKS: Final[Mapping[str, str]] = {
    "hidden": "what the belief names as hidden are features that its posterior can be asked about",
    "known": "what the belief names as hidden no more is known",
    "learned": "questions, main things and telling actions are some",
    "truth": "hidden values occur as often as the belief says",
    "update": "an event changes what is believed as far as it tells something, and no further",
    "observe": "what observe tells apart changes the view, or what is known",
}

#: How players choose: (the state as the mover sees it, legal actions) -> weights of the actions.
Choosing = Callable[[States, NDArray[np.int32]], ArrayLike]

#: Moves of one play that are looked at.
MOST_MOVES: Final = 8
#: Actions beside the true one that a player may have taken in an imagined state; the others are
#: stood for by these.
OTHERS: Final = 12
#: Worlds that are filled once more, to see what ``fill`` draws.
REPEATED: Final = 8
#: Numbers of a state that are compared at a moment.
MOST_CELLS: Final = 40
#: So many times as many states are imagined after a move as before it: they cost little.
MORE_AFTERWARDS: Final = 3
#: Starts that are dealt for each play.
STARTS: Final = 6
#: States that are imagined at each moment.
WORLDS: Final = 200
#: Imagined states that fit an event; with fewer, more are drawn, up to `DRAWS` times as many.
FEWEST: Final = 40
DRAWS: Final = 4


_UPDATE: Final = (
    "let the belief read all that was seen, and nothing else, with the chances of the rules. Here"
    " players take any legal action, each equally likely: a world in which what was seen had half"
    " the chance weighs half. If the belief says how people choose instead, give it indifferent(),"
    " the same about such players (or say choosing= in check_belief)"
)
_OBSERVE: Final = (
    "let the belief read what the event tells, for as long as it says something, or let observe"
    " tell only what the event shows"
)
_TRUTH: Final = (
    "compare the declaration with start: what is likely at first, and what later moves say of it"
)


@dataclass(frozen=True)
class BeliefConformance:
    """The comparisons that were made.

    Attributes:
        game: The game's name.
        plays: Random plays.
        events: Events after which the belief was compared with what it was before.
        comparisons: Numbers that were compared in all.
        skipped: Events that too few of the imagined states would have led to.
        checks: Names of the checks that were made at least once.
    """

    game: str
    plays: int
    events: int
    comparisons: int
    skipped: int
    checks: frozenset[str]


@waiting()
def check_belief(
    game: Game | GameEntry | str,
    belief: GameBelief | None = None,
    *,
    plays: int = 60,
    worlds: int = WORLDS,
    seed: int = 0,
    choosing: Choosing | None = None,
    progress: Tell = silent,
) -> BeliefConformance:
    """Check that a belief says what random plays bear out. `check_game` looks at the game first.

    A belief that takes what players choose for a sign of what they hold is right only of players
    who choose so. If it says what it would be about players who take any legal action
    (`Judging.indifferent`), that is checked; else say with ``choosing`` how they choose.

    Args:
        game: The game, or its entry.
        belief: Its belief; not needed if the game is known by an entry.
        plays: Random plays.
        worlds: States that are imagined at each moment.
        seed: Another seed, other plays.
        choosing: How players choose; None for any legal action, each equally likely.
        progress: Told after every play.

    Returns:
        What was compared.

    Raises:
        ConformanceError: The clearest difference that was found, if chance does not explain it: the
            name of the check, the event or the moment, the numbers and a hint.
        SettingsError: Nothing is hidden, or no belief is known.

    >>> import sleuth
    >>> sleuth.check_belief("kuhn_poker", plays=5).plays
    5
    """
    game = game_from(game)
    whole_number(plays, "plays", least=1)
    whole_number(worlds, "worlds", least=20)
    if belief is None:
        belief = known_belief(game)
    if belief is None:
        raise SettingsError(
            "nothing is hidden in this game, so there is nothing to believe", value=game.name
        )
    if choosing is None and isinstance(belief, Judging):
        belief = belief.indifferent()
    return _compared(game, belief, plays, worlds, seed, choosing, progress, RAISING)


@waiting()
def belief_faults(
    game: Game,
    belief: GameBelief,
    faults: Faults,
    *,
    plays: int,
    seed: int,
    progress: Tell = silent,
) -> BeliefConformance:
    """The same comparisons, with all that fails kept in ``faults``."""
    if isinstance(belief, Judging):
        belief = faults.attempt(belief.indifferent) or belief
    return _compared(game, belief, plays, WORLDS, seed, None, progress, faults)


def _compared(
    game: Game,
    belief: GameBelief,
    plays: int,
    worlds: int,
    seed: int,
    choosing: Choosing | None,
    progress: Tell,
    faults: Faults,
) -> BeliefConformance:
    comparing = _Comparing(game, belief, worlds, choosing, faults)
    for number in range(plays):
        rng = np.random.default_rng([seed, number])
        faults.attempt(comparing.play, seed + number, rng)
        progress("comparing what is believed", number + 1, plays)
    comparing.decide()
    return BeliefConformance(
        game=game.name,
        plays=plays,
        events=comparing.events,
        comparisons=comparing.truth.tests + comparing.update.tests,
        skipped=comparing.skipped,
        checks=frozenset(comparing.made),
    )


class _Comparing:
    """Collects what belief and plays say, over all plays."""

    def __init__(
        self,
        game: Game,
        belief: GameBelief,
        worlds: int,
        choosing: Choosing | None,
        faults: Faults,
    ) -> None:
        self.faults = faults
        self.game = game
        self.belief = belief
        self.worlds = worlds
        self.choosing = choosing
        self.made: set[str] = set()
        self.named: set[str] = set()
        self.main: set[str] = set()
        self.events = self.skipped = 0
        self.truth = Differences()
        self.update = Differences()
        #: What would be left if observe said nothing, and only what the view shows counted.
        self._by_view: list[tuple[tuple[Any, ...], list[int], Samples, Samples]] = []
        places = numbers_of(game.states(1)).shape[1]
        self._decided = np.zeros(places, dtype=np.bool_)
        self._drawn = np.zeros(places, dtype=np.bool_)

    def play(self, seed: int, rng: np.random.Generator) -> None:
        """One random play: some of its moves, and what everybody believes before and after."""
        game, attempt = self.game, self.faults.attempt
        play = Play.new(game, seed=seed)
        for number in range(1, STARTS):
            attempt(
                self._compare_truth, Play.new(game, seed=seed_of(seed, number)), rng, set[Any]()
            )
        once: set[Any] = set()
        attempt(self._compare_truth, play, rng, once)
        actions: list[int] = []
        while not play.over and len(actions) < game.max_depth:
            actions.append(self._chosen(play, rng))
            play.apply(actions[-1])
        looked = rng.permutation(len(actions))[:MOST_MOVES]
        again = Play.new(game, seed=seed)
        for number, action in enumerate(actions):
            if number not in looked:
                again.apply(action)
                continue
            players = viewers(game.players)
            viewer = players[int(rng.integers(len(players)))]
            for each in dict.fromkeys((again.player, viewer)) if number % 2 else (viewer,):
                before = again.supposing(again.truth())
                attempt(self._compare_event, before, action, each, rng)
            again.apply(action)
            if not again.over:
                attempt(self._compare_truth, again, rng, once, viewer)

    def _chosen(self, play: Play, rng: np.random.Generator) -> int:
        legal = play.legal()
        return int(rng.choice(legal, p=self.weights(play.truth(), legal)))

    def weights(self, states: States, legal: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability that the player to move takes each of their legal actions."""
        if self.choosing is None:
            return np.full(len(legal), 1.0 / len(legal))
        masked = self.game.masked(states, int(states[0].player))
        weights = np.asarray(self.choosing(masked, legal), dtype=np.float64)
        proper = weights.shape == legal.shape and bool((weights >= 0).all())
        if not (proper and 0 < weights.sum() < np.inf):
            raise SettingsError(
                "choosing must give each legal action a number >= 0",
                where=f"game {self.game.name!r}",
                value=weights.tolist(),
            )
        return weights / weights.sum()

    # -- what is believed

    def _where(self, play: Play) -> str:
        return (
            f"game {self.game.name!r}, the play of seed {play.seed},"
            f" after {len(play.actions)} moves"
        )

    def _imagined(self, play: Play, viewer: int, count: int, rng: np.random.Generator) -> States:
        """States that a viewer imagines."""
        view, where = play.view(viewer), self._where(play)
        name = viewer_name(self.game.roles, viewer)
        try:
            posterior = self.belief.infer(view, play.seen_by(viewer))
        except ContradictionError as error:
            raise ConformanceError(
                "truth", f"the belief of {name} excludes the truth: {error}", where=where
            ) from error
        self._check_hidden(play, viewer, posterior, where)
        rows = checked_rows(drawn_from(self.belief, posterior), count, rng)
        random = generator(int(rng.integers(2**31)))
        states = filled(self.game, view.states, rows, random, Origin.BELIEF)
        self._look_at_fill(numbers_of(states), view.states, rows, rng)
        return states

    def _look_at_fill(
        self, numbers: Numbers, view: States, rows: NDArray[np.int16], rng: np.random.Generator
    ) -> None:
        """Finds the numbers of a state that worlds decide, and those that ``fill`` draws."""
        self._decided |= np.any(numbers != numbers[0], axis=0)
        few = rows[:REPEATED]
        random = generator(int(rng.integers(2**31)))
        again = numbers_of(filled(self.game, view, few, random, Origin.OURS))
        self._drawn |= np.any(again != numbers[: len(again)], axis=0)

    def _check_hidden(self, play: Play, viewer: int, posterior: Posterior, where: str) -> None:
        self.made.add("hidden")
        check_hidden(self.belief, play.view(viewer), where)
        if viewer == play.player:
            self.made.add("learned")
            check_learning(self.belief, play.view(viewer), posterior, where)
            if isinstance(self.belief, Focused):
                self.main.update(self.belief.main(play.view(viewer)))
        self.named.update(self.belief.hidden(play.view(viewer)))
        for name, feature in self.belief.hidden(play.view(viewer)).items():
            try:
                total = float(posterior.distribution(feature).sum())
            except Exception as error:
                raise ConformanceError(
                    "hidden",
                    f"the posterior cannot be asked about {name!r}: {error}",
                    where=where,
                    hint="make features of the variables of the model that is inferred",
                ) from error
            if not abs(total - 1.0) < 1e-6:
                raise ConformanceError(
                    "hidden", f"chances of {name!r} do not add up to 1", where=where, value=total
                )

    def _compared(self, hidden: NDArray[np.intp]) -> list[int]:
        """The places of numbers to compare: hidden ones on which worlds decide, some of many."""
        cells: list[int] = hidden[~self._drawn[hidden]].tolist()
        if len(cells) <= MOST_CELLS:
            return cells
        return [cells[int(place)] for place in np.linspace(0, len(cells) - 1, MOST_CELLS)]

    # -- what is so

    def _compare_truth(
        self, play: Play, rng: np.random.Generator, once: set[Any], viewer: int | None = None
    ) -> None:
        """The truth, against what is believed of it: each play counts once for each group."""
        self.made.add("truth")
        for each in viewers(self.game.players) if viewer is None else (viewer,):
            masked = numbers_of(play.view(each).states)[0]
            hidden = np.flatnonzero(masked == HIDDEN)
            if not len(hidden):
                continue
            moves = play.seen_by(each).events
            event = (moves[-1].event.mover, moves[-1].event.observation) if moves else None
            groups = [
                group
                for group in ((each, event), (each, "start" if event is None else "later"))
                if group not in once
            ]
            if groups:
                once.update(groups)
                imagined = Samples.of(numbers_of(self._imagined(play, each, self.worlds, rng)))
                truth = Samples.of(numbers_of(play.truth()))
                where = self._where(play)
                self.truth.add(groups, self._compared(hidden), truth, imagined, where)

    def _compare_event(
        self, play: Play, action: int, viewer: int, rng: np.random.Generator
    ) -> None:
        """Compares states imagined before a move, and that fit what was seen, with later ones."""
        game, mover = self.game, play.player
        after = play.supposing(play.truth())
        after.apply(action)
        if viewer != SPECTATOR:
            self.made.add("known")
            check_known(self.belief, play, after, viewer, self._where(play), rng)
        if after.over:
            return
        view = after.view(viewer)
        hidden = np.flatnonzero(numbers_of(view.states)[0] == HIDDEN)
        if not len(hidden):
            return
        self.made |= {"update", "observe"}
        truth = after.truth()
        seen = int(game.observe(truth[0], action, mover, viewer, game.tables))
        moved = _Moved(self, play, action, viewer, seen, view.data)
        for _ in range(DRAWS):
            moved.add(self._imagined(play, viewer, self.worlds, rng), rng)
            if moved.size >= FEWEST:
                break
        if moved.size < FEWEST / 4:
            self.skipped += 1
            return
        self.events += 1
        count = MORE_AFTERWARDS * self.worlds
        afterwards = Samples.of(numbers_of(self._imagined(after, viewer, count, rng)))
        name, told = viewer_name(game.roles, viewer), "nothing" if seen == HIDDEN else seen
        event = f"{game.roles[mover]}: {game.action_name(action)}"
        where = f"{self._where(play)}, {event}, of which {name} observes {told}"
        groups = (
            (viewer, mover, seen),
            (viewer, mover),
            (viewer == mover,),
            (play.seed, len(play.actions), viewer),
        )
        cells = self._compared(hidden)
        self.update.add(groups, cells, moved.fitting, afterwards, where)
        self._by_view.append((groups, cells, moved.alike, afterwards))

    # -- what was found

    def decide(self) -> None:
        """Raise the clearest difference, if there is one, or that no main thing is ever hidden."""
        self.faults.attempt(self._decide_main)
        counts = np.logical_and(self._decided, ~self._drawn).tolist().__getitem__
        self.faults.attempt(self._decide_update, counts)
        self.faults.attempt(self._decide_truth, counts)

    def _decide_main(self) -> None:
        if self.main and not self.main & self.named:
            raise ConformanceError(
                "learned",
                "main gives no name that hidden ever gave",
                where=f"game {self.game.name!r}",
                value=sorted(self.main),
                hint=f"hidden gave {some_of(sorted(self.named))}",
            )

    def _decide_update(self, counts: Callable[[int], bool]) -> None:
        update = self.update.clearest(counts)
        if update is not None:
            # As much is believed as if nothing had been observed: then that is what is wrong.
            told = self._without_observe(update).score < update.score / 4
            message = (
                "observe tells apart what changes neither the view nor what is believed"
                if told
                else "what is believed after an event does not follow from what was believed before"
            )
            raise ConformanceError(
                "observe" if told else "update",
                f"{message}: {self._value(update)} with probability {update.first:.3f} should be"
                f" believed, and {update.second:.3f} is (about, by samples)",
                where=update.where,
                hint=_OBSERVE if told else _UPDATE,
                fields=self._fields(update),
            )

    def _decide_truth(self, counts: Callable[[int], bool]) -> None:
        truth = self.truth.clearest(counts)
        if truth is not None:
            group = cast(tuple[int, object], truth.group)
            viewer = viewer_name(self.game.roles, group[0])
            raise ConformanceError(
                "truth",
                f"{viewer} believes {self._value(truth)} with probability {truth.second:.3f}, and"
                f" it is so in {truth.first:.3f} of {truth.moments} plays",
                where=truth.where,
                hint=_TRUTH,
                fields=self._fields(truth),
            )

    def _without_observe(self, found: Difference) -> Difference:
        """The same difference, if what was observed said nothing."""
        by_view = Differences()
        for groups, cells, alike, afterwards in self._by_view:
            if found.group in groups:
                by_view.add([found.group], cells, alike, afterwards, found.where)
        return by_view.of(found.group, found.cells)

    def _fields(self, found: Difference) -> tuple[str, ...]:
        state = self.game.states(1)
        return tuple(dict.fromkeys(field_of(state, cell) for cell in found.cells))

    def _value(self, found: Difference) -> str:
        state = self.game.states(1)
        named = zip(found.cells, found.values, strict=True)
        return " and ".join(f"{number_of(state, cell)!r} = {value}" for cell, value in named)


class _Moved:
    """States that were imagined before a move and moved on, as far as they fit what was seen."""

    def __init__(
        self, comparing: _Comparing, play: Play, action: int, viewer: int, seen: int, view: bytes
    ) -> None:
        self._comparing = comparing
        self._mover = play.player
        self._action = action
        self._viewer = viewer
        self._seen = seen
        self._view = view
        self._fitting = _Kept(comparing.game)
        self._alike = _Kept(comparing.game)

    @property
    def size(self) -> float:
        """So many states of equal weight say as much as those that fit."""
        return self._fitting.size

    @property
    def fitting(self) -> Samples:
        """Those in which the viewer would have observed, and would see, what they did."""
        return self._fitting.samples()

    @property
    def alike(self) -> Samples:
        """Those in which they would see what they did, whatever was observed."""
        return self._alike.samples()

    def add(self, states: States, rng: np.random.Generator) -> None:
        """Move states on, by every action that may have been taken in them, or some of those."""
        game, random = self._comparing.game, generator(int(rng.integers(2**31)))
        before = _quick(states, game)
        after, looked = before[:1].copy(), before[:1].copy()
        state, view = after[0], looked[0]
        for place in range(len(states)):
            alike, fitting = list[_Weighed](), list[_Weighed]()
            for action, weight in self._actions(states[place : place + 1], rng):
                after[0] = before[place]
                game.apply(state, action, game.tables, random)
                if after["player"][0] == OVER:
                    continue
                seen = game.observe(state, action, self._mover, self._viewer, game.tables)
                looked[0] = after[0]
                game.mask(view, self._viewer, game.tables)
                if looked.tobytes() == self._view:
                    alike.append((after.tobytes(), weight))
                    if int(seen) == self._seen:
                        fitting.append(alike[-1])
            self._alike.add(alike)
            self._fitting.add(fitting)

    def _actions(self, states: States, rng: np.random.Generator) -> Iterator[tuple[int, float]]:
        if self._viewer == self._mover:
            yield self._action, 1.0  # what is legal is the same in all that look alike to them
            return
        legal = legal_actions(self._comparing.game, states)
        if not len(legal):
            return
        weights = self._comparing.weights(states, legal)
        others = np.flatnonzero(legal != self._action)
        chosen = others if len(others) <= OTHERS else rng.choice(others, OTHERS, replace=False)
        for place in np.flatnonzero(legal == self._action).tolist():
            yield self._action, float(weights[place])
        for place in chosen.tolist():
            yield int(legal[place]), float(weights[place]) * len(others) / len(chosen)


_Weighed = tuple[bytes, float]


def _quick(states: States, game: Game) -> Any:
    """The same states in an array that is quicker to read, for Python or for compiled kernels."""
    return states.view(np.ndarray) if is_compiled(game.apply) else as_plain(states)


class _Kept:
    """States with weights, several of which may come from one that was drawn."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._states: list[_Weighed] = []
        self._total = self._squares = 0.0

    @property
    def size(self) -> float:
        """So many states of equal weight would say as much."""
        return self._total**2 / self._squares if self._squares else 0.0

    def add(self, states: list[_Weighed]) -> None:
        """Adds the states that became of one that was drawn."""
        total = sum(weight for _, weight in states)
        self._states += states
        self._total += total
        self._squares += total**2

    def samples(self) -> Samples:
        numbers = numbers_of(self._game.states_of(b"".join(data for data, _ in self._states)))
        return Samples(numbers, np.array([weight for _, weight in self._states]), self.size)
