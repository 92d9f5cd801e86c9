"""Makes a page for every method, all alike: docs/methods/*.md, and the page that leads to them.

Run ``python docs/tools/make_method_pages.py`` after docs/beliefs/engines.md or a method has
changed. What engines do is read in that page: its tables are made of what they declare, and a test
holds both. Of the other methods stands here what their own pages say at length.
"""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import normpath, relpath
from typing import Final

DOCS: Final = Path(__file__).parents[1]
PAGES: Final = DOCS / "methods"
ENGINES: Final = "beliefs/engines.md"
ABOUT: Final = """\
Every method has a page like every other: what it is for, what it costs, when not to trust it, how
it is asked, and who found it. The pages of [engines](../beliefs/engines.md) and of [the
search](../search/index.md) say more, and set them beside each other."""
LINK = re.compile(r"\]\(([^)#\s]+\.md)")


@dataclass(frozen=True, kw_only=True)
class Method:
    """What is said of a method.

    Attributes:
        name: The name by which it is asked for.
        kind: The table that it stands in, a key of `KINDS`.
        purpose: What it is for, in a few words.
        text: How it works.
        cost: What it costs.
        uses: When to take it.
        doubts: When not to trust it, or when something else is better.
        program: How it is asked.
        source: Who found it.
        page: The page that says more, in docs/.
        supports: Typical problems, and what it says to each.
    """

    name: str
    kind: str
    purpose: str
    text: str
    cost: str = ""
    uses: str = ""
    doubts: str = ""
    program: str
    source: str
    page: str
    supports: tuple[tuple[str, str], ...] = ()


#: The kinds of methods, and what they are called.
KINDS: Final = {
    "exact": "Engines that answer exactly",
    "approximate": "Engines that approximate",
    "search": "Monte Carlo search",
    "ahead": "Looking ahead",
    "sound": "Sound play in small games",
    "judging": "Judging",
    "learning": "Learning",
}

COPIES: Final = """import sleuth

cards = sleuth.Deal({{"ace": 2, "king": 4}}, holders={{"me": 2, "you": 2, "table": 2}})
seen = [cards.holds("me", "king", 2)]
belief = sleuth.infer(
    sleuth.Model(cards),
    seen,
    method="{name}"{options},
)
aces = belief.marginal(cards.count("you", "ace"))
print(belief.method, "exact" if belief.exact else "approximate")
print({{count: round(chance, 2) for count, chance in aces.items()}})
"""
DISTINCT: Final = """import sleuth

cards = sleuth.Deal([str(n) for n in range(1, 53)], holders={{"me": 13, "others": 39}})
belief = sleuth.infer(sleuth.Model(cards), [cards.holds("me", "7")], method="{name}"{options})
print(belief.method, "exact" if belief.exact else "approximate")
print(round(belief.probability(cards.holder_of("8").equals("me")), 3))
"""
CHOICES: Final = """import sleuth

coins = [sleuth.Choice(f"coin {{number}}", {{"heads": 0.5, "tails": 0.5}}) for number in range(8)]
heads = sleuth.count_of([coin.value().equals("heads") for coin in coins])
seen = [heads.at_least(6)]
belief = sleuth.infer(
    sleuth.Model(*coins),
    seen,
    method="{name}"{options},
)
print(belief.method, "exact" if belief.exact else "approximate")
print(round(belief.probability(coins[0].value().equals("heads")), 2))
"""
WALKS: Final = """import sleuth

streets = {{1: [2, 3], 2: [1, 4], 3: [1, 4], 4: [2, 3]}}
thief = sleuth.Walk("thief", positions=streets, start=[1])
steps = [thief.step(thief.transition(streets)) for _ in range(2)]
belief = sleuth.infer(
    sleuth.Model(thief),
    steps,
    method="{name}"{options},
)
print(belief.method, "exact" if belief.exact else "approximate")
print(belief.marginal(thief.at()))
"""
PIECES: Final = """import sleuth

bricks = [sleuth.Choice(name, [(1, 2), (2, 3), (3, 4)]) for name in ("red", "blue")]
belief = sleuth.infer(
    sleuth.Model(*bricks),
    sleuth.disjoint(bricks),
    method="{name}"{options},
)
print(belief.method, "exact" if belief.exact else "approximate")
print(belief.marginal(bricks[0]))
"""
#: The problems that engines are shown with which are for something special.
SHOWN: Final = {
    "symmetry": DISTINCT,
    "forward_filter": WALKS,
    "junction_tree": CHOICES,
    "gibbs": CHOICES,
    "exact_cover": PIECES,
}

