"""Three beliefs of the seekers against hiders of four kinds; see `scotland_yard_tables`.

The filter with learned moves was learned from games of the first kind, and from no other.
"""

from __future__ import annotations

from .cells import HIDER, LC, LEAF_HIDER, LIST, TEXT_HIDER, Cell, Table

#: Of our own matches; a cell that the page has anyway may have more.
GAMES = 200
#: What the seekers believe; all with the paper's best r for so few playouts.
BELIEFS = {
    "the list": LIST,
    "categorization": LC,
    "exact filter, learned moves": "belief=moves",
}
#: In the hider's playouts seekers go by the seekers' own filter, as it is at the root.
FILTER_HIDER = "mcts:belief=moves,imagined=predicted,playouts=total_capture"


def against(word: str, title: str, about: str, hider: str) -> Table:
    """One hider against all beliefs of the seekers."""
    cells = tuple(
        Cell(name, f"mcts:{belief},r=0.4", hider, None, GAMES) for name, belief in BELIEFS.items()
    )
    return Table(word, title, about, cells, against_first=True)


HIDER_TABLES = (
    against(
        "believed_text",
        "Three beliefs against the text's hider",
        "Seekers with 1,000 playouts and r = 0.4, who draw worlds from the list of possible "
        "stations, from the paper's categorization, or from the exact filter with learned moves. "
        "This hider (the list of the moment) is of the kind that the filter was learned from, in "
        "other games. The hiders of the next three tables are not.",
        TEXT_HIDER,
    ),
    against(
        "believed_leaf",
        "Three beliefs against a hider with the list of the leaf",
        "The same seekers. The filter was not learned from games of this hider.",
        LEAF_HIDER,
    ),
    against(
        "believed_captures",
        "Three beliefs against a hider with playouts that capture",
        "The same seekers. The filter was not learned from games of this hider.",
        HIDER,
    ),
    against(
        "believed_filter",
        "Three beliefs against a hider with the seekers' own filter",
        "The same seekers. This hider takes them for players who know what the exact filter with "
        "learned moves says at the root of the hider's search: in its playouts they minimise the "
        "average distance to where the hider is believed to be (`imagined=predicted`), and capture "
        "the hider if they can. The filter was not learned from games of this hider.",
        FILTER_HIDER,
    ),
)
