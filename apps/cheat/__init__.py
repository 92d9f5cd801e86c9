"""MatchGame games of Cheat, analysed: how likely every claim was, and what was worth doing.

`match_game` reads a game and says who looks on, `transcript` follows what they know and makes
`findings`, `advice` asks a search, and `report` shows it.
"""
