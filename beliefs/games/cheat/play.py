"""Cheat as it is played: from what a player sees to worlds for the search, turn by turn."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....data.errors import EvidenceError
from ....models.cheat import RANK_NAMES, SeenCheat, columns_of, seen_game
from ....models.cheat.state import CALL
from ....models.game import SPECTATOR, Game
from ....models.kernels.kernel import kernel
from ....models.play import SeenPlay, View
from ...infer import infer
from ...language.deal_features import Count
from ...language.features import Condition, Feature
from ...language.questions import Question
from ...language.variables import Deal
from ...posterior import Posterior, PosteriorRequest
from ..contract import CachedBelief, Histories, Way
from .declaration import HANDS, KEPT, CheatDeclaration, ClaimHolder, dealt_in
from .imagined import OpponentTables, begin, predicted_game
from .judges import CALLS, TRUTH, USUAL, PredictedTruth, judge, known_predictor
from .past import DRAWN, histories

#: How the names of claims begin, see `CheatBelief.hidden`.
CLAIM: Final = "claim"

#: P(the last claim is true), from what the player knows who may call it; None to say nothing.
Truth = Callable[[View, SeenPlay], float | None]
#: By the place of a claim's turn: what was predicted, and the baseline it was set against.
Spoken = tuple[tuple[int, tuple[float, float]], ...]
#: All that matters of what a player knows.
Known = tuple[SeenCheat, int, Spoken]


class CheatBelief(CachedBelief[Known]):
    """A player's knowledge of the other's hand and of the cards that lie face down in Cheat.

    Args:
        truth: A predictor of the truth of claims, which knows how many cards there are. It is asked
            about a claim at the moment when the viewer may call it, and what it said then is
            remembered as long as the claim lies face down. Without one, counting is all.
        predictor: The same by name or file, see `judges.judge`.
        right: With hints, how often they are right.
        known: Whether the predictor is moved by what was turned up of the opponent in the match.
        calls: A predictor of calls, by file or ``"usual"``, for `imagined`.
        excluded: Whether `ways` has both where counting leaves one, if there is a predictor.

    >>> import numpy as np
    >>> from sleuth import Play, game
    >>> from sleuth.games.cheat import CheatBelief
    >>> play = Play.new(game("cheat"), seed=21)
    >>> play.apply(2)  # one card of the rank above, as claimed
    >>> view, seen, belief = play.view(1), play.seen_by(1), CheatBelief(0.6)
    >>> round(belief.counting(view), 3), round(belief.chance(view, seen), 3)
    (0.093, 0.6)
    >>> [(way.name, round(way.chance, 3)) for way in belief.ways(view, seen)]
    [('true', 0.6), ('false', 0.4)]
    >>> known = belief.known(view, seen)
    >>> belief.posterior(known) == belief.infer(view, seen)
    True
    >>> [*belief.hidden(view)][:2], belief.main(view), belief.lasting
    (['claim 1 is true', 'ace of first'], ('claim 1 is true',), 'claim')
    >>> belief.shown(view), belief.questions(view)  # the code of a call
    ({0: ('claim 1 is true',)}, {0: <Question 'claim 1 is true', 2 outcomes>})
    >>> posterior, claim = belief.counted(view), belief.hidden(view)["claim 1 is true"]
    >>> rows = belief.worlds(posterior, 400, np.random.default_rng(1))
    >>> belief.places(posterior, claim, rows).mean().round(1).item()
    0.1
    """

    def __init__(
        self,
        truth: Truth | float | None = None,
        *,
        predictor: str | None = None,
        right: float | None = None,
        known: bool = False,
        calls: str = USUAL,
        excluded: bool = False,
    ) -> None:
        super().__init__()
        self.excluded = excluded
        self.calls = calls
        self.truth = truth if predictor is None else judge(predictor, right, known=known)
        self._kept: OrderedDict[Any, Posterior] = OrderedDict()
        self._spoken: OrderedDict[Any, tuple[float, float]] = OrderedDict()

    def __reduce__(self) -> Any:
        return partial(type(self), calls=self.calls, excluded=self.excluded), (self.truth,)

    def known(self, view: View, seen: SeenPlay) -> Known:
        """The game as the viewer saw it, the size of the first hands, and what was predicted of
        claims that lie face down.
        """
        game, dealt = seen_game(view), dealt_in(view)
        if self.truth is None or view.viewer < 0:
            return game, dealt, ()
        # What they had seen when a claim was made is their information set of that time.
        saw = (view.viewer, seen.start, tuple(each.event.observation for each in seen.events))
        spoken: list[tuple[int, tuple[float, float]]] = []
        for place in range(game.since, len(game.turns)):
            turn = game.turns[place]
            if turn.kind != "claim" or turn.by == view.viewer:
                continue
            told = (seen.told.seconds[: place + 1], seen.told.earlier)
            then = (place, *saw[:2], saw[2][: place + 1], told)
            # A hint is given but once, when the claim can be called.
            fresh = then not in self._spoken or seen.told.hint is not None
            if place + 1 == len(game.turns) and fresh and not game.over:
                chance = self._said(view, seen)
                if chance is not None:
                    _keep(self._spoken, then, (chance, self.counting(view)))
            if then in self._spoken:
                spoken.append((place, self._spoken[then]))
        return game, dealt, tuple(spoken)

    def counted(self, view: View) -> Posterior:
        """The posterior by counting alone, whatever was predicted."""
        return self._posterior((seen_game(view), dealt_in(view), ()))

    def counting(self, view: View) -> float:
        """P(the claim that the viewer may call is true), by counting alone."""
        return float(self.counted(view).probability(last_is_true(view)))

    def chance(self, view: View, seen: SeenPlay) -> float:
        """P(the claim that the viewer may call is true), by all that is known of it."""
        return float(self.infer(view, seen).probability(last_is_true(view)))

    def _said(self, view: View, seen: SeenPlay) -> float | None:
        return self.truth(view, seen) if callable(self.truth) else self.truth

    def ways(self, view: View, seen: SeenPlay) -> Sequence[Way]:
        """The last claim as true and as false, by counting: each where it is possible.

        How likely each is says the predictor alone, as in the paper; without one, counting. With
        ``excluded`` the other one is there too, which no world fits: it has those of the possible
        one, in which other cards were laid down, so that there are too many of some rank.
        """
        game, counted = seen_game(view), self.counted(view)
        last = game.turns[-1] if game.turns else None
        if last is None or last.kind != "claim" or last.by == view.viewer or game.over:
            return [Way("as it is", counted, 1.0)]
        true, share = last_is_true(view), self.counting(view)
        certain = not 0.0 < share < 1.0
        said = self._said(view, seen) if self.excluded or not certain else None
        if certain and said is None:
            return [Way("true" if share else "false", counted, 1.0)]
        if said is not None and certain:
            otherwise = partial(self._otherwise, game, counted, share == 1.0)
            drawn = (None, otherwise) if share else (otherwise, None)
            return [
                Way("true", counted, said, drawn[0]),
                Way("false", counted, 1.0 - said, drawn[1]),
            ]
        chance = share if said is None else said
        return [
            Way("true", counted.observe(true.observed(because="the claim is true")), chance),
            Way("false", counted.observe((~true).observed(because="it is not")), 1.0 - chance),
        ]

    def _otherwise(
        self, game: SeenCheat, counted: Posterior, true: bool, n: int, rng: np.random.Generator
    ) -> NDArray[np.int16]:
        """Worlds in which the last claim, known to be ``true`` or not, was the other thing."""
        *before, last = (turn for turn in game.turns[game.since :] if turn.kind == "claim")
        first = 2 * game.ranks + sum(turn.count for turn in before)
        rows = self.worlds(counted, n, rng)
        laid = (last.rank + game.ranks // 2) % game.ranks if true else last.rank
        rows[:, first : first + last.count] = laid
        return rows

    def imagined(self, game: Game) -> Game:
        """The game with predictors of truth and of calls, see `imagined`.

        >>> from sleuth import game
        >>> from sleuth.games.cheat import CheatBelief
        >>> cheat = game("cheat")
        >>> CheatBelief().imagined(cheat).policy is cheat.policy
        False
        """
        truth = self.truth
        usual = truth.predictor if isinstance(truth, PredictedTruth) else None
        return predicted_game(
            game, usual or known_predictor(USUAL, TRUTH), known_predictor(self.calls, CALLS)
        )

    def begin(self, game: Game, view: View, seen: SeenPlay) -> None:
        """Tell an imagined game what is known of both players.

        >>> from sleuth import Play, game
        >>> from sleuth.games.cheat import CheatBelief
        >>> play, belief = Play.new(game("cheat"), seed=21), CheatBelief()
        >>> play.apply(2)
        >>> imagined = belief.imagined(play.game)
        >>> belief.begin(imagined, play.view(1), play.seen_by(1))
        >>> imagined.tables.numbers.tolist()  # the searcher, the other's calls, the turn
        [1.0, 0.0, 1.0]
        """
        if isinstance(game.tables, OpponentTables) and view.viewer != SPECTATOR:
            begin(game, view, seen)

    def posterior(self, known: Known) -> Posterior:
        """The posterior of the last moment that is kept, and what happened since."""
        game, dealt, spoken = known
        belief = CheatDeclaration(game, dealt=dealt)
        turns = game.turns[game.since :]
        public = [(turn.by, turn.kind, turn.rank, turn.count) for turn in turns]
        chances = dict(spoken)
        # A moment is the deal, when the pile began, for holders are called after their turns, and
        # every turn since with what was predicted of it.
        moments: list[Any] = [(belief.cards, game.since)]
        for place, turn in enumerate(public, start=game.since):
            moments.append((*moments[-1], turn, chances.get(place)))
        start = len(turns)
        while start > 0 and moments[start] not in self._kept:
            start -= 1
        posterior = self._kept.get(moments[start])
        if posterior is None:
            posterior = infer(belief.model, method="type_counting")
            # A spectator knows neither hand, which can be too much for it.
            posterior = replace(posterior, wanted=PosteriorRequest("auto", True, posterior.options))
            _keep(self._kept, moments[0], posterior)
        for place in range(start, len(turns)):
            given = [*belief.happened(game.since + place, chances)]
            if given:
                posterior = posterior.observe(given)
            _keep(self._kept, moments[place + 1], posterior)
        return posterior

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws as columns for ``fill``, see `models.cheat`; shape (n, columns)."""
        return columns(posterior, n, rng)

    def histories(
        self,
        posterior: Posterior,
        view: View,
        seen: SeenPlay,
        count: int,
        rng: np.random.Generator,
    ) -> Histories | None:
        """``count`` games from the deal on that the viewer may have seen, see `past`.

        >>> import numpy as np
        >>> import sleuth
        >>> play, belief = sleuth.Play.new("cheat", seed=21), sleuth.belief("cheat")
        >>> play.apply(2)  # one card of the rank above, as claimed
        >>> view, seen = play.view(1), play.seen_by(1)
        >>> posterior = belief.infer(view, seen)
        >>> found = belief.histories(posterior, view, seen, 50, np.random.default_rng(1))
        >>> sorted({play.game.action_name(code) for code in found.listed[:, 0].tolist()})
        ['higher false 1', 'higher true 1']
        """
        return histories(view, seen, self.worlds(posterior, DRAWN * count, rng), count, rng)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The truth of each claim of the other on the pile, and their cards of each rank.

        A claim is named by its turn, so it keeps its name until it is turned up.
        """
        return _hidden(CheatDeclaration.of(view))

    def frame(self, game: Game, viewer: int) -> Mapping[str, Sequence[Any]]:
        """The truth of the other's claims on the pile, from the last back, and their cards.

        >>> import sleuth
        >>> frame = sleuth.belief("cheat").frame(sleuth.game("cheat"), viewer=0)
        >>> len(frame), frame["last claim but 1 is true"], frame["ace of second"]
        (65, (False, True), (0, 1, 2, 3, 4))
        """
        rules = game.tables.rules[0]
        ranks, suits = int(rules.ranks), int(rules.suits)
        truths = {told_back(number): (False, True) for number in range(ranks * suits)}
        return truths | {
            f"{rank} of {hand}": tuple(range(suits + 1))
            for player, hand in enumerate(HANDS)
            if player != viewer
            for rank in RANK_NAMES[:ranks]
        }

    def framed(self, view: View) -> Mapping[str, Any]:
        """All that is hidden, a claim by how many of the other came after it; and their own hand.

        >>> import sleuth
        >>> play = sleuth.Play.new("cheat", seed=21)
        >>> play.apply(2)
        >>> play.apply(3)
        >>> framed = sleuth.belief("cheat").framed(play.view(0))
        >>> len(framed), next(iter(framed)), framed["king of first"]
        (27, 'last claim is true', 2)
        """
        belief = CheatDeclaration.of(view)
        hidden = _hidden(belief)
        claims = [_name_of(claim) for claim in reversed(belief.claims)]
        found = {told_back(number): hidden[name] for number, name in enumerate(claims)}
        if belief.viewer is not None and belief.game.hand is not None:
            hand = HANDS[belief.viewer]
            own = zip(RANK_NAMES, belief.game.hand, strict=False)
            found |= {f"{rank} of {hand}": count for rank, count in own}
        return found | {name: each for name, each in hidden.items() if name not in claims}

    def main(self, view: View) -> Sequence[str]:
        """The claims of the other on the pile; where there are none, the other's hand."""
        hidden = tuple(self.hidden(view))
        return tuple(name for name in hidden if name.startswith(CLAIM)) or hidden

    @property
    def lasting(self) -> str:
        """The beginning of claims' names: cards on the pile lie there until it is turned up."""
        return CLAIM

    def shown(self, view: View) -> Mapping[int, Sequence[str]]:
        """A call turns up the whole pile."""
        if not may_call(view):
            return {}
        return {CALL: tuple(_name_of(claim) for claim in CheatDeclaration.of(view).claims)}

    def questions(self, view: View) -> Mapping[int, Question]:
        """A call asks whether the last claim is true; it shows more than that, see `shown`."""
        if not may_call(view):
            return {}
        belief = CheatDeclaration.of(view)
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
        number = np.zeros(len(rows), dtype=np.int64)
        for holder in count.holders:
            for rank in count.items:
                number += _counted(posterior, holder, rank, rows)
        return asked.project[number]


