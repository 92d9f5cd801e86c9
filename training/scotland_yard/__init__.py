"""Learning from games of Scotland Yard where Mr. X goes, and how well beliefs then know it."""
