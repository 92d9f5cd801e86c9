"""Makes a page for every game, all alike, and the tables that lead to them.

Those of the shelf are in docs/shelf, the others in docs/games. Run ``python
docs/tools/make_game_pages.py`` after a game, its words or its numbers have changed; ``--pictures
[GAME ...]`` makes the pictures of the shelf, too, where chromium or chrome is installed. What was
measured is of ``python -m benchmarks.shelf --write``.
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
from sleuth.kit import GAMES, StateField, display

DOCS = Path(__file__).parents[1]
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
        avoids: The first word of moves that nobody makes.
        settings: Of the game.
    """

    seed: int = 1
    moves: int = 4
    viewer: int = 0
    sections: tuple[int, ...] = (1, 2, 3)
    avoids: str = ""
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def play(self, name: str, moves: int | None = None) -> Play:
        """The game so far, or to its end."""
        play = Play.new(sleuth.game(name, **self.settings), seed=self.seed)
        rng = np.random.default_rng(self.seed)
        while not play.over and (moves is None or len(play.actions) < moves):
            legal = [
                int(each)
                for each in play.legal()
                if not self.avoids or play.game.action_name(int(each)).split()[0] != self.avoids
            ]
            play.apply(int(rng.choice(legal)))
        return play


@dataclass(frozen=True)
class Told:
    """What the files of a game do not say for readers.

    Attributes:
        about: What kind of game it is, and where its rules are from.
        hidden: What its players do not see; empty where its belief says it for readers.
        pages: Pages that say more, and what they are called, by their files.
    """

    about: str
    hidden: str = ""
    pages: dict[str, str] = field(default_factory=dict[str, str])


#: The moments of games that have a better one than the usual.
MOMENTS: dict[str, Moment] = {
    "cheat": Moment(settings={"ranks": 6, "suits": 3, "hand": 5}),
    "cheat_for_many": Moment(moves=6, settings={"players": 3, "ranks": 4, "suits": 3}),
    "clue": Moment(seed=2, moves=11, avoids="accuse"),
    "clue_table": Moment(seed=2, moves=17, avoids="accuse"),
    "kuhn_poker": Moment(seed=2, moves=2),
    "phantom_tic_tac_toe": Moment(seed=2, moves=8),
    "saboteur": Moment(seed=2, moves=9),
    "scotland_yard": Moment(moves=6, viewer=1),
    "goofspiel": Moment(seed=2, moves=6),
    "hanabi": Moment(seed=155, moves=12),
    "battleship": Moment(seed=1, moves=20),
    "mini_stratego": Moment(seed=6, moves=14),
    "the_resistance": Moment(seed=38, moves=17),
    "love_letter": Moment(seed=4, moves=7),
    "liars_dice_for_many": Moment(seed=3, moves=4, settings={"players": 3, "dice": 3}),
    "cockroach_poker": Moment(seed=0, moves=13, settings={"players": 3, "kinds": 5, "copies": 6}),
}


