"""The parts of the page about assistants that sleuth itself says: its tools, and a dialogue.

python docs/tools/make_assistants.py          writes them into docs/assistants.md
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from sleuth.apps.serving.desk import Desk
from sleuth.apps.serving.listing import arguments_in_words
from sleuth.apps.serving.paging import in_words
from sleuth.apps.serving.tools import TOOLS, tool_of
from sleuth.apps.table.sitting import Job
from sleuth.apps.table.web.workers import Workers
from sleuth.errors import SleuthError

PAGE = Path(__file__).resolve().parents[1] / "assistants.md"
#: What stands for the word of a table, which is another each time.
TABLE = "tUv3wXyZ"
ADVISED: list[tuple[str, dict[str, Any]]] = [
    ("open_advice", {"game": "clue"}),
    ("tell", {"lines": ["Ada Bob Cleo", "Ada", "green rope hall study lounge library"]}),
    ("tell", {"lines": ["plum knife kitchen bob plum", "bob white rope ballroom cleo"]}),
    ("tell", {"lines": ["cleo mustard wrench kichen bob"]}),
    ("tell", {"lines": ["cleo mustard revolver ballroom nobody"]}),
    ("beliefs", {"names": ["mustard", "ballroom"]}),
    ("explain", {"name": "plum"}),
    ("advise", {}),
    ("undo", {}),
]


class HereWorkers(Workers):
    """They work in this process."""

    async def run(self, job: Job, *, urgency: int = 0, seconds: float | None = None) -> Any:
        return job.make(*job.arguments)


def table() -> str:
    """The tools, a row each."""
    brackets = str.maketrans("[]", "()")
    rows = [
        f"| `{each.name}` | {arguments_in_words(each).translate(brackets)} | {each.says} |"
        for each in TOOLS
    ]
    return "\n".join(["| tool | arguments | what it does |", "|---|---|---|", *rows])


async def _dialogue() -> str:
    desk, word, said = Desk(workers=HereWorkers(1), seed=1), "", list[str]()
    for name, given in ADVISED:
        arguments = given if "game" in given else {"table": word, **given}
        shown = json.dumps(arguments, ensure_ascii=False).replace(word or "\0", TABLE)
        try:
            form = await tool_of(name).call(desk, arguments)
            word = word or form.table
            answer = in_words(form)
        except SleuthError as error:
            answer = f"Error: {error}"
        said.append(f"> {name} {shown}\n{answer.replace(word, TABLE)}")
    desk.close()
    return "```text\n" + "\n\n".join(said) + "\n```"


def dialogue() -> str:
    """Some calls, each with what it answers."""
    return re.sub(r"[ \t]+$", "", asyncio.run(_dialogue()), flags=re.MULTILINE)


def made(page: str) -> str:
    """A page with these parts as they are now."""
    for name, make in (("tools", table), ("dialogue", dialogue)):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n{make()}\n\n{end}{rest.split(end)[1]}"
    return page


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text("utf-8")), "utf-8")
