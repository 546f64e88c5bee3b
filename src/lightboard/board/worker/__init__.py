"""A process that serves many boards for a hub: boards over the same logs share what was read of them."""
