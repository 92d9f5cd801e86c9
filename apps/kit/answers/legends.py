"""Legends of drawings on a page: what their own marks and colours mean."""

from __future__ import annotations

from typing import Final

from ..pages.markup import Html, element
from .drawings import DASHES
from .plan_drawing import DISC, PASSAGE, pawn
from .values import Grid, Map, Tile

#: Width and height of a sign.
WIDE: Final = 30
HIGH: Final = 2 * DISC + 2


def plan_legend(grid: Grid) -> Html:
    """The pawns by their names, doors and passages."""
    tiles = [each for row in grid.rows for each in row if isinstance(each, Tile) and each.colour]
    entries = [
        _entry("plan", pawn(tile, WIDE / 2, HIGH / 2), tile.title)
        for tile in sorted(tiles, key=lambda tile: tile.title)
    ]
    if any(area.doors for area in grid.areas):
        door = element("path", d=f"M3 {HIGH / 2}h{WIDE - 6}", class_="door")
        entries.append(_entry("plan", door, "door"))
    if any(area.passage for area in grid.areas):
        entries.append(element("li", f"{PASSAGE} secret passage"))
    return _key(*entries)


def map_legend(map: Map) -> Html:
    """The kinds of lines in their colours, the pieces, and where one can go or somebody may be."""
    entries: list[Html] = []
    for track in reversed(map.tracks):
        line = element(
            "line",
            x1=1,
            x2=WIDE - 1,
            y1=HIGH / 2,
            y2=HIGH / 2,
            stroke=track.colour,
            stroke_width=3,
            stroke_dasharray=DASHES[track.stroke],
        )
        entries.append(_entry("map", line, f"{track.letter} {track.name}".strip()))
    pieces = {spot.piece for spot in map.spots}
    letters = {letter for spot in map.spots for letter in spot.goal}
    named: dict[str, list[str]] = {}
    for sign, words in map.signs:
        if sign in pieces:
            named.setdefault(words, []).append(sign)
    for words, signs in named.items():
        entries.append(_entry("map", _disc("piece", signs[0] if len(signs) == 1 else ""), words))
    if map.sought and any(spot.possible for spot in map.spots):
        shared = any(spot.share is not None for spot in map.spots)
        more = ", the stronger its colour, the likelier" if shared else ""
        entries.append(_entry("map", _disc("may", ""), f"{map.sought} may be there{more}"))
    if letters:
        goal = next(spot for spot in map.spots if spot.goal)
        entries.append(element("li", element("b", f"{goal.goal}{goal.name}"), " you can go there"))
    for sign, words in map.signs:
        if sign in letters:
            entries.append(element("li", element("b", sign), f" {words}"))
    return _key(*entries)


def _disc(kind: str, sign: str) -> Html:
    circle = element("circle", cx=WIDE / 2, cy=HIGH / 2, r=DISC, class_=kind)
    return element("g", circle, element("text", sign, x=WIDE / 2, y=HIGH / 2 + 4, class_="on"))


def _entry(kind: str, sign: Html, words: str) -> Html:
    box = element("svg", sign, viewBox=f"0 0 {WIDE} {HIGH}", class_=kind, aria_hidden="true")
    return element("li", box, words)


def _key(*entries: Html) -> Html:
    return element("ul", *entries, class_="key")
