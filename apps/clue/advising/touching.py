"""An entry at a table of Clue as it is touched: whose turn, three cards, who shows, which card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ....data.errors import RecordError
from ....models.clue.cards import CASE_FILE
from ....models.clue.edition import KINDS, ClueEdition
from ....models.clue.events import CASE_FILE_IN_RECORDS, NO_SUGGESTION, NOT_RECORDED
from ....models.clue.hand_sizes import left_over
from ....models.clue.house_rules import HouseRules
from ...kit.advising.drafts import Draft, NextTouches, touched_words, typing
from ...kit.advising.entries import UNSURE, Entry, LineMeaning, Settings
from ...kit.answers.values import Paragraph, Statement, Touch, Touches
from ...kit.number_words import counted
from .editions import edition_of
from .table import house_rules, pending, turn
from .together import DONE, END, OF, JointAnswer, joint_draft, shown_by, toggled

#: The words of touches, each before what is touched, and the fields of a draft.
KIND, BY, CARD, SHOWS, SEES, HOLDER, NOTE = "kind", "by", "card", "shows", "sees", "holder", "note"
NOBODY: Final = "nobody"
#: A card that the person saw and cannot name any more.
FORGOTTEN: Final = "?"
CARDS_WORD: Final = "cards"
#: The kinds of entries, by the words for them.
SUGGESTS, ACCUSES, SKIPS, KNOWN, STANDS, LOOKS, WRITTEN, OTHER = (
    "suggest", "accuse", "skip", "note", "move", "look", "line", "other"
)  # fmt: skip
OTHERS: Final = {
    SKIPS: "Makes no suggestion",
    ACCUSES: "Accuses",
    KNOWN: "Somebody has a card, or has it not",
    STANDS: "Where my pawn stands",
    LOOKS: "Looks at the cards left over",
    WRITTEN: "Write a line",
    SUGGESTS: "Back to a suggestion",
}
VERDICTS: Final = {"right": "Right", "wrong": "Wrong"}
#: Where long words are broken.
HYPHENATED: Final = {
    word.replace("-", ""): word.replace("-", "\N{SOFT HYPHEN}")
    for word in (
        "ball-room", "candle-stick", "choco-late", "conser-vatory", "court-yard", "horse-shoe",
        "obser-vatory", "pluto-nium", "retire-ment", "saxo-phone", "sling-shot",
    )
}  # fmt: skip
NOTES: Final = {"has": "has", "not": "has not"}


@dataclass(frozen=True)
class ClueDraft:
    """An entry that is being made by touches.

    Attributes:
        draft: It.
        settings: What was set up.
        entries: What happened before.
    """

    draft: Draft
    settings: Settings
    entries: Sequence[Entry]

    @cached_property
    def edition(self) -> ClueEdition:
        """The cards of the game."""
        return edition_of(self.settings)

    @cached_property
    def rules(self) -> HouseRules:
        """The house rules."""
        return house_rules(self.settings)

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The kinds of the cards that are named: an accusation names all."""
        return KINDS if self.kind == ACCUSES else KINDS[: self.rules.named]

    @property
    def _asked(self) -> list[str]:
        """The players who are asked, in turn order."""
        wrong = [each for each in self.entries if each["type"] == "accuse" and not each["correct"]]
        out = [each["by"] for each in wrong if not each.get(UNSURE)]
        return [*self.rules.asked(self.settings["players"], self.by, out=out)]

    # -- what was chosen

    @cached_property
    def asked(self) -> Entry | None:
        """A suggestion without an answer, which the draft answers, having no cards of its own."""
        place = pending(self.entries)
        own = self.kind != SUGGESTS or any(kind in self.draft for kind in KINDS)
        return None if place is None or own else self.entries[place - 1]

    @property
    def kind(self) -> str:
        return str(self.draft.get(KIND, SUGGESTS))

    @property
    def by(self) -> str:
        """Whose turn it is."""
        if BY in self.draft:
            return str(self.draft[BY])
        if self.asked is not None:
            return str(self.asked["by"])
        return turn(self.settings, self.entries)

    @cached_property
    def cards(self) -> dict[str, str]:
        """The cards that were chosen, by kind."""
        answered: list[str] = [] if self.asked is None else list(self.asked["cards"])
        found = {kind: str(self.draft[kind]) for kind in KINDS if kind in self.draft}
        return found or {self.edition.category(card): card for card in answered}

    @property
    def triple(self) -> list[str]:
        """Suspect, weapon and room, as far as they were chosen."""
        return [self.cards[kind] for kind in self._kinds if kind in self.cards]

    @cached_property
    def shows(self) -> str:
        """The player who shows a card, or nobody; empty as long as that is open."""
        can = self.can_show
        found = str(self.draft.get(SHOWS, ""))
        if len(self.triple) == len(self._kinds) and len(can) == 1:
            return can[0]
        return found if found in can else ""

    @property
    def can_show(self) -> list[str]:
        """Those who can show a card, in the order in which they are asked, and nobody."""
        me, by = self.settings["me"], self.by
        asked = self._asked
        if me == by or me not in asked or len(self.triple) < len(self._kinds):
            return [*asked, NOBODY]
        if self.held:
            return asked[: asked.index(me) + 1]
        return [*(name for name in asked if name != me), NOBODY]

    @property
    def held(self) -> list[str]:
        """The cards of the three that the person holds."""
        return [card for card in self.triple if card in self.settings["hand"]]

    @property
    def seen(self) -> bool:
        """True if the person sees the card."""
        told = self.rules.open or self.settings["me"] in (self.by, self.shows)
        return self.shows not in ("", NOBODY) and told

    @cached_property
    def sees(self) -> str:
        """The card that is shown; empty as long as that is open, or unseen."""
        if not self.seen:
            return ""
        can, found = self.can_see, str(self.draft.get(SEES, ""))
        if len(can) == 1 and found != FORGOTTEN:
            return can[0]
        return found if found in (*can, FORGOTTEN) else ""

    @property
    def can_see(self) -> list[str]:
        """The cards that can be shown."""
        if self.shows == self.settings["me"]:
            return self.held
        mine = {*self.settings["hand"], *self.settings["faceup"]}
        return [card for card in self.triple if card not in mine]

    @property
    def joint(self) -> JointAnswer:
        """The answer where all show a card who can."""
        me = self.settings["me"]
        return JointAnswer(
            self.draft,
            asked=self._asked,
            cards=self.triple,
            me=me,
            held=self.held,
            known={*self.settings["hand"], *self.settings["faceup"]},
            seen=self._asked if self.rules.open or me == self.by else [me],
            nobody=NOBODY,
            forgotten=FORGOTTEN,
        )

    @property
    def looked_at(self) -> list[str]:
        """The cards left over that the person saw."""
        return [card for card in self.edition.cards if card in self.draft.get(CARDS_WORD, ())]

    @property
    def left(self) -> int:
        """The number of cards that players look at."""
        if self.rules.left_over != "looked at":
            return 0
        return left_over(self.settings["sizes"], self.edition.dealt)

    # -- what it comes to

    @property
    def meaning(self) -> LineMeaning | None:
        """The entry; None as long as something is missing."""
        made = {
            SUGGESTS: self._suggestion,
            ACCUSES: self._accusation,
            SKIPS: lambda: {"type": "move", "by": self.by, "to": NO_SUGGESTION},
            KNOWN: self._note,
            STANDS: self._move,
            LOOKS: self._look,
        }.get(self.kind, lambda: None)()
        if made is None:
            return None
        return LineMeaning(made, None if self.asked is None else pending(self.entries))

    def _suggestion(self) -> Entry | None:
        made = {"type": "suggest", "by": self.by, "cards": self.triple}
        if len(self.triple) < len(self._kinds):
            return None
        if self.rules.everybody_shows:
            found = self.joint.refutations
            if found is None:
                return None
            return made | ({"refuters": found} if found else {"refuter": None, "shown": None})
        if not self.shows or (self.seen and not self.sees):
            return None
        refuter = None if self.shows == NOBODY else self.shows
        shown = None if self.sees in ("", FORGOTTEN) else self.sees
        return made | {"refuter": refuter, "shown": shown}

    def _accusation(self) -> Entry | None:
        if len(self.triple) < len(KINDS) or "verdict" not in self.draft:
            return None
        right = self.draft["verdict"] == "right"
        return {"type": "accuse", "by": self.by, "cards": self.triple, "correct": right}

    def _note(self) -> Entry | None:
        if HOLDER not in self.draft or CARD not in self.draft:
            return None
        kind = "nothas" if self.draft.get(NOTE) == "not" else "has"
        return {"type": kind, "player": self.draft[HOLDER], "card": self.draft[CARD]}

    def _move(self) -> Entry | None:
        if "room" not in self.draft:
            return None
        return {"type": "move", "by": self.settings["me"], "to": self.draft["room"]}

    def _look(self) -> Entry | None:
        made = {"type": "look", "by": self.by}
        if self.by != self.settings["me"]:
            return made
        return made | {"cards": self.looked_at} if len(self.looked_at) == self.left else None

    @property
    def open(self) -> Entry | None:
        """The suggestion as far as it goes, where its answer is missing."""
        if self.kind != SUGGESTS or len(self.triple) < len(self._kinds):
            return None
        made = {"type": "suggest", "by": self.by, "cards": self.triple}
        return made | {"refuter": NOT_RECORDED, "passed": []}

    # -- what comes next

    def next(self) -> NextTouches:
        """The choices that go on with it; see `Adviser.offered`."""
        other = Touch("Other …", f"{KIND} {OTHER}", pressed=self.kind != SUGGESTS)
        if self.kind == WRITTEN:
            return NextTouches((typing(str(self.draft.get("line", ""))), self._others()))
        if self.kind in (SKIPS, OTHER):
            return NextTouches((self._turns(), self._others()), self.meaning)
        parts: list[Statement] = []
        if self.kind == LOOKS:
            parts.append(self._turns())
            if self.by != self.settings["me"]:
                return NextTouches(tuple(parts), self.meaning, (other,))
            said = f"Touch the {counted(self.left, 'card')} that you saw."
            parts.append(Paragraph(said, "soft"))
        elif self.kind == KNOWN:
            parts += [self._holders(), _row(NOTE, NOTES, str(self.draft.get(NOTE, "has")))]
        elif self.kind != STANDS:
            parts.append(self._turns())
        every = self.kind in (KNOWN, LOOKS)
        kinds = ("room",) if self.kind == STANDS else KINDS if every else self._kinds
        parts += [self._cards(kind) for kind in kinds]
        if self.kind == ACCUSES:
            parts.append(_row("verdict", VERDICTS, str(self.draft.get("verdict", ""))))
        elif self.kind == SUGGESTS and self.rules.everybody_shows:
            if len(self.triple) == len(self._kinds):
                parts += self.joint.touches()
        elif self.kind == SUGGESTS:
            parts.append(self._answers())
            if self.seen:
                parts.append(self._shown())
        return NextTouches(tuple(parts), self.meaning, (other,))

    def _turns(self) -> Touches:
        return Touches("", _named(BY, self.settings["players"], self.by), "row", "Whose turn")

    def _holders(self) -> Touches:
        names = {name: name for name in self.settings["players"]} | {
            CASE_FILE_IN_RECORDS: CASE_FILE
        }
        return _row(HOLDER, names, str(self.draft.get(HOLDER, "")))

    def _cards(self, kind: str) -> Touches:
        cards = sorted(self.edition.categories[kind], key=self._placed)
        if self.kind == LOOKS:
            chosen = self.looked_at
        else:
            chosen = [self.draft.get(CARD) if self.kind == KNOWN else self.cards.get(kind)]
        choices = tuple(
            card_touch(card, f"{CARD} {card}", pressed=card in chosen, known=self._placed(card))
            for card in cards
        )
        return Touches("", choices, "grid", kind)

    @cached_property
    def _known(self) -> frozenset[str]:
        """The cards of which the person has seen who has them: they are suggested less often."""
        found = {*self.settings["hand"], *self.settings["faceup"]}
        for entry in self.entries:
            if not entry.get(UNSURE):
                found |= {each.get("shown") for each in entry.get("refuters", ())}
                found |= {*entry.get("cards", ())} if entry["type"] == "look" else set()
                found |= {entry.get("shown"), entry.get("card") if entry["type"] == "has" else None}
        return frozenset(card for card in found if card is not None)

    def _placed(self, card: str) -> bool:
        return card in self._known

    def _answers(self) -> Touches:
        can = self.can_show
        asked = self._asked
        choices = tuple(
            Touch(name, f"{SHOWS} {name}", pressed=name == self.shows, enabled=name in can)
            for name in (*asked, NOBODY)
        )
        return Touches("Who shows a card?", choices, "row")

    def _shown(self) -> Touches:
        forgotten = Touch(
            FORGOTTEN, f"{SEES} {FORGOTTEN}", "soft", label="I do not know any more",
            pressed=self.sees == FORGOTTEN,
        )  # fmt: skip
        cards = _named(SEES, self.can_see, self.sees)
        return Touches("Which card?", (*cards, forgotten), "row")

    def _others(self) -> Touches:
        choices = (
            Touch(says, f"{KIND} {kind}")
            for kind, says in OTHERS.items()
            if kind != LOOKS or self.left
        )
        return Touches(f"{self.by}, or something else", tuple(choices), "list")


