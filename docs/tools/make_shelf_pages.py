"""Makes a page for every game of the shelf, all alike: docs/shelf/*.md, and their table.

Run ``python docs/tools/make_shelf_pages.py`` after a game, its words or its numbers have changed;
``--pictures [GAME ...]`` makes their pictures, too, where chromium or chrome is installed. The
numbers are those of ``python -m benchmarks.shelf --write``.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
import textwrap
from dataclasses import dataclass, field
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

import numpy as np

import sleuth
from sleuth import Play
from sleuth.kit import GAMES, display

DOCS = Path(__file__).parents[1]
PAGES = DOCS / "shelf"
NUMBERS = DOCS / "results" / "shelf.json"
ABOUT = (
    "Games that people know, and that researchers use. Each is one file with its rules, its "
    "belief, its words and an entry, and it imports nothing but what `import sleuth` and its pages "
    "give, as a file of yours would: see [a game of your own](../your-own-game.md). So each can "
    "be copied and changed. They are known by name to every command, such as `sleuth play`, "
    "`sleuth match`, `sleuth analyse`, `sleuth check` and `sleuth table`."
)
MEASURED = (
    "Exact are the answers at every moment of a few random games with the usual settings, with the "
    "eyes of every player and of somebody who looks on. The seconds are those of a processor, with "
    "kernels that were compiled before. `python -m benchmarks.shelf` measures it all."
)


@dataclass(frozen=True)
class Moment:
    """A moment of a game with random moves, of which the example and the picture of a page are.

    Attributes:
        seed: Of the deal and of the moves.
        moves: The number of moves until then. The picture is of the whole game.
        viewer: Whose eyes.
        sections: The sections of the report that the picture shows.
        settings: Of the game.
    """

    seed: int = 1
    moves: int = 4
    viewer: int = 0
    sections: tuple[int, ...] = (1, 2, 3)
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def play(self, name: str, moves: int | None = None) -> Play:
        """The game so far, or to its end."""
        play = Play.new(sleuth.game(name, **self.settings), seed=self.seed)
        rng = np.random.default_rng(self.seed)
        while not play.over and (moves is None or len(play.actions) < moves):
            play.apply(int(rng.choice(play.legal())))
        return play


#: The moments of games that have a better one than the usual.
MOMENTS: dict[str, Moment] = {
    "goofspiel": Moment(seed=2, moves=6),
    "hanabi": Moment(seed=155, moves=12),
    "battleship": Moment(seed=1, moves=20),
    "mini_stratego": Moment(seed=6, moves=14),
    "the_resistance": Moment(seed=38, moves=17),
    "love_letter": Moment(seed=4, moves=7),
    "liars_dice_for_many": Moment(seed=3, moves=4, settings={"players": 3, "dice": 3}),
    "cockroach_poker": Moment(seed=0, moves=13, settings={"players": 3, "kinds": 5, "copies": 6}),
}


def names() -> list[str]:
    """The games of the shelf, in the order of their titles."""
    found = [name for name, each in GAMES.items() if str(each.rules).startswith("shelf.")]
    return sorted(found, key=lambda name: GAMES[name].called)


def example(name: str) -> str:
    """A program that asks the belief of a game at a moment."""
    moment = MOMENTS.get(name, Moment())
    settings = "".join(f", {key}={value!r}" for key, value in moment.settings.items())
    made = f'sleuth.game("{name}"{settings})' if settings else f'"{name}"'
    return f"""import sleuth
from sleuth.kit import Sight, display

play = sleuth.Play.new({made}, seed={moment.seed})
for action in {moment.play(name, moment.moves).actions}:
    play.apply(action)
viewer, words = {moment.viewer}, display(play.game)
print(*words.happened(Sight.of(play, viewer, (viewer,)), 0), sep="\\n")

belief, view = sleuth.belief(play.game), play.view(viewer)
posterior = belief.infer(view, play.seen_by(viewer))
print("by", posterior.method, "and exact" if posterior.exact else "and about right")
for name, feature in belief.hidden(view).items():
    likely = sorted(posterior.marginal(feature).items(), key=lambda pair: -round(pair[1], 9))[:3]
    print(name, {{words.value_name(feature, value): round(chance, 3) for value, chance in likely}})
