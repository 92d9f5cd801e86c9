"""The forms in which somebody sets up a table of Clue by touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....models.clue.edition import MOST_PLAYERS, ClueEdition
from ....models.clue.editions import CLASSIC, edition_names, shipped_edition
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
from ..words import RULES_SAID, rules_said
from .editions import WRITTEN, edition_of
from .table import HOUSE, house_rules
from .table import RULES as BOOKLET
from .touching import card_touch

#: The rules that a table may play by, with the line for each.
RULES: Final = {
    "both": "As the booklet says",
    "again": "You may not suggest where another moved you without rolling",
    "summons": "You may not come back to the room that you left",
    "none": "Neither is allowed",
}

#: Players of the classic edition for whom there are blanks.
BLANKS: Final = 6

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
    now, edition = settings.get(key, usual), edition_of(settings)
    if key == "edition":
        return _edition(now)
    if key == "players":
        return _players(now or [], edition)
    if key == "me":
        players = {each: each for each in settings["players"]}
        return [_choices("Which of them are you?", key, players, now)]
    if key == "sizes":
        return _sizes(settings["players"], usual, now, edition.dealt)
    if key == "dice":
        return [_choices("Dice on the board", key, {"1": "1", "2": "2"}, str(now))]
    if key == "rules":
        return _rules(now)
    if key == "hand":
        count = settings["sizes"][settings["players"].index(settings["me"])]
        return _cards(key, prompt, count, picked, edition)
    down = Touch("They lie face down", f"set {key} down")
    count = edition.dealt - sum(settings["sizes"])
    up = f"the {counted(count, 'card')} face up"
    return [*_cards(key, up, count, picked, edition), Touches("", (down,), "row")]


def summary(key: str, settings: Settings) -> str:
    """Something that was set up, in a few words; see `Adviser.summary`."""
    value = settings[key]
    if key == "edition":
        edition = edition_of(settings)
        own = "" if isinstance(value, str) else f" ({counts(edition)})"
        return f"Edition: {edition.title}{own}"
    if key == "rules":
        said = [RULES[_rules_line(value)].lower(), *rules_said(house_rules(settings))]
        return f"House rules: {'; '.join(said)}"
    if key == "sizes":
        pairs = zip(settings["players"], value, strict=False)
        said = (f"{name} {'?' if size is None else size}" for name, size in pairs)
        return f"Cards: {', '.join(said)}"
    return f"{NAMES[key]}: {setting_words(value)}"


def _rules_line(rules: Sequence[str]) -> str:
    booklet = [rule for rule in rules if rule in BOOKLET]
    return "both" if len(booklet) > 1 else booklet[0] if booklet else "none"


def _rules(now: Sequence[str]) -> Statements:
    """The rules of the booklet, one of them; then house rules, each by itself."""
    house = [word for word in now if word in HOUSE]
    booklet = tuple(
        Touch(says, f"set rules {' '.join([word, *house])}", pressed=word == _rules_line(now))
        for word, says in RULES.items()
    )
    others: list[Touch] = []
    for word, rule in HOUSE.items():
        # A field of a record has one word: to choose one takes the other away.
        kept = [each for each in house if each != word and HOUSE[each][0] != rule[0]]
        chosen = kept if word in house else [*kept, word]
        says = RULES_SAID[rule]
        line = " ".join([_rules_line(now), *chosen])
        others.append(
            Touch(says[:1].upper() + says[1:], f"set rules {line}", pressed=word in house)
        )
    return [
        Touches("Rules of your table", booklet, "list"),
        Touches("House rules", tuple(others), "list"),
    ]


def _edition(now: Any) -> Statements:
    choices = tuple(
        Touch(
            shipped_edition(name).title, f"set edition {name}", pressed=name == now,
            note=counts(shipped_edition(name)),
        )
        for name in edition_names()
    )  # fmt: skip
    own = FormField("line", "Another: the text of its file, or its cards", "")
    said = Paragraph(f"Cards are written as in '{WRITTEN}'.", "soft")
    return [
        Touches("Which box is on your table?", choices, "list"),
        BlankForm("set edition", (own,), "Go on"),
        said,
    ]


def counts(edition: ClueEdition) -> str:
    """The numbers of cards of an edition, in words."""
    return ", ".join(f"{len(cards)} {category}s" for category, cards in edition.categories.items())


def _players(now: Sequence[str], edition: ClueEdition) -> Statements:
    most = max(BLANKS if edition == CLASSIC else edition.players[1], len(now))
    names = [*now, *[""] * most][:most]
    blanks = [
        FormField(str(place), f"Player {place}" + ("" if place < 3 else ", if there is one"), name)
        for place, name in enumerate(names, 1)
    ]
    if most < MOST_PLAYERS:
        blanks.append(FormField(str(most + 1), "More, if there are any, with commas"))
    said = Paragraph("Who plays, in turn order?", "soft")
    box = Touches(f"The box: {edition.title}", (Touch("Another box", "setup edition"),))
    return [said, BlankForm("set players", tuple(blanks), "Go on"), box]


def _sizes(
    players: Sequence[str], usual: Sequence[int], now: Sequence[int | None], dealt: int
) -> Statements:
    blanks = tuple(
        FormField(
            str(place),
            name,
            "" if size is None else str(size),
            "number",
            least=0,
            most=dealt,
            step=1,
        )
        for place, (name, size) in enumerate(zip(players, now, strict=False), 1)
    )
    said = Paragraph("How many cards has everybody?", "soft")
    words = " ".join(map(str, usual))
    as_usual = Touches(
        "",
        (
            Touch(f"As usual: {words}", f"set sizes {words}"),
            Touch("Nobody counted", "set sizes unknown", "soft", pressed=None in now),
        ),
    )
    return [said, as_usual, BlankForm("set sizes", blanks, "Go on")]


def _cards(
    key: str, prompt: str, count: int | None, picked: Sequence[str], edition: ClueEdition
) -> Statements:
    marked = f"{len(picked)}" if count is None else f"{len(picked)} of {count}"
    parts: list[Statement] = [Paragraph(f"Touch {prompt}: {marked} are marked.", "soft")]
    for category, cards in edition.categories.items():
        choices = tuple(card_touch(each, f"pick {each}", pressed=each in picked) for each in cards)
        parts.append(Touches("", choices, "grid", category))
    line = f"set {key} {', '.join(picked)}"
    wanted = len(picked) if count is None else count
    enabled = bool(picked) and len(picked) == wanted
    done = Touch(f"These {counted(wanted, 'card')}", line, "strong", enabled=enabled)
    return [*parts, Touches("", (done,), "row")]


def _choices(title: str, key: str, words: dict[str, str], now: Any, shape: Any = "flow") -> Touches:
    choices = (
        Touch(says, f"set {key} {word}", pressed=word == now) for word, says in words.items()
    )
    return Touches(title, tuple(choices), shape)
