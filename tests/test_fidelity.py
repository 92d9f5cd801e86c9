"""The page that sets the papers beside sleuth: constants are the code's, intervals were measured.

That its links lead somewhere, `test_pages.py` says of every page.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from sleuth.beliefs.games.cheat import features
from sleuth.beliefs.games.saboteur.likelihoods import AdditiveModel, role_worlds
from sleuth.beliefs.games.saboteur.minds import SLIP, Scheme
from sleuth.games.clue import TreasureHunt, Weights
from sleuth.games.saboteur import saboteur
from sleuth.games.scotland_yard import scotland_yard
from sleuth.models.cheat import abstraction, advice, playouts, state
from sleuth.models.saboteur.game import PRESETS
from sleuth.models.saboteur.signs import CLOSE
from sleuth.models.scotland_yard.advice import (
    categories,
    evaluation,
    guesses,
    move_filtering,
    offered,
)
from sleuth.models.scotland_yard.advice.playouts import HIDER_EPSILON, SEEKER_EPSILON
from sleuth.models.scotland_yard.board import START_COUNT, STATIONS
from sleuth.models.scotland_yard.editions import edition_of
from sleuth.planners.agents import look_ahead_agents, search_agents
from sleuth.planners.cheat import agents as cheat_agents
from sleuth.planners.clue.treasure_hunt import Breadth
from sleuth.planners.search.kernels.selection import USUAL_MIXING
from sleuth.planners.search.options import MOST_WORLDS
from sleuth.training.predictor_kinds import DEPTH, MODELS, TREES

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results"
TEXT = (RESULTS / "fidelity.md").read_text("utf-8")
#: A measured number with its interval, as the pages of results write them.
INTERVAL = re.compile(r"-?\d+\.\d+ to -?\d+\.\d+|-?\d+\.\d+(?: %)? ± \d+\.\d+")


def said(*phrases: str) -> None:
    assert [phrase for phrase in phrases if phrase not in TEXT] == []


def test_of_scotland_yard_the_page_says_what_the_code_has() -> None:
    settings, box = scotland_yard().settings, edition_of("classic")
    detective, hider = (
        ", ".join(map(str, tickets)) for tickets in (box.seeker_tickets, box.hider_tickets)
    )
    *first, last = box.reveals
    said(
        f"map of {STATIONS} vertices",
        f"on 6 of {START_COUNT} starts",
        f"tickets: {detective} for a detective; {hider} for Mister X, with "
        f"{settings['black_fares']} black fares and {settings['double_moves']} double moves",
        f"on rounds {', '.join(map(str, first))} and {last}; {settings['rounds']} rounds",
    )
    usual = offered.SEARCH
    most = search_agents.SIMULATIONS
    said(
        f"C = {usual['exploration']:g}, W = {usual['bias_weight']:g} (VI-A)",
        f"{most:,} when nothing is said; `simulations=10000`",
        f"{HIDER_EPSILON:g} for the hider and {SEEKER_EPSILON:g} for seekers",
        f"up to {MOST_WORLDS:,} locations are drawn",
        f"no black fare in the first {move_filtering.EARLY_ROUNDS} rounds",
        f"detailed table, threshold {categories.THRESHOLD} |",
        "weights counted from game records of expert players",
        f"mapped to (s - {evaluation.MIDDLE:g}) / (s + {evaluation.MIDDLE:g})",
        f"divided by {evaluation.FAR:,.0f}",
        f"{look_ahead_agents.NODES:,} positions when nothing is said",
        f"`information={usual['information']}`",
    )
    assert "minimum distance, 5 categories; average distance, 5; station, 4" in TEXT
    assert dict(categories.CATEGORIZATIONS) == {
        "minimum_distance": 5,
        "average_distance": 5,
        "station": 4,
    }
    # Where the text and the default part.
    plain = search_agents.SearchSettings()
    assert plain.r == 0.0
    assert (usual["playouts"], usual["credited"]) == ("total_now/chase", "negamax")
    assert not usual["by_availability"]
    assert not {"r", "simulations", "imagined"} & usual.keys()


def test_the_shares_of_categories_are_those_of_both_tables() -> None:
    for counted, whose in (
        (guesses.PAPER, "of the paper: "),
        (categories.shipped_categories(), "ours: "),
    ):
        table = counted.tables["minimum_distance"]
        shares = [was / could for was, could in zip(table.was, table.could, strict=True)]
        said(whose + ", ".join(f"{share:.3f}" for share in shares))
    moves = [
        sum(counted.tables["minimum_distance"].was) / 1_000
        for counted in (guesses.PAPER, categories.shipped_categories())
    ]
    said("counts add up to {:.1f} moves a game, ours to {:.1f}".format(*moves))
    assert categories.shipped_categories().card["games"] == 1_000


def test_of_cheat_the_page_says_what_the_code_has() -> None:
    paper, mixing = advice.PAPER, USUAL_MIXING
    said(
        f"eta = {mixing.most:g}, gamma = {mixing.least:g} |",
        f"d = {mixing.slowing:g}, discount 0.995, c = 0.0025 |",
        f"d = {paper['mixing_slowing']:g}, discount {paper['discount']:g}, "
        f"c = {paper['exploration']:g} on values from 0 to 1",
        f"`information={paper['information']}`: player and key",
        f"`imagined={paper['imagined']}`",
        f"P(Call) = {playouts.CALLS:g}",
        f"takes {playouts.TAKES:g} and lies {playouts.LIES:g} of claims",
        f"pile over {playouts.LARGE_PILE}, caught over {playouts.OFTEN_CAUGHT} times",
        f"{state.ACTIONS} abstract actions",
        f"{len(abstraction.ATTRIBUTES)} attributes (4.3)",
        f"{sum(abstraction.BITS)} bits are used",
        f"| {features.COUNT} features |",
        f"forest of {TREES} trees of depth {DEPTH}",
        f"FPMGA: told the truth {100 * cheat_agents.AGENTS['fpmga'].usual.right:.0f} times of 100",
    )
    assert {"forest", "tree", "svm", "network"} <= set(MODELS)
    # The text's algorithms are the default of its agents, and an option has what was ours at first.
    plain = cheat_agents.CheatSettings()
    for option in ("one_tree", "each_leaves", "counts_first", "excluded"):
        assert not getattr(plain, option)
        assert paper[option]
        said(f"`{option}=no`")
    assert cheat_agents.AGENTS["mga"].usual.predictor == "even"
    card = json.loads((ROOT / "data" / "cheat" / "truth.json").read_text("utf-8"))
    cold = card["scores"]["cold"]
    shares = ", ".join(f"{100 * cold[name]:.1f} %" for name in ("tpr", "tnr", "g_mean"))
    said(f"default one: {cold['auc']:.3f}, {shares} |")
    assert card["model"] == "boosting"


def test_of_clue_the_page_says_what_the_code_has() -> None:
    hunt = {field.name: field.default for field in fields(TreasureHunt)}
    weights, breadth = Weights(), Breadth()
    said(
        f"w_B = {weights.benefit:g} and w_D = {weights.distance:g}",
        f"horizon {hunt['horizon']} suggestions by default",
        f"within {breadth.cells} rooms and {breadth.questions} questions",
    )
    assert (hunt["dice"], hunt["exact"]) == (1, True)


def test_of_saboteur_the_page_says_what_the_code_has() -> None:
    scheme, step = Scheme(), Scheme().step
    played, preset = saboteur("paper"), PRESETS["paper"]
    width = int(played.tables.rules[0].width)
    worlds = len(role_worlds(preset["players"], preset["saboteurs"], spare=preset["spare"]))
    said(
        f"{preset['players']} players, {preset['saboteurs']} saboteurs for sure, {worlds} deals",
        f"board of {width} x {int(played.tables.rules[0].cells) // width} |",
        f"hand of {preset['hand']}",
        f"`ends={preset['ends']}`",
        f"`tools={preset['tools']}`",
        f"`placing={preset['placing']}`",
        f"`pay={preset['pay']}`",
        f"silent; {-scheme.threshold:g} below the best state, steps of {step:g} and {2 * step:g}",
        f"disbelief {AdditiveModel().factor:g} times stronger, or {scheme.factor:g} times",
        f"default factor {scheme.factor:g}",
        f"{scheme.pull:g} of a step",
        f"{CLOSE} cards missing to a goal",
        f"a miner's word is false {100 * SLIP:g} time of 100",
    )
    assert (scheme.saboteurs, scheme.depth, scheme.reading) == ("switching", 2, "both")
    assert scheme.relative


def test_a_link_to_code_is_called_by_its_file() -> None:
    links = re.findall(r"\[`([\w.]+\.(?:py|csv|json))`\]\(([^)#]+)\)", TEXT)
    assert len(links) > 100
    assert [(name, link) for name, link in links if Path(link).name != name] == []


@pytest.mark.parametrize("interval", sorted(set(INTERVAL.findall(TEXT))))
def test_an_interval_stands_on_a_page_of_results(interval: str) -> None:
    pages = (page for page in RESULTS.glob("*.md") if page.name != "fidelity.md")
    assert any(interval in page.read_text("utf-8") for page in pages), interval


def test_numbers_beside_each_other_are_those_of_the_tables() -> None:
    measured = (RESULTS / "scotland_yard.md").read_text("utf-8")
    number, interval = r" \d+\.\d \|", r" \d+\.\d to \d+\.\d \|"
    rows = re.findall(
        rf"^\| (?:IX|X) \| [^|]+ \|({number}{number}{interval} [^|]+\| [a-z]+ \|)$", TEXT, re.M
    )
    assert len(rows) == len(re.findall(r"^\| I?X \|", TEXT, re.M)) >= 12
    assert [row for row in rows if f"|{row}\n" not in measured] == []
