"""Formats of files of networks: each is read into one value, and written from it."""
