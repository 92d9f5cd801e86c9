"""A game that people play in the browser, against agents and each other: a kind of sitting."""
