"""Events of Saboteur, carried out by the rules in a world that agrees with all of them.

What nobody wrote down is drawn: roles, goals, hands, the deck, and what was discarded. What a
viewer of the record saw does not depend on it.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Final, Literal

import numpy as np

from ....data.errors import ContradictionError, RecordError, SettingsError, nearest
from ...game import OVER, Game
from ...kernels.randomness import generator
from ...play import Play
from ...records.replay import CompletedPlay
from ..cards import LETTERS, letters, pieces, turned
from ..game import saboteur
from ..rules import act_openly
from ..state import (
    CARDS,
    DISCARD,
    FACE_DOWN,
    GOALS,
    GOLD,
    GOLD_PIECE,
    LOOK,
    MINER,
    MINERS_WIN,
    NO_CARD,
    SABOTEUR,
    SAY,
)
from ..words import GOAL_NAMES, ROLES, SAID, ActionName, card_name
from .events import RoundDeal, RoundEnd, RoundTurn, SaboteurEvent
from .notation import Notation
from .played import takers
from .schema import place

#: What is missing before the last event can be carried out.
Missing = Literal["end", "deal", "draw", "goal"]
STONES: Final = frozenset({1, 2})


@lru_cache(maxsize=64)
def _game(players: tuple[str, ...], settings: str) -> Game:
    made = saboteur(players=len(players), **json.loads(settings))
    names = ActionName(made.tables, made.settings["tools"], players)
    return replace(made, roles=players, action_name=names)


def game_of(players: Sequence[str], settings: Mapping[str, Any]) -> Game:
    """The game of these people with these settings, made once; its roles are their names.

    Raises:
        RecordError: The settings do not fit together.
    """
    given = {name: value for name, value in settings.items() if name != "players"}
    try:
        return _game(tuple(players), json.dumps(given, sort_keys=True))
    except SettingsError as error:
        raise RecordError(
            error.message, where=place(None, "settings"), value=error.value, hint=error.hint
        ) from None
    except (TypeError, ValueError):
        known = [name for name in saboteur(players=len(players)).settings if name != "players"]
        for name in given:
            if name not in known:
                raise RecordError(
                    "no such setting",
                    where=place(None, "settings"),
                    value=name,
                    hint=nearest(name, known),
                ) from None
        raise RecordError(
            "these are no settings of this game", where=place(None, "settings"), value=dict(given)
        ) from None


def differing(game: Game) -> dict[str, Any]:
    """The settings that differ from what follows from the others, as a record says them."""
    rules = game.settings.get("rules", "official")
    usual = saboteur(players=game.players, rules=rules).settings
    told = {"rules": rules} if rules != "official" else {}
    return told | {
        name: value
        for name, value in game.settings.items()
        if name not in ("players", "rules") and usual[name] != value
    }


class EventError(RecordError):
    """An event is against the rules, by those before it.

    Attributes:
        number: The event's.
    """

    number: int = 0


@dataclass(frozen=True, eq=False)
class EventReplay:
    """Events, carried out.

    Attributes:
        play: The completed play.
        last: It after its last action; it belongs to this, play on with a copy.
        missing: What must be known before the last event is carried out; None for nothing.
    """

    play: CompletedPlay
    last: Play
    missing: Missing | None = None


@dataclass
class RoundNotes:
    """The notes of one round: deals by player, turns, and the end, each with its number."""

    deals: dict[int, tuple[int, RoundDeal]] = field(
        default_factory=dict[int, tuple[int, RoundDeal]]
    )
    turns: list[tuple[int, RoundTurn]] = field(default_factory=list[tuple[int, RoundTurn]])
    end: tuple[int, RoundEnd] | None = None


def rounds_of(game: Game, events: Iterable[SaboteurEvent]) -> list[RoundNotes]:
    """Events by rounds.

    Raises:
        RecordError: A deal stands within a round, or names somebody twice.
    """
    found = [RoundNotes()]
    for number, event in enumerate(events, start=1):
        now = found[-1]
        if isinstance(event, RoundTurn):
            now.turns.append((number, event))
        elif isinstance(event, RoundEnd):
            now.end = (number, event)
            found.append(RoundNotes())
        else:
            player = player_of(game, event.player, number, "player")
            if now.turns or player in now.deals:
                problem = "a deal begins a round" if now.turns else "a player is dealt cards once"
                raise RecordError(problem, where=place(number), value=event.line)
            now.deals[player] = (number, event)
    return found


def player_of(game: Game, name: str, number: int | None, where: str) -> int:
    """The number of a player by their name."""
    if name not in game.roles:
        raise RecordError(
            "no player has this name",
            where=place(number, where),
            value=name,
            hint=f"there are {', '.join(game.roles)}",
        )
    return game.roles.index(name)


def replayed(game: Game, events: Sequence[SaboteurEvent], *, seed: int = 0) -> EventReplay:
    """Events, carried out by the rules.

    Args:
        game: The game, see `game_of`.
        events: They.
        seed: Of all that is drawn.

    Raises:
        RecordError: An event is against the rules; with its number.
        ContradictionError: Events cannot all be true; with their numbers.
    """
    return _Replay(game, rounds_of(game, events), np.random.default_rng(seed)).run()


class _Replay:
    """The work of `replayed`."""

    def __init__(self, game: Game, rounds: list[RoundNotes], rng: np.random.Generator) -> None:
        self.game, self.rounds, self.rng = game, rounds, rng
        self.actions: list[int] = []
        self.numbers: list[int] = []
        self.decided: dict[int, Callable[[Any], None]] = {}
        self.next_world: RoundWorld | None = None
        self._ended = 0
        self._open: tuple[int, RoundTurn] | None = None

    def run(self) -> EventReplay:
        start = self.game.initial(0)
        world = self._world(0, 0)
        world.deal(start[0])
        self.play = Play(self.game, 0, start)
        missing: Missing | None = None
        for index, notes in enumerate(self.rounds):
            for number, turn in notes.turns:
                try:
                    if missing is not None:
                        self._refuse_missing(missing, number)
                    missing = self._turn(index, notes, world, number, turn)
                except EventError:
                    raise
                except RecordError as error:
                    raise _at(number, error) from None
            if notes.end is not None and missing != "deal" and not self._ended_with(notes):
                problem = RecordError(
                    "the round is not over here",
                    where=place(notes.end[0]),
                    hint="it is when the gold is reached, or nobody has cards left",
                )
                raise _at(notes.end[0], problem)
            if notes.end is not None and index + 1 < len(self.rounds):
                world = self.next_world or world
        made = CompletedPlay(
            self.game, start, tuple(self.actions), tuple(self.numbers), self.decided
        )
        return EventReplay(made, self.play, missing)

    # -- worlds

    def _world(self, index: int, starter: int) -> RoundWorld:
        notes = self.rounds[index] if index < len(self.rounds) else RoundNotes()
        return RoundWorld(self.game, notes, starter, self.rng)

    # -- turns

    def _turn(
        self, index: int, notes: RoundNotes, world: RoundWorld, number: int, turn: RoundTurn
    ) -> Missing | None:
        """Carry out a turn; or say what is missing, without doing so."""
        game, play = self.game, self.play
        who = player_of(game, turn.by, number, "by")
        if play.over:
            raise RecordError("the game is over", where=place(number), value=turn.line)
        if who != play.player:
            mover = game.roles[play.player]
            raise RecordError(
                f"it is the turn of {mover}",
                where=place(number),
                value=turn.line,
                hint=f"write what {mover} played first, or '{mover} discards'",
            )
        if who not in notes.deals and turn.what.startswith("discard "):
            raise RecordError(
                "a card is discarded face down, and nobody sees it",
                where=place(number),
                value=turn.line,
                hint=f"write '{turn.by} discards'",
            )
        turns = int(play.truth()[0].turn)
        if who not in notes.deals and turn.saw is not None:
            raise RecordError(
                f"the record does not know what {turn.by} saw",
                where=place(number, "saw"),
                value=turn.line,
                hint="leave it out; 'says stone' is what they said of it",
            )
        if who in notes.deals:
            self._check_own(world, number, turn, turns)
        codes = self._codes(world, number, turn, turns)
        draws = world.is_drawn(turns)
        if turn.drew is not None and not (draws and who in notes.deals):
            said = "nobody draws now" if not draws else "the record does not know this hand"
            raise RecordError(
                said, where=place(number, "drew"), value=turn.drew, hint="leave it out"
            )
        if who in notes.deals and draws and turn.drew is None and not self._ends(codes):
            return "draw"
        if self._check_turned(world, number, turn, codes[0]):
            self._open = (number, turn)
            return "goal"
        if self._ends(codes):
            return self._last_turn(index, notes, number, codes)
        self._apply(number, codes)
        return None

    def _check_own(self, world: RoundWorld, number: int, turn: RoundTurn, turns: int) -> None:
        """The viewer's own turn says which card they play, and what a map showed."""
        kind = world.kinds[number]
        if kind is None:
            raise RecordError(
                f"which card did {turn.by} discard?", where=place(number), value=turn.line
            )
        if kind not in world.held(turns):
            raise RecordError(
                f"{turn.by} does not have this card", where=place(number), value=turn.line
            )
        if turn.what.startswith("map") and turn.saw is None:
            raise RecordError(
                f"what did {turn.by} see?",
                where=place(number, "saw"),
                hint="write 'saw gold' or 'saw stone' behind it",
            )

    def _codes(self, world: RoundWorld, number: int, turn: RoundTurn, turns: int) -> list[int]:
        """The actions of a turn.

        Raises:
            RecordError: It is not legal; with what is.
        """
        wanted, named = turn.what, self.game.action_name
        if wanted == "discard":
            return [DISCARD + world.acquired[self.play.player][world.place(turns)]]
        legal: list[int] = self.play.legal().tolist()
        code = next((each for each in legal if named(each) == wanted), None)
        if code is None:
            raise self._illegal(number, turn, [named(each) for each in legal])
        if not LOOK <= code < SAY:
            return [code]
        if self.game.settings["claims"] == "none":
            return [code]
        return [code, SAY + SAID.index(turn.says or "nothing")]

    def _illegal(self, number: int, turn: RoundTurn, legal: list[str]) -> RecordError:
        """Why a turn is against the rules, as far as others are not."""
        card, _, _ = turn.what.rpartition(" ")
        state = self.play.truth()[0]
        verb = turn.what.partition(" ")[0]
        path = verb not in ("break", "repair", "rockfall", "map", "discard")
        if path and state.broken[self.play.player]:
            said = f"{turn.by} has a broken tool"
            return RecordError(said, where=place(number), value=turn.line, hint="no path cards")
        alike = [name for name in legal if name.rpartition(" ")[0] == card]
        hint = f"this card fits at {', '.join(each.rpartition(' ')[2] for each in alike[:12])}"
        if path and (other := _turned_round(turn.what)) in legal:
            alike, hint = [other], f"it does when it is turned: '{other}'"
        if not path:
            alike = [name for name in legal if name.startswith(verb)]
            hint = f"possible: {', '.join(alike[:12])}"
        said = "the card does not fit there" if path else "this cannot be done now"
        return RecordError(said, where=place(number), value=turn.line, hint=hint if alike else "")

    def _check_turned(self, world: RoundWorld, number: int, turn: RoundTurn, code: int) -> bool:
        """True if a path card reaches a goal of which nothing is said; no others are said."""
        now = self.play.truth()
        before = _down(self.game, now[0])
        if code < DISCARD:
            act_openly(now[0], code, self.game.tables)
        shown = [name for name, is_down in zip(GOAL_NAMES, before, strict=True) if is_down]
        after: dict[str, bool] = dict(zip(GOAL_NAMES, _down(self.game, now[0]), strict=True))
        reached = [name for name in shown if not after[name]]
        for name in turn.turned:
            if name not in reached:
                raise RecordError(
                    f"the {name} goal is not reached by this", where=place(number), value=turn.line
                )
            if STONES <= world.possible(GOAL_NAMES.index(name)):
                raise RecordError(
                    f"which stone is the {name} goal?",
                    where=place(number),
                    value=turn.line,
                    hint=f"write its openings as it lies: '{name} is stone SW', or NE, NW, ES",
                )
        return not {*reached} <= turn.turned.keys()

    def _ends(self, codes: Sequence[int]) -> bool:
        """True if the round is over after the actions of a turn."""
        rounds = int(self.play.truth()[0].rounds_played)
        return int(self._after(codes).rounds_played) > rounds

    def _after(self, codes: Sequence[int]) -> Any:
        """The state after the actions of a turn, if chance is left to itself."""
        trial = self.play.truth()
        for code in codes:
            self.game.apply(trial[0], code, self.game.tables, generator(0))
        return trial[0]

    def _last_turn(
        self, index: int, notes: RoundNotes, number: int, codes: list[int]
    ) -> Missing | None:
        """Carry out the last turn of a round, if all is known that follows it."""
        if notes.end is None:
            return "end"
        try:
            _end_round(self.game, self.play.truth(), *notes.end, None, self._after(codes))
        except RecordError as error:
            raise _at(notes.end[0], error) from None
        state = self.play.truth()[0]
        last = int(state.rounds_played) + 1 == int(self.game.tables.rules[0].rounds)
        self.next_world = None
        if not last:
            later = self.rounds[index + 1]
            if not notes.deals.keys() <= later.deals.keys():
                return "deal"
            starter = (self.play.player + 1) % self.game.players
            self.next_world = self._world(index + 1, starter)
        before = self.play.truth()
        end = partial(_end_round, self.game, before, *notes.end, self.next_world)
        self._apply(number, codes, end)
        self._ended = number
        return None

    def _ended_with(self, notes: RoundNotes) -> bool:
        return bool(notes.turns) and self._ended == notes.turns[-1][0]

    def _apply(
        self, number: int, codes: list[int], end: Callable[[Any], None] | None = None
    ) -> None:
        for place_in, code in enumerate(codes):
            chance = end if place_in == len(codes) - 1 else None
            self.play.apply(code, chance=chance)
            self.actions.append(code)
            self.numbers.append(number)
            if chance is not None:
                self.decided[len(self.actions)] = chance

    def _refuse_missing(self, missing: Missing, number: int) -> None:
        if self._open is not None:
            raise goal_wanted(*self._open)
        says = {
            "end": ("the round is over: who were the saboteurs?", "'end: saboteurs Bob; gold top'"),
            "deal": ("a new round begins with a deal", "write 'deal Ann miner: NES, map'"),
            "draw": ("the card drawn in the turn before is missing", "write 'drew NES' behind it"),
        }
        said, hint = says[missing]
        raise RecordError(said, where=place(number), hint=hint)


