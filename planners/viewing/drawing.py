"""The most visited part of a search's tree as a picture, from left to right.

A box is a node: who decides there, and how many simulations passed. A line is an action: as thick
as the part of all simulations that took it, with its name above and its figures below. Every
label has a place of its own, however long the names are.
"""

from __future__ import annotations

import heapq
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol

from ...beliefs.telling.plotting import matplotlib, new_figure
from ...data.errors import SettingsError
from ...models.game import Game

#: Line and ground of each player in turn: distinguishable with common colour blindness (after
#: Okabe and Ito, "Color Universal Design", 2008).
COLOURS: Final = (
    ("#0072b2", "#d9ebf5"),
    ("#d55e00", "#fae5d7"),
    ("#009e73", "#d9f1e9"),
    ("#aa5a8f", "#f4e3ee"),
    ("#8a6d00", "#f6efcf"),
    ("#3d7fa8", "#e3f2fb"),
)
INK: Final = "#222222"
FAINT: Final = "#6f6f6f"
#: Letters of a label before it is broken into lines, and its most lines.
LETTERS: Final = 30
LINES: Final = 3

# Points of text; everything else is in inches, which are also the units of the axes.
_SIZE: Final = 9.0
_SMALL: Final = 7.5
_TITLE: Final = 11.0
_LINE: Final = 0.16
_MARGIN: Final = 0.2
_BEND: Final = 0.4
_THICKEST: Final = 0.11
_ASIDE: Final = 0.06


class DrawnTree(Protocol):
    """The parts of a `Walk` that are drawn."""

    @property
    def game(self) -> Game: ...
    @property
    def root(self) -> DrawnNode: ...


