"""The commands of `sleuth`: their options and help, one command a file."""
