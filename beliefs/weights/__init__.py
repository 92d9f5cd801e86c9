"""What is likely before anything is observed: weight tables, priors, and what they come to."""
