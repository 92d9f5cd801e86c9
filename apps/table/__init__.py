"""The table in the browser: be advised, watch, play, and guess.

A `Sitting` is something that goes on at the server: advice beside a real game, a replay, a game. It
shows panels of `Statements` to each seat, and takes lines; it knows nothing of the web. `lobby`
keeps sittings and finds them again, `app` serves them, `static` has what runs in the browser.
"""
