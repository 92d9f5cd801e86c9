"""Agents that search with playouts, from options that can be written as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...beliefs.games.contract import GameBelief, Imagining
from ...data.checks import known_name, number_within
from ...data.errors import SettingsError
from ...models.game import Game, any_action
from ..look_ahead.deepening import team_of
from ..search.budget import MOST_NODES, Budget
from ..search.coalition import coalition_reduction
from ..search.kernels.regret_matching import regret_matching
from ..search.kernels.selection import USUAL_MIXING, Mixing, progressive_history, puct, uct
from ..search.kernels.smooth_uct import smooth_uct
from ..search.options import MOST_WORLDS, Options
from ..search.search import Search
from ..search.widening import USUAL_WIDENING
from .advised import RULES, belief_of, evaluation_of, imagined_game, numbers_by_side, words_by_side
from .agent import APART, DeterminizationAgent, Maker, SearchAgent, SemiDeterminizationAgent
from .kind import Kind
from .learning import Learning, check_about

SELECTIONS: Final = {
    "uct": uct,
    "puct": puct,
    "progressive_history": progressive_history,
    "smooth_uct": smooth_uct,
    "regret_matching": regret_matching,
}
CREDITED: Final = ("own", "root", "negamax")
#: Simulations for one action when neither they nor seconds are given.
SIMULATIONS: Final = 1_000
#: Separate trees of one agent; each has memory of its own.
MOST_TREES: Final = 4_096


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """Options of the agents that search; see `Options`, `Budget` and `SearchAgent`.

    Attributes:
        simulations, seconds, cpu_seconds, nodes: The budget of one action.
        selection: ``uct``, ``puct``, ``progressive_history``, ``smooth_uct`` or
            ``regret_matching``.
        exploration, bias_weight, by_availability, information, trees, combine, discount: As in
            `Options`.
        mixing_least, mixing_most, mixing_slowing: Of Smooth UCT, see `Mixing`.
        uniform_share, mixed: As in `Options`.
        horizon: Plies after which a simulation is broken off and evaluated; None for never.
        evaluation: By what, by its name in the game's advice; None for the first one there.
        worlds: Most worlds drawn for a tree.
        threads: Threads, each with a tree of its own; matches are faster with more workers.
        gain: What one bit of information is worth.
        hiding: What it costs that the others find out what the player would rather hide.
        about: What about: something hidden by its name, or several by how their names begin; None
            for the game's main thing. Bits about each by itself are added up.
        depth: In how many of the player's own decisions they learn; None for two, and for one with
            separate trees, in which all is known.
        gain_discount: Factor on what is learned one decision later.
        asks: Whether the posterior is asked below the root; else what is learned there is
            estimated from the worlds that pass. None for yes, and for no with separate trees.
        share: Part of the time of a budget in seconds that asking may take.
        each_world: With separate trees: one for each world there can be.
        belief: How likely the worlds are: a guess of the game's advice, or a likelihood of its
            belief; None for its usual belief.
        playouts: A way to play out of the game's advice, or ``random``; None for the game's
            policy. Two with ``/`` between them: for each side, what it searches with.
        epsilon: How often players of playouts take any action; None for what is usual in them.
            Two with ``/`` between them: for each side, how often it does.
        filter: Whether to consider only what the game's advice says.
        imagined: How the game is imagined, by its name in the game's advice; None for the first
            of them.
        r: Coalition Reduction: what a member of a team loses of another's win, in their own
            searches.
        alone: Whether opponents follow the playouts in the tree too, instead of being searched.
        trust: With alone, in what share of the simulations they do; in the rest they are searched
            (a restricted response, see `small_games.restricted`).
        widening: Whether a root with more actions than the budget can try is opened little by
            little, see `Widening`.
        reading: Several options at once, by a name in the game's advice: how a paper is read.
        credited: With r, whose win counts whole: ``own`` (of who moves at the node), ``root`` (of
            who searches), or ``negamax`` (the same, and opponents get what they do not).

    >>> from dataclasses import dataclass
    >>> from sleuth.agents import SearchSettings, searchers
    >>> @dataclass(frozen=True, kw_only=True)
    ... class DiceSettings(SearchSettings):
    ...     lies: float | None = None
    ...     def of_belief(self):
    ...         return {"lies": self.lies}
    ...     def of_search(self):
    ...         return {"backup": "best"}
    ...     def of_agent(self):
    ...         return {"filters": True}
    >>> sorted(searchers(DiceSettings))[:3]
    ['average', 'mcts', 'players']
    """

    simulations: int | None = None
    seconds: float | None = None
    cpu_seconds: float | None = None
    nodes: int = MOST_NODES
    selection: str = "uct"
    exploration: float = 0.7
    bias_weight: float = 5.0
    mixing_least: float = USUAL_MIXING.least
    mixing_most: float = USUAL_MIXING.most
    mixing_slowing: float = USUAL_MIXING.slowing
    uniform_share: float = 0.2
    mixed: bool = False
    by_availability: bool = True
    information: str = "observer"
    trees: int = 0
    combine: str = "vote"
    discount: float = 1.0
    horizon: int | None = None
    evaluation: str | None = None
    worlds: int = MOST_WORLDS
    threads: int = 1
    gain: float = 0.0
    hiding: float = 0.0
    about: str | None = None
    depth: int | None = None
    gain_discount: float = 1.0
    asks: bool | None = None
    share: float = 0.25
    each_world: bool = False
    belief: str | None = None
    playouts: str | None = None
    epsilon: str | None = None
    filter: bool = False
    imagined: str | None = None
    r: float = 0.0
    credited: str = "own"
    alone: bool = False
    trust: float = 1.0
    widening: bool = True
    reading: str | None = None

    def of_belief(self) -> Mapping[str, Any]:
        """The facts the game's belief is told; a game with more options says here what."""
        return {}

    def of_search(self) -> Mapping[str, Any]:
        """Further `Options` of the search."""
        return {}

    def of_agent(self) -> Mapping[str, Any]:
        """Further attributes of the `SearchAgent`."""
        return {}


