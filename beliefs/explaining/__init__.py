"""Which observations make something certain, and how many bits each of them moved."""
