"""What all games share: options and text of the commands; a room each for records, analyses, pages
and matches.
"""
