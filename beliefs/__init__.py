"""Declare what is hidden, observe, ask: the declaration language and its inference engines.

>>> from sleuth import Deal, Model, infer
>>> cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
>>> belief = infer(Model(cards), given=[cards.holds("me", "king", 2, because="my hand")])
>>> {value: round(p, 2) for value, p in belief.marginal(cards.count("you", "ace")).items()}
{0: 0.17, 1: 0.67, 2: 0.17}
>>> belief = belief.observe(cards.lacks("you", "ace", because="you passed"))
>>> belief.explain(cards.count("table", "ace").equals(2))
['my hand', 'you passed']
"""

from .arrays.transitions import Transition
from .asking.many_questions import Questions
from .infer import infer
from .language.counting import all_of, any_of, count_of
from .language.evidence import Evidence, Merge, Prediction, Reveal, Split, WalkStep
from .language.features import Condition, Feature, together
from .language.questions import Question
from .language.sums import sum_of
from .language.variables import Choice, Deal
from .language.walk import Walk
from .modelling.model import Model, Simulation
from .posterior import Posterior

__all__ = [
    "Choice",
    "Condition",
    "Deal",
    "Evidence",
    "Feature",
    "Merge",
    "Model",
    "Posterior",
    "Prediction",
    "Question",
    "Questions",
    "Reveal",
    "Simulation",
    "Split",
    "Transition",
    "Walk",
    "WalkStep",
    "all_of",
    "any_of",
    "count_of",
    "infer",
    "sum_of",
    "together",
]
