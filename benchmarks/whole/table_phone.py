"""A person at a real table with the page of advice: they touch what it offers, nothing else.

`Phone` is such a page without a server; what it says can be said to a server then.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sleuth.apps.kit.answers.values import BlankForm, Touch
from sleuth.apps.table.advice.addressing import touches_of
from sleuth.apps.table.advice.sitting import AdviceKind, AdviceSitting
from sleuth.apps.table.kept import SittingFile
from sleuth.apps.table.sitting import Line, Panel
from sleuth.models.clue.record.record import ClueRecord

GAMES = Path(__file__).parents[2] / "data" / "clue" / "games"


class Phone:
    """A page of advice without a browser.

    Args:
        folder: Where its file is.
        game: The game on the table.

    Attributes:
        touches: How often something was touched or handed in so far.
    """

    def __init__(self, folder: Path, game: str = "clue") -> None:
        made, seats = AdviceKind().made({"game": game})
        with SittingFile.new(folder, "advice", made, seats, 0.0) as file:
            self.path = file.path
        self.touches = 0
        self.last = Line("", {}, "")
        self.sitting = self._opened()

    def _opened(self) -> AdviceSitting:
        return AdviceKind().opened(SittingFile(self.path), None)

    def close(self) -> None:
        self.sitting.close()

    def killed(self, lost: int = 0) -> None:
        """The server ends and is started again; the last bytes may not have been written."""
        self.sitting.close()
        content = self.path.read_bytes()
        self.path.write_bytes(content[: len(content) - lost])
        self.sitting = self._opened()

    @property
    def number(self) -> int:
        """The number of what is entered next, as touches say it."""
        return self.sitting.state.number

    def panel(self, name: str) -> Panel:
        return next(panel for panel in self.sitting.panels(0) if panel.name == name)

    def offered(self) -> Iterator[tuple[Panel, Touch]]:
        for panel in self.sitting.panels(0):
            for touch in touches_of(panel.parts):
                yield panel, touch

    def touch(self, line: str, *, panel: str | None = None) -> None:
        """Touch what says a line, whatever stands before it that says when."""
        found = [
            touch.line
            for at, touch in self.offered()
            if (panel is None or at.name == panel) and _plain(touch.line) == line
        ]
        assert found, f"{line!r} is not offered"
        self.say(found[0])

    def fill(self, line: str, blanks: Mapping[str, str]) -> None:
        """Hand in the form that says a line."""
        forms = [
            part.line
            for panel in self.sitting.panels(0)
            for part in panel.parts
            if isinstance(part, BlankForm) and _plain(part.line) == line
        ]
        assert forms, f"no form says {line!r}"
        self.say(forms[0], blanks)

    def say(self, line: str, blanks: Mapping[str, str] | None = None) -> str:
        """What a page says; it is said again, as where the network went before the answer."""
        self.touches += 1
        said = self.last = Line(line, blanks or {}, secrets.token_hex(12))
        return self.sitting.take(0, said)

    def say_again(self) -> None:
        """What a page does that was not told that its last line counts."""
        if not self.sitting.known(self.last.touch):
            self.sitting.take(0, self.last)

    def presses(self, line: str) -> bool:
        """True if something that is offered is chosen already."""
        return any(t.pressed is True for _, t in self.offered() if _plain(t.line) == line)

    # -- a game of Clue

    def set_up(self, settings: Mapping[str, Any]) -> None:
        names = {str(place): name for place, name in enumerate(settings["players"], 1)}
        self.fill("set players", names)
        self.touch(f"set me {settings['me']}")
        if self._asks("sizes"):
            sizes = enumerate(settings["sizes"], 1)
            self.fill("set sizes", {str(place): str(size) for place, size in sizes})
        for key in ("faceup", "hand"):
            if self._asks(key):
                for card in settings[key]:
                    self.touch(f"pick {card}")
                self.touch(f"set {key} {', '.join(settings[key]) or 'down'}")

    def _asks(self, key: str) -> bool:
        form = [panel for panel in self.sitting.panels(0) if panel.name == "form"]
        lines = [touch.line for panel in form for touch in touches_of(panel.parts)]
        picks = [line for line in lines if " pick " in line]
        sets = [line for line in lines if f" set {key} " in line]
        return bool(sets) or (bool(picks) and key in _keys(form))

    def enter(self, event: Mapping[str, Any]) -> None:
        """Touch an event of a record."""
        kinds = {"accuse": "accuse", "has": "note", "nothas": "note"}
        skips = event["type"] == "move"
        if skips or event["type"] in kinds:
            self.touch("do kind other")
        by = event.get("by")
        if by is not None and not self.presses(f"do by {by}"):
            self.touch(f"do by {by}")
        if skips:
            self.touch("do kind skip")
            return
        if event["type"] in kinds:
            self.touch(f"do kind {kinds[event['type']]}")
        if kinds.get(event["type"]) == "note":
            if event["type"] == "nothas":
                self.touch("do note not")
            self.touch(f"do holder {event['player']}")
            self.touch(f"do card {event['card']}")
            return
        number = self.number
        for card in event["cards"]:
            self.touch(f"do card {card}")
        if event["type"] == "accuse":
            self.touch(f"do verdict {'right' if event['correct'] else 'wrong'}")
            return
        if self.number == number:
            shows = event["refuter"] or "nobody"
            if not self.presses(f"do shows {shows}"):
                self.touch(f"do shows {shows}")
        if self.number == number:
            self.touch(f"do sees {event['shown']}")
        assert self.number == number + 1, f"not entered: {event}"


def _plain(line: str) -> str:
    first, _, rest = line.partition(" ")
    return rest if first.isdigit() else line


def _keys(panels: Sequence[Panel]) -> set[str]:
    """What is set up with marked cards, as a button says that cannot be touched yet."""
    found: set[str] = set()
    for panel in panels:
        for part in panel.parts:
            for touch in getattr(part, "choices", ()):
                words = touch.line.split()
                if len(words) > 2 and words[1] == "set":
                    found.add(words[2])
    return found


def recorded(name: str, viewer: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a viewer sets up and sees of a record: settings and events."""
    return seen_of(ClueRecord.load(GAMES / f"{name}.json"), viewer)


def seen_of(record: ClueRecord, viewer: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a viewer sets up and sees of a record: settings and events."""
    seen = record.seen_by(viewer)
    events: list[dict[str, Any]] = [each.event.to_json() for each in seen.events]
    for event in events:
        mine = event.get("refuter") is not None and viewer in (event["by"], event["refuter"])
        if mine and event["shown"] is None and record.hands is not None:
            # The record does not say which card was shown.
            held = record.hands[str(event["refuter"])]
            event["shown"] = next(card for card in event["cards"] if card in held)
    sizes = [record.hand_sizes[name] for name in record.players]
    settings = {
        "players": list(record.players), "me": viewer, "sizes": sizes,
        "faceup": list(record.face_up), "hand": list(seen.own_hand),
    }  # fmt: skip
    return settings, events
