"""Mini Stratego: two small armies, and each sees of the other only where its pieces stand.

Rules: Jumbo's board game with pieces of its Barrage, as on the public pages of Gravon; but chance
sets the armies up, and a limit of moves stands for the rules against going to and fro.
"""

from __future__ import annotations

from collections import Counter, namedtuple
from functools import cache, partial
from typing import Any, Final, Self

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Deal, Feature, Game, Model, Posterior, kernel, kit
from sleuth.answers import Grid, Statements
from sleuth.errors import SettingsError

KINDS: Final = ("flag", "bomb", "spy", "scout", "miner", "general", "marshal")  # by their ranks
LETTERS: Final = "FBS23GM"
FLAG, BOMB, SPY, SCOUT, MINER, MARSHAL = 0, 1, 2, 3, 4, 6
EMPTY, MOVED, SHOWN, FIGHTS = -1, 1, 2, 50

# Pieces are numbered from 0 in the order of their squares, blue's after red's and from the last
# square; squares along the rows. An action is squares * from + to, or the last: "cannot move".
Sizes = namedtuple("Sizes", "columns rows army moves")  # pyright: ignore


@kernel
def outcome(attacker: int, defender: int) -> int:
    """1 if the attacker wins, -1 if the defender does, and 0 if both are lost."""
    higher = attacker > defender or (attacker == SPY and defender == MARSHAL)
    won = attacker == MINER if defender == BOMB else higher
    return 1 if won else 0 if attacker == defender else -1


