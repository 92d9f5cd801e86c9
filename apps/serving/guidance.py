"""Words that help an assistant along: instructions, prompts, and texts that it can read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from ...data.errors import SettingsError, nearest
from ...data.manual import folder, page
from ...models.games import names
from ..kit.answers.schema import Kind, schema
from ..kit.display import display
from ..table.known import known_entry

INSTRUCTIONS: Final = (
    "sleuth knows what a player of a game with hidden information can know, exactly. Do not work "
    "out probabilities yourself: ask for them. Beside a real game: 'describe_game' says how lines "
    "are written, 'open_advice' opens a table, 'tell' says what happened, 'beliefs', 'explain', "
    "'worth' and 'advise' answer. To play here: 'open_game', then 'look' and 'play'. For a game "
    "that is over: 'analyse_record'. Keep the word that opening a table gave: it is the only way "
    "back to it. Probabilities are exact unless 'exact' is false; bits are expected information. "
    "An error says what was wrong, where, and what to write instead: mend that and try again."
)
_JSON: Final = "application/json"
_PAGE: Final = "text/markdown"
_KINDS: Final[Mapping[str, Kind]] = {
    "reply": "reply",
    "decision": "decision",
    "check": "check",
}
#: Texts by their addresses: name, what each is, media type.
RESOURCES: Final[Mapping[str, tuple[str, str, str]]] = {
    "sleuth://docs/contract": ("How to write a game", "The contract, with one game.", _PAGE),
    "sleuth://docs/llms.txt": ("All pages", "What there is to read, a line each.", _PAGE),
    "sleuth://schemas/reply": ("Schema of statements", "What 'said' is made of.", _JSON),
    "sleuth://schemas/decision": ("Schema of decisions", "A search's decision.", _JSON),
    "sleuth://schemas/check": ("Schema of checks", "What a check of a game says.", _JSON),
}
TEMPLATES: Final = (
    (
        "sleuth://rules/{game}", "Rules of a game",
        "The rules in short, as a player is told them.", "text/plain",
    ),
    ("sleuth://docs/{+page}", "A page", "A page of the documentation, such as games.", _PAGE),
)  # fmt: skip
_RULES: Final = "sleuth://rules/"
_DOCS: Final = "sleuth://docs/"
_LIST: Final = "llms.txt"
_SCHEMAS: Final = "sleuth://schemas/"
_OWN: Final = {"rules": "The rules of the game, or what it is called."}
_GAME: Final = {"game": "The game's name, such as clue."}
PROMPTS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "be_advised": ("Stand beside somebody who plays a real game.", _GAME),
    "play": ("Play a game here against agents.", _GAME),
    "write_game": ("Write a game of one's own, and check it.", _OWN),
}
_ADVISE: Final = """\
I play {title} with people at a real table. Stand beside me.
Call describe_game for {game}, then open_advice, and ask me for what it asks. Whenever I say what
happened, write it in the game's own lines and tell it; if a line is refused, read why and ask me
where it is my words that are unclear. After each of my lines say in one or two sentences what is
new, from the answer and nothing else. When I ask what is likely, why, or what to do, call beliefs,
explain, worth or advise, and name the numbers they give. Never tell me probabilities of your own.
"""
_PLAY: Final = """\
Play {title} here against agents, and try to win.
Call describe_game for {game}, then open_game. Before each of your moves look at the table, ask for
beliefs, and for advise or worth if you are unsure; then play one of the legal moves. When it is
over, say in three sentences how it went, and what you knew when it mattered.
"""
_WRITE: Final = """\
Write this game for sleuth, in one file that imports from sleuth alone: {rules}
Keep the contract below. When the file stands, call check_game with its name if the server allows
it (or run 'sleuth check FILE.py:GAME' in a shell), mend what is found, the first fault first, and
check again until nothing is.

{contract}
"""


def resource(uri: str) -> tuple[str, str]:
    """A text by its address, and its media type.

    Raises:
        SettingsError: There is none.
    """
    if uri.startswith(_RULES):
        found = known_entry(uri.removeprefix(_RULES))
        rules = display(found.game()).rules
        return rules or f"Nobody has written down the rules of {found.called} here.", "text/plain"
    if uri.startswith(_DOCS):
        name = uri.removeprefix(_DOCS)
        if name == _LIST:
            return (folder("docs") / _LIST).read_text("utf-8"), _PAGE
        return page(name).text, _PAGE
    if uri not in RESOURCES:
        hint = nearest(uri, [*RESOURCES, *(f"{_RULES}{each}" for each in names())])
        raise SettingsError("there is no such text", value=uri, hint=hint)
    return json.dumps(schema(_KINDS[uri.removeprefix(_SCHEMAS)])), _JSON


def prompt(name: str, arguments: Mapping[str, str]) -> str:
    """A prompt, filled in.

    Raises:
        SettingsError: There is none, or it lacks an argument.
    """
    if name not in PROMPTS:
        raise SettingsError("there is no such prompt", value=name, hint=nearest(name, PROMPTS))
    (needed,) = PROMPTS[name][1]
    if needed not in arguments:
        raise SettingsError("this is missing", where=f"{name}, argument {needed!r}")
    if name == "write_game":
        return _WRITE.format(rules=arguments[needed], contract=page("contract").text)
    found = known_entry(arguments[needed])
    text = _ADVISE if name == "be_advised" else _PLAY
    return text.format(title=found.called, game=found.name)
