"""What a player of Clue learns by the question after the next one."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sleuth import Play
from sleuth.agents import parse_agent, search_agent
from sleuth.beliefs.games.clue.play import declared
from sleuth.games.clue import PASS, ROOMS, ClueBelief, clue, clue_table, seen_game
from sleuth.models.clue.board.walking import WALKING
from sleuth.models.clue.game import SHOW, TRIPLES, triple_cards
from sleuth.models.clue.imagined.own_turns import own_turns
from sleuth.planners.agents.agent import Valuing

DEEP = "mcts:simulations=2500,gain=0.5,depth=3"


@cache
def at_a_suggestion(turns: int) -> Play:
    """After so many suggestions at random, when the next one is due."""
    play, rng = Play.new(clue_table(players=3), seed=4), np.random.default_rng(4)
    while True:
        actions = play.legal()
        if len(actions) == TRIPLES and play.truth()[0].turn == turns:
            return play
        play.apply(PASS if len(actions) == TRIPLES + 1 else int(rng.choice(actions)))


def test_a_second_question_tells_something_below_the_root() -> None:
    play = at_a_suggestion(12)
    view, seen = play.view(play.player), play.seen_by(play.player)
    agent = search_agent(DEEP, play.game, seed=1)
    decision = agent.decision(view, seen)
    open_ = agent.objective(view, seen, agent.posterior(view, seen)).entropy
    tried = [each for each in decision.actions if each.visits]
    assert max(each.later for each in tried) > 0.01
    for each in tried:
        assert (each.gain or 0.0) + each.later <= open_ + 1e-9
    assert decision.learning is not None
    assert decision.learning.asked > 20
    # More than the questions of the root are known exactly.
    assert decision.learning.exact > len(tried)


def test_what_is_asked_about_then_is_what_the_own_question_told() -> None:
    play = at_a_suggestion(12)
    me = play.player
    view, seen = play.view(me), play.seen_by(me)
    agent = search_agent(DEEP, play.game, seed=1)
    ask = agent.objective(view, seen, agent.posterior(view, seen)).ask
    assert ask is not None
    after = play.record().replay(play.game)
    question = int(after.legal()[100])
    after.apply(question)
    while after.truth()[0].turn == play.truth()[0].turn + 1 and len(after.legal()) != TRIPLES:
        after.apply(PASS if len(after.legal()) == TRIPLES + 1 else int(after.legal()[0]))
    own = [each.event for each in after.seen_by(me).events[len(seen.events) :]]
    told = after.view(me), after.seen_by(me)
    # The others' turns until the next own one are left out of what is handed over.
    while not (after.player == me and len(after.legal()) == TRIPLES):
        choice = PASS if len(after.legal()) == TRIPLES + 1 else int(after.legal()[0])
        after.apply(choice)
    said = ask(after.truth(), own, gains=True)
    assert said is not None
    belief = ClueBelief()
    posterior = agent.posterior(*told)
    (file,) = belief.hidden(told[0]).values()
    assert said.entropy == pytest.approx(posterior.entropy(file), abs=1e-9)
    assert said.gains is not None
    assert said.all_gains
    assert len(said.gains) == TRIPLES
    question = belief.questions(after.view(me))[0]
    assert said.gains[0] == pytest.approx(posterior.information_gain(question, about=file))


def test_of_others_only_answers_and_what_must_be_answered_are_seen() -> None:
    play = at_a_suggestion(12)
    game = own_turns(play.game)
    hidden = shown = 0
    rng = np.random.default_rng(1)
    for _ in range(60):
        mover, legal = play.player, play.legal()
        action = PASS if len(legal) == TRIPLES + 1 else int(rng.choice(legal))
        play.apply(action)
        if play.over:
            break
        state = play.truth()
        for viewer in range(3):
            real = play.game.observe(state[0], action, mover, viewer, play.game.tables)
            seen = game.observe(state[0], action, mover, viewer, game.tables)
            asked = action < SHOW and state[0].refuter == viewer
            answered = SHOW <= action < PASS and state[0].suggester == viewer
            if viewer == mover or asked or answered:
                assert seen == real
                shown += 1
            else:
                assert seen < 0
                hidden += 1
    assert min(hidden, shown) > 20


def test_on_the_board_a_room_where_a_suggestion_tells_much_is_walked_to() -> None:
    rules = clue(players=4)
    walker = parse_agent("entropy").prepare(rules)(1)
    play = Play.new(rules, seed=3)
    # Until somebody can reach the lounge with their roll, or stop before it.
    while not (
        int(play.view(play.player).states[0].stage) == WALKING
        and {"move lounge"}
        < {rules.action_name(code) for code in play.view(play.player).legal().tolist()}
    ):
        view, seen = play.view(play.player), play.seen_by(play.player)
        play.apply(walker.decide(view, seen))
    view, seen = play.view(play.player), play.seen_by(play.player)
    (room,) = [code for code in view.legal().tolist() if rules.action_name(code) == "move lounge"]
    agent = parse_agent("mcts:simulations=1000,gain=1,imagined=rules").prepare(rules)(1)
    assert isinstance(agent, Valuing)
    decision = agent.decision(view, seen)
    later = {each.action: each.later or 0.0 for each in decision.actions}
    assert decision.action == room
    # What is expected of the best suggestion there, of which the search tries others, too.
    belief = ClueBelief()
    posterior, declaration = belief.infer(view, seen), declared(seen_game(view, seen).until(0))
    lounge = [triple for triple in range(TRIPLES) if triple % 9 == ROOMS.index("lounge")]
    gains = posterior.information_gain(
        [declaration.suggestion(triple_cards(each)) for each in lounge],
        about=declaration.case_file,
    )
    assert 0.3 * gains.max() < later[room] <= gains.max() + 1e-9
    assert all(bits == 0.0 for code, bits in later.items() if code != room)
    # With value alone nothing is said of it.
    short = parse_agent("mcts:simulations=200,gain=1,depth=1,imagined=rules").prepare(rules)(1)
    assert isinstance(short, Valuing)
    assert short.decision(view, seen).learning is None
