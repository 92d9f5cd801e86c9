"""Kernels compile once, are found again by other processes, and are never stale."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
import pytest

from sleuth import kernel
from sleuth.models.game import no_key
from sleuth.models.kernels import kernel as kernel_module
from sleuth.models.kernels.by_address import linked
from sleuth.models.kernels.disk.cache import SourceCache
from sleuth.models.kernels.kernel import kernel_statistics, plain

from .warm_python import start, without_numba

HELPER = """
from ..models.kernels.kernel import kernel
STEP = {step}
@kernel
def step(x):
    return x + STEP
"""

KERNELS = """
import json
from pathlib import Path
import numpy as np
from ..models.kernels.kernel import kernel
from .helper import step
BOARD = np.array(json.loads((Path(__file__).parent / "board.json").read_text()))
@kernel
def total(values):
    result = values[0] * 0
    for value in values:
        result += step(value)
    return result
@kernel
def on_board(position):
    return BOARD[position]
"""

CALL = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import numpy as np
    from game.beliefs.kernels import total, on_board
    from game.models.kernels.kernel import kernel_statistics
    result = [int(total(np.arange(3))), int(on_board(1))]
found = [kernel_statistics(total), kernel_statistics(on_board)]
print(json.dumps({
    "result": result,
    "loaded": sum(each.loaded for each in found),
    "compiled": sum(each.compiled for each in found),
    "folder": found[0].folder,
    "warnings": [str(each.message) for each in caught],
    "files": [each.filename for each in caught],
}))
"""


WITHOUT_RECORDS = shutil.ignore_patterns("__pycache__", "clue", "cheat", "scotland_yard")


@dataclass
class Game:
    """A small package with a helper, a table on disk and the project's own kernel decorator."""

    root: Path
    cache: Path

    def __post_init__(self) -> None:
        for folder in ("models", "beliefs", "planners"):
            (self.root / "game" / folder).mkdir(parents=True)
        source = Path(kernel_module.__file__).parent
        for room in ("models/kernels", "data"):
            shutil.copytree(
                source.parents[1] / room, self.root / "game" / room, ignore=WITHOUT_RECORDS
            )
        self.write("beliefs/helper.py", HELPER.format(step=1))
        self.write("beliefs/kernels.py", KERNELS)
        self.write("beliefs/board.json", "[10, 20, 30]")

    def write(self, name: str, text: str) -> None:
        (self.root / "game" / name).write_text(text)

    def start(self, script: str = CALL, **environment: str) -> Any:
        return start(script, environment=self.environment(environment), folder=self.root)

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        return {
            **without_numba(os.environ),
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
            "SLEUTH_CACHE_DIR": str(self.cache),
            **more,
        }

    def run(self, script: str = CALL, **environment: str) -> Any:
        process = self.start(script, **environment)
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        return json.loads(output)

    def run_anew(self, script: str = CALL, **environment: str) -> Any:
        """The same in a new interpreter."""
        output = subprocess.check_output(
            [sys.executable, "-c", script], env=self.environment(environment), cwd=self.root
        )
        return json.loads(output)

    def stored(self) -> list[Path]:
        return sorted(self.cache.rglob("*.bin"))


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(root=tmp_path / "sources", cache=tmp_path / "cache")


def test_a_second_process_loads_what_the_first_compiled(game: Game) -> None:
    first, second = game.run_anew(), game.run_anew()
    assert first["result"] == second["result"] == [6, 20]
    assert (first["loaded"], first["compiled"]) == (0, 2)
    assert (second["loaded"], second["compiled"]) == (2, 0)
    assert first["warnings"] == second["warnings"] == []


def test_what_a_call_compiled_a_signature_finds(game: Game) -> None:
    game.run(CALL)
    found = game.run(
        "import json\nfrom numba import int64\nfrom game.beliefs.helper import step\n"
        "from game.models.kernels.kernel import kernel_statistics\n"
        "step.compile(int64(int64))\n"
        "found = kernel_statistics(step)\n"
        "print(json.dumps([found.loaded, found.compiled]))\n"
    )
    assert found == [1, 0]


