"""Graphs of models: one schema for all formats, its readers, and the tree of scopes with what a page asks about it.

Does no I/O. Graphs come from files that anyone may have written, so nothing here recurses, and everything has a limit.
"""
