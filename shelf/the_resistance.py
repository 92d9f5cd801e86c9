"""The Resistance: which of us are the spies that let our missions fail?

Rules: the card game by Don Eskridge (2009) without plot cards. Votes are secret, one after the
other, and then all shown; of a mission only the number of sabotages is told.
"""

from __future__ import annotations

from collections import namedtuple
from math import comb, prod
from typing import Any, Final, Self

import numpy as np

import sleuth
from sleuth import HIDDEN, OVER, Deal, Feature, Game, Posterior, below, kernel, kit, uniform
from sleuth.answers import Column, Paragraph, Sheet, Statements
from sleuth.kit import SeenPlay, Sight, StateField, View, set_all

TEAMS: Final = ((2, 3, 2, 3, 3), (2, 3, 4, 3, 4), (2, 3, 3, 4, 4), *[(3, 4, 4, 5, 5)] * 3)
TOLD, ENDED = 1 << 11, 1 << 22  # in an observation, times what was told, and the spies in the end

# Teams and spies are bits of players; a third are spies, rounded up. Actions are teams, approve,
# reject, support, sabotage: 0 or 1 in `said`. The stages: 0, a team is sought, 1, vote, 2, it goes.
Sizes = namedtuple("Sizes", "players teams")  # pyright: ignore


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    spies = (tables.players + 2) // 3
    for player in range(tables.players):
        state.spy[player] = below(random, tables.players - player) < spies
        spies -= state.spy[player]
    state.leader = state.player = below(random, tables.players)
    set_all(state.said, -1)


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    teams, count = 1 << tables.players, 0
    if state.stage > 0:
        actions[0] = teams + 2 * (state.stage == 2)
        actions[1] = actions[0] + 1
        return 2 if state.stage == 1 or state.spy[state.player] == 1 else 1
    for team in range(teams):
        size = 0
        for player in range(tables.players):
            size += team >> player & 1
        if size == tables.teams[state.mission]:
            actions[count] = team
            count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.told = 0
    if state.stage == 0:
        state.team, state.stage, state.player = action, 1, 0
        return
    state.said[state.player] = action & 1
    state.player += 1
    while state.stage == 2 and state.player < tables.players and not state.team >> state.player & 1:
        state.player += 1
    if state.player < tables.players:
        return
    against, who = 0, 0
    for player in range(tables.players):
        against += state.said[player] == 1
        who += (state.said[player] == 1) << player
    set_all(state.said, -1)
    state.told = 1 + (who if state.stage == 1 else against)
    if state.stage == 1 and 2 * against < tables.players:
        state.stage, state.rejected, state.player = 2, 0, 0
        while not state.team >> state.player & 1:
            state.player += 1
        return
    failed = state.stage == 2 and against > (state.mission == 3 and tables.players > 6)
    for player in range(tables.players):
        state.doubts[player] += failed and state.team >> player & 1
    state.lost += failed
    state.rejected += state.stage == 1
    state.mission += state.stage == 2
    state.stage, state.leader = 0, (state.leader + 1) % tables.players
    state.spies_win = state.lost == 3 or state.rejected == 5
    state.player = OVER if state.spies_win or state.mission - state.lost == 3 else state.leader


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    secret = action >= 1 << tables.players and viewer != mover
    seen = action - (action & 1) * secret + TOLD * state.told
    for player in range(tables.players if state.player == OVER else 0):
        seen += ENDED * state.spy[player] << player
    return seen


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.players):
        values[player] = 1 if state.spy[player] == state.spies_win else -1


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    for player in range(tables.players):
        if player != viewer and state.said[player] >= 0:
            state.said[player] = HIDDEN
        if player != viewer and state.player != OVER and (viewer < 0 or state.spy[viewer] != 1):
            state.spy[player] = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    for card in range(tables.players):
        state.spy[world[card]] = card >= tables.players - (tables.players + 2) // 3
    for player in range(tables.players):
        if state.said[player] == HIDDEN:
            state.said[player] = below(random, 2) * (state.stage == 1 or state.spy[player] == 1)


