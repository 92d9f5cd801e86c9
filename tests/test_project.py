"""The project as a whole: what is packaged, what imports what, and what an import costs."""

from __future__ import annotations

import ast
import configparser
import importlib.util
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from markdown_it import MarkdownIt

from sleuth.data import manual

ROOT = Path(__file__).resolve().parent.parent

# Imports run one way: a folder may import itself and those before it. What is in the face is called
# as if it stood in the package itself; on it stand games that know nothing else.
ORDER = (
    *("data", "models", "beliefs", "planners", "training", "adapters", "apps", "front", "shelf"),
)


def python_files(root: Path = ROOT) -> Iterator[Path]:
    for folder in ORDER:
        yield from sorted((root / folder).rglob("*.py"))


def module_name(path: Path, root: Path = ROOT) -> str:
    """What a file is imported as, below ``sleuth``; empty for the face itself."""
    parts = path.relative_to(root).with_suffix("").parts
    parts = parts[parts[0] == "front" : len(parts) - (parts[-1] == "__init__")]
    return ".".join(parts)


def tracked_files() -> list[Path]:
    found = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in found.stdout.split("\0") if name and (path := ROOT / name).is_file()]


# Packaging


def test_setup_cfg_lists_every_package_of_the_tree_and_no_other() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    listed = setup["options"]["packages"].split()
    mapped = dict(
        re.split(r"\s*=\s*", line) for line in setup["options"]["package_dir"].strip().splitlines()
    )
    tree = {path.parent.relative_to(ROOT) for path in python_files()}
    expected = {
        f"sleuth.{module_name(ROOT / folder / '__init__.py')}".rstrip("."): folder.as_posix()
        for folder in tree
    }
    # What is no code of the package, and is read from an installation.
    expected |= {"sleuth.docs": "docs", "sleuth.examples": "examples"}
    assert listed == sorted(expected)
    assert mapped == expected


def test_every_package_says_what_it_is_for() -> None:
    for folder in {path.parent for path in python_files()}:
        initial = folder / "__init__.py"
        assert initial.is_file(), f"{folder.relative_to(ROOT)} has no __init__.py"
        assert ast.get_docstring(ast.parse(initial.read_text("utf-8"))), f"{initial} has no text"


def test_every_top_level_package_is_marked_as_typed() -> None:
    assert [folder for folder in ORDER if not (ROOT / folder / "py.typed").is_file()] == []


def test_shipped_files_name_scripts_that_there_are() -> None:
    texts = {file: file.read_text("utf-8") for file in (ROOT / "data").glob("*/*.json")}
    named = {
        (file.name, script)
        for file, text in texts.items()
        for script in re.findall(r"benchmarks/[\w/]+\.py", text)
    }
    assert len(named) >= 5
    assert [pair for pair in named if not (ROOT / pair[1]).is_file()] == []


def test_the_versions_agree() -> None:
    from sleuth.data.version import VERSION, version

    assert version() == VERSION
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"[{VERSION}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_lowest_versions_are_those_of_setup_cfg(tmp_path: Path) -> None:
    def lowest(*arguments: Path) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, str(ROOT / ".ci" / "lowest.py"), *map(str, arguments)]
        return subprocess.run(program, capture_output=True, text=True, check=False)

    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    required = setup["options"]["install_requires"] + setup["options.extras_require"]["plots"]
    expected = re.findall(r"^([\w-]+)>=([\d.]+)", required, flags=re.MULTILINE)
    lines = lowest().stdout.splitlines()
    assert lines == sorted(f"{name}=={version}" for name, version in expected)
    # What cannot even be installed together, or fails with the first command.
    for known in ("scikit-learn==1.5", "scipy==1.11", "typer==0.12"):
        assert known not in lines
    other = tmp_path / "setup.cfg"
    other.write_text("[options]\ninstall_requires =\n    numpy>=2.0\n    rich\n")
    refused = lowest(other)
    assert refused.returncode != 0
    assert "rich: name one lowest version" in refused.stderr


