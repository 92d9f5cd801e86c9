"""Records the command is tried on."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any


def shipped(name: str) -> Path:
    """A recorded game that comes with the package."""
    with as_file(files("sleuth.data") / "clue" / "games" / name) as path:
        return path


def small(**changes: object) -> dict[str, Any]:
    """What Ann wrote down of the beginning of a three-player game."""
    return {
        "game": "clue",
        "name": "A small game",
        "players": ["ann", "ben", "cleo"],
        "hand_sizes": [6, 6, 6],
        "observer": "ann",
        "own_hand": ["scarlet", "knife", "kitchen", "ballroom", "hall", "study"],
        "events": [
            {
                "type": "suggest",
                "by": "ann",
                "cards": ["mustard", "rope", "lounge"],
                "refuter": "cleo",
                "shown": "rope",
            },
            {
                "type": "suggest",
                "by": "ben",
                "cards": ["plum", "wrench", "library"],
                "refuter": "cleo",
            },
            {"type": "move", "by": "cleo", "to": "lounge"},
            {
                "type": "suggest",
                "by": "cleo",
                "cards": ["plum", "lead pipe", "study"],
                "refuter": "ann",
                "shown": "study",
            },
            {
                "type": "suggest",
                "by": "ann",
                "cards": ["mustard", "knife", "lounge"],
                "refuter": None,
            },
            {
                "type": "accuse",
                "by": "ben",
                "cards": ["mustard", "revolver", "lounge"],
                "correct": False,
            },
        ],
        **changes,
    }


def full() -> dict[str, Any]:
    """The same game with everybody's cards."""
    return small(
        hands={
            "ann": ["scarlet", "knife", "kitchen", "ballroom", "hall", "study"],
            "ben": ["green", "peacock", "revolver", "candlestick", "conservatory", "library"],
            "cleo": ["white", "plum", "rope", "wrench", "dining room", "billiard room"],
        },
        case_file=["mustard", "lead pipe", "lounge"],
    )
