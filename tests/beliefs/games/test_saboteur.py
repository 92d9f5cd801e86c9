"""Saboteur's beliefs against worlds counted by brute force, and the minds of the paper."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, Deal, Game, Play, Posterior
from sleuth.beliefs.games.saboteur.events import Following, RoundStep
from sleuth.beliefs.games.saboteur.likelihoods import (
    AdditiveModel,
    GoalClaim,
    Sign,
    TableModel,
    on_worlds,
    role_worlds,
    rows,
    signs_of_words,
)
from sleuth.beliefs.games.saboteur.minds import (
    RoleMind,
    Scheme,
    gold_chances,
    is_exposed,
    most_trusted,
)
from sleuth.beliefs.games.saboteur.play import SaboteurKnowledge
from sleuth.beliefs.nested.minds import pooled
from sleuth.data.files import read_table
from sleuth.errors import SettingsError
from sleuth.games.saboteur import SaboteurBelief, saboteur
from sleuth.kit import generator
from sleuth.models.saboteur import signs, uses
from sleuth.models.saboteur.state import MINER, SABOTEUR
from sleuth.nested import Believes, Fact, KripkeModel, Nesting, absolute, relative
from sleuth.planners.saboteur.agents import card_weights

PAPER = saboteur("paper")
#: What the rows of the table are about, by their numbers, as the kernels write them.
ROWS = {
    signs.NEARER: ("path", "M(i)"),
    signs.SIDEWAYS: ("path", "S(i)"),
    signs.AWAY: ("path", "S(i)"),
    signs.DEAD_END_ON_WAY: ("dead_end", "S(i)"),
    signs.DEAD_END: ("dead_end", "S(i)"),
    signs.CLEARED: ("rockfall", "M(i)"),
    signs.CUT: ("rockfall", "S(i)"),
    signs.BLOCKED: ("block", "R(i!=j)"),
    signs.FREED: ("deblock", "R(i=j)"),
    signs.FREED_ANYBODY: ("deblock", "M(i)"),
    signs.LEFT_WAITING: ("deblock", "R(i!=k)"),
    signs.AGREED: ("map_claim", "R(i=j)"),
    signs.CONTRADICTED: ("map_claim", "not(M(i) and M(j))"),
    signs.SAID_TRUE: ("map_claim", "M(i)"),
    signs.SAID_FALSE: ("map_claim", "S(i)"),
    signs.DISCARDED: ("discard", "S(i)"),
    signs.NOTHING: ("rockfall", "none"),
}


def played(game: Game, seed: int, moves: int) -> Play:
    """A game of sensible players, so far."""
    play, random = Play.new(game, seed=seed), generator(seed)
    while not play.over and len(play.actions) < moves:
        legal = play.legal()
        choice = game.policy(play.truth()[0], legal, len(legal), game.tables, random)
        play.apply(int(legal[choice]))
    return play


def deal_of(posterior: Posterior) -> Deal:
    deal = posterior.model.variables[0]
    assert isinstance(deal, Deal)
    return deal


# -- by brute force, in words of this file alone


def fits(pattern: str, roles: Sequence[bool], i: int, j: int) -> bool:
    """Whether a world (who is a saboteur) fits a pattern of the table."""
    return {
        "M(i)": not roles[i],
        "S(i)": roles[i],
        "R(i=j)": roles[i] == roles[j],
        "R(i!=j)": roles[i] != roles[j],
        "R(i!=k)": roles[i] != roles[j],
        "not(M(i) and M(j))": roles[i] or roles[j],
        "none": False,
    }[pattern]


def by_hand(known: SaboteurKnowledge) -> tuple[list[float], float, list[float]]:
    """P(saboteur) of each player, P(the first is one and the gold is on top), P(gold)."""
    listed = read_table("saboteur", "action_likelihoods.csv")
    holders = len(known.roles)
    total, suspicion = 0.0, [0.0] * len(known.players)
    both, place = 0.0, [0.0] * 3
    for world in itertools.product((False, True), repeat=holders):
        if sum(world) != known.saboteurs:
            continue
        if any(r != HIDDEN and bool(r) != w for r, w in zip(known.roles, world, strict=True)):
            continue
        for gold in range(3):
            if any(c != HIDDEN and (c == 0) != (g == gold) for g, c in enumerate(known.goals)):
                continue
            logs = 0.0
            for sign in known.signs:
                row = listed[sign.row]
                if sign.player != known.viewer and fits(
                    row["pattern"], world, sign.player, sign.other
                ):
                    logs += float(row["llr_nats"]) * (2 if sign.double else 1)
            for claim in known.claims:
                if not world[claim.player]:
                    logs += 0.7 if (claim.goal == gold) == claim.gold else -4.6
            weight = math.exp(logs)
            total += weight
            both += weight * (world[0] and gold == 0)
            place[gold] += weight
            for player in range(len(suspicion)):
                suspicion[player] += weight * world[player]
    return [x / total for x in suspicion], both / total, [x / total for x in place]


@pytest.mark.parametrize(
    "game, worlds",
    [(PAPER, 10), (saboteur(), 15), (saboteur(players=3), 4), (saboteur(players=7), 56)],
)
def test_posteriors_are_what_counting_worlds_gives(game: Game, worlds: int) -> None:
    belief = SaboteurBelief()
    spare = game.settings["spare"]
    assert len(role_worlds(game.players, game.settings["saboteurs"], spare=spare)) == worlds
    told = 0
    for seed, moves in ((1, 12), (2, 25), (3, 40)):
        play = played(game, seed, moves)
        for viewer in (-1, 0, game.players - 1):
            view = play.view(viewer)
            known = belief.known(view, play.seen_by(viewer))
            told += len(known.claims) > 0
            posterior = belief.infer(view, play.seen_by(viewer))
            suspicion, both, gold = by_hand(known)
            hidden = belief.hidden(view)
            for player, name in enumerate(game.roles):
                feature = hidden.get(f"role of {name}")
                if feature is not None:
                    found = posterior.marginal(feature).get(1, 0.0)
                    assert found == pytest.approx(suspicion[player], abs=1e-12)
            if "gold" in hidden:
                assert posterior.distribution(hidden["gold"]).tolist() == pytest.approx(
                    gold, abs=1e-12
                )
                role = hidden.get(f"role of {game.roles[0]}")
                if role is not None:
                    joint = role.equals(1) & hidden["gold"].equals("top")
                    assert posterior.probability(joint) == pytest.approx(both, abs=1e-12)
    assert told


# -- the table and the kernels that name its rows


def test_kernels_write_the_rows_of_the_table() -> None:
    listed = read_table("saboteur", "action_likelihoods.csv")
    assert {row: (listed[row]["event"], listed[row]["pattern"]) for row in ROWS} == ROWS
    assert len(rows()) == signs.ROWS
    conditions = {row: listed[row]["condition"] for row in ROWS}
    assert "shortens" in conditions[signs.NEARER]
    assert "away" in conditions[signs.AWAY]
    assert "frontier" in conditions[signs.DEAD_END_ON_WAY]
    assert "no broken tool" in conditions[signs.DISCARDED]
    assert "agrees" in conditions[signs.AGREED]


def test_weights_of_cards_stand_in_the_order_of_the_kernel() -> None:
    names = [row["use"] for row in read_table("saboteur", "card_weights.csv")]
    assert card_weights().shape == (uses.DISCARDS + 6, 3)
    for number, word in (
        (uses.LAY_TO_GOAL, "to a goal"), (uses.LAY_AWAY, "leads away"),
        (uses.LAY_END_ON_WAY, "dead end on"), (uses.DIG_CUTS, "cuts"), (uses.BLOCK, "break"),
        (uses.FREE_OTHER, "another's"), (uses.MAP_NEW, "not looked"), (uses.DISCARDS, "a passage"),
    ):  # fmt: skip
        assert word in names[number]


def test_who_breaks_tools_and_who_lies_is_suspected() -> None:
    known = SaboteurKnowledge(
        PAPER.roles, 0, (MINER, *[HIDDEN] * 4), 2, (HIDDEN, 0, HIDDEN), (2, 0, 0, 0, 0), 0
    )  # fmt: skip

    def suspicion(**more: Any) -> list[float]:
        posterior = SaboteurBelief().posterior(known._replace(**more))
        deal = deal_of(posterior)
        return [posterior.marginal(deal.count(p, "saboteur")).get(1, 0.0) for p in PAPER.roles]

    assert suspicion() == pytest.approx([0.0, 0.5, 0.5, 0.5, 0.5])
    blocked = suspicion(signs=(Sign(signs.BLOCKED, False, 1, 0),))
    assert blocked[1] > 0.6
    assert blocked[2] == pytest.approx(blocked[3])
    liar = suspicion(claims=(GoalClaim(2, 1, gold=False),))
    assert liar[2] > 0.98
    # What I did myself tells me nothing.
    assert suspicion(signs=(Sign(signs.BLOCKED, False, 0, 1),)) == pytest.approx(suspicion())


# -- the additive scheme


@pytest.mark.parametrize("reading", ["both", "apart"])
@pytest.mark.parametrize("factor", [1.5, 5.0])
def test_the_additive_scores_are_logs_of_the_posterior(factor: float, reading: Any) -> None:
    model = AdditiveModel(factor=factor, reading=reading)
    belief = SaboteurBelief(model=model)
    for seed in (1, 4):
        play = played(PAPER, seed, 14)
        known = belief.known(play.view(1), play.seen_by(1))
        role = known.roles[1]
        posterior = belief.posterior(known)
        worlds = role_worlds(5, 2, spare=False)
        mind = RoleMind(Scheme(factor=factor, reading=reading, depth=1), worlds, 1, role)
        for step in Following(PAPER).read(play.seen_by(1)):
            mind.take(step)
        weights = np.where(worlds[:, 1] == role, np.exp(mind.scores[0]), 0.0)
        assert mind.scores[0].any()
        shares = weights / weights.sum()
        assert mind.chances() == pytest.approx(shares, abs=1e-12)
        deal = deal_of(posterior)
        for world, share in zip(worlds, shares, strict=True):
            both = [PAPER.roles[p] for p in range(5) if world[p]]
            condition = deal.count(both[0], "saboteur").equals(1) & deal.count(
                both[1], "saboteur"
            ).equals(1)
            assert posterior.probability(condition) == pytest.approx(share, abs=1e-12)


def test_what_a_slight_and_a_strong_sign_add() -> None:
    worlds = role_worlds(5, 2, spare=False)
    first = worlds[:, 0] == SABOTEUR
    slight, strong = Sign(signs.DEAD_END, False, 0), Sign(signs.DEAD_END_ON_WAY, False, 0)
    both, apart = AdditiveModel(factor=1.5), AdditiveModel(factor=5.0, reading="apart")
    assert set(on_worlds(both.of_action(slight), worlds)[first]) == {1.0}
    assert set(on_worlds(both.of_action(slight), worlds)[~first]) == {-1.5}
    assert set(on_worlds(both.of_action(strong), worlds)[first]) == {2.0}
    assert set(on_worlds(both.of_action(strong), worlds)[~first]) == {-3.0}
    # Read apart, suspicion only takes from the worlds where they are a miner.
    assert set(on_worlds(apart.of_action(strong), worlds)[first]) == {0.0}
    assert set(on_worlds(apart.of_action(strong), worlds)[~first]) == {-10.0}
    nearer = apart.of_action(Sign(signs.NEARER, False, 0))
    assert nearer.logs.tolist() == [1.0, 0.0]


def test_words_are_checked_against_words_and_against_goals() -> None:
    said = [GoalClaim(0, 1, gold=True), GoalClaim(1, 1, gold=False), GoalClaim(2, 0, gold=True)]
    unknown = [HIDDEN] * 3
    found = [(sign.row, sign.player, sign.other) for sign in signs_of_words(said, unknown, 4)]
    assert found == [
        (signs.CONTRADICTED, 1, 0),
        (signs.CONTRADICTED, 2, 0),
    ]
    goals = [HIDDEN, 2, HIDDEN]
    checked = [sign for sign in signs_of_words(said, goals, 4) if sign.other < 0]
    assert [(s.row, s.player) for s in checked] == [(signs.SAID_FALSE, 0), (signs.SAID_TRUE, 1)]
    own = [sign for sign in signs_of_words(said, goals, 0) if sign.other < 0]
    assert [s.player for s in own] == [1]


# -- nesting


def test_every_player_believes_by_kd45_and_a_threshold_can_leave_nothing() -> None:
    belief = SaboteurBelief()
    play = played(PAPER, 3, 30)
    known = belief.known(play.view(-1), play.seen_by(-1))
    model = KripkeModel.of(Nesting(belief), known, PAPER.roles, rule=relative(0.5))
    assert len(model.worlds) == 30
    for laws in model.properties().values():
        assert all(laws[law] for law in ("serial", "transitive", "euclidean"))
    gold = belief.hidden(play.view(-1))["gold"]
    contrary = Fact(gold.equals("top")) & ~Fact(gold.equals("top"))
    assert not Believes(0, contrary).truth(model).any()


def test_an_absolute_threshold_can_leave_nothing_to_believe() -> None:
    belief = SaboteurBelief()
    play = played(PAPER, 3, 8)
    known = belief.known(play.view(-1), play.seen_by(-1))
    assert known.signs
    strict = KripkeModel.of(Nesting(belief), known, PAPER.roles, rule=absolute(0.6))
    assert not strict.properties()["player 1"]["serial"]
    gold = Fact(belief.hidden(play.view(-1))["gold"].equals("top"))
    assert Believes(0, gold & ~gold).truth(strict).any()
    assert strict.with_rule(relative(0.6)).properties()["player 1"]["serial"]


def test_nobody_can_expect_to_know_more_than_they_do() -> None:
    """The tower law, for what others did: a player does not learn from their own actions."""
    belief = SaboteurBelief()
    play = played(PAPER, 3, 30)
    known = belief.known(play.view(-1), play.seen_by(-1))
    others = known._replace(signs=tuple(sign for sign in known.signs if sign.player != 2))
    assert others.claims
    assert any(others.looked)
    mind = Nesting(belief).mind(others)
    for feature in belief.hidden(play.view(-1)).values():
        shares = mind.of(2).marginal(feature)
        assert shares == pytest.approx(mind.posterior.marginal(feature), abs=1e-12)


def test_the_papers_scores_can_leave_nothing_to_believe() -> None:
    worlds = role_worlds(5, 2, spare=False)
    mind = RoleMind(Scheme(threshold=-5.0, relative=False), worlds, 0, MINER)
    for player in (1, 2, 3):
        weight = on_worlds(mind.scheme.model.of_action(Sign(signs.AWAY, False, player)), worlds)
        mind._added += weight  # pyright: ignore[reportPrivateUsage]
    assert not mind.believed().any()
    scores = np.exp(np.where(mind.possible[0], mind.scores[0], -np.inf))
    plausibility = np.tile(scores, (1, 10, 1))
    model = KripkeModel(tuple(range(10)), ("me",), plausibility, absolute(math.exp(-5.0)))
    assert not model.properties()["me"]["serial"]
    whole = model.with_rule(relative(0.5)).properties()["me"]
    assert all(whole[law] for law in ("serial", "transitive", "euclidean"))


def test_a_threshold_below_the_best_world_always_leaves_something_to_believe() -> None:
    worlds = role_worlds(5, 2, spare=False)
    signs_seen = [Sign(signs.AWAY, False, player) for player in (1, 2, 3)]
    believed: dict[bool, list[int]] = {}
    for relative_one in (True, False):
        mind = RoleMind(Scheme(threshold=-5.0, relative=relative_one), worlds, 0, MINER)
        mind.take(RoundStep(1, tuple(signs_seen), None, (HIDDEN,) * 3, (HIDDEN,) * 3, 7))
        scores = np.where(mind.possible[0], mind.scores[0], -np.inf)
        wanted = scores >= -5.0 + relative_one * scores.max()
        assert mind.believed().tolist() == wanted.tolist()
        believed[relative_one] = [int(mind.believed(who).sum()) for who in (None, 2, 3, 4)]
        # The best world, of those that are possible, is one of them.
        assert bool(mind.believed()[scores.argmax()]) == relative_one
    assert min(believed[True]) > 0
    assert believed[False][0] == 0


def test_a_step_scales_scores_and_what_is_taken_over_from_others() -> None:
    worlds = role_worlds(5, 2, spare=False)
    schemes = [Scheme(step=step, threshold=-5.0 * step, factor=1.5) for step in (1.0, 2.0)]
    minds = [RoleMind(scheme, worlds, 0, MINER) for scheme in schemes]
    nowhere = (HIDDEN,) * 3
    for mind in minds:
        for mover, row in ((1, signs.NEARER), (2, signs.AWAY), (0, signs.NEARER)):
            sign = Sign(row, False, mover)
            mind.take(RoundStep(mover, (sign,), None, nowhere, nowhere, 7))
    one, two = (mind.scores[0] for mind in minds)
    assert any(one % 0.5)  # the trusted player's worlds have moved by a fifth of a step
    assert two == pytest.approx(2.0 * one)


def test_what_another_player_would_know() -> None:
    belief = SaboteurBelief()
    play = played(PAPER, 3, 30)
    known = belief.known(play.view(0), play.seen_by(0))
    truth = play.truth()[0]
    saboteurs = [player for player in range(5) if truth.roles[player]]
    gold = truth.goals.tolist().index(0)
    world = [*saboteurs, *(p for p in range(5) if p not in saboteurs), gold]
    for viewer in range(5):
        theirs = belief.known(play.view(viewer), play.seen_by(viewer))
        assert belief.supposed(known, world, viewer, np.random.default_rng(0)) == theirs


# -- the minds of the paper


def test_a_saboteur_begins_with_six_worlds_of_every_other_agent() -> None:
    worlds = role_worlds(5, 2, spare=False)
    mind = RoleMind(Scheme(), worlds, 0, SABOTEUR)
    assert mind.believed().sum() == 4
    for other in range(1, 5):
        believed = mind.believed(other)
        assert believed.sum() == 6
        assert worlds[believed][:, 0].sum() == 3
    assert RoleMind(Scheme(), worlds, 0, MINER).believed(1).sum() == 10


def test_who_is_trusted_and_who_is_exposed() -> None:
    worlds = role_worlds(5, 2, spare=False)
    believed = np.zeros(10, dtype=bool)
    # The saboteurs are players 3 and 4, or 2 and 4, or 2 and 3.
    believed[[place for place, world in enumerate(worlds) if not world[:2].any()]] = True
    suspicion = np.array([0.0, 0.1, 0.6, 0.6, 0.7])
    assert most_trusted(believed, suspicion, worlds, 0) == 1
    assert most_trusted(np.zeros(10, dtype=bool), suspicion, worlds, 0) is None
    only = np.array([world.tolist() == [1, 0, 0, 0, 1] for world in worlds])
    nothing = np.zeros(10, dtype=bool)
    everything = np.ones(10, dtype=bool)
    assert is_exposed(np.array([only, only, everything, everything]), worlds, 0)
    assert is_exposed(np.array([only, nothing, everything, everything]), worlds, 0)
    assert not is_exposed(np.array([only, everything, everything, everything]), worlds, 0)


def test_pooling_lies_between_both_and_does_nothing_by_itself() -> None:
    own, other = np.array([0.9, 0.1]), np.array([0.2, 0.8])
    assert pooled(own, other, 0.0) == pytest.approx(own)
    assert pooled(own, other, 1.0) == pytest.approx(other)
    half = pooled(own, other, 0.5)
    assert half[0] / half[1] == pytest.approx(math.sqrt(9.0 * 0.25))


def test_the_gold_is_where_miners_say() -> None:
    claims = [GoalClaim(1, 0, gold=True), GoalClaim(2, 2, gold=True)]
    even = gold_chances(claims, [HIDDEN] * 3, np.full(5, 0.4), 0)
    assert even[0] == pytest.approx(even[2])
    trusted = gold_chances(claims, [HIDDEN] * 3, np.array([0.0, 0.05, 0.9, 0.5, 0.5]), 0)
    assert trusted[0] > 0.9
    assert gold_chances(claims, [HIDDEN, 0, HIDDEN], np.zeros(5), 0).tolist() == [0.0, 1.0, 0.0]
    assert gold_chances([], [1, HIDDEN, HIDDEN], np.zeros(5), 0).tolist() == [0.0, 0.5, 0.5]


def test_an_unknown_likelihood_is_refused() -> None:
    with pytest.raises(SettingsError, match="no such likelihood"):
        SaboteurBelief("tables")
    assert isinstance(SaboteurBelief().model, TableModel)
