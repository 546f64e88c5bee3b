"""Fakes, and test suites for implementations of interfaces such as storages and launchers."""