def test_what_returns_something_else_is_compiled_anew(game: Game) -> None:
    game.run(CALL)
    found = game.run(
        "from numba import float64, int64\nfrom game.beliefs.helper import step\n"
        "step.compile(float64(int64))\n"
        "print(repr(step(1)))\n"
    )
    assert isinstance(found, float)


def test_editing_a_helper_in_another_file_changes_the_result(game: Game) -> None:
    assert game.run()["result"] == [6, 20]
    game.write("beliefs/helper.py", HELPER.format(step=100))
    assert game.run()["result"] == [303, 20]


def test_editing_a_file_that_a_kernel_does_not_reach_compiles_nothing(game: Game) -> None:
    game.write("beliefs/other.py", HELPER.format(step=7))
    game.run()
    game.write("beliefs/other.py", HELPER.format(step=8))
    again = game.run()
    assert (again["loaded"], again["compiled"]) == (2, 0)


RULES = """
from ..models.kernels.kernel import kernel
@kernel
def move(x):
    return x + {step}
"""

SEARCH = """
from ..models.kernels.kernel import kernel
@kernel
def search(move, count):
    total = 0
    for number in range(count):
        total = move(total)
    return total
@kernel
def best(values):
    return values.max()
"""

SEARCH_BOTH = """
import json
from numba import int64, types
from game.beliefs import chess, go, search
from game.models.kernels.by_address import linked
from game.models.kernels.kernel import kernel_statistics
found = {}
for name, rules in (("chess", chess), ("go", go)):
    signature = int64(linked(rules.move, int64(int64)), int64)
    search.search.compile(signature)
    found[name] = search.search.overloads[signature.args].entry_point(rules.move, 10)
search.best.compile(int64(types.Array(int64, 1, "C")))
for kernel in (search.search, search.best, chess.move, go.move):
    each = kernel_statistics(kernel)
    found[f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"] = [each.loaded, each.compiled]
print(json.dumps(found))
"""


def test_other_rules_of_one_game_compile_nothing_of_another_game(game: Game) -> None:
    game.write("beliefs/search.py", SEARCH)
    game.write("beliefs/chess.py", RULES.format(step=1))
    game.write("beliefs/go.py", RULES.format(step=2))
    first = game.run(SEARCH_BOTH)
    assert (first["chess"], first["go"]) == (10, 20)
    assert first["game.beliefs.search.search"] == [0, 2]
    game.write("beliefs/go.py", RULES.format(step=3))
    again = game.run(SEARCH_BOTH)
    assert (again["chess"], again["go"]) == (10, 30)
    assert again["game.beliefs.search.search"] == [1, 1]  # the search of the other game is there
    assert again["game.beliefs.search.best"] == [1, 0]
    assert again["game.beliefs.chess.move"] == [0, 0]  # it is a part of that search
    assert again["game.beliefs.go.move"] == [0, 1]


def test_a_table_that_changes_on_disk_changes_the_result(game: Game) -> None:
    assert game.run()["result"] == [6, 20]
    game.write("beliefs/board.json", "[10, 21, 30]")
    again = game.run()
    assert again["result"] == [6, 21]
    assert again["loaded"] == 1  # the kernel that does not name the table


SEEN = """
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple
import numba
import numpy as np
from ..models.kernels.kernel import kernel
from .numbers import BLUE, FACTOR, TIMES
from .between import deep
from .helper import plainer
TABLE = np.loadtxt(Path(__file__).parent / "table.csv", dtype=np.int64)
class Named(NamedTuple):
    table: np.ndarray
    number: int
class Color(IntEnum):
    RED = BLUE
PAIR, NAMED = (TABLE, 3), Named(TABLE, 5)
@kernel
def seen(x):
    def inner(y):
        return y * TIMES
    numbers = [FACTOR * i for i in range(x)]
    return PAIR[0][x], NAMED.table[x], Color.RED + x, deep(x), plainer(x), numbers[1], inner(x)
"""

