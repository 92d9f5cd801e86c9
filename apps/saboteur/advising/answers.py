"""Answers to a player at the table: who is likely what, where the gold is, and what to play."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ....beliefs.posterior import entropy_bits
from ....data.errors import RecordError
from ....models.game import HIDDEN
from ....models.saboteur.record.events import RoundEnd
from ....models.saboteur.record.played import MOST_GOLD_CARDS
from ....models.saboteur.rules import drawable
from ....models.saboteur.signs import parts_of
from ....models.saboteur.state import DISCARD, GOLD, MINERS_WIN, PATHS
from ....models.saboteur.words import GOAL_NAMES, ROLES, card_name, hand_of
from ....planners.agents import SearchAgent, parse_agent
from ....planners.search.decision import Decision
from ...kit.advising.ranking import leading, not_told_apart
from ...kit.advising.words import only
from ...kit.analysis.analyst import gains_of
from ...kit.answers.values import (
    Bars,
    Cell,
    Column,
    Grid,
    Paragraph,
    Sheet,
    Statement,
    Statements,
    right,
    sheet,
)
from ...kit.number_words import bits, counted, listed, number, percent
from ..mine import mine
from ..picture import broken_tools, claims
from .table import MineTable

#: Who thinks about what to play, and its seed.
AGENT: Final = "mcts:simulations=4000,seconds=3"
SEED: Final = 0
#: Actions that are listed.
ACTIONS: Final = 6
#: Entries that are named of what moved a belief.
MOVERS: Final = 5
BAR: Final = 20
#: Probabilities that differ by less are the same.
SAME: Final = 0.005


def news(table: MineTable, before: MineTable | None) -> Statements:
    """The likely saboteurs, where the gold is, and how a round ended."""
    said: list[Statement] = []
    if before is not None and (ended := _ended(table, before)):
        said.append(Paragraph(ended))
    if table.missing == "deal":
        last = [event.to_json().get("turned", {}) for event in table.events[-2:-1]]
        winners = "miners" if any("gold" in turned.values() for turned in last) else "saboteurs"
        said.append(Paragraph(f"The {winners} win the round."))
    if table.view.over or table.missing is not None:
        return said
    told: list[str] = []
    was = {} if before is None or ended_between(table, before) else before.suspicion
    changed = {
        name: share
        for name, share in table.suspicion.items()
        if name not in was or abs(was[name] - share) >= SAME
    }
    if changed:
        ranked = sorted(table.suspicion.items(), key=lambda pair: -pair[1])
        told.append("Saboteur: " + ", ".join(f"{n} {percent(s)} %" for n, s in ranked) + ".")
    gold = {} if before is None else before.gold
    if any(abs(gold.get(goal, -1.0) - share) >= SAME for goal, share in table.gold.items()):
        told.append(f"Gold: {_shares(table.gold)}.")
    return [*said, Paragraph("\n".join(told) or "Nothing changes.")]


def ended_between(table: MineTable, before: MineTable) -> bool:
    """True if a round has ended since."""
    return int(table.state.rounds_played) > int(before.state.rounds_played)


def _ended(table: MineTable, before: MineTable) -> str:
    if not ended_between(table, before):
        return ""
    state = table.state
    winners = "miners" if int(state.winner) == MINERS_WIN else "saboteurs"
    last = next(event for event in reversed(table.events) if isinstance(event, RoundEnd))
    said = [f"The {winners} win the round. Saboteurs: {listed(last.saboteurs) or 'none'}."]
    if table.game.settings["pay"] == "gold":
        won = ", ".join(
            f"{name} {int(state.won[player])}" for player, name in enumerate(table.game.roles)
        )
        said.append(f"Gold so far: {won}.")
        taken = sum(map(len, last.cards.values()))
        if winners == "miners" and taken < min(table.game.players, MOST_GOLD_CARDS):
            said.append("Gold cards of which nothing was said are not counted.")
    return "\n".join(said)


def who(table: MineTable) -> Statements:
    """Each player: how likely they are a saboteur, and what is known of them."""
    made = people(table)
    _refuse_open(table)
    return [made, Paragraph(_note(table), "soft")]


def people(table: MineTable) -> Sheet:
    """The players, with all that is known of each."""
    state, tools = table.state, int(table.game.settings["tools"])
    rows: list[tuple[Cell, ...]] = []
    gold = table.game.settings["pay"] == "gold"
    for player, name in enumerate(table.game.roles):
        mine_too = name == table.me
        share = float(table.is_saboteur) if mine_too else table.suspicion[name]
        sure = "you" if mine_too else ""
        role = ROLES[int(share)] if share in (0.0, 1.0) else f"{percent(share)} %"
        looked = [g for n, g in enumerate(GOAL_NAMES) if state.looked[player] >> n & 1]
        told = [
            f"broken: {broken_tools(state, player, tools)}" if state.broken[player] else "",
            f"looked at {listed(looked)}" if looked else "",
            f"says {claims(state, player)}" if claims(state, player) else "",
        ]
        row: list[Cell] = [f"{name}, {sure}" if sure else name, role, share]
        if gold:
            row.append(str(int(state.won[player])))
        rows.append((*row, "; ".join(filter(None, told))))
    heads = ["player", right("saboteur"), Column(bar=BAR), *([right("gold")] if gold else [])]
    if not any(row[-1] for row in rows):
        return sheet(*heads, rows=[row[:-1] for row in rows])
    return sheet(*heads, "known", rows=rows)


def where(table: MineTable) -> Statements:
    """The chance of the gold under each goal, and who said what."""
    _refuse_open(table)
    return [gold_bars(table), Paragraph(_said(table), "soft")]


def gold_bars(table: MineTable) -> Bars:
    """The chance of the gold under each goal."""
    shares = sorted(table.gold.items(), key=lambda pair: -pair[1])
    return Bars("gold", tuple(shares), bits=entropy_bits(np.array([s for _, s in shares])))


def _said(table: MineTable) -> str:
    found: list[str] = []
    for player, name in enumerate(table.game.roles):
        if told := claims(table.state, player):
            found.append(f"{name} says {told}.")
    own = [
        f"{goal} is {'the gold' if int(card) == GOLD else 'a stone'}"
        for goal, card in zip(GOAL_NAMES, table.state.goals.tolist(), strict=True)
        if card != HIDDEN
    ]
    if own:
        found.append(f"You know: {', '.join(own)}.")
    return " ".join(found) or "Nobody has said anything of it."


def best(table: MineTable) -> Statements:
    """The best actions by a search, with what each tells."""
    _refuse_others(table)
    decision = decided(table)
    exposed = table.belief.exposure(table.view, table.seen)
    rows: list[tuple[Cell, ...]] = []
    listed_actions = decision.actions[:ACTIONS]
    told = gains(table)
    tells = {each.action: told.get(each.action, 0.0) for each in listed_actions}
    for report in listed_actions:
        value = (
            "–" if not report.visits or math.isnan(report.value) else _value(table, report.value)
        )
        row: list[Cell] = [report.name, value]
        if any(tells.values()):
            row.append(f"{tells[report.action]:.2f}" if tells[report.action] else "")
        if exposed:
            row.append(f"{percent(exposed.get(report.action, 0.0))} %")
        rows.append(tuple(row))
    heads: list[Any] = ["play", right(_unit(table))]
    heads += [right("bits")] if any(tells.values()) else []
    heads += [right("seen as saboteur")] if exposed else []
    more = len(decision.actions) - len(rows)
    note = "Actions are ranked by a search over worlds drawn from what you know."
    if any(tells.values()):
        note += " Bits: what it tells of where the gold is."
    if exposed:
        note += " Seen as saboteur: how likely miners would take you for one then, on average."
    said: list[Statement] = [sheet(*heads, rows=rows)]
    if more > 0:
        said.append(Paragraph(f"{number(more, 'more action').capitalize()} below.", "soft"))
    if tie := not_told_apart(leading(decision.actions), len(rows), "action"):
        said.append(Paragraph(tie, "soft"))
    return [*said, Paragraph(note, "soft")]


def decided(table: MineTable) -> Decision:
    """The search's decision on the person's turn."""
    agent = parse_agent(AGENT, table.game).prepare(table.game)(SEED)
    assert isinstance(agent, SearchAgent)
    return agent.decision(table.view, table.seen)


def tell(table: MineTable) -> Statements:
    """The actions that would tell most of where the gold is, and of the roles with it."""
    _refuse_others(table)
    found = sorted(gains(table).items(), key=lambda pair: (-round(pair[1], 9), pair[0]))
    rows = [(table.game.action_name(code), bits(gain)) for code, gain in found if gain > 0.0]
    if not rows:
        if GOLD in table.state.goals.tolist():
            return [Paragraph("You know where the gold is.")]
        said = "No card of yours shows a goal now: a map does, or a path card that reaches one."
        return [Paragraph(said)]
    note = "Bits: what an action tells of where the gold is, and of the roles with it."
    return [sheet("play", right("bits"), rows=rows[:ACTIONS]), Paragraph(note, "soft")]


def gains(table: MineTable) -> dict[int, float]:
    """The information of each action of the person on all that is hidden, in bits, by its code."""
    questions, hidden = table.belief.questions(table.view), table.hidden
    if not questions or not hidden:
        return {}
    found = gains_of(table.posterior, [*questions.values()], [*hidden.values()])
    return {code: float(gain) for code, gain in zip(questions, found, strict=True)}


def why(table: MineTable, rest: str, sentences: Mapping[int, str]) -> Statements:
    """The entries that moved the belief about a player most."""
    _refuse_open(table)
    others = [name for name in table.game.roles if name != table.me]
    if not rest:
        raise RecordError("who?", hint=f"write 'why {others[0]}'")
    name = only(rest, others, "player")
    moments = [(n, shares[name]) for n, shares in table.moments() if name in shares]
    if not moments:
        return [Paragraph(f"The role of {name} is known.")]
    start, now = moments[0][1], moments[-1][1]
    steps: dict[int, tuple[float, float]] = {}
    for (_, earlier), (entry, later) in itertools.pairwise(moments):
        first = steps.get(entry, (earlier, later))[0]
        steps[entry] = (first, later)
    ranked = sorted(steps.items(), key=lambda step: -abs(_logit(step[1][1]) - _logit(step[1][0])))
    chosen = [(n, pair) for n, pair in ranked if abs(pair[1] - pair[0]) >= SAME][:MOVERS]
    then = f"{name} was a saboteur with {percent(start)} % at the deal"
    said = f"{then}, and is with {percent(now)} % now."
    if not chosen:
        return [Paragraph(f"{said} No entry moved that by much.")]
    rows = [
        (str(n), sentences.get(n, ""), f"{percent(a)} → {percent(b)} %")
        for n, (a, b) in sorted(chosen)
    ]
    heads = (right(), "the entries that moved it most", right("saboteur"))
    return [Paragraph(said), sheet(*heads, rows=rows)]


def _logit(share: float) -> float:
    near = min(max(share, 1e-9), 1.0 - 1e-9)
    return math.log(near / (1.0 - near))


def drawn(table: MineTable) -> Grid:
    """The mine as it lies."""
    last = [event.event.observation for event in table.seen.events[-1:]]
    codes = [parts_of(each).code for each in last]
    cells = [code // (2 * PATHS) for code in codes if code < DISCARD]
    return mine(table.game.tables.rules[0], table.state, last=cells)


def hand(table: MineTable) -> Statements:
    """The person's role, their hand, and the cards that are left."""
    tools = int(table.game.settings["tools"])
    names = [card_name(kind, tools) for kind in hand_of(table.state, table.number)]
    left = counted(int(drawable(table.state, table.game.tables)), "card")
    held = f"You are a {ROLES[table.role]}. Your hand: {', '.join(names) or 'no cards'}."
    rounds = int(table.game.settings["rounds"])
    which = f"Round {int(table.state.rounds_played) + 1} of {rounds}. " if rounds > 1 else ""
    return [Paragraph(f"{which}{held} {left} in the deck.")]


