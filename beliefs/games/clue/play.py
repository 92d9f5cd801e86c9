"""Clue, with a board or without one: what the players saw, told to the declaration of Clue."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.advice import OWN_TURNS, TURN
from ....models.clue.board.walking import TURNING, WALKING
from ....models.clue.cards import CASE_FILE, FACE_UP
from ....models.clue.edition import KINDS, ClueEdition
from ....models.clue.events import Accusation, ClueEvent, Suggestion, asked_in_turn
from ....models.clue.game import (
    ACCUSING,
    SHOWING,
    SUGGESTING,
    edition_of,
)
from ....models.clue.imagined.one_turn import OneTurnTable, one_turn
from ....models.clue.imagined.own_turns import own_turns
from ....models.clue.imagined.race import RaceTable, begin, race
from ....models.clue.seen import SPECTATOR, SeenClue, as_seen_by, numbered
from ....models.clue.simulate import usual_hand_sizes
from ....models.game import Game
from ....models.play import MoveEvent, SeenPlay, View, viewer_name
from ....models.records.events import Seen
from ...language.features import Feature
from ...language.questions import Question
from ...posterior import Posterior
from ..contract import CachedBelief
from .declaration import ClueDeclaration
from .foreseeing import DRAWN, GLANCED, IMAGINED, answers, fill_answers, race_of, undominated
from .rivals import Rivals, hands_in
from .suggesting import SuggestionWorth, told

#: Worlds in which it is found out what the others know.
WORLDS: Final = 8


class ClueBelief(CachedBelief[SeenClue]):
    """The belief about who holds which card; a refuter shows any card they could, equally likely.

    A search is told how soon people who ask well know the case file: by what is open to them, which
    depends on the cards of others as the viewer imagines them. See `models/clue/imagined/race.py`.

    >>> import numpy as np
    >>> from sleuth import Play
    >>> from sleuth.games.clue import ClueBelief
    >>> play, belief = Play.new("clue_table", seed=4), ClueBelief()
    >>> view, file = play.view(0), belief.hidden(play.view(0))["case file"]
    >>> known = belief.known(view, play.seen_by(0))
    >>> posterior = belief.posterior(known)
    >>> round(posterior.entropy(file), 2), belief.reasons(known)
    (6.81, {})
    >>> asked = belief.questions(view)
    >>> len(asked), len(belief.telling(view)), asked[0].name
    (324, 324, 'scarlet, candlestick, kitchen')
    >>> belief.foresees(view, view), belief.questions_later(view).keys() == asked.keys()
    (True, True)
    >>> len(belief.telling_later(view)), belief.followed(play.seen_by(0).events)
    (0, ())
    >>> world = belief.worlds(posterior, 1, np.random.default_rng(1))[0].tolist()
    >>> belief.supposed(known, world, 1, np.random.default_rng(1)).viewer
    'p2'
    """

    # With six players one takes some 300 kB; no game comes back to those of another.
    kept = 128
    asks_all = True

    def __init__(self) -> None:
        super().__init__()
        self._foresees = False
        self._deals: tuple[Posterior, NDArray[np.int16]] | None = None

    def imagined(self, game: Game) -> Game:
        """The game as a race.

        >>> from sleuth import game
        >>> from sleuth.games.clue import ClueBelief
        >>> type(ClueBelief().imagined(game("clue_table")).tables).__name__
        'RaceTable'
        """
        return race(game)

    def imagines(self) -> Mapping[str, Callable[[Game], Game]]:
        """Without a board also one turn, and what is to be expected after it; and a race in which
        what others do among themselves is not seen.

        >>> from sleuth.games.clue import ClueBelief
        >>> sorted(ClueBelief().imagines())
        ['own_turns', 'turn']
        """
        return {TURN: one_turn, OWN_TURNS: own_turns}

    def begin(self, game: Game, view: View, seen: SeenPlay) -> None:
        """Tell an imagined game what is open to each player, in some worlds imagined.

        >>> from sleuth import Play, game
        >>> from sleuth.games.clue import ClueBelief
        >>> play, belief = Play.new("clue_table", seed=4), ClueBelief()
        >>> imagined = belief.imagined(play.game)
        >>> belief.begin(imagined, play.view(0), play.seen_by(0))
        >>> soon = imagined.tables.knows[0]  # after each of the next suggestions
        >>> bool(soon[0] < soon[4])
        True
        """
        self._foresees = isinstance(game.tables, OneTurnTable)
        if isinstance(game.tables, OneTurnTable):
            self._foresee(game.tables, view, self.known(view, seen))
        elif isinstance(game.tables, RaceTable):
            known = self.known(view, seen)
            posterior = self._posterior(known)
            # Whoever looks on has a number below 0, which no seed may be.
            rng = np.random.default_rng((view.viewer % 2**16, len(seen.events)))
            bits = [
                [self._open(known, player, world, rng) for player in known.players]
                for world in self.worlds(posterior, WORLDS, rng).tolist()
            ]
            begin(game, view, np.array(bits))

    def _open(
        self, known: SeenClue, player: str, world: Sequence[int], rng: np.random.Generator
    ) -> float:
        """Bits that are open of the case file to a player in a world."""
        if player == known.viewer:
            posterior, belief = self._posterior(known), declared(known.until(0))
        else:
            theirs = as_seen_by(known, player, hands_in(known.players, world, known.edition), rng)
            belief = ClueDeclaration(theirs)
            posterior = belief.infer(theirs)
        return posterior.entropy(belief.case_file)

    def _foresee(self, tables: OneTurnTable, view: View, known: SeenClue) -> None:
        state, players = view.states[0], len(known.players)
        posterior, feature = self._posterior(known), declared(known.until(0)).case_file
        file, rows = posterior.distribution(feature), self._drawn(posterior)
        best, sure = int(file.argmax()), float(file.max())
        bits = posterior.entropy(feature)
        tables.begun[:] = state.turn, view.viewer
        tables.rows[:] = 0
        out = [name for seat, name in enumerate(known.players) if state.out[seat]]
        rng = np.random.default_rng((view.viewer, len(known.events)))
        accuses = state.stage == ACCUSING
        count = IMAGINED if accuses else GLANCED
        rivals = Rivals(known, rng)
        imagined = rivals.imagined(
            rows, file=file, out=out, count=count, before=accuses, reasons=self.reasons(known)
        )
        if state.stage == SHOWING:
            show = known.edition.codes.show
            legal: list[int] = view.legal().tolist()
            for code in legal:
                after = race_of(rivals.shown(imagined, known.edition.cards[code - show]))
                tables.showing[code - show] = after.passing(sure, bits)
            return
        now = race_of(imagined)
        tables.likeliest[0], tables.accusing[0] = best, now.right
        tables.passing[0] = now.passing(now.right, bits)
        if accuses:
            after = float(self._told(posterior, known).right.max())
            tables.passing[0] = now.outlook(sure, after, bits).waiting
        if state.stage == SUGGESTING:
            chosen = undominated(self._told(posterior, known))
            for row, triple in enumerate(chosen, start=1):
                tables.rows[triple] = row
                found = answers(rows, players, view.viewer, triple, known.edition.codes)
                fill_answers(tables, row, found, now)

    def _drawn(self, posterior: Posterior) -> NDArray[np.int16]:
        """Deals by their probability, the same ones each time."""
        if self._deals is None or self._deals[0] is not posterior:
            self._deals = posterior, self.worlds(posterior, DRAWN, np.random.default_rng(DRAWN))
        return self._deals[1]

    def _told(self, posterior: Posterior, known: SeenClue) -> SuggestionWorth:
        asker = known.players.index(known.viewer)
        return told(self._drawn(posterior), len(known.players), asker, known.edition.codes)

    def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
        """To pass, and the likeliest accusation: another one is right less often, for the same.

        Where a search imagines a turn, also the suggestions of which no other one tells more and
        lets one be right more likely.

        >>> from sleuth import Play
        >>> from sleuth.games.clue import PASS, ClueBelief
        >>> play, belief = Play.new("clue_table", seed=4), ClueBelief()
        >>> while PASS not in play.legal():
        ...     play.apply(int(play.legal()[0]))
        >>> view, seen = play.view(play.player), play.seen_by(play.player)
        >>> posterior = belief.infer(view, seen)
        >>> [play.game.action_name(code) for code in belief.undominated(view, posterior)]
        ['accuse scarlet, knife, kitchen', 'pass']
        """
        stage = view.states[0].stage
        if stage == SUGGESTING and self._foresees:
            return undominated(self._told(posterior, _dealt(view)))
        if stage != ACCUSING:
            return None
        (file,) = self.hidden(view).values()
        likeliest = file.values[int(posterior.distribution(file).argmax())]
        edition = edition_of(view.game)
        codes = edition.codes
        return [codes.accuse + edition.number_of(likeliest), codes.passing]

    def known(self, view: View, seen: SeenPlay) -> SeenClue:
        """The game as a record of Clue would give it to the viewer."""
        return seen_game(view, seen)

    def posterior(self, known: SeenClue) -> Posterior:
        """The posterior of all but the last event, and what that one adds."""
        belief = declared(known.until(0))
        if not known.events:
            return belief.infer()
        before = self._posterior(known.until(len(known.events) - 1))
        return before.observe(belief.evidence(known.events[-1]))

    def reasons(self, known: SeenClue) -> Mapping[str, float]:
        """The probability that other players conclude all that follows from what they saw.

        Where their kinds are not asked for, all are thought to, and nobody is named.
        """
        return {}

    def supposed(
        self, known: SeenClue, world: Sequence[int], viewer: int, rng: np.random.Generator
    ) -> SeenClue:
        """A player's knowledge, if the cards lay so; a card shown unseen is drawn."""
        player = viewer_name(known.players, viewer)
        if player == known.viewer:
            return known
        return as_seen_by(known, player, hands_in(known.players, world, known.edition), rng)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The case file: suspect, weapon and room."""
        return {"case file": declared(_dealt(view)).case_file}

    def frame(self, game: Game, viewer: int) -> Mapping[str, Sequence[Any]]:
        """The holder of every card, and the case file.

        >>> import sleuth
        >>> table = sleuth.game("clue_table", players=4)
        >>> frame = sleuth.belief(table).frame(table, viewer=0)
        >>> len(frame), frame["holder of rope"]
        (22, ('p1', 'p2', 'p3', 'p4', 'case file'))
        """
        edition = edition_of(game)
        lies_open = len(edition.cards) - len(KINDS) - game.tables.dealt > 0
        holders = (*game.roles, CASE_FILE, *((FACE_UP,) if lies_open else ()))
        places = {f"holder of {card}": holders for card in edition.cards}
        files = tuple(edition.triple(number) for number in range(edition.triples))
        return {**places, "case file": files}

    def framed(self, view: View) -> Mapping[str, Any]:
        """The same as features.

        >>> import sleuth
        >>> play = sleuth.Play.new("clue_table", seed=4)
        >>> belief, view = sleuth.belief("clue_table"), play.view(0)
        >>> posterior = belief.infer(view, play.seen_by(0))
        >>> posterior.marginal(belief.framed(view)["holder of scarlet"])
        {'p2': 0.375, 'p3': 0.375, 'case file': 0.25}
        """
        belief = declared(_dealt(view))
        places = {
            f"holder of {card}": belief.cards.holder_of(card) for card in belief.edition.cards
        }
        return {**places, **self.hidden(view)}

    def telling(self, view: View) -> Collection[int]:
        """The suggestions."""
        return range(view.game.tables.codes.triples)

    def followed(self, moves: Sequence[MoveEvent]) -> Sequence[MoveEvent]:
        """All: what others do among themselves may be left out of them."""
        return moves

    def foresees(self, now: View, later: View) -> bool:
        """Any moment but the end."""
        return not later.over

    def telling_later(self, view: View) -> Collection[int]:
        """The suggestions, while the viewer walks to a room where they can make one."""
        state = view.states[0]
        walks = state.player == view.viewer and state.stage in (TURNING, WALKING)
        return range(view.game.tables.codes.triples) if walks else ()

    def questions_later(self, view: View) -> Mapping[int, Question]:
        """The same as ``questions``."""
        return self.questions(view)

    def questions(self, view: View) -> Mapping[int, Question]:
        """All suggestions, when it is the viewer's turn to make one; on a board, in their room."""
        state = view.states[0]
        if state.player != view.viewer or state.stage != SUGGESTING:
            return {}
        known = suggestions(declared(_dealt(view)))
        return {code: known[code] for code in view.legal().tolist() if code in known}