def may_call(view: View) -> bool:
    """True if the viewer is to move, and the last turn is a claim that they can call."""
    return not view.over and view.player == view.viewer and CALL in view.legal()


def last_is_true(view: View) -> Condition:
    """The condition that the last claim the viewer does not know is true, to be asked."""
    belief = CheatDeclaration.of(view)
    return belief.is_true(belief.claims[-1])


def _hidden(belief: CheatDeclaration) -> dict[str, Feature]:
    """The features of `CheatBelief.hidden` in a declaration."""
    result: dict[str, Feature] = {_name_of(claim): belief.is_true(claim) for claim in belief.claims}
    for player, hand in enumerate(HANDS):
        if player != belief.viewer:
            for place, rank in enumerate(belief.cards.items):
                result[f"{rank} of {hand}"] = belief.count(player, place)
    return result


def told_back(number: int) -> str:
    """The name of the truth of a claim, by how many that can be doubted came after it."""
    return f"last {CLAIM}{f' but {number}' if number else ''} is true"


def _name_of(claim: ClaimHolder) -> str:
    """The name of a claim's truth; another claim never has the same name."""
    return f"{CLAIM} {claim.place + 1} is true"


def _counted(
    posterior: Posterior, holder: str, rank: str, rows: NDArray[np.int16]
) -> NDArray[np.int64]:
    """The number of cards of a rank a hand or a claim has in each world; see `columns`."""
    cards = posterior.model.variables[0]
    assert isinstance(cards, Deal)
    ranks, number = len(cards.items), RANK_NAMES.index(rank)
    if holder in HANDS:
        return rows[:, HANDS.index(holder) * ranks + number].astype(np.int64)
    bottom = _bottom_of(holder)
    if bottom < 0:
        raise EvidenceError("worlds do not say which cards are here", value=holder)
    layout = posterior.problem.layout
    size = int(layout.capacity[list(layout.slots[cards.name, holder])].sum())
    first = 2 * ranks + bottom
    return (rows[:, first : first + size] == number).sum(axis=1)


