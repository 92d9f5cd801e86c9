"""What all tests share: hypothesis, who runs which test, what none leaves, and Ctrl-C."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Imports and the compiler make many objects that stay: looking through all of them for garbage, as
# often as Python does, takes a quarter of the time until the tests are collected.
gc.set_threshold(50_000, 20, 50)

# The first call of a kernel compiles it, so single examples have no deadline. The suite draws the
# same examples every time; the fuzz run draws new ones.
settings.register_profile("suite", deadline=None, derandomize="SLEUTH_FUZZ" not in os.environ)
settings.load_profile("suite")

# Every process compiles what it calls, so that no test depends on when another one is done.
os.environ.setdefault("SLEUTH_COMPILE", "wait")

# A shell's background jobs ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Scripts of benchmarks are modules of a package, as with python -m. The root is on no path, where
# every module of sleuth would be there twice.
benchmarks = ModuleSpec("benchmarks", None, is_package=True)
benchmarks.submodule_search_locations = [str(Path(__file__).parents[1] / "benchmarks")]
sys.modules["benchmarks"] = module_from_spec(benchmarks)


def files_in(folder: Path) -> set[str]:
    return {entry.name for entry in os.scandir(folder) if entry.is_file()}


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """A person who runs the tests finds no file of a test in the current folder."""
    folder = Path.cwd()
    before = files_in(folder)
    yield
    assert files_in(folder) <= before, "files that tests write belong into tmp_path"


@pytest.fixture
def plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled for a test that runs in less time than the compiler."""
    monkeypatch.setenv("SLEUTH_COMPILE", "never")


@pytest.fixture
def measured_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that are compared run in this process, where the numbers need not be honest.

    A process for each costs a second; the tests of comparing start some.
    """
    from sleuth.beliefs.judging.measuring import measure

    judging = import_module("sleuth.beliefs.judging.compare")
    monkeypatch.setattr(judging, "measure", lambda job, **_: measure(job, isolate=False))


def pytest_collection_finish() -> None:
    """What stands in modules and tests is no garbage."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files about one game stand beside each other."""
    if config.pluginmanager.hasplugin("xdist"):
        from .two_ends import place

        tests = config.rootpath / "tests"
        items.sort(key=lambda item: place(item.path.relative_to(tests).as_posix()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Unless --dist says something else, the processes begin at both ends of the row."""
    if config.getoption("dist") != "load":
        return None
    from .two_ends import FromBothEnds

    return FromBothEnds(config, log)


#: The names of browsers that Playwright can drive; none is downloaded.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser of the system; skipped where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api")
    path = os.environ.get("SLEUTH_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser is installed: {', '.join(BROWSERS)}; or name it in SLEUTH_BROWSER")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()
