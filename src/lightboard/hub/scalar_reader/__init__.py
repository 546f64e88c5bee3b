"""Reads the scalars of jobs in a process of its own."""
