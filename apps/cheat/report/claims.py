"""Every claim of a game in words: what could be known of it, what it was, what a search thinks."""

from __future__ import annotations

from collections.abc import Iterator

from ...kit.number_words import percent, worth
from ...kit.pages.markup import Html, element, name
from ..findings import CheatFindings, Claim
from ..words import action_words, claimed


def headings(found: CheatFindings) -> list[str]:
    """The headings of a list of claims."""
    predicted = [] if found.predictor is None else ["predicted", "both"]
    advised = ["best", "call", "else"] if found.advised else []
    return ["turn", "claim", "had them", "counting", *predicted, "it was", "called", *advised]


def cells(found: CheatFindings, claim: Claim) -> dict[str, str]:
    """The cells beside a claim, by heading."""
    choice = found.advised.get(claim.turn)
    said = {
        "turn": str(claim.turn),
        "claim": claimed(claim.rank, claim.count),
        "had them": share(claim.held),
        "counting": share(claim.counting),
        "predicted": share(claim.predicted),
        "both": share(claim.probability),
        "it was": {None: "?", True: "true", False: "a lie"}[claim.true],
        "called": ("rightly" if claim.true is False else "wrongly") if claim.called else "",
    }
    if choice is None:
        return said | {"best": "", "call": "", "else": ""}
    worths = {"call": choice.call, "else": choice.otherwise}
    best = action_words(choice.chosen, choice.rank, len(found.recorded.ranks))
    known = {heading: "" if value is None else worth(value) for heading, value in worths.items()}
    return said | {"best": best} | known


def share(probability: float | None) -> str:
    """A probability in percent; empty where there is none."""
    return "" if probability is None else f"{percent(probability)} %"


def claim_table(found: CheatFindings) -> Html:
    """The claims as a table of the report."""
    shown = headings(found)
    titles = ("best then" if heading == "best" else heading for heading in shown)
    head = element("tr", *(element("th", title, scope="col") for title in titles))
    rows = (
        element("tr", *_row(found, claim, shown), class_="called" if claim.called else None)
        for claim in found.claims
    )
    made = element("table", element("thead", head), element("tbody", *rows), class_="claim-list")
    return element("div", made, class_="scroll")


def _row(found: CheatFindings, claim: Claim, shown: list[str]) -> Iterator[Html]:
    said, choice = cells(found, claim), found.advised.get(claim.turn)
    known = "counting" if found.predictor is None else "both"
    other = choice is not None and choice.done not in (None, choice.chosen)
    classes: dict[str, str | None] = {
        "it was": "word lie" if claim.true is False else "word",
        "called": "word",
        "best": None if choice is None else "word other" if other else "word",
    }
    for heading in shown:
        if heading == "claim":
            who = name(found.recorded.name_of(claim.by))
            yield element("td", who, " ", said[heading], class_="what")
        elif heading == known:
            style = f"--p:{claim.probability:.3f}"
            yield element("td", said[heading], class_="share", style=style)
        else:
            yield element("td", said[heading], class_=classes.get(heading))
