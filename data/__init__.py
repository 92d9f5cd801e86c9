"""Facts and recorded games, with loaders that validate them; what everything else needs."""
