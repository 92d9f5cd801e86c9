"""Games from the deal on that a viewer may have seen: where a search begins that starts there.

What a belief says is hidden now. A belief of a game in which that changes on the way leads its
worlds back itself (`contract.Retracing`). In many games it does not: cards stay where they were
dealt, and everybody sees every action. Then a world of now, written into the start as the viewer
saw it, is the deal. Whether a game is of this kind is found out by playing it again. In any other
game deals are drawn, and all is followed that may have been done since (`drawn_histories`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ...data.errors import SleuthError
from ...models.game import Game, States, legal_actions, mover_of
from ...models.kernels.randomness import generator
from ...models.play import Play, SeenPlay, View, start_as_seen
from ..posterior import Posterior
from .contract import GameBelief, Histories, Retracing
from .drawn_histories import drawn_histories, hides_actions

#: So many different deals are played again, to see that they lead to what the viewer knows.
TRIED: Final = 64
#: Actions of the game that `draws_games` plays at random.
_PLAYED: Final = 3


def histories(
    belief: GameBelief,
    posterior: Posterior | None,
    view: View,
    seen: SeenPlay,
    count: int,
    rng: np.random.Generator,
    *,
    drawn: bool = True,
    patient: bool = True,
) -> Histories | None:
    """``count`` games from the deal on that the viewer may have seen, as the posterior says.

    Args:
        belief: The game's.
        posterior: What it infers at this moment; None to infer it where it is needed.
        view: The state as the viewer knows it.
        seen: All they have seen, of the same moment and viewer.
        count: How many games.
        rng: Where they come from.
        drawn: Whether games are drawn where the viewer cannot tell which actions were taken, or
            something that is hidden has changed since the deal. If not, there are none in that
            case.
        patient: Whether more games are followed where too few of those that are drawn fit.

    Returns:
        The games; None where dice were thrown, or too few of the games that are drawn fit.
    """
    if isinstance(belief, Retracing):
        return belief.histories(posterior or belief.infer(view, seen), view, seen, count, rng)
    if view.game.has_dice:
        return None
    own = int(rng.integers(2**63))
    if not hides_actions(belief, view, seen, own):
        posterior = posterior or belief.infer(view, seen)
        found = _by_worlds_of_now(belief, posterior, view, seen, count, own, rng)
        if found is not None:
            return found
    if not drawn:
        return None
    random = np.random.default_rng(own)
    return drawn_histories(belief, view, seen, count, random, patient=patient)


def draws_games(belief: GameBelief | None, game: Game) -> bool:
    """True if `histories` draws games, as one game shows that is played at random.

    Drawing has a kernel of its own, which `drawn_histories.warm_histories` compiles.
    """
    if belief is None or game.has_dice or isinstance(belief, Retracing):
        return False
    play, rng = Play.new(game, seed=0), np.random.default_rng(0)
    for _ in range(min(_PLAYED, game.max_depth)):
        if play.over:
            break
        play.apply(int(rng.choice(play.legal())))
    if play.over:
        return False
    view, seen = play.view(play.player), play.seen_by(play.player)
    try:
        if hides_actions(belief, view, seen, 0):
            return True
        posterior = belief.infer(view, seen)
        return _by_worlds_of_now(belief, posterior, view, seen, 1, 0, rng) is None
    except SleuthError:
        return False


def _by_worlds_of_now(
    belief: GameBelief,
    posterior: Posterior,
    view: View,
    seen: SeenPlay,
    count: int,
    seed: int,
    rng: np.random.Generator,
) -> Histories | None:
    """The games where the viewer saw all actions, and what is hidden is as it was dealt."""
    game = view.game
    begun = start_as_seen(game, seen)
    starts = game.states(count)
    random = generator(seed)
    for place, row in enumerate(belief.worlds(posterior, count, rng)):
        starts[place] = begun[0]
        game.fill(starts[place], row, game.tables, random)
    actions = _actions(game, starts[:1], view.viewer, seen)
    if actions is None:
        return None
    different = {starts[place].tobytes(): place for place in range(count)}
    for place in [*different.values()][:TRIED]:
        if not _leads_to(game, starts[place : place + 1], actions, view, seen):
            return None
    codes = np.tile(np.array(actions, dtype=np.int64), (count, 1))
    return Histories(starts, codes, codes)


def _actions(game: Game, starts: States, viewer: int, seen: SeenPlay) -> list[int] | None:
    """The actions of a game that began so, if a viewer can say by what they saw."""
    states, found, random = starts.copy(), list[int](), generator(0)
    for each in seen.events:
        mover = mover_of(states)
        fitting: list[tuple[int, States]] = []
        for code in legal_actions(game, states).tolist() if mover == each.event.mover else ():
            if each.event.action in (None, code):
                after = states.copy()
                game.apply(after[0], code, game.tables, random)
                if game.observe(after[0], code, mover, viewer, game.tables) == (
                    each.event.observation
                ):
                    fitting.append((code, after))
        if len(fitting) != 1:
            return None
        (code, states) = fitting[0]
        found.append(code)
    return found


def _leads_to(game: Game, starts: States, actions: list[int], view: View, seen: SeenPlay) -> bool:
    """True if a deal and these actions lead to what the viewer knows, by way of what they saw."""
    states, random = starts.copy(), generator(0)
    for code, each in zip(actions, seen.events, strict=True):
        mover = mover_of(states)
        if mover != each.event.mover or code not in legal_actions(game, states):
            return False
        game.apply(states[0], code, game.tables, random)
        observed = game.observe(states[0], code, mover, view.viewer, game.tables)
        if observed != each.event.observation:
            return False
    return game.masked(states, view.viewer).tobytes() == view.states.tobytes()
