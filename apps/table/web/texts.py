"""Every text of the server's own pages, in one place; what a game says is the game's."""

from __future__ import annotations

from typing import Final

TITLE: Final = "sleuth"
LOST: Final = "Not connected. What you touch is kept and sent when the network is back."
WORKING: Final = "working it out"
NO_SCRIPT: Final = "This page needs JavaScript, which is switched off in this browser."
LOCKED_TITLE: Final = "This table has a key"
LOCKED: Final = (
    "Open the whole address that 'sleuth table' printed, or scan the code that it showed. The key "
    "stands at the end of the address."
)
NOWHERE_TITLE: Final = "There is no table here"
NOWHERE: Final = "The address is incomplete, or the table was deleted."
TO_LOBBY: Final = "To the tables of this server"
FAILED_TITLE: Final = "Something went wrong here"
FAILED: Final = (
    "Nothing that was entered is lost. Load the page again; if that does not help, see errors.log "
    "in the folder of the tables."
)
TOO_MANY: Final = "Too many requests; wait a moment."
TOO_LARGE: Final = "This is too much at once."
FOREIGN: Final = "This request does not come from a page of this server."
UNREADABLE: Final = "This request cannot be read."
WORK_FAILED: Final = "This could not be worked out: {}"
PLACES: Final = {"main": "Table", "touch": "What happens", "side": "Beside the table"}
FULL: Final = "This browser can keep no more, so what was touched last is not kept."
UNABLE: Final = "This browser cannot run the table."
