"""Judges of a claim of Cheat for the player who may call it: a predictor, or a hint."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from ....data.checks import is_number
from ....data.disk.contents import MadeOfFiles
from ....data.errors import RecordError, SettingsError
from ....data.files import resource
from ....models.cheat import seen_game
from ....models.cheat.people.person import counted
from ....models.kernels.kernel import kernel
from ....models.play import SeenPlay, View
from ...arrays.layout import Floats
from ...kinds import NONE as OTHERS
from ...kinds import Kinds, KindWeights
from ...predictors.predictor import Predictor, load_predictor, paths, probability
from .adaptation import Acquaintance
from .features import COUNT, NAMES, feature_row

#: What is meant by a predictor of truth or of calls that is not a file.
USUAL: Final = "usual"
EVEN: Final = "even"
HINT: Final = "hint"
NONE: Final = "none"

#: Names of the predictors that come with the package, in its folder of Cheat.
TRUTH: Final = "truth"
CALLS: Final = "calls"
#: What judges claims by kinds of players.
KINDS: Final = "kinds"
#: What the kind is called from whom the package's predictor of truth was learned, and the files of
#: those of other kinds.
LEARNED: Final = "reacting people"
KIND_FILES: Final = {
    "steady people": "truth_steady",
    "searches": "truth_search",
    OTHERS: "truth_random",
}
#: How far claims that were turned up are trusted to tell of which kind their player is.
TRUST: Final = 0.5
#: Games of which it is remembered what was said.
KEPT: Final = 4096
#: What they predict, on their cards, and the word for it on the command line.
PREDICTS: Final = {TRUTH: "the claim is true", CALLS: "the claim will be called"}
WORDS: Final = {TRUTH: "true", CALLS: "called"}


class PredictedTruth:
    """P(the last claim is true), by a predictor of truth.

    Args:
        predictor: Trained by `training.training.train`.
    """

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    def __call__(self, view: View, seen: SeenPlay) -> float:
        """The probability that the claim is true, to the player who may call it."""
        before = counted(seen.told.earlier, view.viewer)
        took = seen.told.seconds[-1] if seen.told.seconds else None
        seconds = np.nan if took is None else took
        return float(judged(view.states, before, seconds, view.game.tables, self.predictor.tables))


class AcquaintedTruth(PredictedTruth):
    """The same, moved by what was turned up of the opponent in the match.

    What the predictor gave to each claim at its moment is remembered, as it cannot be asked again.
    A claim about which nobody asked says nothing later.

    Args:
        predictor: Trained by `training.training.train`; its spread says how much players differ.
    """

    def __init__(self, predictor: Predictor) -> None:
        super().__init__(predictor)
        self._heard: OrderedDict[Any, dict[Any, dict[bytes, Any]]] = OrderedDict()

    def __call__(self, view: View, seen: SeenPlay) -> float:
        """The probability that this opponent's claim is true, to the player who may call it."""
        given = self._given(view, seen)
        heard = self._heard.setdefault((seen.told.earlier, view.viewer), {})
        heard.setdefault(seen.start, {})[_course(view)] = given
        while len(self._heard) > KEPT:
            self._heard.popitem(last=False)
        return self.learned(view, seen).hear(-1, given)

    def _given(self, view: View, seen: SeenPlay) -> Any:
        """The probability that the last claim is true, of anybody."""
        return super().__call__(view, seen)

    def _unknown(self) -> Any:
        """The knowledge of somebody unknown."""
        return Acquaintance(self.predictor.spread)

    def learned(self, view: View, seen: SeenPlay) -> Any:
        """The knowledge of the opponent by now, from the claims that were asked about."""
        games = (*seen.told.earlier, view)
        knows = self._unknown()
        for number, each in enumerate(games):
            knows.begin()
            hands = self._heard.get((games[:number], each.viewer), {})
            course = _course(each)
            fitting = (
                {then: given for then, given in heard.items() if course.startswith(then)}
                for start, heard in hands.items()
                if each is not view or start == seen.start
            )
            # Of an earlier game the hand is not known: no two have so much in common.
            none: dict[bytes, Any] = {}
            found = max(fitting, key=lambda heard: max(map(len, heard), default=0), default=none)
            for then, given in found.items():
                knows.hear(len(then) // each.states[0].log.itemsize - 1, given)
            turns = seen_game(each)
            knows.turn_up(
                {
                    place: turn.true
                    for place, turn in enumerate(turns.turns[: turns.since])
                    if turn.true is not None
                }
            )
        return knows


class KindAcquaintance:
    """One player's knowledge of another's kind in a match, from claims turned up.

    Args:
        kinds: The kinds that there are.
        trust: Exponent of how likely what is turned up was: players of a kind differ, and what one
            of them does tells much the same again and again.
    """

    def __init__(self, kinds: Kinds, trust: float = 1.0) -> None:
        self.known = KindWeights.nothing(kinds)
        self.trust = trust
        self._hidden: dict[int, Floats] = {}

    def begin(self) -> None:
        """A game begins: what was left over of the one before is never seen."""
        self._hidden.clear()

    def hear(self, claim: int, chances: Floats) -> float:
        """The probability that a claim is true, by all that is known of its player by now.

        Args:
            claim: A number of its own, by which it is turned up later.
            chances: The probability that it is true, for each kind of player.
        """
        self._hidden[claim] = chances
        return self.known.expected(chances)

    def turn_up(self, claims: Mapping[int, bool]) -> None:
        """Claims are turned up, each with whether it was true."""
        for claim, true in claims.items():
            chances = self._hidden.pop(claim, None)
            if chances is not None:
                likely = chances if true else 1.0 - chances
                self.known = self.known.after(likely**self.trust)


class KindsTruth(AcquaintedTruth):
    """P(the last claim is true), by a predictor for each kind of player.

    Of which kind the opponent is, is found out from the claims that were turned up in the match. A
    claim that was not turned up says nothing of it: whether it is true is what is open.

    Args:
        predictors: For each kind its predictor of truth; for
            `kinds.NONE` that of players who do anything. The first is also what a search imagines.
        kinds: How common the kinds are; by default all but that one are equally common.
        trust: As for a `KindAcquaintance`.
    """

    def __init__(
        self,
        predictors: Mapping[str, Predictor],
        kinds: Kinds | None = None,
        *,
        trust: float = TRUST,
    ) -> None:
        super().__init__(next(iter(predictors.values())))
        self.trust = trust
        self.predictors = dict(predictors)
        self.kinds = kinds or Kinds([name for name in predictors if name != OTHERS])

    def kinds_of(self, view: View, seen: SeenPlay) -> dict[str, float]:
        """The probability of each kind of opponent, to the player who may call their claim."""
        found: KindAcquaintance = self.learned(view, seen)
        return found.known.marginal()

    def _given(self, view: View, seen: SeenPlay) -> Floats:
        said = {
            name: np.float64(PredictedTruth(each)(view, seen))
            for name, each in self.predictors.items()
        }
        random = said.pop(OTHERS)
        return self.kinds.chances(said, at_random=random)

    def _unknown(self) -> KindAcquaintance:
        return KindAcquaintance(self.kinds, self.trust)


def shipped_kinds() -> dict[str, Predictor]:
    """The predictors of truth of the kinds of players that come with the package."""
    return {LEARNED: known_predictor(USUAL, TRUTH)} | {
        name: known_predictor(str(resource("cheat", file)), TRUTH)
        for name, file in KIND_FILES.items()
    }


def _course(view: View) -> bytes:
    """All that was done in a game in the sight of everybody."""
    state: Any = view.states[0]
    return bytes(state.log[: int(state.turn)].tobytes())


class HintedTruth:
    """P(the last claim is true), by a hint that is right so often.

    Args:
        right: From 0.5 to 1.
    """

    def __init__(self, right: float) -> None:
        self.right = right

    def __call__(self, view: View, seen: SeenPlay) -> float | None:
        """The probability from the hint; None where there is none."""
        if seen.told.hint is None:
            return None
        return self.right if seen.told.hint else 1.0 - self.right


def judge(
    predictor: str, right: float | None = None, *, known: bool = False
) -> PredictedTruth | HintedTruth | float | None:
    """The judge of claims.

    Args:
        predictor: ``"usual"`` for the one of the package, ``"even"`` for one half always,
            ``"hint"`` for what a noisy oracle says, ``"none"`` for counting alone, ``"kinds"`` for
            the predictors of several kinds of players, or a file.
        right: How often the oracle is right.
        known: Whether the predictor is moved by what was turned up of the opponent in the match.

    Raises:
        SettingsError: ``right`` or ``known`` makes no sense.
        RecordError: The file is no predictor of the truth of claims.
    """
    if right is not None and not (is_number(right) and 0.5 <= right <= 1):
        raise SettingsError("right must be a number from 0.5 to 1", value=right)
    if known and predictor in (HINT, EVEN, NONE, KINDS):
        raise SettingsError(
            "only what a predictor says can be moved by what is known of a player",
            where="known",
            value=predictor,
            hint="write predictor=usual, or a file, or leave known out",
        )
    if predictor == HINT:
        if right is None:
            raise SettingsError("say how often a hint is right", hint="write right=0.85")
        return HintedTruth(right)
    if predictor == EVEN:
        return 0.5
    if predictor == NONE:
        return None
    if predictor == KINDS:
        return KindsTruth(shipped_kinds())
    return (AcquaintedTruth if known else PredictedTruth)(known_predictor(predictor, TRUTH))


_predictors: Final = MadeOfFiles[Predictor]()


def known_predictor(name: str, of: str) -> Predictor:
    """A predictor of Cheat; the same one as long as its file is the same.

    Args:
        name: Of its file, or ``"usual"``.
        of: ``"truth"`` or ``"calls"``: what it has to predict.

    Raises:
        RecordError: It is damaged, or is not of that.

    >>> from sleuth.games.cheat import TRUTH, USUAL, known_predictor
    >>> known_predictor(USUAL, of=TRUTH).card["kind"]
    'boosted'
    """
    path = Path(str(resource("cheat", of))) if name == USUAL else Path(name)

    def read() -> Predictor:
        found = load_predictor(path, game="cheat", features=NAMES)
        if found.card["predicts"] != PREDICTS[of]:
            raise RecordError(
                f"a predictor is needed of whether {PREDICTS[of]}",
                where=name,
                value=found.card["predicts"],
                hint="train one: sleuth train cheat --predict " + WORDS[of],
            )
        return found

    return _predictors.get(paths(path), read, of)


@kernel
def judged(states: Any, before: Any, seconds: float, tables: Any, predictor: Any) -> float:
    """A predictor's probability that the last claim is true, to the player who may call it.

    Args:
        states: Their view, in an array of one.
        before: int32[2, COUNTS], of earlier games of the match.
        seconds: How long the claimant took, or not a number.
        tables: The game's.
        predictor: The predictor's.
    """
    row = np.empty(COUNT)
    counts = np.zeros((2, before.shape[1]), dtype=np.int32)
    feature_row(states[0], before, seconds, tables, counts, row)
    return probability(row, predictor)
