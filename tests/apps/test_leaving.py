"""A closed window, a process that is asked to end, a reader who has left: the game is kept."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from sleuth import Play, game
from sleuth.apps.kit.leaving import Ended, held_back, kept
from sleuth.apps.play.saved import YOU, load
from sleuth.apps.play.session import Session
from sleuth.kit import display

from .play.scripts import Script, run
from .processes import PROGRAM, wait_until

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="other signals there")
SIGNALS = [signal.SIGHUP, signal.SIGTERM]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def unharmed() -> Generator[None, None, None]:
    """Whatever the test does, signals mean afterwards what they meant."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Closed(Script):
    """A window that is closed after some lines, and closed again while the game is kept."""

    def __init__(self, lines: list[str], sent: signal.Signals) -> None:
        super().__init__(lines)
        self.sent = sent

    def ask(self, prompt: str, words: object = ()) -> str | None:
        if not self.lines:
            os.kill(os.getpid(), self.sent)
            time.sleep(60)  # the signal comes at once
        return super().ask(prompt, ())


@pytest.mark.parametrize("sent", SIGNALS)
def test_a_game_is_kept_when_its_process_is_asked_to_end(
    sent: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sleuth.apps.play import session

    usual = session.save_new

    def slowly(*arguments: object) -> Path:
        os.kill(os.getpid(), sent)  # a closing terminal sends more than one
        return usual(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "save_new", slowly)
    monkeypatch.setattr("sleuth.apps.kit.leaving._say_no_more", lambda: None)
    monkeypatch.setattr("sleuth.apps.kit.leaving.break_off", lambda: None)
    play = Play.new(game("tic_tac_toe"), seed=1)
    with pytest.raises(Ended) as ended, kept():
        run(Session(play, display(play.game), (YOU, YOU), Closed(["a1", "b2"], sent)))
    assert ended.value.code == 128 + sent
    assert load(Path("tic_tac_toe-1.json")).play.actions == [0, 4]
    assert [path.name for path in Path().iterdir()] == ["tic_tac_toe-1.json"]
    assert signal.getsignal(sent) == signal.SIG_DFL


def test_what_is_being_kept_is_not_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sleuth.apps.kit.leaving._say_no_more", lambda: None)
    monkeypatch.setattr("sleuth.apps.kit.leaving.break_off", lambda: None)
    done: list[str] = []

    def keep(sent: signal.Signals) -> None:
        with held_back():
            os.kill(os.getpid(), sent)
            time.sleep(0.01)
            done.append("kept")
        done.append("not reached")

    with pytest.raises(Ended), kept():
        keep(signal.SIGHUP)
    with pytest.raises(KeyboardInterrupt):
        keep(signal.SIGINT)
    assert done == ["kept", "kept"]


def test_who_handles_a_signal_already_goes_on_handling_it() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    with kept():
        os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    inside: list[object] = []
    thread = threading.Thread(target=lambda: inside.append(kept().__enter__()))
    thread.start()
    thread.join()
    assert inside == [None]


def test_a_closed_window_keeps_the_game() -> None:
    """The terminal is gone: its process is sent SIGHUP, and nothing can be read or said."""
    fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "play", "tic-tac-toe", "--against", "random", "--seed", "2"],
        stdin=inner, stdout=inner, stderr=inner, start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(inner)
    said, end = b"", time.monotonic() + 120.0
    try:
        for keys in (b"b2\r", b""):
            seen = said.count(b"first> ")
            while said.count(b"first> ") == seen:
                assert time.monotonic() < end, said.decode()
                if select.select([outer], [], [], 1.0)[0]:
                    said += os.read(outer, 4096)
            os.write(outer, keys)
        os.close(outer)
        assert wait_until(lambda: process.poll() is not None, 60)
    finally:
        process.kill()
    assert process.returncode in (128 + signal.SIGHUP, 0)
    assert [path.name for path in Path().iterdir()] == ["tic_tac_toe-1.json"]
    assert len(load(Path("tic_tac_toe-1.json")).play.actions) >= 2


@pytest.mark.slow
def test_a_reader_who_leaves_keeps_the_game() -> None:
    command = [*PROGRAM, "play", "tic-tac-toe", "--against", "random", "--seed", "2"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(b"b2\n")
    process.stdin.flush()
    while b"You: " not in (line := process.stdout.readline()) and b"marked" not in line:
        assert line
    process.stdout.close()
    process.stdin.write(b"look\n" * 5)
    process.stdin.close()
    assert process.wait(60) in (0, 1)
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    assert len(load(Path("tic_tac_toe-1.json")).play.actions) >= 2


@pytest.mark.slow
def test_a_journal_is_whole_when_its_process_is_asked_to_end() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "advise", "clue", "game.jsonl"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Ada Bob Cleo\nada\n")
    process.stdin.flush()
    said = b""
    while b"cards of" not in said:
        said += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGTERM)
    _, wrong = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in wrong
    assert '"me": "Ada"' in Path("game.jsonl").read_text()
