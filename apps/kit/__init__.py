"""Parts that all games share: options and text of the commands.

Records, analyses, pages and matches have a room each.
"""
