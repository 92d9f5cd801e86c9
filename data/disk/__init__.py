"""Files on disk: read up to a limit, written whole or line by line, held by one process."""
