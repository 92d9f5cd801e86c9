"""Boards, maps and curves as drawings of a page."""

from __future__ import annotations

from typing import Final

from ..number_words import percent
from ..pages.chart import event_numbers, levels
from ..pages.frame import Frame
from ..pages.markup import Html, drawing, element
from .values import AddressCode, Curve, CurveLine, Grid, Map, Spot, Tile

#: Size of a card, of the way on it, and of the margin for names of rows and columns.
WIDTH: Final = 44
HEIGHT: Final = 58
WAY: Final = 13
MARGIN: Final = 26
#: Size of a cell without ways.
CELL: Final = 22
#: Where a way ends that comes from a side, in card sizes.
SIDES: Final = {"n": (0.5, 0.0), "e": (1.0, 0.5), "s": (0.5, 1.0), "w": (0.0, 0.5)}
#: How far a map reaches around its centre, and beyond its places, in its own units.
AROUND: Final = 380.0
BEYOND: Final = 24.0
#: The width of a board on a page, beside its own units.
LARGER: Final = 1.3
#: Modules of white around a code, and how large each is.
QUIET: Final = 4
DOT: Final = 4
LEAST_SHADE: Final = 0.25
#: Ways to draw a line of a curve, and the size of the whole.
CURVES: Final = 6
CURVE_WIDTH: Final = 420.0
CURVE_HEIGHT: Final = 190.0
DASHES: Final = {"dotted": "2 5", "solid": None, "double": None, "dashed": "8 6"}


def grid_drawing(grid: Grid) -> Html:
    """A board of cells, with the names of its rows and columns."""
    tiles = [[each if isinstance(each, Tile) else Tile(each) for each in row] for row in grid.rows]
    carded = any(tile.ways or tile.ground != "free" for row in tiles for tile in row)
    wide, high = (WIDTH, HEIGHT) if carded else (CELL, CELL)
    parts: list[Html] = []
    for place, name in enumerate(grid.columns):
        x = MARGIN + (place + 0.5) * wide
        parts.append(element("text", name, x=x, y=MARGIN - 8, text_anchor="middle"))
    for place, name in enumerate(grid.names):
        y = MARGIN + (place + 0.5) * high + 4
        parts.append(element("text", name.strip(), x=MARGIN - 8, y=y, text_anchor="end"))
    for down, row in enumerate(tiles):
        for across, tile in enumerate(row):
            x, y = MARGIN + across * wide, MARGIN + down * high
            shown = Html("")
            if tile.ground != "free":
                shown = _card(tile, x, y)
            elif tile.mark.strip():
                bold = "bold" if tile.tone in ("strong", "new") else None
                where = {"x": x + wide / 2, "y": y + high / 2 + 4, "text_anchor": "middle"}
                shown = element("text", tile.mark, class_=bold, **where)
            if tile.line:
                place = f"{grid.columns[across].strip()}{grid.names[down].strip()}"
                ground = element("rect", x=x, y=y, width=wide, height=high, class_="ground")
                said = f"{place} {tile.title or tile.mark}".strip()
                shown = to_touch(tile.line, said, ground, shown)
            parts.append(shown)
    width, height = MARGIN + wide * len(grid.columns) + 4, MARGIN + high * len(grid.names) + 4
    box = f"0 0 {width} {height}"
    return drawing(grid.title, box, "mine", *parts, width=round(LARGER * width))


def to_touch(line: str, said: str, *parts: Html) -> Html:
    """A part of a drawing that says a line when it is touched."""
    return element(
        "g", *parts, class_="touch", role="button", tabindex=0, data_line=line, aria_label=said
    )


def _card(tile: Tile, x: float, y: float) -> Html:
    """A card on its cell, with a sign on it."""
    down = tile.ground == "down"
    kind = "piece" if tile.ground == "open" else f"piece {tile.ground}"
    parts = [
        element("rect", x=x + 1, y=y + 1, width=WIDTH - 2, height=HEIGHT - 2, rx=4, class_=kind)
    ]
    middle = x + WIDTH / 2, y + HEIGHT / 2
    if not down:
        # In a dead end no two ways are connected: they stop before the middle.
        reach = 0.55 if tile.blocked else 1.0
        path = ""
        for side, (right, below) in SIDES.items():
            if side in tile.ways:
                edge = x + 1 + right * (WIDTH - 2), y + 1 + below * (HEIGHT - 2)
                inner = [e + reach * (m - e) for e, m in zip(edge, middle, strict=True)]
                path += f"M{edge[0]:g} {edge[1]:g}L{inner[0]:g} {inner[1]:g}"
        parts.append(element("path", d=path, class_="way"))
        ends = {"r": WAY / 2.6, "class_": "end"} if tile.blocked else {
            "r": WAY / 2, "fill": "#f1e7d3"
        }  # fmt: skip
        parts.append(element("circle", cx=middle[0], cy=middle[1], **ends))
    if sign := tile.title or tile.mark.strip("[]"):
        dark = "" if down else " dark"
        small = " small" if len(sign) > 1 else ""
        parts.append(element("text", sign, x=middle[0], y=middle[1] + 5, class_=f"on{dark}{small}"))
    return element("g", *parts, class_="cut" if tile.tone == "soft" else None)


