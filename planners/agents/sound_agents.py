"""Agents that play a mixed policy of the whole game, which they learned from the deal on."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief
from ...data.checks import known_name, number_within, whole_number
from ...data.disk.contents import named_files
from ...data.errors import CostError, SettingsError, UnsupportedError
from ...models.game import Game
from ...models.play import SeenPlay, View, goes_on
from ...models.records.play_start import check_seed
from ..search.budget import MOST, MOST_NODES, Budget
from ..search.decision import Decision
from ..search.options import MOST_WORKERS
from ..sound.deciding import drawn_decision, redrawn, without_rare
from ..sound.online import FROM_NOW, LED, LINES, MOST_TREMBLES, TREMBLES, OnlineSearch
from ..sound.resolving.gadgets import check_two
from ..sound.resolving.moments import SubgamePolicy, resolve_from
from ..sound.sampling import INFORMATION, Sampling
from ..sound.whole_game import WholeGameSearch
from .advised import belief_of
from .agent import Maker, chosen
from .kind import Kind

#: Iterations for one action when neither they nor time are given.
ITERATIONS: Final = 5_000
#: Reasons why a policy need not come to an equilibrium.
UNLIKE: Final = "an equilibrium is guaranteed only for two players who play for one sum"
FROM_HERE: Final = (
    "no equilibrium is guaranteed, since nothing says what was dealt: it is searched from here"
)
ALL_LED: Final = "no equilibrium is guaranteed, since all walks are led"
NEVER_TRIED: Final = "no walk came to this decision, so all actions are equally likely"
LEAVES_OUT: Final = "no equilibrium is guaranteed, since rare actions are left out"
FORGETS: Final = "no equilibrium is guaranteed, since information sets forget"
#: The methods that can be led through what a player has seen.
SOUND_METHODS: Final = ("auto", "external", "outcome")
#: The numbers of a method that are its own.
_OF_SAMPLING: Final = ("exploration", "regret_power", "average_power", "baseline")


@dataclass(frozen=True, kw_only=True)
class SoundSettings:
    """Options of the agent that searches the whole game; see `OnlineSearch` and `Budget`.

    Attributes:
        simulations, seconds, milliseconds, cpu_seconds, nodes: The budget of one action; 5,000
            iterations when none is given.
        method: ``external`` or ``outcome``, see `Sampling`; ``auto`` for the one whose walks are
            short enough.
        exploration, regret_power, average_power, baseline: Numbers of the method; None for those
            that are usual.
        information: What an information set is, see `Sampling`.
        targeted: Share of the walks that are led through what the player has seen; None: 0 with
            external sampling in a game of few deals, 0.9 elsewhere.
        lines: So many games that the player may have seen are drawn for a decision.
        led: Where these begin: ``deal``, ``now`` or ``auto``.
        trembles: Iterations of a worker after which policies tremble half as much on the way to the
            decision, where games are led from the deal; 0 for no tremble.
        kept: How much of what was learned counts at the next decision, from 0 to 1, where games are
            led from the deal. None: 0.03, and all of it with a ``start``.
        least: Actions that its policy takes more rarely are left out, but for the likeliest.
        workers: Threads, each with statistics of its own.
        resolve_below: Where the rest of the game has at most so many histories, it is written out
            and solved with a gadget that keeps it safe, which takes its own time; 0 for never.
        start: The file that `WholeGameSearch.save` or ``sleuth solve --out`` wrote: every game goes
            on from there, with its method and workers. None to begin with nothing.
        belief: How likely the worlds are from which lines are drawn: a likelihood of the game's
            belief; None for its usual belief. The search weighs it out again.
    """

    simulations: int | None = None
    seconds: float | None = None
    milliseconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int = MOST_NODES
    method: str = "auto"
    exploration: float | None = None
    regret_power: float | None = None
    average_power: float | None = None
    baseline: float | None = None
    information: str = "players"
    targeted: float | None = None
    lines: int = LINES
    led: str = "auto"
    trembles: float = TREMBLES
    kept: float | None = None
    least: float = 0.0
    workers: int = 1
    resolve_below: int = 0
    start: str | None = None
    belief: str | None = None

    def of_belief(self) -> Mapping[str, Any]:
        """The facts the game's belief is told; a game with more options says here what."""
        return {}

    @property
    def budget(self) -> Budget:
        """The budget of one action.

        Raises:
            SettingsError: A limit makes no sense, or seconds are given twice.
        """
        seconds = self.seconds
        if self.milliseconds is not None:
            number_within(self.milliseconds, "milliseconds", above=True)
            if seconds is not None:
                raise SettingsError(
                    "seconds are given twice",
                    where="milliseconds",
                    value=self.milliseconds,
                    hint="write one of seconds and milliseconds",
                )
            seconds = self.milliseconds / 1_000
        simulations = self.simulations
        if (simulations, seconds, self.cpu_seconds) == (None,) * 3:
            simulations = ITERATIONS
        return Budget(
            simulations=simulations,
            seconds=seconds,
            cpu_seconds=self.cpu_seconds,
            nodes=self.nodes,
        )

    @property
    def sampling(self) -> Sampling | None:
        """The method with its numbers; None for the one that suits the game.

        Raises:
            SettingsError: There is no such method, or numbers of none are given.
        """
        known_name(self.method, SOUND_METHODS, "method of sampling")
        known_name(self.information, INFORMATION, "kind of information")
        given = {
            name: number for name in _OF_SAMPLING if (number := getattr(self, name)) is not None
        }
        if self.information != INFORMATION[0]:
            given["information"] = self.information
        if self.method != "auto":
            return Sampling(method=self.method, **given)
        if given:
            raise SettingsError(
                "this is a number of one method",
                where=next(iter(given)),
                value=next(iter(given.values())),
                hint="write method=outcome or method=external, too",
            )
        return None


