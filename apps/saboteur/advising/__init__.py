"""Advice beside a real game of Saboteur: the table, what is typed or touched, and answers."""
