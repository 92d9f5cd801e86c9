"""Agents that people choose among, in words: those that anybody can choose first."""

from __future__ import annotations

from typing import Final

from ....models.game import Game
from ....planners.agents import agents_of
from . import texts

#: How long an agent thinks about a move, unless somebody says.
SECONDS: Final = "seconds=0.5"
OPPONENT: Final = f"mcts:{SECONDS}"
#: Agents that have words instead of a name, the first choices first: text -> words.
WORDS: Final = {
    "mcts:seconds=3": texts.GOOD_AGENT,
    OPPONENT: texts.QUICK_AGENT,
    "random": texts.AT_RANDOM,
}


def offered_agents(game: Game) -> dict[str, str]:
    """Agents that can be chosen, with the words for each; those that search for a short time."""
    found = dict(WORDS)
    for name, kind in agents_of(game).items():
        if kind.runs:
            continue  # see `asked_agent`
        text = f"{name}:{SECONDS}" if "seconds" in kind.types else name
        found.setdefault(text, f"{name}: {kind.says}")
    return found


def agent_words(text: str) -> str:
    """The words for an agent that plays."""
    return WORDS.get(text, text)
