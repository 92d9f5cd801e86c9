"""The values that answers are made of: paragraphs, tables, boards, buttons, as plain data.

They say what there is to show and nothing of how wide a terminal is. ``kind`` tells them apart in
JSON.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Tone = Literal["plain", "strong", "soft", "new", "aside"]
"""The way words stand out: a heading, a remark, what has just come, or what stands beside."""
Blank = Literal["", "above", "below"]
"""The side at which a terminal leaves a line blank."""
Stroke = Literal["dotted", "solid", "double", "dashed"]
"""The way a line on a map is drawn."""


@dataclass(frozen=True)
class Paragraph:
    """Some sentences; each line of the text stays one.

    Attributes:
        text: The words.
        tone: How much they stand out.
        blank: At which side a terminal sets them apart.

    >>> from sleuth.answers import Paragraph, as_text
    >>> print(as_text(Paragraph("The game begins.", tone="strong"), Paragraph("Your move.")))
    The game begins.
    Your move.
    """

    text: str
    tone: Tone = "plain"
    blank: Blank = ""
    kind: Literal["paragraph"] = "paragraph"


@dataclass(frozen=True)
class Command:
    """A command for a shell, to be copied.

    Attributes:
        text: What is typed there.

    >>> from sleuth.answers import Command, shown
    >>> print(shown(Command("sleuth play clue")))
    <p><code>sleuth play clue</code></p>
    """

    text: str
    kind: Literal["command"] = "command"


@dataclass(frozen=True)
class Refusal:
    """Why something that was asked or typed cannot be, and what to write instead.

    Attributes:
        text: All of it in one sentence.
        value: What was refused, if it can be named.
        hint: What to write instead, without a capital; empty where nothing can be said.

    >>> from sleuth.answers import Refusal, as_text
    >>> print(as_text(Refusal("no such move (got 'fold')", value="fold", hint="say pass or bet")))
    No such move (got 'fold').
    """

    text: str
    value: str = ""
    hint: str = ""
    kind: Literal["refusal"] = "refusal"


@dataclass(frozen=True)
class Facts:
    """Terms, each with what it is.

    Attributes:
        rows: The terms and what they are.
        column: Where a terminal begins what they are.
        wide: The same in a wide terminal.

    >>> from sleuth.answers import Facts, as_text
    >>> print(as_text(Facts((("bet", "one chip"), ("pass", "nothing")), column=8)))
      bet   one chip
      pass  nothing
    """

    rows: tuple[tuple[str, str], ...]
    column: int = 12
    wide: int = 12
    kind: Literal["facts"] = "facts"


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: What stands above it; empty for nothing.
        side: At which side its cells are set.
        bar: For a column of bars, the letters of a whole one; its cells are shares from 0 to 1.
        whole: Whether its cells stay in one line.
        joints: Whether its cells are names with options, to be broken where one of these ends.
        accent: Whether its cells stand out.
        short: What stands above it where there is less room.
        link: Where its cells lead on a page: what stands before them in the name of a place there.
        room: The width from which on a terminal shows it.
        until: The width from which on another column says more; 0 for none.
        under: The column, by its number from 0, under whose cells its own stand where there is
            less room; None for none.
        least: Letters that a terminal leaves it.
        note: What it is, in sentences below the table.

    >>> from sleuth.answers import Column, Sheet, as_text
    >>> share = Column("how often", bar=8)
    >>> print(as_text(Sheet((Column("move"), share), (("bet", 0.75), ("pass", 0.25)))))
    move  how often
    bet   ██████
    pass  ██
    """

    heading: str = ""
    side: Literal["left", "right"] = "left"
    bar: int = 0
    whole: bool = False
    joints: bool = False
    accent: bool = False
    short: tuple[str, ...] = ()
    link: str = ""
    room: int = 0
    until: int = 0
    under: int | None = None
    least: int = 0
    note: str = ""