#: What readers of games are told whose files do not say it.
TOLD: dict[str, Told] = {
    "cheat": Told(
        "Cheat for two: claims that may be lies, and a pile for the loser of a call. The rules are "
        'those of Bitan and Kraus (2018), "Combining prediction of human decisions with ISMCTS in '
        'imperfect information games"; what they leave open are settings.',
        hidden="The other's hand, the cards that lie face down, and so whether a claim is true.",
        pages={
            "cheat/index.md": "rules, records, simulated people",
            "cheat/belief.md": "what a player can know",
            "cheat/agents.md": "agents",
            "cheat/analysis.md": "a game, analysed",
            "results/cheat.md": "who wins",
            "results/cheat_training.md": "predictors, judged",
            "results/cheat_exploitability.md": "how much can be won against agents",
        },
    ),
    "cheat_for_many": Told(
        "Cheat for two to six players (also BS, Bluff, I Doubt It): the whole pack is dealt, and "
        "every claim can be called by each of the others. It is a traditional game; what varies "
        "from table to table are settings.",
        hidden="The others' hands, the cards that lie face down, and so whether a claim is true.",
        pages={
            "cheat/for-many.md": "rules, beliefs, agents",
            "cheat/records-for-many.md": "records, people, analysis, advice",
            "results/cheat_for_many_training.md": "predictors, judged",
        },
    ),
    "clue": Told(
        "Clue (Cluedo), the whole game on its board: three cards are hidden, and every question is "
        "answered by showing one card to one player. The rules are those of the booklet of the "
        "classic edition.",
        hidden="The three cards of the case file, and which cards the others hold. By default "
        "rooms say nothing, since players suggest the room that they have come to.",
        pages={
            "clue/index.md": "the game, its declaration, records",
            "clue/treasure-hunt.md": "which room next",
            "advising.md": "advice beside a real game",
            "results/clue.md": "what to suggest, who wins",
            "results/clue_calibration.md": "is the belief right?",
            "results/clue_inference.md": "how fast it is",
        },
    ),
    "clue_table": Told(
        "Clue without its board: any three cards may be suggested at each turn, so that only the "
        "questions count. The cards may be those of any box.",
        hidden="The three cards of the case file, and which cards the others hold.",
        pages={
            "clue/index.md": "the game, its declaration, records",
            "results/clue.md": "who wins",
        },
    ),
    "saboteur": Told(
        "Saboteur: miners dig for gold, and saboteurs among them, whom nobody knows, hinder them. "
        "The rules are those of the card game by Frederic Moyersoen (2004); `rules=paper` has the "
        "simpler ones of Veldhuis, Jansen and Broers (2012).",
        hidden="Who is a saboteur, and under which goal the gold is; beside these hands, the deck "
        "and what was discarded face down.",
        pages={
            "saboteur/index.md": "rules, settings, records",
            "saboteur/agents.md": "what actions say, agents",
            "results/saboteur.md": "who wins",
        },
    ),
    "scotland_yard": Told(
        "Scotland Yard: one player hides in London, up to five seek. The rules and the search are "
        'those of Nijssen and Winands (2012), "Monte Carlo tree search for the hide-and-seek game '
        'Scotland Yard".',
        hidden="The station of Mr. X. They know it themselves; how likely it is after a move "
        "follows from a model of their moves, which was learned from games.",
        pages={
            "scotland_yard/index.md": "rules, readings, playouts",
            "scotland_yard/belief.md": "where Mr. X is",
            "scotland_yard/hunting.md": "a game, analysed",
            "advising.md": "advice beside a real game",
            "results/scotland_yard.md": "the paper's tables, played again",
        },
    ),
    "kuhn_poker": Told("", pages={"search/exploitability.md": "its equilibria"}),
    "leduc_poker": Told(
        "", pages={"search/exploitability.md": "how much can be won against a policy"}
    ),
    "phantom_tic_tac_toe": Told("", pages={"analysing.md": "a game, analysed"}),
    "tic_tac_toe": Told("", pages={"search/looking-ahead.md": "looked ahead to the end"}),
}


def shelf() -> list[str]:
    """The games of the shelf, in the order of their titles."""
    found = [name for name in GAMES if on_the_shelf(name)]
    return sorted(found, key=lambda name: GAMES[name].called)


def on_the_shelf(name: str) -> bool:
    """Whether a game is one file of the shelf."""
    return str(GAMES[name].rules).startswith("shelf.")


def file_of(name: str) -> str:
    """Where in docs/ the page of a game is."""
    return f"{'shelf' if on_the_shelf(name) else 'games'}/{name}.md"


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
    parts = [
        f"# {display(sleuth.game(name)).title}",
        *about(name),
        *rules(name),
        *settings(name),
        *belief(name),
        *sizes(name),
        *state(name),
        *commands(name),
        *more(name),
    ]
    kept = ("#", "|", "`", "!", "-")
    return "\n\n".join(each if each[0] in kept else wrapped(each) for each in parts if each) + "\n"


def about(name: str) -> list[str]:
    """The kind of a game, and where its rules are from."""
    if name in TOLD and TOLD[name].about:
        return [TOLD[name].about]
    return paragraphs(import_module(f"sleuth.{module_of(name)}").__doc__)[:1]


def module_of(name: str) -> str:
    """The module with the rules of a game."""
    return str(GAMES[name].rules).partition(":")[0]