def goal_wanted(number: int, turn: RoundTurn) -> EventError:
    """The error of a turn that reaches a goal of which it does not say what it is."""
    error = RecordError(
        "a goal is reached: what is it?",
        where=place(number),
        value=turn.line,
        hint="write such as 'top is gold', or 'top is stone SW' with its openings as it lies, "
        "behind it",
    )
    return _at(number, error)


def _at(number: int, error: RecordError) -> EventError:
    """The error in an event, with its number."""
    told = {} if error.value is None else {"value": error.value}
    found = EventError(error.message, where=error.where, hint=error.hint, **told)
    found.number = number
    return found


def _turned_round(what: str) -> str:
    """The name of laying a path card the other way round on the same cell."""
    card, _, cell = what.rpartition(" ")
    dead, _, sides = card.rpartition(" ")
    openings = sum(1 << LETTERS.index(letter) for letter in sides)
    return f"{dead} {letters(turned(openings))} {cell}".strip()


def _down(game: Game, state: Any) -> list[bool]:
    """For each goal, if it lies face down."""
    return [bool(state.board[cell] == FACE_DOWN) for cell in game.tables.rules[0].goals.tolist()]


def _end_round(
    game: Game, before: Any, number: int, end: RoundEnd, later: RoundWorld | None, state: Any
) -> None:
    """Put into the state after a round what its end showed, and the next deal."""
    row = game.tables.rules[0]
    if game.settings["pay"] == "gold" and state.winner == MINERS_WIN:
        state.won[:] = before[0].won
        state.gold_left[:] = before[0].gold_left
        saboteurs = [player_of(game, name, number, "saboteurs") for name in end.saboteurs]
        due = Counter(takers(game.players, int(before[0].player), saboteurs))
        for name, cards in end.cards.items():
            player = player_of(game, name, number, "cards")
            if name in end.saboteurs:
                raise RecordError(
                    "only miners take gold cards now", where=place(number), value=name
                )
            if len(cards) != due[player]:
                raise RecordError(
                    f"{name} takes {due[player]} of the {due.total()} gold cards",
                    where=place(number),
                    value=[*cards],
                    hint="who finished the way takes the first, and so on counter-clockwise among "
                    "the miners; leave out what nobody saw",
                )
            state.won[player] += sum(cards)
            for nuggets in cards:
                state.gold_left[nuggets - 1] -= 1
        if min(state.gold_left) < 0:
            taken = sorted(itertools.chain.from_iterable(end.cards.values()), reverse=True)
            raise RecordError("there are not so many gold cards", where=place(number), value=taken)
    elif end.cards:
        raise RecordError(
            "no gold cards are taken here",
            where=place(number, "cards"),
            hint="they are when miners win, by 'pay=gold'",
        )
    assert int(row.players) == game.players
    if later is not None and state.player != OVER:
        later.deal(state)


