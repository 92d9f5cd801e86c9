"""Every text of replays that no game says, in one place."""

from __future__ import annotations

from typing import Final

EVERYBODY: Final = "everybody"
EYES: Final = "Whose eyes"
STEPS: Final = "Move by move"
MOMENT: Final = "Move {} of {}"
BEGINNING: Final = "Before the first move"
GOES_ON_AS: Final = "so far"
FIRST: Final = ("|←", "To the beginning")
BACK: Final = ("←", "One move back")
RUN: Final = ("Play", "Let it run")
PAUSE: Final = ("Pause", "Let it stand")
NEXT: Final = ("→", "One move on")
LAST: Final = ("→|", "To the end")
SLOWER: Final = "Slower"
FASTER: Final = "Faster"
PACE: Final = "{:g} a second"
GO_TO: Final = "Go to move"
GO: Final = "Go"
KEYS: Final = (
    "Keys: space plays and pauses, ← and → go by one move, Home and End to either end, "
    "+ and - are faster and slower."
)
LINK: Final = "Link to this move"
KNOWS: Final = "What {} can know"
ALL_KNOW: Final = "What each can know"
HELD_TRUE: Final = "how likely what is true is to them"
OPEN_BITS: Final = "bits open"
OPEN_OVER_TIME: Final = "Bits that are open, move by move"
CHANCE_TO_WIN: Final = "Chance to win"
OVER_TIME: Final = "Chance to win, move by move"
WORKED_OUT: Final = "working it out"
PLAYED_ON: Final = (
    "Of {games} games that are played on quickly from here, each from a state that fits all that "
    "{eyes} can know. 95 % interval: {intervals}."
)
FROM_TRUTH: Final = (
    "Of {games} games that are played on quickly from the true state. 95 % interval: {intervals}."
)
COUNTED: Final = "Counted in {games} games {counted}. 95 % interval: {intervals}."
DECIDED: Final = "The game is over."
NOT_KNOWN: Final = "Nobody has counted that here."
EVENTS: Final = "What happened"
THE_RECORD: Final = "The record, and other games"
SAVE_RECORD: Final = "Save the record"
WATCH_ANOTHER: Final = "Let agents play this game"
SETTINGS_OF_GAME: Final = "Settings, such as players=4"
AGENTS_OF_GAME: Final = "Agents, such as mcts:simulations=300"
SEED_OF_GAME: Final = "Seed"
OTHER_OF_FILE: Final = "Another of the {} games in this file"
REPLAYED: Final = "Replay: {}"
WATCHED: Final = "Watching {}"
STOPPED: Final = "The game stands still: {}"
SEES_NOTHING: Final = "something that these eyes do not notice"