AGENT: Final = """import sleuth

leduc = sleuth.game("leduc_poker")
play = sleuth.Play.new(leduc, seed=1)
player = sleuth.agent("{name}:simulations=2000", leduc, seed=7)
action = player.decide(play.view(0), play.seen_by(0))
print(action in play.view(0).legal())
"""
SELECTION: Final = """import sleuth
from sleuth.games.small import tic_tac_toe

view = sleuth.Play.new(tic_tac_toe(), seed=0).view(0)
decision = sleuth.Search(tic_tac_toe(){options}).decide(
    view,
    budget=sleuth.Budget(simulations=5_000),
)
print(decision.name)
"""
LOOK: Final = """from sleuth import Play
from sleuth.games.small import tic_tac_toe
from sleuth.search import {name}, Limits

play = Play.new(tic_tac_toe(), seed=0)
for square in (0, 8):
    play.apply(square)
found = {name}(tic_tac_toe()).decide(play.view(0), limits=Limits(depth={depth}))
print(found.name, round(found.value, 3))
"""
COWLING: Final = (
    'Cowling, Powley and Whitehouse (2012), "Information set Monte Carlo tree search", IEEE '
    "Transactions on Computational Intelligence and AI in Games."
)

METHODS: Final = (
    Method(
        name="mcts",
        kind="search",
        purpose="one tree over worlds drawn from the belief; the usual agent",
        text="Each simulation takes a world that was drawn from the belief, goes down the one tree "
        "of what its player can see, adds a node, plays on to the end, and backs up what was won. "
        "Likely worlds are drawn more often.",
        cost="A budget ends it: simulations, seconds, or nodes. How many simulations a second "
        "that are was [measured](../results/search_speed.md) for each game.",
        doubts="It plays well against players like those that it imagines, and not an equilibrium: "
        "in Kuhn poker it stays 1/6 away from one, however long it thinks.",
        program=AGENT.format(name="mcts"),
        source=COWLING,
        page="search/index.md",
    ),
    Method(
        name="players",
        kind="search",
        purpose="a tree for each player, so that others do not know what the searcher knows",
        text="Every player has a tree of their own, over what they can see; a simulation goes down "
        "all of them at once. Others choose without knowing the searcher's cards, or their own "
        "world being the true one.",
        cost="As `mcts`, and some more for each further tree.",
        doubts="As `mcts`: it is no equilibrium either.",
        program=AGENT.format(name="players"),
        source=f"Multiple-observer search: {COWLING}",
        page="search/information.md",
    ),
    Method(
        name="vote",
        kind="search",
        purpose="a tree for each drawn world, which vote",
        text="Each world is searched as if it were seen, and each tree votes for its best move.",
        cost="The budget is shared by the trees.",
        doubts="A tree that sees everything never pays for information, and plans as if it will "
        "know later what it cannot know: strategy fusion (Frank and Basin 1998).",
        program=AGENT.format(name="vote"),
        source="Nijssen and Winands (2012), section IV-B; determinization as in Ginsberg (2001), "
        '"GIB: imperfect information in a computationally challenging game".',
        page="search/determinization.md",
    ),
    Method(
        name="average",
        kind="search",
        purpose="a tree for each drawn world, whose values are averaged",
        text="As `vote`, but what is averaged are the values of the moves.",
        cost="The budget is shared by the trees.",
        doubts="As `vote`: strategy fusion.",
        program=AGENT.format(name="average"),
        source="Nijssen and Winands (2012), section IV-B.",
        page="search/determinization.md",
    ),
    Method(
        name="uniform",
        kind="search",
        purpose="worlds that are possible, each equally often: what is likely plays no part",
        text="As `mcts`, but over all possible worlds alike. It shows what a belief is worth.",
        cost="As `mcts`.",
        doubts="Almost always: it is there to be compared with.",
        program=AGENT.format(name="uniform"),
        source=COWLING,
        page="search/determinization.md",
    ),
    Method(
        name="semi",
        kind="search",
        purpose="the last hidden action laid open in each way, a tree for each",
        text="What is not known for sure of the last hidden action, such as whether a claim was a "
        "lie, is decided in each way; each has a tree whose worlds agree in it, and the trees "
        "count by how likely their way is.",
        cost="The budget is shared by the ways.",
        doubts="Where the last action hides nothing it is `mcts`.",
        program="""import sleuth

cheat = sleuth.game("cheat", ranks=6, suits=3, hand=5)
play = sleuth.Play.new(cheat, seed=1)
play.apply(int(play.legal()[0]))
player = sleuth.agent("semi:simulations=50", cheat, seed=7)
action = player.decide(play.view(1), play.seen_by(1))
print(action in play.view(1).legal())
""",
        source='Bitan and Kraus (2018), "Combining prediction of human decisions with ISMCTS in '
        'imperfect information games".',
        page="search/determinization.md",
    ),
    Method(
        name="uct",
        kind="search",
        purpose="which action a search tries next: the usual rule",
        text="The action with the highest average plus C sqrt(ln N / n), for n visits of N that "
        "could have taken it. Actions never taken come first.",
        cost="A look at each legal action at each node.",
        doubts="With many actions and few simulations it tries each once, and no more: see "
        "[few of many actions](../search/selection.md#few-of-many-actions).",
        program=SELECTION.format(options=""),
        source='Kocsis and Szepesvari (2006), "Bandit based Monte-Carlo planning".',
        page="search/selection.md",
    ),
    Method(
        name="progressive_history",
        kind="search",
        purpose="which action is tried next: what is known of it from elsewhere counts as well",
        text="UCT plus a term for how good the action was in all simulations, wherever it was "
        "taken. The term fades as the action is visited here.",
        cost="As `uct`, and one table for all actions.",
        doubts="Where an action is good in one place and bad in another.",
        program=SELECTION.replace(
            "\n\n", "\nfrom sleuth.search import progressive_history\n\n", 1
        ).format(options=", selection=progressive_history, history=True"),
        source='Nijssen and Winands (2012), "Monte Carlo tree search for the hide-and-seek game '
        'Scotland Yard", formula 1.',
        page="search/selection.md",
    ),
    Method(
        name="AlphaBeta",
        kind="ahead",
        purpose="every line to a certain depth, all others being one enemy",
        text="Depth by depth, with killer moves and a history of what was good. The player and "
        "their allies maximise, everybody else minimises. Dice are drawn once at each node.",
        cost="Exponential in the depth; of b moves a ply about the square root of b remain where "
        "the best are tried first.",
        doubts="Where something is hidden it looks into drawn worlds as if they were seen, and "
        "hopes to know later which is true: strategy fusion (Frank and Basin 1998).",
        program=LOOK.format(name="AlphaBeta", depth=9),
        source='Knuth and Moore (1975), "An analysis of alpha-beta pruning"; Sturtevant and Korf '
        '(2000), "On pruning techniques for multi-player games".',
        page="search/looking-ahead.md",
    ),
    Method(
        name="Expectimax",
        kind="ahead",
        purpose="every line to a certain depth, others being chance",
        text="As `AlphaBeta`, but what others do is averaged, all alike or by a weight.",
        cost="Nearly all lines are looked at.",
        doubts="Against players who choose well: it hopes for their mistakes.",
        program=LOOK.format(name="Expectimax", depth=9),
        source='Michie (1966), "Game-playing and game-learning automata".',
        page="search/looking-ahead.md",
    ),
    Method(
        name="AskingAhead",
        kind="ahead",
        purpose="which question to ask when another may follow",
        text="What a question tells, and what the best question after each of its answers tells: "
        "an exact look at the posterior, one or two steps ahead.",
        cost="The answers of a question times the questions after it; the best of the first step "
        "are looked at further.",
        doubts="Where what one does also wins or loses something: then a search with an objective.",
        program="""import sleuth
from sleuth.search import AskingAhead

number = sleuth.Choice("number", range(8))
questions = {
    least: sleuth.Question(number, {value: {value >= least: 1.0} for value in range(8)})
    for least in range(1, 8)
}
belief = sleuth.infer(sleuth.Model(number))
asked = AskingAhead(steps=2).choose(belief, questions, about=number)
print(asked.code, round(asked.gain, 3))
""",
        source='Lindley (1956), "On a measure of the information provided by an experiment".',
        page="search/looking-ahead.md",
    ),
    Method(
        name="equilibrium",
        kind="sound",
        purpose="an equilibrium of a small two-player zero-sum game",
        text="CFR+: at every information set regrets are added up, never below zero, and played in "
        "proportion; the average of what was played comes near an equilibrium.",
        cost="All of the game's tree, again and again: Kuhn poker in moments, Leduc in seconds.",
        doubts="In games that do not fit into memory as a tree, and with more than two players.",
        program="""import sleuth
from sleuth.equilibria import GameTree, equilibrium, exploitability

tree = GameTree(sleuth.game("kuhn_poker"))
balanced = exploitability(tree, equilibrium(tree, iterations=300))
print(f"value {balanced.values[0]:.3f}", balanced.exploitability < 0.002)
""",
        source='Tammelin (2014), "Solving large imperfect information games using CFR+"; Zinkevich '
        "and others (2007).",
        page="search/exploitability.md",
    ),
    Method(
        name="exploitability",
        kind="sound",
        purpose="what a best response wins from a policy, exactly",
        text="The best response to the others is found backwards through the tree, information set "
        "by information set. Where nobody gains, the policies are an equilibrium.",
        cost="Once through the tree for each player.",
        doubts="It says how a policy does against the worst opponent, not against yours.",
        program="""import sleuth
from sleuth.equilibria import GameTree

tree = GameTree(sleuth.game("kuhn_poker"))
print(round(sleuth.exploitability(tree, tree.uniform_policy()).exploitability, 4))
""",
        source='Lanctot and others (2017), "A unified game-theoretic approach to multiagent '
        'reinforcement learning", for NashConv.',
        page="search/exploitability.md",
    ),
    Method(
        name="restricted_response",
        kind="sound",
        purpose="to win from a known weakness without being open to much oneself",
        text="An equilibrium of the game in which the opponent plays the known policy with some "
        "share, and anything else. The share says how far the model is trusted.",
        cost="That of `equilibrium`, for each share.",
        doubts="Where the model is of another population: `share` says how much that can cost.",
        program="""import sleuth
from sleuth.equilibria import GameTree, restricted_response

tree = GameTree(sleuth.game("kuhn_poker"))
response = restricted_response(tree, tree.uniform_policy(), share=0.2, iterations=200)
print(round(sleuth.exploitability(tree, response).exploitability, 3))
""",
        source='Johanson, Zinkevich and Bowling (2007), "Computing robust counter-strategies".',
        page="search/exploitability.md",
    ),
    Method(
        name="compare",
        kind="judging",
        purpose="several engines on one problem, beside the exact answer",
        text="Every method answers the same, and is measured against the exact one: KL, total "
        "variation, the largest error of a marginal, effective samples, R-hat, seconds, memory.",
        cost="That of the methods.",
        doubts="One problem is one problem: take several, of those that you have.",
        program="""import sleuth

cards = sleuth.Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
found = sleuth.compare(
    sleuth.Model(cards),
    methods=["enumeration", "likelihood_weighting"],
    samples=500,
    isolate=False,  # in this process: quick, but its seconds and memory are not honest
)
print([each.name for each in found.results])
""",
        source="The measures' own: Kullback and Leibler (1951); R-hat in Vehtari and others "
        "(2021).",
        page="beliefs/comparing.md",
    ),
    Method(
        name="calibrate",
        kind="judging",
        purpose="is what a model gives 30 % true 30 % of the time?",
        text="Hidden values and answers are drawn from the declaration, the posterior is asked, "
        "and what it says is set beside what was drawn.",
        cost="An inference for each simulated game.",
        doubts="It finds wrong inference, not a wrong model: people may behave otherwise.",
        program="""import sleuth

weather = sleuth.Choice("weather", {"rain": 0.3, "sun": 0.7})
wet = weather.value().equals("rain")
chances = {True: {"wet": 0.9, "dry": 0.1}, False: {"wet": 0.2, "dry": 0.8}}
grass = sleuth.Question(wet, lambda rains: chances[rains], name="is the grass wet?")
print(type(sleuth.calibrate(sleuth.Model(weather), [grass], games=100, seed=1)).__name__)
""",
        source='Talts and others (2018), "Validating Bayesian inference algorithms with '
        'simulation-based calibration".',
        page="beliefs/comparing.md",
    ),
    Method(
        name="reliability",
        kind="judging",
        purpose="any probabilities, beside what happened",
        text="Predictions are put into bins by what they say; each bin has how often it was true, "
        "with an interval.",
        cost="None to speak of.",
        doubts="With few predictions: the intervals say how few.",
        program="""import sleuth

found = sleuth.reliability([0.2, 0.2, 0.9, 0.9], [0, 0, 1, 1], bins=5)
print(round(found.expected_error, 3))
""",
        source='Murphy and Winkler (1977), "Reliability of subjective probability forecasts"; '
        "Naeini and others (2015) for the expected error.",
        page="beliefs/comparing.md",
    ),
    Method(
        name="check_belief",
        kind="judging",
        purpose="does a belief of a game say what plays bear out, and does nothing leak?",
        text="Random plays are watched with the eyes of all players: what is certain is true, "
        "worlds fit what was seen, chances are borne out, and what a player cannot see changes "
        "nothing. `check_game` and `check_agent` do so for rules and for agents.",
        cost="The [table of the shelf](../shelf/index.md) has the seconds of eight games.",
        doubts="Random plays are not those of people.",
        program="""import sleuth

kuhn = sleuth.game("kuhn_poker")
sleuth.check_belief(kuhn, sleuth.belief(kuhn), plays=5)
print("as plays bear out")
""",
        source="The checks are sleuth's own; each says what it found and where.",
        page="your-own-game.md",
    ),
    Method(
        name="train",
        kind="learning",
        purpose="what an opponent is likely to do, learned from recorded games",
        text="Rows are made of what players could see, and nothing else. Models are judged on "
        "players whom they have never met, with intervals over players, and on whether what "
        "they say to be 70 % likely is so.",
        cost="That of the estimator; making rows takes an inference for each moment that is asked "
        "about.",
        doubts="On another kind of players: the report says on whom it was judged.",
        program="""import sleuth

training = sleuth.train("cheat", simulate=4, models=["logistic"], folds=2, seed=1)
print(training.target, len(training.rows) > 100)
""",
        source="scikit-learn's estimators; Brier (1950) and Good (1952) for the scores.",
        page="training.md",
    ),
)


