"""The answer of a table where all show a card who can, as it is touched."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ....models.clue.events import NOT_RECORDED
from ...kit.advising.drafts import Draft
from ...kit.advising.entries import Entry
from ...kit.answers.values import Statement, Touch, Touches

#: The fields of a draft: by player the card that they show, empty where it is open; and whether
#: nobody else shows one.
SHOWING: Final = "showing"
DONE: Final = "done"
#: The line that says that nobody else shows a card.
END: Final = "end answer"
#: Between a player and the card that they show, in the words of a touch.
OF: Final = ": "


@dataclass(frozen=True)
class JointAnswer:
    """The cards that several players show to one suggestion.

    Attributes:
        draft: The entry that is being made.
        asked: The players who are asked, in turn order.
        cards: The cards that were named.
        me: Whose page it is.
        held: Those of the cards that they hold.
        known: The cards that nobody else can show.
        seen: The players whose card the person sees.
        nobody: The words for nobody.
        forgotten: The words for a card that they saw and do not know any more.
    """

    draft: Draft
    asked: Sequence[str]
    cards: Sequence[str]
    me: str
    held: Sequence[str]
    known: Collection[str]
    seen: Collection[str]
    nobody: str
    forgotten: str

    @property
    def showing(self) -> dict[str, str]:
        """By player the card that they show, in turn order; empty where that is open or unseen."""
        can = (*self.cards, self.forgotten)
        said: Mapping[str, str] = self.draft.get(SHOWING, {})
        chosen = {player: card if card in can else "" for player, card in said.items()}
        found: dict[str, str] = {}
        for player in self.asked:
            if player == self.me:
                if self.held:
                    own = self.held[0] if len(self.held) == 1 else ""
                    found[player] = str(chosen.get(player) or own)
            elif player in chosen:
                found[player] = chosen[player]
        return found

    @property
    def refutations(self) -> list[dict[str, Any]] | None:
        """The answer as it stands in an entry; None as long as something is missing."""
        if not self.draft.get(DONE) or self._open:
            return None
        return [
            {"player": player, "shown": None if card in ("", self.forgotten) else card}
            for player, card in self.showing.items()
        ]

    @property
    def _open(self) -> bool:
        """True if a card that the person sees is not chosen."""
        return any(player in self.seen and not card for player, card in self.showing.items())

    def touches(self) -> list[Statement]:
        """All that can be touched now."""
        showing = self.showing
        full = len(showing) >= len(self.cards)
        players = tuple(
            Touch(
                player, f"shows {player}", pressed=player in showing,
                enabled=player != self.me and (player in showing or not full),
            )
            for player in self.asked
        )  # fmt: skip
        nobody = Touch(
            self.nobody, f"shows {self.nobody}", pressed=bool(self.draft.get(DONE)) and not showing,
            enabled=self.me not in showing,
        )  # fmt: skip
        parts: list[Statement] = [Touches("Who shows a card?", (*players, nobody), "row")]
        parts += [self._shown(player) for player in showing if player in self.seen]
        if showing:
            done = Touch("Nobody else", END, "strong", enabled=not self._open)
            parts.append(Touches("", (done,), "row"))
        return parts

    def _shown(self, player: str) -> Touches:
        here, others = self.showing[player], {*self.showing.values()} - {self.showing[player]}
        can = (
            self.held
            if player == self.me
            else [card for card in self.cards if card not in self.known and card not in others]
        )
        cards = [Touch(card, f"sees {player}{OF}{card}", pressed=card == here) for card in can]
        forgotten = Touch(
            self.forgotten, f"sees {player}{OF}{self.forgotten}", "soft",
            label="I do not know any more", pressed=here == self.forgotten,
        )  # fmt: skip
        whose = "you" if player == self.me else player
        verb = "do you" if player == self.me else f"does {whose}"
        return Touches(f"Which card {verb} show?", (*cards, forgotten), "row")


def toggled(draft: Draft, player: str, nobody: str) -> dict[str, Any]:
    """A draft after a touch of somebody who shows a card, or not; or of nobody."""
    if player == nobody:
        return {**draft, SHOWING: {}, DONE: True}
    showing: dict[str, str] = dict(draft.get(SHOWING, {}))
    if player in showing:
        del showing[player]
    else:
        showing[player] = ""
    return {**draft, SHOWING: showing, DONE: False}


def shown_by(draft: Draft, player: str, card: str) -> dict[str, Any]:
    """A draft after a touch of the card that a player shows."""
    showing: Mapping[str, str] = draft.get(SHOWING, {})
    return {**draft, SHOWING: {**showing, player: card}, DONE: False}


def joint_draft(entry: Entry, forgotten: str, seen: Collection[str]) -> dict[str, Any]:
    """The fields of a draft for the answer that an entry has; empty where it has none."""
    if entry.get("refuter") == NOT_RECORDED:
        return {}
    refuter, shown = entry.get("refuter"), entry.get("shown")
    one = [] if refuter is None else [{"player": refuter, "shown": shown}]
    showing = {
        each["player"]: each.get("shown") or (forgotten if each["player"] in seen else "")
        for each in entry.get("refuters", one)
    }
    return {SHOWING: showing, DONE: True}
