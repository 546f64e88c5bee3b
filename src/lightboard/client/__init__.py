"""The Python SDK for the hub. It uses HTTP and imports nothing of the server."""
