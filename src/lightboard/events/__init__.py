"""The event-file format: bytes in, columns out. Opens nothing."""