def setup_file() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_file", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def targets(page: str) -> list[str]:
    """Where the links and pictures of a page lead, as an index page finds them."""
    tokens = [each for block in MarkdownIt().parse(page) for each in (block.children or ())]
    return [
        str(each.attrs[name]) for each in tokens for name in ("href", "src") if name in each.attrs
    ]


@pytest.mark.parametrize("base", ["", "https://example.org/sleuth"])
def test_an_index_page_gets_no_link_that_leads_nowhere(base: str) -> None:
    page = (ROOT / "README.md").read_text("utf-8")
    made = setup_file().description(page, base)
    assert [each for each in targets(made) if not re.match(r"https?://|#", each)] == []
    assert made.count("```") == page.count("```")
    if base:
        assert len(targets(made)) == len(targets(page)) > 50
    else:
        # Instead it says how a page is read in an installation, and each of these is one.
        named = re.findall(r"`sleuth docs (\S+)`", made)
        assert len(named) > 30
        assert all(manual.page(name) for name in named)


@pytest.mark.parametrize(
    "text, made",
    [
        ("[a](docs/clue/index.md#x) b", "a (`sleuth docs clue`) b"),
        ("[docs/a.md](docs/a.md)", "`sleuth docs a`"),
        ("![a picture](docs/a.png)", ""),
        ("[b](LICENSE) [c](https://c.org)", "b [c](https://c.org)"),
        ("```\n[a](b.md)\n```", "```\n[a](b.md)\n```"),
    ],
)
def test_links_of_the_readme_become_what_an_installation_has(text: str, made: str) -> None:
    assert setup_file().description(text, "") == made


def test_the_addresses_stand_in_one_place() -> None:
    base = setup_file().address()
    assert ("repository-code" in (ROOT / "CITATION.cff").read_text("utf-8")) == bool(base)
    assert setup_file().links("") == {}
    found = setup_file().links("https://example.org/sleuth")
    assert all(each.startswith("https://example.org/sleuth") for each in found.values())


def test_constraints_pin_every_direct_dependency() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lines = setup["options"]["install_requires"].splitlines()
    for extra in setup["options.extras_require"].values():
        lines += extra.splitlines()
    wanted = {
        re.split(r"[\[<>=!~ ]", line)[0] for line in lines if line and not line.startswith("#")
    }
    pins = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {line.split("==")[0] for line in pins if "==" in line}
    assert wanted
    assert wanted <= pinned


# Processes


def test_processes_are_started_in_three_places() -> None:
    """What tests show of their end and of their imports holds for every command.

    Kernels are compiled by one more process, which starts none itself. A server's workers answer
    one by one, while it goes on with others. Programs of the user's are not ours.
    """
    starts = re.compile(
        r"\bsubprocess\b|\bmultiprocessing\b|\bPopen\b|ProcessPool|joblib\.(Parallel|delayed)"
        r"|\bos\.(fork|exec|spawn|system|popen)|from joblib"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for path in python_files()
        if starts.search(path.read_text("utf-8"))
    }
    compiling = {"models/kernels/asking.py"}
    serving = {"apps/table/web/workers.py"}
    foreign = {"data/programs.py"}
    sharing = {"data/jobs/processes.py", "data/jobs/sharing.py"}
    assert found - compiling - serving - foreign - sharing == {"beliefs/judging/measuring.py"}


# Imports