def text_of(page: str) -> str:
    """The text of a page of docs/."""
    return (DOCS / page).read_text("utf-8")


@cache
def engines() -> tuple[Method, ...]:
    """The engines, as their page and its tables have them."""
    page = text_of(ENGINES)
    tables = {
        mark: re.search(rf"<!-- {mark} -->\n\n(.*?)\n\n?<!-- end -->", page, re.DOTALL)
        for mark in ("engines", "support")
    }
    listed, support = (found[1] if (found := tables[mark]) else "" for mark in tables)
    return tuple(
        _engine(name.strip("`"), kind, purpose, page, support)
        for name, kind, purpose in (cells(line) for line in listed.splitlines()[2:])
    )


def _engine(name: str, kind: str, purpose: str, page: str, support: str) -> Method:
    """One engine; its paragraph has parts for what it costs and who found it."""
    found = re.search(rf"^\*\*{name}\*\* (.*?)(?=\n\n)", page, re.MULTILINE | re.DOTALL)
    assert found is not None, f"{ENGINES} has no paragraph about {name}"
    said = " ".join(found[1].split())
    parts = {"text": f"`{name}` {said}"}
    marks = {"When to use it": "uses", "Cost": "cost", "Watch": "doubts", "Source": "source"}
    pieces = re.split(r"\*(When to use it|Cost|Watch|Source):\*", said)
    parts["text"] = f"`{name}` {pieces[0].strip()}"
    for mark, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        what = {"When to use it": "Use it for ", "Watch": "Watch "}.get(mark, "")
        parts[marks[mark]] = sentence(what + piece.strip())
    options = "" if kind == "exact" else ",\n    samples=2000,\n    seed=1"
    return Method(
        name=name,
        kind=kind,
        purpose=purpose,
        text=moved(parts["text"], ENGINES),
        cost=moved(parts.get("cost", ""), ENGINES),
        uses=moved(parts.get("uses", ""), ENGINES),
        doubts=moved(parts.get("doubts", ""), ENGINES),
        source=parts["source"],
        program=SHOWN.get(name, COPIES).format(name=name, options=options),
        page=ENGINES,
        supports=tuple(supported(name, support)),
    )


