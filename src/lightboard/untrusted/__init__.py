"""Makes untrusted content safe: Markdown, links, regular expressions, numbers. No other package does."""