@dataclass(kw_only=True, eq=False)
class SoundAgent:
    """Searches the whole game from the deal on, led to the decision at hand, and plays a mixture.

    It keeps what it learned from move to move of one game: asked about a moment that does not go on
    from the last one, it begins anew. Asked about the same moment again, it answers the same. In a
    two-player game for one sum the policy comes to an equilibrium with more time; elsewhere that is
    not guaranteed.

    Attributes:
        game: The game.
        budget: Of one decision.
        belief: The game's belief, from which games that the player may have seen are drawn; None
            where nothing is hidden.
        seed: Of what is drawn from its policy, with how much it has seen.
        name: What it is called in results.
        resolve_below, least: As in `SoundSettings`.
        options: Further arguments of `OnlineSearch`.

    >>> import sleuth
    >>> from sleuth.agents import SoundAgent
    >>> budget = sleuth.Budget(simulations=3_000)
    >>> player = SoundAgent(game=sleuth.game("kuhn_poker"), budget=budget, seed=1)
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> decision = player.decision(view, seen)
    >>> sorted(decision.policy), decision.simulations
    ([0, 1], 3000)
    >>> player.decide(view, seen) == player.decision(view, seen).action == decision.action
    True
    >>> player.again(seed=2).seed
    2
    >>> player.warm() in (True, False)  # whether compiled code is at hand
    True
    >>> player.stop()  # from another thread
    """

    game: Game
    budget: Budget
    belief: GameBelief | None = None
    seed: int = 0
    name: str = "sound"
    resolve_below: int = 0
    least: float = 0.0
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        check_seed(self.seed)
        self._search = OnlineSearch(self.game, self.belief, seed=self.seed, **self.options)
        self._last: tuple[View, SeenPlay, Decision] | None = None
        self._rest: SubgamePolicy | None = None

    def warm(self) -> bool:
        """Compile what is needed, unless nothing may be compiled; whether it is compiled."""
        return self._search.warm()

    def again(self, seed: int) -> SoundAgent:
        """The same agent with another seed, and without a memory; cheap, for a match."""
        return replace(self, seed=seed)

    def stop(self) -> None:
        """Ends the decision that is being made, which is by what was learned until then."""
        self._search.stop()

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The action drawn from its policy; the only one, without a search, if there is one.

        Raises:
            KeyboardInterrupt: Ctrl-C while it searched.
        """
        return chosen(view, lambda: self.decision(view, seen), filters=False)

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The policy at this moment, and what is drawn from it."""
        if self._last is not None and same_moment(self._last, view, seen):
            return self._last[2]
        if self._last is None or not goes_on(self._last[1], seen):
            self._rest = None
        found = self._search.decide(view, seen, self.budget)
        shares = self._solved(view, seen) if self.resolve_below else None
        if shares is not None:
            found = redrawn(found, self.game, view, seen, shares, seed=self.seed)
        if self.least:
            found = without_rare(found, self.game, view, seen, self.least, seed=self.seed)
        learned = shares is not None or self._search.came_by(view, seen)
        found = replace(found, caveat=self._caveat() if learned else NEVER_TRIED)
        if not found.interrupted:
            self._last = view, seen, found
        return found

    def _solved(self, view: View, seen: SeenPlay) -> NDArray[np.float64] | None:
        """The policy here from the rest of the game, solved once; None where that is too large."""
        if self._rest is None:
            kept = self._search.search.policy
            try:
                self._rest = resolve_from(
                    self.game, view, seen, policy=kept, most_histories=self.resolve_below
                )
            except (CostError, UnsupportedError):
                return None
        return self._rest.probabilities(view, seen)

    def _caveat(self) -> str:
        """The reason why its policy need not come to an equilibrium; empty if it does."""
        if self.game.players != 2 or self.game.sum_of_returns is None:
            return UNLIKE
        if self.game.hides and self._search.led_from == FROM_NOW:
            return FROM_HERE
        if self.game.hides and self._search.targeted == 1.0:
            return ALL_LED
        if self.least:
            return LEAVES_OUT
        return FORGETS if self._search.search.sampling.information == "key" else ""


