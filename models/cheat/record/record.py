"""A recorded game of Cheat: what was done, what is known of the truth, and who may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from ....data.errors import RecordError, nearest
from ...briefing import Briefing
from ...game import SPECTATOR, Game, States
from ...play import MoveEvent, Play, SeenPlay, View, viewer_name
from ...records.events import Seen, witness
from ...records.play_start import state_from_json
from ...records.replay import Observed
from ...records.written import WrittenRecord
from ..game import cheat
from ..state import CLAIM, TAKE, claim_code, count_of, is_claim, mover_of, public_of, rank_of
from .replay import moments
from .schema import FORM, RANK_NAMES, CheatFile, ClaimEntry, TakeEntry, TurnEntry, place
from .seen import SeenCheat, cards_of, seen_game
from .turn import Course, Turn

LOOKER_ON: Final = "spectator"


@dataclass(frozen=True, kw_only=True)
class CheatRecord(Course, WrittenRecord):
    """One game of Cheat with everything that is known about it.

    Code that reasons about the game asks :meth:`seen_by` or takes a view of :meth:`play_at`.

    Attributes:
        players, first, turns, settings, hands: See `Course`.
        match: Whose games belong together.
        number: The game's place in its match.
        winner: 0, 1, or None for a draw or a game that is not over.

    >>> import sleuth
    >>> from sleuth.games.cheat import CheatRecord, mini_cheat
    >>> play = sleuth.Play.new(mini_cheat(), seed=1)
    >>> for _ in range(3):
    ...     play.apply(play.legal()[0])
    >>> record = CheatRecord.from_play(play, players=("ann", "bob"))
    >>> record.viewers(), record.knows(0), record.viewer("bob"), record.full, record.game.name
    (('ann', 'bob', 'spectator'), True, 1, True, 'cheat')
    >>> record == CheatRecord.from_json(record.to_json())
    True
    >>> len(list(record.moments())), record.play_at(2).player
    (4, 0)
    >>> [moment.mover for moment in record.observed(record.viewer("ann"))]
    [None, 0, 1, 0]
    >>> record.seen_by("ann", turns=1).turns[0].kind
    'take'
    >>> CheatRecord.from_states(play.game, play.game.initial(1), play.truth()).turns == record.turns
    True
    """

    game_name = "cheat"
    match: str = "1"
    number: int = 1
    winner: int | None = None

    @classmethod
    def _read(cls, value: object) -> CheatRecord:
        if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
            raise RecordError(
                "this is a record of a play, which does not say who played",
                hint="'sleuth play cheat --record FILE' writes records of Cheat, and so do "
                "CheatRecord.from_play and write_records",
            )
        return _checked(_record(FORM.read(cast(object, value))))

    @staticmethod
    def from_play(
        play: Play,
        *,
        players: tuple[str, str] = ("first", "second"),
        match: str = "1",
        number: int = 1,
        seconds: Sequence[float | None] = (),
        note: str | None = None,
    ) -> CheatRecord:
        """The record of a play of Cheat, with the whole truth.

        Args:
            play: The game, over or not.
            players: Who the first and the second are.
            match, number: Which game of which match it is.
            seconds: How long each turn took.
            note: Free text.
        """
        start = state_from_json(play.record().start, play.game)
        made = CheatRecord.from_states(play.game, start, play.truth(), seconds=seconds)
        return replace(made, players=players, match=match, number=number, note=note)

    @staticmethod
    def from_states(
        game: Game, start: States, end: States, *, seconds: Sequence[float | None] = ()
    ) -> CheatRecord:
        """The record of a game from its first state and a later one, each in an array of one."""
        state = end[0]
        deck: list[int] = start["deck"][0].tolist()[: int(start["left"][0])]
        cards: list[int] = state.cards.tolist()
        turns: list[Turn] = []
        for turn, logged in enumerate(state.log.tolist()[: int(state.turn)]):
            took = seconds[turn] if turn < len(seconds) else None
            by = mover_of(logged)
            if is_claim(logged):
                rank, count, laid = rank_of(logged), count_of(logged), cards_of(cards[turn])
                turns.append(
                    Turn(by=by, kind="claim", rank=rank, count=count, cards=laid, seconds=took)
                )
            elif public_of(logged) == TAKE:
                taken = (deck.pop(),) if deck else None
                turns.append(Turn(by=by, kind="take", cards=taken, seconds=took))
            else:
                caught = not turns[-1].true
                turns.append(Turn(by=by, kind="call", caught=caught, seconds=took))
        default = cheat().settings
        hands = [
            tuple(rank for rank, count in enumerate(row) for _ in range(count))
            for row in start["hands"][0].tolist()
        ]
        return CheatRecord(
            players=("first", "second"),
            settings={
                name: value for name, value in game.settings.items() if default[name] != value
            },
            first=int(start["first"][0]),
            hands=(hands[0], hands[1]),
            turns=tuple(turns),
            winner=int(state.winner) - 1 if state.winner > 0 else None,
        )

    @property
    def full(self) -> bool:
        """True if the truth is known of all that happened."""
        return all(self.knows(player) for player in range(2))

    def knows(self, player: int) -> bool:
        """True if the record says all that a player knew of their own cards."""
        return self.hands[player] is not None and all(
            turn.cards is not None
            for turn in self.turns
            if turn.by == player and turn.kind != "call"
        )

    def viewers(self) -> tuple[str, ...]:
        """The viewers who can be asked for in :meth:`seen_by`."""
        known = tuple(name for player, name in enumerate(self.players) if self.knows(player))
        return (*known, LOOKER_ON)

    def viewer(self, name: str) -> int:
        """The number of a player, or ``SPECTATOR``, who can be asked for.

        Raises:
            RecordError: The record does not say what they saw.
        """
        hint = (
            f"{', '.join(self.viewers())} can be asked for: a player whose dealt hand,"
            " drawn cards and claims are all recorded"
        )
        self.known_viewer(name, where="viewer", hint=hint if name in self.players else "")
        return SPECTATOR if name == LOOKER_ON else self.players.index(name)

    def moments(self) -> Iterator[States]:
        """The state before the first turn, and after each; where the truth is not known, anything.

        Show nobody more of them than a view.
        """
        return moments(self)

    def play_at(self, turns: int) -> Play:
        """The game after so many turns, as a play that goes on from there.

        Its views are what players saw, also of what was before; it has no events of its own. What
        the record does not know lies in it as chance would have it.
        """
        for turn, states in enumerate(moments(self)):
            if turn == turns:
                return Play(self.game, 0, states)
        raise RecordError(
            "the game has no such moment", value=turns, hint=f"0 to {len(self.turns)}"
        )

    def observed(self, viewer: int, earlier: tuple[View, ...] = ()) -> Iterator[Observed]:
        """The moments as a player saw them, or ``SPECTATOR``: before the first turn, after each.

        Args:
            viewer: Their number; of a player the record has to know all that they knew.
            earlier: The ends of the earlier games of the match, as they saw them.
        """
        start: tuple[int, ...] = ()
        events: tuple[Seen[MoveEvent], ...] = ()
        before: tuple[View, SeenPlay] | None = None
        for number, states in enumerate(moments(self)):
            play = Play(self.game, 0, states)
            view, seen = play.view(viewer), play.seen_by(viewer)
            start = start or seen.start
            by = code = None
            if number:
                by, code = self.turns[number - 1].by, self._code(number - 1, states)
                sight = int(self.game.observe(states[0], code, by, viewer, self.game.tables))
                moved = MoveEvent(by, sight, code if viewer == by else None)
                events = (*events, witness(number, viewer_name(self.game.roles, viewer), moved))
            told = Briefing(tuple(turn.seconds for turn in self.turns[:number]), earlier)
            seen = replace(seen, start=start, events=events, told=told)
            own = viewer == by
            yield Observed(view, seen, by, code if own else None, before if own else None, number)
            before = view, seen

    def _code(self, place: int, states: States) -> int:
        """The code of a turn that was made by then; a claim that is not known is taken for true."""
        public = public_of(int(states["log"][0][place]))
        if public < CLAIM:
            return public
        lower, more = divmod(public - CLAIM, 4)
        return claim_code(lower, int(self.turns[place].true is False), more + 1)

    def seen_by(self, viewer: str, turns: int | None = None) -> SeenCheat:
        """The game as a viewer knew it after so many turns; None for all.

        Raises:
            RecordError: The record does not say what they saw.
        """
        number = self.viewer(viewer)
        play = self.play_at(len(self.turns) if turns is None else turns)
        return seen_game(play.view(number), [turn.seconds for turn in self.turns])

    def to_json(self) -> dict[str, Any]:
        """The record as it stands on a line of a file."""
        made: dict[str, Any] = {
            **self.head(),
            "match": self.match,
            "number": self.number,
            "players": list(self.players),
        }
        if self.settings:
            made["settings"] = dict(self.settings)
        made["first"] = RANK_NAMES[self.first]
        known = {
            self.players[player]: [RANK_NAMES[rank] for rank in dealt]
            for player, dealt in enumerate(self.hands)
            if dealt is not None
        }
        if known:
            made["hands"] = known
        made["turns"] = [self._turn_to_json(turn) for turn in self.turns]
        if self.winner is not None:
            made["winner"] = self.players[self.winner]
        return made

    def _turn_to_json(self, turn: Turn) -> dict[str, Any]:
        made: dict[str, Any] = {"by": self.players[turn.by], "type": turn.kind}
        if turn.kind == "claim":
            made |= {"rank": RANK_NAMES[turn.rank], "count": turn.count}
            if turn.cards is not None:
                made["cards"] = [RANK_NAMES[card] for card in turn.cards]
        elif turn.kind == "take" and turn.cards is not None:
            made["card"] = RANK_NAMES[turn.cards[0]]
        elif turn.caught is not None:
            made["caught"] = turn.caught
        return made if turn.seconds is None else made | {"seconds": turn.seconds}


def _record(form: CheatFile) -> CheatRecord:
    players = (form.players[0], form.players[1])
    if players[0] == players[1] or LOOKER_ON in players:
        raise RecordError(
            "the two players need different names",
            where="field 'players'",
            value=list(players),
            hint=f"and none of them is {LOOKER_ON!r}",
        )
    dealt: list[tuple[int, ...] | None] = [None, None]
    for name, cards in (form.hands or {}).items():
        dealt[_player(name, players, "field 'hands'")] = _ranks(cards)
    turns: list[Turn] = []
    for number, entry in enumerate(form.turns, start=1):
        by = _player(entry.by, players, place(number, "by"))
        turns.append(Turn(by=by, kind=entry.type, seconds=entry.seconds, **_said(entry)))
    return CheatRecord(
        players=players,
        match=form.match,
        number=form.number,
        settings=form.settings.model_dump(exclude_defaults=True),
        first=RANK_NAMES.index(form.first),
        hands=(dealt[0], dealt[1]),
        turns=tuple(turns),
        winner=None if form.winner is None else _player(form.winner, players, "field 'winner'"),
        source=form.source,
        note=form.note,
    )


def _said(entry: TurnEntry) -> dict[str, Any]:
    """The fields that only turns of this kind have."""
    match entry:
        case ClaimEntry(rank=rank, count=count, cards=cards):
            laid = None if cards is None else _ranks(cards)
            return {"rank": RANK_NAMES.index(rank), "count": count, "cards": laid}
        case TakeEntry(card=card):
            return {"cards": None if card is None else _ranks([card])}
        case _:
            return {"caught": entry.caught}


def _checked(record: CheatRecord) -> CheatRecord:
    """The record, if it keeps the rules; with what a call showed written into it."""
    turns = list(record.turns)
    last: States | None = None
    for number, states in enumerate(moments(record)):
        if number > 0 and turns[number - 1].kind == "call":
            turn = turns[number - 1]
            turns[number - 1] = replace(turn, caught=not turns[number - 2].true)
        last = states
    winner = int(last[0].winner) - 1 if last is not None else -1
    if record.winner is not None and record.winner != winner:
        raise RecordError(
            "by the rules this player has not won" if winner >= 0 else "the game is not won",
            where="field 'winner'",
            value=record.players[record.winner],
            hint="leave it out: it follows from the turns",
        )
    return replace(record, turns=tuple(turns), winner=None if winner < 0 else winner)


def _player(name: str, players: tuple[str, str], where: str) -> int:
    if name not in players:
        raise RecordError("no such player", where=where, value=name, hint=nearest(name, players))
    return players.index(name)


def _ranks(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(RANK_NAMES.index(card) for card in cards))
