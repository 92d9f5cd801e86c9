"""The Resistance: who goes, how missions fail, and what votes and sabotages say of roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play, SleuthError, belief, game

from .plain_worlds import PlainWorld, plain_worlds, shares

pytestmark = pytest.mark.usefixtures("plain_python")

#: The spies among so many players.
SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}

SMALL: tuple[dict[str, int], ...] = ({},)
#: Of short plays: one that the spies win, and one that the loyal win though a mission fails.
SEED = 23


def keeps(play: Play) -> None:
    """There are as many spies as there should be, and the numbers of missions are in bounds."""
    state, players = play.truth()[0], play.game.players
    assert state.spy.sum() == SPIES[players]
    assert 0 <= state.lost <= min(3, state.mission) <= 5
    assert state.rejected <= 5
    assert all(state.said[player] < 0 or play.player > player for player in range(players))
    assert state.stage != 2 or state.team >> play.player & 1
    if play.over:
        won = 3 in (state.lost, state.mission - state.lost) or state.rejected == 5
        assert won
        assert state.spies_win == (state.lost == 3 or state.rejected == 5)
        assert (play.returns() == np.where(state.spy == state.spies_win, 1, -1)).all()


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """The spies anywhere, and anybody as the first leader."""
    players = made.players
    for each in combinations(range(players), SPIES[players]):
        for leader in range(players):
            states = made.initial(0)
            states[0].spy[:] = [player in each for player in range(players)]
            states[0].leader = states[0].player = leader
            yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    roles = world.state.spy.tolist()
    return {f"role of p{1 + who}": ("loyal", "spy")[spy] for who, spy in enumerate(roles)}


def choosing(state: Any, actions: Sequence[int]) -> Sequence[float]:
    """As the belief says that people vote and sabotage; anybody may go."""
    spy = int(state.spy[state.player])
    if state.stage == 1:
        infected = any(state.team >> who & 1 for who in np.flatnonzero(state.spy).tolist())
        against = (0.7, 0.2)[infected] if spy else 0.4
        return 1 - against, against
    if state.stage == 2:
        return (0.2, 0.8) if spy else (1.0,)
    return [1 / len(actions)] * len(actions)


def by_name(play: Play, name: str) -> None:
    play.apply(next(code for code in play.legal() if play.game.action_name(code) == name))


def after_a_mission(sabotages: int) -> Play:
    """A play in which p1 and p2 are spies and were the first to go."""
    made = game("the_resistance")
    play = Play.new(made, seed=1)
    states = play.truth()
    states[0].spy[:] = [1, 1, 0, 0, 0]
    play = play.supposing(states)
    by_name(play, "send p1 p2")
    for _ in range(5):
        by_name(play, "approve")
    for each in range(2):
        by_name(play, "sabotage" if each < sabotages else "support")
    return play


def test_one_sabotage_lets_a_mission_fail_and_the_number_is_told_to_all() -> None:
    assert after_a_mission(0).truth()[0].lost == 0
    play = after_a_mission(1)
    assert play.truth()[0].lost == 1
    told = play.seen_by(4).events[-1].event.observation // (1 << 11)
    assert told == 1 + 1


def test_votes_and_missions_say_as_much_as_they_do_in_all_worlds() -> None:
    rng, made = np.random.default_rng(3), game("the_resistance")
    play = Play.new(made, seed=3)
    while play.truth()[0].mission < 2 and not play.over:
        legal = play.legal()
        weights = np.asarray(choosing(play.truth()[0], legal.tolist()))
        play.apply(int(rng.choice(legal, p=weights)))
    for viewer in range(5):
        if not play.truth()[0].spy[viewer]:
            known = belief(made).infer(play.view(viewer), play.seen_by(viewer))
            right = shares(plain_worlds(play, viewer, starts(made), choosing), values)
            for name, feature in belief(made).hidden(play.view(viewer)).items():
                assert known.marginal(feature) == pytest.approx(right[name])


@pytest.mark.parametrize("players", range(5, 11))
def test_a_third_are_spies(players: int) -> None:
    assert game("the_resistance", players=players).initial(0)[0].spy.sum() == SPIES[players]


def test_two_sabotages_give_two_spies_away() -> None:
    play = after_a_mission(2)
    known = belief(play.game).infer(play.view(4), play.seen_by(4))
    hidden = belief(play.game).hidden(play.view(4))
    spies = [known.marginal(hidden[f"role of p{who}"]).get("spy", 0) for who in (1, 2, 3)]
    assert spies == pytest.approx([1, 1, 0])


def test_spies_see_all_roles_and_others_their_own() -> None:
    play = after_a_mission(0)
    assert play.view(0).states[0].spy.tolist() == [1, 1, 0, 0, 0]
    assert (play.view(2).states[0].spy >= 0).tolist() == [False, False, True, False, False]
    assert not belief(play.game).hidden(play.view(0))


def test_after_five_rejected_teams_the_spies_win() -> None:
    play = Play.new(game("the_resistance", players=7), seed=1)
    for _ in range(5):
        play.apply(int(play.legal()[0]))
        for _ in range(7):
            by_name(play, "reject")
    assert play.over
    assert (play.returns() == np.where(play.truth()[0].spy == 1, 1, -1)).all()


def test_more_than_ten_are_refused() -> None:
    with pytest.raises(SleuthError, match="is out of range"):
        game("the_resistance", players=11)
