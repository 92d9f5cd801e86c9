"""The agents of Clue: what they know, ask and show, where they walk, and when they dare.

An agent is a choice for each of these, so one can be changed alone and its worth be measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ...beliefs.arrays.layout import Floats
from ...beliefs.asking.information import entropy_bits
from ...beliefs.games.clue import tables
from ...beliefs.games.clue.declaration import ClueDeclaration
from ...beliefs.games.clue.foreseeing import race_of
from ...beliefs.games.clue.hearing import HearingBelief
from ...beliefs.games.clue.kinds import KindsBelief
from ...beliefs.games.clue.learned import USUAL, LearnedBelief
from ...beliefs.games.clue.passing import PassingBelief
from ...beliefs.games.clue.play import ClueBelief, declared
from ...beliefs.games.clue.rivals import DOUBT, LEAST, Hands, Rivals
from ...beliefs.games.clue.suggesting import SuggestionWorth, told
from ...beliefs.games.clue.waiting import Outlook
from ...data.checks import number_within, whole_number
from ...data.errors import SettingsError
from ...models.clue.board.walking import (
    BOARD_STATE,
    MOVE,
    PASSAGE,
    ROLL,
    SQUARE,
    STAY,
    TURNING,
    turns_to_a_room,
)
from ...models.clue.edition import ClueEdition
from ...models.clue.events import Suggestion
from ...models.clue.game import ACCUSING, SHOWING, SUGGESTING
from ...models.clue.seen import SeenClue, numbered
from ...models.game import Game
from ...models.play import SeenPlay, View
from ..agents import Kind, Maker, seed_of
from .treasure_hunt.hunt import Plan, TreasureHunt
from .treasure_hunt.measuring import Weights

#: As likely as a case file has to be to be known.
CERTAIN: Final = 1.0 - 1e-9
#: What it is worth to `daring` to be right for certain, in bits (docs/results/clue.md).
PROBABILITY_GAIN: Final = 20.0
#: What a turn costs at least, in bits: of two ways that tell as much the shorter one is gone.
TIE: Final = 1e-3

Worlds = NDArray[Any]


@dataclass(frozen=True, kw_only=True)
class DetectiveSettings:
    """Options of the agents of Clue.

    Attributes:
        knows: ``exact`` (the posterior), ``passed`` (the same, and what passing says), ``heard``
            (that, and what suggestions say of those who make them), ``learned`` (the same, and what
            is shown, as learned from recorded games), ``kinds`` (that, or otherwise: whatever kind
            of player each of the others turns out to be), or a table: ``factored``, ``notebook``,
            ``ledford``.
        predictor: With ``knows=learned`` or ``kinds``, what was learned, by the file that
            ``sleuth train clue-table`` made; by default the one that comes with sleuth.
        asks: The suggestion that has the highest ``gain``; the ``likeliest`` case file; any cards
            ``unseen``; the most ``uncertain`` card of each kind, as Ledford's players do.
        walks: To the rooms where a suggestion tells most (``gain``), where it is ``worth`` most
            (with what being right is worth), or to the ``nearest``.
        price: What a turn costs, in bits.
        dice: Whether ways are counted in turns of this game's dice; else every room is a turn away
            (the paper's "pure form").
        horizon: Suggestions that are thought ahead on the board, see `TreasureHunt`.
        exact: Whether these follow the answers, or every room keeps the gain that it has now.
        shows: ``any`` card, or the one that tells ``least``.
        sure: As likely as a case file has to be for them to be certain.
        dares: Whether they accuse before they are certain, where to wait is worth less.
        race: Whether they expect of passing what a search is told (`worth_of_race`): then their own
            doubt becomes less from round to round, and nothing has to look half as good again.
        worlds: Deals drawn to value suggestions.
        finalists: Of the suggestions that seem best, so many are valued exactly.
        probability_gain: What it is worth, in bits, to be right with the likeliest case file after
            the answer (Nelson 2005: information gain and probability gain). On a board it counts
            in the choice of a room only with ``walks=worth``.
        imagined: Deals in which it is found out what the others know; to dare, twice as many.
        seconds: Seconds after which no more is thought ahead, and no more deals are imagined.
    """

    knows: Literal[
        "exact", "passed", "heard", "learned", "kinds", "factored", "notebook", "ledford"
    ] = "exact"
    predictor: str | None = None
    asks: Literal["gain", "likeliest", "unseen", "uncertain"] = "gain"
    walks: Literal["gain", "worth", "nearest"] = "gain"
    price: float = 0.05
    dice: bool = True
    horizon: int = 1
    exact: bool = True
    shows: Literal["any", "least"] = "any"
    sure: float = CERTAIN
    dares: bool = False
    race: bool = False
    worlds: int = 2_000
    finalists: int = 0
    probability_gain: float = 0.0
    imagined: int = 8
    seconds: float = 1.0


class Detective:
    """One player of a game.

    Args:
        game: The game.
        settings: How they play.
        belief: Says what is known; shared by all agents of a maker.
        seed: Of what is drawn; a decision can be made again.
        name: What the agent is called in results.
    """

    def __init__(
        self, game: Game, settings: DetectiveSettings, belief: ClueBelief, seed: int, name: str
    ) -> None:
        self.game, self.settings, self.belief = game, settings, belief
        self.seed, self.name = seed, name
        self.kept: tuple[tuple[int, int], Plan] | None = None

    def decide(self, view: View, seen: SeenPlay) -> int:
        """The code of a legal action."""
        legal = view.legal()
        if len(legal) == 1:
            return int(legal[0])
        now = Situation(self, view, seen)
        stage = int(now.state.stage)
        if stage == SHOWING:
            return now.showing(legal.tolist())
        if stage == SUGGESTING:
            return now.suggesting(legal)
        if stage == ACCUSING:
            return now.accusing()
        return now.turning(legal.tolist()) if stage == TURNING else now.walking(legal.tolist())


class Situation:
    """An agent's knowledge at one moment, as far as it is asked for."""

    def __init__(self, agent: Detective, view: View, seen: SeenPlay) -> None:
        self.agent, self.view, self.settings = agent, view, agent.settings
        self.belief = agent.belief
        self.state: Any = view.states[0]
        self.players: int = agent.game.tables.players
        self.rng = np.random.default_rng(seed_of(agent.seed, len(seen.events)))
        self.known: SeenClue = agent.belief.known(view, seen)
        self.edition = self.known.edition
        self.end = time.process_time() + self.settings.seconds
        make = _TABLES.get(self.settings.knows)
        self.table: Floats | None = None if make is None else make(self.known)
        self.posterior = agent.belief.infer(view, seen) if make is None else None
        self.declared: ClueDeclaration = declared(self.known.until(0))
        self.rivals = Rivals(self.known, self.rng)

    # -- what is known

    def file(self) -> Floats:
        """The probability of each triple to be in the case file; (triples,)."""
        if self.posterior is None:
            assert self.table is not None
            return tables.file_chances(self.table, self.edition)
        return self.posterior.distribution(self.declared.case_file)

    def worlds(self, count: int) -> Worlds:
        """Deals by their probability."""
        if self.posterior is None:
            assert self.table is not None
            return tables.drawn(self.table, self.known.face_up, count, self.rng, self.edition)
        return self.belief.worlds(self.posterior, count, self.rng)

    @cached_property
    def told(self) -> SuggestionWorth:
        """The information of each suggestion."""
        worlds = self.worlds(self.settings.worlds)
        return told(worlds, self.players, self.view.viewer, self.edition.codes)

    def worth(self) -> Floats:
        """The worth of each suggestion to this agent, such as bits; shape (triples,)."""
        asks = self.settings.asks
        if asks == "gain":
            return self.told.bits
        if asks == "likeliest":
            return self.file()
        if asks == "uncertain":
            assert self.table is not None
            shares = np.where(self.table > 0.0, self.table, 1.0)
            bits = -(shares * np.log2(shares)).sum(axis=1)
            return _by_card(bits, self.edition)
        file = self.file().reshape([*map(len, self.edition.categories.values())])
        sides = [file.sum(axis=axes) > 0.0 for axes in ((1, 2), (0, 2), (0, 1))]
        return _by_card(np.concatenate(sides).astype(float), self.edition)

    def right(self) -> Floats:
        """The worth of being right after each suggestion, in bits; shape (triples,)."""
        more = self.settings.probability_gain
        return more * self.told.right if more else np.zeros(self.edition.triples)

    # -- decisions

    def suggesting(self, legal: NDArray[np.int32]) -> int:
        """The suggestion to make, of those that can be made here."""
        codes = legal[legal < self.edition.triples]
        worth, right = self.worth()[codes], self.right()[codes]
        order = np.lexsort((self.rng.random(len(codes)), -(worth + right).round(9)))
        most = self.settings.finalists
        if most and self.posterior is not None and self.settings.asks == "gain":
            best = codes[order[:most]].tolist()
            asked = [self.declared.suggestion(self.edition.triple(code)) for code in best]
            gains = self.posterior.information_gain(asked, about=self.declared.case_file)
            return int(best[int(np.argmax(gains + right[order[:most]]))])
        return int(codes[order[0]])

    def showing(self, legal: Sequence[int]) -> int:
        """The card to show: one that they have seen already, or the one that tells least."""
        if self.settings.shows == "any":
            return int(self.rng.choice(legal))
        cards, show = self.edition.cards, self.edition.codes.show
        last = self.known.events[-1]
        event = last.event
        assert isinstance(event, Suggestion), "a card is shown after a suggestion"
        shown = {
            seen.event.shown
            for seen in self.known.events
            if isinstance(seen.event, Suggestion)
            and (seen.event.by, seen.event.refuter) == (event.by, self.known.viewer)
        }
        again = [code for code in legal if cards[code - show] in shown]
        if again:
            return again[0]
        left = dict.fromkeys(legal, 0.0)
        for hands in self.imagined():
            if time.process_time() > self.end and any(left.values()):
                break
            for code in legal:
                shows = replace(event, shown=cards[code - show])
                now = numbered([shows], self.known.viewer, start=last.number)
                after = replace(self.known, events=(*self.known.events[:-1], *now))
                left[code] += self.rivals.open(after, event.by, hands)
        return max(left, key=lambda code: left[code])

    def accusing(self) -> int:
        """To accuse or to pass."""
        chances, codes = self.file(), self.edition.codes
        best = int(chances.argmax())
        sure = float(chances[best])
        if sure >= self.settings.sure:
            return codes.accuse + best
        if self.settings.dares and sure > LEAST:
            expected = self.outlook()
            if expected.right > (1.0 if self.settings.race else DOUBT) * expected.waiting:
                return codes.accuse + best
        return codes.passing

    def outlook(self) -> Outlook:
        """The outlook for accusing now and for passing, as far as one can expect."""
        file, names = self.file(), self.known.players
        imagined = self.rivals.imagined(
            self.worlds(self.settings.worlds),
            file=file,
            out=[name for seat, name in enumerate(names) if self.state.out[seat]],
            count=self.settings.imagined,
            end=self.end,
            reasons=self.belief.reasons(self.known),
        )
        sure, after = float(file.max()), float(self.told.right.max())
        walks = self.agent.game.state is BOARD_STATE
        pace = 1.0 / turns_to_a_room(self.agent.game.tables.walk.dice) if walks else 1.0
        if self.settings.race:
            return race_of(imagined, pace=pace).outlook(sure, after, entropy_bits(file))
        return imagined.outlook(sure=sure, after=after, bits=entropy_bits(file), pace=pace)

    # -- what the others know

    def imagined(self) -> list[Hands]:
        """Hands of all players in some deals."""
        return self.rivals.hands(self.worlds(self.settings.imagined))

    # -- on the board

    def plan(self) -> Plan:
        """The plan of where to go, by what is known at this turn; kept until something is seen."""
        kept = self.agent.kept
        key = (len(self.known.events), int(self.state.turn))
        if kept is not None and kept[0] == key:
            return kept[1]
        if self.settings.horizon > 1 and self.posterior is not None:
            plan = self.hunt(self.settings.horizon).plan(self.posterior, *self.stands())
        else:
            plan = self.leg()
        self.agent.kept = key, plan
        return plan

    def leg(self) -> Plan:
        """The plan of where to go for the next suggestion alone."""
        return self.hunt(1).plan_of(self.of_rooms().T, *self.stands())

    def of_rooms(self) -> Floats:
        """The worth of suggestions to one who has to walk to their rooms; shape (36, rooms)."""
        right = self.right() if self.settings.walks == "worth" else 0.0
        return (self.worth() + right).reshape(36, SQUARE)

    def stands(self) -> tuple[int, int | None]:
        """The place, and the room that must not be entered next."""
        me, again = self.view.viewer, self.agent.game.tables.walk.again
        last = int(self.state.last[me])
        return int(self.state.place[me]), None if last < 0 or again else last

    def hunt(self, horizon: int) -> TreasureHunt:
        settings = self.settings
        nearest = settings.walks == "nearest"
        weights = Weights(
            benefit=0.0 if nearest else 1.0,
            distance=1.0 if nearest else max(settings.price, TIE),
        )
        dice = self.agent.game.tables.walk.dice if settings.dice else None
        return _hunt(self.declared, weights, dice, horizon, settings.exact, settings.seconds)

    def turning(self, legal: Sequence[int]) -> int:
        """To roll, to take the passage, or to stay where another's suggestion has moved them."""
        if self.settings.asks == "uncertain":
            return int(self.rng.choice(legal))
        plan = self.plan()
        if STAY in legal:
            room = int(self.state.place[self.view.viewer])
            here = float(self.of_rooms()[:, room].max())
            # One suggestion here against one elsewhere, however many are thought ahead.
            if here >= self.leg().value:
                return STAY
        return PASSAGE if PASSAGE in legal and plan.passage is not None else ROLL

    def walking(self, legal: Sequence[int]) -> int:
        """The place to end the walk at."""
        plan = self.plan()
        if self.settings.dice:
            place = plan.ways.number(plan.step(int(self.state.roll)).place)
            code = STAY if place == plan.place else MOVE + place
            if code in legal:
                return code
        # Not to be reached as planned, such as behind a pawn, or without dice: as near as can be.
        far = self.agent.game.tables.walk.distance[:, int(plan.suggesting.argmax())]
        places = [plan.place if each == STAY else each - MOVE for each in legal]
        return int(legal[int(far[places].argmin())])


_PLAIN: Final = {"exact": ClueBelief, "passed": PassingBelief}
_TABLES: Final[Mapping[str, Callable[[SeenClue], Floats]]] = {
    "factored": tables.factored,
    "notebook": tables.notebook,
    "ledford": tables.ledford,
}


def _by_card(values: Floats, edition: ClueEdition) -> Floats:
    """For each triple what its cards are worth together; shape (triples,)."""
    suspects, weapons, rooms = (values[kind] for kind in edition.parts)
    return (suspects[:, None, None] + weapons[:, None] + rooms).ravel()


@lru_cache(maxsize=64)
def _hunt(
    belief: ClueDeclaration,
    weights: Weights,
    dice: int | None,
    horizon: int,
    exact: bool,
    seconds: float,
) -> TreasureHunt:
    return TreasureHunt(
        belief=belief, dice=dice, weights=weights, horizon=horizon, exact=exact, seconds=seconds
    )


def _detective(game: Game, settings: DetectiveSettings, text: str) -> Maker:
    number_within(settings.sure, "sure", above=True, most=1.0)
    number_within(settings.probability_gain, "probability_gain")
    number_within(settings.price, "price")
    number_within(settings.seconds, "seconds")
    for name, least in {"horizon": 1, "worlds": 1, "imagined": 1, "finalists": 0}.items():
        whole_number(getattr(settings, name), name, least=least)
    if settings.asks == "uncertain" and settings.knows not in _TABLES:
        raise SettingsError(
            "what is uncertain card by card is known from a table only",
            where="asks",
            value=f"asks=uncertain,knows={settings.knows}",
            hint=f"write knows={'|'.join(_TABLES)}",
        )
    if settings.predictor is not None and settings.knows not in ("learned", "kinds"):
        raise SettingsError(
            "only agents that know what was learned take a predictor",
            where="predictor",
            value=settings.predictor,
            hint=f"write {text.partition(':')[0]}:knows=learned,predictor={settings.predictor}",
        )
    walks = game.state is BOARD_STATE
    if settings.knows == "learned":
        belief = LearnedBelief(settings.predictor or USUAL, walks=walks)
    elif settings.knows == "kinds":
        belief = KindsBelief(settings.predictor or USUAL, walks=walks)
    elif settings.knows == "heard":
        belief = HearingBelief(walks=walks)
    else:
        belief = _PLAIN.get(settings.knows, ClueBelief)()
    return lambda seed: Detective(game, settings, belief, seed, text)


def _kind(says: str, **usual: Any) -> Kind:
    return Kind(says, DetectiveSettings(**usual), _detective)


#: The agents that this game alone has.
AGENTS: Final = {
    "daring": _kind(
        "a detective who listens, asks to be right, and accuses before others know",
        knows="kinds",
        probability_gain=PROBABILITY_GAIN,
        shows="least",
        dares=True,
    ),
    "detective": _kind("asks what tells most, shows what tells least", shows="least"),
    "entropy": _kind("the suggestion that tells most", finalists=8, price=TIE),
    "factored": _kind(
        "the same with a probability for each card alone", knows="factored", sure=0.95, price=TIE
    ),
    # What it does within this takes a second at most.
    "hunt": _kind("the treasure hunt of the paper", finalists=8, horizon=2, seconds=0.9),
    "ledford": _kind("Ledford's heuristic player", knows="ledford", asks="uncertain", price=TIE),
    "likeliest": _kind("suggests the likeliest case file", asks="likeliest", price=TIE),
    "nearest": _kind("the nearest room, and what tells most there", walks="nearest"),
    "notebook": _kind(
        "simple deductions, cards not known yet", knows="notebook", asks="unseen", walks="nearest"
    ),
}
