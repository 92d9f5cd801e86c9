"""The forms in which somebody sets up a table of Clue by touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....models.clue.cards import CATEGORIES
from ....models.clue.edition import MOST_PLAYERS
from ....models.clue.simulate import DEALT
from ...kit.advising.entries import Settings
from ...kit.advising.words import setting_words
from ...kit.answers.values import (
    BlankForm,
    FormField,
    Paragraph,
    Statement,
    Statements,
    Touch,
    Touches,
)
from ...kit.number_words import counted
from .touching import card_touch

#: The rules that a table may play by, with the line for each.
RULES: Final = {
    "both": "As the booklet says",
    "again": "You may not suggest where another moved you without rolling",
    "summons": "You may not come back to the room that you left",
    "none": "Neither is allowed",
}

#: What is set up, in words.
NAMES: Final = {
    "players": "Players", "me": "You", "faceup": "Face up", "hand": "Your cards", "dice": "Dice"
}  # fmt: skip


def form(
    key: str, settings: Settings, picked: Sequence[str], wanted: tuple[str, Any]
) -> Statements:
    """The form for something that is set up; see `Adviser.form`.

    Args:
        key: What.
        settings: What was set up before.
        picked: Words that are picked now.
        wanted: See `Adviser.wanted`.
    """
    prompt, usual = wanted
    now = settings.get(key, usual)
    if key == "players":
        return _players(now or [])
    if key == "me":
        players = {each: each for each in settings["players"]}
        return [_choices("Which of them are you?", key, players, now)]
    if key == "sizes":
        return _sizes(settings["players"], usual, now)
    if key == "dice":
        return [_choices("Dice on the board", key, {"1": "1", "2": "2"}, str(now))]
    if key == "rules":
        return [_choices("Rules of your table", key, RULES, _rules_line(now), shape="list")]
    count = DEALT - sum(settings["sizes"])
    if key == "hand":
        count = settings["sizes"][settings["players"].index(settings["me"])]
    return _cards(key, prompt, count, picked)


def summary(key: str, settings: Settings) -> str:
    """Something that was set up, in a few words; see `Adviser.summary`."""
    value = settings[key]
    if key == "rules":
        return f"House rules: {RULES[_rules_line(value)].lower()}"
    if key == "sizes":
        pairs = zip(settings["players"], value, strict=False)
        return f"Cards: {', '.join(f'{name} {size}' for name, size in pairs)}"
    return f"{NAMES[key]}: {setting_words(value)}"


def _rules_line(rules: Sequence[str]) -> str:
    return "both" if len(rules) > 1 else rules[0] if rules else "none"


def _players(now: Sequence[str]) -> Statements:
    names = [*now, *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    blanks = [
        FormField(str(place), f"Player {place}" + ("" if place < 3 else ", if there is one"), name)
        for place, name in enumerate(names, 1)
    ]
    said = Paragraph("Who plays, in turn order?", "soft")
    return [said, BlankForm("set players", tuple(blanks), "Go on")]


def _sizes(players: Sequence[str], usual: Sequence[int], now: Sequence[int]) -> Statements:
    blanks = tuple(
        FormField(str(place), name, str(size), "number", least=0, most=DEALT, step=1)
        for place, (name, size) in enumerate(zip(players, now, strict=False), 1)
    )
    said = Paragraph("How many cards has everybody?", "soft")
    words = " ".join(map(str, usual))
    as_usual = Touches("", (Touch(f"As usual: {words}", f"set sizes {words}"),))
    return [said, as_usual, BlankForm("set sizes", blanks, "Go on")]


def _cards(key: str, prompt: str, count: int, picked: Sequence[str]) -> Statements:
    parts: list[Statement] = [
        Paragraph(f"Touch {prompt}: {len(picked)} of {count} are marked.", "soft")
    ]
    for category, cards in CATEGORIES.items():
        choices = tuple(card_touch(each, f"pick {each}", pressed=each in picked) for each in cards)
        parts.append(Touches("", choices, "grid", category))
    line = f"set {key} {', '.join(picked)}"
    done = Touch(f"These {counted(count, 'card')}", line, "strong", enabled=len(picked) == count)
    return [*parts, Touches("", (done,), "row")]


def _choices(title: str, key: str, words: dict[str, str], now: Any, shape: Any = "flow") -> Touches:
    choices = (
        Touch(says, f"set {key} {word}", pressed=word == now) for word, says in words.items()
    )
    return Touches(title, tuple(choices), shape)
