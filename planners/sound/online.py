"""Online outcome sampling: the search of a whole game, led to the decision at hand.

Lisy, Lanctot and Bowling (2015), "Online Monte Carlo counterfactual regret minimization for search
in imperfect information games". At a decision in the middle of a game a share of the lines goes
from the deal through what the player has seen; the belief says which deals and hidden actions
there can have been. The other lines go anywhere, so that everybody's policy is right for the whole
game. Lines are weighed by how likely they were to be drawn, and statistics are kept from move to
move.

Where the belief cannot lead its worlds back to the deal, lines begin with the worlds of now. That
is a search from one decision, without guarantee, and the search says so (`OnlineSearch.led`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief, Histories, Judging
from ...beliefs.games.histories import histories
from ...beliefs.games.registry import belief_or_none
from ...data.checks import known_name, number_within, whole_number
from ...data.errors import CostError, SettingsError, UnsupportedError
from ...data.progress import Tell, silent
from ...models.game import Game
from ...models.games import GameEntry, game_from
from ...models.kernels.compiling import Say
from ...models.kernels.randomness import generator
from ...models.play import SeenPlay, View
from ...models.records.play_start import check_seed
from ...models.rehearsal import filled
from ...models.state_fields import flat_numbers
from ..search.budget import Budget
from ..search.decision import Decision
from ..search.determinization import WorldDraw, checked_rows, no_hidden_values, origin_of
from .deciding import drawn_decision
from .kernels.memory import Target
from .known_sets import average_policies, keys_from_now, known_keys, visits_and_values
from .sampling import Sampling
from .whole_game import WholeGameSearch

#: Share of the lines that go through what the player has seen (0.6 in most of the paper).
TARGETED: Final = 0.6
#: Games that the player may have seen, of which lines are led through one each.
LINES: Final = 256
#: Starts that are listed, and drawn where there are more, to see how likely the player's own is.
_LISTED: Final = 2_000
_DRAWN: Final = 256
#: Ways to lead lines.
FROM_THE_DEAL: Final = "deal"
FROM_NOW: Final = "now"
LED: Final = ("auto", FROM_THE_DEAL, FROM_NOW)


class OnlineSearch:
    """A search for one player's decisions in one game after another.

    Args:
        game: The game, its entry, or its name.
        belief: The game's belief; None for the registered one, or where nothing is hidden.
        sampling: The method, outcome sampling, with its numbers.
        targeted: Share of the lines that go through what the player has seen, from 0 to 1.
        lines: So many games that the player may have seen are drawn for a decision.
        led: ``"deal"`` for lines from the deal, ``"now"`` for lines from the worlds of now, or
            ``"auto"``: from the deal where the belief can say what was dealt.
        seed: Of all draws.
        workers: Threads, see `WholeGameSearch`.
        rival, share, hero, tail: Likewise.
        likelihoods: (games, viewer) -> float64[n], how likely the rival did what the viewer's
            others did in each of these games (`Histories`). Without it no line of the rival's goes
            through what the player has seen, unless lines begin now.

    Attributes:
        search: The search of the whole game, with its statistics.
        led_from: How the lines of the last decision were led.

    >>> import sleuth
    >>> from sleuth.equilibria import OnlineSearch
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> search = OnlineSearch("kuhn_poker", seed=1)
    >>> decision = search.decide(play.view(0), play.seen_by(0), sleuth.Budget(simulations=3_000))
    >>> sorted(decision.policy), search.led_from, search.search.simulations
    ([0, 1], 'deal', 3000)
    >>> search.warm() in (True, False)  # whether compiled code is at hand
    True
    >>> search.stop()  # from another thread
    >>> shares = search.probabilities(play.view(0), play.seen_by(0))
    >>> shares.tolist() == list(decision.policy.values())
    True
    """

    def __init__(
        self,
        game: Game | GameEntry | str,
        belief: GameBelief | None = None,
        *,
        sampling: Sampling | None = None,
        targeted: float = TARGETED,
        lines: int = LINES,
        led: str = "auto",
        seed: int = 0,
        workers: int = 1,
        rival: Any = None,
        share: float = 0.0,
        hero: int = -1,
        tail: Any = None,
        likelihoods: Callable[[Histories, int], NDArray[np.float64]] | None = None,
    ) -> None:
        self.game = game = game_from(game)
        self._likelihoods = likelihoods
        self._belief = belief if belief is not None else belief_or_none(game)
        # How likely the players' choices are, the search itself weighs.
        if isinstance(self._belief, Judging):
            self._belief = self._belief.indifferent()
        sampling = sampling or Sampling(method="outcome")
        if sampling.method != "outcome":
            raise UnsupportedError(
                "only outcome sampling can be led through what a player has seen",
                where="OnlineSearch",
                value=sampling.method,
                hint='write Sampling(method="outcome"), or take a WholeGameSearch',
            )
        number_within(targeted, "targeted", most=1.0, where="OnlineSearch")
        whole_number(lines, "lines", least=1, most=1_000_000)
        known_name(led, LED, "way to lead lines")
        self._targeted, self._lines, self._led = float(targeted), lines, led
        self.seed = check_seed(seed)
        self._options: dict[str, Any] = {
            "sampling": sampling,
            "seed": self.seed,
            "workers": workers,
            "rival": rival,
            "share": share,
            "hero": hero,
            "tail": tail,
        }
        self.search = WholeGameSearch(game, **self._options)
        self.led_from = ""
        self._before: SeenPlay | None = None
        self._chances: dict[tuple[int, tuple[int, ...]], float] = {}

    def warm(self, say: Say | None = None) -> bool:
        """Compile what is needed, unless nothing may be compiled; whether it is compiled."""
        return self.search.warm(say)

    def stop(self) -> None:
        """Ends `decide` within a few hundredths of a second; it answers by what it has."""
        self.search.stop()

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
        """
        if not len(view.legal()):
            raise SettingsError("the game is over", where=self.game.name)
        self._go_on(view, seen)
        before = self.search.simulations
        seconds = self.search.seconds
        self.search.run(budget, progress)
        if self.search.interrupted and self.search.simulations == 0:
            raise KeyboardInterrupt
        shares = self.probabilities(view, seen)
        key = self._keys(view, seen)[-1]
        visits, values = visits_and_values(self.search.trees, key, len(shares))
        if not self.search.sampling.baseline:
            values = np.full(len(shares), np.nan)
        return drawn_decision(
            self.game,
            view,
            seen,
            shares,
            visits=visits,
            values=values,
            seed=self.seed,
            simulations=self.search.simulations - before,
            seconds=self.search.seconds - seconds,
            nodes=self.search.nodes,
            full=self.search.full,
            interrupted=self.search.interrupted,
        )

    def probabilities(self, view: View, seen: SeenPlay) -> NDArray[np.float64]:
        """The policy at a decision as of now, for the legal actions in their order."""
        key = self._keys(view, seen)[-1:]
        return average_policies(self.search.trees, key, np.array([len(view.legal())], np.int64))

    # -- where lines go

    def _go_on(self, view: View, seen: SeenPlay) -> None:
        """Keep what was learned if it is of this game, and lead lines to this moment."""
        target, self.led_from = self._target(view, seen)
        begins = self._before is None or not goes_on(self._before, seen)
        if begins or self.led_from == FROM_NOW:
            kernels = self.search.kernels
            self.search = WholeGameSearch(self.game, **self._options, kernels=kernels)
        self._before = seen
        everything = self.led_from == FROM_NOW
        self.search._lead(target, 1.0 if everything else self._targeted)  # pyright: ignore[reportPrivateUsage]

    def _target(self, view: View, seen: SeenPlay) -> tuple[Target, str]:
        rng = np.random.default_rng((self.seed, len(seen.events), 1))
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
        posterior = self._belief.infer(view, seen)
        found = histories(self._belief, posterior, view, seen, self._lines, rng)
        if found is None:
            return None
        scale = 1.0 / self._chance(seen)
        likely = np.zeros(0)
        if self._likelihoods is not None:
            likely = np.asarray(self._likelihoods(found, view.viewer), np.float64)
        mean = float(likely.mean()) if len(likely) else 0.0
        return Target(
            player=view.viewer,
            starts=found.starts,
            actions=np.ascontiguousarray(found.actions, np.int64),
            listed=np.ascontiguousarray(found.listed, np.int64),
            known=known_keys(self.game, view, seen, self.search.sampling.information)[:-1],
            scale=scale,
            rival=np.cumsum(likely) if mean > 0.0 else np.zeros(0),
            rival_scale=scale / mean if mean > 0.0 else 0.0,
        )

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
            known=keys_from_now(self.game, view, self.search.sampling.information)[:-1],
            scale=1.0,
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
        """The probability of a start as the player has seen it; estimated if need be."""
        known = seen.viewer, seen.start
        if known not in self._chances:
            self._chances[known] = _chance_of_start(self.game, seen)
        return self._chances[known]


def goes_on(before: SeenPlay, now: SeenPlay) -> bool:
    """True if what was seen before is the beginning of what is seen now, in the same game."""
    same = before.viewer == now.viewer and before.start == now.start
    return same and before.events == now.events[: len(before.events)]


def _chance_of_start(game: Game, seen: SeenPlay) -> float:
    """The probability of a start that looks to a player as theirs did."""

    def alike(states: Any) -> bool:
        return tuple(flat_numbers(game.masked(states, seen.viewer)).tolist()) == seen.start

    try:
        listed = game.starts(_LISTED)
    except (CostError, UnsupportedError):
        same = sum(alike(game.initial(seed)) for seed in range(_DRAWN))
        return max(same, 0.5) / _DRAWN
    shares = listed.probabilities.tolist()
    found = sum(
        share for place, share in enumerate(shares) if alike(listed.states[place : place + 1])
    )
    return found or 1.0