@lru_cache(maxsize=64)
def suggestions(belief: ClueDeclaration) -> dict[int, Question]:
    """All suggestions of a viewer as questions, by their numbers."""
    edition = belief.edition
    return {number: belief.suggestion(edition.triple(number)) for number in range(edition.triples)}


@lru_cache(maxsize=64)
def declared(game: SeenClue) -> ClueDeclaration:
    """The declaration of a game, as far as it was dealt."""
    return ClueDeclaration(game)


def seen_game(view: View, seen: SeenPlay) -> SeenClue:
    """The view of a record of Clue that a viewer has of a play.

    Cards that are not yet shown, or that they did not see, are ``None``. Walks are left out.

    >>> from sleuth import Play
    >>> from sleuth.games.clue import seen_game
    >>> play = Play.new("clue_table", seed=4)
    >>> play.apply(0)
    >>> seen = seen_game(play.view(0), play.seen_by(0))
    >>> seen.viewer, len(seen.own_hand), seen.events[0].event.cards
    ('p1', 6, ('scarlet', 'candlestick', 'kitchen'))
    """
    dealt = _dealt(view)
    events = numbered(_events(seen.events, dealt.players, dealt.edition), dealt.viewer)
    return replace(dealt, events=tuple(events))


def _dealt(view: View) -> SeenClue:
    players, edition = view.game.roles, edition_of(view.game)
    holders = view.states[0].holder.tolist()
    viewer, dealt = view.viewer, view.game.tables.dealt
    return SeenClue(
        players=players,
        hand_sizes=tuple(zip(players, usual_hand_sizes(len(players), dealt), strict=True)),
        viewer=viewer_name(players, viewer) if viewer >= 0 else SPECTATOR,
        own_hand=_held(edition, holders, viewer),
        face_up=_held(edition, holders, len(players) + 1),
        edition=edition,
    )


