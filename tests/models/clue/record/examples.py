"""Small records the tests start from."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def partial() -> Json:
    """What Ann wrote down of a three-player game."""
    return {
        "game": "clue",
        "players": ["ann", "ben", "cleo"],
        "hand_sizes": [6, 6, 6],
        "observer": "ann",
        "own_hand": ["scarlet", "knife", "kitchen", "ballroom", "hall", "study"],
        "events": [
            {
                "type": "suggest",
                "by": "ann",
                "cards": ["mustard", "rope", "hall"],
                "refuter": "cleo",
                "shown": "rope",
            },
            {
                "type": "suggest",
                "by": "ben",
                "cards": ["plum", "wrench", "study"],
                "refuter": "cleo",
            },
            {"type": "move", "by": "cleo", "to": "Lounge"},
            {"type": "has", "player": "ben", "card": "green"},
            {"type": "nothas", "player": "cf", "card": "white"},
            {"type": "oneof", "player": "ben", "cards": ["green", "library"]},
            {
                "type": "accuse",
                "by": "ben",
                "cards": ["green", "rope", "lounge"],
                "correct": False,
            },
        ],
    }


def notebook() -> Json:
    """The same without the observer: everything in it is public."""
    record = partial()
    del record["observer"], record["own_hand"]
    return record


def full() -> Json:
    """The same game with the truth, still with Ann as the observer."""
    record = partial()
    record["hands"] = {
        "ann": ["scarlet", "knife", "kitchen", "ballroom", "hall", "study"],
        "ben": ["green", "peacock", "candlestick", "revolver", "conservatory", "library"],
        "cleo": ["white", "plum", "rope", "lead pipe", "dining room", "billiard room"],
    }
    record["case_file"] = ["mustard", "wrench", "lounge"]
    record["events"][1]["shown"] = "plum"
    record["events"][6]["seen"] = ["mustard", "wrench", "lounge"]
    return record