@dataclass(frozen=True)
class Touch:
    """Words that can be touched on a page, and the line that a touch of them says.

    Attributes:
        text: The words.
        line: The line; where it begins with "/", the address that a touch leads to, and where that
            has a "#", the page's own address at this moment. In a table it may be empty: the words
            cannot be touched.
        tone: How much they stand out.
        note: Small words below them, such as a probability.
        label: The words for those who do not see the page; empty where the text says all.
        pressed: Whether it is chosen already; None for what is done and not chosen.
        enabled: Whether it can be touched now.
        shade: How much of its ground is coloured, from 0 to 1, such as a probability.
        key: The key of a keyboard that touches it, as browsers call it; empty for none.
    """

    text: str
    line: str
    tone: Tone = "plain"
    note: str = ""
    label: str = ""
    pressed: bool | None = None
    enabled: bool = True
    shade: float | None = None
    key: str = ""


Cell = str | float | Paragraph | Touch
"""The contents of a cell: words, the share of a bar, words in a tone, or words to touch."""


@dataclass(frozen=True)
class Sheet:
    """A table. It has a row of headings if any column has one.

    Attributes:
        columns: Its columns.
        rows: Its cells, row by row.
        gap: Blanks between columns in a terminal.
        close: The width below which one blank stands there.
        fits: Whether headings are cut where columns have too little room, but for the first.

    >>> from sleuth.answers import Column, Sheet, as_text
    >>> columns = (Column("move"), Column("visits", side="right"))
    >>> print(as_text(Sheet(columns, (("bet", "120"), ("pass", "7")))))
    move  visits
    bet      120
    pass       7
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    gap: int = 2
    close: int = 60
    fits: bool = False
    kind: Literal["sheet"] = "sheet"


@dataclass(frozen=True)
class Bars:
    """The probability of each value of something.

    Attributes:
        title: What it is.
        rows: Values and their probabilities, the likeliest first.
        bits: Its entropy; None where nobody asks for it.
        more: How many values more there are.
        rest: How likely one of these is; None where nobody knows.

    >>> from sleuth.answers import Bars, as_text
    >>> print(as_text(Bars("their card", (("king", 0.75), ("queen", 0.25)), bits=0.81)))
    their card: 0.81 bits open
      king  75 % ████████████
      queen 25 % ████
    """

    title: str
    rows: tuple[tuple[str, float], ...]
    bits: float | None = None
    more: int = 0
    rest: float | None = None
    kind: Literal["bars"] = "bars"


@dataclass(frozen=True)
class Tile:
    """A cell of a board on which more stands than a letter.

    Attributes:
        mark: The letters on it.
        ways: The sides to which ways lead from its middle, of ``n``, ``e``, ``s`` and ``w``.
        blocked: Whether the ways end before the middle, and none leads to another.
        tone: How much it stands out.
        ground: What it is made of: a free cell, a card that lies open or face down, gold or
            wall.
        title: The mark in full, where there is room.
        colour: Of the piece that the mark stands for, as pages call it; empty where it is none.
        line: The line that a touch of it says; empty where it cannot be touched.

    >>> from sleuth.answers import Grid, Tile, as_text
    >>> row = (Tile("S", ways="e"), Tile(ways="ew", ground="open"), ".")
    >>> print(as_text(Grid("The mine", (row,), names=("1",), columns=("a", "b", "c"))))
     1   S───────  .
         a    b    c
    """

    mark: str = ""
    ways: str = ""
    blocked: bool = False
    tone: Tone = "plain"
    ground: Literal["free", "open", "down", "gold", "wall"] = "free"
    title: str = ""
    colour: str = ""
    line: str = ""


@dataclass(frozen=True)
class Area:
    """Cells of a board that are one place, such as a room.

    Attributes:
        name: What it is called.
        cells: Row and column of each, from 0.
        doors: Where one goes in: row and column of a cell, and its side, of ``n``, ``e``, ``s`` and
            ``w``.
        passage: The area to which a way leads that no door shows; empty for none.
        line: The line that a touch of it says; empty where it cannot be touched.

    >>> from sleuth.answers import Area
    >>> Area("hall", cells=((0, 0), (0, 1)), doors=((0, 1, "e"),)).passage
    ''
    """

    name: str
    cells: tuple[tuple[int, int], ...]
    doors: tuple[tuple[int, int, str], ...] = ()
    passage: str = ""
    line: str = ""


@dataclass(frozen=True)
class Grid:
    """A board of cells.

    Attributes:
        title: What it is.
        rows: Its cells, row by row; one on which nothing but a letter stands is that letter.
        names: What its rows are called.
        columns: What its columns are called.
        legend: What the marks mean.
        across: Letters of a cell in a terminal; a board with ways takes as many as there are.
        areas: The places of several cells, which a page draws as one; a terminal draws cells.

    >>> from sleuth.answers import Grid, as_text
    >>> print(as_text(Grid("The board", (("x", "."), (".", "o")), ("2", "1"), ("a", "b"))))
     2 x.
     1 .o
       ab
    """

    title: str
    rows: tuple[tuple[Tile | str, ...], ...]
    names: tuple[str, ...]
    columns: tuple[str, ...]
    legend: str = ""
    across: int = 1
    areas: tuple[Area, ...] = ()
    kind: Literal["grid"] = "grid"


@dataclass(frozen=True)
class Track:
    """A kind of line on a map.

    Attributes:
        name: What it is called.
        stroke: How it is drawn.
        colour: In which colour.
        letter: What stands for it before a place that one can go to; empty for nothing.

    >>> from sleuth.answers import Track
    >>> Track("bus", stroke="double", colour="green", letter="b")
    Track(name='bus', stroke='double', colour='green', letter='b')
    """

    name: str
    stroke: Stroke
    colour: str
    letter: str = ""


@dataclass(frozen=True)
class Spot:
    """A place on a map.

    Attributes:
        name: What it is called.
        x, y: Where it is, from the left and from the top.
        piece: What stands there.
        goal: The letters of the tracks by which the one who moves can come here; empty if they
            cannot.
        colour: Of that way.
        possible: Whether what is sought may be here.
        share: How likely what is sought is here; None where nobody asks.
        line: The line that a touch of it says; empty where it cannot be touched.

    >>> from sleuth.answers import Spot
    >>> Spot("46", x=120.0, y=80.0, possible=True).possible
    True
    """

    name: str
    x: float
    y: float
    piece: str = ""
    goal: str = ""
    colour: str = ""
    possible: bool = False
    share: float | None = None
    line: str = ""


@dataclass(frozen=True)
class Map:
    """Places and the lines between them.

    Attributes:
        title: What it is.
        spots: The places.
        tracks: The kinds of lines; those that are to be seen are drawn last.
        lines: Two places and a kind of line each, by their numbers from 0.
        mover: The place from which somebody moves; None for nobody.
        centre: The place whose surroundings are shown; None for the whole map.
        legend: What the marks mean in a terminal.
        signs: Letters of pieces and before goals, each with what it stands for, as a page says it.
        sought: Who or what may be at the places that are possible.

    >>> from sleuth.answers import Map, Spot, Track, as_text
    >>> spots = (Spot("1", 0.0, 0.0, piece="me"), Spot("2", 50.0, 0.0), Spot("3", 50.0, 40.0))
    >>> town = Map("The town", spots, (Track("taxi", "dotted", "gold"),), ((0, 1, 0), (1, 2, 0)))
    >>> print(as_text(town, width=24).splitlines()[0])
    [me] ⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁⠁o
    """

    title: str
    spots: tuple[Spot, ...]
    tracks: tuple[Track, ...]
    lines: tuple[tuple[int, int, int], ...]
    mover: int | None = None
    centre: int | None = None
    legend: str = ""
    signs: tuple[tuple[str, str], ...] = ()
    sought: str = ""
    kind: Literal["map"] = "map"


@dataclass(frozen=True)
class CurveLine:
    """A line of a curve.

    Attributes:
        name: What it is of.
        values: It at every moment, from 0; None where nobody knows.
    """

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Curve:
    """Something over the moments of a game.

    Attributes:
        title: What it is.
        lines: The lines.
        at: The moment that is looked at; None for none.
        most: The highest value of the scale, which begins at 0; None for a share of all.
        line: What a touch of a moment says, before its number; empty where none can be touched.
    """

    title: str
    lines: tuple[CurveLine, ...]
    at: int | None = None
    most: float | None = None
    line: str = ""
    kind: Literal["curve"] = "curve"


@dataclass(frozen=True)
class Section:
    """Statements under a heading.

    Attributes:
        title: The heading.
        parts: The statements.
        lead: What is to be said first.

    >>> from sleuth.answers import Paragraph, Section, as_text
    >>> print(as_text(Section("Their card", (Paragraph("It is the king."),))).strip())
    Their card
    It is the king.
    """

    title: str
    parts: tuple[Statement, ...]
    lead: str = ""
    kind: Literal["section"] = "section"


@dataclass(frozen=True)
class Touches:
    """Some things to touch.

    Attributes:
        title: What they are; empty where that is plain.
        choices: They.
        shape: In how many columns: as many as there is room for, one, one for each, or three.
        label: The words for those who do not see the page; empty where the title says all.
    """

    title: str
    choices: tuple[Touch, ...]
    shape: Literal["flow", "list", "row", "grid"] = "flow"
    label: str = ""
    kind: Literal["touches"] = "touches"


@dataclass(frozen=True)
class FormField:
    """A place in a form that is to be filled in.

    Attributes:
        name: What stands for it in the line that the form says.
        label: What is wanted.
        value: What stands there already.
        input: What is written there.
        choices: All that can stand there; empty for anything.
        called: The words for each choice, in the same order; empty where it says enough itself.
        least, most, step: The range of a number; of words the most letters.
    """

    name: str
    label: str
    value: str = ""
    input: Literal["text", "number", "range", "choice", "file"] = "text"
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    step: float | None = None
    called: tuple[str, ...] = ()


@dataclass(frozen=True)
class BlankForm:
    """A form.

    Attributes:
        line: The line that it says when it is handed in; what is filled in goes with it.
        blanks: What is to be filled in.
        button: The words that hand it in.
    """

    line: str
    blanks: tuple[FormField, ...]
    button: str
    kind: Literal["form"] = "form"


@dataclass(frozen=True)
class AddressCode:
    """An address of a page, with the code that a phone's camera reads.

    Attributes:
        title: What is there.
        address: The address.
    """

    title: str
    address: str
    kind: Literal["address"] = "address"


Statement = (
    Paragraph
    | Command
    | Refusal
    | Facts
    | Sheet
    | Bars
    | Grid
    | Map
    | Curve
    | Section
    | Touches
    | BlankForm
    | AddressCode
)
"""Anything that a person is told."""
Statements = Sequence[Statement]


@dataclass(frozen=True)
class Option:
    """A move that can be made.

    Attributes:
        code: Its number in the game.
        name: The line that makes it.

    >>> from sleuth.answers import Option
    >>> Option(code=1, name="bet")
    Option(code=1, name='bet')
    """

    code: int
    name: str


@dataclass(frozen=True)
class Prompt:
    """A question that waits for a line.

    Attributes:
        text: The question.
        words: Words that a line may begin with, or be made of.
        moves: The legal moves, where one is asked for.
        view: The state as the one who is asked knows it (see `View.to_json`).
        seen: All that they have seen of the game (see `SeenPlay.to_json`).

    >>> from sleuth.answers import Option, Prompt
    >>> Prompt("first", words=("help",), moves=(Option(0, "pass"), Option(1, "bet"))).moves[1].name
    'bet'
    """

    text: str
    words: tuple[str, ...] = ()
    moves: tuple[Option, ...] = ()
    view: Mapping[str, Any] | None = None
    seen: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Reply:
    """The answer of a session to a line.

    Attributes:
        said: What is said.
        error: Why the line was refused; None where it was understood.
        prompt: What is asked next; None at the end.

    >>> from sleuth.answers import Paragraph, Prompt, Reply, to_json
    >>> to_json(Reply((Paragraph("You bet."),), prompt=Prompt("second")))
    {'said': [{'kind': 'paragraph', 'text': 'You bet.'}], 'prompt': {'text': 'second'}}
    """

    said: tuple[Statement, ...]
    error: Refusal | None = None
    prompt: Prompt | None = None


def sheet(*columns: Column | str, rows: Sequence[Sequence[Cell]], gap: int = 2) -> Sheet:
    """A table of columns or their headings alone; see `Sheet`."""
    made = tuple(Column(each) if isinstance(each, str) else each for each in columns)
    return Sheet(made, tuple(map(tuple, rows)), gap)


def right(heading: str = "") -> Column:
    """A column of numbers."""
    return Column(heading, "right")
