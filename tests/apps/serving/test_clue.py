"""Through a recorded game of Clue, event by event: an assistant is told what the commands say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import sleuth
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.answers.schema import reply, to_json
from sleuth.apps.kit.conversation import Machine
from sleuth.games.clue import load

from ..clue.advising.test_adviser import typed
from .assistants import Assistant, Refused, assisted

pytestmark = pytest.mark.usefixtures("plain_python")

GAMES = Path(__file__).parents[3] / "data" / "clue" / "games"
#: Questions, and after which events they are asked: each takes a part of a second.
ASKED = ("notebook", "best 3", "why plum")
ASKED_AT = (12,)
MOMENTS = int(os.environ.get("SLEUTH_FUZZ", "12"))


def lines_of(name: str, viewer: str) -> tuple[list[str], list[str]]:
    """The answers to the first questions, and a line for every event."""
    game = load(GAMES / f"{name}.json").seen_by(viewer)
    return [", ".join(game.players), viewer, ", ".join(game.own_hand)], typed(game)


def test_at_every_moment_the_same_is_said_as_by_the_commands(tmp_path: Path) -> None:
    setup, lines = lines_of("neller_main", "scarlet")
    adviser, path = ClueAdviser(), tmp_path / "game.jsonl"
    record = json.loads((GAMES / "neller_main.json").read_text())
    begun = tmp_path / "begun.json"
    begun.write_text(json.dumps({**record, "events": record["events"][:MOMENTS]}))
    frame = sleuth.load(begun).analyse(observer="scarlet").to_frame()

    async def scene(assistant: Assistant) -> None:
        table = (await assistant.call("open_advice", game="clue"))["table"]
        with Book(path, adviser) as book:
            make: Any = lambda hearer: Advising(  # noqa: E731
                adviser, book, path.with_suffix(".json"), hearer
            ).steps()
            session = Machine(make)
            session.start()
            # The session asks for more, such as the box first and the dice last.
            for line in ["", *setup[:2], "", setup[2], ""]:
                session.take(line)
            await assistant.call("tell", table=table, lines=setup)
            # Later the case file is known, and nothing new is said.
            for number, line in enumerate(lines[:MOMENTS], 1):
                told = await assistant.call("tell", table=table, lines=[line])
                said = to_json(session.take(line).said)
                if told["passed"]:
                    # The session says so in words, with what to type there.
                    assert f"No turn of {told['passed'][0]} was" in said.pop(1)["text"]
                assert told["said"] == said, line
                assert told["entries"] == number
                assert told["conflict"] is None
                for question in ASKED if number in ASKED_AT else ():
                    answer = await assistant.call("ask", table=table, question=question)
                    assert answer["said"] == to_json(session.take(question).said)
                    assert reply({"said": answer["said"]}).said
                if number % 3:
                    continue
                found = await assistant.call("beliefs", table=table)
                expected = frame[frame["event"] == number]
                for each in found["beliefs"]:
                    rows = expected[expected["variable"] == each["name"]]
                    shares = dict(zip(rows["value"], rows["probability"], strict=True))
                    assert each["values"] == pytest.approx(shares, abs=1e-9)
                assert found["exact"]
                assert len(found["beliefs"]) == 21
            session.leave()
        record = (await assistant.call("record", table=table))["said"][0]["text"]
        assert load_text(tmp_path, record) == load(path.with_suffix(".json"))

    assisted(scene)


def load_text(folder: Path, text: str) -> Any:
    path = folder / "handed_over.json"
    path.write_text(text)
    return load(path)


def test_the_analysis_of_a_record_is_that_of_the_command_in_parts() -> None:
    text = (GAMES / "edition_2016.json").read_text()
    expected = sleuth.load(GAMES / "edition_2016.json").analyse().to_json()

    async def whole(assistant: Assistant, **asked: Any) -> list[dict[str, Any]]:
        found = await assistant.call("analyse_record", record=text, **asked)
        said, more = found["said"], found["more"]
        for part in range(2, (more["parts"] if more else 1) + 1):
            rest = await assistant.call("read_more", answer=more["answer"], part=part)
            said += rest["said"]
        return said

    async def scene(assistant: Assistant) -> None:
        parts = await whole(assistant, as_json=True)
        assert len(parts) > 1
        made = json.loads("".join(each["text"] for each in parts))
        for key in ("events", "viewer", "record_sha256"):
            assert made[key] == expected[key]
        for key in ("certain", "marginals", "case_file", "suggestions"):
            assert made[key] == expected[key]
        assert reply({"said": await whole(assistant)}).said
        with pytest.raises(Refused, match="no such answer is kept"):
            await assistant.call("read_more", answer="a1", part=1)

    assisted(scene)


def test_a_line_that_is_refused_changes_nothing_and_says_what_to_write() -> None:
    async def scene(assistant: Assistant) -> None:
        table = await assistant.clue("plum knife kitchen bob plum")
        before = await assistant.call("log", table=table)
        with pytest.raises(Refused) as found:
            await assistant.call("tell", table=table, lines=["bob suggests plom, rope, kitchen"])
        assert found.value.parts["where"] == "line 1"
        assert found.value.parts["hint"]
        assert "plom" in str(found.value)
        assert await assistant.call("log", table=table) == before
        with pytest.raises(Refused, match="line 2, after 1 that were taken"):
            await assistant.call("tell", table=table, lines=["white rope ball cleo", "nonsense"])
        assert len((await assistant.call("log", table=table))["said"][0]["text"].split("\n")) == 2
        assert (await assistant.call("log", table=table))["said"][0]["text"].startswith("1: Ada")
        undone = await assistant.call("undo", table=table)
        assert undone["entries"] == 1
        assert undone["said"][0]["text"].startswith("Taken back: Bob suggests")

    assisted(scene)


def test_what_cannot_all_be_true_is_said_and_corrected() -> None:
    async def scene(assistant: Assistant) -> None:
        table = await assistant.clue("plum knife kitchen bob plum")
        told = await assistant.call("tell", table=table, lines=["cleo has plum"])
        assert set(told["conflict"]["entries"]) == {1, 2}
        assert "cannot all be true" in told["conflict"]["says"]
        with pytest.raises(Refused, match="cannot all be true"):
            await assistant.call("beliefs", table=table)
        with pytest.raises(Refused, match="cannot all be true"):
            await assistant.call("advise", table=table)
        doubted = await assistant.call("correct_entry", table=table, entry=2, how="unsure")
        assert doubted["conflict"] is None
        changed = await assistant.call(
            "correct_entry", table=table, entry=2, how="change", line="cleo has white"
        )
        assert changed["entries"] == 2
        await assistant.call("correct_entry", table=table, entry=2, how="sure")
        found = await assistant.call("beliefs", table=table, names=["white", "plum"])
        assert [each["values"] for each in found["beliefs"]] == [{"Cleo": 1.0}, {"Bob": 1.0}]
        proof = await assistant.call("explain", table=table, name="white")
        assert "entry 2" in json.dumps(proof["said"])
        await assistant.call("correct_entry", table=table, entry=2, how="remove")
        inserted = await assistant.call(
            "correct_entry", table=table, entry=1, how="insert", line="cleo has white"
        )
        assert inserted["entries"] == 2
        anew = await assistant.call(
            "set_up", table=table, key="hand", answer="green rope hall study lounge ballroom"
        )
        assert anew["conflict"] is None

    assisted(scene)


def test_a_proof_is_asked_for_by_the_names_and_values_of_beliefs() -> None:
    async def scene(assistant: Assistant) -> None:
        table = await assistant.clue("plum knife kitchen bob plum")
        asked = {"table": table, "name": "plum"}
        proof = await assistant.call("explain", **asked)
        assert proof["said"][0]["text"].startswith("Bob has plum, by entry 1.")
        for value in ("Bob", "case file"):
            assert await assistant.call("explain", **asked, value=value) == proof
        with pytest.raises(Refused, match="nobody"):
            await assistant.call("explain", table=table, name="nobody", value="Bob")
        yard = (await assistant.call("open_advice", game="scotland_yard"))["table"]
        await assistant.call("tell", table=yard, lines=["", "13 26 29", "taxi"])
        (name,) = (
            each["name"] for each in (await assistant.call("beliefs", table=yard))["beliefs"]
        )
        said = await assistant.call("explain", table=yard, name=name, value="46")
        assert "Mr. X cannot be at 46" in said["said"][0]["text"]

    assisted(scene)
