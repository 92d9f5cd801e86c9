"""A small declaration and its evidence as a Bayesian network in BIF, for other tools.

The encoding, exact and without any table over many variables:

* Every physical card and every `Choice` is a variable. The states of a card are the holders that
  may have it (uniform), those of a choice its values. A choice has its prior as its table, and
  the choices that its prior depends on as its parents. A prior that depends on a deal is written
  as evidence about both.
* Evidence that leaves one value to a choice, or to several, is a mark on it: it is observed.
* Every size of a holder (but the one that follows from the others) and every other piece of
  evidence is an auxiliary variable with the states ``yes`` and ``no``, whose P(yes) is its
  weight, divided by its largest. It is observed: ``yes``.
* A weight on many cards becomes a chain: auxiliary variables that say what has to be known of
  the cards so far (a count, say), each with two parents.

Names are written in letters, digits and underscores; what cannot be spelled so becomes an
underscore, a name that is taken gets a number, and a name that a reader would take for a keyword
of BIF (``table``) or for a number gets an underscore in front (``_table``). Whatever a name has
become, `BifExport` says what it stands for.

BIF has no word for what is observed. The file says it as a property of the variable, which
other readers pass over, and as a property of the network that these marks are meant; `to_bif` also
returns it. In another reader set these as observed, or all answers are wrong.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...data.errors import CostError, UnsupportedError
from ..arrays.problem import Floats, Narrowed, Problem
from ..engines.networks.markov import SMALL_TABLE, FactorChain, MarkovNetwork, chain_table, encode
from ..infer import infer
from ..language.evidence import Evidence
from ..language.priors import prior_table
from ..language.variables import Choice
from ..language.walk import Walk
from ..modelling.history import Observation, Step
from ..modelling.model import Model
from .formats.bif_text import bif_text
from .formats.contents import NetworkContents, StatedTable, StatedValue, StatedVariable
from .parents import MOST_NUMBERS, parents_of

#: Words with a meaning of their own in BIF. Some readers take them in any case, none as names.
KEYWORDS = frozenset(
    ("default", "discrete", "network", "probability", "property", "table", "type", "variable")
)


@dataclass(frozen=True)
class BifExport:
    """The file that was written.

    Attributes:
        path: The file.
        observed: Value of every auxiliary variable, and of every choice that was seen. With it,
            the network is the posterior; without it, all answers are wrong.
        cards: For every variable of the declaration (variable, item) the network's variables:
            one per physical copy.
        states: For every variable of the network, its states, and the holder or value that each
            stands for.
    """

    path: Path
    observed: Mapping[str, str]
    cards: Mapping[tuple[str, str], tuple[str, ...]]
    states: Mapping[str, Mapping[str, object]]


@dataclass(frozen=True)
class _WrittenCard:
    """A card, a choice or a walk as a variable of the network.

    Attributes:
        site: Variable and item of the declaration.
        name: What the network calls it.
        states: Holder or value by the name of its state.
    """

    site: tuple[str, str]
    name: str
    states: Mapping[str, object]


class _Writer:
    """Variables and tables of the file, and the words that are taken."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.variables: list[StatedVariable] = []
        self.tables: list[StatedTable] = []
        self.observed: dict[str, str] = {}

    def add(
        self,
        name: str,
        states: Sequence[str],
        parents: Sequence[str],
        table: Floats,
        *,
        observed: str | None = None,
    ) -> None:
        """One variable; ``table`` has an axis for every parent and one for the states."""
        if table.size > MOST_NUMBERS:
            raise CostError(
                f"the table of {name!r} would have more than {MOST_NUMBERS:,} numbers",
                value=int(table.size),
                hint="only small declarations can be written as a network",
            )
        self.variables.append(StatedVariable(name, tuple(states), name))
        self.tables.append(StatedTable(name, tuple(parents), table.ravel(), name))
        if observed:
            self.observed[name] = observed

    def word(self, text: str) -> str:
        """A name that BIF can spell and that is not taken; it is taken now."""
        return unused(text, self.names)


