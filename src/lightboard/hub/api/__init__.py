"""The HTTP API of the hub, one file per kind of resource, and the reverse proxy for boards."""
