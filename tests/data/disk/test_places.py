"""Folders of a user, by the rules of each system."""

from __future__ import annotations

import ntpath
from pathlib import Path

import pytest
from platformdirs import windows

from sleuth.data.disk.places import user_folder
from sleuth.models.kernels.disk import folder


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/places/ann")
    monkeypatch.setenv("LOCALAPPDATA", r"D:\Profiles\Ann\Local")
    # What Windows would be asked for stands in its variables, too.
    monkeypatch.setattr(windows, "get_win_folder", windows.get_win_folder_from_env_vars)
    for name in ("SLEUTH_CACHE_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


def plain(path: Path | None) -> str:
    return str(path).replace(ntpath.sep, "/")


@pytest.mark.parametrize(
    "system, cache, data",
    [
        ("linux", "/places/ann/.cache/sleuth", "/places/ann/.local/share/sleuth"),
        ("freebsd14", "/places/ann/.cache/sleuth", "/places/ann/.local/share/sleuth"),
        (
            "darwin",
            "/places/ann/Library/Caches/sleuth",
            "/places/ann/Library/Application Support/sleuth",
        ),
        (
            "win32",
            "D:/Profiles/Ann/Local/sleuth/Cache",
            "D:/Profiles/Ann/Local/sleuth",
        ),
    ],
)
def test_each_system_has_its_places(system: str, cache: str, data: str) -> None:
    assert plain(user_folder("cache", system=system)) == cache
    assert plain(user_folder("data", system=system)) == data


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_variables_of_xdg_go_before_everywhere_where_they_are_absolute(
    system: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = user_folder("cache", system=system)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert user_folder("cache", system=system) == usual
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert user_folder("cache", system=system) == Path("/elsewhere/sleuth")


def test_kernels_are_kept_there_or_where_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(folder._candidates())
    assert first == Path("/places/ann/.cache/sleuth")
    monkeypatch.setenv("SLEUTH_CACHE_DIR", "/own")
    assert next(folder._candidates()) == Path("/own")
