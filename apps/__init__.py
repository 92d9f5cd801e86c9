"""Programs that people start: the command line, its reports and pictures."""
