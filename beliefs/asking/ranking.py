"""Questions by what they tell, as `Posterior.best_questions` ranks them."""

from __future__ import annotations

from ...data.tables import html_shown, html_table
from ...data.words import bits
from ..language.questions import Question


class QuestionRanking(list[tuple[Question, float]]):
    """Questions with their gains in bits, the best first; a notebook shows it as a table.

    >>> from sleuth import Choice, Model, Question, infer
    >>> number = Choice("number", range(8))
    >>> half = Question(number, lambda n: {n < 4: 1.0}, name="below 4?")
    >>> ranking = infer(Model(number)).best_questions([half], about=number)
    >>> [(question.name, gain) for question, gain in ranking]
    [('below 4?', 1.0)]
    """

    def _repr_html_(self) -> str:
        rows = [(question.name, bits(gain)) for question, gain in self]
        return html_shown(html_table(("question", "bits"), rows, caption="What it would tell"))
