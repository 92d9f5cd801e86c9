"""Online sampling: the search of a whole game, led to the decision at hand.

Lisy, Lanctot and Bowling (2015), "Online Monte Carlo counterfactual regret minimization for search
in imperfect information games". At a decision in the middle of a game a share of the lines goes
from the deal through what the player has seen; the belief says which deals and hidden actions
there can have been. The other lines go anywhere, so that everybody's policy is right for the whole
game. Lines are weighed by how likely they were to be drawn, and statistics are kept from move to
move. So it is with external sampling here, where a walk tries all actions of one player.

Where the belief cannot lead its worlds back to the deal, lines begin with the worlds of now. That
is a search from one decision, without guarantee, and the search says so (`OnlineSearch.led`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief, Histories, Judging
from ...beliefs.games.drawn_histories import warm_histories
from ...beliefs.games.histories import draws_games, histories
from ...beliefs.games.registry import belief_or_none
from ...data.checks import known_name, number_within, whole_number
from ...data.errors import SettingsError, UnsupportedError
from ...data.progress import Tell, silent
from ...models.game import Game
from ...models.games import GameEntry, game_from
from ...models.kernels.compiling import Say
from ...models.kernels.randomness import generator
from ...models.play import SeenPlay, View, goes_on
from ...models.records.play_start import check_seed
from ...models.rehearsal import filled
from ..search.budget import Budget
from ..search.decision import Decision
from ..search.determinization import WorldDraw, checked_rows, no_hidden_values, origin_of
from .alike_starts import chance_of_start
from .deciding import drawn_decision
from .fitting import few_deals, fitting_method
from .kernels.memory import Target, no_target
from .known_sets import (
    average_policies,
    came_by,
    keys_from_now,
    known_keys,
    public_key,
    visits_and_values,
)
from .sampling import Sampling
from .whole_game import WholeGameSearch

#: Share of the lines that go through what the player has seen (delta of the paper, section 5).
TARGETED: Final = 0.9
#: Iterations after which policies on the way to the decision tremble half as much.
TREMBLES: Final = 100_000.0
#: How much of what was learned of policies counts at the player's next decision. Few lines came
#: there before, and each of them weighs much: together they would drown what is learned now.
KEPT: Final = 0.03
#: Games that the player may have seen. Each line that is led goes through one of them.
LINES: Final = 256
#: Of all walks of the search. What an agent does depends on its own seed, but how walks go does
#: not: policies of different equilibria do not go together.
SEED: Final = 0
#: A tremble that lasts longer is as good as one that never falls.
MOST_TREMBLES: Final = 1e12
#: Ways to lead lines.
FROM_THE_DEAL: Final = "deal"
FROM_NOW: Final = "now"
LED: Final = ("auto", FROM_THE_DEAL, FROM_NOW)


class OnlineSearch:
    """A search for one player's decisions in one game after another.

    Args:
        game: The game, its entry, or its name.
        belief: The game's belief; None for the registered one, or where nothing is hidden.
        sampling: The method, external or outcome sampling, with its numbers; None for external
            sampling where its walks are short, and outcome sampling elsewhere.
        targeted: Share of the lines that go through what the player has seen, from 0 to 1. None: 0
            with external sampling in a game of few deals, and 0.9 elsewhere.
        lines: So many games that the player may have seen are drawn for a decision.
        led: ``"deal"`` for lines from the deal, ``"now"`` for lines from the worlds of now, or
            ``"auto"``: from the deal where the belief can say what was dealt. With a ``targeted``
            of 0 lines from the deal need no belief.
        trembles: Iterations of a worker after which policies tremble half as much on the way to the
            decision, where lines are led from the deal; 0 for no tremble.
        kept: How much of what was learned of policies counts at the player's next decision, from 0
            to 1, where lines are led from the deal. None: 0.03, and all of it with a ``start``.
        seed: Of what is drawn from policies, and of the games through which lines are led. Where no
            lines are led, the search is the same for every seed.
        workers: Threads, see `WholeGameSearch`.
        rival, share, hero, tail: Likewise.
        start: A search of the whole game that was made before: every game goes on from a copy of
            it, with its method and its workers.
        likelihoods: (games, viewer) -> float64[n], how likely the rival did what the viewer's
            others did in each of these games (`Histories`). Without it no line of the rival's goes
            through what the player has seen, unless lines begin now.

    Raises:
        SettingsError: A number or a name makes no sense, or ``start`` does not fit.
        UnsupportedError: The method is not MCCFR.

    Attributes:
        search: The search of the whole game, with its statistics.
        led_from: How the lines of the last decision were led.

    >>> import sleuth
    >>> from sleuth.equilibria import OnlineSearch
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> search = OnlineSearch("kuhn_poker", seed=1)
    >>> decision = search.decide(play.view(0), play.seen_by(0), sleuth.Budget(simulations=3_000))
    >>> sorted(decision.policy), search.led_from, search.targeted, search.search.simulations
    ([0, 1], 'deal', 0.0, 3000)
    >>> search.warm() in (True, False)  # whether compiled code is at hand
    True
    >>> search.stop()  # from another thread
    >>> shares = search.probabilities(play.view(0), play.seen_by(0))
    >>> shares.tolist() == list(decision.policy.values())
    True
    >>> search.came_by(play.view(0), play.seen_by(0))
    True
    >>> search.forget()  # what is asked next is another game
    """

    def __init__(
        self,
        game: Game | GameEntry | str,
        belief: GameBelief | None = None,
        *,
        sampling: Sampling | None = None,
        targeted: float | None = None,
        lines: int = LINES,
        led: str = "auto",
        trembles: float = TREMBLES,
        kept: float | None = None,
        seed: int = 0,
        workers: int = 1,
        rival: Any = None,
        share: float = 0.0,
        hero: int = -1,
        tail: Any = None,
        start: WholeGameSearch | None = None,
        likelihoods: Callable[[Histories, int], NDArray[np.float64]] | None = None,
    ) -> None:
        self.game = game = game_from(game)
        self._likelihoods = likelihoods
        self._belief = belief if belief is not None else belief_or_none(game)
        # How likely the players' choices are, the search itself weighs.
        if isinstance(self._belief, Judging):
            self._belief = self._belief.indifferent()
        if targeted is not None:
            number_within(targeted, "targeted", most=1.0, where="OnlineSearch")
        whole_number(lines, "lines", least=1, most=1_000_000)
        known_name(led, LED, "way to lead lines")
        number_within(trembles, "trembles", most=MOST_TREMBLES, where="OnlineSearch")
        if kept is not None:
            number_within(kept, "kept", most=1.0, where="OnlineSearch")
        self._trembles = float(trembles)
        self._kept = kept if kept is not None else KEPT if start is None else 1.0
        self._targeted, self._lines, self._led = targeted, lines, led
        self.seed = check_seed(seed)
        if start is not None:
            sampling = _started_with(start, game, sampling, workers, rival, led)
        if sampling is not None and sampling.method not in ("external", "outcome"):
            raise UnsupportedError(
                "only MCCFR can be led through what a player has seen",
                where="OnlineSearch",
                value=sampling.method,
                hint='write Sampling(method="outcome"), or take a WholeGameSearch',
            )
        self._start = start
        self._method = sampling
        self._options: dict[str, Any] = {
            "workers": workers,
            "rival": rival,
            "share": share,
            "hero": hero,
            "tail": tail,
        }
        self._stop = threading.Event()
        self.search = start or self._search_of(sampling or Sampling(method="external"))
        self.led_from = ""
        self._before: SeenPlay | None = None
        self._chances: dict[tuple[int, tuple[int, ...]], float] = {}

    @property
    def targeted(self) -> float:
        """The share of the lines that go through what the player has seen."""
        if self._targeted is not None:
            return self._targeted
        short = self._choose_method().method == "external"
        return 0.0 if short and few_deals(self.game) else TARGETED

    def warm(self, say: Say | None = None) -> bool:
        """Compile what is needed, unless nothing may be compiled; whether it is compiled."""
        if self._method is None:
            WholeGameSearch(self.game).warm(say)  # with which the method is chosen
            self.search = self._search_of(self._choose_method())
        led = self._led != FROM_NOW and self.targeted > 0.0
        drawing = led and draws_games(self._belief, self.game)
        return self.search.warm(say) and (not drawing or warm_histories(self.game, say))

    def forget(self) -> None:
        """Begin anew at the next decision, whatever it is about."""
        self._before = None

    def stop(self) -> None:
        """End `decide` within a few hundredths of a second; it answers by what it has.

        While games are drawn for it, it ends after that.
        """
        self._stop.set()

    def decide(
        self, view: View, seen: SeenPlay, budget: Budget, *, progress: Tell = silent
    ) -> Decision:
        """Search for a decision, and draw it from the average policy.

        Statistics of the game so far are kept where what is seen goes on from what was seen at the
        last decision; else they begin anew. What is drawn depends on the seed and on how much was
        seen, and on nobody else's draws.

        Args:
            view: The state as the player to move sees it.
            seen: What they have seen so far.
            budget: Of this decision.
            progress: See `WholeGameSearch.run`.

        Raises:
            SettingsError: It is nobody's move, or not the viewer's.
            UnsupportedError: With ``led="deal"`` the belief cannot say what was dealt and done.
            KeyboardInterrupt: It was stopped before the first iteration.
        """
        if not len(view.legal()):
            raise SettingsError("the game is over", where=self.game.name)
        self._stop.clear()
        self._choose_method()
        target, led_from = self._target(view, seen)
        before = self._before
        if before is None or not goes_on(before, seen) or FROM_NOW in (led_from, self.led_from):
            self._begin(seen, led_from)
        elif len(target.starts) and len(before.events) < len(seen.events):
            self.search._fade(self._kept)  # pyright: ignore[reportPrivateUsage]
        self._before, self.led_from = seen, led_from
        done, seconds = self.search.simulations, self.search.seconds
        self._run(target, budget, progress)
        if self.search.simulations == 0:
            raise KeyboardInterrupt
        shares = self.probabilities(view, seen)
        key = self._keys(view, seen)[-1]
        visits, values = visits_and_values(self.search.trees, key, len(shares))
        sampling = self.search.sampling
        if sampling.method == "outcome" and not sampling.baseline:
            values = np.full(len(shares), np.nan)
        return drawn_decision(
            self.game,
            view,
            seen,
            shares,
            visits=visits,
            values=values,
            seed=self.seed,
            simulations=self.search.simulations - done,
            seconds=self.search.seconds - seconds,
            nodes=self.search.nodes,
            full=self.search.full,
            interrupted=self.search.interrupted,
        )

    def probabilities(self, view: View, seen: SeenPlay) -> NDArray[np.float64]:
        """The policy at a decision as of now, for the legal actions in their order."""
        key = self._keys(view, seen)[-1:]
        return average_policies(self.search.trees, key, np.array([len(view.legal())], np.int64))

    def came_by(self, view: View, seen: SeenPlay) -> bool:
        """True if a line came to a decision; else nothing is known there."""
        return came_by(self.search.trees, self._keys(view, seen)[-1])

    # -- where lines go

    def _begin(self, seen: SeenPlay | None = None, led_from: str = FROM_THE_DEAL) -> None:
        """Begin anew, by the method that suits the game, or with what was learned before.

        Deals that look otherwise to everybody belong to another game, of which nothing is learned.
        """
        if self._start is not None and led_from == FROM_THE_DEAL:
            self.search = self._stoppable(self._start.copy())
        else:
            self.search = self._search_of(self._choose_method())
        if seen is not None:
            public = public_key(self.game, seen)
            self.search._begin_with(public)  # pyright: ignore[reportPrivateUsage]

    def _run(self, target: Target, budget: Budget, progress: Tell) -> None:
        """Search, with lines that are led."""
        now = self.led_from == FROM_NOW
        share, trembles = (1.0, 0.0) if now else (self.targeted, self._trembles)
        self.search._lead(target, share, trembles)  # pyright: ignore[reportPrivateUsage]
        self.search.run(budget, progress)

    def _choose_method(self) -> Sampling:
        """The method that was asked for, or that fits the game."""
        if self._method is None:
            self._method = fitting_method(self.game)
        return self._method

    def _search_of(self, sampling: Sampling) -> WholeGameSearch:
        made = WholeGameSearch(self.game, sampling=sampling, seed=SEED, **self._options)
        return self._stoppable(made)

    def _stoppable(self, search: WholeGameSearch) -> WholeGameSearch:
        """The same search, which ends when this one is to stop, also if it has not begun then."""
        search._stop = self._stop  # pyright: ignore[reportPrivateUsage]
        return search

    def _target(self, view: View, seen: SeenPlay) -> tuple[Target, str]:
        rng = np.random.default_rng((self.seed, len(seen.events), 1))
        if self._led != FROM_NOW and self.targeted == 0.0:
            return no_target(self.game), FROM_THE_DEAL
        if self._led != FROM_NOW:
            found = self._from_the_deal(view, seen, rng)
            if found is not None:
                return found, FROM_THE_DEAL
            if self._led == FROM_THE_DEAL:
                raise UnsupportedError(
                    "the belief of this game cannot say what was dealt and done",
                    where=f"game {self.game.name!r}",
                    hint='write led="now", or let the belief have histories()',
                )
        return self._from_now(view, seen, rng), FROM_NOW

    def _from_the_deal(self, view: View, seen: SeenPlay, rng: np.random.Generator) -> Target | None:
        """Games that the player may have seen; None where the belief cannot give any."""
        if self._belief is None:
            return None
        # Where too few games fit that are drawn, no more of them fit later in the same game.
        asked = self._led == FROM_THE_DEAL
        drawn = asked or not self._goes_on_from_now(seen)
        found = histories(
            self._belief, None, view, seen, self._lines, rng, drawn=drawn, patient=asked
        )
        if found is None:
            return None
        known = known_keys(self.game, view, seen, self.search.sampling.information)[:-1]
        ways = np.array(found.ways) if found.ways else np.ones(len(known))
        scales = 1.0 / (self._chance(seen) * ways)
        likely = np.zeros(0)
        if self._likelihoods is not None:
            likely = np.asarray(self._likelihoods(found, view.viewer), np.float64)
        mean = float(likely.mean()) if len(likely) else 0.0
        return Target(
            player=view.viewer,
            starts=found.starts,
            actions=np.ascontiguousarray(found.actions, np.int64),
            listed=np.ascontiguousarray(found.listed, np.int64),
            told=_remembered(found, seen),
            known=known,
            scales=scales,
            rival=np.cumsum(likely) if mean > 0.0 else np.zeros(0),
            rival_scale=float(scales[-1]) / mean if mean > 0.0 else 0.0,
        )

    def _goes_on_from_now(self, seen: SeenPlay) -> bool:
        """True if lines led from the worlds of now at an earlier decision of the same game."""
        before = self._before
        return before is not None and self.led_from == FROM_NOW and goes_on(before, seen)

    def _from_now(self, view: View, seen: SeenPlay, rng: np.random.Generator) -> Target:
        """The worlds of now, as if the game began here."""
        draw: Any = no_hidden_values
        if self.game.hides and self._belief is not None:
            belief, posterior = self._belief, self._belief.infer(view, seen)
            draw = WorldDraw(belief, lambda n, rng: belief.worlds(posterior, n, rng))
        rows = checked_rows(draw, self._lines, rng)
        random = generator(self.seed, len(seen.events))
        starts = filled(self.game, view.states, rows, random, origin_of(draw, self.game))
        none = np.zeros((len(starts), 0), np.int64)
        return Target(
            player=view.viewer,
            starts=starts,
            actions=none,
            listed=none,
            told=none,
            known=keys_from_now(self.game, view, self.search.sampling.information)[:-1],
            scales=np.ones(1),
            rival=np.arange(1.0, len(starts) + 1.0),
            rival_scale=1.0,
        )

    def _keys(self, view: View, seen: SeenPlay) -> NDArray[np.uint64]:
        """The keys of what the player came to know; the last names their information set."""
        information = self.search.sampling.information
        if self.led_from == FROM_NOW:
            return keys_from_now(self.game, view, information)
        return known_keys(self.game, view, seen, information)

    def _chance(self, seen: SeenPlay) -> float:
        """The probability of a deal as the player has seen it; estimated if need be."""
        known = seen.viewer, seen.start
        if known not in self._chances:
            self._chances[known] = chance_of_start(self.game, seen)
        return self._chances[known]


def _remembered(found: Histories, seen: SeenPlay) -> NDArray[np.int64]:
    """The actions of games as those remember them that did them, see `Target.told`."""
    told = np.array(found.listed, np.int64, order="C")
    if told.shape[1] == len(seen.events):
        for place, each in enumerate(seen.events):
            if each.event.action is not None:
                told[:, place] = each.event.action
    return told


def _started_with(
    start: WholeGameSearch,
    game: Game,
    sampling: Sampling | None,
    workers: int,
    rival: Any,
    led: str,
) -> Sampling:
    """The method of a search that was made before, if what is asked for can go on from it.

    Raises:
        SettingsError: It is of another game, method or number of workers; it has a rival, or one is
            asked for; or lines are to begin with the worlds of now.
    """
    where = "start"
    its, ours = ((each.name, each.version, dict(each.settings)) for each in (start.game, game))
    if its != ours:
        raise SettingsError(
            "the search to begin with is of another game",
            where=where,
            value=f"{start.game.name} {dict(start.game.settings)}",
            hint=f"take one of {game.name} {dict(game.settings)}",
        )
    if sampling is not None and sampling != start.sampling:
        raise SettingsError(
            "the search to begin with has another method, or other numbers of it",
            where=where,
            value=start.sampling.method,
            hint="leave out the method and its numbers: those of the search are taken",
        )
    if workers != start.workers:
        raise SettingsError(
            "the search to begin with has another number of workers",
            where=where,
            value=start.workers,
            hint=f"write workers={start.workers}",
        )
    if rival is not None or start._numbers.hero >= 0:  # pyright: ignore[reportPrivateUsage]
        raise SettingsError(
            "a search with a rival begins with nothing, and nothing begins with it", where=where
        )
    if led == FROM_NOW:
        raise SettingsError(
            "lines from the worlds of now go on from nothing that was learned from the deal",
            where=where,
            hint='write led="deal", or leave led out',
        )
    return start.sampling