def touched(draft: Draft, words: str, blanks: Mapping[str, str], settings: Settings) -> Draft:
    """A draft after a touch; see `Adviser.touched`.

    Raises:
        RecordError: This is nothing that is touched at a table of Clue.
    """
    kind, _, name = words.partition(" ")
    edition = edition_of(settings)
    players: list[str] = settings["players"]
    if kind == KIND and name in (*OTHERS, OTHER):
        same = name in (SUGGESTS, ACCUSES, SKIPS, LOOKS, OTHER)
        kept = {key: draft[key] for key in (BY, *KINDS) if same and key in draft}
        return {**kept, KIND: name}
    if kind in (BY, SHOWS) and name in (*players, NOBODY):
        if kind == SHOWS and house_rules(settings).everybody_shows:
            return toggled(draft, name, NOBODY)
        return {**draft, kind: name}
    player, _, card = name.rpartition(OF)
    if kind == SEES and player in players and card in (*edition.cards, FORGOTTEN):
        return shown_by(draft, player, card)
    if words == END:
        return {**draft, DONE: True}
    if draft.get(KIND) == LOOKS and kind == CARD and name in edition.position:
        cards: list[str] = list(draft.get(CARDS_WORD, ()))
        rest = [each for each in cards if each != name]
        return {**draft, CARDS_WORD: rest if name in cards else [*cards, name]}
    if (name in edition.position and kind in (CARD, SEES)) or (kind, name) == (SEES, FORGOTTEN):
        if kind == SEES or draft.get(KIND) == KNOWN:
            return {**draft, kind: name}
        return {**draft, edition.category(name): name}
    if kind == CARDS_WORD:
        named = name.split(", ")
        if all(card in edition.position for card in named):
            return {**draft, **{edition.category(card): card for card in named}}
    if kind == HOLDER and name in (*players, CASE_FILE_IN_RECORDS):
        return {**draft, kind: name}
    if (kind == NOTE and name in NOTES) or (kind == "verdict" and name in VERDICTS):
        return {**draft, kind: name}
    if draft.get(KIND) == WRITTEN:
        return {KIND: WRITTEN, **touched_words(draft, words, blanks)}
    raise RecordError("this cannot be touched now", value=words)


