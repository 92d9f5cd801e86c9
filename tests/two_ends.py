"""How the processes of a run share the tests: file by file, from both ends of a row.

From an empty cache most of the time goes to compiling kernels. Most of them are a game's, or a
room's, and a process loads what another one has compiled before. So the files about one game stand
beside each other in a row, one half of the processes takes the first file that is left, and the
other half the last one. A file's tests stay in one process, which makes what they share only once.
"""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadScopeScheduling

#: Words in the path of a file. The first that is found counts: games come before rooms.
WORDS = ("clue", "cheat", "scotland_yard", "beliefs", "planners", "models", "training", "data")
#: The row: what compiles most stands at its ends, what is short in the middle.
ROW = ("clue", "beliefs", "cheat", "training", "", "data", "models", "planners", "scotland_yard")


def place(path: str) -> int:
    """Where in the row a file stands; ``path`` begins below the folder of all tests."""
    return ROW.index(next((word for word in WORDS if word in path), ""))


class FromBothEnds(LoadScopeScheduling):
    """Hands whole files to the processes: the first to every other one, the last to the rest."""

    def __init__(self, config: Any, log: Any = None) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        # Files of no room run what has nothing to do with each other: pages, programs.
        return nodeid if path.count("/") == 1 else path

    def _assign_work_unit(self, node: Any) -> None:
        if self.nodes.index(node) % 2:
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)
