"""The arguments of tools: what they mean, and how long they may be."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from .limits import USUAL

Table = Annotated[str, Field(max_length=100, description="The word that opening the table gave.")]
Game = Annotated[
    str,
    Field(max_length=USUAL.letters, description="A game's name, such as 'clue'; see 'list_games'."),
]
Line = Annotated[str, Field(max_length=USUAL.letters)]
Lines = Annotated[
    list[Line],
    Field(
        min_length=1,
        max_length=USUAL.lines,
        description="Lines, taken in order until one is refused; those before it are kept. While "
        "something is asked, a line answers it, and an empty one says it is as usual. Then each "
        "is an event of the game, as 'describe_game' says.",
    ),
]
Key = Annotated[Line, Field(description="What is set up anew, such as 'players'.")]
Answer = Annotated[Line, Field(description="What it is; empty for as usual.")]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Entry = Annotated[Number, Field(description="The number of the entry, from 1; see 'log'.")]
How = Annotated[
    Literal["change", "insert", "remove", "unsure", "sure"],
    Field(
        description="'change' puts the line in its place, 'insert' puts it before, 'remove' takes "
        "the entry away, 'unsure' counts it no longer, 'sure' counts it again."
    ),
]
Amended = Annotated[Line, Field(description="The line, to change or insert.")]
Question = Annotated[
    Line,
    Field(
        description="A question in the game's own words, such as 'why plum' or 'best 5'; "
        "'describe_game' lists them."
    ),
]
Settings = Annotated[
    dict[Line, str | int | bool | None],
    Field(max_length=100, description="Settings by name, such as {'players': 4}."),
]
Seats = Annotated[
    list[Line],
    Field(
        max_length=12,
        description="Roles or sides that are not agents', each a seat of its own that sees its own "
        "only; none for one seat with the first side.",
    ),
]
Agents = Annotated[
    dict[Line, Line],
    Field(
        max_length=100,
        description="Who plays other roles: role or side -> agent; a search of half a second where "
        "nobody is named.",
    ),
]
TakeBack = Annotated[bool, Field(description="Whether moves can be taken back.")]
Keep = Annotated[
    bool,
    Field(description="Whether the table outlives the server, in the folder it was started with."),
]
Move = Annotated[
    str | int,
    Field(description="A legal move, in words (as 'look' lists them, or shortened) or as a code."),
]
Names = Annotated[
    list[Line],
    Field(
        max_length=USUAL.moves,
        description="Hidden things to ask about, each with all its values; none for all "
        "of them with their likeliest values.",
    ),
]
Name = Annotated[Line, Field(description="Something hidden, as 'beliefs' calls it.")]
Value = Annotated[
    Line,
    Field(
        description="The value that it has, or cannot have, as 'beliefs' writes it. Beside a real "
        "game it may be empty: the name alone is what the game's 'why' takes."
    ),
]
About = Annotated[
    Line,
    Field(
        description="What is to be learned, by a name of 'beliefs' or how names begin; empty for "
        "the main thing. Beside a real game: what follows its 'best'."
    ),
]
Agent = Annotated[
    Line,
    Field(
        description="An agent as NAME:key=value,..., such as 'mcts:simulations=2000' or 'random'; "
        "empty for a search of half a second. 'describe_game' lists them.",
    ),
]
Record = Annotated[
    str, Field(max_length=USUAL.record, description="The record: the text of its file.")
]
FileName = Annotated[
    Line,
    Field(description="The name of that file, which ends in .jsonl or .csv for one of many games."),
]
Observer = Annotated[
    Line,
    Field(description="Whose view: a player, 'spectator' or 'all'; empty for the usual one."),
]
GameNumber = Annotated[Number, Field(description="Which of several games, from 1.")]
AsJson = Annotated[
    bool,
    Field(
        description="Whether the JSON of 'sleuth analyse --json' is wanted, as one text (the texts "
        "of all parts joined); else what the command prints."
    ),
]
Moment = Annotated[
    int, Field(ge=0, le=1_000_000, description="After how many moves; 0 is before the first.")
]
OwnGame = Annotated[Line, Field(description="FILE.py:NAME: a file of the machine that serves.")]
Plays = Annotated[int, Field(ge=1, le=2_000, description="Random games to check the rules by.")]
BeliefPlays = Annotated[
    int, Field(ge=0, le=2_000, description="Random games to compare the belief with; 0 for none.")
]
LongAnswer = Annotated[Line, Field(description="The 'answer' that a long answer named.")]
Part = Annotated[Number, Field(description="Which part, from 1.")]
#: What is usual where nothing is named, in a list and in a mapping; nobody changes them.
Empty: Any = ()
Unnamed: Any = {}
