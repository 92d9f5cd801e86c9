"""Watching agents, and replaying any record: step by step, from any eyes, at any speed.

`sources` says what is replayed, a `Reel` shows its moments, `working` is done by workers, and
`sitting` ties them together. A game adds nothing; it may draw its belief (`Display.drawn_belief`,
`Transcript.scene`) and know better how likely each side is to win (`Display.winning_chances`).
"""
