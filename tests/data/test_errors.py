"""Hints of errors: the word that was meant."""

from __future__ import annotations

import pytest

from sleuth.data.errors import SleuthError, join_hints, nearest

GAMES = ["cheat", "clue_table", "kuhn_poker", "phantom_tic_tac_toe", "tic_tac_toe"]


@pytest.mark.parametrize(
    "typed, said",
    [
        ("cheet", "did you mean 'cheat'?"),
        ("clue", "did you mean 'clue_table'?"),
        ("Kuhn", "did you mean 'kuhn_poker'?"),
        ("poker", "did you mean 'kuhn_poker'?"),
        ("kunh", "did you mean 'kuhn_poker'?"),
        ("tic-tac", "did you mean 'tic_tac_toe'?"),
        ("tac", "did you mean 'tic_tac_toe' or 'phantom_tic_tac_toe'?"),
        ("x", f"known: {', '.join(GAMES)}"),
        ("saboteur", f"known: {', '.join(GAMES)}"),
    ],
)
def test_a_hint_names_the_words_that_may_have_been_meant(typed: str, said: str) -> None:
    assert nearest(typed, GAMES) == said


def test_a_hint_lists_every_known_word_once() -> None:
    assert nearest("x", ["one", "two", "one"]) == "known: one, two"
    assert nearest("x", []) == "none is known"


@pytest.mark.parametrize(
    "texts, said",
    [
        (("no such game", "known: cheat"), "no such game; known: cheat"),
        (("did you mean 'cheat'?", "name a file"), "did you mean 'cheat'? Name a file"),
        (("", "name a file", ""), "name a file"),
        ((), ""),
    ],
)
def test_what_comes_after_a_question_is_a_sentence(texts: tuple[str, ...], said: str) -> None:
    assert join_hints(*texts) == said
    message, *hints = texts or [""]
    assert str(SleuthError(message, hint=join_hints(*hints))) == said
