"""Makes docs/pictures: a search tree, and reports of recorded games as a browser shows them.

Run ``python docs/tools/make_pictures.py`` where chromium or chrome is installed. With the argument
``tree`` it makes only the search tree and the Kripke model, which need no browser.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops

from sleuth import HIDDEN, Play, SearchAgent, analyse, example, load, play_match
from sleuth import game as game_named
from sleuth.agents import parse_agent
from sleuth.games.clue import ClueDeclaration, ClueRecord
from sleuth.games.small import KuhnPokerBelief
from sleuth.nested import KripkeModel, Nesting, draw_model

PICTURES = Path(__file__).parents[1] / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
RECORD = "neller_main"
HUNT = "agents_escape"
CLAIMS = Path(__file__).parents[2] / "data" / "cheat" / "example.jsonl"
#: The seed of the round of Saboteur that is shown.
MINE = 12
#: The line of the game that is shown.
MOMENT = 13
WIDTH = 900
COLOURS = 256

#: Name of the picture, events of the game that were seen, and the sections that are shown.
WANTED = (
    ("report.png", None, (1, 2)),
    ("notebook.png", 14, (5,)),
)
#: Seed of the game of Clue on the board.
WALK_SEED = 2
#: Who plays the games that have no record here.
PLAYER = "mcts:simulations=300"
#: Name of the picture, game, seed, and the sections that are shown.
PLAYED = (
    ("phantom.png", "phantom_tic_tac_toe", 3, (1, 2, 3, 5)),
    (
        "liars_dice.png",
        f"{Path(__file__).parents[2]}/examples/your_own_game.py:GAME",
        13,
        (1, 2, 3, 4),
    ),
)


def main() -> None:
    """Make all pictures."""
    PICTURES.mkdir(exist_ok=True)
    print(draw_search_tree(PICTURES / "search_tree.png"))
    print(draw_kripke_model(PICTURES / "kripke_kuhn.png"))
    print(draw_influence(PICTURES / "influence.png"))
    if sys.argv[1:] == ["tree"]:
        return
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        sys.exit(f"a browser is needed: one of {', '.join(BROWSERS)}")
    for name, events, sections in WANTED:
        value = game_of_clue()
        page = analyse(value | {"events": value["events"][:events]}).html()
        shown = ", ".join(f"section:nth-of-type({number})" for number in sections)
        header = "" if 1 in sections else "header,"
        style = f"<style>{header} footer, section {{ display: none }} {shown} {{ display: block }}"
        page = page.replace("</head>", f"{style} body {{ padding: .5rem }}</style></head>")
        photograph(browser, page, PICTURES / name)
        print(PICTURES / name)
    photograph(browser, walk(), PICTURES / "walk.png")
    print(PICTURES / "walk.png")
    photograph(browser, hunt(), PICTURES / "hunt.png")
    print(PICTURES / "hunt.png")
    photograph(browser, claims(), PICTURES / "claims.png")
    print(PICTURES / "claims.png")
    photograph(browser, mine(), PICTURES / "mine.png")
    print(PICTURES / "mine.png")
    for picture, game, seed, sections in PLAYED:
        photograph(browser, played(game, seed, sections), PICTURES / picture)
        print(PICTURES / picture)


def game_of_clue() -> dict[str, Any]:
    """The recorded game that is shown, as plain values."""
    value = example(RECORD).value
    assert isinstance(value, dict)
    return value


def draw_influence(path: Path) -> Path:
    """What moved the belief in the true case file, up to the event before it is certain."""
    game = ClueRecord.from_json(game_of_clue()).seen_by("scarlet").until(26)
    clue = ClueDeclaration(game)
    truth = clue.case_file.equals(("peacock", "lead pipe", "billiard room"))
    clue.infer(game).influence(truth).plot(path, about="the true case file")
    Image.open(path).convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(path)
    return path


def draw_kripke_model(path: Path) -> Path:
    """What the players of Kuhn poker believe before anybody bets."""
    nobody = (HIDDEN, HIDDEN)

    def name(row: tuple[int, ...]) -> str:
        """The first letters of both players' cards."""
        return "".join("JQK"[row.index(player)] for player in (0, 1))

    model = KripkeModel.of(Nesting(KuhnPokerBelief()), nobody, ("first", "second"), name=name)
    return draw_model(model, path)


