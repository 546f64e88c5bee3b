"""The HTTP half of the hub: one file per noun, and the reverse proxy for boards."""
