"""The event-file format: decodes bytes into columns. Opens no files."""