def sentence(text: str) -> str:
    """Text that begins with a capital, and sends nobody to a file of the house."""
    return re.sub(r"; see the head of `[^`]+`", "", text[0].upper() + text[1:])


def supported(name: str, support: str) -> list[tuple[str, str]]:
    """Typical problems, and what an engine says to each."""
    table, _, listed = support.partition("\n\n")
    notes = {line.partition(". ")[0]: line.partition(". ")[2] for line in listed.splitlines()}
    head, _, *rows = (cells(line) for line in table.splitlines())
    column = head.index(f"`{name}`") if f"`{name}`" in head else len(head) - 1
    found: list[tuple[str, str]] = []
    for row in rows:
        usual, *others = row[column].split("; ")
        own = dict(each.replace("`", "").split(": ") for each in others)
        said = own.get(name, usual)
        number = re.search(r" \((\d+)\)", said)
        found.append((row[0], f"no: {notes[number[1]]}" if number else said))
    return found


def cells(line: str) -> list[str]:
    """The cells of a row of a table."""
    return [each.strip() for each in line.strip().strip("|").split(" | ")]


def moved(text: str, page: str) -> str:
    """Text of a page with links that lead from docs/methods to the same pages."""

    def lead(match: re.Match[str]) -> str:
        there = normpath((Path(page).parent / match[1]).as_posix())
        return f"]({relpath(there, 'methods')}"

    return LINK.sub(lead, text)


