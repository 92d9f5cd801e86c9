"""The beliefs of Clue by name, for a search as for the agents of this game."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from sleuth import Play, game
from sleuth import belief as belief_of
from sleuth.agents import parse_agent, search_agent
from sleuth.beliefs.games.clue.hearing import HearingBelief
from sleuth.beliefs.games.clue.named import LIKELIHOODS
from sleuth.beliefs.games.clue.passing import PassingBelief
from sleuth.errors import SettingsError
from sleuth.games.clue import PASS, ClueBelief, KindsBelief, LearnedBelief
from sleuth.planners.agents.names import adviser

NAMED: dict[str, Any] = {
    "exact": ClueBelief,
    "passed": PassingBelief,
    "heard": HearingBelief,
    "learned": LearnedBelief,
    "kinds": KindsBelief,
}


def heard() -> Play:
    """A play in which two players asked for cards of their own, and passed: nobody refutes that."""
    rules, kinds = game("clue_table"), (range(6), range(6, 12), range(12, 21))
    for seed in range(50):
        play = Play.new(rules, seed=seed)
        holder = play.truth()[0].holder.tolist()
        own = [[[card for card in kind if holder[card] == by] for kind in kinds] for by in (0, 1)]
        if all(all(cards) for cards in own):
            for suspects, weapons, rooms in own:
                play.apply(54 * suspects[0] + 9 * (weapons[0] - 6) + rooms[0] - 12)
                play.apply(PASS)
            return play
    raise AssertionError("two players hold a card of each kind")


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_a_name_stands_for_a_belief(name: str) -> None:
    play = heard()
    rules = play.game
    view, seen = play.view(0), play.seen_by(0)
    belief = pickle.loads(pickle.dumps(belief_of(rules, likelihood=name)))
    expected = NAMED[name]()
    (file,) = belief.hidden(view).values()
    found = belief.infer(view, seen).distribution(file)
    assert found == pytest.approx(expected.infer(view, seen).distribution(file))
    agent = search_agent(f"mcts:belief={name},simulations=20", rules, seed=1)
    assert agent.posterior(view, seen).distribution(file) == pytest.approx(found)
    seat = play.player
    assert agent.decide(play.view(seat), play.seen_by(seat)) in play.legal()
    plain = ClueBelief().infer(view, seen).distribution(file)
    assert (np.abs(found - plain).max() > 1e-6) == (name != "exact")


def test_on_a_board_rooms_say_nothing_of_those_who_walk_there() -> None:
    belief: Any = belief_of(game("clue"), likelihood="heard")
    assert belief._by.walks
    assert not belief_of(game("clue_table"), likelihood="heard")._by.walks  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text, name, part",
    [
        ("mcts:belief=herd", "clue_table", "did you mean 'heard'"),
        ("mcts:belief=learned", "leduc_poker", "no likelihoods to choose from"),
        ("mcts:imagined=turn", "clue", "not imagined like that"),
        ("mcts:imagined=turn", "leduc_poker", "not imagined like that"),
    ],
)
def test_what_a_game_does_not_have_is_refused(text: str, name: str, part: str) -> None:
    with pytest.raises(SettingsError) as error:
        parse_agent(text).prepare(game(name))
    assert part in str(error.value)


def test_hints_do_not_take_people_for_the_players_that_were_learned_from() -> None:
    rules = game("clue_table")
    options = dict(adviser(rules).options)
    assert (options["belief"], options["imagined"]) == ("exact", "predicted")
    assert adviser(game("leduc_poker")).text == "mcts"
