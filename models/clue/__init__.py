"""Clue: cards, events, records and what a viewer sees of them, refuters' choices, a simulator."""

from .cards import (
    CARDS,
    CASE_FILE,
    CATEGORIES,
    FACE_DOWN,
    FACE_UP,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    canonical,
    category,
)
from .events import (
    Accusation,
    ClueEvent,
    Has,
    Look,
    Move,
    NotHas,
    OneOf,
    Refutation,
    Suggestion,
    Triple,
)
from .house_rules import HouseRules
from .record.record import ClueRecord, load
from .record.schema import json_schema
from .refuters import ChoiceModel, choice_model, preference_choice
from .seen import NOTEBOOK, SPECTATOR, SeenClue

__all__ = [
    "CARDS",
    "CASE_FILE",
    "CATEGORIES",
    "FACE_DOWN",
    "FACE_UP",
    "NOTEBOOK",
    "ROOMS",
    "SPECTATOR",
    "SUSPECTS",
    "WEAPONS",
    "Accusation",
    "ChoiceModel",
    "ClueEvent",
    "ClueRecord",
    "Has",
    "HouseRules",
    "Look",
    "Move",
    "NotHas",
    "OneOf",
    "Refutation",
    "SeenClue",
    "Suggestion",
    "Triple",
    "canonical",
    "category",
    "choice_model",
    "json_schema",
    "load",
    "preference_choice",
]