SEEN_HELPER = """
import numba
from numba.extending import register_jitable
@numba.njit
def deeper(x):
    return x + {step}
@register_jitable
def plainer(x):
    return x + {step}
"""

BETWEEN = """
import numba
from .helper import deeper
@numba.njit
def deep(x):
    return deeper(x)
"""

CALL_SEEN = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from game.beliefs.seen import seen
    from game.models.kernels.kernel import kernel_statistics
    result = [int(each) for each in seen(2)]
found = kernel_statistics(seen)
print(json.dumps([result, found.loaded, found.compiled, [str(each.message) for each in caught]]))
"""


def test_what_a_kernel_sees_by_whatever_way_changes_the_result(game: Game) -> None:
    """Tables in tuples, enums, helpers that numba compiles, names in inner functions."""
    game.write("beliefs/seen.py", SEEN)
    game.write("beliefs/between.py", BETWEEN)
    for number in (1, 2):
        game.write("beliefs/table.csv", f"0\n0\n{number}\n")
        game.write("beliefs/numbers.py", f"BLUE = {number}\nFACTOR = {number}\nTIMES = {number}\n")
        game.write("beliefs/helper.py", SEEN_HELPER.format(step=number))
        answers = [number, number, number + 2, number + 2, number + 2, number, 2 * number]
        assert game.run(CALL_SEEN) == [answers, 0, 1, []]
    assert game.run(CALL_SEEN) == [answers, 1, 0, []]


def test_a_kernel_that_sees_what_nobody_can_follow_is_not_kept_and_a_warning_says_why(
    game: Game,
) -> None:
    game.write(
        "beliefs/seen.py",
        "import numba\nimport numpy as np\nfrom ..models.kernels.kernel import kernel\n"
        "@numba.vectorize\ndef twice(x):\n    return 2 * x\n"
        "@kernel\ndef seen(x):\n    return np.array([twice(x), 3])\n",
    )
    for _ in range(2):
        (result, loaded, compiled, (warning,)) = game.run(CALL_SEEN)
        assert (result, loaded, compiled) == ([4, 3], 0, 1)
        assert "'seen' is compiled in every process" in warning
        assert "twice, a value of the type DUFunc" in warning
    assert not [path for path in game.stored() if "seen" in path.name]


def test_code_edited_after_import_is_not_stored_as_the_new_code(game: Game) -> None:
    edit = "from pathlib import Path; import game.beliefs.kernels; "
    edit += f"Path('game/beliefs/helper.py').write_text({HELPER.format(step=100)!r})\n"
    assert game.run(edit + CALL)["result"] == [6, 20]
    (stored,) = game.stored()
    assert "on_board" in stored.name  # the one that does not call the helper
    assert game.run()["result"] == [303, 20]


def test_damaged_files_are_compiled_anew(game: Game) -> None:
    game.run()
    short, changed = (path for path in game.stored() if "step" not in path.name)
    short.write_bytes(short.read_bytes()[:100])
    content = bytearray(changed.read_bytes())
    content[len(content) // 2] ^= 1
    changed.write_bytes(content)
    again = game.run()
    assert again["result"] == [6, 20]
    assert again["compiled"] == 2


def others_own(path: Path, how: str) -> None:
    """A stored kernel that somebody else could have written."""
    if how == "others can write to it":
        path.chmod(0o666)
    elif how == "it is a link":
        path.rename(path.with_suffix(".elsewhere"))
        path.symlink_to(path.with_suffix(".elsewhere"))
    elif how == "it is no file":
        path.unlink()
        os.mkfifo(path)
    else:
        os.chown(path, 4321, 4321)


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
@pytest.mark.parametrize(
    "how",
    ["others can write to it", "it is a link", "it is no file", "it belongs to another user"],
)
def test_a_file_that_somebody_else_could_have_written_is_not_run(game: Game, how: str) -> None:
    if how == "it belongs to another user" and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    game.run()
    for path in game.stored():
        others_own(path, how)
    again = game.run()
    assert again["result"] == [6, 20]
    assert (again["loaded"], again["compiled"]) == (0, 2)
    folder = again["folder"]
    (warning,) = again["warnings"]
    assert f"a compiled kernel in {folder} is not used: {how}; remove the folder" in warning
    assert again["files"] == ["<string>"]  # whose line it is, and none within the package
    # What was compiled anew has taken its place.
    third = game.run()
    assert (third["loaded"], third["compiled"], third["warnings"]) == (2, 0, [])


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
def test_what_is_stored_is_for_its_owner_alone_whatever_the_shell_says(game: Game) -> None:
    game.run("import os; os.umask(0)\n" + CALL)
    for path in game.stored():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert game.run()["loaded"] == 2


def test_processes_that_compile_at_once_do_not_disturb_one_another(game: Game) -> None:
    types = ["int32", "int64", "float32", "float64"]
    scripts = [CALL.replace("np.arange(3)", f"np.arange(3, dtype=np.{name})") for name in types]
    for process in [game.start(script) for script in scripts]:
        output, errors = process.communicate()
        assert process.returncode == 0, errors
        assert json.loads(output)["result"] == [6, 20]
    for script in scripts:
        again = game.run(script)
        assert again["result"] == [6, 20]
        assert (again["loaded"], again["compiled"]) == (2, 0)
    assert files(game) <= {".bin", ""}


def files(game: Game) -> set[str]:
    """Kinds of files in the cache: kernels, and the one of locks."""
    return {path.suffix for path in game.cache.rglob("*") if path.is_file()}


def test_the_folder_belongs_to_its_owner_alone(game: Game) -> None:
    folder = Path(game.run()["folder"])
    assert folder.is_relative_to(game.cache)
    for each in (folder, folder.parent, game.cache):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700


def spoilt(folder: Path, how: str) -> None:
    """A folder that cannot be trusted with code."""
    if how == "others can write to it":
        folder.mkdir()
        folder.chmod(0o777)
    elif how == "it is a link":
        folder.with_name("elsewhere").mkdir(mode=0o700)
        folder.symlink_to(folder.with_name("elsewhere"))
    elif how == "it belongs to another user":
        folder.mkdir(mode=0o700)
        os.chown(folder, 4321, 4321)
    else:
        folder.write_text("no folder")


SPOILT = ["others can write to it", "it is a link", "it is no folder", "it belongs to another user"]


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
@pytest.mark.parametrize("below", ["", "kernels"])
@pytest.mark.parametrize("how", SPOILT)
def test_a_folder_that_cannot_be_trusted_is_replaced_and_one_warning_says_why(
    game: Game, tmp_path: Path, how: str, below: str
) -> None:
    if how == "it belongs to another user" and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    spoilt_folder = game.cache / below if below else game.cache
    spoilt_folder.parent.mkdir(mode=0o700, exist_ok=True)
    spoilt(spoilt_folder, how)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    found = game.run(TMPDIR=str(temporary))
    assert found["result"] == [6, 20]
    assert Path(found["folder"]).is_relative_to(temporary)
    assert stat.S_IMODE(next(temporary.iterdir()).stat().st_mode) == 0o700
    assert not [path for path in tmp_path.rglob("*.bin") if not path.is_relative_to(temporary)]
    (warning,) = found["warnings"]
    assert f"{spoilt_folder}: {how}" in warning
    assert ("remove the folder" in warning) == (how == "others can write to it")
    assert found["folder"].startswith(warning.split(" are kept in ")[1].split(",")[0])
    assert "set SLEUTH_CACHE_DIR" in warning
    assert found["files"] == ["<string>"]


def test_who_was_told_about_the_folder_is_not_told_again_by_workers(
    game: Game, tmp_path: Path
) -> None:
    game.cache.write_text("no folder")
    again = """
