"""The forms in which somebody sets up a table of Saboteur by touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....models.saboteur.state import MOST_PLAYERS
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
from .table import hand_size, settings_game
from .touching import cards

#: What is set up, in words.
NAMES: Final = {
    "players": "Players", "me": "You", "rules": "Rules", "role": "Your role", "hand": "Your cards"
}  # fmt: skip
#: How often one kind of card can be picked.
MOST_ALIKE: Final = 3


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
    if key in ("me", "role"):
        words = settings["players"] if key == "me" else ("miner", "saboteur")
        title = "Which of them are you?" if key == "me" else "What are you?"
        choices = tuple(Touch(each, f"set {key} {each}", pressed=each == now) for each in words)
        return [Touches(title, choices)]
    if key == "rules":
        return _rules(now or {})
    return _hand(settings, prompt, picked)


def summary(key: str, settings: Settings) -> str:
    """Something that was set up, in a few words; see `Adviser.summary`."""
    said = setting_words(settings[key])
    return f"{NAMES[key]}: {'as in the box' if key == 'rules' and said == 'none' else said}"


def _players(now: Sequence[str]) -> Statements:
    names = [*now, *[""] * MOST_PLAYERS][:MOST_PLAYERS]
    blanks = tuple(
        FormField(str(place), f"Player {place}" + ("" if place <= 3 else ", if there is one"), name)
        for place, name in enumerate(names, 1)
    )
    said = Paragraph("Who plays, in turn order? The first begins.", "soft")
    return [said, BlankForm("set players", blanks, "Go on")]


def _rules(now: Any) -> Statements:
    chosen = setting_words(now)
    usual = {
        "none": "One round", "rounds=3 pay=gold": "Three rounds with gold",
        "rules=paper": "The simplified rules of 'Saboteurs' (2012)",
    }  # fmt: skip
    choices = tuple(
        Touch(words, f"set rules {line}", pressed=line == chosen) for line, words in usual.items()
    )
    field = FormField("rules", "or settings that differ", "" if chosen == "none" else chosen)
    return [Touches("What do you play?", choices, "list"),
            BlankForm("set rules", (field,), "Go on")]  # fmt: skip


def _hand(settings: Settings, prompt: str, picked: Sequence[str]) -> Statements:
    game, count = settings_game(settings), hand_size(settings)
    counts: list[int] = game.tables.rules[0].counts.tolist()
    choices: list[Touch] = []
    kinds = [kind for kind, left in enumerate(counts) if left]
    for kind, touch in zip(kinds, cards(counts, game.settings["tools"], "pick", None), strict=True):
        for again in range(1, min(counts[kind], MOST_ALIKE) + 1):
            name = touch.line.partition(" ")[2]
            word = name if again == 1 else f"{name} {again}"
            before = name if again <= 2 else f"{name} {again - 1}"
            if again > 1 and before not in picked:
                break
            words = touch.text if again == 1 else f"{touch.text}, again"
            choices.append(Touch(words, f"pick {word}", pressed=word in picked))
    said = Paragraph(
        f"Touch {prompt.partition(',')[0]}: {len(picked)} of {count} are marked.", "soft"
    )
    line = f"set hand {', '.join(picked)}"
    done = Touch(f"These {counted(count, 'card')}", line, "strong", enabled=len(picked) == count)
    parts: list[Statement] = [said, Touches("", tuple(choices), "grid", "cards")]
    return [*parts, Touches("", (done,), "row")]
