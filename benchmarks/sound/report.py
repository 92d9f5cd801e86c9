"""What was measured of sound play, as tables and pictures of a page.

    python -m benchmarks.sound.report [--curves FILE] [--asked FILE] [--matches FILE]

The files are what `benchmarks.soundness`, `benchmarks.sound.asked` and
`benchmarks.sound.head_to_head` print with ``--json``. What they have takes the place of what was
known of the same games, methods, agents and cells, and is kept in `docs/results/soundness.json`;
tables and pictures are made of all that is there.
"""

# matplotlib comes without types for most of what is called here.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

import argparse
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from sleuth.data.disk.writing import write_whole

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "search" / "sound-or-strong.md"
FIGURES = DOCS / "results" / "soundness.json"
PICTURES = DOCS / "pictures"

#: What a game is called on the page.
NAMES = {
    "kuhn_poker": "Kuhn poker",
    "leduc_poker": "Leduc poker",
    "liars_dice_1x6": "Liar's dice, one die each",
    "liars_dice_for_many": "Liar's dice, two dice each",
    "goofspiel_4": "Goofspiel, 4 cards",
    "goofspiel_5": "Goofspiel, 5 cards",
    "goofspiel_6": "Goofspiel, 6 cards",
    "goofspiel": "Goofspiel, 13 cards",
    "mini_cheat_4": "Mini-Cheat, 4 rounds",
    "cheat": "Cheat",
}
#: Colours and marks of the methods, which are told apart without colours, too; OpenSpiel's have
#: broken lines.
COLOURS = {
    "external": ("#2a6f97", "o"),
    "outcome": ("#c1666b", "s"),
    "smooth": ("#6a994e", "^"),
    "uct": ("#7a5c99", "D"),
    "ismcts": ("#8a8a8a", "x"),
}
#: Simulations whose exploitability stands in the table.
COLUMNS = (10_000, 100_000, 1_000_000)
#: What the columns of a point are: of the two axes of a picture.
AXES = {0: "processor seconds", 1: "simulations"}


