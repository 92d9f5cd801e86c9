"""The rules of Saboteur as kernels; what they mean is in `docs/saboteur/index.md`."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..game import HIDDEN, OVER, SPECTATOR
from ..kernels.cards import give, lay_out, next_card, set_all, shuffle, take
from ..kernels.kernel import kernel
from ..kernels.randomness import below, mix
from .mine import flood, placements, turn_up_goals
from .pay import pay
from .state import (
    ACTIONS,
    BREAK,
    BREAKS,
    CARDS,
    DIG,
    DISCARD,
    FACE_DOWN,
    GOALS,
    GOLD,
    KINDS,
    LOOK,
    MAP,
    MINERS_WIN,
    MOST_HAND,
    MOST_PLAYERS,
    NO_CARD,
    PASSES,
    PATHS,
    REPAIR,
    REPAIRS,
    ROCKFALL,
    SABOTEURS_WIN,
    SAY,
    SAY_NOTHING,
    START,
    card_of,
    repair_code,
    target_of,
    tool_of,
)

#: An observation is what was seen of the action, and this times what can be seen now: which goals,
#: two bits each; this times what a round that just ended has shown; and this
#: times a number that stands for the own hand and, after a round, for what was won.
SEEN: Final = ACTIONS
GOALS_SEEN: Final = 64
ENDS_SEEN: Final = 4_096
HASH_BITS: Final = 28


# -- cards


@kernel(allocates=False, inline="late")
def drawable(state: Any, tables: Any) -> int:
    """The number of cards that can still be drawn."""
    return state.left - (CARDS - tables.rules[0].turns)


@kernel(allocates=False)
def draw(state: Any, player: int, tables: Any) -> None:
    """A player draws the next card of the deck, if there is one."""
    if drawable(state, tables) > 0:
        take(state.hands[player], next_card(state))


@kernel(allocates=False, inline="late")
def sees_goal(state: Any, viewer: int, goal: int, tables: Any) -> bool:
    """True if a viewer knows which card a goal is."""
    if state.player == OVER or state.board[tables.rules[0].goals[goal]] != FACE_DOWN:
        return True
    return viewer != SPECTATOR and state.looked[viewer] >> goal & 1 == 1


# -- a round


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    for kind in range(3):
        state.gold_left[kind] = tables.rules[0].gold[kind]
    state.last = -1
    state.player = 0
    deal(state, tables, random)


@kernel
def deal(state: Any, tables: Any, random: Any) -> None:
    """A new round, which the player to move begins."""
    rules = tables.rules[0]
    state.turn = 0
    state.starter = state.player
    state.saying = 0
    state.passed = 0
    set_all(state.board, 0)
    state.board[rules.start] = 1 + 2 * START
    for goal in range(GOALS):
        state.board[rules.goals[goal]] = FACE_DOWN
        state.goals[goal] = goal
    shuffle(state.goals, GOALS, random)
    flood(state, tables)
    for card in range(rules.role_cards):
        state.roles[card] = 1 if card < rules.saboteurs else 0
    shuffle(state.roles, rules.role_cards, random)
    set_all(state.looked, 0)
    set_all(state.broken, 0)
    set_all(state.used, 0)
    set_all(state.thrown, NO_CARD)
    state.left = lay_out(rules.counts, state.deck)
    shuffle(state.deck, state.left, random)
    for player in range(MOST_PLAYERS):
        set_all(state.claims[player], 0)
        set_all(state.hands[player], NO_CARD)
        for _ in range(rules.hand if player < rules.players else 0):
            draw(state, player, tables)


# -- actions


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    if state.saying > 0:
        for word in range(SAY_NOTHING - SAY + 1):
            actions[word] = SAY + word
        return SAY_NOTHING - SAY + 1
    hand = state.hands[state.player]
    kinds = np.empty(MOST_HAND, dtype=np.int32)
    different = 0
    passages = 0
    for slot in range(MOST_HAND):
        if hand[slot] == NO_CARD or (slot > 0 and hand[slot] == hand[slot - 1]):
            continue
        kinds[different] = hand[slot]
        different += 1
        if hand[slot] < PATHS:
            passages += 1
    count = 0
    if state.broken[state.player] == 0:
        count = placements(state, kinds, passages, tables, actions)
    for place in range(different):
        if kinds[place] >= PATHS:
            count = uses(state, kinds[place], tables, actions, count)
    for place in range(different):
        actions[count] = DISCARD + kinds[place]
        count += 1
    return count


@kernel(allocates=False)
def uses(state: Any, kind: int, tables: Any, actions: Any, count: int) -> int:
    """Write what can be done with an action card after ``count`` other actions; how many then."""
    rules = tables.rules[0]
    if kind == MAP:
        for goal in range(GOALS):
            if state.board[rules.goals[goal]] == FACE_DOWN:
                actions[count] = LOOK + goal
                count += 1
    elif kind == ROCKFALL:
        for cell in range(rules.cells):
            if 0 < state.board[cell] < 1 + 2 * START:
                actions[count] = DIG + cell
                count += 1
    else:
        for player in range(rules.players):
            for tool in range(3):
                if rules.mends[kind] >> tool & 1 == 0:
                    continue
                whole = state.broken[player] >> tool & 1 == 0
                if kind < REPAIRS and whole and player != state.player:
                    actions[count] = BREAK + (kind - BREAKS) * MOST_PLAYERS + player
                    count += 1
                elif kind >= REPAIRS and not whole:
                    actions[count] = repair_code(kind, tool, player)
                    count += 1
    return count


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    gold = False
    kind = card_of(action)
    if kind != NO_CARD:
        give(state.hands[state.player], kind)
    if DISCARD <= action < BREAK:
        state.thrown[state.turn] = kind
        state.passed += 1 if drawable(state, tables) == 0 else 0
    else:
        if kind != NO_CARD:
            state.used[kind] += 1
        state.passed = 0
        gold = act_openly(state, action, tables)
    if state.saying == 0:
        end_turn(state, gold, tables, random)


@kernel
def act_openly(state: Any, action: int, tables: Any) -> bool:
    """Applies words, or a card that is played openly; returns True if it reaches the gold."""
    if action < DISCARD:
        state.board[action // (2 * PATHS)] = 1 + action % (2 * PATHS)
        return turn_up_goals(state, tables)
    if action < REPAIR:
        state.broken[target_of(action)] |= 1 << tool_of(action)
    elif action < DIG:
        state.broken[target_of(action)] &= ~(1 << tool_of(action))
    elif action < LOOK:
        state.board[action - DIG] = 0
        flood(state, tables)
    elif action < SAY:
        state.looked[state.player] |= 1 << (action - LOOK)
        if tables.rules[0].claims == 1:
            state.saying = action - LOOK + 1
    else:
        state.claims[state.player, state.saying - 1] = (action - SAY + 1) % 3
        state.saying = 0
    return False


@kernel
def end_turn(state: Any, gold: bool, tables: Any, random: Any) -> None:
    """The mover draws, and the next player's turn begins, if the round goes on."""
    rules = tables.rules[0]
    mover = state.player
    draw(state, mover, tables)
    state.turn += 1
    state.player = (mover + 1) % rules.players
    passed = rules.ends == PASSES and state.passed >= rules.players
    if not gold and state.turn < rules.turns and not passed:
        return
    state.winner = MINERS_WIN if gold else SABOTEURS_WIN
    state.last = 0
    for player in range(rules.players):
        state.last |= state.roles[player] << player
    pay(state, mover, tables, random)
    state.rounds_played += 1
    if state.rounds_played == rules.rounds:
        state.player = OVER
    else:
        deal(state, tables, random)


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    for player in range(tables.rules[0].players):
        values[player] = state.won[player]