@dataclass(frozen=True, eq=False)
class RoundWorld:
    """A world of one round that agrees with the notes.

    Attributes:
        game: The game.
        notes: The notes.
        starter: Who begins the round.
        rng: What is not known is drawn by it.
    """

    game: Game
    notes: RoundNotes
    starter: int
    rng: np.random.Generator

    def deal(self, state: Any) -> None:
        """Put roles, goals, hands and the deck of the world into a state at a round's beginning."""
        row = self.game.tables.rules[0]
        hand, stock = int(row.hand), int(row.turns) - int(row.players) * int(row.hand)
        state.goals[:GOALS] = self.goals
        state.roles[: len(self.roles)] = self.roles
        for player, cards in enumerate(self.acquired):
            state.hands[player, :hand] = sorted(cards[:hand])
        state.left = CARDS - int(row.players) * hand
        state.deck[:] = NO_CARD
        places = dict.fromkeys(range(self.game.players), hand)
        for draw in range(stock):
            player = self.mover(draw)
            state.deck[state.left - 1 - draw] = self.acquired[player][places[player]]
            places[player] += 1
        state.deck[: state.left - stock] = self._dealt[1]

    def mover(self, turn: int) -> int:
        """Whose turn it is, counted from 0."""
        return (self.starter + turn) % self.game.players

    def is_drawn(self, turn: int) -> bool:
        """True if a card is drawn after a turn."""
        row = self.game.tables.rules[0]
        return turn < int(row.turns) - int(row.players) * int(row.hand)

    def place(self, turn: int) -> int:
        """The number of turns that its player had in the round before a turn."""
        return turn // self.game.players

    def held(self, turn: int) -> list[int]:
        """The cards of a known player before their turn."""
        player, hand = self.mover(turn), int(self.game.tables.rules[0].hand)
        held = list(self.acquired[player][: hand + self.place(turn)])
        for earlier, (number, _) in enumerate(self.notes.turns[:turn]):
            kind = self.kinds[number]
            if self.mover(earlier) == player and kind in held:
                held.remove(kind)
        return held

    @cached_property
    def kinds(self) -> dict[int, int | None]:
        """The kind of card that each turn plays, by its number; None where it is not known."""
        notation = Notation(self.game)
        return {
            number: notation.action(turn.what.casefold().split())[1]
            for number, turn in self.notes.turns
        }

    @cached_property
    def roles(self) -> list[int]:
        """The role of every player, and of the card that is left over, if there is one."""
        row = self.game.tables.rules[0]
        roles = [-1] * int(row.role_cards)
        numbers: list[int] = []
        for player, (number, dealt) in self.notes.deals.items():
            roles[player] = ROLES.index(dealt.role)
            numbers.append(number)
        if self.notes.end is not None:
            number, end = self.notes.end
            exposed = {player_of(self.game, name, number, "saboteurs") for name in end.saboteurs}
            for player in range(self.game.players):
                role = SABOTEUR if player in exposed else MINER
                if roles[player] not in (-1, role):
                    raise ContradictionError(
                        f"{self.game.roles[player]} cannot be both",
                        evidence=[self.notes.deals[player][0], number],
                    )
                roles[player] = role
            numbers.append(number)
        open_ones = [place for place, role in enumerate(roles) if role == -1]
        left = int(row.saboteurs) - roles.count(SABOTEUR)
        if not 0 <= left <= len(open_ones):
            raise ContradictionError(
                f"of the role cards, {int(row.saboteurs)} are saboteurs", evidence=numbers
            )
        chosen: list[int] = self.rng.permutation(len(open_ones))[:left].tolist()
        for place_in, open_one in enumerate(open_ones):
            roles[open_one] = SABOTEUR if place_in in chosen else MINER
        return roles

    def possible(self, goal: int) -> set[int]:
        """The cards that a goal may be."""
        return {each[goal] for each in self._goals}

    @property
    def goals(self) -> tuple[int, ...]:
        """The card that each goal is."""
        return self._goals_of[0]

    @property
    def _goals(self) -> list[tuple[int, ...]]:
        """All ways in which the goals may lie."""
        return self._goals_of[1]

    @cached_property
    def _goals_of(self) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        facts: list[tuple[int, int, frozenset[int]]] = []
        for number, turn in self.notes.turns:
            if turn.saw is not None:
                goal = GOAL_NAMES.index(turn.what.split()[-1])
                facts.append((number, goal, _allowed(turn.saw)))
            for name, card in turn.turned.items():
                facts.append((number, GOAL_NAMES.index(name), _allowed(card)))
        if self.notes.end is not None and self.notes.end[1].gold is not None:
            number, end = self.notes.end
            facts.append((number, GOAL_NAMES.index(str(end.gold)), frozenset({GOLD})))
        found = _agreeing(facts)
        if not found:
            kept = facts
            for fact in facts:
                fewer = [each for each in kept if each is not fact]
                if not _agreeing(fewer):
                    kept = fewer
            raise ContradictionError(
                "no three goals are so", evidence=sorted({number for number, _, _ in kept})
            )
        gold = [*{each.index(GOLD): None for each in found}]
        chosen = gold[int(self.rng.integers(len(gold)))]
        # Which of two stones a viewer saw must not tell where the gold is.
        seen = [*dict.fromkeys(goal for _, goal, _ in facts)]
        drawn = min(
            (each for each in found if each.index(GOLD) == chosen),
            key=lambda each: ([each[goal] for goal in seen], each),
        )
        return drawn, found

    @property
    def acquired(self) -> list[list[int]]:
        """The cards of each player: the first hand, and then what they draw, in order."""
        return self._dealt[0]

    @cached_property
    def _dealt(self) -> tuple[list[list[int]], list[int]]:
        """The cards that players get in the round, and those that nobody gets."""
        row = self.game.tables.rules[0]
        players, hand, turns = self.game.players, int(row.hand), int(row.turns)
        wanted: list[list[int | None]] = [[None] * hand for _ in range(players)]
        for draw in range(turns - players * hand):
            wanted[self.mover(draw)].append(None)
        notation, named = Notation(self.game), list[tuple[int, int]]()
        untold: list[tuple[int, int]] = []
        for player, (number, dealt) in self.notes.deals.items():
            cards = [notation.kind(card) for card in dealt.hand]
            if len(cards) != hand:
                raise RecordError(
                    f"a hand has {hand} cards", where=place(number, "hand"), value=len(cards)
                )
            wanted[player][:hand] = cards
            named += [(number, kind) for kind in cards]
        for turn, (number, event) in enumerate(self.notes.turns):
            player, kind = self.mover(turn), self.kinds[number]
            at = self.place(turn)
            if player in self.notes.deals:
                if hand + at >= len(wanted[player]):
                    continue
                if event.drew is None:
                    untold.append((player, hand + at))
                else:
                    drawn = notation.kind(event.drew)
                    wanted[player][hand + at] = drawn
                    named.append((number, drawn))
            elif kind is not None and at < len(wanted[player]):
                # Whatever they play first, they may have been dealt first.
                wanted[player][at] = kind
                named.append((number, kind))
        counts = Counter({kind: int(count) for kind, count in enumerate(row.counts) if count})
        for _, kind in named:
            counts[kind] -= 1
            if counts[kind] < 0:
                name = card_name(kind, int(self.game.settings["tools"]))
                raise ContradictionError(
                    f"there are only {int(row.counts[kind])} cards '{name}'",
                    evidence=sorted({each for each, other in named if other == kind}),
                )
        for player, at in untold:
            # Who ends a round draws no card at a table. Here it is the same in all worlds.
            kind = min(counts.elements())
            wanted[player][at] = kind
            counts[kind] -= 1
        pool = self.rng.permutation([*counts.elements()]).tolist()
        filled = [[pool.pop() if each is None else each for each in cards] for cards in wanted]
        return filled, pool


def _allowed(card: str) -> frozenset[int]:
    """The goal cards that something said of one may be."""
    word, _, openings = card.partition(" ")
    if word == "gold":
        return frozenset({GOLD})
    if not openings:
        return STONES
    return frozenset(
        number
        for number in STONES
        for sides in (pieces()[GOLD_PIECE + number].openings,)
        if openings in (letters(sides), letters(turned(sides)))
    )


def _agreeing(facts: Iterable[tuple[int, int, frozenset[int]]]) -> list[tuple[int, ...]]:
    """The ways in which the goals may lie."""
    told = list(facts)
    return [
        each
        for each in itertools.permutations(range(GOALS))
        if all(each[goal] in allowed for _, goal, allowed in told)
    ]
