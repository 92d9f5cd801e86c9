"""What kind of player of Clue somebody is follows from what they ask, as if listed by hand."""

from __future__ import annotations

import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest

from sleuth import game, play_match
from sleuth.beliefs.games.clue.hearing import HELD
from sleuth.beliefs.games.clue.kinds import SHARES, UNSURE, unsure_chances
from sleuth.beliefs.games.clue.learned import ALIKE_KIND, ChoiceHistory
from sleuth.beliefs.games.clue.play import declared
from sleuth.errors import SettingsError
from sleuth.games.clue import CARDS, ClueBelief, KindsBelief, SeenClue, Suggestion, seen_game
from sleuth.models.clue.cards import CATEGORIES, POSITION
from sleuth.models.clue.seen import masked, numbered
from sleuth.predictors import NONE, Kinds

from .clue_worlds import worlds as listed

PLAYERS = ("Ada", "Bob", "Cleo")
#: Nine cards are hidden from Ada, three of each kind.
OWN = (*CARDS[:3], *CARDS[6:9], *CARDS[12:18])
SUSPECT, WEAPON, ROOM = CARDS[3], CARDS[9], CARDS[18]


def _game(*events: Suggestion) -> SeenClue:
    return SeenClue(
        players=PLAYERS,
        hand_sizes=(("Ada", 12), ("Bob", 3), ("Cleo", 3)),
        viewer="Ada",
        own_hand=OWN,
        events=tuple(numbered((masked(each, "Ada") for each in events), "Ada")),
    )


def _asks(by: str, cards: tuple[str, str, str], refuter: str, *passed: str) -> Suggestion:
    return Suggestion(by, cards, refuter=refuter, shown=None, passed=passed)


GAME = _game(
    _asks("Bob", (CARDS[4], WEAPON, ROOM), "Cleo"),
    _asks("Cleo", (SUSPECT, WEAPON, CARDS[19]), "Bob", "Ada"),
    _asks("Bob", (SUSPECT, CARDS[10], OWN[-1]), "Ada", "Cleo"),
    _asks("Cleo", (CARDS[5], CARDS[11], CARDS[19]), "Bob", "Ada"),
)


@pytest.mark.parametrize("exact", [True, False])
def test_the_posterior_is_that_of_all_deals_and_kinds_by_hand(exact: bool) -> None:
    belief = KindsBelief(exact=exact)
    worlds, kinds = listed(GAME), belief.kinds
    names = {name: place for place, name in enumerate(worlds.holders)}
    # Of each deal, how likely each kind of each player asks so, all that they ask.
    asked = {name: np.ones((len(worlds.held), len(kinds.names))) for name in ("Bob", "Cleo")}
    for turn, seen in enumerate(GAME.events):
        event: Any = seen.event
        table = belief.asking(GAME.until(turn), event)
        places = [POSITION[card] for card in event.cards]
        index = (worlds.held[:, places] == names[event.by]) @ [1, 2, 4]
        asked[event.by] *= table.T[index]
    by = {name: each @ kinds.prior for name, each in asked.items()}
    weights = worlds.weights * by["Bob"] * by["Cleo"]
    weights /= weights.sum()
    found = belief.posterior(GAME)
    cards = declared(GAME.until(0)).cards
    near = 1e-9 if exact else 0.1
    for card, holder in itertools.product(CARDS, PLAYERS):
        here = float(weights[worlds.held[:, POSITION[card]] == names[holder]].sum())
        given = found.marginal(cards.holder_of(card)).get(holder, 0.0)
        assert given == pytest.approx(here, abs=near)
    for name, each in asked.items():
        other = by["Bob" if name == "Cleo" else "Cleo"]
        shares = (worlds.weights * other) @ (each * kinds.prior)
        expected = dict(zip(kinds.names, shares / shares.sum(), strict=True))
        # Of kinds, too, what is heard is an approximation.
        assert belief.kinds_of(GAME)[name] == pytest.approx(expected, abs=3.0 * near)
    plain = ClueBelief().posterior(GAME)
    file = declared(GAME.until(0)).case_file
    assert np.abs(found.distribution(file) - plain.distribution(file)).max() > 0.005