def imported_folders(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """Line and top-level folder of everything in the package that a file imports."""
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            found = [name[1] for name in names if name[0] == "sleuth" and len(name) > 1]
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            base = [part for part in base if part]
            found = base[:1] or [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            name = (node.module or "").split(".")
            named = [alias.name if alias.name in ORDER else "front" for alias in node.names]
            found = (name[1:2] or named) if name[0] == "sleuth" else []
        else:
            continue
        for folder in found:
            yield node.lineno, folder


def backward_imports(root: Path) -> list[str]:
    wrong: list[str] = []
    for path in python_files(root):
        importer = path.relative_to(root).parts[0]
        for line, folder in imported_folders(path, root):
            if (root / "front" / folder).is_dir() or (root / "front" / f"{folder}.py").is_file():
                folder = "front"
            if folder not in ORDER:
                wrong.append(f"{path.relative_to(root)}:{line} imports unknown {folder}")
            elif ORDER.index(folder) > ORDER.index(importer):
                wrong.append(f"{path.relative_to(root)}:{line} imports {folder}")
    return wrong


def test_imports_run_one_way() -> None:
    assert backward_imports(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from ..beliefs import infer",
        "from .. import beliefs",
        "from sleuth.beliefs.engines import base",
        "from sleuth import beliefs",
        "import sleuth.beliefs.games.clue.declaration",
        "def lazily():\n    from ..beliefs.clue import Clue",
    ],
)
def test_a_backward_import_is_found_however_it_is_written(tmp_path: Path, line: str) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "game.py").write_text(f"from ..data import errors\n{line}\n")
    (wrong,) = backward_imports(tmp_path)
    assert wrong.endswith("imports beliefs")


@pytest.mark.parametrize(
    "line, found",
    [
        ("from sleuth import Deal", "front"),
        ("from sleuth.kit import View", "front"),
        ("from sleuth.shelf.goofspiel import GAME", "shelf"),
    ],
)
def test_the_face_and_the_games_on_it_stand_above_all(
    tmp_path: Path, line: str, found: str
) -> None:
    for name, text in (("apps/game.py", line), ("front/kit.py", "")):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    (wrong,) = backward_imports(tmp_path)
    assert wrong.endswith(f"imports {found}")


def top_level(path: Path) -> tuple[set[str], set[str]]:
    """What a module defines or hands on under its own name, and what it merely imports."""
    own, merely = set[str](), set[str]()
    bodies = [ast.parse(path.read_text("utf-8")).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                own.add(node.name)
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                named = [each for target in targets for each in ast.walk(target)]
                own |= {each.id for each in named if isinstance(each, ast.Name)}
                if "__all__" in own and isinstance(node.value, ast.List):
                    handed = [each for each in node.value.elts if isinstance(each, ast.Constant)]
                    own |= {str(each.value) for each in handed}
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    (own if alias.asname == alias.name else merely).add(alias.asname or alias.name)
            elif isinstance(node, ast.If | ast.Try):
                bodies += [node.body, node.orelse]
    return own, merely - own


def borrowed_names(root: Path) -> list[str]:
    """Names that are imported from modules which merely import them."""
    modules, wrong = modules_of(root), list[str]()
    found = {name: top_level(path) for name, path in modules.items()}
    for name, path in modules.items():
        package = path.relative_to(root).parent.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ImportFrom):
                continue
            parts = (node.module or "").split(".") if node.module else []
            if node.level:
                parts = [*package[: len(package) - node.level + 1], *parts]
            elif parts[:1] == ["sleuth"]:
                parts = parts[1:]
            source = ".".join(parts)
            merely = found.get(source, (set[str](), set[str]()))[1]
            for alias in node.names:
                if alias.name in merely and f"{source}.{alias.name}" not in modules:
                    wrong.append(f"{name}: {alias.name} of {source}")
    return wrong


def test_what_others_import_of_a_module_it_defines_or_hands_on() -> None:
    """Without ``import Name as Name``, a strict checker says that a name is not exported."""
    assert borrowed_names(ROOT) == []


def test_a_borrowed_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "view.py").write_text("class View: ...\n")
    (tmp_path / "models" / "play.py").write_text("from .view import View\n")
    (tmp_path / "models" / "game.py").write_text("from .play import View\n")
    assert borrowed_names(tmp_path) == ["models.game: View of models.play"]
    (tmp_path / "models" / "play.py").write_text("from .view import View as View\n")
    assert borrowed_names(tmp_path) == []


def modules_of(root: Path) -> dict[str, Path]:
    """Every module by its name below ``sleuth``."""
    return {module_name(path, root): path for path in python_files(root)}


