"""The language: hidden variables, what can be asked or weighed of them, and what is observed."""
