"""A small declaration and its evidence as a Bayesian network in BIF, for other tools.

The encoding, exact and without any table over many variables:

* Every physical card and every `Choice` is a variable without parents. Its states are the
  holders that may have it (uniform), or the values of the choice (its prior). A prior that
  depends on another variable is written as evidence about both.
* Every size of a holder (but the one that follows from the others) and every piece of evidence
  is an auxiliary variable with the states ``yes`` and ``no``, whose P(yes) is its weight,
  divided by its largest. It is observed: ``yes``.
* A weight on many cards becomes a chain: auxiliary variables that say what has to be known of
  the cards so far (a count, say), each with two parents.

Names are written in letters, digits and underscores; what cannot be spelled so becomes an
underscore, a name that is taken gets a number, and a name that a reader would take for a keyword
of BIF (``table``) or for a number gets an underscore in front (``_table``). Whatever a name has
become, `BifExport` says what it stands for.

BIF has no word for what is observed. The file says it as a property of the variable, which
other readers pass over, and as a property of the network that these marks are meant; `to_bif` also
returns it.
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

#: Words with a meaning of their own in BIF. Some readers take them in any case, none as names.
KEYWORDS = frozenset(
    ("default", "discrete", "network", "probability", "property", "table", "type", "variable")
)
#: Most numbers in one table of the file.
MOST_NUMBERS = 100_000


@dataclass(frozen=True)
class BifExport:
    """The file that was written.

    Attributes:
        path: The file.
        observed: Value of every auxiliary variable; with it, the network is the posterior.
        cards: For every variable of the declaration (variable, item) the network's variables:
            one per physical copy.
        states: For every variable of the network, its states, and the holder or value that each
            stands for.
    """

    path: Path
    observed: Mapping[str, str]
    cards: Mapping[tuple[str, str], tuple[str, ...]]
    states: Mapping[str, Mapping[str, object]]


class _Writer:
    """Variables and tables of the file, and the words that are taken."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.variables: list[StatedVariable] = []
        self.tables: list[StatedTable] = []
        self.observed: list[StatedValue] = []

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
            self.observed.append(StatedValue(name, observed, name))

    def word(self, text: str) -> str:
        """A name that BIF can spell and that is not taken; it is taken now."""
        return unused(text, self.names)


def to_bif(model: Model, given: Iterable[Observation], path: str | Path) -> BifExport:
    """Write a declaration and its evidence as a Bayesian network.

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
    >>> wet = rain.value().weigh({"yes": 0.9, "no": 0.1}, because="the grass is wet")
    >>> written = to_bif(Model(rain), [wet], "weather.bif")
    >>> print(written.path.read_text().splitlines()[3])
    variable rain {
    >>> written.observed
    {'evidence_the_grass_is_wet': 'yes'}
    """
    posterior = infer(model, given)
    priors = [
        prior_table(variable).on(model.layout)
        for variable in model.variables
        if isinstance(variable, Choice) and variable.given is not None
    ]
    evidence = [*priors, *_evidence(posterior.history)]
    writer = _Writer()
    network = _network(model, [])
    names, cards, meanings = _write_cards(writer, model, network)
    observed: dict[str, str] = {}
    for number, chain in enumerate(network.chains, start=1):
        _write_chain(writer, f"size_{number}", chain, names, observed)
    for piece in evidence:
        for chain in _network(model, [piece]).chains[len(network.chains) :]:
            _write_chain(writer, writer_name(piece), chain, names, observed)
    title = unused("_".join(variable.name for variable in model.variables), set())
    # pgmpy looks for its blocks by these words, and there it finds them in the title too.
    title = re.sub("variable|probability", "x", title)
    contents = NetworkContents(
        title, writer.variables, writer.tables, title, writer.observed, own=True
    )
    file = Path(path)
    file.write_text(bif_text(contents), encoding="utf-8")
    return BifExport(file, observed, cards, meanings)


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


def _write_cards(
    writer: _Writer, model: Model, network: MarkovNetwork
) -> tuple[dict[int, str], dict[tuple[str, str], tuple[str, ...]], dict[str, dict[str, object]]]:
    layout = network.problem.layout
    names: dict[int, str] = {}
    cards: dict[tuple[str, str], tuple[str, ...]] = {}
    meanings: dict[str, dict[str, object]] = {}
    for card, slot in enumerate(network.fixed):
        owner, item = layout.site_names[int(network.site[card])]
        variable = model.variable(owner)
        slots = network.options.get(card, np.array([slot]))
        name = writer.word(f"{owner} {item}" if isinstance(variable, Walk) else item)
        names[card] = name
        cards[(owner, item)] = (*cards.get((owner, item), ()), name)
        prior = np.full(slots.shape[0], 1.0 / slots.shape[0])
        values: list[object] = [layout.slot_names[int(place)][1] for place in slots]
        if isinstance(variable, Choice):
            first = layout.slots[(owner, owner)][0]
            values = [variable.options[int(place) - first] for place in slots]
            if variable.given is None:
                prior = np.array([variable.prior[int(place) - first] for place in slots])
        elif isinstance(variable, Walk):
            first = layout.slots[(owner, owner)][0]
            values = [variable.positions[int(place) - first] for place in slots]
            prior = np.array([variable.start[int(place) - first] for place in slots])
        taken: set[str] = set()
        states = [unused(str(value), taken, state=True) for value in values]
        meanings[name] = dict(zip(states, values, strict=True))
        writer.add(name, states, (), prior)
    return names, cards, meanings


def _write_chain(
    writer: _Writer,
    title: str,
    chain: FactorChain,
    cards: Mapping[int, str],
    observed: dict[str, str],
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
    observed[name] = "yes"
