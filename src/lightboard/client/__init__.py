"""The SDK: the hub from Python. Speaks HTTP, knows `schema`-shaped JSON and the errors, and nothing of the server."""