"""


def printed(program: str) -> str:
    """All that a program prints."""
    found = io.StringIO()
    with contextlib.redirect_stdout(found):
        exec(compile(program, "example", "exec"), {})
    return found.getvalue()


def paragraphs(text: str | None) -> list[str]:
    """The paragraphs of a docstring, each on one line."""
    return [
        " ".join(part.split()) for part in cleandoc(text or "").replace("``", "`").split("\n\n")
    ]


def wrapped(text: str) -> str:
    """Text in lines of a page."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def page_of(name: str) -> str:
    """The page of a game."""
    own, numbers = import_module(f"sleuth.shelf.{name}"), json.loads(NUMBERS.read_text("utf-8"))
    game, words, found = sleuth.game(name), display(sleuth.game(name)), numbers[name]
    about, *more = paragraphs(own.__doc__)
    settings = [f"`{key}={value}`" for key, value in game.settings.items()]
    program = example(name)
    exact = "The answers are exact." if found["exact"] else "Not all of the answers are exact."
    parts = [
        f"# {words.title}",
        about,
        "## Rules",
        " ".join([words.rules, words.writing]),
        *more,
        f"Settings, with their usual values: {', '.join(settings)}." if settings else "",
        "## The belief",
        *paragraphs(sleuth.belief(name).__doc__),
        f"The engine is {' or '.join(f'`{each}`' for each in found['engines'])}. {exact}",
    ]
    sizes = [
        ("lines of the file", f"{found['lines']}"),
        ("players", f"{found['players']}"),
        ("actions", f"{found['actions']:,}"),
        ("bytes of a state", f"{found['state_bytes']:,}"),
        ("moves of a random game", f"{found['moves']:.1f}"),
        ("milliseconds of a belief, half of all moments", f"{found['belief_ms']:.1f}"),
        ("milliseconds of the slowest", f"{found['slowest_ms']:.1f}"),
        *[
            (f"seconds of `{check}`", f"{found[f'{check}_seconds']:.1f}")
            for check in ("check_game", "check_belief")
            if f"{check}_seconds" in found
        ],
    ]
    return (
        "\n\n".join(
            [
                *(each if each.startswith("#") else wrapped(each) for each in parts if each),
                "This is what a player could know in the middle of a game with random moves:",
                f"```python\n{program}```",
                f"```output\n{printed(program)}```",
                "The same game to its end, analysed as `sleuth analyse GAME.json` does it:",
                f"![What a player could have known](../pictures/shelf_{name}.png)",
                "## In numbers",
                "| | |\n|---|---|\n"
                + "\n".join(f"| {what} | {number} |" for what, number in sizes),
                "## Play it",
                f"```bash\nsleuth play {dashed(name)}\n"
                f"sleuth match {dashed(name)} --agents mcts{' random' * (found['players'] - 1)} "
                "--games 20\n```",
                "[All games of the shelf](index.md)",
            ]
        )
        + "\n"
    )


def dashed(name: str) -> str:
    """The name of a game on the command line."""
    return name.replace("_", "-")


def seconds(found: dict[str, Any], check: str) -> str:
    """The seconds of a check; a dash where nobody has measured them."""
    return f"{found[f'{check}_seconds']:.1f}" if f"{check}_seconds" in found else "-"


def index() -> str:
    """The page with the table of all games."""
    numbers = json.loads(NUMBERS.read_text("utf-8"))
    rows = [
        f"| [{GAMES[name].called}]({name}.md) | {found['players']} | {found['lines']} | "
        f"{found['actions']:,} | {'yes' if found['exact'] else 'no'} | "
        f"{', '.join(f'`{each}`' for each in found['engines'])} | "
        f"{seconds(found, 'check_game')} | {seconds(found, 'check_belief')} |"
        for name in names()
        if name in numbers
        for found in [numbers[name]]
    ]
    return f"""# A shelf of small games

{wrapped(ABOUT)}

| game | players | lines | actions | exact | engine | `check_game`, s | `check_belief`, s |
|---|---|---|---|---|---|---|---|
{chr(10).join(rows)}

{wrapped(MEASURED)}
"""


def photograph_all(wanted: list[str]) -> None:
    """The pictures of games, or of all."""
    from make_pictures import BROWSERS, photograph

    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"a browser is needed: one of {', '.join(BROWSERS)}")
    for name in wanted or names():
        moment = MOMENTS.get(name, Moment())
        play = moment.play(name)
        viewer = play.game.roles[moment.viewer]
        page = sleuth.analyse(play.record(), observer=viewer, agent="none").html()
        shown = ", ".join(f"section:nth-of-type({number})" for number in moment.sections)
        style = f"<style>footer, section {{ display: none }} {shown} {{ display: block }}</style>"
        target = DOCS / "pictures" / f"shelf_{name}.png"
        photograph(browser, page.replace("</head>", f"{style}</head>"), target)
        print(target)


def made() -> dict[str, str]:
    """All pages, by the names of their files."""
    measured = json.loads(NUMBERS.read_text("utf-8"))
    return {f"{name}.md": page_of(name) for name in names() if name in measured} | {
        "index.md": index()
    }


def main() -> None:
    """Write the pages; and make the pictures that are asked for."""
    PAGES.mkdir(exist_ok=True)
    for file, page in made().items():
        (PAGES / file).write_text(page, "utf-8")
    if sys.argv[1:2] == ["--pictures"]:
        photograph_all(sys.argv[2:])


if __name__ == "__main__":
    main()
