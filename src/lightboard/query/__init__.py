"""Answers about series: what the HTTP layer asks."""
