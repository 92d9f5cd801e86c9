"""Every text of sittings that no game says, in one place."""

from __future__ import annotations

from typing import Final

BEGIN: Final = "Begin"
ADVISE: Final = "Be advised beside a game on your table"
PLAY: Final = "Play against agents, or with others"
WATCH: Final = "Watch agents play"
GOES_ON: Final = "What goes on"
NOTHING_GOES_ON: Final = "Nothing yet. Whatever you begin stays here until you delete it."
DELETE: Final = "Delete"
