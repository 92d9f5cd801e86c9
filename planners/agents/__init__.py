"""Agents: what decides in a game, knowing what one player knows and nothing else."""
