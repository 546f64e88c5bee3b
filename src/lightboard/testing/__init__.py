"""Suites and fakes for people who add a backend."""