# -- what a viewer sees


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    # The last action ended a round, and everybody learns who won it, and its saboteurs.
    ended = state.player == OVER or (state.turn == 0 and state.saying == 0)
    shown = (state.winner << MOST_PLAYERS | state.last) if ended else 0
    # What others discard lies face down.
    seen = DISCARD if DISCARD <= action < BREAK and viewer != mover else action
    goals = 0
    for goal in range(GOALS):
        if sees_goal(state, viewer, goal, tables):
            goals |= (1 + state.goals[goal]) << 2 * goal
    key = np.uint64(0)
    if viewer != SPECTATOR and (viewer == mover or ended):
        for slot in range(MOST_HAND):
            key = mix(key, state.hands[viewer, slot])
    if ended:
        for player in range(tables.rules[0].players):
            key = mix(key, state.won[player])
        if viewer != SPECTATOR:
            key = mix(key, state.roles[viewer])
    number = np.int64(key >> np.uint64(64 - HASH_BITS))
    return seen + SEEN * (goals + GOALS_SEEN * (shown + ENDS_SEEN * number))


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    for card in range(tables.rules[0].role_cards):
        if card != viewer and state.player != OVER:
            state.roles[card] = HIDDEN
    for goal in range(GOALS):
        if not sees_goal(state, viewer, goal, tables):
            state.goals[goal] = HIDDEN
    for player in range(MOST_PLAYERS):
        for slot in range(MOST_HAND):
            if player != viewer and state.hands[player, slot] != NO_CARD:
                state.hands[player, slot] = HIDDEN
    for place in range(state.left):
        state.deck[place] = HIDDEN
    for turn in range(state.turn):
        # Everybody plays one card in turn, as long as there are any.
        own = (state.starter + turn) % tables.rules[0].players == viewer
        if state.thrown[turn] != NO_CARD and not own:
            state.thrown[turn] = HIDDEN