def methods() -> tuple[Method, ...]:
    """All methods, engines first."""
    return (*engines(), *METHODS)


def file_of(method: Method) -> str:
    """The name of the file of a method's page."""
    return f"{method.name.lower()}.md"


def printed(program: str) -> str:
    """All that a program prints."""
    found = io.StringIO()
    with contextlib.redirect_stdout(found):
        exec(compile(program, "example", "exec"), {})
    return found.getvalue()


def wrapped(text: str) -> str:
    """Text in lines of a page."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def page_of(method: Method) -> str:
    """The page of a method."""
    rows = "\n".join(f"| {problem} | {said} |" for problem, said in method.supports)
    program = method.program
    parts = [
        f"# {method.name}",
        wrapped(f"{KINDS[method.kind]}: {method.purpose}."),
        "## The idea",
        wrapped(method.text),
        *(["## What it costs", wrapped(method.cost)] if method.cost else []),
        *(["## When to take it", wrapped(method.uses)] if method.uses else []),
        *(["## When not to trust it", wrapped(method.doubts)] if method.doubts else []),
        *(
            [
                "## Which problems it takes",
                "As it answers when it is asked for its cost of typical problems:",
                f"| problem | |\n|---|---|\n{rows}",
            ]
            if rows
            else []
        ),
        "## How it is asked",
        f"```python\n{program}```",
        f"```output\n{printed(program)}```",
        "## Source",
        wrapped(method.source),
        "## Read on",
        f"- [the page that says more](../{method.page})\n- [all methods](index.md)",
    ]
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """The page that leads to all methods."""
    parts = ["# Methods", ABOUT]
    for kind, called in KINDS.items():
        rows = [
            f"| [`{each.name}`]({file_of(each)}) | {each.purpose} |"
            for each in methods()
            if each.kind == kind
        ]
        parts += [f"## {called}", "| method | for |\n|---|---|\n" + "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


def made() -> dict[str, str]:
    """All pages, by the names of their files in docs/."""
    return {f"methods/{file_of(each)}": page_of(each) for each in methods()} | {
        "methods/index.md": index()
    }


def main() -> None:
    """Write the pages."""
    PAGES.mkdir(exist_ok=True)
    for file, page in made().items():
        (DOCS / file).write_text(page, "utf-8")


if __name__ == "__main__":
    main()
