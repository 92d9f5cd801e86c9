"""Questions to a posterior: many at once, the information they give, and every world."""
