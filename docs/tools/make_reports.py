"""The gallery: docs/gallery.md, and the reports that the site has beside it.

Run ``python docs/tools/make_reports.py`` after a picture or a command has changed. `make_site` lets
the commands of the page make its reports, so that what the site shows is what they do today.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sleuth.kit import main as sleuth

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "gallery.md"
ABOUT: Final = """\
Pictures of what the commands make. Each leads to the page that explains it, and the commands below
it make the same from the files of the repository. A report is one file of HTML that needs nothing
else; the site has them beside these pictures, made by these commands when it was built."""
#: Where the site says that a report can be opened.
MARK: Final = "<!-- report: {} -->"
MARKED: Final = re.compile(r"<!-- report: (\S+) -->")


@dataclass(frozen=True)
class Exhibit:
    """A picture, what it shows, and how it is made.

    Attributes:
        title: Of its part of the gallery.
        says: What one sees.
        picture: Its file in docs/pictures.
        commands: What makes the report; the last one names its file. Programs are shown only.
        page: The page about it, and what that is called.
        report: The file that the commands write; empty where they write none.
    """

    title: str
    says: str
    picture: str
    commands: str
    page: tuple[str, str]
    report: str = ""


EXHIBITS: Final = (
    Exhibit(
        "A game of Clue",
        "How much every event told about the case file, and who can have which card.",
        "report.png",
        "sleuth analyse data/clue/games/neller_main.json --html clue.html",
        ("analysing.md", "analysing a recorded game"),
        "clue.html",
    ),
    Exhibit(
        "The notebook of a player",
        "What is certain, and how likely the rest is, in the middle of the same game.",
        "notebook.png",
        "sleuth analyse data/clue/games/neller_main.json --html clue.html",
        ("clue/index.md", "Clue"),
    ),
    Exhibit(
        "Where could Mr. X be?",
        "A spot on every station where Mr. X could be, the larger the likelier.",
        "hunt.png",
        "sleuth analyse data/scotland_yard/games/agents_escape.json --html hunt.html",
        ("scotland_yard/hunting.md", "a hunt, analysed"),
        "hunt.html",
    ),
    Exhibit(
        "Which claims could be believed?",
        "Every claim of a game of Cheat: how true by counting cards, and how true by a predictor.",
        "claims.png",
        "sleuth analyse data/cheat/example.jsonl --game 2 --html claims.html",
        ("cheat/analysis.md", "a game of Cheat, analysed"),
        "claims.html",
    ),
    Exhibit(
        "Who digs for whom?",
        "A mine of Saboteur at the end of a round between five agents.",
        "mine.png",
        "sleuth match saboteur --agents dwarf dwarf dwarf dwarf dwarf --games 1 --seed 12 "
        "--records rounds\n"
        "sleuth analyse rounds/saboteur-00001.json --agent none --html mine.html",
        ("saboteur/index.md", "Saboteur"),
        "mine.html",
    ),
    Exhibit(
        "A way through the house",
        "What each room of Clue is worth, and where to step with each roll.",
        "walk.png",
        "sleuth match clue --agents mcts:simulations=300 mcts:simulations=300 mcts:simulations=300 "
        "--games 1 --seed 2 --records walks\n"
        "sleuth analyse walks/clue-00001.json --html walk.html",
        ("clue/treasure-hunt.md", "which room next"),
    ),
    Exhibit(
        "Any game: phantom tic-tac-toe",
        "The report that every game gets which has rules and a belief.",
        "phantom.png",
        "sleuth match phantom-tic-tac-toe --agents mcts:simulations=300 mcts:simulations=300 "
        "--games 1 --seed 3 --records phantoms\n"
        "sleuth analyse phantoms/phantom_tic_tac_toe-00001.json --html phantom.html",
        ("analysing.md", "analysing a recorded game"),
        "phantom.html",
    ),
    Exhibit(
        "A game of the shelf: Hanabi",
        "Hints, and what they say of cards that their owner does not see.",
        "shelf_hanabi.png",
        "sleuth match hanabi --agents random random --games 1 --seed 3 --records fireworks\n"
        "sleuth analyse fireworks/hanabi-00001.json --agent none --html hanabi.html",
        ("shelf/hanabi.md", "Hanabi"),
        "hanabi.html",
    ),
    Exhibit(
        "A fleet: Battleship",
        "How likely a ship lies on each square, after every shot.",
        "shelf_battleship.png",
        "sleuth match battleship --agents random random --games 1 --seed 3 --records fleets\n"
        "sleuth analyse fleets/battleship-00001.json --agent none --html battleship.html",
        ("shelf/battleship.md", "Battleship"),
        "battleship.html",
    ),
    Exhibit(
        "What was learned, judged",
        "A predictor of claims in Cheat: scores on people whom it has never met, and whether a "
        "claim that it believes to 70 % is true 70 % of the time.",
        "claims.png",
        "sleuth train cheat --simulate 4 --models logistic --seed 1 --out predictor",
        ("training.md", "training"),
        "predictor.report.html",
    ),
    Exhibit(
        "On phones",
        "Be advised beside a real game, watch, play, or let a class guess.",
        "table.png",
        "sleuth table --network",
        ("table.md", "the table in the browser"),
    ),
    Exhibit(
        "What moved a belief",
        "How far each event of a game of Clue moved the belief in the true case file.",
        "influence.png",
        "python docs/tools/make_pictures.py tree",
        ("beliefs/declaring.md", "declaring a game"),
    ),
    Exhibit(
        "A search tree",
        "What a player of Leduc poker who holds a jack has looked at.",
        "search_tree.png",
        "python docs/tools/make_pictures.py tree",
        ("search/tree.md", "the tree of a search"),
    ),
    Exhibit(
        "Who knows what",
        "What the players of Kuhn poker hold possible, before anybody bets.",
        "kripke_kuhn.png",
        "python docs/tools/make_pictures.py tree",
        ("beliefs/nested-beliefs.md", "what others believe"),
    ),
    Exhibit(
        "Is what is given 30 % true 30 % of the time?",
        "The belief about Clue over many simulated games.",
        "clue_calibration.png",
        "python -m benchmarks.clue.calibration",
        ("results/clue_calibration.md", "the results"),
    ),
)


def page() -> str:
    """The gallery."""
    parts = ["# Gallery", ABOUT]
    for each in EXHIBITS:
        target, called = each.page
        parts += [
            f"## {each.title}",
            f"{each.says} Read on: [{called}]({target}).",
            f"![{each.title}](pictures/{each.picture})",
            f"```bash\n{each.commands}\n```",
        ]
        if each.report:
            parts.append(MARK.format(each.report))
    return "\n\n".join(parts) + "\n"


def with_reports(text: str) -> str:
    """The gallery as the site has it: its reports can be opened."""
    return MARKED.sub(r"[Open this report](reports/\1){ .md-button }", text)


@contextlib.contextmanager
def folder_with_data() -> Iterator[Path]:
    """An empty folder for commands, in which the records of the repository are found."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "data").symlink_to(ROOT / "data")
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def write(target: Path) -> None:
    """Let the commands of the gallery make its reports.

    Raises:
        SystemExit: A command fails, or does not write the report that the gallery says.
    """
    target.mkdir(parents=True, exist_ok=True)
    with folder_with_data() as folder:
        for each in EXHIBITS:
            if not each.report:
                continue
            for command in each.commands.splitlines():
                said, wrong = io.StringIO(), io.StringIO()
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(wrong):
                    code = sleuth(shlex.split(command)[1:])
                if code:
                    sys.exit(f"{command}: {wrong.getvalue()}")
            if not (folder / each.report).is_file():
                sys.exit(f"the commands of {each.title!r} have not written {each.report}")
            (target / each.report).write_bytes((folder / each.report).read_bytes())


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