def rules(name: str) -> list[str]:
    """What a player has to know."""
    words = display(sleuth.game(name))
    found = ["## Rules", f"{words.rules} {words.writing}"]
    if name not in TOLD or not TOLD[name].about:
        found += paragraphs(import_module(f"sleuth.{module_of(name)}").__doc__)[1:]
    return found


def settings(name: str) -> list[str]:
    """The table of what can be set."""
    entry, game = GAMES[name], sleuth.game(name)
    if not entry.settings:
        return ["## Settings", "It has no settings."]
    rows = [
        f"| `{each}` | {usual(game.settings.get(each, given.default))} | "
        f"{' '.join(meanings.replace('``', '`').split())} |"
        for each, given in entry.settings.items()
        for meanings in [entry.setting_meanings.get(each, "")]
    ]
    first = next(iter(entry.settings))
    value = game.settings.get(first, entry.settings[first].default)
    shown = f"{first}={usual(value)}"
    program = f"{first}={json.dumps(value)}"
    return [
        "## Settings",
        f"Commands take them as in `sleuth play {dashed(name)}:{shown}`, programs as in "
        f'`sleuth.game("{name}", {program})`.',
        "| setting | usual | meaning |\n|---|---|---|\n" + "\n".join(rows),
    ]


def usual(value: Any) -> str:
    """The usual value of a setting as the command line has it."""
    if value is None:
        return "none"
    if isinstance(value, (list, tuple)):
        return " ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def belief(name: str) -> list[str]:
    """What is hidden, and what a player can know of it."""
    if GAMES[name].part("belief") is None:
        return ["## What is hidden", "Nothing is: all players see everything."]
    own = (sleuth.belief(name).__doc__ or "").partition("Args:")[0].partition(">>>")[0]
    said = [TOLD[name].hidden] if name in TOLD and TOLD[name].hidden else paragraphs(own)
    program = example(name)
    return [
        "## What is hidden",
        *said,
        *engines(name),
        "This is what a player could know in the middle of a game with random moves:",
        f"```python\n{program}```",
        f"```output\n{printed(program)}```",
        *(
            [
                "The same game to its end, analysed as `sleuth analyse GAME.json` does it:",
                f"![What a player could have known](../pictures/shelf_{name}.png)",
            ]
            if on_the_shelf(name)
            else []
        ),
    ]


def engines(name: str) -> list[str]:
    """Which engines answer, as it was measured."""
    found = measured().get(name)
    if found is None:
        return []
    exact = "The answers are exact." if found["exact"] else "Not all of the answers are exact."
    return [f"The engine is {' or '.join(f'`{each}`' for each in found['engines'])}. {exact}"]


def measured() -> dict[str, Any]:
    """What was measured of the games of the shelf, by their names."""
    return json.loads(NUMBERS.read_text("utf-8"))


def sizes(name: str) -> list[str]:
    """The table of what can be counted, and of what was measured."""
    game, found = sleuth.game(name), measured().get(name)
    alike = {0.0: "0: what one wins another loses", None: "differs from game to game"}
    rows = [
        ("players", f"{game.players}: {', '.join(game.roles)}"),
        ("actions", f"{game.action_space:,}"),
        ("most actions at once", f"{game.max_actions:,}"),
        ("most moves in a game", f"{game.max_depth:,}"),
        ("returns", f"{game.lowest:g} to {game.highest:g}"),
        ("sum of all returns", alike.get(game.sum_of_returns, f"{game.sum_of_returns}")),
        ("dice after the deal", "yes" if game.has_dice else "no"),
        ("bytes of a state", f"{game.state.itemsize:,}"),
    ]
    if found is not None:
        rows += [
            ("lines of the file", f"{found['lines']}"),
            ("moves of a random game", f"{found['moves']:.1f}"),
            ("milliseconds of a belief, half of all moments", f"{found['belief_ms']:.1f}"),
            ("milliseconds of the slowest", f"{found['slowest_ms']:.1f}"),
            *[
                (f"seconds of `{check}`", f"{found[f'{check}_seconds']:.1f}")
                for check in ("check_game", "check_belief")
                if f"{check}_seconds" in found
            ],
        ]
    table = "\n".join(f"| {what} | {number} |" for what, number in rows)
    return ["## In numbers", "With the usual settings:", f"| | |\n|---|---|\n{table}"]