def _held(edition: ClueEdition, holders: Sequence[int], who: int) -> tuple[str, ...]:
    return tuple(card for card, holder in zip(edition.cards, holders, strict=True) if holder == who)


def _events(
    events: Sequence[Seen[MoveEvent]], players: tuple[str, ...], edition: ClueEdition
) -> Iterator[ClueEvent]:
    codes = edition.codes
    for place, seen in enumerate(events):
        mover, observation = players[seen.event.mover], seen.event.observation
        if observation in (codes.passing, codes.showed) or codes.show <= observation < codes.accuse:
            continue  # passing says nothing; a card shown was told with its suggestion
        if observation % codes.base > codes.showed:
            continue  # nor do walks and dice
        if observation % codes.base < codes.triples:
            last = place + 1 == len(events)
            following = codes.showed if last else events[place + 1].event.observation
            yield _suggestion(mover, observation, following, players, edition)
        else:
            outcome, code = divmod(observation, codes.base)
            yield Accusation(
                mover,
                edition.triple(code - codes.accuse),
                outcome == 1,
                seen=edition.triple(outcome - 2) if outcome >= 2 else None,
            )


def _suggestion(
    mover: str, observation: int, following: int, players: tuple[str, ...], edition: ClueEdition
) -> Suggestion:
    codes = edition.codes
    asked, code = divmod(observation, codes.base)
    number = asked - 1
    refuter = players[number] if number >= 0 else None
    shows = refuter and codes.show <= following < codes.accuse
    shown = edition.cards[following - codes.show] if shows else None
    return Suggestion(
        mover,
        edition.triple(code),
        refuter=refuter,
        shown=shown,
        passed=asked_in_turn(players, mover, refuter),
    )
