"""What is made of files is made anew when they hold something else, and only then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sleuth.data.disk.contents import MadeOfFiles, contents, digest_of, named_files


def test_a_file_is_read_again_when_it_changed_and_only_then(tmp_path: Path) -> None:
    file, kept = tmp_path / "a.txt", MadeOfFiles[list[str]]()

    def made() -> list[str]:
        return kept.get((file,), lambda: [file.read_text()])

    file.write_text("one")
    first = made()
    assert made() is first
    # As long as before, and at the same time as far as a clock can tell.
    times = file.stat()
    file.write_text("two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert made() == ["two"]
    second = made()
    file.touch()
    assert made() is second  # written again, with the same in it
    file.unlink()
    with pytest.raises(FileNotFoundError):
        made()
    file.write_text("two")
    assert made() == ["two"]


def test_an_old_file_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, kept = tmp_path / "a.txt", MadeOfFiles[object]()
    file.write_text("one")
    later = file.stat().st_ctime_ns + 10**10
    monkeypatch.setattr("sleuth.data.disk.contents.time.time_ns", lambda: later)
    first = kept.get((file,), object)
    monkeypatch.setattr("sleuth.data.disk.contents.digest_of", lambda files: 1 / 0)
    assert kept.get((file,), object) is first


def test_the_same_name_in_another_folder_is_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = MadeOfFiles[str]()
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "name").write_text(place)
        monkeypatch.chdir(tmp_path / place)
        assert kept.get((Path("name"),), lambda: Path("name").read_text()) == place


def test_what_was_written_meanwhile_is_read_again(tmp_path: Path) -> None:
    file, kept = tmp_path / "a.txt", MadeOfFiles[str]()
    file.write_text("one")

    def half() -> str:
        found = file.read_text()
        file.write_text("two")
        return found

    assert kept.get((file,), half) == "one"
    assert kept.get((file,), file.read_text) == "two"


def test_only_so_much_is_kept(tmp_path: Path) -> None:
    kept = MadeOfFiles[object](most=2)
    files = [tmp_path / str(number) for number in range(3)]
    for file in files:
        file.write_text("x")
    first, *_ = [kept.get((file,), object) for file in files]
    assert kept.get((files[0],), object) is not first


def test_a_text_names_a_file_or_the_two_of_a_predictor(tmp_path: Path) -> None:
    for name in ("mine.npz", "mine.json", "other"):
        (tmp_path / name).write_text(name)
    pair = named_files(str(tmp_path / "mine"))
    assert [file.name for file in pair] == ["mine.npz", "mine.json"]
    assert named_files(str(tmp_path / "mine.json")) == pair
    found = contents([str(tmp_path / "mine"), str(tmp_path / "other"), "usual", 3, None])
    assert set(found) == {str(tmp_path / "mine"), str(tmp_path / "other")}
    before = found[str(tmp_path / "mine")]
    (tmp_path / "mine.json").write_text("else")
    assert contents([str(tmp_path / "mine")]) != {str(tmp_path / "mine"): before}


@pytest.mark.parametrize("text", ["", ".", "a" * 5_000, "\0", "no/such/file"])
def test_any_text_may_name_nothing(text: str) -> None:
    assert contents([text]) == {}
    assert digest_of([Path("no such file")]) is None
