"""Content that strangers wrote, made safe: Markdown, links, regular expressions, numbers. Nowhere else is that done."""