def to_bif(model: Model, given: Iterable[Observation], path: str | Path) -> BifExport:
    """Write a declaration and its evidence as a Bayesian network.

    A choice has its prior as its table, with the choices that it depends on as its parents. A value
    that was seen is marked as observed; so are auxiliary variables for all other evidence, and for
    the sizes of holders. Readers other than `read_bif` and `read_network` pass over these marks:
    there, set `BifExport.observed` as observed, or all answers are wrong.

    Args:
        model: What is hidden; small.
        given: Evidence, conditions and predictions; no moves.
        path: The file to write.

    Raises:
        UnsupportedError: Holders came and went: such moves have no place in a network.
        CostError: The declaration is too large.
        ContradictionError: The evidence cannot all be true.

    >>> from sleuth import Choice, Model
    >>> from sleuth.networks import to_bif
    >>> rain = Choice("rain", {"yes": 0.25, "no": 0.75})
    >>> rows = {"yes": {"wet": 0.9, "dry": 0.1}, "no": {"wet": 0.1, "dry": 0.9}}
    >>> grass = Choice("grass", rows, given=rain)
    >>> news = rain.weigh({"yes": 0.8, "no": 0.3}, because="the radio")
    >>> written = to_bif(Model(rain, grass), [grass.equals("wet"), news], "weather.bif")
    >>> [line for line in written.path.read_text().splitlines() if "|" in line]
    ['probability ( grass | rain ) {', 'probability ( evidence_the_radio | rain ) {']
    >>> written.observed
    {'grass': 'wet', 'evidence_the_radio': 'yes'}
    """
    posterior = infer(model, given)
    evidence = _evidence(posterior.history)
    writer = _Writer()
    network = _network(model, [])
    written = _named_cards(writer, model, network)
    single = {each.site[0]: each for each in written if each.site[0] in model.layout.values}
    apart = _write_cards(writer, model, written, single)
    names = [each.name for each in written]
    for number, chain in enumerate(network.chains, start=1):
        _write_chain(writer, f"size_{number}", chain, names)
    for piece in [*apart, *evidence]:
        seen = _seen(piece, model, single)
        writer.observed.update(seen)
        if not seen:
            for chain in _network(model, [piece]).chains[len(network.chains) :]:
                _write_chain(writer, writer_name(piece), chain, names)
    title = unused("_".join(variable.name for variable in model.variables), set())
    # pgmpy looks for its blocks by these words, and there it finds them in the title too.
    title = re.sub("variable|probability", "x", title)
    marks = [StatedValue(name, state, name) for name, state in writer.observed.items()]
    contents = NetworkContents(title, writer.variables, writer.tables, title, marks, own=True)
    file = Path(path)
    file.write_text(bif_text(contents), encoding="utf-8")
    cards: dict[tuple[str, str], tuple[str, ...]] = {}
    for each in written:
        cards[each.site] = (*cards.get(each.site, ()), each.name)
    meanings = {each.name: each.states for each in written}
    return BifExport(file, writer.observed, cards, meanings)


def unused(text: str, taken: set[str], *, state: bool = False) -> str:
    """``text`` as BIF can spell it, unlike all in ``taken``; added to them.

    Args:
        state: It names a state, which may be a whole number.
    """
    word = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_") or "x"
    number = r"\d+e" if state else r"\d+(e|$)"
    if word.lower() in KEYWORDS or re.match(number, word, re.IGNORECASE):
        word = f"_{word}"
    found, count = word, 2
    # pgmpy takes names that differ only in case for one.
    while found.lower() in taken:
        found, count = f"{word}_{count}", count + 1
    taken.add(found.lower())
    return found


def writer_name(piece: Evidence) -> str:
    """The name of a piece of evidence in the file."""
    return f"evidence_{piece.id or piece.because}"[:60]


def _evidence(history: Sequence[Step]) -> list[Evidence]:
    evidence: list[Evidence] = []
    for step in history:
        if not isinstance(step, Evidence):
            raise UnsupportedError(
                "splits, merges, reveals and steps cannot be written as a network",
                value=type(step).__name__,
                hint="declare the present holders instead",
            )
        evidence.append(step)
    return evidence


