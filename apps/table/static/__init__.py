"""The page without a server: the same sittings, in the browser's own Python."""
