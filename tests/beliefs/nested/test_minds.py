"""What players believe that others believe: by hand, by the tower law, and by enumeration."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from sleuth import HIDDEN, Play, game
from sleuth.beliefs.nested.minds import Minds
from sleuth.beliefs.nested.worlds import every_world
from sleuth.errors import SettingsError
from sleuth.games.clue import ClueBelief, seen_game
from sleuth.games.small import KuhnPokerBelief, LeducPokerBelief
from sleuth.kit import View
from sleuth.models.clue.seen import SPECTATOR
from sleuth.nested import Nesting

JACK, QUEEN, KING = range(3)


def kuhn_view() -> View:
    return Play.new(game("kuhn_poker"), seed=0).view(-1)


def holds(player: int, card: int):
    """The condition that a player of Kuhn poker has a card."""
    name = ("first", "second")[player]
    feature = KuhnPokerBelief().hidden(kuhn_view())[f"card of {name}"]
    return feature.equals(("jack", "queen", "king")[card])


def test_a_king_knows_that_the_other_is_in_doubt() -> None:
    mine = Nesting(KuhnPokerBelief()).mind((KING, HIDDEN))
    theirs = mine.of(1)
    # They have the jack or the queen; with either, they give me the king one time in two.
    assert theirs.listed
    assert theirs.chances.tolist() == [0.5, 0.5]
    assert theirs.probabilities(holds(0, KING)) == {0.5: 1.0}
    assert theirs.marginal(KuhnPokerBelief().hidden(kuhn_view())["card of first"]) == {
        "jack": 0.25, "queen": 0.25, "king": 0.5,
    }  # fmt: skip


def test_the_third_level_by_hand() -> None:
    # I hold the king, so they hold the jack (or the queen); then I hold the queen or the king,
    # as far as they know; and what I would think of their jack then is one half each time.
    back = Nesting(KuhnPokerBelief()).mind((KING, HIDDEN)).of(1).of(0)
    assert back.probabilities(holds(1, JACK)) == {0.0: 0.25, 0.5: 0.75}
    assert back.probabilities(holds(1, KING)) == {0.0: 0.5, 0.5: 0.5}


def by_enumeration(levels: tuple[int, ...], start: tuple[int, int, int]) -> dict[int, float]:
    """P(the card of the next player) at the end of "I think that you think ...", of three cards."""
    total: dict[int, float] = {}
    *path, about = levels

    def go(deal: tuple[int, ...], left: list[int], weight: float) -> None:
        if not left:
            total[deal[about]] = total.get(deal[about], 0.0) + weight
            return
        here = left[0]
        possible = [each for each in permutations(range(3)) if each[here] == deal[here]]
        for each in possible:
            go(each, left[1:], weight / len(possible))

    go(start, path, 1.0)
    return total


@pytest.mark.parametrize("path", [(0, 1), (0, 1, 0, 1), (0, 1, 0, 1, 0), (1, 0, 1, 0)])
@pytest.mark.parametrize("deal", [(KING, JACK, QUEEN), (QUEEN, KING, JACK)])
def test_every_depth_is_what_enumeration_says(
    path: tuple[int, ...], deal: tuple[int, int, int]
) -> None:
    me = path[0]
    known = (deal[0], HIDDEN) if me == 0 else (HIDDEN, deal[1])
    minds = Minds((Nesting(KuhnPokerBelief()).mind(known),), np.ones(1))
    for player in path[1:-1]:
        minds = minds.of(player)
    wanted = by_enumeration(path, deal)
    for card in range(3):
        assert minds.probability(holds(path[-1], card)) == pytest.approx(
            wanted.get(card, 0.0), abs=1e-12
        )


@pytest.mark.parametrize("table", [HIDDEN, JACK, QUEEN, KING])
def test_on_average_nobody_knows_what_nobody_knows(table: int) -> None:
    """The tower law: the average of what a better informed player believes is one's own belief."""
    belief = LeducPokerBelief()
    mine = Nesting(belief).mind((HIDDEN, HIDDEN, table))
    hidden = belief.hidden(Play.new(game("leduc_poker"), seed=0).view(-1))
    for player in (0, 1):
        for feature in hidden.values():
            own = mine.posterior.marginal(feature)
            theirs = mine.of(player).marginal(feature)
            assert theirs == pytest.approx(own, abs=1e-12)
            deeper = mine.of(player).of(player).marginal(feature)
            assert deeper == pytest.approx(theirs, abs=1e-12)
        name = ("first", "second")[player]
        # Their own card is all that they know more.
        assert mine.of(player).information_gain(hidden[f"card of {name}"]) == pytest.approx(
            mine.posterior.entropy(hidden[f"card of {name}"])
        )


