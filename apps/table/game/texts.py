"""Every text of games in the browser that no game says, in one place."""

from __future__ import annotations

from typing import Final

NAME: Final = "Play {}"
SETTING_UP: Final = "Setting up"
SETTINGS: Final = "Rules"
SETTINGS_NOTE: Final = "What is left empty is as usual."
CHANGE: Final = "Take these rules"
WHO: Final = "Who plays"
HERE: Final = "a person here"
ELSEWHERE: Final = "a person on device {}"
GOOD_AGENT: Final = "a good agent, three seconds"
QUICK_AGENT: Final = "a quick agent, half a second"
AT_RANDOM: Final = "an agent that moves at random"
USUAL_AGENT: Final = "the usual agent"
OTHER_AGENTS: Final = "Other agents, as ROLE=NAME:key=value, with blanks between them"
SEED: Final = "Seed, for the same deal again"
BACK: Final = "Moves can be taken back"
BELIEF: Final = "Show what can be known"
ADVICE: Final = "Say what an agent would do"
GUESS: Final = "Guess before what can be known is shown"
YES: Final = "yes"
NO: Final = "no"
BEGIN: Final = "Begin"
HOST_SETS_UP: Final = "The host is setting up the game. This page goes on by itself."
NOBODY_HERE: Final = "Nobody plays on this device in this game."
PREPARES: Final = (
    "The agents get ready. Where a game is new to this machine, they think slowly at first."
)
WHOSE: Final = "It is {}'s move."
YOURS: Final = "It is your move: {}."
THINKS: Final = "{} ({}) thinks."
FAILED: Final = "{} cannot go on: {}"
AGAIN: Final = "Let it try again"
OTHERS_TURN: Final = "Hand the device over, so that nobody else reads what comes."
I_AM: Final = "I am {}"
SINCE: Final = "What has happened since"
LOG: Final = "Everything so far"
NOTHING_YET: Final = "Nothing has happened yet."
STANDS: Final = "The game"
YOUR_MOVE: Final = "Your move"
OTHER_MOVES: Final = "All moves"
WRITE: Final = "Write a move"
MOVE: Final = "Move"
DONE: Final = "Do it"
TAKE_BACK: Final = "Take back"
TOOK_BACK: Final = "{} took a move back."
KNOWN: Final = "What you can know"
ADVISED: Final = "What an agent would do"
ASK_ADVICE: Final = "Say it"
ADVISER: Final = "by"
MORE: Final = "More"
RULES: Final = "How it is played"
DEVICES: Final = "The other devices"
DEVICES_NOTE: Final = (
    "Anyone with an address plays there and sees what is hidden from the others. Let only its "
    "player have it."
)
ONLY_HERE: Final = "Only this machine can reach these; start with --network to let phones in."
OVER: Final = "The game is over"
ANOTHER: Final = "Another game"
ANEW: Final = "Other rules or players"
ANALYSIS: Final = "Look at it move by move"
RECORD: Final = "Its record, for sleuth analyse"
SAVED: Final = "The game as it stands, for sleuth play --resume"
SAVED_NOTE: Final = "The file holds everything that is hidden."
GUESSING: Final = "Say it yourself first"
GUESS_ABOUT: Final = "About"
GUESS_EACH: Final = (
    "How likely is each, from 0 to 100? Only how they compare counts. A hundredth of it is spread "
    "over all, so that no slip costs everything."
)
GUESS_FEW: Final = (
    "Name those that you hold to be likeliest, each with its chance in per cent. What is left is "
    "spread over the others, and a hundredth of it over all."
)
LIKELIEST: Final = ("the likeliest", "the second", "the third")
ITS_CHANCE: Final = "its chance"
SAY: Final = "That is what I think"
SKIP: Final = "Show it without a guess"
SCORING: Final = "Your guess is compared with all that could be known."
SCORED: Final = (
    "{}: you are surprised by {} bits on average; who knows all that can be known, by {}."
)
SCORES: Final = "Your guesses"
CLASS: Final = "Everybody's guesses"
YOU_SAID: Final = "you said"
EXACTLY: Final = "exactly"
IN_THE_END: Final = "in the end"
GUESSES: Final = "guesses"
YOUR_BITS: Final = "bits"
EXACT_BITS: Final = "best possible"
LOST_BITS: Final = "lost"
TRUE_BITS: Final = "at the truth"
CALIBRATED: Final = (
    "Of what you gave such a chance: how likely it was by all that could be known, and how often "
    "it turned out to be so."
)

# Games that are kept to train on.
KEEPING: Final = "Your games, kept"
YOUR_NAME: Final = "your name"
TAKE_NAME: Final = "That is me"
NAMED: Final = "You are {}."
NAMELESS: Final = (
    "Games are kept for training under people's names, if all who play give theirs and agree."
)
KEPT: Final = (
    "Games that you finish are kept, if all others agree as well and no move is taken back."
)
NOT_KEPT: Final = "Your games are not kept."
