"""Saboteur as it is played: who has which role, and where the gold is.

Every deal of the role cards and every place of the gold is equally likely at first, as far as the
viewer has not seen otherwise. Then what players do and say weighs them, see `likelihoods.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....data.checks import known_name
from ....models.game import HIDDEN
from ....models.play import MoveEvent, SeenPlay, View
from ....models.saboteur import GOAL_NAMES
from ....models.saboteur.state import (
    FACE_DOWN,
    GOLD,
    LOOK,
    MINER,
    PATHS,
    SABOTEUR,
    place_code,
)
from ....models.saboteur.uses import goals_shown
from ...arrays.layout import Floats
from ...infer import infer
from ...language.evidence import Evidence
from ...language.features import Feature, together
from ...language.questions import Question
from ...language.variables import Choice, Deal
from ...modelling.model import Model
from ...posterior import Posterior
from ..contract import CachedBelief
from .events import Following, RoundPast, claims_of
from .kinds import KindsModel, shipped_kinds
from .learned import learned
from .likelihoods import (
    ActionModel,
    AdditiveModel,
    GoalClaim,
    Sign,
    TableModel,
    Weight,
    on_worlds,
    role_worlds,
)

#: Role cards, in the order of the columns for ``fill``.
ROLES: Final = {SABOTEUR: "saboteur", MINER: "miner"}
SPARE: Final = "left over"
GOLD_PLACE: Final = Choice("gold", GOAL_NAMES)
#: Any stone; which one it is says nothing.
STONE: Final = 1
#: What behaviour says, by name: the table; the scheme of the paper; a predictor; what each kind of
#: player does, whose kinds are declared; nothing.
LIKELIHOODS: Final[Mapping[str, Callable[[], ActionModel | None]]] = {
    "table": TableModel,
    "additive": AdditiveModel,
    "learned": learned,
    "kinds": shipped_kinds,
    "uniform": lambda: None,
}
#: Log-likelihoods are cut off so far below the best: a model may err.
LEAST: Final = -100.0


class SaboteurKnowledge(NamedTuple):
    """The viewer's knowledge: roles and goal cards, ``HIDDEN`` where they have not seen them.

    Attributes:
        players: Their names.
        viewer: Their number.
        roles: Of every player, and of the card that is left over, if there is one.
        saboteurs: How many of the role cards are saboteurs.
        goals: `GOLD` or `STONE`.
        looked: Of each player the goals that they looked at, as bits.
        shown: The goals that were turned up, as bits.
        signs: What everybody saw of actions.
        claims: What was said.
        past: The rounds before this one, where they say something of kinds of players.
    """

    players: tuple[str, ...]
    viewer: int
    roles: tuple[int, ...]
    saboteurs: int
    goals: tuple[int, ...]
    looked: tuple[int, ...]
    shown: int
    signs: tuple[Sign, ...] = ()
    claims: tuple[GoalClaim, ...] = ()
    past: tuple[RoundPast, ...] = ()


class SaboteurBelief(CachedBelief[SaboteurKnowledge]):
    """A `Deal` of the role cards, with a holder for the one left over, and a `Choice` of a goal.

    With ``kinds`` also a `Choice` for each other player: which kind of player they are, in all
    rounds of a game.

    Args:
        likelihood: What players do and say is weighed by the ``table``, or by the ``additive``
            scheme of the paper, or as was ``learned``, or as players of each of the ``kinds`` do,
            or not at all (``uniform``).
        predictor: As was learned, by the file that `sleuth train saboteur` made; ``"usual"`` for
            the one that comes with sleuth.
        model: The same as a model of one's own.

    Raises:
        RecordError: The file is no predictor of this.
        SettingsError: No likelihood has this name.

    >>> import numpy as np
    >>> from sleuth import Play, game
    >>> from sleuth.games.saboteur import SaboteurBelief
    >>> play, belief = Play.new(game("saboteur", players=4), seed=24), SaboteurBelief()
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> [play.game.action_name(code) for code in belief.questions(view)]
    ['map top', 'map middle', 'map bottom']
    >>> [*belief.telling(view)] == [*belief.questions(view)]
    True
    >>> exposure = belief.exposure(view, seen)  # of the first player, who is a saboteur
    >>> bold = max(exposure, key=exposure.get)
    >>> play.game.action_name(bold), round(exposure[bold], 2)
    ('NSW d7', 0.57)
    >>> play.apply(bold)
    >>> known, role = belief.known(play.view(1), play.seen_by(1)), belief.hidden(play.view(1))
    >>> posterior = belief.posterior(known)
    >>> {count: round(p, 2) for count, p in posterior.marginal(role["role of player 1"]).items()}
    {0: 0.43, 1: 0.57}
    >>> [weight.players for weight in belief.weights(known)]
    [(0,)]
    >>> even = belief.indifferent().infer(play.view(1), play.seen_by(1))
    >>> {count: round(p, 2) for count, p in even.marginal(role["role of player 1"]).items()}
    {0: 0.75, 1: 0.25}
    >>> rows = belief.worlds(posterior, 5, np.random.default_rng(1))  # roles, and the gold
    >>> rows.shape, belief.supposed(known, rows[0].tolist(), 2, np.random.default_rng(1)).viewer
    ((5, 6), 2)
    """

    #: In other states of a moment there are other cards.
    asks_all = False

    def __init__(
        self,
        likelihood: str = "table",
        *,
        predictor: str | None = None,
        model: ActionModel | None = None,
    ) -> None:
        super().__init__()
        self.likelihood = known_name(
            likelihood, LIKELIHOODS, "likelihood", where="belief of saboteur"
        )
        if model is None:
            model = LIKELIHOODS[likelihood]() if predictor is None else learned(predictor)
        self.model = model
        self._following: dict[int, Following] = {}

    def __reduce__(self) -> Any:
        return partial(type(self), self.likelihood, model=self.model), ()

    def indifferent(self) -> SaboteurBelief:
        """The belief from the deal and sight alone: players who take any action show nothing."""
        return type(self)("uniform")

    def known(self, view: View, seen: SeenPlay) -> SaboteurKnowledge:
        """Their own role, the goals that they know, and what all have done and said."""
        known = _known(view)
        if self.model is None or view.over:
            return known
        following = self._following.get(view.viewer)
        if following is None or following.game is not view.game:
            following = self._following[view.viewer] = Following(view.game)
        steps = following.read(seen)
        signs = tuple(sign for step in steps for sign in step.signs)
        past = following.past if isinstance(self.model, KindsModel) else ()
        return known._replace(signs=signs, claims=claims_of(steps), past=past)

    def posterior(self, known: SaboteurKnowledge) -> Posterior:
        """The posterior of what is left, weighed by what others did and said."""
        deal = _deal(known)
        given = [
            (place if card == GOLD else ~place).observed(because=f"the {name} goal was seen")
            for name, card in zip(GOAL_NAMES, known.goals, strict=True)
            if card != HIDDEN
            for place in (GOLD_PLACE.value().equals(name),)
        ]
        if isinstance(self.model, KindsModel):
            kinds = self.model.kinds
            others = [name for number, name in enumerate(known.players) if number != known.viewer]
            given += _kind_evidence(known, deal, self.model)
            given += _past_evidence(known, self.model)
            return infer(
                Model(deal, GOLD_PLACE, *map(kinds.of, others)), given, method="card_by_card"
            )
        given += _evidence(known, deal, self.weights(known))
        return infer(Model(deal, GOLD_PLACE), given, method="card_by_card")

    def kinds_of(self, known: SaboteurKnowledge) -> dict[str, dict[str, float]]:
        """For each other player how likely they are of which kind; empty without kinds.

        >>> from sleuth import Play, game
        >>> from sleuth.games.saboteur import SaboteurBelief
        >>> play, belief = Play.new(game("saboteur", players=3), seed=24), SaboteurBelief("kinds")
        >>> kinds = belief.kinds_of(belief.known(play.view(0), play.seen_by(0)))
        >>> sorted(kinds), len(kinds["player 2"])
        (['player 2', 'player 3'], 5)
        """
        if not isinstance(self.model, KindsModel):
            return {}
        posterior = self._posterior(known)
        return {
            name: posterior.marginal(self.model.kinds.of(name).value())
            for number, name in enumerate(known.players)
            if number != known.viewer
        }

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws for the game's ``fill``: roles, and where the gold is."""
        rows = super().worlds(posterior, n, rng)
        kinds = sum(isinstance(each, Choice) for each in posterior.model.variables) - 1
        return np.ascontiguousarray(rows[:, : rows.shape[1] - kinds])

    def weights(self, known: SaboteurKnowledge) -> list[Weight]:
        """The weights of behaviour to a viewer, who learns nothing from what they do themselves."""
        if self.model is None:
            return []
        signs = [sign for sign in known.signs if sign.player != known.viewer]
        said = self.model.of_words(known.claims, known.goals, known.viewer)
        weights = [*(self.model.of_action(sign) for sign in signs), *said]
        return [weight for weight in weights if weight.logs.any()]

    def exposure(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """The probability a saboteur is one to the miners after each action; for saboteurs only.

        It is an average over the others, by how likely each is a miner. What others believe is
        what follows from the signs that everybody saw: their own maps, and words, are left out.
        """
        known, state = self.known(view, seen), view.states[0]
        if self.model is None or known.roles[view.viewer] != SABOTEUR or state.saying > 0:
            return {}
        following, players = self._following[view.viewer], len(known.players)
        spare = len(known.roles) > players
        roles = role_worlds(players, known.saboteurs, spare=spare)
        signs = {code: following.signs_of(code, view.viewer) for code in view.legal().tolist()}
        model = self.model

        @cache
        def vector(sign: Sign) -> Floats:
            return on_worlds(model.of_action(sign), roles)

        posterior, hidden = self.infer(view, seen), self.hidden(view)
        found, miners = dict.fromkeys(signs, 0.0), 0.0
        others = [player for player in range(players) if player != view.viewer]
        for other in others:
            theirs = sum((vector(sign) for sign in known.signs if sign.player != other), 0.0)
            theirs = np.where(roles[:, other] == MINER, theirs, -np.inf)
            role = hidden[f"role of {known.players[other]}"]
            miner = posterior.probability(role.equals(MINER))
            miners += miner
            for code, new in signs.items():
                logs = theirs + sum((vector(sign) for sign in new), 0.0)
                shares = np.exp(logs - logs.max())
                found[code] += miner * float(shares @ roles[:, view.viewer] / shares.sum())
        return {code: each / miners if miners else 0.0 for code, each in found.items()}

    def questions(self, view: View) -> Mapping[int, Question]:
        """The questions that maps, and path cards that reach a goal, ask about the gold."""
        known, state = _known(view), view.states.copy()
        if view.player != view.viewer or GOLD in known.goals:
            return {}
        actions = view.legal()
        shown = np.zeros(len(actions), dtype=np.int32)
        goals_shown(state[0], actions, len(actions), view.game.tables, shown)
        shown &= sum(1 << goal for goal, card in enumerate(known.goals) if card == HIDDEN)
        return {
            code: _is_it_there(goals)
            for code, goals in zip(actions.tolist(), shown.tolist(), strict=True)
            if goals
        }

    def telling(self, view: View) -> Collection[int]:
        """The actions that show where the gold is: the questions that can be asked now."""
        return self.questions(view)

    def followed(self, moves: Sequence[MoveEvent]) -> Sequence[MoveEvent]:
        """None: what matters of them is in the view.

        >>> from sleuth import Play, game
        >>> from sleuth.games.saboteur import SaboteurBelief
        >>> play = Play.new(game("saboteur", players=4), seed=24)
        >>> play.apply(int(play.legal()[0]))
        >>> moves = [seen.event for seen in play.seen_by(0).events]
        >>> len(moves), SaboteurBelief().followed(moves)
        (1, ())
        """
        return ()

    def foresees(self, now: View, later: View) -> bool:
        """Later in the same round: what others do until then is left out, as it is no choice.

        >>> from sleuth import Play, game
        >>> from sleuth.games.saboteur import SaboteurBelief
        >>> play, belief = Play.new(game("saboteur", players=4), seed=24), SaboteurBelief()
        >>> now = play.view(0)
        >>> play.apply(int(play.legal()[0]))
        >>> belief.foresees(now, play.view(0))
        True
        """
        before, after = now.states[0], later.states[0]
        return not later.over and bool(before.rounds_played == after.rounds_played)

    def telling_later(self, view: View) -> Collection[int]:
        """Maps of goals that they do not know, and path cards beside these but those of now.

        >>> from sleuth import Play, game
        >>> from sleuth.games.saboteur import SaboteurBelief
        >>> play, belief = Play.new(game("saboteur", players=4), seed=24), SaboteurBelief()
        >>> view, later = play.view(0), belief.telling_later(play.view(0))
        >>> "map top" in map(play.game.action_name, later)
        True
        """
        known, rules = _known(view).goals, view.game.tables.rules[0]
        if GOLD in known:
            return ()
        now = {*view.legal().tolist()} if view.player == view.viewer else set[int]()
        cells = {
            cell
            for goal, card in zip(rules.goals.tolist(), known, strict=True)
            if card == HIDDEN
            for cell in rules.neighbours[goal].tolist()
            if cell >= 0
        }
        beside = {place_code(0, 0, cell) + card for cell in cells for card in range(2 * PATHS)}
        return {*self._maps(view), *(beside - now)}

    def questions_later(self, view: View) -> Mapping[int, Question]:
        """The questions of path cards that reach a goal, and of a map that may be drawn by then.

        >>> from sleuth import Play, game
        >>> from sleuth.games.saboteur import SaboteurBelief
        >>> play, belief = Play.new(game("saboteur", players=4), seed=1), SaboteurBelief()
        >>> view = play.view(0)  # there is no map in the hand now
        >>> [play.game.action_name(code) for code in belief.questions_later(view)]
        ['map top', 'map middle', 'map bottom']
        """
        if view.player != view.viewer or GOLD in _known(view).goals:
            return {}
        return {**self._maps(view), **self.questions(view)}

    def _maps(self, view: View) -> Mapping[int, Question]:
        """The question of each map, by the action's code."""
        known = _known(view).goals
        return {
            LOOK + goal: _is_it_there(1 << goal)
            for goal, card in enumerate(known)
            if card == HIDDEN
        }

    def supposed(
        self, known: SaboteurKnowledge, world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> SaboteurKnowledge:
        """Another viewer's knowledge: their role, and what they saw with their maps."""
        gold = world[-1]
        saboteurs = world[: known.saboteurs]
        roles = tuple(
            (SABOTEUR if player in saboteurs else MINER) if player == viewer else HIDDEN
            for player in range(len(known.roles))
        )
        seen = known.shown | (known.looked[viewer] if viewer >= 0 else 0)
        goals = tuple(
            (GOLD if goal == gold else STONE) if seen >> goal & 1 else HIDDEN
            for goal in range(len(known.goals))
        )
        return known._replace(viewer=viewer, roles=roles, goals=goals)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The role of every other player, and where the gold is."""
        known, result = _known(view), dict[str, Feature]()
        if known.goals.count(HIDDEN) > 0 and GOLD not in known.goals:
            result["gold"] = GOLD_PLACE.value()
        for player, role in zip(known.players, known.roles, strict=False):
            if role == HIDDEN:
                result[f"role of {player}"] = _deal(known).count(player, ROLES[SABOTEUR])
        return result


@cache
def _is_it_there(goals: int) -> Question:
    """The question which of these goals is the gold, if one of them is."""
    names = [name for goal, name in enumerate(GOAL_NAMES) if goals >> goal & 1]
    answers = [names.index(name) if name in names else len(names) for name in GOAL_NAMES]
    return Question(GOLD_PLACE.value(), np.array(answers), (*names, "elsewhere"))


def _known(view: View) -> SaboteurKnowledge:
    # Their own role, and what the rules show: whatever else a view let through is not read.
    state, rules = view.states[0], view.game.tables.rules[0]
    cards = int(rules.role_cards)
    looked = tuple(state.looked.tolist()[: view.game.players])
    shown = sum(
        1 << goal
        for goal, cell in enumerate(rules.goals.tolist())
        if view.over or state.board[cell] != FACE_DOWN
    )
    seen = shown | (looked[view.viewer] if view.viewer >= 0 else 0)
    roles = tuple(
        int(role) if view.over or card == view.viewer else HIDDEN
        for card, role in enumerate(state.roles.tolist()[:cards])
    )
    goals = tuple(
        min(int(card), STONE) if seen >> goal & 1 else HIDDEN
        for goal, card in enumerate(state.goals.tolist())
    )
    return SaboteurKnowledge(
        view.game.roles, view.viewer, roles, int(rules.saboteurs), goals, looked, shown
    )


def _deal(known: SaboteurKnowledge) -> Deal:
    holders = (*known.players, SPARE)[: len(known.roles)]
    seen = {
        holder: [ROLES[role]]
        for holder, role in zip(holders, known.roles, strict=True)
        if role != HIDDEN
    }
    cards = {
        ROLES[SABOTEUR]: known.saboteurs,
        ROLES[MINER]: len(holders) - known.saboteurs,
    }
    return Deal(cards, holders=dict.fromkeys(holders, 1), known=seen, name="roles")


def _evidence(known: SaboteurKnowledge, deal: Deal, weights: Sequence[Weight]) -> list[Evidence]:
    """Weights as evidence, those about the same players taken together."""
    totals: dict[tuple[tuple[int, ...], bool], Floats] = {}
    for weight in weights:
        players, logs = weight.players, weight.logs
        if players != tuple(sorted(players)):
            players, logs = players[::-1], logs.T
        key = players, weight.of_gold
        totals[key] = totals.get(key, 0.0) + logs
    found: list[Evidence] = []
    for (players, of_gold), logs in totals.items():
        parts = [deal.count(known.players[player], ROLES[SABOTEUR]) for player in players]
        feature = together(*parts, *([GOLD_PLACE.value()] if of_gold else []))
        names = " and ".join(known.players[player] for player in players)
        table = np.exp(np.maximum(logs - logs.max(), LEAST)).ravel()
        found.append(feature.weigh(table, because=f"what {names} did and said"))
    return found


def _past_evidence(known: SaboteurKnowledge, model: KindsModel) -> list[Evidence]:
    """The others' deeds and words in earlier rounds as evidence on kinds: roles are known now."""
    totals: dict[int, Floats] = {}
    for past in known.past:
        said = [(each, 0) for each in past.signs if each.about]
        for each, gold in (*said, *past.claims):
            if each.player != known.viewer:
                players, logs = model.by_kind(each)
                at = [past.roles[player] for player in players]
                row = logs[(*at, gold) if isinstance(each, GoalClaim) else tuple(at)]
                totals[each.player] = totals.get(each.player, 0.0) + row
    return [
        model.kinds.of(known.players[player])
        .value()
        .weigh(
            np.exp(np.maximum(logs - logs.max(), LEAST)),
            because=f"what {known.players[player]} did in earlier rounds",
        )
        for player, logs in totals.items()
    ]


def _kind_evidence(known: SaboteurKnowledge, deal: Deal, model: KindsModel) -> list[Evidence]:
    """The others' deeds and words, as evidence on roles, the gold and the kind of who did it."""
    totals: dict[tuple[tuple[int, ...], bool], Floats] = {}
    signs = [sign for sign in known.signs if sign.player != known.viewer and sign.about]
    claims = [claim for claim in known.claims if claim.player != known.viewer]
    for said in (*signs, *claims):
        players, logs = model.by_kind(said)
        key = players, isinstance(said, GoalClaim)
        totals[key] = totals.get(key, 0.0) + logs
    found: list[Evidence] = []
    for (players, of_gold), logs in totals.items():
        parts = [deal.count(known.players[player], ROLES[SABOTEUR]) for player in players]
        name = known.players[players[0]]
        kind = model.kinds.of(name).value()
        feature = together(*parts, *([GOLD_PLACE.value()] if of_gold else []), kind)
        table = np.exp(np.maximum(logs - logs.max(), LEAST)).ravel()
        found.append(feature.weigh(table, because=f"what {name} did and said"))
    return found
