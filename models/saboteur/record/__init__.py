"""Records of Saboteur that people write: a line an event, as it happened at the table."""
