"""The words of an agent that gives a hint: what it would do, and a search's reasons and doubts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...planners.agents import Agent, NamedAgent, SearchAgent, Valuing
from ...planners.search.decision import ActionReport, Decision
from ..kit.answers.text import sentence
from ..kit.display import Display, Sight
from ..kit.number_words import percent

#: Actions that a hint names.
ADVISED: Final = 3
#: Bits by which gains do not differ.
ALIKE: Final = 1e-9


def called(named: NamedAgent, asked: str) -> str:
    """The words for an agent that gives hints: all that was asked for, else its name alone."""
    return named.text if asked else named.name


def hint(agent: Agent, name: str, sight: Sight, display: Display) -> str:
    """A sentence on what an agent would do that knows what the person knows, and why.

    Args:
        agent: The agent.
        name: What it is called.
        sight: What the person knows.
        display: The game's words.

    Raises:
        KeyboardInterrupt: Ctrl-C while it searched.
    """
    names = display.said_names(sight.view)
    if isinstance(agent, Valuing) and len(names) > 1:
        decision = agent.decision(sight.view, sight.seen)
        if decision.interrupted:
            raise KeyboardInterrupt
        action, more = decision.action, ""
        if mixed := decision.mixture(names):
            more = f". It {mixed}"
        elif isinstance(agent, SearchAgent):
            more = reasons(agent, decision, names, display)
    else:
        action, more = int(agent.decide(sight.view, sight.seen)), ""
    chosen = names.get(action, display.game.action_name(action))
    return f"{name} would choose: {chosen}{more}."


def reasons(
    agent: SearchAgent, decision: Decision, names: Mapping[int, str], display: Display
) -> str:
    """The counts of the best actions, the reason for one of them, and what is in doubt.

    Sentences to be said behind the chosen action, each begun with a full stop; none at the end.
    """
    total = sum(each.visits for each in decision.actions)
    if not total:
        return ""
    named = [each for each in decision.actions[:ADVISED] if each.visits]
    by_result = agent.determines or agent.search.options.trees > 0
    if not by_result:
        named.sort(key=lambda each: -each.visits)
    # What is learned counts where it adds to a value; what the others learn takes away from it.
    weighs = any(each.visits and each.score > each.value for each in decision.actions)
    listed = [
        f"{percent(each.visits / total)} % of its simulations on "
        f"{names.get(each.action, each.name)}{_beside(each, display, weighs=weighs)}"
        for each in named
    ]
    said = [f"Its search spent {', '.join(listed)}"]
    if weighs:
        said.append("It weighs what an action tells (in bits) as well as what it leads to")
    if by_result:
        said.append("It ranks actions by how they turned out, not by how often it tried them")
    elif named[0].action != decision.action:
        said.append(f"Among those it cannot tell apart it takes {_taken(decision, weighs=weighs)}")
    if doubt := decision.doubt(names):
        said.append(sentence(doubt)[:-1])
    return "".join(f". {part}" for part in said)


def _beside(report: ActionReport, display: Display, *, weighs: bool) -> str:
    """The words on an action in brackets."""
    told = f"{report.gain:.2f} bits" if weighs and report.gain is not None else ""
    parts = [part for part in (display.expected(report.value), told) if part]
    return f" ({', '.join(parts)})" if parts else ""


def _taken(decision: Decision, *, weighs: bool) -> str:
    """The action taken of those that cannot be told apart."""
    gains = decision.gains
    own = gains.get(decision.action)
    others = [gains.get(rival, 0.0) for rival in decision.rivals]
    if not weighs or own is None or own < max(others, default=0.0) - ALIKE:
        return "the one that was most promising beforehand"
    alike = sum(own - other <= ALIKE for other in others)
    return "one of those that tell most" if alike else "the one that tells most"
