"""A process that serves many boards for a hub. Boards over the same logs share the data read from them."""
