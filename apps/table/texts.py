"""Every text of sittings that no game says, in one place."""

from __future__ import annotations

from typing import Final

# The lobby.
ADVISED: Final = "Be advised"
ADVISED_LEAD: Final = (
    "You play with others at a real table. You touch what happens; this page says what you can "
    "know, and what to ask, show and do next."
)
PLAYED: Final = "Play"
PLAYED_LEAD: Final = (
    "You play here, against agents or with others on their own devices. The page can show what you "
    "can know, or let you guess it first."
)
WATCHED: Final = "Watch"
WATCHED_LEAD: Final = (
    "Agents play against each other. You go through their game move by move, and see what each "
    "player could know."
)
REPLAYED: Final = "Replay a record"
REPLAYED_LEAD: Final = (
    "You go through a game that was recorded in the same way, with what its record says of it."
)
EXAMPLE: Final = "One that comes with sleuth"
OWN_RECORD: Final = "A file of yours: whatever 'sleuth analyse' takes"
PASTED_RECORD: Final = "Or a short one, pasted"
REPLAY: Final = "Replay"
PEOPLE: Final = "What people played here"
GOES_ON: Final = "Go on"
EARLIER: Final = "Earlier tables"
NOTHING_GOES_ON: Final = "Nothing yet. Whatever you begin stays here until you delete it."
MORE: Final = "More"
MORE_OF: Final = "More about: {}"
LESS: Final = "Less"
LESS_OF: Final = "Less about: {}"
BEGUN: Final = "Begun {}."
LAST: Final = "last touched {}"
TODAY: Final = "today, {}"
YESTERDAY: Final = "yesterday, {}"
SEVERAL_SEATS: Final = (
    "Each device of this table has an address of its own. They stand on the host's page, and the "
    "line above leads there."
)
DELETE: Final = "Delete it for good"
DELETE_OF: Final = "Delete for good: {}"
DELETE_NOTE: Final = "All that was done at this table is then gone, on every device:"
JOIN: Final = "On a phone"
JOIN_LEAD: Final = (
    "A phone in the same network opens this page by its camera. Anyone with this address can see "
    "and change every table here."
)
JOIN_CODE: Final = "These tables"
ALONE: Final = (
    "Only this machine can open these pages. To let phones in, end the server with Ctrl-C and "
    "start it anew:"
)
ALONE_COMMAND: Final = "sleuth table --network"
NO_TABLE: Final = "there is no such table any more"
NOT_UNDERSTOOD: Final = "the lobby does not know this"

# What people played, kept.
HERE: Final = "to what people played at these tables"
ASK_TO_KEEP: Final = "May your games be kept for that?"
AGREE: Final = "Yes, keep them"
REFUSE: Final = "No"
NOT_KEPT: Final = (
    "You are asked this once. Whatever you answer, you can play; a game is kept only if everybody "
    "in it has agreed, and every game can be deleted at any time."
)
WITHOUT_SERVER: Final = "sleuth, beside your table"

# Advice beside a real game.
ADVICE: Final = "Advice: {}"
ENTER: Final = "What happens"
CORRECT: Final = "Correct entry {}"
BEFORE_ENTRY: Final = "Before entry {}"
SET_UP: Final = "What was set up"
SETTING: Final = "Setting up"
ENTERED: Final = "What was entered"
NOTHING_ENTERED: Final = "Nothing yet. Touch an entry to correct it, later."
ANSWER: Final = "Answer"
WAIT: Final = "…"
UNDO: Final = "Undo"
UNDO_OF: Final = "Undo: {}"
CLEAR: Final = "Clear"
DONE: Final = "Done"
LEAVE: Final = "Leave it"
REMOVE: Final = "Remove"
DOUBT: Final = "I am not sure"
TRUST: Final = "I am sure"
INSERT: Final = "Insert before"
MEND: Final = "Correct"
CLOSE: Final = "Close"
CONFLICT: Final = "This cannot be"
BY_THE_RULES: Final = "{}, by what was set up and the rules."
UNTIL_THEN: Final = "Until one of them is mended nothing can be worked out."
SETUP_WRONG: Final = "Or is something wrong that was set up?"
CONTRADICTED: Final = "Nothing can be worked out before the entries are mended."
PASSED: Final = "Nothing was entered of {} before entry {}."
PAGE_FOR: Final = "What this page is for"
HIDE: Final = "Show a notebook only, with nothing that I did not see myself"
REVEAL: Final = "Show what can be known"
FILES: Final = "Files to keep"
FILE_NAMES: Final = {
    "advice": "What was entered, to go on with in a terminal",
    "record": "The game as a record, to analyse",
    "report": "The report, with pictures",
}
