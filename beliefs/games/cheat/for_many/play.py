"""Cheat for many as it is played: from what a player sees to worlds for the search."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .....data.errors import EvidenceError
from .....models.cheat import RANK_NAMES
from .....models.cheat.for_many import SeenManyCheat, columns_of, seen_many_cheat
from .....models.cheat.for_many.state import CALL, PUBLIC_ACTIONS
from .....models.cheat.for_many.state import CLAIM as FIRST_CLAIM
from .....models.game import Game
from .....models.play import SeenPlay, View
from ....language.deal_features import Count
from ....language.features import Condition, Feature
from ....language.questions import Question
from ....language.variables import Deal
from ....posterior import Posterior
from ...contract import CachedBelief
from ..play import told_back, write_columns
from .declaration import ManyCheatDeclaration, OpenClaim
from .honesty import HONEST, likely_true
from .judges import truth_named

#: How the names of claims begin, see `ManyCheatBelief.hidden`.
CLAIM: Final = "claim"
#: Things that predictors said which are remembered.
KEPT: Final = 4096

#: P(the last claim is true), from what a player knows who is not the claimant; None to say nothing.
Truth = Callable[[View, SeenPlay], float | None]
#: By the place of a claim what a predictor said of it.
Spoken = tuple[tuple[int, float], ...]
#: All that matters of what a player knows.
Known = tuple[SeenManyCheat, Spoken]


class ManyCheatBelief(CachedBelief[Known]):
    """A player's knowledge of the others' hands and of the cards that lie face down.

    Args:
        truth: A predictor of the truth of claims, which knows how many cards there are; or one
            chance for all claims. It is asked about a claim as soon as the belief is asked about
            anything while that claim can be called, and what it said then is remembered as long as
            the claim lies face down.
        predictor: The same by name or file, see `judges.truth_named`.
        honest: How often players are honest where they can be, in claims of which no predictor has
            said anything (see `honesty`); None to let counting alone say how likely they are true.

    >>> import numpy as np
    >>> from sleuth import Play
    >>> from sleuth.games.cheat import ManyCheatBelief
    >>> play = Play.new("cheat_for_many", seed=3)
    >>> play.apply(play.legal()[0])  # one ace, it is said
    >>> view, seen, belief = play.view(1), play.seen_by(1), ManyCheatBelief()
    >>> posterior = belief.infer(view, seen)
    >>> round(posterior.probability(belief.hidden(view)["claim 1 is true"].equals(True)), 2)
    0.55
    >>> rows = belief.worlds(posterior, 400, np.random.default_rng(1))
    >>> claim = belief.hidden(view)["claim 1 is true"]
    >>> rows.shape, belief.places(posterior, claim, rows).mean().round(1).item()
    ((400, 104), 0.5)
    >>> belief.posterior(belief.known(view, seen)) == posterior, belief.declared(view).counting
    (True, 'type_counting')
    >>> belief.main(view), belief.lasting, belief.shown(view)  # by the code of a call
    (('claim 1 is true',), 'claim', {0: ('claim 1 is true',)})
    >>> belief.questions(view)
    {0: <Question 'claim 1 is true', 2 outcomes>}
    """

    def __init__(
        self,
        truth: Truth | float | None = None,
        *,
        predictor: str | None = None,
        honest: float | None = HONEST,
    ) -> None:
        super().__init__()
        self.truth = truth if predictor is None else truth_named(predictor)
        self.honest = honest
        self._spoken: OrderedDict[Any, float] = OrderedDict()

    def __reduce__(self) -> Any:
        return partial(type(self), honest=self.honest), (self.truth,)

    def known(self, view: View, seen: SeenPlay) -> Known:
        """The game as the viewer saw it, and what was predicted of claims that lie face down."""
        game = seen_many_cheat(view)
        if self.truth is None or game.over:
            return game, ()
        if not callable(self.truth):
            return game, tuple(
                (place, self.truth)
                for place in range(game.since, len(game.claims))
                if game.claims[place].cards is None
            )
        # What they had seen when a claim was made is their information set of that time.
        saw = tuple(each.event.observation for each in seen.events)
        made = [at for at, observation in enumerate(saw) if is_claim(observation)]
        spoken: list[tuple[int, float]] = []
        for place in range(game.since, len(game.claims)):
            if game.claims[place].cards is not None:
                continue
            then = (view.viewer, seen.start, saw[: made[place] + 1])
            if then not in self._spoken and place + 1 == len(game.claims) and game.asked:
                chance = self.truth(view, seen)
                if chance is not None:
                    _keep(self._spoken, then, chance)
            if then in self._spoken:
                spoken.append((place, self._spoken[then]))
        return game, tuple(spoken)

    def declared(self, view: View) -> ManyCheatDeclaration:
        """The declaration of what the viewer knows: it says how hands are counted, and how well."""
        return ManyCheatDeclaration.of(view)

    def posterior(self, known: Known) -> Posterior:
        """The posterior of the cards that the viewer cannot place."""
        game, spoken = known
        belief = ManyCheatDeclaration(game)
        chances: dict[int, tuple[float, float | str]] = {}
        if self.honest is not None:
            for claim in belief.claims:
                chance = likely_true(game, claim.place, self.honest)
                chances[claim.place] = chance, "counting"
        chances |= {place: (chance, "counting") for place, chance in spoken}
        return belief.infer(chances)

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws as columns for ``fill``, see `models.cheat.for_many`; shape (n, columns)."""
        cards = _cards_of(posterior)
        ranks, copies = len(cards.items), max(cards.items.values())
        players, holders = _players(posterior), posterior.holders(cards)
        result = np.zeros((n, columns_of(players, ranks, copies)), dtype=np.int16)
        hand = np.array([_player_of(name) for name in holders])
        # Columns of the pile begin after all hands; `write_columns` has two of them in mind.
        bottom = np.array([_bottom_of(name) for name in holders])
        bottom[bottom >= 0] += (players - 2) * ranks
        rank = np.array([RANK_NAMES.index(item) for _, item in posterior.columns()])
        write_columns(posterior.sample_array(n, rng), rank, hand, bottom, ranks, result)
        return result

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The truth of each claim on the pile, and the others' cards of each rank."""
        return _hidden(view, ManyCheatDeclaration.of(view))

    def frame(self, game: Game, viewer: int) -> Mapping[str, Sequence[Any]]:
        """The truth of the others' claims on the pile, from the last back, and their cards.

        >>> import sleuth
        >>> many = sleuth.game("cheat_for_many")
        >>> frame = sleuth.belief(many).frame(many, viewer=0)
        >>> len(frame), frame["last claim is true"], frame["ace of player 2"]
        (91, (False, True), (0, 1, 2, 3, 4))
        """
        rules = game.tables.rules[0]
        ranks, copies = int(rules.ranks), int(rules.copies)
        truths = {told_back(number): (False, True) for number in range(ranks * copies)}
        return truths | {
            f"{rank} of {role}": tuple(range(copies + 1))
            for player, role in enumerate(game.roles)
            if player != viewer
            for rank in RANK_NAMES[:ranks]
        }

    def framed(self, view: View) -> Mapping[str, Any]:
        """All that is hidden, a claim by how many of others came after it; and their own hand.

        >>> import sleuth
        >>> play = sleuth.Play.new("cheat_for_many", seed=3)
        >>> play.apply(play.legal()[0])
        >>> framed = sleuth.belief("cheat_for_many").framed(play.view(1))
        >>> len(framed), next(iter(framed)), framed["ace of player 2"]
        (53, 'last claim is true', 2)
        """
        belief = self.declared(view)
        hidden = _hidden(view, belief)
        claims = [] if view.over else [_name_of(claim) for claim in reversed(belief.claims)]
        found: dict[str, Any] = {told_back(at): hidden[name] for at, name in enumerate(claims)}
        if belief.viewer is not None and belief.game.hand is not None:
            role = view.game.roles[belief.viewer]
            own = zip(RANK_NAMES, belief.game.hand, strict=False)
            found |= {f"{rank} of {role}": count for rank, count in own}
        return found | {name: each for name, each in hidden.items() if name not in claims}

    def main(self, view: View) -> Sequence[str]:
        """The claims on the pile; where there are none, the others' hands."""
        hidden = tuple(self.hidden(view))
        return tuple(name for name in hidden if name.startswith(CLAIM)) or hidden

    @property
    def lasting(self) -> str:
        """The beginning of claims' names: cards on the pile lie there until it is taken up."""
        return CLAIM

    def shown(self, view: View) -> Mapping[int, Sequence[str]]:
        """A call turns up the last claim, or the whole pile where that is the rule."""
        if not may_call(view):
            return {}
        names = [_name_of(claim) for claim in ManyCheatDeclaration.of(view).claims]
        return {CALL: tuple(names if view.game.settings["shown"] == "pile" else names[-1:])}

    def questions(self, view: View) -> Mapping[int, Question]:
        """A call asks whether the last claim is true; it shows more than that, see `shown`."""
        if not may_call(view):
            return {}
        belief = ManyCheatDeclaration.of(view)
        last = belief.claims[-1]
        asked = Question(belief.is_true(last), np.array([0, 1]), (False, True), name=_name_of(last))
        return {CALL: asked}

    def places(
        self, posterior: Posterior, feature: Feature, rows: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """For each world the place of the value of something hidden, by the columns of `worlds`.

        Raises:
            EvidenceError: It is about cards that a world has no columns for.
        """
        asked = feature.on(posterior.problem.layout)
        count = asked.base
        if not isinstance(count, Count):
            raise EvidenceError(
                "only cards in hands and claims can be counted in worlds", value=feature.describe()
            )
        # Both parts of a hand have the same columns.
        places = {columns_in(posterior, holder) for holder in count.holders}
        number = np.zeros(len(rows), dtype=np.int64)
        for hand, first, last in places:
            here = rows[:, first:last]
            for item in count.items:
                rank = RANK_NAMES.index(item)
                number += here[:, rank] if hand else (here == rank).sum(axis=1)
        return asked.project[number]


def _hidden(view: View, belief: ManyCheatDeclaration) -> dict[str, Feature]:
    """The features of `ManyCheatBelief.hidden` in a declaration."""
    if view.over:
        return {}
    result: dict[str, Feature] = {_name_of(claim): belief.is_true(claim) for claim in belief.claims}
    for player, role in enumerate(view.game.roles):
        if player != belief.viewer:
            for place in range(belief.game.ranks):
                result[f"{RANK_NAMES[place]} of {role}"] = belief.count(player, place)
    return result


def is_claim(observation: int) -> bool:
    """True if a viewer saw a claim."""
    return observation % PUBLIC_ACTIONS >= FIRST_CLAIM


def may_call(view: View) -> bool:
    """True if the viewer is asked about a claim."""
    return not view.over and view.player == view.viewer and CALL in view.legal()


def last_is_true(view: View) -> Condition:
    """The condition that the last claim, whose cards the viewer has not seen, is true."""
    belief = ManyCheatDeclaration.of(view)
    return belief.is_true(belief.claims[-1])


def columns_in(posterior: Posterior, holder: str) -> tuple[bool, int, int]:
    """True if a holder is a part of a hand, and its columns in worlds, from one to before another.

    Raises:
        EvidenceError: Worlds have no columns of it.
    """
    cards = _cards_of(posterior)
    ranks, player, bottom = len(cards.items), _player_of(holder), _bottom_of(holder)
    if player >= 0:
        return True, player * ranks, (player + 1) * ranks
    if bottom < 0:
        raise EvidenceError("worlds do not say which cards are here", value=holder)
    layout = posterior.problem.layout
    size = int(layout.capacity[list(layout.slots[cards.name, holder])].sum())
    first = _players(posterior) * ranks + bottom
    return False, first, first + size


def _players(posterior: Posterior) -> int:
    """The number of players: everybody's hand is a holder."""
    return 1 + max(map(_player_of, _cards_of(posterior).holders))


def _cards_of(posterior: Posterior) -> Deal:
    cards = posterior.model.variables[0]
    assert isinstance(cards, Deal)
    return cards


def _name_of(claim: OpenClaim) -> str:
    """The name of a claim's truth; another claim never has the same name."""
    return f"{CLAIM} {claim.place + 1} is true"


def _player_of(holder: str) -> int:
    """The player whose hand a holder is, or a part of it; -1 for others."""
    kind, _, number = holder.partition(" ")
    return int(number) - 1 if kind in ("hand", "kept") else -1


def _bottom_of(holder: str) -> int:
    """The number of cards that lie below a claim, by its name as a holder; -1 for others."""
    return int(holder.partition(" above ")[2] or -1)


def _keep(kept: OrderedDict[Any, float], key: object, value: float) -> None:
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)