def test_minds_are_computed_once_for_all_with_the_same_knowledge() -> None:
    asked: list[object] = []

    class Counting(KuhnPokerBelief):
        def posterior(self, known: tuple[int, ...]):
            asked.append(known)
            return super().posterior(known)

    mind = Nesting(Counting()).mind((KING, HIDDEN))
    mind.of(1).of(0).of(1).of(0)
    assert len(asked) == len(set(asked)) == 6  # three cards of either player


def clue_so_far(moves: int, seed: int = 3) -> Play:
    play = Play.new(game("clue_table"), seed=seed)
    rng = np.random.default_rng(seed)
    while len(play.actions) < moves:
        play.apply(int(rng.choice(play.legal()[:324])))
    return play


def test_in_clue_others_know_their_cards_and_what_they_were_shown() -> None:
    belief = ClueBelief()
    play = clue_so_far(6)
    known = seen_game(play.view(0), play.seen_by(0))
    nesting = Nesting(belief, listed=100, drawn=40, seed=1)
    mine = nesting.mind(known)
    theirs = mine.of(1)
    assert not theirs.listed
    file = belief.hidden(play.view(0))["case file"]
    # With their own cards in hand they know more than a spectator does.
    looker = nesting.mind(seen_game(play.view(-1), play.seen_by(-1)))
    assert looker.known.viewer == SPECTATOR
    assert theirs.entropy(file) < looker.posterior.entropy(file)
    for mind in theirs.minds:
        assert mind.known.viewer == known.players[1]
        assert set(mind.known.own_hand).isdisjoint(known.own_hand)
    # What they think of my first card: they cannot have it, and are never sure that I have not.
    for mind in theirs.minds[:5]:
        table = mind.posterior.table("cards")
        for card in known.own_hand:
            assert table[card].get(known.players[0], 0.0) > 0.0


def test_a_player_knows_their_own_mind() -> None:
    play = clue_so_far(4)
    known = seen_game(play.view(2), play.seen_by(2))
    mind = Nesting(ClueBelief(), listed=100, drawn=10).mind(known)
    assert [each.known for each in mind.of(2).minds] == [known]


def test_nothing_hidden_changes_what_is_believed_of_others() -> None:
    belief = ClueBelief()
    play = clue_so_far(6)
    rng = np.random.default_rng(0)
    view, seen = play.view(0), play.seen_by(0)
    posterior = belief.infer(view, seen)
    file = belief.hidden(view)["case file"]
    answers: list[float] = []
    for world in belief.worlds(posterior, 3, rng):
        states = view.states
        play.game.fill(states[0], world, play.game.tables, rng)
        other = play.supposing(states)
        known = belief.known(other.view(0), other.seen_by(0))
        answers.append(
            Nesting(belief, listed=100, drawn=20, seed=2).mind(known).of(1).entropy(file)
        )
    assert len(set(answers)) == 1


def test_the_same_seed_gives_the_same_draws() -> None:
    play = clue_so_far(6)
    known = seen_game(play.view(0), play.seen_by(0))
    one, same, other = (
        Nesting(ClueBelief(), listed=100, drawn=5, seed=seed).mind(known).of(1)
        for seed in (1, 1, 2)
    )
    assert [mind.known for mind in one.minds] == [mind.known for mind in same.minds]
    assert [mind.known for mind in one.minds] != [mind.known for mind in other.minds]


def test_worlds_are_listed_with_their_probabilities() -> None:
    posterior = KuhnPokerBelief().posterior((KING, HIDDEN))
    found = every_world(posterior)
    assert found is not None
    rows, chances = found
    assert sorted(rows.tolist()) == [[1, 2, 0], [2, 1, 0]]
    assert chances.tolist() == [0.5, 0.5]
    assert every_world(posterior, most=1) is None


def test_a_number_of_worlds_is_positive() -> None:
    with pytest.raises(SettingsError, match="drawn is a number of worlds"):
        Nesting(KuhnPokerBelief(), drawn=0)
