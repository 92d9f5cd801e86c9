"""Mr. X's possible places, as a declaration; models of Mr. X's moves; the hunt as it is played."""
