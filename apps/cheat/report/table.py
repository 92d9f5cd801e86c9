"""Every claim of a game as a line of a table."""

from __future__ import annotations

from ...kit.number_words import percent, worth
from ...kit.pages.markup import Html, element, name
from ..findings import CheatFindings, Claim, Decision
from ..words import action_words, claimed


def claim_table(found: CheatFindings) -> Html:
    """The table of claims: possible knowledge of each, its truth, and the search's choice."""
    predicted = found.predictor is not None
    choices = {each.claim: each for each in found.choices if each.claim is not None}
    headings = ["turn", "claim", "had them", "counting"]
    headings += ["predicted", "both"] if predicted else []
    headings += ["it was", "called"]
    headings += ["best then", "call", "else"] if choices else []
    head = element("tr", *(element("th", title, scope="col") for title in headings))
    rows = [_row(found, each, choices.get(each.turn), bool(choices)) for each in found.claims]
    made = element("table", element("thead", head), element("tbody", *rows), class_="claim-list")
    return element("div", made, class_="scroll")


def _row(found: CheatFindings, claim: Claim, choice: Decision | None, advised: bool) -> Html:
    cells = [
        element("td", claim.turn),
        element(
            "td", name(found.recorded.name_of(claim.by)), " ", claimed(claim.rank, claim.count),
            class_="what",
        ),
        element("td", _percent(claim.held)),
    ]  # fmt: skip
    if found.predictor is None:
        cells.append(_bar(claim.counting))
    else:
        cells += [
            element("td", _percent(claim.counting)),
            element("td", "" if claim.predicted is None else _percent(claim.predicted)),
            _bar(claim.probability),
        ]
    was = {None: "?", True: "true", False: "a lie"}[claim.true]
    cells.append(element("td", was, class_="word lie" if claim.true is False else "word"))
    called = ""
    if claim.called:
        called = "rightly" if claim.true is False else "wrongly"
    cells.append(element("td", called, class_="word"))
    if advised:
        cells += _advice(found, choice)
    return element("tr", *cells, class_="called" if claim.called else None)


def _advice(found: CheatFindings, choice: Decision | None) -> list[Html]:
    if choice is None:
        return [element("td"), element("td"), element("td")]
    ranks = len(found.recorded.ranks)
    same = choice.done is None or choice.done == choice.chosen
    return [
        element(
            "td",
            action_words(choice.chosen, choice.rank, ranks),
            class_="word" if same else "word other",
        ),
        *(
            element("td", "" if value is None else worth(value))
            for value in (choice.call, choice.otherwise)
        ),
    ]


def _bar(share: float) -> Html:
    return element("td", _percent(share), class_="share", style=f"--p:{share:.3f}")


def _percent(share: float) -> str:
    return f"{percent(share)} %"
