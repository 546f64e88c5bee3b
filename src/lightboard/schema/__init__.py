"""What travels over HTTP: pydantic models shared by servers and clients."""
