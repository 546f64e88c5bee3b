"""Exports many series as one table, one document, or an archive, streamed."""