def map_drawing(map: Map) -> Html:
    """A map: its lines, and its places by their names."""
    from .map_text import reach

    (left, right), (top, bottom) = reach(map)
    if map.centre is not None:
        spot = map.spots[map.centre]
        left, right = max(left, spot.x - AROUND), min(right, spot.x + AROUND)
        top, bottom = max(top, spot.y - AROUND / 2), min(bottom, spot.y + AROUND / 2)
    box = (left - BEYOND, top - BEYOND, right - left + 2 * BEYOND, bottom - top + 2 * BEYOND)
    parts: list[Html] = []
    for first, second, kind in sorted(map.lines, key=lambda each: each[2]):
        one, other, track = map.spots[first], map.spots[second], map.tracks[kind]
        own = map.mover in (first, second)
        parts.append(
            element(
                "line",
                element("title", track.name),
                x1=one.x,
                y1=one.y,
                x2=other.x,
                y2=other.y,
                stroke=track.colour,
                stroke_width=5 if own else 3 if track.stroke == "double" else 1.5,
                stroke_dasharray=DASHES[track.stroke],
            )
        )
    parts += map_spots(map)
    return drawing(map.title, " ".join(f"{each:g}" for each in box), "map", *parts)


def map_spots(map: Map) -> list[Html]:
    """The places of a map, those that matter in circles and on top."""
    ordered = sorted(map.spots, key=lambda spot: bool(spot.goal or spot.possible or spot.piece))
    likeliest = max((spot.share or 0.0 for spot in map.spots), default=0.0)
    return [_spot(spot, likeliest) for spot in ordered]


def _spot(spot: Spot, likeliest: float) -> Html:
    kind = "piece" if spot.piece else "may" if spot.possible else None
    name = f"{spot.goal}{spot.name}"
    said = f"{spot.name}: {spot.piece}" if spot.piece else name
    if spot.share is not None:
        said += f", {percent(spot.share)} %"
    # What is barely possible must stand out from what is ruled out, and of many places that can be
    # the likeliest is dark.
    shade = None
    if spot.share is not None:
        shade = LEAST_SHADE + (1.0 - LEAST_SHADE) * spot.share / (likeliest or 1.0)
    ring = element("circle", element("title", said), cx=spot.x, cy=spot.y, r=11, class_=kind,
                   fill="var(--sheet)", stroke="var(--line)", fill_opacity=shade)  # fmt: skip
    word = "on" if kind else "goal" if spot.goal else None
    text = element("text", spot.piece or name, x=spot.x, y=spot.y + 4, class_=word)
    return to_touch(spot.line, said, ring, text) if spot.line else element("g", ring, text)


def code_drawing(code: AddressCode) -> Html:
    """The code of an address, which a phone's camera reads."""
    import segno

    rows = [bytes(row) for row in segno.make(code.address, error="l", micro=False).matrix]
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, dark in enumerate(row)
        if dark
    )
    size = len(rows) + 2 * QUIET
    ground = element("rect", width=size, height=size, fill="#fff")
    return drawing(
        code.title, f"0 0 {size} {size}", "code", ground, element("path", d=path, fill="#000"),
        width=DOT * size,
    )  # fmt: skip


def curve_drawing(curve: Curve) -> Html:
    """Something over the moments of a game, with the moment that is looked at."""
    moments = max((len(each.values) for each in curve.lines), default=1)
    frame = Frame(CURVE_WIDTH, CURVE_HEIGHT, max(moments - 1, 0), curve.most or 1.0, left=48.0)
    share = curve.most is None
    parts: list[Html] = [
        levels(
            frame,
            [frame.most * part / 4 for part in range(5)],
            (lambda value: f"{percent(value)} %") if share else "{:.2g}".format,
        ),
        event_numbers(frame, frame.height - 10),
    ]
    if curve.at is not None:
        x = frame.x(curve.at)
        parts.append(element("line", x1=x, x2=x, y1=frame.top, y2=frame.y(0.0), class_="at"))
    for place, line in enumerate(curve.lines):
        parts.append(_curve_line(frame, line, f"line curve-{place % CURVES}", curve.at))
    if curve.line:
        parts += [_moment(frame, curve, moment) for moment in range(moments)]
    box = f"0 0 {frame.width:g} {frame.height:g}"
    return drawing(curve.title, box, "chart", *parts)


def _curve_line(frame: Frame, line: CurveLine, kind: str, at: int | None) -> Html:
    path, joined = "", False
    for moment, value in enumerate(line.values):
        if value is not None:
            path += f"{'L' if joined else 'M'}{frame.x(moment):.1f} {frame.y(value):.1f}"
            # A moment alone is a dot.
            path += "" if joined else "h0"
        joined = value is not None
    parts = [element("path", d=path, class_=kind)] if path else []
    value = line.values[at] if at is not None and at < len(line.values) else None
    if at is not None and value is not None:
        parts.append(element("circle", cx=frame.x(at), cy=frame.y(value), r=4, class_=kind))
    return element("g", element("title", line.name), *parts)


def _moment(frame: Frame, curve: Curve, moment: int) -> Html:
    said = ", ".join(
        f"{each.name} {f'{percent(value)} %' if curve.most is None else f'{value:.2g}'}"
        for each in curve.lines
        if moment < len(each.values) and (value := each.values[moment]) is not None
    )
    return element(
        "rect",
        element("title", f"{moment}: {said}" if said else str(moment)),
        x=frame.x(moment) - frame.step / 2,
        y=frame.top,
        width=frame.step,
        height=frame.height - frame.top - frame.bottom,
        class_="hover",
        data_line=f"{curve.line} {moment}",
    )
