"""Games that people know, each in one file of at most 250 lines.

A file here is written as anybody would write theirs: rules, belief, words, and an entry of them,
with nothing but the face (`sleuth` and its pages) and NumPy. So each can be copied, and changed
into another game.

>>> import sleuth
>>> sleuth.game("goofspiel", cards=4).roles
('first', 'second')
"""