def state(name: str) -> list[str]:
    """The table of what a state holds."""
    game = sleuth.game(name)
    own = StateField("whose move it is, counted from 0; -1 when it is over", -1, game.players - 1)
    rows: list[str] = []
    for each in game.state.names or ():
        known, shape = game.fields.get(each, own), game.state[each].shape
        numbers = f"{' x '.join(map(str, shape)) or 1} | {known.lowest:,} | {known.highest:,}"
        rows.append(f"| `{each}` | {numbers} | {known.meaning} |")
    table = "\n".join(rows)
    return [
        "## The state",
        "These are the numbers that kernels, bots and learners read, the last two as far as their "
        "seat sees them: see [games for learners](../adapters.md) and [bots](../bots.md).",
        f"| field | numbers | least | greatest | meaning |\n|---|---|---|---|---|\n{table}",
    ]


def commands(name: str) -> list[str]:
    """What can be done with a game on the command line, and in a program."""
    entry, game, called = GAMES[name], sleuth.game(name), dashed(name)
    hides = entry.part("belief") is not None
    lines = [
        f"sleuth play {called} --save game.json",
        f"sleuth match {called} --agents {'mcts' if hides else 'alpha_beta'}"
        f"{' random' * (game.players - 1)} --games 20",
        *(["sleuth analyse game.json --html report.html"] if hides else []),
        *([f"sleuth advise {called} evening.jsonl"] if entry.part("adviser") else []),
        *([f"sleuth train {called} games --out predictor"] if entry.part("rows") else []),
        f"sleuth check {called}",
        "sleuth table",
    ]
    own = entry.part("agents") or {}
    listed = [f"| `{each}` | {kind.says} |" for each, kind in own.items() if kind.says]
    agents = "| agent of its own | |\n|---|---|\n" + "\n".join(listed)
    return ["## Commands", "```bash\n" + "\n".join(lines) + "\n```", agents if listed else ""]


def more(name: str) -> list[str]:
    """Pages that say more."""
    found = dict(TOLD[name].pages if name in TOLD else {})
    if on_the_shelf(name):
        found["shelf/index.md"] = "all games of the shelf"
    found |= {"games.md": "all games", "your-own-game.md": "a game of your own"}
    own = {each.rpartition(".")[2] for each in map(str, sleuth.games.names())}
    listed = [f"- [{called}](../{page})" for page, called in found.items()]
    if name in own and (Path(str(sleuth.games.__file__)).parent / f"{name}.py").is_file():
        listed.insert(0, f"- its own names in programs are of `sleuth.games.{name}`")
    return ["## Read on", "\n".join(listed)]


def dashed(name: str) -> str:
    """The name of a game on the command line."""
    return name.replace("_", "-")


def seconds(found: dict[str, Any], check: str) -> str:
    """The seconds of a check; a dash where nobody has measured them."""
    return f"{found[f'{check}_seconds']:.1f}" if f"{check}_seconds" in found else "-"


def index() -> str:
    """The page with the table of all games."""
    numbers = measured()
    rows = [
        f"| [{GAMES[name].called}]({name}.md) | {found['players']} | {found['lines']} | "
        f"{found['actions']:,} | {'yes' if found['exact'] else 'no'} | "
        f"{', '.join(f'`{each}`' for each in found['engines'])} | "
        f"{seconds(found, 'check_game')} | {seconds(found, 'check_belief')} |"
        for name in shelf()
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
    for name in wanted or shelf():
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
    """All pages, by the names of their files in docs/."""
    there = [name for name in GAMES if not on_the_shelf(name) or name in measured()]
    return {file_of(name): page_of(name) for name in there} | {"shelf/index.md": index()}


def main() -> None:
    """Write the pages; and make the pictures that are asked for."""
    for file, page in made().items():
        (DOCS / file).parent.mkdir(exist_ok=True)
        (DOCS / file).write_text(page, "utf-8")
    if sys.argv[1:2] == ["--pictures"]:
        photograph_all(sys.argv[2:])


if __name__ == "__main__":
    main()
