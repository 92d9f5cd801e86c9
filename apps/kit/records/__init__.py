"""Records as the commands open them: whose game they are, folders of them, and comparisons."""
