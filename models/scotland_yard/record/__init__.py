"""Records of Scotland Yard: their form on file, what a viewer sees of them, and their replay."""
