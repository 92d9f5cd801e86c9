"""Analysis and advice by the house rules of a table of Clue."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.clue.advising.table import ClueSetup
from sleuth.apps.clue.worth import estimated, most_worth, suggestions_of, worth_of
from sleuth.errors import ContradictionError, RecordError
from sleuth.games.clue import ClueDeclaration, ClueRecord, HouseRules, simulate
from sleuth.planners.clue.agents import PROBABILITY_GAIN

from .advising.test_adviser import told as told
from .analyses import analyse, html_report, text

RULES = {
    "all": HouseRules(who_shows="all"),
    "skipped": HouseRules(player_out="skipped"),
    "looked": HouseRules(left_over="looked at"),
    "noroom": HouseRules(room="none"),
    "everything": HouseRules(
        who_shows="all", player_out="skipped", left_over="face down", room="any",
        card_shown="openly",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_game_is_analysed_by_its_rules(name: str) -> None:
    rng = np.random.default_rng(11)
    record = simulate(4, rng, rules=RULES[name], hand_sizes=[4] * 4, turns=6, guess=0.15)
    game = record.seen_by("p2")
    analysis = analyse(game, advice=2)
    said, page = "\n".join([*analysis.heading, text(analysis)]), html_report(analysis)
    assert "House rules: " in said
    assert "House rules" in page
    if game.left_over:
        assert "Face down: 2 cards" in said
        assert "face down" in analysis.findings.holders
    if name == "noroom":
        assert all(len(cards) == 2 for cards, _ in analysis.findings.suggestions)
    belief = ClueDeclaration(game)
    posterior = belief.infer(game)
    for worth in analysis.findings.advised:
        assert worth.worth == pytest.approx(worth_of(belief, posterior, worth.cards).worth)
    shares = belief.table(posterior)
    assert analysis.findings.marginals["rope"] == {
        holder: pytest.approx(share) for holder, share in shares["rope"].items() if share > 0.0
    }


def test_sizes_that_nobody_wrote_down_are_said_as_far_as_they_are_known() -> None:
    record = simulate(5, np.random.default_rng(1), turns=6)
    game = dataclasses.replace(record, sizes=(None,) * 5).seen_by("p1")
    analysis = analyse(game)
    said, page = "\n".join([*analysis.heading, text(analysis)]), html_report(analysis)
    assert "p1 (4), p2 (3 or 4)" in said
    assert "3 or 4" in page
    # Places without a card are no cards.
    assert set(analysis.findings.marginals) == set(game.edition.cards)
    assert "no card" not in said


def test_what_suggestions_are_worth_is_estimated_by_the_rules() -> None:
    for rules in RULES.values():
        rng = np.random.default_rng(11)
        record = simulate(4, rng, rules=rules, hand_sizes=[4] * 4, turns=6, guess=0.15)
        game = record.seen_by("p2")
        belief = ClueDeclaration(game)
        posterior = belief.infer(game)
        some = suggestions_of(belief)[::29]
        about = estimated(belief, posterior, some)
        exact = [worth_of(belief, posterior, cards) for cards in some]
        wrong = about - [each.bits + PROBABILITY_GAIN * each.sure for each in exact]
        assert np.abs(wrong).max() < 0.5
        assert most_worth(belief, posterior, 3)[0].worth >= max(each.worth for each in exact) - 1e-9


def test_a_contradiction_names_the_rule_by_which_it_could_be_true() -> None:
    asks = {"type": "suggest", "by": "b", "cards": ["white", "knife", "kitchen"], "refuter": "c"}
    wrong = {"type": "accuse", "by": "b", "cards": ["plum", "rope", "study"], "correct": False}
    passes = {"type": "suggest", "by": "a", "cards": ["white", "knife", "kitchen"], "refuter": None}
    shows = {"type": "suggest", "by": "c", "cards": ["white", "knife", "kitchen"], "refuter": "b"}
    value = {"game": "clue", "players": ["a", "b", "c"], "hand_sizes": [6, 6, 6]}
    events = [shows, wrong, passes]
    with pytest.raises(ContradictionError, match='"player_out": "skipped"'):
        analyse(ClueRecord.from_json(value | {"events": events}).seen_by())
    rules = {"rules": {"player_out": "skipped"}}
    with pytest.raises(ContradictionError) as told:
        # Of c, who is asked, it is a contradiction all the same.
        analyse(ClueRecord.from_json(value | rules | {"events": [asks, *events[1:]]}).seen_by())
    assert "player_out" not in str(told.value)
    analyse(ClueRecord.from_json(value | rules | {"events": events}).seen_by())


def settings(**others: Any) -> dict[str, Any]:
    return {
        "edition": "classic", "players": ["Ada", "Bob", "Cleo", "Dan"], "me": "Ada",
        "sizes": [4, 4, 4, 4], "faceup": [], "hand": ["plum", "green", "rope", "hall"],
        "dice": 1, "rules": ["again", "summons"],
    } | others  # fmt: skip


def read(line: str, *entries: dict[str, Any], **others: Any) -> dict[str, Any]:
    return dict(ClueAdviser().read(line, settings(**others), entries).entry)


def test_a_line_names_all_who_show_a_card() -> None:
    rules = ["again", "summons", "all"]
    entry = read("ada scarlet knife kitchen bob knife dan scarlet", rules=rules)
    assert entry["refuters"] == [
        {"player": "Bob", "shown": "knife"}, {"player": "Dan", "shown": "scarlet"}
    ]  # fmt: skip
    table = ClueSetup.of(settings(rules=rules), [entry])
    assert table.game.events[0].event.refutations[1].shown == "scarlet"  # pyright: ignore
    assert "kitchen" not in {card for card, who in table.certain.items() if who != "case file"}
    asked = read("ada scarlet knife kitchen", rules=rules)
    answered = read("bob knife dan scarlet", asked, rules=rules)
    assert answered == entry
    assert read("bob scarlet knife kitchen cleo dan", rules=rules)["refuters"] == [
        {"player": "Cleo", "shown": None}, {"player": "Dan", "shown": None}
    ]  # fmt: skip
    with pytest.raises(RecordError, match="who showed a card"):
        read("bob scarlet knife kitchen knife dan", rules=rules)


def test_a_line_without_a_room() -> None:
    entry = read("bob knife scarlet cleo", rules=["noroom"])
    assert entry["cards"] == ["scarlet", "knife"]
    with pytest.raises(RecordError, match="two cards were expected"):
        read("bob knife kitchen cleo", rules=["noroom"])


def test_a_line_tells_what_was_shown_openly_and_who_looked() -> None:
    entry = read("bob scarlet knife kitchen cleo knife", rules=["openly"])
    assert entry["shown"] == "knife"
    with pytest.raises(RecordError, match="shows the card to Bob alone"):
        read("bob scarlet knife kitchen cleo knife")
    looks = read("I look scarlet knife", rules=["looked"])
    assert looks == {"type": "look", "by": "Ada", "cards": ["scarlet", "knife"]}
    table = ClueSetup.of(settings(rules=["looked"]), [looks])
    assert table.certain["knife"] == "face down"
    with pytest.raises(RecordError, match="alone sees the cards"):
        read("bob looks scarlet", rules=["looked"])
    with pytest.raises(RecordError, match="nobody looks at cards left over"):
        read("bob looks")


def test_rules_are_set_up_in_words() -> None:
    adviser = ClueAdviser()
    assert adviser.set_up("rules", "none all skipped", {}) == ["all", "skipped"]
    assert adviser.set_up("rules", "openly", {}) == ["again", "summons", "openly"]
    assert adviser.set_up("sizes", "?", settings()) == [None] * 4
    assert adviser.set_up("sizes", "5 unknown 4 ?", settings()) == [5, None, 4, None]
    adviser.refuse_setting("sizes", settings(sizes=[5, None, 4, None]))
    with pytest.raises(RecordError, match="differ by one card at most"):
        adviser.refuse_setting("sizes", settings(sizes=[9, None, None, None]))
    with pytest.raises(RecordError, match="4 numbers are needed"):
        adviser.set_up("sizes", "5 4 many 4", settings())
    assert adviser.set_up("faceup", "face down", settings()) == []
    for wrong in ("", "both none", "every"):
        with pytest.raises(RecordError, match="no rules of a table"):
            adviser.set_up("rules", wrong, {})
    said = adviser.summary("rules", settings(rules=["again", "all"]))
    assert said.endswith("all show a card who can")
    unknown = settings(sizes=[None] * 4, hand=["plum", "green", "rope", "hall", "study"])
    assert ClueSetup.of(unknown, []).game.expected_size("Bob") == 4.5


def test_nobody_counted_the_cards(told: Any) -> None:
    """Ada types it where she is asked for the sizes of hands, and has four cards herself."""
    setup = ("", "Ada Bob Cleo Dan Eva", "ada", "unknown", "plum rope hall study", "1")
    said = told(*setup, "green knife kitchen bob green", begun=True)
    assert "your cards> " in said
    assert "Certain: Bob has green, by entry 1." in said


def test_players_of_a_box_without_hands_are_not_asked_for_theirs(told: Any) -> None:
    """In Clue Junior all cards lie under pawns."""
    said = told(
        "junior", "Ada Bob", "ada", "0 0", "down", "cf not 3:00", "ada bob", "notebook", begun=True
    )
    assert "your 0 cards" not in said
    assert "the case file does not have 3:00" in said
    shares = {line.split()[0]: line.split() for line in said.splitlines() if line[:1].isdigit()}
    assert shares["2:00"][-2:] == ["25", "75"]


def test_advice_beside_a_table_with_house_rules(told: Any) -> None:
    """Cleo accuses wrongly, and then nobody asks her any more."""
    said = told(
        "setup rules",
        "both all skipped",
        "plum knife kitchen bob plum",
        "cleo accuse white wrench kitchen wrong",
        "ada white wrench kitchen bob wrench",
        "bob scarlet wrench hall ada hall",
        "best",
        "show bob green rope dining",
        "notebook",
    )
    assert "Cleo accuses white, wrench and kitchen, wrongly" in said
    assert "bits still open to Bob" in said
    # Cleo had none of the first three cards; later nobody asks her.
    shares = {line.split()[0]: line.split() for line in said.splitlines() if line[:1].islower()}
    assert shares["knife"][3] == "✗"
    assert shares["white"][3] not in ("✗", "0")


def test_a_page_offers_house_rules_and_what_they_ask_for() -> None:
    adviser, asked = ClueAdviser(), settings(rules=["again", "summons", "noroom"])
    offered = str(adviser.form("rules", asked, []))
    assert "set rules both" in offered
    assert "Everybody sees the card shown" in offered
    # One room or none: to choose the other takes this one away.
    assert "'set rules both anyroom'" in offered
    draft: dict[str, Any] = {}
    for touch in ("by Bob", "card scarlet", "card knife", "shows Cleo"):
        draft = dict(adviser.touched(draft, touch, {}, asked, []))
    meaning = adviser.offered(draft, asked, []).meaning
    assert meaning is not None
    assert meaning.entry["cards"] == ["scarlet", "knife"]
    assert "set sizes unknown" in str(adviser.form("sizes", settings(), []))
    down = adviser.form("faceup", settings(), [])
    assert "set faceup down" in str(down)
