"""The board: its HTTP API, TensorBoard's routes, and the server."""
