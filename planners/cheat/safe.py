"""Safe and profitable in Cheat: a restricted response to what is predicted of people.

The opponent does what is predicted of people in a share of all games, and plays freely in the rest,
as well as anybody could against this (Johanson, Zinkevich and Bowling 2007). What a player does
best then is learned by sampling: whole games from the deal where games are short, so that the free
opponent is one of the whole game; else games that begin with the worlds of now, without guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from ...beliefs.games.cheat.imagined import HORIZON
from ...beliefs.games.cheat.judges import EVEN, HINT, NONE, USUAL
from ...beliefs.games.cheat.play import CheatBelief
from ...beliefs.games.cheat.rival import rival_likelihoods
from ...data.checks import known_name, number_within
from ...data.errors import SettingsError
from ...models.game import Game
from ...models.play import SeenPlay, View
from ...models.records.play_start import check_seed
from ..agents import KeptAgent, Maker
from ..agents.agent import chosen
from ..agents.sound_agents import same_moment
from ..search.budget import MOST_NODES, Budget
from ..search.decision import Decision
from ..sound.deciding import without_rare
from ..sound.online import FROM_NOW, FROM_THE_DEAL, LINES, TARGETED, OnlineSearch
from ..sound.sampling import Sampling
from ..sound.whole_game import WholeGameSearch

#: Iterations for one action when neither they nor seconds are given.
SIMULATIONS: Final = 1_000
#: What is done more rarely by an average policy of few games is left out.
LEAST: Final = 0.15
#: Whole games, wherever they go, by external sampling.
ANYWHERE: Final = "anywhere"


@dataclass(frozen=True, kw_only=True)
class SafeSettings:
    """Options of an agent that answers what is predicted of people, and stays safe.

    Attributes:
        simulations, seconds, cpu_seconds, nodes: The budget of one action.
        share: In what share of the games the opponent does what is predicted of people.
        predictor, calls: What predicts the truth of claims and calls, see `CheatSettings`.
        led: Where games are sampled: ``anywhere`` from the deal, from the ``deal`` through what
            the player has seen, or from ``now``. None: anywhere if games are over before a search
            for people breaks them off, else from now.
        targeted, lines: As in `OnlineSearch`.
        information, exploration: As in `Sampling`.
        least: What the average policy does more rarely is not done: it is mostly left over from
            when little was known (Ganzfried and Sandholm 2012, "thresholding"). None: 0 from the
            deal, where rare actions can be wanted, else `LEAST`.
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int = MOST_NODES
    share: float = 0.75
    predictor: str = USUAL
    calls: str = USUAL
    led: str | None = None
    targeted: float = TARGETED
    lines: int = LINES
    information: str = "players"
    exploration: float | None = None
    least: float | None = None


@dataclass(eq=False)
class SafeAgent:
    """Plays the average policy of a search whose opponent is predicted in a share of games.

    Attributes:
        game: Cheat, imagined with predictors of both players.
        belief: What a player knows of the cards.
        budget: How long it may search for one action.
        options: Those of the search: of a `WholeGameSearch`, or of an `OnlineSearch`.
        online: Whether it is an `OnlineSearch`.
        least: Of the average policy what is done more rarely is left out, if anything remains.
        seed: The same seed gives the same decisions, unless the budget is in seconds.
        name: What it is called in results.
    """

    game: Game
    belief: CheatBelief
    budget: Budget
    options: dict[str, Any]
    online: bool
    least: float
    seed: int = 0
    name: str = "safe"
    _searches: dict[int, WholeGameSearch | OnlineSearch] = field(
        default_factory=dict[int, WholeGameSearch | OnlineSearch]
    )

    def __post_init__(self) -> None:
        check_seed(self.seed)
        self._last: tuple[View, SeenPlay, Decision] | None = None

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The action that it draws; the only one, without a search, if there is one."""
        return chosen(view, lambda: self.decision(view, seen), filters=False)

    def decision(self, view: View, seen: SeenPlay) -> Decision:
        """The whole answer of the search; asked about the same moment again, it is the same."""
        if self._last is not None and same_moment(self._last, view, seen):
            return self._last[2]
        self.belief.begin(self.game, view, seen)
        search = self.search_of(view.viewer)
        if isinstance(search, OnlineSearch):
            found = search.decide(view, seen, self.budget)
        else:
            found = KeptAgent(search.run(self.budget), seed=self.seed).decision(view, seen)
        if self.least:
            found = without_rare(found, self.game, view, seen, self.least, seed=self.seed)
        if not found.interrupted:
            self._last = view, seen, found
        return found

    def search_of(self, player: int) -> WholeGameSearch | OnlineSearch:
        """The search for a player's decisions."""
        if player not in self._searches:
            given: dict[str, Any] = {
                **self.options,
                "seed": self.seed,
                "rival": self.game.policy,
                "hero": player,
            }
            self._searches[player] = (
                OnlineSearch(
                    self.game,
                    self.belief,
                    likelihoods=partial(rival_likelihoods, self.game),
                    **given,
                )
                if self.online
                else WholeGameSearch(self.game, **given)
            )
        return self._searches[player]


def prepare(game: Game, settings: SafeSettings, text: str) -> Maker:
    """The maker of agents with these options."""
    number_within(settings.share, "share", most=1.0)
    number_within(settings.least or 0.0, "least", most=1.0)
    if settings.predictor in (EVEN, HINT, NONE):
        raise SettingsError(
            "the opponent does what a predictor says of people",
            where="predictor",
            value=settings.predictor,
            hint="write predictor=usual, or a file",
        )
    led = settings.led or (ANYWHERE if game.max_depth <= HORIZON else FROM_NOW)
    known_name(led, (ANYWHERE, FROM_THE_DEAL, FROM_NOW), "way to lead games")
    simulations = settings.simulations
    if (simulations, settings.seconds, settings.cpu_seconds) == (None,) * 3:
        simulations = SIMULATIONS
    budget = Budget(
        simulations=simulations,
        seconds=settings.seconds,
        cpu_seconds=settings.cpu_seconds,
        nodes=settings.nodes,
    )
    predicted = CheatBelief(predictor=settings.predictor, calls=settings.calls)
    # From the deal on the search weighs itself how likely claims are: counting is enough.
    belief = predicted if led == FROM_NOW else CheatBelief(calls=settings.calls)
    online = led != ANYWHERE
    sampling = Sampling(
        method="outcome" if online else "external",
        information=settings.information,
        exploration=settings.exploration,
    )
    options: dict[str, Any] = {"share": settings.share, "sampling": sampling}
    if online:
        options |= {"targeted": settings.targeted, "lines": settings.lines, "led": led}
    imagined = predicted.imagined(game)
    least = settings.least
    if least is None:
        least = LEAST if led == FROM_NOW else 0.0

    def make(seed: int) -> SafeAgent:
        return SafeAgent(imagined, belief, budget, options, online, least, seed, text)

    make(0).search_of(0).warm()
    return make