def _bottom_of(holder: str) -> int:
    """The number of cards face down below a claim, by its name as a holder; -1 for others."""
    return int(holder.partition(" above ")[2] or -1)


def columns(posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Worlds as a game's ``fill`` takes them, see `models.cheat`; shape (n, columns).

    The holder of a claim says how many cards lie face down below it.
    """
    cards = posterior.model.variables[0]
    assert isinstance(cards, Deal)
    ranks, suits = len(cards.items), max(cards.items.values())
    result = np.zeros((n, columns_of(ranks, suits)), dtype=np.int16)
    result[:, 2 * ranks + ranks * suits :] = -1
    holders = posterior.holders(cards)
    hand = np.array([HANDS.index(name) if name in HANDS else -1 for name in holders])
    bottom = np.array([_bottom_of(name) for name in holders])
    rank = np.array([RANK_NAMES.index(item) for _, item in posterior.columns()])
    write_columns(posterior.sample_array(n, rng), rank, hand, bottom, ranks, result)
    return result


@kernel
def write_columns(worlds: Any, rank: Any, hand: Any, bottom: Any, ranks: int, result: Any) -> None:
    """Count hands, and put the cards of claims in their places on the pile.

    Args:
        worlds: Number of the holder of every card, shape (worlds, cards).
        rank: Of every card.
        hand: For every holder the player whose hand it is, or -1.
        bottom: For every holder the place of its first card on the pile, or -1.
        ranks: How many ranks there are.
        result: Written, shape (worlds, columns).
    """
    there = np.zeros(hand.shape[0], dtype=np.int64)
    for world in range(worlds.shape[0]):
        there[:] = 0
        for card in range(rank.shape[0]):
            holder = worlds[world, card]
            if hand[holder] >= 0:
                result[world, hand[holder] * ranks + rank[card]] += 1
            elif bottom[holder] >= 0:
                result[world, 2 * ranks + bottom[holder] + there[holder]] = rank[card]
                there[holder] += 1


def _keep(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)