def card_touch(card: str, line: str, *, pressed: bool, known: bool = False) -> Touch:
    """A card to touch, which may be broken where a button is narrow."""
    text = " ".join(HYPHENATED.get(word, word) for word in card.split())
    return Touch(
        text, line, pressed=pressed, tone="soft" if known else "plain",
        label="" if text == card else card,
    )  # fmt: skip


def draft_of(entry: Entry, settings: Settings) -> dict[str, Any]:
    """The draft that comes to an entry; empty for one that can only be written."""
    edition, rules = edition_of(settings), house_rules(settings)
    if entry["type"] in ("suggest", "accuse"):
        made = {BY: entry["by"], **{edition.category(card): card for card in entry["cards"]}}
        if entry["type"] == "accuse":
            return {KIND: ACCUSES, **made, "verdict": "right" if entry["correct"] else "wrong"}
        if rules.everybody_shows:
            me = settings["me"]
            seen = settings["players"] if rules.open or entry["by"] == me else [me]
            return made | joint_draft(entry, FORGOTTEN, seen)
        if entry.get("refuter") == NOT_RECORDED:
            return made
        if "refuters" in entry:
            return {}
        return {
            **made, SHOWS: entry.get("refuter") or NOBODY, SEES: entry.get("shown") or FORGOTTEN
        }  # fmt: skip
    if entry["type"] in ("has", "nothas"):
        note = "not" if entry["type"] == "nothas" else "has"
        return {KIND: KNOWN, HOLDER: entry["player"], CARD: entry["card"], NOTE: note}
    if entry["type"] == "look":
        return {KIND: LOOKS, BY: entry["by"], CARDS_WORD: list(entry.get("cards", ()))}
    if entry["type"] == "move" and entry["to"] == NO_SUGGESTION:
        return {KIND: SKIPS, BY: entry["by"]}
    if entry["type"] == "move" and entry["to"] in edition.rooms:
        return {KIND: STANDS, "room": entry["to"]}
    return {}


def _row(field: str, names: Mapping[str, str], chosen: str) -> Touches:
    choices = (
        Touch(says, f"{field} {name}", pressed=name == chosen) for name, says in names.items()
    )
    return Touches("", tuple(choices), "row")


def _named(field: str, names: Sequence[str], chosen: str) -> tuple[Touch, ...]:
    return tuple(Touch(name, f"{field} {name}", pressed=name == chosen) for name in names)