import json, os, subprocess, sys
call = "from game.beliefs.kernels import on_board; on_board(1)"
exec(call)
program = [sys.executable, "-W", "always", "-c", call]
child = subprocess.run(program, capture_output=True, text=True, check=True)
print(json.dumps({"parent": os.environ["SLEUTH_CACHE_TOLD"], "child": child.stderr}))
"""
    (tmp_path / "temporary").mkdir()
    found = game.run(again, TMPDIR=str(tmp_path / "temporary"))
    assert str(game.cache) in found["parent"]
    assert found["child"] == ""


def test_a_folder_of_this_version_that_cannot_be_trusted_is_told(game: Game) -> None:
    folder = Path(game.run()["folder"])
    shutil.rmtree(folder)
    spoilt(folder, "others can write to it")
    found = game.run()
    assert (found["result"], found["folder"]) == ([6, 20], None)
    (warning,) = found["warnings"]
    assert f"{folder}: others can write to it" in warning
    assert found["files"] == ["<string>"]


def test_without_any_folder_kernels_work_and_one_warning_says_so(game: Game) -> None:
    game.cache.write_text("a file, so no folder can be made here")
    blocked = f"import tempfile; tempfile.tempdir = {str(game.cache)!r}\n"
    found = game.run(blocked + CALL, SLEUTH_CACHE_DIR=str(game.cache / "below"))
    assert found["result"] == [6, 20]
    assert found["folder"] is None
    (warning,) = found["warnings"]
    assert "SLEUTH_CACHE_DIR" in warning
    assert found["files"] == ["<string>"]


def test_without_its_own_variable_the_user_cache_folder_is_used(game: Game, tmp_path: Path) -> None:
    found = game.run(SLEUTH_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "shared"))
    assert Path(found["folder"]).is_relative_to(tmp_path / "shared" / "sleuth")
    found = game.run(SLEUTH_CACHE_DIR="", XDG_CACHE_HOME="", HOME=str(tmp_path / "home"))
    assert Path(found["folder"]).is_relative_to(tmp_path / "home" / ".cache" / "sleuth")


def test_old_digests_are_removed_and_the_present_one_is_kept(game: Game) -> None:
    (game.cache / "kernels").mkdir(parents=True, mode=0o700)
    for number in range(12):
        (game.cache / "kernels" / f"old{number}").mkdir()
        os.utime(game.cache / "kernels" / f"old{number}", (number, number))
    folder = Path(game.run()["folder"])
    left = {path.name for path in folder.parent.iterdir()}
    assert left == {folder.name} | {f"old{number}" for number in range(5, 12)}


def test_without_compilation_the_bytes_are_the_same_and_nothing_is_stored(game: Game) -> None:
    script = """