@dataclass(frozen=True, kw_only=True)
class KeptSettings:
    """Options of the agent that plays what was learned before.

    Attributes:
        file: The file that `WholeGameSearch.save` or ``sleuth solve --out`` wrote.
    """

    file: str | None = None


class KeptAgent:
    """Plays the average policy of a search of the whole game, without searching any more.

    What it does depends on its seed and on how much it has seen, so a decision can be made again.
    Where the search never came by, all actions are equally likely, and the decision says so.

    Args:
        search: The search.
        seed: Of what is drawn from the policy.
        name: What it is called in results.

    >>> import sleuth
    >>> from sleuth.agents import KeptAgent
    >>> from sleuth.equilibria import WholeGameSearch
    >>> search = WholeGameSearch("kuhn_poker", seed=1).run(sleuth.Budget(simulations=10_000))
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> player = KeptAgent(search, seed=1)
    >>> decision = player.decision(play.view(0), play.seen_by(0))
    >>> player.decide(play.view(0), play.seen_by(0)) == decision.action
    True
    >>> decision.policy[0] > 0.6, player.again(seed=2).name
    (True, 'policy')
    """

    def __init__(self, search: WholeGameSearch, *, seed: int = 0, name: str = "policy") -> None:
        self.search = search
        self.seed = check_seed(seed)
        self.name = name

    def again(self, seed: int) -> KeptAgent:
        """The same agent with another seed; cheap, for a match."""
        other = copy(self)
        other.seed = check_seed(seed)
        return other

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action."""
        return chosen(view, lambda: self.decision(view, seen), filters=False)

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The policy here, and what is drawn from it."""
        shares = self.search.probabilities(view, seen)
        found = drawn_decision(
            self.search.game,
            view,
            seen,
            shares,
            visits=np.zeros(len(shares), np.int64),
            values=np.full(len(shares), np.nan),
            seed=self.seed,
            simulations=self.search.simulations,
            nodes=self.search.nodes,
        )
        return found if self.search.came_by(view, seen) else replace(found, caveat=NEVER_TRIED)


def kept(game: Game, settings: KeptSettings, text: str) -> Maker:
    """The maker of agents that play what stands in a file.

    Raises:
        SettingsError: There is no file, or it is of another game.
    """
    if settings.file is None:
        raise SettingsError(
            "this agent plays what stands in a file",
            hint="write policy:FILE.npz, which 'sleuth solve --out FILE.npz' makes",
        )
    agent = KeptAgent(_loaded(game, settings.file, "file"), name=text)
    return agent.again


def _loaded(game: Game, file: str, option: str) -> WholeGameSearch:
    """The search of a game that stands in a file, which an option names."""
    if not named_files(file):
        raise SettingsError(
            "there is no such file",
            where=option,
            value=file,
            hint="'sleuth solve --out FILE.npz' makes one",
        )
    return WholeGameSearch.load(file, game=game)


def same_moment(last: tuple[View, SeenPlay, Decision], view: View, seen: SeenPlay) -> bool:
    """True if this is the moment that was asked about last."""
    before, known, _ = last
    return known.digest == seen.digest and before.states.tobytes() == view.states.tobytes()


def sound(game: Game, settings: SoundSettings, text: str) -> Maker:
    """The maker of agents that search the whole game, from their options.

    Raises:
        SettingsError: An option makes no sense, or does not fit the game.
    """
    if settings.targeted is not None:
        number_within(settings.targeted, "targeted", most=1.0)
    number_within(settings.trembles, "trembles", most=MOST_TREMBLES)
    if settings.kept is not None:
        number_within(settings.kept, "kept", most=1.0)
    number_within(settings.least, "least", most=1.0)
    whole_number(settings.lines, "lines", least=1, most=1_000_000)
    whole_number(settings.workers, "workers", least=1, most=MOST_WORKERS)
    whole_number(settings.resolve_below, "resolve_below", least=0, most=MOST)
    known_name(settings.led, LED, "way to lead lines")
    budget, sampling = settings.budget, settings.sampling
    if settings.resolve_below:
        try:
            check_two(game)
        except UnsupportedError as error:
            raise SettingsError(
                error.message, where="resolve_below", value=settings.resolve_below
            ) from None
    belief, _ = belief_of(game, settings.belief, needed="this search", **settings.of_belief())
    agent = SoundAgent(
        game=game,
        budget=budget,
        belief=belief,
        name=text,
        resolve_below=settings.resolve_below,
        least=settings.least,
        options={
            "sampling": sampling,
            "targeted": settings.targeted,
            "lines": settings.lines,
            "led": settings.led,
            "trembles": settings.trembles,
            "kept": settings.kept,
            "workers": settings.workers,
            "start": None if settings.start is None else _loaded(game, settings.start, "start"),
        },
    )
    agent.warm()
    return agent.again


def sounders(settings: type[SoundSettings] = SoundSettings) -> dict[str, Kind]:
    """The agents that search whole games, by name.

    Args:
        settings: Their options: a game in which they have more of them has its own class.
    """
    return {"sound": Kind("a mixed policy, searched from the deal on", settings(), sound)}
