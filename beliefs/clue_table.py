"""Clue without a board: what the players saw, told to the declaration of Clue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from ..models.clue.cards import CARDS
from ..models.clue.events import Accusation, ClueEvent, Suggestion
from ..models.clue.seen import SPECTATOR, SeenGame, numbered
from ..models.clue.simulate import usual_hand_sizes
from ..models.clue_table import (
    ACCUSE,
    OUTCOME,
    PASS,
    REFUTER,
    SHOW,
    SHOWED,
    SUGGESTING,
    TRIPLES,
    triple_cards,
)
from ..models.events import Seen
from ..models.play import Moved, SeenPlay, View, viewer_name
from .clue import ClueBelief
from .features import Feature
from .playing import CachedBelief
from .posterior import Posterior
from .questions import Question


class ClueTableBelief(CachedBelief[SeenGame]):
    """Who holds which card; a refuter shows any of the cards he could show, equally likely."""

    def known(self, view: View, seen: SeenPlay) -> SeenGame:
        """The game as a record of Clue would give it to the viewer."""
        return seen_game(view, seen)

    def posterior(self, known: SeenGame) -> Posterior:
        """The posterior of all but the last event, and what that one adds."""
        belief = _declared(known.until(0))
        if not known.events:
            return belief.infer()
        before = self._posterior(known.until(len(known.events) - 1))
        return before.observe(belief.evidence(known.events[-1]))

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The case file: suspect, weapon and room."""
        return {"case file": _declared(_dealt(view)).case_file}

    def questions(self, view: View) -> Mapping[int, Question]:
        """All suggestions, when it is the viewer's turn to make one."""
        state = view.states[0]
        if state.player != view.viewer or state.stage != SUGGESTING:
            return {}
        return _suggestions(_declared(_dealt(view)))


@lru_cache(maxsize=64)
def _suggestions(belief: ClueBelief) -> dict[int, Question]:
    return {triple: belief.suggestion(triple_cards(triple)) for triple in range(TRIPLES)}


@lru_cache(maxsize=64)
def _declared(game: SeenGame) -> ClueBelief:
    return ClueBelief(game)


def seen_game(view: View, seen: SeenPlay) -> SeenGame:
    """What a viewer saw of a game on this table, as the view of a record of Clue.

    Cards that are not yet shown, or that he did not see, are ``None``.
    """
    dealt = _dealt(view)
    events = numbered(_events(seen.events, dealt.players), dealt.viewer)
    return SeenGame(
        players=dealt.players,
        hand_sizes=dealt.hand_sizes,
        viewer=dealt.viewer,
        own_hand=dealt.own_hand,
        events=tuple(events),
    )


def _dealt(view: View) -> SeenGame:
    players = view.game.roles
    holders = view.states[0].holder.tolist()
    viewer = view.viewer
    return SeenGame(
        players=players,
        hand_sizes=tuple(zip(players, usual_hand_sizes(len(players)), strict=True)),
        viewer=viewer_name(players, viewer) if viewer >= 0 else SPECTATOR,
        own_hand=tuple(card for card, who in zip(CARDS, holders, strict=True) if who == viewer),
    )


def _events(events: Sequence[Seen[Moved]], players: tuple[str, ...]) -> Iterator[ClueEvent]:
    for place, seen in enumerate(events):
        mover, observation = players[seen.event.mover], seen.event.observation
        if observation in (PASS, SHOWED) or SHOW <= observation < ACCUSE:
            continue  # passing says nothing; a card shown was told with its suggestion
        if observation % REFUTER < TRIPLES:
            following = events[place + 1].event.observation if place + 1 < len(events) else SHOWED
            yield _suggestion(mover, observation, following, players)
        else:
            code, outcome = observation % OUTCOME, observation // OUTCOME
            yield Accusation(
                mover,
                triple_cards(code - ACCUSE),
                outcome == 1,
                seen=triple_cards(outcome - 2) if outcome >= 2 else None,
            )


def _suggestion(
    mover: str, observation: int, following: int, players: tuple[str, ...]
) -> Suggestion:
    refuter = observation // REFUTER - 1
    seat = players.index(mover)
    asked = [players[(seat + step) % len(players)] for step in range(1, len(players))]
    if refuter >= 0:
        asked = asked[: asked.index(players[refuter])]
    shown = CARDS[following - SHOW] if refuter >= 0 and SHOW <= following < ACCUSE else None
    return Suggestion(
        mover,
        triple_cards(observation % REFUTER),
        refuter=players[refuter] if refuter >= 0 else None,
        shown=shown,
        passed=tuple(asked),
    )
