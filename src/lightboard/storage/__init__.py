"""Where bytes live: list, stat, read a range."""
