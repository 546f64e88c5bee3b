"""Storages: list folders, stat files, read ranges of bytes."""
