"""Players' beliefs about what others believe, and the logic of belief and knowledge."""