class DrawnNode(Protocol):
    """The parts of a `Node` that are drawn."""

    @property
    def player(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def edges(self) -> Sequence[DrawnEdge]: ...


class DrawnEdge(Protocol):
    """The parts of an `Edge` that are drawn."""

    @property
    def index(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def visits(self) -> int: ...
    @property
    def value(self) -> float: ...
    @property
    def children(self) -> Sequence[DrawnNode]: ...


@dataclass(frozen=True)
class DrawnRow:
    """The drawing of an action, and of the nodes after it."""

    edge: DrawnEdge
    name: str
    figures: str
    boxes: list[Box] = field(default_factory=list["Box"])

    @property
    def height(self) -> float:
        """Inches it takes, its nodes included."""
        above = _LINE * (self.name.count("\n") + 1) + _THICKEST
        return max(2.0 * above + 0.06, sum(box.height for box in self.boxes))

    @property
    def width(self) -> float:
        """Inches of its label."""
        parts = [*((line, _SIZE) for line in self.name.split("\n")), (self.figures, _SMALL)]
        return max(_width(text, size) for text, size in parts)


@dataclass(frozen=True)
class Box:
    """The drawing of a node, and of the actions there."""

    node: DrawnNode
    lines: tuple[str, str]
    rows: list[DrawnRow] = field(default_factory=list[DrawnRow])

    @property
    def rest(self) -> str:
        """The words on actions that are left out beside others that are drawn."""
        left_out = [edge for edge in self.node.edges if edge.visits][len(self.rows) :]
        if not self.rows or not left_out:
            return ""
        visits = sum(edge.visits for edge in left_out)
        return f"{len(left_out):,} more with {_counted(visits, 'visit')}"

    @property
    def height(self) -> float:
        """Inches it takes, its actions included."""
        rest = _LINE + 0.1 if self.rest else 0.0
        return max(2 * _LINE + 0.24, sum(row.height for row in self.rows) + rest)

    @property
    def width(self) -> float:
        """Inches of the box alone."""
        first, second = self.lines
        return max(_width(first, _SIZE), _width(second, _SMALL)) + 0.2


def draw_tree(walk: DrawnTree, *, depth: int = 3, width: int = 4, most: int = 30) -> Any:
    """A picture of the tree: the actions that most simulations took.

    Several nodes after one action were told apart by what was seen. A node that is reached in
    several ways, which the searching player cannot tell apart, is drawn once, after the action by
    which it was reached first. Dots at the end of a line say that the tree goes on.

    Args:
        walk: The tree; for instance the ``tree`` of a `Decision`.
        depth: Actions after one another.
        width: Most actions of a node, and most nodes after an action.
        most: Most actions in all; those with the fewest visits are left out.

    Returns:
        A ``matplotlib.figure.Figure``, which no window shows; write ``figure.savefig(path)``.

    Raises:
        SettingsError: A number is less than 1.

    >>> import sleuth
    >>> from sleuth.search import draw_tree
    >>> play = sleuth.Play.new("tic_tac_toe", seed=1)
    >>> search, budget = sleuth.Search(play.game), sleuth.Budget(simulations=20)
    >>> found = search.decide(play.view(0), budget=budget)
    >>> draw_tree(found.tree, depth=2).savefig("tree.png")
    """
    return drawn_tree(walk, depth, width, most, kept=True).figure


def drawn_tree(walk: DrawnTree, depth: int, width: int, most: int, *, kept: bool) -> Any:
    """The axes of such a picture; see `draw_tree`.

    Args:
        walk, depth, width, most: As there.
        kept: False for a picture that a notebook shows below its cell.
    """
    for name, value in (("depth", depth), ("width", width), ("most", most)):
        if value < 1:
            raise SettingsError(f"{name} must be at least 1", value=value, where="drawing a tree")
    return _Picture(walk.game, _chosen(walk, depth, width, most), kept=kept).axes


def _chosen(walk: DrawnTree, depth: int, width: int, most: int) -> Box:
    """The root with the most visited actions below it, best first."""
    roles = walk.game.roles
    root = _box(roles, walk.root)
    waiting: list[tuple[int, int, Box, DrawnEdge, int]] = []

    def offer(box: Box, ply: int) -> None:
        for edge in box.node.edges[:width]:
            if edge.visits:
                heapq.heappush(waiting, (-edge.visits, edge.index, box, edge, ply))

    offer(root, 1)
    while waiting and most:
        _, _, box, edge, ply = heapq.heappop(waiting)
        row = DrawnRow(edge, _wrapped(edge.name), _figures(edge))
        box.rows.append(row)
        most -= 1
        if ply < depth:
            row.boxes.extend(_box(roles, node, edge) for node in edge.children[:width])
            for after in row.boxes:
                offer(after, ply + 1)
    return root


class _Picture:
    """Lays out boxes and lines in columns, and draws them."""

    def __init__(self, game: Game, root: Box, *, kept: bool) -> None:
        self.root = root
        self.passed = max(1, root.node.visits)
        self.columns: list[tuple[float, float]] = []  # widths of boxes and labels, by ply
        self._measure([root])
        title = f"{game.name}: {_counted(root.node.visits, 'simulation')}"
        wide = sum(box + label + 2 * _BEND for box, label in self.columns) + 2 * _MARGIN + 0.3
        wide = max(wide, _width(title, _TITLE) + 2 * _MARGIN)
        high = root.height + 0.4 + 2 * _MARGIN
        self.figure: Any = new_figure((wide, high), kept=kept, laid_out=False)
        self.axes: Any = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, wide), ylim=(0, high))
        self.axes.axis("off")
        self._text(_MARGIN, high - _MARGIN, title, size=_TITLE, color=INK, va="top")
        self._draw(root, 0, _MARGIN, high - _MARGIN - 0.4)

    def _measure(self, boxes: list[Box]) -> None:
        rows = [row for box in boxes for row in box.rows]
        labels = [row.width for row in rows]
        labels += [_width(box.rest, _SMALL) for box in boxes]
        self.columns.append(
            (max(box.width for box in boxes), max(labels) + _ASIDE + 0.1 if rows else 0.0)
        )
        after = [box for row in rows for box in row.boxes]
        if after:
            self._measure(after)

    def _draw(self, box: Box, ply: int, left: float, top: float) -> float:
        """Draw a box and all after it below ``top``; the height of its middle."""
        wide, label = self.columns[ply]
        middle = top - box.height / 2
        ink, ground = COLOURS[box.node.player % len(COLOURS)]
        start, end = left + wide + _BEND, left + wide + _BEND + label
        rest = _LINE + 0.1 if box.rest else 0.0
        y = top - (box.height - sum(row.height for row in box.rows) - rest) / 2
        for row in box.rows:
            centre = y - row.height / 2
            share = row.edge.visits / self.passed
            thick = 72 * _THICKEST * max(0.06, share)
            self._line(
                (left + wide, middle),
                (start, centre),
                ink,
                thick,
                on=end + _BEND * (len(row.boxes) == 1),
            )
            self._label(row, start + _ASIDE, centre, thick / 144)
            self._after(row, ply, end, y, ink, thick)
            y -= row.height
        if box.rest:
            self._text(start + _ASIDE, y - 0.05, box.rest, size=_SMALL, color=FAINT, va="top")
        patch: Any = matplotlib("patches").FancyBboxPatch
        self.axes.add_patch(
            patch(
                (left, middle - _LINE - 0.06),
                wide,
                2 * _LINE + 0.12,
                boxstyle="round,pad=0,rounding_size=0.07",
                facecolor=ground,
                edgecolor=ink,
                linewidth=1.0,
                zorder=3,
            )
        )
        for line, size, above in zip(box.lines, (_SIZE, _SMALL), (0.09, -0.1), strict=True):
            self._text(
                left + wide / 2, middle + above, line,
                size=size, color=INK, ha="center", va="center_baseline", zorder=4,
            )  # fmt: skip
        return middle

    def _text(self, x: float, y: float, text: str, **how: Any) -> None:
        """Text as it is: dollar signs begin no formula."""
        self.axes.text(x, y, text, parse_math=False, **how)

    def _label(self, row: DrawnRow, start: float, centre: float, half: float) -> None:
        self._text(
            start, centre + half + 0.03, row.name, size=_SIZE, color=INK, va="bottom",
            linespacing=1.1, zorder=4,
        )  # fmt: skip
        self._text(
            start, centre - half - 0.03, row.figures, size=_SMALL, color=FAINT, va="top", zorder=4
        )

    def _after(
        self, row: DrawnRow, ply: int, end: float, top: float, ink: str, thick: float
    ) -> None:
        """Draw the nodes after an action, or dots where the tree goes on."""
        centre = top - row.height / 2
        y = top - (row.height - sum(box.height for box in row.boxes)) / 2
        visits = max(1, sum(box.node.visits for box in row.boxes))
        for box in row.boxes:
            middle = self._draw(box, ply + 1, end + _BEND, y)
            if len(row.boxes) > 1:  # else the action's line went on to it
                part = max(0.5, thick * box.node.visits / visits)
                self._line((end, centre), (end + _BEND, middle), ink, part)
            y -= box.height
        if not row.boxes and any(child.edges for child in row.edge.children):
            for step in range(1, 4):
                self.axes.plot(end + 0.08 * step, centre, ".", color=ink, ms=3)

    def _line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        ink: str,
        thick: float,
        *,
        on: float | None = None,
    ) -> None:
        """A bend from one point to another, and on from there to the right."""
        path: Any = matplotlib("path").Path
        patch: Any = matplotlib("patches").PathPatch
        half = (start[0] + end[0]) / 2
        points = [start, (half, start[1]), (half, end[1]), end]
        codes = [path.MOVETO, path.CURVE4, path.CURVE4, path.CURVE4]
        if on is not None:
            points.append((on, end[1]))
            codes.append(path.LINETO)
        self.axes.add_patch(
            patch(
                path(points, codes),
                facecolor="none",
                edgecolor=ink,
                linewidth=thick,
                capstyle="butt",
                joinstyle="round",
                snap=False,
            )
        )


def _box(roles: Sequence[str], node: DrawnNode, after: DrawnEdge | None = None) -> Box:
    visits = _counted(node.visits, "visit")
    if after is not None and node.visits > after.visits:
        visits += ", by several ways"
    return Box(node, (roles[node.player], visits))


def _figures(edge: DrawnEdge) -> str:
    return f"{_counted(edge.visits, 'visit')}, value {edge.value:.3f}"


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _wrapped(name: str) -> str:
    return "\n".join(textwrap.wrap(name, LETTERS, max_lines=LINES, placeholder=" ...") or [name])


@lru_cache(maxsize=4_096)
def _width(text: str, size: float) -> float:
    """Inches that a line of text is wide."""
    if not text:
        return 0.0
    # A dollar sign would begin a formula here; an S is as wide.
    path: Any = matplotlib("textpath").TextPath
    return float(path((0, 0), text.replace("$", "S"), size=size).get_extents().x1) / 72
