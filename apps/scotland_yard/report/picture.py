"""The board of Scotland Yard as SVG: connections by transport, and a belief as a heat map on it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ....models.scotland_yard.board import FERRY, TRANSPORTS, StationMap
from ...kit.number_words import percent
from ...kit.pages.markup import Html, drawing, element, join

if TYPE_CHECKING:
    from ..chances import Floats
    from ..transcript import HuntMoment

MARGIN: Final = 42
#: Of a small picture, whose spots are larger.
WIDE_MARGIN: Final = 80
#: The widest is drawn first, so that several transports between two stations are all seen.
DRAWN: Final = ("ferry", "underground", "bus", "taxi")
#: Radius of a heat spot: that of no probability, and what certainty adds to it.
SPOT: Final = (15.0, 30.0)
MINI_SPOT: Final = (22.0, 60.0)


def view_box(board: StationMap, margin: int = MARGIN) -> str:
    """The part of the map that SVG shows: left, top, width and height, in board pixels."""
    across, down = zip(*board.places, strict=True)
    left, top = min(across) - margin, min(down) - margin
    return f"{left} {top} {max(across) + margin - left} {max(down) + margin - top}"


def connections(board: StationMap) -> Html:
    """All connections, a path for each transport."""
    paths: list[Html] = []
    for transport in DRAWN:
        lines = [
            _line(board, first, second)
            for first, second, way in board.connections
            if way == transport
        ]
        paths.append(element("path", d="".join(lines), class_=f"way {transport}"))
    return element("g", *paths, class_="ways")


def streets(board: StationMap) -> Html:
    """All connections in one path: the ground of a small picture."""
    pairs = {
        (first, second) for first, second, way in board.connections if way != TRANSPORTS[FERRY]
    }
    return element("path", d="".join(_line(board, *pair) for pair in sorted(pairs)))


def stations(board: StationMap) -> Html:
    """A disc for every station, by what leaves from there."""
    discs = [
        element(
            "circle",
            element("title", _about(board, station)),
            cx=x,
            cy=y,
            r=13,
            class_=f"stop {TRANSPORTS[int(board.kind[station])]}",
        )
        for station, (x, y) in enumerate(board.places, start=1)
    ]
    return element("g", *discs)


def numbers(board: StationMap) -> Html:
    """The numbers of the stations, to lie above what is on them."""
    texts = [
        element("text", station, x=x, y=y + 5)
        for station, (x, y) in enumerate(board.places, start=1)
    ]
    return element("g", *texts, class_="numbers")


def heat(board: StationMap, shares: Floats, spot: tuple[float, float] = SPOT) -> Html:
    """A spot on every possible station: the larger and darker, the likelier Mr. X is there."""
    spots: list[Html] = []
    for station in sorted(
        (int(place) for place in shares.nonzero()[0]), key=lambda place: float(shares[place])
    ):
        share = float(shares[station])
        root = math.sqrt(share)
        x, y = board.places[station - 1]
        spots.append(
            element(
                "circle",
                element("title", f"{station}: {percent(share, 1)} %") if spot is SPOT else "",
                cx=x,
                cy=y,
                r=spot[0] + spot[1] * root,
                fill_opacity=round(0.36 + 0.58 * root, 2),
            )
        )
    return element("g", *spots, class_="heat")


def pieces(board: StationMap, moment: HuntMoment) -> Html:
    """Detectives as numbered squares, Mr. X as a ring where they are known to be."""
    parts: list[Html] = []
    for number, station in enumerate(moment.detail.seekers, start=1):
        x, y = board.places[station - 1]
        square = element("rect", x=x - 15, y=y - 15, width=30, height=30, rx=5)
        parts.append(element("g", square, element("text", number, x=x, y=y + 7), class_="seeker"))
    if moment.detail.known is not None:
        ring = _ring(*board.places[moment.detail.known - 1])
        parts.append(element("g", ring, class_="hider shown" if moment.detail.shown else "hider"))
    return join(parts)


def mini_pieces(board: StationMap, moment: HuntMoment) -> Html:
    """The same without numbers, for a small picture."""
    parts: list[Html] = []
    for station in moment.detail.seekers:
        x, y = board.places[station - 1]
        parts.append(
            element("rect", x=x - 19, y=y - 19, width=38, height=38, rx=6, class_="seeker")
        )
    if moment.detail.known is not None:
        x, y = board.places[moment.detail.known - 1]
        parts.append(element("circle", cx=x, cy=y, r=52, class_="hider"))
    return join(parts)


def small_picture(board: StationMap, moment: HuntMoment, ground: str, words: str) -> Html:
    """One moment in little.

    Args:
        board: The map.
        moment: What to draw.
        ground: The id of the streets, drawn elsewhere in the page.
        words: What it shows, for those who do not see it.
    """
    streets = element("use", href=f"#{ground}")
    spots = heat(board, moment.detail.stations, MINI_SPOT)
    box = view_box(board, WIDE_MARGIN)
    return drawing(words, box, "mini", streets, spots, mini_pieces(board, moment))


def legend() -> Html:
    """The legend of the colours."""
    spot = element("g", element("circle", cx=13, cy=7, r=6.5, fill_opacity=0.7), class_="heat")
    square = element("rect", x=6, y=0, width=14, height=14, rx=3, class_="seeker")
    ring = element("circle", cx=13, cy=7, r=5.5, class_="hider")
    entries = [
        *((element("path", d="M0 7H26", class_=f"way {way}"), way) for way in reversed(DRAWN)),
        (spot, "Mr. X may be here, the larger the likelier"),
        (square, "a detective"),
        (ring, "where Mr. X is"),
    ]
    return element("ul", *(_entry(*entry) for entry in entries), class_="legend")


def _entry(picture: Html, words: str) -> Html:
    box = element("svg", picture, viewBox="0 0 26 14", width=26, height=14, aria_hidden="true")
    return element("li", box, words)


def _ring(x: int, y: int) -> Html:
    return join(
        [
            element("circle", cx=x, cy=y, r=24),
            element(
                "path", d=f"M{x - 33} {y}h-14M{x + 33} {y}h14M{x} {y - 33}v-14M{x} {y + 33}v14"
            ),
        ]
    )


def _line(board: StationMap, first: int, second: int) -> str:
    (x, y), (across, down) = board.places[first - 1], board.places[second - 1]
    return f"M{x} {y}L{across} {down}"


def _about(board: StationMap, station: int) -> str:
    goals: dict[str, list[int]] = {}
    for place in range(int(board.first[station]), int(board.first[station + 1])):
        way = TRANSPORTS[int(board.transport[place])]
        goals.setdefault(way, []).append(int(board.neighbour[place]))
    return f"{station}: " + "; ".join(
        f"{way} {' '.join(map(str, where))}" for way, where in goals.items()
    )
