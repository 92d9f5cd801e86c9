"""A recorded game of Cheat for many: what was done, what is known of the truth, who may see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from .....data.errors import RecordError, nearest
from ....briefing import Briefing
from ....game import OVER, SPECTATOR, States
from ....play import MoveEvent, Play, SeenPlay, View, viewer_name
from ....records.events import Seen, witness
from ....records.play_start import state_from_json
from ....records.replay import Observed
from ....records.written import WrittenRecord
from ..game import NAME, cheat_for_many
from ..seen import SeenManyCheat, seen_many_cheat
from ..state import CALL, NOBODY, PASS, cards_of, claimant_of, count_of, rank_of
from .replay import ReplayStep, TableReplay, moments, steps
from .schema import (
    FORM,
    RANK_NAMES,
    ManyCallEntry,
    ManyCheatEntry,
    ManyCheatFile,
    ManyClaimEntry,
    place,
)
from .turn import ManyCheatCourse, ManyCheatTurn

LOOKER_ON: Final = "spectator"


@dataclass(frozen=True, kw_only=True)
class ManyCheatRecord(ManyCheatCourse, WrittenRecord):
    """One game of Cheat for many with everything that is known about it.

    Code that reasons about the game asks :meth:`seen_by` or takes a view of :meth:`play_at`.

    Attributes:
        players, turns, settings, hands: See `ManyCheatCourse`.
        match: Whose games belong together.
        number: The game's place in its match.
        winner: A player's place in turn order; None for a draw or a game that is not over.

    >>> import sleuth
    >>> from sleuth.games.cheat import ManyCheatRecord
    >>> play = sleuth.Play.new(sleuth.game("cheat_for_many", players=3), seed=1)
    >>> for _ in range(4):
    ...     play.apply(play.legal()[-1])
    >>> record = ManyCheatRecord.from_play(play, players=("ann", "bob", "cid"))
    >>> [(turn.by, turn.kind) for turn in record.turns], record.truths
    ([(0, 'claim'), (1, 'claim')], (False, False))
    >>> record.viewers(), record.knows(0), record.full, record.viewer("bob")
    (('ann', 'bob', 'cid', 'spectator'), True, True, 1)
    >>> record == ManyCheatRecord.from_json(record.to_json())
    True
    >>> len(list(record.moments())), record.play_at(2).player, len(list(record.steps()))
    (3, 2, 4)
    >>> [moment.mover for moment in record.observed(record.viewer("ann"))]
    [None, 0, 1, 2, 1]
    >>> record.seen_by("ann", turns=1).claims[0].count
    4
    """

    game_name = NAME
    match: str = "1"
    number: int = 1
    winner: int | None = None

    @classmethod
    def _read(cls, value: object) -> ManyCheatRecord:
        if isinstance(value, dict) and "actions" in cast("dict[object, object]", value):
            raise RecordError(
                "this is a record of a play, which does not say who played",
                hint="'sleuth play cheat-for-many --record FILE' writes records of this game, and "
                "so does ManyCheatRecord.from_play",
            )
        return _checked(FORM.read(cast(object, value)))

    @staticmethod
    def from_play(
        play: Play,
        *,
        players: Sequence[str] | None = None,
        match: str = "1",
        number: int = 1,
        seconds: Sequence[float | None] = (),
        note: str | None = None,
    ) -> ManyCheatRecord:
        """The record of a play of Cheat for many, with the whole truth.

        Args:
            play: The game, over or not.
            players: Who they are, in turn order; None for the names of their roles.
            match, number: Which game of which match it is.
            seconds: How long each action took.
            note: Free text.
        """
        kept = play.record()
        start = state_from_json(kept.start, play.game)
        if start is None:
            start = Play.new(play.game, seed=kept.seed).truth()
        again = Play(play.game, kept.seed, start.copy())
        laid: list[int] = []
        for action in kept.actions:
            again.apply(action)
            if action > PASS:
                state = again.truth()[0]
                laid.append(int(state.cards[int(state.turn) - 1]))
        made = from_states(start, play.truth(), kept.actions, laid, seconds)
        default = cheat_for_many(players=play.game.players).settings
        settings = {
            name: value
            for name, value in play.game.settings.items()
            if name != "players" and default[name] != value
        }
        names = play.game.roles if players is None else tuple(players)
        return replace(
            made, players=names, settings=settings, match=match, number=number, note=note
        )

    @property
    def full(self) -> bool:
        """True if the truth is known of all that happened."""
        return all(map(self.knows, range(len(self.players))))

    def knows(self, player: int) -> bool:
        """True if the record says all that a player knew: their hand, and the piles they took."""
        if self.hands[player] is None:
            return False
        pile: list[ManyCheatTurn] = []
        for turn in self.turns:
            if turn.kind == "claim":
                pile.append(turn)
                if turn.by == player and turn.cards is None:
                    return False
            elif turn.kind == "call":
                taker = pile[-1].by if turn.caught else turn.by
                if taker == player and any(claim.cards is None for claim in pile):
                    return False
                pile = []
        return True

    def viewers(self) -> tuple[str, ...]:
        """The viewers who can be asked for in :meth:`seen_by`."""
        known = tuple(name for player, name in enumerate(self.players) if self.knows(player))
        return (*known, LOOKER_ON)

    def viewer(self, name: str) -> int:
        """The place of a player in turn order, or ``SPECTATOR``, who can be asked for.

        Raises:
            RecordError: The record does not say what they saw.
        """
        hint = (
            f"{', '.join(self.viewers())} can be asked for: a player whose dealt hand, claims and"
            " piles that they took are all recorded"
        )
        self.known_viewer(name, where="viewer", hint=hint if name in self.players else "")
        return SPECTATOR if name == LOOKER_ON else self.players.index(name)

    def steps(self) -> Iterator[ReplayStep]:
        """Every action, with the state after it; who let a claim pass is among them."""
        return steps(self)

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

    def observed(self, viewer: int) -> Iterator[Observed]:
        """The moments as a player saw them, or ``SPECTATOR``: at first, and after each action.

        Args:
            viewer: Their place in turn order; of a player the record has to know all they knew.
        """
        begun = TableReplay(self).states.copy()
        play = Play(self.game, 0, begun)
        start = play.seen_by(viewer).start
        events: tuple[Seen[MoveEvent], ...] = ()
        seconds: list[float | None] = []
        view, seen = play.view(viewer), play.seen_by(viewer)
        yield Observed(view, seen)
        for number, step in enumerate(steps(self), start=1):
            own = viewer == step.by
            before: tuple[View, SeenPlay] | None = (view, seen) if own else None
            tables = self.game.tables
            sight = int(self.game.observe(step.states[0], step.code, step.by, viewer, tables))
            seconds.append(self.turns[step.turn - 1].seconds if step.written else None)
            moved = MoveEvent(step.by, sight, step.code if own else None)
            events = (*events, witness(number, viewer_name(self.game.roles, viewer), moved))
            play = Play(self.game, 0, step.states)
            view = play.view(viewer)
            seen = replace(
                play.seen_by(viewer), start=start, events=events, told=Briefing(tuple(seconds))
            )
            yield Observed(view, seen, step.by, step.code if own else None, before, number)

    def seen_by(self, viewer: str, turns: int | None = None) -> SeenManyCheat:
        """The game as a viewer knew it after so many turns; None for all.

        Raises:
            RecordError: The record does not say what they saw.
        """
        number = self.viewer(viewer)
        play = self.play_at(len(self.turns) if turns is None else turns)
        return seen_many_cheat(play.view(number))

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
        known = {
            self.players[player]: [RANK_NAMES[rank] for rank in dealt]
            for player, dealt in enumerate(self.hands)
            if dealt is not None
        }
        if known:
            made["hands"] = known
        if self.winner is not None:
            made["winner"] = self.players[self.winner]
        made["turns"] = [self._turn_to_json(turn) for turn in self.turns]
        return made

    def _turn_to_json(self, turn: ManyCheatTurn) -> dict[str, Any]:
        made: dict[str, Any] = {"by": self.players[turn.by], "type": turn.kind}
        if turn.kind == "claim":
            made |= {"rank": RANK_NAMES[turn.rank], "count": turn.count}
            if turn.cards is not None:
                made["cards"] = [RANK_NAMES[card] for card in turn.cards]
        elif turn.caught is not None:
            made["caught"] = turn.caught
        return made if turn.seconds is None else made | {"seconds": turn.seconds}


def from_states(
    start: States,
    end: States,
    actions: Sequence[int],
    laid: Sequence[int],
    seconds: Sequence[float | None] = (),
) -> ManyCheatRecord:
    """The record of a game from its first state, a later one, and the actions between them.

    Args:
        start, end: Each in an array of one.
        actions: What was done.
        laid: The packed cards of every claim.
        seconds: How long each action took.
    """
    state = end[0]
    took = [*seconds, *[None] * (len(actions) - len(seconds))]
    logged = iter(range(int(state.turn)))
    turns: list[ManyCheatTurn] = []
    player, players = 0, int(start["sizes"][0].astype(bool).sum())
    for action, second in zip(actions, took, strict=True):
        if action == PASS:
            player = (player + 1) % players
            turns.append(ManyCheatTurn(by=player, kind="pass", seconds=second))
        elif action == CALL:
            claim = turns[-1]
            while claim.kind != "claim":
                turns.pop()
                claim = turns[-1]
            player = (player + 1) % players
            turns.append(
                ManyCheatTurn(by=player, kind="call", caught=not claim.true, seconds=second)
            )
        else:
            while turns and turns[-1].kind == "pass":
                turns.pop()
            claim = next(logged)
            packed = int(state.log[claim])
            player = int(claimant_of(packed))
            turns.append(
                ManyCheatTurn(
                    by=player,
                    kind="claim",
                    rank=int(rank_of(packed)),
                    count=int(count_of(packed)),
                    cards=cards_of(int(laid[claim])),
                    seconds=second,
                )
            )
    hands = [
        tuple(rank for rank, count in enumerate(row) for _ in range(count))
        for row in start["hands"][0].tolist()[:players]
    ]
    return ManyCheatRecord(
        players=tuple(f"player {number + 1}" for number in range(players)),
        hands=tuple(hands),
        turns=tuple(turns),
        winner=None if int(state.winner) == NOBODY else int(state.winner),
    )


def _checked(form: ManyCheatFile) -> ManyCheatRecord:
    """The record of a form, if it keeps the rules; with all that follows written into it."""
    players = tuple(form.players)
    if len({*players}) < len(players) or LOOKER_ON in players:
        raise RecordError(
            "players need different names",
            where="field 'players'",
            value=list(players),
            hint=f"and none of them is {LOOKER_ON!r}",
        )
    dealt: list[tuple[int, ...] | None] = [None] * len(players)
    for name, cards in (form.hands or {}).items():
        dealt[_player(name, players, "field 'hands'")] = _ranks(cards)
    settings = form.settings.model_dump(exclude_defaults=True)
    turns = [
        _turn(entry, _player(entry.by, players, place(number, "by")))
        for number, entry in enumerate(form.turns, start=1)
    ]
    _show(form.turns, turns)
    record = ManyCheatRecord(
        players=players,
        match=form.match,
        number=form.number,
        settings=settings,
        hands=tuple(dealt),
        turns=tuple(turns),
        source=form.source,
        note=form.note,
    )
    return _finished(record, form.winner)


def _finished(record: ManyCheatRecord, winner: str | None) -> ManyCheatRecord:
    """A record that keeps the rules; with what was caught, and who has won."""
    table = TableReplay(record)
    turns: list[ManyCheatTurn] = []
    for number, turn in enumerate(record.turns, start=1):
        for _ in table.steps(number, turn):
            pass
        if turn.kind == "call":
            claim = next(each for each in reversed(turns) if each.kind == "claim")
            turn = replace(turn, caught=not claim.true)
        if turn.kind != "pass":
            # Who let a claim pass follows from what was done next.
            while turns and turns[-1].kind == "pass":
                turns.pop()
        turns.append(turn)
    state, players = table.state, record.players
    named = None if winner is None else _player(winner, players, "field 'winner'")
    if named is not None and state.claimant == named and state.sizes[named] == 0:
        for player in [*table.left_to_pass]:
            turns.append(ManyCheatTurn(by=player, kind="pass"))
            for _ in table.steps(len(turns), turns[-1]):
                pass
    won = None if int(state.winner) == NOBODY else int(state.winner)
    if named is not None and named != won:
        raise RecordError(
            "the game is not won" if won is None else "by the rules this player has not won",
            where="field 'winner'",
            value=winner,
            hint="leave it out: it follows from the turns"
            if state.player == OVER
            else "who has no cards left wins, if the last claim is not called or is true",
        )
    # A pass within the last claim follows from none, and from none of the passes before it.
    return replace(record, turns=_all_passes(record, turns), winner=won)


def _all_passes(record: ManyCheatRecord, turns: list[ManyCheatTurn]) -> tuple[ManyCheatTurn, ...]:
    """Turns with everybody who let the last claim pass, in turn order."""
    said = {turn.by: turn for turn in turns if turn.kind == "pass"}
    kept = [turn for turn in turns if turn.kind != "pass"]
    if said:
        players, claimant = len(record.players), kept[-1].by
        last = max((by - claimant) % players for by in said)
        order = [(claimant + away) % players for away in range(1, last + 1)]
        kept += [said.get(by, ManyCheatTurn(by=by, kind="pass")) for by in order]
    return tuple(kept)


def _turn(entry: ManyCheatEntry, by: int) -> ManyCheatTurn:
    match entry:
        case ManyClaimEntry(rank=rank, count=count, cards=cards):
            laid = None if cards is None else _ranks(cards)
            return ManyCheatTurn(
                by=by, kind="claim", rank=RANK_NAMES.index(rank), count=count, cards=laid,
                seconds=entry.seconds,
            )  # fmt: skip
        case ManyCallEntry(caught=caught):
            return ManyCheatTurn(by=by, kind="call", caught=caught, seconds=entry.seconds)
        case _:
            return ManyCheatTurn(by=by, kind="pass", seconds=entry.seconds)


def _show(entries: Sequence[ManyCheatEntry], turns: list[ManyCheatTurn]) -> None:
    """Write into claims the cards that a call showed of them.

    Raises:
        RecordError: It shows others than the claims say, or not as many.
    """
    pile: list[int] = []
    for number, entry in enumerate(entries):
        if isinstance(entry, ManyClaimEntry):
            pile.append(number)
        if not isinstance(entry, ManyCallEntry) or not pile:
            continue
        last = pile[-1]
        if entry.shown is not None:
            _write(turns, last, _ranks(entry.shown), place(number + 1, "shown"))
        elif entry.caught is False and turns[last].cards is None:
            turns[last] = replace(turns[last], cards=(turns[last].rank,) * turns[last].count)
        if entry.pile is not None:
            _share_out(turns, pile, entry.pile, place(number + 1, "pile"))
        pile = []


def _write(turns: list[ManyCheatTurn], claim: int, cards: tuple[int, ...], where: str) -> None:
    known = turns[claim].cards
    if known is not None and known != cards:
        raise RecordError(
            "other cards than those of the claim",
            where=where,
            value=[RANK_NAMES[card] for card in cards],
            hint=f"turn {claim + 1} has {[RANK_NAMES[card] for card in known]}",
        )
    turns[claim] = replace(turns[claim], cards=cards)


def _share_out(
    turns: list[ManyCheatTurn], pile: list[int], cards: Sequence[str], where: str
) -> None:
    """Write the cards of a pile into its claims, from its bottom.

    Where a pile was not kept in order, its other cards must be those of one claim.

    Raises:
        RecordError: There are more or fewer cards, one of a known claim is missing, or it cannot be
            told which of them were laid down with which claim.
    """
    ranks = [RANK_NAMES.index(card) for card in cards]
    if len(ranks) != sum(turns[claim].count for claim in pile):
        raise RecordError(
            f"{sum(turns[claim].count for claim in pile)} cards lie on the pile",
            where=where,
            value=len(ranks),
        )
    in_order = iter(ranks)
    found = [tuple(sorted(next(in_order) for _ in range(turns[each].count))) for each in pile]
    known = [turns[claim].cards for claim in pile]
    if any(one not in (None, other) for one, other in zip(known, found, strict=True)):
        rest = ranks
        for card in (card for laid in known for card in laid or ()):
            if card not in rest:
                raise RecordError(
                    "a card that lies on the pile is missing", where=where, value=RANK_NAMES[card]
                )
            rest.remove(card)
        if known.count(None) > 1 and len({*rest}) > 1:
            raise RecordError(
                "these are not the cards from the bottom of the pile, by the claims that are known",
                where=where,
                value=list(cards),
                hint="list them as they lay, claim by claim; or leave them out",
            )
        others = iter(rest)
        found = [
            tuple(sorted(next(others) for _ in range(turns[claim].count))) if laid is None else laid
            for claim, laid in zip(pile, known, strict=True)
        ]
    for claim, laid in zip(pile, found, strict=True):
        turns[claim] = replace(turns[claim], cards=laid)


def _player(name: str, players: Sequence[str], where: str) -> int:
    if name not in players:
        raise RecordError("no such player", where=where, value=name, hint=nearest(name, players))
    return players.index(name)


def _ranks(cards: Sequence[str]) -> tuple[int, ...]:
    return tuple(sorted(RANK_NAMES.index(card) for card in cards))
