"""Beliefs in a later round of Saboteur: roles and gold by this round alone, kinds by all rounds."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, Game, Play, check_belief
from sleuth.beliefs.games.saboteur.kinds import KindsModel, action_key
from sleuth.beliefs.games.saboteur.likelihoods import GoalClaim, role_worlds
from sleuth.beliefs.games.saboteur.play import GOLD_PLACE, SaboteurKnowledge
from sleuth.games.saboteur import SaboteurBelief, saboteur
from sleuth.kit import generator
from sleuth.models.saboteur.state import GOLD

from .test_saboteur import by_hand, deal_of
from .test_saboteur_kinds import shipped_kinds

#: Three players, and a role card that is left over: four worlds of roles, three of gold.
SMALL = saboteur("tight", players=3, spare=True, saboteurs=1, hand=3, stock=9, rounds=3, pay="gold")


def in_round(game: Game, seed: int, rounds: int, moves: int) -> Play:
    """A game of sensible players in a later round, after so many moves of it."""
    play, random, made = Play.new(game, seed=seed), generator(seed), 0
    while not play.over and made < moves:
        legal = play.legal()
        state = play.truth()[0]
        made += int(state.rounds_played) == rounds
        place = game.policy(state, legal, len(legal), game.tables, random)
        play.apply(int(legal[place]))
    return play


@pytest.mark.parametrize("seed, rounds", [(1, 1), (2, 1), (3, 2)])
def test_a_later_round_is_believed_by_its_own_events(seed: int, rounds: int) -> None:
    play, belief = in_round(SMALL, seed, rounds, 8), SaboteurBelief()
    for viewer in (-1, 0, 2):
        view, seen = play.view(viewer), play.seen_by(viewer)
        known = belief.known(view, seen)
        assert known.past == ()
        assert 0 < len(known.signs) <= 20
        posterior = belief.infer(view, seen)
        suspicion, _, gold = by_hand(known)
        deal = deal_of(posterior)
        for player, name in enumerate(SMALL.roles):
            found = posterior.marginal(deal.count(name, "saboteur"))
            assert found.get(1, 0.0) == pytest.approx(suspicion[player], abs=1e-9)
        places = posterior.marginal(GOLD_PLACE.value())
        assert [*places.values()] == pytest.approx([g for g in gold if g > 0], abs=1e-9)


def test_kinds_are_those_of_all_rounds_by_all_worlds() -> None:
    model = shipped_kinds()
    belief = SaboteurBelief("kinds", model=model)
    play = in_round(SMALL, 3, 1, 5)
    view, seen = play.view(0), play.seen_by(0)
    known = belief.known(view, seen)
    assert len(known.past) == 1
    expected = every_world(known, model)
    found = belief.kinds_of(known)
    for player, name in ((1, "player 2"), (2, "player 3")):
        assert [*found[name].values()] == pytest.approx(expected[player], abs=1e-9)
    # The first round told something of them.
    alone = belief.kinds_of(known._replace(past=()))
    assert found != alone


def every_world(known: SaboteurKnowledge, model: KindsModel) -> dict[int, list[float]]:
    """P(kind) of each other player, over all worlds of roles, gold and kinds."""
    roles_known, goals = known.roles, known.goals
    worlds = [
        (roles, gold)
        for roles in role_worlds(3, known.saboteurs, spare=True)
        for gold in range(3)
        if roles[0] == roles_known[0]
        and all(c == HIDDEN or (c == GOLD) == (g == gold) for g, c in enumerate(goals))
    ]
    kinds = range(len(model.kinds.names))
    found = {1: [0.0] * len(kinds), 2: [0.0] * len(kinds)}
    names = list(model.kinds.names)

    def chance(said: Any, roles: Any, gold: int, kind: int) -> float:
        rates: list[float] = []
        for name in (names[kind], names[-1]):
            habits = model.habits[name]
            if isinstance(said, GoalClaim):
                true = (gold == said.goal) == said.gold
                rates.append(habits.words[roles[said.player], int(gold == said.goal), int(true)])
            else:
                at = [roles[said.player]]
                at += [roles[said.other]] if said.other >= 0 else []
                every = habits.actions.get(action_key(said), np.ones((2,) * len(at)))
                rates.append(float(every[tuple(at)]))
        return (0.98 * rates[0] + 0.02 * rates[1]) ** model.trust

    for (roles, gold), one, two in itertools.product(worlds, kinds, kinds):
        weight = model.kinds.prior[one] * model.kinds.prior[two]
        kind = {1: one, 2: two}
        for said in (*known.signs, *known.claims):
            if said.player and (isinstance(said, GoalClaim) or said.about):
                weight *= chance(said, roles, gold, kind[said.player])
        for past in known.past:
            for said, where in (*((s, 0) for s in past.signs if s.about), *past.claims):
                if said.player:
                    weight *= chance(said, past.roles, where, kind[said.player])
        found[1][one] += weight
        found[2][two] += weight
    return {player: [x / sum(each) for x in each] for player, each in found.items()}


def test_what_everybody_learned_at_the_end_of_a_round_is_kept() -> None:
    play = in_round(SMALL, 3, 1, 1)
    belief = SaboteurBelief("kinds")
    pasts = [belief.known(play.view(v), play.seen_by(v)).past for v in (0, 1, 2, -1)]
    # Roles were shown to all, and only goals that all saw say if somebody lied.
    assert len({each[0].roles for each in pasts}) == 1
    assert len({each[0].claims for each in pasts}) == 1
    assert sum(pasts[0][0].roles) <= SMALL.settings["saboteurs"]


@pytest.mark.parametrize("likelihood", ["table", "kinds"])
def test_beliefs_about_three_rounds_are_sound(likelihood: str) -> None:
    small = saboteur("tight", players=3, hand=1, stock=2, rounds=3, pay="gold", spare=True)
    assert check_belief(small, SaboteurBelief(likelihood), plays=3, worlds=20).plays == 3
