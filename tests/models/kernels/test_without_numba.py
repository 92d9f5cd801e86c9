"""Without numba everything answers as plain Python: the same, more slowly, and it says so once."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.resources import as_file, files
from typing import Any

from sleuth import game
from sleuth.models.game import KERNELS

#: Hides numba and what it brings, as if they were not installed.
BLOCK = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise {error}
sys.meta_path.insert(0, Blocked())
"""
ABSENT = BLOCK.format(error="ModuleNotFoundError(f'No module named {name!r}', name=name)")

ANSWERS = """
import json, sys
import sleuth.beliefs
libraries = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
from sleuth import Budget, Deal, Model, Play, Question, Search, belief as belief_of, game, infer
from sleuth.agents import drawn_from
from sleuth.search import AlphaBeta, Limits

cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
belief = infer(Model(cards), given=[cards.holds("me", "king", 2, because="my hand")])
answers = [belief.method, belief.marginal(cards.count("you", "ace")), belief.log_evidence]
belief = belief.observe(cards.lacks("you", "ace", because="you passed"))
answers.append(belief.explain(cards.count("table", "ace").equals(2)))
places = Deal(list("abcdefg"), holders={"me": 3, "you": 3, "table": 1})
belief = infer(Model(places), given=[places.holds_any("you", ["a", "b"]), places.holds("me", "c")])
answers += [belief.method, belief.marginal(places.holder_of("a"))]
answers.append(belief.entropy(places.holder_of("d")))
asked = Question(places.holder_of("a"), lambda holder: {holder: 1.0}, name="who has it?")
answers.append(belief.information_gain(asked, about=places.holder_of("b")))

leduc = game("leduc_poker")
play, knows = Play.new(leduc, seed=1), belief_of(leduc)
view = play.view(0)
draw = drawn_from(knows, knows.infer(view, play.seen_by(0)))
decision = Search(leduc).decide(view, draw, Budget(simulations=60), seed=3)
answers.append([[each.name, each.visits, each.value] for each in decision.actions])
ahead = AlphaBeta(leduc, worlds=3).decide(view, draw, Limits(depth=2), seed=3)
answers.append([ahead.action, ahead.value, ahead.nodes])
"""


def run(script: str, *arguments: Any) -> tuple[Any, str]:
    """What a process answers, and what it says."""
    ran = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), ran.stderr


def answers_here() -> Any:
    scope: dict[str, Any] = {}
    exec(ANSWERS, scope)
    return json.loads(json.dumps(scope["answers"]))


def test_without_numba_the_answers_are_the_same_and_it_is_said_once_what_it_would_gain() -> None:
    program = ANSWERS.replace("cards = ", "from sleuth.models.kernels import at_hand\ncards = ", 1)
    program += (
        "from sleuth.models.kernels.compiling import waiting\n"
        "at_hand.LONG = 0.0\n"
        "with waiting():\n    Search(leduc).decide(view, draw, Budget(simulations=10))\n"
        "print(json.dumps([sorted(libraries), 'numba' in sys.modules, answers]))\n"
    )
    (libraries, loaded, answers), said = run(ABSENT + program)
    needed = {"sleuth", "numpy", "pydantic"}
    # What an editable install and the interpreter bring in by themselves begins with "_".
    assert {name for name in libraries if name[0] != "_"} - {"sitecustomize"} <= needed
    assert not loaded
    assert answers == answers_here()
    assert said.count("numba is not installed") == said.count("\n") == 1
    assert "times as fast (pip install numba)" in said


def test_a_short_answer_says_nothing_of_numba() -> None:
    script = ABSENT + ANSWERS.partition("leduc = ")[0] + "print(json.dumps(answers))\n"
    _, said = run(script)
    assert said == ""


def test_a_numba_that_cannot_be_loaded_counts_as_absent_and_the_reason_is_said() -> None:
    refused = BLOCK.format(error='ImportError("Numba needs NumPy 2.4 or less")')
    script = (
        "import json\nfrom sleuth.models.kernels.at_hand import NUMBA, say_what_it_gains\n"
        "say_what_it_gains(), say_what_it_gains()\nprint(json.dumps(NUMBA is None))\n"
    )
    absent, said = run(refused + script)
    assert absent
    assert said.startswith("numba cannot be loaded (Numba needs NumPy 2.4 or less): all is")
    assert said.count("\n") == 1


ANALYSED = """
import contextlib, io, json, sys
from sleuth.kit import main
with contextlib.redirect_stdout(io.StringIO()) as said:
    main(["analyse", sys.argv[1], "--json"])
found = json.loads(said.getvalue())
for each in found["timeline"]:
    del each["seconds"]
print(json.dumps(found))
"""


def test_without_numba_a_record_is_analysed_alike() -> None:
    with as_file(files("sleuth.data") / "clue" / "games" / "plum_game2.json") as record:
        assert run(ABSENT + ANALYSED, record) == run(ANALYSED, record)


def test_without_numba_a_game_names_its_kernels_all_the_same() -> None:
    assert tuple(game("kuhn_poker").signatures) == KERNELS


def test_without_numba_a_game_keeps_its_contract() -> None:
    script = (
        "import json\nfrom sleuth.models.games import game\n"
        "from sleuth.planners.checking.conformance import check_game\n"
        "found = check_game(game('kuhn_poker'), plays=3)\n"
        "print(json.dumps([found.plays, sorted(found.checks)]))\n"
    )
    (plays, checks), _ = run(ABSENT + script)
    assert plays == 3
    assert "compiled" not in checks