def imported_modules(path: Path, root: Path, modules: Collection[str]) -> set[str]:
    """The modules of the package that a file imports anywhere: in functions and for types too.

    What is imported from a package that has no such module comes from its ``__init__``.
    """
    package = path.relative_to(root).parent.parts
    named: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            own = [alias.name for alias in node.names if alias.name.startswith("sleuth.")]
            named += [name.removeprefix("sleuth.") for name in own]
        elif isinstance(node, ast.ImportFrom):
            base = (node.module or "").split(".")
            if node.level:
                base = [*package[: len(package) - node.level + 1], *base]
            elif base.pop(0) != "sleuth":
                continue
            named += [".".join([*filter(None, base), alias.name]) for alias in node.names]
    found = {name if name in modules else name.rpartition(".")[0] for name in named}
    return found & set(modules)


def circles(root: Path) -> list[list[str]]:
    """Groups of modules of which each imports, directly or not, every other (Tarjan 1972)."""
    modules = modules_of(root)
    imports = {name: imported_modules(path, root, modules) for name, path in modules.items()}
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        path.append(name)
        for other in sorted(imports[name] - {name}):
            if other not in number:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in path:
                lowest[name] = min(lowest[name], number[other])
        if lowest[name] == number[name]:
            group = path[path.index(name) :]
            del path[path.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(imports):
        if name not in number:
            visit(name)
    return found


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(ROOT) == []


@pytest.mark.parametrize(
    "line",
    [
        "from .third import there",
        "from . import third",
        "from ..models import third",
        "from .small.deep import there",
        "from .small import deep",
        "from sleuth.models.third import there",
        "import sleuth.models.third",
        "def lazily():\n    from .third import there",
        "if TYPE_CHECKING:\n    from .third import there",
    ],
)
def test_a_circle_is_found_however_it_is_written(tmp_path: Path, line: str) -> None:
    files = {
        "models/__init__.py": "",
        "models/first.py": "from ..data.errors import SleuthError\nfrom .second import here",
        "models/second.py": line,
        "models/third.py": "from .first import then",
        "models/small/__init__.py": "",
        "models/small/deep.py": "from ..first import then",
        "data/errors.py": "import ast",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    last = "models.small.deep" if "small" in line else "models.third"
    assert circles(tmp_path) == [["models.first", "models.second", last]]
    (tmp_path / "models" / "second.py").write_text("from ..data.errors import SleuthError")
    assert circles(tmp_path) == []


def test_a_package_that_hands_on_a_name_is_in_the_circle(tmp_path: Path) -> None:
    (tmp_path / "beliefs").mkdir()
    (tmp_path / "beliefs" / "__init__.py").write_text("from .infer import infer")
    (tmp_path / "beliefs" / "infer.py").write_text("from . import infer as itself")
    assert circles(tmp_path) == []
    (tmp_path / "beliefs" / "infer.py").write_text("from ..beliefs import Deal")
    assert circles(tmp_path) == [["beliefs", "beliefs.infer"]]


IMPORT = """
import json, sys, time
import numpy
start = time.process_time()
import sleuth.beliefs
print(json.dumps({"seconds": time.process_time() - start, "modules": sorted(sys.modules)}))
"""


def import_beliefs() -> tuple[float, set[str]]:
    found = subprocess.run(
        [sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True
    )
    answer = json.loads(found.stdout)
    return answer["seconds"], {name.split(".")[0] for name in answer["modules"]}


def test_importing_beliefs_imports_no_heavy_library() -> None:
    _, modules = import_beliefs()
    heavy = {"numba", "scipy", "pgmpy", "sklearn", "pandas", "matplotlib", "torch", "networkx"}
    assert modules & heavy == set()


def test_pictures_need_an_extra_and_so_matplotlib_is_imported_in_one_place() -> None:
    naming = re.compile(r"^(import|from) matplotlib|[\"']matplotlib\.", re.MULTILINE)
    found = {
        path.relative_to(ROOT).as_posix()
        for path in python_files()
        if naming.search(path.read_text("utf-8"))
    }
    assert found == {"beliefs/telling/plotting.py"}


def test_importing_beliefs_takes_half_a_second_at_most() -> None:
    # Of the processor's time; the first import may have to write what Python compiles.
    seconds: list[float] = []
    while len(seconds) < 5:
        seconds.append(import_beliefs()[0])
        if seconds[-1] <= 0.5:
            return
    raise AssertionError(f"import sleuth.beliefs took {seconds} s beyond numpy")


# Texts

# Absolute paths of somebody's machine.
MACHINE_PATH = re.compile(r"(?<![\w./:-])(?:/(?:home|Users|root|work|mnt|opt)/|[A-Z]:\\Users\\)\w")


def test_no_tracked_file_names_a_path_of_somebodys_machine() -> None:
    wrong: list[str] = []
    for path in tracked_files():
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8").splitlines(), 1):
            if MACHINE_PATH.search(line) or str(ROOT) in line:
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert wrong == []


def test_a_path_of_somebodys_machine_would_be_found() -> None:
    slash = "/"
    assert MACHINE_PATH.search(f"open('{slash}home{slash}somebody{slash}game.json')")
    assert not MACHINE_PATH.search(f"https:{slash}{slash}example.org{slash}home{slash}games")


# In a docstring, a name of a module or of what stands in it, from a package folder on.
DOTTED = re.compile(rf"`(?:sleuth\.)?((?:{'|'.join(ORDER)})(?:\.\w+)+)`")


def dotted_names(root: Path) -> Iterator[tuple[str, str]]:
    """Every such name, and where it stands: file and first line of the docstring."""
    for path in python_files(root):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                place = f"{path.relative_to(root).as_posix()}:{node.lineno}"
                for name in DOTTED.findall(str(node.value.value)):
                    yield place, name


def names_of_nothing(root: Path) -> list[str]:
    wrong: list[str] = []
    for place, name in dotted_names(root):
        try:
            pkgutil.resolve_name(f"sleuth.{name}")
        except (ImportError, AttributeError):
            wrong.append(f"{place} names {name}")
    return wrong


def test_what_docstrings_name_is_there() -> None:
    assert len(list(dotted_names(ROOT))) > 5
    assert list(names_of_nothing(ROOT)) == []


@pytest.mark.parametrize(
    "name",
    [
        "planners.tuning_options.candidates",
        "planners.tuning.options.nominees",
        "sleuth.planners.tuning.choices",
        "models.game.Game.nothing",
    ],
)
def test_a_name_of_nothing_is_found_in_any_docstring(tmp_path: Path, name: str) -> None:
    good = "`planners.tuning.options.candidates`, `sleuth.models.game.Game.masked`"
    text = f'"""See {good}."""\n\n\ndef play(\n    x):\n    """See {{}}, {good}."""\n'
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "rules.py").write_text(text.format("`models.game`"))
    assert len(list(dotted_names(tmp_path))) == 5
    assert names_of_nothing(tmp_path) == []
    (tmp_path / "models" / "rules.py").write_text(text.format(f"`{name}`"))
    assert names_of_nothing(tmp_path) == [f"models/rules.py:6 names {name.removeprefix('sleuth.')}"]


def test_make_run_leaves_it_to_the_command_to_name_the_report() -> None:
    steps = subprocess.run(
        ["make", "--dry-run", "--always-make", "run"], cwd=ROOT, capture_output=True, text=True
    ).stdout.splitlines()
    naming = [step for step in steps if "reports/neller_main.html" in step]
    assert len(naming) == 1
    assert "--html reports/neller_main.html" in naming[0]


def test_the_makefile_names_tests_that_there_are() -> None:
    named = re.findall(r"\btests/[\w/]+(?:\.py)?", (ROOT / "Makefile").read_text("utf-8"))
    assert len(named) > 10
    assert [name for name in named if not (ROOT / name).exists()] == []
