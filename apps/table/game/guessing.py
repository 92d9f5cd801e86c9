"""Guesses: what a person holds to be likely, compared with all that could be known.

The score is the logarithmic one (Good 1952): the bits by which somebody with these probabilities is
surprised, on average over what can be known. Nobody can do better than the exact posterior, whose
own surprise is its entropy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, cast

from ....beliefs.infer import infer
from ....beliefs.language.deal_features import Count
from ....beliefs.language.features import Feature, TupleOf
from ....beliefs.posterior import Posterior
from ....data.errors import SettingsError, SleuthError
from ....models.game import SPECTATOR
from ....models.play import Play, SeenPlay, View
from ...kit.display import MOST_HIDDEN, Display
from ...kit.truth import TrueState

#: Of what is said, the share that is spread over all values: a slip costs much and not everything.
SPREAD: Final = 0.01
#: Subjects whose values are remembered.
READY: Final = 64
#: Most values of which each is asked for.
MOST_EACH: Final = 12
#: Most values that can be chosen from.
MOST_VALUES: Final = 2_000


@dataclass(frozen=True)
class GuessScore:
    """A guess beside what could be known.

    Attributes:
        bits: The bits by which who said this is surprised, on average over what can be known.
        exact: The same for the exact posterior: its entropy.
        rows: Of every value that was named what it is called, what was said, and how likely it was.
        rest: What was said of each other value.
    """

    bits: float
    exact: float
    rows: tuple[tuple[str, float, float], ...]
    rest: float


def subjects(display: Display, view: View) -> Mapping[str, Feature]:
    """Features to ask a person about, by name, the main ones first: from their view alone."""
    if view.over or view.viewer < 0:
        return {}
    found = {
        name: feature
        for name, feature in display.guesses(view).items()
        if len(values_of(feature)) > 1
    }
    return dict(list(found.items())[:MOST_HIDDEN])


def values_of(feature: Feature) -> tuple[Any, ...]:
    """The values that something hidden can have at all; none where they are too many to say."""
    try:
        found = feature.values if feature.value_count <= MOST_VALUES else ()
    except SleuthError:
        return ()
    return tuple(cast("tuple[Any, ...]", found))


def dealt_values(display: Display, view: View, seen: SeenPlay, about: str) -> tuple[Any, ...]:
    """The values of a subject that can be dealt.

    Counts that are asked for together cannot be more than a hand holds. Nothing that could be dealt
    at first is left out for what the viewer has seen: that would tell what they are asked.
    """
    feature = subjects(display, view)[about]
    known = display.game_belief()
    if known is None or not _is_of_counts(feature):
        return values_of(feature)
    now = _dealt(known.infer(view, seen), feature)
    return tuple(dict.fromkeys([*_dealt_at_first(display, about), *now]))


@lru_cache(READY)
def _dealt_at_first(display: Display, about: str) -> tuple[Any, ...]:
    """The values that somebody who only looks on holds to be possible before the first move."""
    known = display.game_belief()
    play = Play.new(display.game, seed=0)
    view = play.view(SPECTATOR)
    feature = None if known is None else known.hidden(view).get(about)
    if known is None or feature is None or not _is_of_counts(feature):
        return ()
    return _dealt(known.infer(view, play.seen_by(SPECTATOR)), feature)


def _is_of_counts(feature: Feature) -> bool:
    if not isinstance(feature, TupleOf) or feature.late:
        return False
    return all(isinstance(each, Count) for each in feature.parts)


def _dealt(posterior: Posterior, feature: Feature) -> tuple[Any, ...]:
    """The values that a posterior's model allows, whatever was observed."""
    allowed = infer(posterior.model).marginal(feature)
    return tuple(value for value in values_of(feature) if value in allowed)


def spread(shares: Mapping[int, float], count: int, *, each: bool) -> list[float]:
    """Probabilities of all values from what was said.

    Args:
        shares: What was said, 0 or more, by the places of the values.
        count: How many values there are.
        each: Whether all values were asked for; else what is left to 1 is spread over the others.

    Raises:
        SettingsError: Nothing was said of any value.
    """
    total = sum(shares.values())
    if not total > 0.0:
        raise SettingsError("say of one at least that it is likely")
    said = [0.0] * count
    others = count - len(shares)
    left = 0.0 if each else max(0.0, 1.0 - total)
    whole = total + (left if others else 0.0)
    for place in range(count):
        share = shares[place] if place in shares else left / others if others else 0.0
        said[place] = (1.0 - SPREAD) * share / whole + SPREAD / count
    return said


def score(
    display: Display, view: View, seen: SeenPlay, about: str, shares: tuple[tuple[int, float], ...]
) -> GuessScore:
    """A guess beside the exact posterior.

    Args:
        display: The game's words.
        view: What the person knows.
        seen: All that they have seen.
        about: What they guess; see `subjects`.
        shares: The places of the values that they named, and how likely they hold each to be.

    Raises:
        SettingsError: Nothing of this name is hidden from them.
    """
    known = display.game_belief()
    feature = subjects(display, view).get(about)
    if known is None or feature is None:
        raise SettingsError("nothing of this name is hidden from you", value=about)
    exact: Mapping[Any, float] = known.infer(view, seen).marginal(feature)
    values = dealt_values(display, view, seen, about)
    said = spread(dict(shares), len(values), each=len(shares) == len(values))
    likely = [exact.get(value, 0.0) for value in values]
    bits = -sum(p * math.log2(q) for p, q in zip(likely, said, strict=True) if p > 0.0)
    entropy = -sum(p * math.log2(p) for p in likely if p > 0.0)
    named = {place for place, _ in shares}
    rest = next((q for place, q in enumerate(said) if place not in named), 0.0)
    rows = tuple(
        (display.value_name(feature, values[place]), said[place], likely[place])
        for place in sorted(named)
    )
    return GuessScore(bits, abs(entropy), rows, rest)


def true_value(display: Display, play: Play, viewer: int, about: str) -> str | None:
    """The name of the value that something hidden from a viewer has in truth.

    Returns:
        None where it cannot be told; see `TrueState`.
    """
    view, seen = play.view(viewer), play.seen_by(viewer)
    known = display.game_belief()
    feature = subjects(display, view).get(about)
    if known is None or feature is None:
        return None
    place = TrueState(known, known.infer(view, seen), view, play.truth()).place(feature)
    return None if place is None else display.value_name(feature, feature.values[place])
