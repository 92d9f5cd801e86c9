"""Responders: what can be won at least from an agent whose policy is known."""