@kernel
def reach(state: Any, square: int, far: bool, tables: Any, actions: Any, count: int) -> int:
    """Writes the moves of the piece on a square behind so many others; how many there are then."""
    for across, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        column, row, free = square % tables.columns + across, square // tables.columns + up, True
        while free and 0 <= column < tables.columns and 0 <= row < tables.rows:
            other = state.board[row * tables.columns + column]
            if other // len(tables.army) != state.board[square] // len(tables.army):
                actions[count] = square * len(state.board) + row * tables.columns + column
                count += 1
            free = far and other == EMPTY
            column, row = column + across, row + up
    return count


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    pieces = len(tables.army)
    kit.set_all(state.board, EMPTY)
    for piece in range(pieces):
        state.board[piece], state.board[-1 - piece] = piece, pieces + piece
        state.kinds[piece] = state.kinds[pieces + piece] = tables.army[piece]
    kit.shuffle(state.kinds[:pieces], pieces, random)
    kit.shuffle(state.kinds[pieces:], pieces, random)
    state.winner = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for square in range(len(state.board)):
        piece = state.board[square]
        if piece // len(tables.army) == state.player and state.kinds[piece] > BOMB:
            count = reach(state, square, state.kinds[piece] == SCOUT, tables, actions, count)
    actions[count] = len(state.board) ** 2  # for who cannot move; there is room
    return max(count, 1)


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    mover, source, target = state.player, action // len(state.board), action % len(state.board)
    state.told, state.moves, state.player = 0, state.moves + 1, 1 - mover
    if source == len(state.board):
        state.player, state.winner = OVER, 1 - mover
        return
    piece, other = state.board[source], state.board[target]
    state.signs[piece] = max(state.signs[piece], MOVED)
    if abs(source - target) not in (1, tables.columns):
        state.signs[piece], state.kinds[piece] = SHOWN, SCOUT  # no other can have run
    state.board[source], state.board[target] = EMPTY, piece
    if other != EMPTY:
        state.signs[piece] = state.signs[other] = SHOWN
        won = outcome(state.kinds[piece], state.kinds[other])
        state.board[target] = piece if won > 0 else other if won < 0 else EMPTY
        state.told = 1 + len(KINDS) * state.kinds[piece] + state.kinds[other]
        state.winner = mover if state.kinds[other] == FLAG else -1
    if state.moves == tables.moves or state.winner >= 0:
        state.player = OVER


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The move, both pieces of a fight, and in the end all of them."""
    told = 0
    for piece in range(len(state.kinds) if state.player == OVER else 0):
        told = len(KINDS) * told + int(state.kinds[piece])
    return action + (len(state.board) ** 2 + 1) * (int(state.told) + FIGHTS * told)


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    if state.winner >= 0:
        values[state.winner], values[1 - state.winner] = 1, -1


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for piece in range(len(state.kinds) if state.player != OVER else 0):
        if piece // len(tables.army) != viewer and state.signs[piece] != SHOWN:
            state.kinds[piece] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    pieces = len(tables.army)
    for column in range(2 * pieces):
        state.kinds[column // pieces * pieces + world[column]] = tables.army[column % pieces]


def action_name(columns: int, squares: int, action: int) -> str:
    names = [f"{'abcdef'[at % columns]}{1 + at // columns}" for at in divmod(action, squares)]
    return "-".join(names) if action < squares**2 else "cannot move"


@cache
def declared(game: Game) -> tuple[Model, dict[str, Feature]]:
    """The kinds dealt to the pieces of each army; and what each piece is, called by its start."""
    deals, squares = list[Deal](), range(game.tables.columns * game.tables.rows)
    kinds = Counter[str](map(KINDS.__getitem__, game.tables.army))
    for role, places in zip(game.roles, (squares, squares[::-1]), strict=True):
        names = [game.action_name(len(squares) * at)[:2] for at in places[: kinds.total()]]
        deals.append(Deal(kinds, holders={f"{role} from {at}": 1 for at in names}, name=role))
    return Model(*deals), {name: deal.item_of(name) for deal in deals for name in deal.holders}


class StrategoBelief(sleuth.CachedBelief[Any]):
    """A piece that moved is neither bomb nor flag, and all armies that fit are equally likely.

    Which move is chosen tells nothing. (If any is, as in checks, it does: a scout has more.)"""

    any_move = False

    def indifferent(self) -> Self:
        other = type(self)()
        other.any_move = True
        return other

    def known(self, view: kit.View, seen: kit.SeenPlay) -> Any:
        kinds, signs = view.states[0].kinds.tolist(), view.states[0].signs.tolist()
        return view.game, tuple(kinds), tuple(signs), seen.events if self.any_move else ()

    def posterior(self, known: Any) -> Posterior:
        game, kinds, signs, told = known
        (model, pieces), size, given = declared(game), len(kinds) // 2, list[Any]()
        for (name, piece), kind, sign in zip(pieces.items(), kinds, signs, strict=True):
            may = KINDS[kind : kind + 1] if kind != HIDDEN else KINDS[SPY if sign else FLAG :]
            may = [each for each in may if each in piece.values]
            why = f"the {name} {('stands', 'moved', 'is shown')[sign]}"
            given.append(piece.among(may).observed(because=why))
        steps, runs = self.ways(game, told)
        for army in (range(size), range(size, 2 * size)):
            if asked := [at for at in army if kinds[at] == HIDDEN and steps[:, at].any()]:
                they = sleuth.together(*([*pieces.values()][at] for at in asked))
                table = np.tile(kinds, (len(they.values), 1)).T
                table[asked] = np.array([[*map(KINDS.index, each)] for each in they.values]).T
                count = np.maximum(steps @ (table > BOMB) + runs @ (table == SCOUT), 1)
                chances = dict(zip(they.values, (1 / count).prod(axis=0).tolist(), strict=True))
                given.append(they.weigh(chances, exact=True, because="how many moves there were"))
        return sleuth.infer(model, given)

    def ways(self, game: Game, told: Any) -> Any:
        """Of each move, and each piece of who moved: its moves by steps, and a scout's beside."""
        state, rest = game.initial(0)[0], (game.tables, np.zeros(game.max_actions, np.int32), 0)
        found, board = np.zeros((2, len(told), len(state.kinds)), np.int32), state.board
        for move, event in enumerate(each.event for each in told):
            for at, piece in enumerate(board.tolist()):
                if piece // len(game.tables.army) == event.mover:
                    found[:, move, piece] = [reach(state, at, far, *rest) for far in (False, True)]
            action, fight = kit.digits(event.observation, game.action_space, FIGHTS)
            if fight:
                state.kinds[board[[*divmod(action, len(board))]]] = divmod(fight - 1, len(KINDS))
            game.apply(state, action, game.tables, kit.generator(0))
        return found[0], found[1] - found[0]

    def hidden(self, view: kit.View) -> dict[str, Feature]:
        pieces = zip(declared(view.game)[1].items(), view.states[0].kinds.tolist(), strict=True)
        return {name: piece for (name, piece), kind in pieces if kind == HIDDEN}


