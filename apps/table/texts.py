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
