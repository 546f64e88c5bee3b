"""Columns of every run, merged over its files. Does no I/O."""
