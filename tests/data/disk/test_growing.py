"""A file of results goes on after its last whole line; what is wrong before it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sleuth.data.disk import growing
from sleuth.data.disk.growing import GrowingFile
from sleuth.errors import RecordError, SettingsError

HEAD = '{"kind": "numbers"}\n'


class Numbers(GrowingFile):
    """Whole numbers."""

    def __init__(self, path: Path) -> None:
        self.found: list[int] = []
        super().__init__(path, {"kind": "numbers"}, where="--out")

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        if found != header:
            raise SettingsError("another file")

    def __enter__(self) -> Numbers:
        return self

    def take(self, value: Any) -> None:
        self.found.append(int(value["n"]))

    def refusal(self) -> tuple[str, str]:
        return "this is no number", "delete it"


@pytest.mark.parametrize(
    "content, found, kept",
    [
        ("", [], ""),
        (HEAD[:7], [], ""),
        (HEAD, [], HEAD),
        (HEAD + '{"n": 1}\n', [1], HEAD + '{"n": 1}\n'),
        (HEAD + '{"n": 1}\n{"n": 2', [1], HEAD + '{"n": 1}\n'),
        (HEAD + '{"n": 1}\nwrong\n', [1], HEAD + '{"n": 1}\n'),
        (HEAD + '{"n": 1}\nwrong\n{"n"', [1], HEAD + '{"n": 1}\n'),
    ],
)
def test_a_file_goes_on_after_its_last_whole_line(
    tmp_path: Path, content: str, found: list[int], kept: str
) -> None:
    path = tmp_path / "numbers.jsonl"
    path.write_text(content)
    numbers = Numbers(path)
    assert numbers.found == found
    assert path.read_text() == content, "nothing is changed before something is written"
    numbers.write({"n": 9})
    numbers.close()
    assert path.read_text() == (kept or HEAD) + '{"n": 9}\n'


def test_a_wrong_line_with_others_after_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "numbers.jsonl"
    path.write_text(HEAD + '{"n": 1}\nwrong\n{"n": 2}\n')
    with pytest.raises(RecordError, match=r"line 3.*: this is no number: .*; delete it"):
        Numbers(path)


def test_a_file_of_results_has_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "numbers.jsonl"
    path.write_text(HEAD + '{"n": 1}\n' * 10)
    with Numbers(path) as numbers:
        assert len(numbers.found) == 10
    monkeypatch.setattr(growing, "MOST_BYTES_OF_A_LINE", 10)
    with pytest.raises(RecordError, match="line 1: a line has at most 10 bytes"):
        Numbers(path)
    monkeypatch.setattr(growing, "MOST_BYTES", 50)
    with pytest.raises(SettingsError, match="--out: a file of results has at most 50 bytes"):
        Numbers(path)
