"""Queries over runs and series, for the HTTP layer."""
