"""Judges of a claim of Cheat for many for a player who may call it: predictors, by name or file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .....data.disk.contents import MadeOfFiles
from .....data.errors import RecordError
from .....data.files import resource
from .....models.cheat.for_many.state import CALL, NOBODY, PASS, PUBLIC_ACTIONS
from .....models.game import SPECTATOR
from .....models.play import SeenPlay, View
from ....predictors.predictor import Predictor, load_predictor, paths
from ..judges import CALLS, EVEN, NONE, PREDICTS, TRUTH, USUAL, WORDS
from .features import NAMES, ManyChallenge, counted, many_features

#: Files of the predictors that come with the package, in its folder of Cheat.
FILES: Final = {TRUTH: "for_many_truth", CALLS: "for_many_calls"}


class ManyTruth:
    """P(the last claim is true), by a predictor of truth; None to who cannot call it.

    Args:
        predictor: Trained on claims of Cheat for many.

    >>> import sleuth
    >>> from sleuth.games.cheat import ManyCheatBelief, ManyTruth, rows_of_many, simulate_many
    >>> rows = rows_of_many(simulate_many(8, seed=1, games=1))
    >>> found = sleuth.train(rows, models=["logistic"], protocols=["later"], seed=1)
    >>> belief = ManyCheatBelief(ManyTruth(found.required_predictor))
    >>> play = sleuth.Play.new("cheat_for_many", seed=3)
    >>> play.apply(play.legal()[0])  # one ace, it is said
    >>> view, seen = play.view(1), play.seen_by(1)
    >>> true = belief.hidden(view)["claim 1 is true"].equals(True)
    >>> said = belief.truth(view, seen), belief.infer(view, seen).probability(true)
    >>> abs(said[0] - said[1]) < 1e-6
    True
    """

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    def __call__(self, view: View, seen: SeenPlay) -> float | None:
        """The probability that the last claim is true, by all that the viewer knows."""
        state = view.states[0]
        if view.over or view.viewer in (SPECTATOR, int(state.claimant)):
            return None
        if int(state.claimant) == NOBODY:
            return None
        before = counted(seen.told.earlier, view.viewer)
        challenge = ManyChallenge(view, before, claim_seconds(seen))
        return float(self.predictor(many_features(challenge)[None])[0])


def claim_seconds(seen: SeenPlay) -> float | None:
    """The seconds that the last claim took, if they are known."""
    for event, took in zip(reversed(seen.events), reversed(seen.told.seconds), strict=False):
        if event.event.observation % PUBLIC_ACTIONS not in (CALL, PASS):
            return took
    return None


_predictors: Final = MadeOfFiles[Predictor]()


def known_predictor(name: str, of: str = TRUTH) -> Predictor:
    """A predictor of the package, or from a file; the same one as long as the file is the same.

    Args:
        name: ``"usual"``, or a file.
        of: ``"truth"`` or ``"calls"``.

    Raises:
        RecordError: It cannot be read, is damaged, or predicts something else.
    """
    path = Path(str(resource("cheat", FILES[of]))) if name == USUAL else Path(name)

    def read() -> Predictor:
        found = load_predictor(path, game="cheat_for_many", features=NAMES)
        if found.card["predicts"] != PREDICTS[of]:
            raise RecordError(
                f"a predictor is needed of whether {PREDICTS[of]}",
                where=name,
                value=found.card["predicts"],
                hint="train one: sleuth train cheat-for-many --predict " + WORDS[of],
            )
        return found

    return _predictors.get(paths(path), read, of)


def truth_named(name: str | None) -> ManyTruth | float | None:
    """The judge of claims by name: a predictor, one chance for all, or nothing.

    Args:
        name: ``"usual"`` or a file; ``"even"`` for one half; None or ``"none"`` for nothing.

    Raises:
        RecordError: The file is no such predictor.
    """
    if name in (None, NONE):
        return None
    return 0.5 if name == EVEN else ManyTruth(known_predictor(name))
