"""Kernels compile once, are found again by other processes, and are never stale."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.models import kernel as kernel_module
from sleuth.models.kernel import kernel, kernel_statistics, plain
from sleuth.models.kernel_cache import SourceCache

HELPER = """
from ..models.kernel import kernel
STEP = {step}
@kernel
def step(x):
    return x + STEP
"""

KERNELS = """
import json
from pathlib import Path
import numpy as np
from ..models.kernel import kernel
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
    from game.models.kernel import kernel_statistics
    result = [int(total(np.arange(3))), int(on_board(1))]
found = [kernel_statistics(total), kernel_statistics(on_board)]
print(json.dumps({
    "result": result,
    "loaded": sum(each.loaded for each in found),
    "compiled": sum(each.compiled for each in found),
    "folder": found[0].folder,
    "warnings": [str(each.message) for each in caught],
}))
"""


@dataclass
class Game:
    """A small package with a helper, a table on disk and the project's own kernel decorator."""

    root: Path
    cache: Path

    def __post_init__(self) -> None:
        for folder in ("models", "beliefs", "planners"):
            (self.root / "game" / folder).mkdir(parents=True)
        source = Path(kernel_module.__file__).parent
        for name in ("kernel.py", "kernel_cache.py"):
            shutil.copy(source / name, self.root / "game" / "models" / name)
        self.write("beliefs/helper.py", HELPER.format(step=1))
        self.write("beliefs/kernels.py", KERNELS)
        self.write("beliefs/board.json", "[10, 20, 30]")

    def write(self, name: str, text: str) -> None:
        (self.root / "game" / name).write_text(text)

    def start(self, script: str = CALL, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", script],
            env={
                **{name: value for name, value in os.environ.items() if "NUMBA" not in name},
                "PYTHONPATH": str(self.root),
                "PYTHONDONTWRITEBYTECODE": "1",
                "SLEUTH_CACHE_DIR": str(self.cache),
                **environment,
            },
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str = CALL, **environment: str) -> Any:
        process = self.start(script, **environment)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        return json.loads(output)

    def stored(self) -> list[Path]:
        return sorted(self.cache.rglob("*.bin"))


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return Game(root=tmp_path / "sources", cache=tmp_path / "cache")


def test_a_second_process_loads_what_the_first_compiled(game: Game) -> None:
    first, second = game.run(), game.run()
    assert first["result"] == second["result"] == [6, 20]
    assert (first["loaded"], first["compiled"]) == (0, 2)
    assert (second["loaded"], second["compiled"]) == (2, 0)
    assert first["warnings"] == second["warnings"] == []


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


def test_a_table_that_changes_on_disk_changes_the_result(game: Game) -> None:
    assert game.run()["result"] == [6, 20]
    game.write("beliefs/board.json", "[10, 21, 30]")
    again = game.run()
    assert again["result"] == [6, 21]
    assert again["loaded"] == 1  # the kernel that does not name the table


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


def test_processes_that_compile_at_once_do_not_disturb_one_another(game: Game) -> None:
    types = ["int32", "int64", "float32", "float64"]
    scripts = [CALL.replace("np.arange(3)", f"np.arange(3, dtype=np.{name})") for name in types]
    for process in [game.start(script) for script in scripts]:
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        assert json.loads(output)["result"] == [6, 20]
    for script in scripts:
        again = game.run(script)
        assert again["result"] == [6, 20]
        assert (again["loaded"], again["compiled"]) == (2, 0)
    assert {path.suffix for path in game.cache.rglob("*") if path.is_file()} == {".bin"}


def test_the_folder_belongs_to_its_owner_alone(game: Game) -> None:
    folder = Path(game.run()["folder"])
    assert folder.is_relative_to(game.cache)
    for each in (folder, folder.parent, game.cache):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700


def test_a_folder_that_others_can_write_is_not_used(game: Game, tmp_path: Path) -> None:
    game.cache.mkdir()
    game.cache.chmod(0o777)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    found = game.run(TMPDIR=str(temporary))
    assert found["result"] == [6, 20]
    assert Path(found["folder"]).is_relative_to(temporary)
    assert stat.S_IMODE(next(temporary.iterdir()).stat().st_mode) == 0o700
    assert game.stored() == []


def test_without_any_folder_kernels_work_and_one_warning_says_so(game: Game) -> None:
    game.cache.write_text("a file, so no folder can be made here")
    blocked = f"import tempfile; tempfile.tempdir = {str(game.cache)!r}\n"
    found = game.run(blocked + CALL, SLEUTH_CACHE_DIR=str(game.cache / "below"))
    assert found["result"] == [6, 20]
    assert found["folder"] is None
    (warning,) = found["warnings"]
    assert "SLEUTH_CACHE_DIR" in warning


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
from game.models.kernel import kernel, kernel_statistics
import user_game
values = user_game.mix(np.linspace(0.1, 7, 1000))
print(json.dumps([values.tobytes().hex(), kernel_statistics(user_game.mix).compiled]))
"""
    (game.root / "user_game.py").write_text("""
import numpy as np
from game.models.kernel import kernel
@kernel
def mix(values):
    result = np.empty_like(values)
    total = 0.0
    for i in range(len(values)):
        total += values[i] * 0.1 + np.sqrt(values[i])
        result[i] = total / (values[i] - values[0])
    return result
""")
    interpreted = game.run(script, NUMBA_DISABLE_JIT="1")
    assert not game.cache.exists()
    compiled = game.run(script)
    assert compiled[0] == interpreted[0]
    assert (compiled[1], interpreted[1]) == (1, 0)


def test_a_readers_own_game_is_keyed_by_its_file_and_by_what_it_names(game: Game) -> None:
    script = """
import json, user_game
from game.models.kernel import kernel_statistics
print(json.dumps([int(user_game.play(1)), kernel_statistics(user_game.play).loaded]))
"""
    rules = "from game.models.kernel import kernel\n@kernel\ndef move(x):\n    return x + {step}\n"
    text = "from game.models.kernel import kernel\nfrom user_rules import move\n"
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
        SourceCache.__new__(SourceCache).save_overload(None, Interrupted())
    assert not [*tmp_path.iterdir()]
