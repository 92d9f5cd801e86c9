"""What players believe about what others believe, and the logic of belief and knowledge."""
