"""What is learned of Saboteur: how likely actions are, if roles and gold are as assumed."""
