"""Commands beside any game, and the help that explains them."""

from __future__ import annotations

from typing import Final

from ..answers.values import Facts, Paragraph, Statement
from ..prompting import EVERYWHERE
from .contract import Adviser

COMMANDS: Final = {
    "log": "what was entered so far, numbered",
    "undo": "take back the last entry, change, removal or setup; again for the one before",
    "change": "'change 3 ...' puts what follows in place of entry 3, or its answer alone",
    "insert": "'insert 3 ...' puts what follows before entry 3",
    "remove": "'remove 3' removes entry 3",
    "unsure": "'unsure 3' counts entry 3 no longer, until 'sure 3' says that it is right",
    "sure": "'sure 3' counts entry 3 again",
    "report": "write a page with pictures of all that you can know so far",
    "back": "take back the last step; before the first entry, the last question again",
    "setup": "what was set up; 'setup KEY' asks for it again",
    "quit": "leave (so do Ctrl-D and Ctrl-C); everything is saved already",
    "help": "this",
}
#: Those that no word follows.
ALONE: Final = ("log", "undo", "report", "back", "quit", "help")
#: Where the explanations of commands begin.
HELP_COLUMN: Final = 12
#: Where those of lines begin, in a wide terminal.
WIDE_COLUMN: Final = 38


def help_of(adviser: Adviser) -> list[Statement]:
    """All that can be written and asked during a game."""
    said: list[Statement] = []
    for line in adviser.writing.splitlines():
        what, _, says = line.strip().partition("  ")
        if says:
            said.append(Facts(((what, says.strip()),), HELP_COLUMN, WIDE_COLUMN))
        else:
            said.append(Paragraph(line))
    explained = {**adviser.commands, **COMMANDS}
    explained["setup"] += f"; known: {', '.join(adviser.keys)}"
    return [*said, Facts((*explained.items(),), HELP_COLUMN, HELP_COLUMN)]


def help_to_set_up(prompt: str) -> list[Statement]:
    """All that can be typed while something is set up."""
    explained = {
        **EVERYWHERE,
        "setup": "what was set up; 'setup KEY' asks for it again",
        "undo": "take back what was set up last",
    }
    asked = Paragraph(f"You are asked for: {prompt.rstrip('?')}.")
    return [asked, Facts((*explained.items(),), HELP_COLUMN, HELP_COLUMN)]
