"""Every sentence of the log can be typed again, and means the same."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sleuth import SleuthError
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.clue.advising.table import event_of
from sleuth.apps.kit.advising.entries import Entry, Settings
from sleuth.apps.scotland_yard.advising.adviser import HuntAdviser
from sleuth.apps.scotland_yard.advising.table import HuntSetup
from sleuth.errors import RecordError
from sleuth.games.clue import CARDS
from sleuth.games.scotland_yard import TICKETS
from sleuth.kit import Adviser
from sleuth.models.clue.board.squares import square_of, written
from sleuth.models.clue.cards import CATEGORIES
from sleuth.models.clue.events import asked_in_turn
from sleuth.models.clue.simulate import usual_hand_sizes
from sleuth.models.game import legal_actions
from sleuth.models.scotland_yard.state import HIDER

JOURNALS = 12 + int(os.environ.get("SLEUTH_FUZZ", "0")) // 100
#: Names that people have: signs in them, several words, cards, beginnings of others and of words.
NAMES = (
    *(
        "Ada",
        "Bob",
        "Cleo",
        "O'Neil",
        "Dan Brown",
        "Jean-Luc",
        "J. R.",
        "Plum",
        "White",
        "Al",
        "Nob",
    ),
    *("Dr. No", "Mr. Green", "Rosa de la Cruz", "Ana", "Scar", "Has Been", "Pa", "Zoë", "d’Arcy"),
)


def clue(rng: np.random.Generator) -> tuple[Settings, list[Entry]]:
    """A table of Clue, and entries as lines and hands that were edited can make them."""
    count = int(rng.integers(2, 7))
    players = [str(name) for name in rng.choice(NAMES, count, replace=False)]
    settings = {
        "players": players, "me": players[int(rng.integers(count))], "dice": 1, "rules": [],
        "sizes": [*usual_hand_sizes(count)], "faceup": [], "hand": [],
    }  # fmt: skip

    def cards() -> list[str]:
        return [str(rng.choice(members)) for members in CATEGORIES.values()]

    def entry() -> dict[str, Any]:
        by, three = str(rng.choice(players)), cards()
        others = list(asked_in_turn(players, by, None))
        kind, holder = int(rng.integers(9)), str(rng.choice([*players, "cf"]))
        if kind < 4:
            refuter = None if kind == 0 else str(rng.choice(others))
            saw = settings["me"] in (by, refuter) and rng.random() < 0.7
            shown = str(rng.choice(three)) if refuter is not None and saw else None
            return {"type": "suggest", "by": by, "cards": three, "refuter": refuter, "shown": shown}
        if kind == 4:
            made = {"type": "suggest", "by": by, "cards": three}
            return made | {"refuter": "not recorded", "passed": []}
        if kind == 5:
            made = {"type": "accuse", "by": by, "cards": three, "correct": bool(rng.integers(2))}
            seen = three if made["correct"] else cards()
            told = rng.random() < 0.3 and (seen == three) == made["correct"]
            return made | ({"seen": seen} if told else {})
        if kind == 6:
            square = square_of(str(rng.choice(["h8", "i18", "a18", "x7"])))
            assert square is not None
            to = str(rng.choice([written(square), three[2], "no suggestion"]))
            return {"type": "move", "by": by, "to": to}
        some = [str(card) for card in rng.choice(CARDS, int(rng.integers(1, 5)), replace=False)]
        if kind == 7:
            return {"type": "oneof", "player": holder, "cards": some}
        said = str(rng.choice(["has", "nothas"]))
        return {"type": said, "player": holder, "card": some[0]}

    return settings, [entry() for _ in range(12)]


def hunt(rng: np.random.Generator) -> tuple[Settings, list[Entry]]:
    """A hunt of random moves, as far as all know them."""
    settings = {"seekers": [13, 26], "black_fares": 2, "rules": {"rounds": 4, "reveals": [1, 3]}}
    entries: list[Entry] = []
    while len(entries) < 12:
        table = HuntSetup.of(settings, entries)
        if table.player == HIDER:
            board, where = table.game.tables.board[0], np.flatnonzero(table.stations)
            options: list[dict[str, Any]] = []
            for station in rng.choice(where, 8):
                kind = int(rng.integers(3))
                reach = board.target[board.first[station, kind] : board.first[station, kind + 1]]
                for to in reach.tolist():
                    move = {
                        "by": "hider",
                        "ticket": TICKETS[kind],
                        "double": bool(rng.random() < 0.2),
                    }
                    options.append(move | ({"to": to} if table.due else {}))
        elif table.player > HIDER:
            board = table.game.tables.board[0]
            moves = legal_actions(table.game, table.states)
            action = int(rng.choice(moves)) % int(board.moves)
            options = [
                {"by": f"seeker {table.player}", "ticket": TICKETS[int(board.ticket[action])],
                 "to": int(board.target[action])}
            ]  # fmt: skip
        else:
            break
        rng.shuffle(options)
        for option in options:
            try:
                HuntSetup.of(settings, [*entries, option]).stations.any()
            except SleuthError:  # it is against the rules
                continue
            entries.append(option)
            break
        else:
            break
    return settings, entries


def again(adviser: Adviser, settings: Settings, entries: Sequence[Entry], place: int) -> Entry:
    """What the sentence of an entry means, typed at the moment when that was entered."""
    said = adviser.sentence(settings, entries[place])
    return adviser.read(f"{said}.", settings, entries[:place]).entry


def in_full(entry: Entry) -> dict[str, Any]:
    """An entry, with what is left out where it says nothing."""
    return {name: value for name, value in entry.items() if value not in (None, False)}


@pytest.mark.parametrize("seed", range(JOURNALS))
def test_every_sentence_of_clues_log_can_be_typed_again(seed: int) -> None:
    adviser = ClueAdviser()
    settings, entries = clue(np.random.default_rng(seed))
    for place in range(len(entries)):
        entry = entries[place]
        said = adviser.sentence(settings, entry)
        # Any moment will do: it may be anybody's turn, and a suggestion may be open.
        typed = again(adviser, settings, entries, place)
        assert event_of(settings, typed) == event_of(settings, entry), said


def test_every_sentence_of_a_hunts_log_can_be_typed_again() -> None:
    adviser, found = HuntAdviser(), 0
    for seed in range(2 + JOURNALS // 12):
        settings, entries = hunt(np.random.default_rng(seed))
        for place, entry in enumerate(entries):
            said = adviser.sentence(settings, entry)
            assert in_full(again(adviser, settings, entries, place)) == in_full(entry), said
            found += 1
    assert found > 12
    with pytest.raises(RecordError, match="it is not the turn of seeker 2"):
        adviser.read("seeker 2: taxi to 39", settings, entries[:1])


@pytest.mark.parametrize(
    "players, line, by, refuter",
    [
        (["Ada", "O'Neil", "Cleo"], "o'neil plum rope hall cleo", "O'Neil", "Cleo"),
        (["Ada", "O'Neil", "Cleo"], "ONeil plum rope hall c", "O'Neil", "Cleo"),
        (["Ada", "O’Neil", "Cleo"], "o'n plum rope hall c", "O’Neil", "Cleo"),
        (["J. R.", "Eva la Cruz"], "eva la cruz plum rope hall jr", "Eva la Cruz", "J. R."),
        (["Jean-Luc", "Ada"], "jean-luc plum rope hall ada", "Jean-Luc", "Ada"),
        (["Has Been", "Ada"], "has been plum rope hall ada", "Has Been", "Ada"),
    ],
)  # fmt: skip
def test_names_with_signs_can_be_typed(
    players: list[str], line: str, by: str, refuter: str
) -> None:
    settings = {"players": players, "me": players[0], "hand": []}
    entry = ClueAdviser().read(f"{line} ?", settings, []).entry
    assert (entry["by"], entry["refuter"]) == (by, refuter)
    assert ClueAdviser().set_up("me", by, settings) == by
