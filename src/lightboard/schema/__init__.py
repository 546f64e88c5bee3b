"""Bodies of HTTP requests and responses: pydantic models shared by servers and clients."""