def _network(model: Model, evidence: Sequence[Evidence]) -> MarkovNetwork:
    """Cards, sizes and evidence, without the priors, and with nothing ruled out yet."""
    layout = model.layout
    problem = Problem.empty(layout).with_factors(
        [(None, piece.feature.base.additive(layout), piece.base_table()) for piece in evidence]
    )
    alive = np.ones(problem.factor_count, dtype=np.int8)
    return encode(problem, Narrowed(layout.allowed, alive, 0.0))


def _named_cards(writer: _Writer, model: Model, network: MarkovNetwork) -> list[_WrittenCard]:
    """Names for all cards, choices and walks, and for all that they may be."""
    layout = network.problem.layout
    found: list[_WrittenCard] = []
    for card, slot in enumerate(network.fixed):
        owner, item = site = layout.site_names[int(network.site[card])]
        variable = model.variable(owner)
        name = writer.word(f"{owner} {item}" if isinstance(variable, Walk) else item)
        if isinstance(variable, Choice):
            values: Sequence[object] = variable.options
        elif isinstance(variable, Walk):
            values = variable.positions
        else:
            slots = network.options.get(card, np.array([slot]))
            values = [layout.slot_names[int(place)][1] for place in slots]
        taken: set[str] = set()
        states = [unused(str(value), taken, state=True) for value in values]
        found.append(_WrittenCard(site, name, dict(zip(states, values, strict=True))))
    return found


def _write_cards(
    writer: _Writer,
    model: Model,
    cards: Sequence[_WrittenCard],
    single: Mapping[str, _WrittenCard],
) -> list[Evidence]:
    """Every card with its table; returns the priors that no table says, as evidence."""
    apart: list[Evidence] = []
    for card in cards:
        variable = model.variable(card.site[0])
        table = np.full(len(card.states), 1.0 / len(card.states))
        parents: tuple[str, ...] = ()
        if isinstance(variable, Walk):
            table = np.array(variable.start)
        elif isinstance(variable, Choice) and variable.given is None:
            table = variable.table
        elif isinstance(variable, Choice) and variable.given is not None:
            found = parents_of(variable.given, model.layout)
            if found is None:
                apart.append(prior_table(variable).on(model.layout))
            else:
                parents = tuple(single[name].name for name in found[0])
                table = variable.table[found[1]]
        writer.add(card.name, [*card.states], parents, table)
    return apart


def _seen(piece: Evidence, model: Model, single: Mapping[str, _WrittenCard]) -> dict[str, str]:
    """The states that evidence leaves alone to all variables it is about; none if it leaves more.

    Nothing but choices and walks can be seen so.
    """
    found = parents_of(piece.feature, model.layout)
    if found is None:
        return {}
    names, numbers = found
    left = np.argwhere(piece.table[numbers] > 0.0)
    if len(left) != 1:
        return {}
    return {
        single[name].name: [*single[name].states][place]
        for name, place in zip(names, left[0].tolist(), strict=True)
    }


def _write_chain(
    writer: _Writer,
    title: str,
    chain: FactorChain,
    cards: Sequence[str],
) -> None:
    """The auxiliary variables of one weight, the last of them observed."""
    name = writer.word(title)
    parents = [cards[card] for card in chain.cards]
    if math.prod(step.shape[1] for step in chain.steps) <= SMALL_TABLE:
        yes = chain_table(chain)
    else:
        before: str | None = None
        for place, step in enumerate(chain.steps[:-1]):
            states = chain.steps[place + 1].shape[0]
            # Whatever can be reached but not weighed ends in one more state, and stays there.
            after = np.where(step >= 0, step, states)
            if place:
                after = np.concatenate([after, np.full((1, after.shape[1]), states)])
            part = writer.word(f"{name}_after_{place + 1}")
            above = [parents[place]] if before is None else [before, parents[place]]
            table = np.eye(states + 1)[after[0] if before is None else after]
            words = [*(f"state_{state}" for state in range(states)), "impossible"]
            writer.add(part, words, above, table)
            before = part
        step = chain.steps[-1]
        yes = np.where(step >= 0, chain.weights[np.maximum(step, 0)], 0.0)
        yes = np.concatenate([yes, np.zeros((1, yes.shape[1]))])
        parents = [before or "", parents[-1]]
    yes = yes / yes.max()
    writer.add(name, ("yes", "no"), parents, np.stack([yes, 1.0 - yes], axis=-1), observed="yes")
