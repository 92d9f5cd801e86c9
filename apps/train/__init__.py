"""What `sleuth train` does: read or simulate records, learn, judge, write, report."""