def draw(
    games: Mapping[str, Mapping[str, Sequence[Sequence[float]]]], axis: int, path: Path
) -> None:
    """Exploitability against seconds (0) or simulations (1), a panel for each game, as PNG."""
    across = 2
    rows = math.ceil(len(games) / across)
    figure = Figure(figsize=(8, 2.7 * rows + 0.6), layout="constrained")
    FigureCanvasAgg(figure)
    panels: list[Axes] = list(figure.subplots(rows, across, squeeze=False).flat)
    for panel, (name, methods) in zip(panels, games.items(), strict=False):
        for method, points in methods.items():
            whose, _, kind = method.partition(":")
            known = [(point[axis], point[2]) for point in points if point[axis] > 0]
            if known:
                x, y = zip(*known, strict=True)
                colour, mark = COLOURS[kind]
                panel.plot(
                    x, y, "-" if whose == "ours" else "--", marker=mark, ms=3.5, lw=1.3,
                    color=colour, label=method.replace(":", ", "),
                )  # fmt: skip
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.yaxis.set_minor_formatter(NullFormatter())
        low, high = map(math.log10, panel.get_ylim())
        if math.floor(high) - math.ceil(low) < 1:  # an axis with one number says no scale
            panel.set_ylim(bottom=10.0 ** math.floor(low))
        panel.set_title(NAMES[name], fontsize=10)
        panel.set_xlabel(AXES[axis], fontsize=8)
        panel.set_ylabel("exploitability", fontsize=8)
        panel.tick_params(which="both", labelsize=7)
        panel.grid(alpha=0.3)
    free = panels[len(games) :]
    for panel in free:
        panel.set_axis_off()
    lines = {line.get_label(): line for panel in panels for line in panel.get_lines()}
    shown = list(lines.values()), list(map(str, lines))
    if free:
        free[0].legend(*shown, loc="center", fontsize=9)
    else:
        figure.legend(*shown, loc="outside lower center", ncols=4, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of a page; all columns but the first two are numbers."""
    rule = ["---" if place < 2 else "---:" for place in range(len(heads))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows))


def curves_table(found: Mapping[str, Any]) -> str:
    """What each method had after some simulations, and at its end."""
    rows: list[list[str]] = []
    for name, methods in found.items():
        for method, points in methods.items():
            known = {point[1]: point[2] for point in points}
            seconds, simulations, value = points[-1]
            rows.append(
                [
                    NAMES[name],
                    f"`{method}`",
                    *(f"{known[count]:.4f}" if count in known else "" for count in COLUMNS),
                    f"{simulations:,}",
                    f"{seconds:.2g}" if seconds < 10 else f"{seconds:.0f}",
                    f"{value:.4f}",
                ]
            )
    heads = ["game", "method", *(f"at {count:,}" for count in COLUMNS)]
    return markdown([*heads, "most simulations", "seconds", "exploitability then"], rows)


def asked_table(found: Mapping[str, Any]) -> str:
    """The exploitability of the agents, as they play."""
    times = sorted(
        {float(each) for one in found.values() for of in one["agents"].values() for each in of}
    )
    rows = [
        [
            f"{NAMES[name]} ({one['decisions']:,} decisions)",
            f"`{agent}`",
            *(_played(of.get(f"{each:g}")) for each in times),
        ]
        for name, one in found.items()
        for agent, of in one["agents"].items()
    ]
    return markdown(["game", "agent", *map(_pace, times)], rows)


def _played(kinds: Mapping[str, float] | None) -> str:
    """What an agent plays is worth: what it draws from, of one search for all, or what it takes."""
    if kinds is None:
        return ""
    for kind, mark in (("mixed", ""), ("one search", " *"), ("choice", "")):
        if kind in kinds:
            return f"{kinds[kind]:.{3 if kinds[kind] >= 0.01 else 4}f}{mark}"
    return ""


def _pace(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{1_000 * seconds:g} ms"


def matches_table(found: Mapping[str, Any]) -> str:
    """What the first agent won from the second; by game, agents and time."""
    rows: list[list[str]] = []
    order = [*NAMES]
    for one in sorted(
        found.values(), key=lambda one: (order.index(one["game"]), _untimed(one), one["pace"])
    ):
        agent = one["agents"][0]
        low, high = one["intervals"][agent]
        interval = one["return_intervals"][agent]
        spread = f" ({interval[0]:+.3f} to {interval[1]:+.3f})" if interval else ""
        rows.append(
            [
                NAMES[one["game"]],
                f"`{_untimed(one)}`",
                _pace(one["pace"]),
                f"{one['games']}",
                f"{one['win_rate'][agent]:.3f} ({low:.3f} to {high:.3f})",
                f"{one['win_rate'][one['agents'][1]]:.3f}",
                f"{one['mean_return'][agent]:+.3f}{spread}",
            ]
        )
    heads = ["game", "agent", "a decision", "games", "it won", "`mcts` won", "it got a game"]
    return markdown(heads, rows)


def _untimed(match: Mapping[str, Any]) -> str:
    """The first agent of a match, without its time."""
    return re.sub(r"[:,]cpu_seconds=[^,]*$", "", match["agents"][0])


TABLES: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "curves": curves_table,
    "asked": asked_table,
    "matches": matches_table,
}


def with_tables(page: str, figures: Mapping[str, Any]) -> str:
    """The page with the tables of what was measured, each between its two marks."""
    for part, table in TABLES.items():
        begin, end = f"<!-- {part} -->", "<!-- end -->"
        if figures.get(part):
            made = f"{begin}\n{table(figures[part])}\n{end}"
            page = re.sub(f"{begin}.*?{end}", lambda _, made=made: made, page, flags=re.DOTALL)
    return page


def taken(figures: Mapping[str, Any], part: str, new: Mapping[str, Any]) -> dict[str, Any]:
    """What was known of a part, with what is new; games in the order of `NAMES`."""
    found: dict[str, Any] = dict(figures.get(part, {}))
    for name, one in new.items():
        if part == "curves":
            one = {**found.get(name, {}), **one}
        elif part == "asked":
            agents: dict[str, Any] = dict(found.get(name, {}).get("agents", {}))
            for agent, times in one["agents"].items():
                agents[agent] = {**agents.get(agent, {}), **times}
            one = {**one, "agents": agents}
        found[name] = one
    order = {name: place for place, name in enumerate(NAMES)}
    return dict(sorted(found.items(), key=lambda item: order.get(item[0], len(order))))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    for part in TABLES:
        parser.add_argument(f"--{part}", type=Path, metavar="FILE", help="what was printed")
    parser.add_argument("--figures", type=Path, default=FIGURES)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--pictures", type=Path, default=PICTURES, help="folder of pictures")
    chosen = parser.parse_args(arguments)
    figures = json.loads(chosen.figures.read_text("utf-8")) if chosen.figures.exists() else {}
    for part in TABLES:
        file: Path | None = getattr(chosen, part)
        if file is not None:
            (new,) = json.loads(file.read_text("utf-8")).values()
            figures[part] = taken(figures, part, new)
    write_whole(chosen.figures, json.dumps(figures, indent=1) + "\n")
    write_whole(chosen.page, with_tables(chosen.page.read_text("utf-8"), figures))
    if figures.get("curves"):
        for axis, name in enumerate(("seconds", "simulations")):
            draw(figures["curves"], axis, chosen.pictures / f"soundness_{name}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