import json, numpy as np
from game.models.kernels.kernel import kernel, kernel_statistics
import user_game
values = user_game.mix(np.linspace(0.1, 7, 1000))
print(json.dumps([values.tobytes().hex(), kernel_statistics(user_game.mix).compiled]))
"""
    (game.root / "user_game.py").write_text("""
import numpy as np
from game.models.kernels.kernel import kernel
@kernel
def mix(values):
    result = np.empty_like(values)
    total = 0.0
    for i in range(len(values)):
        total += values[i] * 0.1 + np.sqrt(values[i])
        result[i] = total / (values[i] - values[0])
    return result
""")
    interpreted = game.run_anew(script, NUMBA_DISABLE_JIT="1")
    assert not game.cache.exists()
    compiled = game.run(script)
    assert compiled[0] == interpreted[0]
    assert (compiled[1], interpreted[1]) == (1, 0)


def test_a_readers_own_game_is_keyed_by_its_file_and_by_what_it_names(game: Game) -> None:
    script = """
import json, user_game
from game.models.kernels.kernel import kernel_statistics
print(json.dumps([int(user_game.play(1)), kernel_statistics(user_game.play).loaded]))
"""
    first = "from game.models.kernels.kernel import kernel\n"
    rules = first + "@kernel\ndef move(x):\n    return x + {step}\n"
    text = first + "from user_rules import move\n"
    text += "@kernel\ndef play(x):\n    return move(x) * 10\n"
    (game.root / "user_rules.py").write_text(rules.format(step=1))
    (game.root / "user_game.py").write_text(text)
    assert game.run(script) == [20, 0]
    assert game.run(script) == [20, 1]
    (game.root / "user_rules.py").write_text(rules.format(step=2))
    assert game.run(script) == [30, 0]
    (game.root / "user_game.py").write_text(text.replace("10", "100"))
    assert game.run(script) == [300, 0]


@kernel
def double(x: float) -> float:
    return 2 * x


@kernel(nogil=False, inline="always")
def add_one(x: float) -> float:
    return x + 1


@kernel
def both(x: float) -> float:
    return add_one(double(x))


@kernel
def apply(function: Any, x: float) -> float:
    return function(x)


def test_kernels_call_kernels_and_take_them_as_arguments() -> None:
    assert both(3.0) == 7.0
    assert apply(double, 3.0) == 6.0


def test_the_python_function_is_at_hand() -> None:
    assert plain(double)(21.0) == 42.0
    assert plain(plain(double)) is plain(double)


def test_a_plain_function_has_empty_statistics() -> None:
    assert kernel_statistics(plain(double)).compiled == 0


@kernel
def scaled(x: float, times: int, negated: bool) -> float:
    return -x * times if negated else x * times


@kernel
def scaled_often(x: float, times: int) -> float:
    return scaled(x, 2, True) + scaled(x, 3, False) + scaled(x, times, times > 2)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_calls_with_constants_share_one_code() -> None:
    # Compiled anew: what an earlier run cached would not ask for the kernels that it calls.
    anew = cast(Any, numba).njit(cast(Any, scaled_often).py_func)
    assert anew(10.0, 5) == scaled_often(10.0, 5) == -20.0 + 30.0 - 50.0
    assert len(cast(Any, scaled).signatures) == 1


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_that_is_compiled_in_has_a_name_for_each_of_its_types() -> None:
    """Whichever was asked for first: what is kept on disk would not be found again."""
    types: Any = cast(Any, numba).types
    number = types.int64
    signatures = [number(state, number, number) for state in (number, types.float64)]
    first, second = (linked(no_key, signature) for signature in signatures)
    assert first is not None
    assert second is not None
    assert first != second
    assert first.name != second.name
    assert linked(no_key, signatures[0]) is first
    assert pickle.loads(pickle.dumps(second)) is second


@kernel
def ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="Python's own floats raise on zero"
)
def test_division_by_zero_follows_numpy() -> None:
    assert ratio(1.0, 0.0) == np.inf
    assert np.isnan(ratio(0.0, 0.0))


def test_ctrl_c_while_code_is_handed_over_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        codegen = None

        def _reduce(self) -> None:
            raise RuntimeError("no compiled object yet for <Library>")

    monkeypatch.setattr(SourceCache, "_path", lambda *given: tmp_path / "kernel")
    monkeypatch.setattr(SourceCache, "_storable", lambda *given: True)
    with pytest.raises(KeyboardInterrupt):
        SourceCache(plain(double), options={}).save_overload(None, Interrupted())
    assert not [*tmp_path.iterdir()]


def test_a_kernel_that_only_kernels_call_has_nothing_for_python_to_call(game: Game) -> None:
    game.write(
        "beliefs/inner.py",
        "from ..models.kernels.kernel import kernel\n\n"
        "@kernel(inner=True)\ndef half(value):\n    return value / 2\n\n"
        "@kernel\ndef quarter(value):\n    return half(half(value))\n",
    )
    call = (
        "import json\nfrom game.beliefs.inner import half, quarter\n"
        "found = {'quarter': quarter(8)}\n"
        "try:\n    half(8.0)\nexcept TypeError as error:\n    found['refused'] = str(error)\n"
        "print(json.dumps(found))\n"
    )
    # Compiled first, then loaded.
    for _ in range(2):
        found = game.run(call)
        assert found["quarter"] == 2.0
        assert found["refused"] == "half is only there for other kernels"
