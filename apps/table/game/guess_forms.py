"""Forms in which a person says what they hold to be likely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ....beliefs.language.features import Feature
from ....data.errors import SettingsError
from ...kit.answers.values import BlankForm, FormField, Paragraph, Statement
from ...kit.display import Display
from . import texts
from .guessing import MOST_EACH

VALUE: Final = "value "
SHARE: Final = "share "
#: Steps of a slider.
WHOLE: Final = 100


def form(line: str, values: Sequence[Any], display: Display, feature: Feature) -> list[Statement]:
    """The blanks to be filled in: each value where they are few, else the likeliest."""
    names = _names(values, display, feature)
    if len(values) <= MOST_EACH:
        equal = str(round(WHOLE / len(values)))
        blanks = tuple(
            FormField(f"{SHARE}{place}", name, equal, "range", (), 0, WHOLE, 1)
            for place, name in enumerate(names)
        )
        return [Paragraph(texts.GUESS_EACH, "soft"), BlankForm(line, blanks, texts.SAY)]
    fields: list[FormField] = []
    for number, label in enumerate(texts.LIKELIEST):
        fields.append(FormField(f"{VALUE}{number}", label, "", "choice", ("", *names)))
        fields.append(
            FormField(f"{SHARE}{number}", texts.ITS_CHANCE, "0", "range", (), 0, WHOLE, 1)
        )
    return [Paragraph(texts.GUESS_FEW, "soft"), BlankForm(line, tuple(fields), texts.SAY)]


def said_shares(
    values: Sequence[Any], blanks: Mapping[str, str], display: Display, feature: Feature
) -> list[list[float]]:
    """The places of the values that were named, and how likely they were held to be.

    Raises:
        SettingsError: Nothing was said, or it cannot be so.
    """
    found: dict[int, float] = {}
    if len(values) <= MOST_EACH:
        found = {place: _share(blanks, place) for place in range(len(values))}
    else:
        names = _names(values, display, feature)
        for number in range(len(texts.LIKELIEST)):
            name = blanks.get(f"{VALUE}{number}", "")
            if not name:
                continue
            if name not in names:
                raise SettingsError("this is none of the values", value=name)
            place = names.index(name)
            found[place] = found.get(place, 0.0) + _share(blanks, number)
    if not sum(found.values()) > 0.0:
        raise SettingsError("say of one at least that it is likely")
    return [[place, share] for place, share in found.items()]


def _share(blanks: Mapping[str, str], number: int) -> float:
    text = blanks.get(f"{SHARE}{number}", "0").strip() or "0"
    if not (text.isascii() and text.isdigit() and int(text[:4]) <= WHOLE):
        raise SettingsError("a chance is a whole number from 0 to 100", value=text)
    return int(text) / WHOLE


def _names(values: Sequence[Any], display: Display, feature: Feature) -> list[str]:
    return [display.value_name(feature, value) for value in values]
