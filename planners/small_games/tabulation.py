"""An agent's policy written down: what it does at every information set of a small game.

An agent that searches takes milliseconds to seconds for a decision, so a table of thousands grows
in a file from which an interrupted run goes on. What comes out is a policy for `exploitability`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...data.disk.growing import GrowingFile, same_values
from ...data.disk.json_text import Fields
from ...data.errors import RecordError, SettingsError
from ...data.progress import Tell, silent
from ...data.version import version
from ...models.kernels.compiling import waiting
from ..agents import Agent, Contestant, Valuing, seed_of
from ..matches.contents import changed, field_of
from .exploitability import GameTree, Policy
from .written_tree import InformationSet

#: Said about a search's policy: the one that it draws from, actions as often as it visited them,
#: or always the chosen one.
MIXED: Final = "mixed"
VISITS: Final = "visits"
CHOICE: Final = "choice"
#: More than any search makes; sums of so many are exact.
_MOST_VISITS: Final = 2**52
#: How far probabilities in a file may be from adding up to 1.
_CLOSE: Final = 1e-6


@dataclass(frozen=True)
class Tabulation:
    """An agent's policy at every information set.

    Attributes:
        visits: Actions as often as its search visited them; None for an agent without a search.
        choice: Always the action that it takes.
        mixed: What it draws its actions from; None for an agent that takes what is best.
    """

    visits: Policy | None
    choice: Policy
    mixed: Policy | None = None

    @property
    def policies(self) -> Mapping[str, Policy]:
        """All that there are, by their names; the first is how the agent plays, if it says that."""
        found = {MIXED: self.mixed, VISITS: self.visits, CHOICE: self.choice}
        return {name: policy for name, policy in found.items() if policy is not None}


@waiting()
def tabulate(
    tree: GameTree,
    contestant: Contestant,
    *,
    seed: int = 0,
    out: str | Path | None = None,
    progress: Tell = silent,
) -> Tabulation:
    """Ask an agent at every information set what it does there.

    Each information set has a seed of its own, so the table is the same however often it was
    interrupted, unless the agent's budget is in seconds.

    Args:
        tree: The game, written out.
        contestant: The agent, as a match takes it.
        seed: Of the agents.
        out: Keep what is known in this file, a line for each information set; a run that was
            interrupted goes on from there.
        progress: Told after every information set.

    Raises:
        SettingsError: The agent cannot play the game, its mixed policy is none, or the file is of
            another table, or another process is writing to it.
        RecordError: A line of the file is no entry of this table.

    >>> from sleuth.agents import parse_agent
    >>> from sleuth.equilibria import GameTree, tabulate
    >>> tree = GameTree("kuhn_poker")
    >>> found = tabulate(tree, parse_agent("mcts:simulations=20"), seed=1)
    >>> sorted(found.policies)
    ['choice', 'visits']
    """
    file = None if out is None else _Table(Path(out), _header(tree, contestant, seed), tree)
    known = {} if file is None else file.entries
    total = len(tree.information_sets)
    with file or nullcontext():
        maker = contestant.prepare(tree.game) if len(known) < total else None
        for each in tree.information_sets:
            if each.index in known:
                continue
            assert maker is not None
            known[each.index] = _ask(tree, each, maker(seed_of(seed, each.index)), contestant.text)
            if file is not None:
                file.add(each.index, known[each.index])
            progress("asking the agent", len(known), total)
    searched = all("visits" in entry for entry in known.values())
    choices = [each.index for each in tree.information_sets if len(each.actions) > 1]
    mixes = bool(choices) and all("policy" in known[index] for index in choices)
    return Tabulation(
        visits=tree.policy(lambda each: known[each.index]["visits"]) if searched else None,
        choice=tree.policy(lambda each: np.array(each.actions) == known[each.index]["action"]),
        mixed=tree.policy(lambda each: known[each.index].get("policy", [1.0])) if mixes else None,
    )


def _ask(tree: GameTree, known: InformationSet, agent: Agent, text: str) -> dict[str, Any]:
    if len(known.actions) == 1:
        return {"action": known.actions[0], "visits": [1]}
    play = tree.play_to(known)
    view, seen = play.view(known.player), play.seen_by(known.player)
    found: dict[str, Any] = {}
    if not isinstance(agent, Valuing):
        action = int(agent.decide(view, seen))
    else:
        decision = agent.decision(view, seen)
        action = int(decision.action)
        reports = {report.action: report.visits for report in decision.actions}
        visits = [reports.get(each, 0) for each in known.actions]
        found |= {"visits": visits} if sum(visits) else {}
        if decision.policy is not None:
            found["policy"] = [float(decision.policy.get(each, 0.0)) for each in known.actions]
            tree.check_shares(known, found["policy"])
    if action not in known.actions:
        raise SettingsError(
            "the agent took an illegal action", where=f"agent {text!r}", value=action
        )
    return {"action": action} | found


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
        **field_of(tree.game, contestant),
    }


class _Table(GrowingFile):
    """The policy known already, by the number of an information set."""

    def __init__(self, path: Path, header: Mapping[str, Any], tree: GameTree) -> None:
        self.entries: dict[int, dict[str, Any]] = {}
        self._sets = tree.information_sets
        super().__init__(path, header)

    def add(self, index: int, entry: Mapping[str, Any]) -> None:
        self.write({"set": index, **entry})

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if not same_values(found, header):
            changes = changed(found, header)
            raise SettingsError(
                "this file is of another table"
                + (f": {changes}" if changes else ", or of something else"),
                value=str(self.path),
                hint="name another file",
            )

    def take(self, value: object) -> None:
        optional = ("visits", "policy")
        fields = Fields(value, ("set", "action", *optional), optional=optional)
        index = fields.whole("set", most=len(self._sets) - 1)
        actions = self._sets[index].actions
        entry: dict[str, Any] = {"action": fields.whole("action")}
        if entry["action"] not in actions:
            raise RecordError(
                f"there is no such action in information set {index}",
                where="field 'action'",
                value=entry["action"],
            )
        if "visits" in fields:
            visits = fields.wholes("visits", count=len(actions), most=_MOST_VISITS)
            if not sum(visits):
                raise RecordError(
                    "a search visits some action", where="field 'visits'", value=list(visits)
                )
            entry["visits"] = list(visits)
        if "policy" in fields:
            shares = fields.numbers("policy", count=len(actions), least=0.0, most=1.0)
            if not math.isclose(sum(shares), 1.0, abs_tol=_CLOSE):
                raise RecordError(
                    "probabilities add up to 1", where="field 'policy'", value=list(shares)
                )
            entry["policy"] = list(shares)
        if self.entries.setdefault(index, entry) != entry:
            raise RecordError("another entry has this number", where="field 'set'", value=index)

    def refusal(self) -> tuple[str, str]:
        return "this is no entry of a table", "delete the line, and it is asked for again"