@dataclass(frozen=True, kw_only=True)
class WaySettings(SearchSettings):
    """Options of the agents that search each way of the last hidden action.

    Attributes:
        least_share: The least share of simulations of a way.
        one_tree: As in `Options`.
    """

    least_share: float | None = None
    one_tree: bool = False

    def of_search(self) -> Mapping[str, Any]:
        """Further `Options` of the search."""
        return {"least_share": self.least_share, "one_tree": self.one_tree}


def searching(agent: type[SearchAgent]) -> Callable[[Game, SearchSettings, str], Maker]:
    """The preparation of agents of a class, from their options."""

    def prepare(game: Game, settings: SearchSettings, text: str) -> Maker:
        number_within(settings.r, "r", most=1.0)
        number_within(settings.trust, "trust", most=1.0)
        if not settings.alone and settings.trust < 1.0:
            raise SettingsError(
                "only opponents who follow the playouts can be trusted to do so",
                where="trust",
                hint="write alone=yes, or trust=1",
            )
        simulations = settings.simulations
        if (simulations, settings.seconds, settings.cpu_seconds) == (None,) * 3:
            simulations = SIMULATIONS
        budget = Budget(
            simulations=simulations,
            seconds=settings.seconds,
            cpu_seconds=settings.cpu_seconds,
            nodes=settings.nodes,
        )
        _check_trees(settings.trees, budget.simulations)
        if agent.determines and settings.gain:
            raise SettingsError(
                APART,
                where="gain",
                value=settings.gain,
                hint="take mcts, or leave the gain out",
            )
        if agent.determines and settings.mixed:
            raise SettingsError(
                "each way of the last action is weighed by its chance, so no policy is mixed",
                where="mixed",
                value="yes",
                hint="take mcts, or leave mixed out",
            )
        _check_at_once(settings)
        needed = "a gain" if settings.gain else "hiding" if settings.hiding else ""
        known, guess = belief_of(game, settings.belief, needed=needed, **settings.of_belief())
        searches = _searches(game, settings, known)

        learning = Learning(
            gain_weight=settings.gain,
            about=settings.about,
            depth=_depth(settings),
            discount=settings.gain_discount,
            asks=not settings.trees if settings.asks is None else settings.asks,
            share=settings.share,
        )

        def make(seed: int) -> SearchAgent:
            return agent(
                search=searches[0],
                belief=known,
                budget=budget,
                seed=seed,
                learning=learning,
                hiding=settings.hiding,
                name=text,
                by_player=searches if len(set(map(id, searches))) > 1 else (),
                filters=settings.filter,
                guess=guess,
                begins=known.begin if isinstance(known, Imagining) else None,
                **settings.of_agent(),
            )

        make(0)  # finds options that do not fit, before anything is compiled
        if known is not None and settings.gain:
            check_about(game, known, settings.about)
        for search in searches:
            search.prepare(budget)
        return make

    return prepare


def searchers(
    settings: type[SearchSettings] = SearchSettings, ways: type[WaySettings] = WaySettings
) -> dict[str, Kind]:
    """The agents that search, by name.

    Args:
        settings: Their options: a game whose agents have more of them has its own class.
        ways: The same for those who search each way of the last hidden action.

    >>> from sleuth.agents import searchers
    >>> sorted(searchers())
    ['average', 'mcts', 'players', 'search', 'semi', 'uniform', 'vote']
    """
    usual, search = settings(), searching(SearchAgent)
    return {
        "mcts": Kind("one tree over worlds drawn from the belief", usual, search, "search"),
        "search": Kind("the same as mcts", usual, search, "search"),
        "players": Kind(
            "a tree for each player", settings(information="players"), search, "search"
        ),
        "vote": Kind("separate trees, which vote", settings(trees=16), search, "search"),
        "average": Kind(
            "separate trees, whose values are averaged",
            settings(trees=16, combine="average"),
            search,
            "search",
        ),
        "uniform": Kind(
            "possible worlds, each equally often", usual, searching(DeterminizationAgent), "search"
        ),
        "semi": Kind(
            "the last hidden action laid open in each way",
            ways(),
            searching(SemiDeterminizationAgent),
            "semi",
        ),
    }


