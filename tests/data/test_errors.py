"""Hints of errors: the word that was meant."""

from __future__ import annotations

import pytest

from sleuth.data.errors import nearest

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
