"""Pages and texts for assistants: they say what is so, and an assistant can read them."""

from __future__ import annotations

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import sleuth

from .assistants import Assistant, Refused, assisted, words

pytestmark = pytest.mark.usefixtures("plain_python")

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
#: A page for a prompt.
MOST_WORDS, MOST_LINES = 2_500, 350


def tool(name: str) -> Any:
    """A tool of the documentation."""
    spec = spec_from_file_location(name, DOCS / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_the_page_has_the_tools_and_the_dialogue_as_they_are() -> None:
    page = (DOCS / "assistants.md").read_text("utf-8")
    assert tool("make_assistants").made(page) == page, "run: python docs/tools/make_assistants.py"


def test_the_list_for_language_models_has_every_page() -> None:
    text = (DOCS / "llms.txt").read_text("utf-8")
    assert text == tool("make_llms").made(), "run: python docs/tools/make_llms.py"
    links = re.findall(r"^- \[[^]]+\]\(([^)]+)\): \S", text, re.MULTILINE)
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert set(links) == pages
    assert len(links) == len(pages)
    # The form: a title, a summary, what is to be known, and headings with lists alone.
    title, summary = text.split("\n\n")[:2]
    assert title.startswith("# ")
    assert summary.startswith("> ")


def test_the_contract_is_short_enough_for_a_prompt() -> None:
    """Its game is run, and checked, with the examples of all pages."""
    text = (DOCS / "contract.md").read_text("utf-8")
    assert len(text.split()) <= MOST_WORDS
    assert len(text.splitlines()) <= MOST_LINES
    for name in ("check_game(RULES", "check_belief(RULES"):
        assert name in text


def test_what_the_contract_says_to_write_can_be_written() -> None:
    text = (DOCS / "contract.md").read_text("utf-8")
    (rows,) = re.findall(
        r"## What a belief is declared with\n\n.*?\n\|---\|---\|\n(.*?)\n\n", text, re.DOTALL
    )
    deal = sleuth.Deal({"ace": 2, "king": 1, "ten": 1}, holders={"first": 2, "second": 2})
    role = sleuth.Choice("role", ["spy", "loyal"])
    known: dict[str, Any] = {
        **{name: getattr(sleuth, name) for name in sleuth.__all__},
        "deal": deal, "who": "first", "card": "king", "kind": "ace", "cards": [*"abcde"],
        "choice": role, "feature": role.value(), "given": [], "condition": role.equals("spy"),
        "posterior": sleuth.infer(sleuth.Model(deal, role)),
    }  # fmt: skip
    written = [code for row in rows.splitlines() for code in re.findall(r"`([^`]+)`", row)]
    assert len(written) > 15
    for code in written:
        target, assigned, value = code.partition(" = ")
        eval(value if assigned and target.isidentifier() else code, known)


def test_an_assistant_reads_pages_rules_and_schemas() -> None:
    async def scene(assistant: Assistant) -> None:
        client = assistant.client
        for resource in (await client.list_resources()).resources:
            (content,) = (await client.read_resource(resource.uri)).contents
            assert len(content.model_dump()["text"]) > 500
        (contract,) = (await client.read_resource("sleuth://docs/contract")).contents
        assert contract.model_dump()["text"] == (DOCS / "contract.md").read_text("utf-8")
        for uri, words_ in (
            ("sleuth://rules/saboteur", "gold"),
            ("sleuth://docs/beliefs/declaring", "# Declaring a game"),
        ):
            (found,) = (await client.read_resource(uri)).contents
            assert words_ in found.model_dump()["text"]
        for uri in ("sleuth://rules/nothing", "sleuth://docs/../setup.cfg", "file:///etc/passwd"):
            with pytest.raises(Exception, match=r"no such|there is no"):
                await client.read_resource(uri)
        for prompt in (await client.list_prompts()).prompts:
            assert prompt.arguments is not None
            (argument,) = prompt.arguments
            filled = await client.get_prompt(prompt.name, {argument.name: "clue"})
            assert len(filled.messages[0].model_dump()["content"]["text"]) > 300
        with pytest.raises(Exception, match="this is missing"):
            await client.get_prompt("play", {})

    assisted(scene)


def test_an_answer_is_the_same_in_words_for_who_reads_text_alone() -> None:
    async def scene(assistant: Assistant) -> None:
        listed = words(await assistant.client.call_tool("list_games", {}))
        for entry in sleuth.kit.GAMES.values():
            assert entry.name in listed
        guide = json.dumps(await assistant.call("describe_game", game="scotland-yard"))
        for each in ("Mr. X", "black_fares", "taxi double", "how likely Mr. X is at each station"):
            assert each in guide

    assisted(scene)


@pytest.mark.parametrize("agent", ["bot:touch here", "mcts:seconds=900", "nobody"])
def test_agents_that_run_programs_or_think_for_too_long_are_refused(agent: str) -> None:
    async def scene(assistant: Assistant) -> None:
        opened = await assistant.call("open_game", game="kuhn_poker", agents={"second": "random"})
        seat = opened["seats"][0]["table"]
        record = json.dumps(sleuth.Play.new("kuhn_poker", seed=1).record().to_json())
        for name, arguments in (
            ("open_game", {"game": "kuhn_poker", "agents": {"second": agent}}),
            ("advise", {"table": seat, "agent": agent}),
            ("decide", {"table": seat, "agent": agent}),
            ("decide_in_record", {"record": record, "event": 0, "agent": agent}),
        ):
            with pytest.raises(Refused):
                await assistant.call(name, **arguments)

    assisted(scene)
