"""Shared parts of the HTTP applications: the server, errors, host checks, compression, scheduling, and assets."""