def test_what_is_not_declared_any_more_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = KindsBelief(exact=False).posterior(GAME)
    monkeypatch.setattr("sleuth.beliefs.games.clue.hearing.MOST_EDGES", 0)
    found = KindsBelief().posterior(GAME)
    file = declared(GAME.until(0)).case_file
    assert found.distribution(file) == pytest.approx(heard.distribution(file), abs=1e-12)
    assert found.log_evidence == pytest.approx(heard.log_evidence, abs=1e-9)


def test_what_a_viewer_did_not_see_changes_nothing() -> None:
    cards = (SUSPECT, WEAPON, ROOM)
    first, second = (
        KindsBelief().posterior(
            _game(
                Suggestion("Bob", cards, refuter="Cleo", shown=card),
                _asks("Bob", (CARDS[4], WEAPON, ROOM), "Cleo"),
            )
        )
        for card in (SUSPECT, ROOM)
    )
    assert first.log_evidence == second.log_evidence


def test_who_is_less_sure_of_one_card_asks_for_it() -> None:
    """Ledford's players by what everybody saw, in a case that can be counted."""
    passed = _asks("Cleo", (SUSPECT, WEAPON, ROOM), "Bob", "Ada")
    known = _game(passed)
    past = ChoiceHistory(known)

    def chances(cards: tuple[str, str, str]) -> Any:
        return unsure_chances(known, past, _asks("Bob", cards, "Cleo"), 3, walks=False)

    fresh = chances((CARDS[4], CARDS[10], CARDS[19]))
    # Nobody asks for a card of their own, nor for one that others passed on before a fresh one.
    assert (fresh[1:] == 0.0).all()
    assert fresh[0] > 20.0 * chances((SUSPECT, WEAPON, ROOM))[0]
    # Given that they hold none of them, they name some cards or others.
    suspects, weapons, rooms = CATEGORIES.values()
    whole = sum(chances(each)[0] for each in itertools.product(suspects, weapons, rooms))
    assert 0.8 < whole < 1.6
    asked = _asks("Bob", (CARDS[4], CARDS[10], ROOM), "Cleo")
    rooms = unsure_chances(known, past, asked, 3, walks=True)
    assert rooms[0] == rooms[4] > 0.0


@pytest.mark.parametrize("agent, kind", [("ledford", UNSURE), ("entropy", ALIKE_KIND)])
def test_the_kinds_of_agents_are_found_out(agent: str, kind: str) -> None:
    rules = game("clue_table", players=3)
    found: list[float] = []
    belief = KindsBelief()
    for one in play_match(rules, [agent] * 3, games=3, seed=3).games:
        play = one.replay(rules).record().replay(rules)
        known = seen_game(play.view(0), play.seen_by(0))
        kinds = belief.kinds_of(known.until(min(len(known.events), 12)))
        found += [by[kind] for by in kinds.values()]
    assert np.mean(found) > 0.7 > SHARES[kind]


def test_who_asks_anything_is_of_no_kind_and_their_passing_says_nothing() -> None:
    belief = KindsBelief(kinds=Kinds({ALIKE_KIND: 1.0}, none=0.5))
    table = belief.asking(GAME.until(0), _asks("Bob", (SUSPECT, WEAPON, ROOM), "Cleo"))
    assert table.shape == (2, 8)
    assert table[1] == pytest.approx(1 / 324)
    assert belief.passing()[1] == pytest.approx(1.0)
    assert belief.passing()[0] == pytest.approx([0.02, *[1.0] * 7])
    assert belief.kinds.names == (ALIKE_KIND, NONE)
    assert HELD.shape == (8, 3)


def test_a_kind_of_which_nothing_is_known_is_refused() -> None:
    with pytest.raises(SettingsError, match="seeks the file"):
        KindsBelief(kinds=Kinds(["seeks the fill"]))


def test_a_belief_for_another_process_is_the_same() -> None:
    belief = KindsBelief(walks=True, exact=False)
    sent = pickle.loads(pickle.dumps(belief))
    assert (sent.walks, sent.exact, sent.kinds) == (True, False, belief.kinds)
    assert math.isclose(sum(sent.kinds.prior), 1.0)
