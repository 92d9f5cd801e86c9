"""Where Mr X can be, as a declaration; models of Mr X's moves; the hunt as it is played."""
