"""A learned model of Mr. X's moves: how likely each action is, given what they see.

A conditional logit (McFadden, 1974): the chance of an action is the softmax of weights times
features over all actions the hider has. Features use what everybody knows and one hypothetical
station, so the model says how likely a move was from every station where the hider may have been.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Final, cast

import numpy as np

from ....data.checks import is_number
from ....data.errors import RecordError, SettingsError
from ....data.files import resource
from ....models.game import States
from ....models.records.reading import parse_json, read_bytes
from ....models.scotland_yard.advice.learned_file import read_learned
from ...arrays.problem import Floats
from ...predictors.predictor import Predictor
from .features import COUNT, FEATURES, all_chances

FORMAT: Final = "sleuth moves of Mr X"
FORMAT_VERSION: Final = 1


@dataclass(frozen=True)
class MoveModel:
    """The probabilities of Mr. X's actions.

    Attributes:
        weights: One for each of `FEATURES`.
        even: How much of the chance all their actions have alike, from 0 to 1: nobody plays as
            others did before them all the time.
        trust: Factor on the weights, from 0 (all actions equally likely) to 1.
        card: What it was fitted to, and how well it did.

    >>> from sleuth import Play
    >>> from sleuth.games.scotland_yard import MoveModel, shipped_moves
    >>> model, play = shipped_moves(), Play.new("scotland_yard", seed=1)
    >>> chances = model.chances(play.view(-1).states, play.game.tables)
    >>> even = model.trusted(0.0).chances(play.view(-1).states, play.game.tables)
    >>> (chances.max() > even.max()).item()
    True
    >>> MoveModel.from_json(model.to_json()) == model
    True
    """

    weights: tuple[float, ...]
    even: float = 0.02
    trust: float = 1.0
    card: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)

    def __post_init__(self) -> None:
        if len(self.weights) != COUNT or not all(
            is_number(weight) and np.isfinite(weight) for weight in self.weights
        ):
            raise SettingsError(
                "a move model has one finite weight for each feature",
                value=len(self.weights),
                hint=f"there are {COUNT}",
            )
        check_trust(self.even, "even")
        check_trust(self.trust)

    def trusted(self, trust: float) -> MoveModel:
        """The same model with another trust."""
        return replace(self, trust=trust)

    def chances(self, states: States, tables: Any) -> Floats:
        """P(action | station) of all their actions at the hider's turn; see `all_chances`.

        Args:
            states: What everybody knows, in an array of one.
            tables: Map and rules.
        """
        chances: Floats = np.zeros(2 * int(tables.board[0].moves))
        scratch = states.copy()
        all_chances(states[0], scratch[0], tables, self._trusted, float(self.even), chances)
        return chances

    @cached_property
    def _trusted(self) -> Floats:
        return self.trust * np.array(self.weights, dtype=np.float64)

    # -- files

    @staticmethod
    def of(predictor: Predictor) -> MoveModel:
        """The model in a predictor that ``sleuth train scotland-yard`` wrote.

        Raises:
            SettingsError: It predicts something else.

        >>> from types import SimpleNamespace
        >>> import numpy as np
        >>> from sleuth.games.scotland_yard import MoveModel, shipped_moves
        >>> from sleuth.predictors import Predictor
        >>> names = [*shipped_moves().to_json()["weights"]]
        >>> card = {"game": "scotland_yard", "kind": "choice", "features": names}
        >>> tables = SimpleNamespace(weights=np.zeros(len(names)))  # in place of learned ones
        >>> MoveModel.of(Predictor(card, tables)).weights[:3]
        (0.0, 0.0, 0.0)
        """
        card = predictor.card
        if card["kind"] != "choice" or card["game"] != "scotland_yard":
            raise SettingsError("this predictor is none of Mr. X's moves", value=card["predicts"])
        if predictor.features != FEATURES:
            raise SettingsError("the weights are of other features", hint="train the model again")
        return MoveModel(tuple(predictor.tables.weights.tolist()), card.get("even", 0.0), card=card)

    def to_json(self) -> dict[str, Any]:
        """As plain values; trust is among them unless it is 1."""
        less = {} if self.trust == 1 else {"trust": self.trust}
        return {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "card": dict(self.card),
            "even": self.even,
            **less,
            "weights": dict(zip(FEATURES, self.weights, strict=True)),
        }

    @staticmethod
    def from_json(value: object) -> MoveModel:
        """The model that `to_json` wrote.

        Raises:
            RecordError: Something is missing or damaged; with its place.
        """
        fields, card, given = read_learned(value, FORMAT, FORMAT_VERSION, "weights")
        if tuple(given) != FEATURES:
            raise RecordError(
                "the weights are of other features",
                where="field 'weights'",
                value=[name for name in given if name not in FEATURES],
                hint="train the model again",
            )
        try:
            even, trust = fields.get("even", -1), fields.get("trust", 1.0)
            return MoveModel(tuple(given.values()), even, trust, card)
        except SettingsError as error:
            raise RecordError(error.message, where="the file", value=error.value) from None


def check_trust(value: object, name: str = "trust") -> None:
    """Refuse what is no number from 0 to 1.

    Raises:
        SettingsError: The value is no number from 0 to 1.
    """
    if not (is_number(value) and 0 <= cast(float, value) <= 1):
        raise SettingsError(f"{name} is a number from 0 to 1", where="belief", value=value)


@lru_cache(maxsize=1)
def shipped_moves() -> MoveModel:
    """The model that comes with the package; its card says how it was made.

    >>> from sleuth.games.scotland_yard import shipped_moves
    >>> model = shipped_moves()
    >>> len(model.weights), model.card["game"]
    (41, 'scotland_yard')
    """
    path = resource("scotland_yard", "moves.json")
    return MoveModel.from_json(parse_json(read_bytes(path)))


@lru_cache(maxsize=1)
def shipped_kinds() -> dict[str, MoveModel]:
    """The models of other kinds of hiders that come with the package, by their names."""
    found = parse_json(read_bytes(resource("scotland_yard", "kinds.json")))
    assert isinstance(found, dict), "a model for each kind"
    return {str(name): MoveModel.from_json(each) for name, each in found.items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
