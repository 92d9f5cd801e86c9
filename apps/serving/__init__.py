"""Assistants: what sleuth knows as tools of the Model Context Protocol.

A `Desk` has the tables and does the work; it answers by values (`forms`), the statements that a
terminal prints among them, and knows nothing of the protocol. `tools` says by which names and
schemas it is asked, `server` serves them by the official SDK, the extra ``mcp``.
"""