def _searches(game: Game, settings: SearchSettings, known: GameBelief | None) -> tuple[Search, ...]:
    """For each player the search they make; the same one where nothing differs."""
    known_name(settings.selection, SELECTIONS, "selection")
    known_name(settings.credited, CREDITED, "way to credit")
    if settings.r and not game.teams:
        raise SettingsError(
            "there are no teams in this game, so no win is shared", where="r", value=settings.r
        )
    made: dict[tuple[object, ...], Search] = {}
    found: list[Search] = []
    for player, playouts in enumerate(words_by_side(settings.playouts, game, "playouts")):
        # A reduction is for those who search for a team.
        reduces = settings.r > 0 and len(team_of(game, player)) > 1
        searcher = player if reduces and settings.credited != "own" else None
        alone = player if settings.alone else None
        key = playouts, reduces, searcher, alone
        if key not in made:
            more = _credits(game, settings, searcher) if reduces else {}
            if settings.alone:
                searched = 1.0 - settings.trust
                more["searched"] = tuple(
                    1.0 if other == player else searched for other in range(game.players)
                )
            made[key] = _search(game, settings, playouts, more, known)
        found.append(made[key])
    return tuple(found)


def _credits(game: Game, settings: SearchSettings, searcher: int | None) -> dict[str, Any]:
    zero_sum = settings.credited == "negamax"
    credits = coalition_reduction(game.teams, settings.r, searcher=searcher, zero_sum=zero_sum)
    return {"credits": credits, "own_returns": game.advice.own_returns}


def _search(
    game: Game,
    settings: SearchSettings,
    playouts: str,
    more: dict[str, Any],
    belief: GameBelief | None,
) -> Search:
    policy, epsilon, imagined = None, (0.0,) * game.players, settings.imagined
    known = game.advice.playouts
    if playouts in known:
        one = known[playouts]
        others = set(game.advice.imagined) - {one.imagined, RULES}
        if one.imagined and imagined in others:
            raise SettingsError(
                f"playouts {playouts!r} need a game that is imagined by {one.imagined!r}",
                where="imagined",
                value=imagined,
                hint=f"write imagined={RULES}, or other playouts",
            )
        policy, epsilon, imagined = one.policy, one.epsilon, imagined or one.imagined
    elif playouts == "random":
        policy = any_action
    elif playouts:
        known_name(playouts, [*known, "random"], "playouts")
    if settings.epsilon is not None:
        epsilon = numbers_by_side(settings.epsilon, game, "epsilon")
    options = Options(
        selection=SELECTIONS[settings.selection],
        exploration=settings.exploration,
        bias_weight=settings.bias_weight,
        mixing=Mixing(
            least=settings.mixing_least,
            most=settings.mixing_most,
            slowing=settings.mixing_slowing,
        ),
        uniform_share=settings.uniform_share,
        mixed=settings.mixed,
        by_availability=settings.by_availability,
        information=settings.information,
        trees=settings.trees,
        each_world=settings.each_world,
        combine=settings.combine,
        history=settings.selection == "progressive_history",
        policy=policy,
        epsilon=epsilon,
        discount=settings.discount,
        horizon=settings.horizon,
        evaluate=None if settings.horizon is None else evaluation_of(game, settings.evaluation),
        worlds=settings.worlds,
        workers=settings.threads,
        widening=USUAL_WIDENING if settings.widening else None,
        **settings.of_search(),
        **more,
    )
    return Search(imagined_game(game, imagined, belief), options)


def _depth(settings: SearchSettings) -> int:
    """In how many of the player's own decisions they learn.

    Raises:
        SettingsError: A search of one ply is asked to look for more than one.
    """
    one_ply = settings.horizon == 1
    if settings.depth is None:
        return 1 if settings.trees or one_ply else 2
    if settings.gain and one_ply and settings.depth > 1:
        raise SettingsError(
            "a search of one ply comes to no second decision",
            where="depth",
            value=settings.depth,
            hint="write horizon= with more plies than there are players, or depth=1",
        )
    return settings.depth


def _check_at_once(settings: SearchSettings) -> None:
    """Refuse to look for what is learned later where each tree knows all that is hidden."""
    if not (settings.gain and settings.trees):
        return
    for option, given in (
        ("depth", None if settings.depth in (None, 1) else settings.depth),
        ("asks", "yes" if settings.asks else None),
        ("gain_discount", None if settings.gain_discount == 1.0 else settings.gain_discount),
        ("share", None if settings.share == SearchSettings.share else settings.share),
    ):
        if given is not None:
            raise SettingsError(
                "in separate trees all is known, so only what an action tells at once counts",
                where=option,
                value=given,
                hint=f"leave {option} out, or write trees=0",
            )


def _check_trees(trees: int, simulations: int | None) -> None:
    most = MOST_TREES if simulations is None else min(MOST_TREES, simulations)
    if trees > most:
        raise SettingsError(
            "an agent has no more trees than simulations, and at most 4,096",
            where="trees",
            value=trees,
            hint=f"write trees={most} or fewer"
            + (", or more simulations" if simulations and most < MOST_TREES else ""),
        )
