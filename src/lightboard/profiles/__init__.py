"""Captures of profilers: readers of their formats, steps, operators and their self times.

Does no I/O.
"""