@kernel
def sensible(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    best, choice, me = -np.inf, 0, state.player
    for place in range(count):
        worth, doubts, spies = uniform(random), 0, 0
        for player in range(tables.players):
            if (actions[place] if state.stage == 0 else state.team) >> player & 1:
                doubts += state.doubts[player] * (player != me)
                spies += state.spy[player]
        bad = spies == 0 if state.spy[me] == 1 else doubts > 0 and state.rejected < 4
        worth += (
            -1.0 * bad if state.stage == 0 else (actions[place] & 1) == (bad or state.stage == 2)
        )
        if worth > best:
            best, choice = worth, place
    return choice


def members(players: int, team: int) -> str:
    return " ".join(f"p{1 + player}" for player in range(players) if team >> player & 1) or "nobody"


def cards(players: int) -> Deal:
    holders, spies = members(players, (1 << players) - 1).split(), (players + 2) // 3
    return Deal({"loyal": players - spies, "spy": spies}, holders=dict.fromkeys(holders, 1))


class ResistanceBelief(sleuth.CachedBelief[Any]):
    """A spy sabotages often, and rejects a team without spies more often than one with some."""

    sabotage = 0.8  # how often a spy on a mission sabotages it
    rejects = ((0.4, 0.4), (0.7, 0.2))  # by the loyal and by spies: a team without, and with spies

    def indifferent(self) -> Self:
        other = type(self)()
        other.sabotage, other.rejects = 0.5, ((0.5, 0.5), (0.5, 0.5))
        return other

    def known(self, view: View, seen: SeenPlay) -> Any:
        players, told, team = view.game.players, list[Any](), 0
        for event in (each.event.observation for each in seen.events):
            said, code = divmod(event % ENDED, TOLD)
            team = code if code < 1 << players else team
            told += [(code >> 1 & 1, team, said - 1)] if said else []
        others, spies = self.hidden(view), enumerate(view.states[0].spy.tolist())
        own = [(who, spy) for who, spy in spies if f"role of p{1 + who}" not in others]
        return players, tuple(own), tuple(told)

    def posterior(self, known: Any) -> Posterior:
        players, own, told = known
        deal, sides = cards(players), ("loyal", "spy")
        given: list[Any] = [deal.item_of(f"p{1 + who}").equals(sides[spy]) for who, spy in own]
        roles = sleuth.together(*map(deal.item_of, deal.holders))
        for went, team, said in told:
            chances = {each: self.chance(each, went, team, said) for each in roles.values}
            why = f"{'sabotages by' if went else 'the vote on'} {members(players, team)}"
            given.append(roles.weigh(chances, exact=True, because=why))
        return sleuth.infer(sleuth.Model(deal), given)

    def chance(self, roles: tuple[str, ...], went: int, team: int, said: int) -> float:
        spies = sum(role == "spy" for who, role in enumerate(roles) if team >> who & 1)
        if went:
            return comb(spies, said) * self.sabotage**said * (1 - self.sabotage) ** (spies - said)
        against = [self.rejects[role == "spy"][spies > 0] for role in roles]
        return prod(each if said >> who & 1 else 1 - each for who, each in enumerate(against))

    def hidden(self, view: View) -> dict[str, Feature]:
        me, deal = view.viewer, cards(view.game.players)
        everything = view.over or (me >= 0 and view.states[0].spy[me] == 1)
        others = [name for who, name in enumerate(deal.holders) if who != me and not everything]
        return {f"role of {name}": deal.item_of(name) for name in others}


def action_name(players: int, action: int) -> str:
    if action < 1 << players:
        return f"send {members(players, action)}"
    return ("approve", "reject", "support", "sabotage")[action - (1 << players)]


class ResistanceWords(kit.Display):
    """All players as a table, and votes and sabotages as they are shown."""

    title = "The Resistance"
    rules = (
        "Only the spies know each other. In turn, players propose a team for a mission; it goes if "
        "more than half approve. Spies on it may sabotage it: once lets it fail, with more than "
        "six players twice the fourth. Three missions decide, or five rejected teams for the spies."
    )
    writing = "A move is 'send p1 p3', 'approve', 'reject', 'support' or 'sabotage'."

    def situation(self, sight: Sight) -> Statements:
        state, roles = sight.state, {0: "loyal", 1: "spy", HIDDEN: "?"}
        names = [self.name_of(player, sight) for player in range(self.game.players)]
        known = zip(names, state.spy.tolist(), state.doubts.tolist(), strict=True)
        rows = tuple((name, roles[spy], str(doubts)) for name, spy, doubts in known)
        team = members(len(names), state.team if state.stage > 0 else 0)
        won = f"Won: {state.mission - state.lost}, failed: {state.lost}, rejected: {state.rejected}"
        columns = (Column("player"), Column("role"), Column("on missions that failed"))
        won += f"\nLeader: {names[state.leader]}; team: {team}"
        return [Paragraph(won), Sheet(columns, rows)]

    def sentence(self, sight: Sight, place: int) -> str:
        event, players = sight.seen.events[place].event, self.game.players
        told, code = divmod(event.observation % ENDED, TOLD)
        went, secret = code >> 1 & 1, code >= 1 << players and event.action is None
        said = ("votes", "goes")[went] if secret else action_name(players, code)
        if told:
            said += f"; sabotages: {told - 1}" if went else f"; noes: {members(players, told - 1)}"
        return f"{self.name_of(event.mover, sight)}: {said}"


def the_resistance(players: int = 5) -> Game:
    """The game of 5 to 10 players: 1 for the side that wins, -1 for the other.

    Args:
        players: 5 to 10.
    """
    kit.whole_number(players, "players", least=5, most=10)
    teams, roles = TEAMS[players - 5], members(players, (1 << players) - 1).split()
    state = kit.numbers("player", "leader", "mission", "stage", "team", "rejected", "lost", "told")
    state += kit.numbers("spies_win") + kit.numbers("spy", "said", "doubts", shape=(players,))
    return Game(
        name="the_resistance", version=1, roles=tuple(roles), state=np.dtype(state), lowest=-1,
        highest=1, tables=Sizes(players, np.array(teams)), columns=players, start=start,
        action_space=(1 << players) + 4, max_actions=max(comb(players, size) for size in teams),
        max_depth=25 * (players + 1) + sum(teams), legal=legal, apply=apply, observe=observe,
        returns=returns, mask=mask, fill=fill, policy=sensible, settings={"players": players},
        action_name=lambda code: action_name(players, code), secret_sides=("resistance", "spies"),
        sides_dealt=lambda states: states[0].spy.tolist(),
        fields={
            "leader": StateField("the player that chooses the team", 0, players - 1),
            "mission": StateField("missions that are over", 0, 5),
            "stage": StateField("0 a team is sought, 1 it is voted on, 2 it goes", 0, 2),
            "team": StateField("the team, as bits of players", 0, 2**players - 1),
            "rejected": StateField("teams rejected in a row", 0, 5),
            "lost": StateField("missions that failed", 0, 3),
            "told": StateField("0, or 1 + who was against, as bits, or sabotages", 0, 2**players),
            "spies_win": StateField("1 if the spies have won", 0, 1),
            "spy": StateField("1 for spies", 0, 1),
            "said": StateField("now against a team, or sabotages: 1, else 0; -1 before", -1, 1),
            "doubts": StateField("failed missions that each player was on", 0, 3),
        },
    )  # fmt: skip


GAME = sleuth.GameEntry("the_resistance", the_resistance, ResistanceBelief, display=ResistanceWords)
