"""The server of the table: what browsers are sent, and what they may say."""
