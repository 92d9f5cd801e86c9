"""Games of the kit as games of OpenSpiel (Lanctot et al. 2019, "OpenSpiel"), with our beliefs.

A state there holds a `Play`. What a player is told of it comes from their `View` and their
`SeenPlay`, and worlds for a search are drawn from the game's belief, so a game that nobody wrote
for OpenSpiel has what its information-set searches need. Chance deals once, before the first move:
explicitly where the starts can be listed and no dice are thrown later, else from a seed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..beliefs.games.contract import GameBelief
from ..beliefs.games.registry import belief_or_none
from ..beliefs.posterior import Posterior
from ..data.checks import whole_number
from ..data.errors import CostError, SettingsError, UnsupportedError
from ..data.libraries import library
from ..models.game import HIDDEN, OVER, SPECTATOR, Game
from ..models.games import GameEntry, entry_of, game_from
from ..models.kernels.randomness import generator
from ..models.play import Play, SeenPlay, View
from ..models.records.events import canonical_json, witness
from ..models.records.play_start import state_to_json
from ..models.starts import GameStarts
from ..models.state_fields import flat_numbers
from ..planners.agents import seed_of

#: Deals that chance has explicitly, at most.
MOST_DEALS: Final = 10_000
#: The longest game whose information states have a tensor, which has numbers for each action.
MOST_EVENTS: Final = 100
#: Numbers of an event in a tensor: who moved, what was seen of it in two parts, and the action.
_PER_EVENT: Final = 4
#: Whole numbers that a float of four bytes holds exactly.
_EXACT: Final = 1 << 24
_BITS: Final = 53
#: The number that stands for what is hidden, in JSON; searching a text is quicker than its values.
_HIDDEN_NUMBER: Final = re.compile(rf"{HIDDEN}(?!\d)")
_SEEDS: Final = 1 << 63


@dataclass(eq=False)
class _Rules:
    """A game as it is registered, and where its deals come from.

    Attributes:
        short: Its name there.
        game: The game.
        belief: What players can know; None where nothing is hidden.
        starts: All deals; None where they are drawn.
        drawn: How many are drawn beforehand; 0 where each is drawn when it is dealt.
        seed: Where drawn deals come from.
        random: Draws deals when they are dealt.
    """

    short: str
    game: Game
    belief: GameBelief | None
    starts: GameStarts | None
    drawn: int = 0
    seed: int = 0
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    _last: tuple[View, SeenPlay, Posterior] | None = None

    @property
    def deals(self) -> int:
        """The number of outcomes of the deal; 1 where it is drawn, 0 where there is only one."""
        if self.starts is None:
            return self.drawn or 1
        return len(self.starts) if len(self.starts) > 1 else 0

    @property
    def sampled(self) -> bool:
        """True if chance is not explicit."""
        return self.starts is None and not self.drawn

    def outcomes(self) -> list[tuple[int, float]]:
        """The deals with their probabilities; one where they are drawn when they are dealt."""
        if self.starts is not None:
            shares: list[float] = self.starts.probabilities.tolist()
            return list(enumerate(shares))
        return [(deal, 1.0 / self.deals) for deal in range(self.deals)]

    def deal(self, outcome: int) -> int:
        """The number of a deal, or its seed."""
        if self.starts is not None:
            return outcome
        return int(self.random.integers(_SEEDS)) if self.sampled else seed_of(self.seed, outcome)

    def posterior(self, view: View, seen: SeenPlay) -> Posterior:
        """The belief of a player; that of the last moment is kept."""
        assert self.belief is not None
        if self._last is None or (self._last[0], self._last[1]) != (view, seen):
            self._last = (view, seen, self.belief.infer(view, seen))
        return self._last[2]


#: By their names there, the games that were registered in this process.
_registered: Final[dict[str, _Rules]] = {}


class _Moment:
    """A moment of a game, as a state of OpenSpiel holds it: copied and pickled with it.

    Attributes:
        play: The game in progress; None before the deal.
        mover: Whose move it is; ``OVER`` when the game is over, None before the deal.
        steps: What led here: a deal, actions, worlds that a player imagined.
    """

    def __init__(self, rules: _Rules) -> None:
        self.rules = rules
        self.play: Play | None = None
        self.mover: int | None = None
        self.steps: list[tuple[Any, ...]] = []
        #: What the player who imagines this world has seen before.
        self._known: dict[int, SeenPlay] = {}
        self._imagined = False
        #: Of each player a digest of the views of their decisions so far.
        self._before = [""] * rules.game.players
        if rules.deals == 0:
            self.deal(0)

    def deal(self, number: int) -> None:
        """Start the game: by its number among all deals, or by its seed."""
        rules = self.rules
        if rules.starts is None:
            self.play = Play(rules.game, number, rules.game.initial(number))
        else:
            self.play = Play(rules.game, 0, rules.starts.states[number : number + 1])
        self.mover = self.play.player
        self.steps.append(("deal", number))

    def act(self, action: int) -> None:
        """The player to move does something."""
        assert self.play is not None
        assert self.mover is not None
        mover = self.mover
        data = self._before[mover].encode() + self.play.view(mover).data
        self.play.apply(action)
        self.mover = self.play.player
        self._before[mover] = hashlib.sha256(data).hexdigest()
        self.steps.append(("action", action))

    def imagine(self, player: int, data: bytes, seed: int, seen: SeenPlay, before: str) -> None:
        """Go on in a world that a player thinks possible; of the true one nothing is left.

        Args:
            player: Who imagines it.
            data: The bytes of its state.
            seed: Where its dice come from.
            seen: All that the player has seen.
            before: The digest of the views of their decisions.
        """
        game = self.rules.game
        self._known = {player: seen}
        self._before = [before if viewer == player else "" for viewer in range(game.players)]
        self.play = Play(game, seed, game.states_of(data))
        self.mover = self.play.player
        self._imagined = True
        # A world has no history but its player's.
        self.steps = [("world", player, data, seed, seen, before)]

    def drawn(self, player: int, draw: Callable[[], float]) -> _Moment:
        """The moment in a world drawn from a player's belief.

        Raises:
            SettingsError: The game has no belief, or this is another player's imagined world.
        """
        rules, game = self.rules, self.rules.game
        if self.play is None or self.play.over or not game.hides:
            return self.copy()
        if rules.belief is None:
            raise SettingsError(
                "worlds are drawn from a belief, and this game has none",
                where=f"game {game.name!r}",
                hint="give openspiel_game(game, belief=...)",
            )
        if self._imagined and player not in self._known:
            raise SettingsError(
                "in a world that a player imagines, others have seen nothing yet",
                where=f"game {game.name!r}",
                value=game.roles[player],
            )
        view, seen = self.view(player), self.seen(player)
        posterior = rules.posterior(view, seen)
        random = np.random.default_rng(int(draw() * (1 << _BITS)))
        (world,) = rules.belief.worlds(posterior, 1, random)
        seed, states = int(random.integers(_SEEDS)), view.states
        game.fill(states[0], world, game.tables, generator(seed))
        other = _Moment(rules)
        other.imagine(player, states.tobytes(), seed, seen, self._before[player])
        return other

    def view(self, viewer: int) -> View:
        """The state as a player, or a spectator, knows it."""
        assert self.play is not None
        return self.play.view(viewer)

    def seen(self, viewer: int) -> SeenPlay:
        """All that a player, or a spectator, has seen."""
        assert self.play is not None
        seen, before = self.play.seen_by(viewer), self._known.get(viewer)
        if before is None:
            return seen
        name = self.rules.game.roles[viewer]
        later = (witness(len(before.events) + one.number, name, one.event) for one in seen.events)
        return replace(before, events=(*before.events, *later))

    def information(self, viewer: int) -> str:
        """All that a player knows: what they saw, their views when they decided, and that now."""
        seen, view = self.seen(viewer), self.view(viewer)
        return _text(
            {
                "viewer": viewer,
                "start": seen.start,
                "events": [one.event.to_json() for one in seen.events],
                "before": "" if viewer == SPECTATOR else self._before[viewer][:16],
                "now": state_to_json(view.states),
            }
        )

    def private(self, player: int) -> NDArray[np.bool_]:
        """For each number of the state, whether a player sees it and a spectator does not."""
        mine, all_see = (flat_numbers(self.view(viewer).states) for viewer in (player, SPECTATOR))
        return (mine != HIDDEN) & (all_see == HIDDEN)

    def private_numbers(self, player: int) -> str:
        """The numbers that a player sees and a spectator does not, by name; empty for none."""
        numbers = flat_numbers(self.view(player).states)
        names = self.rules.game.observation_space.names[1:]
        found = {
            names[place]: int(numbers[place]) for place in np.flatnonzero(self.private(player))
        }
        return canonical_json(found) if found else ""

    def copy(self) -> _Moment:
        """The same moment; what happens later in one does not change the other."""
        other = _Moment.__new__(_Moment)
        other.__dict__ |= self.__dict__
        other.play = None if self.play is None else self.play.copy()
        other.steps = list(self.steps)
        other._before = list(self._before)
        return other

    def __deepcopy__(self, memo: object) -> _Moment:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restored, (self.rules.short, self.rules.seed, self.steps)

    def __str__(self) -> str:
        names = [
            self.rules.game.action_name(step[1]) if step[0] == "action" else _said(step)
            for step in self.steps
        ]
        return json.dumps(names)


def _text(told: Mapping[str, Any]) -> str:
    """Numbers as JSON, with null for those that are hidden."""
    return _HIDDEN_NUMBER.sub("null", canonical_json(told))


def _said(step: tuple[Any, ...]) -> str:
    return f"deal {step[1]}" if step[0] == "deal" else f"world {step[2].hex()} {step[3]}"


def _restored(short: str, seed: int, steps: list[tuple[Any, ...]]) -> _Moment:
    """The moment to which steps lead, in a game that was registered in this process."""
    moment = _Moment(replace(_registered[short], seed=seed))
    begun = 0 if steps[:1] and steps[0][0] == "world" else len(moment.steps)
    for kind, *rest in steps[begun:]:
        {"deal": moment.deal, "action": moment.act, "world": moment.imagine}[kind](*rest)
    return moment


def openspiel_game(
    game: Game | GameEntry | str,
    *,
    belief: GameBelief | None = None,
    most: int = MOST_DEALS,
    drawn: int = 0,
) -> Any:
    """A game of pyspiel that plays one of ours; it is registered there as ``sleuth_NAME``.

    What it says of itself comes from the game: players, actions and their names, returns and their
    sum, and chance. Its information states are strings of what a player saw, and for shorter games
    tensors, too; observations have `Game.observation`. ``state.resample_from_infostate`` draws a
    world from the belief, with which information-set searches play any game.

    Args:
        game: The game, its entry, or its name.
        belief: The game's belief; None for the one it is known by.
        most: How many deals are listed at most. With more of them, or with dice, chance is sampled
            there.
        drawn: In place of that, so many deals are drawn beforehand, each with its dice, and chance
            is explicit among them: then states can be written down and read again. 0 for none.

    Both kinds of chance come from the parameter ``seed`` of the game.

    Raises:
        SettingsError: pyspiel is not installed, or a number is none.

    >>> from sleuth.adapters import openspiel_game
    >>> theirs = openspiel_game("kuhn_poker")
    >>> state = theirs.new_initial_state()
    >>> len(state.chance_outcomes()), theirs.utility_sum()
    (6, 0.0)
    >>> state.apply_action(0)
    >>> state.current_player(), [state.action_to_string(code) for code in state.legal_actions()]
    (0, ['pass', 'bet'])
    >>> state.information_state_string(1)[:41]
    '{"before":"","events":[],"now":{"bets":[1'
    >>> import random
    >>> world = state.resample_from_infostate(0, random.Random(1).random)
    >>> world.observation_string(0) == state.observation_string(0)
    True
    """
    pyspiel = library("pyspiel", "openspiel", where="openspiel_game")
    played = game_from(game)
    whole_number(most, "most", least=1)
    whole_number(drawn, "drawn", least=0)
    if belief is None and played.hides:
        belief = _known_belief(played)
    starts = None
    if not played.has_dice:
        try:
            starts = played.starts(most)
        except (CostError, UnsupportedError):
            starts = None
    drawn = drawn if starts is None else 0
    rules = _Rules(_short(played, drawn), played, belief, starts, drawn)
    new = rules.short not in _registered
    _registered[rules.short] = rules
    made = _adapted(pyspiel)
    if new:
        pyspiel.register_game(_type(pyspiel, rules), made(rules.short))
    return made(rules.short)()


def _known_belief(game: Game) -> GameBelief | None:
    try:
        return belief_or_none(game)
    except SettingsError:
        return None  # a caller that wants a world is told


def _short(game: Game, drawn: int) -> str:
    """The name of a game with the settings that are not its usual ones, as it is registered."""
    found = entry_of(game)
    usual: Mapping[str, Any] = {} if found is None else found.game().settings
    settings = {each: value for each, value in game.settings.items() if value != usual.get(each)}
    name = "_".join(["sleuth", game.name, *(f"{each}_{settings[each]}" for each in settings)])
    name += f"_drawn_{drawn}" if drawn else ""
    short = re.sub(r"\W+", "_", name).strip("_")
    same = _registered.get(short)
    if same is None or (same.game.name, dict(same.game.settings)) == (
        game.name,
        dict(game.settings),
    ):
        return short
    return f"{short}_{hashlib.sha256(canonical_json(settings).encode()).hexdigest()[:8]}"


def _type(pyspiel: Any, rules: _Rules) -> Any:
    """The kind of a game, as OpenSpiel knows it."""
    game, kind = rules.game, pyspiel.GameType
    modes = kind.ChanceMode
    if game.teams and len(game.sides) == 1:
        utility = kind.Utility.IDENTICAL
    elif game.sum_of_returns is None:
        utility = kind.Utility.GENERAL_SUM
    else:
        zero = game.sum_of_returns == 0.0
        utility = kind.Utility.ZERO_SUM if zero else kind.Utility.CONSTANT_SUM
    return kind(
        short_name=rules.short,
        long_name=f"{game.name} of sleuth",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=modes.SAMPLED_STOCHASTIC
        if rules.sampled
        else modes.EXPLICIT_STOCHASTIC
        if rules.deals
        else modes.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if game.hides
        else kind.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=game.max_depth <= MOST_EVENTS,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seed": 0} if rules.starts is None else {},
    )


def _info(pyspiel: Any, rules: _Rules) -> Any:
    """The sizes of a game."""
    game = rules.game
    return pyspiel.GameInfo(
        num_distinct_actions=game.action_space,
        max_chance_outcomes=rules.deals,
        num_players=game.players,
        min_utility=game.lowest,
        max_utility=game.highest,
        utility_sum=game.sum_of_returns,
        max_game_length=game.max_depth,
    )


@cache
def _adapted(pyspiel: Any) -> Callable[[str], Callable[..., Any]]:
    """Makes the class of a registered game; pyspiel's own classes are known only now."""

    chance, terminal = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

    class KitState(pyspiel.State):
        """A state of one of our games."""

        def __init__(self, game: Any, moment: _Moment) -> None:
            pyspiel.State.__init__(self, game)
            self.moment = moment

        def current_player(self) -> int:
            mover = self.moment.mover
            if mover is None:
                return chance
            return terminal if mover == OVER else mover

        def _legal_actions(self, player: int) -> list[int]:
            assert self.moment.play is not None
            return sorted(self.moment.play.legal().tolist())

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return self.moment.rules.outcomes()

        def _apply_action(self, action: int) -> None:
            moment = self.moment
            if moment.play is None:
                moment.deal(moment.rules.deal(int(action)))
            else:
                moment.act(int(action))

        def _action_to_string(self, player: int, action: int) -> str:
            if player == chance:
                return f"deal {action}"
            return self.moment.rules.game.action_name(int(action))

        def is_terminal(self) -> bool:
            return self.moment.mover == OVER

        def returns(self) -> list[float]:
            play = self.moment.play
            if play is None or not play.over:
                return [0.0] * self.moment.rules.game.players
            return play.returns().tolist()

        def resample_from_infostate(self, player: int, draw: Callable[[], float]) -> Any:
            """The state in a world drawn from a player's belief; what they know is the same."""
            moment: _Moment = self.moment.drawn(player, draw)
            if moment.steps == self.moment.steps:
                return self.clone()
            # Not a copy: the history of a state begins with the true deal.
            other = self.get_game().new_initial_state()
            other.moment = moment
            return other

        def __str__(self) -> str:
            return str(self.moment)

    class KitObserver:
        """The sights that players have of a state, as tensors and strings."""

        def __init__(self, rules: _Rules, kind: Any, params: Mapping[str, Any] | None) -> None:
            if params:
                raise ValueError(f"an observer here has no parameters: {dict(params)}")
            self.recalls = bool(kind.perfect_recall)
            self.public = kind.private_info == pyspiel.PrivateInfoType.NONE
            self.private = not kind.public_info
            if self.private and (self.recalls or self.public):
                raise ValueError("what is private is told of the present, to a single player")
            self.rules = rules
            self.tensor: NDArray[np.float32] | None = None
            self.dict: dict[str, NDArray[np.float32]] = {}
            size, events = rules.game.observation_space.size, rules.game.max_depth
            if not self.recalls:
                self.tensor = np.zeros(size, np.float32)
                self.dict = {"observation": self.tensor}
            elif events <= MOST_EVENTS:
                self.tensor = np.zeros(2 * size + events * _PER_EVENT, np.float32)
                self.dict = {
                    "start": self.tensor[:size],
                    "observation": self.tensor[size : 2 * size],
                    "events": self.tensor[2 * size :].reshape(events, _PER_EVENT),
                }

        def set_from(self, state: Any, player: int) -> None:
            """Write what a player sees of a state into `tensor`."""
            moment: _Moment = state.moment
            assert self.tensor is not None
            self.tensor.fill(0)
            if moment.play is None:
                return
            viewer, game = SPECTATOR if self.public else player, self.rules.game
            self.dict["observation"][:] = game.observation(moment.view(viewer))
            if self.private:
                self.tensor[1:][~moment.private(viewer)] = 0
            if not self.recalls:
                return
            seen = moment.seen(viewer)
            self.dict["start"][:] = (viewer, *seen.start)
            for row, one in zip(self.dict["events"], seen.events, strict=False):
                high, low = divmod(one.event.observation, _EXACT)
                action = -1 if one.event.action is None else one.event.action
                row[:] = (one.event.mover + 1, low, high, action + 1)

        def string_from(self, state: Any, player: int) -> str:
            """The sight that a player has of a state, as JSON."""
            moment: _Moment = state.moment
            if moment.play is None:
                return ""
            viewer = SPECTATOR if self.public else player
            if self.recalls:
                return moment.information(viewer)
            if self.private:
                return moment.private_numbers(viewer)
            return _text({"viewer": viewer, "now": state_to_json(moment.view(viewer).states)})

    def game_class(short: str) -> Callable[..., Any]:
        class KitGame(pyspiel.Game):
            """One of our games."""

            def __init__(self, params: Mapping[str, Any] | None = None) -> None:
                registered = _registered[short]
                kind = _type(pyspiel, registered)
                given = {**kind.parameter_specification, **(params or {})}
                seed = given.get("seed", 0)
                self.rules = replace(
                    registered, seed=seed, random=np.random.default_rng(seed), _last=None
                )
                pyspiel.Game.__init__(self, kind, _info(pyspiel, registered), given)

            def new_initial_state(self) -> KitState:
                return KitState(self, _Moment(self.rules))

            def max_chance_nodes_in_history(self) -> int:
                return min(self.rules.deals, 1)

            def make_py_observer(
                self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
            ) -> KitObserver:
                usual = pyspiel.IIGObservationType(perfect_recall=False)
                return KitObserver(self.rules, iig_obs_type or usual, params)

        return KitGame

    return cache(game_class)
