"""The work of `sleuth train`: read or simulate records, learn, judge, write, report."""
