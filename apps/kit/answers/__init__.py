"""Answers as values of plain data, and what makes text, HTML and JSON of them.

Whatever a person is told is first a `Statement` of `values`: it compares equal, prints, and has a
JSON form with a schema (`schema`). A terminal prints it (`text`), a page or a notebook shows it
(`html`); neither knows a game.
"""
