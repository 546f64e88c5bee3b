"""One data kind per file."""
