"""The subject to learn of Saboteur: probabilities of actions, if roles and gold are as assumed."""
