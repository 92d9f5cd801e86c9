"""Every text of sittings that no game says, in one place."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "Begin"
OTHERS: Final = "Other games"
ADVISE: Final = "Be advised beside a game on your table"
PLAY: Final = "Play against agents, or with others"
WATCH: Final = "Watch agents play"
GOES_ON: Final = "What goes on"
NOTHING_GOES_ON: Final = "Nothing yet. Whatever you begin stays here until you delete it."
DELETE: Final = "Delete"

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
