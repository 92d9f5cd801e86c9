"""Beside a real game of Scotland Yard: what the detectives know, and where to go."""