# -- what a viewer imagines


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    """Columns: the holder of each role card, saboteurs first; then which goal the gold is."""
    rules = tables.rules[0]
    for card in range(rules.role_cards):
        if state.roles[world[card]] == HIDDEN:
            state.roles[world[card]] = 1 if card < rules.saboteurs else 0
    fill_goals(state, world[rules.role_cards], random)
    unseen = np.empty(CARDS, dtype=np.int32)
    count = unseen_cards(state, tables, unseen)
    shuffle(unseen, count, random)
    for place in range(state.left):
        count -= 1
        state.deck[place] = unseen[count]
    for turn in range(state.turn):
        if state.thrown[turn] == HIDDEN:
            count -= 1
            state.thrown[turn] = unseen[count]
    for player in range(rules.players):
        hidden = 0
        for slot in range(MOST_HAND):
            if state.hands[player, slot] == HIDDEN:
                hidden += 1
                state.hands[player, slot] = NO_CARD
        for _ in range(hidden):
            count -= 1
            take(state.hands[player], unseen[count])


@kernel(allocates=False)
def fill_goals(state: Any, gold: int, random: Any) -> None:
    """The gold lies where the world says, and the stones that were not seen lie anyhow."""
    seen = 0
    for goal in range(GOALS):
        if state.goals[goal] == HIDDEN and goal == gold:
            state.goals[goal] = GOLD
        if state.goals[goal] != HIDDEN:
            seen |= 1 << state.goals[goal]
    for goal in range(GOALS):
        if state.goals[goal] != HIDDEN:
            continue
        stone = 1 + below(random, 2)
        if seen >> stone & 1 == 1:
            stone = 3 - stone
        state.goals[goal] = stone
        seen |= 1 << stone


@kernel
def unseen_cards(state: Any, tables: Any, unseen: Any) -> int:
    """Write the cards that a viewer has not seen of a masked state; how many there are."""
    rules = tables.rules[0]
    left = np.empty(KINDS, dtype=np.int32)
    for kind in range(KINDS):
        left[kind] = rules.counts[kind] - state.used[kind]
    for player in range(rules.players):
        for slot in range(MOST_HAND):
            if state.hands[player, slot] >= 0:
                left[state.hands[player, slot]] -= 1
    for turn in range(state.turn):
        if state.thrown[turn] >= 0:
            left[state.thrown[turn]] -= 1
    return lay_out(left, unseen)