def hunt() -> str:
    """The board of a game of Scotland Yard after one of Mr. X's moves."""
    page = example(HUNT).analyse().html()
    style = (
        "<style>header, footer, section, section h2, .lead, .bars-of-time { display: none }"
        "section:nth-of-type(2) { display: block }</style></head>"
    )
    opened = page.replace(' checked=""', "").replace(f'id="t{MOMENT}"', f'id="t{MOMENT}" checked')
    return opened.replace("</head>", style)


def walk() -> str:
    """Where to go in a game of Clue on the board, as one player saw it."""
    match = play_match("clue", [PLAYER] * 3, games=1, seed=WALK_SEED, swap=False)
    (one,) = match.games
    value = one.replay(game_named("clue")).record().to_json()
    page = analyse(value, observer="p1").html()
    number = page[: page.index("Where to go")].count("<section")
    style = (
        "<style>header, footer, section { display: none }"
        f"section:nth-of-type({number}) {{ display: block }}</style></head>"
    )
    return page.replace("</head>", style)


def claims() -> str:
    """Every claim of a game of Cheat, and what one player could know of the other's hand."""
    page = load(CLAIMS).analyse(game=1, predictor="truth").html()
    style = (
        "<style>header, footer, section { display: none }"
        "section:nth-of-type(2), section:nth-of-type(5) { display: block }</style></head>"
    )
    return page.replace("</head>", style)


def mine() -> str:
    """How a round of Saboteur between agents of the paper ended, as all of them saw it."""
    game = game_named("saboteur", rules="paper")
    agents = ["dwarf"] * game.players
    (one,) = play_match(game, agents, games=1, seed=MINE, swap=False).games
    record = one.replay(game).record().to_json()
    page = analyse(record, observer="all", agent="none").html()
    style = (
        "<style>header, footer, h2.viewer, body > main > .lead, section { display: none }"
        "section:first-of-type { display: block }</style></head>"
    )
    return page.replace("</head>", style)


def played(name: str, seed: int, sections: tuple[int, ...]) -> str:
    """The report that any game gets, as the first player of a search against itself saw it."""
    game = game_named(name)
    (one,) = play_match(game, [PLAYER] * 2, games=1, seed=seed, swap=False).games
    page = analyse(one.replay(game).record().to_json(), rules=name).html()
    shown = ", ".join(f"section:nth-of-type({number})" for number in sections)
    style = (
        f"<style>footer, section {{ display: none }} {shown} {{ display: block }}</style></head>"
    )
    return page.replace("</head>", style)


def draw_search_tree(target: Path) -> Path:
    """The tree of the player with a jack who begins a game of Leduc poker."""
    leduc = game_named("leduc_poker")
    play = Play.new(leduc, seed=1)
    agent = parse_agent("mcts:simulations=20000").prepare(leduc)(7)
    assert isinstance(agent, SearchAgent)
    decision = agent.decision(play.view(0), play.seen_by(0))
    decision.tree.draw(target, depth=3, width=3)
    Image.open(target).quantize(COLOURS, Image.Quantize.FASTOCTREE).save(target, optimize=True)
    return target


def photograph(browser: str, page: str, target: Path) -> None:
    """The page as a picture without the empty space below it."""
    with tempfile.TemporaryDirectory() as folder:
        file, picture = Path(folder, "page.html"), Path(folder, "picture.png")
        file.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--hide-scrollbars",
                f"--user-data-dir={folder}/profile",
                f"--window-size={WIDTH},4000",
                f"--screenshot={picture}",
                file.as_uri(),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        image = Image.open(picture).convert("RGB")
    ground = Image.new("RGB", image.size, image.getpixel((1, image.height - 1)))
    box = ImageChops.difference(image, ground).getbbox() or (0, 0, *image.size)
    image = image.crop((0, 0, image.width, min(box[3] + 8, image.height)))
    image.quantize(COLOURS, Image.Quantize.FASTOCTREE).save(target, optimize=True)


if __name__ == "__main__":
    main()