class StrategoWords(kit.Display):
    """The board from behind red's army, with what each piece may be."""

    title = "Mini Stratego"
    rules = (
        "In turn, move a piece a step, or a scout as far as it is free; bombs and flags stay. If "
        "pieces meet, both are shown, and the lower rank is lost, or both if equal. But a spy can "
        "take the marshal, and only a miner a bomb. Take the flag to win; who cannot move, loses."
    )
    writing = "A move is from where to where, such as b2-b3."

    def situation(self, sight: kit.Sight) -> Statements:
        state, (columns, rows, army, most) = sight.state, self.game.tables
        marks = {EMPTY: "."}
        for piece, kind in enumerate(state.kinds.tolist()):
            known = "?!"[state.signs[piece]] if kind == HIDDEN else LETTERS[kind]
            marks[piece] = "rb"[piece // len(army)] + known
        lines = state.board.reshape(rows, columns)[::-1].tolist()
        board = tuple(tuple(marks[piece] for piece in line) for line in lines)
        names = tuple("987654321"[-rows:]), tuple("abcdef"[:columns])
        letters = ", ".join(f"{LETTERS[kind]} {KINDS[kind]}" for kind in sorted({*army.tolist()}))
        legend = f"r red, b blue; ? any, ! one that moved, {letters}"
        return [Grid(f"After {state.moves} of {most} moves", board, *names, legend, across=3)]

    def sentence(self, sight: kit.Sight, place: int) -> str:
        event = sight.seen.events[place].event
        action, told = kit.digits(event.observation, self.game.action_space, FIGHTS)
        one, other = divmod(told - 1, len(KINDS))
        won = ("both are lost", "and wins", "and is lost")[outcome(one, other)]
        fight = f": the {KINDS[one]} strikes the {KINDS[other]}, {won}" if told else ""
        return f"{self.name_of(event.mover, sight)}: {self.game.action_name(action)}{fight}"


def mini_stratego(columns: int = 3, army: str = "FBS23M", moves: int = 80) -> Game:
    """The game: 1 for who takes the flag of the other, -1 for the other; 0 after the last move.

    Args:
        columns: 2 to 6.
        army: The pieces of each side, a letter of FBS23GM each, in full rows.
        moves: The most moves of a game.
    """
    kit.whole_number(columns, "columns", least=2, most=6)
    kit.whole_number(moves, "moves", least=1, most=1000)
    rows, pieces = 2 * len(army) // columns + 1, len(army)
    if not {*army} <= {*LETTERS} or army.count("F") != 1 or pieces % columns or pieces > 8:
        raise SettingsError("no such army", value=army, hint="full rows, such as army='FBS23M'")
    cells, kinds = rows * columns, np.array(sorted(map(LETTERS.index, army)), np.int32)
    state = kit.numbers("player", "winner", "moves", "told") + kit.numbers("board", shape=(cells,))
    state += kit.numbers("kinds", "signs", shape=(2 * pieces,))
    return Game(
        name="mini_stratego", version=1, roles=("red", "blue"), state=np.dtype(state),
        action_space=cells**2 + 1, max_actions=pieces * (rows + columns), max_depth=moves,
        tables=Sizes(columns, rows, kinds, moves), lowest=-1, highest=1, columns=2 * pieces,
        start=start, legal=legal, apply=apply, observe=observe, returns=returns, mask=mask,
        fill=fill, action_name=partial(action_name, columns, cells),
        settings={"columns": columns, "army": army, "moves": moves},
        fields={
            "winner": kit.StateField("the player that has won; -1 for nobody", -1, 1),
            "moves": kit.StateField("moves so far", 0, moves),
            "told": kit.StateField("a fight: 1 + 7 * the attacker's kind + the other's; else 0", 0,
                                   FIGHTS - 1),
            "board": kit.StateField("the piece on each square; -1 for none", -1, 2 * pieces - 1),
            "kinds": kit.StateField("each piece, by its place in " + ", ".join(KINDS), 0, MARSHAL),
            "signs": kit.StateField("1 for pieces that have moved, 2 for those shown", 0, SHOWN),
        }, sum_of_returns=0,
    )  # fmt: skip


GAME = sleuth.GameEntry("mini_stratego", mini_stratego, StrategoBelief, display=StrategoWords)