def _refuse_open(table: MineTable) -> None:
    if table.view.over:
        raise RecordError("the game is over, and all roles are known")


def _refuse_others(table: MineTable) -> None:
    if table.missing is not None:
        raise RecordError(
            "first the question that is open", hint="see what stands before the cursor"
        )
    if not table.mine:
        said = "the game is over" if table.mover is None else f"it is the turn of {table.mover}"
        raise RecordError(said, hint="what to play is worked out on your own turn")


def _unit(table: MineTable) -> str:
    return "nuggets" if table.game.settings["pay"] == "gold" else "wins"


def _value(table: MineTable, value: float) -> str:
    """A return as it is said of this round: nuggets, or how often the person's side wins."""
    value -= float(table.state.won[table.number])
    if table.game.settings["pay"] == "gold":
        return f"{value:+.2f}"
    share = (value + 1.0) / 2.0 if table.game.settings["pay"] == "sides" else value
    return f"{percent(min(max(share, 0.0), 1.0))} %"


def _note(table: MineTable) -> str:
    cards, saboteurs = int(table.game.tables.rules[0].role_cards), table.game.settings["saboteurs"]
    spare = ", of which one is left over" if cards > table.game.players else ""
    return (
        f"Of {cards} role cards{spare}, {saboteurs} {'is a' if saboteurs == 1 else 'are'} "
        f"saboteur{'' if saboteurs == 1 else 's'}. What players do and say is weighed by a table; "
        "'why' and a name say what moved it."
    )


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {percent(share)} %" for name, share in shares.items())
