"""An agent's policy written down: what it does at every information set of a small game.

An agent that searches takes milliseconds to seconds for a decision, so a table of thousands grows
in a file from which an interrupted run goes on. What comes out is a policy for `exploitability`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.version import version
from ..models.play import Play
from .agent_names import Contestant
from .agents import Agent, seed_of
from .decision import Decision
from .exploitability import GameTree, InformationSet, Policy
from .growing_file import GrowingFile

#: Said about a search's policy: actions as often as it visited them, or always the chosen one.
VISITS: Final = "visits"
CHOICE: Final = "choice"


@dataclass(frozen=True)
class Tabulated:
    """What an agent does at every information set.

    Attributes:
        visits: Actions as often as its search visited them; None for an agent without a search.
        choice: Always the action that it takes.
    """

    visits: Policy | None
    choice: Policy

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Both, by their names."""
        found: dict[str, Policy] = {} if self.visits is None else {VISITS: self.visits}
        return found | {CHOICE: self.choice}


def tabulate(
    tree: GameTree,
    contestant: Contestant,
    *,
    seed: int = 0,
    out: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tabulated:
    """Ask an agent at every information set what it does there.

    Each information set has a seed of its own, so the table is the same however often it was
    interrupted, unless the agent's budget is in seconds.

    Args:
        tree: The game, written out.
        contestant: The agent, as a match takes it.
        seed: Of the agents.
        out: Keep what is known in this file, a line for each information set; a run that was
            interrupted goes on from there.
        progress: Told how many are done and how many there are.

    Raises:
        SettingsError: The agent cannot play the game, or the file is of another table.
        RecordError: A line in the middle of the file cannot be read.
    """
    file = None if out is None else _Table(Path(out), _header(tree, contestant, seed))
    known = {} if file is None else file.entries
    total = len(tree.information_sets)
    maker = contestant.prepare(tree.game) if len(known) < total else None
    for each in tree.information_sets:
        if each.index in known:
            continue
        assert maker is not None
        known[each.index] = _ask(tree, each, maker(seed_of(seed, each.index)), contestant.text)
        if file is not None:
            file.add(each.index, known[each.index])
        if progress is not None:
            progress(len(known), total)
    if file is not None:
        file.close()
    searched = all("visits" in entry for entry in known.values())
    return Tabulated(
        visits=tree.policy(lambda each: _shares(known[each.index])) if searched else None,
        choice=tree.policy(lambda each: np.array(each.actions) == known[each.index]["action"]),
    )


def _ask(tree: GameTree, known: InformationSet, agent: Agent, text: str) -> dict[str, Any]:
    if len(known.actions) == 1:
        return {"action": known.actions[0], "visits": [1]}
    play = Play.new(tree.game, seed=0, start=known.start)
    for action in known.played:
        play.apply(action)
    view, seen = play.view(known.player), play.seen_by(known.player)
    deciding: Callable[..., Decision] | None = getattr(agent, "decision", None)
    if deciding is None:
        action = int(agent.decide(view, seen))
        visits = None
    else:
        decision = deciding(view, seen)
        action = int(decision.action)
        reports = {report.action: report.visits for report in decision.actions}
        visits = [reports.get(each, 0) for each in known.actions]
    if action not in known.actions:
        raise SettingsError("the agent did what it may not", where=f"agent {text!r}", value=action)
    return {"action": action} | ({"visits": visits} if visits and sum(visits) else {})


def _shares(entry: Mapping[str, Any]) -> NDArray[np.float64]:
    return np.array(entry["visits"], dtype=float)


def _header(tree: GameTree, contestant: Contestant, seed: int) -> dict[str, Any]:
    return {
        "table": 1,
        "game": tree.game.name,
        "game_version": tree.game.version,
        "settings": dict(tree.game.settings),
        "agent": contestant.text,
        "information_sets": len(tree.information_sets),
        "seed": seed,
        "version": version(),
    }


class _Table(GrowingFile):
    """What is known already, by the number of an information set."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.entries: dict[int, dict[str, Any]] = {}
        super().__init__(path, header)

    def add(self, index: int, entry: Mapping[str, Any]) -> None:
        self.write({"set": index, **entry})

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if found != header:
            raise SettingsError(
                "this file is of another table, or of something else",
                value=str(self.path),
                hint="name another file",
            )

    def take(self, value: Any) -> None:
        index, action = int(value["set"]), int(value["action"])
        visits = {"visits": value["visits"]} if "visits" in value else {}
        self.entries[index] = {"action": action, **visits}

    def refusal(self) -> tuple[str, str]:
        return "this is no entry of a table", "delete the line, and it is asked for again"
